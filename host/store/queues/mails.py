"""Edge: the queue of mails that came. In: mails from a mailbox or a delivery. Out: their rows, claimed one after the other.

**Stored.** A mail is a row before anything else is done with it. The row and the mailbox's watermark are one transaction, so
no mail is lost and none is stored twice. Of a mail that concerns nobody here (`_concerning`) only the row is kept.

**Ordered.** Each mail gets an ordering key from what its headers name: an episode (`e7`), a contestant (`c7`), several things
or an operator (`a7`, `a`), or else its sender (`u` and the address). Mails with one key are played one after the other, as
they arrived; mails with different keys in any order. A wrong key costs order and never truth, because an episode is locked
before it is played. `is_known` says that a mail names a letter of ours: those that do not have a worker of their own.

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
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Select,
    bindparam,
    false,
    func,
    insert,
    literal,
    select,
    text,
    true,
    tuple_,
    update,
)
from sqlalchemy.orm import aliased

from host.mail.inbound.raw import RawMail
from host.states import LetterPurpose, MailState
from host.store.database import Store
from host.store.leases import may_be_claimed
from host.store.queues.mailboxes import note_seen
from host.store.schema import FORGETTABLE, NEW, Address, Contestant, Inbound, Instant, Letter, Mailbox
from host.store.session import Session, table

LONGEST_ORDERING_KEY = 340
"""Characters, as many as the column takes."""
LOOKED_AT = 256
"""Mails that a claim looks at in their order before it goes from key to key: more than are ever under way."""
OPERATORS_PURPOSES: tuple[LetterPurpose, ...] = ("operator", "host")
"""Of letters to operators."""
STRANGE = "a stranger's, not opened"
KEPT_OF_UNKNOWN = 128 * 1024
"""Bytes that are fetched and kept of a mail that names no letter of ours: a form to register is short."""

# mypy looks at what is assigned, not at what SQLAlchemy inserts and compares
_NEW: MailState = "new"
_STRANGER: MailState = "stranger"
_WAITING: tuple[MailState, ...] = ("deferred", "waiting")


@dataclass(frozen=True)
class Arrived:
    """A mail to be stored, and what it seems to have at a glance: `tokens`, `quoted_tokens` and `senders`.

    `may_concern`: it concerns the host whoever sent it (a registration, an operator's).
    """

    mail: RawMail
    tokens: tuple[str, ...]
    quoted_tokens: tuple[str, ...]
    senders: tuple[str, ...]
    may_concern: bool

    @property
    def unknown_key(self) -> str:
        """The ordering key of its sender, where it names no letter to anybody known."""
        return f"u{self.senders[0] if self.senders else ''}"[:LONGEST_ORDERING_KEY]


@dataclass(frozen=True)
class Kept:
    """A mail that was just stored and is to be played."""

    id: int
    ordering_key: str
    is_known: bool


_inbound, _letters, _contestants = table(Inbound), table(Letter), table(Contestant)
_INSERT = insert(_inbound)
_STORED = select(_inbound.c.uid).where(
    _inbound.c.mailbox == bindparam("mailbox"),
    _inbound.c.uidvalidity == bindparam("uidvalidity"),
    _inbound.c.uid.in_(bindparam("uids", expanding=True)),
)
_OTHERS_OF_KEY = (
    select(_inbound.c.id)
    .where(text(NEW), _inbound.c.ordering_key == bindparam("ordering_key"), _inbound.c.id != bindparam("id"))
    .limit(1)
)
_NAMED = (
    select(
        _letters.c.token,
        _letters.c.episode_id,
        _letters.c.contestant_id,
        _letters.c.purpose,
        _contestants.c.confirmed_at,
    )
    .outerjoin_from(_letters, _contestants, _contestants.c.id == _letters.c.contestant_id)
    .where(_letters.c.token.in_(bindparam("tokens", expanding=True)))
)


def keep_mails(
    session: Session,
    mailbox: str,
    uidvalidity: int,
    mails: Sequence[Arrived],
    now: datetime,
    began_at: datetime | None = None,
) -> list[Kept]:
    """Store raw mails and the watermark with them; a second time changes nothing. Gives those that are to be played.

    With `began_at` they are the last of a pass that began then: the mailbox was read whole. Of a mail that concerns nobody
    here no more is kept than that it came; it is never opened. Raises `sqlalchemy.exc.NoResultFound` where the mailbox was
    never begun.
    """
    row = session.get_one(Mailbox, mailbox, with_for_update=True)
    connection = session.connection()
    given = {"mailbox": mailbox, "uidvalidity": uidvalidity, "uids": [each.mail.uid for each in mails]}
    stored = set(connection.scalars(_STORED, given))
    new = {each.mail.uid: each for each in mails if each.mail.uid not in stored}
    named = _letters_of(session, {token for each in new.values() for token in (*each.tokens, *each.quoted_tokens)})
    keys = {uid: key for uid, each in new.items() if (key := _ordering_key(each, named))}
    concerning = _concerning(session, [each for uid, each in new.items() if uid not in keys], named)
    rows: list[dict[str, Any]] = [
        {
            "id": session.number(Inbound),
            "mailbox": mailbox,
            "uidvalidity": uidvalidity,
            "uid": uid,
            "arrived_at": min(each.mail.arrived_at, now),
            "fetched_at": now,
            "raw": (each.mail.raw if uid in keys else each.mail.raw[:KEPT_OF_UNKNOWN]) if is_kept else None,
            "size": each.mail.size,
            "state": _NEW if is_kept else _STRANGER,
            "sender": "",
            "lines": [],
            "note": "" if is_kept else STRANGE,
            "ordering_key": keys.get(uid, each.unknown_key) if is_kept else "",
            "is_known": uid in keys,
        }
        for uid, each in new.items()
        for is_kept in (uid in keys or uid in concerning,)
    ]
    if rows:
        connection.execute(_INSERT, rows)
    if row.uidvalidity == uidvalidity:  # else it was made anew while this process stood still
        row.uid = max(row.uid, *(each.mail.uid for each in mails))
    if began_at is not None:
        note_seen(row, began_at, is_read=True)
    return [Kept(each["id"], each["ordering_key"], each["is_known"]) for each in rows if each["state"] == _NEW]


def is_first(session: Session, mail: Kept) -> bool:
    """Does no other mail wait with the ordering key of this one, which was just stored?"""
    given = {"ordering_key": mail.ordering_key, "id": mail.id}
    return session.connection().scalar(_OTHERS_OF_KEY, given) is None


@dataclass(frozen=True)
class _Named:
    """A letter of ours that a mail names. `ordering_key` is the one of mails that name it.

    It is empty where the letter went neither to somebody who has confirmed an address nor to an operator.
    """

    contestant_id: int | None
    ordering_key: str


def _letters_of(session: Session, tokens: Collection[str]) -> dict[str, _Named]:
    """The letters of ours that carry these tokens, by token."""
    return {
        row.token: _Named(
            row.contestant_id,
            _key_of(row.episode_id, row.contestant_id)
            if row.confirmed_at is not None or row.purpose in OPERATORS_PURPOSES
            else "",
        )
        for row in (session.connection().execute(_NAMED, {"tokens": list(tokens)}) if tokens else ())
    }


def _key_of(episode_id: int | None, contestant_id: int | None) -> str:
    return f"e{episode_id}" if episode_id else f"c{contestant_id}" if contestant_id else "a"


def _ordering_key(mail: Arrived, letters: Mapping[str, _Named]) -> str:
    """The ordering key of a mail that names a letter of ours to a confirmed contestant or to an operator; else "".

    `e7`: it names no letter of another episode than 7; `c7`: of contestant 7 outside of episodes; `a7`: several, of which the
    likeliest is contestant 7's; `a`: an operator's. Never by its sender, whom anybody can invent. What it quotes counts only
    where its headers name none.
    """
    named = [letters[token] for token in mail.tokens if token in letters and letters[token].ordering_key]
    quoted = [letters[token] for token in mail.quoted_tokens if token in letters and letters[token].ordering_key]
    found = named or quoted
    keys = {letter.ordering_key for letter in found}
    if len(keys) > 1:
        return f"a{found[0].contestant_id or ''}"
    return next(iter(keys), "")


def _concerning(session: Session, mails: Sequence[Arrived], letters: Mapping[str, _Named]) -> set[int]:
    """Which of these mails, that name no letter of ours to a contestant, concern somebody here all the same, by their UIDs.

    A registration, an operator's, a contestant's, an answer to any letter of ours; also of somebody whose registration
    waits to be worked off.
    """
    found = {
        each.mail.uid
        for each in mails
        if each.may_concern or not letters.keys().isdisjoint((*each.tokens, *each.quoted_tokens))
    }
    rest = [each for each in mails if each.mail.uid not in found]
    senders = {sender for mail in rest for sender in mail.senders}
    if senders:
        known = {
            *session.scalars(select(Contestant.address).where(Contestant.address.in_(senders))),
            *session.scalars(select(Address.address).where(Address.address.in_(senders))),
        }
        keys = {each.unknown_key for each in mails if each.mail.uid in found}
        waiting = select(Inbound.ordering_key).where(
            text(NEW), Inbound.ordering_key.in_({mail.unknown_key for mail in rest})
        )
        keys.update(session.scalars(waiting))
        found.update(each.mail.uid for each in rest if known.intersection(each.senders) or each.unknown_key in keys)
    return found


def names_letter(store: Store, tokens: Collection[str]) -> bool:
    """Is one of these tokens that of a letter of ours to a contestant or an operator?

    Asked before all of a large mail is fetched.
    """
    with store.reading() as session:
        return any(letter.ordering_key for letter in _letters_of(session, tokens).values())


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
