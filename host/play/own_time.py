"""Pure: a contestant's own clock. In: what they wrote of zones, hours, reminders; a moment. Out: settings, in one spelling each;
when a reminder helps that would come in quiet hours, when the daily letter comes."""

from collections.abc import Collection, Sequence
from datetime import datetime, time, timedelta, tzinfo

from rapidfuzz import process

from host.engine.words import pattern, plain

TURNS, AT_ONCE, OFF = "turns", "at once", "off"
MOST_REMINDERS = 5
BEFORE_QUIET = timedelta(minutes=5)
"""How long before quiet hours a reminder comes that would not help behind them; sending it may take as long."""
_LONGEST = timedelta(days=30)
_HOUR = r"(\d{1,2})(?:[:.](\d\d))?(?:\s*(am|pm|h))?"
_QUIET = pattern(rf"(?:from )?{_HOUR}\s*(?:-|–|to|until|till)\s*{_HOUR}")
_DAILY = pattern(rf"(?:once a day|daily|every day)(?: at| by)? {_HOUR}")
_SPAN = pattern(r"(\d{1,4})\s*(d|h|m)(?:ays?|ours?|in|ins|inutes?)?(?![a-z])")
_BETWEEN = pattern(r"[\s,]+|\band\b|\bbefore\b")
_OFFSET = pattern(r"(?:utc|gmt)?\s*([+-])(\d{1,2})(?::?(\d\d))?")
_SECONDS = {"d": 86_400, "h": 3600, "m": 60}


def zone_named(text: str, names: Collection[str]) -> str:
    """The time zone that somebody names, by its name, its city or its offset from UTC; empty where there is none."""
    wanted = "_".join(plain(text).strip(" .").split())
    offset = _OFFSET.fullmatch(plain(text).strip(" ."))
    if offset:
        minutes = int(offset[2]) * 60 + int(offset[3] or 0)
        return offset_zone(minutes if offset[1] == "+" else -minutes)
    by_name = {name.casefold(): name for name in sorted(names)}
    cities = sorted({by_name[each] for each in by_name if each.rpartition("/")[2] == wanted}, key=_rank)
    return by_name.get(wanted) or next(iter(cities), "")


def _rank(name: str) -> tuple[bool, int, str]:
    """Of zones with one city, that of a continent comes first: `America/New_York` before `US/…` and others."""
    continents = ("Africa/", "America/", "Asia/", "Atlantic/", "Australia/", "Europe/", "Indian/", "Pacific/")
    return not name.startswith(continents), len(name), name


def near_zones(text: str, names: Collection[str]) -> list[str]:
    """Time zones whose names are like what somebody wrote, at most three."""
    cities = {name: plain(name.rpartition("/")[2].replace("_", " ")) for name in sorted(names) if "/" in name}
    wanted = plain(text).rpartition("/")[2].replace("_", " ")
    found = process.extract(wanted, cities, limit=3, score_cutoff=75)
    return [str(key) for _, _, key in found]


def offset_zone(minutes: int) -> str:
    """A zone that is so many minutes ahead of UTC: `UTC+01:00`; empty where there is no such zone on earth."""
    if not -12 * 60 <= minutes <= 14 * 60 or minutes % 15:
        return ""
    hours, rest = divmod(abs(minutes), 60)
    return f"UTC{'-' if minutes < 0 else '+'}{hours:02}:{rest:02}"


def quiet_hours(text: str) -> str:
    """Hours in one spelling, `22:00-08:00`: of `22-08`, `10pm to 8am`; empty where these are none."""
    found = _QUIET.fullmatch(plain(text).strip(" ."))
    hours = [_time(*found.groups()[at : at + 3]) for at in (0, 3)] if found else []
    begin, end = hours or (None, None)
    return f"{begin:%H:%M}-{end:%H:%M}" if begin and end and begin != end else ""


def _time(hour: str, minute: str | None, half: str | None) -> time | None:
    count, rest = int(hour), int(minute or 0)
    if half in ("am", "pm"):
        count = count % 12 + 12 * (half == "pm") if 0 < count <= 12 else 99
    if (count, rest) == (24, 0):
        count = 0
    return time(count, rest) if count < 24 and rest < 60 else None


def daily_letters(text: str) -> str:
    """When letters that ask nothing come, in one spelling: `turns`, `at once`, `daily 18:00`; empty where it is none of these."""
    folded = plain(text).strip(" .")
    if folded in (TURNS, AT_ONCE):
        return folded
    found = _DAILY.fullmatch(folded)
    at = _time(found[1], found[2], found[3]) if found else None
    return f"daily {at:%H:%M}" if at else ""


def reminders_in(text: str) -> str:
    """Reminders in one spelling, the earliest first: `24h 4h`, `off`; empty where they are none."""
    folded = plain(text).strip(" .")
    if folded in (OFF, "none", "never", "no"):
        return OFF
    found = list(_SPAN.finditer(folded))
    spans = sorted({int(each[1]) * _SECONDS[each[2]] for each in found}, reverse=True)
    is_all = not _BETWEEN.sub("", _SPAN.sub("", folded))
    good = is_all and 0 < len(spans) <= MOST_REMINDERS and all(0 < each <= _LONGEST.total_seconds() for each in spans)
    return " ".join(map(_span, spans)) if good else ""


def _span(seconds: int) -> str:
    return f"{seconds // 3600}h" if seconds % 3600 == 0 else f"{seconds // 60}m"


def reminders_of(setting: str) -> Sequence[timedelta] | None:
    """The reminders of a setting that `reminders_in` gave; None where there is none, so that the host's hold."""
    if not setting:
        return None
    return [timedelta(seconds=int(each[:-1]) * _SECONDS[each[-1]]) for each in setting.split() if setting != OFF]


def in_quiet_hours(at: datetime, quiet: str, zone: tzinfo) -> tuple[datetime, datetime] | None:
    """The quiet hours, `22:00-08:00` in a zone, that a moment is in: when they begin and end; None where it is in none."""
    if not quiet:
        return None
    begin, end = map(time.fromisoformat, quiet.split("-"))
    today = at.astimezone(zone).date()
    for day in (today - timedelta(days=1), today):
        until = day if begin < end else day + timedelta(days=1)
        hours = datetime.combine(day, begin, zone), datetime.combine(until, end, zone)
        begins, ends = (each.astimezone(at.tzinfo) for each in hours)
        if begins <= at < ends:
            return begins, ends
    return None


def outside(at: datetime, due_at: datetime, hours: tuple[datetime, datetime] | None) -> datetime:
    """When to remind instead of at a moment within quiet hours: behind them where half the time is left then, else before."""
    if hours is None:
        return at
    begins, ends = hours
    return ends if (due_at - ends) * 2 >= due_at - at else begins - BEFORE_QUIET


def next_daily(now: datetime, letters: str, zone: tzinfo) -> datetime | None:
    """When the next daily letter comes by a setting `daily 18:00`; None by any other."""
    kind, _, hour = letters.partition(" ")
    if kind != "daily":
        return None
    today = now.astimezone(zone).date()
    days = (today + timedelta(days=each) for each in range(3))
    moments = (datetime.combine(day, time.fromisoformat(hour), zone).astimezone(now.tzinfo) for day in days)
    return next(each for each in moments if each > now)
