"""Edge: an SMTP server that takes every letter and notes when. In: SMTP on loopback. Out: moments, by XTAKE.

    python -m bench.sink PORT_FILE

Besides SMTP (RFC 5321, with PIPELINING) it knows `XWAIT n`, answered when n letters came since the last XTAKE, and
`XTAKE`, which gives them as JSON and forgets them. Moments are of CLOCK_MONOTONIC, which all processes share.
"""

import asyncio
import json
import re
import sys
import time
from pathlib import Path

GREETING = b"220 sink ESMTP\r\n"
HELLO = b"250-sink\r\n250-PIPELINING\r\n250-8BITMIME\r\n250 SIZE 52428800\r\n"
_MESSAGE_ID = re.compile(rb"(?im)^message-id:\s*(<[^>\r\n]*>)")
_IN_REPLY_TO = re.compile(rb"(?im)^in-reply-to:\s*(<[^>\r\n]*>)")
HEAD = 4096


class Ledger:
    """The letters that came: moment, Message-ID, In-Reply-To, size; and who waits for how many."""

    def __init__(self) -> None:
        self.letters: list[tuple[float, str, str, int]] = []
        self.waiting: list[tuple[int, asyncio.Transport]] = []

    def note(self, message: bytes) -> None:
        """One letter was accepted."""
        head = message[:HEAD]
        message_id, in_reply_to = _MESSAGE_ID.search(head), _IN_REPLY_TO.search(head)
        self.letters.append(
            (
                time.monotonic(),
                message_id[1].decode("latin-1") if message_id else "",
                in_reply_to[1].decode("latin-1") if in_reply_to else "",
                len(message),
            )
        )
        if self.waiting:
            self.wake()

    def wake(self) -> None:
        """Answer those who waited for no more than came."""
        there = len(self.letters)
        for wanted, transport in [each for each in self.waiting if each[0] <= there]:
            self.waiting.remove((wanted, transport))
            transport.write(b"250 %d\r\n" % there)


class Sink(asyncio.Protocol):
    """One connection."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        self.buffer = bytearray()
        self.in_data = False
        self.searched = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Greet."""
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        transport.write(GREETING)

    def data_received(self, data: bytes) -> None:
        """Take what came, answer every command in it at once."""
        self.buffer += data
        answers: list[bytes] = []
        while answer := self._data() if self.in_data else self._command():
            answers.append(answer)
        if answers:
            self.transport.write(b"".join(answers))

    def _data(self) -> bytes:
        """The answer to a whole message, `b""` where some of it is still to come."""
        if self.buffer.startswith(b".\r\n"):
            end, length = 0, 3
        else:
            end, length = self.buffer.find(b"\r\n.\r\n", max(self.searched - 4, 0)), 5
        if end < 0:
            self.searched = len(self.buffer)
            return b""
        self.ledger.note(bytes(self.buffer[:end]))
        del self.buffer[: end + length]
        self.in_data, self.searched = False, 0
        return b"250 taken\r\n"

    def _command(self) -> bytes:
        end = self.buffer.find(b"\r\n")
        if end < 0:
            return b""
        line = bytes(self.buffer[:end])
        del self.buffer[: end + 2]
        verb = line[:5].upper().strip()
        if verb in (b"MAIL", b"RCPT", b"RSET", b"NOOP"):
            return b"250 ok\r\n"
        if verb == b"DATA":
            self.in_data = True
            return b"354 go on\r\n"
        if verb in (b"EHLO", b"HELO"):
            return HELLO if verb == b"EHLO" else b"250 sink\r\n"
        if verb == b"QUIT":
            self.transport.write(b"221 bye\r\n")
            self.transport.close()
            return b""
        return self._own(verb, line)

    def _own(self, verb: bytes, line: bytes) -> bytes:
        ledger = self.ledger
        if verb == b"XWAIT":
            ledger.waiting.append((int(line[5:]), self.transport))
            ledger.wake()
            return b""
        if verb == b"XTAKE":
            letters, ledger.letters = ledger.letters, []
            return b"250 " + json.dumps(letters).encode() + b"\r\n"
        return b"502 what?\r\n"


async def serve(port_file: Path) -> None:
    """Serve on a port of the system's choice, written to `port_file`, until killed."""
    ledger = Ledger()
    server = await asyncio.get_running_loop().create_server(lambda: Sink(ledger), "127.0.0.1", 0, backlog=200)
    part = port_file.with_suffix(".part")
    part.write_text(str(server.sockets[0].getsockname()[1]))
    part.rename(port_file)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(serve(Path(sys.argv[1])))
