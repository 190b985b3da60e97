"""Edge: the progress of reading mailboxes. In: a mailbox, what a pass over it saw. Out: watermarks, outages.

A mailbox's row says under which number its mail is stored (its UIDVALIDITY, and above 32 bits how often it was made anew), up
to which UID, when a pass last read all of it (`read_at`), and when it was last within reach (`seen_at`). Deadlines fire no
further than `read_at`; a `seen_at` that is long ago is an outage, which moves deadlines (`host.turn.interruptions`).
"""

import contextlib
from datetime import datetime, timedelta

from sqlalchemy import select
from sqlalchemy.exc import IntegrityError

from host.store.database import Store
from host.store.schema import Inbound, Mailbox

OLD_NEWS = timedelta(minutes=1)
"""How far behind what is known of a mailbox a process may be that tells of it; beyond that it stood still meanwhile."""
_ANEW = 2**32
"""Added to the number under which mail is stored when a mailbox is made anew; below it is the UIDVALIDITY."""


def watermark(store: Store, mailbox: str) -> tuple[int, int] | None:
    """Under which number (`validity`) and up to which UID a mailbox is stored; None before the first time."""
    with store.reading() as session:
        row = session.get(Mailbox, mailbox)
        return (row.uidvalidity, row.uid) if row else None


def validity(number: int) -> int:
    """The UIDVALIDITY that the server gave, of the number under which mail is stored."""
    return number % _ANEW


def begin_mailbox(store: Store, mailbox: str, uidvalidity: int, uid: int) -> None:
    """A mailbox seen for the first time, or made anew since: begin above `uid`.

    Each time it is made anew its mail is stored under another number, so that the server may give the same UIDs again.
    """
    with contextlib.suppress(IntegrityError), store.transaction() as session:  # another process begins it just now
        row = session.get(Mailbox, mailbox)
        if row is None:
            session.add(Mailbox(name=mailbox, uidvalidity=uidvalidity, uid=uid, read_at=None))
        else:
            row.uidvalidity, row.uid = (row.uidvalidity // _ANEW + 1) * _ANEW + uidvalidity, uid


def open_mailbox(store: Store, mailbox: str) -> None:
    """A mailbox that has no UIDs, made where there is none yet."""
    if watermark(store, mailbox) is None:
        begin_mailbox(store, mailbox, 0, 0)


def latest_arrivals(store: Store, mailbox: str, number: int, limit: int) -> dict[int, tuple[datetime, datetime]]:
    """The last mails that are stored under a number, by UID: when they came, and when they were fetched."""
    of_mailbox = (Inbound.mailbox == mailbox, Inbound.uidvalidity == number)
    rows = select(Inbound.uid, Inbound.arrived_at, Inbound.fetched_at).where(*of_mailbox)
    with store.reading() as session:
        last = session.execute(rows.order_by(Inbound.uid.desc()).limit(limit))
        return {uid: (arrived_at, fetched_at) for uid, arrived_at, fetched_at in last}


def was_seen(store: Store, mailbox: str, now: datetime, is_read: bool = True) -> None:
    """Mail could come into a mailbox at a moment; unless not `is_read`, all that came until then is stored.

    Raises `sqlalchemy.exc.NoResultFound` where the mailbox was never begun.
    """
    with store.transaction() as session:
        row = session.get_one(Mailbox, mailbox, with_for_update=True)
        note_seen(row, now, is_read)


def note_seen(row: Mailbox, moment: datetime, is_read: bool) -> None:
    """Note in a mailbox's row that it was in reach at a moment, and read whole where `is_read`.

    Not where a process that stood still tells of a moment since when another has seen the mailbox: it would be an outage.
    """
    if row.seen_at is not None and moment < row.seen_at - OLD_NEWS:
        return
    row.seen_at = moment
    if is_read:
        row.read_at = moment


def unseen_for(store: Store, mailbox: str, now: datetime) -> timedelta:
    """The time since a mailbox was seen; no time at all before the first time."""
    with store.reading() as session:
        row = session.get(Mailbox, mailbox)
        return timedelta() if row is None or row.seen_at is None else max(now - row.seen_at, timedelta())
