"""Edge: an ASGI app on loopback. In: an app and an address of this machine. Out: its answers over HTTP.

uvicorn runs on a thread with a loop of its own, so that it answers just when the daemon's loop hangs. What uvicorn does
not bound is bounded in `_Connection`: how many come at once, how long and how large a request's head may be, that a body
says its length. A connection gets one answer. Whoever goes beyond a limit is hung up on; where all places are taken, whoever
keeps us waiting makes room.
"""

import socket
import threading
from asyncio import TimerHandle, Transport
from collections import Counter
from http import HTTPStatus
from typing import cast

import h11
from starlette.types import ASGIApp
from uvicorn import Config, Server
from uvicorn.protocols.http.h11_impl import H11Protocol

from host.web.health import sentence

REQUESTS_AT_ONCE = 8
"""For programs. People have browsers, which ask for several things at once: the server of pages has more places."""
REQUEST_SECONDS = 5.0
"""A request's head may take this long in all, however slowly its bytes drip; and the client as long to read."""
REQUEST_BYTES = 8192
CONNECTION_SECONDS = 60.0
"""A client may take this long in all."""
WAITING_CONNECTIONS = 32
PROXIES = "127.0.0.0/8,::1,10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,fc00::/7"
"""X-Forwarded-For is believed of what stands before us on this machine, or in a network of ours."""
STOP_SECONDS = 1
"""A request that is being answered may keep the server from stopping this long."""


class WebServer:
    """A server of one app. Raises OSError where the address cannot be had."""

    def __init__(self, endpoint: tuple[str, int], app: ASGIApp, places: int | None = None) -> None:
        self._door = listening(endpoint)
        config = Config(
            app,
            http=type("_Connection", (_Connection,), {"places": places}),
            ws="none",
            loop="asyncio",
            lifespan="off",
            backlog=WAITING_CONNECTIONS,
            h11_max_incomplete_event_size=REQUEST_BYTES,
            timeout_graceful_shutdown=STOP_SECONDS,
            forwarded_allow_ips=PROXIES,
            server_header=False,
            headers=[("Server", "podium"), ("Connection", "close")],
            access_log=False,
            log_config=None,
            log_level="error",
        )
        self._server = Server(config)
        self._thread = threading.Thread(target=self._server.run, args=([self._door],), name="web", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Answer no more; what is being answered has a second."""
        self._server.should_exit = True
        self._thread.join(2.0 * STOP_SECONDS)
        self._door.close()


def listening(endpoint: tuple[str, int]) -> socket.socket:
    """A socket that listens there. Raises OSError with the system's own words and no others."""
    is_six = ":" in endpoint[0]
    family = socket.AF_INET6 if is_six else socket.AF_INET
    try:
        return socket.create_server(endpoint, family=family, backlog=WAITING_CONNECTIONS, dualstack_ipv6=is_six)
    except OSError as error:
        raise OSError(error.errno, str(error.strerror).partition(" (while ")[0]) from None


class _Parser(h11.Connection):
    """Reads a request. Its body says its length, as those of browsers do: a body in pieces of one byte takes long to read."""

    def next_event(self) -> h11.Event | type[h11.NEED_DATA] | type[h11.PAUSED]:
        """The next thing that was read. Raises RemoteProtocolError for a body in pieces."""
        event = super().next_event()
        if isinstance(event, h11.Request) and any(name == b"transfer-encoding" for name, _ in event.headers):
            raise h11.RemoteProtocolError("a body in pieces", HTTPStatus.LENGTH_REQUIRED)
        return event


class _Connection(H11Protocol):
    """One client: one request, one answer. No more than `places` are let in, or `REQUESTS_AT_ONCE`."""

    places: int | None
    _patience: TimerHandle | None = None
    _end: TimerHandle | None = None
    came_at = 0.0
    is_over = False

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        """Let the client in, if there is a place or room is made. A request that runs has its place even if its client went."""
        super().connection_made(transport)
        self.conn = _Parser(h11.SERVER, REQUEST_BYTES)
        self.came_at = self.loop.time()
        if max(len(self.connections), len(self.tasks) + 1) > (self.places or REQUESTS_AT_ONCE):
            self._make_room().hang_up()
        if not self.is_over:
            self._patience = self.loop.call_later(REQUEST_SECONDS, self._hang_up_unless_asked)
            self._end = self.loop.call_later(CONNECTION_SECONDS, self.hang_up)

    def _make_room(self) -> "_Connection":
        """Choose who has to go: of the address that keeps us waiting most often the first to come; else this one."""
        others = cast("set[_Connection]", self.connections) - {self}
        idle = [each for each in others if each.is_idle]
        held = Counter(each.address for each in idle)
        return max(idle, key=lambda each: (held[each.address], -each.came_at), default=self)

    @property
    def address(self) -> str:
        """The address of the client, or of the proxy before it."""
        return self.client[0] if self.client else ""

    @property
    def is_idle(self) -> bool:
        """Does it wait for its client: for a request, for the rest of one, for the answer to be read?"""
        if self.is_over or self.cycle is None:
            return not self.is_over
        return self.cycle.more_body or self.cycle.response_complete or self.flow.write_paused

    def hang_up(self) -> None:
        """End it, whatever it is about."""
        self.is_over = True
        self.transport.abort()

    def _hang_up_unless_asked(self) -> None:
        if self.cycle is None:
            self.hang_up()

    def on_response_complete(self) -> None:
        """The answer is written; a client that does not read it loses its place."""
        super().on_response_complete()
        self.loop.call_later(REQUEST_SECONDS, self.hang_up)

    def connection_lost(self, exc: Exception | None) -> None:
        """The client is gone."""
        super().connection_lost(exc)
        for timer in (self._patience, self._end):
            if timer is not None:
                timer.cancel()

    def send_400_response(self, msg: str) -> None:
        """One sentence to whom this server does not understand; nothing where a head has no end, or goes on after a request."""
        rest, _ = self.conn.trailing_data
        is_in_pieces = self.conn.their_state is h11.SEND_BODY
        if self.cycle is not None or (len(rest) > REQUEST_BYTES and not is_in_pieces):
            self.hang_up()
            return
        answer = sentence(HTTPStatus.BAD_REQUEST, "This request cannot be read.")
        if is_in_pieces:
            answer = sentence(HTTPStatus.LENGTH_REQUIRED, "A body has to say its length; this one comes in pieces.")
        headers = [
            *self.server_state.default_headers,
            (b"Content-Type", answer.kind.encode()),
            (b"Content-Length", str(len(answer.body)).encode()),
            (b"Cache-Control", b"no-store"),
        ]
        for event in (
            h11.Response(status_code=answer.status, headers=headers, reason=answer.status.phrase.encode()),
            h11.Data(data=answer.body),
            h11.EndOfMessage(),
        ):
            self.transport.write(self.conn.send(event) or b"")
        self.transport.close()
