"""The LMTP door: what is answered with 250 is kept, and nothing else; whatever a client does, the door stands."""

import asyncio
import functools
import logging
import smtplib
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from typing import Any

import pytest

from host.config import Lmtp
from host.mail.inbound import lmtp
from host.mail.inbound.lmtp import Door, arrival
from host.mail.inbound.mail import RawMail
from tests.patience import SECONDS, until
from tests.ports import free_port
from tests.rows import every

NOW = datetime(2026, 11, 21, 12, 0, 0, tzinfo=UTC)
HOST = "games@example.org"
RECEIVED = b"Received: from mx.example.org by lmtp.example.org\r\n\tfor <games@example.org>; %s\r\n"
CLIENTS = ThreadPoolExecutor(10)
MAIL = b"From: ann@example.net\r\nTo: games@example.org\r\nSubject: move\r\n\r\nHIT\r\n"


class Store:
    """Keeps mails in memory; `trouble` is raised instead, `gate` holds every group up until it is set."""

    def __init__(self, room: int = 1000) -> None:
        self.room = room
        self.groups: list[list[RawMail]] = []
        self.trouble: Exception | None = None
        self.gate = asyncio.Event()
        self.gate.set()
        self.begun = asyncio.Event()

    async def keep(self, mails: Sequence[RawMail]) -> int:
        self.begun.set()
        await self.gate.wait()
        if self.trouble:
            raise self.trouble
        count = min(len(mails), self.room - len(self.mails))
        self.groups.append(list(mails[:count]))
        return count

    @property
    def mails(self) -> list[RawMail]:
        return [each for group in self.groups for each in group]


@asynccontextmanager
async def opened(store: Store, **settings: Any) -> AsyncIterator[Door]:
    found = Lmtp(**{"listen": "127.0.0.1:1"} | settings)
    if found.listen == "127.0.0.1:1":
        port = free_port()
        found = found.model_copy(update={"listen": f"127.0.0.1:{port}"})
    door = Door(found, HOST, store.keep, lambda: NOW)
    await door.start()
    try:
        yield door
    finally:
        store.gate.set()
        await door.close()


def deliver(port: int, *recipients: str, raw: bytes = MAIL, times: int = 1) -> list[tuple[int, bytes]]:
    """What the last of `times` deliveries was answered, for each recipient that was accepted."""
    with smtplib.LMTP("127.0.0.1", port, timeout=SECONDS) as client:
        said: list[tuple[int, bytes]] = []
        for _ in range(times):
            client.ehlo_or_helo_if_needed()
            client.mail("ann@example.net")
            taken = [each for each in recipients or (HOST,) if client.rcpt(each)[0] == 250]
            said = [client.data(raw), *(client.getreply() for _ in taken[1:])]
        return said


async def delivered(door: Door, *recipients: str, **more: Any) -> list[tuple[int, bytes]]:
    call = functools.partial(deliver, door.port, *recipients, **more)
    return await asyncio.get_running_loop().run_in_executor(CLIENTS, call)


