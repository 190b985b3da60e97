"""Edge: OAuth2. In: the [oauth] section and, once, the host's consent. Out: access tokens for IMAP and SMTP.

The consent comes by a device code (RFC 8628), or by a browser that is sent back to this machine (RFC 8252). The grant stands
in one file, which alone is true: it is read again before each refresh, under a lock that other processes know, so that
`podium check` and `podium login` work beside a daemon. httpx is imported when it is needed: most hosts have app passwords.
"""

import asyncio
import contextlib
import fcntl
import json
import os
import re
from base64 import urlsafe_b64encode
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any, Protocol
from urllib.parse import parse_qs, quote, urlencode, urlsplit

from host.config import OAuth
from host.engine.chance import new_token
from host.engine.words import table
from host.errors import PodiumError

TIMEOUT = 20.0
"""Seconds that the server has for an answer."""
USUAL_LIFE = 3600
"""Seconds that an access token is good for where the server does not say."""
LOOPBACK = "127.0.0.1"
PASSING = frozenset({"temporarily_unavailable", "server_error"})
CONSENT_SECONDS = 900.0
SLOW_DOWN_SECONDS = 5.0

DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code"
DENIED = "The consent was refused."
TOO_LATE = "The time for the consent ran out: run podium login again."
ENDED = {"access_denied": DENIED, "expired_token": TOO_LATE}
"""Errors that end the waiting for a device code."""
LOCK_SECONDS, LOCK_EVERY = 45.0, 0.05
"""So long another process may hold the token file, and so often it is asked for."""
EARLY = timedelta(minutes=5)
"""So long before its end an access token is refreshed."""
PAUSE = timedelta(minutes=1)
"""So long a failed early refresh is not tried again."""
DEAD = frozenset({"invalid_grant", "interaction_required", "consent_required", "login_required"})


class OAuthError(PodiumError):
    """There is no access token; the message says why. `is_passing` tells that trying again may help, without a person."""

    def __init__(self, reason: str, is_passing: bool = False) -> None:
        super().__init__(reason)
        self.is_passing = is_passing

    @property
    def is_login(self) -> bool:
        """Does a person have to do something about it?"""
        return not self.is_passing


class Refused(Exception):
    """The token server said no, in the words of RFC 6749 section 5.2."""

    def __init__(self, code: str, description: str) -> None:
        super().__init__(" ".join(f"{code} {description}".split())[:200])
        self.code = code


@dataclass(frozen=True)
class Endpoints:
    """The places where a provider is asked, and for what. `device_url` or `authorize_url` may be empty: that way is not offered.

    `asked` is what else the browser's address says; `redirect_host` the name under which the provider lets a program on
    this machine be called back.
    """

    device_url: str = ""
    authorize_url: str = ""
    token_url: str = ""
    scopes: tuple[str, ...] = ()
    asked: Mapping[str, str] = field(default_factory=dict)
    redirect_host: str = LOOPBACK


def endpoints(settings: OAuth) -> Endpoints:
    """The provider's addresses and scopes, those of the configuration first."""
    known = table("host.mail", "oauth.toml")[settings.provider]
    known = {key: each.format(tenant=settings.tenant) if isinstance(each, str) else each for key, each in known.items()}
    own = settings.model_dump(include={"device_url", "authorize_url", "token_url", "scopes"}, exclude_defaults=True)
    found = known | own
    return Endpoints(**found | {"scopes": tuple(found["scopes"])})


@dataclass(frozen=True)
class Grant:
    """The token file: the host's consent, and the access token of the moment until `expires_at`."""

    refresh_token: str
    access_token: str
    expires_at: datetime


