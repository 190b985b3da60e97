"""Shell: the common ground of the daemon's loops. In: services, two clocks. Out: loops, store work on one thread, a way to stop.

How the daemon runs. The event loop waits: for servers, for the next turn of a clock, for work that somebody tells of. Work
on the store takes milliseconds and blocks, so it is done on a thread (`work`). One thread does all of it in turn: SQLite has
one writer, and what is played never meets what is being changed.

Every loop has one shape (`repeat`): a step, a pause, a step. The pause is a number of seconds, or lasts until somebody tells
that there is work: `mails`, `unknown_mails` and `letters` are set by whoever wrote a row of that kind in this process. What
another process or the command line wrote is found once a second (`host.daemon.main`). All pauses go by the steady clock of
the machine, so a clock that is set back stops no loop.

After a fault a loop waits (`BackOff`) and does its step anew. A step therefore begins from the store each time, and keeps
nothing that a fault could leave half done.
"""

import asyncio
import contextvars
import logging
import os
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

from host import troubles
from host.daemon.health import Health
from host.engine.chance import jittered
from host.errors import PodiumError
from host.store.database import is_passing
from host.store.health import Signs, vital_signs
from host.table.letters import alert
from host.table.work import Services, begin

log = logging.getLogger("podium")

BACK_OFF_FIRST, BACK_OFF_MOST = 2.0, 300.0
"""Seconds after the first fault, and the most after any: each wait is twice as long as the one before."""
REFUSALS, REFUSED_WAIT = 3, 900.0
"""After so many refused logins in a row, so many seconds between tries: providers lock accounts that are hammered on."""

P = ParamSpec("P")
T = TypeVar("T")


