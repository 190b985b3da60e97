"""The store: migrations, copies, the lock of the one daemon, transactions that lose nothing."""

import os
import signal
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import text

from host.store.database import StoreError, connect, open_store
from host.store.schema import Base, LobbyRow
from tests.size import a_few
from tests.store.test_migrations import migrated


def url(folder: Path) -> str:
    return f"sqlite:///{folder / 'podium.db'}"


def test_the_tables_are_those_of_the_models(tmp_path: Path) -> None:
    store = open_store(url(tmp_path))
    with store.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), Base.metadata) == []
        pragmas = {
            name: connection.execute(text(f"PRAGMA {name}")).scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys")
        }
    assert pragmas == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1}
    store.close()
    again = open_store(url(tmp_path))
    again.close()
    assert not list(tmp_path.glob("*.bak"))


def test_a_database_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    open_store(url(tmp_path)).close()
    with sqlite3.connect(tmp_path / "podium.db") as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(StoreError, match="made by a newer Podium"):
        open_store(url(tmp_path))


def test_a_file_that_is_no_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "podium.db").write_text("hello, I am a letter\n" * 100)
    with pytest.raises(StoreError, match="not one of Podium's"):
        open_store(url(tmp_path))
    assert (tmp_path / "podium.db").read_text().startswith("hello")
    with pytest.raises(StoreError, match="There is no folder"):
        open_store(f"sqlite:///{tmp_path / 'nowhere' / 'podium.db'}")


@pytest.mark.parametrize("version", [0, 999])
def test_a_file_of_another_program_is_refused_and_left_alone(tmp_path: Path, version: int) -> None:
    with sqlite3.connect(tmp_path / "podium.db") as connection:
        connection.execute("CREATE TABLE cats (name TEXT)")
        connection.execute(f"PRAGMA user_version = {version}")
    with pytest.raises(StoreError, match="not one of Podium's"):
        open_store(url(tmp_path))
    with sqlite3.connect(tmp_path / "podium.db") as connection:
        assert connection.execute("SELECT name FROM sqlite_master").fetchall() == [("cats",)]


def test_a_copy_is_made_before_a_migration(tmp_path: Path) -> None:
    open_store(url(tmp_path)).close()
    with sqlite3.connect(tmp_path / "podium.db") as connection:
        (newest,) = connection.execute("SELECT version_num FROM alembic_version").fetchone()
        for (name,) in connection.execute(
            "SELECT name FROM sqlite_master WHERE type='table' AND name NOT LIKE 'alembic%'"
        ).fetchall():
            connection.execute(f"DROP TABLE {name}")
        connection.execute("DELETE FROM alembic_version")
        connection.execute("CREATE TABLE precious (word TEXT)")
        connection.execute("INSERT INTO alembic_version VALUES (?)", (newest,))
    from host.store import database

    folder = tmp_path / "migrations"
    import shutil

    shutil.copytree(database.migrations_folder(), folder, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "versions" / "9999_more.py").write_text(
        f"from alembic import op\nrevision = '9999'\ndown_revision = '{newest}'\n\n\n"
        "def upgrade() -> None:\n    op.execute('CREATE TABLE more (word TEXT)')\n"
    )
    original = database.migrations_folder
    database.migrations_folder = lambda: folder
    try:
        open_store(url(tmp_path)).close()
    finally:
        database.migrations_folder = original
    with sqlite3.connect(tmp_path / "podium.db.before-9999.bak") as copy:
        assert copy.execute("SELECT count(*) FROM precious").fetchone() == (0,)
        assert copy.execute("SELECT count(*) FROM sqlite_master WHERE name = 'more'").fetchone() == (0,)


