"""Edge: backlog, burst and latency of one contender. In: servers, filled stores, replies. Out: figures of one run."""

import os
import random
import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from bench.contenders import Clicked, Contender, Cost, Pair, cost, start_floor, start_pair, start_podium, start_salmon
from bench.fill import asked, fill, make_template, mean_letter
from bench.replies import Reply, letter_of, replies
from bench.servers import Servers

Figures = dict[str, float]
REAL = 200
"""Episodes that the corridor itself begins; the others are copies of them."""
SETTLE = 0.5
WARMING = 5
"""Of latency, the first mails are not counted, for no contender."""
PATIENCE = 1200.0
ANSWER_PATIENCE = 60.0
PODIUM = {"podium": "sqlite", "clicked": "sqlite", "postgresql": "postgresql", "pair": "postgresql"}
"""The contenders that are the daemon, and their databases."""
SALMON = ("salmon", "salmon-queue")
ONLY = {"clicked": "burst", "salmon-queue": "backlog"}
"""A browser takes a second to come: only a burst waits for it. A Maildir that waits is read in a backlog."""


@dataclass(frozen=True)
class Ground:
    """What every run begins with: filled stores, the replies, the floor's letter."""

    servers: Servers
    store: Path
    letter: Path
    replies: list[Reply]

    @property
    def folder(self) -> Path:
        """Where all files are."""
        return self.servers.folder


def prepare(servers: Servers, mails: int, now: datetime) -> Ground:
    """Fill the stores, once."""
    folder = servers.folder
    for name in ("template", "letters"):
        (folder / name).mkdir()
    template = make_template(folder / "template", min(mails, REAL), now)
    store = folder / "filled.db"
    fill(template, f"sqlite:///{store}", mails, mails)
    if servers.postgresql:
        fill(template, servers.postgresql.create("filled"), mails, mails)
    letter = folder / "letter"
    letter.write_bytes(letter_of(mean_letter(folder / "letters", now)))
    return Ground(servers, store, letter, replies(asked(f"sqlite:///{store}", mails)))


def fresh(database: str, ground: Ground) -> str:
    """A filled store that nobody has used; gives its URL. The one before is no more."""
    if database == "postgresql":
        assert ground.servers.postgresql is not None
        return ground.servers.postgresql.create("podium", "filled")
    copy = ground.folder / "podium.db"
    for suffix in ("", "-wal", "-shm", ".lock"):
        Path(f"{copy}{suffix}").unlink(missing_ok=True)
    shutil.copyfile(ground.store, copy)
    os.sync()
    return f"sqlite:///{copy}"


def start(name: str, ground: Ground, under: Sequence[str] = ()) -> Contender | Pair:
    """A contender with a store of its own, fresh; `under` is a program that it runs under, where it is one process."""
    if name == "pair":
        return start_pair(ground.servers, fresh(PODIUM[name], ground))
    if name == "clicked":
        return Clicked(ground.servers, fresh(PODIUM[name], ground))
    if name in PODIUM:
        return start_podium(ground.servers, fresh(PODIUM[name], ground), under=under)
    if name in SALMON:
        return start_salmon(ground.servers, ground.letter, ground.folder / "salmon.db", name == "salmon", under)
    return start_floor(ground.servers, ground.letter, ground.folder / "floor.db" if name == "floor" else None, under)


def letters_a_mail(name: str) -> int:
    """How many letters a contender sends for each mail."""
    return 2 if name in PODIUM or name in SALMON else 1


def _server_cost(ground: Ground) -> Cost:
    return cost(ground.servers.postgresql.pid) if ground.servers.postgresql else Cost(0, 0)


def backlog(name: str, ground: Ground, mails: Sequence[Reply]) -> Figures:
    """All mails wait at the start; until the last letter was accepted.

    For who takes LMTP they wait with who delivers, and are poured as soon as it serves.
    """
    ground.servers.mailbox.clear()
    if name != "salmon":
        ground.servers.mailbox.put(mails)
    return _volume(name, ground, mails, pours=False)


def burst(name: str, ground: Ground, mails: Sequence[Reply]) -> Figures:
    """Mails arrive while it runs, as fast as Dovecot takes them; until the last letter was accepted."""
    ground.servers.mailbox.clear()
    return _volume(name, ground, mails, pours=True)


def _volume(name: str, ground: Ground, mails: Sequence[Reply], pours: bool) -> Figures:
    sink = ground.servers.sink
    sink.take()
    before_server = _server_cost(ground)
    contender = start(name, ground)
    try:
        if pours:
            time.sleep(1)
        before, began = contender.cost(), contender.serving
        figures: Figures = {}
        if pours or contender.lmtp_port:
            began = time.monotonic()
            figures["delivered_s"] = ground.servers.mailbox.pour(mails, contender.lmtp_port) - began
        count = len(mails) * letters_a_mail(name)
        if not sink.wait(count, PATIENCE):
            raise RuntimeError(f"{name} sent {len(sink.take())} of {count} letters: {contender.tail()}")
        time.sleep(SETTLE)
        letters, after = sink.take(), contender.cost()
        if len(letters) != count:
            raise RuntimeError(f"{name} sent {len(letters)} letters instead of {count}: {contender.tail()}")
        seconds = letters[-1][0] - began
    finally:
        contender.stop()
    figures |= {
        "seconds": seconds,
        "letters_s": count / seconds,
        "mails_s": len(mails) / seconds,
        "cpu_ms": (after.cpu - before.cpu) * 1000 / len(mails),
        "memory_mib": after.memory,
        "letter_bytes": sum(each[3] for each in letters) / len(letters),
    }
    if PODIUM.get(name) == "postgresql":
        figures["server_cpu_ms"] = (_server_cost(ground).cpu - before_server.cpu) * 1000 / len(mails)
    return figures


def latency(name: str, ground: Ground, mails: Sequence[Reply], seed: int = 7) -> list[float]:
    """One mail at a time: seconds from its delivery to the moment its answer was accepted.

    Who takes LMTP answers before it has taken the mail: there the clock starts when the delivery's greetings are over.
    """
    dice = random.Random(seed)
    ground.servers.mailbox.clear()
    ground.servers.sink.take()
    contender = start(name, ground)
    try:
        time.sleep(2)
        port, letters = contender.lmtp_port, letters_a_mail(name)
        found = [_answered(ground.servers, mail, letters, dice.uniform(0.05, 0.4), port) for mail in mails]
        return found[WARMING:]
    finally:
        contender.stop()


def _answered(servers: Servers, mail: Reply, letters: int, pause: float, port: int) -> float:
    time.sleep(pause)
    delivered = servers.mailbox.hand_over(mail, port) if port else servers.mailbox.deliver([mail])
    if not servers.sink.wait(letters, ANSWER_PATIENCE):
        raise RuntimeError(f"no answer to {mail.message_id}: {servers.sink.take()}")
    answers = [moment for moment, _, in_reply_to, _ in servers.sink.take() if in_reply_to == mail.message_id]
    if not answers:
        raise RuntimeError(f"nothing answers {mail.message_id}")
    return max(answers[0] - delivered, 0.0)


def push_delays(ground: Ground, mails: Sequence[Reply]) -> list[float]:
    """What the IMAP server alone takes to tell of a mail."""
    ground.servers.mailbox.clear()
    return ground.servers.mailbox.push_delays(mails)


VOLUMES: dict[str, Callable[[str, Ground, Sequence[Reply]], Figures]] = {"backlog": backlog, "burst": burst}
