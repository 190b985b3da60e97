"""Edge: what a program on this machine can ask over HTTP. In: whoever knows the answers. Out: an ASGI app.

Pages for people are more routes, before the last one.
"""

from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route


@dataclass(frozen=True)
class Answer:
    """What a path answers. `kind` is its media type."""

    status: HTTPStatus
    kind: str
    body: bytes


def sentence(status: HTTPStatus, words: str) -> Answer:
    """An answer of one line of text."""
    return Answer(status, "text/plain; charset=utf-8", f"{words}\n".encode())


def health_app(answer: Callable[[str], Answer]) -> Starlette:
    """The app that asks `answer` for every path. It calls it in threads, so it may take its time."""

    def told(request: Request) -> Response:
        return _response(answer(request.url.path))

    def other_method(_request: Request, _error: Exception) -> Response:
        words = "Only GET and HEAD are answered."
        return _response(sentence(HTTPStatus.METHOD_NOT_ALLOWED, words), {"Allow": "GET, HEAD"})

    return Starlette(
        routes=[Route("/{path:path}", told, methods=["GET"])],
        exception_handlers={HTTPStatus.METHOD_NOT_ALLOWED: other_method},
    )


def _response(answer: Answer, headers: dict[str, str] | None = None) -> Response:
    headers = {"Cache-Control": "no-store", **(headers or {})}
    return Response(answer.body, answer.status, headers, media_type=answer.kind)
