"""Edge: a store full of running episodes. In: how many, a folder or a URL. Out: a store that the daemon can serve.

Some hundred episodes are begun and played up to a question by the real corridor; the rest are copies of their rows, with
numbers, codes, names, addresses and tokens of their own. So that a million fit on a disk, the letters of most copies
are cut short; those whose letters are whole lie scattered among them, and can be replied to.
"""

import contextlib
import math
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import psycopg
from sqlalchemy import Table, event, select
from sqlalchemy.engine import make_url
from sqlalchemy.orm import undefer

from bench.replies import COMMAND, Asked
from host.club import lobby
from host.config import Config
from host.demo.robot import ReadLetter, write
from host.games import GAMES
from host.mail.inbound.reply import open_mail
from host.play import deadlines
from host.store.database import open_store
from host.store.packing import pack, unpack
from host.store.schema import Base, Contestant, Inbound, Letter, QuestionRow, Registration
from host.table.work import Opened, Services, Work
from host.turn import receive
from tests.mail.inbound.typed import typed_in
from tests.wire.dovecot import ADDRESS

SLUG = "champ-cards"
CUT = pack(b"cut")
"""A letter that was cut short."""
ALPHABET = "abcdefghijklmnopqrstuvwxyz234567"
CODE_DIGITS = 5
ONCE = ("alembic_version", "lobbies")
NEVER = ("mailboxes", "heartbeat", "leases")
_SOFT = "(?:=\r?\n)?"
_NAME = re.compile(r"\b(ann|bob)(\d+)\b", re.IGNORECASE)

Row = tuple[Any, ...]
Change = Callable[[Any, int], Any]


def make_template(folder: Path, episodes: int, now: datetime) -> Path:
    """A SQLite store with these episodes, each begun and with one move played, by the corridor itself."""
    file = folder / "template.db"
    services = _open(f"sqlite:///{file}")
    for number in range(episodes):
        begin_episode(services, number, now)
    services.store.close()
    return file


def mean_letter(folder: Path, now: datetime) -> int:
    """The mean size of the letters that replies cause, in bytes."""
    services = _open(f"sqlite:///{folder / 'letters.db'}")
    sizes: list[int] = []
    for number in range(5):
        letter = begin_episode(services, number, now)
        reply(services, letter, COMMAND, now)
        sizes += [len(each.message) for each in _accept(services, now)]
    services.store.close()
    return sum(sizes) // len(sizes)


def _open(url: str) -> Services:
    server = {"host": "127.0.0.1", "security": "none"}
    data: dict[str, Any] = {
        "host": {"address": ADDRESS, "operators": ["boss@example.com"]},
        "imap": server | {"username": ADDRESS},
        "smtp": server,
        "games": {SLUG: {"tables": 10**7}},
    }
    store = open_store(url)
    store.engine.dispose()
    event.listen(store.engine, "connect", _hurry)
    return Services(Config.model_validate(data), store)


def _hurry(connection: Any, _record: Any) -> None:
    """A store that is being filled may be lost with the power."""
    connection.execute("PRAGMA synchronous=OFF")


def begin_episode(services: Services, number: int, now: datetime) -> Letter:
    """Two contestants, and the first move of whoever is asked first. Gives the letter that asks for the next."""
    with services.store.transaction() as session:
        for at, who in enumerate(("Ann", "Bob")):
            called = f"{who}{number}"
            contestant = Contestant(
                address=f"{called.lower()}@example.net", name=f"{called} Lee", nickname="", hometown="", called=called
            )
            contestant.created_at = contestant.wrote_at = contestant.confirmed_at = now
            contestant.letters = "at once"  # an answer to each mail, which is what is measured
            queued = now + timedelta(microseconds=at)
            place = Registration(contestant=contestant, game=SLUG, state="waiting", created_at=now, queued_at=queued)
            session.add_all([contestant, place])
        session.flush()
        lobby.run(Work(session, services, now), GAMES[SLUG])
    asking = next(letter for letter in _accept(services, now) if b"X-Podium-Reply-By" in letter.message)
    reply(services, asking, f"cut {number % 52}\npick {number % 9 + 1}", now)
    (turn,) = _accept(services, now)
    return turn


