"""A small world for wire tests: Dovecot, an SMTP server process, the daemon as a process, people who tap and type."""

import contextlib
import json
import os
import random
import shutil
import signal
import smtplib
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from host.demo.robot import ReadLetter, opened, tap, write
from host.games import GAMES
from tests.patience import SECONDS, wait_until
from tests.ports import free_port
from tests.wire import dovecot
from tests.wire.forked import Child, forks

ROOM = 1 << 30


@contextlib.contextmanager
def a_short_folder(is_on_disk: bool = False) -> Iterator[Path]:
    """A folder that Dovecot's own user can read, of a short name: a Unix socket's path has a hundred characters at most.

    It is in memory where there is room: a kill loses no more than on a disk, and a server answers without waiting for one.
    A measurement has to wait for a disk.
    """
    memory = Path("/dev/shm")
    has_room = not is_on_disk and memory.is_dir() and shutil.disk_usage(memory).free > ROOM
    folder = Path(tempfile.mkdtemp(prefix="podium-", dir=memory if has_room else None))
    folder.chmod(0o755)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class World:
    def __init__(self, folder: Path, settings: str = "", games: str = "[games.champ-cards]\n") -> None:
        self.folder = folder
        self.spool = folder / "spool"
        self.spool.mkdir()
        self.dovecot = dovecot.make(folder / "dovecot")
        self.config = folder / "podium.toml"
        self.settings, self.games = settings, games
        self.host = ""
        self.daemon: Child | subprocess.Popen[bytes] | None = None
        self.smtp: subprocess.Popen[bytes] | None = None
        self.smtp_port = free_port()
        self.seen: set[str] = set()
        self.subject = "Champ Cards Contestant Registration"
        self.known: dict[str, str] = {}
        self.random = random.Random(7)
        self.imap: dict[str, str | int] = {}
        self.smtp_settings: dict[str, str | int] = {}
        self.environment: dict[str, str] = {}

    def start(self) -> None:
        self.dovecot.start()
        self.start_smtp()
        self.write_config()

    def start_smtp(self) -> None:
        """Start the SMTP server; each time on the same port."""
        started = self.folder / "smtp-started"
        started.unlink(missing_ok=True)
        command = [sys.executable, str(Path(__file__).parents[1] / "smtp_server.py"), str(started), str(self.spool)]
        self.smtp = subprocess.Popen([*command, str(self.dovecot.lmtp_port), dovecot.ADDRESS, str(self.smtp_port)])
        wait_until(started.exists, "the SMTP server")

    def stop_smtp(self) -> None:
        assert self.smtp is not None
        self.smtp.kill()
        self.smtp.wait()

    def write_config(self) -> None:
        imap: dict[str, str | int] = {"host": "127.0.0.1", "port": self.dovecot.imap_port, "security": "none"}
        imap |= {"username": dovecot.ADDRESS, "password": dovecot.PASSWORD, "junk": "Junk", "poll_every": "5s"}
        smtp: dict[str, str | int] = {"host": "127.0.0.1", "port": self.smtp_port, "security": "none"}
        self.config.write_text(
            f'[host]\naddress = "{dovecot.ADDRESS}"\noperators = ["boss@example.com"]\ntimezone = "America/New_York"\n{self.host}'
            f"[imap]\n{_in_toml(imap | self.imap)}[smtp]\n{_in_toml(smtp | self.smtp_settings)}"
            f"{self.settings}\n{self.games}"
        )
        self.config.chmod(0o600)

    def stop(self) -> None:
        if self.daemon is not None:
            self.kill()
        if self.smtp is not None:
            self.smtp.kill()
            self.smtp.wait()
        self.dovecot.stop()

    def run_daemon(self, is_forked: bool = True) -> None:
        """Start it; not forked it is the program as it is installed, which takes a second or two longer."""
        arguments, log = ["run", "--config", str(self.config)], self.folder / "daemon.log"
        if is_forked:
            self.daemon = forks().start(arguments, self.surroundings(), log)
            return
        command = [sys.executable, "-m", "host", *arguments]
        with log.open("ab") as file:
            self.daemon = subprocess.Popen(command, stdout=file, stderr=file, env=self.surroundings())

    def surroundings(self) -> dict[str, str]:
        """The environment of the daemon and the command line."""
        return _environment() | self.environment

    def kill(self) -> None:
        """SIGKILL, as a power cut would."""
        assert self.daemon is not None
        self.daemon.kill()
        self.daemon.wait()
        self.daemon = None

    def terminate(self) -> int:
        """SIGTERM; gives the exit status."""
        assert self.daemon is not None
        self.daemon.send_signal(signal.SIGTERM)
        status = self.daemon.wait(SECONDS)
        self.daemon = None
        return status

    def podium(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        command = [*arguments]
        if arguments[0] not in ("replay", "verify", "read"):
            command += ["--config", str(self.config)]
        output, errors = self.folder / "output", self.folder / "errors"
        for file in (output, errors):
            file.unlink(missing_ok=True)
        status = forks().start(command, self.surroundings(), output, errors).wait()
        return subprocess.CompletedProcess(command, status, output.read_text(), errors.read_text())

    def send(self, raw: bytes, sender: str, to: str) -> None:
        with smtplib.SMTP("127.0.0.1", self.smtp_port) as smtp:
            smtp.sendmail(sender, [to], raw)

    def write(self, person: "Person", to: str, subject: str, body: str) -> None:
        self.send(write(person.address, person.name, to, subject, body), person.address, to)

    def log(self) -> str:
        return (self.folder / "daemon.log").read_text()


class Person:
    """Somebody with a mail program: reads what came, answers. Who is plain taps no standing order, and drops none."""

    def __init__(self, world: World, name: str, address: str, is_plain: bool = False) -> None:
        self.world, self.name, self.address, self.is_plain = world, name, address, is_plain
        self.all: list[ReadLetter] = []
        self.raw: list[bytes] = []
        self._read: set[str] = set()
        self.tapped: list[tuple[str, str]] = []
        self.last: dict[str, int] = {}

    def register(self) -> None:
        body = f"Name: {self.name}\nName you go by at TGSF: {self.name.split()[0]}\nHometown: Springfield"
        self.world.write(self, dovecot.ADDRESS, self.world.subject, body)

    def new_letters(self) -> list[ReadLetter]:
        """Letters that came since the last call; a copy with a known Message-ID is kept in `all` only."""
        found = []
        for file in sorted(self.world.spool.glob(f"*-{self.address}.eml")):
            if file.name not in self._read:
                self._read.add(file.name)
                raw = file.read_bytes()
                letter = ReadLetter(raw)
                is_new = letter.headers["message-id"] not in {each.headers["message-id"] for each in self.all}
                self.raw.append(raw)
                self.all.append(letter)
                if is_new:
                    found.append(letter)
        return found

    def wait_for(self, kind: str, seconds: float = SECONDS) -> ReadLetter:
        """The next new letter of a kind; others that come meanwhile are passed over."""

        def look() -> ReadLetter | None:
            return next((letter for letter in self.new_letters() if letter.kind == kind), None)

        found: ReadLetter = wait_until(look, f"a {kind} letter to {self.name}", seconds)
        return found

    def answer(self, letter: ReadLetter, body: str, sender: str = "") -> None:
        subject = "Re: " + letter.headers["subject"]
        raw = write(
            sender or self.address, self.name, letter.headers["reply-to"], subject, body, letter.headers["message-id"]
        )
        self.world.send(raw, sender or self.address, letter.headers["reply-to"])

    def tap(self, letter: ReadLetter) -> None:
        if self.is_plain:
            letter = _WithPlainLinks(letter.raw)
        raw = tap(letter, self.address, self.name, self.world.random, self.world.known)
        assert raw is not None, f"no link in {letter.text}"
        code = letter.headers.get("x-podium-episode", "")
        lines = [(code, command) for command in ReadLetter(raw).text.split("\n") if command.strip()]
        self.tapped += lines
        self.last[code] = len(lines)
        self.world.send(raw, self.address, letter.headers["reply-to"])

    def tap_all(self) -> list[ReadLetter]:
        """Tap a link in every new letter that asks; gives the new letters."""
        letters = self.new_letters()
        for letter in letters:
            if letter.asks and letter.links:
                self.tap(letter)
        return letters


@dataclass(frozen=True)
class _WithPlainLinks(ReadLetter):
    @cached_property
    def links(self) -> tuple[str, ...]:
        return tuple(filter(_is_plain, super().links))


def _is_plain(link: str) -> bool:
    """Says a link nothing but moves?"""
    lines = opened(link)[2].split("\n")
    games = [game for game in GAMES.values() if game.orders]
    return lines != ["cancel"] and not any(game.orders and game.orders.known(line) for game in games for line in lines)


def _in_toml(values: dict[str, str | int]) -> str:
    return "".join(f"{key} = {json.dumps(value)}\n" for key, value in values.items())


def _environment() -> dict[str, str]:
    root = str(Path(__file__).parents[2])
    return {key: value for key, value in os.environ.items() if not key.startswith("PODIUM_")} | {"PYTHONPATH": root}
