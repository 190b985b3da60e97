"""Mails put into a store as a mailbox would."""

from datetime import datetime

from host.turn.storing import Incoming, store_mails
from host.turn.work import Services


def keep_mail(
    services: Services, mailbox: str, validity: int, uid: int, arrived: datetime, raw: bytes, now: datetime
) -> None:
    store_mails(services, mailbox, validity, [Incoming(uid, arrived, len(raw), raw)], now)
