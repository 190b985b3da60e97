"""Edge: an example of each game, drawn. In: a game's slug. Out: a table in the middle of an episode that robots played.

The same one each time: its seed is made of the slug, and of the moves that are offered one is taken by chance.
"""

import functools
import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from host.engine.chance import Chance, Stream
from host.engine.events import Event
from host.engine.game import HOST, Game, Question, usual_seats
from host.games import GAMES
from host.mail.outbound.render import tell
from host.turn.question_bank import starter
from host.web.pages import cards_in

NAMES = ("Ann", "Bob", "Cleo", "Dov", "Eve", "Fay", "Gus", "Hal")
MOST_STEPS = 40
TRIES = 2
LAST_EVENTS = 4


@dataclass(frozen=True)
class Example:
    """A table as its first seat sees it, and what happened last, in words."""

    slug: str
    names: tuple[str, ...]
    view: Mapping[str, Any]
    told: tuple[str, ...]


@functools.cache
def example(slug: str) -> Example:
    """The table on which most cards lie open, of a few short episodes."""
    game = GAMES[slug]
    names = NAMES[: max(usual_seats(game), 2 if 2 in game.seats else min(game.seats))]
    tables = ((number, *each) for number in range(TRIES) for each in _tables(game, len(names), number))
    _, state, events = max(tables, key=lambda each: _open_cards(game.view(each[1], 0)))
    told = tell(slug, game.news(events, 0), names, None)
    return Example(slug, names, game.view(state, 0), told[-LAST_EVENTS:])


def _open_cards(view: Mapping[str, Any]) -> int:
    """Count the cards that lie open; none where somebody is bust, for that is no good example."""
    if any(total is not None and total > 21 for total in view.get("totals", ())):
        return 0
    return sum(code != "??" for code in cards_in({key: each for key, each in view.items() if key != "remaining"}))


def _tables(game: Game[Any, Any], seats: int, number: int) -> Iterator[tuple[Any, tuple[Event, ...]]]:
    chance = Chance(hashlib.sha256(f"an example of {game.slug}: {number}".encode()).digest())
    robots = chance.stream("robots")
    dealt = game.deal(seats, {}, chance)
    state, events = dealt.state, dealt.events
    for _ in range(MOST_STEPS):
        asked = game.questions(state)
        if not asked:
            return
        question = asked[robots.below(len(asked))]
        for text in _answer(game, state, question, robots):
            outcome = game.apply(state, question.seat, game.parse(text, state, question.seat), chance)
            state, events = outcome.state, (*events, *outcome.events)
        if game.questions(state):
            yield state, events


def _answer(game: Game[Any, Any], state: Any, question: Question, robots: Stream) -> tuple[str, ...]:
    if question.seat == HOST and game.bank is not None and question.phase == game.bank.phase:
        entries = starter(game)
        return (game.bank.say(entries[robots.below(len(entries))]),)
    choices = [each for each in game.choices(state, question) if each.kind != "resign"] or game.choices(state, question)
    choice = choices[robots.below(len(choices))]
    text = (game.bank.solve(state) if game.bank else "") or choice.text
    return (*choice.say[:-1], choice.say[-1] + text) if choice.text else choice.say
