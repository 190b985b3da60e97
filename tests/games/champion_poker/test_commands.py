"""What people write to Champion Poker: sayings by table, the commands they mean, and what is not understood."""

from dataclasses import replace
from pathlib import Path

import pytest

from host.engine.chance import Chance
from host.engine.game import Invalid
from host.engine.grammar import is_polite
from host.games.champion_poker import GAME
from host.games.champion_poker.commands import VOCABULARY
from host.games.champion_poker.state import State
from tests.games.champion_poker.playing import around, blind, new_game, say, table
from tests.games.sayings import CHATTER, Sayings
from tests.rows import every

SAYINGS = Path(__file__).parent / "sayings.toml"
TABLES: dict[str, State] = {
    "bet": new_game(2),
    "bet with a side": new_game(2, version=1),
    "play": table([blind(50), blind(20)], ["Jc 9d", "2d 2h"]),
    "raise": table([blind(50, played=True), blind(20, played=True)], ["Jc 9d", "2d 2h"], phase="raise"),
}
CANONICAL = ["sit", "play", "fold", "raise", "check", "resign", "bet 5", "bet 5 player", "bet 5 dealer"]

SEVERAL: list[tuple[str, str, list[str]]] = [
    ("bet", "bet 20; play; check", ["bet 20", "play", "check"]),
    ("bet", "bet 20, play, raise", ["bet 20", "play", "raise"]),
    ("bet", "20, play", ["bet 20", "play"]),
    ("bet", "Bet 20. Play. Raise.", ["bet 20", "play", "raise"]),
    ("bet", "Bet twenty then play", ["bet 20", "play"]),
    ("bet", "bet 20 and then fold", ["bet 20", "fold"]),
    ("bet", "bet 20 & play & raise", ["bet 20", "play", "raise"]),
    ("bet", "Hi! I'd like to bet twenty chips, and I'll play. Thanks", ["bet 20", "play"]),
    ("bet", "bet 20 on the bonus and 20 on the blind, play and raise by 20", ["bet 20", "play", "raise"]),
    ("bet", "bet 20 each, then fold", ["bet 20", "fold"]),
    ("bet with a side", "bet 20 on the dealer, play, raise", ["bet 20 dealer", "play", "raise"]),
    ("bet with a side", "bet 20, player; fold", ["bet 20 player", "fold"]),
    ("bet with a side", "bet 20 on bonus and 20 on player and play", ["bet 20 player", "play"]),
    ("play", "play and raise", ["play", "raise"]),
    ("play", "Play, then check, please!", ["play", "check"]),
    ("play", "I'm in. Raise by fifty.", ["play", "raise"]),
    ("play", "play for 50; check", ["play", "check"]),
    ("play", "fold, bet 20", ["fold", "bet 20"]),
    ("raise", "check; bet 20; play", ["check", "bet 20", "play"]),
    ("raise", "Raise, and bet 100", ["raise", "bet 100"]),
    ("raise", "check then sit", ["check", "sit"]),
]


class TestSayings(Sayings):
    game = GAME
    file = SAYINGS
    tables = TABLES
    chatter = tuple(each for each in CHATTER if each != "Ann Smith")  # near to “sit”
    attempts = ("bet", "bet 12.5", "don't fold", "raise the roof", "bet -1", "chek?", "rase it")
    reasons = (
        ("bet", "bet -5", "I could not read “bet -5”: type bet and a whole number of chips."),
        ("play", "play for 20", "I could not read “play for 20”: type the word play."),
        ("raise", "raise 100", "I could not read “raise 100”: type the word raise."),
        ("raise", "abracadabra", "I could not read “abracadabra” as a move."),
    )


@every(("phase", "text", "wanted"), SEVERAL)
def test_several_in_a_line(phase: str, text: str, wanted: list[str]) -> None:
    state = replace(TABLES[phase], asked=(0,))
    said = []
    for part in GAME.split(text):
        if not is_polite(part):
            said.append(GAME.say(GAME.parse(part, state, 0)))
            state = say(state, part).state
            if said[-1] in ("fold", "check") and state.phase == "bet":
                state = replace(state, asked=(0,))
    assert said == wanted


