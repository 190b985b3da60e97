"""`podium init` between Dovecot and SMTP servers on loopback, found by a DNS server of the test's own."""

import shutil
import smtplib
import socket
import stat
import threading
import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from host.cli import check, init
from host.cli.asking import MAX_QUESTIONS, Asker
from host.cli.main import main, parser
from host.cli.terminal import SLUGS, Failure
from host.config import Config, load
from host.mail.discovery import Network
from tests.ports import free_port
from tests.wire import dovecot, postfix
from tests.wire.names import Names
from tests.wire.test_postfix import BY_DOVECOT
from tests.wire.world import Person, World, a_short_folder

pytestmark = pytest.mark.dovecot
DOMAIN = dovecot.ADDRESS.partition("@")[2]
NOWHERE = Network(pages=(), names={"imap": (), "smtp": ()}, seconds=5.0)
"""No page and no usual name: what a test does not name is not tried."""
Captured = pytest.CaptureFixture[str]


class Typist:
    """Answers what is asked, in order, from what it was given; Enter for the rest."""

    def __init__(
        self, *answers: str | BaseException, passwords: Sequence[str | BaseException] = (dovecot.PASSWORD,)
    ) -> None:
        self.answers, self.passwords = list(answers), list(passwords)
        self.prompts: list[str] = []
        self.asker = Asker(False, self._read, self._read_hidden)

    def _read(self, prompt: str) -> str:
        return self._next(prompt, self.answers)

    def _read_hidden(self, prompt: str) -> str:
        return self._next(prompt, self.passwords)

    def _next(self, prompt: str, answers: "list[str | BaseException]") -> str:
        self.prompts.append(prompt)
        answer = answers.pop(0) if answers else ""
        if isinstance(answer, BaseException):
            raise answer
        return answer


@pytest.fixture
def names() -> Iterator[Callable[..., Names]]:
    made: list[Names] = []

    def make(records: dict[tuple[str, str], str] | None = None, is_silent: bool = False) -> Names:
        made.append(Names(records, is_silent))
        return made[-1]

    yield make
    for each in made:
        each.close()


class Secured(World):
    """A world whose servers speak TLS with a certificate of localhost; each test has a folder of its own in it."""

    def started(self) -> "Secured":
        self.dovecot.start()
        for name in ("certificate.pem", "key.pem"):
            shutil.copy(self.dovecot.folder / name, self.spool / name)
        self.start_smtp()
        return self

    def send(self, raw: bytes, sender: str, to: str) -> None:
        """Straight into the mailbox."""
        with smtplib.LMTP("127.0.0.1", self.dovecot.lmtp_port) as lmtp:
            lmtp.sendmail(sender, [to], raw)


@pytest.fixture(scope="module")
def running() -> Iterator[Secured]:
    with a_short_folder() as folder:
        made = Secured(folder)
        users = made.dovecot.folder / "users"
        users.write_text(users.read_text() + users.read_text().replace(dovecot.ADDRESS, "games", 1))
        try:
            yield made.started()
        finally:
            made.stop()


