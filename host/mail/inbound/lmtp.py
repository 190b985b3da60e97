"""Edge: LMTP (RFC 2033). In: mails that an MTA delivers. Out: raw mails, kept by the store before they are answered with 250.

aiosmtpd's own server speaks with the MTA; here stand who may come in, whose address is the host's, and the copy that each
recipient gets.
"""

import asyncio
import contextlib
import errno
import logging
import os
import re
import socket
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from hashlib import sha256
from ipaddress import IPv6Address, ip_address
from pathlib import Path
from typing import Any, cast

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import Envelope, Session

from host.config import Lmtp
from host.engine.words import pattern
from host.mail.inbound.mail import MAX_BYTES, RawMail
from host.mail.inbound.parsing import parted

log = logging.getLogger("podium")

MOST_BYTES = 50_000_000
"""A larger mail is refused; what is above the limit of the store is cut off."""
LONGEST_LINE = MAX_BYTES
"""Bytes; a mail with a longer line is refused."""
CONNECTIONS = 100
"""At the same time."""
RECIPIENTS = 10
"""In one transaction; each gets a copy of its own. The MTA brings the others in the next."""
COMMAND_SECONDS = 600.0
"""How long a client may be silent, and a mail may take until the store has it."""
CLOSING_SECONDS = 4.0
"""How long the store may still take when the door closes."""
OLDEST_ARRIVAL = timedelta(days=5)
"""How old a Received may be that is believed: as long as an MTA keeps trying."""

KEPT = "250 2.0.0 Kept"
FULL = "452 4.3.1 Too many mails are waiting here, try again later"
NOT_NOW = "451 4.3.0 The mail cannot be kept now, try again later"
CLOSING = "421 4.3.2 Closing, try again later"

_MAX_HEADERS = 32 * 1024
"""Bytes of headers in which the topmost Received is looked for."""


def _refuse_taken(path: Path) -> None:
    """asyncio takes a socket's file over, also from a process that still listens there. Raises OSError where one does."""
    with socket.socket(socket.AF_UNIX) as door:
        try:
            door.connect(str(path))
        except OSError:
            return  # nobody there: what a killed process left may go
    raise OSError(errno.EADDRINUSE, os.strerror(errno.EADDRINUSE))


