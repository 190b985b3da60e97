"""Every room against a second, independent implementation (its `oracle.py`), and against the example records."""

import ast
import functools
import importlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from host.cli.main import main
from host.engine import record
from host.games import GAMES
from tests.games import oracle_kit
from tests.size import size
from tests.test_kinds import imported

RECORDS = 500
"""The first of them reach all endings and phases; `make test` replays some of them."""
BATCH = size(4, 100)
KIT = Path(oracle_kit.__file__)
Row = dict[str, Any]

every_room = pytest.mark.parametrize("slug", list(GAMES))


def folder(slug: str) -> str:
    return slug.replace("-", "_")


def oracle(slug: str) -> Any:
    return importlib.import_module(f"tests.games.{folder(slug)}.oracle")


def examples(slug: str) -> Path:
    return Path(__file__).parent / folder(slug) / "examples"


@pytest.mark.parametrize("file", [KIT, *sorted(KIT.parent.glob("*/oracle.py"))], ids=lambda file: file.parent.name)
def test_an_oracle_knows_nothing_of_the_house(file: Path) -> None:
    names = set(imported(ast.parse(file.read_text("utf-8"))))
    ours = {name for name in names if name.startswith(("host", "tests"))}
    assert ours <= {f"tests.games.oracle_kit.{name}" for name in vars(oracle_kit)} if file != KIT else not ours


@functools.cache
def random_record(slug: str, number: int) -> list[Row]:
    lines: list[Row] = oracle(slug).random_record(number)
    return lines


def read(lines: list[Row]) -> record.Record:
    return record.read("\n".join(map(json.dumps, lines)).encode(), GAMES)


def rows(lines: list[Row]) -> Iterator[Row]:
    found = read(lines)
    return record.rows(GAMES[found.header.game], found)


def comparable(row: Row, wanted: Row) -> Row:
    """A row without the words of an error, its table cut down to the keys that are wanted."""
    found = without_error(row)
    if "table" in wanted:
        found["table"] = {key: value for key, value in row["table"].items() if key in wanted["table"]}
    return found


def without_error(row: Row) -> Row:
    return {key: value for key, value in row.items() if key not in ("error", "file")}


def are_alike(slug: str, row: Row, wanted: Row) -> bool:
    """Are they equal, but for the order of lists that the rules leave free (the oracle's `normal`)?"""
    found, expected = comparable(row, wanted), without_error(wanted)
    normal = getattr(oracle(slug), "normal", None)
    return found == expected or (normal is not None and "table" in wanted and normal(found) == normal(expected))


@every_room
@pytest.mark.parametrize("first", range(0, RECORDS, size(250, 100)))
def test_random_records_replay_as_in_the_oracle(slug: str, first: int) -> None:
    for number in range(first, first + BATCH):
        lines = random_record(slug, number)
        for found, wanted in zip(rows(lines), oracle(slug).replay(lines), strict=True):
            assert are_alike(slug, found, wanted), f"record {number}, line {wanted.get('line')}"
            assert (found.get("error") is None) == (wanted.get("error") is None)


@pytest.mark.storm
@every_room
def test_the_random_records_reach_everything(slug: str) -> None:
    game = GAMES[slug]
    endings: set[str | None] = set()
    phases: set[str] = set()
    refused = 0
    for number in range(RECORDS):
        if endings >= set(game.endings) and phases >= {*game.phases, "over"} and refused > 300:
            return
        found = read(random_record(slug, number))
        replay = record.Replay(game, found.header)
        refused += sum(replay.step(line) is not None for line in found.lines)
        phases |= {state.phase for state in replay.states}
        endings |= {game.ending(state) for state in replay.states}
    raise AssertionError((endings, phases, refused))


@every_room
def test_there_are_examples(slug: str) -> None:
    names = {file.name for file in examples(slug).iterdir()}
    wanted = {f"{slug}-{number + 1}" for number in range(len(names) // 2)}
    assert len(wanted) >= 3
    assert names == {f"{name}{kind}.jsonl" for name in wanted for kind in ("", ".expected")}


@pytest.mark.parametrize(
    ("slug", "number"),
    [(slug, number + 1) for slug in GAMES for number in range(len(list(examples(slug).glob("*.expected.jsonl"))))],
)
def test_examples_replay_through_the_command_line(slug: str, number: int, capsys: pytest.CaptureFixture[str]) -> None:
    file = examples(slug) / f"{slug}-{number}.jsonl"
    expected = [json.loads(line) for line in file.with_suffix(".expected.jsonl").read_text("utf-8").splitlines()]
    status = main(["replay", str(file)])
    printed = capsys.readouterr()
    assert printed.err == ""
    found = [json.loads(line) for line in printed.out.splitlines()]
    assert status == int(any(row.get("ok") is False for row in expected))
    for row, wanted in zip(found, expected, strict=True):
        assert row["file"] == str(file)
        assert are_alike(slug, row, wanted)
        assert isinstance(row.get("error"), str) == (wanted.get("ok") is False)
