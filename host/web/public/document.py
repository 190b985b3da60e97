"""Edge: a public page, finished. In: a path, a template and what it shows, a game's slug. Out: its kind and bytes, an example.

The example of a game is a table in the middle of an episode that robots played, the same one each time: its seed is made of the
slug, and of the moves that are offered one is taken by chance.
"""

import functools
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from host.engine.chance import Chance, Stream
from host.engine.events import Event
from host.engine.game import HOST, Game, Question, usual_seats
from host.games import GAMES
from host.logs import visible
from host.mail.outbound.render import tell
from host.mail.outbound.templates import templates_folder
from host.store import public_pages
from host.store.database import Session
from host.store.people import lobbies
from host.store.schema import LobbyRow
from host.turn.question_bank import starter
from host.web.health import Answer
from host.web.pages import PageError, Web, cards_in, render

LONGEST_NAME = 60
NAMES = ("Ann", "Bob", "Cleo", "Dov", "Eve", "Fay", "Gus", "Hal")
MOST_STEPS = 40
TRIES = 2
LAST_EVENTS = 4
HTML = "text/html; charset=utf-8"


@dataclass(frozen=True)
class Asked:
    """A public path that is asked for, of which host, while a session of its store is open."""

    web: Web
    session: Session
    path: str

    def page(self, template: str, **context: Any) -> Answer:
        """The page of this path. `summary`, here or in the template, is for link previews, `json` its place for programs."""
        config = self.web.services.config
        game = context.get("game") or GAMES[next(iter(config.games), next(iter(GAMES)))]
        picture = f"games/{game.slug}/preview.png"
        site = {"base": config.web.url, "summary": "", "picture": picture, "json": "", **context}
        return Answer(HTML, render(self.web, f"public/{template}", self.path.lstrip("/"), **site).encode())

    @functools.cached_property
    def played(self) -> dict[str, tuple[Game[Any, Any], LobbyRow | None]]:
        """The games that are offered, or were played here, by their slugs; each with its lobby."""
        rows = {row.game: row for row in lobbies(self.session)}
        offered = self.web.services.config.games
        return {slug: (game, rows.get(slug)) for slug, game in GAMES.items() if slug in offered or slug in rows}

    @functools.cached_property
    def unlisted(self) -> dict[str, tuple[int, int]]:
        """How many episodes of each game no page counts, as friends play them: under way, and over."""
        return public_pages.unlisted(self.session)

    def game(self, slug: str) -> tuple[Game[Any, Any], LobbyRow | None]:
        """One of them. Raises `PageError`."""
        found = self.played.get(slug)
        if found is None:
            raise PageError(404, "There is no such game here. The first page lists those that are played.")
        return found


def shown_name(name: str) -> str:
    """A name, or what else somebody chose, as pages show it: signs that cannot be seen are spelt out, no end of it cut off."""
    seen = visible(" ".join(name.split()))
    return seen if len(seen) <= LONGEST_NAME else f"{seen[: LONGEST_NAME - 1]}…"


def docs_folder() -> Path:
    """The folder of the docs: beside the package, or in it where it is installed."""
    return templates_folder().parent / "docs"


@functools.cache
def has_guide(slug: str) -> bool:
    """Is there a page how to play this game by mail?"""
    return (docs_folder() / "games" / f"{slug}.md").exists()


def pages_of(count: int, a_page: int, page: int) -> int:
    """The number of pages of a list; an empty one has one. Raises `PageError` where `page` is none of them."""
    pages = max(1, -(-count // a_page))
    if not 1 <= page <= pages:
        raise PageError(404, f"This list has {pages} page{'s' if pages > 1 else ''}. Begin at its first.")
    return pages


def need_page(page: int, rows: Sequence[object]) -> None:
    """Raises `PageError` for a page that a list does not have: there are no `rows` on it."""
    if page < 1 or (page > 1 and not rows):
        raise PageError(404, "This list has no such page. Begin at its first.")


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
