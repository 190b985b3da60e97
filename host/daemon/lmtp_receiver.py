"""Shell: mail that is delivered by LMTP. In: groups of mails at the door. Out: stored mails, and how far deadlines may go.

What an MTA could not deliver waits in its queue until its next try, unseen by us. After the door was closed, or too full,
deadlines therefore wait as long as that may take.
"""

import logging
from collections.abc import Sequence
from datetime import timedelta

from host.config import LMTP_MAILBOX
from host.daemon.runtime import Runtime
from host.mail.inbound.lmtp import Deliveries, Door
from host.mail.inbound.raw import MAX_BYTES, RawMail
from host.store import queues
from host.turn import outage
from host.turn.storing import store_mails

log = logging.getLogger("podium")

EVERY = 5.0
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
        self.door = Door(
            config.lmtp, config.host.address, MAX_BYTES, Deliveries(self._keep, self._waiting, runtime.clock)
        )

    async def start(self) -> None:
        """Open the door. Raises OSError where its address cannot be had."""
        runtime, store = self.runtime, self.runtime.services.store
        await runtime.work(queues.open_mailbox, store, LMTP_MAILBOX)
        closed = await runtime.work(queues.unseen_for, store, LMTP_MAILBOX, runtime.clock())
        self._wait_for_retries(closed)
        await self._make_up()
        await self.door.start()

    async def run(self) -> None:
        """Note that mail can come in, until the daemon stops; then close the door."""
        runtime = self.runtime
        looked = runtime.steady()
        while not runtime.stopping.is_set():
            stood_still = runtime.steady() - looked - EVERY
            looked = runtime.steady()
            if stood_still > EVERY:
                self._wait_for_retries(timedelta(seconds=stood_still))
            try:
                await self._look()
            except Exception as error:
                log.warning("what came by LMTP cannot be noted: %s", error)
            await runtime.sleep(EVERY)
        await self.door.close()

    async def _look(self) -> None:
        """Note the moment; where the queue is full, another process's door may be so already."""
        runtime = self.runtime
        moment = runtime.clock()
        if await runtime.work(outage.is_over, runtime.services, LMTP_MAILBOX, moment):
            await self._make_up()
        await self._waiting()
        is_read = runtime.steady() >= self._blind_until
        await runtime.work(queues.was_seen, runtime.services.store, LMTP_MAILBOX, moment, is_read)

    async def _make_up(self) -> None:
        runtime = self.runtime
        if runtime.mailboxes[0] == LMTP_MAILBOX:
            length = await runtime.work(outage.make_up, runtime.services, LMTP_MAILBOX, runtime.clock())
            if length:
                log.warning("nothing could be delivered for %s; open deadlines moved by that", length)

    async def _keep(self, mails: Sequence[RawMail]) -> None:
        runtime = self.runtime
        await runtime.work(store_mails, runtime.services, LMTP_MAILBOX, 0, mails, runtime.clock())
        runtime.mails_came()

    async def _waiting(self) -> int:
        count = await self.runtime.work(queues.count_waiting, self.runtime.services.store, self._most_waiting)
        if count >= self._most_waiting:
            self._wait_for_retries(timedelta())
        return count

    def _wait_for_retries(self, closed: timedelta) -> None:
        patience = min(max(closed.total_seconds() + 300, SHORTEST_PATIENCE), LONGEST_PATIENCE)
        self._blind_until = max(self._blind_until, self.runtime.steady() + patience)
