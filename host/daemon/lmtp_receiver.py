"""Shell: mail that is delivered by LMTP. In: groups of mails at the door. Out: stored mails, and how far deadlines may go.

Theory of operation. An MTA delivers each mail when it has it, so there is nothing to look for: every `EVERY` seconds it is
noted that the door is open, and up to that moment deadlines may fire. A mail that the MTA could not deliver waits in its
queue until its next try, unseen by us. So after the door was closed, this process stood still, or too many mails waited to be
played, deadlines wait as long as that next try may take (`_wait_for_retries`), counted by the steady clock.
"""

import logging
from collections.abc import Sequence
from datetime import timedelta

from host.config import LMTP_MAILBOX
from host.daemon import steps
from host.daemon.runtime import Runtime, StartError
from host.mail.inbound.lmtp import Door
from host.mail.inbound.mail import RawMail
from host.store import queues
from host.turn import interruptions
from host.turn.receive import store_mails

log = logging.getLogger("podium")

EVERY = 5.0
"""Seconds between two notes that the door is open, and before one that failed is tried again."""
SHORTEST_PATIENCE, LONGEST_PATIENCE = 600.0, 4300.0
"""Seconds until an MTA tries again what it could not deliver: as long as it has waited, and its queue is looked through
every five minutes; Postfix, as it comes, lets no mail wait longer than 4,000."""


class LmtpReceiver:
    """The door to the store."""

    def __init__(self, runtime: Runtime) -> None:
        self.runtime = runtime
        config = runtime.services.config
        self._most_waiting = config.lmtp.most_waiting
        self._blind_until = 0.0
        self._looked = runtime.steady()
        self.door = Door(config.lmtp, config.host.address, self._keep, runtime.clock)

    async def start(self) -> None:
        """Open the door. Raises `StartError` where its address cannot be had."""
        runtime, store = self.runtime, self.runtime.services.store
        await runtime.work(queues.open_mailbox, store, LMTP_MAILBOX)
        closed = await runtime.work(queues.unseen_for, store, LMTP_MAILBOX, runtime.clock())
        self._wait_for_retries(closed)
        await self._make_up()
        try:
            await self.door.start()
        except OSError as error:
            listen = runtime.services.config.lmtp.listen
            raise StartError(f"[lmtp] listen: {listen} cannot be had ({error.strerror}); choose another.") from None

    async def run(self) -> None:
        """Note that mail can come in, until the daemon stops; then close the door."""
        self._looked = self.runtime.steady()
        await self.runtime.every(EVERY, self._look)
        await self.door.close()

    async def _look(self) -> None:
        """Note the moment; where the queue is full, another process's door may be so already."""
        runtime = self.runtime
        stood_still = runtime.steady() - self._looked - EVERY
        self._looked = runtime.steady()
        if stood_still > EVERY:
            self._wait_for_retries(timedelta(seconds=stood_still))
        moment = runtime.clock()
        if await runtime.work(interruptions.is_outage_over, runtime.services, LMTP_MAILBOX, moment):
            await self._make_up()
        await self._waiting()
        is_read = runtime.steady() >= self._blind_until
        await runtime.work(queues.was_seen, runtime.services.store, LMTP_MAILBOX, moment, is_read)

    async def _make_up(self) -> None:
        runtime = self.runtime
        if runtime.mailboxes[0] == LMTP_MAILBOX:
            await runtime.step(steps.make_up_outage)

    async def _keep(self, mails: Sequence[RawMail]) -> int:
        """Store as many of these mails as there is room for; how many those are."""
        runtime = self.runtime
        room = max(self._most_waiting - await self._waiting(), 0)
        if room:
            await runtime.work(store_mails, runtime.services, LMTP_MAILBOX, 0, mails[:room], runtime.clock())
            runtime.mails_came()
        return min(room, len(mails))

    async def _waiting(self) -> int:
        count = await self.runtime.work(queues.count_waiting, self.runtime.services.store, self._most_waiting)
        if count >= self._most_waiting:
            self._wait_for_retries(timedelta())
        return count

    def _wait_for_retries(self, closed: timedelta) -> None:
        patience = min(max(closed.total_seconds() + 300, SHORTEST_PATIENCE), LONGEST_PATIENCE)
        self._blind_until = max(self._blind_until, self.runtime.steady() + patience)
