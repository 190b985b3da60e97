"""Pure: what can happen in Champ Cards, as the letters tell it. In: nothing. Out: one frozen class an event.

Seats are 0 and 1, spaces 1-9, cards codes, money whole dollars.
"""

from dataclasses import dataclass
from typing import ClassVar

from host.engine.game import DeckCut, Event, Shuffled


@dataclass(frozen=True)
class RoundBegan(Event):
    round: int
    seat: int


@dataclass(frozen=True)
class CardTurned(Event):
    seat: int
    space: int
    card: str
    was_shown: bool
    by_game: bool


@dataclass(frozen=True)
class CardKept(Event):
    seat: int
    space: int
    card: str
    total: int


@dataclass(frozen=True)
class CardDrawn(Event):
    seat: int
    card: str
    total: int
    left: str
    space: int
    by_game: bool


@dataclass(frozen=True)
class Frozen(Event):
    seat: int
    total: int


@dataclass(frozen=True)
class RoundWon(Event):
    """`by`: blackjack, twenty-one, bust (of the other), beat (a frozen total), frozen-below (the freezer was behind)."""

    is_notable: ClassVar[bool] = True
    seat: int
    round: int
    by: str
    total: int
    other_total: int
    amount: int


@dataclass(frozen=True)
class Eliminated(Event):
    """`by`: timeout or resign. `raised_to`: the other's main-game winnings now."""

    is_notable: ClassVar[bool] = True
    seat: int
    by: str
    kept: int
    raised_to: int


@dataclass(frozen=True)
class MainGameWon(Event):
    """`by`: rounds, blackjack or elimination."""

    is_notable: ClassVar[bool] = True
    seat: int
    by: str
    winnings: int
    stake: int


@dataclass(frozen=True)
class BetPlaced(Event):
    seat: int
    hand: int
    amount: int
    bank: int
    by_game: bool


@dataclass(frozen=True)
class HandDealt(Event):
    hand: int
    up: str


@dataclass(frozen=True)
class OfferMade(Event):
    """`by_host`: the host put this amount in place of the one drawn."""

    amount: int
    bank: int
    by_host: bool


@dataclass(frozen=True)
class OfferAccepted(Event):
    seat: int
    amount: int
    hole: str
    up: str


@dataclass(frozen=True)
class OfferDeclined(Event):
    seat: int
    amount: int
    hole: str
    up: str


@dataclass(frozen=True)
class HousePlayed(Event):
    cards: tuple[str, ...]
    total: int


@dataclass(frozen=True)
class HandWon(Event):
    """`by`: blackjack, twenty-one, house-bust or higher (the player's total is at least the house's)."""

    seat: int
    hand: int
    by: str
    total: int
    bet: int
    bank: int


@dataclass(frozen=True)
class HandLost(Event):
    seat: int
    hand: int
    total: int
    house_total: int
    bet: int
    bank: int


@dataclass(frozen=True)
class BonusOver(Event):
    """`by`: accepted, busted, house-blackjack, bank-gone, five-hands, timeout or resign. `paid` joins the winnings."""

    seat: int
    by: str
    lost: int
    paid: int
    winnings: int


EVENTS: tuple[type[Event], ...] = (
    Shuffled,
    DeckCut,
    RoundBegan,
    CardTurned,
    CardKept,
    CardDrawn,
    Frozen,
    RoundWon,
    Eliminated,
    MainGameWon,
    BetPlaced,
    HandDealt,
    OfferMade,
    OfferAccepted,
    OfferDeclined,
    HousePlayed,
    HandWon,
    HandLost,
    BonusOver,
)
