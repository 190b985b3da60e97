"""When things are due (whole seconds, never early, only after the mailbox was read past it), and how people write it."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.play.deadlines import MAILBOX_GRACE, due, end_of_day, is_late, may_fire, more_time, next_reminder, reminders
from host.turn.operator_commands import read_time
from tests.rows import every

ASKED = datetime(2026, 11, 20, 12, 0, 0, tzinfo=UTC)
instants = st.integers(0, 3 * 10**15).map(lambda us: datetime(2000, 1, 1, tzinfo=UTC) + timedelta(microseconds=us))
durations = st.integers(1, 10**7).map(lambda seconds: timedelta(seconds=seconds))


def at(seconds: float) -> datetime:
    return ASKED + timedelta(seconds=seconds)


def test_a_deadline_is_a_whole_second() -> None:
    assert due(ASKED, timedelta(hours=48)) == datetime(2026, 11, 22, 12, 0, 0, tzinfo=UTC)
    assert due(at(0.000001), timedelta(seconds=30)) == at(31)
    assert due(at(0.999999), timedelta(seconds=30)) == at(31)


@given(instants, durations)
def test_a_deadline_is_never_early_and_at_most_a_second_late(asked: datetime, within: timedelta) -> None:
    found = due(asked, within)
    assert found.microsecond == 0
    assert asked + within <= found < asked + within + timedelta(seconds=1)


@pytest.mark.parametrize(
    ("arrived", "late"), [(-1, False), (0, False), (0.9, False), (1, True), (1.5, True), (100, True)]
)
def test_the_deadlines_own_second_is_in_time(arrived: float, late: bool) -> None:
    assert is_late(at(arrived), ASKED) is late


@every(
    ("now", "read", "fires"),
    [
        (0, None, False),
        (100, None, False),
        (0.5, 100, False),
        (100, 0, False),
        (100, 1, False),
        (100, 2.9, False),
        (100, 3, True),
        (3, 3, True),
        (0, 3, False),
        (1, 3, True),
    ],
)
def test_it_fires_after_its_second_and_a_whole_reading(now: float, read: float | None, fires: bool) -> None:
    assert may_fire(ASKED, at(now), None if read is None else at(read)) is fires


def test_what_was_in_time_is_never_overlooked() -> None:
    assert timedelta(seconds=1) <= MAILBOX_GRACE


def hours(*counts: int) -> list[timedelta]:
    return [timedelta(hours=count) for count in counts]


@pytest.mark.parametrize(
    ("within", "before", "wanted"),
    [
        (48, hours(24, 6), [86400, 21600]),
        (48, hours(6, 24), [86400, 21600]),
        (24, hours(24, 6), [21600]),
        (6, hours(24, 6), []),
        (48, [], []),
        (48, hours(0, 24, 24), [86400]),
    ],
)
def test_reminders_shorter_than_the_time(within: int, before: list[timedelta], wanted: list[int]) -> None:
    assert reminders(timedelta(hours=within), before) == wanted


def test_the_next_reminder() -> None:
    left = [86400, 21600]
    due_at = ASKED + timedelta(hours=48)
    assert next_reminder(due_at, left, ASKED) == (at(86400), left)
    assert next_reminder(due_at, left, at(86399)) == (at(86400), left)
    assert next_reminder(due_at, left, at(86400)) == (due_at - timedelta(hours=6), [21600])
    assert next_reminder(due_at, left, at(48 * 3600)) == (None, [])
    assert next_reminder(due_at, [], ASKED) == (None, [])


@given(instants, durations, st.lists(durations, max_size=5), st.integers(0, 10**7))
def test_a_reminder_lies_between_now_and_the_deadline(
    asked: datetime, within: timedelta, before: list[timedelta], later: int
) -> None:
    due_at, now = due(asked, within), asked + timedelta(seconds=later)
    left = reminders(within, before)
    assert left == sorted(set(left), reverse=True)
    when, rest = next_reminder(due_at, left, now)
    assert (when is None) == (not rest)
    assert when is None or now < when < due_at
    assert set(rest) <= set(left)


NOW = datetime(2026, 11, 24, 22, 30, tzinfo=ZoneInfo("America/New_York"))  # a Tuesday


@every(
    ("text", "hours"),
    [
        ("24h", 24),
        ("2 d", 48),
        ("1d 12h", 36),
        ("24 hours", 24),
        ("a day", 24),
        ("A Day more", 24),
        ("another day", 24),
        ("another 2 days", 48),
        ("two more days", 48),
        ("by 36 hours", 36),
        ("a couple of days", 48),
        ("for a week", 168),
    ],
)
def test_a_span_is_read(text: str, hours: int) -> None:
    assert read_time(text) == timedelta(hours=hours)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("until Monday", 30),
        ("till the end of Monday", 30),
        ("Tuesday", 31),
        ("tomorrow", 25),
        ("until today", 24),
        ("to the 28th of November", 28),
        ("Nov 28", 28),
        (f"until {NOW:%B} {NOW.day}", 24),
    ],
)
def test_a_day_is_read_and_ends_at_midnight(text: str, day: int) -> None:
    found = more_time(text)
    assert isinstance(found, str)
    assert end_of_day(found, NOW) == datetime(2026, 11, 1, 23, 59, tzinfo=NOW.tzinfo) + timedelta(days=day - 1)


@every(
    "text",
    [
        "",
        "0h",
        "soon",
        "not Monday",
        "a day or two",
        "next year",
        "half a day",
        "Ann a day",
        "until",
        "1e3h",
        "until 31 Feb",
        "99 Dec",
    ],
)
def test_anything_else_is_refused_with_what_to_write(text: str) -> None:
    with pytest.raises(ValueError, match=r"write how much more time|give more than no time"):
        read_time(text)
