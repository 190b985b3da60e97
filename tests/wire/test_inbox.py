"""The IMAP wrapper against Dovecot: logins, TLS, mailbox names, large and vanished mails, news at once."""

import asyncio
import contextlib
import gc
import imaplib
import smtplib
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from aioimaplib import Abort

from host.config import Imap
from host.mail.inbound.imap import Inbox, InboxError
from host.mail.inbound.imap_client import keep_alive
from host.mail.inbound.mail import MAX_BYTES
from tests.patience import SECONDS, until
from tests.wire import dovecot
from tests.wire.world import a_short_folder

pytestmark = pytest.mark.dovecot
RAW = b"From: ann@example.net\r\nSubject: hello\r\n\r\npick 5\r\n"


@pytest.fixture(scope="module")
def server() -> Iterator[dovecot.Dovecot]:
    with a_short_folder() as folder:
        made = dovecot.make(folder / "dovecot")
        made.start()
        yield made
        made.stop()


def settings(server: dovecot.Dovecot, **changes: Any) -> Imap:
    plain = {"host": "127.0.0.1", "port": server.imap_port, "security": "none"}
    return Imap.model_validate(plain | {"username": dovecot.ADDRESS, "password": dovecot.PASSWORD} | changes)


def deliver(server: dovecot.Dovecot, raw: bytes = RAW) -> None:
    with smtplib.LMTP("127.0.0.1", server.lmtp_port) as lmtp:
        lmtp.sendmail("ann@example.net", [dovecot.ADDRESS], raw)


async def read_all(inbox: Inbox, above: int = 0) -> list[tuple[int, bytes, int]]:
    uids = await inbox.uids_above(above, datetime.now(UTC))
    return [(mail.uid, mail.raw, mail.size) async for mail in inbox.fetch(uids)]


@pytest.mark.parametrize("security", ["none", "starttls", "tls"])
async def test_each_kind_of_transport(server: dovecot.Dovecot, security: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(server.folder / "certificate.pem"))
    deliver(server)
    port = server.imaps_port if security == "tls" else server.imap_port
    inbox = Inbox(settings(server, security=security, port=port), "INBOX")
    assert (await inbox.connect()).uidvalidity > 0
    found = await read_all(inbox)
    assert found[-1][1].endswith(b"pick 5\r\n")
    await inbox.close()


@pytest.mark.storm
@pytest.mark.parametrize("security", ["starttls", "tls"])
async def test_a_certificate_that_nobody_trusts_is_refused(server: dovecot.Dovecot, security: str) -> None:
    port = server.imaps_port if security == "tls" else server.imap_port
    inbox = Inbox(settings(server, security=security, port=port), "INBOX")
    with pytest.raises(InboxError, match="certificate"):
        await inbox.connect()
    inbox.abandon()


async def test_a_wrong_password_and_a_mailbox_that_is_not_there(server: dovecot.Dovecot) -> None:
    with pytest.raises(InboxError, match="refused the login") as refused:
        await Inbox(settings(server, password="wrong"), "INBOX").connect()
    assert refused.value.is_login
    with pytest.raises(InboxError, match="no mailbox Nowhere"):
        await Inbox(settings(server), "Nowhere").connect()


@pytest.mark.storm
async def test_a_mailbox_with_spaces_and_accents(server: dovecot.Dovecot) -> None:
    with imaplib.IMAP4("127.0.0.1", server.imap_port) as imap:
        imap.login(dovecot.ADDRESS, dovecot.PASSWORD)
        imap.create('"Spiele & M&APw-ll"'.replace(" & ", " &- "))
        imap.append('"Spiele &- M&APw-ll"', "", "", RAW)
    inbox = Inbox(settings(server), "Spiele & Müll")
    await inbox.connect()
    assert len(await read_all(inbox)) == 1
    await inbox.close()


@pytest.mark.storm
async def test_a_huge_mail_is_read_in_part_and_a_vanished_one_left_out(server: dovecot.Dovecot) -> None:
    deliver(server, RAW + b"x" * 70 + b"\r\n" + (b"y" * 76 + b"\r\n") * 60_000)
    deliver(server)
    inbox = Inbox(settings(server), "INBOX")
    await inbox.connect()
    uids = await inbox.uids_above(0, datetime.now(UTC))
    huge, last = uids[-2:]
    with imaplib.IMAP4("127.0.0.1", server.imap_port) as imap:
        imap.login(dovecot.ADDRESS, dovecot.PASSWORD)
        imap.select()
        imap.uid("STORE", str(last), "+FLAGS", "\\Deleted")
        imap.expunge()
    found = {mail.uid: mail async for mail in inbox.fetch([huge, last])}
    assert list(found) == [huge]
    assert found[huge].size > len(found[huge].raw) == MAX_BYTES
    assert abs(found[huge].arrived_at - datetime.now(UTC)) < timedelta(minutes=1)
    await inbox.close()


