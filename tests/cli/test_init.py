"""`podium init` without servers: questions, options, what is written, and what is refused before any network is asked."""

import contextlib
import os
import pty
import select
import signal
import stat
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from host.cli import init
from host.cli.asking import MAX_TRIES, Asker, Question
from host.cli.main import main, parser
from host.cli.terminal import SLUGS, Failure
from host.config import load, machine_timezone
from host.games import GAMES
from tests.patience import SECONDS
from tests.rows import every

Captured = pytest.CaptureFixture[str]
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> Run:
    """`podium init --yes` in an empty folder: exit status and what it printed."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PODIUM_IMAP__PASSWORD", raising=False)
    (tmp_path / "secret").write_text("pass word\n")

    def init(*options: str, password: bool = True) -> tuple[int, str, str]:
        given = ["--password-file", "secret"] if password else []
        try:
            status = main(["init", "--yes", *given, *options])
        except SystemExit as leaving:
            status = int(str(leaving.code))
        printed = capsys.readouterr()
        return status, printed.out, printed.err

    return init


def written(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir() if each.name != "secret")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ([], "--address is missing, and --yes asks nothing"),
        (["--address", "games"], "--address: write a plain mail address"),
        (["--address", "games@tuta.com"], "Tuta lets no mail program in"),
        (["--address", "games@gmail.com", "--games", "chess"], "--games: write all, or some of bluffjack"),
        (["--address", "games@gmail.com", "--games", ""], "--games: write all, or some of bluffjack"),
        (["--address", "games@gmail.com", "--timezone", "Mars/Phobos"], "--timezone: write a time zone such as"),
        (["--address", "games@gmail.com", "--time-bank", "soon"], "--time-bank: write a duration such as"),
        (["--address", "games@gmail.com", "--operator", "me"], "--operator: write a plain mail address"),
        (["--address", "games@gmail.com", "--name", ""], "--name: "),
        (["--address", "games@gmail.com", "--name", "a\nb"], "--name: write the name on one line"),
        (["--address", "games@gmail.com", "--imap-port", "993"], "need --imap-host"),
        (["--address", "games@gmail.com", "--imap-host", "a b"], "--imap-host: write the name of a server"),
        (
            ["--address", "games@gmail.com", "--imap-host", "imap.example.org", "--imap-security", "none"],
            'security = "none" is for a server on this machine only',
        ),
        (["--address", "games@example.org", "--config", "no/where.toml"], "There is no folder no"),
        (["--address", "games@gmail.com", "--password-file", "nothing"], "nothing cannot be read"),
        (
            ["--address", "games@posteo.de", "--without-login", "--operator", "Games@posteo.de"],
            "write another address than that of the games",
        ),
    ],
)
def test_what_is_missing_or_wrong_is_one_sentence(run: Run, tmp_path: Path, options: list[str], said: str) -> None:
    status, _, error = run(*options)
    assert status == 1
    assert said in error
    assert error.count("\n") == 1
    assert written(tmp_path) == []


def test_a_missing_password(run: Run, tmp_path: Path) -> None:
    status, _, error = run("--address", "games@gmail.com", password=False)
    assert status == 1
    assert "--password-file is missing, and --yes asks nothing; nothing was written" in error
    assert written(tmp_path) == []


@pytest.mark.parametrize("password", ["", "\n", "a\nb", "a\x00b", "a\x1bb"])
def test_a_password_that_is_none(run: Run, tmp_path: Path, password: str) -> None:
    (tmp_path / "secret").write_text(password)
    status, _, error = run("--address", "games@gmail.com", "--without-login")
    assert status == 1
    assert "--password-file: " in error
    assert written(tmp_path) == []


def test_a_known_provider_without_login(run: Run, tmp_path: Path) -> None:
    status, said, _ = run(
        "--address", "games@gmail.com", "--without-login", "--timezone", "Asia/Tokyo", "--time-bank", "3d"
    )
    assert status == 0
    assert "https://myaccount.google.com/apppasswords" in said
    config = load(tmp_path / "podium.toml", SLUGS)
    assert (config.imap.host, config.smtp.host, config.smtp.letters_a_day) == ("imap.gmail.com", "smtp.gmail.com", 500)
    assert config.imap.password == config.smtp.password == "pass word"
    assert config.security.plus_addressing
    assert set(config.games) == set(GAMES)
    assert config.host.timezone == "Asia/Tokyo"
    assert config.deadlines.time_bank == timedelta(days=3)
    assert written(tmp_path) == ["podium-secrets", "podium.toml"]


def test_the_password_from_the_environment(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PODIUM_IMAP__PASSWORD", " from there ")
    assert run("--address", "games@posteo.de", "--without-login", password=False)[0] == 0
    assert (tmp_path / "podium-secrets" / "password").read_text() == " from there \n"


def test_a_provider_that_takes_no_password(run: Run, tmp_path: Path) -> None:
    status, said, _ = run("--address", "games@outlook.com", password=False)
    assert status == 0
    assert "podium login --config podium.toml" in said
    assert "docs/oauth.md" in said
    config = load(tmp_path / "podium.toml", SLUGS)
    assert config.oauth is not None
    assert (config.oauth.provider, config.oauth.tenant) == ("microsoft", "consumers")
    assert (config.smtp.security, config.smtp.letters_a_minute) == ("starttls", 30)
    assert written(tmp_path) == ["podium.toml"], "there is no password to keep"
    assert run("--address", "games@outlook.com", "--force", "--client-id", "12-ab", password=False)[0] == 0
    config = load(tmp_path / "podium.toml", SLUGS)
    assert config.oauth is not None
    assert config.oauth.client_id == "12-ab"


def test_without_login_no_server_is_guessed(run: Run, tmp_path: Path) -> None:
    given = ["--imap-host", "imap.example.org", "--smtp-host", "smtp.example.org", "--smtp-port", "587"]
    status, _, _ = run("--address", "games@example.org", "--without-login", *given, "--username", "me")
    assert status == 0
    config = load(tmp_path / "podium.toml", SLUGS)
    assert (config.imap.port, config.imap.security, config.imap.username) == (993, "tls", "me")
    assert (config.smtp.port, config.smtp.security) == (587, "starttls")


def test_a_second_host_in_the_same_folder_has_its_own_password(run: Run, tmp_path: Path) -> None:
    for name in ("podium.toml", "other.toml"):
        assert run("--address", "games@posteo.de", "--without-login", "--config", name)[0] == 0
    assert written(tmp_path) == ["other-secrets", "other.toml", "podium-secrets", "podium.toml"]


QUESTION = Question("--name", "Name", lambda text: "" if text == "good" else "write good", "good")


def test_an_answer_is_asked_for_again_and_counts_once(capsys: Captured) -> None:
    lines = ["bad", "", "bad"]
    prompts: list[str] = []

    def read(prompt: str) -> str:
        prompts.append(prompt)
        return lines.pop(0)

    asker = Asker(False, read)
    assert asker.answer(QUESTION) == "good"
    assert prompts == ["Name [good]: "] * 2
    assert asker.asked == ["--name"]
    assert "Write good." in capsys.readouterr().out
    lines[:] = ["bad"] * 9
    with pytest.raises(Failure, match="nothing was written"):
        asker.answer(QUESTION)
    assert len(lines) == 9 - MAX_TRIES


def a_host(name: str) -> dict[str, dict[str, object]]:
    server = {"host": "mail.example.org", "port": 993, "security": "tls", "username": "games@example.org"}
    host: dict[str, object] = {
        "name": name,
        "address": "games@example.org",
        "operators": ("me@example.org",),
        "timezone": "UTC",
    }
    return {"host": host, "imap": server, "smtp": server, "oauth": {}, "security": {"plus_addressing": True}}


@every(
    "name",
    [
        '"',
        "\\",
        '"""',
        "'''",
        "# no comment",
        "\\u0041",
        "Ö 日本 🎉",
        "[games.x]",
        'x"\n',
        "\x7f",
        "\u2028",
        "${HOME}",
        "=" * 500,
    ],
)
def test_whatever_a_host_is_called_stands_in_the_file_as_it_is(name: str) -> None:
    found = tomllib.loads(init.config_text(a_host(name), ["champ-cards"], ""))
    assert found["host"]["name"] == name
    assert list(found) == ["host", "imap", "smtp", "security", "games"]


