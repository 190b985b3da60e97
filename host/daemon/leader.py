"""Shell: what only one of several processes does at a time. In: a lease in the store. Out: whether it is ours now.

Who is killed is followed within ten seconds; who was frozen past its lease knows so by the machine's steady clock before
it goes on.
"""

import asyncio
import logging
from datetime import timedelta

from host.daemon.runtime import Runtime
from host.store import leases

log = logging.getLogger("podium")

LENGTH = timedelta(seconds=7)
EVERY = 1.5
"""Seconds between renewals, and between tries of those that wait."""
MARGIN = 1.0


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
        while not runtime.stopping.is_set():
            await self._try()
            await runtime.sleep(EVERY)
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
