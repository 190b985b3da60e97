"""Pure: when things are due, and how long and until when as people write it. In: instants, durations, a text. Out: instants.

A deadline counts whole seconds, because a mailbox's INTERNALDATE does: a reply that arrived in the deadline's own
second is in time.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from host.engine.words import pattern, plain

SENDING = timedelta(seconds=3)
"""Added to a deadline for the letter's own way to the SMTP server, so that the time it tells is the one that holds."""
MAILBOX_GRACE = timedelta(seconds=2)
"""How long after a deadline a mailbox pass has to begin, so that a mail delivered in the last second is seen."""
_NUMBERS = dict(
    zip("a an one two three four five six seven eight nine ten some".split(), (1, 1, *range(1, 11), 3), strict=True)
)
WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_SPAN = pattern(
    r"\b(a couple of|a few|an?|one|two|three|four|five|six|seven|eight|nine|ten|some|\d{1,3})"
    r"(?: (?:more|extra|additional|full))? (hour|day|week|month)s?\b"
)
_A_DATE = (
    rf"\b(?:(\d{{1,2}})(?:st|nd|rd|th)? (?:of )?({'|'.join(MONTHS)})[a-z]*"
    rf"|({'|'.join(MONTHS)})[a-z]* (?:the )?(\d{{1,2}})(?:st|nd|rd|th)?)\b"
)
_A_WEEKDAY = rf"\b({'|'.join(WEEKDAYS)})s?\b"
_IS_TOMORROW = r"\b(?:tomorrow|demain|domani|jutro|yarın)\b"
_DATE, _WEEKDAY, _TOMORROW = pattern(_A_DATE), pattern(_A_WEEKDAY), pattern(_IS_TOMORROW)
_BEFORE_A_LEAP_DAY = datetime(2023, 12, 31, tzinfo=UTC)
_DAY = pattern(rf"(?:{_A_DATE}|{_A_WEEKDAY}|{_IS_TOMORROW}|today)")
_BESIDE = frozenset("more for by until till to on the".split())
"""What stands beside a span or a day and says no more than that it is one."""


Break = tuple[datetime, datetime]
"""From when to when no deadline runs."""


def due(asked: datetime, within: timedelta, breaks: Iterable[Break] = ()) -> datetime:
    """The deadline's second of a question asked at `asked`, rounded up so that it is never early; breaks are in their order."""
    at, left = asked, within
    for begin, end in breaks:
        if begin >= at + left:
            break
        if end > at:
            at, left = end, left - max(begin - at, timedelta())
    at += left
    return at.replace(microsecond=0) + timedelta(seconds=1) if at.microsecond else at


def foreseen(now: datetime, within: timedelta, breaks: Iterable[Break] = ()) -> datetime:
    """The deadline to tell in a letter that is written now, and not accepted yet."""
    return due(now, within + SENDING, breaks)


def time_left(now: datetime, due_at: datetime, breaks: Iterable[Break] = ()) -> timedelta:
    """How long a deadline still runs from now on, breaks left out."""
    at, left = now, timedelta()
    for begin, end in breaks:
        if begin >= due_at:
            break
        if end > at:
            left += max(begin - at, timedelta())
            at = end
    return left + max(due_at - at, timedelta())


def days_off(since: datetime, zone: tzinfo, weekends: bool, holidays: Collection[date]) -> Iterator[Break]:
    """The days in a zone on which no deadline runs, from that of a moment on: holidays, and unless `weekends` Saturdays and
    Sundays, without end."""
    day = since.astimezone(zone).date()
    last = max(holidays, default=day) if weekends else date.max - timedelta(days=2)
    while day <= last:
        after = day + timedelta(days=1)
        if day in holidays or not (weekends or day.weekday() < 5):
            begin, end = (datetime.combine(each, time(), zone).astimezone(since.tzinfo) for each in (day, after))
            yield begin, max(begin, end)
        day = after


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


def span_in(text: str) -> timedelta | None:
    """The first span in a plain text: `in ten days`, `a couple of hours`."""
    found = _SPAN.search(text)
    return _span(found) if found else None


def _span(found: re.Match[str]) -> timedelta:
    count = {"a couple of": 2, "a few": 3}.get(found[1]) or _NUMBERS.get(found[1]) or int(found[1])
    return timedelta(hours=count * {"hour": 1, "day": 24, "week": 7 * 24, "month": 30 * 24}[found[2]])


def date_in(text: str, now: datetime) -> timedelta | None:
    """How long it is until the first date in a plain text: `5 December`."""
    found = _DATE.search(text)
    if found is None:
        return None
    month, day = MONTHS.index(found[2] or found[3]) + 1, int(found[1] or found[4])
    for year in (now.year, now.year + 1):
        try:
            wait = now.replace(year=year, month=month, day=day) - now
        except ValueError:
            continue
        if wait > timedelta(0):
            return wait
    return None


def names_day(text: str) -> bool:
    """Does a plain text name a date, a day of the week or tomorrow?"""
    return any(form.search(text) for form in (_DATE, _WEEKDAY, _TOMORROW))


def weekday_in(text: str, now: datetime) -> timedelta | None:
    """How long it is until the first day of the week in a plain text, tomorrow at the earliest."""
    found = _WEEKDAY.search(text)
    return timedelta(days=(WEEKDAYS.index(found[1]) - now.weekday() - 1) % 7 + 1) if found else None


def is_tomorrow_in(text: str) -> bool:
    """Does a plain text name tomorrow, and not the day after it?"""
    return "day after tomorrow" not in text and _TOMORROW.search(text) is not None


def more_time(text: str) -> timedelta | str | None:
    """`24 hours`, `a day`, `two more days`: so long. `until Monday`, `5 December`, `tomorrow`: that day, in plain words.

    None for what is neither, from end to end.
    """
    bare = " ".join(word for word in plain(text).replace("end of ", "").split() if word not in _BESIDE)
    for each in (bare.replace("another ", "a "), bare.replace("another ", "")):
        found = _SPAN.fullmatch(each)
        if found:
            return _span(found)
    is_no_day = _DATE.search(bare) and date_in(bare, _BEFORE_A_LEAP_DAY) is None
    return bare if _DAY.fullmatch(bare) and not is_no_day else None


def end_of_day(day: str, now: datetime) -> datetime:
    """The last minute of a day that `more_time` gave, in the time zone of `now`; of a date the nearest, which may be past."""
    half_a_year = timedelta(days=183)
    of_date = date_in(day, now - half_a_year)
    wait = of_date - half_a_year if of_date else weekday_in(day, now) or timedelta(days=is_tomorrow_in(day))
    return (now + wait).replace(hour=23, minute=59, second=0, microsecond=0)
