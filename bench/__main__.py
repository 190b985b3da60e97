"""Shell: `python -m bench`. In: what to measure. Out: one table in Markdown, and JSON where a file is named."""

import argparse
import json
import os
import platform
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any

from bench import growth, instructions, measure, peer, servers, stages, table
from bench.contenders import NAMES
from tests.wire.world import a_short_folder

MODES = ("backlog", "burst", "latency")
USUAL = (*MODES, "instructions", "stages")


def say(text: str) -> None:
    """A line for whoever waits."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def arguments(words: Sequence[str]) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="bench", description="What a mail costs, beside what it must cost.")
    parser.add_argument("what", nargs="*", choices=[*USUAL, "growth", []], help=f"by default {USUAL}")
    usual = [name for name in NAMES if name not in measure.ONLY]
    parser.add_argument("--contenders", nargs="+", choices=list(NAMES), default=usual)
    parser.add_argument("--mails", type=int, default=2000, help="replies in backlog and burst, and for stages")
    parser.add_argument("--latencies", type=int, default=100, help="replies in latency")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1000, 10_000, 1_000_000], help="episodes, for growth")
    parser.add_argument("--idle", type=float, default=60, help="seconds of the idle minute, for growth")
    parser.add_argument("--deadlines", type=int, default=100_000, help="that fall due in one minute, for growth")
    parser.add_argument("--deadline-seconds", type=float, default=120, help="how long they are watched, for growth")
    parser.add_argument("--database", choices=["sqlite", "postgresql"], default="sqlite", help="for growth and stages")
    parser.add_argument("--profile", type=Path, help="for stages: pyinstrument's profile of the worst one, as text")
    parser.add_argument("--json", type=Path, help="write all figures there")
    return parser.parse_args(words)


def contend(asked: argparse.Namespace, modes: Sequence[str], counts: bool) -> dict[str, Any]:
    """Backlog, burst and latency: contenders alternate, round after round. Instructions, once."""
    results: dict[str, Any] = {mode: {name: [] for name in asked.contenders} for mode in modes}
    with (
        a_short_folder(is_on_disk=True) as folder,
        servers.running(folder, bool({"postgresql", "pair"} & set(asked.contenders))) as those,
    ):
        most = max([asked.mails, asked.latencies] if modes else [instructions.MANY])
        ground = measure.prepare(those, max(most, instructions.MANY if counts else 0), datetime.now(UTC))
        push = 0.0
        if "latency" in modes:
            delays = measure.push_delays(ground, ground.replies[:20])
            push = median(delays)
            results["push_ms"] = [each * 1000 for each in delays]
        for number in range(1, asked.rounds + 1):
            for mode in modes:
                order = asked.contenders if number % 2 else list(reversed(asked.contenders))
                for name in order:
                    if measure.ONLY.get(name, mode) != mode:
                        continue
                    figures = _one(mode, name, ground, asked, push)
                    results[mode][name].append(figures)
                    say(f"round {number} {mode} {name}: " + ", ".join(f"{k} {v:.4g}" for k, v in figures.items()))
        if counts:
            results["instructions"] = {}
            for name in [name for name in asked.contenders if name in instructions.COUNTED]:
                figures = instructions.a_mail(name, ground)
                results["instructions"][name] = [figures]
                say(f"instructions {name}: millions {figures['millions']:.4g}")
    return results


def _one(mode: str, name: str, ground: measure.Ground, asked: argparse.Namespace, push: float) -> dict[str, float]:
    if mode == "latency":
        delay = 0.0 if name == "salmon" else push  # no server has to tell it
        return table.latency_figures(measure.latency(name, ground, ground.replies[: asked.latencies]), delay)
    return measure.VOLUMES[mode](name, ground, ground.replies[: asked.mails])


def main(words: Sequence[str]) -> None:
    """Measure what is asked for."""
    asked = arguments(words)
    what = asked.what or list(USUAL)
    results: dict[str, Any] = {
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
        "python": platform.python_version(),
        "cores": os.cpu_count(),
    }
    modes = [mode for mode in MODES if mode in what]
    counts = "instructions" in what and instructions.is_there()
    if modes or counts:
        if set(measure.SALMON) & set(asked.contenders):
            try:
                peer.python()  # before the rounds begin
            except RuntimeError as error:
                sys.exit(f"bench: {error}")
        results |= contend(asked, modes, counts)
    if "stages" in what:
        results["stages"] = stages.run(asked.mails, asked.database, asked.profile, say)
    if "growth" in what:
        results["growth"] = growth.run(asked, say)
    if set(what) - {"growth"}:
        say("\n" + table.markdown(results, asked.contenders, "podium" if asked.database == "sqlite" else "postgresql"))
    if "instructions" in what and not counts:
        say("Instructions were not counted: that takes valgrind (on Debian, apt-get install valgrind).")
    if asked.json:
        asked.json.write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
