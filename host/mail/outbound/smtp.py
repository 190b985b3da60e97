"""Edge: SMTP. In: finished letters, several at once. Out: what the server said, and whether trying again makes sense.

Kept connections, one recipient a message. A read time-out after DATA is ambiguous: the same bytes with the same
Message-ID are sent again. aiosmtplib connects and logs in; the letters go through a `Session` on that connection.
"""

import asyncio
import logging
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

from aiosmtplib import (
    SMTP,
    SMTPAuthenticationError,
    SMTPException,
    SMTPHeloError,
    SMTPNotSupported,
    SMTPRecipientsRefused,
    SMTPResponseException,
    SMTPSenderRefused,
    SMTPServerDisconnected,
)

from host import troubles
from host.config import Smtp
from host.engine.words import pattern
from host.mail.oauth import OAuthError, Token
from host.mail.outbound.pipeline import PipelinedSession
from host.states import SendOutcome

log = logging.getLogger("podium")

TIMEOUT = 60.0
KEEP_SECONDS = 20.0
LETTERS_A_CONNECTION = 3
"""One whose message is judged, one whose commands are, and one that is ready to be next."""
REST_SECONDS = 60.0
"""How long one connection more is not asked for, where the server would not have it."""
ACCOUNT_CODES = frozenset({421, 454, 530, 534, 535, 538})
BAD_CREDENTIALS = 535
TOO_LARGE = 552
_OF_THE_ACCOUNT = pattern(
    r"\b5\.(?:4\.5|7\.3|7\.30|7\.57|7\.60)\b|\bdaily\b.{0,30}\b(?:sending|relay)\b|\bsending (?:limit|quota)",
    re.IGNORECASE,
)
"""Providers refuse single letters with 5xx for what is the account's trouble: its daily limit, its way to log in."""


@dataclass(frozen=True)
class Sent:
    """The fate of a letter: `sent`; `later` (4xx, no answer); `refused` for good (5xx); `away`, where the server cannot
    be reached or will not have us at all, which is never the letter's fault; `late`, where it was not tried any more.
    `is_pausing`: what it said of this letter may be meant for the whole account."""

    outcome: SendOutcome
    said: str
    is_pausing: bool = False


LATE = Sent("late", "it was not sent in time and may be tried by another process")


class NoToken(SMTPException):
    """There is no access token to log in with; `is_login` tells that a person has to do something about it."""

    def __init__(self, error: OAuthError) -> None:
        super().__init__(str(error))
        self.is_login = error.is_login


class Outbox:
    """A kept connection to the SMTP server, made anew after any fault."""

    def __init__(self, settings: Smtp, token: Token | None = None) -> None:
        self.settings = settings
        self.token = token
        self._session: PipelinedSession | None = None
        self._turn = asyncio.Lock()
        self._away = (0.0, Sent("away", ""))

    @property
    def is_open(self) -> bool:
        """Is there a connection that a letter could go through?"""
        return self._session is not None and self._session.error is None

    async def connect(self) -> None:
        """Connect and log in. Raises aiosmtplib's `SMTPException` (`NoToken` is one) or `OSError`."""
        settings = self.settings
        client = SMTP(
            hostname=settings.host,
            port=settings.port,
            use_tls=settings.security == "tls",
            start_tls=settings.security == "starttls",
            timeout=TIMEOUT,
        )
        await client.connect()
        try:
            if settings.username and self.token is not None:
                await self._log_in_by_token(client, self.token)
            elif settings.username:
                await client.login(settings.username, settings.password)
            await _greet(client)
            transport = client.protocol.transport if client.protocol is not None else None
            if transport is None or transport.is_closing():
                raise SMTPServerDisconnected("Connection lost")
            # The transport, or the TLS around it, knows one protocol at a time: aiosmtplib's client loses it.
            self._session = PipelinedSession(cast(asyncio.Transport, transport), client.esmtp_extensions, TIMEOUT)
        except BaseException:
            client.close()
            raise

    async def _log_in_by_token(self, client: SMTP, token: Token) -> None:
        """XOAUTH2; a refused access token is replaced once."""
        try:
            access_token = await token()
            try:
                await client.auth_xoauth2(self.settings.username, access_token)
            except SMTPAuthenticationError as error:
                if error.code != BAD_CREDENTIALS:
                    raise
                await client.auth_xoauth2(self.settings.username, await token(access_token))
        except OAuthError as error:
            raise NoToken(error) from None

    async def send(self, sender: str, recipient: str, message: bytes) -> Sent:
        """Hand one message to the server, for one recipient. Never raises the server's errors.

        May be called again before it is done: on a pipelining connection the letters follow each other closely.
        """
        asked = time.monotonic()
        session: PipelinedSession | None = None
        try:
            async with self._turn:
                failed, away = self._away
                if failed > asked:  # the server was found to be away while this letter waited for its turn
                    return away
                try:
                    session = await self._ready()
                except (SMTPException, OSError, ValueError) as error:
                    away = Sent("away", f"no connection: {describe(error)}")
                    self._away = (time.monotonic(), away)
                    return away
                await session.begin(sender, recipient, message)
                if not session.is_pipelining:
                    return Sent("sent", await session.finish())
            return Sent("sent", await session.finish())
        except (SMTPException, OSError, ValueError) as error:
            return Sent(_outcome(error), describe(error), is_pausing=_is_of_the_account(error))
        except asyncio.CancelledError:
            if session is not None:
                session.abort(SMTPServerDisconnected("given up"))
            raise

    async def _ready(self) -> PipelinedSession:
        """The connection, a new one where the old one is lost, was idle for long, or has had a refusal."""
        session = self._session
        is_good = session is not None and session.error is None
        if session is not None and session.is_idle:
            is_good = is_good and not session.is_spent and time.monotonic() - session.heard <= KEEP_SECONDS
        if session is None or not is_good:
            await self._leave()
            await self.connect()
        assert self._session is not None
        return self._session

    async def close(self) -> None:
        """Say QUIT where there is anybody to say it to, after the letters that are under way."""
        async with self._turn:
            await self._leave()

    async def _leave(self) -> None:
        session, self._session = self._session, None
        if session is not None:
            await session.quit()


