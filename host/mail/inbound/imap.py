"""Edge: IMAP. In: a mailbox's settings and how far it was read. Out: raw mails, one after the other, and a wake-up on news.

aioimaplib (`imap_client`) behind strict rules, because of what it does when things go wrong. Every wait has an outer limit.
Every fault ends the connection, which is never repaired. A command has at most 50 UIDs; bodies are fetched in part, and several
at a time only where they are small. Answers (`imap_syntax`) are keyed by the UID inside them. Nothing in the mailbox is ever
changed.
"""

import asyncio
import contextlib
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from aioimaplib import Abort, AioImapException

from host import troubles
from host.config import Imap
from host.mail.inbound.imap_client import Answer, Client, get_quota_root, keep_alive, start_tls
from host.mail.inbound.imap_syntax import (
    Lines,
    Selected,
    bodies_in,
    facts_in,
    junk_in,
    mailbox_name,
    quoted,
    says_bye,
    selected_in,
    share_used_in,
    uids_in,
)
from host.mail.inbound.mail import MAX_BYTES, RawMail
from host.mail.oauth import OAuthError, Token

TIMEOUT = 30.0
"""Seconds that a command may take."""
FIRST_LOOK = 128 * 1024
"""Bytes that are fetched of a mail before it is known whether anybody here is concerned by more of it."""
UIDS_A_COMMAND = 50
IDLE_SECONDS = 240.0
FIRST_LOOK_BACK = timedelta(days=7)
"""How old mail may be that is read when a mailbox is read for the first time."""


class InboxError(Exception):
    """The mailbox cannot be read now. `is_login`: the server refused the name or the password; `said`: in what words."""

    def __init__(self, reason: str, is_login: bool = False, said: str = "") -> None:
        super().__init__(reason)
        self.is_login = is_login
        self.said = said


