"""Edge: how the daemon is, over HTTP. In: whoever knows it. Out: an ASGI app; it loads nothing of the pages for people."""

from collections.abc import Callable
from http import HTTPStatus

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from host.web.answer import Answer, sentence


def health_app(answer: Callable[[str], Answer]) -> Starlette:
    """The app that asks `answer` for every path. It calls it in threads, so it may take its time."""

    def told(request: Request) -> Response:
        return response(answer(request.url.path))

    def other_method(_request: Request, _error: Exception) -> Response:
        words = "Only GET and HEAD are answered."
        return response(sentence(HTTPStatus.METHOD_NOT_ALLOWED, words), {"Allow": "GET, HEAD"})

    return Starlette(
        routes=[Route("/{path:path}", told, methods=["GET"])],
        exception_handlers={HTTPStatus.METHOD_NOT_ALLOWED: other_method},
    )


def response(answer: Answer, headers: dict[str, str] | None = None) -> Response:
    """The answer, as Starlette has it; nobody keeps it."""
    headers = {"Cache-Control": "no-store", **(headers or {})}
    return Response(answer.body, answer.status, headers, media_type=answer.kind)
