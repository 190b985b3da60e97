"""Edge: LMTP (RFC 2033). In: mails that an MTA delivers. Out: raw mails, kept by the store before they are answered with 250.

aiosmtpd reads the commands. DATA is done here, since aiosmtpd answers it once instead of for each recipient, refuses long
lines for good, and logs the text. What comes while a group of mails is being kept is the next group: one commit for all.
"""

import asyncio
import collections
import contextlib
import errno
import logging
import os
import re
import socket
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from hashlib import sha256
from ipaddress import IPv6Address, ip_address
from pathlib import Path
from typing import Any, cast

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope
from aiosmtpd.smtp import Session as SmtpSession

from host.config import Lmtp
from host.mail.inbound.headers import parted
from host.mail.inbound.raw import RawMail

log = logging.getLogger("podium")

MOST_BYTES = 50_000_000
"""A larger mail is refused; what is above the limit of the store is cut off."""
CONNECTIONS = 100
"""At the same time."""
RECIPIENTS = 10
"""In one transaction; each gets a copy of its own. The MTA brings the others in the next."""
COMMAND_BYTES = 1024
COMMAND_SECONDS = 300.0
"""How long a client may be silent."""
KEEPING_SECONDS = 600.0
"""How long the store may take to keep a mail before the connection is cut."""
CLOSING_SECONDS = 4.0
"""How long mail that is under way may take when the door closes."""
OLDEST_ARRIVAL = timedelta(days=5)
"""How old a Received may be that is believed: as long as an MTA keeps trying."""

KEPT = "250 2.0.0 Kept"
FULL = "452 4.3.1 Too many mails are waiting here, try again later"
NOT_NOW = "451 4.3.0 The mail cannot be kept now, try again later"
TOO_BIG = "552 5.3.4 The mail is too big"
CLOSING = "421 4.3.2 Closing, try again later"

_PLAIN_ANSWER = re.compile(r"^([245])(\d\d) (?!\d\.\d)")
_RECEIVED = re.compile(rb"^Received:([^\r\n]*(?:\r\n[ \t][^\r\n]*)*)", re.IGNORECASE | re.MULTILINE)
_MAX_HEADERS = 32 * 1024
"""Bytes of headers in which the topmost Received is looked for."""


@dataclass(frozen=True)
class Deliveries:
    """What the door is wired to. `keep` returns when all are durable, or raises and none is acknowledged.

    `waiting` counts the kept mails that are not worked off; `clock` is an aware instant.
    """

    keep: Callable[[Sequence[RawMail]], Awaitable[None]]
    waiting: Callable[[], Awaitable[int]]
    clock: Callable[[], datetime]


def _refuse_taken(path: Path) -> None:
    """asyncio takes a socket's file over, also from a process that still listens there. Raises OSError where one does."""
    with socket.socket(socket.AF_UNIX) as door:
        try:
            door.connect(str(path))
        except OSError:
            return  # nobody there: what a killed process left may go
    raise OSError(errno.EADDRINUSE, os.strerror(errno.EADDRINUSE))


def arrival(raw: bytes, now: datetime) -> datetime:
    """When the MTA took this mail: the date of its topmost Received (RFC 5321 section 4.4).

    `now` where there is none that can be read, where it is yet to come, or where it is more than 5 days ago.
    """
    found = _RECEIVED.search(parted(b"\r\n" + raw[:_MAX_HEADERS])[0])
    if not found:
        return now
    date = found[1].rpartition(b";")[2][:100].decode("ascii", "replace")
    try:
        at = parsedate_to_datetime(" ".join(date.split()))
        at = (at if at.tzinfo else at.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, TypeError, OverflowError, IndexError):
        return now
    return at if now - OLDEST_ARRIVAL <= at <= now else now


