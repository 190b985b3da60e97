"""Shell: mail that came in is stored. In: raw mails as a mailbox or a delivery gave them. Out: rows to be worked off."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from host.mail.glance import glance
from host.store import post
from host.store.store import Store


@dataclass(frozen=True)
class Incoming:
    """A mail as it came. `size` is its whole size, `raw` what was fetched of it, in bytes."""

    uid: int
    arrived_at: datetime
    size: int
    raw: bytes


def store_mails(
    store: Store,
    mailbox: str,
    uidvalidity: int,
    mails: Sequence[Incoming],
    now: datetime,
    began_at: datetime | None = None,
) -> None:
    """Store mails and how far the mailbox was read, in one transaction; a second time changes nothing.

    With `began_at` they are the last of a pass that began then: the mailbox was read whole.
    """
    arrived = [post.Arrived(each.uid, each.arrived_at, each.size, each.raw, *glance(each.raw)) for each in mails]
    post.keep_mails(store, mailbox, uidvalidity, arrived, now, began_at)
