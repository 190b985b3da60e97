"""Edge: the queue of letters. In: letters that are due. Out: letters claimed, and what the server said of them.

**Due.** A letter is written `queued`, in the transaction that made it necessary. It may be sent from `try_at` on. To each
address one letter goes at a time, in the order in which they were written; a letter that was tried more often than
`ATTEMPTS_WAITED_FOR` is overtaken by later ones. Where the provider limits how many may go out, what asks something in an
episode goes first.

**Claimed.** A letter stays `queued` while it is sent (`claiming`). When its process is gone, another one sends it. It keeps its
Message-ID, so a second copy can be told from a second letter.

**Settled.** Accepted letters become `sent`, many at once. A letter that was put off gets a later `try_at`; one that was refused
for good is `failed`. Each of these changes only what is still to be sent, so whoever settles a letter second changes nothing;
and but for an acceptance, who lost a claim changes nothing.

What follows each state stands in docs/states.md. A partial index serves only a query that repeats its condition as a literal.
"""

import functools
import logging
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Row,
    Select,
    and_,
    bindparam,
    case,
    exists,
    func,
    or_,
    select,
    text,
    true,
    update,
)
from sqlalchemy.orm import Session, aliased

from host.states import LetterKind, LetterState
from host.store.database import Store, count
from host.store.packing import unpack
from host.store.queues.claiming import claim, first_by_key, oldest, these
from host.store.schema import ANSWERS_REGISTRATION, REGISTRATION_PURPOSES, UNSENT, AskRow, Instant, Letter, QuestionRow

ATTEMPTS_WAITED_FOR = 3
"""How often a letter is tried before later ones to the same address overtake it."""
log = logging.getLogger("podium")

# mypy looks at what is assigned, not at what SQLAlchemy writes and compares
_QUEUED: LetterState = "queued"
_SENT: LetterState = "sent"
_CANCELLED: LetterState = "cancelled"
_REMINDER: LetterKind = "reminder"
_UNSENT = text(f"letters.{UNSENT}")
_CLAIMED = (
    Letter.id,
    Letter.kind,
    Letter.address,
    Letter.packed,
    Letter.attempts,
    Letter.created_at,
    Letter.answers_id,
)


