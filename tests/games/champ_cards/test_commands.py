"""What people write to Champ Cards: sayings by phase, the commands they mean, and what is not understood."""

from dataclasses import replace
from pathlib import Path

import pytest

from host.engine.cards import DECK
from host.engine.game import Invalid
from host.engine.grammar import is_polite
from host.games.champ_cards import GAME
from host.games.champ_cards.commands import VOCABULARY
from host.games.champ_cards.state import State
from tests.games.champ_cards.playing import bonus, choosing, new_game, say, table
from tests.games.sayings import Sayings, commands
from tests.rows import every

SAYINGS = Path(__file__).parent / "sayings.toml"
OPEN = (True, True, *[False] * 7)
TABLES: dict[str, State] = {
    "cut": new_game(),
    "pick": table(spaces=["2c", "Td", "4c"], shown=OPEN, hands=(["Tc", "5c"], ["2d"])),
    "choose": choosing("Td", ["2c"], space=5),
    "bet": replace(bonus(), phase="bet", bet=0),
    "offer": bonus(house=["9c", "Kc"], phase="offer", offer=2600),
}

SEVERAL: list[tuple[str, str, list[str]]] = [
    ("cut", "cut 26; pick 5", ["cut 26", "pick 5"]),
    ("cut", "cut 26, pick 5, keep", ["cut 26", "pick 5", "keep"]),
    ("cut", "Cut at twenty-six then take number five", ["cut 26", "pick 5"]),
    ("cut", "Cut 5 and open 1", ["cut 5", "pick 1"]),
    ("cut", "26, 5", ["cut 26", "pick 5"]),
    ("cut", "cut 26 & pick space 5 + keep", ["cut 26", "pick 5", "keep"]),
    ("pick", "pick five then keep", ["pick 5", "keep"]),
    ("pick", "Pick 5 and keep it, please!", ["pick 5", "keep"]),
    ("pick", "Pick 5. Keep it.", ["pick 5", "keep"]),
    ("pick", "5; hit me", ["pick 5", "draw"]),
    ("pick", "pick 5 and then draw", ["pick 5", "draw"]),
    ("pick", "Hi! I'd like number five, and I'll keep it. Thanks", ["pick 5", "keep"]),
    ("pick", "10♦, keep", ["pick 2", "keep"]),
]


class TestSayings(Sayings):
    game = GAME
    file = SAYINGS
    tables = TABLES
    attempts = ("pick", "bet 12.5", "don't freeze", "keep the queen", "cut -1", "frezze at noon", "acept?")
    reasons = (
        ("bet", "bet -5", "A bet is “bet” and a whole number of dollars, or “bet half”, or “bet all”."),
        ("pick", "pick five six", "“pick” takes one whole number, so I could not read “pick five six”."),
        ("pick", "freeze the lot", "“freeze” stands alone, so I could not read “freeze the lot”."),
        ("pick", "abracadabra", "I could not read “abracadabra” as a move."),
    )


@every(("phase", "text", "wanted"), SEVERAL)
def test_several_in_a_line(phase: str, text: str, wanted: list[str]) -> None:
    state = TABLES[phase]
    said = []
    for part in GAME.split(text):
        if not is_polite(part):
            said.append(GAME.say(GAME.parse(part, state, 0)))
            state = say(state, part, seat=0).state
    assert said == wanted


def test_a_face_down_card_cannot_be_named() -> None:
    state = table(spaces=["2c", "Td", "4c"])
    for card in ("2c", "ten of diamonds", "4♣"):
        with pytest.raises(Invalid):
            GAME.parse(card, state, 0)


@every("card", DECK)
def test_each_open_card_can_be_named(card: str) -> None:
    state = table(spaces=["", "", card], shown=(False, False, True, *[False] * 6))
    assert GAME.say(GAME.parse(f"pick {card}", state, 0)) == "pick 3"
    assert GAME.say(GAME.parse(f"keep {card}", choosing(card), 0)) == "keep"


@every("text", ["the open one", "I take the open nine", "the card that is face up", "that visible 9"])
def test_the_one_card_that_lies_open_needs_no_number(text: str) -> None:
    state = table(spaces=["2c", "4d", "9h"], shown=(False, False, True, *[False] * 6))
    assert commands(GAME, text, state) == ["pick 3"]


def test_among_two_cards_that_lie_open_none_is_the_open_one() -> None:
    state = table(spaces=["2c", "4d", "9h"], shown=OPEN)
    for text in ("the open card", "anything but the open one", "the open nine"):
        with pytest.raises(Invalid):
            GAME.parse(text, state, 0)


@every("text", ["the open nine", "that open nine of hearts", "I go for the visible 9"])
def test_among_several_that_lie_open_one_is_known_by_its_rank(text: str) -> None:
    state = table(spaces=["2c", "9h", "4d"], shown=OPEN)
    assert commands(GAME, text, state) == ["pick 2"]


def test_numbers_in_digits_are_what_they_are() -> None:
    for number in range(1000):
        assert GAME.say(GAME.parse(f"bet {number}", TABLES["bet"], 0)) == f"bet {number}"


def test_canonical_words_mean_themselves_in_every_phase() -> None:
    said = [
        "keep",
        "draw",
        "freeze",
        "accept",
        "decline",
        "resign",
        "cut 5",
        "pick 5",
        "bet 5",
        "bet all",
        "bet half",
        "offer 5",
    ]
    assert {text.split()[0] for text in said} == {row.verb for row in VOCABULARY.rows}
    for state in TABLES.values():
        for text in said:
            assert GAME.say(GAME.parse(text, state, 0)) == text


def test_each_kind_of_link_is_there() -> None:
    kinds = {
        phase: {choice.kind for choice in GAME.choices(state, GAME.questions(state)[0])}
        for phase, state in TABLES.items()
    }
    assert kinds == {
        "cut": {"cut", "cut and pick"},
        "pick": {"pick", "freeze"},
        "choose": {"keep", "draw"},
        "bet": {"bet"},
        "offer": {"accept", "decline"},
    }


def test_there_is_a_link_for_every_space() -> None:
    state = table(spaces=["2c", "", "4c"])
    said = [choice.say for choice in GAME.choices(state, GAME.questions(state)[0])]
    assert said == [(f"pick {space}",) for space in (1, 3, 4, 5, 6, 7, 8, 9)]


@pytest.mark.parametrize("bank", [2, 3, 4, 2500, 2501])
def test_links_to_bet_are_in_bounds_and_differ(bank: int) -> None:
    state = replace(TABLES["bet"], bank=bank)
    amounts = [int(choice.say[0].split()[1]) for choice in GAME.choices(state, GAME.questions(state)[0])]
    assert amounts == sorted(set(amounts))
    assert (amounts[0], amounts[-1]) == ((bank + 1) // 2, bank)
