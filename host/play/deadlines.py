"""Pure: when things are due. In: instants and durations. Out: instants.

A deadline counts whole seconds, because a mailbox's INTERNALDATE does: a reply that arrived in the deadline's own
second is in time.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

SENDING = timedelta(seconds=3)
"""Added to a deadline for the letter's own way to the SMTP server, so that the time it tells is the one that holds."""
MAILBOX_GRACE = timedelta(seconds=2)
"""How long after a deadline a mailbox pass has to begin, so that a mail delivered in the last second is seen."""


def due(asked: datetime, within: timedelta) -> datetime:
    """The deadline's second of a question asked at `asked`, rounded up so that it is never early."""
    at = asked + within
    return at.replace(microsecond=0) + timedelta(seconds=1) if at.microsecond else at


def foreseen(now: datetime, within: timedelta) -> datetime:
    """The deadline to tell in a letter that is written now, and not accepted yet."""
    return due(now, within + SENDING)


def is_late(arrived: datetime, due_at: datetime) -> bool:
    """Did a reply arrive after its deadline's second?"""
    return arrived.replace(microsecond=0) > due_at


def may_fire(due_at: datetime, now: datetime, read_at: datetime | None) -> bool:
    """May a deadline fire: its second is over, and the mailbox was read whole by a pass that began after it?"""
    return now >= due_at + timedelta(seconds=1) and read_at is not None and read_at >= seen_past(due_at)


def seen_past(due_at: datetime) -> datetime:
    """When a mailbox pass has to begin to see all that came in the deadline's own second."""
    return due_at + timedelta(seconds=1) + MAILBOX_GRACE


def latest_to_fire(now: datetime, read_at: datetime) -> datetime:
    """The latest deadline that may fire, of a mailbox read whole by a pass that began at `read_at`."""
    return min(now - timedelta(seconds=1), read_at - timedelta(seconds=1) - MAILBOX_GRACE)


def reminders(within: timedelta, before: Sequence[timedelta]) -> list[int]:
    """The reminders of a question, in seconds before its deadline, first one first; those not shorter than it are left out."""
    return sorted({int(each.total_seconds()) for each in before if timedelta() < each < within}, reverse=True)


def next_reminder(due_at: datetime, left: Sequence[int], now: datetime) -> tuple[datetime | None, list[int]]:
    """When to remind next, and the reminders left with it; those whose time has passed by `now` are dropped."""
    coming = [seconds for seconds in left if due_at - timedelta(seconds=seconds) > now]
    return (due_at - timedelta(seconds=coming[0]), coming) if coming else (None, [])
