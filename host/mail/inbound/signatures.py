"""Pure: signatures. In: the lines of a reply, the name of who wrote it. Out: the lines that a mail program put below.

A signature begins with `--`, or with the writer's name over what stands on their card. `Sent from my phone` lines count too.
"""

import itertools
from collections.abc import Sequence

from host.engine.words import pattern
from host.mail.inbound.programs import any_of, words_pattern
from host.mail.inbound.text_lines import WORD, Line

MAX_CARD = 7
"""Lines of a signature below the name."""
_REACHED = pattern(
    r"[\w.+-]@[\w-]+\.\w|\bwww\.|https?://|^[+(0][\d\s()/.-]{5,40}\d$"
    r"|\b(?:tel|telephone|telefon|phone|fon|mobile?|mob|cell|fax|handy|office|[tmpf](?=[.:]))\W{0,4}\d[\d\s()/.-]{4,40}\d"
)
"""How to reach somebody: an address, a page, a telephone."""
_SIGNATURE = pattern(r"--\s?$")
_TELEPHONE = words_pattern(
    lambda: (
        f"{any_of('telephones', 'sent')}.{{0,60}}{any_of('telephones', 'with')}.{{0,60}}$|{any_of('telephones', 'whole')}"
    )
)
"""Finds a line that telephones write below a mail."""


def signed(lines: Sequence[Line], writer: tuple[str, ...]) -> list[Line]:
    """The lines of signatures, and what telephones write below."""
    found: list[Line] = []
    signing = False
    for at, line in enumerate(lines):
        if line.quoted and not line.assumed:
            signing = False
        elif _SIGNATURE.match(line.text) or _is_card(lines, at, writer):
            signing = True
        if signing or ((not line.quoted or line.assumed) and _TELEPHONE.match(line.text.casefold())):
            found.append(line)
    return found


def _is_card(lines: Sequence[Line], at: int, writer: tuple[str, ...]) -> bool:
    """Does a signature begin with this line: the writer's name, and below it, to the end, what stands on their card?

    Lines of names, beside which a number may stand, or any lines as long as one of them tells how to reach the writer. A
    name of one word, which may be a command, counts among lines of more.
    """
    if not writer or sorted(lines[at].words) != sorted(writer):
        return False
    following = lines[at + 1 : at + MAX_CARD + 2]
    below = list(itertools.takewhile(lambda line: not line.quoted or line.assumed, following))
    if not 0 < len(below) <= MAX_CARD:
        return False
    many = sum(len(line.words) > 1 for line in below) > 1
    is_card = all(_is_named(line) and (many or len(line.words) > 1) for line in below)
    return is_card or any(_REACHED.search(line.text.casefold()) for line in below)


def _is_named(line: Line) -> bool:
    """Is it a line like `Springfield Bridge Club`, `12 Elm Street`: are most of its words written as names?"""
    words = WORD.findall(line.text)
    return 2 * len([word for word in words if word[0].isupper() and not word.isupper()]) > len(words)
