"""`podium` in processes that start without delay: everything is imported once, each start is a fork.

    python -m tests.wire.forked    reads a job a line from standard input, writes a number a line

`{"arguments": [...], "environment": {...}, "output": FILE, "errors": FILE, "at": N, "is_hasty": true}` runs the command
line in a child, whose pid is the answer. With N > 0 the child's event loop sends itself SIGKILL before its N-th callback;
with haste a letter that failed is tried again after a second. `{"look": PID}` is answered with the child's exit status,
the signal's number below zero where one ended it, or with `RUNNING`.
"""

import asyncio
import asyncio.events
import contextlib
import functools
import json
import os
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import uvloop

ROOT = Path(__file__).parents[2]
RUNNING = 1000
LOOK_SECONDS = 0.01


class Forks:
    """The process whose children are the command lines."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.wire.forked"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
            text=True,
        )

    def start(
        self,
        arguments: Sequence[str],
        environment: Mapping[str, str],
        output: Path,
        errors: Path | None = None,
        at: int = 0,
        is_hasty: bool = False,
    ) -> "Child":
        """One more child; what it prints is added to the files."""
        for file in (output, errors or output):
            file.touch()
        job = {"arguments": [*arguments], "environment": {**environment}, "at": at, "is_hasty": is_hasty}
        return Child(self, self.ask(**job, output=str(output), errors=str(errors or output)))

    def ask(self, **job: Any) -> int:
        """The answer to a job."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(job) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError("the process that starts others ended")
        return int(line)


class Child:
    """One of them, as `subprocess.Popen` has it."""

    def __init__(self, forks: Forks, pid: int) -> None:
        self._forks, self.pid = forks, pid
        self._status: int | None = None

    def poll(self) -> int | None:
        """Its exit status, None while it runs."""
        if self._status is None:
            found = self._forks.ask(look=self.pid)
            self._status = None if found == RUNNING else found
        return self._status

    def wait(self, seconds: float = 60.0) -> int:
        """Its exit status, once it has ended. Raises `subprocess.TimeoutExpired`."""
        end = time.monotonic() + seconds
        while (status := self.poll()) is None:
            if time.monotonic() > end:
                raise subprocess.TimeoutExpired(f"process {self.pid}", seconds)
            time.sleep(LOOK_SECONDS)
        return status

    def send_signal(self, number: int) -> None:
        if self._status is None:
            os.kill(self.pid, number)  # an ended child keeps its pid until `poll` has told of it

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


@functools.cache
def forks() -> Forks:
    """The one of this test process; it ends with it."""
    return Forks()


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
    uvloop.run = asyncio.run  # type: ignore[assignment]  # whose callbacks can be counted


def _in_child(job: dict[str, Any]) -> None:
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    for number, file in ((1, job["output"]), (2, job["errors"])):
        handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        os.dup2(handle, number)
    os.environ.clear()
    os.environ.update(job["environment"])
    if job["is_hasty"]:
        steps.RETRY_AFTER, runtime.BACK_OFF_FIRST = [timedelta(seconds=1)], 0.3
    if job["at"]:
        _kill_at(job["at"])
    sys.argv = ["podium", *job["arguments"]]
    status = 70
    try:
        status = host.__main__.main()
    except SystemExit as ended:
        status = ended.code if isinstance(ended.code, int) else 70
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def _serve() -> None:
    for line in sys.stdin:
        job = json.loads(line)
        if "look" in job:
            answer = _look(job["look"])
        else:
            answer = os.fork()
            if answer == 0:
                _in_child(job)
        sys.stdout.write(f"{answer}\n")
        sys.stdout.flush()


def _look(pid: int) -> int:
    ended, status = os.waitpid(pid, os.WNOHANG)
    return os.waitstatus_to_exitcode(status) if ended else RUNNING


if __name__ == "__main__":
    import host.__main__
    from host.daemon import runtime, steps

    with contextlib.suppress(KeyboardInterrupt):
        _serve()
