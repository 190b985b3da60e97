"""Edge: the signs of life in the store. In: the names of the mailboxes, a moment. Out: how far behind the work is.

Every query walks an index of what is unfinished. The signs, which are asked for again and again, go no further than
`COUNTED`, so that they cost no more as it grows.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, Select, false, func, select, text, update
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from host import troubles
from host.store.database import Store, StoreError, count
from host.store.episodes import with_running_clock
from host.store.schema import (
    ASKED,
    FAILED,
    QUARANTINED,
    UNSENT,
    Heartbeat,
    Inbound,
    Letter,
    LobbyRow,
    Mailbox,
    QuestionRow,
)

ALIVE_WITHIN, OVERDUE_WITHIN, UNSENT_WITHIN = timedelta(minutes=2), timedelta(minutes=5), timedelta(minutes=15)
"""How old the daemon's last sign of life, an overdue deadline, an unsent letter may be before somebody should look."""
COUNTED = 10_000
"""How far the signs count; more than that is many."""


def require_writable(store: Store) -> None:
    """Write nothing, but as who may write: a standby is read-only. Raises `StoreError`."""
    try:
        with store.transaction() as session:
            session.execute(update(Heartbeat).where(false()).values(boot=""))
    except SQLAlchemyError as error:
        raise StoreError(troubles.sentence(error) or troubles.cause(error)) from None


@dataclass(frozen=True)
class AskedBack:
    """Letters that asked what a mail meant: for how many the first reading was taken, for how many another or none of them.

    In `second` of them a second reader put the first reading there; in `second_first` of these it was taken.
    """

    letters: int = 0
    first: int = 0
    another: int = 0
    otherwise: int = 0
    second: int = 0
    second_first: int = 0


@dataclass(frozen=True)
class Signs:
    """The state of the daemon's work, as the store has it; instants in UTC, None for never or nothing."""

    mailbox_read_at: datetime | None
    letter_accepted_at: datetime | None
    oldest_unsent_at: datetime | None
    letters_unsent: int
    letters_failed: int
    oldest_overdue_at: datetime | None
    deadlines_overdue: int
    mails_quarantined: int
    episodes_running: int
    asked_back: AskedBack = AskedBack()


def vital_signs(session: Session, now: datetime, mailboxes: Sequence[str]) -> Signs:
    """The signs as of now. `mailbox_read_at` is of the mailbox read longest ago, None while one was never read whole.

    Each number is counted up to `COUNTED` and stays there, however many there are.
    """
    read_at = [session.scalar(select(Mailbox.read_at).where(Mailbox.name == name)) for name in mailboxes]
    is_read = bool(read_at) and None not in read_at
    next_unsent = (
        select(Letter.created_at).where(text(UNSENT)).order_by(Letter.try_at, Letter.id).limit(COUNTED).subquery()
    )
    overdue = with_running_clock(QuestionRow.due_at).where(QuestionRow.due_at < now)
    return Signs(
        mailbox_read_at=min(each for each in read_at if each is not None) if is_read else None,
        letter_accepted_at=session.scalar(select(func.max(Letter.sent_at)).where(Letter.sent_at.is_not(None))),
        oldest_unsent_at=session.scalar(select(func.min(next_unsent.c.created_at))),
        letters_unsent=count(session, _letters(UNSENT), COUNTED),
        letters_failed=count(session, _letters(FAILED), COUNTED),
        oldest_overdue_at=session.scalar(overdue.order_by(QuestionRow.due_at).limit(1)),
        deadlines_overdue=count(session, overdue, COUNTED),
        mails_quarantined=count(session, select(Inbound.id).where(text(QUARANTINED)), COUNTED),
        episodes_running=session.scalar(select(func.sum(LobbyRow.running))) or 0,
        asked_back=asked_back(session, COUNTED),
    )


def asked_back(session: Session, most: int | None = None) -> AskedBack:
    """How well people are understood: what they took of the readings of their mails, each number counted up to `most`."""

    def counted(*conditions: ColumnElement[bool]) -> int:
        return count(session, _letters(ASKED).where(*conditions), most)

    # of the second reader there is no index: no more letters are looked at than are counted
    some = select(Letter.taken, Letter.second).where(text(ASKED)).limit(most).subquery()
    by_second = select(some.c.taken).where(some.c.second != "")
    return AskedBack(
        counted(),
        counted(Letter.taken == 1),
        counted(Letter.taken > 1),
        counted(Letter.taken == 0),
        count(session, by_second),
        count(session, by_second.where(some.c.taken == 1)),
    )


def work_waiting(session: Session) -> dict[str, int]:
    """For the host's eyes, counted to the end: letters that wait, letters that failed, mails that are quarantined."""
    return {
        "letters_waiting": count(session, _letters(UNSENT)),
        "letters_failed": count(session, _letters(FAILED)),
        "mails_broken": count(session, select(Inbound.id).where(text(QUARANTINED))),
    }


def _letters(condition: str) -> Select[int]:
    """The condition as a literal: a bound parameter may hide that a partial index serves it."""
    return select(Letter.id).where(text(condition))
