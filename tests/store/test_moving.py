"""A move from SQLite to PostgreSQL: nothing is lost, nothing is half there, and nobody plays on in the old file."""

import os
import random
import signal
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event, text
from sqlalchemy.engine import make_url

from host.cli.main import main
from host.demo.robot import tap
from host.store import moving
from host.store.database import Store, StoreError, connect, open_store
from host.store.schema import Base, Inbound, LobbyRow
from host.table.work import Services
from tests.patience import SECONDS
from tests.size import size
from tests.store import test_postgresql
from tests.store.server import claiming
from tests.turn.desk import ADDRESS, OPERATOR, Desk

ANN, BOB = test_postgresql.ANN, test_postgresql.BOB
TABLES = [table.name for table in Base.metadata.sorted_tables]
database = test_postgresql.database


def quiet(_line: str) -> None:
    pass


def made(database: str, name: str, encoding: str = "UTF8") -> str:
    """The URL of a new database on the server of `database`."""
    store = connect(database)
    with store.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)"))
        connection.execute(
            text(f"CREATE DATABASE {name} ENCODING '{encoding}' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0")
        )
    store.close()
    return make_url(database).set(database=name).render_as_string(hide_password=False)


def statement(to: str, sql: str) -> Any:
    store = connect(to)
    with store.engine.begin() as connection:
        result = connection.execute(text(sql))
        found = result.fetchall() if result.returns_rows else None
    store.close()
    return found


def counts(to: str) -> dict[str, int]:
    return dict(
        map(tuple, statement(to, " UNION ALL ".join(f"SELECT '{name}', count(*) FROM {name}" for name in TABLES)))
    )


def file_counts(folder: Path) -> dict[str, int]:
    with closing(sqlite3.connect(folder / "desk.db")) as connection:
        return {name: connection.execute(f"SELECT count(*) FROM {name}").fetchone()[0] for name in TABLES}


def begun(folder: Path) -> Desk:
    """An episode in its middle; its people write with more than ASCII."""
    desk = Desk(folder)
    desk.register(ANN, "Ann Łé🂡")
    desk.register(BOB, "Bob Ray")
    for _ in range(3):
        for address in (ANN, BOB):
            letter = desk.last(address)
            if letter.asks and letter.links:
                raw = tap(letter, address, "Somebody", random.Random(5), None)
                assert raw is not None
                desk.deliver(raw)
    assert desk.last(ANN).kind != "result"
    with desk.store.transaction() as session:
        for game in ("Zed", "ann", "a-b", "ab"):
            session.add(LobbyRow(game=game, episodes=0, champion_wins=0, begin_requested=False))
        last = session.get_one(Inbound, 1)
        last.uid = last.uidvalidity = 2**32 - 1
        last.raw = (last.raw or b"") + b"\xff\0\r\n"
        last.lines = ["\0 \ud83c\udca1", 1.0, True]
    return desk


def source(folder: Path) -> Store:
    return open_store(f"sqlite:///{folder / 'desk.db'}")


def configured(folder: Path, url: str) -> Path:
    file = folder / "podium.toml"
    file.write_text(
        f'[host]\naddress = "{ADDRESS}"\noperators = ["{OPERATOR}"]\n'
        f'[imap]\nhost = "127.0.0.1"\nsecurity = "none"\nusername = "x"\npassword = "x"\n'
        f'[smtp]\nhost = "127.0.0.1"\nsecurity = "none"\n[games.champ-cards]\n[database]\nurl = "{url}"\n'
    )
    return file


