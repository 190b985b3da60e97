"""Shell: sending what is due. In: letters in the store. Out: letters accepted, tried again later, or given up."""

import asyncio
import contextlib
import logging
from datetime import datetime, timedelta

from host.desk import BackOff, Desk
from host.logs import about
from host.mail.outbox import Outbox, Sent
from host.store import post
from host.turn import bounced, letters

log = logging.getLogger("podium")

LETTERS_AT_ONCE = 20
LOOK_AGAIN = 30.0
LOOK_AT_LIMIT = 5.0
RETRY_AFTER = [timedelta(minutes=each) for each in (1, 5, 15, 30, 60, 120)]
GIVE_UP_AFTER = timedelta(days=5)


class Dispatch:
    """Sends letters one after the other; where the server is away, waits for it rather than for each letter."""

    def __init__(self, desk: Desk, outbox: Outbox) -> None:
        self.desk, self.outbox = desk, outbox
        self.back_off = BackOff(desk.steady)

    async def run(self) -> None:
        """Send until the daemon stops."""
        desk = self.desk
        while not desk.stopping.is_set():
            desk.letters.clear()
            try:
                claimed = await self._claim()
                if not claimed:
                    continue
                wait = await self._send_all(claimed)
            except Exception:
                log.exception("letters could not be sent")
                wait = self.back_off.failed()
            if wait:
                await desk.sleep(wait)
            else:
                self.back_off.worked()
        await self.outbox.close()

    async def _claim(self) -> list[post.Claimed]:
        """What may be sent now; after a wait, nothing, where there is nothing or the provider's limit is reached."""
        desk, smtp = self.desk, self.desk.house.config.smtp
        store = desk.house.store
        left = None
        if smtp.letters_a_minute or smtp.letters_a_day:
            left = await desk.work(post.allowance, store, desk.clock(), smtp.letters_a_minute, smtp.letters_a_day)
        claimed: list[post.Claimed] = []
        if left != 0:
            most = LETTERS_AT_ONCE if left is None else min(left, LETTERS_AT_ONCE)
            claimed = await desk.work(post.claim_letters, store, desk.clock(), most, left is not None)
        if left == 0:
            await desk.sleep(LOOK_AT_LIMIT)
        elif not claimed:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(desk.letters.wait(), LOOK_AGAIN)
        return claimed

    async def _send_all(self, claimed: list[post.Claimed]) -> float:
        """Send these letters one after the other; gives how long to wait where the server could not be reached, else 0."""
        desk = self.desk
        for at, letter in enumerate(claimed):
            if desk.stopping.is_set():
                await desk.work(self._release, claimed[at:], desk.clock())
                return 0.0
            sent = await self.outbox.send(desk.house.config.host.address, letter.address, letter.message)
            desk.health.letter_done(sent.outcome, (desk.clock() - letter.created_at).total_seconds())
            if sent.outcome == "away":
                wait = self.back_off.failed()
                log.warning("SMTP: %s; the server cannot be used, trying again in %.0f s", sent.said, wait)
                await desk.work(self._release, claimed[at:], desk.clock() + timedelta(seconds=wait))
                return wait
            with about(letter=letter.id, **({"mail": letter.answers_id} if letter.answers_id else {})):
                await desk.work(self._settle, letter, sent, desk.clock())
            if sent.is_pausing:
                await desk.work(self._release, claimed[at + 1 :], desk.clock())  # so they go before that one
                return self.back_off.failed()
        return 0.0

    def _release(self, claimed: list[post.Claimed], try_at: datetime) -> None:
        with self.desk.house.store.transaction() as session:
            for letter in claimed:
                row = post.settle_letter(session, letter.id, "queued", "", try_at, try_at)
                row.attempts = letter.attempts - 1

    def _settle(self, letter: post.Claimed, sent: Sent, moment: datetime) -> None:
        house = self.desk.house
        with house.store.transaction() as session:
            if sent.outcome == "sent":
                row = post.settle_letter(session, letter.id, "sent", sent.said, moment, moment)
                letters.accepted(session, row, moment)
                log.info("letter %s to %s was accepted", letter.id, letter.address)
                return
            is_final = sent.outcome == "refused" or moment - letter.created_at > GIVE_UP_AFTER
            delay = RETRY_AFTER[min(letter.attempts, len(RETRY_AFTER)) - 1]
            state = "failed" if is_final else "queued"
            row = post.settle_letter(session, letter.id, state, sent.said, moment, moment + delay)
            log.warning("letter %s to %s: %s", letter.id, letter.address, sent.said)
            if is_final:
                bounced.came_back(session, house, row, sent.said, moment)
