"""Edge: the queue of mails. In: mails from a mailbox or a delivery, as they look at a glance. Out: mails claimed, to be played.

A mail is a row before anything else is done with it. The row and the mailbox's watermark are one transaction, so no mail is
lost and none is stored twice. Of a mail that concerns nobody here (`_concerning`) only the row is kept.

**Ordered.** Each mail gets an ordering key from what its headers name: an episode (`e7`), a contestant (`c7`), several things
or an operator (`a7`, `a`), or else its sender (`u` and the address). Mails with one key are played one after the other, as
they arrived; mails with different keys in any order. A wrong key costs order and never truth, because an episode is locked
before it is played. `is_known` says that a mail names a letter of ours: those that do not have a worker of their own.

**Claimed.** `claim_mails` gives the first new mail of each key, oldest first (`claiming`). A mail that is claimed stays `new`
until it is played, so those behind it cannot be claimed meanwhile.

**Played in groups.** The worker plays the mails of a claim in one transaction (`host.turn.receive`), which locks their rows
and passes over those that are no longer `new`: if a lease ended, a mail is read twice and played once. If one of them cannot
be played, all of it is undone and each is played alone. What was not played is given back by `release_mails`.

What follows each state stands in docs/states.md. A partial index serves only a query that repeats its condition as a literal.
"""

import functools
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import ColumnElement, Select, bindparam, false, func, literal, select, text, true, update
from sqlalchemy.orm import Session, aliased

from host.mail.inbound.mail import RawMail
from host.states import LetterPurpose, MailState
from host.store.database import Store, count
from host.store.queues.claiming import claim, first_by_key, oldest, these
from host.store.queues.mailboxes import note_seen
from host.store.schema import FORGETTABLE, NEW, Address, Contestant, Inbound, Instant, Letter, Mailbox

LONGEST_ORDERING_KEY = 340
"""Characters, as many as the column takes."""
OPERATORS_PURPOSES: tuple[LetterPurpose, ...] = ("operator", "host")
"""The purposes of letters to operators."""
STRANGE = "a stranger's, not opened"
KEPT_OF_UNKNOWN = 128 * 1024
"""Bytes that are fetched and kept of a mail that names no letter of ours: a form to register is short."""


@dataclass(frozen=True)
class Arrived:
    """A mail to be stored, and what it seems to have at a glance: `tokens`, `quoted_tokens` and `senders`.

    `may_concern` tells whether it concerns the host whoever sent it (a registration, an operator's); it is asked of what names
    no letter. `note` says of one that concerns nobody why that is so.
    """

    mail: RawMail
    tokens: tuple[str, ...]
    quoted_tokens: tuple[str, ...]
    senders: tuple[str, ...]
    may_concern: Callable[[], bool]
    note: str = STRANGE

    @property
    def unknown_key(self) -> str:
        """The ordering key of its sender, where it names no letter to anybody known."""
        return f"u{self.senders[0] if self.senders else ''}"[:LONGEST_ORDERING_KEY]


_NAMED = (
    select(Letter.token, Letter.episode_id, Letter.contestant_id, Letter.purpose, Contestant.confirmed_at)
    .outerjoin_from(Letter, Contestant, Contestant.id == Letter.contestant_id)
    .where(Letter.token.in_(bindparam("tokens", expanding=True)))
)
_STORED = select(Inbound.uid).where(
    Inbound.mailbox == bindparam("mailbox"),
    Inbound.uidvalidity == bindparam("uidvalidity"),
    Inbound.uid.in_(bindparam("uids", expanding=True)),
)


