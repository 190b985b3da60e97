"""Edge: the public pages by their paths. In: a path. Out: what stands there, as an answer or for a file."""

import re
from collections.abc import Callable
from typing import Any

from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, compile_path

from host.web.pages import PageError, Web, board, page, templates
from host.web.public import front, guides, watching
from host.web.public.document import Asked, Document
from host.web.public.example import example

FOR_A_MINUTE = "public, max-age=60"
NOT_PUBLIC = "This host does not show its games to the public. Contestants get everything by e-mail."
PAGES: dict[str, Callable[..., Document]] = {
    "/": front.home,
    "/games/{slug}/": front.game_page,
    "/games/{slug}/page-{page:int}/": front.game_page,
    "/games/{slug}/rules/": guides.rules,
    "/games/{slug}/preview.png": front.game_preview,
    "/episodes/{code}/": watching.episode_page,
    "/episodes/{code}/preview.png": watching.preview_of,
    "/episodes/{code}/record.jsonl": watching.record_of,
    "/episodes/{code}/replay/": watching.replay_page,
    "/episodes/{code}/replay/{page:int}/": watching.replay_page,
    "/episodes/{code}/replay/open/": watching.replay_page,
    "/episodes/{code}/replay/open/{page:int}/": watching.replay_page,
    "/champions/": front.champions,
    "/champions/{slug}/": front.champions,
    "/champions/{slug}/page-{page:int}/": front.champions,
    "/standings/": front.standings,
    "/standings/{slug}/": front.standings,
    "/standings/{slug}/page-{page:int}/": front.standings,
    "/ledger/": front.ledger,
    "/ledger/page-{page:int}/": front.ledger,
    "/ledger/{season:int}/": front.ledger,
    "/ledger/{season:int}/page-{page:int}/": front.ledger,
    "/how-to-play/": guides.how_to_play,
    "/how-to-play/{slug}/": guides.how_to_play_a_game,
    "/record-format/": guides.record_format,
    "/verify/": guides.verify,
    "/feed.xml": front.feed,
    "/robots.txt": front.robots,
    "/favicon.ico": front.icon,
}
UNLINKED = ("/feed.xml", "/robots.txt", "/favicon.ico")
"""No page needs to link these, since programs ask for them by their names."""
SMALLER = Middleware(GZipMiddleware, minimum_size=1024, compresslevel=6)
"""Only what everybody may see is compressed: the length of a page with a secret and somebody's words in it tells of both."""


def routes(web: Web) -> list[Route]:
    """All public paths; where the host is not public they say so."""
    is_public = web.services.config.web.public
    if is_public:  # what takes long and is kept, a third of a second, is made before the first page
        for slug in web.services.config.games:
            found = example(slug)
            board(slug, found.view, found.names, 0)
        for name in templates().list_templates(filter_func=lambda name: name.startswith("public/")):
            templates().get_template(name)

    def answer(request: Request) -> Response:
        if not is_public and request.url.path == "/":
            return page(web, "", "public/closed.html")
        if not is_public and request.url.path not in ("/robots.txt", "/favicon.ico"):
            raise PageError(404, NOT_PUBLIC)
        document = document_at(web, request.url.path)
        return Response(document.body, headers={"Cache-Control": FOR_A_MINUTE}, media_type=document.kind)

    return [Route(pattern, answer, methods=["GET"], middleware=[SMALLER]) for pattern in PAGES]


def document_at(web: Web, path: str) -> Document:
    """Make the document that stands at a path. Raises `PageError`."""
    for pattern, make in PAGES.items():
        expression, _, convertors = compile_path(pattern)
        found = expression.match(path)
        if found is not None and path.isprintable() and not re.search(r"\d{10}", path):
            values: dict[str, Any] = {name: convertors[name].convert(text) for name, text in found.groupdict().items()}
            if values.get("page") == 1:
                raise PageError(404, "The first page of a list is the list itself: leave its number out.")
            with web.services.store.reading() as session:
                return make(Asked(web, session, path), **values)
    raise PageError(404, "There is no such page.")
