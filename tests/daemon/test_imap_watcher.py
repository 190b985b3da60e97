"""Watching mailboxes: what waits until the deadlines have moved, and whose trouble stops a pass."""

from collections.abc import AsyncIterator, Awaitable, Callable
from datetime import timedelta
from pathlib import Path

import pytest

from host.daemon.imap_watcher import ImapWatcher
from host.daemon.inbound_worker import InboundWorker
from host.daemon.leader import Leadership
from host.daemon.main import steady
from host.daemon.runtime import Runtime
from host.demo.robot import write
from host.mail.inbound.imap import Inbox
from host.mail.inbound.mail import RawMail
from host.mail.inbound.sandbox import Sandbox
from host.store import queues
from host.store.schema import Inbound, Mailbox
from tests.store.mails import keep_mail
from tests.turn.desk import Desk

ANN = "ann@example.net"


class NoNews(Inbox):
    """A mailbox in reach in which nothing is new."""

    async def uids_above(self, uid: int, now: object) -> list[int]:
        return []

    async def fetch(
        self, uids: list[int], bytes_wanted: Callable[[RawMail], Awaitable[int]] | None = None
    ) -> AsyncIterator[RawMail]:
        for _ in uids:
            raise AssertionError("there is nothing to fetch")
        return
        yield


async def test_after_an_outage_the_junk_judges_nothing_before_the_deadlines_have_moved(tmp_path: Path) -> None:
    runtime = Desk(tmp_path, imap={"junk": "Junk"})
    runtime.begin()
    queues.was_seen(runtime.store, "INBOX", runtime.now)
    queues.begin_mailbox(runtime.store, "Junk", 1, 0)
    letter = runtime.last(ANN)
    runtime.later(hours=60)
    raw = write(ANN, "Ann", letter.headers["reply-to"], "Re", "cut 5", letter.headers["message-id"])
    keep_mail(runtime.services, "Junk", 1, 1, runtime.now - timedelta(hours=5), raw, runtime.now)
    wiring = Runtime(runtime.services, lambda: runtime.now, steady)
    intake = InboundWorker(wiring)
    lead = Leadership(wiring, "inbox", "test")
    await ImapWatcher(wiring, NoNews(runtime.config.imap, "Junk"), lead).read()
    await intake.take_new_mails()
    with runtime.store.reading() as session:
        assert session.query(Inbound).order_by(Inbound.id.desc()).first().state == "new"  # type: ignore[union-attr]
        assert session.get_one(Mailbox, "Junk").read_at is None
    await ImapWatcher(wiring, NoNews(runtime.config.imap, "INBOX"), lead).read()
    await intake.take_new_mails()
    with runtime.store.reading() as session:
        assert session.query(Inbound).order_by(Inbound.id.desc()).first().state == "played"  # type: ignore[union-attr]
    await intake.close()
    wiring.close()
    runtime.store.close()


async def test_a_machine_that_can_start_no_process_is_no_mails_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runtime = Desk(tmp_path)
    raw = write(ANN, "Ann Lee", "games@example.org", runtime.game.subject, "Name: Ann Lee")
    keep_mail(runtime.services, "INBOX", 1, 1, runtime.now, raw, runtime.now)
    wiring = Runtime(runtime.services, lambda: runtime.now, steady)
    intake = InboundWorker(wiring, is_known=False)

    async def refused(_worker: Sandbox) -> None:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    with monkeypatch.context() as patch:
        patch.setattr(Sandbox, "_start", refused)
        with pytest.raises(Exception, match="temporarily"):
            await intake.take_new_mails()
    with runtime.store.reading() as session:
        assert session.get_one(Inbound, 1).state == "new"
    await intake.take_new_mails()
    with runtime.store.reading() as session:
        assert session.get_one(Inbound, 1).state == "answered"
    await intake.close()
    wiring.close()
    runtime.store.close()
