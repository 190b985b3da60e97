"""Edge: does anything grow with the store? In: numbers of running episodes. Out: the cost of a mail, a minute, a start.

For each size a store is filled. Then, round after round, the daemon is started on each: the start, an idle while, replies, peak
memory. Once more with nothing of the file in memory. Last, with deadlines that fall due within one minute while replies come in.
"""

import argparse
import contextlib
import os
import sqlite3
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median
from typing import Any

import psycopg
from sqlalchemy.engine import make_url

from bench.contenders import Contender, start_podium
from bench.fill import asked, fill, make_template
from bench.measure import PATIENCE, REAL, SETTLE
from bench.replies import Reply, replies
from bench.servers import Servers, running
from bench.table import percentile
from tests.wire.world import a_short_folder

MAILS = 150
"""Replies a round."""
LATENCIES = 60
"""Replies that come in while deadlines fall due, at most."""
DUE_IN = timedelta(seconds=20)
"""From the filling to the first deadline: time for the daemon to start."""
COMPARED = (
    *("start_s", "start_cpu_s", "mail_ms", "mail_cpu_ms", "idle_cpu_s", "memory_mib"),
    *("cold_start_s", "cold_mail_ms", "cold_mail_cpu_ms"),
)


def run(asked_for: argparse.Namespace, say: Callable[[str], None]) -> dict[str, Any]:
    """Figures by number of episodes, medians of the rounds, and ratios to the smallest.

    All stores are filled and on the disk before anything is measured; in each round all sizes take their turn.
    """
    sizes, rounds = asked_for.sizes, asked_for.rounds
    with a_short_folder(is_on_disk=True) as folder, running(folder, asked_for.database == "postgresql") as servers:
        (folder / "template").mkdir()
        template = make_template(folder / "template", REAL, datetime.now(UTC))
        needed = (rounds + 1) * MAILS + LATENCIES
        urls = {size: _empty(servers, size) for size in sizes}
        for size, url in urls.items():
            began = time.monotonic()
            fill(template, url, size, 2 * needed)
            say(f"{size} episodes: filled in {time.monotonic() - began:.0f} s, {_size(url) / 1e6:.0f} MB")
        waiting = {size: replies(asked(url, needed)) for size, url in urls.items()}
        os.sync()
        all_figures: dict[int, list[dict[str, float]]] = {size: [] for size in sizes}
        for number in range(rounds):
            for size in sizes if number % 2 == 0 else reversed(sizes):
                some = waiting[size][number * MAILS : (number + 1) * MAILS]
                all_figures[size].append(_quiet(servers, urls[size], some, asked_for.idle))
                say(f"round {number + 1}, {size} episodes: {_words(all_figures[size][-1])}")
        results = {str(size): _medians(each) for size, each in all_figures.items()}
        for size, url in urls.items():
            figures = results[str(size)]
            _forget(url)
            cold = _quiet(servers, url, waiting[size][rounds * MAILS : (rounds + 1) * MAILS], 1)
            figures |= {f"cold_{key}": cold[key] for key in ("start_s", "mail_ms", "mail_cpu_ms")}
            due = min(asked_for.deadlines, size - 2 * needed)
            if due > 0:
                figures |= _deadlines(servers, url, waiting[size][-LATENCIES:], due, asked_for.deadline_seconds)
            say(f"{size} episodes: {_words(figures)}")
    say("\n" + growth_table(results))
    return results


def _words(figures: dict[str, float]) -> str:
    return ", ".join(f"{key} {value:.4g}" for key, value in figures.items())


def _medians(rounds: Sequence[dict[str, float]]) -> dict[str, float]:
    return {key: median(each[key] for each in rounds) for key in rounds[0]}


def growth_table(results: dict[str, dict[str, float]]) -> str:
    """A line for each size, with its ratio to the first."""
    first = next(iter(results.values()))
    lines = [f"{'episodes':<12}" + "".join(f"{key:>18}" for key in COMPARED)]
    for size, figures in results.items():
        cells = [f"{figures[key]:.3g} ({figures[key] / first[key]:.2f})" for key in COMPARED]
        lines.append(f"{size:<12}" + "".join(f"{cell:>18}" for cell in cells))
    return "\n".join(lines)


def _empty(servers: Servers, size: int) -> str:
    if servers.postgresql:
        return servers.postgresql.create(f"growth{size}")
    return f"sqlite:///{servers.folder / f'growth{size}.db'}"


