"""Pure: how long, and until when, as people write it. In: a text, the moment. Out: a span of time."""

import re
from datetime import datetime, timedelta

from host.engine.words import plain

_NUMBERS = dict(
    zip("a an one two three four five six seven eight nine ten some".split(), (1, 1, *range(1, 11), 3), strict=True)
)
_WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_SPAN = re.compile(
    r"\b(a couple of|a few|an?|one|two|three|four|five|six|seven|eight|nine|ten|some|\d{1,3}) (hour|day|week|month)s?\b"
)
_DATE = re.compile(
    rf"\b(?:(\d{{1,2}})(?:st|nd|rd|th)? (?:of )?({'|'.join(_MONTHS)})[a-z]*"
    rf"|({'|'.join(_MONTHS)})[a-z]* (?:the )?(\d{{1,2}})(?:st|nd|rd|th)?)\b"
)
_WEEKDAY = re.compile(rf"\b({'|'.join(_WEEKDAYS)})s?\b")
_TOMORROW = re.compile(r"\b(?:tomorrow|demain|domani|jutro|yarın)\b")
_DAY = re.compile(rf"(?:{_DATE.pattern}|{_WEEKDAY.pattern}|{_TOMORROW.pattern}|today)")
_BESIDE = frozenset("more for by until till to on the".split())
"""What stands beside a span or a day and says no more than that it is one."""


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
    month, day = _MONTHS.index(found[2] or found[3]) + 1, int(found[1] or found[4])
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
    return timedelta(days=(_WEEKDAYS.index(found[1]) - now.weekday() - 1) % 7 + 1) if found else None


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
    return bare if _DAY.fullmatch(bare) else None


def end_of_day(day: str, now: datetime) -> datetime:
    """The last minute of a day that `more_time` gave, in the time zone of `now`."""
    wait = date_in(day, now) or weekday_in(day, now) or timedelta(days=is_tomorrow_in(day))
    return (now + wait).replace(hour=23, minute=59, second=0, microsecond=0)
