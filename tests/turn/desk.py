"""The corridor without servers: mails go in as bytes, letters come out of the outbox, the clock is ours."""

import functools
import hashlib
import sqlite3
import tempfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, event, select
from sqlalchemy.orm import undefer
from sqlalchemy.util import LRUCache

from host.club import lobby
from host.config import Config
from host.daemon import steps
from host.demo.robot import ReadLetter, write, write_link
from host.games import GAMES
from host.mail.inbound.mail import Mail, RawMail
from host.mail.inbound.reply import open_mail, sent_texts
from host.mail.inbound.sent_text import SentText
from host.mail.outbound.smtp import Sent
from host.store import database, queues
from host.store.database import Store, open_store
from host.store.schema import Contestant, Inbound
from host.table.work import Opened, Services
from host.turn import interruptions, reading
from host.turn.receive import store_mails
from tests import states
from tests.mail.inbound.typed import typed_in

ADDRESS = "games@example.org"
OPERATOR = "boss@example.com"
BEGINNING = 5
"""Who registers while there are fewer letters does so as others do in other stories."""
START = datetime(2026, 11, 20, 12, 0, 0, tzinfo=UTC)
SUBJECT = "Champ Cards Contestant Registration"


_sent_texts = functools.lru_cache(512)(sent_texts)
"""A story answers the same letters again and again; what they say is read once."""


class Desk:
    """A host of which every part but the servers is real."""

    wanted = "at once"
    """The letters that contestants want, once an episode has begun."""

    def __init__(self, folder: Path, game: str = "champ-cards", **changes: Any) -> None:
        server = {"host": "127.0.0.1", "security": "none"}
        data: dict[str, Any] = {
            "host": {"address": ADDRESS, "operators": [OPERATOR], "timezone": "America/New_York"},
            "imap": server | {"username": ADDRESS},
            "smtp": server,
            "database": {"url": f"sqlite:///{folder / 'desk.db'}"},
            "games": {game: {}},
        }
        for section, values in changes.items():
            data[section] = data.get(section, {}) | values
        self.game = GAMES[game]
        self.config = Config.model_validate(data)
        self.store = _quick_store(self.config.database.url, folder / "desk.db")
        self.services = Services(self.config, self.store)
        self.now = START
        self.uid = 0
        self.sent: list[tuple[str, ReadLetter, bytes]] = []
        queues.begin_mailbox(self.store, "INBOX", 1, 0)

    def later(self, **duration: float) -> None:
        """Let time pass; nothing happens by itself."""
        self.now += timedelta(**duration)

    def deliver(self, raw: bytes, arrived: datetime | None = None) -> Inbound:
        """A mail arrives, is stored and worked off; gives its row."""
        self.keep(raw, arrived or self.now)
        self.work_off()
        self.send()
        with self.store.reading() as session:
            latest = select(Inbound).options(undefer(Inbound.raw)).order_by(Inbound.id.desc()).limit(1)
            return session.scalars(latest).one()

    def keep(self, raw: bytes, arrived: datetime) -> None:
        """A mail is stored."""
        self.uid += 1
        store_mails(self.services, "INBOX", 1, [RawMail(self.uid, arrived, len(raw), raw)], self.now)

    def work_off(self) -> None:
        """Every stored mail goes through the corridor. Raises what a turn raised, for which its mail was quarantined."""
        while self._is_left("inbound", "new"):
            claimed, raws = steps.claim_mails(self.services, self.now, 16, seen_at=self.now)
            if not claimed:
                return
            mails = [(each.id, self._open(raws[each.id])) for each in claimed]
            for played in steps.play_mails(self.services, mails, self.now):
                for mail in played:
                    if mail.fault is not None:
                        raise mail.fault

    def opened(self, inbound_id: int) -> Opened:
        """A stored mail as the daemon's worker reads it, here without the process."""
        return self._open(reading.raw_mails(self.store, [inbound_id])[inbound_id])

    def _open(self, raw: bytes) -> Opened:
        mail = open_mail(raw)
        return Opened(mail, typed_in(mail, self._sent_before(mail)), reading.proof_of(self.config, mail))

    def _sent_before(self, mail: Mail) -> Iterator[SentText]:
        """The letter that a mail answers, and where that does not tell what was typed, those before it."""
        answered = [each for each in reading.letters_answered(self.store, [mail]) if each]
        for letter in answered:
            yield from _sent_texts(letter.message)
        for some in reading.earlier_letters(self.store, answered):
            for each in some:
                yield from _sent_texts(each.message)

    def send(self) -> None:
        """The SMTP server accepts everything that is due."""
        while self._is_left("letters", "queued"):
            if not (claimed := steps.claim_letters(self.services, self.now, 50)):
                return
            steps.settle_letters(self.services, [(letter, Sent("sent", "250 ok")) for letter in claimed], self.now)
            self.sent += [(each.address, ReadLetter(each.message), each.message) for each in claimed]

    def _is_left(self, table: str, state: str) -> bool:
        """Is there any row in a state? What asks as the daemon does takes five times as long."""
        with self.store.engine.connect() as connection:
            statement = f"SELECT 1 FROM {table} WHERE state = '{state}' LIMIT 1"
            return connection.exec_driver_sql(statement).first() is not None

    def tick(self, read: bool = True) -> None:
        """Time has passed, and everything is done that comes with it; `read`: the mailbox could be read."""
        if read:
            queues.was_seen(self.store, "INBOX", self.now)
        for _ in steps.keep_deadlines(self.services, self.now):
            pass
        steps.run_lobbies(self.services, self.now)
        self.send()

    def see_again(self, *waiting: tuple[bytes, datetime]) -> None:
        """The mailbox is in reach again, with mails that came at these times: a whole pass, and what it leads to."""
        steps.begin_pass(self.services, "INBOX", self.now)
        for raw, arrived in waiting:
            self.keep(raw, arrived)
        queues.was_seen(self.store, "INBOX", self.now)
        self.work_off()
        self.tell_of_outage()
        self.send()

    def tell_of_outage(self) -> None:
        """Everyone hears why their deadline moved."""
        for _ in interruptions.tell_of_outage(self.services, self.now):
            pass

    def letters(self, address: str) -> list[ReadLetter]:
        """All letters to an address, oldest first."""
        return [letter for to, letter, _ in self.sent if to == address]

    def last(self, address: str) -> ReadLetter:
        """The latest letter to an address."""
        return self.letters(address)[-1]

    def count(self) -> int:
        """How many letters went out so far."""
        return len(self.sent)

    def write(self, sender: str, to: str, subject: str, body: str, name: str = "") -> Inbound:
        """A new mail."""
        return self.deliver(write(sender, name or sender.partition("@")[0].title(), to, subject, body))

    def answer(self, address: str, body: str, letter: ReadLetter | None = None, sender: str = "") -> Inbound:
        """A reply to a letter, by default to the latest one to `address`."""
        letter = letter or self.last(address)
        subject = "Re: " + letter.headers["subject"]
        raw = write(
            sender or address, "Somebody", letter.headers["reply-to"], subject, body, letter.headers["message-id"]
        )
        return self.deliver(raw)

    def tap(self, address: str, label: str) -> Inbound:
        """Tap the link whose body is `label`, in the latest letter."""
        letter = self.last(address)
        from urllib.parse import quote

        link = next(each for each in letter.links if each.endswith("body=" + quote(label, safe="")))
        return self.deliver(write_link(link, address, "Somebody"))

    def register(self, address: str, name: str) -> None:
        """Register and confirm."""

        def tell() -> None:
            self.write(address, ADDRESS, self.game.subject, f"Name: {name}")
            if self.last(address).kind == "confirm":
                self.answer(address, "confirm")

        if self.count() < BEGINNING:
            self.once(f"register {self.game.slug} {address} {name}", tell)
        else:
            tell()

    def begin(self) -> None:
        """Ann and Bob register; the first episode begins. They want letters `wanted`: at once, so that each change shows."""
        self.once("begin", self._begin)

    def once(self, name: str, tell: Callable[[], None]) -> None:
        """What a story begins with: told once, and copied where another one has come as far, with the same seeds to come."""
        file, before = self.store.file, self.count()
        if file is None:
            return tell()
        settings = self.config.model_dump_json(exclude={"database": True, "reader": {"url"}, "web": {"listen"}})
        key = (
            name,
            type(self),
            self.wanted,
            vars(lobby)["new_seed"],
            settings,
            self.now,
            self.uid,
            hashlib.sha256(_content(file)).digest(),
        )
        if key not in _TOLD:
            tell()
            _TOLD[key] = zlib.compress(_content(file), 1), self.now, self.uid, tuple(self.sent[before:])
            return None
        content, self.now, self.uid, sent = _TOLD[key]
        self.sent += sent
        self.store.engine.dispose()
        file.write_bytes(zlib.decompress(content))
        return None

    def _begin(self) -> None:
        self.register("ann@example.net", "Ann Lee")
        self.register("bob@example.net", "Bob Ray")
        for name in ("Cleo Fox", "Dov Orr")[: self.services.seats(self.game) - 2]:
            self.register(f"{name.split()[0].lower()}@example.net", name)
        with self.store.transaction() as session:
            for number in range(1, self.services.seats(self.game) + 1):
                session.get_one(Contestant, number).letters = self.wanted