def reply(services: Services, letter: Letter, words: str, now: datetime) -> None:
    """A reply to a letter, through the corridor."""
    headers = ReadLetter(letter.message).headers
    subject, to = "Re: " + headers["subject"], headers["reply-to"]
    raw = write(letter.address, "Somebody", to, subject, words, headers["message-id"])
    with services.store.transaction() as session:
        row = Inbound(mailbox="INBOX", uidvalidity=1, uid=letter.id, arrived_at=now, fetched_at=now, raw=raw)
        row.size, row.state, row.sender, row.lines, row.note = len(raw), "new", "", [], ""
        session.add(row)
    mail = open_mail(raw)
    receive.receive(services, [(row.id, Opened(mail, typed_in(mail, [])))], now)


def _accept(services: Services, now: datetime) -> list[Letter]:
    """The SMTP server accepts everything that waits."""
    with services.store.transaction() as session:
        waiting = session.scalars(
            select(Letter).where(Letter.state == "queued").order_by(Letter.id).options(undefer(Letter.packed))
        ).all()
        for letter in waiting:
            letter.state, letter.response, letter.attempts, letter.sent_at = "sent", "250 ok", 1, now
        for question in session.scalars(select(QuestionRow).where(QuestionRow.asked_at.is_(None))):
            question.asked_at = now
            if question.due_at is not None:
                question.remind_at, question.remind = deadlines.next_reminder(question.due_at, question.remind, now)
        return list(waiting)


