"""An SMTP server in this process that offers PIPELINING and says what a test wants said."""

import asyncio
import contextlib
from collections import defaultdict
from collections.abc import AsyncIterator, Callable
from typing import Any, cast

from host.config import Smtp

Words = str | None
GOOD = {"MAIL": "250 ok", "RCPT": "250 ok", "DATA": "354 go on", ".": "250 kept", "QUIT": "221 bye", "NOOP": "250 ok"}


class Scripted:
    """Answers well, but for `scripts`: what it says to the n-th command of a kind (0 is the first), over all connections.

    A script gives words (without the last CRLF), "" for silence, or None to hang up. Every answer is `delay` seconds
    late, and none is given to a whole message while `held` is cleared. `greetings` are for the first connections; those
    after them are greeted well.
    """

    def __init__(self, offers: tuple[str, ...] = ("PIPELINING", "SIZE 1000000")) -> None:
        self.offers = offers
        self.scripts: dict[str, Callable[[int], Words]] = {}
        self.greetings: list[Words] = []
        self.counts: dict[str, int] = defaultdict(int)
        self.pieces: list[bytes] = []
        self.commands: list[str] = []
        self.messages: list[bytes] = []
        self.connections = 0
        self.open: set[asyncio.Transport] = set()
        self.held = asyncio.Event()
        self.held.set()
        self.delay = 0.0
        self.port = 0

    def says(self, command: str, words: Words, at: int = 0) -> None:
        """To the command numbered `at` of its kind, these words."""
        good = GOOD[command]
        self.scripts[command] = lambda count: words if count == at else good

    def settings(self, **more: Any) -> Smtp:
        return Smtp.model_validate({"host": "127.0.0.1", "port": self.port, "security": "none", **more})

    @contextlib.asynccontextmanager
    async def serving(self) -> AsyncIterator["Scripted"]:
        server = await asyncio.get_running_loop().create_server(lambda: _Connection(self), "127.0.0.1", self.port)
        self.port = server.sockets[0].getsockname()[1]
        try:
            yield self
        finally:
            server.close()
            for each in list(self.open):
                each.abort()

    def answer(self, command: str) -> Words:
        count = self.counts[command]
        self.counts[command] += 1
        if command == "EHLO":
            return "\r\n".join(["250-scripted", *(f"250-{each}" for each in self.offers), "250 HELP"])
        script = self.scripts.get(command)
        return script(count) if script else GOOD.get(command, "250 ok")


class _Connection(asyncio.Protocol):
    def __init__(self, script: Scripted) -> None:
        self.script = script
        self.buffer = b""
        self.is_in_data = False
        self.work: asyncio.Task[None] | None = None

    def connection_made(self, base: asyncio.BaseTransport) -> None:
        transport = self.transport = cast(asyncio.Transport, base)  # uvloop's is none by its class
        script = self.script
        script.open.add(transport)
        script.connections += 1
        at = script.connections - 1
        self.say(script.greetings[at] if at < len(script.greetings) else "220 here")

    def connection_lost(self, exc: Exception | None) -> None:
        self.script.open.discard(self.transport)

    def data_received(self, data: bytes) -> None:
        self.script.pieces.append(data)
        self.buffer += data
        if self.work is None or self.work.done():
            self.work = asyncio.create_task(self.read())

    async def read(self) -> None:
        while not self.transport.is_closing():
            end = b"\r\n.\r\n" if self.is_in_data and not self.buffer.startswith(b".\r\n") else b"\r\n"
            unit, found, rest = self.buffer.partition(end)
            if not found:
                return
            self.buffer = rest
            if self.is_in_data:
                self.is_in_data = False
                if unit != b".":
                    self.script.messages.append(unit + b"\r\n")
                command = "."
                await self.script.held.wait()
            else:
                line = unit.decode("latin-1")
                self.script.commands.append(line)
                command = line[:4].upper()
            await asyncio.sleep(self.script.delay)
            words = self.script.answer(command)
            self.is_in_data = command == "DATA" and (words or "").startswith("354")
            self.say(words)
            if command == "QUIT":
                self.transport.close()

    def say(self, words: Words) -> None:
        if words is None:
            self.transport.close()
        elif words:
            self.transport.write(words.encode("latin-1") + b"\r\n")
