"""What other processes tell is heard at once; where it cannot be, the store is looked into as before."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from host.config import Config
from host.daemon import listener
from host.daemon.listener import Listener
from host.daemon.main import steady
from host.daemon.runtime import Runtime
from host.store import notices, queues
from host.store.database import Store, connect, open_store
from host.store.schema import Letter
from host.turn.work import Services
from tests.store.server import server
from tests.store.test_leases import mail
from tests.store.test_queues import letter
from tests.wire.proxy import Proxy

pytestmark = pytest.mark.postgresql
NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
PATIENCE = 20.0


@pytest.fixture
def store() -> Iterator[Store]:
    made = open_store(server().fresh())
    yield made
    made.close()


def runtime_of(store: Store) -> Runtime:
    place = {"host": "127.0.0.1", "security": "none"}
    data = {"host": {"address": "games@example.org"}, "imap": place | {"username": "x"}, "smtp": place}
    return Runtime(Services(Config.model_validate(data), store), lambda: NOW, steady)


def listening(store: Store, story: Callable[[Runtime], Awaitable[None]]) -> None:
    """The story, while a process listens on this store."""

    async def go() -> None:
        runtime = runtime_of(store)
        task = asyncio.create_task(Listener(runtime).run())
        try:
            await asyncio.wait_for(story(runtime), PATIENCE)
        finally:
            runtime.stopping.set()
            await asyncio.wait_for(task, PATIENCE)
            runtime.close()

    asyncio.run(go())


async def until(condition: Callable[[], bool]) -> None:
    while not condition():
        await asyncio.sleep(0.01)


async def is_heard(runtime: Runtime) -> None:
    """Listening has begun, with one look."""
    await until(lambda: runtime.is_told)
    await runtime.letters.wait()
    for event in (runtime.mails, runtime.unknown_mails, runtime.letters):
        event.clear()


def test_what_another_process_wrote_is_told_at_its_commit(store: Store) -> None:
    other = connect(store.engine.url.render_as_string(hide_password=False))

    async def story(runtime: Runtime) -> None:
        await is_heard(runtime)
        number = await asyncio.to_thread(letter, other, "a", NOW)
        await runtime.letters.wait()
        assert not runtime.mails.is_set()
        runtime.letters.clear()
        await asyncio.to_thread(mail, other, 1, "e1")
        await asyncio.gather(runtime.mails.wait(), runtime.unknown_mails.wait())
        assert not runtime.letters.is_set()
        with other.transaction() as session:
            session.get_one(Letter, number).state = "failed"
            session.get_one(Letter, number).packed = b"x"
        with other.transaction() as session:
            queues.retry_letter(session, number, NOW)
        await runtime.letters.wait()

    listening(store, story)
    other.close()


def test_a_process_tells_nobody_of_what_it_works_off_itself(store: Store) -> None:
    other = connect(store.engine.url.render_as_string(hide_password=False))
    notices.does_itself(other, ["letters"])

    async def story(runtime: Runtime) -> None:
        await is_heard(runtime)
        await asyncio.to_thread(letter, other, "a", NOW)
        await asyncio.to_thread(mail, other, 1, "e1")
        await runtime.mails.wait()
        assert not runtime.letters.is_set(), "it would have come first"

    listening(store, story)
    other.close()


def test_a_line_that_is_lost_is_made_again_and_followed_by_a_look(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("host.daemon.runtime.BACK_OFF_FIRST", 0.1)
    line = Proxy(server().port)
    url = store.engine.url.set(port=line.port).render_as_string(hide_password=False)
    through = connect(url)

    async def story(runtime: Runtime) -> None:
        await is_heard(runtime)
        await asyncio.to_thread(line.refuse)
        await asyncio.to_thread(line.reset)
        await until(lambda: not runtime.is_told)
        await asyncio.gather(runtime.mails.wait(), runtime.letters.wait())  # and one look, for who waits for long
        runtime.letters.clear()
        await asyncio.to_thread(letter, store, "a", NOW)
        await asyncio.to_thread(line.heal)
        await until(lambda: runtime.is_told)
        await runtime.letters.wait()

    listening(through, story)
    through.close()
    line.close()


def test_where_nothing_comes_through_the_store_is_looked_into_as_before(
    store: Store, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A pooler that parts lines among transactions takes LISTEN, and gives it to nobody."""
    monkeypatch.setattr(listener, "HEARD_WITHIN", 0.2)
    monkeypatch.setattr(notices, "probe", lambda *_: None)

    async def story(runtime: Runtime) -> None:
        await until(lambda: "nothing comes through the line" in caplog.text)
        assert not runtime.is_told
        await runtime.wait_for(runtime.letters)
        assert not runtime.letters.is_set()

    listening(store, story)


async def test_on_sqlite_there_is_nobody_to_hear(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path / 'a.db'}")
    runtime = runtime_of(store)
    assert runtime.is_told
    runtime.stopping.set()
    await Listener(runtime).run()
    runtime.close()
    store.close()
