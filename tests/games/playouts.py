"""Episodes of any room played at random over what its questions offer."""

import functools
import hashlib
import importlib
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from host.engine.chance import Chance
from host.engine.events import Event
from host.engine.game import HOST, Choice, Game
from host.engine.record import HOST_NAME, Header, Line, Record, Say, Timeout
from host.games import GAMES

LONGEST = 5000


@dataclass(frozen=True)
class Step:
    """One command and what it led to; `text` is as a link says it."""

    before: Any
    seat: int
    text: str
    after: Any
    events: tuple[Event, ...]


@dataclass(frozen=True)
class Playout:
    game: Game[Any, Any]
    chance: Chance
    seats: int
    options: Mapping[str, Any]
    dealt: tuple[Event, ...]
    start: Any
    steps: tuple[Step, ...]

    @property
    def states(self) -> list[Any]:
        return [self.start, *(step.after for step in self.steps)]

    @property
    def end(self) -> Any:
        return self.states[-1]


def chance(number: int) -> Chance:
    return Chance(hashlib.sha256(b"playout %d" % number).digest())


@functools.cache
def options(slug: str) -> tuple[dict[str, Any], ...]:
    """The options that a room's playouts go through in turn: its `VARIANTS`, or none."""
    conserved = importlib.import_module(f"tests.games.{slug.replace('-', '_')}.conserved")
    return getattr(conserved, "VARIANTS", ({},))


def liked(slug: str, number: int) -> tuple[str, ...]:
    """The kinds of choices that are always taken in playout `number`: the room's `TEMPERS` in turn, or none."""
    conserved = importlib.import_module(f"tests.games.{slug.replace('-', '_')}.conserved")
    tempers: tuple[tuple[str, ...], ...] = getattr(conserved, "TEMPERS", ((),))
    return tempers[number % len(tempers)]


@functools.cache
def playout(slug: str, number: int) -> Playout:
    """Playout `number` of a game: to its end, or `LONGEST` commands."""
    game = GAMES[slug]
    seats = game.seats[number % len(game.seats)]
    chosen = options(slug)[number % len(options(slug))]
    luck, rng = chance(number), random.Random(number)
    dealt = game.deal(seats, chosen, luck)
    steps = tuple(_steps(game, dealt.state, luck, rng, liked(slug, number)))
    return Playout(game, luck, seats, chosen, dealt.events, dealt.state, steps)


def spoken(choice: Choice) -> tuple[str, ...]:
    """A choice's commands, with an example of the free text where one takes it."""
    return (*choice.say[:-1], choice.say[-1] + choice.text)


def knowing(game: Game[Any, Any], state: Any, choice: Choice, rng: random.Random) -> tuple[str, ...]:
    """A choice's commands as `spoken`; to a question from a bank about every second player knows the right answer."""
    known = game.bank.solve(state) if choice.text and game.bank else ""
    return (*choice.say[:-1], choice.say[-1] + known) if known and rng.random() < 0.5 else spoken(choice)


def _steps(game: Game[Any, Any], state: Any, luck: Chance, rng: random.Random, always: Sequence[str]) -> Iterator[Step]:
    for _ in range(LONGEST):
        questions = game.questions(state)
        if not questions:
            return
        question = rng.choice(questions)
        choices = game.choices(state, question)
        kinds = sorted({choice.kind for choice in choices})
        kind = rng.choice([kind for kind in kinds if kind in always] or kinds)
        for text in knowing(game, state, rng.choice([choice for choice in choices if choice.kind == kind]), rng):
            outcome = game.apply(state, question.seat, game.parse(text, state, question.seat), luck)
            yield Step(state, question.seat, text, outcome.state, outcome.events)
            state = outcome.state


def names(seats: int) -> tuple[str, ...]:
    return ("ann", "bob", "cleo", "dan", "eve", "finn", "gus", "hana", "ida")[:seats]


def recorded(found: Playout) -> Record:
    """The record of a playout."""
    players = names(found.seats)
    lines: list[Line] = [Say(named(players, step.seat), step.text) for step in found.steps]
    return Record(Header(found.game.slug, found.chance.seed, players, found.options), tuple(lines))


def named(players: Sequence[str], seat: int) -> str:
    """Who speaks, as a record names them."""
    return HOST_NAME if seat == HOST else players[seat]


def ended_by(game: Game[Any, Any], ending: str) -> Record:
    """A record of an episode that ends so, found by playing; silence and resigning come in at the end of playouts."""
    for number in range(2000):
        found = playout(game.slug, number)
        if game.ending(found.end) == ending:
            return recorded(found)
        whole = recorded(found)
        at = len(found.steps) * 3 // 4
        state = found.steps[at].before
        seat = max(question.seat for question in game.questions(state))
        if seat == HOST:
            continue
        player = whole.header.players[seat]
        line: Line = Timeout(player) if number % 2 else Say(player, "resign")
        outcome = (
            game.timeout(state, seat, found.chance)
            if isinstance(line, Timeout)
            else game.apply(state, seat, game.parse("resign", state, seat), found.chance)
        )
        if game.ending(outcome.state) == ending:
            return Record(whole.header, (*whole.lines[:at], line))
    raise LookupError(f"no playout ends with {ending}")
