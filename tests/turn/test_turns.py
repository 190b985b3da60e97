"""Bluffjack's turns of more betting by mail: a card and a bet in one reply, ahead of time, and after somebody raised."""

import pytest

from host.demo.robot import ReadLetter
from tests.turn.conftest import MakeDesk
from tests.turn.desk import Desk, words
from tests.turn.test_premoves import ANN, BOB, CLEO, asked, kept, said

OPTIONS = {"more_betting": True, "max_hands": 1}


@pytest.fixture
def table(make_desk: MakeDesk) -> Desk:
    """Ann is asked for her card; Bob and Cleo have called the opening bet, 20 is the highest stake."""
    desk = make_desk(game="bluffjack", games={"bluffjack": {"options": OPTIONS}})
    desk.begin()
    desk.answer(BOB, "call")
    desk.answer(CLEO, "call")
    assert asked(desk) == ANN
    desk.later(minutes=1)
    return desk


def begun(desk: Desk, address: str) -> ReadLetter:
    """The latest letter of the episode that asked nothing."""
    letters = [each for each in desk.letters(address) if "x-podium-episode" in each.headers]
    return next(each for each in reversed(letters) if not each.asks)


def test_the_card_and_the_bet_are_two_questions(table: Desk) -> None:
    assert "Your bet follows; one reply may hold both" in words(table.last(ANN))
    assert "Variants: more betting" in words(table.last(ANN))
    table.answer(ANN, "hit")
    letter = table.last(ANN)
    assert (letter.kind, bool(letter.asks)) == ("turn", True)
    assert "You hit and got" in words(letter)
    assert "You owe nothing: check or raise? Do you check or fold, or raise" in words(letter)
    assert "bets between cards" in words(letter)
    table.answer(ANN, "raise 30")
    assert "Your bet follows, with 30 chips owed; one reply may hold both" in words(table.last(BOB))
    assert "owes 30" in words(table.last(BOB))


def test_both_in_one_mail(table: Desk) -> None:
    table.answer(ANN, "hit, raise 20")
    assert said(table)[-2:] == ["Ann: hit", "Ann: raise 20"]
    assert "You raised by 20 chips. * You hit and got the" in words(table.last(ANN))
    table.answer(BOB, "Stand and call")
    assert said(table)[-2:] == ["Bob: stand", "Bob: call"]
    table.tap(CLEO, "hit\r\ncall")
    assert said(table)[-2:] == ["Cleo: hit", "Cleo: call"]
    assert asked(table) == ANN


def test_the_second_is_refused_where_it_is_not_legal_and_the_first_stands(table: Desk) -> None:
    table.answer(ANN, "hit, raise 20")
    table.answer(BOB, "stand, check")
    assert said(table)[-1] == "Bob: stand"
    assert table.last(BOB).asks
    assert "You cannot check: 20 chips are missing" in words(table.last(BOB))


def test_both_sent_ahead_are_played_when_the_turn_comes(table: Desk) -> None:
    table.answer(BOB, "hit, raise 20", begun(table, BOB))
    assert kept(table) == [("hit", "waiting"), ("raise 20", "waiting")]
    table.answer(ANN, "hit, check")
    assert said(table)[-4:] == ["Ann: hit", "Ann: check", "Bob: hit", "Bob: raise 20"]
    assert asked(table) == CLEO


def test_a_raise_sent_ahead_is_dropped_when_the_stake_is_another(table: Desk) -> None:
    table.answer(BOB, "hit, raise 20", begun(table, BOB))
    table.answer(ANN, "hit, raise 30")
    assert said(table)[-3:] == ["Ann: hit", "Ann: raise 30", "Bob: hit"]
    assert kept(table) == [("hit", "played"), ("raise 20", "dropped")]
    assert "“raise 20”, which you had sent ahead, was dropped" in words(table.last(BOB))
    assert "a call costs 30 of your 180 chips" in words(table.last(BOB))


@pytest.mark.parametrize("bet", ["raise 20", "call"])
@pytest.mark.parametrize("card", ["hit", "stand"])
def test_a_bet_in_reply_to_a_letter_of_another_stake_is_not_played(table: Desk, card: str, bet: str) -> None:
    older = begun(table, BOB)
    table.answer(ANN, "hit, raise 30")
    table.answer(BOB, f"{card}, {bet}", older)
    assert said(table)[-1] == f"Bob: {card}"
    assert "What that letter told of has changed since, so this was not played." in words(table.last(BOB))
    assert table.last(BOB).asks


def test_nor_is_it_kept(table: Desk) -> None:
    older = begun(table, CLEO)
    table.answer(ANN, "hit, raise 30")
    table.answer(CLEO, "hit, call", older)
    assert kept(table) == [("hit", "waiting")]
    assert "What that letter told of has changed since" in words(table.last(CLEO))
    table.answer(BOB, "stand, call")
    assert said(table)[-1] == "Cleo: hit"
    assert "a call costs 30 of your 180 chips" in words(table.last(CLEO))


def test_what_is_proposed_to_send_ahead_is_the_next_part_of_ones_turn(table: Desk) -> None:
    assert "Save a day and say now what comes next: stand; or hit; or" in words(begun(table, BOB))
    table.answer(ANN, "hit, check")
    assert "Save a day and say now what comes next: stand; or hit; or " in words(table.last(ANN))
    table.answer(BOB, "stand, check")
    assert "Save a day and say now what comes next: call, which counts" in words(table.last(BOB))


def test_silence_in_the_card_then_in_the_bet_withdraws(table: Desk) -> None:
    table.later(hours=49)
    table.tick()
    assert "a second silence in a row ends your episode" not in words(table.last(ANN))
    assert table.last(ANN).asks
    assert "No answer, for the second time: you fold" in words(table.last(ANN))
    table.later(hours=49)
    table.tick()
    assert asked(table) == BOB
    assert "withdrew from the episode" in words(table.last(BOB))


def test_the_letters_say_which_charlie_is_played(make_desk: MakeDesk) -> None:
    desk = make_desk(game="bluffjack", games={"bluffjack": {"options": {"charlie": 5, "longer_charlie": True}}})
    desk.begin()
    for letter in (desk.last(ANN), desk.last(BOB)):
        assert "Variants: charlies of 5 cards or more (the longer wins a tie)" in words(letter)
        assert "charlies of 5 cards or more (the longer wins a tie)" in letter.page


def test_and_that_it_has_exactly_so_many_cards(make_desk: MakeDesk) -> None:
    desk = make_desk(game="bluffjack", games={"bluffjack": {"options": {"charlie": 7}}})
    desk.begin()
    assert "Variants: charlies of exactly 7 cards" in words(desk.last(BOB))
    assert "charlies of exactly 7 cards" in desk.last(BOB).page
