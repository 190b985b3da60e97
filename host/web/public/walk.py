"""Pure: an episode played again, step by step. In: its game, header and record. Out: what each line led to, all draws.

This is what a replay shows, and what the check of the cards in a browser compares with.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from host.engine import record
from host.engine.chance import Chance, Stream
from host.engine.events import Event
from host.engine.game import Game, T


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


@dataclass(frozen=True)
class _NotingChance(Chance):
    """Chance that notes what is drawn, each stream once: one that is used again gives the same."""

    shuffles: dict[str, Draw] = field(default_factory=dict)
    streams: dict[str, "_NotingStream"] = field(default_factory=dict)

    def stream(self, label: str) -> Stream:
        """A stream whose numbers are noted."""
        self.streams[label] = _NotingStream(self.seed, label)
        return self.streams[label]

    def shuffled(self, label: str, items: Sequence[T]) -> tuple[T, ...]:
        """A shuffle, noted as one."""
        found = Stream(self.seed, label).shuffled(items)
        self.shuffles[label] = Draw(label, tuple(map(str, items)), (), tuple(map(str, found)))
        return found


class _NotingStream(Stream):
    def __init__(self, seed: bytes, label: str) -> None:
        super().__init__(seed, label)
        self.bounds: list[int] = []
        self.found: list[int] = []

    def below(self, bound: int) -> int:
        """The next number, noted."""
        found = super().below(bound)
        self.bounds.append(bound)
        self.found.append(found)
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
    numbers = [Draw(label, (), (*of.bounds,), (*of.found,)) for label, of in chance.streams.items() if of.found]
    return Walk(tuple(steps), (*chance.shuffles.values(), *numbers), problem)