def fill(template: Path, url: str, episodes: int, whole: int) -> None:
    """Copy the template's rows into an empty store at `url` until there are `episodes` or a few more.

    About `whole` of them keep their letters whole.
    """
    store = open_store(url)
    store.close()
    with contextlib.closing(sqlite3.connect(template)) as source:
        (real,) = source.execute("SELECT count(*) FROM episodes").fetchone()
        copies = -(-episodes // real)
        step = max(copies * real // max(whole, 1), 1)
        while math.gcd(step, real) > 1:
            step -= 1  # so that the whole ones are copies of all, not of a few
        target = _Sqlite(url) if url.startswith("sqlite") else _PostgreSQL(url)
        with contextlib.closing(target):
            for table in Base.metadata.sorted_tables:
                if table.name not in NEVER:
                    target.write(table, _copies(source, table, copies, step))
            target.finish(copies * real)


def _copies(source: sqlite3.Connection, table: Table, copies: int, step: int) -> Iterator[Row]:
    """The rows of a table, and their copies."""
    names = [column.name for column in table.columns]
    rows = source.execute(f"SELECT {', '.join(names)} FROM {table.name} ORDER BY 1").fetchall()
    if table.name in ONCE or not rows:
        yield from rows
        return
    changes = [(at, change) for at, column in enumerate(table.columns) if (change := _change(source, column))]
    cut = _Cut(source, names, step) if table.name == "letters" else None
    for copy in range(copies):
        for row in rows:
            new = list(row)
            for at, change in changes:
                if new[at] is not None:
                    new[at] = change(new[at], copy)
            if cut:
                cut(row, new, copy)
            yield tuple(new)


def _change(source: sqlite3.Connection, column: Any) -> Change | None:
    """How a column differs in a copy; None where it does not."""
    target = column.table.name if column.name == "id" else ""
    for key in column.foreign_keys:
        target = key.column.table.name
    if target and target not in ONCE:
        (span,) = source.execute(f"SELECT coalesce(max(id), 0) FROM {target}").fetchone()
        return lambda value, copy: value + copy * span
    if column.name == "uid":
        return lambda value, copy: value + copy * 100_000 % 2**31
    return {
        "code": _code(source),
        "token": new_token,
        "thread": new_token,
        "content_key": lambda value, copy: f"{copy:08x}{value[8:]}",
        "address": _renamed,
        "sender": _renamed,
        "called": _renamed,
        "name": _renamed,
        "text": _renamed,
    }.get(column.name)


def _code(source: sqlite3.Connection) -> Change:
    (real,) = source.execute("SELECT count(*) FROM episodes").fetchone()

    def change(code: str, copy: int) -> str:
        letters, _, number = code.partition("-")
        return f"{letters}-{int(number) + copy * real}"

    return change


def _renamed(text: str, copy: int) -> str:
    """Ann3 of the template is Ann3x7 in the seventh copy, wherever she stands."""
    return _NAME.sub(rf"\g<0>x{copy}", text) if copy else text


def new_token(token: str, copy: int) -> str:
    """The token of a copy: its first letters are the copy's number."""
    if not copy or not token:
        return token
    digits = "".join(ALPHABET[copy >> 5 * at & 31] for at in range(CODE_DIGITS))
    return digits + token[CODE_DIGITS:]


class _Cut:
    """Letters: whole, with their new token and names in them, for one episode of `step`; cut short for the others."""

    def __init__(self, source: sqlite3.Connection, names: list[str], step: int) -> None:
        self.at = {name: names.index(name) for name in ("token", "episode_id", "packed")}
        self.step = step
        (self.real,) = source.execute("SELECT count(*) FROM episodes").fetchone()

    def __call__(self, row: Row, new: list[Any], copy: int) -> None:
        at = self.at
        number = (new[at["episode_id"]] or 0) - 1
        if number % self.step:
            new[at["packed"]] = CUT
        elif copy:
            token, later = row[at["token"]], new[at["token"]]
            pattern = re.compile(_SOFT.join(token))
            text = pattern.sub(later, unpack(row[at["packed"]]).decode("utf-8"))
            new[at["packed"]] = pack(_renamed(text, copy).encode("utf-8"))


class _Sqlite:
    """A SQLite file that is filled in one go: no journal, indexes afterwards."""

    def __init__(self, url: str) -> None:
        self.database = sqlite3.connect(make_url(url).database or "", isolation_level=None)
        for pragma in ("synchronous=OFF", "journal_mode=OFF", "cache_size=-1000000", "foreign_keys=OFF"):
            self.database.execute(f"PRAGMA {pragma}")
        self.indexes = self.database.execute(
            "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL"
        ).fetchall()
        for name, _ in self.indexes:
            self.database.execute(f'DROP INDEX "{name}"')
        self.database.execute("BEGIN")

    def write(self, table: Table, rows: Iterable[Row]) -> None:
        """Add the rows of a table."""
        names = [column.name for column in table.columns]
        places = ", ".join("?" * len(names))
        self.database.executemany(f"INSERT INTO {table.name} ({', '.join(names)}) VALUES ({places})", rows)

    def finish(self, episodes: int) -> None:
        """Indexes and what counts the episodes."""
        self.database.execute("UPDATE lobbies SET episodes = ?", (episodes,))
        for _, sql in self.indexes:
            self.database.execute(sql)
        self.database.execute("COMMIT")
        self.database.execute("PRAGMA journal_mode=WAL")

    def close(self) -> None:
        """Let go of the file."""
        self.database.close()


class _PostgreSQL:
    """A PostgreSQL database that is filled by COPY."""

    def __init__(self, url: str) -> None:
        self.connection = psycopg.connect(url)
        self.connection.execute("SET TIME ZONE 'UTC'")
        self.connection.execute("SET synchronous_commit = off")

    def write(self, table: Table, rows: Iterable[Row]) -> None:
        """Add the rows of a table."""
        names = ", ".join(f'"{column.name}"' for column in table.columns)  # `end` is a word of its own there
        with self.connection.cursor() as cursor, cursor.copy(f"COPY {table.name} ({names}) FROM STDIN") as copy:
            for row in rows:
                copy.write_row([each if isinstance(each, bytes) else _text(each) for each in row])

    def finish(self, episodes: int) -> None:
        """Where numbers go on, what counts the episodes, and what the planner knows."""
        self.connection.execute("UPDATE lobbies SET episodes = %s", (episodes,))
        for table in Base.metadata.sorted_tables:
            if "id" in table.columns and table.columns["id"].autoincrement and table.name not in NEVER:
                self.connection.execute(
                    f"SELECT setval(pg_get_serial_sequence('{table.name}', 'id'), "
                    f"(SELECT coalesce(max(id), 1) FROM {table.name}))"
                )
        self.connection.commit()
        self.connection.autocommit = True
        self.connection.execute("ANALYZE")

    def close(self) -> None:
        """Let go of the connection."""
        self.connection.close()


def _text(value: Any) -> str | None:
    return None if value is None else str(value)


ASKED = """
SELECT l.address, c.called, l.packed FROM questions q
JOIN asks a ON a.question_id = q.id JOIN letters l ON l.id = a.letter_id JOIN contestants c ON c.id = l.contestant_id
WHERE q.closed_at IS NULL AND q.purpose = 'game' AND l.kind = 'turn' AND length(l.packed) > 100 ORDER BY q.id
"""


def asked(url: str, limit: int) -> list[Asked]:
    """Who is asked and has a whole letter that says so; at most `limit`."""
    if url.startswith("sqlite"):
        with contextlib.closing(sqlite3.connect(make_url(url).database or "")) as database:
            rows = database.execute(f"{ASKED} LIMIT {limit}").fetchall()
    else:
        with psycopg.connect(url) as connection:
            rows = connection.execute(f"{ASKED} LIMIT {limit}".encode()).fetchall()
    return [Asked(address, name, unpack(packed)) for address, name, packed in rows]
