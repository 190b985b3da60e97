"""Shell: what every loop of the daemon shares. In: a house, its clocks. Out: store work on one thread, a way to stop."""

import asyncio
import contextlib
import contextvars
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from functools import partial
from typing import ParamSpec, TypeVar

from host.daemon.health import Health
from host.engine.chance import jittered
from host.store.health import Signs, vital_signs
from host.turn import alerts, outage
from host.turn.work import Services, begin

BACK_OFF_FIRST, BACK_OFF_MOST = 2.0, 300.0
LOOK_AGAIN, LOOK_AGAIN_SHARED = 30.0, 0.25
"""Seconds after which is looked whether there is work that nobody told of; on a store that several processes share."""
REFUSALS, REFUSED_WAIT = 3, 900.0
"""After so many refused logins in a row, so many seconds between tries: providers lock accounts that are hammered on."""

P = ParamSpec("P")
T = TypeVar("T")


class Runtime:
    """The daemon's desk. `clock` gives the moment in UTC, `steady` the seconds of a clock that nobody sets.

    `stopping` is set once, `mails` and `unknown_mails` whenever a mail was stored (`Intake`), `letters` whenever a letter
    may be due.
    """

    def __init__(self, services: Services, clock: Callable[[], datetime], steady: Callable[[], float]) -> None:
        self.services, self.clock, self.steady = services, clock, steady
        self.mailboxes = services.config.mailboxes
        self.stopping = asyncio.Event()
        self.mails = asyncio.Event()
        self.unknown_mails = asyncio.Event()
        self.letters = asyncio.Event()
        self._seen_at: datetime | None = None
        self.health = Health(services.config, self._signs, clock, steady)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="desk")
        self._second = ThreadPoolExecutor(1, thread_name_prefix="look")

    def _signs(self) -> Signs:
        with self.services.store.reading() as session:
            return vital_signs(session, self.clock(), self.mailboxes)

    async def work(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Do store work on the desk's thread; what is logged there is about the same mail as here."""
        return await self._on(self._thread, function, *args, **kwargs)

    async def look(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Look into the store, or claim there, on a second thread: it need not wait for what is being played."""
        return await self._on(self._second, function, *args, **kwargs)

    async def _on(self, thread: ThreadPoolExecutor, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        job = partial(contextvars.copy_context().run, partial(function, *args, **kwargs))
        return await asyncio.get_running_loop().run_in_executor(thread, job)

    def mails_came(self) -> None:
        """Mails were stored, or may have been."""
        self.mails.set()
        self.unknown_mails.set()

    def seen(self, moment: datetime) -> None:
        """The first mailbox was in reach at this moment."""
        self._seen_at = moment

    def is_outage_over(self, moment: datetime) -> bool:
        """Does an outage of the first mailbox end now, so that deadlines have to move? Asks the store where it has to."""
        if self._seen_at is not None and timedelta() <= moment - self._seen_at < outage.LONGEST_UNNOTICED:
            return False
        return outage.is_over(self.services, self.mailboxes[0], moment)

    def alert(self, headline: str, text: str, cause: str) -> None:
        """Tell the operators, at most once a cause and hour."""
        with begin(self.services, self.clock()) as work:
            alerts.alert(work, headline, text, cause=cause)

    async def sleep(self, seconds: float) -> None:
        """Wait so long, or until the daemon stops."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self.stopping.wait(), seconds)

    async def wait_for(self, event: asyncio.Event) -> None:
        """Wait for an event, but not for long where other processes may have caused what it tells of."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(
                event.wait(), LOOK_AGAIN if self.services.store.file is not None else LOOK_AGAIN_SHARED
            )

    def close(self) -> None:
        """Finish what the threads have begun."""
        for thread in (self._second, self._thread):
            thread.shutdown(wait=True)


class BackOff:
    """How long to wait before the next try: longer each time, with jitter, and how long it has not worked."""

    def __init__(self, steady: Callable[[], float]) -> None:
        self._steady = steady
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
        wait = self._wait if self.refusals < REFUSALS else REFUSED_WAIT
        self._wait = min(self._wait * 2, BACK_OFF_MOST)
        return jittered(wait)

    @property
    def lasts(self) -> timedelta:
        """How long it has not worked."""
        return timedelta(seconds=0 if self._since is None else self._steady() - self._since)