class Door:
    """The LMTP server, from `start` until `close`. `max_bytes` is how much of a mail is kept."""

    def __init__(self, settings: Lmtp, address: str, max_bytes: int, deliveries: Deliveries) -> None:
        self.settings, self.max_bytes, self.deliveries = settings, max_bytes, deliveries
        self.domain = address.rpartition("@")[2]
        self.sessions: set[_Session] = set()
        self.is_closing = False
        self._hooks = _Hooks(address)
        self._server: asyncio.Server | None = None
        self._keeper: asyncio.Task[None] | None = None
        self._next: list[tuple[RawMail, asyncio.Future[str]]] = []
        self._news = asyncio.Event()

    async def start(self) -> None:
        """Listen. Raises `OSError`."""
        logging.getLogger("mail.log").setLevel(logging.CRITICAL)  # aiosmtpd logs what it cannot read as a command
        loop, endpoint = asyncio.get_running_loop(), self.settings.endpoint
        if isinstance(endpoint, Path):
            _refuse_taken(endpoint)
            self._server = await loop.create_unix_server(self._made, endpoint)
            endpoint.chmod(0o666)  # the MTA is another user; the folder decides who gets here
        elif endpoint is not None:
            self._server = await loop.create_server(self._made, *endpoint)
        self._keeper = loop.create_task(self._keep_groups())

    @property
    def port(self) -> int:
        """The port that is listened at; 0 where there is none."""
        name = self._server.sockets[0].getsockname() if self._server and self._server.sockets else None
        return name[1] if isinstance(name, tuple) else 0

    async def close(self) -> None:
        """Take no new mail, finish what is being delivered, at most 4 seconds long. What is cut off comes again."""
        self.is_closing = True
        if self._server is not None:
            self._server.close()
        for session in list(self.sessions):
            session.dismiss()
        if self.sessions:
            await asyncio.wait({session.task for session in self.sessions}, timeout=CLOSING_SECONDS)
        for session in list(self.sessions):
            session.drop()
        if self._keeper is not None:
            self._keeper.cancel()
            await asyncio.gather(self._keeper, return_exceptions=True)
        if self._server is not None:
            await self._server.wait_closed()
            if isinstance(self.settings.endpoint, Path):
                with contextlib.suppress(OSError):
                    self.settings.endpoint.unlink()

    def _made(self) -> "_Session":
        return _Session(self, self._hooks)

    def refusal(self, peer: object) -> str | None:
        """Why this peer (as a socket names it) may not come in; None where it may."""
        if not self._may_deliver(peer):
            log.warning("LMTP: %s may not deliver: [lmtp] peers does not name it", peer)
            return "554 5.7.1 You may not deliver here"
        if self.is_closing:
            return CLOSING
        return "421 4.3.2 Too many connections, try again later" if len(self.sessions) >= CONNECTIONS else None

    def _may_deliver(self, peer: object) -> bool:
        if not isinstance(peer, tuple):
            return isinstance(self.settings.endpoint, Path)
        address = ip_address(peer[0])
        if isinstance(address, IPv6Address):
            address = address.ipv4_mapped or address
        return address.is_loopback or any(address in network for network in self.settings.networks)

    async def deliver(self, raw: bytes, size: int, recipients: Sequence[str]) -> list[str]:
        """Have a mail kept, a copy for each address. The answers, one for each of `recipients` (RFC 2033 section 4.2)."""
        arrived_at = arrival(raw, self.deliveries.clock())
        loop = asyncio.get_running_loop()
        answers = {each.lower(): loop.create_future() for each in recipients}
        for address, answer in answers.items():
            self._next.append((_copy_for(address, arrived_at, size, raw), answer))
        self._news.set()
        said = dict(zip(answers, await asyncio.gather(*answers.values()), strict=True))
        return [said[each.lower()] for each in recipients]

    async def _keep_groups(self) -> None:
        while True:
            await self._news.wait()
            self._news.clear()
            group, self._next = [each for each in self._next if not each[1].done()], []
            said = await self._keep([mail for mail, _ in group]) if group else []
            for (_, answer), words in zip(group, said, strict=True):
                if not answer.done():
                    answer.set_result(words)

    async def _keep(self, mails: list[RawMail]) -> list[str]:
        try:
            room = max(self.settings.most_waiting - await self.deliveries.waiting(), 0)
            if room:
                await self.deliveries.keep(mails[:room])
        except Exception as error:
            name = type(error).__name__  # its words may quote the mail
            log.warning("LMTP: %s mails could not be kept (%s); they will be delivered again", len(mails), name)
            return [NOT_NOW] * len(mails)
        return [KEPT if number < room else FULL for number in range(len(mails))]


def _copy_for(address: str, arrived_at: datetime, size: int, raw: bytes) -> RawMail:
    """A mail for one recipient, named in a Delivered-To on top; `size` is that of the mail as it came.

    Its number is 63 bits of what it is. A mail whose answer got lost comes again byte for byte, and has the same then.
    """
    copy = f"Delivered-To: {address}\r\n".encode() + raw
    return RawMail(int.from_bytes(sha256(copy).digest()[:8], "big") >> 1, arrived_at, size, copy)


