"""Pure: the chance that anyone can redo. A 32-byte seed and a label give numbers and shuffles.

The stream of a label is HMAC-SHA256(seed, "label:k") for k = 0, 1, ..., read 8 bytes at a time as big-endian
numbers. This module is the only one that draws anything, here or from the operating system.
"""

import hashlib
import hmac
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")

SEED_BYTES = 32
TOKEN_LENGTH = 26
"""Characters of a token."""
TOKEN_SIGN = "[a-z2-7]"  # noqa: S105 - a pattern, not a token
_BASE32 = b"abcdefghijklmnopqrstuvwxyz234567" * 8
"""A sign for each byte, by its last five bits."""
TOKEN = f"{TOKEN_SIGN}{{{TOKEN_LENGTH}}}"
"""The pattern of a token, as `new_token` writes it."""
_RANGE = 1 << 64


@dataclass(frozen=True)
class Chance:
    """All chance of one episode, drawn from its secret `seed` (32 bytes)."""

    seed: bytes

    def stream(self, label: str) -> "Stream":
        """A fresh stream for `label`, at its block 0."""
        return Stream(self.seed, label)

    def shuffled(self, label: str, items: Sequence[T]) -> tuple[T, ...]:
        """`items` in the order that the stream `label` shuffles them into."""
        return self.stream(label).shuffled(items)

    def below(self, label: str, bound: int) -> int:
        """The first number of the stream `label` that is below `bound`."""
        return self.stream(label).below(bound)


NO_CHANCE = Chance(bytes(SEED_BYTES))
"""The same for every episode: for what is thought through and never played."""


class Stream:
    """The numbers of one label, in order."""

    def __init__(self, seed: bytes, label: str) -> None:
        self._numbers = _numbers(seed, label)

    def below(self, bound: int) -> int:
        """The next number, 0 <= number < `bound`, without modulo bias (rejects the uneven top)."""
        if bound < 1:
            raise ValueError("a bound must be 1 or more")
        limit = _RANGE - _RANGE % bound
        for number in self._numbers:
            if number < limit:
                return number % bound
        raise AssertionError("a stream never ends")

    def shuffled(self, items: Sequence[T]) -> tuple[T, ...]:
        """Fisher-Yates from the last place down to the second."""
        places = list(items)
        for last in range(len(places) - 1, 0, -1):
            other = self.below(last + 1)
            places[last], places[other] = places[other], places[last]
        return tuple(places)


def _numbers(seed: bytes, label: str) -> Iterator[int]:
    block = 0
    while True:
        digest = hmac.digest(seed, f"{label}:{block}".encode(), hashlib.sha256)
        for start in range(0, len(digest), 8):
            yield int.from_bytes(digest[start : start + 8], "big")
        block += 1


def commitment(seed: bytes) -> str:
    """The promise before play: the SHA-256 of the seed, 64 hex digits."""
    return hashlib.sha256(seed).hexdigest()


def new_seed() -> bytes:
    """A seed from the operating system's generator."""
    return secrets.token_bytes(SEED_BYTES)


def new_token() -> str:
    """130 random bits as 26 lower-case base32 characters: one per letter, known to its reader only."""
    return secrets.token_bytes(TOKEN_LENGTH).translate(_BASE32).decode("ascii")


def jittered(seconds: float) -> float:
    """A wait, up to a fifth shorter or longer, so that many who wait do not come back at once."""
    return seconds * (0.8 + 0.4 * secrets.randbelow(1001) / 1000)
