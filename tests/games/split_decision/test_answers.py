"""Right, near or wrong: what is made of an answer."""

import functools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.games.split_decision.rules.answers import distance, judge, plain


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Paris", "paris"),
        ("  PARIS  ", "paris"),
        ("The Nile", "nile"),
        ("a cat", "cat"),
        ("An apple", "apple"),
        ("the", "the"),
        ("A", "a"),
        ("the a", "a"),
        ("the the end", "theend"),
        ("an", "an"),
        ("Theatre", "theatre"),
        ("Anne", "anne"),
        ("São Tomé", "saotome"),
        ("Müller", "muller"),
        ("Straße", "strasse"),
        ("Ærø", "ærø"),
        ("ﬁne", "fine"),
        ("ＰＡＲＩＳ", "paris"),
        ("New York, N.Y.", "newyorkny"),
        ("Rock & Roll", "rockroll"),
        ("rock'n'roll", "rocknroll"),
        ('"The Birds"!', "birds"),
        ("...the Birds", "birds"),
        ("$1,000", "1000"),
        ("x²", "x2"),
        ("½", "12"),
        ("fifty-six", "fiftysix"),
        ("10 €", "10"),
        ("№ 5", "no5"),
        ("ПРИВЕТ", "привет"),
        ("Ёлка", "елка"),
        ("ΣΊΣΥΦΟΣ", "σισυφοσ"),
        ("e\u0301", "e"),
        ("😀", ""),
        ("!?", ""),
        ("", ""),
        ("   ", ""),
        ("\u0301", ""),
        ("東京", "東京"),
        ("a\u00a0b", "b"),
    ],
)
def test_plain(text: str, left: str) -> None:
    assert plain(text) == left


@given(text=st.text(max_size=40))
def test_case_and_punctuation_around_make_no_difference(text: str) -> None:
    assert plain(f" «{text}»! ") == plain(text)
    assert not any(each.isspace() for each in plain(text))


@pytest.mark.parametrize(
    ("one", "other", "slips"),
    [
        ("", "", 0),
        ("", "abc", 3),
        ("abc", "", 3),
        ("abc", "abc", 0),
        ("kitten", "sitting", 3),
        ("saturday", "sunday", 3),
        ("flaw", "lawn", 2),
        ("paris", "pari", 1),
        ("paris", "pariss", 1),
        ("paris", "parus", 1),
        ("paris", "apris", 2),
        ("ab", "ba", 2),
        ("gumbo", "gambol", 2),
        ("book", "back", 2),
    ],
)
def test_distance(one: str, other: str, slips: int) -> None:
    assert distance(one, other) == slips
    assert distance(other, one) == slips


def test_distance_is_that_of_the_recursion() -> None:
    @functools.cache
    def slow(one: str, other: str) -> int:
        if not one or not other:
            return len(one) + len(other)
        changed = slow(one[1:], other[1:]) + (one[0] != other[0])
        return min(changed, slow(one[1:], other) + 1, slow(one, other[1:]) + 1)

    rng = random.Random(1)
    for _ in range(300):
        one, other = ("".join(rng.choices("abc", k=rng.randrange(8))) for _ in range(2))
        assert distance(one, other) == slow(one, other)


@pytest.mark.parametrize(
    ("answer", "right", "verdict"),
    [
        ("Paris", ["Paris"], "right"),
        ("the paris!", ["Paris"], "right"),
        ("par is", ["Paris"], "right"),
        ("Rome", ["Paris", "Rome"], "right"),
        ("parys", ["Paris"], "near"),
        ("pari", ["Paris"], "near"),
        ("pparis", ["Paris"], "near"),
        ("pary", ["Paris"], "wrong"),
        ("apris", ["Paris"], "wrong"),
        ("parisss", ["Paris"], "wrong"),
        ("Rom", ["Rome"], "wrong"),
        ("Roma", ["Rome"], "wrong"),
        ("Nile", ["Niles"], "near"),
        ("Niles", ["Nile"], "wrong"),
        ("Canbera", ["Canberra"], "near"),
        ("Canbra", ["Canberra"], "wrong"),
        ("Reykavik", ["Reykjavik"], "near"),
        ("Rekavik", ["Reykjavik"], "near"),
        ("Rekavi", ["Reykjavik"], "wrong"),
        ("Reikiavik", ["Reykjavik"], "near"),
        ("The Reikiavic", ["Reykjavik"], "wrong"),
        ("San Fransico", ["San Francisco"], "near"),
        ("abcdefgh", ["abcdefghi"], "near"),
        ("abcdefg", ["abcdefghi"], "near"),
        ("abcdef", ["abcdefgh"], "wrong"),
        ("abcdefg", ["abcdefgh"], "near"),
        ("57", ["56"], "wrong"),
        ("12346", ["12345"], "near"),
        ("lond on", ["London", "Londinium"], "right"),
        ("Londiniam", ["London", "Londinium"], "near"),
        ("!?", ["Paris"], "wrong"),
        ("!?", ["!"], "wrong"),
        ("", ["Paris"], "wrong"),
        ("Paris", [], "wrong"),
    ],
)
def test_verdicts(answer: str, right: list[str], verdict: str) -> None:
    assert judge(answer, right) == verdict


def test_a_right_answer_comes_before_a_near_one() -> None:
    assert judge("parys", ["Paris", "Parys"]) == "right"
