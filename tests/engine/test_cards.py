"""Cards: the deck, totals to 21, and what people write for a card."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.engine import cards
from host.engine.cards import DECK, cut, face, is_blackjack, is_ten, read_card, total
from host.engine.grammar import words
from tests.rows import every

hands = st.lists(st.sampled_from(DECK), max_size=12, unique=True)


def test_the_deck_runs_by_suit_from_two_to_ace() -> None:
    assert len(DECK) == len(set(DECK)) == 52
    assert DECK[:3] == ("2c", "3c", "4c")
    assert DECK[11:14] == ("Kc", "Ac", "2d")
    assert DECK[-1] == "As"
    assert tuple(rank + suit for suit in "cdhs" for rank in "23456789TJQKA") == DECK


@given(st.integers(0, 51))
def test_a_cut_moves_the_top_to_the_bottom(count: int) -> None:
    after = cut(DECK, count)
    assert after == DECK[count:] + DECK[:count]
    assert after[0] == DECK[count]


def totals(hand: list[str]) -> set[int]:
    """All totals, by trying both values of each ace."""
    worth = [(1, 11) if card[0] == "A" else (10,) if card[0] in "TJQK" else (int(card[0]),) for card in hand]
    return {sum(each) for each in itertools.product(*worth)}


@given(hands)
def test_a_total_is_the_best_that_does_not_bust_else_the_lowest(hand: list[str]) -> None:
    fitting = [each for each in totals(hand) if each <= 21]
    assert total(hand) == (max(fitting) if fitting else min(totals(hand)))


@given(hands)
def test_order_does_not_matter(hand: list[str]) -> None:
    assert total(hand) == total(hand[::-1])
    assert is_blackjack(hand) == is_blackjack(hand[::-1])
    assert not is_blackjack(hand) or total(hand) == 21


def test_ten_valued_cards() -> None:
    assert {card[0] for card in DECK if is_ten(card)} == set("TJQK")


@pytest.mark.parametrize(("code", "shown"), [("Td", "10♦"), ("Ah", "A♥"), ("2c", "2♣"), ("Qs", "Q♠")])
def test_faces_are_signs_that_stay_text(code: str, shown: str) -> None:
    assert face(code) == shown + "\ufe0e"


def test_names() -> None:
    assert cards.name("Td") == "ten of diamonds"
    assert cards.name("As") == "ace of spades"


@every(
    ("text", "code"),
    [
        ("10d", "Td"),
        ("10♦", "Td"),
        ("10 ♦", "Td"),
        ("Td", "Td"),
        ("TD", "Td"),
        ("ten of diamonds", "Td"),
        ("Ten of Diamonds", "Td"),
        ("the 10 of diamonds", "Td"),
        ("ten diamonds", "Td"),
        ("10 diamond", "Td"),
        ("AH", "Ah"),
        ("ah", "Ah"),
        ("A♥", "Ah"),
        ("A♥️", "Ah"),
        ("ace of hearts", "Ah"),
        ("ace of heart", "Ah"),
        ("2c", "2c"),
        ("two of clubs", "2c"),
        ("2 of clubs", "2c"),
        ("Q♠︎", "Qs"),
        ("queen of spades", "Qs"),
        ("spades queen", "Qs"),
        ("club four", "4c"),
        ("diamond 10", "Td"),
    ],
)
def test_what_people_write_for_a_card(text: str, code: str) -> None:
    assert read_card(words(text)) == code


@every(
    "text",
    [
        "",
        "1c",
        "11d",
        "10",
        "ten",
        "hearts",
        "ace",
        "ace of",
        "10x",
        "100d",
        "10dd",
        "of",
        "2c 3c",
        "joker",
        "clubs 4",
        "c 4",
    ],
)
def test_what_is_no_card(text: str) -> None:
    assert read_card(words(text)) is None


@every("code", DECK)
def test_each_card_is_read_as_it_is_written(code: str) -> None:
    for text in (code, code.upper(), face(code), cards.name(code)):
        assert read_card(words(text)) == code


@given(st.lists(st.text(max_size=4), max_size=4))
def test_reading_never_fails(tokens: list[str]) -> None:
    assert read_card(tokens) in (None, *DECK)
