"""Pure: what can happen in Bluffjack, as the letters tell it. In: nothing. Out: one frozen class an event.

Seats count from 0, hands from 1; cards are codes, amounts chips.
"""

from dataclasses import dataclass
from typing import ClassVar

from host.engine.game import Event, Shuffled


@dataclass(frozen=True)
class HandBegan(Event):
    """`seats` are dealt in; everyone pays `ante`."""

    hand: int
    dealer: int
    ante: int
    seats: tuple[int, ...]


@dataclass(frozen=True)
class DownCard(Event):
    """For the eyes of `seat` alone."""

    is_private: ClassVar[bool] = True
    seat: int
    card: str


@dataclass(frozen=True)
class UpCards(Event):
    """The cards face up that were dealt to `seats`, in that order."""

    seats: tuple[int, ...]
    cards: tuple[str, ...]


@dataclass(frozen=True)
class OpeningBet(Event):
    seat: int
    amount: int
    all_in: bool


@dataclass(frozen=True)
class Folded(Event):
    """`by`: say or timeout."""

    seat: int
    by: str


@dataclass(frozen=True)
class Checked(Event):
    """`by`: say or timeout."""

    seat: int
    by: str


@dataclass(frozen=True)
class Called(Event):
    seat: int
    amount: int
    all_in: bool


@dataclass(frozen=True)
class Raised(Event):
    """`amount` on top of the call; `paid` in all."""

    seat: int
    amount: int
    paid: int
    all_in: bool


@dataclass(frozen=True)
class Hit(Event):
    seat: int
    card: str


@dataclass(frozen=True)
class Stood(Event):
    """`by`: say, timeout or deck (its last card was taken)."""

    seat: int
    by: str


@dataclass(frozen=True)
class Withdrew(Event):
    """`by`: timeout or resign. `chips` are lost to the house, or set aside."""

    is_notable: ClassVar[bool] = True
    seat: int
    by: str
    chips: int


@dataclass(frozen=True)
class Returned(Event):
    """Chips that nobody matched go back."""

    seat: int
    amount: int


@dataclass(frozen=True)
class Shown(Event):
    """A hand in the showdown; `total` over 21 is a bust."""

    seat: int
    cards: tuple[str, ...]
    total: int


@dataclass(frozen=True)
class PotWon(Event):
    """A pot, main or side, and what each of its winners gets of it."""

    is_notable: ClassVar[bool] = True
    amount: int
    seats: tuple[int, ...]
    shares: tuple[int, ...]


@dataclass(frozen=True)
class PotLost(Event):
    """Chips for the house, or set aside; `by`: bust or unmatched (more than anybody left had in)."""

    is_notable: ClassVar[bool] = True
    amount: int
    by: str


@dataclass(frozen=True)
class WonUnseen(Event):
    """All the others are gone: no card is shown."""

    is_notable: ClassVar[bool] = True
    seat: int
    amount: int


@dataclass(frozen=True)
class Broke(Event):
    is_notable: ClassVar[bool] = True
    seat: int


@dataclass(frozen=True)
class EpisodeWon(Event):
    """`by`: chips (all of them), hands (the last was played) or nobody (no player had chips left). `aside` joins the chips."""

    is_notable: ClassVar[bool] = True
    seat: int
    by: str
    chips: int
    aside: int


EVENTS: tuple[type[Event], ...] = (
    Shuffled,
    HandBegan,
    DownCard,
    UpCards,
    OpeningBet,
    Folded,
    Checked,
    Called,
    Raised,
    Hit,
    Stood,
    Withdrew,
    Returned,
    Shown,
    PotWon,
    PotLost,
    WonUnseen,
    Broke,
    EpisodeWon,
)
