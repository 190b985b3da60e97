"""What the oracles share: the streams of docs/record-format.md, an episode line by line, and odd lines for random records.

It imports nothing of the house and knows no game. An oracle says with one `Play` how its game goes.
"""

import hmac
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

Line = dict[str, Any]
State = dict[str, Any]
"""All there is to know; `apply` changes it. It has a `phase`, "over" at the end, and holds dicts, lists and plain values."""
Row = dict[str, Any]

FORMAT = "podium-episode/1"
RANKS = "23456789TJQKA"
SUITS = "cdhs"
DECK = [rank + suit for suit in SUITS for rank in RANKS]

NAMES = ["ann", "bob", "cat", "dan", "eve", "Fay", "gus", "hal"]
STRANGERS = ["nobody", "zelda", "quentin"]
GARBAGE = ["", "hello there", "bananas", "good morning everybody", "???", "xyzzy", "what a lovely evening"]


class Stream:
    """The numbers drawn from a seed (64 hex digits) under one label."""

    def __init__(self, seed: str, label: str) -> None:
        self.key = bytes.fromhex(seed)
        self.label = label
        self.block = 0
        self.waiting: list[int] = []

    def next_number(self) -> int:
        """Eight bytes of a block are a number; a block has four."""
        if not self.waiting:
            data = hmac.digest(self.key, f"{self.label}:{self.block}".encode(), "sha256")
            self.block += 1
            self.waiting = [int.from_bytes(data[at : at + 8], "big") for at in range(0, 32, 8)]
        return self.waiting.pop(0)

    def below(self, n: int) -> int:
        """A number from 0 to n - 1, each as likely."""
        limit = 2**64 - 2**64 % n
        while True:
            number = self.next_number()
            if number < limit:
                return number % n


def shuffled(seed: str, label: str, things: Sequence[str] = DECK) -> list[str]:
    """The things, 52 cards if nothing else is said, in the order that the stream `label` gives them."""
    result = list(things)
    stream = Stream(seed, label)
    for i in range(len(result) - 1, 0, -1):
        j = stream.below(i + 1)
        result[i], result[j] = result[j], result[i]
    return result


def copied(value: Any) -> Any:
    """A copy that shares no dict and no list."""
    if isinstance(value, dict):
        return {key: copied(part) for key, part in value.items()}
    if isinstance(value, list):
        return [copied(part) for part in value]
    return value


@dataclass(frozen=True)
class Play:
    """How a game goes: `new_state` of a header; `apply` changes a state by a line that is not `back_to`, and gives the reason
    where it refuses; who is waited for, what everybody has won, the table and the result, as rows show them."""

    new_state: Callable[[Line], State]
    apply: Callable[[State, Line], str | None]
    waiting: Callable[[State], list[str]]
    winnings: Callable[[State], dict[str, int]]
    table: Callable[[State], Row]
    result: Callable[[State], Row]


class Episode:
    """The states after each line so far. They never change."""

    def __init__(self, play: Play, header: Line) -> None:
        self.play = play
        self.states = [play.new_state(header)]

    @property
    def state(self) -> State:
        return self.states[-1]

    def after(self, line: Line) -> tuple[State, str | None]:
        """The state that the line leads to, and why it is refused, if it is."""
        if "back_to" in line:
            number = line["back_to"]
            if isinstance(number, int) and not isinstance(number, bool) and 1 <= number <= len(self.states):
                return self.states[number - 1], None
            return self.state, "There is no such line before this one."
        state: State = copied(self.state)
        error = self.play.apply(state, line)
        return (state, None) if error is None else (self.state, error)

    def feed(self, line: Line) -> str | None:
        """Play a line; the reason, where it is refused."""
        state, error = self.after(line)
        self.states.append(state)
        return error


def rows_of(play: Play, lines: list[Line]) -> list[Row]:
    """The rows that a replay of the record prints, without the file's name."""
    episode = Episode(play, lines[0])
    rows = [_row(play, 1, episode.state, None)]
    for number, line in enumerate(lines[1:], 2):
        error = episode.feed(line)
        rows.append(_row(play, number, episode.state, error))
    if episode.state["phase"] == "over":
        rows.append({"result": play.result(episode.state)})
    return rows


def _row(play: Play, number: int, state: State, error: str | None) -> Row:
    return {
        "line": number,
        "ok": error is None,
        "error": error,
        "waiting": play.waiting(state),
        "winnings": dict(play.winnings(state)),
        "over": state["phase"] == "over",
        "table": play.table(state),
    }


def dress(rng: random.Random, say: str) -> str:
    """The same command in some case, sometimes with white space around it."""
    say = rng.choice([say, say, say, say.upper(), say.capitalize(), say.title(), say.swapcase()])
    if rng.random() < 0.05:
        say = rng.choice([" ", "  ", "\t"]) + say + rng.choice([" ", "\n", ""])
    return say


def refused_line(rng: random.Random, episode: Episode, doubtful: Callable[[random.Random, Episode], Line]) -> Line:
    """A line of the doubtful ones that the game refuses in this state."""
    while True:
        line = doubtful(rng, episode)
        if episode.after(line)[1] is not None:
            return line
