"""Edge: the processes that are measured. In: a name, servers, a filled store. Out: a running process and its costs."""

import json
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bench import peer
from bench.servers import ROOT, Servers, environment, wait_until
from tests.ports import free_port
from tests.wire import dovecot

NAMES = {
    "podium": "podium run, SQLite",
    "clicked": "podium run, SQLite, its desk clicked through",
    "postgresql": "podium run, PostgreSQL",
    "pair": "two podium run, PostgreSQL",
    "floor": "bare loop, a row each",
    "bare": "bare loop, no database",
    "salmon": "salmon-mail, by LMTP",
    "salmon-queue": "salmon-mail, from a Maildir",
}
START_SECONDS = 120.0
_CPU_OF_PROCESS = 2


@dataclass(frozen=True)
class Cost:
    """What a process and its children took so far: CPU seconds, most memory in MiB."""

    cpu: float
    memory: float


def tree(pid: int) -> list[int]:
    """A process and all below it, those that live."""
    found = [pid]
    for each in found:
        try:
            for thread in Path(f"/proc/{each}/task").iterdir():
                found += [int(child) for child in (thread / "children").read_text().split()]
        except OSError:
            continue
    return found


def cost(pid: int) -> Cost:
    """The costs of a process and of all below it."""
    cpu = memory = 0.0
    for each in tree(pid):
        try:
            cpu += time.clock_gettime(~each << 3 | _CPU_OF_PROCESS)  # clock_getcpuclockid(3): to the nanosecond
            ended = Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split()[13:15]
            cpu += sum(map(int, ended)) / 100
            peak = next(line for line in Path(f"/proc/{each}/status").read_text().splitlines() if "VmHWM" in line)
            memory += int(peak.split()[1]) / 1024
        except (OSError, StopIteration):
            continue
    return Cost(cpu, memory)


class Contender:
    """One process, started at once. `serving` is the moment when it said that it does.

    `under` is a program that it runs under, with its options; `lmtp_port` where it takes mail by itself, 0 where Dovecot does.
    """

    def __init__(
        self,
        command: Sequence[str],
        log: Path,
        under: Sequence[str] = (),
        python: str = sys.executable,
        lmtp_port: int = 0,
    ) -> None:
        self.lmtp_port = lmtp_port
        self.log = log
        log.unlink(missing_ok=True)
        self.started = time.monotonic()
        with log.open("wb") as output:
            self.process = subprocess.Popen(
                [*under, python, *command], stdout=output, stderr=output, env=environment(), cwd=ROOT
            )
        try:
            wait_until(self._is_serving, "it to serve", START_SECONDS * (10 if under else 1))
        except (TimeoutError, RuntimeError):
            self.process.kill()
            raise RuntimeError(f"it does not serve: {self.tail()}") from None
        self.serving = time.monotonic()

    def _is_serving(self) -> bool:
        if self.process.poll() is not None:
            raise RuntimeError
        return "serving" in self.log.read_text("utf-8", "replace")

    def tail(self) -> str:
        """The end of its log."""
        return self.log.read_text("utf-8", "replace")[-3000:]

    def cost(self) -> Cost:
        """What it took so far."""
        return cost(self.process.pid)

    def stop(self) -> None:
        """End it, as a host would."""
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class Pair:
    """Two processes that share the work; `serving` is when both do."""

    def __init__(self, helper: Contender, main: Contender) -> None:
        self.both = (helper, main)
        self.lmtp_port = 0
        self.started, self.serving = helper.started, main.serving

    def tail(self) -> str:
        """The ends of their logs."""
        return "\n".join(each.tail() for each in self.both)

    def cost(self) -> Cost:
        """What both took so far."""
        first, second = (each.cost() for each in self.both)
        return Cost(first.cpu + second.cpu, first.memory + second.memory)

    def stop(self) -> None:
        """End both."""
        for each in self.both:
            each.stop()


def start_pair(servers: Servers, url: str) -> Pair:
    """The daemon twice on this store: the first has nothing to do before the second reads the mailbox."""
    config = servers.folder / "podium.toml"
    config.write_text(configuration(servers, url))
    command = ["-m", "host", "run", "--config", str(config)]
    helper = Contender([*command, "--role", "turns,outbox"], servers.folder / "helper.log")
    return Pair(helper, Contender(command, servers.folder / "podium.log"))


class Clicked(Contender):
    """The daemon, and a browser that clicks through its desk; the browser's costs are not the daemon's."""

    def __init__(self, servers: Servers, url: str) -> None:
        config = servers.folder / "podium.toml"
        config.write_text(configuration(servers, url) + f'[web]\nlisten = "127.0.0.1:{free_port()}"\n')
        super().__init__(["-m", "host", "run", "--config", str(config)], servers.folder / "podium.log")
        self.browser = Contender(["-m", "bench.clicker", str(config)], servers.folder / "clicker.log")

    def stop(self) -> None:
        """End both."""
        self.browser.stop()
        super().stop()


def start_podium(servers: Servers, url: str, more: str = "", under: Sequence[str] = ()) -> Contender:
    """The daemon on this store; `more` is added to its configuration."""
    config = servers.folder / "podium.toml"
    config.write_text(configuration(servers, url) + more)
    return Contender(["-m", "host", "run", "--config", str(config)], servers.folder / "podium.log", under)


def configuration(servers: Servers, url: str) -> str:
    """The daemon's configuration as TOML."""
    server = 'host = "127.0.0.1"\nsecurity = "none"\n'
    return (
        f'[host]\naddress = "{dovecot.ADDRESS}"\noperators = ["boss@example.com"]\n'
        f"[imap]\n{server}port = {servers.mailbox.dovecot.imap_port}\n"
        f'username = "{dovecot.ADDRESS}"\npassword = {json.dumps(dovecot.PASSWORD)}\n'
        f"[smtp]\n{server}port = {servers.sink.port}\n"
        f'[database]\nurl = "{url}"\n[games.champ-cards]\ntables = 10000000\n'
    )


def start_floor(servers: Servers, letter: Path, database: Path | None, under: Sequence[str] = ()) -> Contender:
    """The bare loop, with a new database or without one."""
    ports = [str(servers.mailbox.dovecot.imap_port), str(servers.sink.port)]
    files = [str(letter), *([_anew(database)] if database else [])]
    return Contender(["-m", "bench.floor", *ports, *files], servers.folder / "floor.log", under)


def start_salmon(
    servers: Servers, letter: Path, database: Path, takes_lmtp: bool, under: Sequence[str] = ()
) -> Contender:
    """The peer with a new database: it takes mail by LMTP, or from Dovecot's Maildir."""
    port = free_port() if takes_lmtp else 0
    way = ["--lmtp", str(port)] if takes_lmtp else ["--maildir", str(servers.mailbox.maildir)]
    command = ["-m", "bench.salmon_app", str(servers.sink.port), str(letter), _anew(database), *way]
    return Contender(command, servers.folder / "salmon.log", under, peer.python(), port)


def _anew(database: Path) -> str:
    for suffix in ("", "-wal", "-shm"):
        Path(f"{database}{suffix}").unlink(missing_ok=True)
    return str(database)
