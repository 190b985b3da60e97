"""Edge: the signs of life in the store. In: the names of the mailboxes, a moment. Out: how far behind the work is.

Every query walks an index of what is unfinished, so that finished episodes and letters cost nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Select, func, select, text
from sqlalchemy.orm import Session

from host.store.schema import Episode, Inbound, Letter, Mailbox, Question


@dataclass(frozen=True)
class Signs:
    """What the store says of the daemon's work; instants in UTC, None for never or nothing."""

    mailbox_read_at: datetime | None
    letter_accepted_at: datetime | None
    oldest_unsent_at: datetime | None
    letters_unsent: int
    letters_failed: int
    oldest_overdue_at: datetime | None
    deadlines_overdue: int
    mails_quarantined: int
    episodes_running: int


def vital_signs(session: Session, now: datetime, mailboxes: Sequence[str]) -> Signs:
    """How the work stands. `mailbox_read_at` is of the mailbox read longest ago, None while one was never read whole."""
    read_at = [session.scalar(select(Mailbox.read_at).where(Mailbox.name == name)) for name in mailboxes]
    is_read = bool(read_at) and None not in read_at
    unsent, oldest = session.execute(_unsent()).one()
    overdue, due_at = session.execute(_overdue(now)).one()
    return Signs(
        mailbox_read_at=min(each for each in read_at if each is not None) if is_read else None,
        letter_accepted_at=session.scalar(_accepted()),
        oldest_unsent_at=session.scalar(select(Letter.created_at).where(Letter.id == oldest)) if oldest else None,
        letters_unsent=unsent,
        letters_failed=session.scalar(_failed()) or 0,
        oldest_overdue_at=due_at,
        deadlines_overdue=overdue,
        mails_quarantined=session.scalar(_quarantined()) or 0,
        episodes_running=session.scalar(_running()) or 0,
    )


# A partial index serves only a query that repeats its condition as a literal; a bound parameter may hide it.


def _unsent() -> Select[int, int | None]:
    return select(func.count(Letter.id), func.min(Letter.id)).where(text("state IN ('queued', 'sending')"))


def _failed() -> Select[int]:
    return select(func.count(Letter.id)).where(text("state = 'failed'"))


def _quarantined() -> Select[int]:
    return select(func.count(Inbound.id)).where(text("state = 'broken'"))


def _running() -> Select[int]:
    return select(func.count(Episode.id)).where(Episode.over_at.is_(None))


def _accepted() -> Select[datetime | None]:
    return select(func.max(Letter.sent_at))


def _overdue(now: datetime) -> Select[int, datetime | None]:
    return (
        select(func.count(Question.id), func.min(Question.due_at))
        .outerjoin(Episode, Episode.id == Question.episode_id)
        .where(
            Question.closed_at.is_(None),
            Question.asked_at.is_not(None),
            Question.stopped_at.is_(None),
            Question.due_at < now,
            Episode.paused_at.is_(None),
        )
    )
