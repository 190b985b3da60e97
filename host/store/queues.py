"""Edge: the rows of mail under way. In and out: stored mails, watermarks, letters claimed and settled.

On PostgreSQL work is claimed with SKIP LOCKED and a lease, so that several processes share it; the one process on a
SQLite file remembers what it has claimed, which ends with it. A partial index serves only a query that repeats its
condition as a literal.
"""

import contextlib
import functools
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Select,
    and_,
    bindparam,
    case,
    exists,
    false,
    func,
    insert,
    or_,
    select,
    text,
    true,
    tuple_,
    update,
)
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session, aliased

from host.mail.inbound.raw import RawMail
from host.states import LetterState
from host.store.database import Store
from host.store.schema import (
    ANSWERS_REGISTRATION,
    NEW,
    REGISTRATION_PURPOSES,
    UNSENT,
    Address,
    AskRow,
    Contestant,
    Inbound,
    Letter,
    Mailbox,
    QuestionRow,
)

LEASE = timedelta(minutes=3)
"""How long a letter may take to be sent before another process tries it."""
MAIL_LEASE = timedelta(seconds=30)
"""How long a group of mails may take to be worked off before another process takes it."""
OLD_NEWS = timedelta(minutes=1)
LONGEST_ORDERING_KEY = 340
OPERATORS_PURPOSES = ("operator", "host")
"""Of letters to operators."""
STRANGE = "a stranger's, not opened"
KEPT_OF_UNKNOWN = 128 * 1024
"""Bytes that are fetched and kept of a mail that names no letter of ours: a form to register is short."""
ATTEMPTS_WAITED_FOR = 3
"""How often a letter is tried before later ones to the same address overtake it."""

_ANEW = 2**32
"""What the number under which mail is stored grows by when a mailbox is made anew; below it is the UIDVALIDITY."""

_UNSENT = text(f"letters.{UNSENT}")
_CLAIMED = (
    Letter.id,
    Letter.kind,
    Letter.address,
    Letter.message,
    Letter.attempts,
    Letter.created_at,
    Letter.answers_id,
)


@dataclass(frozen=True)
class ClaimedLetter:
    """A letter that this process may send now."""

    id: int
    address: str
    message: bytes
    attempts: int
    created_at: datetime
    answers_id: int | None


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


def latest_arrivals(store: Store, mailbox: str, number: int, limit: int) -> dict[int, tuple[datetime, datetime]]:
    """The last mails that are stored under a number, by UID: when they came, and when they were fetched."""
    of_mailbox = (Inbound.mailbox == mailbox, Inbound.uidvalidity == number)
    rows = select(Inbound.uid, Inbound.arrived_at, Inbound.fetched_at).where(*of_mailbox)
    with store.reading() as session:
        last = session.execute(rows.order_by(Inbound.uid.desc()).limit(limit))
        return {uid: (arrived_at, fetched_at) for uid, arrived_at, fetched_at in last}


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


