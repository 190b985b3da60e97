"""Shell: sending what is due. In: letters in the store. Out: letters accepted, tried again later, or given up.

Theory of operation. A letter is a row that was finished with the change it tells. A round claims letters that are due, hands
each to a connection, and stores what the server said as soon as any is done, a group at a time: whatever came while the last
group was stored is the next. To each address letters go one after the other.

- The server accepts a letter: it is sent, and the clocks of the questions that it asks begin.
- The server puts it off (4xx): it is tried again after `steps.RETRY_AFTER`, for `steps.GIVE_UP_AFTER`.
- The server refuses it (5xx), or it is given up: the clocks of its contestant stop, and the operators hear of it.
- The server is away, or refuses the account: no letter is at fault. Those that were tried are due again, and the worker waits
  for the server, longer each time.
- The database is away: what the server said is kept, and stored with what is said next, before anything else is claimed.
- The process is killed between an acceptance and its being stored: the letter goes out once more, with the same Message-ID.
"""

import asyncio
import logging
from collections.abc import Callable

from host.daemon import steps
from host.daemon.runtime import BackOff, Runtime
from host.mail.outbound.smtp import LATE, Outboxes, Sent
from host.store.database import is_passing
from host.store.queues import ClaimedLetter

log = logging.getLogger("podium")

LETTERS_AT_ONCE = 250
"""Letters that are being sent at a time."""
LOOK_AT_LIMIT = 5.0
"""Seconds between two looks whether the provider's limit allows a letter again."""


class OutboundWorker:
    """Sends letters, as many at once as there are connections; where the server is away, waits for it, not for each.

    `holds` tells whether what was claimed under a name is still this process's own (`host.daemon.leader`).
    """

    def __init__(
        self, runtime: Runtime, outboxes: Outboxes, holds: Callable[[str], bool] = lambda _claimer: True
    ) -> None:
        self.runtime, self.outboxes, self.holds = runtime, outboxes, holds
        self._server = BackOff(runtime.steady)
        self._wait = 0.0
        self._is_idle = False
        self._sending: dict[asyncio.Task[Sent], ClaimedLetter] = {}
        self._under_way: set[int] = set()
        self._unstored: list[tuple[ClaimedLetter, Sent]] = []

    async def run(self) -> None:
        """Send until the daemon stops."""
        await self.runtime.repeat(self._round, self._pause, "letters cannot be sent")
        if self._unstored:
            await self._keep()
        while self._sending:  # what is stored by then is not sent twice, where there is no time for all
            await self._judge(await self._finished(asyncio.FIRST_COMPLETED))
            await self._keep()
        await self.outboxes.close()

    async def _round(self) -> None:
        """Store what became of the letters that were tried, send more, and wait until one is done or another is due."""
        runtime = self.runtime
        self._wait = 0.0
        runtime.letters.clear()
        if self._unstored:
            await self._keep()
        for letter in await self._claim(0 if runtime.stopping.is_set() else LETTERS_AT_ONCE - len(self._sending)):
            self._sending[asyncio.create_task(self._send(letter))] = letter
            self._under_way.add(letter.id)
        self._is_idle = not self._sending
        if self._is_idle:
            return
        told = asyncio.create_task(runtime.letters.wait())  # a letter that hangs holds up no new one
        await asyncio.wait({*self._sending, told}, return_when=asyncio.FIRST_COMPLETED)
        told.cancel()
        if any(task.done() for task in self._sending):
            await self._judge(await self._finished(asyncio.FIRST_COMPLETED))

    async def _pause(self) -> None:
        """Wait for the server where it is in trouble, else for letters where none was being sent."""
        if self._wait:
            await self.runtime.sleep(self._wait)
        elif self._is_idle:
            await self.runtime.letters.wait()

    async def _claim(self, most: int) -> list[ClaimedLetter]:
        """Claim what may be sent now: nothing while the provider's limit is reached."""
        runtime = self.runtime
        if not most:
            return []
        claimed = await runtime.step(steps.claim_letters, most, len(self._sending), tuple(self._under_way))
        if claimed is None and not self._sending:
            await runtime.sleep(LOOK_AT_LIMIT)
        return claimed or []

    async def _send(self, letter: ClaimedLetter) -> Sent:
        """Hand one letter to the server, unless this process stood still so long that another may have taken it over."""
        sender = self.runtime.services.config.host.address
        return await self.outboxes.send(sender, letter.address, letter.message, lambda: not self.holds(letter.claimer))

    async def _finished(self, which: str) -> list[tuple[ClaimedLetter, Sent]]:
        if not self._sending:
            return []
        done, _ = await asyncio.wait(self._sending, return_when=which)
        finished: list[tuple[ClaimedLetter, Sent]] = []
        for task in done:
            letter, sent = self._sending.pop(task), task.result()
            if sent.outcome == "away" and not self.holds(letter.claimer):
                sent = LATE  # not ours to put back
            finished.append((letter, sent))
        return finished

    async def _judge(self, tried: list[tuple[ClaimedLetter, Sent]]) -> None:
        """Note what the server said of these letters, to be stored with the next claim.

        Where the server is in trouble it is stored at once, and the next pause waits for it.
        """
        runtime = self.runtime
        for letter, sent in tried:
            if sent is not LATE:
                runtime.health.letter_done(sent.outcome, (runtime.clock() - letter.created_at).total_seconds())
        away = next((sent for _, sent in tried if sent.outcome == "away"), None)
        if away is not None:
            self._wait = self._server.failed()
            log.warning("SMTP: %s; the server cannot be used, trying again in %.0f s", away.said, self._wait)
            if not runtime.stopping.is_set():
                tried += await self._finished(asyncio.ALL_COMPLETED)
        elif any(sent.is_pausing for _, sent in tried):
            self._wait = self._server.failed()
        else:
            self._server.worked()
        self._unstored += tried
        if self._wait:
            await self._keep(self._wait if away else 0.0)

    async def _keep(self, away: float = 0.0) -> None:
        """Store what the server said; where the database is away, it is stored with what is said next."""
        runtime = self.runtime
        is_to_be_tried_again = False
        try:
            await runtime.work(steps.settle_letters, runtime.services, self._unstored, runtime.clock(), away)
        except Exception as error:
            is_to_be_tried_again = is_passing(error)
            raise
        finally:
            if not is_to_be_tried_again:
                self._under_way.difference_update(letter.id for letter, _ in self._unstored)
                self._unstored = []
