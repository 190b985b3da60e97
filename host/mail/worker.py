"""Edge: opening mails in a process of its own. In: raw mails, texts with the letters they may quote. Out: what is read.

No mail, however it is made, may stop the mailbox: what takes too long or too much memory ends the process (`opener`),
not the daemon, and the next mail gets a new one.
"""

import asyncio
import contextlib
import json
import pickle
import signal
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from host.mail.opener import LENGTH
from host.mail.quotation import Typed
from host.mail.reply import Mail, mail_from_json

SECONDS = 10.0


class ReadingError(Exception):
    """A mail could not be read within the limits; the message says so."""


class _Ended(Exception):
    """The process ended in the middle of a job, with this status."""

    def __init__(self, status: int | None) -> None:
        super().__init__(f"the process ended with {status}")
        self.status = status


class Worker:
    """The process, started at the first job and anew after one that it did not survive. One job at a time."""

    def __init__(self, seconds: float = SECONDS) -> None:
        self.seconds = seconds
        self._process: asyncio.subprocess.Process | None = None
        self._turn = asyncio.Lock()

    async def open(self, raw: bytes) -> Mail:
        """A mail, opened. Raises `ReadingError`."""
        return mail_from_json(await self._do(("open", raw)))

    async def read(
        self, text: str, letters: Sequence[int], fetch: Callable[[Sequence[int]], Awaitable[Mapping[int, bytes]]]
    ) -> Typed:
        """What a person typed in a text, held against letters; `fetch` gives the messages of those not known yet.

        Raises `ReadingError`.
        """
        answer = await self._do(("read", text, tuple(letters), None))
        if "missing" in answer:
            answer = await self._do(("read", text, tuple(letters), dict(await fetch(answer["missing"]))))
        return Typed(tuple(answer["lines"]), tuple(answer["doubtful"]))

    async def start(self) -> None:
        """Start the process before there is a job for it. What hinders that is told by the first job."""
        async with self._turn:
            with contextlib.suppress(OSError):
                if self._running() is None:
                    await self._start()

    async def _do(self, job: tuple[Any, ...]) -> dict[str, Any]:
        """The answer to a job. A process that was ended by others gets a successor, which tries once more."""
        packed = pickle.dumps(job)
        async with self._turn:
            try:
                return await self._answer(packed)
            except _Ended as ended:
                if ended.status == -signal.SIGALRM:
                    raise self._too_hard() from ended
            try:
                return await self._answer(packed)
            except _Ended as ended:
                raise self._too_hard() from ended

    def _too_hard(self) -> ReadingError:
        return ReadingError(f"it took more than {self.seconds:.0f} seconds or too much memory to read")

    async def _answer(self, packed: bytes) -> dict[str, Any]:
        """Raises OSError where no process can be started, `_Ended` where it did not survive the job."""
        process = self._running() or await self._start()
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            async with asyncio.timeout(self.seconds + 5):
                process.stdin.write(LENGTH.pack(len(packed)) + packed)
                await process.stdin.drain()
                (length,) = LENGTH.unpack(await process.stdout.readexactly(LENGTH.size))
                answer: dict[str, Any] = json.loads(await process.stdout.readexactly(length))
                return answer
        except TimeoutError as error:
            await self._end()
            raise self._too_hard() from error
        except (OSError, EOFError) as error:
            status = await self._end()
            raise _Ended(status) from error
        except BaseException:
            await self._end()  # an answer that nobody waits for any more must not be taken for the next one
            raise

    def _running(self) -> asyncio.subprocess.Process | None:
        return None if self._process is None or self._process.returncode is not None else self._process

    async def _start(self) -> asyncio.subprocess.Process:
        command = [sys.executable, "-m", "host.mail.opener", str(self.seconds)]
        self._process = await asyncio.create_subprocess_exec(
            *command, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, start_new_session=True
        )
        return self._process

    async def _end(self) -> int | None:
        """End the process; gives what it ended with, by itself or now."""
        process, self._process = self._process, None
        if process is None:
            return None
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(1):
                await process.wait()
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()
        return process.returncode

    async def close(self) -> None:
        """End the process."""
        async with self._turn:
            await self._end()
