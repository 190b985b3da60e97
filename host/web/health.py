"""Edge: how the daemon is, over HTTP. In: whoever knows it. Out: answers, made without a server; an ASGI app of them.

It loads nothing of the pages for people, and the web's library only where answers are served.
"""

from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.responses import Response
    from starlette.types import ASGIApp, Receive, Scope, Send


@dataclass(frozen=True)
class Answer:
    """The page, picture, file or sentence that stands at a path. `kind` is its media type."""

    kind: str
    body: bytes
    status: HTTPStatus = HTTPStatus.OK


def sentence(status: HTTPStatus, words: str) -> Answer:
    """An answer of one line of text."""
    return Answer("text/plain; charset=utf-8", f"{words}\n".encode(), status)


def response(answer: Answer, headers: dict[str, str] | None = None) -> "Response":
    """The answer, as Starlette has it; nobody keeps it."""
    from starlette.responses import Response

    headers = {"Cache-Control": "no-store", **(headers or {})}
    return Response(answer.body, answer.status, headers, media_type=answer.kind)


def health_app(answer: Callable[[str], Answer]) -> "ASGIApp":
    """The app that asks `answer` for every path. It calls it in threads, so it may take its time."""
    from starlette.concurrency import run_in_threadpool

    async def app(scope: "Scope", receive: "Receive", send: "Send") -> None:
        if scope["method"] in ("GET", "HEAD"):
            told = response(await run_in_threadpool(answer, scope["path"]))
        else:
            words = "Only GET and HEAD are answered."
            told = response(sentence(HTTPStatus.METHOD_NOT_ALLOWED, words), {"Allow": "GET, HEAD"})
        await told(scope, receive, send)

    return app
