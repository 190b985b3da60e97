"""Edge: the public pages by their paths. In: a path. Out: what stands there, as an answer or for a file."""

import re
from collections.abc import Callable, Iterable
from typing import Any

from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, compile_path

from host.store.database import Session
from host.web.boards import board
from host.web.pages import PageError, Web, page, render, templates
from host.web.public import episodes, feed, front, guides, preview, robots
from host.web.public.document import Document, game_of
from host.web.public.example import example

FOR_A_MINUTE = "public, max-age=60"
NOT_PUBLIC = "This host does not show its games to the public. Contestants get everything by e-mail."


def game_preview(web: Web, session: Session, slug: str) -> Document:
    """A picture of a game for link previews."""
    game, _ = game_of(web, session, slug)
    drawn = preview.drawn(game.title, [game.pace.partition(":")[0]], "Played by e-mail", example(slug).view, "")
    return Document(preview.KIND, drawn)


PAGES: dict[str, Callable[..., Document]] = {
    "/": front.home,
    "/games/{slug}/": front.game_page,
    "/games/{slug}/page-{page:int}/": front.game_page,
    "/games/{slug}/rules/": guides.rules,
    "/games/{slug}/preview.png": game_preview,
    "/episodes/{code}/": episodes.episode_page,
    "/episodes/{code}/preview.png": episodes.preview_of,
    "/episodes/{code}/record.jsonl": episodes.record_of,
    "/episodes/{code}/replay/": episodes.replay_page,
    "/episodes/{code}/replay/{page:int}/": episodes.replay_page,
    "/episodes/{code}/replay/open/": episodes.open_replay_page,
    "/episodes/{code}/replay/open/{page:int}/": episodes.open_replay_page,
    "/champions/": front.champions,
    "/champions/{slug}/": front.champions_of,
    "/champions/{slug}/page-{page:int}/": front.champions_of,
    "/standings/": front.standings,
    "/standings/{slug}/": front.standings_of,
    "/standings/{slug}/page-{page:int}/": front.standings_of,
    "/ledger/": front.ledger,
    "/ledger/page-{page:int}/": front.ledger,
    "/ledger/{season:int}/": front.ledger,
    "/ledger/{season:int}/page-{page:int}/": front.ledger,
    "/how-to-play/": guides.how_to_play,
    "/how-to-play/{slug}/": guides.how_to_play_a_game,
    "/record-format/": guides.record_format,
    "/verify/": guides.verify,
    "/feed.xml": feed.feed,
    "/robots.txt": robots.robots,
    "/sitemap.xml": robots.sitemap,
    "/favicon.ico": robots.icon,
}
UNLINKED = ("/feed.xml", "/robots.txt", "/sitemap.xml", "/favicon.ico")
"""What no page needs to link, since programs ask for it by its name."""
SMALLER = Middleware(GZipMiddleware, minimum_size=1024, compresslevel=6)
"""Only what everybody may see is compressed: the length of a page with a secret and somebody's words in it tells of both."""
_PATTERNS = [(*compile_path(pattern), make) for pattern, make in PAGES.items()]
_LONGEST_NUMBER = re.compile(r"\d{10}")


def routes(web: Web) -> list[Route]:
    """All public paths; where the host is not public they say so."""
    is_public = web.services.config.web.public
    if is_public:
        _prepare(web.services.config.games)

    def answer(request: Request) -> Response:
        if not is_public and request.url.path == "/":
            return page(render(web, "public/closed.html", ""))
        if not is_public and request.url.path not in ("/robots.txt", "/favicon.ico"):
            raise PageError(404, NOT_PUBLIC)
        found = document_at(web, request.url.path)
        return Response(found.body, headers={"Cache-Control": FOR_A_MINUTE}, media_type=found.kind)

    return [Route(pattern, answer, methods=["GET"], middleware=[SMALLER]) for pattern in PAGES]


def _prepare(slugs: Iterable[str]) -> None:
    """What takes long to make and is kept is made before the first page: examples and compiled templates, a third of a second."""
    for slug in slugs:
        found = example(slug)
        board(slug, found.view, found.names, 0)
    for name in templates().list_templates(filter_func=lambda name: name.startswith("public/")):
        templates().get_template(name)


def document_at(web: Web, path: str) -> Document:
    """What stands at a path. Raises `PageError`."""
    for pattern, _, convertors, make in _PATTERNS:
        found = pattern.match(path)
        if found is not None and path.isprintable() and not _LONGEST_NUMBER.search(path):
            values: dict[str, Any] = {name: convertors[name].convert(text) for name, text in found.groupdict().items()}
            if values.get("page") == 1:
                raise PageError(404, "The first page of a list is the list itself: leave its number out.")
            with web.services.store.reading() as session:
                return make(web, session, **values)
    raise PageError(404, "There is no such page.")
