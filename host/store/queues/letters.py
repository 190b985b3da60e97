"""Edge: the queue of letters. In: letters that are due. Out: letters claimed, and what the server said of them.

**Due.** A letter is written `queued`, in the transaction that made it necessary. It may be sent from `try_at` on. To each
address one letter goes at a time, in the order in which they were written; a letter that was tried more often than
`ATTEMPTS_WAITED_FOR` is overtaken by later ones. Where the provider limits how many may go out, what asks something in an
episode goes first; else a claim looks at the oldest `LOOKED_AT` letters that are due, and where these are to so few addresses
that they do not suffice, goes from address to address: what it costs does not grow with what waits.

**Claimed.** On PostgreSQL a claim makes a letter `sending` and moves `try_at` by `LEASE`: if the process stops, another one
sends the letter then. It keeps its Message-ID, so a second copy can be told from a second letter. The one process on a SQLite
file remembers what it has claimed, and its letters stay `queued`.

**Settled.** Accepted letters become `sent`, many at once. A letter that was put off is `queued` again, with a later `try_at`;
one that was refused for good is `failed`. Each of these changes only what is still to be sent, so whoever settles a letter
second changes nothing.

What follows each state stands in docs/states.md. A partial index serves only a query that repeats its condition as a literal.
"""

import functools
from collections.abc import Collection, Iterable, Mapping, Sequence
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
    literal,
    or_,
    select,
    text,
    true,
    tuple_,
    update,
)
from sqlalchemy.orm import aliased

from host.states import LetterKind, LetterState
from host.store.database import Store
from host.store.packing import unpack
from host.store.schema import ANSWERS_REGISTRATION, REGISTRATION_PURPOSES, UNSENT, AskRow, Instant, Letter, QuestionRow
from host.store.session import Session

LEASE = timedelta(minutes=3)
"""How long a letter may take to be sent before another process tries it."""
ATTEMPTS_WAITED_FOR = 3
"""How often a letter is tried before later ones to the same address overtake it."""
LOOKED_AT = 256
"""Letters that a claim looks at in their order, more than are ever being sent; and addresses that it then goes through."""

