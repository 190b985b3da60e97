"""Edge: what every request and every answer passes. In: an ASGI app, the names it is reached under. Out: the app, guarded.

A request is refused before anything looks at it where it names another host (so that no stranger's page reaches a desk on
loopback under a name of its own), is not GET, HEAD or POST, is a POST from another site, or has a larger body than our forms.
Every answer says what a browser may do with it: no script but ours, no frame of others, nothing sent elsewhere.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from urllib.parse import urlsplit

from anyio import to_thread
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from host.config import Web

LARGEST_FORM = 2 * 1024 * 1024
"""Bytes of a body; a question bank is the largest form."""
PAGES_AT_ONCE = 6
"""Pages that are made at once, each with one connection to the store; who asks for more waits, and the daemon does not."""
FORM_SECONDS = 20.0
"""So long a body may take to come."""
POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; frame-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=()",
    "Referrer-Policy": "same-origin",  # with none at all browsers call the origin of our own forms null
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
"""What an answer says that does not say otherwise itself."""
LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
USUAL_PORTS = {"http": 80, "https": 443}

Refuse = Callable[[str, int, str], ASGIApp]
"""Makes the answer to a refused request: of its path, a status and words."""


def names_of(web: Web) -> frozenset[str]:
    """The hosts, as a request names them, that are ours: where we listen, its names on this machine, the one from outside."""
    names = set()
    if web.endpoint is not None:
        port = web.endpoint[1]
        names |= {web.listen.lower(), *(f"{name}:{port}" for name in LOOPBACK)}
        if port == 80:
            names |= set(LOOPBACK)
    if web.url:
        address = urlsplit(web.url)
        host, at = address.hostname or "", address.port
        with contextlib.suppress(UnicodeError):
            host = host.encode("idna").decode("ascii")
        names.add(host if at in (None, USUAL_PORTS[address.scheme]) else f"{host}:{at}")
    return frozenset(names)


def is_own_name(host: str) -> bool:
    """Does this name mean this machine, so that no proxy was asked?"""
    return host.rpartition(":")[0] in LOOPBACK or host in LOOPBACK


class Guard:
    """An app behind these checks. `refuse` makes the page of a refusal."""

    def __init__(self, app: ASGIApp, names: frozenset[str], refuse: Refuse) -> None:
        self.app, self.names, self.refuse = app, names, refuse

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            return
        to_thread.current_default_thread_limiter().total_tokens = PAGES_AT_ONCE
        answer: ASGIApp = self.app
        problem = self._problem(scope)
        if problem is None and scope["method"] == "POST":
            body, problem = await _body(receive)
            receive = _given(body)
        if problem is not None:
            answer = self.refuse(scope["path"], *problem)
        await answer(scope, receive, _with_headers(send))

    def _problem(self, scope: Scope) -> tuple[int, str] | None:
        headers = Headers(scope=scope)
        if headers.get("host", "").lower() not in self.names:
            return 421, "This server does not answer to that name. Open it under the address that its host gave you."
        if "\0" in scope["path"] or b"%00" in scope["query_string"]:
            return 400, "This address cannot be read."
        if scope["method"] not in ("GET", "HEAD", "POST"):
            return 405, "Only GET, HEAD and POST are answered."
        if scope["method"] == "POST" and not self._is_from_here(headers):
            return (
                403,
                "This form was sent from another site, so nothing was done. Open the page here and send it again.",
            )
        length = headers.get("content-length", "0")
        if not length.isascii() or not length.isdigit() or len(length) > 10 or int(length) > LARGEST_FORM:
            return 413, f"That is more than the {LARGEST_FORM >> 20} MB that a form may have, so nothing was done."
        return None

    def _is_from_here(self, headers: Headers) -> bool:
        """Browsers name the site that a form comes from; what names none is no browser's form."""
        if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return False
        origin = urlsplit(headers.get("origin", ""))
        return origin.scheme in ("http", "https") and origin.netloc.lower() in self.names


async def _body(receive: Receive) -> tuple[bytes, tuple[int, str] | None]:
    """A body whole; or why it is refused."""
    body = b""
    try:
        async with asyncio.timeout(FORM_SECONDS):
            while True:
                message = await receive()
                if message["type"] != "http.request":
                    return b"", (400, "The form did not come whole, so nothing was done. Send it again.")
                body += message.get("body", b"")
                if len(body) > LARGEST_FORM:
                    return b"", (413, f"That is more than the {LARGEST_FORM >> 20} MB that a form may have.")
                if not message.get("more_body"):
                    return body, None
    except TimeoutError:
        return b"", (408, "The form took too long to come, so nothing was done. Send it again.")


def _given(body: bytes) -> Receive:
    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    return receive


def _with_headers(send: Send) -> Callable[[Message], Awaitable[None]]:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            headers.setdefault("Cache-Control", "no-store")
        await send(message)

    return sending
