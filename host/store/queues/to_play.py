"""Edge: the queue of mails that came (`arrivals`). In: who asks, how many. Out: mails claimed, one key's after the other.

**Claimed.** `claim_mails` gives the first new mail of each key, oldest first. A mail that is claimed stays `new` until it is
played, so those behind it cannot be claimed meanwhile. A claim looks at the oldest `LOOKED_AT` mails that wait. Where these are
of so few keys that they do not suffice, because very many mails of one key wait, it goes from key to key: what a claim costs
does not grow with what waits.

On PostgreSQL a claim writes the name of its process (`claimed_by`), and passes over rows that another process is just claiming
(SKIP LOCKED). When the process's lease ends, its mails are given back (`host.store.leases`). The one process on a SQLite file
remembers what it has claimed; that ends with it.

**Played in groups.** The worker plays the mails of a claim in one transaction (`host.turn.receive`), which locks their rows
and passes over those that are no longer `new`: if a lease ended, a mail is read twice and played once. If one of them cannot
be played, all of it is undone and each is played alone. What was not played is given back by `release_mails`.

What follows each state stands in docs/states.md. A partial index serves only a query that repeats its condition as a literal.
"""

import functools
from collections.abc import Collection, Mapping
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
    tuple_,
    update,
)
from sqlalchemy.orm import Session, aliased

from host.states import MailState
from host.store.database import Store
from host.store.leases import may_be_claimed
from host.store.schema import FORGETTABLE, NEW, Inbound, Instant

LOOKED_AT = 256
"""Mails that a claim looks at in their order before it goes from key to key: more than are ever under way."""

# mypy looks at what is assigned, not at what SQLAlchemy inserts and compares
_NEW: MailState = "new"
_WAITING: tuple[MailState, ...] = ("deferred", "waiting")


def count_waiting(store: Store, most: int) -> int:
    """How many mails wait to be worked off, counted up to `most`."""
    with store.reading() as session:
        some = select(Inbound.id).where(text(NEW)).limit(most).subquery()
        return session.scalar(select(func.count()).select_from(some)) or 0


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
    claimer, is_shared = store.claimer, store.file is None
    given = {"under_way": list(under_way), "limit": limit, "looked_at": LOOKED_AT}
    if not is_shared:
        with store.reading() as session:
            return _claimable(session, is_known, given, is_shared=False)
    with store.transaction() as session:
        mails = _claimable(session, is_known, given | {"claimer": claimer}, is_shared=True)
        if mails:
            claimed = update(Inbound).where(Inbound.id.in_([each.id for each in mails])).values(claimed_by=claimer)
            session.execute(claimed, execution_options={"synchronize_session": False})
        return mails


def _claimable(session: Session, is_known: bool | None, given: Mapping[str, Any], is_shared: bool) -> list[ClaimedMail]:
    """The first mails of keys among the oldest mails, and where these are too few, those of other keys."""
    rows = list(session.execute(_free(_heads(is_known), is_shared), given))
    if rows[0].is_more if rows else is_shared or given["under_way"]:
        left = given["limit"] - len(rows)
        taken = {*given["under_way"], *(row.id for row in rows)}
        heads = set(session.scalars(_heads_by_key(is_known), given)) - taken if left else ()
        if heads:
            rows += session.execute(_free(_THESE_NEW, is_shared), {**given, "these": list(heads), "limit": left})
    return [ClaimedMail(row.id, row.arrived_at) for row in rows]


def _free(mails: Select[*tuple[Any, ...]], is_shared: bool) -> Select[*tuple[Any, ...]]:
    """Those of mails that no other process has; they are locked."""
    return mails.where(*may_be_claimed(Inbound.claimed_by)).with_for_update(skip_locked=True) if is_shared else mails


@functools.cache
def _heads(is_known: bool | None) -> Select[int, datetime, bool]:
    """The first mail of each ordering key among the oldest, those `under_way` aside, at most `limit`.

    With each goes whether more mails wait than these oldest.
    """
    which = true() if is_known is None else Inbound.is_known == (true() if is_known else false())
    in_order = select(Inbound).where(text(NEW), which).order_by(Inbound.arrived_at, Inbound.id)
    next_one = in_order.limit(1).offset(bindparam("looked_at"))
    next_at = next_one.with_only_columns(Inbound.arrived_at).correlate(None).scalar_subquery()
    next_id = next_one.with_only_columns(Inbound.id).correlate(None).scalar_subquery()
    of_oldest = tuple_(Inbound.arrived_at, Inbound.id) < tuple_(
        func.coalesce(next_at, _END_OF_TIME), func.coalesce(next_id, 0)
    )
    return (
        select(Inbound.id, Inbound.arrived_at, next_id.is_not(None).label("is_more"))
        .where(text(f"inbound.{NEW}"), which, of_oldest, Inbound.id == _first_of(Inbound.ordering_key))
        .where(Inbound.id.not_in(bindparam("under_way", expanding=True)))
        .order_by(Inbound.arrived_at, Inbound.id)
        .limit(bindparam("limit"))
    )


@functools.cache
def _heads_by_key(is_known: bool | None) -> Select[int]:
    """The first mail of each of the first ordering keys: one step of an index for a key, however many mails have it.

    Keys of mails that name a letter of ours come before "u".
    """
    before = Inbound.ordering_key < "u" if is_known else true()
    lowest = select(func.min(Inbound.ordering_key)).where(text(NEW), before)
    first = lowest.where(Inbound.ordering_key >= ("u" if is_known is False else "")).scalar_subquery()
    keys = select(first.label("key"), literal(1).label("step")).cte("keys", recursive=True)
    following = lowest.where(Inbound.ordering_key > keys.c.key).correlate(keys).scalar_subquery()
    is_on = (keys.c.key.is_not(None), keys.c.step < bindparam("looked_at"))
    keys = keys.union_all(select(following, keys.c.step + 1).where(*is_on))
    return select(_first_of(keys.c.key)).where(keys.c.key.is_not(None))


def _first_of(key: Any) -> ColumnElement[int]:
    """The first mail of an ordering key. (A scalar, not `exists`, which PostgreSQL might look up for all mails at once.)"""
    first = aliased(Inbound, name="first")
    of_key = select(first.id).where(text(f"first.{NEW}"), first.ordering_key == key)
    return of_key.order_by(first.arrived_at, first.id).limit(1).correlate(key.table).scalar_subquery()


def release_mails(store: Store, ids: Collection[int]) -> None:
    """What this process had claimed and did not work off may be taken by any other at once."""
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
