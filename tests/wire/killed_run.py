"""The daemon, started without delay and killed by itself: everything is imported once, each start is a fork.

    python -m tests.wire.killed_run    reads `{"arguments": [...], "log": FILE, "at": N}` a line from standard input

For each line the command line runs in a child; its pid is written, and when it has ended its exit status. With N > 0 the
child's event loop sends itself SIGKILL before its N-th callback. A letter that failed is tried
again after a second.
"""

import asyncio.events
import contextlib
import json
import os
import signal
import subprocess
import sys
import traceback
from datetime import timedelta
from pathlib import Path
from typing import Any


class Starter:
    """Starts one daemon after the other."""

    def __init__(self, environment: dict[str, str]) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.wire.killed_run"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
            text=True,
        )
        self.pid: int | None = None

    def start(self, arguments: list[str], log: Path, at: int = 0) -> None:
        """Start one; it ends at its N-th callback where `at` is N."""
        assert self.pid is None
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"arguments": arguments, "log": str(log), "at": at}) + "\n")
        self._process.stdin.flush()
        self.pid = self._number()

    def kill(self, number: int = signal.SIGKILL) -> int:
        """Send it a signal and wait for its end."""
        if self.pid is not None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)
        return self.wait()

    def wait(self) -> int:
        """Its exit status, the signal's number below zero where one ended it."""
        assert self.pid is not None
        status = self._number()
        self.pid = None
        return status

    @property
    def has_ended(self) -> bool:
        """Is it over? (`wait` gives the status then.)"""
        if self.pid is None:
            return True
        try:
            return Path(f"/proc/{self.pid}/stat").read_text().rpartition(") ")[2][0] in "ZX"
        except FileNotFoundError:
            return True

    def close(self) -> None:
        if self.pid is not None:
            self.kill()
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(10)

    def _number(self) -> int:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError("the process that starts daemons ended")
        return int(line)


def _kill_at(number: int) -> None:
    run = asyncio.events.Handle._run
    count = 0

    def counted(handle: Any) -> None:
        nonlocal count
        count += 1
        if count == number:
            os.kill(os.getpid(), signal.SIGKILL)
        run(handle)

    asyncio.events.Handle._run = counted  # type: ignore[method-assign, assignment]


def _in_child(arguments: list[str], log: str, at: int) -> None:
    handle = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    os.dup2(handle, 1)
    os.dup2(handle, 2)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    if at:
        _kill_at(at)
    status = 70
    try:
        status = cli.main(arguments)
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(status)


def say(words: object) -> None:
    """A line to whoever waits for it, at once."""
    sys.stdout.write(f"{words}\n")
    sys.stdout.flush()


def _serve() -> None:
    dispatch.RETRY_AFTER, desk.BACK_OFF_FIRST = [timedelta(seconds=1)], 0.3
    for line in sys.stdin:
        wanted = json.loads(line)
        pid = os.fork()
        if pid == 0:
            _in_child(wanted["arguments"], wanted["log"], wanted["at"])
        say(pid)
        _, status = os.waitpid(pid, 0)
        say(os.waitstatus_to_exitcode(status))


if __name__ == "__main__":
    from host import cli, desk, dispatch

    _serve()
