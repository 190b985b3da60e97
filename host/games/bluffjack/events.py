"""Pure: the events of Bluffjack, one frozen class each, as the letters tell them.

Seats count from 0, hands from 1; cards are codes, amounts chips.
"""

from host.engine.events import Acted, Event, OfSeat, WithCard


class HandBegan(Event, is_put_to_all=True):
    """`seats` are dealt in; everyone pays `ante`."""

    hand: int
    dealer: int
    ante: int
    seats: tuple[int, ...]


class DownCard(WithCard, is_private=True):
    """For the eyes of `seat` alone."""


class UpCards(Event):
    """The cards face up that were dealt to `seats`, in that order."""

    seats: tuple[int, ...]
    cards: tuple[str, ...]


class OpeningBet(OfSeat):
    amount: int
    all_in: bool


class Folded(Acted):
    """`by`: say or timeout."""


class Checked(Acted):
    """`by`: say or timeout."""


class Called(OfSeat):
    amount: int
    all_in: bool


class Raised(OfSeat):
    """`amount` on top of the call; `paid` in all."""

    amount: int
    paid: int
    all_in: bool


class Hit(WithCard):
    """A card face up."""


class Stood(Acted):
    """`by`: say, timeout or deck (its last card was taken)."""


class Withdrew(Acted, is_notable=True):
    """`by`: timeout or resign. `chips` are lost to the house, or set aside."""

    chips: int


class Returned(OfSeat):
    """Chips that nobody matched go back."""

    amount: int


class Shown(OfSeat):
    """A hand in the showdown; `total` over 21 is a bust."""

    cards: tuple[str, ...]
    total: int


class PotWon(Event, is_notable=True):
    """A pot, main or side, and what each of its winners gets of it."""

    amount: int
    seats: tuple[int, ...]
    shares: tuple[int, ...]


class PotLost(Event, is_notable=True):
    """Chips for the house, or set aside; `by`: bust or unmatched (more than anybody left had in)."""

    amount: int
    by: str


class WonUnseen(OfSeat, is_notable=True):
    """All the others are gone: no card is shown."""

    amount: int


class Broke(OfSeat, is_notable=True):
    """No chips are left."""


class EpisodeWon(Acted, is_notable=True):
    """`by`: chips (all of them), hands (the last was played) or nobody (no player had chips left). `aside` joins the chips."""

    chips: int
    aside: int
