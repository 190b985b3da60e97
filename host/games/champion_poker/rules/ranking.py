"""Pure: the worth of five or seven cards in poker: their rank and name, and what the pay tables pay for them.

The ranks are those of phevaluator: 1 (a royal flush) to 7462, lower is better; equal hands have equal ranks.
"""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from phevaluator import evaluate_cards

from host.engine.cards import Card

_LAST_RANKS = (1, 10, 166, 322, 1599, 1609, 2467, 3325, 5085, 6185, 7462)
"""The worst rank of each kind below, in that order; 220 hands of three other cards go with each pair."""
KINDS = tuple(
    "royal flush, straight flush, four of a kind, full house, flush, straight, three of a kind, two pair, "
    "pair of sevens or better, low pair, high card".split(", ")
)
PAY_TABLES: Mapping[str, tuple[int, ...]] = MappingProxyType(
    {"A": (100, 40, 20, 8, 6, 5, 4, 2, 1, 0, 0), "B": (200, 50, 20, 10, 8, 6, 3, 2, 1, 0, 0)}
)
"""The 5 Card Bonus pays so much to 1, by kind (CP-16, CP-17)."""


def rank(cards: Sequence[Card]) -> int:
    """The rank of the best five of these cards, lower is better (CP-19, CP-21)."""
    return int(evaluate_cards(*cards))


def kind(cards: Sequence[Card]) -> int:
    """Which of `KINDS` the best five cards are."""
    return bisect_left(_LAST_RANKS, rank(cards))


def name(cards: Sequence[Card]) -> str:
    """The hand in words; a pair is a pair whatever the pay table thinks of it."""
    found = KINDS[kind(cards)]
    return "pair" if "pair" in found and found != "two pair" else found


def pays(cards: Sequence[Card], paytable: str) -> int:
    """The 5 Card Bonus pays so much to 1 for five cards, 0 for nothing (CP-18)."""
    return PAY_TABLES[paytable][kind(cards)]
