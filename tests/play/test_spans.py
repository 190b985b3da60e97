"""How long, and until when, as people write it."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from host.play.spans import end_of_day, more_time
from host.turn.operator_commands import read_time

NOW = datetime(2026, 11, 24, 22, 30, tzinfo=ZoneInfo("America/New_York"))  # a Tuesday


@pytest.mark.parametrize(
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
    ],
)
def test_a_day_is_read_and_ends_at_midnight(text: str, day: int) -> None:
    found = more_time(text)
    assert isinstance(found, str)
    assert end_of_day(found, NOW) == datetime(2026, 11, 1, 23, 59, tzinfo=NOW.tzinfo) + timedelta(days=day - 1)


@pytest.mark.parametrize(
    "text", ["", "0h", "soon", "not Monday", "a day or two", "next year", "half a day", "Ann a day", "until", "1e3h"]
)
def test_anything_else_is_refused_with_what_to_write(text: str) -> None:
    with pytest.raises(ValueError, match=r"write how much more time|give more than no time"):
        read_time(text)
