"""Edge: the process that opens mails. In: jobs on standard input. Out: what is read, on standard output.

A job has a few seconds and a gigabyte, counted by the kernel, whose alarm ends the process whatever it is busy with.
Jobs come as pickles from the daemon; answers go back as JSON, so that a process that a mail took over could say nothing
but wrong words.
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
from collections import OrderedDict
from dataclasses import asdict
from typing import Any, BinaryIO

from host.mail.quotation import SentText, read_lines
from host.mail.reply import open_mail, sent_texts

MEMORY = 1 << 30
LETTERS_KNOWN = 400
"""How many letters the process remembers as words, so that each crosses the pipe and is taken apart once."""
LENGTH = struct.Struct(">I")
"""Before each job and each answer: its length in bytes."""


def work(jobs: BinaryIO, answers: BinaryIO, seconds: float) -> None:
    """Jobs, one after the other, until nobody sends any more."""
    known: OrderedDict[int, tuple[SentText, ...]] = OrderedDict()
    with contextlib.suppress(EOFError, BrokenPipeError):
        while True:
            job = pickle.loads(_frame(jobs))  # noqa: S301 - the daemon wrote it
            signal.setitimer(signal.ITIMER_REAL, seconds)
            answer = json.dumps(_answer(job, known), default=sorted).encode("ascii")
            signal.setitimer(signal.ITIMER_REAL, 0)
            answers.write(LENGTH.pack(len(answer)) + answer)
            answers.flush()


def _frame(jobs: BinaryIO) -> bytes:
    """The next job. Raises EOFError where the daemon is gone, in the middle of one too."""
    head = jobs.read(LENGTH.size)
    if len(head) < LENGTH.size:
        raise EOFError
    body = jobs.read(LENGTH.unpack(head)[0])
    if len(body) < LENGTH.unpack(head)[0]:
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
    """Run as a process; its argument is how many seconds a job may take."""
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
