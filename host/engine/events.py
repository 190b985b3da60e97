"""Pure: the events of games: what all of them are, those of every game, and shapes that many share.

A room writes its own below these: `class Hit(WithCard)` has a `seat` and a `card`. An event's name and fields are stored with
the episode, so that neither ever changes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, dataclass_transform


@dataclass_transform(frozen_default=True)
@dataclass(frozen=True)
class Event:
    """Something that happened in a game; each of its subclasses is a frozen dataclass. A letter tells it by a macro of its name.

    `is_notable` marks what concerns also those who need not act: the end of a round, an elimination. `is_private` is for the
    eyes of its `seat` alone. `is_put_to_all` marks a question that goes from seat to seat: all who may come to it are written to.
    `is_minor`: letters leave it out, since the table below shows it.
    """

    is_notable: ClassVar[bool] = False
    is_private: ClassVar[bool] = False
    is_put_to_all: ClassVar[bool] = False
    is_minor: ClassVar[bool] = False

    def __init_subclass__(cls, **marks: bool) -> None:
        """Makes the class a frozen dataclass; the marks that it does not name are not inherited but `False`."""
        super().__init_subclass__()
        for mark in ("is_notable", "is_private", "is_put_to_all", "is_minor"):
            setattr(cls, mark, marks.pop(mark, False))
        if marks:
            raise TypeError(f"there is no mark {', '.join(marks)}")
        dataclass(frozen=True)(cls)

    def may_be_told(self, seat: int) -> bool:
        """May `seat` (or `HOST`, for what everybody may see) hear of it?"""
        return not self.is_private or getattr(self, "seat", None) == seat

    def concerns(self, seat: int) -> bool:
        """Is this news for `seat` even where nothing is asked of them?"""
        return self.is_notable

    def ends_for(self, seat: int) -> bool:
        """May it be the end of the episode for `seat`?"""
        return self.is_notable and getattr(self, "seat", None) == seat


class OfSeat(Event):
    """A seat did something, or something happened to it."""

    seat: int


class Acted(OfSeat):
    """A seat acted; `by` tells how it came about: `say`, or what stood in for a word of its own, such as `timeout`."""

    by: str


class WithCard(OfSeat):
    """A card came to a seat, or the seat did something with it."""

    card: str


class Shuffled(Event):
    """A deck was shuffled with the stream `label`. Never told before the episode is over: only the host may see it."""

    label: str
    deck: tuple[str, ...]

    def may_be_told(self, seat: int) -> bool:
        """The order of a deck is for nobody's eyes."""
        return False


class DeckCut(OfSeat):
    """`seat` cut the deck of the stream `label`: the top `count` cards went to the bottom."""

    label: str
    count: int


EVERY_GAME: tuple[type[Event], ...] = (Shuffled, DeckCut)
"""These may happen in any game; a room has macros for them only where it has other words."""


def events_of(names: dict[str, object]) -> tuple[type[Event], ...]:
    """The events that a module has of its own, in the order in which it has them; `names` are all that it has."""
    module = names["__name__"]
    return tuple(
        each
        for each in names.values()
        if isinstance(each, type) and issubclass(each, Event) and each.__module__ == module
    )


def news(events: Sequence[Event], seat: int | None) -> tuple[Event, ...]:
    """The events that `seat` may be told; all of them for None."""
    return tuple(event for event in events if seat is None or event.may_be_told(seat))
