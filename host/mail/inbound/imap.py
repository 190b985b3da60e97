"""Edge: IMAP. In: a mailbox's settings and how far it was read. Out: raw mails, one after the other, and a wake-up on news.

aioimaplib behind strict rules, because of what it does when things go wrong: every wait has an outer limit, every
fault ends the connection (one-shot, never repaired), at most 50 UIDs in a command, bodies one at a time and in part,
answers keyed by the UID inside them. Nothing in the mailbox is ever changed.
"""

import asyncio
import base64
import contextlib
import re
import socket
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Any

from aioimaplib import AUTH, IMAP4, NONAUTH, Abort, AioImapException, IMAP4ClientProtocol
from aioimaplib import Command as ImapCommand

from host.config import Imap
from host.mail.inbound.raw import MAX_BYTES, RawMail
from host.mail.oauth import OAuthError, Token

TIMEOUT = 30.0
FIRST_LOOK = 128 * 1024
"""Bytes that are fetched of a mail before it is known whether anybody here is concerned by more of it."""
UIDS_A_COMMAND = 50
IDLE_SECONDS = 240.0
FIRST_LOOK_BACK = timedelta(days=7)

_UIDVALIDITY = re.compile(rb"UIDVALIDITY (\d+)")
_UIDNEXT = re.compile(rb"UIDNEXT (\d+)")
_UID = re.compile(rb"\bUID (\d+)")
_INTERNALDATE = re.compile(rb'INTERNALDATE "([^"]+)"')
_EXISTS = re.compile(rb"\* \d+ EXISTS")
_SIZE = re.compile(rb"RFC822\.SIZE (\d+)")
_STORAGE = re.compile(rb"\((?:[^()]* )?STORAGE (\d+) (\d++)[^()]*\)\s*$", re.IGNORECASE)

_KEEP_ALIVE = {"TCP_KEEPIDLE": 60, "TCP_KEEPALIVE": 60, "TCP_KEEPINTVL": 20, "TCP_KEEPCNT": 3}
"""Seconds of silence before the first probe (two names for it), between probes, and how many go unanswered."""


class InboxError(Exception):
    """The mailbox cannot be read now. `is_login` tells that the server refused the name or the password."""

    def __init__(self, reason: str, is_login: bool = False) -> None:
        super().__init__(reason)
        self.is_login = is_login


@dataclass(frozen=True)
class Selected:
    """A mailbox that was selected: its UIDVALIDITY, and the UID of the next mail, None where the server does not say."""

    uidvalidity: int
    uidnext: int | None