def put(file: Path, is_forced: bool = False, check: Callable[[Path], object] = Path.read_text) -> list[Path]:
    return init.put(file, "new", "secret", is_forced, check)


def test_files_are_private_from_the_first_moment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    modes: list[int] = []
    real = os.open

    def opened(path: Path, flags: int, mode: int = 0o777) -> int:
        found = real(path, flags, mode)
        if "password" in str(path):
            modes.append(stat.S_IMODE(os.fstat(found).st_mode))
        return found

    monkeypatch.setattr(os, "open", opened)
    before = os.umask(0)
    try:
        assert put(tmp_path / "podium.toml") == []
    finally:
        os.umask(before)
    assert modes == [0o600]
    assert (tmp_path / "podium-secrets" / "password").read_text() == "secret\n"
    assert stat.S_IMODE((tmp_path / "podium-secrets").stat().st_mode) == 0o700


@pytest.mark.parametrize("error", [Failure("no"), KeyboardInterrupt(), OSError(28, "No space left on device")])
@pytest.mark.parametrize("is_there", [False, True])
def test_all_is_written_or_nothing(tmp_path: Path, error: BaseException, is_there: bool) -> None:
    file, secret = tmp_path / "podium.toml", tmp_path / "podium-secrets" / "password"
    if is_there:
        secret.parent.mkdir()
        secret.write_text("old secret")
        file.write_text("old")

    def check(_: Path) -> None:
        assert secret.read_text() == "secret\n", "the password is there when the configuration is read"
        raise error

    with pytest.raises((Failure, KeyboardInterrupt)):
        put(file, True, check)
    found = {str(each.relative_to(tmp_path)): each.read_text() for each in tmp_path.rglob("*") if each.is_file()}
    assert found == ({"podium.toml": "old", "podium-secrets/password": "old secret"} if is_there else {})
    assert is_there or list(tmp_path.iterdir()) == []


