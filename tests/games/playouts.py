"""Episodes of any room played at random over what its questions offer."""

import functools
import hashlib
import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from host.chance import Chance
from host.game import Event, Game
from host.games import GAMES
from host.record import Header, Line, Record, Say, Timeout

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
def playout(slug: str, number: int) -> Playout:
    """Playout `number` of a game: to its end, or `LONGEST` commands."""
    game = GAMES[slug]
    seats = game.seats[number % len(game.seats)]
    luck, rng = chance(number), random.Random(number)
    dealt = game.deal(seats, {}, luck)
    return Playout(game, luck, seats, dealt.events, dealt.state, tuple(_steps(game, dealt.state, luck, rng)))


def _steps(game: Game[Any, Any], state: Any, luck: Chance, rng: random.Random) -> Iterator[Step]:
    for _ in range(LONGEST):
        questions = game.questions(state)
        if not questions:
            return
        question = rng.choice(questions)
        choices = game.choices(state, question)
        kind = rng.choice(sorted({choice.kind for choice in choices}))
        for text in rng.choice([choice for choice in choices if choice.kind == kind]).say:
            outcome = game.apply(state, question.seat, game.parse(text, state, question.seat), luck)
            yield Step(state, question.seat, text, outcome.state, outcome.events)
            state = outcome.state


def names(seats: int) -> tuple[str, ...]:
    return ("ann", "bob", "cleo", "dan", "eve", "finn", "gus", "hana", "ida")[:seats]


def recorded(found: Playout) -> Record:
    """The record of a playout."""
    players = names(found.seats)
    lines: list[Line] = [Say(players[step.seat], step.text) for step in found.steps]
    return Record(Header(found.game.slug, found.chance.seed, players, {}), tuple(lines))


def ended_by(game: Game[Any, Any], ending: str) -> Record:
    """A record of an episode that ends so, found by playing; silence and resigning come in at the end of playouts."""
    for number in range(2000):
        found = playout(game.slug, number)
        if game.ending(found.end) == ending:
            return recorded(found)
        whole = recorded(found)
        at = len(found.steps) * 3 // 4
        state = found.steps[at].before
        seat = game.questions(state)[0].seat
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