@dataclass(frozen=True)
class ClaimedLetter:
    """A letter that this process may send now, as long as it has the name `claimer` (none on a SQLite file)."""

    id: int
    address: str
    message: bytes
    attempts: int
    created_at: datetime
    answers_id: int | None
    claimer: str = ""


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
    that ask something, and answers to registrations last, or, without `with_registrations`, not now. `under_way` as for `claim`.
    """
    due = _letters_due(is_short, with_registrations, store.file is None)
    others = None if is_short else (_first_to_addresses(), _THESE_DUE)
    rows = claim(store, Letter, due, others, now=now, under_way=list(under_way), limit=limit)
    idle = _cancel_idle_reminders(store, rows)
    claimed: list[ClaimedLetter] = []
    for row in rows:
        if row.id in idle:
            continue
        try:
            message = unpack(row.packed)
        except (TypeError, ValueError) as error:  # it is left where it is
            log.error("letter %s cannot be unpacked: %s", row.id, error)
            continue
        claimed.append(
            ClaimedLetter(row.id, row.address, message, row.attempts + 1, row.created_at, row.answers_id, store.claimer)
        )
    return claimed


@functools.cache
def _letters_due(is_short: bool, with_registrations: bool, is_shared: bool) -> Select[*tuple[Any, ...]]:
    """The letters that are due at `now`, those `under_way` aside, at most `limit`; unless `is_short`, of the oldest alone.

    With each goes whether more letters are due than these oldest.
    """
    is_ours = or_(Letter.claimed_by.is_(None), Letter.claimed_by == bindparam("claimer")) if is_shared else true()
    is_wanted = true() if with_registrations else Letter.purpose.not_in(REGISTRATION_PURPOSES)
    if is_short:
        is_of_episode = Letter.episode_id.is_not(None)
        asks = exists().where(AskRow.letter_id == Letter.id)
        is_answer = Letter.purpose.in_(REGISTRATION_PURPOSES)
        rank = case((and_(is_of_episode, asks), 0), (is_of_episode, 1), (is_answer, 4), (asks, 2), else_=3)
        due = select(*_CLAIMED).where(_UNSENT, is_wanted, Letter.try_at <= bindparam("now"))
        due = due.where(Letter.id.not_in(bindparam("under_way", expanding=True)))
        return due.order_by(rank, Letter.try_at, Letter.id).limit(bindparam("limit"))
    in_order = select(Letter).where(_UNSENT, is_ours, Letter.try_at <= bindparam("now"))
    end, first = bindparam("now", type_=Instant()), _first_to(Letter.address)
    return oldest(_CLAIMED, Letter, Letter.try_at, end, first, in_order, _UNSENT, is_wanted)


def _first_to(address: Any) -> ColumnElement[int]:
    """The letter to an address that goes before the others: the first that is due or being sent.

    Also one that the server has put off for now, as long as it was not tried too often. (A scalar, not `exists`, which PostgreSQL
    might look up for all letters at once.)
    """
    first = aliased(Letter, name="first")
    goes_first = or_(
        first.try_at <= bindparam("now"),
        first.claimed_by.is_not(None),
        first.attempts.between(1, ATTEMPTS_WAITED_FOR),
    )
    of_address = select(first.id).where(text(f"first.{UNSENT}"), first.address == address, goes_first)
    return of_address.order_by(first.id).limit(1).correlate(address.table).scalar_subquery()


@functools.cache
def _first_to_addresses() -> Select[int]:
    """The letter that goes first to each of the first addresses."""
    lowest = select(func.min(Letter.address)).where(_UNSENT)
    return first_by_key(Letter.address, lowest, lowest, _first_to)


_THESE_DUE = these(_CLAIMED, Letter, Letter.try_at, _UNSENT, Letter.try_at <= bindparam("now"))


def _cancel_idle_reminders(store: Store, rows: Iterable[Row[Any]]) -> Collection[int]:
    """Cancel the reminders among these letters that were not tried yet and of which no question is open; gives their numbers."""
    untried = {row.id for row in rows if row.kind == _REMINDER and row.attempts == 0}
    if not untried:
        return untried
    asking = (
        select(AskRow.letter_id)
        .join(QuestionRow, QuestionRow.id == AskRow.question_id)
        .where(AskRow.letter_id.in_(untried), QuestionRow.closed_at.is_(None))
    )
    with store.reading() as session:
        idle = untried.difference(session.scalars(asking))
    if idle:
        with store.transaction() as session:
            cancelled = update(Letter).where(Letter.id.in_(idle), _UNSENT).values(state=_CANCELLED)
            session.execute(cancelled, execution_options={"synchronize_session": False})
    return idle


def put_off(
    session: Session, letter_id: int, state: LetterState, said: str, try_at: datetime, claimer: str = ""
) -> Letter:
    """Note what the server said of a letter that it did not accept.

    What another process than `claimer` has settled or claimed meanwhile stays so. Raises
    `sqlalchemy.exc.NoResultFound` where there is no such letter.
    """
    letter = session.get_one(Letter, letter_id, with_for_update=True)
    if letter.state == _QUEUED and (letter.claimed_by or "") == claimer:
        letter.state, letter.response, letter.try_at = state, said[:400], try_at
        letter.attempts += 1
        letter.claimed_by = None
    return letter


def settle_sent(session: Session, said: Mapping[int, str], now: datetime) -> None:
    """These letters were accepted: what the server said, by letter."""
    rows = [{"b_id": number, "b_said": words[:400]} for number, words in said.items()]
    accepted = (
        update(Letter.__table__)  # type: ignore[arg-type]
        .where(Letter.__table__.c.id == bindparam("b_id"), text(UNSENT))
        .values(state=_SENT, response=bindparam("b_said"), sent_at=now, attempts=Letter.__table__.c.attempts + 1)
    )
    session.connection().execute(accepted, rows)


def put_back(session: Session, ids: Collection[int], try_at: datetime, claimers: Collection[str] = ()) -> None:
    """These letters were claimed under these names and not tried: they are due at `try_at`."""
    is_ours = or_(Letter.claimed_by.is_(None), Letter.claimed_by.in_(claimers))
    waiting = update(Letter).where(Letter.id.in_(ids), _UNSENT, is_ours).values(claimed_by=None, try_at=try_at)
    session.execute(waiting, execution_options={"synchronize_session": False})


def hurry_letters(session: Session, now: datetime) -> None:
    """Letters that wait for a later time are due now: the clock was set back."""
    waiting = update(Letter).where(_UNSENT, Letter.try_at > now)
    session.execute(waiting.values(try_at=now))


def has_letters(store: Store, now: datetime) -> bool:
    """Is a letter due that nobody sends? (The shell beside the daemon writes letters too.)"""
    with store.reading() as session:
        due = select(Letter.id).where(_UNSENT, Letter.try_at <= now, Letter.claimed_by.is_(None)).limit(1)
        return session.scalar(due) is not None


def allowance(store: Store, now: datetime, a_minute: int, a_day: int) -> int | None:
    """The number of letters that may go out now without passing the provider's limits; None where there are none (0).

    Counted over the letters that were sent within the last minute and day.
    """
    left: list[int] = []
    with store.reading() as session:
        for most, within in ((a_minute, timedelta(minutes=1)), (a_day, timedelta(days=1))):
            if most:
                sent = select(Letter.id).where(Letter.sent_at > now - within, Letter.sent_at <= now)
                left.append(max(most - count(session, sent), 0))
    return min(left, default=None)


def may_answer_registrations(store: Store, now: datetime, a_day: int) -> bool:
    """May more of the letters of this day answer registrations? At most half of them: strangers must not use up them all."""
    with store.reading() as session:
        answers = select(Letter.id).where(
            text(f"letters.{ANSWERS_REGISTRATION}"), Letter.created_at > now - timedelta(days=1), Letter.sent_at <= now
        )
        return count(session, answers) < max(1, a_day // 2)


def forget_letters(store: Store, before: datetime, limit: int = 500) -> int:
    """Let go of the messages of letters that were written before a moment; gives of how many.

    Not of those that are still to be sent, nor of those that ask what is still open.
    """
    asks_something_open = exists().where(
        AskRow.letter_id == Letter.id, AskRow.question_id == QuestionRow.id, QuestionRow.closed_at.is_(None)
    )
    with store.transaction() as session:
        old = (
            select(Letter.id)
            .where(Letter.packed.is_not(None), Letter.created_at < before)
            .where(Letter.state != _QUEUED, ~asks_something_open)
            .order_by(Letter.created_at)
            .limit(limit)
        )
        numbers = session.scalars(old).all()
        session.execute(update(Letter).where(Letter.id.in_(numbers)).values(packed=None))
        return len(numbers)


def retry_letter(session: Session, letter_id: int, now: datetime) -> Letter | None:
    """Send a letter again that the server refused for good, and give it; None where there is none such.

    None, too, where it was let go of.
    """
    row = session.get(Letter, letter_id)
    if row is None or row.state != "failed" or row.packed is None:
        return None
    row.state, row.attempts, row.try_at, row.claimed_by = "queued", 0, now, None
    return row