def test_a_backup_while_somebody_writes(tmp_path: Path) -> None:
    store = open_store(url(tmp_path))
    with store.transaction() as session:
        session.add(LobbyRow(game="x", episodes=0, champion_wins=0, begin_requested=False))
    with store.transaction() as session:
        session.get_one(LobbyRow, "x").episodes = 5
        store.backup(tmp_path / "copy.db")
    with sqlite3.connect(tmp_path / "copy.db") as copy:
        assert copy.execute("SELECT episodes FROM lobbies").fetchone() == (0,)
    with pytest.raises(StoreError, match="is there already"):
        store.backup(tmp_path / "copy.db")
    store.close()


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077])
def test_nobody_else_on_the_machine_can_read_what_the_store_writes(tmp_path: Path, umask: int) -> None:
    before = os.umask(umask)
    try:
        store = open_store(url(tmp_path))
        store.lock()
        with store.transaction() as session:
            session.add(LobbyRow(game="x", episodes=0, champion_wins=0, begin_requested=False))
        store.backup(tmp_path / "copy.db")
        store.backup(tmp_path / "podium.db.before-9999.bak")  # as a migration makes it
        modes = {each.name: each.stat().st_mode & 0o777 for each in tmp_path.iterdir()}
        store.close()
    finally:
        os.umask(before)
    beside = {"podium.db-wal", "podium.db-shm", "podium.db.lock", "podium.db.before-9999.bak"}
    assert modes == dict.fromkeys({"podium.db", "copy.db", *beside}, 0o600)


def test_a_database_that_is_there_keeps_its_rights(tmp_path: Path) -> None:
    open_store(url(tmp_path)).close()
    (tmp_path / "podium.db").chmod(0o640)
    open_store(url(tmp_path)).close()
    assert (tmp_path / "podium.db").stat().st_mode & 0o777 == 0o640, "the host may have meant it"


def test_two_writers_lose_nothing(tmp_path: Path) -> None:
    store = open_store(url(tmp_path))
    with store.transaction() as session:
        session.add(LobbyRow(game="x", episodes=0, champion_wins=0, begin_requested=False))

    def count() -> None:
        for _ in range(50):
            with store.transaction() as session:
                session.get_one(LobbyRow, "x").episodes += 1

    threads = [threading.Thread(target=count) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with store.reading() as session:
        assert session.get_one(LobbyRow, "x").episodes == 200
    store.close()


def test_the_lock_ends_with_its_process(tmp_path: Path) -> None:
    open_store(url(tmp_path)).close()
    code = f"from host.store.database import connect; import sys; s = connect({url(tmp_path)!r}); s.lock()"
    code += "; print('locked', flush=True); sys.stdin.read()"
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    holder = subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
    )
    assert holder.stdout is not None
    holder.stdout.readline()
    store = open_store(url(tmp_path))
    with pytest.raises(StoreError, match="Another podium run"):
        store.lock()
    holder.send_signal(signal.SIGKILL)
    holder.wait()
    store.lock()
    store.close()


KILLED = """
import os, signal
from sqlalchemy import Engine, event
from host.store.database import open_store

left = {at}

@event.listens_for(Engine, "before_cursor_execute")
def count(*_):
    global left
    left -= 1
    if not left:
        os.kill(os.getpid(), signal.SIGKILL)

open_store({url!r}).close()
"""


@pytest.mark.parametrize("revision", a_few(["", "0001"]))
def test_tables_that_are_killed_while_they_are_made_are_made_again(tmp_path: Path, revision: str) -> None:
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    if revision:
        before = connect(url(tmp_path))
        migrated(before, revision)
        before.close()
    for at in a_few((1, 5, 10, 20, 30, 40, 60, 80), 1 if revision else 2):
        code = KILLED.format(at=at, url=url(tmp_path))
        done = subprocess.run([sys.executable, "-c", code], env=environment, stderr=subprocess.DEVNULL)
        assert done.returncode == -signal.SIGKILL, f"statement {at}"
    store = open_store(url(tmp_path))
    with store.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), Base.metadata) == []
    store.close()


def test_a_network_file_system_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from host.store import database

    mounts = tmp_path / "mounts"
    mounts.write_text(
        f"/dev/sda / ext4 rw 0 0\nserver:/x {tmp_path} nfs4 rw 0 0\n/dev/sdb {tmp_path}/local xfs rw 0 0\n"
    )
    monkeypatch.setattr(database, "MOUNTS", mounts)
    with pytest.raises(StoreError, match="network file system"):
        open_store(url(tmp_path))
    (tmp_path / "local").mkdir()
    open_store(url(tmp_path / "local")).close()


def test_without_its_driver_postgresql_is_refused_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(StoreError) as caught:
        open_store("postgresql://podium@127.0.0.1:1/podium")
    words = 'A database at postgresql:// needs one more library: pip install "podium-host[postgresql]".'
    assert str(caught.value) == words
