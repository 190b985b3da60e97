"""Services from any letter, in people's own words: again, leave, status and when it begins, resign."""

import re

import pytest

from host.demo.robot import ReadLetter
from host.play.services import Service
from host.turn import admin
from host.turn.service_words import SERVICES
from tests.size import a_few
from tests.turn.conftest import MakeDesk
from tests.turn.desk import Desk, words
from tests.turn.test_admin import by_hand
from tests.turn.test_registration import queue

ANN, BOB = "ann@example.net", "bob@example.net"


def over(desk: Desk) -> None:
    """Ann and Bob have played: Bob resigned, Ann ended the bonus round."""
    desk.begin()
    for address in (BOB, ANN):
        desk.answer(address, "resign")
        desk.answer(address, "yes")
    assert desk.last(BOB).kind == "result"


def test_each_service_has_a_row() -> None:
    assert set(SERVICES) == set(Service)


@pytest.mark.parametrize(
    "text", a_few(["again", "Can I play again?", "sign me up for the next one", "How do I register again?"])
)
def test_again_registers_for_the_same_game(desk: Desk, text: str) -> None:
    over(desk)
    desk.later(days=1)
    desk.tick()
    before = len(desk.letters(BOB))
    desk.answer(BOB, text)
    assert len(desk.letters(BOB)) == before + 1
    assert desk.last(BOB).kind == "begin", "the champion waits, so that it begins at once"
    assert desk.last(BOB).headers["x-podium-episode"] == "CC-2"


def test_again_where_others_are_waited_for_says_the_place(make_desk: MakeDesk) -> None:
    desk = make_desk(games={"champ-cards": {"start": "host"}})
    desk.register(ANN, "Ann Lee")
    desk.register(BOB, "Bob Ray")
    desk.answer(ANN, "leave")
    desk.answer(ANN, "May I play again?")
    assert "number 2 in the queue" in words(desk.last(ANN))
    desk.answer(ANN, "again")
    assert "registered already: place 2" in words(desk.last(ANN))
    desk.answer(ANN, "when does it begin?")
    assert "The host says when" in words(desk.last(ANN))
    assert queue(desk) == ["Bob", "Ann"]


def test_again_of_the_champion_and_of_who_plays_changes_nothing(desk: Desk) -> None:
    desk.begin()
    desk.answer(ANN, "again")
    assert "You have a seat in CC-1 of Champ Cards, which is being played still." in words(desk.last(ANN))
    assert queue(desk) == []
    for address in (BOB, ANN):
        desk.answer(address, "resign")
        desk.answer(address, "yes")
    desk.answer(ANN, "again")
    assert "You are the champion of Champ Cards" in words(desk.last(ANN))
    desk.answer(ANN, "leave")
    assert "Do you really want to give up the title?" in words(desk.last(ANN))


def test_who_left_comes_back_with_again(desk: Desk) -> None:
    desk.register(ANN, "Ann Lee")
    desk.answer(ANN, "please take me off the list")
    assert queue(desk) == []
    desk.answer(ANN, "put me back in the queue")
    assert queue(desk) == ["Ann"]


@pytest.mark.parametrize("text", ["I want to stop playing", "please remove me from the queue", "unsubscribe", "I quit"])
def test_who_only_waits_leaves_at_once(desk: Desk, text: str) -> None:
    desk.register(ANN, "Ann Lee")
    desk.answer(ANN, text)
    assert queue(desk) == []
    assert "You left the queue" in words(desk.last(ANN))


@pytest.mark.parametrize(
    "text", a_few(["leave", "unsubscribe", "remove me", "I want to stop playing", "count me out of this game for good"])
)
def test_inside_an_episode_it_is_asked_first_and_said_what_it_costs(desk: Desk, text: str) -> None:
    desk.begin()
    before = desk.count()
    desk.answer(ANN, text)
    assert desk.count() == before + 1
    asked = desk.last(ANN)
    assert asked.kind == "help"
    assert "If you resign, you leave with $0, and Bob plays on." in words(asked)
    assert desk.last(BOB).kind == "begin"
    desk.answer(ANN, "yes", asked)
    assert "resigned" in words(desk.last(BOB))


def test_who_gives_up_is_told_who_of_the_others_is_still_in(make_desk: MakeDesk) -> None:
    desk = make_desk(game="split-decision")
    desk.begin()
    desk.answer(BOB, "resign")
    desk.answer(BOB, "yes")
    desk.answer(ANN, "leave")
    assert "If you resign, you leave with $0, and Cleo plays on." in words(desk.last(ANN))


