"""Edge: the connection to an IMAP server. In: a host and a port. Out: aioimaplib's client, with what it lacks.

It tells of news outside of IDLE, answers the refusal of an access token, speaks STARTTLS, and notices a connection that died
in silence. `imap` holds it to strict rules.
"""

import asyncio
import socket
import ssl
from collections.abc import Callable
from typing import Any

from aioimaplib import AUTH, IMAP4, NONAUTH, Abort, IMAP4ClientProtocol
from aioimaplib import Command as ImapCommand

from host.engine.words import pattern
from host.mail.inbound.imap_syntax import mailbox_name

_EXISTS = pattern(rb"\* \d+ EXISTS")
_KEEP_ALIVE = {"TCP_KEEPIDLE": 60, "TCP_KEEPALIVE": 60, "TCP_KEEPINTVL": 20, "TCP_KEEPCNT": 3}
"""Seconds of silence before the first probe (two names for it), between probes, and how many go unanswered."""


class _Protocol(IMAP4ClientProtocol):  # type: ignore[misc]
    """Remembers that the server told of new mail outside of IDLE: mail that comes between a search and IDLE is told only
    there, and aioimaplib passes it over. It also answers the challenge with which a server refuses an access token."""

    has_news = False

    async def welcome(self, line: bytes) -> None:
        """The greeting. aioimaplib would ask for capabilities here, and hold on to a lock without which no wait for the
        greeting can end, its own time limit neither, where the server then falls silent; `Inbox` asks afterwards."""
        if b"OK" not in line and b"PREAUTH" not in line:
            self.transport.abort()
            return
        async with self.state_condition:
            self.state = AUTH if b"PREAUTH" in line else NONAUTH
            self.state_condition.notify_all()

    def send(self, line: str, scrub: str | None = None) -> None:
        """A line to the server. Raises `Abort` where the connection is closed, of which uvloop makes a RuntimeError."""
        if self.transport.is_closing():
            raise Abort("the connection was lost")
        super().send(line, scrub)

    def _handle_line(self, line: bytes, current_cmd: object) -> object:
        if _EXISTS.match(line):
            self.has_news = True
        return super()._handle_line(line, current_cmd)

    def _continuation(self, line: bytes) -> None:
        command = self.pending_sync_command
        if command is not None and command.name == "AUTHENTICATE":
            self.send("")  # only then does the server say NO
        else:
            super()._continuation(line)


class Client(IMAP4):  # type: ignore[misc]
    """aioimaplib's client with that protocol, and with the connection-lost callback also under TLS."""

    protocol: Any

    def create_client(
        self,
        host: str,
        port: int,
        loop: asyncio.AbstractEventLoop | None,
        conn_lost_cb: Callable[[Exception | None], None] | None = None,
        ssl_context: ssl.SSLContext | None = None,
    ) -> None:
        """Called by the constructor."""
        running = loop or asyncio.get_running_loop()
        self.protocol = _Protocol(running, conn_lost_cb)
        connecting = running.create_connection(lambda: self.protocol, host, port, ssl=ssl_context)
        self._client_task = running.create_task(connecting)

    async def idle(self) -> object:
        """IDLE, to its end. That the connection is lost is told elsewhere; at the beginning nobody would take it from here."""
        try:
            return await super().idle()
        except Abort:
            if not self.protocol.transport.is_closing():
                raise
            return None


class Answer:
    """The shape of aioimaplib's response, for the type checker."""

    result: str
    lines: list[bytes | bytearray]


async def start_tls(client: Client, host: str) -> bool:
    """STARTTLS (RFC 3501 section 6.2.1), which aioimaplib lacks: the command, then TLS over its transport.

    False where the server refuses. Raises OSError where its certificate is not one of `host`.
    """
    protocol = client.protocol
    command = ImapCommand("STARTTLS", protocol.new_tag(), loop=protocol.loop)
    protocol.pending_sync_command = command
    protocol.send(str(command))
    await command.wait()
    if command.response.result != "OK":
        return False
    context = ssl.create_default_context()
    protocol.transport = await protocol.loop.start_tls(protocol.transport, protocol, context, server_hostname=host)
    protocol.pending_sync_command = None
    await protocol.capability()
    return True


async def get_quota_root(client: Client, mailbox: str) -> Answer:
    """GETQUOTAROOT (RFC 9208 section 4.2.2), of which aioimaplib passes the answer over."""
    protocol = client.protocol
    name = mailbox_name(mailbox)
    command = ImapCommand("GETQUOTAROOT", protocol.new_tag(), name, untagged_resp_name="QUOTA", loop=protocol.loop)
    answer: Answer = await protocol.execute(command)
    return answer


def keep_alive(client: Client) -> None:
    """Let the system notice a connection that died in silence, and keep alive what a router would forget (RFC 9293).

    Raises `Abort` where it is closed already.
    """
    transport = client.protocol.transport
    if transport.is_closing():
        raise Abort("the connection was lost")
    connection = transport.get_extra_info("socket")
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in _KEEP_ALIVE.items():
        if hasattr(socket, name):
            connection.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