def test_a_file_that_appears_meanwhile_is_not_replaced(tmp_path: Path) -> None:
    file = tmp_path / "podium.toml"
    with pytest.raises(Failure, match="already, and nothing was changed"):
        put(file, False, lambda _: file.write_text("somebody else's"))
    assert file.read_text() == "somebody else's"
    assert [each.name for each in tmp_path.iterdir()] == ["podium.toml"]


@pytest.mark.parametrize(
    ("variable", "link", "text", "zone"),
    [
        ("", "../usr/share/zoneinfo/Europe/Berlin", "", "Europe/Berlin"),
        (":America/New_York", "/usr/share/zoneinfo/Europe/Berlin", "", "America/New_York"),
        ("/usr/share/zoneinfo/Asia/Tokyo", "", "", "Asia/Tokyo"),
        ("CET-1CEST", "", "Europe/Paris\n", "Europe/Paris"),
        ("", "/var/db/timezone/zoneinfo/Asia/Tokyo", "Europe/Paris", "Asia/Tokyo"),
        ("", "", "", "UTC"),
        ("", "/etc/elsewhere", "no zone at all", "UTC"),
        ("../../etc/passwd", "", "", "UTC"),
    ],
)
def test_the_time_zone_of_the_machine(tmp_path: Path, variable: str, link: str, text: str, zone: str) -> None:
    if link:
        (tmp_path / "localtime").symlink_to(link)
    if text:
        (tmp_path / "timezone").write_text(text)
    assert machine_timezone({"TZ": variable} if variable else {}, tmp_path) == zone


def test_a_typed_password_is_not_shown(tmp_path: Path) -> None:
    """On a real terminal, which shows what is typed unless it is told not to."""
    command = [sys.executable, "-m", "host", "init", "--config", str(tmp_path / "podium.toml"), "--without-login"]
    ours, theirs = pty.openpty()
    started = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True)
    os.close(theirs)
    shown = ""
    answers = {"of the games: ": "games@posteo.de", "(not shown): ": "hunter2", "Millionaire]: ": "Ann"}
    end = time.monotonic() + SECONDS
    while started.poll() is None and time.monotonic() < end:
        if not select.select([ours], [], [], 0.2)[0]:
            continue
        with contextlib.suppress(OSError):
            shown += os.read(ours, 10_000).decode()
        for prompt in list(answers):
            if shown.endswith(prompt):
                os.write(ours, f"{answers.pop(prompt)}\n".encode())
        if not answers and shown.endswith("]: "):
            os.write(ours, b"\n")
    os.close(ours)
    assert started.wait(SECONDS) == 0, shown
    assert "Ann" in shown
    assert "hunter2" not in shown
    assert (tmp_path / "podium-secrets" / "password").read_text() == "hunter2\n"


@pytest.mark.storm
def test_ctrl_c_ends_it_and_leaves_nothing(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "host", "init", "--config", str(tmp_path / "podium.toml")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as started:
        assert started.stdout is not None
        os.read(started.stdout.fileno(), 1)  # it asks
        started.send_signal(signal.SIGINT)
        _, error = started.communicate(timeout=SECONDS)
    assert started.returncode == 130
    assert error == b""
    assert list(tmp_path.iterdir()) == []


def test_help_names_every_answer(capsys: Captured) -> None:
    with pytest.raises(SystemExit):
        parser().parse_args(["init", "--help"])
    said = capsys.readouterr().out
    options = "address password-file name games operator timezone time-bank web imap-host smtp-host username yes force"
    for option in options.split():
        assert f"--{option}" in said
