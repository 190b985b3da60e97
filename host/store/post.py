"""Edge: the rows of mail under way. In and out: stored mails, watermarks, letters claimed and settled.

Work is claimed by conditional updates with a lease; SQLite takes BEGIN IMMEDIATE, PostgreSQL SKIP LOCKED.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import case, exists, func, select, true, update
from sqlalchemy.orm import Session, aliased

from host.store.schema import Ask, Inbound, Letter, Mailbox, Question
from host.store.store import Store

LEASE = timedelta(minutes=3)
ATTEMPTS_WAITED_FOR = 3
"""How often a letter is tried before later ones to the same address overtake it."""


@dataclass(frozen=True)
class Claimed:
    """A letter that this process may send now."""

    id: int
    token: str
    address: str
    message: bytes
    attempts: int
    created_at: datetime
    answers_id: int | None


def watermark(store: Store, mailbox: str) -> tuple[int, int] | None:
    """UIDVALIDITY and UID up to which a mailbox is stored; None before the first time."""
    with store.reading() as session:
        row = session.get(Mailbox, mailbox)
        return (row.uidvalidity, row.uid) if row else None


def begin_mailbox(store: Store, mailbox: str, uidvalidity: int, uid: int) -> None:
    """A mailbox seen for the first time, or whose UIDVALIDITY changed: begin above `uid`."""
    with store.transaction() as session:
        row = session.get(Mailbox, mailbox)
        if row is None:
            session.add(Mailbox(name=mailbox, uidvalidity=uidvalidity, uid=uid, read_at=None))
        else:
            row.uidvalidity, row.uid = uidvalidity, uid


def keep_mail(
    store: Store, mailbox: str, uidvalidity: int, uid: int, arrived_at: datetime, size: int, raw: bytes, now: datetime
) -> None:
    """Store a raw mail and the watermark with it, before anything else is done; a second time changes nothing."""
    with store.transaction() as session:
        known = session.scalar(
            select(Inbound.id).where(Inbound.mailbox == mailbox, Inbound.uidvalidity == uidvalidity, Inbound.uid == uid)
        )
        if known is None:
            session.add(
                Inbound(
                    mailbox=mailbox,
                    uidvalidity=uidvalidity,
                    uid=uid,
                    arrived_at=min(arrived_at, now),
                    fetched_at=now,
                    raw=raw,
                    size=size,
                    state="new",
                    sender="",
                    lines=[],
                    note="",
                )
            )
        row = session.get_one(Mailbox, mailbox)
        row.uid = max(row.uid, uid)


def pass_ended(store: Store, mailbox: str, began_at: datetime) -> None:
    """A mailbox was read whole, and all of it worked off, by a pass that began at `began_at`."""
    with store.transaction() as session:
        row = session.get_one(Mailbox, mailbox)
        row.read_at = row.seen_at = began_at


def new_mails(store: Store) -> dict[int, datetime]:
    """The stored mails that are not worked off, in the order of their arrival, and when that was."""
    with store.reading() as session:
        new = select(Inbound.id, Inbound.arrived_at).where(Inbound.state == "new")
        return {row.id: row.arrived_at for row in session.execute(new.order_by(Inbound.arrived_at, Inbound.id))}


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


def claim_letters(store: Store, now: datetime, limit: int, asking_first: bool = False) -> list[Claimed]:
    """Letters that are due, claimed for this process; oldest first. A reminder whose question closed is cancelled.

    With `asking_first`, for an account that may send only so many, those that ask something go before the others.
    Else no letter overtakes an earlier one to the same address that the server has put off for now.
    """
    asks = exists().where(Ask.letter_id == Letter.id)
    earlier = aliased(Letter)
    is_put_off = exists().where(
        earlier.address == Letter.address,
        earlier.id < Letter.id,
        earlier.state.in_(("queued", "sending")),
        earlier.try_at > now,
        earlier.attempts.between(1, ATTEMPTS_WAITED_FOR),
    )
    order = (case((asks, 0), else_=1), Letter.try_at, Letter.id) if asking_first else (Letter.try_at, Letter.id)
    with store.transaction() as session:
        due = (
            select(Letter)
            .where(Letter.state.in_(("queued", "sending")), Letter.try_at <= now)
            .where(true() if asking_first else ~is_put_off)
            .order_by(*order)
            .limit(limit)
            .with_for_update(skip_locked=True)
        )
        claimed: list[Claimed] = []
        rows = session.scalars(due).all()
        places = _places(rows)
        for letter in rows:
            if letter.kind == "reminder" and letter.attempts == 0 and not _still_asks(session, letter):
                letter.state = "cancelled"
                continue
            letter.state, letter.lease_until, letter.try_at = "sending", now + LEASE, now + LEASE
            letter.attempts += 1
            claimed.append(
                Claimed(
                    letter.id,
                    letter.token,
                    letter.address,
                    letter.message,
                    letter.attempts,
                    letter.created_at,
                    letter.answers_id,
                )
            )
        return claimed if asking_first else sorted(claimed, key=lambda each: places[each.id])


def _places(letters: Sequence[Letter]) -> dict[int, tuple[datetime, int]]:
    """In which order letters go: as they are due, but none before an earlier one to the same address."""
    due: dict[str, datetime] = {}
    places: dict[int, tuple[datetime, int]] = {}
    for letter in sorted(letters, key=lambda each: each.id):
        due[letter.address] = max(letter.try_at, due.get(letter.address, letter.try_at))
        places[letter.id] = (due[letter.address], letter.id)
    return places


def _still_asks(session: Session, letter: Letter) -> bool:
    open_ones = (
        select(Question.id)
        .join(Ask, Ask.question_id == Question.id)
        .where(Ask.letter_id == letter.id, Question.closed_at.is_(None))
    )
    return session.scalar(open_ones.limit(1)) is not None


def settle_letter(session: Session, letter_id: int, state: str, said: str, now: datetime, try_at: datetime) -> Letter:
    """What the server said of a letter."""
    letter = session.get_one(Letter, letter_id)
    letter.state, letter.response, letter.lease_until, letter.try_at = state, said[:400], None, try_at
    letter.sent_at = now if state == "sent" else None
    return letter


def void_leases(store: Store, now: datetime) -> None:
    """At the start of the only daemon on a SQLite file: what a killed one was sending is due again."""
    with store.transaction() as session:
        session.execute(
            update(Letter).where(Letter.state == "sending").values(state="queued", lease_until=None, try_at=now)
        )


def hurry_letters(session: Session, now: datetime) -> None:
    """Letters that wait for a later time, or are being sent until then, are due now: the clock was set back."""
    waiting = update(Letter).where(Letter.state.in_(("queued", "sending")), Letter.try_at > now)
    session.execute(waiting.values(try_at=now))


def has_letters(store: Store, now: datetime) -> bool:
    """Is a letter due? (The shell beside the daemon writes letters too.)"""
    with store.reading() as session:
        due = select(Letter.id).where(Letter.state.in_(("queued", "sending")), Letter.try_at <= now).limit(1)
        return session.scalar(due) is not None


def forget_mails(store: Store, before: datetime, limit: int = 1000) -> int:
    """Let go of the bytes of mails that were fetched before a moment and worked off; gives of how many."""
    with store.transaction() as session:
        old = (
            select(Inbound.id)
            .where(
                Inbound.fetched_at < before, Inbound.raw.is_not(None), Inbound.state.not_in(("new", "held", "broken"))
            )
            .order_by(Inbound.id)
            .limit(limit)
        )
        numbers = session.scalars(old).all()
        session.execute(update(Inbound).where(Inbound.id.in_(numbers)).values(raw=None))
        return len(numbers)


def retry_mail(session: Session, inbound_id: int) -> bool:
    """Let the corridor take a mail again that it could not take; False where there is none such."""
    row = session.get(Inbound, inbound_id)
    if row is None or row.state != "broken" or row.raw is None:
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
