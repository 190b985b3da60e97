"""Pure: calendar files (RFC 5545, 5546). In: a deadline, when the file is written. Out: a file that a calendar takes in,
updates its entry by, or takes it out by."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta


@dataclass(frozen=True)
class Entry:
    """A deadline in a calendar: `uid` stays the same, `version` grows when it moves. It is over where `is_met`."""

    uid: str
    version: int
    due_at: datetime
    title: str
    alarm: timedelta
    is_met: bool = False


def calendar_files(entries: Sequence[Entry], organizer: str, now: datetime) -> tuple[tuple[str, bytes, str], ...]:
    """A file for what is asked, and one for what is over: name, content, type. A method is of a whole file."""
    parts = (("deadline.ics", "PUBLISH", False), ("over.ics", "CANCEL", True))
    return tuple(
        (name, _file(some, method, organizer, now), f"text/calendar; method={method}; charset=utf-8")
        for name, method, is_met in parts
        if (some := [each for each in entries if each.is_met is is_met])
    )


def _file(entries: Sequence[Entry], method: str, organizer: str, now: datetime) -> bytes:
    import icalendar  # takes as long to load as all templates, and few want calendars

    calendar = icalendar.Calendar()
    calendar.add("prodid", "-//Podium//play by mail//EN")
    calendar.add("version", "2.0")
    calendar.add("method", method)
    for each in entries:
        event = icalendar.Event()
        event.add("uid", each.uid)
        event.add("sequence", each.version)
        event.add("dtstamp", now.astimezone(UTC))
        event.add("dtstart", each.due_at.astimezone(UTC))
        event.add("summary", each.title)
        event.add("organizer", f"mailto:{organizer}")
        event.add("transp", "TRANSPARENT")
        event.add("status", "CANCELLED" if each.is_met else "CONFIRMED")
        if not each.is_met:
            alarm = icalendar.Alarm()
            alarm.add("action", "DISPLAY")
            alarm.add("description", each.title)
            alarm.add("trigger", -each.alarm)
            event.add_component(alarm)
        calendar.add_component(event)
    return bytes(calendar.to_ical())
