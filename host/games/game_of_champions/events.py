"""Pure: what can happen in The Game of Champions, as the letters tell it. In: nothing. Out: one frozen class an event.

Seats are 0 and 1, cards are codes. A list of an army names each commander before the cards under it.
"""

from dataclasses import dataclass
from typing import ClassVar

from host.engine.game import Event, Shuffled


@dataclass(frozen=True)
class Queued(Event):
    """For the eyes of `seat`: throws that wait for their match."""

    is_private: ClassVar[bool] = True
    seat: int
    throws: tuple[str, ...]


@dataclass(frozen=True)
class ThrowsMet(Event):
    """One throw of each seat; `winner` is -1 where they are equal. `match`: dealer, first, flip or standstill."""

    match: str
    throws: tuple[str, ...]
    winner: int


@dataclass(frozen=True)
class Dealt(Event):
    """`again`: the deal before gave somebody no face card or no number card."""

    dealer: int
    again: bool


@dataclass(frozen=True)
class HandDealt(Event):
    """For the eyes of `seat`."""

    is_private: ClassVar[bool] = True
    seat: int
    cards: tuple[str, ...]


@dataclass(frozen=True)
class ArmyShown(Event):
    is_notable: ClassVar[bool] = True
    seat: int
    cards: tuple[str, ...]
    by_game: bool


@dataclass(frozen=True)
class TurnBegan(Event):
    seat: int


@dataclass(frozen=True)
class Drawn(Event):
    """`why`: fortify (a turn's first step), trade, or end (a turn's last)."""

    seat: int
    card: str
    why: str
    left: int


@dataclass(frozen=True)
class Placed(Event):
    seat: int
    card: str
    commander: str
    by_game: bool


@dataclass(frozen=True)
class Generaled(Event):
    """Cards and the commanders they went to, pair by pair."""

    seat: int
    cards: tuple[str, ...]


@dataclass(frozen=True)
class Spied(Event):
    """Two cards of the other side changed places."""

    seat: int
    first: str
    second: str


@dataclass(frozen=True)
class Traded(Event):
    seat: int
    commander: str


@dataclass(frozen=True)
class Attacked(Event):
    seat: int
    mine: str
    theirs: str


@dataclass(frozen=True)
class Flipped(Event):
    """The attacker's card against the defender's; `winner` is a seat, or -1 for a tie. `as_ten`: a 2 under a jack."""

    number: int
    attacking: str
    defending: str
    as_ten: bool
    winner: int


@dataclass(frozen=True)
class TieBroken(Event):
    """Roshambo decided a flip: `card` of `seat` falls."""

    seat: int
    card: str


@dataclass(frozen=True)
class Stopped(Event):
    seat: int


@dataclass(frozen=True)
class BattleOver(Event):
    """How many cards the attacking seat and the other have left in their battalions."""

    is_notable: ClassVar[bool] = True
    seat: int
    attackers: int
    defenders: int


@dataclass(frozen=True)
class Defeated(Event):
    is_notable: ClassVar[bool] = True
    seat: int
    commander: str


@dataclass(frozen=True)
class Revived(Event):
    seat: int
    card: str
    commander: str


@dataclass(frozen=True)
class Held(Event):
    seat: int
    count: int


@dataclass(frozen=True)
class Standstill(Event):
    """The sums of number cards, by seat."""

    is_notable: ClassVar[bool] = True
    sums: tuple[int, ...]


@dataclass(frozen=True)
class Left(Event):
    """`by`: timeout or resign."""

    is_notable: ClassVar[bool] = True
    seat: int
    by: str


@dataclass(frozen=True)
class Won(Event):
    """`by`: battalions, standstill, roshambo, timeout or resign."""

    is_notable: ClassVar[bool] = True
    seat: int
    by: str


EVENTS: tuple[type[Event], ...] = (
    Shuffled,
    Queued,
    ThrowsMet,
    Dealt,
    HandDealt,
    ArmyShown,
    TurnBegan,
    Drawn,
    Placed,
    Generaled,
    Spied,
    Traded,
    Attacked,
    Flipped,
    TieBroken,
    Stopped,
    BattleOver,
    Defeated,
    Revived,
    Held,
    Standstill,
    Left,
    Won,
)
