# ruff: noqa: T201 - it is a command and prints
"""Shell: many fuzzed mails, in several processes. In: how many, from which number on. Out: counts, findings, the slowest.

python -m tests.fuzz.run --mails 1000000 --seed 1 --processes 2
"""

import argparse
import collections
import re
import resource
import signal
import sys
import time
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.fuzz.checks import check_mail
from tests.fuzz.mails import fuzzed

SECONDS = 2.0
HANGING = 30.0
SHOWN = 20
CHUNK = 500
MEMORY = 1 << 30


class TooLong(BaseException):
    """A mail took so long that it was given up. No Exception, which what is tested may catch."""


@dataclass
class Tally:
    """What was found: mails of each kind, numbers of the mails with each finding, the slowest (seconds, number)."""

    kinds: collections.Counter[str] = field(default_factory=collections.Counter)
    findings: dict[str, list[int]] = field(default_factory=dict)
    counts: collections.Counter[str] = field(default_factory=collections.Counter)
    slowest: list[tuple[float, int]] = field(default_factory=list)

    def add(self, other: "Tally") -> None:
        """Take over what another process found."""
        self.kinds += other.kinds
        self.counts += other.counts
        for finding, numbers in other.findings.items():
            self.findings[finding] = sorted([*self.findings.get(finding, ()), *numbers])[:SHOWN]
        self.slowest = sorted([*self.slowest, *other.slowest], reverse=True)[:SHOWN]


def tested(number: int) -> tuple[str, float, list[str]]:
    """The kind of mail `number`, the seconds of processor time it took, and what is wrong."""
    signal.signal(signal.SIGPROF, _give_up)
    mail = fuzzed(number)
    began = time.process_time()
    signal.setitimer(signal.ITIMER_PROF, HANGING)
    try:
        findings = check_mail(mail)
    except TooLong:
        findings = ["time: it was given up"]
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    took = time.process_time() - began
    if took > SECONDS:
        findings.append(f"time: more than {SECONDS:.0f} s")
    return mail.kind, took, findings


def _give_up(*_: Any) -> None:
    raise TooLong


def _tested_chunk(first: int, count: int) -> Tally:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    tally = Tally()
    for number in range(first, first + count):
        kind, took, findings = tested(number)
        tally.kinds[kind] += 1
        tally.slowest.append((took, number))
        for finding in findings:
            general = re.sub(r"\(\W.*\)|'.*'", "…", finding)
            tally.counts[general] += 1
            tally.findings.setdefault(general, []).append(number)
    tally.add(Tally())
    return tally


def _chunks(first: int, count: int) -> Iterator[tuple[int, int]]:
    for at in range(first, first + count, CHUNK):
        yield at, min(CHUNK, first + count - at)


def run(first: int, count: int, processes: int) -> Tally:
    """Test mails `first` to `first + count - 1`. A process that dies is a finding too."""
    tally = Tally()
    chunks = _chunks(first, count)
    began = time.monotonic()
    with ProcessPoolExecutor(processes) as pool:
        waiting: dict[Future[Tally], tuple[int, int]] = {}
        while True:
            while len(waiting) < 2 * processes and (chunk := next(chunks, None)):
                waiting[pool.submit(_tested_chunk, *chunk)] = chunk
            if not waiting:
                return tally
            for done in wait(waiting, return_when=FIRST_COMPLETED).done:
                chunk = waiting.pop(done)
                try:
                    tally.add(done.result())
                except BrokenProcessPool:
                    print(f"a process died in one of the mails {sorted([chunk, *waiting.values()])} (first, how many)")
                    return tally
            total = sum(tally.kinds.values())
            if total % (40 * CHUNK) < CHUNK:
                print(f"{total} mails, {total / (time.monotonic() - began):.0f} a second", file=sys.stderr, flush=True)


def show(tally: Tally) -> None:
    """Print what was found."""
    print(f"{sum(tally.kinds.values())} mails:", ", ".join(f"{count} {kind}" for kind, count in tally.kinds.items()))
    print(f"{len(tally.findings)} kinds of findings")
    for finding, numbers in sorted(tally.findings.items(), key=lambda each: -tally.counts[each[0]]):
        print(f"  {tally.counts[finding]} × {finding}; mails {', '.join(map(str, numbers[:5]))}")
    print("the slowest:", ", ".join(f"{number} ({took:.2f} s)" for took, number in tally.slowest))


def show_one(number: int, file: Path | None) -> None:
    """Test one mail; print it, or write it to a file, and what is wrong."""
    mail = fuzzed(number)
    if file:
        file.write_bytes(mail.raw)
    else:
        print(mail.raw.decode("ascii", "backslashreplace"))
    kind, took, findings = tested(number)
    print(f"{kind}, {took:.2f} s:", *(findings or ["nothing is wrong"]), sep="\n  ")


def main() -> int:
    """Read the arguments; the exit status says whether anything was found."""
    parser = argparse.ArgumentParser(description="Read generated mails and tell what goes wrong.")
    parser.add_argument("--mails", type=int, default=10_000, help="how many (default 10000)")
    parser.add_argument("--seed", type=int, default=1, help="the number of the first (default 1)")
    parser.add_argument("--processes", type=int, default=2, help="how many at a time (default 2)")
    parser.add_argument("--only", type=int, metavar="SEED", help="only the mail of this number, shown whole")
    parser.add_argument("--write", type=Path, metavar="FILE", help="with --only: write the mail to a file")
    arguments = parser.parse_args()
    if arguments.only is not None:
        show_one(arguments.only, arguments.write)
        return 0
    tally = run(arguments.seed, arguments.mails, arguments.processes)
    show(tally)
    return 1 if tally.findings else 0


if __name__ == "__main__":
    sys.exit(main())
