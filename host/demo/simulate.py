"""Pure: episodes without mail. In: a game, how many, a seed. Out: who wins, what is paid, how much mail and time it takes.

Robots take the links of letters at random; where an answer is to be typed they know it more often than not. They live in one of
three ways: they answer each letter alone; they tap what says most of what a letter offers, and answer what is put to all at
once; or they give standing orders besides, where letters offer them. Time is counted in answers: what is asked side by side is
answered side by side. In episodes of their own some answers come late, without a time bank and with one: a deadline is as long as
two answers, and who is later than that and what is left in the bank lets it pass.
"""

import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from host.engine.chance import Chance, Stream
from host.engine.events import Event
from host.engine.game import HOST, Choice, Entry, Game, NotYet, Outcome, Question, Refusal, amount, usual_seats
from host.play.premoves import Premove, order_of, play_premoves, whole_offers

Way = Literal["alone", "tapping", "orders"]
WAYS: tuple[Way, ...] = get_args(Way)
IN_WORDS = {
    "alone": "each letter answered alone",
    "tapping": "what the letters offer is tapped",
    "orders": "standing orders are given",
}
ANSWERING_HOURS = (1, 8, 24)
KNOWN_OF_TEN = 6
"""Answers that a robot knows, of ten that are to be typed."""
WITHIN = 2
LATE_OF_TWENTY = 1
LATEST = 5
BANK = 3
"""A deadline is as long as two answers; one of twenty comes behind it, by five at most; and a time bank holds three."""


@dataclass
class SimulatedTable:
    """One episode in the making: what waits to be asked for, since when questions are open, and who was written to.

    `sealed` are the seats that may answer before they are asked, and since when; `due` is when an open question is
    answered or, where its key is in `silent`, when its deadline passes. Counters are by seat. `late` draws who is late, None for
    nobody; `bank` is what is left in the time bank of each seat.
    """

    game: Game[Any, Any]
    way: Way
    chance: Chance
    robots: Stream
    state: Any
    seats: range
    entries: tuple[Entry, ...]
    put: int
    now: int = 0
    mails: int = 0
    due: dict[str, int] = field(default_factory=dict)
    sealed: dict[int, int] = field(default_factory=dict)
    waiting: list[Premove] = field(default_factory=list)
    said: list[tuple[int, str]] = field(default_factory=list)
    replies: Counter[int] = field(default_factory=Counter)
    asked: Counter[int] = field(default_factory=Counter)
    letters: Counter[int] = field(default_factory=Counter)
    asking_nothing: Counter[int] = field(default_factory=Counter)
    late: Stream | None = None
    bank: list[int] = field(default_factory=list)
    silent: set[str] = field(default_factory=set)
    timeouts: int = 0


def simulate(game: Game[Any, Any], episodes: int, seed: str, entries: tuple[Entry, ...] = ()) -> dict[str, Any]:
    """Play `episodes` whole episodes in each way; the same seed plays the same ones. `entries` are questions for a game with a
    bank."""
    ways = {way: [play(game, way, f"{seed}:{number}", entries) for number in range(episodes)] for way in WAYS}
    late = {
        bank: [play(game, "tapping", f"{seed}:{number}", entries, bank) for number in range(episodes)]
        for bank in (0, BANK)
    }
    banks = {
        bank: {"timeouts": _mean([each.timeouts for each in found]), "days": _days([each.now for each in found])}
        for bank, found in late.items()
    }
    return _report(game, usual_seats(game), ways) | {"late": banks}


