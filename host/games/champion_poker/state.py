"""Pure: the table of Champion Poker: its frozen state, and what both rules and grammar ask of it."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from host.engine.cards import Card

Phase = Literal["bet", "play", "raise", "over"]
Side = Literal["player", "dealer"]

SEATS = (1, 2, 3, 4, 5, 6)


@dataclass(frozen=True)
class Options:
    """How an episode is played (CP-1, CP-2); amounts in chips."""

    __pydantic_config__: ClassVar = {"extra": "forbid"}  # a stored state with other options does not fit
    version: int = 2
    paytable: str = "A"
    bankroll: int = 1000
    hands: int = 5
    min_bet: int = 5
    max_bet: int = 100


@dataclass(frozen=True)
class Wager:
    """A seat's stakes on the table. `side` is the hand that the Blind is on, None without one."""

    bonus: int = 0
    blind: int = 0
    play: int = 0
    raised: int = 0
    side: Side | None = None

    @property
    def on_the_hand(self) -> int:
        """Blind, Play and Raise together."""
        return self.blind + self.play + self.raised


@dataclass(frozen=True)
class State:
    """One episode; tuples are by seat, amounts in chips.

    `asked` are the seats whose answer this phase waits for. `shown_bankrolls` and `shown_wagers` are what everybody knows:
    how things stood when the phase began. `cards` are each seat's own cards (version 1: the same for all), `turned` the cards
    of this hand that everybody has seen. `bonus_net` and `blind_net` add up this hand, `last` is the pair of them from the
    hand before. `missed` counts a seat's deadlines that passed in a row, `gone` are those who withdrew, `broke` those who
    cannot bet any more.
    """

    options: Options
    bankrolls: tuple[int, ...]
    shown_bankrolls: tuple[int, ...]
    wagers: tuple[Wager, ...]
    shown_wagers: tuple[Wager, ...]
    bonus_net: tuple[int, ...]
    blind_net: tuple[int, ...]
    cards: tuple[tuple[Card, ...], ...]
    missed: tuple[int, ...]
    gone: tuple[bool, ...]
    broke: tuple[bool, ...]
    phase: Phase = "bet"
    hand: int = 0
    asked: tuple[int, ...] = ()
    community: tuple[Card, ...] = ()
    dealer_cards: tuple[Card, ...] = ()
    turned: tuple[Card, ...] = ()
    last: tuple[tuple[int, ...], tuple[int, ...]] | None = None
    winner: int | None = None
    ending: str | None = None


def smallest_wager(options: Options) -> int:
    """The chips that the least bet takes (CP-9)."""
    return options.min_bet * (2 if options.version == 2 else 1)


def largest_bet(state: State, seat: int, is_double: bool) -> int:
    """The most that `seat` can bet, on two spots where it is double (CP-7)."""
    return min(state.options.max_bet, state.bankrolls[seat] // (2 if is_double else 1))
