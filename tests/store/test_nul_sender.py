"""A mail with NUL in its From on PostgreSQL."""

from pathlib import Path

import pytest
from sqlalchemy import select

from host.mail.inbound.mail import RawMail
from host.store.schema import Inbound
from host.turn.receive import store_mails
from tests.store.server import claiming, server
from tests.turn.desk import Desk


@pytest.mark.postgresql
def test_a_sender_with_a_nul_does_not_stop_the_mailbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    database = server().fresh()
    monkeypatch.setattr("tests.turn.desk.open_store", lambda _url: claiming(database))
    desk = Desk(tmp_path)
    raw = b"From: a\0b@example.com\r\nSubject: Champ Cards Contestant Registration\r\n\r\nhi"
    store_mails(desk.services, "INBOX", 1, [RawMail(1, desk.now, len(raw), raw)], desk.now)
    desk.work_off()
    with desk.store.reading() as session:
        [mail] = session.scalars(select(Inbound))
    assert (mail.sender, mail.state) == ("", "refused")
    desk.store.close()