def play(
    game: Game[Any, Any], way: Way, seed: str, entries: tuple[Entry, ...] = (), bank: int | None = None
) -> SimulatedTable:
    """Play one episode to its end; with a time bank, be it empty, some answers come late."""
    chance = Chance(hashlib.sha256(seed.encode()).digest())
    robots, seats = chance.stream("robots"), range(usual_seats(game))
    state = game.deal(len(seats), game.named_options, chance).state
    table = SimulatedTable(game, way, chance, robots, state, seats, entries, robots.below(len(entries) or 1))
    if bank is not None:
        table.late, table.bank = chance.stream("late"), [bank for _ in seats]
    table.letters.update(table.seats)
    first = {each.seat for each in game.questions(state)}
    if way != "alone":
        table.sealed = {seat: 0 for seat in table.seats if seat not in first and game.ahead(state, seat)}
    table.asking_nothing.update(set(table.seats) - first - set(table.sealed))
    _expect(table, game.questions(state))
    while questions := game.questions(table.state):
        of_host = [each for each in questions if each.seat == HOST]
        if of_host:
            _speak(table, HOST, _by_host(table, of_host[0]))
            continue
        due: list[tuple[int, int, Question | None]]
        due = [(table.due[each.key], each.seat, each) for each in questions]
        due += [(since + 1, seat, None) for seat, since in table.sealed.items()]
        table.now = min(at for at, _, _ in due)
        ready = [each for each in due if each[0] == table.now]
        _, seat, question = ready[robots.below(len(ready))]
        if question and question.key in table.silent:
            _let_pass(table, question)
            continue
        table.replies[seat] += 1
        if question is None:
            del table.sealed[seat]
            offered = game.ahead(table.state, seat)
            said = _whole(table, seat, table.state.phase)
            _speak(table, seat, said or (spoken(game, table.state, offered[0], robots) if offered else ()))
        else:
            _speak(table, seat, _answer(table, question))
    return table


def _by_host(table: SimulatedTable, question: Question) -> Sequence[str]:
    game = table.game
    if game.bank and table.entries and question.phase == game.bank.phase:
        table.put += 1
        return [game.bank.say(table.entries[table.put % len(table.entries)])]
    return pick_choice(game, table.state, question, table.robots)


def _answer(table: SimulatedTable, question: Question) -> Sequence[str]:
    """An answer: in the first way a link, in the others the one that says most."""
    game, robots = table.game, table.robots
    whole = _whole(table, question.seat, question.phase)
    if whole:
        return whole
    if table.way == "alone":
        return pick_choice(game, table.state, question, robots)
    found = [pick_choice(game, table.state, question, robots) for _ in range(3)]
    return max(found, key=lambda said: sum(len(each.split()) for each in said))


def _whole(table: SimulatedTable, seat: int, phase: str) -> Sequence[str]:
    """The offer that says most, with orders that stand where such are given; nothing where letters are answered alone."""
    game, robots = table.game, table.robots
    standing = [each.text for each in table.waiting if each.seat == seat and order_of(game, each.text)]
    offered = () if table.way == "alone" else whole_offers(game, table.state, seat, phase, standing)
    for kind in ("orders", "whole") if table.way == "orders" else ("whole",):
        of_kind = [choice for choice in offered if choice.kind == kind]
        if of_kind:
            return spoken(game, table.state, of_kind[robots.below(len(of_kind))], robots)
    return ()


def _speak(table: SimulatedTable, seat: int, texts: Sequence[str]) -> None:
    """A mail: its commands are played, or kept until they are asked for."""
    game = table.game
    before = {each.key for each in game.questions(table.state)}
    events: list[Event] = []
    table.mails += 1
    is_ahead = not any(each.seat == seat for each in game.questions(table.state))
    for text in texts:
        if order_of(game, text):
            facts = game.order_facts(game.view(table.state, seat), seat)
            scope = str(facts["round"]) if text.endswith("this round") else ""
            _keep(table, seat, text, scope)
            continue
        command = game.parse(text, table.state, seat)
        try:
            if is_ahead:
                raise NotYet("It is nobody's turn that is not asked.")
            outcome: Outcome[Any] = game.apply(table.state, seat, command, table.chance)
        except NotYet:
            is_ahead = True
            _keep(table, seat, game.say(command), game.scope(table.state, command))
            continue
        except Refusal:
            break
        table.state, table.said = outcome.state, [*table.said, (seat, game.say(command))]
        events += outcome.events
    _settle(table, before, events)


def _expect(table: SimulatedTable, questions: Sequence[Question]) -> None:
    """Say when new questions will be answered, or will not."""
    for question in questions:
        if question.key in table.due:
            continue
        table.due[question.key] = table.now + 1
        if table.late and question.seat != HOST and table.late.below(20) < LATE_OF_TWENTY:
            wanted, left = 1 + table.late.below(LATEST), table.bank[question.seat]
            if wanted > left:
                table.silent.add(question.key)
            drawn = min(wanted, left)
            table.bank[question.seat] -= drawn
            table.due[question.key] = table.now + WITHIN + drawn