def keep_mails(
    session: Session,
    mailbox: str,
    uidvalidity: int,
    mails: Sequence[Arrived],
    now: datetime,
    began_at: datetime | None = None,
) -> None:
    """Store raw mails and the watermark with them; a second time changes nothing.

    With `began_at` they are the last of a pass that began then: the mailbox was read whole. Of a mail that concerns nobody
    here no more is kept than that it came; it is never opened. Raises `sqlalchemy.exc.NoResultFound` where the mailbox was
    never begun.
    """
    row = session.get_one(Mailbox, mailbox, with_for_update=True)
    uids = [each.mail.uid for each in mails]
    stored = set(session.scalars(_STORED, {"mailbox": mailbox, "uidvalidity": uidvalidity, "uids": uids}))
    new = {each.mail.uid: each for each in mails if each.mail.uid not in stored}
    named = _letters_of(session, {token for each in new.values() for token in (*each.tokens, *each.quoted_tokens)})
    keys = {uid: key for uid, each in new.items() if (key := _ordering_key(each, named))}
    concerning = _concerning(session, [each for uid, each in new.items() if uid not in keys], named)
    for uid, each in new.items():
        is_kept = uid in keys or uid in concerning
        raw = (each.mail.raw if uid in keys else each.mail.raw[:KEPT_OF_UNKNOWN]) if is_kept else None
        session.add(
            Inbound(
                mailbox=mailbox,
                uidvalidity=uidvalidity,
                uid=uid,
                arrived_at=min(each.mail.arrived_at, now),
                fetched_at=now,
                raw=raw,
                size=each.mail.size,
                state="new" if is_kept else "stranger",
                sender="",
                lines=[],
                note="" if is_kept else each.note,
                ordering_key=keys.get(uid, each.unknown_key) if is_kept else "",
                is_known=uid in keys,
            )
        )
    if row.uidvalidity == uidvalidity:  # else it was made anew while this process stood still
        row.uid = max(row.uid, *uids)
    if began_at is not None:
        note_seen(row, began_at, is_read=True)


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
        for row in (session.execute(_NAMED, {"tokens": list(tokens)}) if tokens else ())
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
    """The UIDs of mails that concern somebody here though they name no letter of ours to a contestant.

    A registration, an operator's, a contestant's, an answer to any letter of ours; also of somebody whose registration
    waits to be worked off.
    """
    found = {
        each.mail.uid
        for each in mails
        if each.may_concern() or not letters.keys().isdisjoint((*each.tokens, *each.quoted_tokens))
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


# mypy looks at what is assigned, not at what SQLAlchemy inserts and compares
_NEW: MailState = "new"
_WAITING: tuple[MailState, ...] = ("deferred", "waiting")


def count_waiting(store: Store, most: int) -> int:
    """Count the mails that wait to be worked off, up to `most`."""
    with store.reading() as session:
        return count(session, select(Inbound.id).where(text(NEW)), most)


_COLUMNS = (Inbound.id, Inbound.arrived_at)
_THESE_NEW = these(_COLUMNS, Inbound, Inbound.arrived_at, text(f"inbound.{NEW}"))
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
    """
    statements = _heads(is_known), (_heads_by_key(is_known), _THESE_NEW)
    rows = claim(store, Inbound, *statements, under_way=list(under_way), limit=limit)
    return [ClaimedMail(row.id, row.arrived_at) for row in rows]


@functools.cache
def _heads(is_known: bool | None) -> Select[*tuple[Any, ...]]:
    """The first mail of each ordering key among the oldest."""
    which = true() if is_known is None else Inbound.is_known == (true() if is_known else false())
    in_order, first = select(Inbound).where(text(NEW), which), _first_of(Inbound.ordering_key)
    is_new = (text(f"inbound.{NEW}"), which)
    return oldest(_COLUMNS, Inbound, Inbound.arrived_at, _END_OF_TIME, first, in_order, *is_new)


@functools.cache
def _heads_by_key(is_known: bool | None) -> Select[int]:
    """The first mail of each of the first ordering keys. Keys of mails that name a letter of ours come before "u"."""
    before = Inbound.ordering_key < "u" if is_known else true()
    lowest = select(func.min(Inbound.ordering_key)).where(text(NEW), before)
    begin = lowest.where(Inbound.ordering_key >= ("u" if is_known is False else ""))
    return first_by_key(Inbound.ordering_key, lowest, begin, _first_of)


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
