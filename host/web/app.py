"""Edge: all that is answered to people over HTTP. In: a host's services, a clock. Out: an ASGI app.

The public pages, the desk, and `host.web.health` where both are to be had at one address. `host.web.server` serves them.
"""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any
from urllib.parse import quote

from anyio import CapacityLimiter, to_thread
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from host.web import desk
from host.web.desk.visitor import visited
from host.web.guard import Guard, is_own_name, names_of
from host.web.health import Answer, response
from host.web.pages import PageError, Web, asset_bytes, look_assets, page
from host.web.public.paths import SMALLER
from host.web.public.paths import routes as public_routes

KINDS = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml", "png": "image/png"}
HEALTH_PATHS = ("/healthz", "/readyz", "/metrics")
HEALTH_AT_ONCE = 2
"""Answers to this machine about the daemon that are made at once; they do not wait for pages."""
BY_PROXY = frozenset(("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto", "x-real-ip"))
"""Headers of a request that came through a proxy, so not from this machine."""
FOR_A_DAY = "public, max-age=86400"
FOR_A_YEAR = "public, max-age=31536000, immutable"


def web_app(web: Web, health: Callable[[str], Answer] | None = None) -> ASGIApp:
    """The pages for people. Where `health` is given, this machine is told how the daemon is, too."""

    own_threads = CapacityLimiter(HEALTH_AT_ONCE)

    async def healthy(request: Request) -> Response:
        is_near = is_own_name(request.headers.get("host", "").lower()) and not BY_PROXY & set(request.headers)
        if health is None or not is_near:
            raise PageError(404, "There is no such page.")
        return response(await to_thread.run_sync(health, request.url.path, limiter=own_threads))

    looks = look_assets(web.services.config.look)
    routes = [
        *(Route(path, healthy, methods=["GET"]) for path in HEALTH_PATHS),
        *(Route(f"/static/{name}", _own(*found), methods=["GET"]) for name, found in looks.items()),
        Route("/static/{name}", _asset, methods=["GET"], middleware=[SMALLER]),
        *public_routes(web),
        *desk.routes(web),
        Route("/{path:path}", _nothing, methods=["GET", "POST"]),
    ]

    def refused(path: str, status: int, words: str) -> Response:
        return page(web, path, "error.html", status, words=words)

    def failed(request: Request, error: Any) -> Response:
        words = "There is no such page." if error.detail == HTTPStatus.NOT_FOUND.phrase else error.detail
        return refused(request.url.path, error.status_code, words)

    def broken(request: Request, _error: Exception) -> Response:
        words = "This page cannot be shown just now; nothing was changed. The log says why."
        return refused(request.url.path, 500, words)

    app = Starlette(routes=routes, exception_handlers={HTTPException: failed, Exception: broken})
    return Guard(app, names_of(web.services.config.web), refused, lambda request: visited(web, request) is not None)


def _asset(request: Request) -> Response:
    name = str(request.path_params["name"])
    try:
        found = asset_bytes(name)
    except LookupError:
        raise PageError(404, "There is no such page.") from None
    return Response(found, headers={"Cache-Control": FOR_A_YEAR}, media_type=KINDS[name.rpartition(".")[2]])


def _own(kind: str, body: bytes) -> Callable[[Request], Response]:
    return lambda _request: Response(body, headers={"Cache-Control": FOR_A_DAY}, media_type=kind)


def _nothing(request: Request) -> Response:
    """No page; or one that is reached with a slash behind."""
    path = request.url.path
    if request.method in ("GET", "HEAD") and not path.endswith("/") and "." not in path.rpartition("/")[2]:
        return RedirectResponse(f"./{quote(path.rpartition('/')[2], safe='')}/", 308)
    raise PageError(404, "There is no such page.")
