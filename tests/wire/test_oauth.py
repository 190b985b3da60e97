"""XOAUTH2 against Dovecot and an SMTP server that take their tokens from a provider on loopback; the daemon on all three."""

import asyncio
import json
import smtplib
import socket
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.controller import Controller

from host.config import Imap, OAuth, Smtp
from host.mail import oauth
from host.mail.inbound.imap import Inbox, InboxError
from host.mail.oauth import OAuthError, Token, Tokens
from host.mail.outbound.smtp import NoToken, Outbox
from tests.patience import SECONDS, wait_until
from tests.wire import dovecot
from tests.wire.oauth_server import Provider, XOAuth2Handler, smtp_server
from tests.wire.world import Person, World, a_short_folder

pytestmark = pytest.mark.dovecot


def now() -> datetime:
    return datetime.now(UTC)


def keep(file: Path, provider: Provider, life: float | None = None) -> None:
    """Put a fresh grant into a token file."""
    granted = provider.grant()
    expires_at = now() + timedelta(seconds=provider.life if life is None else life)
    held = {name: granted[name] for name in ("access_token", "refresh_token")}
    file.write_text(json.dumps(held | {"expires_at": expires_at.isoformat()}))


@pytest.fixture
def provider() -> Iterator[Provider]:
    made = Provider(dovecot.ADDRESS)
    yield made
    made.stop()


@pytest.fixture
def server(provider: Provider) -> Iterator[dovecot.Dovecot]:
    with a_short_folder() as folder:
        made = dovecot.make(folder / "dovecot", f"{provider.url}/introspect")
        made.start()
        yield made
        made.stop()


@pytest.fixture
def tokens(provider: Provider, tmp_path: Path) -> Tokens:
    made = Tokens(OAuth.model_validate(provider.settings()).found_at(tmp_path / "podium.toml"), now)
    keep(tmp_path / "oauth-token.json", provider)
    return made


def imap(server: dovecot.Dovecot, **changes: Any) -> Imap:
    plain = {"host": "127.0.0.1", "port": server.imap_port, "security": "none", "username": dovecot.ADDRESS}
    return Imap.model_validate(plain | changes)


def failing(error: OAuthError) -> Token:
    async def token(refused: str = "") -> str:
        raise error

    return token


# The mailbox


async def test_the_mailbox_opens_with_a_token(server: dovecot.Dovecot, tokens: Tokens, provider: Provider) -> None:
    inbox = Inbox(imap(server), "INBOX", tokens.token)
    assert (await inbox.connect()).uidvalidity > 0
    assert inbox.client.has_capability("IDLE")
    assert await inbox.uids_above(0, now()) == []
    await inbox.close()
    assert provider.grants() == []


@pytest.mark.storm
async def test_a_token_that_the_server_refuses_is_replaced_once(
    server: dovecot.Dovecot, tokens: Tokens, provider: Provider
) -> None:
    provider.revoke_access()
    inbox = Inbox(imap(server), "INBOX", tokens.token)
    await inbox.connect()
    assert await inbox.uids_above(0, now()) == []
    assert inbox.is_connected
    assert provider.grants() == ["refresh_token"]
    await inbox.close()


@pytest.mark.storm
async def test_where_a_new_token_is_refused_too_it_is_a_matter_of_the_login(
    server: dovecot.Dovecot, tokens: Tokens, provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    inbox = Inbox(imap(server, username="other@example.org"), "INBOX", tokens.token)
    monkeypatch.setattr(
        "host.mail.inbound.imap.TIMEOUT", 10 * SECONDS
    )  # the server's challenge is answered, not waited out
    with pytest.raises(InboxError, match=r"refused the access token of other@example\.org") as caught:
        await asyncio.wait_for(inbox.connect(), SECONDS)
    assert caught.value.is_login
    assert provider.grants() == ["refresh_token"]


@pytest.mark.parametrize("is_passing", [True, False])
async def test_no_token_is_told_in_the_providers_sentence(is_passing: bool) -> None:
    plain = {"host": "127.0.0.1", "port": 1, "security": "none", "username": dovecot.ADDRESS}
    inbox = Inbox(Imap.model_validate(plain), "INBOX", failing(OAuthError("run podium login", is_passing)))
    with pytest.raises(InboxError, match="run podium login") as caught:
        await inbox.connect()
    assert caught.value.is_login is not is_passing


@pytest.mark.storm
async def test_the_connection_is_kept_alive(server: dovecot.Dovecot, tokens: Tokens) -> None:
    inbox = Inbox(imap(server), "INBOX", tokens.token)
    await inbox.connect()
    connection = inbox.client.protocol.transport.get_extra_info("socket")
    assert connection.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) != 0
    if hasattr(socket, "TCP_KEEPIDLE"):
        assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE) == 60
    await inbox.close()