class Inbox:
    """One connection to one mailbox, from `connect` until the first fault or `close`."""

    def __init__(self, settings: Imap, mailbox: str, token: Token | None = None) -> None:
        self.settings = settings
        self.mailbox = mailbox
        self.token = token
        self._lost = asyncio.Event()
        self._client: _Client | None = None

    async def connect(self) -> Selected:
        """Connect, log in, select; with an access token by XOAUTH2, once more with a new one where it is refused.

        Raises `InboxError`.
        """
        if self.token is None:
            return await self._connect(None)
        access_token = await _asked(self.token)
        try:
            return await self._connect(access_token)
        except InboxError as error:
            self.abandon()
            if not error.is_login:
                raise
        return await self._connect(await _asked(self.token, access_token))

    async def _connect(self, access_token: str | None) -> Selected:
        self._lost = lost = asyncio.Event()
        settings = self.settings
        context = ssl.create_default_context() if settings.security == "tls" else None
        try:
            async with asyncio.timeout(TIMEOUT):
                client = _Client(
                    settings.host,
                    settings.port,
                    timeout=TIMEOUT,
                    conn_lost_cb=lambda _: lost.set(),
                    ssl_context=context,
                )
                self._client = client
                await client.wait_hello_from_server()
                _keep_alive(client)
                await client.protocol.capability()
                if settings.security == "starttls":
                    await self._start_tls(client)
                await self._log_in(client, access_token)
                await client.protocol.capability()
                return await self._select(client)
        except InboxError:
            raise
        except (TimeoutError, OSError, AioImapException) as error:
            raise InboxError(_reason(error)) from error

    async def _log_in(self, client: "_Client", access_token: str | None) -> None:
        username = self.settings.username
        if access_token is None:
            answer = await client.login(_quoted(username), self.settings.password)
            if answer.result != "OK":
                raise InboxError(f"the server refused the login of {username}", is_login=True)
            return
        answer = await client.xoauth2(username, access_token)
        if answer.result != "OK":
            raise InboxError(f"the server refused the access token of {username}", is_login=True)

    async def _start_tls(self, client: "_Client") -> None:
        """STARTTLS (RFC 3501 section 6.2.1), which aioimaplib lacks: the command, then TLS over its transport."""
        protocol = client.protocol
        tag = protocol.new_tag()
        command = ImapCommand("STARTTLS", tag, loop=protocol.loop)
        protocol.pending_sync_command = command
        protocol.send(str(command))
        await command.wait()
        if command.response.result != "OK":
            raise InboxError('the server offers no STARTTLS: write security = "tls" and its port')
        context = ssl.create_default_context()
        protocol.transport = await protocol.loop.start_tls(
            protocol.transport, protocol, context, server_hostname=self.settings.host
        )
        protocol.pending_sync_command = None
        await protocol.capability()

    async def _select(self, client: "_Client") -> Selected:
        answer = await client.select(_mailbox_name(self.mailbox))
        if answer.result != "OK":
            raise InboxError(f"there is no mailbox {self.mailbox}")
        said = b"\n".join(bytes(line) for line in answer.lines)
        validity, following = _UIDVALIDITY.search(said), _UIDNEXT.search(said)
        return Selected(int(validity[1]) if validity else 0, int(following[1]) if following else None)

    @property
    def is_connected(self) -> bool:
        """Is there a connection that was not lost or dropped?"""
        return self._client is not None and not self._lost.is_set()

    @property
    def client(self) -> "_Client":
        """The connected client. Raises `InboxError` where the connection is gone."""
        if self._client is None or self._lost.is_set():
            raise InboxError("the connection was lost")
        return self._client

    async def uids_above(self, uid: int, now: datetime) -> list[int]:
        """The UIDs above `uid`, ascending; above 0, at the first time, those of the last 7 days. Raises `InboxError`."""
        since = (now - FIRST_LOOK_BACK).strftime("%d-%b-%Y")
        self.client.protocol.has_news = False
        criteria = ("SINCE", since) if uid == 0 else ("UID", f"{uid + 1}:*")
        answer = await self._limited(self.client.uid_search(*criteria, charset=None))
        lines = answer.lines[:-1] if answer.result == "OK" else []
        if answer.result != "OK":
            raise InboxError("the server could not search the mailbox")
        found = {int(word) for line in lines for word in bytes(line).split() if word.isdigit()}
        return sorted(each for each in found if each > uid)

    async def arrivals(self, uids: list[int]) -> dict[int, datetime]:
        """When these mails came, as many of them as are there; at most 50. Raises `InboxError`."""
        facts = await self._facts(uids) if uids else {}
        return {uid: facts[uid][0] for uid in uids if uid in facts}

    async def fetch(
        self, uids: list[int], bytes_wanted: Callable[[RawMail], Awaitable[int]] | None = None
    ) -> AsyncIterator[RawMail]:
        """These mails in order; one that vanished is left out. Raises `InboxError`.

        Of a large one only the beginning is fetched at first; `bytes_wanted` says how much of it is to be fetched in all.
        """
        for start in range(0, len(uids), UIDS_A_COMMAND):
            part = uids[start : start + UIDS_A_COMMAND]
            alone = await self._single(part[0]) if len(part) == 1 else None
            facts = {} if alone else await self._facts(part)
            for uid in part:
                raw = None if uid not in facts else await self._body(uid, FIRST_LOOK)
                mail = alone if raw is None else RawMail(uid, *facts[uid], raw)
                if mail is not None:
                    yield await self._whole(mail, bytes_wanted)

    async def _whole(self, mail: RawMail, bytes_wanted: Callable[[RawMail], Awaitable[int]] | None) -> RawMail:
        """A mail as far as it is wanted, once its beginning was fetched."""
        if mail.size <= len(mail.raw) or len(mail.raw) < FIRST_LOOK:
            return mail
        wanted = MAX_BYTES if bytes_wanted is None else min(await bytes_wanted(mail), MAX_BYTES)
        raw = await self._body(mail.uid, wanted) if wanted > len(mail.raw) else mail.raw
        return replace(mail, raw=raw or mail.raw)

    async def _single(self, uid: int) -> RawMail | None:
        """A mail that came alone, in one trip; None where the answer has another shape than most servers give it."""
        what = f"(UID INTERNALDATE RFC822.SIZE BODY.PEEK[]<0.{FIRST_LOOK}>)"
        lines = await self._fetched(str(uid), what)
        facts, body = _facts_in(lines), _body_in(lines, uid)
        if uid not in facts or body is None:
            return None
        return RawMail(uid, *facts[uid], body)

    async def _facts(self, uids: list[int]) -> dict[int, tuple[datetime, int]]:
        return _facts_in(await self._fetched(",".join(map(str, uids)), "(UID INTERNALDATE RFC822.SIZE)"))

    async def _body(self, uid: int, most: int) -> bytes | None:
        return _body_in(await self._fetched(str(uid), f"(UID BODY.PEEK[]<0.{most}>)"), uid)

    async def _fetched(self, uids: str, what: str) -> "list[bytes | bytearray]":
        answer = await self._limited(self.client.uid("fetch", uids, what))
        if answer.result != "OK":
            raise InboxError("the server could not fetch")
        return answer.lines[:-1]

    async def quota(self) -> float | None:
        """How much of the mailbox's storage is used, 0 to 1 (RFC 9208 section 4.2.2); of several limits the nearest.

        None where the server does not tell, or where nothing limits it. Raises `InboxError`.
        """
        client = self.client
        if not client.has_capability("QUOTA"):
            return None
        protocol = client.protocol
        name = _mailbox_name(self.mailbox)
        command = ImapCommand("GETQUOTAROOT", protocol.new_tag(), name, untagged_resp_name="QUOTA", loop=protocol.loop)
        answer = await self._limited(protocol.execute(command))
        found = [_STORAGE.search(line) for line in answer.lines[:-1]] if answer.result == "OK" else []
        shares = [int(each[1]) / int(each[2]) for each in found if each and int(each[2])]
        return min(1.0, max(shares)) if shares else None

    async def wait_for_news(self, seconds: float, woken: asyncio.Event) -> None:
        """Wait until the server tells of something, `woken` is set, or the time is over. Raises `InboxError`."""
        client = self.client
        await self._limited(client.noop())  # some servers tell at NOOP what they would not tell at the start of IDLE
        if client.protocol.has_news:
            return
        if not client.has_capability("IDLE"):
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(woken.wait(), seconds)
            return
        limit = min(seconds, IDLE_SECONDS)
        try:
            async with asyncio.timeout(TIMEOUT):
                idle = await client.idle_start(timeout=limit + TIMEOUT)
            if not client.protocol.has_news:
                await self._first_of(client, woken, limit)
            client.idle_done()
            async with asyncio.timeout(TIMEOUT):
                await idle
            if self._lost.is_set():
                raise Abort("the connection was lost")
        except (TimeoutError, OSError, AioImapException) as error:
            self.abandon()
            raise InboxError(f"the wait for news failed ({_reason(error)})") from error

    async def _first_of(self, client: "_Client", woken: asyncio.Event, seconds: float) -> None:
        waits = {
            asyncio.create_task(client.wait_server_push(timeout=seconds)),
            asyncio.create_task(woken.wait()),
            asyncio.create_task(self._lost.wait()),
        }
        try:
            done, _ = await asyncio.wait(waits, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                if not task.cancelled() and task.exception() is None and _says_bye(task.result()):
                    raise Abort("the server said BYE")
        finally:
            for task in waits:
                task.cancel()
            await asyncio.gather(*waits, return_exceptions=True)
        if self._lost.is_set():
            raise Abort("the connection was lost")

    async def _limited(self, call: "asyncio.Future[_Answer] | object") -> "_Answer":
        try:
            async with asyncio.timeout(TIMEOUT):
                answer: _Answer = await call  # type: ignore[misc]
                return answer
        except (TimeoutError, OSError, AioImapException) as error:
            self.abandon()
            raise InboxError(_reason(error)) from error

    async def close(self) -> None:
        """Log out politely, then let go."""
        if self._client is not None and not self._lost.is_set():
            with contextlib.suppress(TimeoutError, OSError, AioImapException):
                async with asyncio.timeout(5):
                    await self._client.logout()
        self.abandon()

    def abandon(self) -> None:
        """Drop the connection; it is never used again."""
        self._lost.set()
        client, self._client = self._client, None
        transport = getattr(getattr(client, "protocol", None), "transport", None)
        if transport is not None:
            transport.abort()


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


class _Client(IMAP4):  # type: ignore[misc]
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


class _Answer:
    """The shape of aioimaplib's response, for the type checker."""

    result: str
    lines: list[bytes | bytearray]


async def _asked(token: Token, refused: str = "") -> str:
    try:
        return await token(refused)
    except OAuthError as error:
        raise InboxError(str(error), is_login=error.is_login) from None


def _keep_alive(client: _Client) -> None:
    """Let the system notice a connection that died in silence, and keep alive what a router would forget (RFC 9293)."""
    connection = client.protocol.transport.get_extra_info("socket")
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in _KEEP_ALIVE.items():
        if hasattr(socket, name):
            connection.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)


