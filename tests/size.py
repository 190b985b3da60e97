"""How much of a long test runs: `make test` tries enough to notice a fault, `make storm` all there is."""

import os
from collections.abc import Iterable
from typing import TypeVar

IS_STORM = os.environ.get("STORM") == "1"

T = TypeVar("T")


def size(short: T, long: T) -> T:
    """The number that `make test` takes, or the one for `make storm`."""
    return long if IS_STORM else short


def a_few(values: Iterable[T], count: int = 1) -> list[T]:
    """So many of these in `make test`, the last among them where it is not one; all of them in `make storm`."""
    every = list(values)
    if IS_STORM or len(every) <= count:
        return every
    return [every[at * (len(every) - 1) // max(count - 1, 1)] for at in range(count)]
