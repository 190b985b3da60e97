"""Pure: the verdict on an answer, by the answers that are right and by the judge whom the options name (SD-20, SD-21)."""

import unicodedata
from collections.abc import Sequence
from typing import Literal

from rapidfuzz.distance import Levenshtein

from host.engine.grammar import NUMBERS

Verdict = Literal["right", "near", "wrong"]
"""`near` waits for the host's word."""

JUDGES = ("near", "auto", "host", "fair")

_ARTICLES = ("a", "an", "the")
_ONE_SLIP_FROM, _TWO_SLIPS_FROM = 5, 9
_TELLING = 3
"""So many characters make a word worth comparing by itself."""

_DIGITS = {word: str(number) for word, number in NUMBERS.items()}


def plain(text: str) -> str:
    """Without accents, case, punctuation, symbols, one leading article, and white space."""
    return "".join(_words(text))


def judge(answer: str, right: Sequence[str], by: str = "near") -> Verdict:
    """Right, wrong, or near enough for the host to look at, by one of `JUDGES`."""
    said = plain(answer)
    wanted = [plain(each) for each in right]
    if not said:
        return "wrong"
    if said in wanted:
        return "right"
    if by in ("auto", "host"):
        return "wrong" if by == "auto" else "near"
    verdict = _by_words(answer, right) if by == "fair" else "wrong"
    return "near" if verdict == "wrong" and any(_is_near(said, each) for each in wanted) else verdict


def _by_words(answer: str, right: Sequence[str]) -> Verdict:
    """Right with the same words as a right answer, near where either stands whole in the other."""
    said = _numbered(answer)
    wanted = [_numbered(each) for each in right]
    if said in wanted:
        return "right"
    return "near" if any(_stands_in(said, each) or _stands_in(each, said) for each in wanted) else "wrong"


def _stands_in(part: Sequence[str], whole: Sequence[str]) -> bool:
    """Tell whether the words of the part stand side by side in the whole, a number or a longer word among them."""
    is_telling = any(len(word) >= _TELLING or word.isdecimal() for word in part)
    return is_telling and f" {' '.join(part)} " in f" {' '.join(whole)} "


def _is_near(said: str, wanted: str) -> bool:
    slips = 2 if len(wanted) >= _TWO_SLIPS_FROM else 1 if len(wanted) >= _ONE_SLIP_FROM else 0
    return slips > 0 and Levenshtein.distance(said, wanted, score_cutoff=slips) <= slips


def _numbered(text: str) -> list[str]:
    """The words of a text, with digits for number words."""
    return [_DIGITS.get(word, word) for word in _words(text)]


def _words(text: str) -> list[str]:
    marked = unicodedata.normalize("NFKD", text)
    folded = "".join(each for each in marked if unicodedata.category(each)[0] != "M").casefold()
    spaced = "".join(" " if unicodedata.category(each)[0] in "PS" else each for each in folded)
    words = spaced.split()
    return words[1:] if len(words) > 1 and words[0] in _ARTICLES else words
