"""How what is tapped stands in a record: a link writes `10d` as people do, a record `Td`."""

import re

_TEN = re.compile(r"\b10(?=[cdhs]\b)")


def as_recorded(command: str) -> str:
    """A command of a link in the card codes of a record."""
    return _TEN.sub("T", command.strip())
