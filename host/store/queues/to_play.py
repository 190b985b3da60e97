"""Edge: the queue of mails that came (`arrivals`). In: who asks, how many. Out: mails claimed, one key's after the other.

**Claimed.** `claim_mails` gives the first new mail of each key, oldest first (`claiming`). A mail that is claimed stays `new`
until it is played, so those behind it cannot be claimed meanwhile.

**Played in groups.** The worker plays the mails of a claim in one transaction (`host.turn.receive`), which locks their rows
and passes over those that are no longer `new`: if a lease ended, a mail is read twice and played once. If one of them cannot
be played, all of it is undone and each is played alone. What was not played is given back by `release_mails`.

What follows each state stands in docs/states.md. A partial index serves only a query that repeats its condition as a literal.
"""

import functools
from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Select,
    bindparam,
    false,
    func,
    literal,
    select,
    text,
    true,
    update,
)
from sqlalchemy.orm import Session, aliased

from host.states import MailState
from host.store.counting import count
from host.store.database import Store
from host.store.queues.claiming import LOOKED_AT, among_oldest, claim, first_keys
from host.store.schema import FORGETTABLE, NEW, Inbound, Instant

# mypy looks at what is assigned, not at what SQLAlchemy inserts and compares
_NEW: MailState = "new"
_WAITING: tuple[MailState, ...] = ("deferred", "waiting")


def count_waiting(store: Store, most: int) -> int:
    """Count the mails that wait to be worked off, up to `most`."""
    with store.reading() as session:
        return count(session, select(Inbound.id).where(text(NEW)), most)


_THESE_NEW = (
    select(Inbound.id, Inbound.arrived_at)
    .where(text(f"inbound.{NEW}"), Inbound.id.in_(bindparam("these", expanding=True)))
    .order_by(Inbound.arrived_at, Inbound.id)
    .limit(bindparam("limit"))
)
_END_OF_TIME = literal(datetime(9999, 12, 31, tzinfo=UTC), Instant())


@dataclass(frozen=True)
class ClaimedMail:
    """A stored mail that this process may work off now."""

    id: int
    arrived_at: datetime


def claim_mails(
    store: Store, limit: int, under_way: Collection[int] = (), is_known: bool | None = None
) -> list[ClaimedMail]:
    """Stored mails, claimed for this process in order of arrival; of each ordering key only the first, so that none overtakes.

    `is_known`: those alone that name a letter of ours, or those alone that do not.

    `under_way` are those that this process has claimed already, which is all that the one process on a SQLite file needs. On
    PostgreSQL a process whose lease has ended gets none.
    """
    given: dict[str, Any] = {"under_way": list(under_way), "limit": limit, "looked_at": LOOKED_AT}
    statements = _heads(is_known), (_heads_by_key(is_known), _THESE_NEW)
    if store.file is not None:
        with store.reading() as session:
            rows = claim(session, Inbound, *statements, given)
    else:
        with store.transaction() as session:
            rows = claim(session, Inbound, *statements, given | {"claimer": store.claimer})
    return [ClaimedMail(row.id, row.arrived_at) for row in rows]


@functools.cache
def _heads(is_known: bool | None) -> Select[int, datetime, bool]:
    """The first mail of each ordering key among the oldest, those `under_way` aside, at most `limit`.

    With each goes whether more mails wait than these oldest.
    """
    which = true() if is_known is None else Inbound.is_known == (true() if is_known else false())
    in_order = select(Inbound).where(text(NEW), which).order_by(Inbound.arrived_at, Inbound.id)
    is_old, is_more = among_oldest(in_order, Inbound.arrived_at, Inbound.id, _END_OF_TIME)
    return (
        select(Inbound.id, Inbound.arrived_at, is_more.label("is_more"))
        .where(text(f"inbound.{NEW}"), which, is_old, Inbound.id == _first_of(Inbound.ordering_key))
        .where(Inbound.id.not_in(bindparam("under_way", expanding=True)))
        .order_by(Inbound.arrived_at, Inbound.id)
        .limit(bindparam("limit"))
    )


@functools.cache
def _heads_by_key(is_known: bool | None) -> Select[int]:
    """The first mail of each of the first ordering keys. Keys of mails that name a letter of ours come before "u"."""
    before = Inbound.ordering_key < "u" if is_known else true()
    lowest = select(func.min(Inbound.ordering_key)).where(text(NEW), before)
    begin = lowest.where(Inbound.ordering_key >= ("u" if is_known is False else ""))
    keys = first_keys(Inbound.ordering_key, lowest, begin)
    return select(_first_of(keys.c.key)).where(keys.c.key.is_not(None))


def _first_of(key: Any) -> ColumnElement[int]:
    """The first mail of an ordering key. (A scalar, not `exists`, which PostgreSQL might look up for all mails at once.)"""
    first = aliased(Inbound, name="first")
    of_key = select(first.id).where(text(f"first.{NEW}"), first.ordering_key == key)
    return of_key.order_by(first.arrived_at, first.id).limit(1).correlate(key.table).scalar_subquery()


def release_mails(store: Store, ids: Collection[int]) -> None:
    """Give back mails that this process claimed and did not work off: any other may take them at once."""
    if store.file is None and ids:
        with store.transaction() as session:
            session.execute(
                update(Inbound).where(Inbound.id.in_(ids), Inbound.claimed_by == store.claimer).values(claimed_by=None),
                execution_options={"synchronize_session": False},
            )


def forget_mails(store: Store, before: datetime, limit: int = 1000) -> int:
    """Let go of the bytes of mails that were fetched before a moment and worked off; gives of how many."""
    with store.transaction() as session:
        old = (
            select(Inbound.id)
            .where(
                Inbound.fetched_at < before,
                text(FORGETTABLE),
                Inbound.state.not_in(_WAITING),
            )
            .order_by(Inbound.fetched_at)
            .limit(limit)
        )
        numbers = session.scalars(old).all()
        session.execute(update(Inbound).where(Inbound.id.in_(numbers)).values(raw=None))
        return len(numbers)


def retry_mail(session: Session, inbound_id: int) -> bool:
    """Let the corridor take a mail again that it could not take; False where there is none such."""
    row = session.get(Inbound, inbound_id)
    if row is None or row.state != "quarantined" or row.raw is None:
        return False
    row.state, row.note, row.claimed_by = "new", "", None
    return True
