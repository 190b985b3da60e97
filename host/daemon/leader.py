"""Shell: what only one of several processes does at a time. In: a lease in the store. Out: whether it is ours now.

Who is killed is followed within ten seconds; who was frozen past its lease knows so by the machine's steady clock before
it goes on.
"""

import asyncio
import logging
from datetime import timedelta

from host.daemon.runtime import Desk
from host.store import leases

log = logging.getLogger("podium")

LENGTH = timedelta(seconds=7)
EVERY = 1.5
"""Seconds between renewals, and between tries of those that wait."""
MARGIN = 1.0


class Lead:
    """The lead in one role. On SQLite, where there is one process, it is always held."""

    def __init__(self, desk: Desk, role: str, holder: str) -> None:
        self.desk, self.role, self.holder = desk, role, holder
        self.changed = asyncio.Event()
        self._until = float("inf") if desk.house.store.file is not None else float("-inf")

    @property
    def is_held(self) -> bool:
        """Is it ours, for certain, at this moment?"""
        return self.desk.steady() < self._until

    async def run(self) -> None:
        """Take it as soon as it is free, keep it until the daemon stops, and give it back."""
        desk = self.desk
        if desk.house.store.file is not None:
            await desk.stopping.wait()
            return
        while not desk.stopping.is_set():
            await self._try()
            await desk.sleep(EVERY)
        if self.is_held:
            self._until = float("-inf")
            await desk.work(leases.let_go, desk.house.store, self.role, self.holder)

    async def _try(self) -> None:
        desk = self.desk
        began, had = desk.steady(), self.is_held
        try:
            is_ours = await desk.work(leases.hold, desk.house.store, self.role, self.holder, LENGTH)
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