class Inbox:
    """One connection to one mailbox, from `connect` until the first fault or `close`."""

    def __init__(self, settings: Imap, mailbox: str, token: Token | None = None) -> None:
        self.settings = settings
        self.mailbox = mailbox
        self.token = token
        self._lost = asyncio.Event()
        self._client: Client | None = None

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
                client = Client(
                    settings.host,
                    settings.port,
                    timeout=TIMEOUT,
                    conn_lost_cb=lambda _: lost.set(),
                    ssl_context=context,
                )
                self._client = client
                await client.wait_hello_from_server()
                keep_alive(client)
                await client.protocol.capability()
                if settings.security == "starttls" and not await start_tls(client, settings.host):
                    raise InboxError('the server offers no STARTTLS: write security = "tls" and its port')
                await self._log_in(client, access_token)
                await client.protocol.capability()
                answer = await client.select(mailbox_name(self.mailbox))
                if answer.result != "OK":
                    raise InboxError(f"there is no mailbox {self.mailbox}")
                return selected_in(answer.lines)
        except (TimeoutError, OSError, AioImapException) as error:
            raise InboxError(troubles.cause(error)) from error

    async def _log_in(self, client: Client, access_token: str | None) -> None:
        username = self.settings.username
        if access_token is None:
            answer = await client.login(quoted(username), self.settings.password)
            if answer.result != "OK":
                said = b" ".join(map(bytes, answer.lines)).decode("utf-8", "replace")
                raise InboxError(f"the server refused the login of {username}", True, " ".join(said.split())[:300])
            return
        answer = await client.xoauth2(username, access_token)
        if answer.result != "OK":
            raise InboxError(f"the server refused the access token of {username}", is_login=True)

    @property
    def is_connected(self) -> bool:
        """Is there a connection that was not lost or dropped?"""
        return self._client is not None and not self._lost.is_set()

    @property
    def client(self) -> Client:
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
        if answer.result != "OK":
            raise InboxError("the server could not search the mailbox")
        return sorted(each for each in uids_in(answer.lines[:-1]) if each > uid)

    async def arrivals(self, uids: list[int]) -> dict[int, datetime]:
        """The moments at which these mails came, as many of them as are there; at most 50. Raises `InboxError`."""
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
            facts = await self._facts(part)
            for some in _together([(uid, facts[uid][1]) for uid in part if uid in facts]):
                bodies = await self._bodies(some, FIRST_LOOK)
                for uid in some:
                    raw = bodies.get(uid) or (await self._bodies([uid], FIRST_LOOK)).get(uid)
                    if raw is not None:
                        yield await self._whole(RawMail(uid, *facts[uid], raw), bytes_wanted)

    async def _whole(self, mail: RawMail, bytes_wanted: Callable[[RawMail], Awaitable[int]] | None) -> RawMail:
        """A mail as far as it is wanted, once its beginning was fetched."""
        if mail.size <= len(mail.raw) or len(mail.raw) < FIRST_LOOK:
            return mail
        wanted = MAX_BYTES if bytes_wanted is None else min(await bytes_wanted(mail), MAX_BYTES)
        bodies = await self._bodies([mail.uid], wanted) if wanted > len(mail.raw) else {}
        return replace(mail, raw=bodies.get(mail.uid) or mail.raw)

    async def _facts(self, uids: list[int]) -> dict[int, tuple[datetime, int]]:
        return facts_in(await self._fetched(uids, "(UID INTERNALDATE RFC822.SIZE)"))

    async def _bodies(self, uids: Sequence[int], most: int) -> dict[int, bytes]:
        return bodies_in(await self._fetched(uids, f"(UID BODY.PEEK[]<0.{most}>)"))

    async def _fetched(self, uids: Sequence[int], what: str) -> Lines:
        answer = await self._limited(self.client.uid("fetch", ",".join(map(str, uids)), what))
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
        answer = await self._limited(get_quota_root(client, self.mailbox))
        return share_used_in(answer.lines[:-1]) if answer.result == "OK" else None

    async def junk(self) -> str:
        """The mailbox for junk, where the server marks one (RFC 6154) whose name is ASCII; else nothing. Raises `InboxError`."""
        answer = await self._limited(self.client.list('""', "*"))
        return junk_in(answer.lines[:-1]) if answer.result == "OK" else ""

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
            raise InboxError(f"the wait for news failed ({troubles.cause(error)})") from error

    async def _first_of(self, client: Client, woken: asyncio.Event, seconds: float) -> None:
        waits = {
            asyncio.create_task(client.wait_server_push(timeout=seconds)),
            asyncio.create_task(woken.wait()),
            asyncio.create_task(self._lost.wait()),
        }
        try:
            done, _ = await asyncio.wait(waits, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                if not task.cancelled() and task.exception() is None and says_bye(task.result()):
                    raise Abort("the server said BYE")
        finally:
            for task in waits:
                task.cancel()
            await asyncio.gather(*waits, return_exceptions=True)
        if self._lost.is_set():
            raise Abort("the connection was lost")

    async def _limited(self, call: Awaitable[Answer]) -> Answer:
        try:
            async with asyncio.timeout(TIMEOUT):
                return await call
        except (TimeoutError, OSError, AioImapException) as error:
            self.abandon()
            raise InboxError(troubles.cause(error)) from error

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


def _together(sizes: Iterable[tuple[int, int]]) -> Iterator[list[int]]:
    """The UIDs in groups whose beginnings are fetched by one command: as many as come to no more than one large mail's."""
    some, bytes_of_some = list[int](), 0
    for uid, size in sizes:
        size = min(size, FIRST_LOOK)
        if some and bytes_of_some + size > FIRST_LOOK:
            yield some
            some, bytes_of_some = [], 0
        some.append(uid)
        bytes_of_some += size
    if some:
        yield some


async def _asked(token: Token, refused: str = "") -> str:
    try:
        return await token(refused)
    except OAuthError as error:
        raise InboxError(str(error), is_login=error.is_login) from None
