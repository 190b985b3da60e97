"""Edge: SMTP on a connection that stands. In: one message for one recipient. Out: the server's last word, or what broke.

Where the server offers PIPELINING (RFC 2920) a letter's commands go out together, and the next letter's follow its
message before that is answered. The answers come in the order of the commands, and so a lock hands them on from letter to
letter.
"""

import asyncio
import contextlib
import re
import time
from collections.abc import Container, Sequence
from functools import lru_cache

from aiosmtplib import (
    SMTPDataError,
    SMTPException,
    SMTPReadTimeoutError,
    SMTPRecipientRefused,
    SMTPRecipientsRefused,
    SMTPResponse,
    SMTPResponseException,
    SMTPSenderRefused,
    SMTPServerDisconnected,
)
from aiosmtplib.email import quote_address

QUIT_SECONDS = 5.0
LONGEST_ANSWER = 32768
NO_CODE = -1
CLOSING = 421
GO_AHEAD = 354
GOOD = ((250,), (250, 251), (GO_AHEAD,))
"""The codes that MAIL, RCPT and DATA may be answered with."""


class PipelinedSession(asyncio.Protocol):
    """A logged-in connection that one letter after the other goes through.

    `error` is why it was given up; `is_spent` asks for a new one, because the server refused something and counts such
    against a connection. Every answer has `timeout` seconds, in which the one before it does not count.
    """

    def __init__(self, transport: asyncio.Transport, extensions: Container[str], timeout: float) -> None:
        self.transport, self.timeout = transport, timeout
        self.error: Exception | None = None
        self.is_spent = False
        self.is_pipelining = "pipelining" in extensions
        self._takes_size = "size" in extensions
        self._awaited = 0
        self._unread: asyncio.Queue[SMTPResponse | Exception] = asyncio.Queue()
        self._answers = asyncio.Lock()
        self._rest, self._said = b"", list[bytes]()
        self.heard = time.monotonic()
        transport.set_protocol(self)

    @property
    def is_idle(self) -> bool:
        """Does nobody wait for an answer?"""
        return not self._awaited

    async def begin(self, sender: str, recipient: str, message: bytes) -> None:
        """Give a message to the server; what it says of it is still to come, for `finish`, which has to be called next.

        One at a time. Raises `SMTPException` where server or connection will not have it, ValueError for an address
        that cannot be written, before anything is sent.
        """
        if not message.count(b"\n") == message.count(b"\r") == message.count(b"\r\n"):
            message = re.sub(rb"\r\n|\r|\n", b"\r\n", message)
        message += b"" if message.endswith(b"\r\n") else b"\r\n"
        size = b" size=%d" % len(message) if self._takes_size else b""
        commands = [b"MAIL FROM:%b%b\r\n" % (_path(sender), size), b"RCPT TO:%b\r\n" % _path(recipient), b"DATA\r\n"]
        if self.is_pipelining:
            self._ask(b"".join(commands), len(commands))
        async with contextlib.AsyncExitStack() as answers:
            await answers.enter_async_context(self._answers)
            await self._let_in(commands, sender, recipient)
            self._ask((b"\r\n" + message).replace(b"\r\n.", b"\r\n..")[2:] + b".\r\n")
            answers.pop_all()  # the next answer is this letter's as well

    async def finish(self) -> str:
        """The server's word on a message that it accepts. Raises `SMTPException` for all else."""
        try:
            answer = await self._answer()
        finally:
            self._answers.release()
        if answer.code != 250:
            self._refused(answer)
            raise SMTPDataError(answer.code, answer.message)
        return answer.message

    async def _let_in(self, commands: Sequence[bytes], sender: str, recipient: str) -> None:
        """Have the server ask for the message. Raises its first refusal, which is worth more than a connection's end."""
        answers: list[SMTPResponse] = []
        try:
            for command, good in zip(commands, GOOD, strict=True):
                if not self.is_pipelining:
                    self._ask(command)
                answers.append(await self._answer())
                if not self.is_pipelining and answers[-1].code not in good:
                    break
        except SMTPException:
            if not any(answer.code >= 400 for answer in answers):
                raise
        for step, answer in enumerate(answers):
            if answer.code not in GOOD[step]:
                self._refused(answer)
                if answers[-1].code == GO_AHEAD:  # let in all the same: out again by a lone dot (RFC 2920 section 3.1)
                    with contextlib.suppress(SMTPException):
                        self._ask(b".\r\n")
                        await self._answer()
                raise _refusal(step, answer, sender, recipient)

    async def quit(self) -> None:
        """Say QUIT behind all that is under way, and close."""
        async with self._answers:
            with contextlib.suppress(SMTPException, TimeoutError):
                async with asyncio.timeout(QUIT_SECONDS):
                    self._ask(b"QUIT\r\n")
                    await self._answer()
        self.error = self.error or SMTPServerDisconnected("closed")
        self.transport.close()

    def abort(self, error: Exception) -> None:
        """Drop the connection; whoever still waits, with nothing said to them before, is told of `error`."""
        if self.error is None:
            self.error = error
            self._unread.put_nowait(error)
        self.transport.abort()

    def data_received(self, data: bytes) -> None:
        """Take answers, up to one that ends the connection. After a word that nobody asked for it is not used again."""
        self.heard = time.monotonic()
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            if self.error is None:
                self._take(line.rstrip(b" \t\r"))
        if len(self._rest) + sum(map(len, self._said)) > LONGEST_ANSWER:
            self.abort(SMTPResponseException(NO_CODE, "Response too long"))
        if self._unread.qsize() > self._awaited:
            self.abort(SMTPServerDisconnected("Connection lost: something was said unasked"))

    def _take(self, line: bytes) -> None:
        found = re.fullmatch(rb"(\d{3})(?:([ -])(.*))?", line)
        if found is None:
            words = line.decode("utf-8", "ignore")[:300]
            self.abort(SMTPResponseException(NO_CODE, f"Malformed SMTP response line: {words}"))
            return
        self._said.append((found[3] or b"").strip())
        if found[2] == b"-":
            return
        answer = SMTPResponse(int(found[1]), b"\n".join(self._said).replace(b"\0", b"").decode("utf-8", "replace"))
        self._said = []
        self._unread.put_nowait(answer)
        if answer.code == CLOSING:
            self.abort(SMTPServerDisconnected(f"Connection lost: {CLOSING} {answer.message}"))

    def connection_lost(self, exc: Exception | None) -> None:
        """Whoever waits is told."""
        self.abort(SMTPServerDisconnected("Connection lost"))

    def _ask(self, octets: bytes, answers: int = 1) -> None:
        """Write what is answered so often."""
        if self.error is not None:
            raise SMTPServerDisconnected(str(self.error))
        self._awaited += answers
        self.transport.write(octets)

    async def _answer(self) -> SMTPResponse:
        """The next answer. Raises `SMTPException` where none comes any more; the connection is given up then."""
        if self.error is not None and self._unread.empty():
            raise SMTPServerDisconnected(str(self.error))
        try:
            async with asyncio.timeout(self.timeout):
                answer = await self._unread.get()
        except TimeoutError:
            answer = SMTPReadTimeoutError("Timed out waiting for server response")
            self.abort(answer)
        if isinstance(answer, Exception):
            raise answer
        self._awaited -= 1
        return answer

    def _refused(self, answer: SMTPResponse) -> None:
        """A good answer where it does not belong, or none that is known: the connection is out of step."""
        self.is_spent = True
        if not 400 <= answer.code < 600:
            self.abort(SMTPServerDisconnected(f"Connection lost: {answer.code} where it does not belong"))


def _refusal(step: int, answer: SMTPResponse, sender: str, recipient: str) -> SMTPException:
    code, said = answer
    if step == 0:
        return SMTPSenderRefused(code, said, sender)
    if step == 1:
        return SMTPRecipientsRefused([SMTPRecipientRefused(code, said, recipient)])
    return SMTPDataError(code, said)


@lru_cache(maxsize=256)
def _path(address: str) -> bytes:
    """An address in its brackets. Raises ValueError where it is not ASCII or would say more than an address."""
    path = quote_address(address).encode("ascii")
    if re.search(rb"[\x00-\x1f\x7f]", path):
        raise ValueError("Address contains a prohibited control character")
    return path
