"""Right, near or wrong: what is made of an answer."""

import functools
import random

from hypothesis import given
from hypothesis import strategies as st

from host.games.split_decision.rules.answers import JUDGES, judge, plain
from tests.rows import every


@every(
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


def test_a_slip_is_a_letter_too_many_missing_or_mistaken() -> None:
    @functools.cache
    def slow(one: str, other: str) -> int:
        if not one or not other:
            return len(one) + len(other)
        changed = slow(one[1:], other[1:]) + (one[0] != other[0])
        return min(changed, slow(one[1:], other) + 1, slow(one, other[1:]) + 1)

    rng = random.Random(1)
    for _ in range(300):
        other = "".join(rng.choices("bc", k=rng.randrange(4, 11)))
        one = other
        for _ in range(rng.randrange(1, 4)):
            at = rng.randrange(len(one))
            one = one[:at] + rng.choice("bc ") + one[at + rng.randrange(2) :]
        slips = slow(one.replace(" ", ""), other)
        allowed = 2 if len(other) >= 9 else 1 if len(other) >= 5 else 0
        assert judge(one, [other]) == ("right" if slips == 0 else "near" if slips <= allowed else "wrong")


@every(
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


@every(
    ("answer", "right", "verdict"),
    [
        ("seven", ["7"], "right"),
        ("7", ["seven"], "right"),
        ("the Seven", ["7"], "right"),
        ("0", ["zero"], "right"),
        ("twenty one", ["20 one"], "right"),
        ("fifty 6", ["fifty-six"], "right"),
        ("twelve angry men", ["12 Angry Men"], "right"),
        ("ninety", ["80", "90"], "right"),
        ("Paris, France", ["Paris"], "near"),
        ("B) Paris", ["Paris"], "near"),
        ("The capital of France is Paris", ["Paris"], "near"),
        ("Paris (I lived there for three years!)", ["Paris"], "near"),
        ("Austen", ["Jane Austen"], "near"),
        ("Gogh", ["Vincent van Gogh"], "near"),
        ("van", ["Vincent van Gogh"], "near"),
        ("of Denmark", ["Hamlet, Prince of Denmark"], "near"),
        ("7 wonders", ["seven"], "near"),
        ("I say five", ["5"], "near"),
        ("fifty", ["fifty-six"], "near"),
        ("3", ["The three Musketeers"], "near"),
        ("٣ wishes", ["٣"], "near"),
        ("Parys", ["Paris"], "near"),
        ("Boney M", ["M"], "wrong"),
        ("or", ["To be or not to be"], "wrong"),
        ("to be", ["To be or not to be"], "wrong"),
        ("dozen", ["13 loaves"], "wrong"),
        ("Austen Jane", ["Jane Austen"], "wrong"),
        ("Vincent Gogh", ["Vincent van Gogh"], "wrong"),
        ("Parisian", ["Paris"], "wrong"),
        ("56", ["fifty-six"], "wrong"),
        ("x2", ["2"], "wrong"),
        ("sixteen", ["6", "60"], "wrong"),
        ("Rome", ["Paris"], "wrong"),
        ("Paris", ["!"], "wrong"),
        ("!?", ["Paris", "!"], "wrong"),
    ],
)
def test_verdicts_of_the_fair_judge(answer: str, right: list[str], verdict: str) -> None:
    assert judge(answer, right, "fair") == verdict


WORDS = [
    "the",
    "a",
    "Zero",
    "0",
    "seven",
    "7",
    "seventy",
    "of",
    "x",
    "Paris",
    "Páris",
    "Parys",
    "Jane Austen",
    "!",
    "56",
]
texts = st.lists(st.sampled_from(WORDS) | st.text(max_size=6), max_size=5).map(" ".join)


@given(answer=texts, right=st.lists(texts, max_size=3))
def test_what_is_right_for_one_judge_is_right_for_the_fair_one(answer: str, right: list[str]) -> None:
    verdicts = {by: judge(answer, right, by) for by in JUDGES}
    assert verdicts["auto"] != "near"
    if verdicts["auto"] == "right":
        assert set(verdicts.values()) == {"right"}
    if verdicts["near"] == "near":
        assert verdicts["fair"] != "wrong"
    if verdicts["host"] == "wrong":
        assert set(verdicts.values()) == {"wrong"}


@given(one=texts, other=texts)
def test_words_are_compared_both_ways_alike(one: str, other: str) -> None:
    there, back = judge(one, [other], "fair"), judge(other, [one], "fair")
    assert (there == "right") == (back == "right")
    if "near" not in (judge(one, [other]), judge(other, [one])):
        assert there == back


@given(
    answer=st.text("bcdfgh ", min_size=1, max_size=20),
    right=st.lists(st.text("KLMNPQ ", min_size=1, max_size=20), min_size=1, max_size=3),
)
def test_what_shares_no_word_and_is_no_slip_does_not_wait(answer: str, right: list[str]) -> None:
    assert judge(answer, right, "fair") == "wrong"


@given(before=texts, right=st.sampled_from(["Paris", "Jane Austen", "seven", "42"]), after=texts)
def test_a_right_answer_among_other_words_is_never_wrong(before: str, right: str, after: str) -> None:
    assert judge(f"{before} {right} {after}", [right], "fair") != "wrong"