# mypy looks at what is assigned, not at what SQLAlchemy writes and compares
_QUEUED: LetterState = "queued"
_SENDING: LetterState = "sending"
_SENT: LetterState = "sent"
_CANCELLED: LetterState = "cancelled"
_REMINDER: LetterKind = "reminder"
_UNSENT = text(f"letters.{UNSENT}")
_LAST_ID = 2**31 - 1
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
    """A letter that this process may send now."""

    id: int
    address: str
    message: bytes
    attempts: int
    created_at: datetime
    answers_id: int | None


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
    that this process has claimed already, which is all that the one process on a SQLite file needs.
    """
    due = _letters_due(is_short, with_registrations)
    given = {"now": now, "under_way": list(under_way), "limit": limit, "looked_at": LOOKED_AT}
    if store.file is not None:
        with store.reading() as session:
            rows = list(session.execute(due, given))
            if not is_short:
                rows += _to_others(session, rows, given, is_shared=False)
            idle = _idle_reminders(session, rows)
    else:
        with store.transaction() as session:
            rows = list(session.execute(due.with_for_update(skip_locked=True), given))
            if not is_short:
                rows += _to_others(session, rows, given, is_shared=True)
            idle = _idle_reminders(session, rows)
            leased = (
                update(Letter).where(Letter.id.in_([row.id for row in rows])).values(state=_SENDING, try_at=now + LEASE)
            )
            session.execute(leased, execution_options={"synchronize_session": False})
    if idle:
        with store.transaction() as session:
            cancelled = update(Letter).where(Letter.id.in_(idle), _UNSENT).values(state=_CANCELLED)
            session.execute(cancelled, execution_options={"synchronize_session": False})
    return [
        ClaimedLetter(row.id, row.address, unpack(row.packed), row.attempts + 1, row.created_at, row.answers_id)
        for row in rows
        if row.id not in idle
    ]


def _to_others(session: Session, rows: Sequence[Row[Any]], given: Mapping[str, Any], is_shared: bool) -> list[Row[Any]]:
    """Where the oldest letters that are due gave too few `rows`: letters to other addresses, for what is left of the limit."""
    left = given["limit"] - len(rows)
    if not left or not (rows[0].is_more if rows else is_shared or given["under_way"]):
        return []
    taken = {*given["under_way"], *(row.id for row in rows)}
    firsts = set(session.scalars(_FIRST_TO_ADDRESSES, given)) - taken
    these = _THESE_DUE.with_for_update(skip_locked=True) if is_shared else _THESE_DUE
    return list(session.execute(these, {**given, "these": list(firsts), "limit": left})) if firsts else []


@functools.cache
def _letters_due(is_short: bool, with_registrations: bool) -> Select[*tuple[Any, ...]]:
    """The letters that are due at `now`, those `under_way` aside, at most `limit`; unless `is_short`, of the oldest alone.

    With each goes whether more letters are due than these oldest.
    """
    unsent = select(*_CLAIMED).where(_UNSENT)
    unsent = unsent.where(Letter.id.not_in(bindparam("under_way", expanding=True)))
    unsent = unsent.where(true() if with_registrations else Letter.purpose.not_in(REGISTRATION_PURPOSES))
    if is_short:
        is_of_episode = Letter.episode_id.is_not(None)
        asks = exists().where(AskRow.letter_id == Letter.id)
        is_answer = Letter.purpose.in_(REGISTRATION_PURPOSES)
        rank = case((and_(is_of_episode, asks), 0), (is_of_episode, 1), (is_answer, 4), (asks, 2), else_=3)
        due = unsent.where(Letter.try_at <= bindparam("now"))
        return due.order_by(rank, Letter.try_at, Letter.id).limit(bindparam("limit"))
    in_order = select(Letter).where(_UNSENT, Letter.try_at <= bindparam("now")).order_by(Letter.try_at, Letter.id)
    next_one = in_order.limit(1).offset(bindparam("looked_at"))
    next_at = next_one.with_only_columns(Letter.try_at).correlate(None).scalar_subquery()
    next_id = next_one.with_only_columns(Letter.id).correlate(None).scalar_subquery()
    of_oldest = tuple_(Letter.try_at, Letter.id) < tuple_(
        func.coalesce(next_at, bindparam("now", type_=Instant())), func.coalesce(next_id, _LAST_ID)
    )
    return (
        unsent.add_columns(next_id.is_not(None).label("is_more"))
        .where(of_oldest, Letter.id == _first_to(Letter.address))
        .order_by(Letter.try_at, Letter.id)
        .limit(bindparam("limit"))
    )


def _first_to(address: Any) -> ColumnElement[int]:
    """The letter to an address that goes before the others: the first that is due or being sent.

    Also one that the server has put off for now, as long as it was not tried too often. (A scalar, not `exists`, which PostgreSQL
    might look up for all letters at once.)
    """
    first = aliased(Letter, name="first")
    goes_first = or_(
        first.try_at <= bindparam("now"),
        first.state == _SENDING,
        first.attempts.between(1, ATTEMPTS_WAITED_FOR),
    )
    of_address = select(first.id).where(text(f"first.{UNSENT}"), first.address == address, goes_first)
    return of_address.order_by(first.id).limit(1).correlate(address.table).scalar_subquery()


def _first_to_addresses() -> Select[int]:
    """The letter that goes first to each of the first addresses: one step of an index for an address."""
    lowest = select(func.min(Letter.address)).where(_UNSENT)
    keys = select(lowest.scalar_subquery().label("address"), literal(1).label("step")).cte("keys", recursive=True)
    following = lowest.where(Letter.address > keys.c.address).correlate(keys).scalar_subquery()
    is_on = (keys.c.address.is_not(None), keys.c.step < bindparam("looked_at"))
    keys = keys.union_all(select(following, keys.c.step + 1).where(*is_on))
    return select(_first_to(keys.c.address)).where(keys.c.address.is_not(None))


_FIRST_TO_ADDRESSES = _first_to_addresses()
_THESE_DUE = (
    select(*_CLAIMED)
    .where(_UNSENT, Letter.try_at <= bindparam("now"), Letter.id.in_(bindparam("these", expanding=True)))
    .order_by(Letter.try_at, Letter.id)
    .limit(bindparam("limit"))
)


def _idle_reminders(session: Session, rows: Iterable[Any]) -> list[int]:
    """The reminders among these letters that were not tried yet and of which no question is open."""
    untried = [row.id for row in rows if row.kind == _REMINDER and row.attempts == 0]
    if not untried:
        return []
    asking = (
        select(AskRow.letter_id)
        .join(QuestionRow, QuestionRow.id == AskRow.question_id)
        .where(AskRow.letter_id.in_(untried), QuestionRow.closed_at.is_(None))
    )
    return sorted(set(untried) - set(session.scalars(asking)))


def put_off(session: Session, letter_id: int, state: LetterState, said: str, try_at: datetime) -> Letter:
    """What the server said of a letter that it did not accept. What another process has settled meanwhile stays so.

    Raises `sqlalchemy.exc.NoResultFound` where there is no such letter.
    """
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
        .values(state=_SENT, response=bindparam("b_said"), sent_at=now, attempts=Letter.__table__.c.attempts + 1)
    )
    session.connection().execute(accepted, rows)


def put_back(session: Session, ids: Collection[int], try_at: datetime) -> None:
    """These letters were claimed and not tried: they are due at `try_at`."""
    waiting = update(Letter).where(Letter.id.in_(ids), _UNSENT).values(state=_QUEUED, try_at=try_at)
    session.execute(waiting, execution_options={"synchronize_session": False})


def void_leases(store: Store, now: datetime) -> None:
    """At the start of the only daemon on a SQLite file: what a killed one was sending is due again."""
    with store.transaction() as session:
        session.execute(update(Letter).where(_UNSENT, Letter.state == _SENDING).values(state=_QUEUED, try_at=now))


def hurry_letters(session: Session, now: datetime) -> None:
    """Letters that wait for a later time, or are being sent until then, are due now: the clock was set back."""
    waiting = update(Letter).where(_UNSENT, Letter.try_at > now)
    session.execute(waiting.values(try_at=now))


def has_letters(store: Store, now: datetime) -> bool:
    """Is a letter due? (The shell beside the daemon writes letters too.)"""
    with store.reading() as session:
        due = select(Letter.id).where(_UNSENT, Letter.try_at <= now).limit(1)
        return session.scalar(due) is not None


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
            .where(Letter.state.not_in((_QUEUED, _SENDING)), ~asks_something_open)
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
    row.state, row.attempts, row.try_at = "queued", 0, now
    return row
