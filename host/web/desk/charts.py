"""Pure: how mail flows, as columns of a chart. In: the moments of the latest mails. Out: columns by hour or day, with heights."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

BY_DAY_FROM = timedelta(days=3)
"""A column is an hour, or a day where the mails span more than this."""
MOST_COLUMNS = 48
WIDTH, HEIGHT, WIDEST = 640, 120, 40.0


@dataclass(frozen=True)
class Chart:
    """A drawing of 640 by 120: bars by hour or by day, the first and last of them in words, what became of the mails."""

    columns: tuple[dict[str, object], ...]
    first: str
    last: str
    most: int
    states: tuple[tuple[str, int], ...]
    seconds: float | None
    count: int


def chart(times: Sequence[tuple[datetime, datetime | None, str]]) -> Chart:
    """The chart of mails or letters: of each when it began, when it was done with, its state.

    Mails begin when they arrive and are done with when they are fetched, letters when they are written and when a server accepts
    them. `seconds` is the median of what lies between.
    """
    moments = [began for began, _, _ in times]
    waits = sorted(max((ended - began).total_seconds(), 0.0) for began, ended, _ in times if ended is not None)
    counted = Counter(state for _, _, state in times).most_common()
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
        {
            "x": round((shown - 1 - at) * width, 1),
            "y": round(HEIGHT - HEIGHT * count / most, 1),
            "width": round(max(width - 2, 1), 1),
            "height": round(HEIGHT * count / most, 1),
            "words": f"{(newest - at * step).strftime(form)}: {count}",
        }
        for at, count in sorted(counts.items(), reverse=True)
    )
    first, last = ((newest - at * step).strftime(form) for at in (shown - 1, 0))
    median = waits[len(waits) // 2] if waits else None
    return Chart(columns, first, last, most, tuple(counted), median, len(moments))


def _start(at: datetime, is_by_day: bool) -> datetime:
    whole = at.astimezone(UTC).replace(minute=0, second=0, microsecond=0)
    return whole.replace(hour=0) if is_by_day else whole
