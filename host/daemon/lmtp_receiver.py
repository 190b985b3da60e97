"""Shell: mail that is delivered by LMTP. In: groups of mails at the door. Out: stored mails, and how far deadlines may go.

What an MTA could not deliver waits in its queue until its next try, unseen by us. After the door was closed, or too full,
deadlines therefore wait as long as that may take.
"""

import logging
from collections.abc import Sequence
from datetime import timedelta
from hashlib import sha256

from host.config import LMTP_MAILBOX
from host.daemon.runtime import Desk
from host.mail.inbound.lmtp import Delivered, Deliveries, Door
from host.mail.inbound.peek import MAX_BYTES
from host.store import queues
from host.turn import outage
from host.turn.storing import Incoming, store_mails

log = logging.getLogger("podium")

EVERY = 5.0
SHORTEST_PATIENCE, LONGEST_PATIENCE = 600.0, 4300.0
"""Seconds until an MTA tries again what it could not deliver: as long as it has waited, and its queue is looked through
every five minutes; Postfix, as it comes, lets no mail wait longer than 4,000."""


class Delivery:
    """The door to the store."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        config = desk.house.config
        self._most_waiting = config.lmtp.most_waiting
        self._blind_until = 0.0
        self.door = Door(config.lmtp, config.host.address, MAX_BYTES, Deliveries(self._keep, self._waiting, desk.clock))

    async def start(self) -> None:
        """Open the door. Raises OSError where its address cannot be had."""
        desk, store = self.desk, self.desk.house.store
        await desk.work(queues.open_mailbox, store, LMTP_MAILBOX)
        closed = await desk.work(queues.unseen_for, store, LMTP_MAILBOX, desk.clock())
        self._wait_for_retries(closed)
        await self._make_up()
        await self.door.start()

    async def run(self) -> None:
        """Note that mail can come in, until the daemon stops; then close the door."""
        desk = self.desk
        looked = desk.steady()
        while not desk.stopping.is_set():
            stood_still = desk.steady() - looked - EVERY
            looked = desk.steady()
            if stood_still > EVERY:
                self._wait_for_retries(timedelta(seconds=stood_still))
            try:
                await self._look()
            except Exception as error:
                log.warning("what came by LMTP cannot be noted: %s", error)
            await desk.sleep(EVERY)
        await self.door.close()

    async def _look(self) -> None:
        """Note the moment; where the queue is full, another process's door may be so already."""
        desk = self.desk
        moment = desk.clock()
        if await desk.work(outage.is_over, desk.house, LMTP_MAILBOX, moment):
            await self._make_up()
        await self._waiting()
        is_read = desk.steady() >= self._blind_until
        await desk.work(queues.was_seen, desk.house.store, LMTP_MAILBOX, moment, is_read)

    async def _make_up(self) -> None:
        desk = self.desk
        if desk.mailboxes[0] == LMTP_MAILBOX:
            length = await desk.work(outage.make_up, desk.house, LMTP_MAILBOX, desk.clock())
            if length:
                log.warning("nothing could be delivered for %s; open deadlines moved by that", length)

    async def _keep(self, mails: Sequence[Delivered]) -> None:
        """Store mails; one whose answer got lost comes again byte for byte, and has the same number then."""
        desk = self.desk
        incoming = [Incoming(_number(each.raw), each.arrived_at, each.size, each.raw) for each in mails]
        await desk.work(store_mails, desk.house, LMTP_MAILBOX, 0, incoming, desk.clock())
        desk.mails_came()

    async def _waiting(self) -> int:
        count = await self.desk.work(queues.count_waiting, self.desk.house.store, self._most_waiting)
        if count >= self._most_waiting:
            self._wait_for_retries(timedelta())
        return count

    def _wait_for_retries(self, closed: timedelta) -> None:
        patience = min(max(closed.total_seconds() + 300, SHORTEST_PATIENCE), LONGEST_PATIENCE)
        self._blind_until = max(self._blind_until, self.desk.steady() + patience)


def _number(raw: bytes) -> int:
    """63 bits of what a mail is."""
    return int.from_bytes(sha256(raw).digest()[:8], "big") >> 1
