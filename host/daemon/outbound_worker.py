"""Shell: sending what is due. In: letters in the store. Out: letters accepted, tried again later, or given up.

Several go out at once, to each address one after the other. What the server said of them is stored a group at a time:
whatever came while the last group was stored is the next.
"""

import asyncio
import logging
from contextlib import AbstractContextManager
from datetime import datetime, timedelta

from host.daemon.runtime import BackOff, Runtime
from host.logs import about
from host.mail.outbound.smtp import LATE, Outboxes, Sent
from host.states import LetterState
from host.store import queues
from host.store.database import is_passing
from host.store.queues import ClaimedLetter
from host.turn import bounces, letters
from host.turn.work import Work, begin

log = logging.getLogger("podium")

LETTERS_AT_ONCE = 100
LOOK_AT_LIMIT = 5.0
RETRY_AFTER = [timedelta(minutes=each) for each in (1, 5, 15, 30, 60, 120)]
GIVE_UP_AFTER = timedelta(days=5)


class OutboundWorker:
    """Sends letters, as many at once as there are connections; where the server is away, waits for it, not for each."""

    def __init__(self, runtime: Runtime, outboxes: Outboxes) -> None:
        self.runtime, self.outboxes = runtime, outboxes
        self.back_off = BackOff(runtime.steady)
        self._sending: dict[asyncio.Task[Sent], tuple[ClaimedLetter, float]] = {}
        self._under_way: set[int] = set()
        self._unstored: list[tuple[ClaimedLetter, Sent]] = []

    async def run(self) -> None:
        """Send until the daemon stops."""
        runtime = self.runtime
        while not runtime.stopping.is_set():
            runtime.letters.clear()
            try:
                wait = await self._round()
            except Exception as error:
                wait = self.back_off.failed()
                log.warning(
                    "letters cannot be sent: %s; trying again in %.0f s", error, wait, exc_info=not is_passing(error)
                )
            if wait:
                await runtime.sleep(wait)
        if self._unstored:
            await self._keep([], 0.0)
        while self._sending:  # what is stored by then is not sent twice, where there is no time for all
            await self._settle(await self._finished(asyncio.FIRST_COMPLETED))
        await self.outboxes.close()

    async def _round(self) -> float:
        """Send more, store what became of those that were tried; gives how long to wait because of trouble, else 0."""
        runtime = self.runtime
        if self._unstored:
            await self._keep([], 0.0)
        claimed = await self._claim(LETTERS_AT_ONCE - len(self._sending))
        ends = runtime.steady() + queues.LEASE.total_seconds() / 2
        for letter in claimed:
            task = asyncio.create_task(self._send(letter, ends))
            self._sending[task] = letter, ends
            self._under_way.add(letter.id)
        if not self._sending:
            await runtime.wait_for(runtime.letters)
            return 0.0
        news = asyncio.create_task(runtime.letters.wait())  # a letter that hangs holds up no new one
        await asyncio.wait({*self._sending, news}, return_when=asyncio.FIRST_COMPLETED)
        news.cancel()
        is_any_done = any(task.done() for task in self._sending)
        return await self._settle(await self._finished(asyncio.FIRST_COMPLETED)) if is_any_done else 0.0

    async def _claim(self, most: int) -> list[ClaimedLetter]:
        """What may be sent now: nothing while the provider's limit is reached."""
        runtime, smtp = self.runtime, self.runtime.services.config.smtp
        store = runtime.services.store
        left = None
        if smtp.letters_a_minute or smtp.letters_a_day:
            left = await runtime.look(
                queues.allowance, store, runtime.clock(), smtp.letters_a_minute, smtp.letters_a_day
            )
            left = max((left or 0) - len(self._sending), 0)
            if not left:
                if not self._sending:
                    await runtime.sleep(LOOK_AT_LIMIT)
                return []
        if runtime.stopping.is_set() or not most:
            return []
        limit = most if left is None else min(left, most, 0 if self._sending else 1)  # so that none overtakes another
        if not limit:
            return []
        under_way = tuple(self._under_way)
        may_answer = not smtp.letters_a_day or await runtime.look(
            queues.may_answer_registrations, store, runtime.clock(), smtp.letters_a_day
        )
        return await runtime.look(
            queues.claim_letters, store, runtime.clock(), limit, left is not None, under_way, may_answer
        )

    async def _send(self, letter: ClaimedLetter, ends: float) -> Sent:
        """Hand one letter to the server, unless its turn came so late that another process may have taken it over."""
        sender = self.runtime.services.config.host.address
        return await self.outboxes.send(sender, letter.address, letter.message, lambda: self.runtime.steady() > ends)

    async def _finished(self, which: str) -> list[tuple[ClaimedLetter, Sent]]:
        if not self._sending:
            return []
        done, _ = await asyncio.wait(self._sending, return_when=which)
        finished: list[tuple[ClaimedLetter, Sent]] = []
        for task in done:
            (letter, ends), sent = self._sending.pop(task), task.result()
            if sent.outcome == "away" and self.runtime.steady() > ends:
                sent = LATE  # not ours to put back
            finished.append((letter, sent))
        return finished

    async def _settle(self, tried: list[tuple[ClaimedLetter, Sent]]) -> float:
        """Store what the server said of these letters; gives how long to wait because of trouble, else 0."""
        runtime = self.runtime
        if not tried:
            return 0.0
        for letter, sent in tried:
            if sent is not LATE:
                runtime.health.letter_done(sent.outcome, (runtime.clock() - letter.created_at).total_seconds())
        wait = 0.0
        away = next((sent for _, sent in tried if sent.outcome == "away"), None)
        if away is not None:
            wait = self.back_off.failed()
            log.warning("SMTP: %s; the server cannot be used, trying again in %.0f s", away.said, wait)
            if not runtime.stopping.is_set():
                tried += await self._finished(asyncio.ALL_COMPLETED)
        elif any(sent.is_pausing for _, sent in tried):
            wait = self.back_off.failed()
        else:
            self.back_off.worked()
        await self._keep(tried, wait if away else 0.0)
        return wait

    async def _keep(self, tried: list[tuple[ClaimedLetter, Sent]], away: float) -> None:
        """Store what the server said; where the database is away, it is stored with what is said next."""
        self._unstored += tried
        is_to_be_tried_again = False
        try:
            await self.runtime.work(self._store, self._unstored, self.runtime.clock(), away)
        except Exception as error:
            is_to_be_tried_again = is_passing(error)
            raise
        finally:
            if not is_to_be_tried_again:
                self._under_way.difference_update(letter.id for letter, _ in self._unstored)
                self._unstored = []

    def _store(self, tried: list[tuple[ClaimedLetter, Sent]], moment: datetime, away: float) -> None:
        services = self.runtime.services
        untried = [letter.id for letter, sent in tried if sent.outcome == "away"]
        accepted = {letter.id: sent.said for letter, sent in tried if sent.outcome == "sent"}
        with begin(services, moment) as work:
            if untried:
                queues.put_back(work.session, untried, moment + timedelta(seconds=away))
            if accepted:
                queues.settle_sent(work.session, accepted, moment)
                letters.accepted(work, accepted)
        for letter, sent in tried:
            if sent.outcome in ("later", "refused"):
                with _about(letter), begin(services, moment) as work:
                    self._put_off(work, letter, sent)
        for letter, sent in tried:
            if sent.outcome == "sent":
                with _about(letter):
                    log.info("letter %s to %s was accepted", letter.id, letter.address)

    def _put_off(self, work: Work, letter: ClaimedLetter, sent: Sent) -> None:
        is_final = sent.outcome == "refused" or work.now - letter.created_at > GIVE_UP_AFTER
        delay = RETRY_AFTER[min(letter.attempts, len(RETRY_AFTER)) - 1]
        state: LetterState = "failed" if is_final else "queued"
        row = queues.put_off(work.session, letter.id, state, sent.said, work.now + delay)
        log.warning("letter %s to %s: %s", letter.id, letter.address, sent.said)
        if is_final and row.state == "failed":
            bounces.came_back(work, row, sent.said)


def _about(letter: ClaimedLetter) -> AbstractContextManager[None]:
    return about(letter=letter.id, **({"mail": letter.answers_id} if letter.answers_id else {}))
