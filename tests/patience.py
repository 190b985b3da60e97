"""A bound for what hangs; it measures nothing."""

import contextlib
import signal
from collections.abc import Iterator
from types import FrameType

SECONDS = 30


@contextlib.contextmanager
def not_for_ever() -> Iterator[None]:
    """Fails where the work inside does not end, on however slow a machine."""

    def give_up(_number: int, _frame: FrameType | None) -> None:
        raise AssertionError(f"not done after {SECONDS} seconds")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
