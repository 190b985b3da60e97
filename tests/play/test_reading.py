"""Reading a mail whole: what goes over several lines or clauses."""

import pytest

from host.play.interpret import read
from host.play.interpretation import ReplyContext
from tests.play.judging import position

ARMIES = "deploy Ks Td 6h Ad 5s 4h"


def plan(name: str, text: str) -> tuple[str, ...]:
    header, replay = position(name)
    seat = next(each.seat for each in replay.game.questions(replay.state))
    fresh = frozenset(each.key for each in replay.game.questions(replay.state))
    found = read(replay.game, replay.state, seat, text.split("\n"), ReplyContext(fresh, names=header.players))
    return tuple(each.text for each in found.plan)


@pytest.mark.parametrize(
    "text",
    ["Ks 10d 6h / Ad 5s 4h", "K♠ 10♦ 6♥\nA♦ 5♠ 4♥", "Ks Td 6h\n\nAd 5s 4h\n\nThanks!", "deploy Ks Td 6h / Ad 5s 4h"],
)
def test_a_command_may_stand_in_several_pieces(text: str) -> None:
    assert plan("game-of-champions-deploy-1", text) == (ARMIES,)


@pytest.mark.parametrize("text", ["Ks Td 6h no Ad 5s 4h", "Ks Td 6h?\nAd 5s 4h?", "Ks Td 6h or Ad 5s 4h"])
def test_pieces_that_words_set_against_each_other_are_no_command(text: str) -> None:
    assert plan("game-of-champions-deploy-1", text) == ()


@pytest.mark.parametrize("text", ["max", "the max", "max. no fear"])
def test_a_value_that_is_a_first_name_too_is_a_value(text: str) -> None:
    assert plan("champion-poker-bet-1", text)[0].startswith("bet ")


def test_a_first_name_below_a_command_is_its_writers() -> None:
    assert plan("champion-poker-bet-1", "bet 5\n\nMax") == ("bet 5",)


def test_a_first_name_alone_is_asked_about() -> None:
    assert plan("champion-poker-bet-1", "Max") == ()
