"""Pure: words for a table. In: what somebody wrote behind `say`. Out: whom it is for, and the words as others may read them.

Nothing in them can be tapped or written to: addresses and links are named, not shown.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from host.engine.words import pattern, plain

LONGEST = 600
"""Characters that one `say` may have."""
MOST_READ = 4 * LONGEST
"""Characters that are looked at; so many are too many in any case."""
MOST_A_DAY = 10
"""How often a contestant may say something in a day."""
_ADDRESS = pattern(r"(?i)(?<![\w.+%'-])(?:mailto:)?[\w.+%'-]++@[\w-]+(?:\.[\w-]+)+")
_LINK = pattern(
    r"(?i)(?<![\w.+-])(?:[a-z][\w+.-]*://\S+|www\.\S+|\.*[\w-]+(?:\.[\w-]+)*\.[a-z]{2,24}(?:/\S*|(?=[\s,;!?)]|$)))"
)
_CONTROL = re.compile(r"[\x00-\x1f\x7f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]+")
_TO = re.compile(r"to:? ", re.IGNORECASE)
_AND = re.compile(r" and | ?& ?", re.IGNORECASE)
_ALL = ("all", "everybody", "everyone", "the table", "table", "both", "them all")


@dataclass(frozen=True)
class Said:
    """Words for a table: `to` is the name that they are for, empty for all; `is_addressed` where it was said whom they are for.

    With `is_unknown`, `to` is a name that nobody at the table has.
    """

    text: str
    to: str = ""
    is_addressed: bool = False
    is_unknown: bool = False


def read_talk(text: str, names: Sequence[str]) -> Said:
    """Read what stands behind `say` at a table with these names."""
    text = without_links(text[:MOST_READ])
    begins = _TO.match(text)
    if begins is None:
        return Said(text)
    rest = text[begins.end() :]
    for name in sorted((*names, *_ALL), key=len, reverse=True):
        after = rest[len(name) :]
        if plain(rest[: len(name)]) == plain(name) and not after[:1].isalnum():
            several = _AND.match(after)
            behind = plain(after[several.end() :]) if several else ""
            other = next((each for each in names if re.match(rf"{re.escape(plain(each))}(?!\w)", behind)), "")
            if other:
                return Said(rest, f"{name} and {other}", is_addressed=True, is_unknown=True)
            return Said(after.lstrip(" :,–—-"), "" if name in _ALL else name, is_addressed=True)
    return Said(rest, rest.split(" ")[0].strip(":,.!"), is_addressed=True, is_unknown=True)


def without_links(text: str) -> str:
    """The words on one line, without what a mail program would make a link of, and without signs that cannot be seen."""
    whole = " ".join(_CONTROL.sub(" ", text).split())
    return _LINK.sub("(a link)", _ADDRESS.sub("(an address)", whole))