@pytest.mark.parametrize(
    "text", ["when does it begin?", "where am I in the queue?", "status", "When is the next episode?"]
)
def test_the_place_in_the_queue_and_what_it_waits_for(desk: Desk, text: str) -> None:
    desk.register(ANN, "Ann Lee")
    desk.answer(ANN, text)
    assert "You are number 1 in the queue of Champ Cards." in words(desk.last(ANN))
    assert "begins with 2 contestants; 1 more must register" in words(desk.last(ANN))


def test_what_is_asked_in_words_beside_thanks_is_answered(desk: Desk) -> None:
    desk.register(ANN, "Ann Lee")
    desk.answer(ANN, "Hi host! What are the rules? Thanks, Ann")
    assert "race to 21" in words(desk.last(ANN))


@pytest.mark.parametrize("text", ["time", "deadline?", "How long have I left?", "how much time do I have to answer"])
def test_how_long_is_left_for_what_is_asked(desk: Desk, text: str) -> None:
    desk.begin()
    desk.later(hours=1)
    desk.answer(ANN, text)
    answer = words(desk.last(ANN))
    assert desk.last(ANN).kind == "help"
    assert "How long is left" in answer
    assert re.search(r"You have until [^.]* UTC\), in 1 day 2[23] hours\.", answer), answer


def test_who_is_asked_nothing_hears_whose_turn_it_is_and_until_when(desk: Desk) -> None:
    desk.begin()
    desk.answer(BOB, "how long have I left?")
    answer = words(desk.last(BOB))
    assert re.search(r"It is up to Ann, until [^.]* UTC\), in 4[78] hours\.", answer), answer
    assert "You have until" not in answer


def test_who_only_waits_hears_that_no_time_runs(desk: Desk) -> None:
    desk.register(ANN, "Ann Lee")
    desk.answer(ANN, "time")
    assert "Nothing is asked of you, so no time runs." in words(desk.last(ANN))


def test_outside_an_episode_the_time_that_is_left_is_told_with_its_game(desk: Desk) -> None:
    desk.register(ANN, "Ann Lee")
    desk.later(hours=80)
    desk.register(BOB, "Bob Ray")
    assert desk.last(ANN).kind == "ready"
    told = words(_answered(desk, ANN, "time"))
    assert re.search(r"You have until [^.]* UTC\), in [^.]* for my question about Champ Cards\.", told), told


def test_a_champion_who_is_asked_whether_they_are_ready_and_says_nothing_steps_down(desk: Desk) -> None:
    over(desk)
    desk.later(days=20)
    desk.tick()
    desk.register("cleo@example.net", "Cleo Fox")
    desk.tick()
    assert "you step down as champion" in words(desk.last(ANN))
    desk.later(hours=49)
    desk.tick()
    assert "you are champion no longer" in words(desk.last(ANN))
    assert "Champ Cards has no champion" in words(_answered(desk, "cleo@example.net", "status"))


def test_while_an_episode_is_paused_services_say_so_and_nobody_resigns(desk: Desk) -> None:
    desk.begin()
    by_hand(desk, admin.pause, "CC-1")
    for text in ("time", "wait", "status"):
        assert "The episode is paused, and so are all deadlines." in words(_answered(desk, ANN, text))
    assert "resign when it goes on" in words(_answered(desk, ANN, "resign"))
    assert "Your letters stay good" in words(_answered(desk, ANN, "cut 13"))


def _answered(desk: Desk, address: str, text: str) -> ReadLetter:
    desk.answer(address, text)
    return desk.last(address)


def test_status_says_whom_the_table_waits_for_to_who_is_not_asked(desk: Desk) -> None:
    desk.begin()
    desk.answer(BOB, "status")
    assert "It is up to Ann, until Sunday 7:00 AM EST" in words(desk.last(BOB))
    desk.answer(ANN, "status")
    assert "It is up to" not in words(desk.last(ANN))


def test_who_plays_one_episode_may_resign_and_ask_how_it_stands_from_any_letter(desk: Desk) -> None:
    desk.begin()
    confirm = next(each for each in desk.letters(BOB) if each.kind == "confirm")
    desk.answer(BOB, "status", confirm)
    assert "CC-1: It is up to Ann, until" in words(desk.last(BOB))
    assert "You are in no queue" not in words(desk.last(BOB))
    desk.answer(BOB, "resign", confirm)
    assert "Do you really want to resign?" in words(desk.last(BOB))
    desk.answer(BOB, "yes")
    assert "Bob resigned" in words(desk.last(ANN))
