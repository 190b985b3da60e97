"""Edge: what keeps the demo's pages to the browser on this machine. In: an app and its port. Out: the app, guarded.

A page anywhere may send a browser here, by this machine's address or by a name that it makes point here. So only the names of
loopback are answered, a form is taken from the demo's own pages alone, and no body is large.
"""

from http import HTTPStatus
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

NAMES = ("127.0.0.1", "localhost")
BODY_BYTES = 100_000
POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; frame-src 'self'; img-src 'self' data:; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
LETTER_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'; "
    "frame-ancestors 'self'; sandbox allow-same-origin allow-top-navigation-by-user-activation"
)
"""Of a letter, which is a document of its own: no script runs in it, whatever it holds."""


class TooLarge(Exception):
    """A body is larger than any form here."""


class Guard:
    """The app behind it sees only requests that come from its own pages, or from an address bar."""

    def __init__(self, app: ASGIApp, port: int) -> None:
        self.app = app
        self._hosts = {f"{name}:{port}" for name in NAMES}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            return
        refusal = self._refusal(scope["method"], Headers(scope=scope))
        if refusal is not None:
            await PlainTextResponse(f"{refusal[1]}\n", refusal[0])(scope, receive, _guarded(send))
            return
        await self.app(scope, _bounded(receive), _guarded(send))

    def _refusal(self, method: str, headers: Headers) -> tuple[HTTPStatus, str] | None:
        host = headers.get("host", "")
        if host not in self._hosts:
            return HTTPStatus.MISDIRECTED_REQUEST, f"The demo is at http://{min(self._hosts)}/ and under no other name."
        if int(length if (length := headers.get("content-length", "0")).isdecimal() else 0) > BODY_BYTES:
            return HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "That is too long; write less."
        is_foreign = headers.get("origin", f"http://{host}") != f"http://{host}"
        if method not in ("GET", "HEAD") and is_foreign:
            return HTTPStatus.FORBIDDEN, "The demo takes mails only from its own pages: write them there."
        return None


def _bounded(receive: Receive) -> Receive:
    left = BODY_BYTES

    async def received() -> Message:
        nonlocal left
        message = await receive()
        left -= len(message.get("body", b""))
        if left < 0:
            raise TooLarge
        return message

    return received


def _guarded(send: Send) -> Send:
    async def sent(message: Any) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers.setdefault("Content-Security-Policy", POLICY)
            headers["X-Content-Type-Options"] = "nosniff"
            headers["Referrer-Policy"] = "same-origin"  # without any, a form's Origin would be null
            headers["Cross-Origin-Opener-Policy"] = "same-origin"
            headers.setdefault("Cache-Control", "no-store")
        await send(message)

    return sent
