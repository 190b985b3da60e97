"""Edge: SMTP. In: one finished letter at a time. Out: what the server said, and whether trying again makes sense.

One kept connection, one recipient a message. A read time-out after DATA is ambiguous: the same bytes with the same
Message-ID are sent again.
"""

import contextlib
import re
import ssl
import time
from dataclasses import dataclass
from typing import Literal

from aiosmtplib import (
    SMTP,
    SMTPAuthenticationError,
    SMTPException,
    SMTPNotSupported,
    SMTPRecipientsRefused,
    SMTPResponseException,
    SMTPSenderRefused,
)

from host.config import Smtp
from host.mail.oauth import OAuthError, Token

TIMEOUT = 60.0
KEEP_SECONDS = 20.0
ACCOUNT_CODES = frozenset({421, 454, 530, 534, 535, 538})
BAD_CREDENTIALS = 535
TOO_LARGE = 552
_OF_THE_ACCOUNT = re.compile(
    r"\b5\.(?:4\.5|7\.3|7\.30|7\.57|7\.60)\b|\bdaily\b.{0,30}\b(?:sending|relay)\b|\bsending (?:limit|quota)",
    re.IGNORECASE,
)
"""Providers refuse single letters with 5xx for what is the account's trouble: its daily limit, its way to log in."""

Outcome = Literal["sent", "later", "refused", "away"]


@dataclass(frozen=True)
class Sent:
    """What became of a letter: `sent`; `later` (4xx, no answer); `refused` for good (5xx); `away`, where the server cannot
    be reached or will not have us at all, which is never the letter's fault. `is_pausing`: what it said of this letter may
    be meant for the whole account."""

    outcome: Outcome
    said: str
    is_pausing: bool = False


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
        self._client: SMTP | None = None
        self._used = 0.0

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
        except BaseException:
            client.close()
            raise
        self._client, self._used = client, time.monotonic()

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
        """Hand one message to the server, for one recipient. Never raises the server's errors."""
        try:
            if self._client is None or time.monotonic() - self._used > KEEP_SECONDS or not self._client.is_connected:
                await self.close()
                await self.connect()
        except (SMTPException, OSError, ValueError) as error:
            await self.close()
            return Sent("away", f"no connection: {describe(error)}")
        assert self._client is not None
        try:
            _, said = await self._client.sendmail(sender, [recipient], message)
        except (SMTPException, OSError, ValueError) as error:
            await self.close()
            return Sent(_outcome(error), describe(error), is_pausing=_is_of_the_account(error))
        self._used = time.monotonic()
        return Sent("sent", said)

    async def close(self) -> None:
        """Say QUIT where there is anybody to say it to."""
        client, self._client = self._client, None
        if client is not None:
            with contextlib.suppress(SMTPException, OSError, ValueError):
                client.timeout = 5
                await client.quit()
            client.close()


def _outcome(error: Exception) -> Outcome:
    """Whose trouble an error is: the account's, the moment's, or the letter's for good (RFC 5321 section 4.2)."""
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
    for each in (error, error.__cause__, error.__context__):
        if isinstance(each, ssl.SSLCertVerificationError):
            return f"the server's certificate is not good: {each.verify_message}"
    if isinstance(error, SMTPResponseException):
        return f"{error.code} {' '.join(str(error.message).split())}"[:300]
    return (" ".join(str(error).split()) or type(error).__name__)[:300]
