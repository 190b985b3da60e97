"""What is not certain is asked, in one letter with its readings as buttons; and what was taken of them is counted."""

import json
from urllib.parse import unquote

import pytest

from host.cli import format
from host.demo.robot import ReadLetter, write_link
from host.store.health import AskedBack, asked_back
from host.turn import reports
from tests.size import a_few
from tests.turn.conftest import MakeDesk
from tests.turn.desk import OPERATOR, Desk, words
from tests.turn.test_kind_words import said
from tests.turn.test_premoves import kept

ANN, BOB = "ann@example.net", "bob@example.net"
DOUBT = "draw, no wait, keep"


def bodies(letter: ReadLetter) -> list[str]:
    """What each link of a letter writes."""
    return [unquote(link.rpartition("body=")[2]) for link in letter.links]


def counted(desk: Desk) -> AskedBack:
    with desk.store.reading() as session:
        return asked_back(session)


def at_a_card(desk: Desk, text: str = DOUBT) -> ReadLetter:
    """The letter that asks what Ann meant, who has turned a card and may keep it or draw."""
    desk.begin()
    desk.answer(ANN, "cut 10, pick 3")
    desk.answer(ANN, text)
    return desk.last(ANN)


def test_the_letter_asks_with_the_readings_as_buttons_and_repeats_the_question(desk: Desk) -> None:
    desk.begin()
    desk.answer(ANN, "cut 10, pick 3")
    due = desk.last(ANN).headers["x-podium-reply-by"]
    desk.answer(ANN, DOUBT)
    asked = desk.last(ANN)
    assert asked.kind == "refused"
    assert asked.text.startswith("I read this as “keep”. Is that right?")
    assert f"You wrote: “{DOUBT}”." in words(asked)
    assert "1. Keep 2. Draw Something else" in words(asked)
    assert bodies(asked) == ["keep", "draw", "something else"]
    for body in (asked.text, asked.page):
        assert "1. Keep" in body
        assert "2. Draw" in body
        assert "Something else" in body
        assert "Not played" not in body
        assert "Nothing was played" not in body
        assert "your time runs on" in " ".join(body.split())
    assert words(asked).count("No answer:") == 1
    assert asked.headers["x-podium-reply-by"] == due, "the clock runs on"


@pytest.mark.parametrize(
    "yes",
    a_few(["yes", "Yes please!", "Yes, that's right.\n\nAnn", "ja", "👍", "1", "1.", "number one", "the first"], 3),
)
def test_a_yes_and_its_number_are_the_first_reading(desk: Desk, yes: str) -> None:
    asked = at_a_card(desk)
    desk.answer(ANN, yes, asked)
    assert said(desk) == ["cut 10", "pick 3", "keep"]
    assert counted(desk) == AskedBack(letters=1, first=1)


@pytest.mark.parametrize("two", a_few(["2", "number two", "The second", "the second one, please", "#2", "option 2."]))
def test_a_number_is_that_reading(desk: Desk, two: str) -> None:
    asked = at_a_card(desk)
    desk.answer(ANN, two, asked)
    assert said(desk) == ["cut 10", "pick 3", "draw"]
    assert counted(desk) == AskedBack(letters=1, another=1)


def test_a_tap_on_a_reading_plays_it_once(desk: Desk) -> None:
    asked = at_a_card(desk)
    desk.answer(ANN, bodies(asked)[1], asked)
    assert said(desk) == ["cut 10", "pick 3", "draw"]
    desk.answer(ANN, "yes", asked)
    assert said(desk) == ["cut 10", "pick 3", "draw"], "that question is closed"
    assert counted(desk) == AskedBack(letters=1, another=1)


def test_any_plain_command_answers_and_is_counted_as_written_otherwise(make_desk: MakeDesk) -> None:
    desk = make_desk()
    desk.begin()
    desk.answer(ANN, "cut 5, no wait, 7")
    asked = desk.last(ANN)
    assert bodies(asked)[0] == "cut 7"
    desk.answer(ANN, "cut 31", asked)
    assert said(desk) == ["cut 31"]
    assert counted(desk) == AskedBack(letters=1, otherwise=1)


