"""Pure: lines that are a list. In: the lines of a mail, what names a move. Out: the same lines without what makes the list.

Numbers before the items tell their order (`2) rock` above `1) paper`), and none is a value; `keep - no` says what is not wanted.
"""

from collections.abc import Callable, Sequence

from host.engine.grammar import tokens
from host.engine.words import pattern, plain

_ITEM = pattern(r"\s*[(\[]?(\d{1,2})[.)\]]\s+(?=\S)")
_TICK = pattern(r"(?i)(?:[-–—:=]|\.\.|…) ?(?:(no|nope|nah|nein)|yes|yep|yeah|ja)[.!]?$")
LONGEST_ITEM = 60
"""Characters of a line that is nothing but a move and whether it is wanted."""


def as_lines(lines: Sequence[str], names_move: Callable[[str], object]) -> tuple[str, ...]:
    """The lines of a mail, those that are numbered from one on in that order and without their numbers."""
    return tuple(_ticked(line, names_move) for line in _in_order(lines))


def _in_order(lines: Sequence[str]) -> Sequence[str]:
    found = {at: item for at, line in enumerate(lines) if (item := _ITEM.match(line))}
    numbers = [int(item[1]) for item in found.values()]
    if len(found) < 2 or sorted(numbers) != list(range(1, len(found) + 1)):
        return lines
    items = [lines[at][found[at].end() :] for at in sorted(found, key=lambda at: int(found[at][1]))]
    return [items.pop(0) if at in found else line for at, line in enumerate(lines)]


def _ticked(line: str, names_move: Callable[[str], object]) -> str:
    """`keep - no` as `not keep`, `draw - yes` as `draw`."""
    said = line.strip()
    found = _TICK.search(said) if len(said) <= LONGEST_ITEM else None
    item = said[: found.start()].rstrip(" -–—:=.…") if found else ""
    is_item = any(map(names_move, tokens(plain(item)))) and not any(sign in item for sign in ",;:.–—")
    if not (found and is_item):
        return line
    return f"not {item}" if found[1] else item
