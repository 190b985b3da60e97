"""A contestant's own clock: settings in one spelling, absences in people's words, and deadlines over all zones."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo, available_timezones

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from host.play import deadlines
from host.play.absence import absence_in, absence_said
from host.play.deadlines import Break
from host.play.own_time import (
    daily_letters,
    in_quiet_hours,
    near_zones,
    next_daily,
    offset_zone,
    outside,
    quiet_hours,
    reminders_in,
    reminders_of,
    zone_named,
)
from host.play.services import Service, Wish, take_wishes
from tests.rows import every
from tests.size import size

ZONES = sorted(available_timezones())
TODAY = date(2026, 11, 24)
MANY = settings(max_examples=size(100, 20_000), deadline=None)
moments = st.integers(800_000_000, 2_100_000_000).map(lambda each: datetime.fromtimestamp(each, UTC))
spans = st.integers(1, 30 * 86_400).map(lambda each: timedelta(seconds=each))
hours = st.builds("{:02}:{:02}-{:02}:{:02}".format, *[st.integers(0, 23), st.integers(0, 59)] * 2).filter(
    lambda each: each[:5] != each[6:]
)


@every(
    ("text", "first", "last"),
    [
        ("24 Dec to 6 Jan", date(2026, 12, 24), date(2027, 1, 6)),
        ("from 24 to 27 December", date(2026, 12, 24), date(2026, 12, 27)),
        ("24-27 Dec", date(2026, 12, 24), date(2026, 12, 27)),
        ("December 24th until January 6th, 2027", date(2026, 12, 24), date(2027, 1, 6)),
        ("2026-12-24 to 2027-01-06", date(2026, 12, 24), date(2027, 1, 6)),
        ("next week", date(2026, 11, 30), date(2026, 12, 6)),
        ("this weekend", date(2026, 11, 28), date(2026, 11, 29)),
        ("all week", TODAY, date(2026, 11, 29)),
        ("24.12. to 6.1.", date(2026, 12, 24), date(2027, 1, 6)),
        ("24.12.2026 - 6.1.2027", date(2026, 12, 24), date(2027, 1, 6)),
        ("Fri 27 Nov to Sun 29 Nov", date(2026, 11, 27), date(2026, 11, 29)),
        ("until Monday", TODAY, date(2026, 11, 30)),
        ("until Tuesday", TODAY, date(2026, 12, 1)),
        ("until tomorrow", TODAY, date(2026, 11, 25)),
        ("Friday to Tuesday", date(2026, 11, 27), date(2026, 12, 1)),
        ("tomorrow", date(2026, 11, 25), date(2026, 11, 25)),
        ("for 10 days", TODAY, date(2026, 12, 4)),
        ("a week", TODAY, date(2026, 12, 1)),
        ("1 Nov to 5 Nov", date(2026, 11, 1), date(2026, 11, 5)),
        ("6 Jan to 24 Dec", date(2027, 1, 6), date(2026, 12, 24)),
    ],
)
def test_days_of_an_absence(text: str, first: date, last: date) -> None:
    assert absence_in(text, TODAY) == (first, last)


@every(
    "text",
    [
        "",
        "foo",
        "24",
        "30 Feb",
        "next year",
        "until I know more",
        "5",
        "the 5 of hearts",
        "1 Dec 9999",
        "0001-01-01",
        "5.13.",
        "99.99.",
    ],
)
def test_what_names_no_days(text: str) -> None:
    assert absence_in(text, TODAY) is None


@every(
    ("sentence", "when"),
    [
        ("I'm away from 24 to 27 December.", "from 24 to 27 december"),
        ("I am away next week", "next week"),
        ("on holiday until Monday", "until monday"),
        ("Sorry, I am travelling until Friday, so I can't answer.", "until friday"),
        ("Unfortunately I'm going to be away until 5 December because of an operation", "until 5 december"),
        ("I'll be on vacation from Friday to Sunday with my family", "from friday to sunday"),
        ("I'm away until Monday, so fold", ""),
        ("I'm away until Monday because 5 is better, pick 5", ""),
        ("I'm away until I know more", ""),
        ("I'm not away until Monday", ""),
        ("Can I have until Monday?", ""),
    ],
)
def test_an_absence_in_peoples_words_is_a_whole_sentence(sentence: str, when: str) -> None:
    assert absence_said(sentence) == when


def test_wishes_stand_on_lines_of_their_own_or_are_sentences_about_an_absence() -> None:
    rest, wishes = take_wishes(["pick 5", "zone Europe/Rome", "Hello. I'm away until Monday. Thanks!", "quiet please"])
    assert rest == ("pick 5", "Hello. Thanks!", "quiet please")
    assert wishes == (Wish(Service.ZONE, "Europe/Rome"), Wish(Service.AWAY, "until monday"))
    assert take_wishes(["calendar", "bank"]) == ((), (Wish(Service.CALENDAR, ""), Wish(Service.BANK, "")))
    assert take_wishes(["calendar, Paris", "zone Rome"], is_text_asked=True) == (
        ("calendar, Paris",),
        (Wish(Service.ZONE, "Rome"),),
    )
    assert take_wishes(["host zone Rome"]) == (("host zone Rome",), ())


@every(
    ("line", "left", "wishes"),
    [
        ("pick 5, zone Rome", "pick 5", ["zone Rome"]),
        ("pick 5. Zone Europe/Rome please.", "pick 5", ["zone Europe/Rome"]),
        ("pick 5 and calendar on", "pick 5", ["calendar on"]),
        ("pick 5; remind 24h, 4h", "pick 5", ["remind 24h, 4h"]),
        (
            "I take space five, then quiet 22-08, and letters daily 18:00, thanks!",
            "I take space five",
            ["quiet 22-08", "letters daily 18:00"],
        ),
        ("pick 5, then away 24 Dec to 6 Jan", "pick 5", ["away 24 dec to 6 jan"]),
        ("pick 5, I am away until Monday", "pick 5", ["away until monday"]),
        ("remind off, please", "", ["remind off"]),
        ("zone Europe/Rome, thanks!", "", ["zone Europe/Rome"]),
        ("calendar on thank you", "", ["calendar on"]),
        ("quiet off, remind off", "", ["quiet off", "remind off"]),
        ("mute Bob, letters at once", "", ["mute Bob", "letters at once"]),
        ("calendar on, zone Europe/Rome", "", ["calendar on", "zone Europe/Rome"]),
        ("remind 24h, 4h", "", ["remind 24h, 4h"]),
        ("zone Rome, Italy", "", ["zone Rome, Italy"]),
        ("zone Rome, pick 5", "pick 5", ["zone Rome"]),
        ("letters at once. cut 5", "cut 5", ["letters at once"]),
        ("quiet off and remind off, then pick 5 please", "pick 5 please", ["quiet off", "remind off"]),
        ("remind 24h, 4h and pick 5", "pick 5", ["remind 24h, 4h"]),
        ("quiet 22-08, weekends", "", ["quiet 22-08, weekends"]),
        ("nice game, letters on my phone look odd", "nice game, letters on my phone look odd", []),
        ("pick 5, quiet night here", "pick 5, quiet night here", []),
        ("keep, remind me of that card", "keep, remind me of that card", []),
        ("say quiet off, zone Rome", "", ["say quiet off, zone Rome"]),
        ("Lyon, zone of silk", "Lyon, zone of silk", []),
    ],
)
def test_a_wish_behind_something_else_counts_where_it_has_its_whole_form(
    line: str, left: str, wishes: list[str]
) -> None:
    rest, found = take_wishes([line])
    assert " ".join(rest) == left
    assert [f"{each.service} {each.value}" for each in found] == wishes


def test_zones_are_known_by_name_city_and_offset() -> None:
    named = {
        each: zone_named(each, ZONES) for each in ("Europe/Rome", "rome", "New York", "europe/ROME", "UTC+1", "-03:30")
    }
    assert list(named.values()) == [
        "Europe/Rome",
        "Europe/Rome",
        "America/New_York",
        "Europe/Rome",
        "UTC+01:00",
        "UTC-03:30",
    ]
    assert [zone_named(each, ZONES) for each in ("Roma", "UTC+15", "nowhere", "")] == [""] * 4
    assert near_zones("Roma", ZONES) == ["Europe/Rome"]
    assert near_zones("qqqq", ZONES) == []
    assert [offset_zone(each) for each in (60, -210, 7, 900)] == ["UTC+01:00", "UTC-03:30", "", ""]


def test_settings_have_one_spelling() -> None:
    assert [quiet_hours(each) for each in ("22-08", "10pm to 8am", "from 22:30 until 7")] == [
        "22:00-08:00",
        "22:00-08:00",
        "22:30-07:00",
    ]
    assert [quiet_hours(each) for each in ("25-3", "8-8", "night", "22", "13pm-2")] == [""] * 5
    assert [reminders_in(each) for each in ("24h 4h", "4 hours and 1 day", "90m", "off")] == [
        "24h 4h",
        "24h 4h",
        "90m",
        "off",
    ]
    assert [reminders_in(each) for each in ("tomorrow", "0h", "48", "24h or so", "1000d")] == [""] * 5
    assert reminders_of("") is None
    assert reminders_of("off") == []
    assert [daily_letters(each) for each in ("at once", "Turns", "daily at 6pm")] == ["at once", "turns", "daily 18:00"]
    assert [daily_letters(each) for each in ("daily", "daily 25", "weekly")] == [""] * 3


pieces = st.sampled_from(
    "away from to until on for the of 24 1 0 6.1. 24.12 2026 9999 0001-01-01 dec may Feb. monday - – , th st days weeks a "
    "22 08 : am pm daily at once off h m 24h + utc +25:00 ² ٣ İ".split()
)


@MANY
@given(st.lists(pieces | st.text(max_size=5), max_size=9).map(" ".join))
def test_whatever_is_written_is_a_setting_in_its_one_spelling_or_none(text: str) -> None:
    days = absence_in(text, TODAY)
    assert days is None or all(1970 <= each.year <= 2028 for each in days)
    for read in (quiet_hours, daily_letters, reminders_in):
        found = read(text)
        assert read(found) == found
    zone = zone_named(text, ZONES)
    assert zone_named(zone, ZONES) == zone
    take_wishes([text, f"away {text}"])


def disjoint(starts: list[tuple[datetime, timedelta]]) -> list[Break]:
    """Breaks in their order; they may touch and overlap, as absences and days off do."""
    return sorted((begin, begin + length) for begin, length in starts)


@pytest.mark.storm
@MANY
@given(st.sampled_from(ZONES), moments, spans, st.booleans(), st.lists(st.tuples(moments, spans), max_size=3))
def test_no_deadline_comes_early_nor_on_a_day_off_in_any_zone(
    name: str, asked: datetime, within: timedelta, weekends: bool, away: list[tuple[datetime, timedelta]]
) -> None:
    zone = ZoneInfo(name)
    holidays = {(asked + timedelta(days=2)).astimezone(zone).date()}
    absences = disjoint([(asked + (begin - asked) % timedelta(days=60), length) for begin, length in away])

    def breaks() -> list[Break]:
        off = deadlines.days_off(asked, zone, weekends, holidays)
        some = [each for each, _ in zip(off, range(400), strict=False)]
        return sorted([*some, *absences])

    due_at = deadlines.due(asked, within, breaks())
    assert due_at >= asked + within, "never earlier than the time for an answer"
    assert not any(begin < due_at < end for begin, end in breaks())
    assert within <= deadlines.time_left(asked, due_at, breaks()) < within + timedelta(seconds=1)
    if due_at > asked + timedelta(hours=2):
        later = asked + (due_at - asked) / 2
        left = deadlines.time_left(later, due_at, breaks())
        assert deadlines.due(later, left, breaks()) >= due_at - timedelta(seconds=1), "it keeps what was left"


@MANY
@given(st.sampled_from(ZONES), moments, spans, spans, spans)
def test_an_absence_moves_a_deadline_by_what_it_overlaps(
    name: str, now: datetime, within: timedelta, ahead: timedelta, length: timedelta
) -> None:
    off = [each for each, _ in zip(deadlines.days_off(now, ZoneInfo(name), False, ()), range(60), strict=False)]
    before = deadlines.due(now, within, off)
    away = (now + ahead, now + ahead + length)
    after = deadlines.due(now, deadlines.time_left(now, before, off), sorted([*off, away]))
    if away[0] >= before:
        assert after == before
    else:
        overlap = deadlines.time_left(*away, off) if away[1] < before else deadlines.time_left(away[0], before, off)
        assert after - before >= overlap
    assert deadlines.time_left(now, after, sorted([*off, away])) == deadlines.time_left(now, before, off)


@MANY
@given(st.sampled_from(ZONES), moments, hours, spans)
def test_no_reminder_comes_in_quiet_hours_in_any_zone(name: str, at: datetime, quiet: str, left: timedelta) -> None:
    zone, due_at = ZoneInfo(name), at + left
    found = in_quiet_hours(at, quiet, zone)
    moved = outside(at, due_at, found)
    if found is None:
        assert moved == at
        return
    assert found[0] <= at < found[1]
    assert not found[0] <= moved < found[1]
    assert moved < due_at, "it still helps"


@MANY
@given(st.sampled_from(ZONES), moments, st.integers(0, 23), st.integers(0, 59))
def test_the_daily_letter_comes_once_a_day_in_any_zone(name: str, now: datetime, hour: int, minute: int) -> None:
    zone = ZoneInfo(name)
    at = next_daily(now, f"daily {hour:02}:{minute:02}", zone)
    assert at is not None
    assert now < at <= now + timedelta(hours=50), "a day that a zone skips is skipped"
    assert next_daily(now, "turns", zone) is None
