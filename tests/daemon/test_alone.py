"""A mail that came alone: stored and played in one transaction, read meanwhile; whatever hinders that, it is stored."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import event, select

from host.daemon.imap_watcher import ImapWatcher
from host.daemon.inbound_worker import InboundWorker
from host.daemon.leader import Leadership
from host.daemon.main import steady
from host.daemon.runtime import Runtime
from host.demo.robot import write
from host.mail.inbound.imap import Inbox
from host.mail.inbound.raw import RawMail
from host.mail.inbound.sandbox import ReadingError
from host.store import queues
from host.store.schema import Inbound, Letter
from host.turn import receive, storing
from host.turn.incoming import Opened
from host.turn.reading import Slow
from tests.turn.desk import Desk

ANN, EVE = "ann@example.net", "eve@example.com"


class WithMail(Inbox):
    """A mailbox in reach, with these mails; UIDs count from 1001."""

    mails: list[bytes]
    arrived: object

    async def uids_above(self, uid: int, now: object) -> list[int]:
        return [number for number in range(1001, 1001 + len(self.mails)) if number > uid]

    async def fetch(
        self, uids: list[int], bytes_wanted: Callable[[RawMail], Awaitable[int]] | None = None
    ) -> AsyncIterator[RawMail]:
        for uid in uids:
            raw = self.mails[uid - 1001]
            yield RawMail(uid, self.arrived, len(raw), raw)  # type: ignore[arg-type]


class House:
    """A host with an episode whose mailbox is watched, and whoever plays its mails."""

    def __init__(self, folder: Path) -> None:
        self.desk = Desk(folder)
        self.desk.begin()
        self.wiring = Runtime(self.desk.services, lambda: self.desk.now, steady)
        self.player = InboundWorker(self.wiring)
        self.inbox = WithMail(self.desk.config.imap, "INBOX")
        self.inbox.mails, self.inbox.arrived = [], self.desk.now
        self.watcher = ImapWatcher(self.wiring, self.inbox, Leadership(self.wiring, "inbox", "test"), self.player)
        self.commits, self.is_warm = 0, True
        event.listen(self.desk.store.engine, "commit", self._count)

    def _count(self, connection: object) -> None:
        self.commits += 1

    def reply(self, words: str) -> bytes:
        letter = self.desk.last(ANN)
        return write(ANN, "Ann", letter.headers["reply-to"], "Re", words, letter.headers["message-id"])

    async def read(self, *mails: bytes) -> None:
        """These mails came since the last pass."""
        process = self.player.reader.worker
        if self.is_warm and not process.is_free:
            with contextlib.suppress(ReadingError):
                await process.open(self.reply("status"))
        self.inbox.mails += mails
        await self.watcher.read()

    def states(self) -> list[str]:
        """What became of the mails that the watcher read."""
        with self.desk.store.reading() as session:
            found = session.execute(select(Inbound.uid, Inbound.state).where(Inbound.uid > 1000).order_by(Inbound.uid))
            return [row.state for row in found]

    def letters(self) -> int:
        with self.desk.store.reading() as session:
            return len(session.scalars(select(Letter.id)).all())


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    monkeypatch.setattr(storing, "READ_WITHIN", 20.0)
    made = House(tmp_path)
    yield made
    made.wiring.close()
    made.desk.store.close()


async def test_it_is_stored_and_played_in_one_transaction(house: House) -> None:
    letters = house.letters()
    await house.read()  # where it was read to is known from then on
    house.commits = 0
    await house.read(house.reply("cut 5"))
    assert (house.states(), house.letters()) == (["played"], letters + 1)
    writes = house.commits
    assert queues.watermark(house.desk.store, "INBOX") == (1, 1001)
    await house.read(house.reply("status"), house.reply("rules"))
    await house.player.take_new_mails()
    assert house.states() == ["played", "answered", "answered"], "two at once are stored, then played"
    assert writes <= 2, "one commit, and perhaps one look at where the mailbox was read to"
    await house.player.close()


async def test_the_same_mail_twice_is_played_once(house: House) -> None:
    reply = house.reply("cut 5")
    await house.read(reply)
    house.watcher._known = None
    letters = house.letters()
    await house.read()
    await house.read(reply)
    assert (house.states(), house.letters()) == (["played", "duplicate"], letters)
    await house.player.close()


async def test_what_cannot_be_played_is_stored_and_shown_to_the_host(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ValueError("a fault of the corridor")

    with monkeypatch.context() as patch:
        patch.setattr(receive, "_take", broken)
        await house.read(house.reply("cut 5"))
        assert house.states() == ["new"], "nothing is lost"
        await house.player.take_new_mails()
    assert house.states() == ["quarantined"]
    await house.player.close()


async def test_it_waits_behind_one_of_its_episode(house: House) -> None:
    house.desk.keep(house.reply("status"), house.desk.now - timedelta(minutes=1))
    await house.read(house.reply("cut 5"))
    assert house.states() == ["new"]
    await house.player.take_new_mails()
    assert house.states() == ["played"]
    await house.player.close()


async def test_of_nobody_known_it_is_only_stored(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[object] = []
    monkeypatch.setattr(house.player.reader, "read_all", read.append)
    await house.read(write(EVE, "Eve", "games@example.org", house.desk.game.subject, "Name: Eve Ray"))
    assert house.states() == ["new"]
    assert house.wiring.unknown_mails.is_set()
    assert not read, "strangers are read elsewhere"
    await house.player.close()


async def test_of_a_stranger_no_more_is_kept_than_that_it_came(house: House) -> None:
    await house.read(write(EVE, "Eve", "games@example.org", "Cheap watches", "Buy now"))
    with house.desk.store.reading() as session:
        row = session.scalars(select(Inbound).where(Inbound.uid > 1000)).one()
        assert (row.state, row.raw, row.ordering_key) == ("stranger", None, "")
    await house.player.close()


async def test_where_it_is_not_read_in_time_it_is_stored_and_played_later(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(storing, "READ_WITHIN", 0.05)
    reader, let = house.player.reader, asyncio.Event()
    read_all = reader.read_all

    async def slowly(raws: Mapping[int, bytes]) -> dict[int, Opened | ReadingError | Slow]:
        await let.wait()
        return await read_all(raws)

    with monkeypatch.context() as patch:
        patch.setattr(reader, "read_all", slowly)
        letters = house.letters()
        await house.read(house.reply("cut 5"))
    assert (house.states(), house.letters()) == (["new"], letters)
    assert queues.watermark(house.desk.store, "INBOX") == (1, 1001)
    let.set()
    await house.player.take_new_mails()
    assert (house.states(), house.letters()) == (["played"], letters + 1)
    await house.player.close()


async def test_while_the_process_that_reads_is_busy_or_starts_it_is_stored(house: House) -> None:
    house.is_warm = False
    await house.read(house.reply("cut 5"))
    assert house.states() == ["new"], "none has answered yet"
    await house.player.take_new_mails()
    assert house.states() == ["played"]
    assert house.player.reader.worker.is_free
    async with house.player.reader.worker._turn:
        await house.read(house.reply("status"))
    assert house.states() == ["played", "new"]
    await house.player.take_new_mails()
    await house.read(house.reply("rules"))
    assert house.states() == ["played", "answered", "answered"]
    await house.player.close()


async def test_where_it_cannot_be_read_it_is_stored(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    async def no_process(_: Mapping[int, bytes]) -> dict[int, Opened | ReadingError | Slow]:
        raise OSError("no process can be started")

    with monkeypatch.context() as patch:
        patch.setattr(house.player.reader, "read_all", no_process)
        await house.read(house.reply("cut 5"))
    assert house.states() == ["new"]
    await house.player.take_new_mails()
    assert house.states() == ["played"]
    await house.player.close()


async def test_what_takes_long_to_read_is_stored_first(house: House) -> None:
    house.player.reader.worker.seconds = 0.02
    letter = house.desk.last(ANN)
    head = f"From: {ANN}\r\nTo: {letter.headers['reply-to']}\r\nSubject: Re\r\nContent-Type: text/html\r\n\r\ncut 5\r\n"
    await house.read(head.encode() + b"<p>x<div><b>" * 60_000)
    assert house.states() == ["new"]
    await house.player.take_new_mails()
    await house.player.wait_aside()
    assert house.states()[0] in ("played", "refused", "answered")
    await house.player.close()
