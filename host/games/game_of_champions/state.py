"""Pure: the table of The Game of Champions: its frozen state, and what both rules and grammar ask of it."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from host.engine.cards import Card
from host.engine.game import other

Phase = Literal["roshambo", "deploy", "place", "turn", "order", "battle", "over"]
Match = Literal["dealer", "first", "flip", "standstill"]
Then = Literal["turn", "end"]

THROWS = ("rock", "paper", "scissors")
HAND = 15
MOST_MOVES = 3
HOLDS_TO_STANDSTILL = 6
ALL_FLIPS = -1


@dataclass(frozen=True)
class Battalion:
    """A commander and the number cards under it; without any it is bare."""

    commander: Card
    cards: tuple[Card, ...] = ()


@dataclass(frozen=True)
class Battle:
    """A battle, from the attack to its end.

    `orders` are the attacker's and the defender's, None until sent. `attacking` are the attacker's cards still to fight,
    `defending` the defender's alive, the next one at `at`. `flips` were turned over; `wanted` more were asked for
    (`ALL_FLIPS`: all).
    """

    attacker: Card
    defender: Card
    orders: tuple[tuple[Card, ...] | None, tuple[Card, ...] | None] = (None, None)
    attacking: tuple[Card, ...] = ()
    defending: tuple[Card, ...] = ()
    at: int = 0
    flips: int = 0
    wanted: int = 0


@dataclass(frozen=True)
class State:
    """One episode, seats 0 and 1; tuples are by seat.

    `match` is what a Roshambo under way decides; `queues` are throws to come. `drawn` waits for its place, and what
    follows is `then`: the rest of the turn or its end. `has_used` are the advantages used in this turn (`K`, `A`).
    `moves`, `matches` and `battles` count what was done: they make the keys of questions. `salt` makes the throws that a
    link proposes; nobody sees it.
    """

    salt: str
    phase: Phase = "roshambo"
    match: Match | None = "dealer"
    queues: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    dealer: int | None = None
    hands: tuple[tuple[Card, ...], tuple[Card, ...]] = ((), ())
    deployed: tuple[tuple[Battalion, ...], tuple[Battalion, ...]] = ((), ())
    army: tuple[tuple[Battalion, ...], tuple[Battalion, ...]] = ((), ())
    casualties: tuple[tuple[Card, ...], tuple[Card, ...]] = ((), ())
    gone: tuple[tuple[Card, ...], tuple[Card, ...]] = ((), ())
    reserve: tuple[Card, ...] = ()
    turn: int | None = None
    drawn: Card | None = None
    then: Then = "turn"
    has_used: str = ""
    holds: int = 0
    battle: Battle | None = None
    winner: int | None = None
    ending: str | None = None
    moves: int = 0
    matches: int = 0
    battles: int = 0


def is_face(card: Card) -> bool:
    """Is this a commander: ace, king, queen or jack (GC-7)?"""
    return card[0] in "AKQJ"


def strength(card: Card) -> int:
    """A number card's own strength, 2 to 10 (GC-7)."""
    return 10 if card[0] == "T" else int(card[0])


def by_strength(cards: Iterable[Card], is_falling: bool = True) -> list[Card]:
    """Number cards, the strongest first or last; those of one rank as the table lists them."""
    return sorted(sorted(cards, reverse=True), key=strength, reverse=is_falling)


def battalion(state: State, seat: int, commander: Card) -> Battalion | None:
    """The commander of `seat` with this card, or None."""
    return next((each for each in state.army[seat] if each.commander == commander), None)


def battalions(state: State, seat: int) -> tuple[Battalion, ...]:
    """The commanders of `seat` that have cards."""
    return tuple(each for each in state.army[seat] if each.cards)


def fighting(state: State, seat: int) -> tuple[Card, ...]:
    """The number cards of the battalion with which `seat` is in the battle under way, as it lies there; else none."""
    if state.battle is None:
        return ()
    own = battalion(state, seat, state.battle.attacker if seat == state.turn else state.battle.defender)
    return own.cards if own else ()


def has_advantage(state: State, seat: int, rank: str) -> bool:
    """Has `seat` a battalion under a commander of this rank, and has not used its advantage in this turn (GC-17)?"""
    return rank not in state.has_used and any(each.commander[0] == rank for each in battalions(state, seat))


def asked(state: State) -> tuple[int, ...]:
    """The seats that are asked now."""
    if state.phase == "roshambo":
        return tuple(seat for seat in (0, 1) if not state.queues[seat])
    if state.phase == "deploy":
        return tuple(seat for seat in (0, 1) if not state.deployed[seat])
    if state.phase == "order" and state.battle and state.turn is not None:
        sides = (state.turn, other(state.turn))
        return tuple(sorted(seat for seat, order in zip(sides, state.battle.orders, strict=True) if order is None))
    return () if state.phase == "over" or state.turn is None else (state.turn,)
