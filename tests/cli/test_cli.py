"""The command line: exit status, one sentence for an error, and the commands that need no daemon."""

import contextlib
import errno
import io
import json
import re
import shlex
import sqlite3
import tomllib
from collections.abc import Callable
from datetime import UTC, datetime
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, event, select

from host import __version__
from host.cli.main import main
from host.engine import record
from host.engine.chance import commitment
from host.games import GAMES
from host.store import database
from host.store.database import connect, open_store
from host.store.people import contestant_called
from host.store.schema import AuditEntry, Chain, Heartbeat, Inbound
from host.table.work import Work
from host.turn import admin
from tests.games.playouts import playout, recorded
from tests.size import a_few, size
from tests.store.test_migrations import migrated
from tests.test_troubles import locked
from tests.turn.desk import Desk

TESTS = Path(__file__).parents[1]
REPLIES = TESTS / "mail" / "inbound" / "replies"
EXAMPLE = TESTS.parent / "config.example.toml"
Captured = pytest.CaptureFixture[str]
Written = Callable[..., str]


@pytest.fixture
def written(tmp_path: Path) -> Written:
    """Write a record and give its file."""

    def write(found: record.Record, name: str = "episode.jsonl") -> str:
        file = tmp_path / name
        lines = [record.write_header(found.header), *map(record.write_line, found.lines)]
        file.write_text("\n".join(lines) + "\n", "utf-8")
        return str(file)

    return write


def run(capsys: Captured, *arguments: str) -> tuple[int, str, str]:
    try:
        status = main(arguments)
    except SystemExit as leaving:
        status = int(str(leaving.code))
    printed = capsys.readouterr()
    return status, printed.out, printed.err


