"""Edge: opening mails in a process of its own. In: raw mails, texts with the letters they may quote. Out: what is read.

All of this runs in the daemon; what runs in the process is `sandbox_process`.

No mail, however it is made, may stop the mailbox. What takes too long or too much memory ends the process, not the daemon,
and the next mail gets a new one. A job has some seconds of the processor's time, and a gigabyte. The kernel counts both, and
its alarm ends the process whatever that is busy with. Many jobs are handed over at once and answered one by one, so that it
is known which of them the process did not survive. Jobs go there as pickles. Answers come back as JSON, so that a process
that a mail took over could say nothing but wrong words.

One process, the parent, has loaded all that opening takes and opens nothing: it forks the others. That takes some
milliseconds, where loading takes half a second, and they share the memory of what was loaded. One that has had no job for
a while ends, so that only the parent is there while no mail comes.
"""

import asyncio
import contextlib
import itertools
import json
import pickle
import signal
import socket
import subprocess
import threading
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from host import processes
from host.mail.inbound.mail import Mail, Typed, mail_from_json
from host.processes import LENGTH, NUMBER
from host.states import Proof

SECONDS = 10.0
"""Seconds of the processor's time, for one mail."""
IDLE_SECONDS = 2.0
"""A process that has had no job for so long ends."""
_ALARMS = (-signal.SIGPROF, -signal.SIGALRM)
_TIMES_THE_CLOCK = 11
"""How many times that a job may take by the clock before nobody waits for its answer any more."""


class ReadingError(Exception):
    """A mail could not be read within the limits; the message says so."""


class _Ended(Exception):
    """The process ended in the middle of a job, with this status."""

    def __init__(self, status: int | None) -> None:
        super().__init__(f"the process ended with {status}")
        self.status = status


@dataclass(frozen=True)
class Unread:
    """A text of which it is to be told what a person typed, held against `letters`, whole messages, the likeliest first.

    `are_all` says that there are no more letters that it could quote. `page` is the HTML of the mail, `writer` the name
    under which the person writes.
    """

    text: str
    letters: Sequence[bytes]
    are_all: bool = True
    page: str = ""
    writer: str = ""


def _typed(found: Mapping[str, Any] | None) -> Typed | None:
    return None if found is None else Typed(**{name: tuple(each) for name, each in found.items()})


