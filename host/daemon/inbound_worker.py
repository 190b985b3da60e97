"""Shell: working off stored mails. In: mails in the store, whichever way they came. Out: played mails, a group a commit.

While one group is played the next is read, in the process that reads mails. Mails that name a letter of ours are worked off
by one `Intake`, those of everybody else by another, each with readers of its own, so that strangers hold up nobody. A mail
that takes long to read is put aside (`Slow`) and played when it is read; those behind it with its ordering key wait for it.
"""

import asyncio
import logging
from collections.abc import Mapping, Sequence

from host.daemon.runtime import BACK_OFF_FIRST, BackOff, Runtime
from host.logs import about
from host.mail.inbound.sandbox import ReadingError
from host.mail.outbound.templates import prepare
from host.store import queues
from host.store.database import is_passing
from host.store.queues import ClaimedMail
from host.turn import receive
from host.turn.incoming import Opened
from host.turn.reading import Reader, Slow, raw_mails

log = logging.getLogger("podium")

GROUP = 16
"""Mails played in one transaction, where so many wait. A command of the host's hand waits as long as that takes."""
UNKNOWN_GROUP = 4
"""Of people not known here: as long as these take to play, everybody else's mail may wait."""
MOST_ASIDE = 50
"""Mails that are put aside at once; with more, no other is begun."""

LETTERS_FIRST = 0.001
"""Seconds in which the letters of what was played get to the desk before the next look for mail."""

Read = Sequence[tuple[ClaimedMail, Opened | Exception | Slow]]