@pytest.fixture
def secured(running: Secured, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Secured:
    """The servers, trusted here, and nothing written yet."""
    monkeypatch.setenv("SSL_CERT_FILE", str(running.dovecot.folder / "certificate.pem"))
    running.config = tmp_path / "podium.toml"
    return running


def services(imaps: int, submissions: int, host: str = "localhost.") -> dict[tuple[str, str], str]:
    return {
        (f"_imaps._tcp.{DOMAIN}", "SRV"): f"0 1 {imaps} {host}",
        (f"_submissions._tcp.{DOMAIN}", "SRV"): f"0 1 {submissions} {host}",
    }


def start(world: World, network: Network, asker: Asker | None, *options: str) -> int:
    arguments = parser().parse_args(["init", "--config", str(world.config), *options])
    return init.run(arguments, network, asker)


def written(world: World) -> Config:
    return load(world.config, SLUGS)


def left_behind(world: World) -> list[str]:
    return sorted(each.name for each in world.config.parent.iterdir() if "podium" in each.name)


def password_file(folder: Path, password: str = dovecot.PASSWORD) -> str:
    file = folder / "given-secret"
    file.write_text(f"{password}\n", "utf-8")
    return str(file)


def unattended(world: World, password: str = dovecot.PASSWORD) -> list[str]:
    return ["--yes", "--address", dovecot.ADDRESS, "--password-file", password_file(world.config.parent, password)]


def test_an_address_and_a_password_are_enough(secured: Secured, names: Callable[..., Names], capsys: Captured) -> None:
    served = names(services(secured.dovecot.imaps_port, secured.smtp_port))
    typist = Typist(dovecot.ADDRESS)
    status = start(secured, replace(NOWHERE, resolver=served.resolver), typist.asker)
    said = capsys.readouterr().out
    assert status == 0, said
    assert len(typist.asker.asked) == 8 <= MAX_QUESTIONS
    assert all("[" in prompt for prompt in typist.prompts[2:]), "each has a default"
    config = written(secured)
    assert (config.imap.host, config.imap.port, config.imap.security) == (
        "localhost",
        secured.dovecot.imaps_port,
        "tls",
    )
    assert (config.smtp.port, config.smtp.security, config.smtp.username) == (secured.smtp_port, "tls", dovecot.ADDRESS)
    assert config.imap.password == config.smtp.password == dovecot.PASSWORD
    assert config.imap.junk == "Junk"
    assert config.security.plus_addressing
    assert set(config.games) == set(SLUGS)
    assert config.web.listen == "127.0.0.1:8025"
    secret = secured.config.parent / "podium-secrets" / "password"
    assert stat.S_IMODE(secret.stat().st_mode) == 0o600
    assert stat.S_IMODE(secret.parent.stat().st_mode) == 0o700
    assert dovecot.PASSWORD not in secured.config.read_text()
    assert "WRONG" not in said
    assert "with a plus and a token arrives here" in said
    assert "mailto:games@example.org" in said
    assert "podium run" in said
    assert "docs/podium.service" in said
    assert dovecot.PASSWORD not in said


@pytest.mark.storm
def test_what_it_wrote_runs(secured: Secured, names: Callable[..., Names]) -> None:
    served = names(services(secured.dovecot.imaps_port, secured.smtp_port))
    assert start(secured, replace(NOWHERE, resolver=served.resolver), None, *unattended(secured), "--no-web") == 0
    secured.environment["SSL_CERT_FILE"] = str(secured.dovecot.folder / "certificate.pem")
    secured.run_daemon()
    ann = Person(secured, "Ann Lee", "ann@example.net")
    ann.register()
    assert "+" in ann.wait_for("confirm").headers["reply-to"]
    assert secured.terminate() == 0


@pytest.mark.storm
@pytest.mark.postfix
@pytest.mark.skipif(not postfix.may_start(), reason="Postfix can be started by root alone")
def test_unattended_with_dovecot_and_postfix(
    short_folder: Path, names: Callable[..., Names], capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    world, password = World(short_folder), "  schön \"wie\" 'nie' \\ # 日本=€ "
    users = world.dovecot.folder / "users"
    users.write_text(users.read_text().replace(f"{{PLAIN}}{dovecot.PASSWORD}", f"{{PLAIN}}{password}"), "utf-8")
    world.dovecot.start()
    world.start_smtp()
    delivery = BY_DOVECOT % {"port": world.dovecot.lmtp_port}
    mta = postfix.make(short_folder / "postfix", world.dovecot, world.smtp_port, delivery)
    mta.start()
    monkeypatch.setenv("SSL_CERT_FILE", str(world.dovecot.folder / "certificate.pem"))
    served = names(
        {
            (f"_imap._tcp.{DOMAIN}", "SRV"): f"0 1 {world.dovecot.imap_port} localhost.",
            (f"_submission._tcp.{DOMAIN}", "SRV"): f"0 1 {mta.starttls_port} localhost.",
        }
    )
    try:
        options = ["--operator", "me@example.net", "--games", "bluffjack,champ-cards", "--timezone", "Europe/Berlin"]
        network = replace(NOWHERE, resolver=served.resolver)
        status = start(
            world, network, None, *unattended(world, password), *options, "--no-web", "--name", 'The "Host" \\ Ö'
        )
        said = capsys.readouterr().out
        assert status == 0, said + mta.log()
        config = written(world)
        assert config.smtp.security == config.imap.security == "starttls"
        assert config.host.name == 'The "Host" \\ Ö'
        assert config.host.operators == ("me@example.net",)
        assert config.host.timezone == "Europe/Berlin"
        assert list(config.games) == ["bluffjack", "champ-cards"]
        assert config.web.listen == ""
        assert config.security.plus_addressing
        assert config.imap.password == config.smtp.password == password
        assert f"sasl_username={dovecot.ADDRESS}" in mta.log()
        mta.stop()
        main_cf = mta.settings / "main.cf"
        main_cf.write_text(main_cf.read_text().replace("recipient_delimiter = +", "recipient_delimiter ="))
        mta.start()
        assert start(world, network, None, *unattended(world, password), "--force") == 0
        assert not written(world).security.plus_addressing
        assert "did not arrive: plus_addressing = false" in capsys.readouterr().out
        assert "podium.toml.bak" in left_behind(world)
        here = ["--imap-host", "127.0.0.1", "--imap-port", str(world.dovecot.imap_port), "--smtp-host", "127.0.0.1"]
        here += ["--smtp-port", str(mta.mx_port), "--force"]
        assert start(world, NOWHERE, None, *unattended(world, password), *here) == 0
        smtp = written(world).smtp
        assert (smtp.security, smtp.username, smtp.password) == ("none", "", ""), "it asks nobody on this machine"
    finally:
        mta.stop()
        world.stop()


@pytest.mark.storm
def test_the_usual_names_and_a_login_by_local_part(
    secured: Secured, names: Callable[..., Names], capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Mail to this address goes elsewhere; what is not seen to arrive with a plus is written without."""
    monkeypatch.setattr(init, "PLUS_SECONDS", 0.5)
    monkeypatch.setattr(check, "SECONDS", 0.5)
    network = Network(
        names().resolver,
        pages=(),
        names={"imap": ("gone.localhost", "{domain}"), "smtp": ("{domain}",)},
        ports={
            ("imap", "tls"): free_port(),
            ("imap", "starttls"): secured.dovecot.imap_port,
            ("smtp", "tls"): secured.smtp_port,
            ("smtp", "starttls"): free_port(),
        },
        seconds=5.0,
    )
    options = ["--yes", "--address", "games@localhost", "--password-file", password_file(secured.config.parent)]
    assert start(secured, network, None, *options) == 0
    said = capsys.readouterr().out
    assert "did not arrive" in said
    config = written(secured)
    assert not config.security.plus_addressing
    assert (config.imap.security, config.imap.username) == ("starttls", "games")
    assert (config.smtp.security, config.smtp.port) == ("tls", secured.smtp_port)


@pytest.mark.storm
def test_a_wrong_password_is_asked_for_again_and_leaves_nothing(
    secured: Secured, names: Callable[..., Names], capsys: Captured
) -> None:
    served = names(services(secured.dovecot.imaps_port, secured.smtp_port))
    network = replace(NOWHERE, resolver=served.resolver)
    with pytest.raises(Failure) as failure:
        start(secured, network, None, *unattended(secured, "wrong"))
    words = str(failure.value)
    assert f"localhost:{secured.dovecot.imaps_port} refused the login of {dovecot.ADDRESS}" in words
    assert "AUTHENTICATIONFAILED" in words
    assert "app password" in words
    assert "Nothing was written" in words
    assert left_behind(secured) == []
    typist = Typist(dovecot.ADDRESS, passwords=["wrong", dovecot.PASSWORD])
    assert start(secured, network, typist.asker) == 0
    assert len(typist.asker.asked) == 8
    assert "refused the login" in capsys.readouterr().out


@pytest.mark.storm
def test_a_server_that_does_not_encrypt_gets_no_password(
    secured: Secured, names: Callable[..., Names], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The name of another machine is needed here, so it is this one's: what is not loopback by name is not trusted."""
    heard: list[bytes] = []
    with socket.create_server(("0.0.0.0", 0)) as listening:
        threading.Thread(target=_plain_imap, args=(listening, heard), daemon=True).start()
        port = str(listening.getsockname()[1])
        options = ["--imap-host", _other_name(), "--imap-port", port, "--imap-security", "starttls"]
        options += ["--smtp-host", "localhost", "--smtp-port", str(secured.smtp_port), "--smtp-security", "tls"]
        with pytest.raises(Failure) as failure:
            start(secured, NOWHERE, None, *unattended(secured), *options)
    assert "offers no encryption (STARTTLS), and Podium sends no password that others could read" in str(failure.value)
    assert heard
    assert not any(b"LOGIN" in each for each in heard)
    assert left_behind(secured) == []


def _other_name() -> str:
    """An address of this machine that is none of loopback, else a name for it that does not look like loopback."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as each:
        try:
            each.connect(("192.0.2.1", 9))
            found = str(each.getsockname()[0])
        except OSError:
            found = ""
    return found if found and not found.startswith("127.") else "0.0.0.0"


def _plain_imap(listening: socket.socket, heard: list[bytes]) -> None:
    while True:
        try:
            connection, _ = listening.accept()
        except OSError:
            return
        with connection:
            connection.sendall(b"* OK ready\r\n")
            while line := connection.recv(1000):
                heard.append(line)
                connection.sendall(b"* CAPABILITY IMAP4rev1\r\na OK done\r\n")


@pytest.mark.storm
def test_servers_that_cannot_be_reached(secured: Secured, names: Callable[..., Names], capsys: Captured) -> None:
    closed = free_port()
    served = names(services(closed, secured.smtp_port))
    with pytest.raises(Failure) as failure:
        start(secured, replace(NOWHERE, resolver=served.resolver), None, *unattended(secured))
    assert f"IMAP server localhost:{closed} cannot be reached (nothing listens there)" in str(failure.value)
    typist = Typist(dovecot.ADDRESS, f"localhost:{secured.dovecot.imaps_port}")
    assert start(secured, replace(NOWHERE, resolver=served.resolver), typist.asker) == 0, "it is asked for then"
    assert len(typist.asker.asked) == 9
    assert "cannot be reached" in capsys.readouterr().out


@pytest.mark.storm
def test_a_certificate_that_nobody_vouches_for(
    secured: Secured, names: Callable[..., Names], capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SSL_CERT_FILE")
    served = names(services(secured.dovecot.imaps_port, secured.smtp_port))
    with pytest.raises(Failure) as failure:
        start(secured, replace(NOWHERE, resolver=served.resolver), None, *unattended(secured))
    words = f"localhost:{secured.dovecot.imaps_port} cannot be used: the server's certificate is not good"
    assert words in str(failure.value)
    assert left_behind(secured) == []
    given = ["--imap-host", "localhost", "--imap-port", str(secured.dovecot.imap_port), "--imap-security", "starttls"]
    with pytest.raises(Failure) as failure:
        start(secured, replace(NOWHERE, resolver=served.resolver), None, *unattended(secured), *given)
    assert f"SMTP server localhost:{secured.smtp_port} cannot be used" in str(failure.value), "on this machine IMAP may"


@pytest.mark.storm
def test_a_domain_that_dns_does_not_know(secured: Secured, names: Callable[..., Names]) -> None:
    with pytest.raises(Failure) as failure:
        start(secured, replace(NOWHERE, resolver=names().resolver), None, *unattended(secured))
    assert f"DNS knows no domain {DOMAIN}" in str(failure.value)
    assert "--imap-host" in str(failure.value)


@pytest.mark.storm
def test_dns_that_does_not_answer(secured: Secured, names: Callable[..., Names]) -> None:
    network = replace(NOWHERE, resolver=names(is_silent=True).resolver, seconds=0.3)
    with pytest.raises(Failure) as failure:
        start(secured, network, None, *unattended(secured))
    assert f"DNS did not answer when it was asked for {DOMAIN}" in str(failure.value)


@pytest.mark.storm
def test_imap_that_is_switched_off_is_said(secured: Secured, names: Callable[..., Names]) -> None:
    records = services(1, secured.smtp_port) | {(f"_imaps._tcp.{DOMAIN}", "SRV"): "0 0 0 ."}
    with pytest.raises(Failure) as failure:
        start(secured, replace(NOWHERE, resolver=names(records).resolver), None, *unattended(secured))
    assert f"The DNS of {DOMAIN} says that it offers no IMAP" in str(failure.value)


@pytest.mark.storm
def test_what_dns_names_elsewhere_gets_no_password_unasked(secured: Secured, names: Callable[..., Names]) -> None:
    records = services(secured.dovecot.imaps_port, secured.smtp_port, "mail.thief.example.")
    network = replace(NOWHERE, resolver=names(records).resolver, seconds=0.5)
    with pytest.raises(Failure) as failure:
        start(secured, network, None, *unattended(secured))
    assert "DNS names mail.thief.example, outside of example.org" in str(failure.value)
    typist = Typist(dovecot.ADDRESS, "no", "localhost:1", "localhost:1")
    with pytest.raises(Failure):
        start(secured, network, typist.asker)
    assert "mail.thief.example" in typist.prompts[1], "it is asked before the password is"
    assert len(typist.asker.asked) <= MAX_QUESTIONS


@pytest.mark.storm
def test_an_interruption_leaves_nothing(secured: Secured, names: Callable[..., Names]) -> None:
    served = names(services(secured.dovecot.imaps_port, secured.smtp_port))
    for stop in (EOFError(), KeyboardInterrupt()):
        for at in range(6):
            answers: list[str | BaseException] = [dovecot.ADDRESS, *[""] * 5]
            typist = Typist(*answers[:at], stop)
            with pytest.raises((Failure, KeyboardInterrupt)):
                start(secured, replace(NOWHERE, resolver=served.resolver), typist.asker)
            assert left_behind(secured) == []
            assert len(typist.prompts) == at + (1 if at == 0 else 2), "the password is asked for second"


@pytest.mark.storm
def test_what_is_there_is_replaced_only_by_force(
    secured: Secured, names: Callable[..., Names], capsys: Captured
) -> None:
    network = replace(NOWHERE, resolver=names(services(secured.dovecot.imaps_port, secured.smtp_port)).resolver)
    secured.config.write_text("mine")
    assert main(["init", "--config", str(secured.config), *unattended(secured)]) == 1
    assert "--force replaces it" in capsys.readouterr().err
    assert secured.config.read_text() == "mine"
    for kept in ("podium.toml.bak", "podium.toml.bak1"):
        before = secured.config.read_text()
        assert start(secured, network, None, *unattended(secured), "--force") == 0
        assert (secured.config.parent / kept).read_text() == before
    secret = secured.config.parent / "podium-secrets"
    assert sorted(each.name for each in secret.iterdir()) == ["password", "password.bak"]
    assert tomllib.loads(secured.config.read_text())["imap"]["password_file"] == "podium-secrets/password"
