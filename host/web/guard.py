"""Edge: checks that every request and every answer passes. In: an ASGI app, the names it is reached under. Out: the app, guarded.

A request is refused before anything looks at it where it names another host (so that no stranger's page reaches a desk on
loopback under a name of its own), is not GET, HEAD or POST, is a POST from another site, has a larger body than our forms (a
stranger's much smaller), or comes while its address has many under way.
Every answer says what a browser may do with it (`data/headers.toml`).
"""

import asyncio
import contextlib
from collections import Counter
from collections.abc import Awaitable, Callable
from ipaddress import ip_address
from urllib.parse import urlsplit

from anyio import to_thread
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from host.config import Web
from host.engine.words import table

LARGEST_FORM = 2 * 1024 * 1024
"""Bytes of a body; a question bank is the largest form."""
STRANGERS_FORM = 16 * 1024
"""Bytes of a body of somebody who is not logged in: an address, or what they wrote before they were logged out."""
AN_ADDRESS = 16
"""Requests of one address that are under way at once. Those of a network of ours are not counted: a proxy may be there."""
PAGES_AT_ONCE = 3
"""Pages that are made at once, each with one connection to the store; who asks for more waits, and the daemon does not."""
FORM_SECONDS = 20.0
"""A body that takes longer to come is given up."""
LONGEST_PATH = 1000
"""Characters of a page's address; ours have some sixty."""
LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
USUAL_PORTS = {"http": 80, "https": 443}

Refuse = Callable[[str, int, str], ASGIApp]
"""Makes the answer to a refused request: of its path, a status and words."""
TOO_MUCH = f"That is more than the {LARGEST_FORM >> 20} MB that a form may have, so nothing was done."
NOT_LOGGED_IN = (
    "You are not logged in, and this form is too large for that, so nothing was done. Log in and send it again."
)
AT_ONCE = "Too much is asked from your address at once, so nothing was done. Wait a moment and try again."


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

    def __init__(
        self, app: ASGIApp, names: frozenset[str], refuse: Refuse, is_visitor: Callable[[Request], bool]
    ) -> None:
        self.app, self.names, self.refuse, self.is_visitor = app, names, refuse, is_visitor
        self._under_way: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            return
        to_thread.current_default_thread_limiter().total_tokens = PAGES_AT_ONCE
        address = _address(scope)
        self._under_way[address] += 1
        try:
            try:
                if address and self._under_way[address] > AN_ADDRESS:
                    raise HTTPException(429, AT_ONCE)
                self._check(scope)
                if scope["method"] == "POST":
                    receive = await self._body(scope, receive)
                answer = self.app
            except HTTPException as error:
                answer = self.refuse(scope["path"], error.status_code, error.detail)
            await answer(scope, receive, _with_headers(send))
        finally:
            self._under_way[address] -= 1
            if not self._under_way[address]:
                del self._under_way[address]

    def _check(self, scope: Scope) -> None:
        """Raises HTTPException for a request that is refused by its head."""
        headers = Headers(scope=scope)
        if headers.get("host", "").lower() not in self.names:
            words = "This server does not answer to that name. Open it under the address that its host gave you."
            raise HTTPException(421, words)
        if len(scope["path"]) > LONGEST_PATH or "\0" in scope["path"] or b"%00" in scope["query_string"]:
            raise HTTPException(400, "This address cannot be read.")
        if scope["method"] not in ("GET", "HEAD", "POST"):
            raise HTTPException(405, "Only GET, HEAD and POST are answered.")
        if scope["method"] == "POST" and not self._is_from_here(headers):
            words = "This form was sent from another site, so nothing was done. Open the page here and send it again."
            raise HTTPException(403, words)
        length = headers.get("content-length", "0")
        if not length.isascii() or not length.isdigit() or len(length) > 10 or int(length) > LARGEST_FORM:
            raise HTTPException(413, TOO_MUCH)

    async def _body(self, scope: Scope, receive: Receive) -> Receive:
        """Takes a body whole, to hand it on. Raises HTTPException where it does not come, or is too large for its sender."""
        body, is_known = bytearray(), False
        try:
            async with asyncio.timeout(FORM_SECONDS):
                async for piece in Request(scope, receive).stream():
                    body += piece
                    if len(body) > LARGEST_FORM:
                        raise HTTPException(413, TOO_MUCH)
                    if len(body) > STRANGERS_FORM and not is_known:
                        is_known = await run_in_threadpool(self.is_visitor, Request(scope))
                        if not is_known:
                            raise HTTPException(413, NOT_LOGGED_IN)
        except ClientDisconnect:
            raise HTTPException(400, "The form did not come whole, so nothing was done. Send it again.") from None
        except TimeoutError:
            raise HTTPException(408, "The form took too long to come, so nothing was done. Send it again.") from None

        async def whole() -> Message:
            return {"type": "http.request", "body": bytes(body), "more_body": False}

        return whole

    def _is_from_here(self, headers: Headers) -> bool:
        """Browsers name the site that a form comes from; what names none is no browser's form."""
        if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return False
        try:
            origin = urlsplit(headers.get("origin", ""))
        except ValueError:
            return False
        return origin.scheme in ("http", "https") and origin.netloc.lower() in self.names


def _address(scope: Scope) -> str:
    """The address that a request comes from, as far as a proxy of ours says so; empty for what is not counted."""
    host = (scope.get("client") or ("",))[0]
    with contextlib.suppress(ValueError):
        found = ip_address(host)
        if found.is_global:
            # whoever has one address of IPv6 has as many as they like in their network
            return host if found.version == 4 else found.exploded[:19]
    return ""


def _with_headers(send: Send) -> Callable[[Message], Awaitable[None]]:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in table("host.web", "headers.toml").items():
                headers.setdefault(name, value)
            headers.setdefault("Cache-Control", "no-store")
        await send(message)

    return sending