@pytest.mark.postgresql
def test_an_episode_goes_on_after_the_move(database: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    to = made(database, "podium")
    secret = to.replace("podium@", "podium:s3cret@")
    desk = begun(tmp_path)
    desk.store.close()
    open_store(to).close()
    statement(to, 'ALTER TABLE lobbies ALTER game TYPE varchar(40) COLLATE "en-x-icu"')  # ann before Zed there
    before = file_counts(tmp_path)
    config = configured(tmp_path, f"sqlite:///{tmp_path / 'desk.db'}")
    assert main(["move", "--to", secret, "--config", str(config)]) == 0
    printed = capsys.readouterr()
    assert f"letters: {before['letters']} rows, the same on both sides" in printed.out
    assert printed.out.endswith(f'url = "{to.replace("podium@", "podium:***@")}"\n')
    assert "s3cret" not in printed.out + printed.err

    assert counts(to) == before | {"audit": before["audit"] + 1}
    with closing(sqlite3.connect(tmp_path / "desk.db")) as connection:
        for sql in (
            "SELECT id, token, address, packed, state FROM letters ORDER BY id",
            "SELECT id, raw, note FROM inbound ORDER BY id",
            "SELECT episode_id, line, text FROM record_lines ORDER BY episode_id, line",
            "SELECT id, seed, version, game FROM episodes ORDER BY id",
            "SELECT id, called FROM contestants ORDER BY id",
        ):
            assert [tuple(row) for row in statement(to, sql)] == connection.execute(sql).fetchall() != []

    for command in (["status"], ["queue", "champ-cards"], ["run"], ["move", "--to", to]):
        assert main([*command, "--config", str(config)]) == 1
        refused = capsys.readouterr().err
        assert "desk.db was moved to postgresql://podium:***@" in refused
        assert len(refused.splitlines()) == 1

    desk.store = claiming(to)
    desk.services = Services(desk.config, desk.store)
    test_postgresql.play(desk, (ANN, BOB))
    desk.register("new@example.net", "New Body")
    desk.store.close()
    assert statement(to, "SELECT count(*) FROM episodes WHERE over_at IS NOT NULL")[0][0] == 1


@pytest.mark.postgresql
def test_a_killed_move_leaves_nothing_and_is_made_again(database: str, tmp_path: Path) -> None:
    to = made(database, "podium")
    begun(tmp_path).store.close()
    before = file_counts(tmp_path)
    for stop in size((1,), (1, len(TABLES))):
        killed_after(stop, tmp_path, to)
        assert set(counts(to).values()) == {0}
        source(tmp_path).close()
    killed_after(len(TABLES), tmp_path, to, "moving._mark = lambda *_: os.kill(os.getpid(), 9)")
    assert counts(to) == before
    lines: list[str] = []
    store = source(tmp_path)
    moving.move(store, to, lines.append)
    store.close()
    assert len(lines) == len(TABLES)
    assert counts(to) == before
    with pytest.raises(StoreError, match="was moved to"):
        source(tmp_path)


def killed_after(stop: int, folder: Path, to: str, first: str = "") -> None:
    """A process that moves is killed when it has told of `stop` tables; with `first` it goes on and kills itself."""
    code = f"""
import os, sys
from host.store import moving
from host.store.database import open_store
{first}
def tell(line):
    print(line, flush=True)
    sys.stdin.readline()
moving.move(open_store({f"sqlite:///{folder / 'desk.db'}"!r}), {to!r}, tell)
"""
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen([sys.executable, "-c", code], env=environment, **pipes) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for number in range(stop):
            assert " rows, " in process.stdout.readline()
            if number + 1 < stop or first:
                process.stdin.write("\n")
                process.stdin.flush()
        if not first:
            process.kill()
        assert process.wait(SECONDS) == -signal.SIGKILL


@pytest.mark.storm
@pytest.mark.postgresql
def test_a_row_that_is_not_there_as_it_was_undoes_the_move(database: str, tmp_path: Path) -> None:
    to = made(database, "podium")
    begun(tmp_path).store.close()
    open_store(to).close()
    for table, change, row in (
        ("letters", "IF NEW.id = 3 THEN NEW.packed = NEW.packed || '!'::bytea; END IF", "3"),
        ("decks", "NEW.cards = '[1]'", "1/"),
        ("questions", "IF NEW.id = 2 THEN RETURN NULL; END IF", "2"),
    ):
        statement(
            to, f"CREATE FUNCTION spoil() RETURNS trigger AS $$BEGIN {change}; RETURN NEW; END$$ LANGUAGE plpgsql"
        )
        statement(to, f"CREATE TRIGGER spoil BEFORE INSERT ON {table} FOR EACH ROW EXECUTE FUNCTION spoil()")
        fails(tmp_path, to, f"the row {row}.* of {table} is not there as it was; nothing was moved")
        assert set(counts(to).values()) == {0}
        statement(to, "DROP FUNCTION spoil CASCADE")
    with closing(sqlite3.connect(tmp_path / "desk.db")) as connection, connection:
        connection.execute(f"UPDATE letters SET kind = '{'x' * 17}' WHERE id = 2")
    fails(tmp_path, to, "the row 2 of letters is not taken: value too long")
    assert set(counts(to).values()) == {0}
    with closing(sqlite3.connect(tmp_path / "desk.db")) as connection, connection:
        connection.execute("UPDATE letters SET kind = 'turn' WHERE id = 2")
    store = source(tmp_path)
    moving.move(store, to, quiet)
    store.close()


def fails(folder: Path, to: str, words: str) -> None:
    store = source(folder)
    try:
        with pytest.raises(StoreError, match=words) as refused:
            moving.move(store, to, quiet)
        assert len(str(refused.value).splitlines()) == 1
    finally:
        store.close()
    source(folder).close()


@pytest.mark.storm
@pytest.mark.postgresql
def test_a_target_that_is_not_an_empty_database_is_refused_and_left_alone(database: str, tmp_path: Path) -> None:
    begun(tmp_path).store.close()
    foreign = made(database, "foreign_one")
    statement(foreign, "CREATE TABLE alembic_version (version_num TEXT); CREATE TABLE precious (word TEXT)")
    fails(tmp_path, foreign, "not Podium's: name an empty database")
    assert statement(foreign, "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'")[0][0] == 2

    newer = made(database, "newer")
    open_store(newer).close()
    statement(newer, "UPDATE alembic_version SET version_num = '9999'")
    fails(tmp_path, newer, "made by a newer Podium")

    taken = made(database, "taken")
    store = open_store(taken)
    with store.transaction() as session:
        session.add(LobbyRow(game="x", episodes=7, champion_wins=0, begin_requested=False))
    store.close()
    fails(tmp_path, taken, "holds rows of a Podium already")
    statement(taken, "UPDATE alembic_version SET version_num = '0003'")
    fails(tmp_path, taken, "holds rows of a Podium already")
    assert statement(taken, "SELECT version_num FROM alembic_version")[0][0] == "0003"
    assert statement(taken, "SELECT game, episodes FROM lobbies")[0][:] == ("x", 7)

    fails(tmp_path, made(database, "ascii", "SQL_ASCII"), "its? keeps text as SQL_ASCII")
    fails(tmp_path, make_url(database).set(database="nowhere").render_as_string(), 'database "nowhere" does not exist')


@pytest.mark.storm
@pytest.mark.postgresql
def test_undone_it_is_played_on_in_the_old_file(database: str, tmp_path: Path) -> None:
    to = made(database, "podium")
    desk = begun(tmp_path)
    url = f"sqlite:///{tmp_path / 'desk.db'}"
    store = source(tmp_path)
    with pytest.raises(StoreError, match="was not moved"):
        moving.undo(store)
    store.close()
    store = source(tmp_path)
    moving.move(store, to, quiet)
    store.close()
    with pytest.raises(StoreError, match="podium move --undo"):
        desk.register("new@example.net", "New Body")
    config = configured(tmp_path, url)
    assert main(["move", "--undo", "--config", str(config)]) == 0
    test_postgresql.play(desk, (ANN, BOB))
    desk.store.close()
    fails(tmp_path, to, "holds rows of a Podium already")


def test_a_writer_that_waited_for_the_move_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("host.store.database.BUSY_SECONDS", SECONDS)
    store = open_store(f"sqlite:///{tmp_path / 'desk.db'}")
    outcome: list[str] = []

    def write() -> None:
        try:
            with store.transaction() as session:
                session.add(LobbyRow(game="x", episodes=7, champion_wins=0, begin_requested=False))
        except StoreError as error:
            outcome.append(str(error))

    asks = threading.Event()
    writer = threading.Thread(target=write)
    with store.engine.begin() as old:
        event.listen(store.engine, "before_cursor_execute", lambda *_: asks.set())
        writer.start()
        assert asks.wait(SECONDS)
        assert writer.is_alive()
        moving._mark(old, "postgresql://somewhere/else")
    writer.join(SECONDS)
    assert outcome
    assert "was moved to postgresql://somewhere/else" in outcome[0]
    assert file_counts(tmp_path)["lobbies"] == 0
    moving.undo(store)
    with store.transaction() as session:
        session.add(LobbyRow(game="x", episodes=7, champion_wins=0, begin_requested=False))
    store.close()


def test_a_host_that_runs_is_not_moved(tmp_path: Path) -> None:
    daemon = source(tmp_path)
    daemon.lock()
    store = source(tmp_path)
    with pytest.raises(StoreError, match=r"podium run is using .*desk\.db: stop it first"):
        moving.move(store, "postgresql://podium@127.0.0.1:1/podium", quiet)
    with pytest.raises(StoreError, match="podium run is using"):
        moving.undo(store)
    daemon.close()
    with pytest.raises(StoreError, match="holds nothing yet"):
        moving.move(store, "postgresql://podium@127.0.0.1:1/podium", quiet)
    store.close()
    with store.transaction() as session:
        session.add(LobbyRow(game="x", episodes=7, champion_wins=0, begin_requested=False))
    with pytest.raises(StoreError, match=r"127\.0\.0\.1"):
        moving.move(store, "postgresql://podium@127.0.0.1:1/podium", quiet)
    store.close()


@pytest.mark.parametrize(
    "to",
    [
        "",
        "podium",
        "sqlite:///other.db",
        "mysql://x/y",
        "postgres://x/y",
        "postgresql://x",
        "postgresql+pg8000://x/y",
        "::",
    ],
)
def test_a_wrong_url_is_refused(to: str, tmp_path: Path) -> None:
    store = source(tmp_path)
    with pytest.raises(StoreError, match="--to cannot be read: write postgresql://user:password@host/name"):
        moving.move(store, to, quiet)
    store.close()


def test_no_password_is_shown() -> None:
    url = make_url("postgresql://ann:s3cret@h/db?password=s3cret&sslpassword=s3cret&sslmode=require")
    assert moving._shown(url) == "postgresql://ann:***@h/db?sslmode=require"
