"""Shell: time in the demo. In: how far to push it on. Out: clocks that have moved, with everything done that was due on the way.

Both clocks of the daemon move together, so that it sees no clock that was set; and in steps of less than an hour, each of
which it follows with a pass over its mailbox, so that it sees no outage either. What falls due is worked off before the next
step, and so are the mails that come of it: the robots are quick people.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import datetime, timedelta

from host.daemon import main
from host.daemon.main import Daemon
from host.turn.expire import is_due

STEP = timedelta(minutes=50)
LOOK_EVERY = 0.01
"""Seconds between two looks whether the daemon has followed."""
PATIENCE, LONG_PATIENCE = 30.0, 180.0
"""Seconds that the daemon may take for one step, and the robots for the rest of a game; a demo that is stuck says so."""


class Stuck(Exception):
    """The daemon did not follow; the message says what to do."""


class Clock:
    """The wall clock and the steady clock of the demo: those of the machine, pushed on by as much as was asked for."""

    def __init__(self) -> None:
        self._ahead = timedelta()

    def now(self) -> datetime:
        """The moment that it is in the demo, UTC."""
        return main.now() + self._ahead

    def steady(self) -> float:
        """Seconds that nobody sets; they are pushed on too."""
        return main.steady() + self._ahead.total_seconds()

    def push(self, by: timedelta) -> None:
        """Move both clocks on."""
        self._ahead += by


async def travel(clock: Clock, daemon: Daemon, by: timedelta, rest: Callable[[], Awaitable[None]]) -> None:
    """Push time on. `rest` waits until every mail is read and answered. Raises `Stuck`."""
    left = by
    while left > timedelta():
        await rest()
        step = min(STEP, left)
        left -= step
        clock.push(step)
        await _followed(clock, daemon)
    await rest()


async def _followed(clock: Clock, daemon: Daemon) -> None:
    """Wait until the daemon has read its mailbox past this moment, and worked off what was due by then."""
    moment = clock.now()
    runtime = daemon.runtime
    daemon.wake()
    await until(lambda: runtime.seen_at is not None and runtime.seen_at >= moment)
    async with patience():
        while await runtime.work(is_due, runtime.services, moment):
            await asyncio.sleep(LOOK_EVERY)


async def until(is_so: Callable[[], bool]) -> None:
    """Wait until something is so. Raises `Stuck`."""
    async with patience():
        while not is_so():
            await asyncio.sleep(LOOK_EVERY)


@contextlib.asynccontextmanager
async def patience(seconds: float = PATIENCE) -> AsyncIterator[None]:
    """So many seconds for what is done inside. Raises `Stuck`."""
    try:
        async with asyncio.timeout(seconds):
            yield
    except TimeoutError:
        raise Stuck("The host does not answer; end the demo and start it anew.") from None
