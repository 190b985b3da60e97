"""Pure: what can happen in Champion Poker, as the letters tell it. In: nothing. Out: one frozen class an event.

Seats count from 0, hands from 1; cards are codes, amounts chips, nets what a seat gained or (below 0) lost. What a seat
answers side by side with others is for its own eyes; an event that shows all answers follows.
"""

from dataclasses import dataclass
from typing import ClassVar

from host.engine.game import Event, Shuffled


@dataclass(frozen=True)
class HandBegan(Event):
    hand: int
    hands: int


@dataclass(frozen=True)
class BetPlaced(Event):
    """For the eyes of `seat`. `side`: player, dealer, or empty without a Blind."""

    is_private: ClassVar[bool] = True
    seat: int
    amount: int
    side: str


@dataclass(frozen=True)
class SatOut(Event):
    """For the eyes of `seat`. `by`: say or timeout."""

    is_private: ClassVar[bool] = True
    seat: int
    by: str


@dataclass(frozen=True)
class BetsShown(Event):
    """`seats` bet `amounts`, on `sides` (as in BetPlaced); the others sat out."""

    seats: tuple[int, ...]
    amounts: tuple[int, ...]
    sides: tuple[str, ...]


@dataclass(frozen=True)
class PlayerCards(Event):
    """Version 1: the Player cards, for everybody."""

    cards: tuple[str, ...]


@dataclass(frozen=True)
class OwnCards(Event):
    """Version 2: for the eyes of `seat`."""

    is_private: ClassVar[bool] = True
    seat: int
    cards: tuple[str, ...]


@dataclass(frozen=True)
class Played(Event):
    """For the eyes of `seat`."""

    is_private: ClassVar[bool] = True
    seat: int
    amount: int


@dataclass(frozen=True)
class Folded(Event):
    """For the eyes of `seat`. `by`: say, timeout or game (no chips for a Play wager)."""

    is_private: ClassVar[bool] = True
    seat: int
    by: str
    amount: int


@dataclass(frozen=True)
class PlaysShown(Event):
    playing: tuple[int, ...]
    folded: tuple[int, ...]


@dataclass(frozen=True)
class DealerCards(Event):
    cards: tuple[str, ...]


@dataclass(frozen=True)
class RaisePlaced(Event):
    """For the eyes of `seat`."""

    is_private: ClassVar[bool] = True
    seat: int
    amount: int


@dataclass(frozen=True)
class Checked(Event):
    """For the eyes of `seat`. `by`: say, timeout or game (no chips for a Raise wager)."""

    is_private: ClassVar[bool] = True
    seat: int
    by: str


@dataclass(frozen=True)
class RaisesShown(Event):
    raised: tuple[int, ...]
    checked: tuple[int, ...]


@dataclass(frozen=True)
class Flop(Event):
    cards: tuple[str, ...]


@dataclass(frozen=True)
class BonusSettled(Event):
    """`hand` is what the two cards make with the flop; `pays` to 1, 0 where it is not on the pay table."""

    seat: int
    cards: tuple[str, ...]
    hand: str
    pays: int
    net: int


@dataclass(frozen=True)
class TurnAndRiver(Event):
    cards: tuple[str, ...]


@dataclass(frozen=True)
class HandsCompared(Event):
    """`seat` backed `side`; `hand` is the Player's (version 2: their own), `dealer` the Dealer's. `net` of Blind, Play, Raise."""

    seat: int
    side: str
    cards: tuple[str, ...]
    hand: str
    dealer: str
    net: int


@dataclass(frozen=True)
class HandOver(Event):
    """`bankrolls` by seat."""

    is_notable: ClassVar[bool] = True
    hand: int
    bankrolls: tuple[int, ...]


@dataclass(frozen=True)
class Withdrew(Event):
    """`by`: timeout or resign."""

    is_notable: ClassVar[bool] = True
    seat: int
    by: str


@dataclass(frozen=True)
class Broke(Event):
    """Cannot place the smallest wager any more."""

    is_notable: ClassVar[bool] = True
    seat: int
    bankroll: int


@dataclass(frozen=True)
class EpisodeOver(Event):
    """`winner` is a seat, or -1. `by`: hands, nobody-can-bet or withdrawn."""

    is_notable: ClassVar[bool] = True
    winner: int
    by: str
    bankroll: int


EVENTS: tuple[type[Event], ...] = (
    Shuffled,
    HandBegan,
    BetPlaced,
    SatOut,
    BetsShown,
    PlayerCards,
    OwnCards,
    Played,
    Folded,
    PlaysShown,
    DealerCards,
    RaisePlaced,
    Checked,
    RaisesShown,
    Flop,
    BonusSettled,
    TurnAndRiver,
    HandsCompared,
    HandOver,
    Withdrew,
    Broke,
    EpisodeOver,
)
