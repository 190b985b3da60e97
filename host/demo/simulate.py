"""Pure: episodes without mail. In: a game, how many, a seed. Out: who wins, what is paid, how much mail and time it takes.

Robots take one of the offered links at random, as a contestant would who only ever taps; where an answer is to be typed
they know it more often than not. Time is counted in answers: what is asked side by side is answered side by side.
"""

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from host.engine.chance import Chance, Stream
from host.engine.events import Event
from host.engine.game import HOST, Choice, Entry, Game, NotYet, Outcome, Question, Refusal, amount, usual_seats

ANSWERING_HOURS = (1, 8, 24)
KNOWN_OF_TEN = 6
"""Answers that a robot knows, of ten that are to be typed."""


@dataclass
class SimulatedClock:
    """The time of an episode, counted in answering times, and since when each question is open."""

    now: int = 0
    opened: dict[str, int] = field(default_factory=dict)


@dataclass
class SimulatedTable:
    """One episode, with what each contestant would send ahead and when that is there; by seat where it is a list."""

    game: Game[Any, Any]
    chance: Chance
    robots: Stream
    state: Any
    seats: range
    plain: SimulatedClock = field(default_factory=SimulatedClock)
    ahead: SimulatedClock = field(default_factory=SimulatedClock)
    plans: dict[int, tuple[str, str, int]] = field(default_factory=dict)
    replies: Counter[int] = field(default_factory=Counter)
    asked: Counter[int] = field(default_factory=Counter)
    letters: Counter[int] = field(default_factory=Counter)
    put: int = 0


def simulate(game: Game[Any, Any], episodes: int, seed: str, entries: tuple[Entry, ...] = ()) -> dict[str, Any]:
    """Play `episodes` whole episodes; the same seed plays the same ones. `entries` are questions for a game with a bank."""
    count = usual_seats(game)
    chances = (Chance(hashlib.sha256(f"{seed}:{number}".encode()).digest()) for number in range(episodes))
    return _report(game, count, [_play_one(game, count, chance, entries) for chance in chances])


def _play_one(game: Game[Any, Any], seats: int, chance: Chance, entries: tuple[Entry, ...]) -> SimulatedTable:
    robots = chance.stream("robots")
    state = game.deal(seats, game.named_options, chance).state
    table = SimulatedTable(game, chance, robots, state, range(seats), put=robots.below(len(entries) or 1))
    table.letters.update(table.seats)
    while questions := game.questions(table.state):
        for clock in (table.plain, table.ahead):
            clock.opened = {each.key: clock.opened.get(each.key, clock.now) for each in questions}
        question = questions[robots.below(len(questions))]
        if question.seat != HOST:
            _answer(table, question)
        elif game.bank and entries and question.phase == game.bank.phase:
            table.put += 1
            _speak(table, HOST, [game.bank.say(entries[table.put % len(entries)])])
        else:
            _speak(table, HOST, pick_choice(game, table.state, question, robots))
    return table


def _answer(table: SimulatedTable, question: Question) -> None:
    """One answer: what was sent ahead, where that can be played, else a link."""
    seat = question.seat
    table.asked[seat] += 1
    ready = _played_ahead(table, seat)
    if ready is None:
        table.replies[seat] += 1
        _speak(table, seat, pick_choice(table.game, table.state, question, table.robots))
    opened = table.ahead.opened[question.key]
    table.plain.now = max(table.plain.now, table.plain.opened[question.key] + 1)
    table.ahead.now = max(table.ahead.now, opened + 1 if ready is None else max(opened, ready))
    _plan(table)


def _played_ahead(table: SimulatedTable, seat: int) -> int | None:
    """Play what a seat sent ahead, where it answers what is asked now; gives when it was there."""
    plan = table.plans.pop(seat, None)
    if plan is None:
        return None
    text, scope, ready = plan
    try:
        _speak(table, seat, [text], scope)
    except NotYet:
        table.plans[seat] = plan
        return None
    except Refusal:
        return None
    return ready


def _speak(table: SimulatedTable, seat: int, texts: Sequence[str], scope: str = "") -> None:
    game, before = table.game, table.state
    events: list[Event] = []
    for text in texts:
        command = game.parse(text, table.state, seat)
        if scope and game.scope(table.state, command) != scope:
            raise Refusal("it was meant for something else")
        outcome: Outcome[Any] = game.apply(table.state, seat, command, table.chance)
        table.state = outcome.state
        events.extend(outcome.events)
    known = {each.key for each in game.questions(before)}
    told = {each.seat for each in game.questions(table.state) if each.key not in known} | {seat}
    is_over = game.result(table.state) is not None
    for other in table.seats:
        if is_over or other in told or any(event.concerns(other) for event in events):
            table.letters[other] += 1


