"""One daemon after the other, killed by the test or by itself before a chosen callback of its event loop."""

import signal
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from tests.wire.forked import Child, forks


class Starter:
    """Starts one daemon after the other; each tries again after a second what failed."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = environment
        self._child: Child | None = None

    def start(self, arguments: Sequence[str], log: Path, at: int = 0) -> None:
        """Start one; it ends at its N-th callback where `at` is N."""
        assert self._child is None
        self._child = forks().start(arguments, self._environment, log, at=at, is_hasty=True)

    def kill(self, number: int = signal.SIGKILL) -> int:
        """Send it a signal and wait for its end."""
        assert self._child is not None
        self._child.send_signal(number)
        return self.wait()

    def wait(self) -> int:
        """Its exit status, the signal's number below zero where one ended it."""
        assert self._child is not None
        status = self._child.wait()
        self._child = None
        return status

    @property
    def has_ended(self) -> bool:
        """Is it over? (`wait` gives the status then.)"""
        return self._child is None or self._child.poll() is not None

    def close(self) -> None:
        if self._child is not None:
            self.kill()


def say(words: object) -> None:
    """A line to whoever waits for it, at once."""
    sys.stdout.write(f"{words}\n")
    sys.stdout.flush()
