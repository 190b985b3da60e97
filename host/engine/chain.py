"""Pure: a chain of hashes, whose end is published before its links are used. In: its secret first link, what contestants gave.
Out: the end, the link of an episode, the seed that follows from both; what does not hold of them.

Whoever knows a link knows those of all episodes before it. So a chain serves one episode at a time.
"""

import functools
import hashlib
import hmac
from collections.abc import Collection, Sequence
from dataclasses import dataclass

LENGTH = 10_000
"""Links of a chain, each of which serves one episode."""


@dataclass(frozen=True)
class Place:
    """The place of an episode in a chain: its number, the published end, what each seat gave; its link, secret till the end."""

    number: int
    end: str
    given: tuple[str, ...]
    link: bytes = b""

    def faults(self, seed: bytes) -> tuple[str, ...]:
        """The sentences about what does not hold: does the link lead to the end, and to this seed?"""
        found = []
        if hashed(self.link, self.number).hex() != self.end.lower():
            found.append(f"the link does not lead to the chain's end {self.end} in {self.number} steps")
        if seed_of(self.link, self.given) != seed:
            found.append("the seed does not follow from the link and what the contestants gave")
        return tuple(found)


def hashed(link: bytes, times: int) -> bytes:
    """The link after so many links of the chain."""
    return functools.reduce(lambda each, _: hashlib.sha256(each).digest(), range(times), link)


def link_of(first: bytes, number: int) -> bytes:
    """The link of a chain's episode `number`, from 1 on: hashed so often it is the end."""
    if not 1 <= number <= LENGTH:
        raise ValueError(f"a chain has the links 1 to {LENGTH}")
    return hashed(first, LENGTH - number)


def end_of(first: bytes) -> str:
    """The published end of a chain, 64 hex digits."""
    return hashed(first, LENGTH).hex()


def seed_of(link: bytes, given: Sequence[str]) -> bytes:
    """The seed that follows from a link, and from what the contestants gave in the order of the seats."""
    return hmac.digest(link, "\n".join(given).encode(), hashlib.sha256)


def gift(message_id: str, word: str) -> str:
    """The line of a seat: the Message-ID of a mail, and behind a blank a word, if there is one."""
    is_whole = message_id.isascii() and message_id.isprintable() and " " not in message_id and len(message_id) < 500
    is_whole &= message_id.startswith("<") and message_id.endswith(">")
    return " ".join(filter(None, (message_id if is_whole else NO_MAIL, word)))


NO_MAIL = "<>"
"""Stands for a Message-ID where a mail had none."""


def first_free(used: Sequence[int], busy: Collection[int]) -> int | None:
    """The place of the first chain, of these with so many links used, that has a link left and serves nobody now."""
    return next((at for at, count in enumerate(used) if count < LENGTH and at not in busy), None)
