"""Mails put into a store as a mailbox would."""

from datetime import datetime

from host.turn.services import House
from host.turn.storing import Incoming, store_mails


def keep_mail(
    house: House, mailbox: str, validity: int, uid: int, arrived: datetime, raw: bytes, now: datetime
) -> None:
    store_mails(house, mailbox, validity, [Incoming(uid, arrived, len(raw), raw)], now)
