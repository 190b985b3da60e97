"""Access tokens against a provider on loopback: consent, refresh, rotation, and every way in which it goes wrong."""

import asyncio
import json
import os
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import parse_qs, urlsplit

import pytest

from host.config import OAuth
from host.mail import oauth
from host.mail.oauth import OAuthError, Tokens
from tests.patience import SECONDS, until
from tests.size import a_few
from tests.wire.oauth_server import DEVICE_GRANT, Provider

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


class SetClock:
    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def provider(monkeypatch: pytest.MonkeyPatch) -> Iterator[Provider]:
    monkeypatch.setattr(oauth, "SLOW_DOWN_SECONDS", 0.1)
    made = Provider("games@example.org")
    yield made
    made.stop()


@pytest.fixture
def clock() -> SetClock:
    return SetClock()


def settings(server: Provider, folder: Path, **changes: Any) -> OAuth:
    return OAuth.model_validate(server.settings(**changes)).found_at(folder / "podium.toml")


@pytest.fixture
def tokens(provider: Provider, clock: SetClock, tmp_path: Path) -> Tokens:
    """With a grant in the file that is good for an hour."""
    made = Tokens(settings(provider, tmp_path), clock)
    keep(tmp_path, provider)
    return made


def keep(folder: Path, provider: Provider, expires_at: datetime = NOW + timedelta(hours=1)) -> dict[str, Any]:
    granted = provider.grant()
    held = {name: granted[name] for name in ("access_token", "refresh_token")} | {"expires_at": expires_at.isoformat()}
    (folder / "oauth-token.json").write_text(json.dumps(held))
    return held


def kept(folder: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / "oauth-token.json").read_text())
    return found


async def refused(asking: Any) -> OAuthError:
    with pytest.raises(OAuthError) as caught:
        await asking
    return caught.value


# Consent


def browser(address: str) -> str:
    """Follows the redirects of a consent; gives the page at their end."""
    with urllib.request.urlopen(address, timeout=SECONDS) as page:
        text: str = page.read().decode()
        return text


def visiting(visits: list[Callable[[str], object]]) -> Callable[[str], None]:
    """A host who opens the address that is printed, in another thread."""

    def tell(words: str) -> None:
        address = words.split("\n")[-1]
        loop = asyncio.get_running_loop()
        for visit in visits:
            loop.run_in_executor(None, visit, address)

    return tell


async def test_a_device_code_is_waited_for(provider: Provider, clock: SetClock, tmp_path: Path) -> None:
    provider.polls = ["authorization_pending", "slow_down", "authorization_pending"]
    told: list[str] = []
    made = Tokens(settings(provider, tmp_path), clock)
    await made.log_in(told.append)
    assert "https://example.org/device" in told[0]
    assert "ABCD-EFGH" in told[0]
    assert provider.grants() == [DEVICE_GRANT] * 4
    assert await made.token() == "access-1"
    assert kept(tmp_path) == {
        "refresh_token": "refresh-1",
        "access_token": "access-1",
        "expires_at": (NOW + timedelta(hours=1)).isoformat(),
    }


@pytest.mark.parametrize(
    ("answer", "words"),
    [("access_denied", "refused"), ("expired_token", "ran out"), ("invalid_scope", "check .oauth. client_id")],
)
async def test_a_device_code_that_comes_to_nothing(
    provider: Provider, clock: SetClock, tmp_path: Path, answer: str, words: str
) -> None:
    provider.polls = ["authorization_pending", answer]
    with pytest.raises(OAuthError, match=words):
        await Tokens(settings(provider, tmp_path), clock).log_in(lambda _: None)
    assert not (tmp_path / "oauth-token.json").exists()


async def test_nobody_enters_the_device_code(provider: Provider, clock: SetClock, tmp_path: Path) -> None:
    provider.polls = ["authorization_pending"] * 1000
    provider.device_life = 0.3
    with pytest.raises(OAuthError, match="ran out"):
        await Tokens(settings(provider, tmp_path), clock).log_in(lambda _: None)


async def test_a_faulty_server_is_asked_again_for_the_device_code(
    provider: Provider, clock: SetClock, tmp_path: Path
) -> None:
    made = Tokens(settings(provider, tmp_path), clock)

    def tell(_: str) -> None:
        provider.fault = "503"

    logging_in = asyncio.create_task(made.log_in(tell))
    await until(lambda: len(provider.grants()) >= 2)
    provider.fault = ""
    await logging_in
    assert await made.token() == "access-1"


