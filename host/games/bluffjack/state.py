"""Pure: the table of Bluffjack: its frozen state, and what both rules and grammar ask of it."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from host.engine.cards import Card

Phase = Literal["bet", "card", "over"]
Stage = Literal["opening", "second", "cards", "between", "final"]

SEATS = (2, 3, 4, 5, 6, 7, 8)
CHARLIES = (0, 5, 7, 10)


@dataclass(frozen=True)
class Options:
    """How an episode is played; amounts in chips. The flags are the variants of the original rules."""

    __pydantic_config__: ClassVar = {"extra": "forbid"}  # a stored state with other options does not fit
    chips: int = 200
    ante: int = 10
    double_every: int = 5
    max_hands: int = 0
    more_betting: bool = False
    two_bets: bool = False
    no_house: bool = False
    charlie: int = 0
    longer_charlie: bool = False
    best_hand: bool = False


@dataclass(frozen=True)
class State:
    """One episode; tuples are by seat, amounts in chips.

    `cards` begin with the one face down. `acted` tells who has acted in this round of betting (since the last raise), or
    had their turn in this round of cards; `at` is the seat from which the next to act is sought. With more betting a
    turn has two parts (stages `cards` and `between`), and `served` are those who had the first in this round. `missed`
    counts a seat's deadlines that passed in a row; `gone` are those who withdrew. `showdown` are those whose cards were
    shown at the end of the last hand. `moves` counts what was done: it makes the keys of questions.
    """

    options: Options
    chips: tuple[int, ...]
    phase: Phase = "bet"
    stage: Stage = "opening"
    hand: int = 0
    dealer: int = -1
    turn: int | None = None
    at: int = 0
    stock: tuple[Card, ...] = ()
    cards: tuple[tuple[Card, ...], ...] = ()
    dealt: tuple[bool, ...] = ()
    folded: tuple[bool, ...] = ()
    standing: tuple[bool, ...] = ()
    in_pot: tuple[int, ...] = ()
    acted: tuple[bool, ...] = ()
    served: tuple[bool, ...] = ()
    gone: tuple[bool, ...] = ()
    missed: tuple[int, ...] = ()
    aside: int = 0
    showdown: tuple[int, ...] = ()
    winner: int | None = None
    ending: str | None = None
    moves: int = 0


def ante_of(state: State) -> int:
    """This hand's ante (BJ-7)."""
    every = state.options.double_every
    return state.options.ante * (2 ** ((state.hand - 1) // every) if every else 1)


def playing(state: State) -> tuple[int, ...]:
    """The seats that were dealt in and have not folded, in seat order."""
    return tuple(seat for seat in range(len(state.chips)) if state.dealt[seat] and not state.folded[seat])


def missing(state: State, seat: int) -> int:
    """The chips that `seat` has to pay to match the highest stake, however few they have."""
    return max(state.in_pot) - state.in_pot[seat]


def to_call(state: State, seat: int) -> int:
    """The price of a call for `seat`: what is missing, or all their chips."""
    return min(missing(state, seat), state.chips[seat])


def may_bet(state: State, seat: int) -> bool:
    """Has `seat` chips, and something to bet about: something is missing, or somebody else can still bet (BJ-13)?"""
    others = any(state.chips[each] for each in playing(state) if each != seat)
    return state.chips[seat] > 0 and (others or missing(state, seat) > 0)


def in_order(state: State, first: int) -> tuple[int, ...]:
    """All seats around the table, from `first` on."""
    count = len(state.chips)
    return tuple((first + step) % count for step in range(count))
