"""How what is tapped stands in a record: a link writes `10d` and `10` as people do, a record `Td` and `T`."""

import re
from collections.abc import Sequence

from host.games import GAMES
from host.play.premoves import order_of

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


def holds(code: str, tapped: Sequence[str], said: Sequence[str], last: int) -> bool:
    """Does an episode's record hold what somebody tapped, each move once and in its order, and nothing else of theirs?

    Standing orders stand in no record; what they give is said between what is tapped. Of the `last` lines, those of one mail, the
    first may have ended the game for who tapped them; then the others fall away.
    """
    game = next(each for each in GAMES.values() if code.startswith(f"{each.code}-"))
    lines = [each.strip() for each in tapped]
    moves = [as_recorded(each) for each in lines if each != "cancel" and not order_of(game, each)]
    if len(moves) == len(tapped):
        return any(list(said) == moves[: len(moves) - left] for left in range(max(1, last)))
    said_so = iter(said)
    return all(command in said_so for command in moves[: len(moves) - max(0, last - 1)])
