"""The daemon in a thread of the test, with its waits made short, between proxies and real servers."""

import asyncio
import contextlib
import itertools
import shutil
import smtplib
import sqlite3
import threading
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from host.cli.terminal import SLUGS
from host.config import load
from host.daemon import first_connections, runtime, steps
from host.daemon.main import Daemon
from host.demo.robot import ReadLetter, write
from host.mail.inbound import imap
from host.mail.outbound import smtp
from host.store import database
from host.store.database import open_store
from host.store.packing import unpack
from tests.patience import wait_until
from tests.wire import dovecot
from tests.wire.proxy import Proxy
from tests.wire.world import Person, World, a_short_folder

SECONDS = 1.0
"""How long the daemon waits for an answer here."""
AT_ONCE = "[security]\nconfirm_registration = false\nregistrations_an_hour = 10000\nregistrations_a_day = 1000\n"


class Bench:
    """Servers behind proxies, and the daemons that a test runs on them."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.imap, self.smtp = Proxy(world.dovecot.imap_port), Proxy(world.smtp_port)
        world.imap |= {"port": self.imap.port, "junk": "", "poll_every": "1s"}
        world.smtp_settings["port"] = self.smtp.port
        world.write_config()
        self.boss = Person(world, "Boss", "boss@example.com")
        self._numbers = itertools.count(1)

    def close(self) -> None:
        self.imap.close()
        self.smtp.close()

    def somebody(self) -> Person:
        """Somebody who was not here before."""
        number = next(self._numbers)
        return Person(self.world, f"P{number} Lee", f"p{number}@example.net")

    def deliver(self, person: Person) -> None:
        """A registration, straight into the mailbox."""
        raw = write(person.address, person.name, dovecot.ADDRESS, self.world.subject, f"Name: {person.name}")
        deliver(self.world, raw)

    @contextlib.contextmanager
    def serving(self) -> Iterator[Daemon]:
        """A daemon on this configuration, stopped at the end. Raises what its start raised."""
        config = load(self.world.config, SLUGS)
        opened = open_store(config.database.url)
        failed: list[Exception] = []
        begun: list[tuple[Daemon, asyncio.AbstractEventLoop]] = []

        async def run() -> None:
            begun.append((Daemon(config, opened), asyncio.get_running_loop()))
            await begun[0][0].run(handle_signals=False)

        def in_thread() -> None:
            try:
                asyncio.run(run())
            except Exception as error:
                failed.append(error)

        thread = threading.Thread(target=in_thread)
        thread.start()
        try:
            wait_until(lambda: failed or (begun and begun[0][0].ready.is_set()), "the daemon")
            if failed:
                raise failed[0]
            yield begun[0][0]
        finally:
            with contextlib.suppress(RuntimeError):
                begun[0][1].call_soon_threadsafe(begun[0][0].stop)
            thread.join(30)
            opened.close()
        if failed:
            raise failed[0]

    def rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """What the database has."""
        with contextlib.closing(sqlite3.connect(self.world.folder / "podium.db", timeout=10)) as connection:
            return connection.execute(query, values).fetchall()

    def comes_out_once(self, person: Person) -> ReadLetter:
        """The one answer to a registration reaches its sender, every copy as it was written; gives that letter."""

        def look() -> ReadLetter | None:
            person.new_letters()
            return next((letter for letter in person.all if letter.kind in ("registered", "begin")), None)

        letter: ReadLetter = wait_until(look, f"an answer to {person.name}")
        wait_until(lambda: not self.waiting(person), f"all letters to {person.name}")
        person.new_letters()
        found = self.rows("select packed from letters where address = ? order by id", person.address)
        assert [letter.kind for letter in {each.headers["message-id"]: each for each in person.all}.values()]
        assert {_plain(unpack(row[0])) for row in found} == {_plain(raw) for raw in person.raw}
        answers = [each for each in person.all if each.headers["auto-submitted"] == "auto-replied"]
        assert len({each.headers["message-id"] for each in answers}) <= 1, "answered twice"
        mails = self.rows("select state from inbound where sender = ?", person.address)
        assert mails == [("answered",)] or mails == [("played",)], mails
        return letter

    def waiting(self, person: Person) -> list[tuple[Any, ...]]:
        """Letters to somebody that are not out yet."""
        query = "select id from letters where address = ? and state in ('queued', 'sending')"
        return self.rows(query, person.address)


@contextlib.contextmanager
def a_bench(settings: str = AT_ONCE) -> Iterator[Bench]:
    """A bench in a folder of its own."""
    with a_short_folder() as folder:
        world = World(folder, settings)
        try:
            world.start()
            bench = Bench(world)
            yield bench
            bench.close()
        finally:
            world.stop()


@contextlib.contextmanager
def short_waits(start_tries: int = first_connections.START_TRIES) -> Iterator[None]:
    """The daemon's waits, a fraction of what they are."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(smtp, "TIMEOUT", SECONDS)
        patch.setattr(imap, "TIMEOUT", SECONDS)
        patch.setattr(runtime, "BACK_OFF_FIRST", 0.2)
        patch.setattr(steps, "RETRY_AFTER", [timedelta(seconds=0.3)])
        patch.setattr(database, "BUSY_SECONDS", 1)
        patch.setattr(first_connections, "START_TRIES", start_tries)
        yield


def deliver(world: World, raw: bytes, sender: str = "ann@example.net") -> None:
    """A mail straight into the mailbox, past the SMTP server."""
    with smtplib.LMTP("127.0.0.1", world.dovecot.lmtp_port) as lmtp:
        lmtp.sendmail(sender, [dovecot.ADDRESS], raw)


def empty(world: World) -> None:
    """No mail, no database, no letters; the servers go on."""
    shutil.rmtree(world.dovecot.folder / "home" / "Maildir", ignore_errors=True)
    for file in (*world.folder.glob("podium.db*"), *world.spool.glob("*")):
        file.unlink()


def _plain(raw: bytes) -> bytes:
    return raw.replace(b"\r\n", b"\n").rstrip(b"\n")
