"""Mails put into a store as a mailbox would."""

from datetime import datetime

from host.mail.inbound.mail import RawMail
from host.table.work import Services
from host.turn.receive import store_mails


def keep_mail(
    services: Services, mailbox: str, validity: int, uid: int, arrived: datetime, raw: bytes, now: datetime
) -> None:
    store_mails(services, mailbox, validity, [RawMail(uid, arrived, len(raw), raw)], now)
