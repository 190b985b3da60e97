"""The daemon as a whole: what it says where the database hinders it."""

import asyncio
import logging
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from host.daemon.main import Daemon
from host.daemon.runtime import StartError
from host.mail.outbound.smtp import Outboxes
from host.store import database
from tests.patience import SECONDS, wait_until
from tests.test_troubles import locked
from tests.turn.desk import Desk

LOCKED = "The database cannot be used (it is locked by another program): close that program, then try again"


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    """A host whose database waits for no lock."""
    monkeypatch.setattr(database, "BUSY_SECONDS", 0)
    made = Desk(tmp_path)
    yield made
    made.store.close()


async def test_a_locked_database_is_told_in_the_log_once(desk: Desk, caplog: pytest.LogCaptureFixture) -> None:
    daemon = Daemon(desk.config, desk.store, lambda: desk.now)
    file = desk.store.file
    assert file is not None
    with caplog.at_level(logging.INFO, "podium"):
        with locked(file):
            for _ in range(3):
                await daemon.runtime.if_it_answers(daemon._run_lobbies)
        await daemon.runtime.if_it_answers(daemon._run_lobbies)
        with locked(file):
            await daemon.runtime.if_it_answers(daemon._run_lobbies)
    daemon.runtime.close()
    assert [each.getMessage() for each in caplog.records if each.levelno == logging.WARNING] == [LOCKED] * 2


def test_a_start_on_a_locked_database_is_one_sentence(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    async def connected(_daemon: Daemon) -> Outboxes:
        return Outboxes(desk.config.smtp)

    monkeypatch.setattr(Daemon, "_first_connections", connected)
    file = desk.store.file
    assert file is not None
    with locked(file), pytest.raises(StartError) as refused:
        asyncio.run(Daemon(desk.config, desk.store).run(handle_signals=False))
    assert str(refused.value) == f"{LOCKED}."


async def test_what_the_scheduler_began_is_finished_before_the_daemon_ends(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def connected(_daemon: Daemon) -> Outboxes:
        return Outboxes(desk.config.smtp)

    begun, done = threading.Event(), threading.Event()

    def run_lobbies(*_: object) -> bool:
        begun.set()
        wait_until(daemon.runtime.stopping.is_set, "the end")
        done.set()
        return False

    monkeypatch.setattr(Daemon, "_first_connections", connected)
    monkeypatch.setattr("host.daemon.main.LOBBY_SECONDS", 0.01)
    monkeypatch.setattr("host.daemon.steps.run_lobbies", run_lobbies)
    daemon = Daemon(desk.config, desk.store)
    running = asyncio.create_task(daemon.run(handle_signals=False))
    await asyncio.to_thread(begun.wait, SECONDS)
    daemon.stop()
    await running
    assert done.is_set()
    assert [each.getMessage() for each in caplog.records if each.levelno >= logging.ERROR] == []
