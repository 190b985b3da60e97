"""What people write to a room: the file in which it lists that, and the tests that every room has of it."""

import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any, ClassVar

import pytest

from host.engine.game import Game, Invalid
from host.engine.grammar import is_polite
from tests.rows import try_all

CHATTER = (
    "Hello Bob",
    "What a lovely morning here in Berlin",
    "My dog barked at the postman",
    "Ann Jones",
    "Ann Smith",
    "Sorry for the delay",
    "I was away over the weekend and only saw this today",
    "Happy Easter",
    "Good game",
    "Nice hand",
    "Good luck to the dealer",
)


def sayings_in(file: Path, understood: bool) -> list[tuple[str, str, str]]:
    """Phase, saying and command of each entry of a sayings.toml: by phase, the commands meant, and what is not understood."""
    found = []
    for phase, by in tomllib.loads(file.read_text("utf-8")).items():
        for wanted, block in by.items():
            if understood == (wanted != "not understood"):
                found += [(phase, text, wanted) for line in block.splitlines() for text in line.split(" | ")]
    return found


def commands(game: Game[Any, Any], text: str, state: Any) -> list[str]:
    """The commands in a line, small talk left out; the state stays as it is."""
    return [game.say(game.parse(part, state, 0)) for part in game.split(text) if not is_polite(part)]


class Sayings:
    """The tests of what people write to a room: its `file` of sayings, a table for each phase.

    `attempts` are commands in the wrong words, `reasons` by phase and text what is said of some.
    """

    game: ClassVar[Game[Any, Any]]
    file: ClassVar[Path]
    tables: ClassVar[Mapping[str, Any]]
    chatter: ClassVar[Sequence[str]] = CHATTER
    attempts: ClassVar[Sequence[str]] = ()
    reasons: ClassVar[Sequence[tuple[str, str, str]]] = ()

    def refused(self, phase: str, text: str) -> Invalid:
        with pytest.raises(Invalid) as caught:
            self.game.parse(text, self.tables[phase], 0)
        return caught.value

    def each(self, rows: Iterable[Sequence[Any]], check: Callable[..., None]) -> None:
        try_all(("phase", "text", "wanted"), rows, check)

    def test_is_understood(self) -> None:
        def check(phase: str, text: str, wanted: str) -> None:
            assert commands(self.game, text, self.tables[phase]) == [wanted]

        self.each(sayings_in(self.file, understood=True), check)

    def test_is_not_understood(self) -> None:
        """What is tried is refused as a whole: its first part plays nothing either."""

        def check(phase: str, text: str, wanted: str) -> None:
            parts = [part for part in self.game.split(text) if not is_polite(part)] or self.game.split(text)
            assert parts
            assert all(self.refused(phase, part).reason.endswith(".") for part in parts), wanted

        self.each(sayings_in(self.file, understood=False), check)

    def test_small_talk_does_not_look_like_a_command_and_an_attempt_is_none(self) -> None:
        def check(phase: str, text: str, wanted: bool) -> None:
            assert self.refused(phase, text).chatter == wanted

        self.each(product(self.tables, self.chatter, [True]), check)
        self.each(product(self.tables, self.attempts, [False]), check)

    def test_the_reason_says_what_is_wrong(self) -> None:
        def check(phase: str, text: str, wanted: str) -> None:
            assert self.refused(phase, text).reason == wanted

        self.each(self.reasons, check)

    def test_a_long_text_is_shown_in_part(self) -> None:
        assert all(len(self.refused(phase, "blah " * 1000).reason) < 120 for phase in self.tables)
