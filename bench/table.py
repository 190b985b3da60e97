"""Pure: what came of the rounds. In: figures by contender and round. Out: lines of text; ratios round by round."""

from collections.abc import Mapping, Sequence
from statistics import median

Rounds = Mapping[str, Sequence[Mapping[str, float]]]
"""By contender, the figures of each round."""

SHOWN = (
    ("letters/s", "letters_s", "{:.0f}"),
    ("moves/s", "mails_s", "{:.0f}"),
    ("CPU ms a mail", "cpu_ms", "{:.2f}"),
    ("peak MiB", "memory_mib", "{:.0f}"),
)
FLOOR = "floor"


def spread(values: Sequence[float], shape: str = "{:.2f}") -> str:
    """The median, and in brackets the least and the most."""
    least, middle, most = (shape.format(each) for each in (min(values), median(values), max(values)))
    return f"{middle} [{least}–{most}]"


def ratios(rounds: Rounds, name: str, figure: str) -> list[float]:
    """A contender's figure over the floor's, of the same round each."""
    pairs = zip(rounds[name], rounds.get(FLOOR, ()), strict=False)
    return [mine[figure] / floor[figure] for mine, floor in pairs if figure in mine and floor.get(figure)]


def volume_table(mode: str, rounds: Rounds) -> str:
    """Backlog or burst: a line a contender, and below it its ratios to the floor."""
    lines = [mode, _row("", [title for title, _, _ in SHOWN])]
    for name, figures in rounds.items():
        lines.append(_row(name, [spread([each[key] for each in figures], shape) for _, key, shape in SHOWN]))
        if name != FLOOR and rounds.get(FLOOR):
            lines.append(_row("  / floor", [spread(ratios(rounds, name, key)) for _, key, _ in SHOWN]))
        extra = [each["server_cpu_ms"] for each in figures if "server_cpu_ms" in each]
        if extra:
            lines.append(f"  PostgreSQL's own CPU ms a mail: {spread(extra)}")
    return "\n".join(lines)


def percentile(values: Sequence[float], part: float) -> float:
    """The value below which `part` of all lie; the nearest of them."""
    return sorted(values)[min(int(len(values) * part), len(values) - 1)]


def latency_figures(seconds: Sequence[float], push: float) -> dict[str, float]:
    """p50 and p99 in milliseconds, as measured and less the server's push delay."""
    figures = {}
    for title, part in (("p50", 0.5), ("p99", 0.99)):
        measured = percentile(seconds, part)
        figures[f"{title}_ms"] = measured * 1000
        figures[f"{title}_less_push_ms"] = max(measured - push, 0.0) * 1000
    return figures


def latency_table(rounds: Rounds, push: float) -> str:
    """Latency: a line a contender, and below it its ratios to the floor."""
    keys = ("p50_ms", "p50_less_push_ms", "p99_ms", "p99_less_push_ms")
    lines = [f"latency (server's push delay: {push * 1000:.0f} ms, taken off)"]
    lines.append(_row("", ["p50 ms", "p50 less push", "p99 ms", "p99 less push"]))
    for name, figures in rounds.items():
        lines.append(_row(name, [spread([each[key] for each in figures], "{:.1f}") for key in keys]))
        if name != FLOOR and rounds.get(FLOOR):
            lines.append(_row("  / floor", [spread(ratios(rounds, name, key) or [float("nan")]) for key in keys]))
    return "\n".join(lines)


def _row(head: str, cells: Sequence[str]) -> str:
    return f"{head:<12}" + "".join(f"{cell:>24}" for cell in cells)
