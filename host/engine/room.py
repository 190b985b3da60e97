"""Pure: how a room becomes a game: a `Game` is made of its facts, a data file, and its five modules.

What a module of a room has to offer is written here once, as a protocol: mypy compares each room with it.
"""

from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import Any, Generic, Protocol, TypedDict, TypeVar, Unpack

from host.engine.chance import Chance
from host.engine.events import EVERY_GAME, events_of
from host.engine.game import (
    Bank,
    Choice,
    Command,
    Earning,
    Facts,
    Game,
    Outcome,
    Question,
    Result,
    State,
)
from host.engine.orders import Orders
from host.engine.vocabulary import Vocabulary
from host.engine.words import table

StateIn = TypeVar("StateIn", contravariant=True)
CommandIn = TypeVar("CommandIn", contravariant=True)
CommandOut = TypeVar("CommandOut", covariant=True)


class Commands(Protocol[StateIn, CommandOut]):
    """The module `commands`: what people write, and what links offer. What each function does stands in `Game`."""

    @property
    def VOCABULARY(self) -> Vocabulary: ...

    def split(self, line: str, /) -> tuple[str, ...]: ...
    def parse(self, fragment: str, state: StateIn, seat: int, /) -> CommandOut: ...
    def choices(self, state: StateIn, question: Question, /) -> tuple[Choice, ...]: ...
    def ahead(self, state: StateIn, seat: int, /) -> tuple[Choice, ...]: ...


class Rules(Protocol[State, CommandIn]):
    """The module `rules`, or a package: how it is played, and what can be asked of a state. See `Game`."""

    @property
    def ENDINGS(self) -> tuple[str, ...]: ...

    def deal(self, seats: int, options: Mapping[str, Any], chance: Chance, /) -> Outcome[State]: ...
    def apply(self, state: State, seat: int, command: CommandIn, chance: Chance, /) -> Outcome[State]: ...
    def timeout(self, state: State, seat: int, chance: Chance, /) -> Outcome[State]: ...
    def questions(self, state: State, /) -> tuple[Question, ...]: ...
    def is_out(self, state: State, seat: int, /) -> bool: ...
    def winnings(self, state: State, /) -> tuple[int, ...]: ...
    def result(self, state: State, /) -> Result | None: ...
    def scope(self, state: State, command: CommandIn, /) -> str: ...


class View(Protocol[State]):
    """The module `view`: who sees what. See `Game`."""

    def view(self, state: State, seat: int | None, /) -> Mapping[str, Any]: ...
    def as_seen(self, state: State, seat: int, /) -> State: ...
    def table(self, state: State, names: Sequence[str], /) -> dict[str, Any]: ...


class Beside(TypedDict, Generic[State], total=False):
    """The functions, and the question bank, that only some rooms have. See `Game`."""

    earnings: Callable[[State], tuple[Earning, ...]]
    prompt: Callable[[State, int], str]
    at_hand: Callable[[State, int], tuple[str, ...]]
    since: Callable[[Mapping[str, Any]], int]
    bank: Bank
    orders: Orders
    order_facts: Callable[[Mapping[str, Any], int], Mapping[str, int | str]]
    whole: Callable[[State, Question], tuple[Choice, ...]]
    guesses: Callable[[State, int, str], tuple[tuple[Any, ...], ...]]
    is_sure: Callable[[State, int, str], bool]


def facts(package: str, **more: Any) -> Facts:
    """The facts about a game, as `data/facts.toml` of its package has them; `more` are those that its modules hold."""
    given: dict[str, Any] = {"options": {}} | table(package, "facts.toml") | more
    for name, value in given.items():
        is_set = name in ("secret_verbs", "text_verbs")
        given[name] = frozenset(value) if is_set else tuple(value) if isinstance(value, list) else value
    return Facts(**given)


def game_of(
    facts: Facts,
    state_type: type[State],
    events: ModuleType,
    commands: Commands[State, Command],
    rules: Rules[State, Command],
    view: View[State],
    **beside: Unpack[Beside[State]],
) -> Game[State, Command]:
    """The game of a room. What only some rooms have, and which of their functions it is, is named by keyword."""
    return Game(
        **vars(facts),
        state_type=state_type,
        event_types=(*EVERY_GAME, *events_of(vars(events))),
        endings=rules.ENDINGS,
        deal=rules.deal,
        vocabulary=commands.VOCABULARY,
        split=commands.split,
        parse=commands.parse,
        apply=rules.apply,
        timeout=rules.timeout,
        questions=rules.questions,
        choices=commands.choices,
        ahead=commands.ahead,
        view=view.view,
        as_seen=view.as_seen,
        table=view.table,
        winnings=rules.winnings,
        result=rules.result,
        is_out=rules.is_out,
        scope=rules.scope,
        **beside,
    )
