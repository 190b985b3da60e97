"""Pure: what came of the rounds. In: figures by contender and round. Out: one Markdown table; ratios round by round."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

Rounds = Mapping[str, Sequence[Mapping[str, float]]]
"""By contender, the figures of each round."""


@dataclass(frozen=True)
class Figure:
    """A row of the table: the mode, what is measured, its key, how it is written; whether it is compared with others."""

    mode: str
    title: str
    key: str
    shape: str
    is_compared: bool = True


FIGURES = (
    *(
        Figure(mode, title, key, shape, is_compared)
        for mode in ("backlog", "burst")
        for title, key, shape, is_compared in (
            ("letters a second", "letters_s", "{:.0f}", True),
            ("moves (mails) a second", "mails_s", "{:.0f}", True),
            ("CPU ms a mail", "cpu_ms", "{:.2f}", True),
            ("PostgreSQL's own CPU ms a mail", "server_cpu_ms", "{:.2f}", False),
            ("peak MiB", "memory_mib", "{:.0f}", True),
        )
    ),
    Figure("latency", "median, ms", "p50_less_push_ms", "{:.1f}"),
    Figure("latency", "99 %, ms", "p99_less_push_ms", "{:.1f}"),
    Figure("instructions", "millions a mail", "millions", "{:.2f}"),
)
COMPARED_WITH = ("floor", "salmon")
"""Whose figures the others' are divided by."""


def spread(values: Sequence[float], shape: str = "{:.2f}") -> str:
    """The median, and in brackets the least and the most; of one value that, of none nothing."""
    if len(values) < 2:
        return "".join(map(shape.format, values))
    least, middle, most = (shape.format(each) for each in (min(values), median(values), max(values)))
    return f"{middle} [{least}–{most}]"


def ratios(rounds: Rounds, name: str, figure: str, peer: str = "floor") -> list[float]:
    """A contender's figure over a peer's, of the same round each."""
    pairs = zip(rounds.get(name, ()), rounds.get(peer, ()), strict=False)
    return [mine[figure] / theirs[figure] for mine, theirs in pairs if figure in mine and theirs.get(figure)]


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


def markdown(results: Mapping[str, Any], names: Sequence[str], staged: str) -> str:
    """All that was measured as one table: a column a contender, a row a figure, below it its ratios.

    The stages stand in the column of the contender `staged`, which is there only where something was measured of it.
    """
    measured = [results[mode] for mode in {figure.mode: None for figure in FIGURES} if mode in results]
    there = [name for name in names if any(rounds.get(name) for rounds in measured)]
    if "stages" in results and staged not in there:
        there.insert(0, staged)
    lines = [_row("", [f"`{name}`" for name in there]), _row("---", ["---"] * len(there))]
    for figure in FIGURES:
        lines += _rows(figure, results.get(figure.mode, {}), there)
    stages: dict[str, float] = results.get("stages", {})
    for stage, spent in ({**stages, "all": sum(stages.values())} if stages else {}).items():
        lines.append(_row(f"stages: {stage}, CPU ms a mail", [f"{spent:.2f}" * (name == staged) for name in there]))
    return "\n".join(lines)


def _rows(figure: Figure, rounds: Rounds, names: Sequence[str]) -> list[str]:
    cells = [
        spread([each[figure.key] for each in rounds.get(name, ()) if figure.key in each], figure.shape)
        for name in names
    ]
    if not any(cells):
        return []
    rows = [_row(f"{figure.mode}: {figure.title}", cells)]
    for peer in COMPARED_WITH if figure.is_compared else ():
        found = [spread(ratios(rounds, name, figure.key, peer)) if name != peer else "" for name in names]
        if any(found):
            rows.append(_row(f"… to the {peer}'s" if peer == "floor" else f"… to `{peer}`'s", found))
    return rows


def _row(head: str, cells: Sequence[str]) -> str:
    return f"| {head} | " + " | ".join(cells) + " |"