def test_numbers_in_digits_are_what_they_are() -> None:
    for number in range(1000):
        assert GAME.say(GAME.parse(f"bet {number}", TABLES["bet"], 0)) == f"bet {number}"
        assert GAME.say(GAME.parse(f"{number} dealer", TABLES["bet with a side"], 0)) == f"bet {number} dealer"


@pytest.mark.parametrize("number", [1, 2, 7, 50, 100])
def test_play_and_raise_may_name_their_price_and_no_other(number: int) -> None:
    for phase in ("play", "raise"):
        state = table([blind(number, played=phase == "raise")], ["Jc 9d"], phase=phase)
        for text in (f"{phase} {number}", f"{phase} for {number} more", f"{phase} by {number} chips"):
            assert GAME.say(GAME.parse(text, state, 0)) == phase
        for other in (0, number - 1, number + 1, 2 * number):
            with pytest.raises(Invalid):
                GAME.parse(f"{phase} {other}", state, 0)


def test_canonical_words_mean_themselves_in_every_phase() -> None:
    assert {text.split()[0] for text in CANONICAL} == {row.verb for row in VOCABULARY.rows}
    for state in TABLES.values():
        for text in CANONICAL:
            assert GAME.say(GAME.parse(text, state, 0)) == text


def test_each_kind_of_link_is_there() -> None:
    kinds = {
        phase: {choice.kind for choice in GAME.choices(state, GAME.questions(state)[0])}
        for phase, state in TABLES.items()
    }
    assert kinds == {
        "bet": {"bet", "sit"},
        "bet with a side": {"bet", "bet player", "bet dealer", "sit"},
        "play": {"play", "fold"},
        "raise": {"raise", "check"},
    }


@pytest.mark.parametrize(
    ("bankroll", "version", "wanted"),
    [
        (1000, 2, ["bet 5", "bet 52", "bet 100", "sit"]),
        (30, 2, ["bet 5", "bet 10", "bet 15", "sit"]),
        (10, 2, ["bet 5", "sit"]),
        (13, 2, ["bet 5", "bet 6", "sit"]),
        (5, 1, ["bet 5", "sit"]),
        (10, 1, ["bet 5", "bet 5 player", "bet 5 dealer", "sit"]),
        (1000, 1, ["bet 5", "bet 52 player", "bet 100 player", "bet 52 dealer", "bet 100 dealer", "sit"]),
    ],
)
def test_links_to_bet_are_in_bounds_and_differ(bankroll: int, version: int, wanted: list[str]) -> None:
    state = new_game(2, version=version, bankroll=bankroll)
    assert [choice.say[0] for choice in GAME.choices(state, GAME.questions(state)[0])] == wanted


def test_what_may_be_sent_ahead() -> None:
    def said(state: State) -> list[str]:
        return [choice.say[0] for choice in GAME.ahead(state, 0)]

    state = TABLES["play"]
    assert said(new_game(2)) == []
    assert said(say(new_game(2), "bet 5").state) == []
    assert said(say(state, "play").state) == ["check", "raise"]
    assert said(say(state, "fold").state) == ["bet 5"]
    assert said(say(TABLES["raise"], "check").state) == ["bet 5"]
    assert said(replace(say(state, "fold").state, hand=5)) == []
    assert said(around(new_game(2), "resign", "bet 5").state) == []


@pytest.mark.parametrize(
    ("bankroll", "wanted"),
    [
        (1000, {"play", "raise", "check", "bet"}),
        (25, {"play", "raise", "check", "bet"}),
        (24, {"play", "raise", "check"}),
        (17, set()),
    ],
)
def test_who_may_lack_the_chips_is_offered_no_raise_and_no_next_bet_with_the_play(
    bankroll: int, wanted: set[str]
) -> None:
    state = GAME.deal(2, {"bankroll": bankroll}, Chance(bytes(32))).state
    state = GAME.apply(state, 0, GAME.parse("bet 5", state, 0), Chance(bytes(32))).state
    state = GAME.apply(state, 1, GAME.parse("bet 5", state, 1), Chance(bytes(32))).state
    offers = GAME.whole(state, GAME.questions(state)[0])
    assert {text.split()[0] for offer in offers for text in offer.say if offer.say[0] == "play"} == wanted
