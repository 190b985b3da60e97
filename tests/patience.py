"""One generous bound for all that is waited for: it ends what hangs, and measures nothing."""

import asyncio
import contextlib
import signal
import time
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

SECONDS = 60


@contextlib.contextmanager
def not_for_ever(what: str = "it") -> Iterator[None]:
    """Fails where the work inside does not end, on however slow a machine."""

    def give_up(_number: int, _frame: FrameType | None) -> None:
        raise AssertionError(f"{what} is not done after {SECONDS} seconds")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def wait_until(condition: Callable[[], Any], what: str = "it", seconds: float = SECONDS) -> Any:
    """Ask again and again until something is so, and give it."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = condition()
        if found:
            return found
        time.sleep(0.02)
    raise AssertionError(f"waited {seconds} s for {what}")


async def until(condition: Callable[[], Any], what: str = "it") -> Any:
    """As `wait_until`, while the loop goes on."""
    try:
        async with asyncio.timeout(SECONDS):
            while not (found := condition()):
                await asyncio.sleep(0.01)
            return found
    except TimeoutError:
        raise AssertionError(f"waited {SECONDS} s for {what}") from None