def _plan(table: SimulatedTable) -> None:
    """Let those who wait send something ahead; it is there an answering time after they could know what to send."""
    game, state = table.game, table.state
    for seat in table.seats:
        offered = game.ahead(state, seat) if seat not in table.plans else ()
        if offered:
            choice = offered[table.robots.below(len(offered))]
            text = spoken(game, state, choice, table.robots)[-1]
            scope = game.scope(state, game.parse(text, state, seat))
            table.plans[seat] = (text, scope, table.ahead.now + 1)


def pick_choice(game: Game[Any, Any], state: Any, question: Question, robots: Stream) -> Sequence[str]:
    """One of the links, each kind of move as likely as the other."""
    choices = game.choices(state, question)
    kinds = sorted({choice.kind for choice in choices})
    kind = kinds[robots.below(len(kinds))]
    offered = [choice for choice in choices if choice.kind == kind]
    return spoken(game, state, offered[robots.below(len(offered))], robots)


def spoken(game: Game[Any, Any], state: Any, choice: Choice, robots: Stream) -> Sequence[str]:
    """The lines that a link writes, with the text that a robot types behind them."""
    text = choice.text
    if text and game.bank and robots.below(10) < KNOWN_OF_TEN:
        text = game.bank.solve(state) or text
    return (*choice.say[:-1], choice.say[-1] + text)


def _report(game: Game[Any, Any], seats: int, tables: Sequence[SimulatedTable]) -> dict[str, Any]:
    results = [game.result(each.state) for each in tables]
    winners = Counter(result.winner for result in results if result)
    winnings = [game.winnings(each.state) for each in tables]
    endings = Counter(game.ending(each.state) or "" for each in tables)
    return {
        "game": game.slug,
        "currency": game.currency,
        "episodes": len(tables),
        "wins": [winners[seat] for seat in range(seats)],
        "paid": [_spread([each[seat] for each in winnings]) for seat in range(seats)],
        "questions_asked": [_mean([each.asked[seat] for each in tables]) for seat in range(seats)],
        "replies": [_mean([each.replies[seat] for each in tables]) for seat in range(seats)],
        "letters": [_mean([each.letters[seat] for each in tables]) for seat in range(seats)],
        "days": _days([each.plain.now for each in tables]),
        "days_sending_ahead": _days([each.ahead.now for each in tables]),
        "endings": dict(sorted(endings.items())),
    }


def _days(answers: Sequence[int]) -> dict[str, float]:
    return {f"{hours}h an answer": round(_mean(answers) * hours / 24, 1) for hours in ANSWERING_HOURS}


def _mean(values: Sequence[int]) -> float:
    return round(sum(values) / len(values), 2)


def _spread(values: Sequence[int]) -> dict[str, float]:
    ranked, last = sorted(values), len(values) - 1
    return {"mean": _mean(ranked), "low_5": ranked[int(last * 0.05)], "high_5": ranked[int(last * 0.95)]}


def in_words(report: dict[str, Any]) -> str:
    """The report for a person."""
    lines = [f"{report['episodes']} episodes of {report['game']}, links tapped at random"]
    for seat, wins in enumerate(report["wins"]):
        money = ""
        if report["currency"]:
            paid = {key: amount(round(value), report["currency"]) for key, value in report["paid"][seat].items()}
            money = f"paid {paid['mean']} on average (5 % get {paid['low_5']} or less, 5 % {paid['high_5']} or more); "
        lines.append(
            f"  seat {seat}: wins {wins / report['episodes']:6.1%}; {money}{report['questions_asked'][seat]} "
            f"questions, {report['replies'][seat]} replies and {report['letters'][seat]} letters"
        )
    for title, days in (("", report["days"]), (", sending ahead", report["days_sending_ahead"])):
        told = ", ".join(f"{value} at {name}" for name, value in days.items())
        lines.append(f"  days an episode takes{title}: {told}")
    slowest = f"{ANSWERING_HOURS[-1]}h an answer"
    saved = round(report["days"][slowest] - report["days_sending_ahead"][slowest], 1)
    lines.append(f"  sending ahead saves {saved} days at {slowest}")
    lines.append("  endings: " + ", ".join(f"{name} {count}" for name, count in report["endings"].items()))
    return "\n".join(lines)
