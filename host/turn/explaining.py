"""Shell: terms and rules. In: what a contestant asks about. Out: what the term means, the clause that fits, an example.

The example is the last thing that happened at their own table, as they may see it, of which a sentence has the term.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

from host.engine.game import Game
from host.games import GAMES
from host.mail.outbound.formatting import listed
from host.mail.outbound.render import tell
from host.play.services import Service
from host.play.terms import Term, clause_about, term_called, terms_in, terms_of, topic_of
from host.table.play import events_of, room_text
from host.table.served import Request, Served

LOOKED_THROUGH = 200
"""Events of a table that may be the example."""


def clauses_of(game: Game[Any, Any]) -> list[str]:
    """The clauses of a game's rules, each beginning with its number."""
    blocks = (" ".join(block.split()) for block in re.split(r"\n\n|\n(?=- )", room_text(game, "RULES.md")))
    plainly = (re.sub(r"\*+(?:\((?:source|ruling)\)\* )?|`", "", block) for block in blocks if block.startswith("- **"))
    return [re.sub(r" ?\((?:source|ruling)\)", "", each).removeprefix("- ") for each in plainly]


def rules_about(request: Request) -> Served:
    """The one clause of the rules that fits what they ask about; with no such clause, what can be asked about."""
    game, topic = request.game, topic_of(request.named)
    if game is None:
        return Served(("Reply to a letter of a game to get its rules.",))
    clause = clause_about(game.slug, topic, clauses_of(game))
    if not clause:
        return Served((f"I found nothing in the rules about “{topic}”. {_which_there_are(game.slug)}",))
    term = term_called(game.slug, topic)
    more = "Write rules for all of them."
    return Served((f"Rule {clause}", *_example(request, term), more))


def _explain(request: Request) -> Served:
    topic = topic_of(request.named)
    slugs = [request.slug] if request.slug else [*request.work.config.games, ""]
    slug, term = next(((each, found) for each in slugs if (found := term_called(each, topic))), ("", None))
    if not topic or term is None:
        unknown = f"I have no explanation of “{topic}”. " if topic else "Write explain and a word of the game. "
        return Served((f"{unknown}{_which_there_are(request.slug)}",))
    if request.seat and slug:
        request.seat.terms = [*{*request.seat.terms, term.name}]
    in_game = f" ({GAMES[slug].title})" if slug and not request.slug else ""
    more = (f"The rules say more: write rules {term.name}.",) if term.rules and request.game else ()
    return Served((f"{term.name}{in_game}: {term.says}", *_example(request, term), *more))


def _which_there_are(slug: str) -> str:
    return f"I can explain {listed(term.name for term in terms_of(slug))}."


def _example(request: Request, term: Term | None) -> tuple[str, ...]:
    play, seat = request.play, request.seat
    if play is None or seat is None or term is None:
        return ()
    last = play.episode.last_event
    stored = [event for _, event in events_of(request.work, play, max(0, last - LOOKED_THROUGH))]
    sentences = tell(play.game.slug, play.game.news(stored, seat.seat), play.names, seat.seat)
    found = next((each for each in reversed(sentences) if term in terms_in(play.game.slug, each)), "")
    return (f"At your table: {found}",) if found else ()


SERVED: Mapping[Service, Callable[[Request], Served]] = {Service.EXPLAIN: _explain}