def _let_pass(table: SimulatedTable, question: Question) -> None:
    """The deadline of a question passes; what that leads to is told like a mail."""
    before = {each.key for each in table.game.questions(table.state)}
    outcome = table.game.timeout(table.state, question.seat, table.chance)
    table.state, events = outcome.state, list(outcome.events)
    table.timeouts += 1
    _settle(table, before, events)


def _keep(table: SimulatedTable, seat: int, text: str, scope: str) -> None:
    table.waiting.append(Premove(len(table.said) * 100 + len(table.waiting), seat, text, scope, table.mails))


def _settle(table: SimulatedTable, before: set[str], events: list[Event]) -> None:
    """All that can be played of what waits; then the letters about what changed.

    They go to who is asked anew, to who may answer already, to who is out, or at the end.
    """
    settled = play_premoves(table.game, table.state, table.waiting, table.chance)
    table.state, table.waiting = settled.state, settled.waiting
    table.said += settled.said
    events += settled.events
    game, state = table.game, table.state
    questions = game.questions(state)
    new = {each.seat for each in questions if each.key not in before}
    for question in questions:
        table.asked[question.seat] += question.key not in before
    _expect(table, questions)
    is_put_to_all = any(event.is_put_to_all for event in events)
    is_over = game.result(state) is not None
    for seat in table.seats:
        is_told = any(event.is_notable and getattr(event, "seat", None) == seat for event in events)
        if is_over or (game.is_out(state, seat) and is_told):
            table.letters[seat] += 1
            table.asking_nothing[seat] += 1
        elif seat in new:
            table.letters[seat] += 1
        elif is_put_to_all and game.ahead(state, seat):
            table.letters[seat] += 1
            if table.way != "alone":
                table.sealed[seat] = table.now
    asked = {each.seat for each in questions}
    table.sealed = {seat: at for seat, at in table.sealed.items() if seat not in asked and game.ahead(state, seat)}


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


def _report(game: Game[Any, Any], seats: int, ways: dict[Way, list[SimulatedTable]]) -> dict[str, Any]:
    tables = ways["alone"]
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
        "ways": {way: _way(found, seats) for way, found in ways.items()},
        "endings": dict(sorted(endings.items())),
    }


def _way(tables: Sequence[SimulatedTable], seats: int) -> dict[str, Any]:
    letters = sum(each.letters.total() for each in tables)
    return {
        "days": _days([each.now for each in tables]),
        "replies": [_mean([each.replies[seat] for each in tables]) for seat in range(seats)],
        "letters": [_mean([each.letters[seat] for each in tables]) for seat in range(seats)],
        "asking_nothing": round(sum(each.asking_nothing.total() for each in tables) / letters, 3),
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
        asked = f"{report['questions_asked'][seat]} questions"
        lines.append(f"  seat {seat}: wins {wins / report['episodes']:6.1%}; {money}{asked}")
    for way, found in report["ways"].items():
        told = ", ".join(f"{value} at {name}" for name, value in found["days"].items())
        mails = [
            f"{replies} replies and {letters} letters"
            for replies, letters in zip(found["replies"], found["letters"], strict=True)
        ]
        nothing = f"{found['asking_nothing']:.0%} of the letters ask nothing"
        lines.append(f"  {IN_WORDS[way]}: days an episode takes {told}; by seat {'; '.join(mails)}; {nothing}")
    plain, banked = (
        f"{each['timeouts']} deadlines pass in {each['days']['24h an answer']} days" for each in report["late"].values()
    )
    late = f"one answer in {20 // LATE_OF_TWENTY} comes 1 to {LATEST} days late, the others take a day"
    lines.append(f"  {late}: {plain}; with a time bank of {BANK} days {banked}")
    lines.append("  endings: " + ", ".join(f"{name} {count}" for name, count in report["endings"].items()))
    return "\n".join(lines)
