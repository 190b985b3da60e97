"""Edge: the process in which mails are opened. In: jobs on standard input. Out: what is read, on standard output.

All of this runs in a process of its own, which `sandbox` starts from the daemon; its theory stands there.
"""

import contextlib
import json
import logging
import os
import pickle
import resource
import signal
import struct
import sys
from collections.abc import Iterator
from typing import Any, BinaryIO

from host.mail.inbound import dkim
from host.mail.inbound.quotation import Typed, may_quote
from host.mail.inbound.reply import open_mail, read_typed, sent_texts
from host.mail.inbound.sent_text import SentText

MEMORY = 1 << 30
"""Bytes that the process may have."""
LENGTH = struct.Struct(">I")
"""Before each job and each answer: its length in bytes."""


class _MoreLetters(Exception):
    """What was typed cannot be told without more letters."""


def work(jobs: BinaryIO, answers: BinaryIO, seconds: float) -> None:
    """Jobs, one after the other, until nobody sends any more.

    `seconds` of the processor's time, so that a busy machine takes no mail's time away; and of the clock ten times that.
    """
    with contextlib.suppress(EOFError, BrokenPipeError):
        while True:
            job = pickle.loads(_frame(jobs))  # noqa: S301 - the daemon wrote it
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


def _answer(job: tuple[Any, ...]) -> dict[str, Any]:
    """The mail, opened; what was typed, or None where letters are needed to tell; the names of its signatures' keys.

    Or what its signatures prove.
    """
    if job[0] == "read":
        _, text, page, writer, letters, are_all = job
        return {"typed": _typed(text, page, writer, letters, are_all)}
    if job[0] == "judge":
        return {"verdict": dkim.judge(*job[1:])}
    _, raw, wants_keys = job
    mail = open_mail(raw)
    are_all = not mail.tokens or not (mail.page or may_quote(mail.text))
    return {
        "mail": mail,
        "typed": _typed(mail.text, mail.page, mail.display_name, (), are_all),
        "keys": dkim.key_names(raw, mail.sender) if wants_keys and mail.sender else (),
    }


def _typed(text: str, page: str, writer: str, letters: tuple[bytes, ...], are_all: bool) -> Typed | None:
    try:
        return read_typed(text, page, writer, _sent(letters, are_all))
    except _MoreLetters:
        return None


def _sent(letters: tuple[bytes, ...], are_all: bool) -> Iterator[SentText]:
    """The letters, each taken apart when it is asked for. Raises `_MoreLetters` past the last, if these are not all."""
    for letter in letters:
        yield from sent_texts(letter)
    if not are_all:
        raise _MoreLetters


def main() -> None:
    """Run as a process; its argument is how many seconds of the processor's time a job may take."""
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)  # it ends when nobody sends jobs any more, not in the middle of one
    logging.disable(
        logging.CRITICAL
    )  # libraries tell of mails that they could not take; what a mail is, the answer says
    with contextlib.suppress(ValueError, OSError):  # some systems know no such limit; the time limit holds there too
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    work(sys.stdin.buffer, sys.stdout.buffer, float(sys.argv[1]))
    os._exit(0)  # what is left in a buffer has no reader any more


if __name__ == "__main__":
    main()