class Raw:
    """A client that says what it likes."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    @classmethod
    async def at(cls, door: Door) -> "Raw":
        client = cls(*await asyncio.open_connection("127.0.0.1", door.port))
        assert (await client.line()).startswith("220 ")
        return client

    async def line(self) -> str:
        async with asyncio.timeout(SECONDS):
            return (await self.reader.readline()).decode()

    async def answer(self) -> str:
        while (line := await self.line())[3:4] == "-":
            pass
        return line.rstrip()

    async def say(self, words: bytes, answers: int = 1) -> list[str]:
        self.writer.write(words)
        return [await self.answer() for _ in range(answers)]

    async def begin_data(self) -> None:
        said = await self.say(b"LHLO x\r\nMAIL FROM:<ann@example.net>\r\nRCPT TO:<games@example.org>\r\nDATA\r\n", 4)
        assert said[-1].startswith("354 ")

    async def is_gone(self) -> bool:
        async with asyncio.timeout(SECONDS):
            try:
                return not await self.reader.read()
            except ConnectionError:
                return True


# What is kept


async def test_a_mail_is_kept_as_it_came_under_a_line_that_tells_to_whom() -> None:
    store = Store()
    raw = MAIL + b"..two dots\r\n. \r\n.\xff\x00 bare\nlf\r\n\r\n"
    async with opened(store) as door:
        assert (await delivered(door, "games+abc=x@example.org", raw=raw))[0][0] == 250
    (mail,) = store.mails
    assert (mail.raw, mail.arrived_at) == (b"Delivered-To: games+abc=x@example.org\r\n" + raw, NOW)
    assert mail.size == len(raw)


async def test_a_copy_has_a_number_of_its_own_and_the_same_whenever_it_comes() -> None:
    store = Store()
    async with opened(store) as door:
        for _ in range(2):
            await delivered(door, HOST, "games+x@example.org")
    numbers = [each.uid for each in store.mails]
    assert numbers[:2] == numbers[2:]
    assert len(set(numbers)) == 2
    assert all(0 <= each < 2**63 for each in numbers)


async def test_addresses_are_the_hosts_in_any_case_and_no_others() -> None:
    store = Store()
    others = (
        "ann@example.org",
        "games@example.net",
        "games-x@example.org",
        "xgames@example.org",
        "gam\u00e9s@example.org",
    )
    async with opened(store) as door, asyncio.timeout(SECONDS):
        client = await Raw.at(door)
        await client.say(b"LHLO x\r\nMAIL FROM:<>\r\n", 2)
        for each in ("Games@Example.ORG", "GAMES+ABC@example.org"):
            assert await client.say(f"RCPT TO:<{each}>\r\n".encode()) == ["250 2.1.5 OK"]
        for each in (*others, "games+a\rb@example.org", '"games+a b"@example.org'):
            assert (await client.say(f"RCPT TO:<{each}>\r\n".encode()))[0][:9] in ("550 5.1.1", "553 5.1.3")
        said = await client.say(b"DATA\r\n" + MAIL + b".\r\n", 3)
        assert [each[:3] for each in said] == ["354", "250", "250"]
        client.writer.close()
    assert [each.raw.partition(b"\r\n")[0] for each in store.mails] == [
        b"Delivered-To: games@example.org",
        b"Delivered-To: games+abc@example.org",
    ]


async def test_a_wrong_recipient_does_not_hinder_the_right_one() -> None:
    store = Store()
    async with opened(store) as door:
        client = await Raw.at(door)
        said = await client.say(
            b"LHLO x\r\nMAIL FROM:<a@b.c>\r\nRCPT TO:<who@example.org>\r\nRCPT TO:<games@example.org>\r\nDATA\r\n", 5
        )
        assert [each[:3] for each in said] == ["250", "250", "550", "250", "354"]
        assert await client.say(MAIL + b".\r\n") == [lmtp.KEPT]
        assert await client.say(b"NOOP\r\n") == ["250 OK"]
        client.writer.close()
    assert len(store.mails) == 1


async def test_a_recipient_named_twice_gets_two_answers_and_one_copy() -> None:
    store = Store()
    async with opened(store) as door:
        said = await delivered(door, HOST, HOST.upper(), "games+x@example.org", HOST)
    assert [code for code, _ in said] == [250] * 4
    assert len(store.mails) == 2


async def test_more_recipients_than_ten_come_later() -> None:
    store = Store()
    async with opened(store) as door:
        said = await delivered(door, *(f"games+{number}@example.org" for number in range(13)))
    assert len(said) == len(store.mails) == 10


async def test_where_nobody_is_right_nothing_is_taken() -> None:
    store = Store()
    async with opened(store) as door:
        client = await Raw.at(door)
        said = await client.say(b"LHLO x\r\nMAIL FROM:<a@b.c>\r\nRCPT TO:<who@example.org>\r\nDATA\r\n", 4)
        assert [each[:3] for each in said] == ["250", "250", "550", "503"]
        client.writer.close()
    assert store.mails == []


async def test_a_large_mail_is_cut_and_one_above_the_limit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lmtp, "MOST_BYTES", 300_000)
    monkeypatch.setattr(lmtp, "MAX_BYTES", 100)
    store = Store()
    large, too_large = MAIL + b"x" * 76 + b"\r\n", MAIL + b"x" * 300_000 + b"\r\n"
    async with opened(store) as door:
        assert (await delivered(door, raw=large))[0][0] == 250
        said = await delivered(door, HOST, "games+x@example.org", raw=too_large)
        assert [code for code, _ in said] == [552, 552]
        client = await Raw.at(door)
        assert (await client.say(b"LHLO x\r\nMAIL FROM:<a@b.c> SIZE=300001\r\n", 2))[1].startswith("552 ")
        client.writer.close()
    (mail,) = store.mails
    assert (mail.raw, mail.size) == (b"Delivered-To: games@example.org\r\n" + large[:100], len(large))


async def test_a_long_line_is_taken_whole_wherever_it_is_torn() -> None:
    store = Store()
    raws = [
        MAIL + b"y" + b"." * length + b"\r\n.\r\nend\r\n" for length in (999, 65_533, 65_534, 65_535, 65_536, 400_000)
    ]
    async with opened(store) as door:
        for raw in raws:
            assert (await delivered(door, raw=raw))[0][0] == 250
    assert [each.raw.partition(b"\r\n")[2] for each in store.mails] == raws


async def test_only_a_dot_between_two_line_ends_ends_a_mail() -> None:
    store = Store()
    body = b"a\n.\r\nb\r\n.\nc\r.\r\r\nQUIT\r\n"
    async with opened(store) as door:
        client = await Raw.at(door)
        await client.begin_data()
        assert await client.say(MAIL + body + b".\r\n") == [lmtp.KEPT]
        await client.begin_data()
        assert await client.say(b".\r\n") == [lmtp.KEPT]
        client.writer.close()
    kept = [each.raw.partition(b"\r\n")[2] for each in store.mails]
    assert kept == [MAIL + b"a\n.\r\nb\r\n\nc\r.\r\r\nQUIT\r\n", b""]


async def test_several_mails_come_over_one_connection_and_pipelined() -> None:
    store = Store()
    envelope = b"MAIL FROM:<ann@example.net> BODY=8BITMIME\r\nRCPT TO:<games@example.org>\r\nDATA\r\n"
    async with opened(store) as door:
        client = await Raw.at(door)
        assert await client.say(b"LHLO x\r\n") == ["250 PIPELINING"]
        said = await client.say((envelope + MAIL + b".\r\n") * 3 + b"RSET\r\nQUIT\r\n", 14)
        assert [each[:3] for each in said] == ["250", "250", "354", "250"] * 3 + ["250", "221"]
        assert await client.is_gone()
    assert len(store.mails) == 3


# When it came


@every(
    ("date", "at"),
    [
        ("Sat, 21 Nov 2026 11:59:00 +0000 (UTC)", NOW - timedelta(minutes=1)),
        ("Sat, 21 Nov 2026 06:30:00 -0500", NOW - timedelta(minutes=30)),
        ("Sat,\r\n 21 Nov 2026 11:59:00 -0000", NOW - timedelta(minutes=1)),
        (format_datetime(NOW - timedelta(days=5)), NOW - timedelta(days=5)),
        (format_datetime(NOW - timedelta(days=5, seconds=1)), NOW),
        (format_datetime(NOW + timedelta(seconds=1)), NOW),
        ("yesterday", NOW),
        ("Sat, 99 Nov 2026 11:59:00 +9999", NOW),
        ("Sat, 1 Jan 0001 00:00:00 +2300", NOW),
        ("", NOW),
    ],
)
def test_a_mail_arrived_when_the_mta_took_it(date: str, at: datetime) -> None:
    older = RECEIVED % format_datetime(NOW - timedelta(hours=9)).encode()
    assert arrival(b"Return-Path: <x>\r\n" + RECEIVED % date.encode() + older + MAIL, NOW) == at


def test_what_only_looks_like_the_mtas_date_is_passed_over() -> None:
    line = RECEIVED % format_datetime(NOW - timedelta(hours=1)).encode()
    assert arrival(MAIL, NOW) == NOW
    assert arrival(MAIL + line, NOW) == NOW
    assert arrival(b"X-" + line + MAIL, NOW) == NOW
    assert arrival(b"\r\n" + line + MAIL, NOW) == NOW
    assert arrival(b"", NOW) == NOW


async def test_the_arrival_is_told_with_the_mail() -> None:
    store = Store()
    async with opened(store) as door:
        await delivered(door, raw=RECEIVED % format_datetime(NOW - timedelta(hours=1)).encode() + MAIL)
    assert store.mails[0].arrived_at == NOW - timedelta(hours=1)


# What cannot be kept


async def test_mails_that_come_together_are_kept_one_after_the_other() -> None:
    store = Store()
    store.gate.clear()
    async with opened(store) as door:
        first = asyncio.create_task(delivered(door))
        await until(store.begun.is_set)
        others = [asyncio.create_task(delivered(door)) for _ in range(9)]
        await until(lambda: len(door.sessions) == 10)
        assert not any(each.done() for each in (first, *others))
        store.gate.set()
        said = await asyncio.gather(first, *others)
    assert [each[0][0] for each in said] == [250] * 10
    assert [len(group) for group in store.groups] == [1] * 10


async def test_where_the_store_fails_the_mail_stays_with_its_sender(caplog: pytest.LogCaptureFixture) -> None:
    store = Store()
    store.trouble = OSError("disk full: HIT from ann@example.net")
    async with opened(store) as door:
        said = await delivered(door, HOST, "games+x@example.org")
        assert [(code, words[:5]) for code, words in said] == [(451, b"4.3.0")] * 2
        assert store.mails == []
        store.trouble = None
        assert (await delivered(door))[0][0] == 250
    assert len(store.mails) == 1
    assert "OSError" in caplog.text
    assert "ann@" not in caplog.text


async def test_above_the_most_that_may_wait_mails_are_to_come_later() -> None:
    store = Store(room=3)
    async with opened(store) as door:
        said = await delivered(door, *(f"games+{number}@example.org" for number in range(5)))
        assert [code for code, _ in said] == [250, 250, 250, 452, 452]
        assert said[4][1].startswith(b"4.3.1")
        assert (await delivered(door))[0][0] == 452
        assert len(store.mails) == 3
        store.groups.clear()
        assert (await delivered(door))[0][0] == 250


# Clients that misbehave


@pytest.mark.parametrize("is_reset", [False, True])
async def test_a_client_that_goes_away_in_the_mail_leaves_nothing(
    is_reset: bool, caplog: pytest.LogCaptureFixture
) -> None:
    store = Store()
    async with opened(store) as door:
        client = await Raw.at(door)
        await client.begin_data()
        client.writer.write(MAIL)
        await client.writer.drain()
        if is_reset:
            client.writer.transport.abort()
        else:
            client.writer.close()
        await until(lambda: not door.sessions)
        assert (await delivered(door, raw=b"another\r\n"))[0][0] == 250
    assert [each.size for each in store.mails] == [9]
    assert not [each for each in caplog.records if each.levelno >= logging.WARNING]


async def test_a_client_that_goes_away_before_its_turn_leaves_nothing() -> None:
    store = Store()
    store.gate.clear()
    async with opened(store) as door:
        first = asyncio.create_task(delivered(door))
        await until(store.begun.is_set)
        client = await Raw.at(door)
        await client.begin_data()
        client.writer.write(MAIL + b".\r\n")
        await client.writer.drain()
        client.writer.close()
        await until(lambda: len(door.sessions) == 1)
        store.gate.set()
        assert (await first)[0][0] == 250
    assert len(store.mails) == 1


async def test_nonsense_is_answered_and_logged_nowhere(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    store = Store()
    nonsense = [
        (b"\r\n", "500 "),
        (b"EHLO x\r\n", "500 "),
        (b"DATA\r\n", "503 "),
        (b"MAIL FROM:<a@b.c>\r\n", "503 "),
        (b"LHLO\r\n", "501 "),
        (b"LHLO x\r\n", "250 "),
        (b"MAIL\r\n", "501 "),
        (b"MAIL FROM:<a@b.c> SIZE=x\r\n", "501 "),
        (b"MAIL FROM:<\xff\xfe@b.c> SMTPUTF8\r\n", "250 "),
        (b"RCPT TO:<games+\xff@example.org>\r\n", "550 5.1.1"),
        (b"RCPT TO:<games@example.org> NOTIFY=NEVER\r\n", "555 "),
        (b"RCPT TO:<games+" + b"x" * 1200 + b"@example.org>\r\n", "500 "),
        (b"RCPT TO:<games+" + b"x" * 400 + b"@example.org>\r\n", "250 "),
        (b"\x00secretword\x00\r\n", "500 "),
        (b"BDAT 5 LAST\r\n", "500 "),
        (b"STARTTLS\r\n", "454 "),
        (b"AUTH PLAIN eHh4\r\n", "538 "),
        (b"z" * 200_000 + b"\r\n", "500 "),
        (b"NOOP\r\n", "250 "),
    ]
    async with opened(store) as door:
        client = await Raw.at(door)
        for words, start in nonsense:
            assert (await client.say(words))[0].startswith(start), words
        client.writer.close()
        assert (await delivered(door))[0][0] == 250
    assert store.mails
    assert not [each for each in caplog.records if each.name in ("mail.log", "podium")]


@pytest.mark.parametrize("words", [b"RCPT TO:<\r\n", b"MAIL FROM:<\r\n"])
async def test_what_the_library_chokes_on_is_no_harm(words: bytes) -> None:
    async with opened(Store()) as door:
        client = await Raw.at(door)
        await client.say(b"LHLO x\r\nMAIL FROM:<a@b.c>\r\n", 2)
        assert (await client.say(words))[0] == lmtp.NOT_NOW
        client.writer.close()
        assert (await delivered(door))[0][0] == 250


async def test_a_silent_client_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store()
    async with opened(store) as door:
        halting = await Raw.at(door)
        await halting.begin_data()
        halting.writer.write(MAIL)
        (session,) = door.sessions
        session._reset_timeout(0.1)
        monkeypatch.setattr(lmtp, "COMMAND_SECONDS", 0.1)
        silent = await Raw.at(door)
        assert await silent.is_gone()
        assert await halting.is_gone()
        await until(lambda: not door.sessions)
    assert store.mails == []


# Who may come in, and until when


async def test_above_a_hundred_connections_clients_are_to_come_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lmtp, "CONNECTIONS", 2)
    async with opened(Store()) as door:
        clients = [await Raw.at(door) for _ in range(2)]
        reader, writer = await asyncio.open_connection("127.0.0.1", door.port)
        assert (await reader.read()).startswith(b"421 4.3.2")
        writer.close()
        clients[0].writer.close()
        await until(lambda: len(door.sessions) == 1)
        assert (await delivered(door))[0][0] == 250
        clients[1].writer.close()


@every(
    ("address", "may"),
    [
        ("127.0.0.1", True),
        ("127.9.9.9", True),
        ("::1", True),
        ("::ffff:127.0.0.1", True),
        ("10.1.2.3", True),
        ("::ffff:10.1.2.3", True),
        ("192.0.2.7", True),
        ("2001:db8::5", True),
        ("fe80::1%eth0", False),
        ("10.2.0.1", False),
        ("192.0.2.8", False),
        ("2001:db9::5", False),
    ],
)
def test_only_this_machine_and_the_peers_may_deliver(address: str, may: bool) -> None:
    settings = Lmtp(listen="0.0.0.0:8024", peers=("10.1.0.0/16", "192.0.2.7", "2001:db8::/32"))
    store = Store()
    door = Door(settings, HOST, store.keep, lambda: NOW)
    assert (door.refusal((address, 25)) is None) is may


async def test_a_stranger_is_refused_before_the_greeting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Door, "_may_deliver", lambda _door, _peer: False)
    async with opened(Store()) as door:
        reader, writer = await asyncio.open_connection("127.0.0.1", door.port)
        writer.write(b"LHLO x\r\n")
        assert (await reader.readline()).startswith(b"554 5.7.1")
        writer.close()
        assert not door.sessions


async def test_a_socket_in_the_file_system_does_as_well(tmp_path: Path) -> None:
    store, path = Store(), tmp_path / "lmtp"

    def client() -> int:
        with smtplib.LMTP(str(path), timeout=SECONDS) as connection:
            connection.sendmail("ann@example.net", [HOST], MAIL)
        return path.stat().st_mode & 0o777

    async with opened(store, listen=f"unix:{path}"):
        assert await asyncio.to_thread(client) == 0o666
    assert len(store.mails) == 1
    assert not path.exists()


async def test_a_socket_where_another_process_listens_is_not_taken_over(tmp_path: Path) -> None:
    store, path = Store(), tmp_path / "lmtp"
    async with opened(store, listen=f"unix:{path}"):
        with pytest.raises(OSError, match="in use"):
            async with opened(Store(), listen=f"unix:{path}"):
                pass
        assert path.exists()


async def test_closing_waits_for_what_is_being_delivered_and_takes_nothing_new() -> None:
    store = Store()
    store.gate.clear()
    async with opened(store) as door:
        port = door.port
        idle, busy, halfway = [await Raw.at(door) for _ in range(3)]
        await busy.begin_data()
        busy.writer.write(MAIL + b".\r\n")
        await halfway.begin_data()
        halfway.writer.write(MAIL)
        await until(store.begun.is_set)
        closing = asyncio.create_task(door.close())
        await until(lambda: door.is_closing)
        with pytest.raises(OSError):
            await asyncio.open_connection("127.0.0.1", port)
        store.gate.set()
        assert await busy.answer() == lmtp.KEPT
        assert (await busy.answer()).startswith("421 4.3.2")
        assert (await idle.answer()).startswith("421 4.3.2")
        assert await halfway.answer() == lmtp.CLOSING
        await closing
        await until(lambda: not door.sessions)
    assert len(store.mails) == 1


async def test_closing_waits_for_nobody_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lmtp, "CLOSING_SECONDS", 0.1)
    store = Store()
    store.gate.clear()
    async with opened(store) as door:
        hung, halfway = await Raw.at(door), await Raw.at(door)
        await hung.begin_data()
        hung.writer.write(MAIL + b".\r\n")
        await halfway.begin_data()
        await until(store.begun.is_set)
        async with asyncio.timeout(SECONDS):
            await door.close()
        for client in (hung, halfway):
            assert await client.answer() == lmtp.CLOSING
            assert await client.is_gone()
    assert store.mails == []
