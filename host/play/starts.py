"""Pure: on which days and at what hour episodes of a game begin. In: a text such as `Mondays 18:00`, a moment, a time zone.
Out: `Starts`, the start before that moment and the one after it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from host.engine.words import pattern
from host.play.deadlines import WEEKDAYS

OPEN_FOR = timedelta(hours=24)
"""How long behind a start episodes begin at most; where the next start is near, half as long as till then."""
A_WEEK = 7
FORMS = (
    "write when episodes begin: Mondays 18:00, or Mondays and Thursdays 18:00, or daily 18:00, or every 14 days from "
    "2026-12-07 18:00"
)
_HOUR = r"(?P<at>(?:[01]?\d|2[0-3]):[0-5]\d)"
_A_DAY = rf"(?:{'|'.join(WEEKDAYS)})s?"
_ON_DAYS = pattern(rf"(?P<days>daily|{_A_DAY}(?:(?:, ?(?:and )?| and ){_A_DAY})*),? {_HOUR}")
_EVERY = pattern(
    rf"every (?P<every>[1-9]\d?|[12]\d\d|3[0-5]\d|36[0-6]) days from (?P<since>2[01]\d\d-\d\d-\d\d),? {_HOUR}"
)


@dataclass(frozen=True)
class Starts:
    """Starts at an hour: on these days of the week (Monday is 0), or every so many days since a day."""

    at: time
    days: frozenset[int] = frozenset()
    every: int = A_WEEK
    since: date | None = None

    def last_before(self, now: datetime, zone: tzinfo) -> datetime | None:
        """The latest start at or before now, in UTC; None where there was none yet."""
        today = now.astimezone(zone).date()
        found = self._among((today - timedelta(days=each) for each in range(self.every + 1)), zone)
        return next((each for each in found if each <= now), None)

    def next_after(self, now: datetime, zone: tzinfo) -> datetime:
        """The first start after now, in UTC."""
        today = now.astimezone(zone).date()
        first = max(today, self.since or today)
        found = self._among((first + timedelta(days=each) for each in range(self.every + 1)), zone)
        return next(each for each in found if each > now)

    def is_open(self, now: datetime, zone: tzinfo) -> bool:
        """May episodes begin now?"""
        last = self.last_before(now, zone)
        return last is not None and now < self.open_until(last, zone)

    def open_until(self, start: datetime, zone: tzinfo) -> datetime:
        """Until when episodes begin behind a start."""
        return start + min(OPEN_FOR, (self.next_after(start, zone) - start) / 2)

    def _among(self, days: Iterator[date], zone: tzinfo) -> Iterator[datetime]:
        return (_moment(day, self.at, zone) for day in days if self._falls_on(day))

    def _falls_on(self, day: date) -> bool:
        if self.since is None:
            return day.weekday() in self.days
        return day >= self.since and (day - self.since).days % self.every == 0


def _moment(day: date, at: time, zone: tzinfo) -> datetime:
    """A wall-clock time; one that a change of the clocks leaves out moves to the next that there is."""
    wall = datetime.combine(day, at)
    while True:
        found = wall.replace(tzinfo=zone).astimezone(UTC)
        if found.astimezone(zone).replace(tzinfo=None) == wall:
            return found
        wall += timedelta(minutes=1)


def read_starts(value: object) -> Starts:
    """The starts that a text says. Raises ValueError, with the forms that there are, for anything else."""
    if isinstance(value, Starts):
        return value
    text = " ".join(value.lower().split()) if isinstance(value, str) else ""
    if found := _ON_DAYS.fullmatch(text):
        named = re.findall("|".join(WEEKDAYS), found["days"])
        return Starts(_hour(found["at"]), frozenset(map(WEEKDAYS.index, named or WEEKDAYS)))
    if found := _EVERY.fullmatch(text):
        try:
            return Starts(_hour(found["at"]), every=int(found["every"]), since=date.fromisoformat(found["since"]))
        except ValueError:
            raise ValueError(FORMS) from None
    raise ValueError(FORMS)


def _hour(text: str) -> time:
    hours, minutes = map(int, text.split(":"))
    return time(hours, minutes)


def day_in_words(moment: datetime, zone: tzinfo) -> str:
    """`Monday, 7 December`."""
    return f"{moment.astimezone(zone):%A, %-d %B}"


def hour_in_words(moment: datetime, zone: tzinfo) -> str:
    """`18:00`."""
    return f"{moment.astimezone(zone):%H:%M}"


def next_in_words(starts: Starts, now: datetime, zone: tzinfo, name: str) -> str:
    """The sentence that says when the next episodes begin; `name` is the zone's. While they begin it says until when they do."""
    after = starts.next_after(now, zone)
    told = f"{day_in_words(after, zone)}, {hour_in_words(after, zone)} ({name})"
    last = starts.last_before(now, zone)
    until = starts.open_until(last, zone) if last else now
    if now >= until:
        return f"The next episodes begin on {told}."
    end = f"{day_in_words(until, zone)}, {hour_in_words(until, zone)}"
    return f"Episodes begin until {end}, and then again from {told} on."
