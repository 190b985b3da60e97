"""The daemon as a whole: what it says where the database hinders it."""

import asyncio
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from host.daemon.main import Daemon
from host.daemon.runtime import StartError
from host.mail.outbound.smtp import Outboxes
from host.store import database
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
