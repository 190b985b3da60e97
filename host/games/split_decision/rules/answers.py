"""Pure: the verdict on an answer, by the answers that are right (SD-20, SD-21)."""

import unicodedata
from collections.abc import Sequence
from typing import Literal

Verdict = Literal["right", "near", "wrong"]

_ARTICLES = ("a", "an", "the")
_ONE_SLIP_FROM, _TWO_SLIPS_FROM = 5, 9


def plain(text: str) -> str:
    """Without accents, case, punctuation, symbols, one leading article, and white space."""
    marked = unicodedata.normalize("NFKD", text)
    folded = "".join(each for each in marked if unicodedata.category(each)[0] != "M").casefold()
    spaced = "".join(" " if unicodedata.category(each)[0] in "PS" else each for each in folded)
    words = spaced.split()
    if len(words) > 1 and words[0] in _ARTICLES:
        words = words[1:]
    return "".join(words)


def judge(answer: str, right: Sequence[str]) -> Verdict:
    """Right, near enough to be looked at, or wrong."""
    said = plain(answer)
    wanted = [plain(each) for each in right]
    if not said:
        return "wrong"
    if said in wanted:
        return "right"
    return "near" if any(_is_near(said, each) for each in wanted) else "wrong"


def _is_near(said: str, wanted: str) -> bool:
    slips = 2 if len(wanted) >= _TWO_SLIPS_FROM else 1 if len(wanted) >= _ONE_SLIP_FROM else 0
    return slips > 0 and abs(len(said) - len(wanted)) <= slips and distance(said, wanted) <= slips


def distance(one: str, other: str) -> int:
    """The Levenshtein distance: letters put in, left out or mistaken."""
    row = list(range(len(other) + 1))
    for at, letter in enumerate(one, 1):
        before, row[0] = row[0], at
        for place, wanted in enumerate(other, 1):
            before, row[place] = row[place], min(row[place] + 1, row[place - 1] + 1, before + (letter != wanted))
    return row[-1]
