"""Edge: OAuth2. In: the [oauth] section and, once, the host's consent. Out: access tokens for IMAP and SMTP.

The grant stands in one file, which alone is true: it is read again before each refresh, under a lock that other
processes know, so that `podium check` and `podium login` work beside a daemon.
"""

import asyncio
import contextlib
import fcntl
import json
import os
from collections.abc import AsyncIterator, Callable
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from typing import Protocol

from host.config import OAuth
from host.mail.oauth_consent import consent
from host.mail.oauth_server import Grant, OAuthError, Refused, TokenServer

__all__ = ["OAuthError", "Token", "Tokens", "source"]

LOCK_SECONDS = 45.0
EARLY = timedelta(minutes=5)
"""So long before its end an access token is refreshed."""
PAUSE = timedelta(minutes=1)
"""So long a failed early refresh is not tried again."""
DEAD = frozenset({"invalid_grant", "interaction_required", "consent_required", "login_required"})


class Token(Protocol):
    """Gives IMAP and SMTP their access tokens."""

    async def __call__(self, refused: str = "") -> str:
        """An access token; another one than `refused`, which a server would not have. Raises `OAuthError`."""


class Tokens:
    """Access tokens from one grant, for all connections of this process. `clock` gives the moment in UTC."""

    def __init__(self, settings: OAuth, clock: Callable[[], datetime]) -> None:
        self.settings = settings
        self.clock = clock
        self._server = TokenServer(settings, clock)
        self._lock = asyncio.Lock()
        self._grant: Grant | None = None
        self._unsaved: Grant | None = None
        self._spent = ""
        self._dead = ""
        self._pause_until: datetime | None = None

    async def token(self, refused: str = "") -> str:
        """An access token that is good for some minutes; another one than `refused`. Raises `OAuthError`."""
        async with self._lock:
            if self._grant is None or not self._is_fresh(self._grant, refused):
                async with self._file_locked():
                    self._grant = await self._renewed(refused)
            return self._grant.access_token

    def _is_fresh(self, grant: Grant, refused: str) -> bool:
        if not grant.access_token or grant.access_token == refused:
            return False
        left = grant.expires_at - self.clock()
        is_paused = self._pause_until is not None and self.clock() < self._pause_until
        return left > EARLY or (is_paused and left > timedelta())

    async def _renewed(self, refused: str) -> Grant:
        """The grant in the file, refreshed where its access token is no longer good."""
        grant = self._read()
        if self._unsaved is not None and grant.refresh_token == self._spent:
            grant = self._unsaved
            self._save(grant)
        if self._is_fresh(grant, refused):
            return grant
        if grant.refresh_token == self._dead:
            raise self._no_longer_good()
        try:
            form = {"grant_type": "refresh_token", "refresh_token": grant.refresh_token}
            renewed = await self._server.grant(form, grant.refresh_token)
        except Refused as error:
            if error.code not in DEAD:
                raise self._misconfigured(error) from None
            self._dead = grant.refresh_token
            raise self._no_longer_good() from None
        except OAuthError as error:
            if error.is_passing:
                self._pause_until = self.clock() + PAUSE
            if not self._is_fresh(grant, refused):
                raise
            return grant
        self._spent = grant.refresh_token
        self._save(renewed)
        return renewed

    def _no_longer_good(self) -> OAuthError:
        return OAuthError(f"The provider no longer lets Podium into the mailbox: run {self.settings.login_command}.")

    def _misconfigured(self, error: Refused) -> OAuthError:
        return OAuthError(f"The token server refuses ({error}): check [oauth] client_id, client_secret and scopes.")

    # The file

    @contextlib.asynccontextmanager
    async def _file_locked(self) -> AsyncIterator[None]:
        """One process at a time renews the grant: of two that use the same refresh token one would be refused."""
        file = self.settings.token_file
        try:
            handle = os.open(file.with_name(f"{file.name}.lock"), os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise self._unwritable(error) from None
        try:
            await _take(handle)
            yield
        finally:
            os.close(handle)

    def _read(self) -> Grant:
        file = self.settings.token_file
        try:
            held = json.loads(file.read_text("utf-8"))
            expires_at = datetime.fromisoformat(held["expires_at"]).astimezone(UTC)
            return Grant(str(held["refresh_token"]), str(held["access_token"]), expires_at)
        except FileNotFoundError:
            raise OAuthError(f"Podium has no access to the mailbox yet: run {self.settings.login_command}.") from None
        except OSError as error:
            words = f"The token file {file} cannot be read ({error.strerror}): it has to belong to Podium's user."
            raise OAuthError(words) from None
        except (ValueError, KeyError, TypeError):
            raise OAuthError(f"The token file {file} is damaged: run {self.settings.login_command}.") from None

    def _save(self, grant: Grant) -> None:
        """Write the grant back whole or not at all, for its owner's eyes only. Until that has worked it is kept."""
        self._unsaved = grant
        file = self.settings.token_file
        part = file.with_name(f"{file.name}.part")
        text = json.dumps(asdict(grant) | {"expires_at": grant.expires_at.isoformat()})
        try:
            part.unlink(missing_ok=True)
            with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as out:
                out.write(text + "\n")
                out.flush()
                os.fsync(out.fileno())
            part.replace(file)
            folder = os.open(file.parent, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)
        except OSError as error:
            raise self._unwritable(error) from None
        self._unsaved = None

    def _unwritable(self, error: OSError) -> OAuthError:
        folder = self.settings.token_file.parent
        words = f"The token file cannot be written ({error.strerror}): let Podium's user write in {folder}."
        return OAuthError(words, is_passing=True)

    async def log_in(self, tell: Callable[[str], None], by_browser: bool = False, port: int = 0) -> None:
        """Get the host's consent, as `consent` does, and keep the grant. Raises `OAuthError`."""
        try:
            grant = await consent(self._server, tell, by_browser, port)
        except Refused as error:
            raise self._misconfigured(error) from None
        async with self._file_locked():
            self._save(grant)


def source(settings: OAuth | None, clock: Callable[[], datetime]) -> Token | None:
    """The source of access tokens for IMAP and SMTP; None where they log in with passwords."""
    return None if settings is None else Tokens(settings, clock).token


async def _take(handle: int) -> None:
    """Wait for the lock of an open file. Raises a passing `OAuthError`."""
    try:
        async with asyncio.timeout(LOCK_SECONDS):
            while True:
                with contextlib.suppress(BlockingIOError):
                    return fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                await asyncio.sleep(0.05)
    except TimeoutError:
        raise OAuthError("Another Podium holds the token file: try again later.", is_passing=True) from None