class InboundWorker:
    """Where stored mails are worked off: claimed and read a group ahead, then played.

    `is_known`: those that name a letter of ours, or those that do not.
    """

    def __init__(self, runtime: Runtime, is_known: bool = True) -> None:
        self.runtime, self.is_known = runtime, is_known
        self.reader = Reader(runtime.services.config, runtime.services.store, runtime.look, is_known)
        self._came = runtime.mails if is_known else runtime.unknown_mails
        self._group = GROUP if is_known else UNKNOWN_GROUP
        self._under_way: set[int] = set()
        self._aside: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Start the process that reads mails, and have templates ready, so that the first mail waits for neither."""
        await self.reader.worker.start()
        await self.runtime.work(prepare, self.runtime.services.config.games)

    async def run(self) -> None:
        """Work off until the daemon stops."""
        runtime = self.runtime
        back_off = BackOff(runtime.steady)
        while not runtime.stopping.is_set():
            self._came.clear()
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
                await runtime.sleep(wait)
                continue
            await runtime.wait_for(self._came)
        await self._drop_aside()

    async def take_new_mails(self) -> None:
        """Work off every stored mail that may be taken now; one that raises is kept for the host, and the rest goes on.

        What was put aside goes on by itself.
        """
        group = await self._next()
        try:
            while group and not self.runtime.stopping.is_set():
                ahead = asyncio.create_task(self._next()) if len(group) == self._group else None
                try:
                    await self._play(self._ready(group))
                finally:
                    group = await ahead if ahead else []
                if not group:  # of what has the same ordering key something may be first now
                    await asyncio.sleep(LETTERS_FIRST)
                    group = await self._next()
        finally:
            await self._release([waiting for waiting, _ in group])

    def _ready(self, group: Read) -> list[tuple[ClaimedMail, Opened | Exception]]:
        """What may be played now; the rest is read beside it."""
        ready: list[tuple[ClaimedMail, Opened | Exception]] = []
        for waiting, mail in group:
            if isinstance(mail, Slow):
                task = asyncio.create_task(self._play_later(waiting, mail))
                self._aside.add(task)
                task.add_done_callback(self._aside.discard)
            else:
                ready.append((waiting, mail))
        return ready

    async def _play_later(self, waiting: ClaimedMail, slow: Slow) -> None:
        try:
            await self._play([(waiting, await slow.read())])
        except Exception as error:
            log.warning("mail %s cannot be worked off now: %s", waiting.id, error, exc_info=not is_passing(error))
            await self.runtime.sleep(BACK_OFF_FIRST)
            await self._release([waiting])
        finally:
            self._came.set()  # what was behind it with its ordering key may go on

    async def wait_aside(self) -> None:
        """Wait until what was put aside is played."""
        while self._aside:
            await asyncio.wait(self._aside)

    async def _drop_aside(self) -> None:
        for task in self._aside:
            task.cancel()
        await asyncio.gather(*self._aside, return_exceptions=True)

    async def close(self) -> None:
        """Let the processes that read mails go."""
        await self._drop_aside()
        await self.reader.close()

    async def _next(self) -> Read:
        """The next few mails, claimed and read; none while deadlines still have to move because of an outage."""
        if len(self._aside) >= MOST_ASIDE:
            return []
        claimed, raws = await self.runtime.look(self._claim)
        if not claimed:
            return []
        self._under_way.update(waiting.id for waiting in claimed)
        try:
            read = await self.reader.read_all(raws)
        except BaseException:
            await self._release(claimed)
            raise
        return [(waiting, read[waiting.id]) for waiting in claimed]

    def _claim(self) -> tuple[list[ClaimedMail], Mapping[int, bytes]]:
        """The next few mails that may be taken, and their bytes."""
        store, now = self.runtime.services.store, self.runtime.clock()
        if self.runtime.is_outage_over(now):
            return [], {}
        claimed = queues.claim_mails(store, self._group, tuple(self._under_way), self.is_known)
        return claimed, raw_mails(store, [waiting.id for waiting in claimed]) if claimed else {}

    async def _release(self, mails: Sequence[ClaimedMail]) -> None:
        ids = [waiting.id for waiting in mails]
        self._under_way.difference_update(ids)
        await self.runtime.work(queues.release_mails, self.runtime.services.store, ids)

    async def _play(self, group: Sequence[tuple[ClaimedMail, Opened | Exception]]) -> None:
        """Play a group in one transaction; where one of them raises, each in its own."""
        runtime = self.runtime
        opened = [(waiting.id, mail) for waiting, mail in group if not isinstance(mail, Exception)]
        try:
            taken = await self._together(opened) if len(opened) == len(group) > 1 else {}
            for waiting, mail in group:
                with about(mail=waiting.id):
                    done = taken.get(waiting.id) or await self._alone(waiting.id, mail)
                    written = f"; letters {', '.join(map(str, done.letters))}" if done.letters else ""
                    log.info("mail %s: %s%s", waiting.id, done.state, written)
                runtime.health.mail_done(done.state, (runtime.clock() - waiting.arrived_at).total_seconds())
                self._under_way.discard(waiting.id)
        except BaseException:
            await self._release([waiting for waiting, _ in group])
            raise
        finally:
            runtime.letters.set()

    async def _together(self, opened: Sequence[tuple[int, Opened]]) -> dict[int, receive.Taken]:
        """What became of each; nothing where one of them raised."""
        runtime = self.runtime
        try:
            taken = await runtime.work(receive.receive_all, runtime.services, opened, runtime.clock())
        except Exception:
            log.info("%d mails cannot be played together; each is played alone", len(opened))
            return {}
        return {inbound_id: done for (inbound_id, _), done in zip(opened, taken, strict=True)}

    async def _alone(self, inbound_id: int, mail: Opened | Exception) -> receive.Taken:
        runtime = self.runtime
        try:
            if isinstance(mail, Exception):
                raise mail
            return await runtime.work(receive.receive, runtime.services, inbound_id, mail, runtime.clock())
        except Exception as error:
            if is_passing(error):
                raise
            is_hard = isinstance(error, ReadingError)
            if is_hard and not self.is_known:
                return await runtime.work(receive.leave_alone, runtime.services, inbound_id, str(error))
            log.warning("mail %s could not be handled", inbound_id, exc_info=not is_hard)
            why = str(error) if is_hard else f"{type(error).__name__}: {error}"
            await runtime.work(receive.quarantine, runtime.services, inbound_id, why, runtime.clock())
            return receive.Taken("quarantined")