def arrival(raw: bytes, now: datetime) -> datetime:
    """The moment at which the MTA took this mail: the date of its topmost Received (RFC 5321 section 4.4).

    `now` where there is none that can be read, where it is yet to come, or where it is more than 5 days ago.
    """
    head = parted(b"\r\n" + raw[:_MAX_HEADERS])[0]
    found = re.search(rb"^Received:([^\r\n]*(?:\r\n[ \t][^\r\n]*)*)", head, re.IGNORECASE | re.MULTILINE)
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
    """The LMTP server, from `start` until `close`.

    `keep` returns how many of some mails, from the first on, are durable now; where it raises, none is acknowledged.
    """

    def __init__(
        self,
        settings: Lmtp,
        address: str,
        keep: Callable[[Sequence[RawMail]], Awaitable[int]],
        clock: Callable[[], datetime],
    ) -> None:
        self.settings, self.address, self.keep, self.clock = settings, address, keep, clock
        self.sessions: set[_Session] = set()
        self.is_closing = False
        self._keeping = asyncio.Lock()
        self._server: asyncio.Server | None = None
        user, _, domain = map(re.escape, address.rpartition("@"))
        self._host = pattern(rf"{user}(\+[^\s\x00-\x1f\x7f\ud800-\udfff]*)?@{domain}", re.IGNORECASE)

    async def start(self) -> None:
        """Listen. Raises `OSError`."""
        logging.getLogger("mail.log").setLevel(logging.CRITICAL)  # aiosmtpd logs what it cannot read as a command
        loop, endpoint = asyncio.get_running_loop(), self.settings.endpoint
        if isinstance(endpoint, Path):
            _refuse_taken(endpoint)
            self._server = await loop.create_unix_server(lambda: _Session(self), endpoint)
            endpoint.chmod(0o666)  # the MTA is another user; the folder decides who gets here
        elif endpoint is not None:
            self._server = await loop.create_server(lambda: _Session(self), *endpoint)

    @property
    def port(self) -> int:
        """The port that is listened at; 0 where there is none."""
        name = self._server.sockets[0].getsockname() if self._server and self._server.sockets else None
        return name[1] if isinstance(name, tuple) else 0

    async def close(self) -> None:
        """Take no new mail, let the store finish, at most 4 seconds long. What is cut off comes again."""
        self.is_closing = True
        if self._server is None:
            return
        self._server.close()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(CLOSING_SECONDS), self._keeping:
                pass  # who stands behind the last mail that is kept learns that the door closes
        for session in list(self.sessions):
            session.turn_away(CLOSING)
        await self._server.wait_closed()
        if isinstance(self.settings.endpoint, Path):
            with contextlib.suppress(OSError):
                self.settings.endpoint.unlink()

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

    async def deliver(self, raw: bytes, recipients: Sequence[str]) -> list[str]:
        """Have a mail kept, a copy for each address. The answers, one for each of `recipients` (RFC 2033 section 4.2)."""
        arrived_at = arrival(raw, self.clock())
        mails = {each.lower(): _copy_for(each.lower(), arrived_at, raw) for each in recipients}
        async with self._keeping:
            if self.is_closing:
                return [CLOSING] * len(recipients)
            try:
                count = await asyncio.shield(self.keep(list(mails.values())))
            except Exception as error:
                name = type(error).__name__  # its words may quote the mail
                log.warning("LMTP: a mail could not be kept (%s); it will be delivered again", name)
                return [NOT_NOW] * len(recipients)
        kept = list(mails)[:count]
        return [KEPT if each.lower() in kept else FULL for each in recipients]

    # What aiosmtpd asks

    async def handle_EHLO(  # noqa: N802
        self, _server: LMTP, session: Session, _envelope: Envelope, name: str, responses: list[str]
    ) -> list[str]:
        """The greeting, with what RFC 2033 section 5 asks for."""
        session.host_name = name
        return [*responses[:-1], "250 PIPELINING"]

    async def handle_RCPT(  # noqa: N802
        self, _server: LMTP, _session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        """The host's address is taken, with or without a token after a plus sign."""
        if not self._host.fullmatch(address):
            return "550 5.1.1 Nobody here has this address"
        if len(envelope.rcpt_tos) >= RECIPIENTS:
            return "452 4.5.3 Too many recipients"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_DATA(self, _server: LMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802
        """An answer for each recipient."""
        assert isinstance(envelope.content, bytes)
        return "\r\n".join(await self.deliver(envelope.content, envelope.rcpt_tos))

    async def handle_exception(self, error: Exception) -> str:
        """Log no more of what aiosmtpd could not take than its kind: its words may quote the mail."""
        log.warning("LMTP: a command could not be taken (%s)", type(error).__name__)
        return NOT_NOW


def _copy_for(address: str, arrived_at: datetime, raw: bytes) -> RawMail:
    """A mail for one recipient, named in a Delivered-To on top.

    Its number is 63 bits of what it is. A mail whose answer got lost comes again byte for byte, and has the same then.
    """
    copy = f"Delivered-To: {address}\r\n".encode() + raw[:MAX_BYTES]
    return RawMail(int.from_bytes(sha256(copy).digest()[:8], "big") >> 1, arrived_at, len(raw), copy)


class _Session(LMTP):
    """One connection."""

    def __init__(self, door: Door) -> None:
        self.line_length_limit = LONGEST_LINE
        super().__init__(
            door,
            data_size_limit=MOST_BYTES,
            enable_SMTPUTF8=True,
            hostname=door.address.rpartition("@")[2],
            ident="LMTP",
            timeout=COMMAND_SECONDS,
            loop=asyncio.get_running_loop(),
        )
        self.door = door

    def connection_made(self, base: asyncio.BaseTransport) -> None:
        transport = cast(asyncio.Transport, base)  # uvloop's is none by its class
        refusal = self.door.refusal(transport.get_extra_info("peername"))
        if refusal is None:
            self.door.sessions.add(self)
            super().connection_made(transport)
        else:
            transport.write(f"{refusal}\r\n".encode())
            transport.close()

    def connection_lost(self, error: Exception | None) -> None:
        if self in self.door.sessions:
            self.door.sessions.discard(self)
            super().connection_lost(error)

    def turn_away(self, words: str) -> None:
        """Let it go, with these words."""
        self._writer.write(f"{words}\r\n".encode())
        self._writer.close()

    async def push(self, status: Any) -> None:
        """Answer. A mail that aiosmtpd refuses as a whole is answered once for each recipient, as others are."""
        if self.envelope and str(status).startswith(("552 Error: Too much", "500 Line too long")):
            status = "\r\n".join([status] * len(self.envelope.rcpt_tos))
        await super().push(status)
