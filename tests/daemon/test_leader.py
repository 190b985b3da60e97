"""A process's own lease: what it holds, what it knows to have lost, and what it gives back."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from pathlib import Path

import pytest

from host.daemon.leader import LENGTH, ProcessLease
from host.daemon.runtime import Runtime
from host.store import leases
from host.store.database import Store, connect, open_store
from host.store.schema import Lease
from tests.daemon.runtimes import NOW, runtime_of
from tests.store.server import server
from tests.store.test_leases import column, letters
from tests.store.test_queues import letter


def told(store: Store, story: Callable[[Runtime, ProcessLease, list[float]], Awaitable[None]]) -> None:
    """The story of a process whose steady clock stands at the number in the list."""

    async def go() -> None:
        moments = [100.0]
        runtime = runtime_of(store)
        runtime.steady = lambda: moments[0]
        try:
            await story(runtime, ProcessLease(runtime, "tests"), moments)
        finally:
            runtime.close()

    asyncio.run(go())
    store.close()


@pytest.mark.postgresql
def test_a_process_that_stood_still_holds_nothing_of_what_it_claimed_and_gets_a_new_name() -> None:
    url = server().fresh()
    other = open_store(url)

    async def story(_runtime: Runtime, lease: ProcessLease, moments: list[float]) -> None:
        assert not lease.holds("")
        await lease.begin()
        old = lease.store.claimer
        letter(lease.store, "a", NOW)
        assert len(letters(lease.store)) == 1
        assert lease.holds(old)
        moments[0] += LENGTH.total_seconds()  # it stands still
        assert not lease.holds(old), "before anybody has ended it"
        await lease._renew()
        assert lease.holds(old), "nobody has ended it"
        assert lease.store.claimer == old
        leases.begin(other, "other", timedelta(days=1))
        with other.transaction() as session:
            session.get_one(Lease, old).until = NOW
        assert leases.end_those_over(other) == 1
        assert len(letters(other)) == 1
        await lease._renew()
        assert lease.store.claimer not in ("", old)
        assert lease.holds(lease.store.claimer)
        assert not lease.holds(old), "its claims are another's"
        assert letters(lease.store) == []

    told(connect(url), story)
    other.close()


@pytest.mark.postgresql
def test_a_process_that_stops_gives_its_lease_back() -> None:
    url = server().fresh()
    other = open_store(url)

    async def story(runtime: Runtime, lease: ProcessLease, _moments: list[float]) -> None:
        await lease.begin()
        runtime.stopping.set()
        await lease.run()
        await lease.end()
        await lease.end()
        assert not lease.holds(lease.store.claimer)

    told(connect(url), story)
    assert column(other, Lease.name) == []
    other.close()


def test_on_sqlite_all_is_held(tmp_path: Path) -> None:
    async def story(runtime: Runtime, lease: ProcessLease, _moments: list[float]) -> None:
        await lease.begin()
        assert lease.holds("")
        runtime.stopping.set()
        await lease.run()
        await lease.end()

    told(open_store(f"sqlite:///{tmp_path / 'a.db'}"), story)
