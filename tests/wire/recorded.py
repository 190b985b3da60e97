"""How what is tapped stands in a record: a link writes `10d` and `10` as people do, a record `Td` and `T`."""

import itertools
import re
from collections.abc import Sequence

from host.games import GAMES
from host.play.premoves import order_of

_CARD = re.compile(r"\b10(?=[cdhs]\b)")
_RANKS = re.compile(r"^(bet \d+) (\S+) (\S+)$")
"""Split Decision bets an amount between two ranks; other bets name an amount alone."""
MOST_CANCELLED = 8
"""Moves of one mail that wait."""


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
    first may have ended the game for who tapped them; then the others fall away. So does what still waited before a `cancel`, and
    how a battle goes on that the order before it ended.
    """
    game = next(each for each in GAMES.values() if code.startswith(f"{each.code}-"))
    lines, said = [each.strip() for each in tapped], list(said)
    orders = [each for each in lines if order_of(game, each)]
    parts: list[list[str]] = [[]]
    for line in lines:
        if line == "cancel":
            parts.append([])
        elif line not in orders:
            parts[-1].append(as_recorded(line))
    most = [min(len(part), MOST_CANCELLED) for part in parts[:-1]] + [max(0, last - 1)]
    for left in itertools.product(*(range(each + 1) for each in most)):
        moves = [move for part, fewer in zip(parts, left, strict=True) for move in part[: len(part) - fewer]]
        if _are_said(moves, said, bool(orders)):
            return True
    return False


def _are_said(moves: Sequence[str], said: Sequence[str], has_orders: bool) -> bool:
    """Are these moves said in their order, with nothing between them but what orders give?"""
    places, before = {0}, ""
    for move in moves:
        ends = {said.index(move, at) + 1 for at in places if move in said[at:]} if has_orders else set()
        ends |= {at + 1 for at in places if said[at : at + 1] == [move]}
        places = ends | (places if before.startswith("order ") and move == "continue all" else set())
        before = move
    return bool(places) and (has_orders or len(said) in places)