@pytest.mark.storm
async def test_how_full_the_mailbox_is(short_folder: Path) -> None:
    own = dovecot.make(short_folder / "dovecot", quota_kilobytes=100)
    own.start()
    inbox = Inbox(imap(own, password=dovecot.PASSWORD), "INBOX")
    try:
        await inbox.connect()
        assert await inbox.quota() == 0.0
        with smtplib.LMTP("127.0.0.1", own.lmtp_port) as lmtp:
            lmtp.sendmail("ann@example.net", [dovecot.ADDRESS], b"Subject: x\r\n\r\n" + (b"y" * 76 + b"\r\n") * 656)
        share = await inbox.quota()
        assert share is not None
        assert 0.49 < share < 0.53
        await inbox.wait_for_news(20, asyncio.Event())
        assert len(await inbox.uids_above(0, now())) == 1
        await inbox.close()
    finally:
        own.stop()


@pytest.mark.storm
async def test_a_mailbox_without_limits_tells_none(server: dovecot.Dovecot, tokens: Tokens) -> None:
    inbox = Inbox(imap(server), "INBOX", tokens.token)
    await inbox.connect()
    assert await inbox.quota() is None
    await inbox.close()


@pytest.mark.parametrize(
    ("answers", "share"),
    [
        (['* QUOTA "" (STORAGE 25 100)', "{tag} OK done"], 0.25),
        (['* QUOTA "mail (STORAGE 1 1)" (MESSAGE 9 10 STORAGE 50 100)', "{tag} OK done"], 0.5),
        (['* QUOTA "a" (STORAGE 1 100)', '* QUOTA "b" (STORAGE 80 100)', "{tag} OK done"], 0.8),
        (['* QUOTA "" (STORAGE 120 100)', "{tag} OK done"], 1.0),
        (['* QUOTA "" (STORAGE 5 0)', "{tag} OK done"], None),
        (['* QUOTA "" (MESSAGE 9 10)', "{tag} OK done"], None),
        (['* QUOTA "" ()', "{tag} OK done"], None),
        (["{tag} OK done"], None),
        (["{tag} NO not today"], None),
        (["{tag} BAD what"], None),
    ],
)
async def test_what_servers_say_of_their_limits(answers: list[str], share: float | None) -> None:
    asked: list[str] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"* OK ready\r\n")
        while line := (await reader.readline()).decode():
            tag, command, *_ = line.split()
            said = {"CAPABILITY": ["* CAPABILITY IMAP4rev1 QUOTA"], "GETQUOTAROOT": answers}.get(command, [])
            lines = said if command == "GETQUOTAROOT" else [*said, "{tag} OK done"]
            asked.extend([line] if command == "GETQUOTAROOT" else [])
            writer.write("".join(f"{each.format(tag=tag)}\r\n" for each in lines).encode())
        writer.close()

    listening = await asyncio.start_server(serve, "127.0.0.1", 0)
    plain = {"host": "127.0.0.1", "port": listening.sockets[0].getsockname()[1], "security": "none", "username": "x"}
    inbox = Inbox(Imap.model_validate(plain), "My Games")
    await inbox.connect()
    assert await inbox.quota() == share
    assert asked[0].endswith('GETQUOTAROOT "My Games"\r\n')
    await inbox.close()
    listening.close()


# Sending


@pytest.fixture
def post(provider: Provider, tmp_path: Path) -> Iterator[Controller]:
    made = smtp_server(XOAuth2Handler(provider, tmp_path, 0, dovecot.ADDRESS))
    made.start()
    yield made
    made.stop()


def outbox(post: Controller, token: Token) -> Outbox:
    plain = {"host": "127.0.0.1", "port": post.port, "security": "none", "username": dovecot.ADDRESS}
    return Outbox(Smtp.model_validate(plain), token)


async def test_letters_go_out_with_a_token(post: Controller, tokens: Tokens, provider: Provider) -> None:
    sending = outbox(post, tokens.token)
    assert (await sending.send(dovecot.ADDRESS, "ann@example.net", b"Subject: x\r\n\r\ny\r\n")).outcome == "sent"
    provider.revoke_access()
    await sending.close()
    assert (await sending.send(dovecot.ADDRESS, "ann@example.net", b"Subject: x\r\n\r\ny\r\n")).outcome == "sent"
    await sending.close()
    assert post.handler.logins == ["access-1", "access-2"]
    assert provider.grants() == ["refresh_token"]


@pytest.mark.storm
async def test_a_letter_waits_where_there_is_no_token(post: Controller) -> None:
    sending = outbox(post, failing(OAuthError("run podium login")))
    sent = await sending.send(dovecot.ADDRESS, "ann@example.net", b"Subject: x\r\n\r\ny\r\n")
    assert sent.outcome == "away"
    assert "run podium login" in sent.said
    with pytest.raises(NoToken) as caught:
        await sending.connect()
    assert caught.value.is_login


