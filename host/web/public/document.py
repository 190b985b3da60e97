"""Edge: a public page, finished. In: a template and what it shows. Out: its media type and bytes; names fit to be shown."""

import functools
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from host.engine.game import Game
from host.games import GAMES
from host.logs import visible
from host.mail.outbound.templates import templates_folder
from host.store.database import Session
from host.store.people import lobbies
from host.store.schema import LobbyRow
from host.web.pages import PageError, Web, render

LONGEST_NAME = 60
HTML = "text/html; charset=utf-8"


@dataclass(frozen=True)
class Document:
    """What stands at a path. `kind` is its media type."""

    kind: str
    body: bytes


def document(web: Web, template: str, path: str, **context: Any) -> Document:
    """A page. `path` has no slash before it; `summary` of `context` is what a link preview says."""
    site = {"base": base_of(web), "summary": "", "picture": "", **context}
    return Document(HTML, render(web, f"public/{template}", path, **site).encode())


def base_of(web: Web) -> str:
    """Where the first page is, for links that have to be whole; no slash behind. Empty where nobody said."""
    return web.services.config.web.url


def whole_base_of(web: Web) -> str:
    """Where the first page is, for what is read elsewhere: where nobody said it, the address on this machine. May be empty."""
    config = web.services.config.web
    return config.address if config.url or config.listen else ""


def place_of(web: Web) -> str:
    """The name under which this host is known, for names that never change."""
    url = web.services.config.web.url
    return (urlsplit(url).hostname if url else None) or web.services.config.host.address.rpartition("@")[2]


def shown_name(name: str) -> str:
    """A name, or what else somebody chose, as pages show it: signs that cannot be seen are spelt out, no end of it cut off."""
    seen = visible(" ".join(name.split()))
    return seen if len(seen) <= LONGEST_NAME else f"{seen[: LONGEST_NAME - 1]}…"


def game_of(web: Web, session: Session, slug: str) -> tuple[Game[Any, Any], LobbyRow | None]:
    """A game that is offered, or was played here; and its lobby. Raises `PageError`."""
    lobby = next((each for each in lobbies(session) if each.game == slug), None)
    game = GAMES.get(slug)
    if game is None or (slug not in web.services.config.games and lobby is None):
        raise PageError(404, "There is no such game here. The first page lists those that are played.")
    return game, lobby


def docs_folder() -> Path:
    """Where the docs are: beside the package, or in it where it is installed."""
    return templates_folder().parent / "docs"


@functools.cache
def has_guide(slug: str) -> bool:
    """Is there a page how to play this game by mail?"""
    return (docs_folder() / "games" / f"{slug}.md").exists()


def pages_of(count: int, a_page: int) -> int:
    """How many pages a list has; an empty one has one."""
    return max(1, -(-count // a_page))


def checked(page: int, pages: int) -> int:
    """A page's number, where the list has it. Raises `PageError`."""
    if not 1 <= page <= pages:
        raise PageError(404, f"This list has {pages} page{'s' if pages > 1 else ''}. Begin at its first.")
    return page