@pytest.mark.parametrize("has_device", [True, False])
async def test_consent_in_a_browser(provider: Provider, clock: SetClock, tmp_path: Path, has_device: bool) -> None:
    changes = {} if has_device else {"device_url": ""}
    made = Tokens(settings(provider, tmp_path, **changes), clock)
    pages: list[str] = []
    await made.log_in(visiting([lambda address: pages.append(browser(address))]), by_browser=has_device)
    path, form = provider.asked[0]
    assert path == "/authorize"
    assert form["redirect_uri"].startswith("http://127.0.0.1:")
    assert (form["scope"], form["code_challenge_method"]) == ("mail offline_access", "S256")
    verifier = provider.asked[1][1]["code_verifier"]
    assert 43 <= len(verifier) <= 128
    assert verifier not in form.values()
    assert provider.grants() == ["authorization_code"]
    assert kept(tmp_path)["refresh_token"] == "refresh-2"
    assert "close this page" in pages[0]


async def test_a_refusal_in_the_browser(provider: Provider, clock: SetClock, tmp_path: Path) -> None:
    provider.consents = False
    made = Tokens(settings(provider, tmp_path), clock)
    with pytest.raises(OAuthError, match="refused"):
        await made.log_in(visiting([browser]), by_browser=True)
    assert not (tmp_path / "oauth-token.json").exists()


async def test_an_answer_with_another_state_changes_nothing(
    provider: Provider, clock: SetClock, tmp_path: Path
) -> None:
    made = Tokens(settings(provider, tmp_path), clock)
    statuses: list[int] = []

    def forge_then_consent(address: str) -> None:
        redirect = parse_qs(urlsplit(address).query)["redirect_uri"][0]
        for path in ("/?code=forged&state=other", "/favicon.ico"):
            try:
                browser(redirect + path)
            except HTTPError as error:
                statuses.append(error.code)
        browser(address)

    await made.log_in(visiting([forge_then_consent]), by_browser=True)
    assert statuses == [404, 404]
    assert kept(tmp_path)["refresh_token"] == "refresh-2"


async def test_a_port_that_is_taken(provider: Provider, clock: SetClock, tmp_path: Path) -> None:
    taken = int(provider.url.rpartition(":")[2])
    with pytest.raises(OAuthError, match=f"Port {taken}"):
        await Tokens(settings(provider, tmp_path), clock).log_in(lambda _: None, True, taken)


async def test_a_wrong_secret_is_told(provider: Provider, clock: SetClock, tmp_path: Path) -> None:
    with pytest.raises(OAuthError, match="invalid_client Who are you"):
        await Tokens(settings(provider, tmp_path, client_secret="x"), clock).log_in(lambda _: None)


async def test_a_secret_goes_in_the_form_to_the_providers_that_are_known(
    provider: Provider, clock: SetClock, tmp_path: Path
) -> None:
    made = Tokens(settings(provider, tmp_path, provider="microsoft"), clock)
    await made.log_in(lambda _: None)
    assert provider.asked[-1][1]["client_secret"] == "client secret/1"


