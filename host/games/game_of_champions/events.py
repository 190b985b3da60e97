"""Pure: the events of The Game of Champions, one frozen class each, as the letters tell them.

Seats are 0 and 1, cards are codes. A list of an army names each commander before the cards under it.
"""

from host.engine.events import Acted, Event, OfSeat, WithCard


class Queued(OfSeat, is_private=True):
    """Throws that wait for their match."""

    throws: tuple[str, ...]


class ThrowsMet(Event):
    """One throw of each seat; `winner` is -1 where they are equal. `match`: dealer, first, flip or standstill."""

    match: str
    throws: tuple[str, ...]
    winner: int


class Dealt(Event):
    """`again`: the deal before gave somebody no face card or no number card."""

    dealer: int
    again: bool


class HandDealt(OfSeat, is_private=True):
    cards: tuple[str, ...]


class ArmyShown(OfSeat, is_notable=True):
    cards: tuple[str, ...]
    by_game: bool


class TurnBegan(OfSeat, is_minor=True):
    """The turn is this seat's."""


class Drawn(WithCard):
    """`why`: fortify (a turn's first step), trade, or end (a turn's last)."""

    why: str
    left: int


class Placed(WithCard):
    commander: str
    by_game: bool


class Generaled(OfSeat):
    """Cards and the commanders they went to, pair by pair."""

    cards: tuple[str, ...]


class Spied(OfSeat):
    """Two cards of the other side changed places."""

    first: str
    second: str


class Traded(OfSeat):
    commander: str


class Attacked(OfSeat):
    mine: str
    theirs: str


class Flipped(Event):
    """The attacker's card against the defender's; `winner` is a seat, or -1 for a tie. `as_ten`: a 2 under a jack."""

    number: int
    attacking: str
    defending: str
    as_ten: bool
    winner: int


class TieBroken(WithCard):
    """Roshambo decided a flip: `card` of `seat` falls."""


class Stopped(OfSeat):
    """The attacker broke the battle off."""


class BattleOver(OfSeat, is_notable=True):
    """How many cards the attacking seat and the other have left in their battalions."""

    attackers: int
    defenders: int


class Defeated(OfSeat, is_notable=True):
    commander: str


class Revived(WithCard):
    commander: str


class Held(OfSeat):
    count: int


class Standstill(Event, is_notable=True):
    """The sums of number cards, by seat."""

    sums: tuple[int, ...]


class Left(Acted, is_notable=True):
    """`by`: timeout or resign."""


class Won(Acted, is_notable=True):
    """`by`: battalions, standstill, roshambo, timeout or resign."""
