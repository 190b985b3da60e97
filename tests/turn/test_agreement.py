"""`confirm` and `ready` letters: yes, no, later, and what is none of them."""

from datetime import timedelta

import pytest

from host.demo.robot import ReadLetter
from tests.size import a_few
from tests.turn.conftest import MakeDesk
from tests.turn.desk import ADDRESS, OPERATOR, SUBJECT, Desk, words
from tests.turn.test_registration import queue
from tests.turn.test_services import over

ANN, BOB, CLEO = "ann@example.net", "bob@example.net", "cleo@example.net"


def asked_to_confirm(desk: Desk) -> ReadLetter:
    desk.write(ANN, ADDRESS, SUBJECT, "Name: Ann Lee")
    assert desk.last(ANN).kind == "confirm"
    return desk.last(ANN)


def asked_to_be_ready(desk: Desk) -> ReadLetter:
    desk.register(ANN, "Ann Lee")
    desk.later(hours=80)
    desk.register(BOB, "Bob Ray")
    assert desk.last(ANN).kind == "ready"
    return desk.last(ANN)


def bodies(letter: ReadLetter) -> list[str]:
    return [link.rpartition("=")[2] for link in letter.links]


@pytest.mark.parametrize(
    "text", a_few(["what is this?", "Who are you?", "my address is old", "spam", "How much does it cost?"])
)
def test_what_says_neither_to_confirm_is_asked_once(desk: Desk, text: str) -> None:
    confirm = asked_to_confirm(desk)
    desk.answer(ANN, text, confirm)
    asked = desk.last(ANN)
    assert asked is not confirm
    assert f"I could not tell whether “{text}” is a yes or a no." in words(asked)
    assert (asked.kind, bodies(asked)) == ("refused", ["confirm", "no"])
    assert queue(desk) == []
    before = desk.count()
    desk.answer(ANN, text + " really", asked)
    assert desk.count() == before, "nobody is pestered"
    desk.answer(ANN, "confirm", asked)
    assert queue(desk) == ["Ann"]


@pytest.mark.parametrize(
    "text",
    a_few(
        [
            "No, it was not me",
            "I did not register, go away",
            "👎",
            "Nein",
            "no thanks",
            "What is this? I never registered.",
        ]
    ),
)
def test_a_victim_gets_one_letter_and_after_a_no_none(desk: Desk, text: str) -> None:
    confirm = asked_to_confirm(desk)
    desk.answer(ANN, text, confirm)
    for reply in ("who are you?", "I said no!", "thanks", ""):
        desk.answer(ANN, reply, confirm)
    asked_again = desk.write(ANN, ADDRESS, SUBJECT, "Name: Ann Lee")
    assert asked_again.state == "silent"
    desk.later(days=8)
    desk.tick()
    assert len(desk.letters(ANN)) == 1
    assert queue(desk) == []


@pytest.mark.parametrize(
    "text",
    a_few(
        ["Nope. Anna.", "No! My name isn't Ann Lee, it is Anna Leigh", "no, wrong name", "no, you got it wrong: Anna"]
    ),
)
def test_a_no_that_names_its_writer_otherwise_is_asked_about(desk: Desk, text: str) -> None:
    desk.answer(ANN, text, asked_to_confirm(desk))
    assert "yes or no?" in words(desk.last(ANN))
    desk.answer(ANN, "yes")
    assert queue(desk) == ["Ann"]


def test_a_no_to_the_second_asking_is_a_no(desk: Desk) -> None:
    asked_to_confirm(desk)
    desk.answer(ANN, "what is this?")
    desk.tap(ANN, "no")
    assert len(desk.letters(ANN)) == 2
    assert desk.write(ANN, ADDRESS, SUBJECT, "Name: Ann Lee").state == "silent"


@pytest.mark.parametrize("text", a_few(["Thank you!\nAnn Lee", "👍", "Ja, gerne", "Hello,\nthat was me\nAnn"]))
def test_courtesies_and_signs_confirm(desk: Desk, text: str) -> None:
    desk.answer(ANN, text, asked_to_confirm(desk))
    assert queue(desk) == ["Ann"]


def test_a_yes_with_a_question_beside_it_confirms_and_is_answered(desk: Desk) -> None:
    desk.answer(ANN, "Yes, that was me. What are the rules?", asked_to_confirm(desk))
    assert queue(desk) == ["Ann"]
    rules = [letter for letter in desk.letters(ANN) if letter.kind == "help"]
    assert len(rules) == 1
    assert "race to 21" in words(rules[0])


@pytest.mark.parametrize(
    "text", a_few(["yes I'm ready", "sure!", "let's go", "count me in", "👍", "Ready!", "Hi, I am here"])
)
def test_ready_in_words(desk: Desk, text: str) -> None:
    desk.answer(ANN, text, asked_to_be_ready(desk))
    assert desk.last(BOB).kind == "begin"


