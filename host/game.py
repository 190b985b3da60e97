"""Pure: the shape of a game. In: nothing. Out: the types that every room, and everything around a room, speaks.

A game is a frozen record of functions and facts. It never sees mail, clocks, stores or templates; chance comes in as
an argument. A sixth game is a folder that makes one more `Game`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, Final, Generic, TypeVar

from host.chance import Chance

HOST: Final = -1
"""The seat number that stands for the host, who may command but has no seat."""


class Refusal(Exception):
    """A command that plays nothing. `reason` is one sentence for the person who wrote it."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Invalid(Refusal):
    """Not understood. `chatter` tells that it does not even look like an attempt at a command."""

    def __init__(self, reason: str, chatter: bool = False) -> None:
        super().__init__(reason)
        self.chatter = chatter


class Illegal(Refusal):
    """Understood, not allowed now. `clause` is the number of the rule that says so, such as `CC-7`."""

    def __init__(self, reason: str, clause: str = "") -> None:
        super().__init__(reason)
        self.clause = clause


@dataclass(frozen=True)
class Event:
    """Something that happened in a game. Each game subclasses this; a letter tells it through a macro of its name.

    `is_notable` marks what concerns also those who need not act: the end of a round, an elimination.
    """

    is_notable: ClassVar[bool] = False


@dataclass(frozen=True)
class Shuffled(Event):
    """A deck was shuffled with the stream `label`. Never told before the episode is over: only the host may see it."""

    label: str
    deck: tuple[str, ...]


@dataclass(frozen=True)
class DeckCut(Event):
    """`seat` cut the deck of the stream `label`: the top `count` cards went to the bottom."""

    seat: int
    label: str
    count: int


@dataclass(frozen=True)
class Question:
    """What a seat is asked now. `key` is unique in the episode and ends when the question does; `phase` names its macro."""

    seat: int
    key: str
    phase: str


@dataclass(frozen=True)
class Choice:
    """One legal answer to a question, fit for a one-tap link.

    `say` are commands that are legal one after the other; `label` is what the link shows; `type_instead` says in words
    what to type; `kind` is the kind of move, of which a letter shows at least one.
    """

    say: tuple[str, ...]
    label: str
    type_instead: str
    kind: str


@dataclass(frozen=True)
class Earning:
    """Play money that a seat earned in one part (`account`) of an episode."""

    seat: int
    account: str
    amount: int


@dataclass(frozen=True)
class Result:
    """How an episode ended. `winner` and `champion` are seats or None; `extra` are the game's own result keys."""

    winner: int | None
    champion: int | None
    extra: Mapping[str, Any] = field(default_factory=dict)


State = TypeVar("State")
Command = TypeVar("Command")


@dataclass(frozen=True)
class Outcome(Generic[State]):
    """What a command, a deal or a timeout led to."""

    state: State
    events: tuple[Event, ...]


@dataclass(frozen=True)
class Game(Generic[State, Command]):
    """A game as functions and facts.

    `parse` raises `Invalid`, `apply` and `timeout` raise `Illegal`, `deal` raises `ValueError` for seats or options
    that the game does not allow; none changes what it is given. `seat` is 0, 1, ... or `HOST`.
    """

    slug: str
    title: str
    code: str
    subject: str
    seats: tuple[int, ...]
    options: Mapping[str, Any]
    endings: tuple[str, ...]
    version: int
    currency: str
    summary: str
    state_type: type[State]
    event_types: tuple[type[Event], ...]
    phases: tuple[str, ...]
    deal: Callable[[int, Mapping[str, Any], Chance], Outcome[State]]
    split: Callable[[str], tuple[str, ...]]
    parse: Callable[[str, State, int], Command]
    say: Callable[[Command], str]
    apply: Callable[[State, int, Command, Chance], Outcome[State]]
    timeout: Callable[[State, int, Chance], Outcome[State]]
    questions: Callable[[State], tuple[Question, ...]]
    choices: Callable[[State, Question], tuple[Choice, ...]]
    view: Callable[[State, int | None], Mapping[str, Any]]
    news: Callable[[Sequence[Event], int | None], tuple[Event, ...]]
    table: Callable[[State, Sequence[str]], dict[str, Any]]
    winnings: Callable[[State], tuple[int, ...]]
    earnings: Callable[[State], tuple[Earning, ...]]
    result: Callable[[State], Result | None]
    is_out: Callable[[State, int], bool]
    ending: Callable[[State], str | None]


def encode_event(event: Event) -> dict[str, Any]:
    """An event as JSON: its fields and, under `event`, its class name."""
    return {"event": type(event).__name__} | {each.name: getattr(event, each.name) for each in fields(event)}


def decode_event(game: Game[Any, Any], data: Mapping[str, Any]) -> Event:
    """The event that `encode_event` wrote. Raises `KeyError` for a class that the game does not have."""
    kinds = {kind.__name__: kind for kind in game.event_types}
    values = {key: tuple(value) if isinstance(value, list) else value for key, value in data.items() if key != "event"}
    return kinds[data["event"]](**values)
