"""Mails put into a store as a mailbox would."""

from datetime import datetime

from host.store.store import Store
from host.turn.storing import Incoming, store_mails


def keep_mail(
    store: Store, mailbox: str, validity: int, uid: int, arrived: datetime, raw: bytes, now: datetime
) -> None:
    store_mails(store, mailbox, validity, [Incoming(uid, arrived, len(raw), raw)], now)