def _facts_in(lines: Iterable[bytes | bytearray]) -> dict[int, tuple[datetime, int]]:
    """When mails came and how long they are, by UID; a literal is a mail's own text, and no answer of the server."""
    facts: dict[int, tuple[datetime, int]] = {}
    for line in lines:
        if isinstance(line, bytearray):
            continue
        uid, date, size = _UID.search(line), _INTERNALDATE.search(line), _SIZE.search(line)
        if uid and date and size:
            facts[int(uid[1])] = (_internal_date(date[1]), int(size[1]))
    return facts


def _body_in(lines: Iterable[bytes | bytearray], uid: int) -> bytes | None:
    """The literal of an answer that names this UID."""
    is_ours = False
    body: bytes | None = None
    for line in lines:
        if isinstance(line, bytearray):
            body = bytes(line)
        found = None if isinstance(line, bytearray) else _UID.search(line)
        is_ours = is_ours or (found is not None and int(found[1]) == uid)
    return body if is_ours else None


def _says_bye(push: object) -> bool:
    return isinstance(push, list) and any(
        isinstance(line, bytes | bytearray) and bytes(line).startswith(b"BYE") for line in push
    )


def _internal_date(text: bytes) -> datetime:
    """`17-Jul-1996 02:44:25 -0700` (RFC 3501 date-time) as UTC."""
    try:
        return datetime.strptime(text.decode("ascii").strip(), "%d-%b-%Y %H:%M:%S %z").astimezone(UTC)
    except ValueError:
        return parsedate_to_datetime(text.decode("ascii", "replace").replace("-", " ", 2)).astimezone(UTC)


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _mailbox_name(name: str) -> str:
    """A mailbox name quoted, in modified UTF-7 (RFC 3501 section 5.1.3)."""
    encoded = re.sub(r"[^\x20-\x7e]+", _shifted, name.replace("&", "&-"))
    return _quoted(encoded)


def _shifted(found: re.Match[str]) -> str:
    packed = base64.b64encode(found[0].encode("utf-16-be")).decode("ascii")
    return "&" + packed.rstrip("=").replace("/", ",") + "-"


def _reason(error: BaseException) -> str:
    if isinstance(error, TimeoutError):
        return "the server did not answer in time"
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"the server's certificate is not good: {error.verify_message}"
    return " ".join(str(error).split())[:200] or type(error).__name__
