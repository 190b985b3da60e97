"""Edge: letters become bytes, by two processes where many are written. In: a draft, its envelope. Out: a message, also packed.

Rendering is a third of what a move costs, and one process of Python uses one processor. So a daemon gives letters to a second
process (`FinishingProcess`), a few at a time, and goes on playing. What came of them is asked for when their rows are written,
before the commit: a broken template undoes the turn and loses nothing. What runs there is `finishing_process`.

Who is free does it: while the other process is behind, letters are finished here, as are the few that one mail leads to.
Nothing depends on that process. Without it (on the command line, say), while it starts, and where it ended, hangs or could not
finish a letter, the letter is finished here; so what is wrong with it is raised here.
"""

import itertools
import logging
import pickle
import select
import socket
import struct
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection

from host.mail.outbound.draft import Draft, Envelope, shortened
from host.mail.outbound.render import finish
from host.store.packing import pack

log = logging.getLogger("podium")

MAX_LETTER = 256_000
"""Bytes of a letter; what would be longer is cut, since mail programs and providers cut it too."""
CUTS = ((20, 1000), (20, 200), (5, 100))
"""Paragraphs, and characters of each, that are left of each part of a letter that is too long; the less the longer."""
PATIENCE = 3.0
"""Seconds until an answer that does not come is not waited for any more: PostgreSQL ends a transaction that rests for five."""
TOGETHER = 4
"""Letters that are given to the process at once; fewer are finished here."""
MOST_UNDER_WAY = 2
"""How often the process has been given letters that are not finished; while it is so far behind, the next are finished here."""
LONGEST_JOB = 50_000
"""Bytes of drafts and envelopes that are given to the process at once; what is longer is finished here."""
READY = b"ready"
"""What the process says first."""


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

    def answered(self, answer: tuple[bytes, bytes] | None) -> None:
        """The process is done with it; None where it could not finish it."""
        self.process = None
        if answer is not None:
            self._finished = Finished(*answer)


Finisher = Callable[[Draft, Envelope], Finishing]
"""Begins to finish a letter: `Finishing` itself, or a process's `finish`."""


class FinishingProcess:
    """The process: it finishes letters in the order in which it got them. May be used by several threads.

    It gets no more than the socket has room for (`MOST_UNDER_WAY`, `LONGEST_JOB`), so that giving it letters never waits.
    """

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._process: subprocess.Popen[bytes] | None = None
        self._line: Connection | None = None
        self._answers = select.poll()
        self._is_ready = False
        self._next: list[Finishing] = []
        self._under_way: deque[list[Finishing]] = deque()
        self._slugs: Sequence[str] = ()

    def start(self, slugs: Sequence[str]) -> None:
        """Start it, for letters of these games; it is used once it is ready. Where it cannot be started it is done without."""
        with self._lock:
            self._slugs, self._is_ready = slugs, False
            try:
                self._open()
            except OSError as error:
                self._give_up(error)

    def finish(self, draft: Draft, envelope: Envelope) -> Finishing:
        """Have a letter finished: by the process, unless that is behind."""
        letter = Finishing(draft, envelope)
        with self._lock:
            self._next = [*(each for each in self._next if not each.is_finished), letter]
            if len(self._next) == TOGETHER:
                some, self._next = self._next, []
                try:
                    self._send(some)
                except (OSError, EOFError) as error:
                    self._give_up(error)
        return letter

    def wait_for(self, letter: Finishing) -> None:
        """Wait until a letter is answered, and with it all before it."""
        with self._lock:
            try:
                while letter.process is not None:
                    self._take()
            except (OSError, EOFError) as error:
                self._give_up(error)

    def close(self) -> None:
        """End it."""
        with self._lock:
            self._end()

    def _open(self) -> None:
        ours, theirs = socket.socketpair()
        with theirs:
            for option in (socket.SO_RCVTIMEO, socket.SO_SNDTIMEO):
                ours.setsockopt(socket.SOL_SOCKET, option, struct.pack("ll", *_seconds(PATIENCE)))
            self._line = Connection(ours.detach())
            self._answers = select.poll()  # that of a connection is made anew each time it is asked
            self._answers.register(self._line, select.POLLIN)
            command = [sys.executable, "-m", "host.turn.finishing_process", str(theirs.fileno()), *self._slugs]
            self._process = subprocess.Popen(  # noqa: S603 - ourselves
                command, stdin=subprocess.DEVNULL, pass_fds=[theirs.fileno()], start_new_session=True
            )

    def _send(self, letters: list[Finishing]) -> None:
        """Give letters to the process; where it is behind, or they are long, they are finished here."""
        if not self._has_room() or self._line is None:
            return
        jobs = pickle.dumps([(each.draft, each.envelope) for each in letters], pickle.HIGHEST_PROTOCOL)
        if len(jobs) <= LONGEST_JOB:
            self._line.send_bytes(jobs)
            self._under_way.append(letters)
            for each in letters:
                each.process = self

    def _has_room(self) -> bool:
        """Is it there, and not behind? Takes what it has answered."""
        line = self._line
        if line is None:
            return False
        while (self._under_way or not self._is_ready) and self._answers.poll(0):
            if self._is_ready:
                self._take()
            else:
                self._is_ready = line.recv_bytes() == READY
        return self._is_ready and len(self._under_way) < MOST_UNDER_WAY

    def _take(self) -> None:
        assert self._line is not None
        answers = pickle.loads(self._line.recv_bytes())  # noqa: S301 - our own process wrote it
        for letter, answer in zip(self._under_way.popleft(), answers, strict=True):
            letter.answered(answer)

    def _give_up(self, error: Exception) -> None:
        """It ended, or hangs: what it was to finish is finished here. One that was of use has a successor."""
        was_ready = self._is_ready
        log.warning("the process that finishes letters is lost: %s", str(error) or type(error).__name__)
        self._end()
        if was_ready:
            self.start(self._slugs)

    def _end(self) -> None:
        process, line, self._process, self._line = self._process, self._line, None, None
        if line is not None:
            line.close()
        if process is not None:
            process.kill()
            process.wait()
        for each in itertools.chain.from_iterable(self._under_way):
            each.answered(None)
        self._under_way.clear()


def _seconds(count: float) -> tuple[int, int]:
    """Seconds and microseconds, as the system's calls want them."""
    return int(count), int(count % 1 * 1_000_000)
