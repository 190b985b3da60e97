"""Pure: the table of Champ Cards: its frozen state, and what both rules and grammar ask of it."""

from dataclasses import dataclass
from typing import Literal

from host.engine.cards import Card, total
from host.engine.game import other

Phase = Literal["cut", "pick", "choose", "bet", "offer", "over"]
Stage = Literal["main", "bonus"]

SPACES = 9
ROUND_PRIZE = 2500
BLACKJACK_PRIZE = 5000
ELIMINATION_PRIZE = 5000
ROUNDS_TO_WIN = 2
BONUS_HANDS = 5
FREEZE_FROM = 12


@dataclass(frozen=True)
class State:
    """One episode, seats 0 and 1. Money in whole dollars.

    `spaces` are nine cards, `""` where blank, `shown` tells which of them lie face up; `picked` is the place (0-8) of
    the card that `turn` has to keep or leave. `deck` is this round's deck as it was shuffled. `house` is the hole card
    first. `moves` counts what has been accepted: it makes the keys of questions.
    """

    phase: Phase
    stage: Stage = "main"
    round: int = 1
    rounds_won: tuple[int, int] = (0, 0)
    winnings: tuple[int, int] = (0, 0)
    spaces: tuple[Card, ...] = ("",) * SPACES
    shown: tuple[bool, ...] = (False,) * SPACES
    hands: tuple[tuple[Card, ...], tuple[Card, ...]] = ((), ())
    turn: int = 0
    picked: int | None = None
    frozen: int | None = None
    deck: tuple[Card, ...] = ()
    stock: tuple[Card, ...] = ()
    winner: int | None = None
    bank: int = 0
    bet: int = 0
    offer: int = 0
    house: tuple[Card, ...] = ()
    hole_shown: bool = False
    paid: int = 0
    ending: str | None = None
    moves: int = 0


def hand_total(state: State, seat: int) -> int:
    """The total of a seat's hand (CC-1)."""
    return total(state.hands[seat])


def open_spaces(state: State) -> tuple[int, ...]:
    """The places (0-8) that still hold a card."""
    return tuple(place for place, card in enumerate(state.spaces) if card)


def may_freeze(state: State) -> bool:
    """May `turn` freeze at the start of this turn (CC-6, CC-21)?"""
    blocked = state.stage == "main" and state.frozen == other(state.turn)
    return hand_total(state, state.turn) >= FREEZE_FROM and not blocked


def bet_limits(bank: int) -> tuple[int, int]:
    """The smallest and the largest bet: half the bank, rounded up, and all of it (CC-15)."""
    return (bank + 1) // 2, bank


def in_turn(state: State) -> int | None:
    """The seat that is asked now, or None when the episode is over."""
    return None if state.phase == "over" else state.turn
