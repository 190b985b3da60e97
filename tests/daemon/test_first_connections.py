"""What a start says of a mail server that cannot be had: the cause in plain words, and what to check."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator
from typing import Any

import pytest

from host.config import Config, Host, Imap, Smtp
from host.daemon import first_connections
from host.daemon.first_connections import open_mailboxes, try_outboxes
from host.daemon.runtime import StartError
from host.mail.inbound.imap import Inbox
from host.mail.outbound.smtp import Outboxes


class Watcher:
    """As much of a watcher as opens a mailbox."""

    def __init__(self, inbox: Inbox) -> None:
        self.inbox = inbox

    async def open(self) -> None:
        await self.inbox.connect()


@contextlib.asynccontextmanager
async def speaking_plainly() -> AsyncIterator[int]:
    """The port of a server that answers TLS with plain text."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"* OK or 220, in plain text\r\n")
        await reader.read(1000)
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with server:
        yield server.sockets[0].getsockname()[1]


async def said(host: str, port: int) -> list[str]:
    """What a start says of both servers, where they are there."""
    where: dict[str, Any] = {"host": host, "port": port, "username": "games"}
    config = Config(
        host=Host(name="The Host", address="games@example.org"),
        imap=Imap.model_validate(where),
        smtp=Smtp.model_validate(where),
    )
    found = []
    with pytest.raises(StartError) as refused:
        await open_mailboxes(config, [Watcher(Inbox(config.imap, "INBOX"))])  # type: ignore[list-item]
    found.append(str(refused.value))
    with pytest.raises(StartError) as refused:
        await try_outboxes(config, Outboxes(config.smtp))
    return [*found, str(refused.value)]


@pytest.fixture(autouse=True)
def _tried_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(first_connections, "START_TRIES", 1)


def told(host: str, port: int, words: str) -> list[str]:
    return [
        f"The IMAP server {host}:{port} cannot be used ({words}): check [imap] host, port, security and mailbox.",
        f"The SMTP server {host}:{port} cannot be used ({words}): check [smtp] host, port and security.",
    ]


async def test_a_port_that_speaks_no_tls() -> None:
    async with speaking_plainly() as port:
        assert await said("127.0.0.1", port) == told("127.0.0.1", port, "the server speaks no TLS at this port")


async def test_a_port_where_nothing_listens() -> None:
    with socket.socket() as reserved:  # bound, and nobody listens
        reserved.bind(("127.0.0.1", 0))
        port = reserved.getsockname()[1]
        assert await said("127.0.0.1", port) == told("127.0.0.1", port, "nothing listens there")


async def test_a_name_that_nobody_has(monkeypatch: pytest.MonkeyPatch) -> None:
    async def resolve(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", resolve)
    assert await said("imap.example.org", 993) == told("imap.example.org", 993, "no such name")