def rows(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


# Wrong use


@pytest.mark.parametrize(
    "line",
    [
        "",
        "nonsense",
        "--nonsense",
        "replay",
        "verify",
        "read",
        "simulate",
        "simulate champ-cards",
        "simulate chess --episodes 1",
        "simulate champ-cards --episodes 0",
        "simulate champ-cards --episodes -1",
        "simulate champ-cards --episodes many",
        "verify x --commitment zz",
        "verify x --commitment 66687a --mail y",
        "demo --port 70000",
        "demo --headless chess",
        "episode",
        "queue chess",
        "announce chess",
        "backup",
        "extend CC-1",
        "extend CC-1 --by soon",
        "extend CC-1 --by 0s",
        "extend CC-1 --by -2h",
        "pause",
        "withdraw CC-1",
        "say CC-1",
        "back CC-1",
        "back CC-1 0",
        "back CC-1 first",
        "begin",
        "begin chess",
        "run --role cook",
        "season begin",
        "season begin Winter --from soon",
        "season begin Winter --games chess",
        "season end",
        "run --role ,",
        "replay x --config y",
    ],
)
def test_wrong_use_is_status_2_and_one_line(line: str, capsys: Captured) -> None:
    status, out, err = run(capsys, *line.split())
    assert status == 2
    assert out == ""
    assert len(err.splitlines()) == 1
    assert err.startswith("podium")
    assert "--help" in err


def test_version(capsys: Captured) -> None:
    assert run(capsys, "--version") == (0, f"podium {__version__}\n", "")


@pytest.mark.parametrize(
    "command", ["run", "check", "demo", "replay", "verify", "read", "simulate", "status", "episode", "begin"]
)
def test_each_command_has_help(command: str, capsys: Captured) -> None:
    status, out, err = run(capsys, command, "--help")
    assert (status, err) == (0, "")
    assert f"podium {command}" in out


@pytest.mark.parametrize(
    "line",
    [
        "status",
        "episode CC-1",
        "queue champ-cards",
        "mail",
        "announce champ-cards",
        "backup copy.db",
        "season",
        "season begin Winter",
        "pause CC-1",
    ],
)
def test_without_a_configuration_one_sentence_says_what_to_do(line: str, capsys: Captured, tmp_path: Path) -> None:
    status, out, err = run(capsys, *line.split(), "--config", str(tmp_path / "none.toml"))
    assert (status, out) == (1, "")
    assert len(err.splitlines()) == 1
    assert "podium init" in err


# replay


def test_replay_prints_a_row_a_line_and_the_result(capsys: Captured, written: Written) -> None:
    found = recorded(playout("champ-cards", 1))
    file = written(found)
    status, out, err = run(capsys, "replay", file)
    assert (status, err) == (0, "")
    printed = rows(out)
    assert len(printed) == len(found.lines) + 2
    assert all(row["file"] == file for row in printed)
    assert [{"file": file, **row} for row in record.rows(GAMES["champ-cards"], found)] == printed
    assert "result" in printed[-1]


def test_replay_of_several_files_has_the_worst_status(capsys: Captured, written: Written, tmp_path: Path) -> None:
    good = written(recorded(playout("champ-cards", 1)), "good.jsonl")
    bad = record.Record(recorded(playout("champ-cards", 2)).header, (record.Say("bob", "keep"),))
    refused = written(bad, "refused.jsonl")
    none = tmp_path / "none.jsonl"
    none.write_text('{"format": 1}')
    assert run(capsys, "replay", good, refused)[0] == 1
    status, out, err = run(capsys, "replay", refused, str(none), good, str(tmp_path / "missing.jsonl"))
    assert status == 2
    assert {row["file"] for row in rows(out)} == {refused, good}
    first, second = err.splitlines()
    assert "none.jsonl is not an episode record: line 1: " in first
    assert "missing.jsonl cannot be read: " in second


def test_replay_keeps_letters_as_they_are(capsys: Captured, written: Written) -> None:
    found = record.Record(record.Header("champ-cards", bytes(32), ("Zoë", "李"), {}), (record.Say("李", "⚅"),))
    status, out, _ = run(capsys, "replay", written(found, "é.jsonl"))
    assert status == 1
    assert "Zoë" in out
    assert "李" in out
    assert "\\u" not in out


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_json_is_json_on_a_terminal_of_any_encoding(
    monkeypatch: pytest.MonkeyPatch, written: Written, encoding: str
) -> None:
    found = record.Record(record.Header("bluffjack", bytes(32), ("Ann", "Zoë", "李"), {}), ())
    shown = io.TextIOWrapper(io.BytesIO(), encoding)
    monkeypatch.setattr("sys.stdout", shown)
    assert main(("replay", written(found))) == 0
    shown.seek(0)
    rows = [json.loads(line) for line in shown.buffer.read().decode("utf-8").splitlines()]
    assert "Zoë" in json.dumps(rows, ensure_ascii=False)


def test_replay_reads_a_folder_as_an_error(capsys: Captured, tmp_path: Path) -> None:
    status, out, err = run(capsys, "replay", str(tmp_path))
    assert (status, out) == (2, "")
    assert "cannot be read" in err


# verify


def test_verify_without_a_promise_prints_the_commitment(capsys: Captured, tmp_path: Path) -> None:
    header = {"format": record.FORMAT, "game": "champ-cards", "seed": "00" * 32, "players": ["ann", "bob"]}
    file = tmp_path / "episode.jsonl"
    file.write_text(json.dumps(header))
    status, out, _ = run(capsys, "verify", str(file))
    assert status == 0
    assert commitment(bytes(32)) in out


def test_verify_against_header_and_commitment(capsys: Captured, written: Written) -> None:
    found = recorded(playout("champ-cards", 3))
    file, kept = written(found), commitment(found.header.seed)
    assert run(capsys, "verify", file)[0] == 0
    assert run(capsys, "verify", file, "--commitment", kept)[0] == 0
    assert run(capsys, "verify", file, "--commitment", kept.upper())[0] == 0
    status, out, _ = run(capsys, "verify", file, "--commitment", "0" * 64)
    assert status == 1
    assert "does not keep" in out


def test_verify_against_the_first_mail(capsys: Captured, written: Written, tmp_path: Path) -> None:
    found = recorded(playout("champ-cards", 3))
    file, mail = written(found), tmp_path / "first.eml"
    message = EmailMessage()
    message["X-Podium-Commitment"] = commitment(found.header.seed)
    mail.write_bytes(message.as_bytes())
    assert run(capsys, "verify", file, "--mail", str(mail))[0] == 0
    message.replace_header("X-Podium-Commitment", "0" * 64)
    mail.write_bytes(message.as_bytes())
    assert run(capsys, "verify", file, "--mail", str(mail))[0] == 1
    mail.write_bytes(b"Subject: hello\n\n")
    status, out, err = run(capsys, "verify", file, "--mail", str(mail))
    assert (status, out) == (1, "")
    assert "X-Podium-Commitment" in err
    status, _, err = run(capsys, "verify", file, "--mail", str(tmp_path / "none.eml"))
    assert status == 1
    assert "cannot be read" in err


def test_verify_tells_refused_lines(capsys: Captured, written: Written) -> None:
    found = recorded(playout("champ-cards", 3))
    wrong = record.Record(found.header, (*found.lines[:2], record.Say("bob", "keep 9"), *found.lines[2:]))
    status, out, _ = run(capsys, "verify", written(wrong))
    assert status == 1
    assert "line 4 is refused: " in out


@pytest.mark.parametrize("lines", [0, 1, 5])
def test_verify_says_that_an_episode_is_not_over(lines: int, capsys: Captured, written: Written) -> None:
    whole = recorded(playout("champ-cards", 3))
    assert "not over" not in run(capsys, "verify", written(whole, "whole.jsonl"))[1]
    cut = record.Record(whole.header, whole.lines[:lines])
    status, out, _ = run(capsys, "verify", written(cut))
    assert status == 0, "what is there holds"
    assert f"the episode is not over: its record ends with line {lines + 1}, and holds so far" in out
    assert "keeps the commitment" in out
    status, out, _ = run(capsys, "verify", written(cut), "--commitment", "0" * 64)
    assert status == 1
    assert f"the episode is not over: its record ends with line {lines + 1}\n" in out


def test_verify_of_what_is_no_record(capsys: Captured, tmp_path: Path) -> None:
    file = tmp_path / "none.jsonl"
    file.write_text("hello")
    status, out, err = run(capsys, "verify", str(file))
    assert (status, out) == (2, "")
    assert "line 1" in err


# read


def test_read_tells_what_it_reads(capsys: Captured) -> None:
    file = REPLIES / "gmail-web-top.eml"
    wanted = json.loads(file.with_suffix(".json").read_text("utf-8"))
    letter = str(REPLIES / "letters" / "turn.eml")
    status, out, err = run(capsys, "read", str(file), "--sent", letter)
    (row,) = rows(out)
    assert (status, err) == (0, "")
    assert list(row) == ["file", "from", "token", "lines", "silence", "problem"]
    assert row == {"file": str(file), "problem": None} | {
        key: wanted[key] for key in ("from", "token", "lines", "silence")
    }


def test_read_takes_several_files_and_json_is_the_same(capsys: Captured) -> None:
    files = [str(REPLIES / name) for name in ("gmail-ios.eml", "bounce-failed.eml", "stranger.eml")]
    status, out, _ = run(capsys, "read", *files)
    assert status == 0
    assert [row["file"] for row in rows(out)] == files
    assert [row["silence"] for row in rows(out)] == [None, "bounce", None]
    assert run(capsys, "read", "--json", *files)[1] == out


def test_read_of_a_file_that_is_not_there_goes_on(capsys: Captured, tmp_path: Path) -> None:
    file = str(REPLIES / "stranger.eml")
    status, out, err = run(capsys, "read", str(tmp_path / "none.eml"), file)
    assert status == 1
    assert [row["file"] for row in rows(out)] == [file]
    assert "none.eml cannot be read" in err
    assert run(capsys, "read", file, "--sent", str(tmp_path / "none.eml"))[0] == 1


def test_read_of_what_is_no_mail_has_a_problem(capsys: Captured, tmp_path: Path) -> None:
    file = tmp_path / "junk.eml"
    file.write_bytes(bytes(range(256)) * 10)
    status, out, _ = run(capsys, "read", str(file))
    (row,) = rows(out)
    assert status == 0
    assert (row["from"], row["token"]) == (None, None)
    assert row["problem"]


# questions


@pytest.fixture
def configured(tmp_path: Path) -> str:
    """A configuration whose database is in this test's folder."""
    file = tmp_path / "podium.toml"
    file.write_text(EXAMPLE.read_text("utf-8").replace("password_file", 'password = "x" #'), "utf-8")
    return str(file)


@pytest.mark.parametrize(
    "command", ["queue champ-cards", "people", "extend CC-1 --by 24h", "begin champ-cards", "login-link", "site out"]
)
def test_no_command_that_looks_makes_a_database(
    capsys: Captured, configured: str, tmp_path: Path, command: str
) -> None:
    status, _, error = run(capsys, *command.split(), "--config", configured)
    assert (status, list(tmp_path.glob("*.db*"))) == (1, [])
    assert "There is no database" in error


def questions(capsys: Captured, configured: str, *arguments: str) -> tuple[int, str, str]:
    return run(capsys, "questions", *arguments, "--config", configured)


def test_questions_are_imported_once(capsys: Captured, configured: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('[[question]]\nask = "Two and two?"\nanswers = ["four", "4"]\n', "utf-8")
    assert questions(capsys, configured, "import", str(file)) == (0, "1 question was added.\n", "")
    assert (
        questions(capsys, configured, "import", str(file))[1]
        == "0 questions were added, 1 question was in the bank already.\n"
    )
    status, out, err = questions(capsys, configured, "list", "--json")
    assert (status, err) == (0, "")
    assert json.loads(out) == [{"number": 1, "ask": "Two and two?", "answers": ["four", "4"], "episodes": 0}]
    assert "1 question, 1 of them never put" in questions(capsys, configured, "list")[1]


def test_the_starter_bank_can_be_imported_before_the_first_run(capsys: Captured, configured: str) -> None:
    status, out, err = questions(capsys, configured, "import", "starter")
    assert (status, err) == (0, "")
    assert int(out.split()[0]) >= 200


def test_the_configuration_may_stand_before_what_is_done_with_questions(capsys: Captured, configured: str) -> None:
    assert run(capsys, "questions", "--config", configured, "import", "starter")[0] == 0
    status, out, _ = run(capsys, "questions", "--config", configured, "list")
    assert (status, "of them never put" in out) == (0, True)


def test_a_csv_is_imported(capsys: Captured, configured: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.csv"
    file.write_text('ask,answers\n"Red, white and?",blue | Blue\n', "utf-8")
    assert questions(capsys, configured, "import", str(file))[:2] == (0, "1 question was added.\n")


@pytest.mark.parametrize(
    ("name", "text", "said"),
    a_few(
        [
            (
                "a.toml",
                '[[question]]\nask = "one"\nanswers = ["1"]\n[[question]]\nask = "two"\nanswers = ["a = b"]\n',
                "line 4: ",
            ),
            ("a.toml", '[[question]]\nask = "one\\ntwo"\nanswers = ["1"]\n', "line 1: ask has a line break"),
            ("a.toml", "[[question]]\nask = 5\n", "line 1: "),
            ("a.toml", "nonsense", "not TOML"),
            ("a.toml", 'x = "y"', "[[question]]"),
            ("a.csv", "ask,answers\none,1\ntwo,\n", "line 3: "),
            ("a.csv", "question,answer\none,1\n", "line 1: "),
        ],
        3,
    ),
)
def test_a_wrong_file_of_questions_is_refused_line_by_line(
    name: str, text: str, said: str, capsys: Captured, configured: str, tmp_path: Path
) -> None:
    file = tmp_path / name
    file.write_text(text, "utf-8")
    status, out, err = questions(capsys, configured, "import", str(file))
    assert (status, out) == (1, "")
    assert said in err
    assert "nothing was imported" in err
    assert questions(capsys, configured, "list", "--json")[1] == "[]\n"


def test_a_file_of_questions_that_is_not_there(capsys: Captured, configured: str) -> None:
    status, _, err = questions(capsys, configured, "import", "none.toml")
    assert status == 1
    assert "none.toml cannot be read" in err


# season


def season(capsys: Captured, configured: str, *arguments: str) -> tuple[int, str, str]:
    return run(capsys, "season", *arguments, "--config", configured)


def test_a_season_is_begun_shown_announced_and_closed(capsys: Captured, configured: str, tmp_path: Path) -> None:
    status, out, err = season(capsys, configured)
    assert (status, out) == (1, "")
    assert "podium season begin" in err
    options = ("--from", "2026-01-01", "--to", "2126-02-01", "--games", "champ-cards")
    status, out, err = season(capsys, configured, "begin", "Winter cup", *options)
    assert (status, err) == (0, "")
    end = out.split()[-1]
    assert re.fullmatch("[0-9a-f]{64}", end)
    status, out, err = run(capsys, "season", "--config", configured, "begin", "Another")
    assert (status, out) == (1, "")
    assert "Winter cup is not over" in err
    found = json.loads(season(capsys, configured, "--json")[1])
    assert (found["name"], found["games"], found["closed"]) == ("Winter cup", ["champ-cards"], None)
    assert found["chains"] == [{"end": end, "used": 0, "game": "champ-cards"}]
    assert (found["standings"], found["all"]) == ({}, [])
    assert found["to"].startswith("2126-02-0")
    assert end in season(capsys, configured)[1]
    assert end in run(capsys, "announce", "champ-cards", "--config", configured)[1]
    assert season(capsys, configured, "close") == (
        0,
        "The season Winter cup is closed, and all who played in it are told how it ended.\n",
        "",
    )
    assert end not in run(capsys, "announce", "champ-cards", "--config", configured)[1]
    assert season(capsys, configured, "close")[0] == 1
    with open_store(f"sqlite:///{tmp_path / 'podium.db'}").reading() as session:
        assert [each.command for each in session.scalars(select(AuditEntry).order_by(AuditEntry.id))] == [
            "season begin Winter cup --from 2026-01-01 --to 2126-02-01 --games champ-cards",
            "season close: Winter cup",
        ]
        assert session.scalars(select(Chain)).one().first.hex() not in json.dumps(found)


@pytest.mark.storm
def test_a_season_that_is_closed_by_hand_may_be_followed_at_once(capsys: Captured, configured: str) -> None:
    season(capsys, configured, "begin", "Winter cup", "--from", "2026-01-01", "--to", "2126-02-01", "--prizes", "A mug")
    status, out, err = season(capsys, configured, "close", "--next")
    assert (status, err) == (0, "")
    assert "Winter cup is closed" in out
    found = json.loads(season(capsys, configured, "--json")[1])
    assert (found["name"], found["prizes"], found["closed"]) == ("Winter cup 2", "A mug", None)
    assert out.split()[-1] in {each["end"] for each in found["chains"]}
    assert datetime.fromisoformat(found["to"]).year == datetime.fromisoformat(found["from"]).year + 100


# simulate, announce

SIMULATED = size(3, 20)


@pytest.mark.parametrize("game", size(["champion-poker"], list(GAMES)))
def test_simulate_tells_what_a_host_wants_to_know(game: str, capsys: Captured) -> None:
    status, out, _ = run(capsys, "simulate", game, "--episodes", str(SIMULATED), "--json")
    report = json.loads(out)
    assert status == 0
    assert sum(report["endings"].values()) == SIMULATED
    assert sum(report["wins"]) <= SIMULATED
    for way in report["ways"].values():
        assert all(letters >= replies for letters, replies in zip(way["letters"], way["replies"], strict=True))
        assert way["days"]["24h an answer"] > 0
    assert sum(report["ways"]["orders"]["replies"]) < sum(report["ways"]["alone"]["replies"])
    assert {"mean", "low_5", "high_5"} == set(report["paid"][0])
    assert set(report["late"]) == {"0", "3"}
    status, out, _ = run(capsys, "simulate", game, "--episodes", "2")
    assert "standing orders are given: days an episode takes" in out


@pytest.mark.storm
def test_simulate_is_the_same_for_the_same_seed(capsys: Captured) -> None:
    first = run(capsys, "simulate", "champ-cards", "--episodes", "4", "--seed", "a", "--json")
    assert first[0] == 0
    assert first == run(capsys, "simulate", "champ-cards", "--episodes", "4", "--seed", "a", "--json")
    assert first != run(capsys, "simulate", "champ-cards", "--episodes", "4", "--seed", "b", "--json")
    (report,) = rows(first[1])
    assert report["game"] == "champ-cards"
    assert report["episodes"] == sum(report["wins"]) == sum(report["endings"].values()) == 4
    assert set(report["endings"]) <= set(GAMES["champ-cards"].endings)


@pytest.mark.storm
def test_simulate_speaks_to_people(capsys: Captured) -> None:
    status, out, err = run(capsys, "simulate", "champ-cards", "--episodes", "5")
    assert (status, err) == (0, "")
    assert "5 episodes of champ-cards" in out
    assert "seat 1" in out


@pytest.mark.parametrize("game", list(GAMES))
def test_announce_says_how_to_register(game: str, capsys: Captured, tmp_path: Path) -> None:
    file = tmp_path / "podium.toml"
    text = EXAMPLE.read_text("utf-8")
    file.write_text(text if f"\n[games.{game}]" in text else f"{text}\n[games.{game}]\n", "utf-8")
    status, out, err = run(capsys, "announce", game, "--config", str(file))
    host = tomllib.loads(text)["host"]
    assert (status, err) == (0, "")
    assert GAMES[game].title in out
    assert GAMES[game].subject in out
    assert host["address"] in out
    assert host["name"] in out
    (link,) = [line for line in out.splitlines() if line.startswith("mailto:")]
    assert link.startswith(f"mailto:{host['address']}?subject=")
    assert " " not in link
    assert "%0D%0A" in link


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (
            "charlie = 5, longer_charlie = true, chips = 200",
            "Played here with: 5 cards below 21 beat any other total below 21, even more cards count as well.\n",
        ),
        (
            "charlie = 7, more_betting = true",
            "Played here with: 7 cards below 21 beat any other total below 21, bets between the cards, too.\n",
        ),
        ("chips = 200, no_house = false", None),
    ],
)
def test_announce_says_what_is_played_otherwise(
    options: str, told: str | None, capsys: Captured, tmp_path: Path
) -> None:
    file = tmp_path / "podium.toml"
    file.write_text(EXAMPLE.read_text("utf-8") + f"\n[games.bluffjack]\noptions = {{ {options} }}\n", "utf-8")
    status, out, err = run(capsys, "announce", "bluffjack", "--config", str(file))
    assert (status, err) == (0, "")
    assert [line for line in out.splitlines(keepends=True) if line.startswith("Played")] == ([told] if told else [])


def test_announce_of_a_game_that_is_not_offered(capsys: Captured, tmp_path: Path) -> None:
    file = tmp_path / "podium.toml"
    file.write_text(EXAMPLE.read_text("utf-8").partition("[games.")[0], "utf-8")
    status, out, err = run(capsys, "announce", "champ-cards", "--config", str(file))
    assert (status, out) == (1, "")
    assert "[games.champ-cards]" in err


# Beside a daemon


def test_status_waits_for_nobody_who_writes(capsys: Captured, configured: str, tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path / 'podium.db'}")
    with store.transaction() as session:
        session.add(Heartbeat(id=1, boot="x", steady=0.0, wall=datetime(2026, 11, 20, tzinfo=UTC)))
        session.flush()
        status, out, err = run(capsys, "status", "--config", configured)
    store.close()
    assert (status, err) == (0, "")
    assert "daemon last seen: never" in out
    assert "champ-cards" in out, "a game that nobody has registered for is shown too"


def contents(file: Path) -> list[str]:
    with contextlib.closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as connection:
        return list(connection.iterdump())


@pytest.mark.parametrize("line", a_few(["status", "status --json", "status --alive"]))
def test_status_writes_nothing(line: str, configured: str, tmp_path: Path, capsys: Captured) -> None:
    desk = Desk(tmp_path)
    desk.begin()
    desk.store.close()
    file = (tmp_path / "desk.db").rename(tmp_path / "podium.db")
    before = contents(file)
    statements: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        statements.append(statement.split()[0])

    event.listen(Engine, "before_cursor_execute", note)
    try:
        status, _, err = run(capsys, *line.split(), "--config", configured)
    finally:
        event.remove(Engine, "before_cursor_execute", note)
    assert (status, err) == ("--alive" in line, "")
    assert contents(file) == before
    assert "SELECT" in statements
    assert set(statements) <= {"SELECT", "PRAGMA", "BEGIN"}


@pytest.mark.parametrize(
    "line", ["status", "status --alive", "episode CC-1", "mail", "backup x.db", "people export x.csv"]
)
def test_what_only_looks_makes_no_database(line: str, configured: str, tmp_path: Path, capsys: Captured) -> None:
    before = sorted(tmp_path.iterdir())
    status, out, err = run(capsys, *line.split(), "--config", configured)
    assert (status, out) == (1, "")
    assert "podium run makes it" in err
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.storm
def test_what_was_said_in_a_players_place_is_hidden_while_they_play(played: str, capsys: Captured) -> None:
    assert run(capsys, "say", "CC-1", "--as", "Ann", "cut 13", "--config", played)[0] == 0
    for line in ("status", "episode CC-1", "episode CC-1 --json"):
        out = run(capsys, *line.split(), "--config", played)[1]
        assert "--as Ann (hidden)" in out, line
    assert "--as Ann cut 13" in run(capsys, "episode", "CC-1", "--reveal", "--config", played)[1]


def test_an_argument_that_is_no_text_is_told_so(capsys: Captured) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["people", "add", "Ren\udce9", "rene@example.net"])
    assert ended.value.code == 2
    assert "is not UTF-8 text" in capsys.readouterr().err


