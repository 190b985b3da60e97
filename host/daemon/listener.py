"""Shell: news of other processes. In: what they tell through PostgreSQL. Out: the events of the runtime, set.

Theory of operation. Whoever stores mails or writes letters tells at the commit (`host.store.notices`): another daemon, the
desk, the command line. This process hears it on a line of its own and sets the events that its loops wait for.

- The line is lost, or cannot be had: it is tried again, longer each time. Meanwhile the loops look by themselves, four times
  a second (`Runtime.wait_for`), and once more when the line is there, for what was told while nobody listened.
- The line is there, and nothing comes through it (pgbouncer in transaction mode): it is not believed. When it is opened, a
  word is said on another line, and the loops look by themselves until it was heard.
- A line that dies in silence is noticed by the system within ten seconds. Once a second every process looks whether work was
  left (`host.daemon.main`), whatever it was told.
"""

import asyncio
import logging

from host.daemon.runtime import BackOff, Runtime
from host.engine.chance import new_token
from host.store import notices
from host.store.notices import Unheard

log = logging.getLogger("podium")

HEARD_WITHIN = 5.0
"""Seconds in which a word that was said must be heard."""


class Listener:
    """Hears what other processes tell, until the daemon stops. On SQLite, where there are none, it only waits."""

    def __init__(self, runtime: Runtime) -> None:
        self.runtime = runtime

    async def run(self) -> None:
        """Listen until the daemon stops."""
        runtime = self.runtime
        if runtime.services.store.file is not None:
            await runtime.stopping.wait()
            return
        back_off = BackOff(runtime.steady)
        trouble = "other processes cannot be heard, so the store is looked into again and again"
        await runtime.repeat(lambda: self._until_stopped(back_off), 0.0, trouble, back_off=back_off, known=(Unheard,))

    async def _until_stopped(self, back_off: BackOff) -> None:
        listening = asyncio.create_task(self._listen(back_off))
        stopped = asyncio.create_task(self.runtime.stopping.wait())
        await asyncio.wait({listening, stopped}, return_when=asyncio.FIRST_COMPLETED)
        for task in (listening, stopped):
            task.cancel()
        (ended, _) = await asyncio.gather(listening, stopped, return_exceptions=True)
        if isinstance(ended, Exception):
            raise ended

    async def _listen(self, back_off: BackOff) -> None:
        runtime = self.runtime
        try:
            async with notices.overhear(runtime.services.store) as told:
                word = new_token()
                await runtime.look(notices.probe, runtime.services.store, word)
                async with asyncio.timeout(HEARD_WITHIN) as patience:
                    async for notice in told:
                        if notice == word:
                            patience.reschedule(None)
                            runtime.is_told = True
                            back_off.worked()
                            runtime.look_at_all()
                            log.info("other processes are heard")
                        elif notice == "mails":
                            runtime.mails_came()
                        elif notice == "letters":
                            runtime.letters.set()
        except TimeoutError:
            raise Unheard("nothing comes through the line, as behind a pooler") from None
        finally:
            if runtime.is_told:
                runtime.is_told = False
                runtime.look_at_all()
        raise Unheard("the line ended")
