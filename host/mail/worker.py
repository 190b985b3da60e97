"""Edge: opening mails in a process of its own. In: raw mails, texts with the letters they may quote. Out: what is read.

No mail, however it is made, may stop the mailbox: a job has ten seconds and a gigabyte, counted by the kernel. What
takes more ends the process, not the daemon, and the next mail gets a new one. Jobs go in as pickles; answers come back
as JSON, so that a process that a mail took over could say nothing but wrong words.
"""

import asyncio
import contextlib
import json
import os
import pickle
import resource
import signal
import struct
import sys
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, BinaryIO

from host.mail.quotation import SentText, Typed, read_lines
from host.mail.reply import Mail, mail_from_json, open_mail, sent_texts

SECONDS = 10.0
MEMORY = 1 << 30
LETTERS_KNOWN = 400
"""How many letters the process remembers as words, so that each crosses the pipe and is taken apart once."""
_LENGTH = struct.Struct(">I")


class ReadingError(Exception):
    """A mail could not be read within the limits; the message says so."""


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

    async def _do(self, job: tuple[Any, ...]) -> dict[str, Any]:
        packed = pickle.dumps(job)
        async with self._turn:
            try:
                async with asyncio.timeout(self.seconds + 5):
                    process = self._running() or await self._start()
                    assert process.stdin is not None
                    assert process.stdout is not None
                    process.stdin.write(_LENGTH.pack(len(packed)) + packed)
                    await process.stdin.drain()
                    (length,) = _LENGTH.unpack(await process.stdout.readexactly(_LENGTH.size))
                    answer: dict[str, Any] = json.loads(await process.stdout.readexactly(length))
            except (TimeoutError, OSError, EOFError) as error:
                await self._end()
                raise ReadingError(
                    f"it took more than {self.seconds:.0f} seconds or too much memory to read"
                ) from error
            except BaseException:
                await self._end()  # an answer that nobody waits for any more must not be taken for the next one
                raise
            return answer

    def _running(self) -> asyncio.subprocess.Process | None:
        return None if self._process is None or self._process.returncode is not None else self._process

    async def _start(self) -> asyncio.subprocess.Process:
        command = [sys.executable, "-m", "host.mail.worker", str(self.seconds)]
        self._process = await asyncio.create_subprocess_exec(
            *command, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, start_new_session=True
        )
        return self._process

    async def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()

    async def close(self) -> None:
        """End the process."""
        async with self._turn:
            await self._end()


def work(jobs: BinaryIO, answers: BinaryIO, seconds: float) -> None:
    """The process's own loop, until nobody sends jobs any more."""
    known: OrderedDict[int, tuple[SentText, ...]] = OrderedDict()
    with contextlib.suppress(EOFError, BrokenPipeError):
        while True:
            job = pickle.loads(_frame(jobs))  # noqa: S301 - the daemon wrote it
            signal.setitimer(signal.ITIMER_REAL, seconds)
            answer = json.dumps(_answer(job, known), default=sorted).encode("ascii")
            signal.setitimer(signal.ITIMER_REAL, 0)
            answers.write(_LENGTH.pack(len(answer)) + answer)
            answers.flush()


def _frame(jobs: BinaryIO) -> bytes:
    """The next job. Raises EOFError where the daemon is gone, in the middle of one too."""
    head = jobs.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        raise EOFError
    body = jobs.read(_LENGTH.unpack(head)[0])
    if len(body) < _LENGTH.unpack(head)[0]:
        raise EOFError
    return body


def _answer(job: tuple[Any, ...], known: OrderedDict[int, tuple[SentText, ...]]) -> dict[str, Any]:
    if job[0] == "open":
        return asdict(open_mail(job[1]))
    _, text, letters, messages = job
    for letter, message in (messages or {}).items():
        known[letter] = sent_texts(message)
    missing = [letter for letter in letters if letter not in known]
    if missing and messages is None:
        return {"missing": missing}
    for letter in letters:
        if letter in known:
            known.move_to_end(letter)
    typed = read_lines(text, [each for letter in letters for each in known.get(letter, ())])
    while len(known) > LETTERS_KNOWN:
        known.popitem(last=False)
    return asdict(typed)


def main() -> None:
    """Run as a process: jobs on standard input, answers on standard output. An alarm ends it (SIGALRM's own default)."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    work(sys.stdin.buffer, sys.stdout.buffer, float(sys.argv[1]))
    os._exit(0)  # what is left in a buffer has no reader any more


if __name__ == "__main__":
    main()
