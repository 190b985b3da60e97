"""Edge: instructions a mail. In: a contender and its replies. Out: how many its processes take; noise hardly moves them.

Each contender runs twice under valgrind's cachegrind, which counts the instructions of every process and simulates nothing
else: once with few mails, once with many. The difference of the two, over the difference of the mails, leaves out the start.
Both runs last equally long, so that most of what is done by the clock falls out, too. The kernel's instructions are not counted.
"""

import os
import re
import shutil
import signal
import time
from collections.abc import Sequence
from pathlib import Path

from bench import measure
from bench.contenders import Contender, Pair, tree
from bench.measure import Ground, letters_a_mail
from bench.replies import Reply
from bench.servers import wait_until

FEW, MANY = 50, 400
COUNTED = ("podium", "postgresql", "floor", "bare", "salmon")
"""The contenders that are one process and its helpers, and do nothing besides."""
PROGRAM = "valgrind"
OPTIONS = ("--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null", "--trace-children=yes")
SETTLE = 5.0
"""Seconds after the last letter: everything takes some fifteen times as long."""
_REFS = re.compile(r"I +refs: +([\d,]+)")


def is_there() -> bool:
    """There is something that counts."""
    return shutil.which(PROGRAM) is not None


def a_mail(name: str, ground: Ground, few: int = FEW, many: int = MANY) -> measure.Figures:
    """Instructions that a contender takes for a mail, in millions."""
    most, seconds = count(name, ground, ground.replies[:many])
    least, _ = count(name, ground, ground.replies[:few], seconds)
    return {"millions": (most - least) / (many - few) / 1e6}


def count(name: str, ground: Ground, mails: Sequence[Reply], at_least: float = 0.0) -> tuple[int, float]:
    """Instructions of one run from its start to its end, and the seconds that it served."""
    logs = ground.folder / "counted"
    shutil.rmtree(logs, ignore_errors=True)
    logs.mkdir()
    mailbox, sink = ground.servers.mailbox, ground.servers.sink
    mailbox.clear()
    if name != "salmon":
        mailbox.put(mails)
    sink.take()
    contender = measure.start(name, ground, (PROGRAM, *OPTIONS, f"--log-file={logs}/%p"))
    try:
        if contender.lmtp_port:
            mailbox.pour(mails, contender.lmtp_port)
        letters = len(mails) * letters_a_mail(name)
        if not sink.wait(letters, measure.PATIENCE):
            raise RuntimeError(f"{name} sent {len(sink.take())} of {letters} letters: {contender.tail()}")
        time.sleep(max(SETTLE, contender.serving + at_least - time.monotonic()))
        seconds = time.monotonic() - contender.serving
        _end_helpers(contender)
    finally:
        contender.stop()
    return sum(counted(log) for log in sorted(logs.iterdir())), seconds


def counted(log: Path) -> int:
    """The instructions that a process took, by its log. Raises RuntimeError where it was killed before it could say."""
    found = _REFS.search(log.read_text("utf-8", "replace"))
    if not found:
        raise RuntimeError(f"a process ended without saying what it took: {log.read_text('utf-8', 'replace')[-500:]}")
    return int(found[1].replace(",", ""))


def _end_helpers(contender: Contender | Pair) -> None:
    """End the processes below, which are killed else: by the alarm that they do not ignore they can say what they took."""
    assert isinstance(contender, Contender)
    first = contender.process.pid
    for pid in tree(first)[1:]:
        os.kill(pid, signal.SIGALRM)
    wait_until(lambda: tree(first) == [first], "the processes below to end", 60)