@pytest.mark.storm
async def test_a_letter_waits_where_every_token_is_refused(post: Controller, provider: Provider) -> None:
    async def token(refused: str = "") -> str:
        return f"bad{refused}"

    sent = await outbox(post, token).send(dovecot.ADDRESS, "ann@example.net", b"Subject: x\r\n\r\ny\r\n")
    assert sent.outcome == "away"
    assert "535" in sent.said


# The whole host


class TokenWorld(World):
    """A world whose servers know no passwords."""

    def __init__(self, folder: Path, provider: Provider) -> None:
        section = "".join(f"{key} = {json.dumps(value)}\n" for key, value in provider.settings().items())
        super().__init__(folder, f"[oauth]\n{section}")
        self.provider = provider
        self.dovecot = dovecot.make(folder / "tokens", f"{provider.url}/introspect")
        self.imap = {"password": ""}
        self.smtp_settings = {"username": dovecot.ADDRESS}
        self.token_file = folder / "oauth-token.json"

    def start_smtp(self) -> None:
        self.post = smtp_server(XOAuth2Handler(self.provider, self.spool, self.dovecot.lmtp_port, dovecot.ADDRESS))
        self.post.start()
        self.smtp_port = self.post.port

    def stop(self) -> None:
        super().stop()
        self.post.stop()

    def kept(self) -> dict[str, str]:
        found: dict[str, str] = json.loads(self.token_file.read_text())
        return found


@pytest.fixture
def world(short_folder: Path, provider: Provider) -> Iterator[TokenWorld]:
    made = TokenWorld(short_folder, provider)
    made.start()
    yield made
    made.stop()
    log = short_folder / "daemon.log"
    sys.stdout.write(log.read_text()[-4000:] if log.exists() else "")


@pytest.mark.storm
def test_from_the_login_to_a_registration(world: TokenWorld, provider: Provider) -> None:
    provider.polls = ["authorization_pending"]
    login = world.podium("login")
    assert login.returncode == 0, login.stderr
    assert "ABCD-EFGH" in login.stdout
    assert dovecot.ADDRESS in login.stdout
    assert world.token_file.stat().st_mode & 0o777 == 0o600
    check = world.podium("check")
    assert check.returncode == 0, check.stdout
    assert "ok    oauth: there is an access token" in check.stdout
    world.run_daemon()
    ann = Person(world, "Ann Arbor", "ann@example.net")
    ann.register()
    ann.tap(ann.wait_for("confirm"))
    ann.wait_for("registered")
    assert world.post.handler.logins
    assert world.terminate() == 0


@pytest.mark.storm
def test_tokens_that_end_in_the_middle_are_renewed_and_the_file_follows(world: TokenWorld, provider: Provider) -> None:
    keep(world.token_file, provider)
    world.run_daemon()
    ann = Person(world, "Ann Arbor", "ann@example.net")
    ann.register()
    letter = ann.wait_for("confirm")
    provider.revoke_access()
    world.dovecot.stop()
    world.dovecot.start()
    ann.tap(letter)
    ann.wait_for("registered")
    assert provider.grants()
    assert world.kept()["refresh_token"] in provider.refresh_tokens
    assert world.kept()["access_token"] in provider.access_tokens
    assert world.token_file.stat().st_mode & 0o777 == 0o600


@pytest.mark.storm
def test_a_dead_grant_stops_the_start_with_a_sentence(world: TokenWorld, provider: Provider) -> None:
    keep(world.token_file, provider, life=-1)
    provider.refresh_tokens.clear()
    sentence = f"run podium login --config {world.config.resolve()}."
    run = world.podium("run")
    assert run.returncode == 1
    assert run.stderr.strip().endswith(sentence)
    assert "Traceback" not in run.stderr
    check = world.podium("check")
    assert check.returncode == 1
    assert f"WRONG oauth: The provider no longer lets Podium into the mailbox: {sentence}" in check.stdout


@pytest.mark.storm
def test_a_grant_that_dies_under_way_is_told_in_the_log_and_a_new_one_revives_the_daemon(
    world: TokenWorld, provider: Provider
) -> None:
    keep(world.token_file, provider)
    world.run_daemon()
    wait_until(lambda: "serving" in world.log(), "the daemon")
    provider.refresh_tokens.clear()
    provider.revoke_access()
    world.dovecot.stop()
    world.dovecot.start()
    wait_until(lambda: "run podium login --config" in world.log(), "the sentence in the log")
    keep(world.token_file, provider)
    ann = Person(world, "Ann Arbor", "ann@example.net")
    ann.register()
    ann.wait_for("confirm")


@pytest.mark.storm
def test_a_login_without_the_section_says_so(world: TokenWorld) -> None:
    world.settings = ""
    world.write_config()
    login = world.podium("login")
    assert (login.returncode, login.stderr) == (
        1,
        "podium: The configuration has no [oauth] section: config.example.toml shows it.\n",
    )


def test_the_source_is_none_without_the_section() -> None:
    assert oauth.source(None, now) is None
