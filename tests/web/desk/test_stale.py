"""What an operator sends from a page that is no longer so: nothing else is done than what they saw."""

import html
import re
from datetime import timedelta

import pytest

from host.store.episodes import episode_of_code
from host.store.schema import Letter, QuestionRow
from host.store.seasons import seasons_of
from host.web.desk.visitor import FORM_LASTS
from tests.turn.desk import OPERATOR
from tests.web.house import House

ANN = "ann@champ-cards.example.net"


def link(house: House, path: str, within: str) -> str:
    """The address of a link on a page, from `/desk/` on."""
    found = re.search(rf'href="[^"]*(desk/confirm/\?{within}[^"]*)"', house.page(path))
    assert found, within
    return f"/{html.unescape(found[1])}"


def test_the_season_that_was_shown_is_closed_and_no_other(desk: House) -> None:
    desk.send("/desk/season/begin/", name="Winter 1", to="2027-01-01", repeat="yes")
    closing = {"season": "1", "sure": "yes"}
    assert "Winter 1 is closed" in desk.send("/desk/season/close/", next="yes", **closing).text
    refused = desk.send("/desk/season/close/", **closing)
    assert refused.status_code == 409
    assert "closed already" in refused.text
    with desk.desk.store.reading() as session:
        assert [(each.name, each.closed_at is None) for each in seasons_of(session)] == [
            ("Winter 2", True),
            ("Winter 1", False),
        ]


def test_a_link_of_a_page_before_something_happened_does_nothing(desk: House) -> None:
    desk.desk.answer(ANN, "cut 5")
    desk.desk.answer(ANN, "pick 3")
    back = link(desk, "/desk/episodes/CC-1/", "command=back")
    assert desk.client.get(back).status_code == 200
    desk.desk.answer(ANN, "draw")
    moved = desk.client.get(back)
    assert moved.status_code == 409
    assert "Ann: draw" in moved.text


def test_each_form_of_a_page_is_sent_for_itself(desk: House) -> None:
    for who in (ANN, "ann@bluffjack.example.net"):
        desk.desk.answer(who, f"host a word of {who}")
    page = desk.page("/desk/")
    word = re.search(r'name="form" value="([^"]+)"', page)
    numbers = re.findall(r"desk/words/(\d+)/", page)
    assert word
    assert len(set(numbers)) == 2
    for number in dict.fromkeys(numbers):
        sent = desk.client.post(f"/desk/words/{number}/", data={"form": word[1], "text": f"Yes, {number}."})
        assert (sent.status_code, "Your answer goes to" in sent.text) == (200, True)
    again = desk.client.post(f"/desk/words/{numbers[0]}/", data={"form": word[1], "text": "Yes."})
    assert "done already" in again.text


def test_a_confirm_page_that_is_too_old_makes_a_form_anew(desk: House) -> None:
    address = desk.client.get("/desk/confirm/", params={"command": "pause", "asked": "1", "code": "CC-1"}).url
    desk.desk.now += FORM_LASTS + timedelta(hours=1)
    page = desk.client.get(str(address)).text
    data = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', page.partition("Yes, do it")[0]))
    assert desk.client.post("/desk/do/", data=data).status_code == 200


@pytest.mark.parametrize("path", ["/desk/", "/desk/episodes/CC-1/"])
def test_an_episode_of_earlier_rules_takes_no_page_down_with_it(desk: House, path: str) -> None:
    with desk.desk.store.transaction() as session:
        episode = episode_of_code(session, "CC-1")
        assert episode is not None
        assert episode.state
        episode.state = {"phase": "of another time"}
        session.query(Letter).filter_by(episode_id=episode.id).first().host_question = "what now?"  # type: ignore[union-attr]
    answer = desk.client.get(path)
    assert answer.status_code == (200 if path == "/desk/" else 409)
    assert desk.command("pause", code="CC-1").status_code == 409


def test_an_episode_whose_letters_are_not_out_is_in_the_list(desk: House) -> None:
    with desk.desk.store.transaction() as session:
        episode = episode_of_code(session, "CC-1")
        assert episode is not None
        for row in session.query(QuestionRow).filter_by(episode_id=episode.id):
            row.asked_at = None
            row.stopped_at = desk.desk.now
    assert "desk/episodes/CC-1/" in desk.page("/desk/episodes/")


def test_a_contestant_is_found_by_a_name_of_any_letters(desk: House) -> None:
    desk.desk.register("ivan@example.net", "\u0418\u0432\u0430\u043d \u041f\u0435\u0442\u0440\u043e\u0432")
    for wanted in (
        "\u0418\u0432\u0430\u043d",
        "\u0438\u0432\u0430\u043d",
        "\u0418\u0432\u0430\u043d \u041f\u0435\u0442\u0440\u043e\u0432",
    ):
        assert "ivan@example.net" in desk.client.get("/desk/contestants/", params={"who": wanted}).text, wanted
    told = desk.command("write", who="\u0418\u0432\u0430\u043d", text="Hello")
    assert told.status_code == 200, told.text


def test_addresses_that_nobody_has_bring_no_fault(desk: House) -> None:
    for path in ("/contestants/", "/ledger/", "/desk/mail/in/"):
        assert desk.client.get(f"{path}{'9' * 5000}/").status_code in (400, 404)
    answer = desk.client.post("/desk/login/", data={"address": OPERATOR}, headers={"origin": "http://["})
    assert answer.status_code == 403


def test_what_was_typed_is_shown_where_it_could_not_be_sent(desk: House) -> None:
    desk.desk.answer(ANN, "host I need more time")
    number = re.findall(r"desk/words/(\d+)/", desk.page("/desk/"))[0]
    desk.desk.answer(ANN, "cut 5, pick 3, draw")
    sent = desk.send(f"/desk/words/{number}/", text="Dear Ann, of course.", more="a day")
    assert sent.status_code == 409
    assert "Nobody called Ann is asked anything" in sent.text
    assert "Dear Ann, of course." in sent.text
