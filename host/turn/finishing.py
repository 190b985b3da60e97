"""Edge: letters become bytes, by two processes where many are written. In: a draft, its envelope. Out: a message, also packed.

Rendering is a third of what a move costs, and one process of Python uses one processor. So a daemon gives letters to a second
process (`FinishingProcess`), a few at a time, and goes on playing. What came of them is asked for when their rows are written,
before the commit: a broken template undoes the turn and loses nothing. What runs there is `finishing_process`.

Who is free does it: while the other process is behind, letters are finished here, as are the few that one mail leads to.
Nothing depends on that process. Without it (on the command line, say), while it starts, where it ended or could not finish a
letter, or gave no answer for two seconds, the letter is finished here; so what is wrong with it is raised here. An answer
has the number of its job: one that is not due ends the process, since each letter holds what one person may see.
"""

import contextlib
import logging
import pickle
import select
import socket
import struct
import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection

from host import __version__, processes
from host.mail.outbound.draft import Draft, Envelope, shortened
from host.mail.outbound.render import finish
from host.store.packing import pack

log = logging.getLogger("podium")

MAX_LETTER = 256_000
"""Bytes of a letter; what would be longer is cut, since mail programs and providers cut it too."""
CUTS = ((20, 1000), (20, 200), (5, 100))
"""Paragraphs, and characters of each, that are left of each part of a letter that is too long; the less the longer."""
PATIENCE = 2.0
"""Seconds that a letter is waited for: PostgreSQL ends a transaction that rests for five."""
SILENT = 60.0
"""Seconds without a word after which it is lost, whether or not anybody waits."""
RESTED, RESTED_MOST = 2.0, 300.0
"""Seconds until a process that was lost has a successor; twice as many each time, until one answers."""
TOGETHER = 4
"""Letters that are given to the process at once; fewer are finished here."""
MOST_UNDER_WAY = 2
"""How often the process has been given letters that are not finished; while it is so far behind, the next are finished here."""
LONGEST_JOB = 50_000
"""Bytes of drafts and envelopes that are given to the process at once; what is longer is finished here."""
READY = f"ready {__version__}".encode()
"""What the process says first: one that is of another version, updated meanwhile, is not used."""


@dataclass(frozen=True)
class Finished:
    """A letter ready to be sent, as it goes and as the store keeps it."""

    message: bytes
    packed: bytes


def finish_here(draft: Draft, envelope: Envelope) -> Finished:
    """A letter, cut where it would be too long. Raises jinja2's errors where a template is broken."""
    letter = finish(draft, envelope)
    for paragraphs, characters in CUTS:
        if len(letter.message) > MAX_LETTER:
            letter = finish(shortened(draft, paragraphs, characters), envelope)
    return Finished(letter.message, pack(letter.message))


class Finishing:
    """A letter that is being finished: by `process` while that has it, else here when it is asked for."""

    def __init__(self, draft: Draft, envelope: Envelope) -> None:
        self.draft, self.envelope = draft, envelope
        self.process: FinishingProcess | None = None
        self._finished: Finished | None = None

    def finished(self) -> Finished:
        """The letter; waits for it. Raises jinja2's errors where a template is broken."""
        if self.process is not None:
            self.process.wait_for(self)
        if self._finished is None:
            self._finished = finish_here(self.draft, self.envelope)
        return self._finished

    @property
    def is_finished(self) -> bool:
        """Is there nothing left to do?"""
        return self._finished is not None

    def packed(self) -> bytes:
        """The letter as the store keeps it; otherwise as `finished`."""
        return self.finished().packed

    def answered(self, finished: Finished | None) -> None:
        """The process is done with it; None where it could not finish it."""
        if finished is not None:
            self._finished = finished
        self.process = None


Finisher = Callable[[Draft, Envelope], Finishing]
"""Begins to finish a letter: `Finishing` itself, or a process's `finish`."""


@dataclass(frozen=True)
class _Job:
    """Letters that the process was given at once, and the number under which it answers."""

    number: int
    letters: Sequence[Finishing]