_TOLD: dict[tuple[Any, ...], tuple[bytes, datetime, int, tuple[tuple[str, ReadLetter, bytes], ...]]] = {}
"""How stories began: what is in the database then, the time, and what was sent."""


def _content(file: Path) -> bytes:
    """A database as it is now, what stands beside its file included."""
    with closing(sqlite3.connect(file)) as connection:
        return connection.serialize()


def _quick_store(url: str, file: Path) -> Store:
    """The store; on SQLite it begins as a copy and waits for no disk, which no story here can tell."""
    if url == f"sqlite:///{file}" and not file.exists():
        file.write_bytes(_empty_database())
    store = open_store(url)
    if store.file is not None:
        store.engine.dispose()
        event.listen(store.engine, "connect", lambda connection, _: connection.execute("PRAGMA synchronous=OFF"))
        store = _with_known_statements(store.engine)
    return store


_KNOWN: dict[str, Any] = {}


def _with_known_statements(engine: Engine) -> Store:
    """The store of an engine for which SQLAlchemy writes no statement anew that it wrote for an earlier story.

    It keeps them by dialect. Otherwise it writes them for each engine apart, a sixth of what a story takes.
    """
    if not _KNOWN:
        _KNOWN.update(dialect=engine.dialect, _compiled_cache=LRUCache(2000))
    engine.__dict__.update(_KNOWN)
    return Store(engine)


@functools.cache
def _empty_database() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "empty.db"
        database.open_store(f"sqlite:///{file}").close()  # tests put another `open_store` in place of the one here
        states.watch(file)
        return file.read_bytes()


def words(letter: ReadLetter) -> str:
    """A letter's text with its lines joined."""
    return " ".join(letter.text.split())
