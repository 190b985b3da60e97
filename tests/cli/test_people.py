"""`podium people` at the shell: the list, what is logged, files, wrong use."""

import contextlib
import json
import sqlite3
import stat
from pathlib import Path

import pytest

from host.store.database import open_store
from host.store.people import last_audit_entries
from tests.cli.test_cli import Captured, played, run
from tests.size import a_few

__all__ = ["played"]


def test_the_list_is_a_table_or_json(capsys: Captured, played: str) -> None:
    status, out, err = run(capsys, "people", "--config", played)
    assert (status, err) == (0, "")
    assert out.split("\n")[0].split() == "called address hometown since episodes wins where note".split()
    assert "ann@example.net" in out
    assert "CC-1" in out
    status, out, _ = run(capsys, "people", "--json", "--config", played)
    found = json.loads(out)
    assert [each["address"] for each in found] == ["ann@example.net", "bob@example.net", "zoe@example.net"]
    assert "seed" not in out


def test_what_the_host_does_to_people_is_logged_with_who(capsys: Captured, played: str, tmp_path: Path) -> None:
    for line in (
        ["people", "add", "Cleo Ray", "cleo@example.net", "--game", "champ-cards", "--hometown", "Fargo"],
        ["people", "name", "Cleo", "Clio"],
        ["people", "leave", "Clio", "champ-cards"],
        ["people", "bar", "zed@example.net", "known"],
        ["people", "unbar", "zed@example.net"],
        ["people", "merge", "Clio", "Bob"],
        ["people", "forget", "Bob"],
        ["warn", "CC-1", "Ann", "no insults"],
        ["write", "champ-cards", "Hello all"],
    ):
        status, out, err = run(capsys, *line, "--config", played)
        assert (status, err) == (0, ""), line
        assert len(out.splitlines()) == 1
    store = open_store(f"sqlite:///{tmp_path / 'desk.db'}")
    with store.reading() as session:
        entries = last_audit_entries(session, 9)
        assert all(each.who for each in entries)
        said = [each.command for each in entries]
    store.close()
    assert said[-1] == "people add Cleo Ray cleo@example.net --game champ-cards --hometown Fargo"
    assert said[1] == "warn CC-1 Ann no insults"


def test_a_file_goes_out_and_in(capsys: Captured, played: str, tmp_path: Path) -> None:
    file = tmp_path / "all.csv"
    status, out, _ = run(capsys, "people", "export", str(file), "--config", played)
    assert status == 0
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    before = file.read_bytes()
    for taken in (file, tmp_path / "desk.db"):
        assert run(capsys, "people", "export", str(taken), "--config", played)[0] == 1
    assert file.read_bytes() == before
    with contextlib.closing(sqlite3.connect(tmp_path / "desk.db")) as store:  # its log may be written into it meanwhile
        assert store.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert store.execute("SELECT count(*) FROM contestants").fetchone() == (3,)
    file.write_text(file.read_text() + "dora@example.net,Dora,,\n")
    status, out, _ = run(capsys, "people", "import", str(file), "--config", played)
    assert (status, out) == (0, "1 contestant was added, 3 were registered already.\n")


@pytest.mark.parametrize(
    ("line", "status"),
    a_few(
        [
            (["add", "Cleo"], 2),
            (["add", "Cleo", "c@d.example", "--game", "chess"], 2),
            (["bar", "zed@example.net"], 2),
            (["nonsense"], 2),
            (["leave", "Ann", "chess"], 2),
            (["add", "Cleo", "nowhere"], 1),
            (["name", "Nobody", "Somebody"], 1),
            (["unbar", "zed@example.net"], 1),
            (["export", "/nowhere/all.csv"], 1),
            (["import", "/nowhere/all.csv"], 1),
            (["import", "/dev/null"], 1),
        ],
        4,
    ),
)
def test_wrong_use_is_2_and_what_cannot_be_done_is_1(
    capsys: Captured, played: str, line: list[str], status: int
) -> None:
    found, out, err = run(capsys, "people", *line, "--config", played)
    assert (found, out) == (status, "")
    assert len(err.splitlines()) == 1


def test_who_is_to_be_forgotten_is_put_into_no_queue(capsys: Captured, played: str) -> None:
    assert run(capsys, "people", "add", "Cleo Ray", "cleo@example.net", "--config", played)[0] == 0
    assert run(capsys, "people", "forget", "Cleo", "--config", played)[0] == 0
    asked = ["people", "add", "Cleo", "cleo@example.net", "--game", "champ-cards"]
    status, out, err = run(capsys, *asked, "--config", played)
    assert (status, out) == (1, "")
    assert "is to be forgotten, and is in no queue" in err


@pytest.mark.parametrize("name", ["host", "red"])
def test_what_means_somebody_else_is_refused_as_a_name_too(capsys: Captured, played: str, name: str) -> None:
    status, out, err = run(capsys, "people", "name", "Bob", name, "--config", played)
    assert (status, out) == (1, "")
    assert f"“{name}” cannot be what somebody is called." in err
