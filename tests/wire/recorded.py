"""How what is tapped stands in a record: a link writes `10d` and `10` as people do, a record `Td` and `T`."""

import re

_CARD = re.compile(r"\b10(?=[cdhs]\b)")
_RANKS = re.compile(r"^(bet \d+) (\S+) (\S+)$")
"""Split Decision bets an amount between two ranks; other bets name an amount alone."""


def as_recorded(command: str) -> str:
    """A command of a link in the card codes of a record."""
    bet = _RANKS.match(command.strip())
    if bet:
        amount, *ranks = bet.groups()
        return " ".join([amount, *("T" if rank == "10" else rank for rank in ranks)])
    return _CARD.sub("T", command.strip())
