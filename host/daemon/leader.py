"""Shell: the leads and claims of one process among several. In: leases in the store. Out: is a lead, or a claim, ours now?

Theory of operation. A role (`inbox`: reading the mailboxes; `clock`: keeping deadlines) has one leader. The leader holds a
lease in the database, `LENGTH` long by the database's clock, and renews it every `EVERY` seconds. The others ask for it as
often, and get it once it is over.

- If the leader stops, it gives the lease back, and another process takes over within `EVERY`.
- If the leader is killed or cut off, another process takes over within 10 s: `LENGTH`, and `EVERY` at most.
- If the leader is frozen and goes on later, it must not act on a lease that is over. It counts the lease from before it
  asked, `MARGIN` shorter, by the machine's steady clock, which goes on during sleep. So it knows that it lost the lead
  before any other process can have it, and asks `is_held` before each piece of work.

Besides, each process has a lease of its own, as long and renewed as often, under whose name it claims mails and letters
(`host.store.leases`). If it is killed or cut off, its claims are given back within 10 s. If it is frozen and goes on later, it
knows in the same way that what it claimed may be another's: it sends no letter that it has not begun to send, and takes a new
name as soon as it finds that the old one was ended. Mails need no such care: each is looked at again in the transaction that
plays it.
"""

import asyncio
import logging
from datetime import timedelta

from host import troubles
from host.daemon.runtime import Runtime
from host.store import leases

log = logging.getLogger("podium")

LENGTH = timedelta(seconds=7)
"""How long a lease lasts after its last renewal."""
EVERY = 1.5
"""Seconds between renewals, and between tries of those that wait."""
MARGIN = 1.0
"""Seconds by which the leader counts its lease shorter than it is."""


class _Lease:
    """A lease, and until when it is ours for certain. On SQLite, where there is one process, it is always held."""

    def __init__(self, runtime: Runtime, holder: str) -> None:
        self.runtime, self.holder, self.store = runtime, holder, runtime.services.store
        self._until = float("inf") if self.store.file is not None else float("-inf")

    @property
    def is_held(self) -> bool:
        """Is it ours, for certain, at this moment?"""
        return self.runtime.steady() < self._until

    def _hold_from(self, asked_at: float) -> None:
        self._until = asked_at + LENGTH.total_seconds() - MARGIN


class ProcessLease(_Lease):
    """The lease of this process."""

    def holds(self, claimer: str) -> bool:
        """Is what was claimed under this name ours, for certain, at this moment?"""
        return claimer == self.store.claimer and self.is_held

    async def begin(self) -> None:
        """Take a lease, under a new name."""
        if self.store.file is None:
            began = self.runtime.steady()
            await self.runtime.work(leases.begin, self.store, self.holder, LENGTH)
            self._hold_from(began)

    async def run(self) -> None:
        """Keep it until the daemon stops, and end those of processes that are gone."""
        await asyncio.gather(self.runtime.every(EVERY, self._renew), self.runtime.every(EVERY, self._end_those_over))

    async def end(self) -> None:
        """Give back what is still claimed."""
        if self.store.claimer:
            self._until = float("-inf")
            await self.runtime.work(leases.end, self.store)

    async def _renew(self) -> None:
        began = self.runtime.steady()
        if await self.runtime.work(leases.renew, self.store, LENGTH):
            self._hold_from(began)
        else:
            log.warning("this process stood still for longer than its lease; what it had claimed was given back")
            await self.begin()

    async def _end_those_over(self) -> None:
        ended = await self.runtime.work(leases.end_those_over, self.store)
        if ended:
            log.info("ended %d leases that were over", ended)


class Leadership(_Lease):
    """The lead in one role."""

    def __init__(self, runtime: Runtime, role: str, holder: str) -> None:
        super().__init__(runtime, holder)
        self.role = role
        self.changed = asyncio.Event()

    async def run(self) -> None:
        """Take it as soon as it is free, keep it until the daemon stops, and give it back."""
        runtime = self.runtime
        await runtime.repeat(self._try, EVERY, f"the lead in {self.role} cannot be asked for")
        if self.is_held:
            self._until = float("-inf")
            await runtime.work(leases.let_go, self.store, self.role, self.holder)

    async def _try(self) -> None:
        runtime = self.runtime
        began, had = runtime.steady(), self.is_held
        try:
            is_ours = await runtime.work(leases.hold, self.store, self.role, self.holder, LENGTH)
        except Exception as error:
            if had:
                log.warning("the lead in %s cannot be kept: %s", self.role, troubles.for_log(error))
            return
        if is_ours != had:
            log.info("%s the lead in %s", "took" if is_ours else "lost", self.role)
        if is_ours:
            self._hold_from(began)
            self.changed.set()
        else:
            self._until = float("-inf")
            self.changed.clear()
