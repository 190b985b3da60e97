"""Edge: pages that explain. In: the project's own Markdown: docs for contestants, a room's rules. Out: the same as pages.

Contestants' pages have one source, the files in `docs`; links between those files become links between pages, and a link to
what is no page here is plain text. Where a file shows a picture of a letter, the page draws a table.
"""

import functools
import posixpath
import re
from collections.abc import Iterable, Mapping
from typing import Any

from markupsafe import Markup

from host.engine.game import Game
from host.games import GAMES
from host.table.play import room_text
from host.web.health import Answer
from host.web.pages import PageError, root_of
from host.web.public.document import Asked, docs_folder, example, has_guide


def rules_of(slug: str) -> str:
    """The file of a game's rules."""
    return f"host/games/{slug.replace('-', '_')}/RULES.md"


HOW_TO_PLAY, RECORD_FORMAT = "docs/contestants.md", "docs/record-format.md"


def _places(games: Iterable[str]) -> dict[str, str]:
    """The files that are pages where these games have some, and where they stand."""
    return {
        HOW_TO_PLAY: "how-to-play/",
        RECORD_FORMAT: "record-format/",
        **{f"docs/games/{slug}.md": f"how-to-play/{slug}/" for slug in games},
        **{rules_of(slug): f"games/{slug}/rules/" for slug in games},
    }


def written(asked: Asked, file: str) -> tuple[str, Markup]:
    """The title of a file, and the rest of it as a page's markup."""
    return _written(file, tuple(asked.played))


@functools.cache
def _written(file: str, games: tuple[str, ...]) -> tuple[str, Markup]:
    from markdown_it import MarkdownIt

    slug = file.removeprefix("host/games/").removesuffix("/RULES.md").replace("_", "-")
    source = room_text(GAMES[slug], "RULES.md") if slug in GAMES else (docs_folder() / file[5:]).read_text("utf-8")
    markdown, places = MarkdownIt("commonmark", {"html": False}).enable("table"), _places(games)
    tokens = markdown.parse(re.sub(r"(!?)\[([^]]*)\]\(([^)]*)\)", lambda link: _link(link, file, places), source))
    for at, token in enumerate(tokens):
        if token.type == "heading_open":
            heading = tokens[at + 1].content
            token.attrSet("id", re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-"))
        if token.type == "table_open":
            token.attrs |= {"class": "rows", "tabindex": "0"}  # by keys it is moved sideways where it is too wide
    body = markdown.renderer.render(tokens[3:], markdown.options, {})
    return tokens[1].content, Markup(body)  # noqa: S704 - of our own files, in which HTML is text


def _link(link: re.Match[str], file: str, places: Mapping[str, str]) -> str:
    """A file's link to another file as a link to a page, or its words where that is no page; nothing for a picture."""
    is_picture, words, href = link.groups()
    target, hash_sign, anchor = href.partition("#")
    if is_picture:
        return ""
    if not target or "://" in target:
        return link[0]
    place = places.get(posixpath.normpath(posixpath.join(posixpath.dirname(file), target)))
    return words if place is None else f"[{words}]({root_of(places[file])}{place}{hash_sign}{anchor})"


def how_to_play(asked: Asked) -> Answer:
    """The page for contestants: how to play by mail."""
    games = [GAMES[slug] for slug in GAMES if slug in asked.web.services.config.games]
    examples = [(game, example(game.slug), has_guide(game.slug)) for game in games]
    return _guide(asked, HOW_TO_PLAY, json="guide.json", summary="How to play by e-mail.", games=examples)


def how_to_play_a_game(asked: Asked, slug: str) -> Answer:
    """The page on playing one game: what can be written, what silence does."""
    game, _ = asked.game(slug)
    return _guide(asked, guide_of(game), json="guide.json", summary=game.summary, game=game, examples=[example(slug)])


def guide_of(game: Game[Any, Any]) -> str:
    """The file on playing one game. Raises `PageError` where there is none."""
    if not has_guide(game.slug):
        raise PageError(404, f"There is no such page for {game.title}; its rules tell how it is played.")
    return f"docs/games/{game.slug}.md"


def rules(asked: Asked, slug: str) -> Answer:
    """The rules of a game, clause by clause."""
    game, _ = asked.game(slug)
    return _guide(asked, rules_of(slug), json="rules.json", summary=game.summary, game=game, is_rules=True)


def record_format(asked: Asked) -> Answer:
    """The page on records: their lines, and how cards come out of a seed."""
    return _guide(
        asked, RECORD_FORMAT, json="format.json", summary="What a record holds, and how cards come out of a seed."
    )


def verify(asked: Asked) -> Answer:
    """The page that says how to check that the cards were fair, and a form that does it."""
    return asked.page("verify.html", streams={slug: list(game.streams) for slug, game in GAMES.items()})


def _guide(asked: Asked, file: str, **context: Any) -> Answer:
    title, body = written(asked, file)
    known = {"game": None, "games": [], "examples": [], "is_rules": False, **context}
    known["has_guide"] = known["game"] is not None and has_guide(known["game"].slug)
    return asked.page("guide.html", heading=title, body=body, **known)
