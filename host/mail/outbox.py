"""Edge: SMTP. In: one finished letter at a time. Out: what the server said, and whether trying again makes sense.

One kept connection, one recipient a message. A read time-out after DATA is ambiguous: the same bytes with the same
Message-ID are sent again.
"""

import contextlib
import time
from dataclasses import dataclass
from typing import Literal

from aiosmtplib import (
    SMTP,
    SMTPException,
    SMTPNotSupported,
    SMTPRecipientsRefused,
    SMTPResponseException,
    SMTPSenderRefused,
)

from host.config import Smtp

TIMEOUT = 60.0
KEEP_SECONDS = 20.0
ACCOUNT_CODES = frozenset({421, 454, 530, 534, 535, 538})
TOO_LARGE = 552

Outcome = Literal["sent", "later", "refused", "away"]


@dataclass(frozen=True)
class Sent:
    """What became of a letter: `sent`; `later` (4xx, no answer); `refused` for good (5xx); `away`, where the server cannot
    be reached or will not have us at all, which is never the letter's fault."""

    outcome: Outcome
    said: str


class Outbox:
    """A kept connection to the SMTP server, made anew after any fault."""

    def __init__(self, settings: Smtp) -> None:
        self.settings = settings
        self._client: SMTP | None = None
        self._used = 0.0

    async def connect(self) -> None:
        """Connect and log in. Raises aiosmtplib's `SMTPException` or `OSError`."""
        settings = self.settings
        client = SMTP(
            hostname=settings.host,
            port=settings.port,
            use_tls=settings.security == "tls",
            start_tls=settings.security == "starttls",
            timeout=TIMEOUT,
        )
        await client.connect()
        if settings.username:
            await client.login(settings.username, settings.password)
        self._client, self._used = client, time.monotonic()

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
            return Sent(_outcome(error), describe(error))
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
    if isinstance(error, SMTPResponseException):
        if error.code in ACCOUNT_CODES or (isinstance(error, SMTPSenderRefused) and error.code != TOO_LARGE):
            return "away"
        return "refused" if 500 <= error.code < 600 else "later"
    return "refused" if isinstance(error, ValueError | SMTPNotSupported) else "later"


def describe(error: Exception) -> str:
    """An error in one line."""
    if isinstance(error, SMTPRecipientsRefused):
        return "; ".join(describe(each) for each in error.recipients)
    if isinstance(error, SMTPResponseException):
        return f"{error.code} {' '.join(str(error.message).split())}"[:300]
    return (" ".join(str(error).split()) or type(error).__name__)[:300]
