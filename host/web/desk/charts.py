"""Pure: how mail flows, as columns of a chart. In: the moments of the latest mails. Out: columns by hour or day, with heights."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

BY_DAY_FROM = timedelta(days=3)
"""Where the mails span more, a column is a day, else an hour."""
MOST_COLUMNS = 48
WIDTH, HEIGHT, WIDEST = 640, 120, 40.0


@dataclass(frozen=True)
class Column:
    """One bar of the drawing, in its own units, and what it says."""

    x: float
    y: float
    width: float
    height: float
    words: str


@dataclass(frozen=True)
class Chart:
    """A drawing of 640 by 120: bars by hour or by day, the first and last of them in words, what became of the mails."""

    columns: tuple[Column, ...]
    first: str
    last: str
    most: int
    states: tuple[tuple[str, int], ...]
    seconds: float | None
    count: int


def chart_of_mails(times: Sequence[tuple[datetime, datetime, str]]) -> Chart:
    """Of mails that came: by when they arrived. `seconds` is the median until they were fetched."""
    waits = [max((fetched - arrived).total_seconds(), 0.0) for arrived, fetched, _ in times]
    return _chart([arrived for arrived, _, _ in times], [state for *_, state in times], waits)


def chart_of_letters(times: Sequence[tuple[datetime, datetime | None, str]]) -> Chart:
    """Of letters: by when they were written. `seconds` is the median until a server accepted them."""
    waits = [max((sent - written).total_seconds(), 0.0) for written, sent, _ in times if sent is not None]
    return _chart([written for written, _, _ in times], [state for *_, state in times], waits)


def _chart(moments: Sequence[datetime], states: Sequence[str], waits: Sequence[float]) -> Chart:
    counted = Counter(states).most_common()
    if not moments:
        return Chart((), "", "", 0, (), None, 0)
    is_by_day = max(moments) - min(moments) > BY_DAY_FROM
    step = timedelta(days=1) if is_by_day else timedelta(hours=1)
    newest = _start(max(moments), is_by_day)
    places = [(newest - _start(each, is_by_day)) // step for each in moments]
    counts = Counter(each for each in places if each < MOST_COLUMNS)
    shown = max(counts) + 1
    most, width = max(counts.values()), min(WIDTH / shown, WIDEST)
    form = "%-d %b" if is_by_day else "%-d %b, %-I %p UTC"
    columns = tuple(
        Column(
            round((shown - 1 - at) * width, 1),
            round(HEIGHT - HEIGHT * count / most, 1),
            round(max(width - 2, 1), 1),
            round(HEIGHT * count / most, 1),
            f"{(newest - at * step).strftime(form)}: {count}",
        )
        for at, count in sorted(counts.items(), reverse=True)
    )
    first, last = ((newest - at * step).strftime(form) for at in (shown - 1, 0))
    return Chart(
        columns, first, last, most, tuple(counted), sorted(waits)[len(waits) // 2] if waits else None, len(moments)
    )


def _start(at: datetime, is_by_day: bool) -> datetime:
    whole = at.astimezone(UTC).replace(minute=0, second=0, microsecond=0)
    return whole.replace(hour=0) if is_by_day else whole
