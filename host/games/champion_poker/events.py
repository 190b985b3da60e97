"""Pure: the events of Champion Poker, one frozen class each, as the letters tell them.

Seats count from 0, hands from 1; cards are codes, amounts chips, nets what a seat gained or (below 0) lost. What a seat
answers side by side with others is for its own eyes; an event that shows all answers follows.
"""

from host.engine.events import Acted, Event, OfSeat


class HandBegan(Event, is_minor=True):
    hand: int
    hands: int


class BetPlaced(OfSeat, is_private=True):
    """`side`: player, dealer, or empty without a Blind."""

    amount: int
    side: str


class SatOut(Acted, is_private=True):
    """`by`: say or timeout."""


class BetsShown(Event):
    """`seats` bet `amounts`, on `sides` (as in BetPlaced); the others sat out."""

    seats: tuple[int, ...]
    amounts: tuple[int, ...]
    sides: tuple[str, ...]


class PlayerCards(Event):
    """Version 1: the Player cards, for everybody."""

    cards: tuple[str, ...]


class OwnCards(OfSeat, is_private=True):
    """Version 2 alone."""

    cards: tuple[str, ...]


class Played(OfSeat, is_private=True):
    amount: int


class Folded(Acted, is_private=True):
    """`by`: say, timeout or game (no chips for a Play wager)."""

    amount: int


class PlaysShown(Event):
    playing: tuple[int, ...]
    folded: tuple[int, ...]


class DealerCards(Event):
    cards: tuple[str, ...]


class RaisePlaced(OfSeat, is_private=True):
    amount: int


class Checked(Acted, is_private=True):
    """`by`: say, timeout or game (no chips for a Raise wager)."""


class RaisesShown(Event):
    raised: tuple[int, ...]
    checked: tuple[int, ...]


class Flop(Event):
    cards: tuple[str, ...]


class BonusSettled(OfSeat):
    """`hand` is what the two cards make with the flop; `pays` to 1, 0 where it is not on the pay table."""

    cards: tuple[str, ...]
    hand: str
    pays: int
    net: int


class TurnAndRiver(Event):
    cards: tuple[str, ...]


class HandsCompared(OfSeat):
    """`seat` backed `side`; `hand` is the Player's (version 2: their own), `dealer` the Dealer's. `net` of Blind, Play, Raise."""

    side: str
    cards: tuple[str, ...]
    hand: str
    dealer: str
    net: int


class HandOver(Event, is_notable=True):
    """`bankrolls` by seat."""

    hand: int
    bankrolls: tuple[int, ...]


class Withdrew(Acted, is_notable=True):
    """`by`: timeout or resign."""


class Broke(OfSeat, is_notable=True):
    """Cannot place the smallest wager any more."""

    bankroll: int


class EpisodeOver(Event, is_notable=True):
    """`winner` is a seat, or -1. `by`: hands, nobody-can-bet or withdrawn."""

    winner: int
    by: str
    bankroll: int
