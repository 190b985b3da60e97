"""How what is tapped stands in a record: a link writes `10d` and `10` as people do, a record `Td` and `T`."""

import re

_TEN = re.compile(r"\b10(?=[cdhs]\b)")
_RANK = re.compile(r"^(bet \d+) 10( \d+)$")
"""Split Decision bets an amount on a rank, which stands between the amount and a place."""


def as_recorded(command: str) -> str:
    """A command of a link in the card codes of a record."""
    return _RANK.sub(r"\1 T\2", _TEN.sub("T", command.strip()))
