"""Edge: a public page, finished. In: a path, a template and what it shows. Out: its media type and bytes."""

import functools
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from host.engine.game import Game
from host.games import GAMES
from host.logs import visible
from host.mail.outbound.templates import templates_folder
from host.store.database import Session
from host.store.people import lobbies
from host.store.schema import LobbyRow
from host.web.health import Answer
from host.web.pages import PageError, Web, render

LONGEST_NAME = 60
HTML = "text/html; charset=utf-8"


@dataclass(frozen=True)
class Asked:
    """A public path that is asked for, of which host, while a session of its store is open."""

    web: Web
    session: Session
    path: str

    def page(self, template: str, **context: Any) -> Answer:
        """The page of this path. `summary`, here or in the template, is what a link preview says."""
        site = {"base": self.web.services.config.web.url, "summary": "", "picture": "", **context}
        return Answer(HTML, render(self.web, f"public/{template}", self.path.lstrip("/"), **site).encode())

    def played(self) -> dict[str, tuple[Game[Any, Any], LobbyRow | None]]:
        """The games that are offered, or were played here, by their slugs; each with its lobby."""
        rows = {row.game: row for row in lobbies(self.session)}
        offered = self.web.services.config.games
        return {slug: (game, rows.get(slug)) for slug, game in GAMES.items() if slug in offered or slug in rows}

    def game(self, slug: str) -> tuple[Game[Any, Any], LobbyRow | None]:
        """One of them. Raises `PageError`."""
        found = self.played().get(slug)
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