class FinishingProcess:
    """The process: it finishes letters in the order in which it got them. May be used by several threads.

    It gets no more than its socket has room for (`MOST_UNDER_WAY`, `LONGEST_JOB`), so that giving it letters never waits.
    """

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._process: subprocess.Popen[bytes] | None = None
        self._line: Connection | None = None
        self._answers = select.poll()
        self._is_ready = False
        self._next: list[Finishing] = []
        self._under_way: deque[_Job] = deque()
        self._count = 0
        self._slugs: Sequence[str] | None = None
        self._rests, self._rested_at = RESTED, 0.0
        self._heard = 0.0

    def start(self, slugs: Sequence[str]) -> None:
        """Start it, for letters of these games; it is used once it is ready. Where it cannot be started it is done without."""
        with self._lock:
            self._slugs = slugs
            self._open()

    def finish(self, draft: Draft, envelope: Envelope) -> Finishing:
        """Have a letter finished: by the process, unless that is behind."""
        letter = Finishing(draft, envelope)
        with self._lock:
            self._next = [*(each for each in self._next if not each.is_finished), letter]
            if len(self._next) == TOGETHER:
                some, self._next = self._next, []
                self._give(some)
        return letter

    def wait_for(self, letter: Finishing) -> None:
        """Wait until a letter is answered, and with it all before it."""
        with self._lock:
            end = time.monotonic() + PATIENCE
            try:
                while letter.process is not None:
                    if not self._answers.poll(max(end - time.monotonic(), 0) * 1000):
                        raise TimeoutError(f"no answer for {PATIENCE} s")
                    self._take()
            except Exception as error:
                self._lose(error)

    def close(self) -> None:
        """End it."""
        with self._lock:
            self._slugs = None
            self._end()

    def _open(self) -> None:
        try:
            self._begin(self._slugs or ())
        except OSError as error:
            self._lose(error)

    def _begin(self, slugs: Sequence[str]) -> None:
        """Raises OSError."""
        self._is_ready, self._heard = False, time.monotonic()
        ours, theirs = socket.socketpair()
        with theirs:
            for end in (ours, theirs):  # what two jobs, and their answers, have room in
                end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4 * LONGEST_JOB)
            for option in (socket.SO_RCVTIMEO, socket.SO_SNDTIMEO):
                ours.setsockopt(socket.SOL_SOCKET, option, struct.pack("ll", *_seconds(PATIENCE)))
            self._line = Connection(ours.detach())
            self._answers = select.poll()  # that of a connection is made anew each time it is asked
            self._answers.register(self._line, select.POLLIN)
            self._process = subprocess.Popen(  # noqa: S603 - ourselves
                processes.command("host.turn.finishing_process", str(theirs.fileno()), *slugs),
                stdin=subprocess.DEVNULL,
                env=processes.environment(),
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )

    def _give(self, letters: list[Finishing]) -> None:
        """Give letters to the process; where it is behind, or they are long or cannot go there, they are finished here."""
        try:
            if not self._has_room() or self._line is None:
                return
            try:
                job = pickle.dumps(
                    (self._count, [(each.draft, each.envelope) for each in letters]), pickle.HIGHEST_PROTOCOL
                )
            except Exception as error:
                log.warning("letters cannot be given to the process that finishes them: %s", error)
                return
            if len(job) <= LONGEST_JOB:
                self._line.send_bytes(job)
                if not self._under_way:
                    self._heard = time.monotonic()
                self._under_way.append(_Job(self._count, letters))
                self._count += 1
                for each in letters:
                    each.process = self
        except Exception as error:
            self._lose(error)

    def _has_room(self) -> bool:
        """Is it there, and not behind? Takes what it has answered, and starts one where it is time for a successor."""
        if self._line is None and self._slugs is not None and time.monotonic() >= self._rested_at:
            self._open()
        while self._line is not None and (self._under_way or not self._is_ready) and self._answers.poll(0):
            if self._is_ready:
                self._take()
            elif self._line.recv_bytes() == READY:
                self._is_ready = True
            else:
                raise ValueError("it is of another version")
        if (self._under_way or not self._is_ready) and time.monotonic() - self._heard > SILENT:
            raise TimeoutError(f"not a word for {SILENT:.0f} s")
        return self._is_ready and len(self._under_way) < MOST_UNDER_WAY

    def _take(self) -> None:
        """Take the next answer. Raises whatever hinders that, and ValueError where it is not the one that is due."""
        assert self._line is not None
        number, answers = pickle.loads(self._line.recv_bytes())  # noqa: S301 - our own process wrote it
        job = self._under_way[0]
        if number != job.number or len(answers) != len(job.letters):
            raise ValueError("its answer is to something else")
        finished = [None if answer is None else Finished(*answer) for answer in answers]
        self._under_way.popleft()
        for letter, each in zip(job.letters, finished, strict=True):
            letter.answered(each)
        self._rests, self._heard = RESTED, time.monotonic()

    def _lose(self, error: Exception) -> None:
        """It ended, hangs or errs: what it was to finish is finished here. It has a successor, but not at once."""
        status = self._end(is_ending=isinstance(error, EOFError | ConnectionError))
        ended = "" if status is None else f" (it ended with {status})"
        log.warning("the process that finishes letters is lost: %s%s", str(error) or type(error).__name__, ended)
        self._rested_at = time.monotonic() + self._rests
        self._rests = min(self._rests * 2, RESTED_MOST)

    def _end(self, is_ending: bool = False) -> int | None:
        """End it; gives with what it ended by itself. One that `is_ending` gets a moment: its files are closed first."""
        process, line, self._process, self._line = self._process, self._line, None, None
        self._is_ready = False
        if line is not None:
            line.close()
        status = None
        if process is not None:
            if is_ending:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(PATIENCE)
            status = process.poll()
            process.kill()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(PATIENCE)
        for job in self._under_way:
            for letter in job.letters:
                letter.answered(None)
        self._under_way.clear()
        return status


def _seconds(count: float) -> tuple[int, int]:
    """Seconds and microseconds, as the system's calls want them."""
    return int(count), int(count % 1 * 1_000_000)
