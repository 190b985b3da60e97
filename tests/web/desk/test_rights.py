"""Who may what: owners all, co-hosts run the games, judges answer what games ask; at the desk as by mail."""

import itertools
import re
from pathlib import Path

import pytest
from pydantic import ValidationError
from sqlalchemy import delete

from host.config import Host
from host.states import Right
from host.store.people import last_audit_entries
from host.store.schema import BankEntry
from host.web.desk import FORMS
from tests.turn.desk import OPERATOR, words
from tests.web.desk.test_desk import set_up
from tests.web.house import House

CO_HOST, JUDGE = "co@example.com", "judge@example.com"
WHO: dict[Right, str] = {"owner": OPERATOR, "host": CO_HOST, "judge": JUDGE}
ANN = "ann@champ-cards.example.net"
PAUSE = {"command": "pause", "asked": "1", "code": "CC-1"}
IN_ANNS_PLACE = {"command": "say", "asked": "1", "code": "CC-1", "as_name": "Ann", "text": "cut 5"}
FORGET = {"command": "people forget", "asked": "1", "who": ANN}


@pytest.fixture
def house(tmp_path: Path) -> House:
    """A host with one of each right, an episode of each game, and a question that waits for the host."""
    house = House(tmp_path, host={"co_hosts": [CO_HOST], "judges": [JUDGE]})
    with house.desk.store.transaction() as session:
        session.execute(delete(BankEntry))
    house.begin_all()
    set_up(house)
    return house


def let_in(house: House, right: Right) -> None:
    """The browser is that of somebody with this right from now on."""
    house.client = house.browser()
    house.log_in(who=WHO[right])


def last_command(house: House) -> tuple[str, str]:
    with house.desk.store.reading() as session:
        entry = last_audit_entries(session, 1)[0]
    return entry.who, entry.command


def test_a_judge_answers_what_a_game_asks_and_nothing_else(house: House) -> None:
    let_in(house, "host")
    for command in ("pause", "resume"):
        assert house.command(command, code="CC-1").status_code == 200
    let_in(house, "judge")
    page = house.page("/desk/")
    assert "Split Decision" in page
    assert "contestants/" not in page
    assert "a judge" in page
    answer = house.command("say", code="SD-1", text="ask What is two and two? = 4 | four")
    assert "the host said ask" in answer.text
    assert last_command(house) == (JUDGE, "say SD-1 ask What is two and two? = 4 | four")
    episode = house.page("/desk/episodes/CC-1/")
    for hidden in (CO_HOST, "command=pause", "command=back", "/show/", "contestants/", "example.net"):
        assert hidden not in episode
    for path in (
        "queues/",
        "contestants/",
        "contestants/1/",
        "ledger/",
        "mail/",
        "season/",
        "bank/",
        "health/",
        "log/",
    ):
        assert house.get(f"/desk/{path}").status_code == 403, path
    for asked in (PAUSE, IN_ANNS_PLACE, FORGET):
        assert house.client.get("/desk/confirm/", params=asked).status_code == 403, asked


def test_a_co_host_runs_the_games_and_owners_keep_what_cannot_be_undone(house: House) -> None:
    let_in(house, "host")
    for path in ("", "queues/", "contestants/1/", "mail/", "season/", "bank/", "log/"):
        page = house.page(f"/desk/{path}")
        assert "people+forget" not in page
        assert "Begin it" not in page
    assert "CC-1" in house.command("pause", code="CC-1").text
    assert last_command(house) == (CO_HOST, "pause CC-1")
    assert house.client.get("/desk/confirm/", params=FORGET).status_code == 403
    refused = house.send("/desk/season/begin/", name="Autumn")
    assert refused.status_code == 403
    assert "this is for an owner" in refused.text
    let_in(house, "owner")
    assert "Begin it" in house.page("/desk/season/")
    assert "is not a day" in house.send("/desk/season/begin/", name="Autumn", **{"from": "soon"}).text
    for far in ("0001-01-01", "9999-12-30"):
        assert "is too far away" in house.send("/desk/season/begin/", name="Autumn", **{"from": far}).text
    assert "has begun" in house.send("/desk/season/begin/", name="Autumn", **{"from": "2026-01-01"}).text
    assert "From " in house.client.get("/desk/season/").text
    assert "Nothing was closed" in house.send("/desk/season/close/").text
    assert "Autumn is closed" in house.send("/desk/season/close/", sure="yes", season="1").text


