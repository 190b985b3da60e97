"""Shell: the deadlines. In: what is due by now, and how far the mailboxes were read. Out: reminders, timeouts, a few a time.

A walk over what is due goes on where it stopped, so that what cannot be worked off yet keeps nothing behind it waiting;
between two steps the desk is free for mail that comes in.
"""

import logging
from collections.abc import Callable
from datetime import datetime

from host.daemon.leader import Lead
from host.daemon.runtime import BackOff, Desk
from host.games import GAMES
from host.store.database import is_passing
from host.turn import expire, outage
from host.turn.expire import Sweep

log = logging.getLogger("podium")

EVERY = 1.0


class Clock:
    """Works off deadlines and reminders, as long as this process has the lead in it."""

    def __init__(self, desk: Desk, lead: Lead, look: Callable[[], None]) -> None:
        self.desk, self.lead, self.look = desk, lead, look

    async def run(self) -> None:
        """Keep the deadlines until the daemon stops. `look` lets the mailboxes be read at once."""
        desk = self.desk
        back_off = BackOff(desk.steady)
        while not desk.stopping.is_set():
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
            await desk.sleep(wait)

    async def walk(self) -> None:
        """One walk over everything that is due now."""
        desk, house = self.desk, self.desk.house
        moment = desk.clock()
        if await desk.work(expire.is_due, house, moment):
            for some in (expire.remind_due, expire.expire_due):
                sweep = Sweep()
                while sweep.place is not None and self._may_go_on():
                    if await desk.work(some, house, moment, desk.mailboxes, sweep):
                        desk.letters.set()
            if await desk.work(expire.waits_for_mailbox, house, moment, desk.mailboxes):
                self.look()
        await self._tell_of_outage(moment)

    async def _tell_of_outage(self, moment: datetime) -> None:
        """When all that waited is played, everyone hears why their deadline moved."""
        desk, house, mailbox = self.desk, self.desk.house, self.desk.mailboxes[0]
        if not await desk.work(outage.is_to_be_told, house, mailbox):
            return
        for slug in GAMES:
            after: int | None = 0
            while after is not None and self._may_go_on():
                after = await desk.work(outage.tell_some, house, mailbox, slug, after, moment)
                desk.letters.set()
        if self._may_go_on():
            await desk.work(outage.told, house, mailbox)

    def _may_go_on(self) -> bool:
        return not self.desk.stopping.is_set() and self.lead.is_held
