"""Edge: the signs of life in the store. In: the names of the mailboxes, a moment. Out: how far behind the work is.

Every query walks an index of what is unfinished. The signs, which are asked for again and again, go no further than
`COUNTED`, so that they cost no more as it grows.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Select, func, select, text
from sqlalchemy.orm import Session

from host.store.episodes import with_running_clock
from host.store.schema import FAILED, QUARANTINED, UNSENT, Inbound, Letter, LobbyRow, Mailbox, QuestionRow

ALIVE_WITHIN, OVERDUE_WITHIN, UNSENT_WITHIN = timedelta(minutes=2), timedelta(minutes=5), timedelta(minutes=15)
"""How old the daemon's last sign of life, an overdue deadline, an unsent letter may be before somebody should look."""
COUNTED = 10_000
"""How far the signs count; more than that is many."""


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
    """How the work stands. `mailbox_read_at` is of the mailbox read longest ago, None while one was never read whole.

    Each number is counted up to `COUNTED` and stays there, however many there are.
    """
    read_at = [session.scalar(select(Mailbox.read_at).where(Mailbox.name == name)) for name in mailboxes]
    is_read = bool(read_at) and None not in read_at
    return Signs(
        mailbox_read_at=min(each for each in read_at if each is not None) if is_read else None,
        letter_accepted_at=session.scalar(_accepted()),
        oldest_unsent_at=session.scalar(_oldest_unsent()),
        letters_unsent=_some(session, _unsent(Letter.id)),
        letters_failed=_some(session, _failed()),
        oldest_overdue_at=session.scalar(_overdue(now, QuestionRow.due_at).order_by(QuestionRow.due_at).limit(1)),
        deadlines_overdue=_some(session, _overdue(now, QuestionRow.id)),
        mails_quarantined=_some(session, _quarantined()),
        episodes_running=session.scalar(select(func.sum(LobbyRow.running))) or 0,
    )


def work_waiting(session: Session) -> dict[str, int]:
    """For the host's eyes, counted to the end: letters that wait, letters that failed, mails that are quarantined."""
    counted = {"letters_waiting": _unsent(Letter.id), "letters_failed": _failed(), "mails_broken": _quarantined()}
    return {name: _count(session, numbers) for name, numbers in counted.items()}


def _some(session: Session, numbers: Select[Any]) -> int:
    return _count(session, numbers.limit(COUNTED))


def _count(session: Session, numbers: Select[Any]) -> int:
    return session.scalar(select(func.count()).select_from(numbers.subquery())) or 0


# A partial index serves only a query that repeats its condition as a literal; a bound parameter may hide it.


def _unsent(what: Any) -> Select[Any]:
    return select(what).where(text(UNSENT))


def _oldest_unsent() -> Select[Any]:
    """When the oldest was written of the letters that are to be sent next."""
    some = _unsent(Letter.created_at).order_by(Letter.try_at, Letter.id).limit(COUNTED).subquery()
    return select(func.min(some.c.created_at))


def _failed() -> Select[Any]:
    return select(Letter.id).where(text(FAILED))


def _quarantined() -> Select[Any]:
    return select(Inbound.id).where(text(QUARANTINED))


def _accepted() -> Select[Any]:
    return select(func.max(Letter.sent_at)).where(Letter.sent_at.is_not(None))


def _overdue(now: datetime, what: Any) -> Select[Any]:
    return with_running_clock(what).where(QuestionRow.due_at < now)
