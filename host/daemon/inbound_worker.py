"""Shell: working off stored mails. In: mails in the store, whichever way they came. Out: played mails, a group a commit.

Theory of operation. A mail that is stored waits with an ordering key (an episode's, a contestant's, a stranger's). Of each
key only the first mail may be claimed: none overtakes another of its key, and different keys hold up nobody. A worker claims
a group of mails, has them opened in a process of its own (`host.turn.reading`), and plays the group in one transaction;
meanwhile the next group is claimed and read. Where the group cannot be played, each mail is played alone
(`steps.play_mails`).

- Mails that name a letter of ours are worked off by one `InboundWorker`, those of everybody else by another, each with
  processes of its own, so that strangers hold up nobody.
- A mail that takes long to read is put aside (`Slow`), and played when it is read. Those behind it with its key wait.
- A mail that came alone by IMAP is stored and played in one transaction, and read meanwhile (`take_alone`); whatever hinders
  that, it is stored first.
- What was claimed and not played is released, after a fault too. If the process is killed, its lease ends
  (`host.store.queues`), and another process plays the mails.
"""

import asyncio
import logging
from collections.abc import Sequence
from datetime import datetime

from host import troubles
from host.daemon import steps
from host.daemon.runtime import BACK_OFF_FIRST, Runtime
from host.mail.inbound.raw import RawMail
from host.store import queues
from host.store.database import is_passing
from host.store.queues import ClaimedMail
from host.turn.incoming import Opened
from host.turn.reading import Reader, Slow
from host.turn.storing import Alone, Reading

log = logging.getLogger("podium")

GROUP = 64
"""Mails played in one transaction, where so many wait. An operator's command waits as long as that takes."""
UNKNOWN_GROUP = 4
"""Of people not known here: as long as these take to play, everybody else's mail may wait."""
MOST_ASIDE = 50
"""Mails that are put aside at once; with more, no other is begun."""

LETTERS_FIRST = 0.001
"""Seconds in which the letters of what was played are claimed before the next look for mail."""

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
        """Start the process that reads mails, so that the first mail does not wait for it."""
        await self.reader.worker.start()

    async def run(self) -> None:
        """Work off until the daemon stops."""
        runtime = self.runtime
        await runtime.repeat(self._turn, lambda: runtime.wait_for(self._came), "mails cannot be worked off")
        await self._drop_aside()

    async def _turn(self) -> None:
        self._came.clear()
        await self.take_new_mails()

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

    async def take_alone(self, alone: Alone, now: datetime) -> bool:
        """Store and play a mail that came alone, in one transaction; False where it has to be stored first.

        Nobody here is busy with another, and the process that reads is free. Until the transaction ends the mailbox has it.
        """
        runtime, mail = self.runtime, alone.mail
        if self._under_way or self._aside or not self.reader.worker.is_free:
            return False
        loop = asyncio.get_running_loop()

        def begin_reading() -> Reading:
            return asyncio.run_coroutine_threadsafe(self._read(mail), loop)

        try:
            played = await runtime.work(steps.play_alone, runtime.services, alone, begin_reading, now, runtime.room)
        except Exception as error:  # whatever hinders playing must not hinder storing
            log.info("a mail of %s cannot be played before it is stored: %s", alone.mailbox, type(error).__name__)
            return False
        if played is None:
            runtime.mails_came()
            return True
        runtime.hand_over(played.handed, played.are_more)
        runtime.health.mail_done(played.state, (runtime.clock() - mail.arrived_at).total_seconds())
        return True

    async def _read(self, mail: RawMail) -> Opened | None:
        """A mail, read; None where that takes long. Raises as `Reader.read_all` does."""
        opened = (await self.reader.read_all({mail.uid: mail.raw}))[mail.uid]
        return opened if isinstance(opened, Opened) else None

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
            words = troubles.for_log(error)
            log.warning("mail %s cannot be worked off now: %s", waiting.id, words, exc_info=not is_passing(error))
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
        runtime = self.runtime
        claimed, raws = await runtime.look(
            steps.claim_mails,
            runtime.services,
            runtime.clock(),
            self._group,
            tuple(self._under_way),
            self.is_known,
            runtime.seen_at,
        )
        if not claimed:
            return []
        self._under_way.update(waiting.id for waiting in claimed)
        try:
            read = await self.reader.read_all(raws)
        except BaseException:
            await self._release(claimed)
            raise
        return [(waiting, read[waiting.id]) for waiting in claimed]

    async def _release(self, mails: Sequence[ClaimedMail]) -> None:
        ids = [waiting.id for waiting in mails]
        self._under_way.difference_update(ids)
        await self.runtime.work(queues.release_mails, self.runtime.services.store, ids)

    async def _play(self, group: Sequence[tuple[ClaimedMail, Opened | Exception]]) -> None:
        """Play a group; between two of its transactions other work has its turn."""
        runtime = self.runtime
        arrived = {waiting.id: waiting.arrived_at for waiting, _ in group}
        mails = [(waiting.id, mail) for waiting, mail in group]
        pieces = steps.play_mails(runtime.services, mails, runtime.clock(), self.is_known, runtime.room)
        try:
            while (played := await runtime.piece(pieces)) is not None:
                for mail in played:
                    runtime.hand_over(mail.handed, mail.are_more)
                    runtime.health.mail_done(mail.state, (runtime.clock() - arrived[mail.id]).total_seconds())
                    self._under_way.discard(mail.id)
        except BaseException:
            await self._release([waiting for waiting, _ in group])
            raise
