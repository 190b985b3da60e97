"""Edge: the token server. In: the [oauth] section, a form. Out: what the provider grants, or why it does not.

httpx is imported when it is needed: most hosts have app passwords, and it takes time to load.
"""

import asyncio
import contextlib
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from host.config import OAuth
from host.errors import PodiumError

TIMEOUT = 20.0
"""Seconds that the server has for an answer."""
USUAL_LIFE = 3600
"""Seconds that an access token is good for where the server does not say."""
LOOPBACK = "127.0.0.1"
PASSING = frozenset({"temporarily_unavailable", "server_error"})


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

    device_url: str
    authorize_url: str
    token_url: str
    scopes: tuple[str, ...]
    asked: Mapping[str, str]
    redirect_host: str


def endpoints(settings: OAuth) -> Endpoints:
    """The provider's addresses and scopes, those of the configuration first."""
    table = tomllib.loads(Path(__file__).with_name("oauth.toml").read_text("utf-8"))
    known = table[settings.provider]

    def address(name: str) -> str:
        return str(getattr(settings, name) or known.get(name, "").format(tenant=settings.tenant))

    return Endpoints(
        device_url=address("device_url"),
        authorize_url=address("authorize_url"),
        token_url=address("token_url"),
        scopes=settings.scopes or tuple(known.get("scopes", ())),
        asked=known.get("asked", {}),
        redirect_host=known.get("redirect_host", LOOPBACK),
    )


@dataclass(frozen=True)
class Grant:
    """The token file: the host's consent, and the access token of the moment until `expires_at`."""

    refresh_token: str
    access_token: str
    expires_at: datetime


class TokenServer:
    """The provider's token server. `clock` gives the moment in UTC."""

    def __init__(self, settings: OAuth, clock: Callable[[], datetime]) -> None:
        self.settings = settings
        self.endpoints = endpoints(settings)
        self.clock = clock

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


def _passing(words: str) -> OAuthError:
    return OAuthError(f"The token server {words}: try again later.", is_passing=True)


def number(value: object, otherwise: float) -> float:
    """The number that a server said, above 0 and below 1e9, or the other one."""
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return otherwise
    return number if 0 < number < 1e9 else otherwise