@pytest.mark.parametrize(
    "text",
    a_few(
        [
            "yes but I am on holiday from the 26th to the 30th",
            "Sure! I am away until Monday though",
            "ready, if we finish before Friday",
        ]
    ),
)
def test_a_yes_with_a_reservation_begins_nothing_and_is_asked(desk: Desk, text: str) -> None:
    desk.answer(ANN, text, asked_to_be_ready(desk))
    asked = desk.last(ANN)
    assert (asked.kind, bodies(asked)) == ("refused", ["ready", "not%20now", "leave"])
    assert "begin now all the same, or not now" in words(asked)
    assert "What else you wrote went to the host" in words(asked)
    assert text in words(desk.last(OPERATOR))
    assert queue(desk) == ["Ann", "Bob"]
    desk.tap(ANN, "ready")
    assert desk.last(BOB).kind == "begin"


@pytest.mark.parametrize("text", a_few(["Thanks!", "what is this?", "my cat is ill", "", "I like cards"]))
def test_what_says_neither_to_ready_is_asked_again(desk: Desk, text: str) -> None:
    ready = asked_to_be_ready(desk)
    desk.answer(ANN, text, ready)
    asked = desk.last(ANN)
    assert (asked.kind, bodies(asked)) == ("refused", ["ready", "not%20now", "leave"])
    assert (f"I could not tell whether “{text}”" if text else "I found nothing in your mail") in words(asked)
    assert asked.headers["x-podium-reply-by"] == ready.headers["x-podium-reply-by"], "no more time than before"
    desk.later(hours=1)
    desk.tick()
    assert desk.last(BOB).kind == "registered", "nothing begins"
    assert queue(desk) == ["Ann", "Bob"]
    desk.tap(ANN, "ready")
    assert desk.last(BOB).kind == "begin"


def test_ready_to_a_letter_that_asked_nothing_is_asked_where_another_still_does(desk: Desk) -> None:
    asked_to_be_ready(desk)
    settled = next(each for each in desk.letters(ANN) if each.kind == "registered")
    desk.answer(ANN, "ready", settled)
    asked = desk.last(ANN)
    assert (asked.kind, bodies(asked)) == ("refused", ["ready", "not%20now", "leave"])
    assert "What you answered is settled, and this is not." in words(asked)
    desk.answer(ANN, "ready", asked)
    assert desk.last(BOB).kind == "begin"


@pytest.mark.parametrize(
    ("text", "days", "said"),
    a_few(
        [
            ("no", 2, "in 2 days"),
            ("Not now please, next week would be better", 7, "in 7 days"),
            ("tomorrow", 1, "in a day"),
            ("I am away, ask me again in ten days", 10, "in 10 days"),
            ("not now, next month", 30, "in 30 days"),
        ],
        3,
    ),
)
def test_later_keeps_the_place_and_asks_again_then(desk: Desk, text: str, days: int, said: str) -> None:
    desk.answer(ANN, text, asked_to_be_ready(desk))
    assert f"I ask you again {said}" in words(desk.last(ANN))
    assert queue(desk) == ["Ann", "Bob"]
    kept = desk.last(ANN)
    desk.later(days=days, hours=-1)
    desk.tick()
    assert desk.last(ANN) is kept
    desk.answer(BOB, "status", desk.last(BOB))
    desk.later(hours=1, seconds=10)
    desk.tick()
    assert desk.last(ANN).kind == "ready"


@pytest.mark.parametrize(
    "text", ["Please remove me", "leave", "I want to stop playing", "take me off the list", "unsubscribe"]
)
def test_who_wants_out_is_let_go(desk: Desk, text: str) -> None:
    desk.answer(ANN, text, asked_to_be_ready(desk))
    assert queue(desk) == ["Bob"]
    assert "You left the queue" in words(desk.last(ANN))


def test_a_game_waits_a_week_for_its_champion_at_most(make_desk: MakeDesk) -> None:
    desk = make_desk()
    desk.begin()
    for address in (BOB, ANN):
        desk.answer(address, "resign")
        desk.answer(address, "yes")
    desk.later(hours=80)
    desk.register(CLEO, "Cleo Fox")
    desk.answer(ANN, "not now, next month")
    assert "in 7 days" in words(desk.last(ANN))
    desk.now += timedelta(days=7, seconds=10)
    desk.tick()
    assert desk.last(ANN).kind == "ready"


def test_who_writes_but_not_whether_they_are_ready_is_no_silent_one(desk: Desk) -> None:
    over(desk)
    desk.later(hours=90)
    desk.register("cleo@example.net", "Cleo Fox")
    desk.tick()
    assert desk.last(ANN).kind == "ready"
    desk.answer(ANN, "we are on holiday till 5 December")
    desk.later(hours=49)
    desk.tick()
    told = words(desk.last(ANN))
    assert "You wrote, but I could not tell whether you are ready to play." in told
    assert "You stepped down" not in told