@pytest.mark.storm
def test_no_form_is_open_to_a_judge(house: House) -> None:
    let_in(house, "judge")
    form = house.form("/desk/")
    for path in (each for each in FORMS if each not in ("link/", "typed/", "do/")):
        where = path.replace("{number:int}", "1").format(code="CC-1", way="in")
        sent = house.client.post(f"/desk/{where}", data={"form": form})
        assert sent.status_code == 403, path
        assert "You are a judge here" in sent.text, path


def test_no_command_is_open_to_a_judge_who_sends_the_form_by_hand(house: House) -> None:
    let_in(house, "judge")
    for fields, path in itertools.product((PAUSE, IN_ANNS_PLACE, FORGET), ("do/", "typed/")):
        sent = house.client.post(f"/desk/{path}", data=fields | {"form": house.form("/desk/"), "version": "1"})
        assert sent.status_code == 403, fields
    assert last_command(house)[1] == "log in to the desk"


@pytest.mark.storm
def test_letters_go_to_whom_they_concern(house: House) -> None:
    house.desk.answer(ANN, "host May I have a day more, please?")
    assert [bool(words_to(house, each, "May I have a day more")) for each in WHO.values()] == [True, True, False]
    assert [bool(words_to(house, each, "waits for you")) for each in WHO.values()] == [True, True, True]


def test_by_mail_as_at_the_desk(house: House) -> None:
    house.desk.answer(JUDGE, "pause CC-1")
    assert "You are a judge here" in words(house.desk.last(JUDGE))
    house.desk.answer(JUDGE, "people forget ann")
    assert "You are a judge here" in words(house.desk.last(JUDGE))
    house.desk.answer(JUDGE, "ask What is two and two? = 4 | four")
    assert "the host said ask" in words(house.desk.last(JUDGE))
    house.desk.answer(CO_HOST, f"people forget {ANN}\npause CC-1")
    told = words(house.desk.last(CO_HOST))
    assert "this is for an owner" in told
    assert "CC-1" in told
    assert last_command(house) == (CO_HOST, "pause CC-1")


@pytest.mark.storm
def test_what_was_a_hosts_right_ends_with_it(house: House) -> None:
    """Letters that were mailed and pages that were opened before somebody became a judge do no more than a judge may."""
    house.desk.answer(ANN, "host May I have a day more, please?")
    words_brought = house.desk.last(CO_HOST)
    let_in(house, "host")
    house.send("/desk/episodes/CC-1/show/", on="/desk/episodes/CC-1/")
    assert "nothing hidden" in house.page("/desk/episodes/CC-1/")
    was = house.desk.config.host
    now = was.model_copy(update={"co_hosts": (), "judges": (*was.judges, CO_HOST)})
    object.__setattr__(house.desk.services.config, "host", now)
    assert "nothing hidden" not in house.page("/desk/episodes/CC-1/")
    before = len(house.desk.letters(ANN))
    house.desk.answer(CO_HOST, "You play badly.", words_brought)
    assert len(house.desk.letters(ANN)) == before
    assert house.desk.answer(CO_HOST, "pause CC-1", words_brought).state == "answered"
    assert "You are a judge here" in words(house.desk.last(CO_HOST))


def test_one_right_each() -> None:
    with pytest.raises(
        ValidationError, match=re.escape("co@example.com stands twice among operators, co_hosts and judges")
    ):
        Host(address="games@example.org", operators=("co@example.com",), judges=("Co@example.com",))


def words_to(house: House, address: str, said: str) -> list[str]:
    return [said for letter in house.desk.letters(address) if said in words(letter) + letter.headers.get("subject", "")]
