"""Pure: an episode played again, step by step. In: its game, header and record. Out: what each line led to, all draws.

This is what a replay shows, and what the check of the cards in a browser compares with.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from host.engine import record
from host.engine.chance import Chance, Stream, T
from host.engine.events import Event
from host.engine.game import Game


@dataclass(frozen=True)
class Draw:
    """Something that was left to chance: `items` shuffled into `found`, or numbers `found`, each below its `bounds`."""

    label: str
    items: tuple[str, ...]
    bounds: tuple[int, ...]
    found: tuple[str | int, ...]


@dataclass(frozen=True)
class Step:
    """A line of the record: its number in the file, itself (None for the header), what it led to, and the state after it."""

    number: int
    line: record.Line | None
    events: tuple[Event, ...]
    state: Any


@dataclass(frozen=True)
class Walk:
    """A whole episode. `problem` says why it ends early: these rules do not allow a line."""

    steps: tuple[Step, ...]
    draws: tuple[Draw, ...]
    problem: str


@dataclass
class _Noted:
    """What was drawn so far, each stream once: a stream that is used again gives the same."""

    shuffles: dict[str, Draw] = field(default_factory=dict)
    numbers: dict[str, list[tuple[int, int]]] = field(default_factory=dict)


@dataclass(frozen=True)
class _NotingChance(Chance):
    """Chance that notes what is drawn."""

    noted: _Noted = field(default_factory=_Noted)

    def stream(self, label: str) -> Stream:
        """A stream whose numbers are noted."""
        numbers: list[tuple[int, int]] = []
        self.noted.numbers[label] = numbers
        return _NotingStream(self.seed, label, numbers)

    def shuffled(self, label: str, items: Sequence[T]) -> tuple[T, ...]:
        """A shuffle, noted as one."""
        found = Stream(self.seed, label).shuffled(items)
        self.noted.shuffles[label] = Draw(label, tuple(map(str, items)), (), tuple(map(str, found)))
        return found


class _NotingStream(Stream):
    def __init__(self, seed: bytes, label: str, numbers: list[tuple[int, int]]) -> None:
        super().__init__(seed, label)
        self._numbers_noted = numbers

    def below(self, bound: int) -> int:
        """The next number, noted."""
        found = super().below(bound)
        self._numbers_noted.append((bound, found))
        return found


def walk(game: Game[Any, Any], header: record.Header, lines: Sequence[record.Line]) -> Walk:
    """The episode from its deal to its last line, or to the first that these rules refuse."""
    chance = _NotingChance(header.seed)
    replay = record.Replay(game, header, chance)
    steps = [Step(1, None, replay.events, replay.state)]
    problem = ""
    for number, line in enumerate(lines, 2):
        reason = replay.step(line)
        if reason is not None:
            problem = f"line {number}: {reason}"
            break
        steps.append(Step(number, line, replay.events, replay.state))
    return Walk(tuple(steps), _draws(chance.noted), problem)


def _draws(noted: _Noted) -> tuple[Draw, ...]:
    numbers = (
        Draw(label, (), tuple(bound for bound, _ in drawn), tuple(found for _, found in drawn))
        for label, drawn in noted.numbers.items()
        if drawn
    )
    return (*noted.shuffles.values(), *numbers)