@pytest.mark.parametrize(
    "text", a_few(["something else", "no", "No.", "neither", "None of these", "no, something else"])
)
def test_none_of_the_readings_brings_the_plain_question_with_all_its_links(desk: Desk, text: str) -> None:
    desk.begin()
    plain = desk.last(ANN)
    desk.answer(ANN, "cut 5, no wait, 7")
    desk.answer(ANN, text, desk.last(ANN))
    again = desk.last(ANN)
    assert said(desk) == []
    assert bodies(again) == bodies(plain)
    assert "layed" not in again.text.replace("is played", "")
    assert "Something else" not in again.text
    assert again.headers["x-podium-reply-by"] == plain.headers["x-podium-reply-by"]
    assert counted(desk) == AskedBack(letters=1, otherwise=1)


def test_a_readings_number_is_that_reading(desk: Desk) -> None:
    desk.begin()
    desk.answer(ANN, "cut 5, no wait, 7")
    desk.answer(ANN, "2", desk.last(ANN))
    assert said(desk) == ["cut 5"]


@pytest.mark.parametrize("text", ["1, good luck Bob", "(1)", "1. thanks!", "yes, and good luck to Bob"])
def test_a_readings_number_may_have_talk_behind_it(desk: Desk, text: str) -> None:
    asked = at_a_card(desk)
    desk.answer(ANN, text, asked)
    assert said(desk)[-1] == "keep"


@pytest.mark.parametrize(
    "text",
    [
        "Two more days please",
        "1 sec",
        "First I need to ask my wife",
        "no one told me about this",
        "1 is wrong",
        "yes, no",
        "first, draw",
    ],
)
def test_what_only_begins_like_the_number_of_a_reading_takes_none(desk: Desk, text: str) -> None:
    asked = at_a_card(desk)
    desk.answer(ANN, text, asked)
    assert "keep" not in said(desk)


def test_a_wish_behind_a_yes_to_readings_is_no_yes(desk: Desk) -> None:
    asked = at_a_card(desk)
    desk.answer(ANN, "yes, status", asked)
    assert said(desk)[-1] == "pick 3"


@pytest.mark.parametrize("text", ["1, no 2", "1 or 2", "1?", "1, once Bob agrees"])
def test_a_readings_number_with_more_behind_it_is_asked_once_more_and_first(desk: Desk, text: str) -> None:
    asked = at_a_card(desk)
    desk.answer(ANN, text, asked)
    assert said(desk)[-1] == "pick 3"
    assert bodies(desk.last(ANN))[:2] == ["keep", "draw"]


def test_a_number_that_is_another_of_the_readings_is_asked_with_both(desk: Desk) -> None:
    desk.begin()
    desk.answer(ANN, "cut 1, no wait, 2")
    desk.answer(ANN, "2", desk.last(ANN))
    assert said(desk) == [], "the second reading is to cut at 1, the first to cut at 2"
    asked = desk.last(ANN)
    assert bodies(asked)[:3] == ["cut 1", "cut 2", "something else"]
    desk.answer(ANN, "yes", asked)
    assert said(desk) == ["cut 1"]


def test_a_yes_to_a_letter_whose_question_is_closed_plays_nothing(desk: Desk) -> None:
    desk.begin()
    desk.answer(ANN, "cut 5, no wait, 7")
    asked = desk.last(ANN)
    desk.answer(ANN, "cut 20")
    for text in ("yes", "2", "something else"):
        desk.answer(ANN, text, asked)
        assert said(desk) == ["cut 20"]
        assert desk.last(ANN).kind == ("turn" if text == "something else" else "refused")
        assert "pick%201" in "".join(desk.last(ANN).links), "how things stand now"


def test_while_an_episode_is_paused_it_says_so_and_asks_nothing(desk: Desk) -> None:
    desk.begin()
    begin = desk.last(ANN)
    desk.answer(ANN, "host please pause")
    desk.tap(OPERATOR, "pause CC-1")
    desk.answer(ANN, "cut 5, no wait, 7", begin)
    assert "has paused this episode" in words(desk.last(ANN))
    assert not desk.last(ANN).links


def test_i_meant_in_answer_to_the_question_is_a_command(desk: Desk) -> None:
    asked = at_a_card(desk)
    desk.answer(ANN, "Sorry, I meant draw", asked)
    assert said(desk) == ["cut 10", "pick 3", "draw"]


def test_a_yes_to_a_letter_that_offered_no_reading_is_not_taken_for_one(desk: Desk) -> None:
    desk.begin()
    desk.answer(ANN, "cut 10, pick 3")
    desk.answer(ANN, "yes")
    assert said(desk) == ["cut 10", "pick 3"]


