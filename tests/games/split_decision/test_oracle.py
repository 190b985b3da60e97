"""Split Decision against a second, independent implementation, and against the example records."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from host import record
from host.cli import main
from host.games import GAMES
from tests.games.split_decision import oracle

RECORDS = 500
EXAMPLES = Path(__file__).parent / "examples"
Row = dict[str, Any]


def comparable(row: Row, wanted: Row) -> Row:
    """A row without the words of an error, its table cut down to the keys that are wanted."""
    found = {key: value for key, value in row.items() if key != "error"}
    if "table" in wanted:
        found["table"] = {key: value for key, value in row["table"].items() if key in wanted["table"]}
    return found


def without_error(row: Row) -> Row:
    return {key: value for key, value in row.items() if key != "error"}


def rows(lines: list[Row]) -> Iterator[Row]:
    data = "\n".join(json.dumps(line) for line in lines).encode()
    found = record.read(data, GAMES)
    return record.rows(GAMES[found.header.game], found)


@pytest.mark.parametrize("first", range(0, RECORDS, 50))
def test_random_records_replay_as_in_the_oracle(first: int) -> None:
    for number in range(first, first + 50):
        lines = oracle.random_record(number)
        wanted = oracle.replay(lines)
        for found, expected in zip(rows(lines), wanted, strict=True):
            assert comparable(found, expected) == without_error(expected), f"record {number}, {expected.get('line')}"
            assert (found.get("error") is None) == (expected.get("error") is None)


def test_the_random_records_reach_everything() -> None:
    game = GAMES["split-decision"]
    endings: set[str | None] = set()
    phases: set[str] = set()
    refused = 0
    for number in range(RECORDS):
        if endings == {*game.endings, None} and phases == {*game.phases, "over"} and refused > 500:
            return
        found = record.read("\n".join(map(json.dumps, oracle.random_record(number))).encode(), GAMES)
        replay = record.Replay(game, found.header)
        refused += sum(replay.step(line) is not None for line in found.lines)
        phases |= {state.phase for state in replay.states}
        endings |= {game.ending(state) for state in replay.states}
    raise AssertionError((endings, phases, refused))


def test_there_are_examples() -> None:
    names = {file.name for file in EXAMPLES.iterdir()}
    assert {name for name in names if ".expected." not in name} == {
        f"split-decision-{number}.jsonl" for number in (1, 2, 3)
    }
    assert len(names) == 6


@pytest.mark.parametrize("number", [1, 2, 3])
def test_examples_replay_through_the_command_line(number: int, capsys: pytest.CaptureFixture[str]) -> None:
    file = EXAMPLES / f"split-decision-{number}.jsonl"
    expected = [json.loads(line) for line in file.with_suffix(".expected.jsonl").read_text("utf-8").splitlines()]
    status = main(["replay", str(file)])
    printed = capsys.readouterr()
    assert printed.err == ""
    found = [json.loads(line) for line in printed.out.splitlines()]
    assert status == int(any(row.get("ok") is False for row in expected))
    for row, wanted in zip(found, expected, strict=True):
        assert row.pop("file") == str(file)
        wanted.pop("file", None)
        assert comparable(row, wanted) == without_error(wanted)
        assert isinstance(row.get("error"), str) == (wanted.get("ok") is False)
