"""How much of a long test runs: `make test` tries enough to notice a fault, `make storm` all there is."""

import os
from typing import TypeVar

IS_STORM = os.environ.get("STORM") == "1"

T = TypeVar("T")


def size(short: T, long: T) -> T:
    """The number that `make test` takes, or the one for `make storm`."""
    return long if IS_STORM else short
