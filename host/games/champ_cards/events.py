"""Pure: the events of Champ Cards, one frozen class each, as the letters tell them.

Seats are 0 and 1, spaces 1-9, cards codes, money whole dollars.
"""

from host.engine.events import Acted, Event, OfSeat, WithCard


class RoundBegan(Event, is_minor=True):
    round: int
    seat: int


class CardTurned(OfSeat):
    space: int
    card: str
    was_shown: bool
    by_game: bool


class CardKept(OfSeat):
    space: int
    card: str
    total: int


class CardDrawn(WithCard):
    total: int
    left: str
    space: int
    by_game: bool


class Frozen(OfSeat):
    total: int


class RoundWon(OfSeat, is_notable=True):
    """`by`: blackjack, twenty-one, bust (of the other), beat (a frozen total), frozen-below (the freezer was behind)."""

    round: int
    by: str
    total: int
    other_total: int
    amount: int


class Eliminated(Acted, is_notable=True):
    """`by`: timeout or resign. `raised_to`: the other's main-game winnings now."""

    kept: int
    raised_to: int


class MainGameWon(Acted, is_notable=True):
    """`by`: rounds, blackjack or elimination."""

    winnings: int
    stake: int

    def ends_for(self, seat: int) -> bool:
        """For the one who lost it, and plays no bonus round."""
        return seat != self.seat


class BetPlaced(OfSeat):
    hand: int
    amount: int
    bank: int
    by_game: bool


class HandDealt(Event):
    hand: int
    up: str


class OfferMade(Event):
    """`by_host`: the host put this amount in place of the one drawn."""

    amount: int
    bank: int
    by_host: bool


class OfferAccepted(OfSeat):
    amount: int
    hole: str
    up: str


class OfferDeclined(OfSeat):
    amount: int
    hole: str
    up: str


class HousePlayed(Event):
    cards: tuple[str, ...]
    total: int


class HandWon(OfSeat):
    """`by`: blackjack, twenty-one, house-bust or higher (the player's total is at least the house's)."""

    hand: int
    by: str
    total: int
    bet: int
    bank: int


class HandLost(OfSeat):
    hand: int
    total: int
    house_total: int
    bet: int
    bank: int


class BonusOver(Acted):
    """`by`: accepted, busted, house-blackjack, bank-gone, five-hands, timeout or resign. `paid` joins the winnings."""

    lost: int
    paid: int
    winnings: int