def boot_id() -> str:
    """Which boot of the machine this is: the steady clock begins anew with it."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
    except OSError:
        return f"process {os.getpid()}"


class StartError(PodiumError):
    """The daemon cannot start; the message says what to do."""


class Runtime:
    """The loops of one daemon share it. `clock` gives the moment in UTC, `steady` the seconds of a clock that nobody sets, and
    `timer` waits for some seconds.

    `stopping` is set once, `mails` and `unknown_mails` whenever a mail was stored (`InboundWorker`), `letters` whenever a
    letter may be due. `seen_at`: when this process last saw the first mailbox in reach.
    """

    def __init__(
        self,
        services: Services,
        clock: Callable[[], datetime],
        steady: Callable[[], float],
        timer: Callable[[float], Coroutine[Any, Any, None]] = asyncio.sleep,
    ) -> None:
        self.services, self.clock, self.steady, self._timer = services, clock, steady, timer
        self.mailboxes = services.config.mailboxes
        self.stopping = asyncio.Event()
        self.mails = asyncio.Event()
        self.unknown_mails = asyncio.Event()
        self.letters = asyncio.Event()
        self.seen_at: datetime | None = None
        self._hindered = set[str]()
        self.health = Health(services.config, self._signs, clock, steady)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="desk")

    def _signs(self) -> Signs:
        with self.services.store.reading() as session:
            return vital_signs(session, self.clock(), self.mailboxes)

    async def work(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Do store work on its thread; what is logged there is about the same mail as here."""
        job = partial(contextvars.copy_context().run, partial(function, *args, **kwargs))
        return await asyncio.get_running_loop().run_in_executor(self._thread, job)

    async def step(
        self, function: Callable[Concatenate[Services, datetime, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Do a step of `host.daemon.steps` as of now, on the store's thread."""
        return await self.work(partial(function, self.services, self.clock()), *args, **kwargs)

    async def piece(self, pieces: Iterator[T]) -> T | None:
        """Do the next piece of a step (`host.daemon.steps`); None where the step is done."""
        return await self.work(next, pieces, None)

    def mails_came(self) -> None:
        """Mails were stored, or may have been."""
        self.mails.set()
        self.unknown_mails.set()

    async def alert(self, headline: str, text: str, cause: str) -> None:
        """Tell the operators, at most once a cause and hour."""

        def tell() -> None:
            with begin(self.services, self.clock()) as work:
                alert(work, headline, text, cause=cause)

        await self.work(tell)

    async def repeat(
        self,
        step: Callable[[], Awaitable[object]],
        pause: float | Callable[[], Awaitable[object]],
        trouble: str,
        *,
        back_off: "BackOff | None" = None,
        known: tuple[type[Exception], ...] = (),
        failed: Callable[[Exception], Awaitable[None]] | None = None,
    ) -> None:
        """A loop of the daemon: the step and then the pause, again and again until the daemon stops.

        `pause` is a number of seconds, or waits for the next work by itself. After a fault of either the log says `trouble`,
        `failed` is told, and the loop waits as `back_off` says. Faults of the database and those that are `known` are logged
        without a traceback.
        """
        back_off = back_off or BackOff(self.steady)
        while not self.stopping.is_set():
            try:
                await step()
                back_off.worked()
                if not self.stopping.is_set():
                    await (pause() if callable(pause) else self.sleep(pause))
            except Exception as error:
                wait = back_off.failed(getattr(error, "is_login", False))
                is_known = is_passing(error) or isinstance(error, known)
                log.warning(
                    "%s: %s; trying again in %.0f s",
                    trouble,
                    troubles.for_log(error) if is_passing(error) else error,
                    wait,
                    exc_info=not is_known,
                )
                if failed is not None:
                    await failed(error)
                await self.sleep(wait)

    async def every(self, seconds: float, step: Callable[[], Awaitable[object]]) -> None:
        """A loop for a step that is soon done again, so many seconds after its end, even where the database hinders it."""
        back_off = BackOff(self.steady, always=seconds)
        await self.repeat(
            partial(self.if_it_answers, step), seconds, "what is done at intervals failed", back_off=back_off
        )

    async def if_it_answers(self, step: Callable[[], Awaitable[object]]) -> None:
        """Do a step, if the database lets it be done. That it does not is told once, until the step works again."""
        name = step.__name__
        try:
            await step()
            self._hindered.discard(name)
        except Exception as error:
            if not is_passing(error):
                raise
            if name not in self._hindered:
                log.warning("%s", troubles.for_log(error))
            self._hindered.add(name)

    async def sleep(self, seconds: float) -> None:
        """Wait so long, or until the daemon stops."""
        timer = asyncio.create_task(self._timer(seconds))
        try:
            await self.first_done(timer)
        finally:
            timer.cancel()

    async def first_done(self, *tasks: asyncio.Task[Any]) -> set[asyncio.Task[Any]]:
        """Wait until one of these tasks is done, or the daemon stops; gives those that are done."""
        stopped = asyncio.create_task(self.stopping.wait())
        try:
            done, _ = await asyncio.wait({*tasks, stopped}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            stopped.cancel()
        return done - {stopped}

    def close(self) -> None:
        """Finish what the thread has begun. No loop begins another step."""
        self.stopping.set()
        self._thread.shutdown(wait=True)


class BackOff:
    """How long to wait before the next try: longer each time, with jitter, and how long it has not worked.

    `always`: so many seconds each time, for what is done so often that it may be tried again at its next turn.
    """

    def __init__(self, steady: Callable[[], float], always: float | None = None) -> None:
        self._steady, self._always = steady, always
        self._wait = BACK_OFF_FIRST
        self._since: float | None = None
        self.refusals = 0

    def worked(self) -> None:
        """Begin anew."""
        self._wait, self._since, self.refusals = BACK_OFF_FIRST, None, 0

    def failed(self, is_login: bool = False) -> float:
        """Seconds to wait after a failure; a login that was refused three times is not hammered on."""
        self._since = self._steady() if self._since is None else self._since
        self.refusals = self.refusals + 1 if is_login else 0
        if self._always is not None:
            return self._always
        wait = self._wait if self.refusals < REFUSALS else REFUSED_WAIT
        self._wait = min(self._wait * 2, BACK_OFF_MOST)
        return jittered(wait)

    @property
    def lasts(self) -> timedelta:
        """How long it has not worked."""
        return timedelta(seconds=0 if self._since is None else self._steady() - self._since)