def test_the_host_sees_how_well_people_are_understood(desk: Desk) -> None:
    desk.answer(ANN, "yes", at_a_card(desk))
    with desk.store.reading() as session:
        found = reports.status(session, desk.config, desk.now)
    counts = {"letters": 1, "first": 1, "another": 0, "otherwise": 0, "second": 0, "second_first": 0}
    assert found["asked_back"] == counts
    told = "letters that asked what a mail meant: 1; the first reading was right in 1, another in 0"
    assert told in format.status(found)
    assert "second reader" not in format.status(found)


@pytest.mark.parametrize("is_tapped", [True, False])
def test_what_may_be_meant_to_stand_is_a_reading_and_a_tap_keeps_it(desk: Desk, is_tapped: bool) -> None:
    desk.begin()
    desk.answer(ANN, "cut 10, pick 3")
    desk.answer(ANN, "I draw. And from now on I'd rather keep whatever counts nine and up, the others you may swap.")
    asked = desk.last(ANN)
    assert bodies(asked)[0] == "draw\r\nkeep 9 or more, else draw"
    assert "1. Draw; then keep 9 or more, else draw" in words(asked)
    assert said(desk) == ["cut 10", "pick 3"], "nothing is kept of it yet"
    if is_tapped:
        desk.deliver(write_link(asked.links[0], ANN, "Ann"))
    else:
        desk.answer(ANN, "yes", asked)
    assert said(desk) == ["cut 10", "pick 3", "draw"]
    assert kept(desk) == [("keep 9 or more, else draw", "waiting")]
    assert counted(desk) == AskedBack(letters=1, first=1)


DISCLAIMER = "This mail is confidential. If you have received it in error, please notify the sender and delete it."


@pytest.fixture
def poker(make_desk: MakeDesk) -> Desk:
    desk = make_desk(game="champion-poker", games={"champion-poker": {"seats": 2}})
    desk.begin()
    return desk


def said_in(desk: Desk, code: str) -> list[str]:
    with desk.store.reading() as session:
        found = reports.episode(session, code, True)
    assert found is not None
    return [json.loads(row["text"]).get("say", "") for row in found["record"]]


@pytest.mark.parametrize("text", a_few(["20-30", "5–100", "20-11-2026", "(089) 45-1234"], 3))
def test_a_range_a_date_and_a_telephone_number_are_no_number(poker: Desk, text: str) -> None:
    poker.answer(ANN, text)
    assert said_in(poker, "CP-1") == []


@pytest.mark.parametrize("number", a_few(["(089) 45-1234", "+353 (1) 45-1234", "555-100-2000", "Tel. 0221/450-12"]))
def test_a_telephone_number_below_a_name_is_a_signature(poker: Desk, number: str) -> None:
    assert poker.answer(ANN, f"status\n\nAnn\n{number}").state == "answered"
    assert poker.answer(ANN, f"bet 20\n\nThanks,\nAnn\n{number}").state == "played"
    assert said_in(poker, "CP-1") == ["bet 20"]


@pytest.mark.parametrize("answer", ["yes", "1", "bet 20"])
def test_a_disclaimer_below_both_mails_keeps_nobody_from_answering(poker: Desk, answer: str) -> None:
    poker.answer(ANN, f"bet 20\n\n{DISCLAIMER}")
    assert said_in(poker, "CP-1") == []
    poker.answer(ANN, f"{answer}\n\n{DISCLAIMER}")
    assert said_in(poker, "CP-1") == ["bet 20"]


def test_a_cut_that_nobody_typed_is_told_as_it_was_read(desk: Desk) -> None:
    desk.begin()
    desk.answer(ANN, "pick 5")
    assert "I read “pick 5” as cut 26, pick 5." in words(desk.last(ANN))


@pytest.mark.parametrize("text", ["well played Bob", "Bob played well", "pick"])
def test_of_values_of_which_none_is_said_none_is_told_as_read(make_desk: MakeDesk, text: str) -> None:
    desk = make_desk()
    desk.begin()
    desk.answer(ANN, "cut 5")
    desk.answer(ANN, text)
    assert "I could not tell which move that is" in words(desk.last(ANN))
    assert "pick%202" in desk.last(ANN).page
