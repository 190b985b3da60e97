"""Shell: what only one of several processes does at a time. In: a lease in the store. Out: whether it is ours now.

Theory of operation. A role (`inbox`: reading the mailboxes; `clock`: keeping deadlines) has one leader. The leader holds a
lease in the database, `LENGTH` long by the database's clock, and renews it every `EVERY` seconds. The others ask for it as
often, and get it once it is over.

- If the leader stops, it gives the lease back, and another process takes over within `EVERY`.
- If the leader is killed or cut off, another process takes over within 10 s: `LENGTH`, and `EVERY` at most.
- If the leader is frozen and goes on later, it must not act on a lease that is over. It counts the lease from before it
  asked, `MARGIN` shorter, by the machine's steady clock, which goes on during sleep. So it knows that it lost the lead
  before any other process can have it, and asks `is_held` before each piece of work.
"""

import asyncio
import logging
from datetime import timedelta

from host.daemon.runtime import Runtime
from host.store import leases

log = logging.getLogger("podium")

LENGTH = timedelta(seconds=7)
"""How long a lease lasts after its last renewal."""
EVERY = 1.5
"""Seconds between renewals, and between tries of those that wait."""
MARGIN = 1.0
"""Seconds by which the leader counts its lease shorter than it is."""


class Leadership:
    """The lead in one role. On SQLite, where there is one process, it is always held."""

    def __init__(self, runtime: Runtime, role: str, holder: str) -> None:
        self.runtime, self.role, self.holder = runtime, role, holder
        self.changed = asyncio.Event()
        self._until = float("inf") if runtime.services.store.file is not None else float("-inf")

    @property
    def is_held(self) -> bool:
        """Is it ours, for certain, at this moment?"""
        return self.runtime.steady() < self._until

    async def run(self) -> None:
        """Take it as soon as it is free, keep it until the daemon stops, and give it back."""
        runtime = self.runtime
        if runtime.services.store.file is not None:
            await runtime.stopping.wait()
            return
        await runtime.repeat(self._try, EVERY, f"the lead in {self.role} cannot be asked for")
        if self.is_held:
            self._until = float("-inf")
            await runtime.work(leases.let_go, runtime.services.store, self.role, self.holder)

    async def _try(self) -> None:
        runtime = self.runtime
        began, had = runtime.steady(), self.is_held
        try:
            is_ours = await runtime.work(leases.hold, runtime.services.store, self.role, self.holder, LENGTH)
        except Exception as error:
            if had:
                log.warning("the lead in %s cannot be kept: %s", self.role, error)
            return
        self._until = began + LENGTH.total_seconds() - MARGIN if is_ours else float("-inf")
        if is_ours != had:
            log.info("%s the lead in %s", "took" if is_ours else "lost", self.role)
        if is_ours:
            self.changed.set()
        else:
            self.changed.clear()
