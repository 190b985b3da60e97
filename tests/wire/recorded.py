"""How what is tapped stands in a record: a link writes `10d` and `10` as people do, a record `Td` and `T`."""

import re

_TEN = re.compile(r"\b10(?=[cdhs]\b)|(?<= )10(?= \d+$)")
"""A ten of a suit; or a rank with a place behind it, as in Split Decision's `bet 250 10 4`."""


def as_recorded(command: str) -> str:
    """A command of a link in the card codes of a record."""
    return _TEN.sub("T", command.strip())
