"""Pure: one step of play under way. In: a state and the chance. Out: the state as it becomes, and its events."""

from dataclasses import dataclass, field, replace
from typing import Any

from host.cards import Card
from host.chance import Chance
from host.game import Event, Outcome
from host.games.champ_cards.state import State, other


@dataclass
class Flow:
    """What the functions of the rules pass along: they `change` the state and `tell` events until somebody is asked."""

    chance: Chance
    state: State
    events: list[Event] = field(default_factory=list)

    def change(self, **fields: Any) -> None:
        """The state with some fields anew."""
        self.state = replace(self.state, **fields)

    def tell(self, event: Event) -> None:
        """One more thing that happened."""
        self.events.append(event)

    def outcome(self) -> Outcome[State]:
        """What this step led to."""
        return Outcome(self.state, tuple(self.events))


def with_hand(state: State, seat: int, cards: tuple[Card, ...]) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """Both hands, that of `seat` replaced."""
    return (cards, state.hands[1]) if seat == 0 else (state.hands[0], cards)


def with_amount(pair: tuple[int, int], seat: int, amount: int) -> tuple[int, int]:
    """A pair of numbers, that of `seat` replaced."""
    rest = pair[other(seat)]
    return (amount, rest) if seat == 0 else (rest, amount)