class Parent:
    """The process that forks those that open mails, for all threads of this one: started when it is first needed.

    It ends with this process, and so do those that it forked.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._numbers = itertools.count(1)
        self._process: subprocess.Popen[bytes] | None = None
        self._orders: socket.socket | None = None

    def fork(self) -> tuple[int, socket.socket, socket.socket]:
        """The number of a new process, where its jobs go and its answers come from, and where it is told how it ended.

        Raises OSError where no process can be started.
        """
        with contextlib.ExitStack() as at_the_end:
            jobs, its_jobs = map(at_the_end.enter_context, socket.socketpair())
            status, its_status = map(at_the_end.enter_context, socket.socketpair())
            handles = [its_jobs.fileno(), its_status.fileno()]
            with self._lock:
                number = next(self._numbers)
                try:
                    socket.send_fds(self._started(), [NUMBER.pack(number)], handles)
                except OSError:  # it ended a moment ago
                    self._close()
                    socket.send_fds(self._started(), [NUMBER.pack(number)], handles)
            return number, jobs.dup(), status.dup()

    def kill(self, number: int) -> None:
        """End a process, whatever it is busy with."""
        with self._lock, contextlib.suppress(OSError):
            if self._orders is not None:
                self._orders.sendall(NUMBER.pack(-number))

    def close(self) -> None:
        """End it, and all that it forked."""
        with self._lock:
            self._close()

    def _close(self) -> None:
        if self._process is not None and self._orders is not None:
            self._orders.close()
            self._process.wait()
        self._process = self._orders = None

    def _started(self) -> socket.socket:
        if self._orders is None:
            ours, its = socket.socketpair()
            with its:
                self._process = subprocess.Popen(  # noqa: S603 - our own
                    processes.command("host.mail.inbound.sandbox_process"),
                    stdin=its.fileno(),
                    stdout=subprocess.DEVNULL,
                    env=processes.environment(),
                    start_new_session=True,
                )
            self._orders = ours
        return self._orders


PARENT = Parent()


@dataclass(frozen=True)
class _Process:
    """A process that opens mails. `ended` gives the status that it ended with, None where nobody can tell."""

    number: int
    jobs: asyncio.StreamWriter
    answers: asyncio.StreamReader
    ended: "asyncio.Task[int | None]"


class Sandbox:
    """The process, started at the first job, and anew after one that it did not survive or a while without any.

    One batch at a time.
    """

    def __init__(self, seconds: float = SECONDS) -> None:
        self.seconds = seconds
        self._process: _Process | None = None
        self._turn = asyncio.Lock()
        self._idle: asyncio.TimerHandle | None = None

    async def open(self, raw: bytes) -> Mail:
        """A mail, opened. Raises `ReadingError`."""
        (found,) = await self.open_all([raw])
        if isinstance(found, ReadingError):
            raise found
        return found[0]

    async def open_all(
        self, raws: Sequence[bytes], wants_keys: bool = False
    ) -> list[tuple[Mail, Typed | None, tuple[bytes, ...]] | ReadingError]:
        """Mails, opened; what was typed in each, None where that cannot be told without letters; and who may have signed it.

        For that the names of keys, where they are wanted (`dkim.key_names`). Raises OSError where no process can be started.
        """
        return [
            each
            if isinstance(each, ReadingError)
            else (mail_from_json(each["mail"]), _typed(each["typed"]), tuple(map(str.encode, each["keys"])))
            for each in await self._do([("open", raw, wants_keys) for raw in raws])
        ]

    async def judge_all(
        self, signed: Sequence[tuple[bytes, str, Mapping[bytes, bytes | None]]]
    ) -> list[Proof | ReadingError]:
        """Judge the signatures of mails, given each with its sender and the records of its keys.

        Raises OSError where no process can be started.
        """
        answers = await self._do([("judge", *each) for each in signed])
        return [each if isinstance(each, ReadingError) else each["verdict"] for each in answers]

    async def read_all(self, texts: Sequence[Unread]) -> list[Typed | ReadingError | None]:
        """Tell what was typed in texts: None where that cannot be told without more letters than were given.

        Raises OSError where no process can be started.
        """
        answers = await self._do([("read", vars(each)) for each in texts])
        return [each if isinstance(each, ReadingError) else _typed(each["typed"]) for each in answers]

    async def read(self, text: Unread) -> Typed:
        """Tell what a person typed in a text, held against all the letters there are. Raises `ReadingError`."""
        (found,) = await self.read_all([text])
        if isinstance(found, ReadingError):
            raise found
        assert found is not None
        return found

    async def start(self) -> None:
        """Start the process before there is a job for it. What hinders that is told by the first job."""
        async with self._taken():
            with contextlib.suppress(OSError):
                if self._running() is None:
                    await self._start()

    @contextlib.asynccontextmanager
    async def _taken(self) -> AsyncIterator[None]:
        """Have the process alone, and let it go once nobody has taken it again for a while."""
        async with self._turn:
            if self._idle is not None:
                self._idle.cancel()
            try:
                yield
            finally:
                self._idle = asyncio.get_running_loop().call_later(IDLE_SECONDS, self._let_go)

    def _let_go(self) -> None:
        if self._process is not None:
            self._process.jobs.close()

    async def _do(self, jobs: Sequence[tuple[Any, ...]]) -> list[dict[str, Any] | ReadingError]:
        """The answers to jobs. A process that was ended by others has a successor, which tries the job once more."""
        packed = [pickle.dumps((self.seconds, *job)) for job in jobs]
        answers: list[dict[str, Any] | ReadingError] = []
        tried = -1
        async with self._taken():
            while len(answers) < len(packed):
                try:
                    await self._answer(packed[len(answers) :], answers)
                except _Ended as ended:
                    if ended.status in _ALARMS or tried == len(answers):
                        words = f"it took more than {self.seconds:.0f} seconds or too much memory to read"
                        answers.append(ReadingError(words))
                    tried = len(answers)
        return answers

    async def _answer(self, packed: Sequence[bytes], answers: list[dict[str, Any] | ReadingError]) -> None:
        """Put the answers to these jobs behind the others.

        Raises OSError where no process can be started, `_Ended` where it did not survive the job that comes next.
        """
        process = self._running() or await self._start()
        try:
            # Not drained: the process takes no more jobs while its answers wait to be taken, which is done below.
            process.jobs.write(b"".join(LENGTH.pack(len(job)) + job for job in packed))
            for _ in packed:
                async with asyncio.timeout(_TIMES_THE_CLOCK * self.seconds + 5):
                    (length,) = LENGTH.unpack(await process.answers.readexactly(LENGTH.size))
                    answer: dict[str, Any] = json.loads(await process.answers.readexactly(length))
                answers.append(answer)
        except TimeoutError as error:
            await self._end()
            raise _Ended(-signal.SIGALRM) from error
        except (OSError, EOFError) as error:
            status = await self._end()
            raise _Ended(status) from error
        except BaseException:
            await self._end()  # an answer that nobody waits for any more must not be taken for the next one
            raise

    def _running(self) -> _Process | None:
        process = self._process
        return None if process is None or process.ended.done() or process.jobs.is_closing() else process

    async def _start(self) -> _Process:
        number, jobs, status = PARENT.fork()
        answers, writer = await asyncio.open_unix_connection(sock=jobs)
        self._process = _Process(number, writer, answers, asyncio.create_task(_status(status)))
        return self._process

    async def _end(self) -> int | None:
        """End the process; gives what it ended with, by itself or now."""
        process, self._process = self._process, None
        if process is None:
            return None
        process.jobs.close()
        done, _ = await asyncio.wait([process.ended], timeout=1)
        if not done:
            PARENT.kill(process.number)
        return await process.ended

    async def close(self) -> None:
        """End the process."""
        async with self._turn:
            await self._end()


async def _status(told: socket.socket) -> int | None:
    reader, writer = await asyncio.open_unix_connection(sock=told)
    try:
        return NUMBER.unpack(await reader.readexactly(NUMBER.size))[0]  # type: ignore[no-any-return]
    except (OSError, EOFError):
        return None  # the parent ended, too
    finally:
        writer.close()
