"""Edge: pages that explain. In: the project's own Markdown: docs for contestants, a room's rules. Out: the same as pages.

Contestants' pages have one source, the files in `docs`; links between those files become links between pages, and a link to
what is no page here is plain text. Where a file shows a picture of a letter, the page draws a table.
"""

import functools
import posixpath
import re
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from host.games import GAMES
from host.store.database import Session
from host.turn.play import room_text
from host.web.pages import PageError, Web, root_of
from host.web.public.document import Document, docs_folder, document, game_of, has_guide
from host.web.public.example import example

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

PLACES = {
    "docs/contestants.md": "how-to-play/",
    "docs/record-format.md": "record-format/",
    **{f"docs/games/{slug}.md": f"how-to-play/{slug}/" for slug in GAMES},
    **{f"host/games/{slug.replace('-', '_')}/RULES.md": f"games/{slug}/rules/" for slug in GAMES},
}
"""Which file is which page."""
_NOT_IN_ANCHORS = re.compile(r"[^\w\- ]")


@functools.cache
def _markdown() -> "MarkdownIt":
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"html": False}).enable("table")


@functools.cache
def _written(file: str) -> tuple[str, Markup]:
    """The title of a file, and the rest of it as a page's markup."""
    slug = file.removeprefix("host/games/").removesuffix("/RULES.md").replace("_", "-")
    source = room_text(GAMES[slug], "RULES.md") if slug in GAMES else (docs_folder() / file[5:]).read_text("utf-8")
    tokens = _markdown().parse(source)
    title = tokens[1].content
    for at, token in enumerate(tokens):
        if token.type == "heading_open":
            token.attrSet("id", _anchor(tokens[at + 1].content))
        if token.type == "table_open":
            token.attrSet("class", "rows")
        if token.type == "inline":
            _turn_links(token, file)
    body = _markdown().renderer.render(tokens[3:], _markdown().options, {})
    return title, Markup(body)  # noqa: S704 - of our own files, in which HTML is text


def _anchor(heading: str) -> str:
    return _NOT_IN_ANCHORS.sub("", heading.lower()).strip().replace(" ", "-")


def _turn_links(inline: "Token", file: str) -> None:
    """Turn a paragraph's links to files into links to pages, and take pictures out."""
    kept: list[Token] = []
    is_dead = False
    for token in inline.children or []:
        if token.type == "image":
            continue
        if token.type == "link_open":
            href = _page_of(str(token.attrs["href"]), file)
            is_dead = href is None
            if href is not None:
                token.attrs["href"] = href
                kept.append(token)
        elif token.type == "link_close":
            if not is_dead:
                kept.append(token)
            is_dead = False
        else:
            kept.append(token)
    inline.children = kept


def _page_of(href: str, file: str) -> str | None:
    """Where a link of a file leads from its page; None for what is no page."""
    target, hash_sign, anchor = href.partition("#")
    if not target or "://" in target:
        return href
    place = PLACES.get(posixpath.normpath(posixpath.join(posixpath.dirname(file), target)))
    return None if place is None else f"{root_of(PLACES[file])}{place}{hash_sign}{anchor}"


def how_to_play(web: Web, _session: Session) -> Document:
    """How to play by mail."""
    games = [game for slug, game in GAMES.items() if slug in web.services.config.games]
    examples = [(game, example(game.slug), has_guide(game.slug)) for game in games]
    return _guide(web, "docs/contestants.md", summary="How to play by e-mail.", games=examples)


def how_to_play_a_game(web: Web, session: Session, slug: str) -> Document:
    """How to play one game: what can be written, what silence does."""
    game, _ = game_of(web, session, slug)
    if not has_guide(slug):
        raise PageError(404, f"There is no such page for {game.title}; its rules tell how it is played.")
    return _guide(web, f"docs/games/{slug}.md", summary=game.summary, game=game, examples=[example(slug)])


def rules(web: Web, session: Session, slug: str) -> Document:
    """The rules of a game, clause by clause."""
    game, _ = game_of(web, session, slug)
    file = f"host/games/{slug.replace('-', '_')}/RULES.md"
    return _guide(web, file, summary=game.summary, game=game, is_rules=True)


def record_format(web: Web, _session: Session) -> Document:
    """What a record holds, and how cards come out of a seed."""
    return _guide(web, "docs/record-format.md", summary="What a record holds, and how cards come out of a seed.")


def verify(web: Web, _session: Session) -> Document:
    """How to check that the cards were fair, and a form that does it."""
    streams = {slug: list(game.streams) for slug, game in GAMES.items()}
    return document(
        web, "verify.html", "verify/", streams=streams, summary="How anybody can check that the cards were fair."
    )


def _guide(web: Web, file: str, **context: Any) -> Document:
    title, body = _written(file)
    known = {"game": None, "games": [], "examples": [], "is_rules": False, **context}
    known["has_guide"] = known["game"] is not None and has_guide(known["game"].slug)
    return document(web, "guide.html", PLACES[file], heading=title, body=body, **known)
