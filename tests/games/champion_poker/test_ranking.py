"""What hands are worth: every hand of five counted against the closed forms, and hands of seven against the oracle."""

import random
from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import comb

import pytest

from host.engine.cards import DECK
from host.games.champion_poker.rules.ranking import KINDS, kind, name, pays, rank
from tests.games.champion_poker import oracle
from tests.rows import every
from tests.size import size

HANDS = comb(52, 5)
RUNS = 10  # straights, by their highest rank: 5 to ace
PAIRS = comb(4, 2) * comb(12, 3) * 4**3  # hands with a pair, for each rank of the pair
COUNTS = {
    "royal flush": 4,
    "straight flush": 4 * (RUNS - 1),
    "four of a kind": 13 * 48,
    "full house": 13 * comb(4, 3) * 12 * comb(4, 2),
    "flush": 4 * (comb(13, 5) - RUNS),
    "straight": RUNS * (4**5 - 4),
    "three of a kind": 13 * comb(4, 3) * comb(12, 2) * 4**2,
    "two pair": comb(13, 2) * comb(4, 2) ** 2 * 44,
    "pair of sevens or better": 8 * PAIRS,
    "low pair": 5 * PAIRS,
    "high card": (comb(13, 5) - RUNS) * (4**5 - 4),
}
PAID = {
    "A": (100, 40, 20, 8, 6, 5, 4, 2, 1, 0, 0),
    "B": (200, 50, 20, 10, 8, 6, 3, 2, 1, 0, 0),
}
EXAMPLES = {
    "royal flush": "As Ks Qs Js Ts",
    "straight flush": "5s 4s 3s 2s As",
    "four of a kind": "9c 9d 9h 9s 2c",
    "full house": "9c 9d 9h 2s 2c",
    "flush": "As Ks Qs Js 9s",
    "straight": "Ac Ks Qs Js Ts",
    "three of a kind": "9c 9d 9h 3s 2c",
    "two pair": "3c 3d 2h 2s Ac",
    "pair of sevens or better": "7c 7d 2h 3s 4c",
    "low pair": "6c 6d Ah Ks Qc",
    "high card": "7c 5d 4h 3s 2c",
}
RETURNS = {"A": Fraction(-16301, 92820), "B": Fraction(-40223, 216580)}
"""What a wager of 1 on the 5 Card Bonus wins or (below 0) loses on average."""


def test_the_closed_forms_are_the_known_figures() -> None:
    known = (4, 36, 624, 3744, 5108, 10200, 54912, 123552, 675840, 422400, 1302540)
    assert tuple(COUNTS.values()) == known
    assert sum(known) == HANDS == 2_598_960
    assert tuple(COUNTS) == KINDS


@pytest.mark.storm
def test_every_five_cards_are_the_kind_they_are() -> None:
    counted = Counter(map(kind, combinations(DECK, 5)))
    assert {KINDS[found]: count for found, count in counted.items()} == COUNTS
    for paytable, paid in PAID.items():
        chips = sum(count * (pays(EXAMPLES[KINDS[found]].split(), paytable) or -1) for found, count in counted.items())
        won = sum(count * times for count, times in zip(COUNTS.values(), paid, strict=True))
        lost = HANDS - sum(count for count, times in zip(COUNTS.values(), paid, strict=True) if times)
        assert Fraction(chips, HANDS) == Fraction(won - lost, HANDS) == RETURNS[paytable]


@every(
    ("five", "called", "on_a", "on_b"),
    [
        ("As Ks Qs Js Ts", "royal flush", 100, 200),
        ("Ks Qs Js Ts 9s", "straight flush", 40, 50),
        ("As 2s 3s 4s 5s", "straight flush", 40, 50),
        ("9c 9d 9h 9s 2c", "four of a kind", 20, 20),
        ("9c 9d 9h 2s 2c", "full house", 8, 10),
        ("As Ks Qs Js 9s", "flush", 6, 8),
        ("Ac Ks Qs Js Ts", "straight", 5, 6),
        ("Ac 2s 3s 4s 5s", "straight", 5, 6),
        ("Kc As 2s 3s 4s", "high card", 0, 0),
        ("9c 9d 9h 3s 2c", "three of a kind", 4, 3),
        ("3c 3d 2h 2s Ac", "two pair", 2, 2),
        ("7c 7d 2h 3s 4c", "pair", 1, 1),
        ("6c 6d Ah Ks Qc", "pair", 0, 0),
        ("2c 2d 3h 4s 5c", "pair", 0, 0),
        ("Ac Kd Qh Js 9c", "high card", 0, 0),
        ("7c 5d 4h 3s 2c", "high card", 0, 0),
    ],
)
def test_names_and_pay(five: str, called: str, on_a: int, on_b: int) -> None:
    cards = five.split()
    assert (name(cards), pays(cards, "A"), pays(cards, "B")) == (called, on_a, on_b)
    assert (name(cards[::-1]), pays(cards[::-1], "A"), pays(cards[::-1], "B")) == (called, on_a, on_b)


def test_the_pay_of_random_hands_is_the_oracles() -> None:
    rng = random.Random(5)
    for _ in range(size(2_000, 20_000)):
        five = rng.sample(DECK, 5)
        for paytable in "AB":
            assert pays(five, paytable) == oracle.bonus_odds(five, paytable), five


def test_seven_cards_rank_as_in_the_oracle() -> None:
    rng = random.Random(7)
    for _ in range(size(300, 3000)):
        nine = rng.sample(DECK, 9)
        own, dealer = nine[:7], nine[2:]
        plain_own, plain_dealer = oracle.best_of_seven(own), oracle.best_of_seven(dealer)
        assert (rank(own) < rank(dealer)) == (plain_own > plain_dealer), nine
        assert (rank(own) == rank(dealer)) == (plain_own == plain_dealer), nine
        best = max(combinations(own, 5), key=lambda five: oracle.strength(list(five)))
        assert rank(own) == rank(best), own


def test_ranks_of_five_are_ordered_as_in_the_oracle() -> None:
    rng = random.Random(55)
    hands = sorted((rng.sample(DECK, 5) for _ in range(size(2_000, 20_000))), key=oracle.strength, reverse=True)
    ranks = [rank(five) for five in hands]
    assert ranks == sorted(ranks)
    worths = [oracle.strength(five) for five in hands]
    for at in range(1, len(hands)):
        assert (ranks[at] == ranks[at - 1]) == (worths[at] == worths[at - 1]), hands[at]
