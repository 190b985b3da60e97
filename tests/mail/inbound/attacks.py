"""Strings on which a pattern needs the most time, made out of the pattern itself. In: a compiled pattern. Out: makers of strings.

A pattern needs more than linear time where the same letters can be taken in many ways, or where it begins again and
again and fails each time far behind. So what it repeats is repeated, behind what leads there, and an end that it does
not expect is put behind.
"""

import itertools
import re
import re._constants as codes  # type: ignore[import-not-found]
import re._parser as parser  # type: ignore[import-not-found]
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

Make = Callable[[int], str]

UNEXPECTED = "\x01"
MOST_WAYS = 3
MOST_ATOMS = 14
CANDIDATES = "a1 \n.,:;-_<>@()[]{}\"'=*/\\|!?#&%+~^$é：\t\x01"
CATEGORIES = {
    codes.CATEGORY_DIGIT: "1",
    codes.CATEGORY_NOT_DIGIT: "a",
    codes.CATEGORY_SPACE: " ",
    codes.CATEGORY_NOT_SPACE: "a",
    codes.CATEGORY_WORD: "a",
    codes.CATEGORY_NOT_WORD: "-",
}
REPEATS = {codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT}


def ways(items: Iterable[Any]) -> list[str]:
    """A few strings that match a sequence of the parsed pattern."""
    found = [""]
    for item in items:
        found = _few(before + behind for before in found for behind in _ways_of(*item))
    return found


def _few(found: Iterable[str]) -> list[str]:
    return list(itertools.islice(dict.fromkeys(found), MOST_WAYS))


def _ways_of(code: Any, value: Any) -> list[str]:
    """A few strings that match one item."""
    if code is codes.LITERAL:
        return [chr(value)]
    if code is codes.NOT_LITERAL:
        return [next(each for each in CANDIDATES if each != chr(value))]
    if code is codes.ANY:
        return ["a"]
    if code is codes.IN:
        return _few(_members(value))
    if code is codes.BRANCH:
        return _few(itertools.chain.from_iterable(itertools.zip_longest(*map(ways, value[1]), fillvalue="")))
    if code in REPEATS:
        least, _, body = value
        return _few(way * max(1, least) for way in ways(body))
    return [way for inner in _inner(code, value) for way in ways(inner)][:MOST_WAYS] or [""]


def _members(members: Sequence[Any]) -> Iterator[str]:
    """Characters of a class."""
    if members[0][0] is codes.NEGATE:
        plain = re.compile("[" + "".join(map(re.escape, _members(members[1:]))) + "]")
        yield from (each for each in CANDIDATES if not plain.match(each))
        return
    for code, value in members:
        if code is codes.LITERAL:
            yield chr(value)
        elif code is codes.RANGE:
            yield chr(value[0])
        elif code is codes.CATEGORY:
            yield CATEGORIES[value]


def _inner(code: Any, value: Any) -> list[Any]:
    """The sequences within an item."""
    if code is codes.SUBPATTERN:
        return [value[-1]]
    if code is codes.ATOMIC_GROUP:
        return [value]
    if code is codes.BRANCH:
        return list(value[1])
    if code in REPEATS:
        return [value[2]]
    if code in (codes.ASSERT, codes.ASSERT_NOT):
        return [value[1]]
    return []


def _repeated(items: Sequence[Any], before: str = "") -> Iterator[tuple[str, str]]:
    """What leads to each repetition in the pattern, and what it repeats."""
    for item in items:
        code, value = item
        if code in REPEATS and value[1] > 3:
            yield from ((before, way) for way in ways(value[2]) if way)
        for inner in _inner(code, value):
            yield from _repeated(inner, before)
        before += _ways_of(*item)[0] if code is not codes.ASSERT_NOT else ""


def _leading(items: Sequence[Any]) -> Iterator[str]:
    """What the beginnings of the pattern match, the longer the later."""
    before = ""
    for item in items:
        before += _ways_of(*item)[-1] if item[0] is not codes.ASSERT_NOT else ""
        yield before


def _letters(items: Iterable[Any]) -> Iterator[str]:
    """The characters that a pattern names."""
    for code, value in items:
        if code in (codes.LITERAL, codes.NOT_LITERAL):
            yield chr(value)
        elif code is codes.IN:
            yield from _few(_members(value))
        for inner in _inner(code, value):
            yield from _letters(inner)


def attacks(pattern: "re.Pattern[Any]") -> list[tuple[str, Make]]:
    """Makers of strings of a given length, each with what it is made of."""
    text = pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1")
    tree = list(
        parser.parse(text, pattern.flags & ~re.UNICODE if isinstance(pattern.pattern, bytes) else pattern.flags)
    )
    repeated = list(dict.fromkeys(_repeated(tree)))[:40]
    leading = [each for each in dict.fromkeys(_leading(tree)) if each]
    whole = [each for each in ways(tree) if each]
    atoms = list(dict.fromkeys([*(way for _, way in repeated), " ", *_letters(tree)]))[:MOST_ATOMS]
    made: dict[tuple[str, ...], None] = {}
    for end in ("", UNEXPECTED):
        made |= {("", each, "", end): None for each in (*atoms, *leading, *whole)}
        made |= {(before, each, "", end): None for before, each in repeated}
        made |= {("", before + each, "", end): None for before, each in repeated}
        made |= {("", before + each * 20, "", end): None for before, each in repeated}
    for before, each in repeated[:12]:
        made |= {(before, each, other, UNEXPECTED): None for other in atoms[:8] if other != each}
    for one, other in itertools.combinations(atoms[:10], 2):
        made[("", one + other, "", UNEXPECTED)] = None
    return [(repr(parts), _maker(*parts)) for parts in made]


def _maker(before: str, piece: str, then: str, end: str) -> Make:
    """A string with `piece` again and again, then `then` again and again."""

    def make(length: int) -> str:
        if then:
            return before + piece * (length // 2 // len(piece)) + then * (length // 2 // len(then)) + end
        return before + piece * (length // len(piece)) + end

    return make