class Outboxes:
    """As many connections as there are letters for, up to `[smtp] connections`; a letter never waits for one more to open."""

    def __init__(self, settings: Smtp, token: Token | None = None) -> None:
        self.settings, self.token = settings, token
        self._all: list[Outbox] = []
        self._free: asyncio.LifoQueue[Outbox] = asyncio.LifoQueue()
        self._letters = 0
        self._rest_until = 0.0
        self._opening: asyncio.Task[None] | None = None
        self._add(Outbox(settings, token))

    async def connect(self) -> None:
        """Open the first connection and log in. Raises as `Outbox.connect` does."""
        await self._all[0].connect()

    async def send(
        self, sender: str, recipient: str, message: bytes, is_late: Callable[[], bool] = lambda: False
    ) -> Sent:
        """Hand one message to the server, for one recipient, over whatever connection is free. As `Outbox.send`.

        One of which `is_late` says so, when its turn has come, is not sent.
        """
        self._letters += 1
        try:
            while True:
                self._open_more()
                outbox = await self._free.get()
                if outbox not in self._all:
                    continue
                try:
                    sent = LATE if is_late() else await outbox.send(sender, recipient, message)
                finally:
                    self._free.put_nowait(outbox)
                if sent.outcome != "away" or outbox.is_open or not self._does_without(outbox):
                    return sent
        finally:
            self._letters -= 1

    async def close(self) -> None:
        """Close all connections, after the letters that are under way."""
        if self._opening is not None:
            self._opening.cancel()
            await asyncio.gather(self._opening, return_exceptions=True)
        await asyncio.gather(*(each.close() for each in self._all))

    def _add(self, outbox: Outbox) -> None:
        self._all.append(outbox)
        for _ in range(LETTERS_A_CONNECTION):
            self._free.put_nowait(outbox)

    def _does_without(self, outbox: Outbox) -> bool:
        """Give this connection up, which could not be opened again, where there are others."""
        if outbox in self._all and len(self._all) > 1:
            self._all.remove(outbox)
            self._rest_until = time.monotonic() + REST_SECONDS
        return outbox not in self._all

    def _open_more(self) -> None:
        """One connection more, where letters wait for those there are."""
        if (
            self._letters > LETTERS_A_CONNECTION * len(self._all)
            and self._opening is None
            and len(self._all) < self.settings.connections
            and all(each.is_open for each in self._all)
            and time.monotonic() >= self._rest_until
        ):
            self._opening = asyncio.create_task(self._open())

    async def _open(self) -> None:
        outbox = Outbox(self.settings, self.token)
        try:
            await outbox.connect()
            self._add(outbox)
        except (SMTPException, OSError, ValueError) as error:
            self._rest_until = time.monotonic() + REST_SECONDS
            log.info("SMTP: no connection beside the %d there are: %s", len(self._all), describe(error))
        finally:
            self._opening = None


async def _greet(client: SMTP) -> None:
    """EHLO, or HELO for a server that does not know it, where the login has not said it."""
    if client.is_ehlo_or_helo_needed:
        try:
            await client.ehlo()
        except SMTPHeloError:
            if not client.is_connected:
                raise
            await client.helo()


def _outcome(error: Exception) -> SendOutcome:
    """Tell whose trouble an error is: the account's, the moment's, or the letter's for good (RFC 5321 section 4.2)."""
    if isinstance(error, SMTPRecipientsRefused):
        outcomes = {_outcome(each) for each in error.recipients}
        return outcomes.pop() if len(outcomes) == 1 else "later"
    if isinstance(error, SMTPSenderRefused) and error.code != TOO_LARGE:
        return "away"
    if isinstance(error, SMTPResponseException):
        is_final = 500 <= error.code < 600 and not _is_of_the_account(error)
        return "refused" if is_final else "later"
    return "refused" if isinstance(error, ValueError | SMTPNotSupported) else "later"


def _is_of_the_account(error: Exception) -> bool:
    """May what was said of one letter be meant for all? Such a letter is tried later, and the others after a while."""
    if isinstance(error, SMTPRecipientsRefused):
        return any(map(_is_of_the_account, error.recipients))
    if not isinstance(error, SMTPResponseException):
        return False
    return error.code in ACCOUNT_CODES or _OF_THE_ACCOUNT.search(describe(error)) is not None


def describe(error: Exception) -> str:
    """An error in one line."""
    if isinstance(error, SMTPRecipientsRefused):
        return "; ".join(describe(each) for each in error.recipients)
    if isinstance(error, SMTPResponseException) and error.code < 0:
        return "what answers there is no SMTP server: look at host, port and security"
    if isinstance(error, SMTPException) and "STARTTLS extension" in str(error):
        return 'the server offers no STARTTLS: write security = "tls" and its port'
    if isinstance(error, SMTPResponseException):
        return f"{error.code} {' '.join(str(error.message).split())}"[:300]
    return troubles.cause(error)
