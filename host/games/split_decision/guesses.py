"""Pure: numbers that somebody names by a rule. In: a text, how many are asked for, the largest. Out: them, or nothing.

`The odd numbers from 1 to 59`, `every third number up to 90`, `multiples of three`, `3, 6, 9 and so on`.
"""

from host.engine.grammar import NUMBERS, number, words
from host.engine.words import frames, pattern, plain

_NUMBER = r"(?:numbers?|ones?|codes?|places?|spaces?|cards?)"
_ODD_OR_EVEN = pattern(rf"\b(?P<odd>odds|odd {_NUMBER}|uneven {_NUMBER})\b|\b(?:evens|even {_NUMBER})\b")
_STEP = pattern(
    rf"\bevery (\w+) {_NUMBER}\b|\bmultiples? of (\w+)\b|\b(\w+) times table\b|\b(?:(?:in|by)|steps? of) (\w+)\b"
)
_LISTED = pattern(r"\b(\d+),? (\d+),? (?:and )?(\d+)\b,?(?=.*\b(?:and so (?:on|forth)|etc)\b)")
_FROM = pattern(r"\b(?:from|(?:starting|start|beginning|begin)(?: (?:at|with|from|on))?) (\w+)\b")
_TO = pattern(
    r"\b(?:up )?(?:to|thru|through(?! to)|until|till|(?:ending|end|finish|finishing)(?: (?:at|with|on))?) (\w+)\b"
)
_EACH = pattern(rf"\b(?:every|each|all(?: the)?) {_NUMBER}\b(?= from\b)")
_COUNT = pattern(r"\bfirst \w+\b|\b(?:and so (?:on|forth)|etc)\b|\bgo up\b|\bthe way\b|\bmakes (?:exactly )?\w+\b")
LONGEST = 400
_ORDINALS = {"other": 2, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7}


def series(text: str, count: int, most: int, is_all: bool = False) -> tuple[int, ...]:
    """As many numbers as are asked for; nothing where the rule, with the ends that are named, does not give just so many.

    `is_all` asks that the text says nothing else. A text of more than `LONGEST` characters is no rule.
    """
    if len(text) > LONGEST:
        return ()
    folded = plain(text)
    parity, steps, listed, begins, ends = (each.search(folded) for each in (_ODD_OR_EVEN, _STEP, _LISTED, _FROM, _TO))
    step = 2 if parity else _value(next(filter(None, steps.groups()))) if steps else int(bool(_EACH.search(folded)))
    first = (1 if parity["odd"] else 2) if parity else step
    if listed:
        first, second, third = map(int, listed.groups())
        step = second - first if third - second == second - first else 0
    first = (_value(begins[1]) if begins else 0) or first
    last = (_value(ends[1]) if ends else 0) or most
    found = tuple(range(first, last + 1, step)) if step > 0 else ()
    found = found if ends else found[:count]
    return found if len(found) == count and last <= most and not (is_all and _says_more(folded)) else ()


def _says_more(folded: str) -> bool:
    for each in (_ODD_OR_EVEN, _STEP, _LISTED, _EACH, _FROM, _TO, _COUNT):
        folded = each.sub(" ", folded)
    known = frames().neutral | frames().nouns | {"all", "only", "codes", "numbers", "picks"}
    return not known.issuperset(words(folded))


def _value(word: str) -> int:
    """The number that a word says (`3`, `third`, `threes`), 0 for none."""
    return number(word) or NUMBERS.get(word) or NUMBERS.get(word.removesuffix("s")) or _ORDINALS.get(word, 0)
