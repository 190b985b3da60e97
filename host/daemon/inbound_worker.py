"""Shell: working off stored mails. In: mails in the store, whichever way they came. Out: played mails, a group a commit.

Theory of operation. A mail that is stored waits with an ordering key (an episode's, a contestant's, a stranger's). Of each
key only the first mail may be claimed: none overtakes another of its key, and different keys hold up nobody. A worker claims
a group of mails, has them opened in a process of its own (`host.turn.reading`), and plays the group in one transaction.
Where the group cannot be played, each mail is played in its own (`steps.play_mails`).

- Mails that name a letter of ours are worked off by one `InboundWorker`, those of everybody else by another, each with
  processes of its own, so that strangers hold up nobody.
- A mail that takes long to read is put aside (`Slow`), and played when it is read. Those behind it with its key wait. So it
  is where the second reader is asked (`host.second_reader`): no transaction is open meanwhile.
- What was claimed and not played is released, after a fault too. If the process is killed, its lease ends
  (`host.store.queues`), and another process plays the mails.
"""

import asyncio
import itertools
import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace

from host import troubles
from host.daemon import steps
from host.daemon.runtime import BACK_OFF_FIRST, Runtime
from host.second_reader import Ask, SecondReaderError, choose
from host.store import queues
from host.store.database import is_passing
from host.store.queues import ClaimedMail
from host.table.work import Opened
from host.turn.reading import Reader, Slow, opinions_wanted

log = logging.getLogger("podium")

GROUP = 64
"""Mails played in one transaction, where so many wait. An operator's command waits as long as that takes."""
UNKNOWN_GROUP = 4
"""Mails of people not known here, in one transaction: everybody else's mail may wait as long as these take to play."""
MOST_OPINIONS = 8
"""Mails that the second reader is asked about at once; more go on without it, so that a slow one holds up nobody."""
MOST_ASIDE = 50
"""Mails that are put aside at once; with more, no other is begun."""

Read = Sequence[tuple[ClaimedMail, Opened | Exception | Slow]]


class InboundWorker:
    """Works off stored mails: claims, reads and plays them, a group at a time.

    `is_known`: those that name a letter of ours, or those that do not.
    """

    def __init__(self, runtime: Runtime, is_known: bool = True) -> None:
        self.runtime, self.is_known = runtime, is_known
        self.reader = Reader(runtime.services.config, runtime.services.store, runtime.work, is_known)
        self._came = runtime.mails if is_known else runtime.unknown_mails
        self._group = GROUP if is_known else UNKNOWN_GROUP
        self._under_way: set[int] = set()
        self._aside: set[asyncio.Task[None]] = set()
        self._asking = 0

    async def start(self) -> None:
        """Start the process that reads mails, so that the first mail does not wait for it."""
        await self.reader.worker.start()

    async def run(self) -> None:
        """Work off until the daemon stops."""
        await self.runtime.repeat(self.take_new_mails, self._came.wait, "mails cannot be worked off")
        await self._drop_aside()

    async def take_new_mails(self) -> None:
        """Work off every stored mail that may be taken now; one that raises is kept for the host, and the rest goes on.

        Where a whole group was there, the next one is read while it is played. What was put aside goes on by itself.
        """
        self._came.clear()
        reading = await self._begin()
        while reading:
            group = await reading
            reading = await self._begin() if len(group) == self._group else None
            try:
                await self._play(await self._ready(group))
            except BaseException:
                if reading:
                    await self._release([waiting for waiting, _ in await reading])
                raise
            reading = reading or await self._begin()

    async def _ready(self, group: Read) -> list[tuple[ClaimedMail, Opened | Exception]]:
        """Mails of a group that may be played now; the rest is read beside it, or asked about."""
        wanted = await self._opinions(group)
        ready: list[tuple[ClaimedMail, Opened | Exception]] = []
        for waiting, mail in group:
            if isinstance(mail, Slow) or waiting.id in wanted:
                task = asyncio.create_task(self._play_later(waiting, mail, wanted.get(waiting.id)))
                self._aside.add(task)
                task.add_done_callback(self._aside.discard)
            else:
                ready.append((waiting, mail))
        return ready

    async def _opinions(self, group: Read) -> Mapping[int, Ask]:
        """Questions to the second reader about mails; none where there is no such reader, or where it has enough to do."""
        services, room = self.runtime.services, MOST_OPINIONS - self._asking
        mails = {waiting.id: mail for waiting, mail in group if isinstance(mail, Opened)}
        if not (services.config.reader.url and self.is_known and mails and room > 0):
            return {}
        try:
            wanted = await self.runtime.work(opinions_wanted, services, mails)
        except Exception:  # their turns will say what is wrong with a table, or with the store
            log.warning("the second reader cannot be asked about mails %s", list(mails), exc_info=True)
            return {}
        return dict(itertools.islice(wanted.items(), room))

    async def _with_opinion(self, waiting: ClaimedMail, mail: Opened, wanted: Ask) -> Opened:
        """The mail with the second reader's opinion; as it is where that gives none in time."""
        self._asking += 1
        try:
            return replace(mail, second=await choose(self.runtime.services.config.reader, wanted))
        except Exception as error:
            is_known = isinstance(error, SecondReaderError)
            log.warning("mail %s: the second reader did not help: %s", waiting.id, error, exc_info=not is_known)
            return mail
        finally:
            self._asking -= 1

    async def _play_later(self, waiting: ClaimedMail, mail: Opened | Exception | Slow, wanted: Ask | None) -> None:
        try:
            if isinstance(mail, Slow):
                mail = await mail.read()
                wanted = (await self._opinions([(waiting, mail)])).get(waiting.id)
            if isinstance(mail, Opened) and wanted:
                mail = await self._with_opinion(waiting, mail, wanted)
            await self._play([(waiting, mail)])
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

    async def _begin(self) -> asyncio.Task[Read] | None:
        """Claim the next few mails, and begin to read them; none while deadlines still have to move because of an outage."""
        runtime = self.runtime
        if runtime.stopping.is_set() or len(self._aside) >= MOST_ASIDE:
            return None
        claimed, raws = await runtime.step(
            steps.claim_mails, self._group, tuple(self._under_way), self.is_known, runtime.seen_at
        )
        self._under_way.update(waiting.id for waiting in claimed)
        return asyncio.create_task(self._read(claimed, raws)) if claimed else None

    async def _read(self, claimed: Sequence[ClaimedMail], raws: Mapping[int, bytes]) -> Read:
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
        pieces = steps.play_mails(runtime.services, mails, runtime.clock(), self.is_known)
        try:
            while (played := await runtime.piece(pieces)) is not None:
                for mail in played:
                    runtime.health.mail_done(mail.state, (runtime.clock() - arrived[mail.id]).total_seconds())
                    self._under_way.discard(mail.id)
                runtime.letters.set()
        except BaseException:
            await self._release([waiting for waiting, _ in group])
            raise
