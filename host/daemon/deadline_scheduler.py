"""Shell: the deadlines. In: what is due by now, and how far the mailboxes were read. Out: reminders, timeouts, a few a time.

A walk over what is due goes on where it stopped, so that what cannot be worked off yet keeps nothing behind it waiting;
between two steps the desk is free for mail that comes in.
"""

import logging
from collections.abc import Callable
from datetime import datetime

from host.daemon.leader import Leadership
from host.daemon.runtime import BackOff, Runtime
from host.games import GAMES
from host.store.database import is_passing
from host.turn import expire, outage
from host.turn.expire import Sweep

log = logging.getLogger("podium")

EVERY = 1.0


class DeadlineScheduler:
    """Works off deadlines and reminders, as long as this process has the lead in it."""

    def __init__(self, runtime: Runtime, lead: Leadership, look: Callable[[], None]) -> None:
        self.runtime, self.lead, self.look = runtime, lead, look

    async def run(self) -> None:
        """Keep the deadlines until the daemon stops. `look` lets the mailboxes be read at once."""
        runtime = self.runtime
        back_off = BackOff(runtime.steady)
        while not runtime.stopping.is_set():
            wait = EVERY
            try:
                if self.lead.is_held:
                    await self.walk()
                    back_off.worked()
            except Exception as error:
                wait = back_off.failed()
                log.warning(
                    "deadlines cannot be kept: %s; trying again in %.0f s", error, wait, exc_info=not is_passing(error)
                )
            await runtime.sleep(wait)

    async def walk(self) -> None:
        """One walk over everything that is due now."""
        runtime, services = self.runtime, self.runtime.services
        moment = runtime.clock()
        if await runtime.work(expire.is_due, services, moment):
            for some in (expire.remind_due, expire.expire_due):
                sweep = Sweep()
                while sweep.place is not None and self._may_go_on():
                    if await runtime.work(some, services, moment, runtime.mailboxes, sweep):
                        runtime.letters.set()
            if await runtime.work(expire.waits_for_mailbox, services, moment, runtime.mailboxes):
                self.look()
        await self._tell_of_outage(moment)

    async def _tell_of_outage(self, moment: datetime) -> None:
        """When all that waited is played, everyone hears why their deadline moved."""
        runtime, services, mailbox = self.runtime, self.runtime.services, self.runtime.mailboxes[0]
        if not await runtime.work(outage.is_to_be_told, services, mailbox):
            return
        for slug in GAMES:
            after: int | None = 0
            while after is not None and self._may_go_on():
                after = await runtime.work(outage.tell_some, services, mailbox, slug, after, moment)
                runtime.letters.set()
        if self._may_go_on():
            await runtime.work(outage.told, services, mailbox)

    def _may_go_on(self) -> bool:
        return not self.runtime.stopping.is_set() and self.lead.is_held
