"""Pure: episodes without mail. In: a game, how many, a seed. Out: who wins, what is paid, how much mail and time it takes.

Robots take one of the offered links at random, as a contestant would who only ever taps; where an answer is to be typed
they know it more often than not. Time is counted in answers: what is asked side by side is answered side by side.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from host.engine.chance import Chance, Stream
from host.engine.events import Event
from host.engine.game import HOST, Choice, Entry, Game, NotYet, Outcome, Question, Refusal, amount, usual_seats

ANSWERING_HOURS = (1, 8, 24)
KNOWN_OF_TEN = 6
"""Of ten answers that are to be typed, how many a robot knows."""


@dataclass
class Tally:
    """What the simulated episodes added up to; by seat where it is a list."""

    wins: list[int]
    paid: list[list[int]]
    replies: list[list[int]]
    asked: list[list[int]]
    letters: list[list[int]]
    answers: list[int] = field(default_factory=list)
    answers_ahead: list[int] = field(default_factory=list)
    endings: dict[str, int] = field(default_factory=dict)


@dataclass
class SimulatedClock:
    """How far an episode is, counted in answering times, and since when each question is open."""

    now: int = 0
    opened: dict[str, int] = field(default_factory=dict)

    def see(self, questions: Sequence[Question]) -> None:
        """Questions that are new are open since now."""
        self.opened = {each.key: self.opened.get(each.key, self.now) for each in questions}


@dataclass
class SimulatedTable:
    """One episode under way, with what each contestant would send ahead and when that is there."""

    game: Game[Any, Any]
    chance: Chance
    robots: Stream
    state: Any
    entries: tuple[Entry, ...]
    seats: int
    plain: SimulatedClock = field(default_factory=SimulatedClock)
    ahead: SimulatedClock = field(default_factory=SimulatedClock)
    plans: dict[int, tuple[str, str, int]] = field(default_factory=dict)
    replies: list[int] = field(default_factory=list)
    asked: list[int] = field(default_factory=list)
    letters: list[int] = field(default_factory=list)
    put: int = 0


def simulate(game: Game[Any, Any], episodes: int, seed: str, entries: tuple[Entry, ...] = ()) -> dict[str, Any]:
    """Play `episodes` whole episodes; the same seed plays the same ones. `entries` are questions for a game with a bank."""
    count = usual_seats(game)
    tally = Tally([0] * count, _lists(count), _lists(count), _lists(count), _lists(count))
    for number in range(episodes):
        material = hashlib.sha256(f"{seed}:{number}".encode()).digest()
        _play_one(game, count, Chance(material), entries, tally)
    return _report(game, episodes, tally)


def _lists(count: int) -> list[list[int]]:
    return [[] for _ in range(count)]


def _play_one(game: Game[Any, Any], seats: int, chance: Chance, entries: tuple[Entry, ...], tally: Tally) -> None:
    robots = chance.stream("robots")
    state = game.deal(seats, game.named_options, chance).state
    table = SimulatedTable(game, chance, robots, state, entries, seats, put=robots.below(len(entries) or 1))
    table.replies, table.asked, table.letters = [0] * seats, [0] * seats, [1] * seats
    while questions := game.questions(table.state):
        for clock in (table.plain, table.ahead):
            clock.see(questions)
        question = questions[robots.below(len(questions))]
        if question.seat == HOST:
            _speak(table, HOST, _of_the_host(table, question))
        else:
            _answer(table, question)
    _count_up(table, tally)


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
    if seat not in table.plans:
        return None
    text, scope, ready = table.plans[seat]
    try:
        _speak(table, seat, [text], scope)
    except NotYet:
        return None
    except Refusal:
        del table.plans[seat]
        return None
    del table.plans[seat]
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
    for other in range(table.seats):
        if is_over or other in told or any(event.concerns(other) for event in events):
            table.letters[other] += 1


def _plan(table: SimulatedTable) -> None:
    """Who waits may send something ahead; it is there an answering time after they could know what to send."""
    game, state = table.game, table.state
    for seat in range(table.seats):
        offered = game.ahead(state, seat) if seat not in table.plans else ()
        if offered:
            choice = offered[table.robots.below(len(offered))]
            text = spoken(game, state, choice, table.robots)[-1]
            scope = game.scope(state, game.parse(text, state, seat))
            table.plans[seat] = (text, scope, table.ahead.now + 1)


def _of_the_host(table: SimulatedTable, question: Question) -> Sequence[str]:
    bank = table.game.bank
    if bank and question.phase == bank.phase and table.entries:
        table.put += 1
        return [bank.say(table.entries[table.put % len(table.entries)])]
    return pick_choice(table.game, table.state, question, table.robots)


def pick_choice(game: Game[Any, Any], state: Any, question: Question, robots: Stream) -> Sequence[str]:
    """One of the links, each kind of move as likely as the other."""
    choices = game.choices(state, question)
    kinds = sorted({choice.kind for choice in choices})
    kind = kinds[robots.below(len(kinds))]
    offered = [choice for choice in choices if choice.kind == kind]
    return spoken(game, state, offered[robots.below(len(offered))], robots)


def spoken(game: Game[Any, Any], state: Any, choice: Choice, robots: Stream) -> Sequence[str]:
    """What a link says, with the text that a robot types behind it."""
    text = choice.text
    if text and game.bank and robots.below(10) < KNOWN_OF_TEN:
        text = game.bank.solve(state) or text
    return (*choice.say[:-1], choice.say[-1] + text)


def _count_up(table: SimulatedTable, tally: Tally) -> None:
    game, state = table.game, table.state
    result = game.result(state)
    if result and result.winner is not None:
        tally.wins[result.winner] += 1
    ending = game.ending(state) or ""
    tally.endings[ending] = tally.endings.get(ending, 0) + 1
    tally.answers.append(table.plain.now)
    tally.answers_ahead.append(table.ahead.now)
    for seat, won in enumerate(game.winnings(state)):
        tally.paid[seat].append(won)
        tally.replies[seat].append(table.replies[seat])
        tally.asked[seat].append(table.asked[seat])
        tally.letters[seat].append(table.letters[seat])


def _report(game: Game[Any, Any], episodes: int, tally: Tally) -> dict[str, Any]:
    return {
        "game": game.slug,
        "currency": game.currency,
        "episodes": episodes,
        "wins": tally.wins,
        "paid": [_spread(each) for each in tally.paid],
        "questions_asked": [_mean(each) for each in tally.asked],
        "replies": [_mean(each) for each in tally.replies],
        "letters": [_mean(each) for each in tally.letters],
        "days": _days(tally.answers),
        "days_sending_ahead": _days(tally.answers_ahead),
        "endings": dict(sorted(tally.endings.items())),
    }


def _days(answers: Sequence[int]) -> dict[str, float]:
    return {f"{hours}h an answer": round(_mean(answers) * hours / 24, 1) for hours in ANSWERING_HOURS}


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
    unit = report["currency"]
    lines = [f"{report['episodes']} episodes of {report['game']}, links tapped at random"]
    for seat, wins in enumerate(report["wins"]):
        paid = report["paid"][seat]
        money = (
            f"paid {amount(round(paid['mean']), unit)} on average (5 % get {amount(paid['low_5'], unit)} or less, "
            f"5 % {amount(paid['high_5'], unit)} or more); "
            if unit
            else ""
        )
        lines.append(
            f"  seat {seat}: wins {wins / max(report['episodes'], 1):6.1%}; {money}{report['questions_asked'][seat]} "
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