async def test_small_mails_come_together_and_in_order(server: dovecot.Dovecot, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(60):
        long = (b"z" * 76 + b"\r\n") * (800 if number % 20 == 19 else 0)
        deliver(server, RAW + f"mail {number}\r\n".encode() + long)
    inbox = Inbox(settings(server), "INBOX")
    await inbox.connect()
    asked: list[str] = []
    fetched = inbox._fetched

    async def counted(uids: Sequence[int], what: str) -> Any:
        asked.append(what)
        return await fetched(uids, what)

    monkeypatch.setattr(inbox, "_fetched", counted)
    uids = (await inbox.uids_above(0, datetime.now(UTC)))[-60:]
    found = [mail async for mail in inbox.fetch(uids)]
    assert [mail.uid for mail in found] == uids
    assert [f"mail {number}\r\n".encode() in mail.raw for number, mail in enumerate(found)] == [True] * 60
    assert all(mail.size == len(mail.raw) for mail in found)
    assert len(asked) < 8, "of fifty mails when they came, then of as many as come to one large one the bodies"
    await inbox.close()


@pytest.mark.storm
async def test_the_next_number_and_when_mails_came(server: dovecot.Dovecot) -> None:
    deliver(server)
    inbox = Inbox(settings(server), "INBOX")
    first = await inbox.connect()
    assert first.uidnext is not None
    last = first.uidnext - 1
    assert await inbox.uids_above(last, datetime.now(UTC)) == []
    (came_at,) = (await inbox.arrivals([last, last + 5])).values()
    assert abs(came_at - datetime.now(UTC)) < timedelta(minutes=1)
    assert await inbox.arrivals([]) == {}
    await asyncio.to_thread(deliver, server)
    await inbox.close()
    again = await inbox.connect()
    assert (again.uidvalidity, again.uidnext) == (first.uidvalidity, first.uidnext + 1)
    await inbox.close()


async def test_news_wakes_and_so_does_the_daemon(server: dovecot.Dovecot) -> None:
    inbox = Inbox(settings(server), "INBOX")
    await inbox.connect()
    await read_all(inbox)
    woken = asyncio.Event()
    waiting = asyncio.create_task(inbox.wait_for_news(2 * SECONDS, woken))
    await until(inbox.client.has_pending_idle)
    await asyncio.to_thread(deliver, server)
    await asyncio.wait_for(waiting, SECONDS)
    await read_all(inbox)  # what is not read is news at once
    waiting = asyncio.create_task(inbox.wait_for_news(2 * SECONDS, woken))
    await until(inbox.client.has_pending_idle)
    woken.set()
    await asyncio.wait_for(waiting, SECONDS)
    await inbox.close()


@pytest.mark.storm
async def test_a_connection_that_was_closed_a_moment_ago_is_lost(server: dovecot.Dovecot) -> None:
    inbox = Inbox(settings(server), "INBOX")
    for _ in range(2):
        await inbox.connect()
        inbox.client.protocol.transport.abort()
        with pytest.raises(InboxError, match="lost"):
            await inbox.uids_above(0, datetime.now(UTC))
    await inbox.connect()
    client = inbox.client
    client.protocol.transport.abort()
    with pytest.raises(InboxError, match="lost"):
        await inbox.wait_for_news(2 * SECONDS, asyncio.Event())
    with pytest.raises(Abort, match="lost"):
        keep_alive(client)
    await inbox.close()


@pytest.mark.storm
async def test_a_connection_that_is_lost_as_a_wait_begins_leaves_no_fault_behind(
    server: dovecot.Dovecot, monkeypatch: pytest.MonkeyPatch
) -> None:
    faults: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _loop, fault: faults.append(fault))
    inbox = Inbox(settings(server), "INBOX")
    await inbox.connect()
    await read_all(inbox)
    idle_start = inbox.client.idle_start

    async def lost_before(timeout: float) -> Any:
        inbox.client.protocol.transport.abort()
        return await idle_start(timeout=timeout)

    monkeypatch.setattr(inbox.client, "idle_start", lost_before)
    with pytest.raises(InboxError, match="wait for news failed"):
        await inbox.wait_for_news(2 * SECONDS, asyncio.Event())
    await inbox.close()
    for _ in range(1000):
        await asyncio.sleep(0)
    gc.collect()
    await asyncio.sleep(0)
    assert faults == []


@pytest.mark.storm
async def test_a_server_that_goes_away_ends_the_wait(short_folder: Path) -> None:
    own = dovecot.make(short_folder / "dovecot")
    own.start()
    inbox = Inbox(settings(own), "INBOX")
    await inbox.connect()
    await read_all(inbox)
    waiting = asyncio.create_task(inbox.wait_for_news(2 * SECONDS, asyncio.Event()))
    await until(inbox.client.has_pending_idle)
    await asyncio.to_thread(own.stop)
    with contextlib.suppress(InboxError):  # its last words may count as news
        await asyncio.wait_for(waiting, SECONDS)
    with pytest.raises(InboxError):
        await inbox.uids_above(0, datetime.now(UTC))