def test_status_migrates_and_its_alive_does_not(configured: str, tmp_path: Path, capsys: Captured) -> None:
    file = tmp_path / "podium.db"
    old = connect(f"sqlite:///{file}")
    migrated(old, "0001")
    old.close()
    before, beside = contents(file), sorted(tmp_path.iterdir())
    status, out, err = run(capsys, "status", "--alive", "--config", configured)
    assert (status, out) == (1, "")
    assert "podium run brings it there" in err
    assert (contents(file), sorted(tmp_path.iterdir())) == (before, beside)
    assert run(capsys, "status", "--config", configured)[0] == 0
    assert contents(file) != before


@pytest.mark.parametrize(
    "line",
    [
        "status",
        "episode CC-1",
        "queue champ-cards",
        "mail",
        "questions list",
        "announce champ-cards",
        "backup copy.db",
        "site pages",
        "pause CC-1",
    ][:: size(3, 1)],
)
def test_a_restored_copy_is_looked_at_without_the_passwords_of_mail(
    line: str, played: str, tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for each in ("IMAP", "SMTP"):
        monkeypatch.setenv(f"PODIUM_{each}__PASSWORD", "")
        monkeypatch.setenv(f"PODIUM_{each}__PASSWORD_FILE", "left-behind")
    assert run(capsys, *line.split(), "--config", played)[::2] == (0, "")
    status, _, err = run(capsys, "run", "--config", played)
    assert (status, err.count("password_file: ")) == (1, 2)


def test_each_option_of_a_game_that_cannot_be_is_told(configured: str, tmp_path: Path, capsys: Captured) -> None:
    file = Path(configured)
    text = file.read_text("utf-8")
    more = "[games.bluffjack]\noptions = { chips = -1 }\n[games.champion-poker]\noptions = { hats = 1 }\n"
    file.write_text(text[: text.index("[games.")] + more, "utf-8")
    status, out, _ = run(capsys, "check", "--config", configured)
    assert status == 1
    assert [line.partition(": ")[2].partition(":")[0] for line in out.splitlines()] == [
        "games.bluffjack",
        "games.champion-poker",
    ]


# A database that cannot be used


LOCKED = "podium: The database cannot be used (it is locked by another program): close that program, then try again.\n"


@pytest.mark.parametrize(
    ("line", "how"),
    a_few(
        [
            ('say CC-1 --as Ann "pick 5"', "IMMEDIATE"),
            ("pause CC-1", "EXCLUSIVE"),
            ("questions import starter", "IMMEDIATE"),
            ("backup copy.db", "IMMEDIATE"),
        ]
    ),
)
def test_a_locked_database_is_one_sentence(
    line: str, how: str, played: str, tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(database, "BUSY_SECONDS", 0)
    with locked(tmp_path / "desk.db", how):
        assert run(capsys, *shlex.split(line), "--config", played) == (1, "", LOCKED)


def test_a_database_that_others_keep_for_themselves_is_one_sentence(
    played: str, tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "BUSY_SECONDS", 0)
    with contextlib.closing(sqlite3.connect(tmp_path / "desk.db", isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        assert run(capsys, "status", "--config", played) == (1, "", LOCKED)


def test_a_full_disk_is_one_sentence(played: str, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    def prepare_small(connection: sqlite3.Connection, record: object) -> None:
        prepare(connection, record)
        connection.execute("PRAGMA max_page_count = 1")  # SQLite takes the pages that there are: none may come

    prepare = database._prepare_sqlite
    monkeypatch.setattr(database, "_prepare_sqlite", prepare_small)
    said = [run(capsys, "questions", "import", "starter", "--config", played) for _ in range(2)][-1]
    assert said == (1, "", "podium: The database cannot be used (the disk is full): make room, then try again.\n")


@pytest.mark.parametrize("line", ["run", "status", "say CC-1 hello", "queue champ-cards"])
def test_a_database_whose_folder_is_missing_is_one_sentence(
    line: str, configured: str, tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PODIUM_DATABASE__URL", f"sqlite:///{tmp_path}/nowhere/podium.db")
    status, out, err = run(capsys, *line.split(), "--config", configured)
    assert (status, out) == (1, "")
    assert err == (
        f"podium: There is no folder {tmp_path}/nowhere for the database: make it, or name another in [database] url.\n"
    )


def test_a_file_that_cannot_be_had_is_one_sentence(
    configured: str, tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(file: object, *_: object) -> int:
        raise PermissionError(errno.EACCES, "Permission denied", str(file))

    monkeypatch.setattr("host.store.database.os.open", refuse)
    status, out, err = run(capsys, "run", "--config", configured)
    assert (status, out) == (1, "")
    assert err.count("\n") == 1
    assert "podium.db.lock cannot be used (Permission denied): check that it is there, and its rights." in err


# What mail and people wrote, in a terminal

EVIL = "\x1b]0;mine\x07\x9b31m\u202e\u2066\u200b\ud800"
"""A title, a colour, a text turned round: what a terminal would obey."""
SHOWN = r"\x1b]0;mine\x07\x9b31m\u202e\u2066\u200b\ud800"


@pytest.fixture
def played(tmp_path: Path) -> str:
    """The configuration of a host to whom somebody wrote such things."""
    desk = Desk(tmp_path)
    desk.begin()
    desk.register("zoe@example.net", "Zoe Lee")
    row = desk.answer("ann@example.net", "pick 77")
    with desk.store.transaction() as session:
        found = session.get_one(Inbound, row.id)
        found.lines, found.note = ["second\nfake 12 line"], EVIL.replace("\ud800", "")
        zoe = contestant_called(session, "Zoe")
        assert zoe is not None
        zoe.called = "Zoë\u202e"
        admin.audit(Work(session, desk.services, desk.now), "boss", "say CC-1 \x1b[2J", "CC-1")
    desk.store.close()
    file = tmp_path / "podium.toml"
    text = EXAMPLE.read_text("utf-8").replace("password_file", 'password = "x" #')
    file.write_text(text.replace('url = "sqlite:///podium.db"', 'url = "sqlite:///desk.db"'), "utf-8")
    return str(file)


@pytest.mark.parametrize("line", a_few(["mail", "status", "queue champ-cards", "episode CC-1", "mail zoe@example.net"]))
def test_what_people_wrote_cannot_command_a_terminal(line: str, played: str, capsys: Captured) -> None:
    status, out, err = run(capsys, *line.split(), "--config", played)
    assert (status, err) == (0, "")
    assert all(each.isprintable() for each in out.split("\n")), "only lines of our own, and what can be printed"
    status, in_json, _ = run(capsys, *line.split(), "--json", "--config", played)
    assert status == 0
    assert json.loads(in_json)
    assert all(each.isprintable() for each in in_json.split("\n"))


def test_what_cannot_be_printed_is_shown(played: str, capsys: Captured) -> None:
    mails = run(capsys, "mail", "--config", played)[1]
    assert SHOWN.removesuffix(r"\ud800") in mails
    assert r"second\nfake 12 line" in mails
    assert r"say CC-1 \x1b[2J" in run(capsys, "status", "--config", played)[1]
    queue = run(capsys, "queue", "champ-cards", "--config", played)[1]
    assert r"Zoë" in queue
    assert r"\u202e" in queue
    (row,) = json.loads(run(capsys, "queue", "champ-cards", "--json", "--config", played)[1])
    assert "\u202e" in row["name"], "JSON gives what was written"


def test_an_error_and_a_record_of_somebody_else_command_no_terminal(
    played: str, capsys: Captured, tmp_path: Path
) -> None:
    _, out, err = run(capsys, "withdraw", "CC-1", EVIL, "--config", played)
    assert (out, SHOWN in err) == ("", True)
    assert "Zoë" not in err
    _, out, err = run(capsys, "withdraw", EVIL, "--config", played)
    assert "\x1b" not in out + err
    found = record.Record(record.Header("champ-cards", bytes(32), ("Zoë\u202e", "Bob"), {}), (record.Say("Bob", EVIL),))
    file = tmp_path / "evil.jsonl"
    text = "\n".join([record.write_header(found.header), *map(record.write_line, found.lines)])
    file.write_text(text.replace("\ud800", "\\ud800"), "utf-8")
    for command in ("replay", "verify"):
        _, out, err = run(capsys, command, str(file))
        assert all(each.isprintable() for each in (out + err).split("\n"))
    out = run(capsys, "replay", str(file))[1]
    assert rows(out)[0]["waiting"] == ["Zoë\u202e"]
    assert "Zoë" in out


def test_an_option_that_a_game_has_not_is_told_by_every_command(
    capsys: Captured, configured: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PODIUM_GAMES__BLUFFJACK__OPTIONS__FOO", "5")
    status, out, err = run(capsys, "people", "--config", configured)
    assert (status, out) == (1, "")
    assert err.startswith("podium: games.bluffjack: there is no option foo; there are chips")


def test_a_database_in_a_folder_with_signs_of_a_url_is_that_one(
    capsys: Captured, configured: str, tmp_path: Path
) -> None:
    folder = tmp_path / "w?x y%41"
    folder.mkdir()
    config = folder / "podium.toml"
    config.write_text(Path(configured).read_text("utf-8"), "utf-8")
    assert run(capsys, "people", "add", "Ann Lee", "ann@example.net", "--config", str(config))[0] == 0
    assert [file.name for file in folder.glob("*.db")] == ["podium.db"]
    assert list(tmp_path.glob("w")) == []
    assert "ann@example.net" in run(capsys, "people", "--config", str(config))[1]
    for expected in (0, 1):  # the second finds the file there
        assert run(capsys, "backup", str(folder / "copy.db"), "--config", str(config))[0] == expected
    with contextlib.closing(sqlite3.connect(folder / "podium.db")) as store:
        noted = store.execute("SELECT count(*) FROM audit WHERE command LIKE 'backup%'").fetchone()
    assert noted == (1,)


def test_an_environment_variable_that_is_wrong_is_named(
    capsys: Captured, configured: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PODIUM_IMAP__PROT", "1")
    status, _, err = run(capsys, "status", "--config", configured)
    assert status == 1
    assert err.startswith("podium: PODIUM_IMAP__PROT: imap.prot: there is no such key")


def test_a_path_that_can_be_none_is_one_sentence(capsys: Captured, configured: str) -> None:
    file = Path(configured)
    file.write_text(file.read_text("utf-8").replace("\n[look]", '\n[look]\nlogo = "a\\u0000b.png"'), "utf-8")
    status, _, err = run(capsys, "status", "--config", configured)
    assert (status, len(err.splitlines())) == (1, 1)
    assert "a path in it can be none" in err