class TokenServer:
    """The provider's token server. `clock` gives the moment in UTC."""

    def __init__(self, settings: OAuth, clock: Callable[[], datetime]) -> None:
        self.settings, self.endpoints, self.clock = settings, endpoints(settings), clock

    async def post(self, url: str, form: dict[str, str]) -> dict[str, Any]:
        """The server's answer to a form (RFC 6749 section 4). Raises `Refused` and a passing `OAuthError`."""
        import httpx

        form = {"client_id": self.settings.client_id, **form}
        secret, basic = self.settings.client_secret, None
        if secret and self.settings.provider == "other":  # RFC 6749 section 2.3.1: what every server has to know
            basic = (quote(self.settings.client_id, safe=""), quote(secret, safe=""))
        elif secret:
            form["client_secret"] = secret
        name, held = urlsplit(url).hostname, None
        try:
            async with asyncio.timeout(TIMEOUT), httpx.AsyncClient(timeout=TIMEOUT, auth=basic) as client:
                answer = await client.post(url, data=form, headers={"Accept": "application/json"})
            with contextlib.suppress(ValueError):
                held = answer.json()
        except (TimeoutError, httpx.TimeoutException):
            raise _passing(f"{name} did not answer in time") from None
        except httpx.HTTPError as error:
            raise _passing(f"{name} cannot be reached ({error})") from None
        if isinstance(held, dict) and answer.status_code == httpx.codes.OK and "error" not in held:
            return held
        code = held.get("error") if isinstance(held, dict) else None
        if not isinstance(code, str) or code in PASSING or answer.is_server_error:
            raise _passing(f"{name} answered {answer.status_code}")
        assert isinstance(held, dict)
        raise Refused(code, str(held.get("error_description", "")))

    async def grant(self, form: dict[str, str], refresh_token: str = "") -> Grant:
        """The grant that a form is answered with (RFC 6749 section 5.1); without a new refresh token the old one stays.

        Raises `Refused` and `OAuthError`.
        """
        answer = await self.post(self.endpoints.token_url, form)
        access_token, kept = answer.get("access_token"), answer.get("refresh_token") or refresh_token
        if not isinstance(access_token, str) or not re.fullmatch(r"[\x21-\x7e]+", access_token):
            raise _passing("gave no access token")
        if not isinstance(kept, str) or not kept:
            raise OAuthError("The provider gave no refresh token: check [oauth] scopes.")
        life = number(answer.get("expires_in"), USUAL_LIFE)
        return Grant(kept, access_token, self.clock() + timedelta(seconds=life))

    async def consented(self, tell: Callable[[str], None], by_browser: bool = False, port: int = 0) -> Grant:
        """The grant that the host consents to. Raises `OAuthError`, and `Refused` where the settings are wrong.

        By a device code where the provider has that and `by_browser` is not wanted; else by a browser that is sent back to
        `port` of this machine, 0 for any. `tell` gets what the host has to do, in words.
        """
        if self.endpoints.device_url and not by_browser:
            return await self._by_device(tell)
        if not self.endpoints.authorize_url:
            raise OAuthError("This provider has no authorize_url: leave out --browser, or add it to [oauth].")
        return await self._by_browser(tell, port)

    async def _by_device(self, tell: Callable[[str], None]) -> Grant:
        asked = await self.post(self.endpoints.device_url, {"scope": " ".join(self.endpoints.scopes)})
        address = asked.get("verification_uri") or asked.get("verification_url")
        if not address or "device_code" not in asked or "user_code" not in asked:
            raise OAuthError("The server at device_url gave no code: check [oauth] device_url.")
        tell(f"Open {address} in a browser, anywhere, and enter the code {asked['user_code']}")
        interval = number(asked.get("interval"), 5.0)
        form = {"grant_type": DEVICE_GRANT, "device_code": str(asked["device_code"])}
        try:
            async with asyncio.timeout(number(asked.get("expires_in"), CONSENT_SECONDS)):
                while True:
                    await asyncio.sleep(interval)
                    try:
                        return await self.grant(form)
                    except Refused as error:  # RFC 8628 section 3.5
                        if error.code in ENDED:
                            raise OAuthError(ENDED[error.code]) from None
                        if error.code not in ("authorization_pending", "slow_down"):
                            raise
                        interval += SLOW_DOWN_SECONDS if error.code == "slow_down" else 0.0
                    except OAuthError as error:
                        if not error.is_passing:
                            raise
                        interval += SLOW_DOWN_SECONDS
        except TimeoutError:
            raise OAuthError(TOO_LATE) from None

    async def _by_browser(self, tell: Callable[[str], None], port: int) -> Grant:
        state, verifier = new_token(), new_token() + new_token()
        answered: asyncio.Future[dict[str, str]] = asyncio.get_running_loop().create_future()

        async def take(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            """Take what a browser is sent back with (RFC 6749 section 4.1.2); whatever has not our `state` changes nothing."""
            with contextlib.suppress(OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError):
                head = await reader.readuntil(b"\r\n\r\n")
                query = urlsplit(head.split()[1].decode("ascii")).query
                answer = {name: values[0] for name, values in parse_qs(query).items()}
                status, words = "404 Not Found", "This is no answer to Podium."
                if answer.get("state") == state:
                    status, words = "200 OK", "You can close this page and go back to the terminal."
                page = f"HTTP/1.1 {status}\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n{words}\n"
                writer.write(page.encode("ascii"))
                await writer.drain()
                if answer.get("state") == state and not answered.done():
                    answered.set_result(answer)
            writer.close()

        try:
            listener = await asyncio.start_server(take, LOOPBACK, port)
        except OSError as error:
            raise OAuthError(f"Port {port} of this machine cannot be used ({error.strerror}): name another.") from None
        redirect = f"http://{self.endpoints.redirect_host}:{listener.sockets[0].getsockname()[1]}"
        tell(f"Open this address in a browser on this machine:\n{self._address(redirect, state, verifier)}")
        try:
            answer = await asyncio.wait_for(answered, CONSENT_SECONDS)
        except TimeoutError:
            raise OAuthError(TOO_LATE) from None
        finally:
            listener.close()
        if answer.get("error") == "access_denied":
            raise OAuthError(DENIED)
        if "code" not in answer:
            raise Refused(answer.get("error", "no code"), answer.get("error_description", ""))
        form = {"grant_type": "authorization_code", "code": answer["code"]}
        return await self.grant(form | {"redirect_uri": redirect, "code_verifier": verifier})

    def _address(self, redirect: str, state: str, verifier: str) -> str:
        """The address of the consent (RFC 6749 section 4.1.1), with the challenge of a verifier (RFC 7636 section 4.2)."""
        challenge = urlsafe_b64encode(sha256(verifier.encode("ascii")).digest()).rstrip(b"=").decode("ascii")
        asked = {
            "response_type": "code",
            "client_id": self.settings.client_id,
            "redirect_uri": redirect,
            "scope": " ".join(self.endpoints.scopes),
            "state": state,
            "code_challenge": challenge,
            "code_challenge_method": "S256",
            **self.endpoints.asked,
        }
        address = self.endpoints.authorize_url
        return f"{address}{'&' if urlsplit(address).query else '?'}{urlencode(asked)}"


def _passing(words: str) -> OAuthError:
    return OAuthError(f"The token server {words}: try again later.", is_passing=True)


def number(value: object, otherwise: float) -> float:
    """The number that a server said, above 0 and below 1e9, or the other one."""
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return otherwise
    return number if 0 < number < 1e9 else otherwise


class Token(Protocol):
    """Gives IMAP and SMTP their access tokens."""

    async def __call__(self, refused: str = "") -> str:
        """An access token; another one than `refused`, which a server would not have. Raises `OAuthError`."""


class Tokens:
    """Access tokens from one grant, for all connections of this process. `clock` gives the moment in UTC."""

    def __init__(self, settings: OAuth, clock: Callable[[], datetime]) -> None:
        self.settings, self.clock = settings, clock
        self._server = TokenServer(settings, clock)
        self._lock = asyncio.Lock()
        self._grant: Grant | None = None
        self._unsaved: Grant | None = None
        self._spent = self._dead = ""
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
        no_longer = f"The provider no longer lets Podium into the mailbox: run {self.settings.login_command}."
        if grant.refresh_token == self._dead:
            raise OAuthError(no_longer)
        try:
            form = {"grant_type": "refresh_token", "refresh_token": grant.refresh_token}
            renewed = await self._server.grant(form, grant.refresh_token)
        except Refused as error:
            if error.code not in DEAD:
                raise self._misconfigured(error) from None
            self._dead = grant.refresh_token
            raise OAuthError(no_longer) from None
        except OAuthError as error:
            if error.is_passing:
                self._pause_until = self.clock() + PAUSE
            if not self._is_fresh(grant, refused):
                raise
            return grant
        self._spent = grant.refresh_token
        self._save(renewed)
        return renewed

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
            for _ in range(int(LOCK_SECONDS / LOCK_EVERY)):
                with contextlib.suppress(BlockingIOError):
                    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                await asyncio.sleep(LOCK_EVERY)
            else:
                raise OAuthError("Another Podium holds the token file: try again later.", is_passing=True)
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
        """Get the host's consent, as `TokenServer.consented` does, and keep the grant. Raises `OAuthError`."""
        try:
            grant = await self._server.consented(tell, by_browser, port)
        except Refused as error:
            raise self._misconfigured(error) from None
        async with self._file_locked():
            self._save(grant)


def source(settings: OAuth | None, clock: Callable[[], datetime]) -> Token | None:
    """The source of access tokens for IMAP and SMTP; None where they log in with passwords."""
    return None if settings is None else Tokens(settings, clock).token