class _Hooks:
    """Who is the host: its address, with or without a token after a plus sign."""

    def __init__(self, address: str) -> None:
        user, _, domain = address.rpartition("@")
        plus = r"(\+[^\s\x00-\x1f\x7f\ud800-\udfff]*)?"
        self._host = re.compile(f"{re.escape(user)}{plus}@{re.escape(domain)}", re.IGNORECASE)

    async def handle_RCPT(  # noqa: N802 - aiosmtpd's name
        self, _server: SMTP, _session: SmtpSession, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        if not self._host.fullmatch(address):
            return "550 5.1.1 Nobody here has this address"
        if len(envelope.rcpt_tos) >= RECIPIENTS:
            return "452 4.5.3 Too many recipients"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"


class _Session(LMTP):
    """One connection."""

    line_length_limit = 64 * 1024

    def __init__(self, door: Door, hooks: _Hooks) -> None:
        super().__init__(
            hooks,
            data_size_limit=MOST_BYTES,
            enable_SMTPUTF8=True,
            hostname=door.domain,
            ident="LMTP",
            timeout=COMMAND_SECONDS,
            loop=asyncio.get_running_loop(),
        )
        self.command_size_limits = collections.defaultdict(lambda: COMMAND_BYTES)  # aiosmtpd's own is shared by all
        self.door = door
        self.is_delivering = False

    def connection_made(self, base: asyncio.BaseTransport) -> None:
        transport = cast(asyncio.Transport, base)  # uvloop's is none by its class
        refusal = self.door.refusal(transport.get_extra_info("peername"))
        if refusal is not None:
            transport.write(f"{refusal}\r\n".encode())
            transport.close()
            return
        self.door.sessions.add(self)
        super().connection_made(transport)
        assert self._handler_coroutine is not None
        self.task = self._handler_coroutine

    def connection_lost(self, error: Exception | None) -> None:
        if self in self.door.sessions:
            self.door.sessions.discard(self)
            super().connection_lost(error)

    def dismiss(self) -> None:
        """Let it go, where no mail is under way."""
        if not self.is_delivering:
            self._writer.write(f"{CLOSING}\r\n".encode())
            self._writer.close()

    def drop(self) -> None:
        """Let it go at once."""
        self._writer.transport.abort()

    async def _leave(self, words: str) -> None:
        await self.push(words)
        self._writer.close()
        self.task.cancel()

    async def push(self, status: Any) -> None:
        """Answer, with an enhanced status code (RFC 2034) where aiosmtpd gives none. The greeting has none."""
        await super().push(status if status.startswith("220") else _PLAIN_ANSWER.sub(_enhanced, status))

    async def handle_exception(self, error: Exception) -> str:
        """Whatever went wrong was not the mail's fault; and where the connection stands nobody knows."""
        log.warning("LMTP: a connection ends early (%s)", type(error).__name__)
        await self._leave(CLOSING)
        return CLOSING

    async def smtp_LHLO(self, arg: str | None) -> None:  # noqa: N802
        """The greeting, with what RFC 2033 section 5 asks for."""
        if not arg:
            await self.push("501 5.5.4 Syntax: LHLO hostname")
            return
        assert self.session is not None
        self.envelope = self._create_envelope()
        self.session.extended_smtp, self.session.host_name = True, arg
        offers = (f"SIZE {MOST_BYTES}", "8BITMIME", "SMTPUTF8", "PIPELINING")
        lines = [f"250-{line}" for line in (self.hostname, *offers)]
        await self.push("\r\n".join([*lines, "250 ENHANCEDSTATUSCODES"]))

    async def smtp_DATA(self, arg: str | None) -> None:  # noqa: N802
        """The mail, and an answer for each recipient."""
        assert self.envelope is not None
        recipients = self.envelope.rcpt_tos
        if arg or not recipients:
            await self.push("501 5.5.4 Syntax: DATA" if arg else "503 5.5.1 There is no recipient")
            return
        self.is_delivering = True
        try:
            await self.push("354 End with <CR><LF>.<CR><LF>")
            raw, size = await self._read_mail()
            self._reset_timeout(KEEPING_SECONDS)
            is_too_big = size > MOST_BYTES
            answers = [TOO_BIG] * len(recipients) if is_too_big else await self.door.deliver(raw, size, recipients)
            self.envelope = self._create_envelope()
            self._reset_timeout()
            await self.push("\r\n".join(answers))
        finally:
            self.is_delivering = False
        if self.door.is_closing:
            await self._leave(CLOSING)

    async def _read_mail(self) -> tuple[bytes, int]:
        """The mail's beginning, its dots undoubled (RFC 5321 section 4.5.2), and the size of the whole."""
        kept, size, begins = bytearray(), 0, True
        while True:
            try:
                part = await self._reader.readuntil(b"\r\n")
            except asyncio.LimitOverrunError as error:
                part = await self._reader.readexactly(error.consumed)
            if begins and part == b".\r\n":
                return bytes(kept), size
            if begins:
                part = part.removeprefix(b".")
            begins = part.endswith(b"\r\n")
            size += len(part)
            kept += part[: max(self.door.max_bytes - len(kept), 0)]


def _enhanced(found: re.Match[str]) -> str:
    detail = "3.4" if found[0] == "552 " else "0.0"
    return f"{found[0]}{found[1]}.{detail} "