def keep_mails(
    store: Store,
    mailbox: str,
    uidvalidity: int,
    mails: Sequence[Arrived],
    now: datetime,
    began_at: datetime | None = None,
) -> None:
    """Store raw mails and the watermark with them, before anything else is done; a second time changes nothing.

    With `began_at` they are the last of a pass that began then: the mailbox was read whole. Of a mail that concerns nobody
    here no more is kept than that it came; it is never opened.
    """
    with store.transaction() as session:
        row = session.get_one(Mailbox, mailbox, with_for_update=True)
        known = select(Inbound.uid).where(
            Inbound.mailbox == mailbox,
            Inbound.uidvalidity == uidvalidity,
            Inbound.uid.in_([each.mail.uid for each in mails]),
        )
        stored = set(session.scalars(known))
        new = {each.mail.uid: each for each in mails if each.mail.uid not in stored}
        named = _letters_of(session, {token for each in new.values() for token in (*each.tokens, *each.quoted_tokens)})
        keys = {uid: key for uid, each in new.items() if (key := _ordering_key(each, named))}
        concerning = _concerning(session, [each for uid, each in new.items() if uid not in keys], named)
        rows: list[dict[str, Any]] = [
            {
                "mailbox": mailbox,
                "uidvalidity": uidvalidity,
                "uid": uid,
                "arrived_at": min(each.mail.arrived_at, now),
                "fetched_at": now,
                "raw": (each.mail.raw if uid in keys else each.mail.raw[:KEPT_OF_UNKNOWN]) if is_kept else None,
                "size": each.mail.size,
                "state": "new" if is_kept else "stranger",
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
            session.execute(insert(Inbound), rows)
        if row.uidvalidity == uidvalidity:  # else it was made anew while this process stood still
            row.uid = max(row.uid, *(each.mail.uid for each in mails))
        if began_at is not None:
            _seen(row, began_at, is_read=True)


@dataclass(frozen=True)
class _Named:
    """A letter of ours that a mail names. `ordering_key` is the one of mails that name it.

    It is empty where the letter went neither to somebody who has confirmed an address nor to an operator.
    """

    contestant_id: int | None
    ordering_key: str


def _letters_of(session: Session, tokens: Collection[str]) -> dict[str, _Named]:
    """The letters of ours that carry these tokens, by token."""
    wanted = (
        select(Letter.token, Letter.episode_id, Letter.contestant_id, Letter.purpose, Contestant.confirmed_at)
        .outerjoin(Contestant, Contestant.id == Letter.contestant_id)
        .where(Letter.token.in_(tokens))
    )
    return {
        row.token: _Named(
            row.contestant_id,
            _key_of(row.episode_id, row.contestant_id)
            if row.confirmed_at is not None or row.purpose in OPERATORS_PURPOSES
            else "",
        )
        for row in (session.execute(wanted) if tokens else ())
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


def pass_ended(store: Store, mailbox: str, began_at: datetime) -> None:
    """A mailbox was read whole, and all of it stored, by a pass that began at `began_at`."""
    was_seen(store, mailbox, began_at, is_read=True)


def open_mailbox(store: Store, mailbox: str) -> None:
    """A mailbox that has no UIDs, made where there is none yet."""
    if watermark(store, mailbox) is None:
        begin_mailbox(store, mailbox, 0, 0)


def unseen_for(store: Store, mailbox: str, now: datetime) -> timedelta:
    """How long a mailbox was not seen; no time at all before the first time."""
    with store.reading() as session:
        row = session.get(Mailbox, mailbox)
        return timedelta() if row is None or row.seen_at is None else max(now - row.seen_at, timedelta())


def was_seen(store: Store, mailbox: str, now: datetime, is_read: bool) -> None:
    """Mail can come into a mailbox now; with `is_read`, all that came until now is stored."""
    with store.transaction() as session:
        row = session.get_one(Mailbox, mailbox, with_for_update=True)
        _seen(row, now, is_read)


def _seen(row: Mailbox, moment: datetime, is_read: bool) -> None:
    """Not where a process that stood still tells of a moment since when another has seen the mailbox: it would be an
    outage."""
    if row.seen_at is not None and moment < row.seen_at - OLD_NEWS:
        return
    row.seen_at = moment
    if is_read:
        row.read_at = moment


def count_waiting(store: Store, most: int) -> int:
    """How many mails wait to be worked off, counted up to `most`."""
    with store.reading() as session:
        some = select(Inbound.id).where(text(NEW)).limit(most).subquery()
        return session.scalar(select(func.count()).select_from(some)) or 0


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

    `under_way` are those that this process has claimed already. The only process on a SQLite file needs no other mark; on
    PostgreSQL the lease tells the other processes.
    """
    heads, given = _heads(is_known), {"under_way": list(under_way), "limit": limit}
    if store.file is not None:
        with store.reading() as session:
            return [ClaimedMail(row.id, row.arrived_at) for row in session.execute(heads, given)]
    with store.transaction() as session:
        free = heads.where(or_(Inbound.lease_until.is_(None), Inbound.lease_until < func.clock_timestamp()))
        rows = session.execute(free.with_for_update(skip_locked=True), given).all()
        _lease(session, [row.id for row in rows], MAIL_LEASE)
        return [ClaimedMail(row.id, row.arrived_at) for row in rows]


@functools.cache
def _heads(is_known: bool | None) -> Select[int, datetime]:
    """The first mail of each ordering key, those `under_way` aside, at most `limit`."""
    which = true() if is_known is None else Inbound.is_known == (true() if is_known else false())
    earlier = aliased(Inbound, name="earlier")
    is_behind = (
        exists()
        .where(
            text(f"earlier.{NEW}"),
            earlier.ordering_key == Inbound.ordering_key,
            tuple_(earlier.arrived_at, earlier.id) < tuple_(Inbound.arrived_at, Inbound.id),
        )
        .correlate(Inbound)
    )
    return (
        select(Inbound.id, Inbound.arrived_at)
        .where(text(f"inbound.{NEW}"), which, ~is_behind)
        .where(Inbound.id.not_in(bindparam("under_way", expanding=True)))
        .order_by(Inbound.arrived_at, Inbound.id)
        .limit(bindparam("limit"))
    )


def release_mails(store: Store, ids: Collection[int]) -> None:
    """What this process had claimed and did not work off may be taken by any other at once."""
    if store.file is None and ids:
        with store.transaction() as session:
            _lease(session, ids, None)


def _lease(session: Session, ids: Collection[int], length: timedelta | None) -> None:
    until = None if length is None else func.clock_timestamp() + length
    session.execute(
        update(Inbound).where(Inbound.id.in_(ids)).values(lease_until=until),
        execution_options={"synchronize_session": False},
    )


def allowance(store: Store, now: datetime, a_minute: int, a_day: int) -> int | None:
    """How many letters may go out now without passing the provider's limits; None where there are none (0).

    Counted over the letters that were sent within the last minute and day.
    """
    left: list[int] = []
    with store.reading() as session:
        for most, within in ((a_minute, timedelta(minutes=1)), (a_day, timedelta(days=1))):
            if most:
                sent = select(func.count(Letter.id)).where(Letter.sent_at > now - within, Letter.sent_at <= now)
                left.append(max(most - (session.scalar(sent) or 0), 0))
    return min(left, default=None)


def may_answer_registrations(store: Store, now: datetime, a_day: int) -> bool:
    """May more of the letters of this day answer registrations? At most half of them: strangers must not use up them all."""
    with store.reading() as session:
        answers = select(func.count(Letter.id)).where(
            text(f"letters.{ANSWERS_REGISTRATION}"), Letter.created_at > now - timedelta(days=1), Letter.sent_at <= now
        )
        return (session.scalar(answers) or 0) < max(1, a_day // 2)


def claim_letters(
    store: Store,
    now: datetime,
    limit: int,
    is_short: bool = False,
    under_way: Collection[int] = (),
    with_registrations: bool = True,
) -> list[ClaimedLetter]:
    """Letters that are due, claimed for this process; oldest first. A reminder whose question closed is cancelled.

    To each address only one at a time goes, and none before an earlier one; so also where the server has put that one off
    for now. With `is_short`, for an account that may send only so many, those of episodes go before the others, first those
    that ask something, and answers to registrations last, or, without `with_registrations`, not now. `under_way` are those
    that this process has claimed already: the only process on a SQLite file needs no other mark, on PostgreSQL the lease
    tells the other processes.
    """
    due = _letters_due(is_short, with_registrations)
    given = {"now": now, "under_way": list(under_way), "limit": limit}
    if store.file is not None:
        with store.reading() as session:
            rows = session.execute(due, given).all()
            idle = _idle_reminders(session, rows)
    else:
        with store.transaction() as session:
            rows = session.execute(due.with_for_update(skip_locked=True), given).all()
            idle = _idle_reminders(session, rows)
            leased = (
                update(Letter)
                .where(Letter.id.in_([row.id for row in rows]))
                .values(state="sending", try_at=now + LEASE)
            )
            session.execute(leased, execution_options={"synchronize_session": False})
    if idle:
        with store.transaction() as session:
            cancelled = update(Letter).where(Letter.id.in_(idle), _UNSENT).values(state="cancelled")
            session.execute(cancelled, execution_options={"synchronize_session": False})
    return [
        ClaimedLetter(row.id, row.address, row.message, row.attempts + 1, row.created_at, row.answers_id)
        for row in rows
        if row.id not in idle
    ]


@functools.cache
def _letters_due(is_short: bool, with_registrations: bool) -> Select[int, str, str, bytes, int, datetime, int | None]:
    """The letters that are due at `now`, those `under_way` aside, at most `limit`."""
    is_of_episode = Letter.episode_id.is_not(None)
    asks = exists().where(AskRow.letter_id == Letter.id)
    is_answer = Letter.purpose.in_(REGISTRATION_PURPOSES)
    rank = case((and_(is_of_episode, asks), 0), (is_of_episode, 1), (is_answer, 4), (asks, 2), else_=3)
    order = (rank, Letter.try_at, Letter.id) if is_short else (Letter.try_at, Letter.id)
    return (
        select(*_CLAIMED)
        .where(_UNSENT, Letter.try_at <= bindparam("now"))
        .where(Letter.id.not_in(bindparam("under_way", expanding=True)))
        .where(true() if is_short else ~_must_wait())
        .where(true() if with_registrations else Letter.purpose.not_in(REGISTRATION_PURPOSES))
        .order_by(*order)
        .limit(bindparam("limit"))
    )


def _must_wait() -> ColumnElement[bool]:
    """Is there an earlier letter to the same address that has to go first?

    One that is due or being sent, or that the server has put off for now, as long as it was not tried too often.
    """
    earlier = aliased(Letter, name="earlier")
    goes_first = or_(
        earlier.try_at <= bindparam("now"),
        earlier.state == "sending",
        earlier.attempts.between(1, ATTEMPTS_WAITED_FOR),
    )
    return (
        exists()
        .where(
            text(f"earlier.{UNSENT}"),
            earlier.address == Letter.address,
            earlier.id < Letter.id,
            goes_first,
        )
        .correlate(Letter)
    )


def _idle_reminders(session: Session, rows: Iterable[Any]) -> list[int]:
    """The reminders among these letters that were not tried yet and of which no question is open."""
    untried = [row.id for row in rows if row.kind == "reminder" and row.attempts == 0]
    if not untried:
        return []
    asking = (
        select(AskRow.letter_id)
        .join(QuestionRow, QuestionRow.id == AskRow.question_id)
        .where(AskRow.letter_id.in_(untried), QuestionRow.closed_at.is_(None))
    )
    return sorted(set(untried) - set(session.scalars(asking)))


def put_off(session: Session, letter_id: int, state: LetterState, said: str, try_at: datetime) -> Letter:
    """What the server said of a letter that it did not accept. What another process has settled meanwhile stays so."""
    letter = session.get_one(Letter, letter_id, with_for_update=True)
    if letter.state in ("queued", "sending"):
        letter.state, letter.response, letter.try_at = state, said[:400], try_at
        letter.attempts += 1
    return letter


def settle_sent(session: Session, said: Mapping[int, str], now: datetime) -> None:
    """These letters were accepted: what the server said, by letter."""
    rows = [{"b_id": number, "b_said": words[:400]} for number, words in said.items()]
    accepted = (
        update(Letter.__table__)  # type: ignore[arg-type]
        .where(Letter.__table__.c.id == bindparam("b_id"), text(UNSENT))
        .values(state="sent", response=bindparam("b_said"), sent_at=now, attempts=Letter.__table__.c.attempts + 1)
    )
    session.connection().execute(accepted, rows)


def put_back(session: Session, ids: Collection[int], try_at: datetime) -> None:
    """These letters were claimed and not tried: they are due at `try_at`."""
    waiting = update(Letter).where(Letter.id.in_(ids), _UNSENT).values(state="queued", try_at=try_at)
    session.execute(waiting, execution_options={"synchronize_session": False})


def void_leases(store: Store, now: datetime) -> None:
    """At the start of the only daemon on a SQLite file: what a killed one was sending is due again."""
    with store.transaction() as session:
        session.execute(update(Letter).where(_UNSENT, Letter.state == "sending").values(state="queued", try_at=now))


def hurry_letters(session: Session, now: datetime) -> None:
    """Letters that wait for a later time, or are being sent until then, are due now: the clock was set back."""
    waiting = update(Letter).where(_UNSENT, Letter.try_at > now)
    session.execute(waiting.values(try_at=now))


def has_letters(store: Store, now: datetime) -> bool:
    """Is a letter due? (The shell beside the daemon writes letters too.)"""
    with store.reading() as session:
        due = select(Letter.id).where(_UNSENT, Letter.try_at <= now).limit(1)
        return session.scalar(due) is not None


def forget_mails(store: Store, before: datetime, limit: int = 1000) -> int:
    """Let go of the bytes of mails that were fetched before a moment and worked off; gives of how many."""
    with store.transaction() as session:
        old = (
            select(Inbound.id)
            .where(
                Inbound.fetched_at < before,
                text("inbound.raw IS NOT NULL AND inbound.state NOT IN ('new', 'held', 'quarantined')"),
                Inbound.state.not_in(("deferred", "waiting")),
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
    row.state, row.note = "new", ""
    return True


def retry_letter(session: Session, letter_id: int, now: datetime) -> Letter | None:
    """Send a letter again that the server refused for good, and give it; None where there is none such."""
    row = session.get(Letter, letter_id)
    if row is None or row.state != "failed":
        return None
    row.state, row.attempts, row.try_at = "queued", 0, now
    return row
