"""Shell: working off stored mails. In: mails in the store, whichever way they came. Out: played mails, a group a commit.

While one group is played the next is read, in the process that reads mails.
"""

import asyncio
import logging
from collections.abc import Mapping, Sequence

from host.desk import BackOff, Desk
from host.logs import about
from host.mail.render import prepare
from host.mail.worker import ReadingError
from host.store import post
from host.store.post import Waiting
from host.store.store import is_passing
from host.turn import receive
from host.turn.mailturn import Opened
from host.turn.reading import Reader, raw_mails

log = logging.getLogger("podium")

GROUP = 16
"""Mails played in one transaction, where so many wait. A command of the host's hand waits as long as that takes."""

LETTERS_FIRST = 0.001
"""Seconds in which the letters of what was played get to the desk before the next look for mail."""

Read = Sequence[tuple[Waiting, Opened | Exception]]


class Intake:
    """Where stored mails are worked off: claimed and read a group ahead, then played."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.reader = Reader(desk.house.config, desk.house.store, desk.look)
        self._under_way: set[int] = set()

    async def start(self) -> None:
        """Start the process that reads mails, and have templates ready, so that the first mail waits for neither."""
        await self.reader.worker.start()
        await self.desk.work(prepare, self.desk.house.config.games)

    async def run(self) -> None:
        """Work off until the daemon stops."""
        desk = self.desk
        back_off = BackOff(desk.steady)
        while not desk.stopping.is_set():
            desk.mails.clear()
            try:
                await self.take_new_mails()
                back_off.worked()
            except Exception as error:
                wait = back_off.failed()
                log.warning(
                    "mails cannot be worked off: %s; trying again in %.0f s",
                    error,
                    wait,
                    exc_info=not is_passing(error),
                )
                await desk.sleep(wait)
                continue
            await desk.wait_for(desk.mails)

    async def take_new_mails(self) -> None:
        """Work off every stored mail that may be taken now; one that raises is kept for the host, and the rest goes on."""
        group = await self._next()
        try:
            while group and not self.desk.stopping.is_set():
                ahead = asyncio.create_task(self._next()) if len(group) == GROUP else None
                try:
                    await self._play(group)
                finally:
                    group = await ahead if ahead else []
                if not group:  # of what was behind in its lane something may be first now
                    await asyncio.sleep(LETTERS_FIRST)
                    group = await self._next()
        finally:
            await self._release([waiting for waiting, _ in group])

    async def close(self) -> None:
        """Let the process that reads mails go."""
        await self.reader.worker.close()

    async def _next(self) -> Read:
        """The next few mails, claimed and read; none while deadlines still have to move because of an outage."""
        claimed, raws = await self.desk.look(self._claim)
        if not claimed:
            return []
        self._under_way.update(waiting.id for waiting in claimed)
        try:
            read = await self.reader.read_all(raws)
        except BaseException:
            await self._release(claimed)
            raise
        return [(waiting, read[waiting.id]) for waiting in claimed]

    def _claim(self) -> tuple[list[Waiting], Mapping[int, bytes]]:
        """The next few mails that may be taken, and their bytes."""
        store, now = self.desk.house.store, self.desk.clock()
        if self.desk.is_outage_over(now):
            return [], {}
        claimed = post.claim_mails(store, GROUP, tuple(self._under_way))
        return claimed, raw_mails(store, [waiting.id for waiting in claimed]) if claimed else {}

    async def _release(self, mails: Sequence[Waiting]) -> None:
        ids = [waiting.id for waiting in mails]
        self._under_way.difference_update(ids)
        await self.desk.work(post.release_mails, self.desk.house.store, ids)

    async def _play(self, group: Read) -> None:
        """Play a group in one transaction; where one of them raises, each in its own."""
        desk = self.desk
        opened = [(waiting.id, mail) for waiting, mail in group if not isinstance(mail, Exception)]
        try:
            taken = await self._together(opened) if len(opened) == len(group) > 1 else {}
            for waiting, mail in group:
                with about(mail=waiting.id):
                    done = taken.get(waiting.id) or await self._alone(waiting.id, mail)
                    written = f"; letters {', '.join(map(str, done.letters))}" if done.letters else ""
                    log.info("mail %s: %s%s", waiting.id, done.state, written)
                desk.health.mail_done(done.state, (desk.clock() - waiting.arrived_at).total_seconds())
                self._under_way.discard(waiting.id)
        except BaseException:
            await self._release([waiting for waiting, _ in group])
            raise
        finally:
            desk.letters.set()

    async def _together(self, opened: Sequence[tuple[int, Opened]]) -> dict[int, receive.Taken]:
        """What became of each; nothing where one of them raised."""
        desk = self.desk
        try:
            taken = await desk.work(receive.receive_all, desk.house, opened, desk.clock())
        except Exception:
            log.info("%d mails cannot be played together; each is played alone", len(opened))
            return {}
        return {inbound_id: done for (inbound_id, _), done in zip(opened, taken, strict=True)}

    async def _alone(self, inbound_id: int, mail: Opened | Exception) -> receive.Taken:
        desk = self.desk
        try:
            if isinstance(mail, Exception):
                raise mail
            return await desk.work(receive.receive, desk.house, inbound_id, mail, desk.clock())
        except Exception as error:
            if is_passing(error):
                raise
            is_hard = isinstance(error, ReadingError)
            log.warning("mail %s could not be handled", inbound_id, exc_info=not is_hard)
            why = str(error) if is_hard else f"{type(error).__name__}: {error}"
            await desk.work(receive.quarantine, desk.house, inbound_id, why, desk.clock())
            return receive.Taken("broken")