def _forget(url: str) -> None:
    """Nothing of SQLite's file is left in the system's memory. PostgreSQL's caches stay as they are."""
    if url.startswith("sqlite"):
        with Path(make_url(url).database or "").open("rb") as file:
            os.sync()
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def _quiet(servers: Servers, url: str, mails: Sequence[Reply], idle: float) -> dict[str, float]:
    """The start, an idle while, and replies that all wait at once."""
    servers.mailbox.clear()
    servers.sink.take()
    contender = start_podium(servers, url)
    try:
        figures = {"start_s": contender.serving - contender.started, "start_cpu_s": contender.cost().cpu}
        time.sleep(2)
        before = contender.cost().cpu
        time.sleep(idle)
        figures["idle_cpu_s"] = (contender.cost().cpu - before) * 60 / idle
        before, began = contender.cost().cpu, time.monotonic()
        servers.mailbox.put(mails)
        if not servers.sink.wait(2 * len(mails), PATIENCE):
            raise RuntimeError(f"{len(servers.sink.take())} letters of {2 * len(mails)}: {contender.tail()}")
        ended = servers.sink.take()[-1][0]
        time.sleep(SETTLE)
        after = contender.cost()
    finally:
        contender.stop()
    figures["mail_ms"] = (ended - began) * 1000 / len(mails)
    figures["mail_cpu_ms"] = (after.cpu - before) * 1000 / len(mails)
    figures["memory_mib"] = after.memory
    return figures


def _deadlines(servers: Servers, url: str, mails: Sequence[Reply], count: int, seconds: float) -> dict[str, float]:
    """So many deadlines fall due within a minute, while replies come in one at a time."""
    servers.mailbox.clear()
    servers.sink.take()
    count = _let_fall_due(url, count, datetime.now(UTC) + DUE_IN)
    if not count:
        return {}
    contender = start_podium(servers, url)
    try:
        time.sleep(DUE_IN.total_seconds())
        before, began = contender.cost(), time.monotonic()
        waits = _answers(servers, contender, mails, began + seconds)
        took, fired, after = time.monotonic() - began, _fired(url), contender.cost()
    finally:
        contender.stop()
    return {
        "deadlines": count,
        "deadlines_fired": fired,
        "deadlines_s": fired / took,
        "deadline_cpu_ms": (after.cpu - before.cpu) * 1000 / max(fired, 1),
        "deadline_memory_mib": after.memory,
        "answers": len([each for each in waits if each < seconds]),
        "answer_p50_s": median(waits),
        "answer_p99_s": percentile(waits, 0.99),
    }


def _answers(servers: Servers, contender: Contender, mails: Sequence[Reply], until: float) -> list[float]:
    """Seconds from delivery to answer, of replies one after the other; one that has none by then counts as long as it waited.

    Ends when time is up, or all deadlines have fired and no mail is left.
    """
    waits: list[float] = []
    for mail in mails:
        if (now := time.monotonic()) >= until:
            break
        delivered = servers.mailbox.deliver([mail])
        answered = None
        while answered is None and time.monotonic() < until:
            time.sleep(0.25)
            answered = next((at for at, _, heard, _ in servers.sink.take() if heard == mail.message_id), None)
        waits.append((answered or time.monotonic()) - delivered)
        time.sleep(max(now + 1 - time.monotonic(), 0))
        if contender.process.poll() is not None:
            raise RuntimeError(contender.tail())
    time.sleep(max(until - time.monotonic(), 0))
    return waits


_DUE = """
UPDATE questions SET due_at = {moment}
WHERE closed_at IS NULL AND episode_id IN (
  SELECT q.episode_id FROM questions q JOIN asks a ON a.question_id = q.id JOIN letters l ON l.id = a.letter_id
  WHERE q.closed_at IS NULL AND l.kind = 'turn' AND length(l.packed) < 100 ORDER BY q.id LIMIT {count})
"""


def _let_fall_due(url: str, count: int, first: datetime) -> int:
    """Deadlines of episodes with short letters, spread evenly over the minute from `first`; gives how many there were."""
    if url.startswith("sqlite"):
        stamp = f"{first:%Y-%m-%d %H:%M:%S}"
        moment = f"strftime('%Y-%m-%d %H:%M:%S', '{stamp}', (id % 60) || ' seconds') || '.000000'"
        with contextlib.closing(sqlite3.connect(make_url(url).database or "")) as database:
            changed = database.execute(_DUE.format(moment=moment, count=count)).rowcount
            database.commit()
            return changed
    else:
        moment = f"'{first.isoformat()}'::timestamptz + (id % 60) * interval '1 second'"
        with psycopg.connect(url) as connection:
            return connection.execute(_DUE.format(moment=moment, count=count).encode()).rowcount


_FIRED = "SELECT count(*) FROM questions WHERE outcome = 'timeout'"


def _fired(url: str) -> int:
    if url.startswith("sqlite"):
        with contextlib.closing(sqlite3.connect(f"file:{make_url(url).database}?mode=ro", uri=True)) as database:
            return int(database.execute(_FIRED).fetchone()[0])
    with psycopg.connect(url) as connection:
        row = connection.execute(_FIRED).fetchone()
        return int(row[0]) if row else 0


def _size(url: str) -> int:
    """Bytes of the store."""
    if url.startswith("sqlite"):
        return Path(make_url(url).database or "").stat().st_size
    with psycopg.connect(url) as connection:
        row = connection.execute("SELECT pg_database_size(current_database())").fetchone()
        return int(row[0]) if row else 0
