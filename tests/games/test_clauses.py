"""The numbered clauses of each room's RULES.md: every citation exists, every clause has a test."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import host
from host.engine.game import Game
from host.games import GAMES

HOUSE = Path(host.__file__).parent
TESTS = Path(__file__).parent

every_room = pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))


def folder(game: Game[Any, Any]) -> str:
    return game.slug.replace("-", "_")


def rules(game: Game[Any, Any]) -> str:
    return (HOUSE / "games" / folder(game) / "RULES.md").read_text("utf-8")


def clauses(game: Game[Any, Any]) -> list[int]:
    return [int(number) for number in re.findall(rf"^- \*\*{game.code}-(\d+)\*\* ", rules(game), re.MULTILINE)]


def cited(game: Game[Any, Any]) -> Iterator[tuple[str, int]]:
    files = [*HOUSE.rglob("*.py"), *TESTS.rglob("*.py"), *(HOUSE.parent / "templates").rglob("*.txt")]
    for file in files:
        text = file.read_text("utf-8")
        for number in re.findall(rf"\b{game.code}-(\d+)\b", text):
            yield str(file), int(number)
        for number in re.findall(rf"\bdef test_{game.code.lower()}_(\d+)_", text):
            yield str(file), int(number)


@every_room
def test_clauses_are_numbered_without_gaps(game: Game[Any, Any]) -> None:
    assert clauses(game) == list(range(1, len(clauses(game)) + 1))
    assert clauses(game)


@every_room
def test_each_clause_says_whether_it_is_source_or_ruling(game: Game[Any, Any]) -> None:
    lines = [line for line in rules(game).splitlines() if line.startswith("- **")]
    assert len(lines) == len(clauses(game))
    for line in lines:
        assert re.match(r"- \*\*[A-Z]+-\d+\*\* \(\*(source|ruling)\*\) \S.*\.$", line), line


@every_room
def test_each_citation_is_of_a_clause(game: Game[Any, Any]) -> None:
    found = list(cited(game))
    assert found
    assert [(file, number) for file, number in found if number not in clauses(game)] == []


@every_room
def test_each_clause_has_a_test(game: Game[Any, Any]) -> None:
    named = re.compile(rf"^def test_{game.code.lower()}_(\d\d)_", re.MULTILINE)
    files = (TESTS / folder(game)).rglob("test_*.py")
    tested = {int(number) for file in files for number in named.findall(file.read_text("utf-8"))}
    assert sorted(set(clauses(game)) - tested) == []


def test_codes_and_folders_are_distinct() -> None:
    games = list(GAMES.values())
    assert len({game.code for game in games}) == len(games)
    assert {folder(game) for game in games} == {
        each.name for each in (HOUSE / "games").iterdir() if (each / "__init__.py").exists()
    }
