"""Edge: SMTP on a connection that stands. In: one message for one recipient. Out: the server's last word, or what broke.

Where the server offers PIPELINING (RFC 2920) a letter's commands go out together, and the next letter's follow its
message before that is answered; the answers come in the order of the commands, and whoever waits stands in that order.
"""

import asyncio
import contextlib
import re
from collections import deque
from collections.abc import Container
from dataclasses import dataclass, field
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
"""What MAIL, RCPT and DATA may be answered with."""
_ANSWER_LINE = re.compile(rb"(\d{3})(?:([ -])(.*))?")
_LINE_END = re.compile(rb"\r\n|\r|\n")
_PLAIN = re.compile(r"[\w.+-]+@[\w.-]+", re.ASCII)
_CONTROL = re.compile(rb"[\x00-\x1f\x7f]")


@dataclass
class _Awaited:
    """Somebody who waits for `count` answers, and those that came."""

    count: int
    future: asyncio.Future[list[SMTPResponse]]
    answers: list[SMTPResponse] = field(default_factory=list)


class PipelinedSession(asyncio.Protocol):
    """A logged-in connection that one letter after the other goes through.

    `error` is why it can no longer be used; `is_spent` asks for a new one, because the server refused something and
    counts such against a connection. Every answer has `timeout` seconds, in which the one before it does not count.
    """

    def __init__(self, transport: asyncio.Transport, extensions: Container[str], timeout: float) -> None:
        self.transport, self.timeout = transport, timeout
        self.error: Exception | None = None
        self.is_spent = False
        self.is_pipelining = "pipelining" in extensions
        self._takes_size = "size" in extensions
        self._loop = asyncio.get_running_loop()
        self.heard = self._loop.time()
        self._awaited: deque[_Awaited] = deque()
        self._rest = b""
        self._said: list[bytes] = []
        self._alarm: asyncio.TimerHandle | None = None
        transport.set_protocol(self)

    @property
    def is_idle(self) -> bool:
        """Does nobody wait for an answer?"""
        return not self._awaited

    async def begin(self, sender: str, recipient: str, message: bytes) -> asyncio.Future[list[SMTPResponse]]:
        """Give a message to the server; what it says of it is still to come, for `finish`.

        One at a time. Raises `SMTPException` where server or connection will not have it, ValueError for an address
        that cannot be written, before anything is sent.
        """
        message = _with_line_ends(message)
        size = b" size=%d" % len(message) if self._takes_size else b""
        commands = [b"MAIL FROM:%b%b\r\n" % (_path(sender), size), b"RCPT TO:%b\r\n" % _path(recipient), b"DATA\r\n"]
        answers: list[SMTPResponse] = []
        try:
            for group in [commands] if self.is_pipelining else [[each] for each in commands]:
                answers += await self._ask(b"".join(group), len(group))
                for step, answer in enumerate(answers):
                    if answer.code not in GOOD[step]:
                        await self._turn_back(answer, answers[-1])
                        raise _refusal(step, answer, sender, recipient)
        except asyncio.CancelledError:
            self.abort(SMTPServerDisconnected("given up"))
            raise
        return self._ask(_stuffed(message) + b".\r\n")

    async def finish(self, answered: asyncio.Future[list[SMTPResponse]]) -> str:
        """What the server says of a message that it accepts. Raises `SMTPException` for all else."""
        [answer] = await answered
        if answer.code != 250:
            self._refused(answer)
            raise SMTPDataError(answer.code, answer.message)
        return answer.message

    async def quit(self) -> None:
        """Say QUIT behind all that is under way, and close."""
        if self.error is None:
            limit = QUIT_SECONDS if self.is_idle else self.timeout
            with contextlib.suppress(SMTPException, OSError):
                async with asyncio.timeout(limit):
                    await self._ask(b"QUIT\r\n")
        self.transport.close()
        self._end(SMTPServerDisconnected("closed"))

    def abort(self, error: Exception) -> None:
        """Drop the connection; `error` is what everybody gets who still waits."""
        self._end(error)
        self.transport.abort()

    def data_received(self, data: bytes) -> None:
        """Sort answers to those who wait."""
        self.heard = self._loop.time()
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            if self.error is None:
                self._take(line.rstrip(b" \t\r"))
        if len(self._rest) + sum(map(len, self._said)) > LONGEST_ANSWER:
            self.abort(SMTPResponseException(NO_CODE, "Response too long"))

    def connection_lost(self, exc: Exception | None) -> None:
        """All who wait are told."""
        error = SMTPServerDisconnected("Connection lost")
        error.__cause__ = exc
        self._end(error)

    def _ask(self, octets: bytes, count: int = 1) -> asyncio.Future[list[SMTPResponse]]:
        """Write, and wait for so many answers; fewer only where one of them is a refusal."""
        if self.error is not None:
            raise SMTPServerDisconnected(str(self.error))
        if self.is_idle:
            self.heard = self._loop.time()
        future: asyncio.Future[list[SMTPResponse]] = self._loop.create_future()
        self._awaited.append(_Awaited(count, future))
        self.transport.write(octets)
        if self._alarm is None:
            self._alarm = self._loop.call_later(self.timeout, self._look)
        return future

    def _look(self) -> None:
        self._alarm = None
        if self.is_idle:
            return
        left = self.heard + self.timeout - self._loop.time()
        if left > 0:
            self._alarm = self._loop.call_later(left, self._look)
        else:
            self.abort(SMTPReadTimeoutError("Timed out waiting for server response"))

    def _take(self, line: bytes) -> None:
        found = _ANSWER_LINE.fullmatch(line)
        if found is None:
            words = line.decode("utf-8", "ignore")[:300]
            self.abort(SMTPResponseException(NO_CODE, f"Malformed SMTP response line: {words}"))
            return
        self._said.append((found[3] or b"").strip())
        if found[2] == b"-":
            return
        answer = SMTPResponse(int(found[1]), b"\n".join(self._said).replace(b"\0", b"").decode("utf-8", "replace"))
        self._said = []
        if not self._awaited:
            self.abort(SMTPServerDisconnected(f"Connection lost: {answer.code} {answer.message}, unasked"))
            return
        first = self._awaited[0]
        first.answers.append(answer)
        if answer.code == CLOSING:
            self.abort(SMTPServerDisconnected(f"Connection lost: {CLOSING} {answer.message}"))
        elif len(first.answers) == first.count:
            self._awaited.popleft()
            if not first.future.done():
                first.future.set_result(first.answers)

    def _end(self, error: Exception) -> None:
        """A refusal that came before the end is worth more than the end."""
        if self.error is not None:
            return
        self.error = error
        if self._alarm is not None:
            self._alarm.cancel()
        for each in self._awaited:
            if each.future.done():
                continue
            if any(answer.code >= 400 for answer in each.answers):
                each.future.set_result(each.answers)
            else:
                each.future.set_exception(error)
        self._awaited.clear()

    async def _turn_back(self, refusal: SMTPResponse, last: SMTPResponse) -> None:
        """Out of a transaction that was refused; where DATA was let in all the same, by a lone dot (RFC 2920 section 3.1)."""
        self._refused(refusal)
        if last.code == GO_AHEAD and self.error is None:
            with contextlib.suppress(SMTPException):
                await self._ask(b".\r\n")

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
    if _PLAIN.fullmatch(address):
        return f"<{address}>".encode("ascii")
    path = quote_address(address).encode("ascii")
    if _CONTROL.search(path):
        raise ValueError("Address contains a prohibited control character")
    return path


def _with_line_ends(message: bytes) -> bytes:
    """The message with CRLF at the end of every line, the last one too; a look is enough where it has them."""
    if not message.count(b"\n") == message.count(b"\r") == message.count(b"\r\n"):
        message = _LINE_END.sub(b"\r\n", message)
    return message if message.endswith(b"\r\n") else message + b"\r\n"


def _stuffed(message: bytes) -> bytes:
    """Dots at the beginning of a line doubled (RFC 5321 section 4.5.2)."""
    stuffed = message.replace(b"\r\n.", b"\r\n..")
    return b"." + stuffed if stuffed.startswith(b".") else stuffed