async def test_a_grant_without_a_refresh_token_is_not_kept(
    provider: Provider, clock: SetClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(provider, "token", lambda _: (200, {"access_token": "a", "expires_in": 60}))
    with pytest.raises(OAuthError, match="no refresh token"):
        await Tokens(settings(provider, tmp_path), clock).log_in(lambda _: None)


# The file


async def test_only_the_owner_may_read_the_file(tokens: Tokens, provider: Provider, tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        await tokens.log_in(lambda _: None)
    finally:
        os.umask(before)
    modes = {file.name: file.stat().st_mode & 0o777 for file in tmp_path.iterdir()}
    assert modes == {"oauth-token.json": 0o600, "oauth-token.json.lock": 0o600}


async def test_the_file_is_never_open_to_others_nor_half_written(
    tokens: Tokens, clock: SetClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "oauth-token.json.part").write_text("left by a power cut")
    seen: list[tuple[int, str, str]] = []
    replace = Path.replace

    def watched(part: Path, target: Path) -> Path:
        seen.append((part.stat().st_mode & 0o777, part.read_text(), target.read_text()))
        return replace(part, target)

    monkeypatch.setattr(Path, "replace", watched)
    before = (tmp_path / "oauth-token.json").read_text()
    clock.now += timedelta(hours=1)
    await tokens.token()
    mode, written, target = seen[0]
    assert (mode, target) == (0o600, before)
    assert json.loads(written) == kept(tmp_path)


def full(*_: object) -> None:
    raise OSError(28, "No space left on device")


async def test_no_file_yet(provider: Provider, clock: SetClock, tmp_path: Path) -> None:
    error = await refused(Tokens(settings(provider, tmp_path), clock).token())
    assert str(error).endswith(f"run podium login --config {tmp_path}/podium.toml.")
    assert error.is_login


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"refresh_token": 1}', '{"expires_at": "x"}', "\0"])
async def test_a_damaged_file(provider: Provider, clock: SetClock, tmp_path: Path, text: str) -> None:
    (tmp_path / "oauth-token.json").write_text(text)
    assert "is damaged: run podium login" in str(await refused(Tokens(settings(provider, tmp_path), clock).token()))


async def test_what_cannot_be_written_is_kept_and_written_later(
    tokens: Tokens, provider: Provider, clock: SetClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock.now += timedelta(hours=1)

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        error = await refused(tokens.token())
        assert "No space left" in str(error)
        assert not error.is_login
    assert await tokens.token() == "access-2"
    assert kept(tmp_path)["refresh_token"] == "refresh-2"
    assert provider.grants() == ["refresh_token"]


async def test_what_could_not_be_written_gives_way_to_a_new_login(
    tokens: Tokens, provider: Provider, clock: SetClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock.now += timedelta(hours=1)
    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        await refused(tokens.token())
    held = keep(tmp_path, provider, clock.now + timedelta(hours=1))
    assert await tokens.token() == held["access_token"]
    assert kept(tmp_path) == held


# Refreshing


async def test_a_token_is_asked_for_again_only_near_its_end(
    tokens: Tokens, provider: Provider, clock: SetClock
) -> None:
    assert await tokens.token() == "access-1"
    clock.now += timedelta(minutes=54, seconds=59)
    assert await tokens.token() == "access-1"
    assert provider.grants() == []
    clock.now += timedelta(seconds=1)
    assert await tokens.token() == "access-2"
    assert await tokens.token() == "access-2"
    assert provider.grants() == ["refresh_token"]


async def test_a_rotated_refresh_token_is_written_before_the_access_token_is_used(
    tokens: Tokens, provider: Provider, clock: SetClock, tmp_path: Path
) -> None:
    for number in (2, 3):
        clock.now += timedelta(hours=1)
        assert await tokens.token() == f"access-{number}"
        assert kept(tmp_path)["refresh_token"] == f"refresh-{number}"
    assert provider.refresh_tokens == {"refresh-3"}


async def test_a_refresh_token_that_is_not_rotated_stays(
    tokens: Tokens, provider: Provider, clock: SetClock, tmp_path: Path
) -> None:
    provider.rotates = False
    for number in (2, 3):
        clock.now += timedelta(hours=1)
        assert await tokens.token() == f"access-{number}"
    assert kept(tmp_path)["refresh_token"] == "refresh-1"
    assert kept(tmp_path)["access_token"] == "access-3"


async def test_many_who_ask_at_once_cause_one_refresh(tokens: Tokens, provider: Provider, clock: SetClock) -> None:
    clock.now += timedelta(hours=1)
    assert set(await asyncio.gather(*(tokens.token() for _ in range(20)))) == {"access-2"}
    assert provider.grants() == ["refresh_token"]


async def test_two_processes_share_one_grant(
    tokens: Tokens, provider: Provider, clock: SetClock, tmp_path: Path
) -> None:
    other = Tokens(settings(provider, tmp_path), clock)
    await tokens.token()
    for number in (2, 3):
        clock.now += timedelta(hours=1)
        assert list(await asyncio.gather(tokens.token(), other.token())) == [f"access-{number}"] * 2
    assert provider.grants() == ["refresh_token"] * 2


async def test_a_refused_access_token_is_replaced_once_for_all(tokens: Tokens, provider: Provider) -> None:
    first = await tokens.token()
    assert list(await asyncio.gather(tokens.token(first), tokens.token(first))) == ["access-2"] * 2
    assert provider.grants() == ["refresh_token"]


async def test_a_dead_grant_says_what_to_type_and_is_not_tried_again(
    tokens: Tokens, provider: Provider, clock: SetClock, tmp_path: Path
) -> None:
    provider.refresh_tokens.clear()
    clock.now += timedelta(hours=1)
    for _ in range(3):
        error = await refused(tokens.token())
        assert str(error) == (
            f"The provider no longer lets Podium into the mailbox: run podium login --config {tmp_path}/podium.toml."
        )
        assert error.is_login
    assert provider.grants() == ["refresh_token"]


async def test_a_new_login_beside_a_daemon_revives_it(
    tokens: Tokens, provider: Provider, clock: SetClock, tmp_path: Path
) -> None:
    provider.refresh_tokens.clear()
    clock.now += timedelta(hours=1)
    await refused(tokens.token())
    await Tokens(settings(provider, tmp_path), clock).log_in(lambda _: None)
    assert await tokens.token() == "access-2"


@pytest.mark.parametrize("fault", a_few(["500", "503", "400", "200"]))
async def test_a_faulty_server_stops_nobody_who_has_a_good_token(
    tokens: Tokens, provider: Provider, clock: SetClock, fault: str
) -> None:
    provider.fault = fault
    clock.now += timedelta(minutes=56)
    assert await tokens.token() == "access-1"
    assert await tokens.token() == "access-1"
    assert len(provider.grants()) == 1, "a failed early refresh is not tried again at once"
    clock.now += timedelta(minutes=2)
    assert await tokens.token() == "access-1"
    assert len(provider.grants()) == 2
    clock.now += timedelta(minutes=2)
    error = await refused(tokens.token())
    assert "127.0.0.1" in str(error)
    assert not error.is_login
    provider.fault = ""
    assert await tokens.token() == "access-2"


async def test_a_server_that_is_away_or_silent(
    tokens: Tokens, provider: Provider, clock: SetClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(oauth, "TIMEOUT", 0.5)
    provider.fault = "hang"
    clock.now += timedelta(hours=1)
    error = await refused(tokens.token())
    assert "in time" in str(error)
    assert not error.is_login
    provider.stop()
    error = await refused(tokens.token())
    assert "cannot be reached" in str(error)
    assert not error.is_login


@pytest.mark.parametrize("token", ["", "two\r\nlines", "é", 5, None])
async def test_an_access_token_that_would_break_a_command_is_not_used(
    tokens: Tokens, provider: Provider, clock: SetClock, monkeypatch: pytest.MonkeyPatch, token: object
) -> None:
    monkeypatch.setattr(provider, "token", lambda _: (200, {"access_token": token, "expires_in": 60}))
    clock.now += timedelta(hours=1)
    assert "no access token" in str(await refused(tokens.token()))


@pytest.mark.parametrize(("told", "minutes"), [("120", 2), (None, 60), ("soon", 60), (-5, 60)])
async def test_how_long_a_token_lives(
    tokens: Tokens, provider: Provider, clock: SetClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    told: object, minutes: int,
) -> None:  # fmt: skip
    monkeypatch.setattr(provider, "token", lambda _: (200, {"access_token": "a", "expires_in": told}))
    clock.now += timedelta(hours=1)
    assert await tokens.token() == "a"
    assert datetime.fromisoformat(kept(tmp_path)["expires_at"]) == clock.now + timedelta(minutes=minutes)


# The providers and the libraries


def test_the_address_of_the_consent_keeps_its_query_and_has_the_challenge_of_the_standard(
    provider: Provider, clock: SetClock, tmp_path: Path
) -> None:
    changed = settings(
        provider, tmp_path, authorize_url="https://example.org/consent?tenant=a%20b", scopes=["a b", "c"]
    )
    server = oauth.TokenServer(changed, clock)
    verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"  # RFC 7636, appendix B
    address = server._address("http://127.0.0.1:1", "st&te", verifier)
    assert address.startswith("https://example.org/consent?tenant=a%20b&response_type=code&client_id=")
    query = parse_qs(urlsplit(address).query, strict_parsing=True)
    assert query["code_challenge"] == ["E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"]
    assert (query["scope"], query["state"], query["redirect_uri"]) == (["a b c"], ["st&te"], ["http://127.0.0.1:1"])


def test_google_takes_the_browser_and_microsoft_the_device_code() -> None:
    google = oauth.endpoints(OAuth.model_validate({"provider": "google", "client_id": "x"}))
    assert google.device_url == ""
    assert google.scopes == ("https://mail.google.com/",)
    assert google.asked["access_type"] == "offline"
    microsoft = oauth.endpoints(
        OAuth.model_validate({"provider": "microsoft", "client_id": "x", "tenant": "example.org"})
    )
    assert microsoft.device_url == "https://login.microsoftonline.com/example.org/oauth2/v2.0/devicecode"
    assert microsoft.scopes[0] == "offline_access"
    assert microsoft.redirect_host == "localhost"


def test_the_core_does_not_load_what_few_need() -> None:
    code = "import sys, host.cli.main; print([each for each in ('httpx',) if each in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
