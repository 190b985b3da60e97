"""Pure: episodes without mail. In: a game, how many, a seed. Out: who wins, what is paid, how much mail and time it takes.

Robots take one of the offered links at random, as a contestant would who only ever taps.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from host.chance import Chance, Stream
from host.game import Game
from host.mail.render import money

ANSWERING_HOURS = (1, 8, 24)


@dataclass
class Tally:
    """What the simulated episodes added up to; by seat where it is a list."""

    wins: list[int]
    paid: list[list[int]]
    mails_in: list[list[int]]
    mails_out: list[list[int]]
    endings: dict[str, int] = field(default_factory=dict)


def simulate(game: Game[Any, Any], episodes: int, seed: str, seats: int | None = None) -> dict[str, Any]:
    """Play `episodes` whole episodes; the same seed plays the same ones."""
    count = seats or min(game.seats)
    tally = Tally([0] * count, _lists(count), _lists(count), _lists(count))
    for number in range(episodes):
        material = hashlib.sha256(f"{seed}:{number}".encode()).digest()
        _play_one(game, count, Chance(material), tally)
    return _report(game, episodes, tally)


def _lists(count: int) -> list[list[int]]:
    return [[] for _ in range(count)]


def _play_one(game: Game[Any, Any], seats: int, chance: Chance, tally: Tally) -> None:
    robots = chance.stream("robots")
    state = game.deal(seats, {}, chance).state
    replies, asked = [0] * seats, [0] * seats
    while questions := game.questions(state):
        question = questions[robots.below(len(questions))]
        asked[question.seat] += 1
        choice = pick_choice(game, state, question, robots)
        replies[question.seat] += 1
        for text in choice:
            state = game.apply(state, question.seat, game.parse(text, state, question.seat), chance).state
    result = game.result(state)
    if result and result.winner is not None:
        tally.wins[result.winner] += 1
    ending = game.ending(state) or ""
    tally.endings[ending] = tally.endings.get(ending, 0) + 1
    for seat, amount in enumerate(game.winnings(state)):
        tally.paid[seat].append(amount)
        tally.mails_in[seat].append(replies[seat])
        tally.mails_out[seat].append(asked[seat])


def pick_choice(game: Game[Any, Any], state: Any, question: Any, robots: Stream) -> Sequence[str]:
    """One of the links, each kind of move as likely as the other."""
    choices = game.choices(state, question)
    kinds = sorted({choice.kind for choice in choices})
    kind = kinds[robots.below(len(kinds))]
    offered = [choice for choice in choices if choice.kind == kind]
    return offered[robots.below(len(offered))].say


def _report(game: Game[Any, Any], episodes: int, tally: Tally) -> dict[str, Any]:
    seats = range(len(tally.wins))
    replies = [sum(each) for each in zip(*tally.mails_in, strict=True)]
    return {
        "game": game.slug,
        "episodes": episodes,
        "wins": [tally.wins[seat] for seat in seats],
        "paid": [_spread(tally.paid[seat]) for seat in seats],
        "questions_asked": [_mean(tally.mails_out[seat]) for seat in seats],
        "replies": [_mean(tally.mails_in[seat]) for seat in seats],
        "days": {f"{hours}h an answer": round(_mean(replies) * hours / 24, 1) for hours in ANSWERING_HOURS},
        "endings": dict(sorted(tally.endings.items())),
    }


def _mean(values: Sequence[int]) -> float:
    return round(sum(values) / len(values), 2) if values else 0.0


def _spread(values: Sequence[int]) -> dict[str, float]:
    ranked = sorted(values)
    last = len(ranked) - 1
    return (
        {"mean": _mean(ranked), "low_5": ranked[int(last * 0.05)], "high_5": ranked[int(last * 0.95)]} if ranked else {}
    )


def in_words(report: dict[str, Any]) -> str:
    """The report for a person."""
    lines = [f"{report['episodes']} episodes of {report['game']}, links tapped at random"]
    for seat, wins in enumerate(report["wins"]):
        paid = report["paid"][seat]
        lines.append(
            f"  seat {seat}: wins {wins / max(report['episodes'], 1):6.1%}; paid {money(round(paid['mean']))} on average "
            f"(5 % get {money(paid['low_5'])} or less, 5 % {money(paid['high_5'])} or more); "
            f"{report['questions_asked'][seat]} questions and {report['replies'][seat]} replies"
        )
    days = ", ".join(f"{value} at {name}" for name, value in report["days"].items())
    lines.append(f"  days an episode takes: {days}")
    lines.append("  endings: " + ", ".join(f"{name} {count}" for name, count in report["endings"].items()))
    return "\n".join(lines)
