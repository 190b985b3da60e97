"""When episodes begin: the forms, the start before a moment and the one after it, changes of the clocks."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.play.starts import FORMS, OPEN_FOR, Starts, next_in_words, read_starts
from tests.rows import every

BERLIN, NEW_YORK = ZoneInfo("Europe/Berlin"), ZoneInfo("America/New_York")
SIX = time(18)
MONDAYS = read_starts("Mondays 18:00")


def at(text: str, zone: ZoneInfo = BERLIN) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=zone).astimezone(UTC)


@every(
    ("text", "wanted"),
    [
        ("Mondays 18:00", Starts(SIX, frozenset({0}))),
        ("monday 18:00", Starts(SIX, frozenset({0}))),
        ("  MONDAYS   18:00 ", Starts(SIX, frozenset({0}))),
        ("Mondays, Thursdays 18:00", Starts(SIX, frozenset({0, 3}))),
        ("Mondays and Thursdays 18:00", Starts(SIX, frozenset({0, 3}))),
        ("Monday, Wednesday, and Sunday 9:05", Starts(time(9, 5), frozenset({0, 2, 6}))),
        ("Monday, Wednesday and Sunday, 09:05", Starts(time(9, 5), frozenset({0, 2, 6}))),
        ("daily 18:00", Starts(SIX, frozenset(range(7)))),
        ("Every 14 days from 2026-12-07 18:00", Starts(SIX, every=14, since=date(2026, 12, 7))),
    ],
)
def test_the_forms(text: str, wanted: Starts) -> None:
    assert read_starts(text) == wanted
    assert read_starts(wanted) is wanted


@every(
    "value",
    [
        *(
            "",
            "Mondays",
            "18:00",
            "Mondays 24:00",
            "Mondays 18:60",
            "Mondays 6 pm",
            "Mondais 18:00",
            "Mondays 18:00 sharp",
        ),
        *(
            "Mondays Thursdays 18:00",
            "Mondays or Thursdays 18:00",
            "weekly 18:00",
            "every 0 days from 2026-12-07 18:00",
        ),
        *("every 400 days from 2026-12-07 18:00", "every 14 days 18:00", "every 14 days from 2026-02-30 18:00"),
        *(None, 18, time(18), ["Mondays 18:00"], True),
    ],
)
def test_anything_else_is_refused_with_the_forms(value: object) -> None:
    with pytest.raises(ValueError) as caught:
        read_starts(value)
    assert str(caught.value) == FORMS


@given(st.text(max_size=30))
def test_a_text_is_a_form_or_not(text: str) -> None:
    try:
        assert read_starts(text)
    except ValueError as error:
        assert str(error) == FORMS


@pytest.mark.parametrize(
    ("now", "last", "after"),
    [
        ("2026-12-07T17:59:59", "2026-11-30T18:00", "2026-12-07T18:00"),
        ("2026-12-07T18:00", "2026-12-07T18:00", "2026-12-14T18:00"),
        ("2026-12-13T12:00", "2026-12-07T18:00", "2026-12-14T18:00"),
    ],
)
def test_a_week(now: str, last: str, after: str) -> None:
    assert MONDAYS.last_before(at(now), BERLIN) == at(last)
    assert MONDAYS.next_after(at(now), BERLIN) == at(after)


def test_every_fourteen_days_begin_with_their_first() -> None:
    starts = read_starts("every 14 days from 2026-12-07 18:00")
    assert starts.last_before(at("2026-12-07T17:00"), BERLIN) is None
    assert not starts.is_open(at("2026-12-07T17:00"), BERLIN)
    assert starts.next_after(at("2026-01-01T00:00"), BERLIN) == at("2026-12-07T18:00")
    assert starts.next_after(at("2026-12-07T18:00"), BERLIN) == at("2026-12-21T18:00")
    assert starts.last_before(at("2026-12-21T17:00"), BERLIN) == at("2026-12-07T18:00")


def test_it_is_open_for_a_day() -> None:
    start = at("2026-12-07T18:00")
    assert not MONDAYS.is_open(start - timedelta(seconds=1), BERLIN)
    assert MONDAYS.is_open(start, BERLIN)
    assert MONDAYS.is_open(start + OPEN_FOR - timedelta(seconds=1), BERLIN)
    assert not MONDAYS.is_open(start + OPEN_FOR, BERLIN)


def test_the_hour_on_the_wall_stays_over_a_change_of_the_clocks() -> None:
    assert MONDAYS.last_before(at("2026-10-20T12:00"), BERLIN) == datetime(2026, 10, 19, 16, tzinfo=UTC)
    assert MONDAYS.next_after(at("2026-10-20T12:00"), BERLIN) == datetime(2026, 10, 26, 17, tzinfo=UTC)


def test_a_time_that_is_left_out_moves_to_the_next_that_there_is() -> None:
    sundays = read_starts("Sundays 2:30")
    assert sundays.next_after(at("2027-03-27T12:00"), BERLIN) == at("2027-03-28T03:00")
    assert sundays.next_after(at("2027-03-13T12:00", NEW_YORK), NEW_YORK) == at("2027-03-14T03:00", NEW_YORK)


def test_a_time_that_comes_twice_is_the_first() -> None:
    sundays = read_starts("Sundays 2:30")
    first = datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
    assert sundays.next_after(at("2026-10-24T12:00"), BERLIN) == first
    assert sundays.next_after(first, BERLIN) == at("2026-11-01T02:30")


@given(
    st.sampled_from(
        ["Mondays 2:30", "daily 2:30", "Tuesdays, Sundays 00:00", "every 9 days from 2026-03-01 23:59"]
    ).map(read_starts),
    st.integers(0, 2_000_000).map(lambda minutes: datetime(2026, 4, 1, tzinfo=UTC) + timedelta(minutes=minutes)),
    st.sampled_from([BERLIN, NEW_YORK, ZoneInfo("Australia/Lord_Howe")]),
)
def test_no_start_lies_between_the_last_and_the_next(starts: Starts, now: datetime, zone: ZoneInfo) -> None:
    last, after = starts.last_before(now, zone), starts.next_after(now, zone)
    assert last is not None
    assert last <= now < after
    assert starts.last_before(after, zone) == after
    assert starts.next_after(last, zone) == after


@pytest.mark.parametrize(
    ("text", "now", "said"),
    [
        ("Mondays 18:00", "2026-12-03T12:00", "The next episodes begin on Monday, 7 December, 18:00 (Europe/Berlin)."),
        (
            "Mondays 18:00",
            "2026-12-07T19:00",
            "Episodes begin until Tuesday, 8 December, 18:00, and then again from Monday, 14 December, 18:00 (Europe/Berlin) on.",
        ),
        (
            "daily 18:00",
            "2026-12-07T19:00",
            "Episodes begin until Tuesday, 8 December, 06:00, and then again from Tuesday, 8 December, 18:00 (Europe/Berlin) on.",
        ),
        ("daily 18:00", "2026-12-07T10:00", "The next episodes begin on Monday, 7 December, 18:00 (Europe/Berlin)."),
    ],
)
def test_the_next_start_in_words(text: str, now: str, said: str) -> None:
    assert next_in_words(read_starts(text), at(now), BERLIN, "Europe/Berlin") == said
