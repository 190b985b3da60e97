"""Edge: the processes in which mails are opened. In: sockets for jobs, from the daemon. Out: what is read, on these sockets.

All of this runs in processes of its own, for `sandbox`, whose theory stands there: `main` in the parent, `work` in those
that it forks.
"""

import contextlib
import gc
import json
import logging
import os
import pickle
import resource
import signal
import socket
import traceback
from collections.abc import Iterator, Sequence
from typing import Any, BinaryIO, NoReturn

from host.mail.inbound import dkim
from host.mail.inbound.mail import Typed
from host.mail.inbound.quotation import may_quote
from host.mail.inbound.reply import open_mail, read_typed, sent_texts
from host.mail.inbound.sent_text import SentText
from host.processes import LENGTH, NUMBER

MEMORY = 1 << 30
"""Bytes that a process may have that opens mails."""
_SOME_MAIL = b"""From: Ann <ann@example.org>
To: games+o2ycnphhsavuqve3t6nr3wau5u@example.org
Subject: Re: your turn
Content-Type: multipart/alternative; boundary=part

--part
Content-Type: text/plain; format=flowed

pick 5 \xe2\x99\xa5

On Monday, 3 March, Bob wrote:
> Hello Ann, here is the board of our game.
Which space do you pick?
--
Ann
--part
Content-Type: text/html

<p>pick 5</p><p>On Monday Bob wrote:</p><blockquote>Hello Ann, here is the board of our game.<br>Which space?</blockquote>
--part--
"""
"""A reply that needs most of what reading one takes; it serves as the letter, too."""


class _MoreLetters(Exception):
    """More letters are needed to tell what was typed."""


def work(jobs: BinaryIO, answers: BinaryIO) -> None:
    """Jobs, one after the other, until nobody sends any more.

    Each says how many seconds of the processor's time it has, so that a busy machine takes no mail's time away; and of the
    clock ten times that.
    """
    with contextlib.suppress(EOFError, ConnectionError):
        while True:
            seconds, *job = pickle.loads(_frame(jobs))  # noqa: S301 - the daemon wrote it
            _set_alarms(seconds)
            answer = json.dumps(_answer(job), default=_fields).encode("ascii")
            _set_alarms(0)
            answers.write(LENGTH.pack(len(answer)) + answer)
            answers.flush()


def _set_alarms(seconds: float) -> None:
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.setitimer(signal.ITIMER_REAL, 10 * seconds)


def _frame(jobs: BinaryIO) -> bytes:
    """The next job. Raises EOFError where the daemon is gone, in the middle of one too."""
    head = jobs.read(LENGTH.size)
    if len(head) < LENGTH.size:
        raise EOFError
    body = jobs.read(LENGTH.unpack(head)[0])
    if len(body) < LENGTH.unpack(head)[0]:
        raise EOFError
    return body


def _fields(value: Any) -> Any:
    if isinstance(value, bytes):
        return value.decode("ascii")
    return sorted(value) if isinstance(value, frozenset) else vars(value)


def _answer(job: Sequence[Any]) -> dict[str, Any]:
    """The mail, opened; what was typed, or None where letters are needed to tell; the names of its signatures' keys.

    Or what its signatures prove.
    """
    if job[0] == "read":
        return {"typed": _typed(**job[1])}
    if job[0] == "judge":
        return {"verdict": dkim.judge(*job[1:])}
    _, raw, wants_keys = job
    mail = open_mail(raw)
    are_all = not mail.tokens or not (mail.page or may_quote(mail.text))
    return {
        "mail": mail,
        "typed": _typed(mail.text, (), are_all, mail.page, mail.display_name),
        "keys": dkim.key_names(raw, mail.sender) if wants_keys and mail.sender else (),
    }


def _typed(text: str, letters: Sequence[bytes], are_all: bool, page: str, writer: str) -> Typed | None:
    def sent() -> Iterator[SentText]:
        """The letters, each taken apart when it is asked for."""
        for letter in letters:
            yield from sent_texts(letter)
        if not are_all:
            raise _MoreLetters

    try:
        return read_typed(text, page, writer, sent())
    except _MoreLetters:
        return None


class _Forked:
    """The processes that were forked, by their ids: each one's number, and where it is told how it ended."""

    def __init__(self, orders: socket.socket) -> None:
        self.orders = orders
        self.running: dict[int, tuple[int, socket.socket]] = {}

    def carry_out(self, number: int, handles: list[int]) -> None:
        """Fork a process, or kill the one of this number."""
        if number > 0:
            with socket.socket(fileno=handles[0]) as jobs:
                status = socket.socket(fileno=handles[1])
                pid = os.fork()
                if pid == 0:
                    self._open_mails(jobs, status)
                self.running[pid] = (number, status)
        for pid in [pid for pid, (each, _) in self.running.items() if each == -number]:
            os.kill(pid, signal.SIGKILL)

    def _open_mails(self, jobs: socket.socket, status: socket.socket) -> NoReturn:
        """Open mails, in a forked process, which keeps nothing of what its parent has open but its own jobs."""
        try:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            for each in (self.orders, status, *(theirs for _, theirs in self.running.values())):
                each.close()
            with contextlib.suppress(
                ValueError, OSError
            ):  # some systems know no such limit; that of time holds there too
                resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            # closed, they send what is left: to nobody, where the daemon was killed
            with contextlib.suppress(ConnectionError), jobs.makefile("rb") as asked, jobs.makefile("wb") as answers:
                work(asked, answers)
            os._exit(0)
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(1)  # never back into the parent's loop; what is left in a buffer has no reader

    def note_ended(self, *_signal: object) -> None:
        """Tell of those that ended."""
        with contextlib.suppress(ChildProcessError):
            while True:
                pid, code = os.waitpid(-1, os.WNOHANG)
                if pid == 0:
                    return
                _, status = self.running.pop(pid)
                with status, contextlib.suppress(OSError):
                    status.sendall(NUMBER.pack(os.waitstatus_to_exitcode(code)))

    def kill_all(self) -> None:
        """End them all."""
        for pid in self.running:
            os.kill(pid, signal.SIGKILL)


def main() -> None:
    """Fork a process for each pair of sockets that comes, until nobody is there any more who would send one."""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # all end when the daemon is gone, not before it
    logging.disable(
        logging.CRITICAL
    )  # libraries tell of mails that they could not take; what a mail is, the answer says
    mail = _answer(("open", _SOME_MAIL, True))["mail"]  # what is made at the first use is made here, for all
    _typed(mail.text, [_SOME_MAIL], True, mail.page, mail.display_name)
    gc.collect()
    gc.freeze()  # else looking for garbage would copy what is shared
    orders = socket.socket(fileno=0)
    forked = _Forked(orders)
    signal.signal(signal.SIGCHLD, forked.note_ended)
    with contextlib.suppress(OSError):
        while True:
            order, handles, _, _ = socket.recv_fds(orders, NUMBER.size, 2)
            if not order:
                break
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})  # who ends is noted down before
            forked.carry_out(NUMBER.unpack(order)[0], handles)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
    forked.kill_all()


if __name__ == "__main__":
    main()
