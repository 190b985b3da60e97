"""Edge: the servers that all contenders share: Dovecot, PostgreSQL, the sink. In: a folder. Out: ports, and mail in."""

import contextlib
import imaplib
import json
import os
import pwd
import shutil
import smtplib
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import psycopg

from bench.replies import Reply
from tests.ports import free_port
from tests.wire import dovecot

ROOT = Path(__file__).parents[1]
LMTP_CONNECTIONS = 4


def wait_until(condition: Callable[[], Any], what: str, seconds: float) -> Any:
    """Poll until something is so. Raises TimeoutError."""
    end = time.monotonic() + seconds
    while not (found := condition()):
        if time.monotonic() > end:
            raise TimeoutError(f"waited {seconds:.0f} s for {what}")
        time.sleep(0.005)
    return found


def environment() -> dict[str, str]:
    """The environment of every process that is measured."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("PODIUM_")}
    return kept | {"PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "0"}


class Sink:
    """The SMTP sink's process, and a connection to ask it."""

    def __init__(self, folder: Path) -> None:
        port_file = folder / "sink-port"
        self.process = subprocess.Popen(
            [sys.executable, "-m", "bench.sink", str(port_file)], env=environment(), cwd=ROOT
        )
        wait_until(port_file.exists, "the sink", 20)
        self.port = int(port_file.read_text())
        self._socket = socket.create_connection(("127.0.0.1", self.port))
        self._lines = self._socket.makefile("rb")
        self._lines.readline()

    def wait(self, count: int, seconds: float) -> bool:
        """Wait until so many letters came since the last `take`; False where they did not come in time.

        After a wait that failed the connection is a new one.
        """
        self._socket.settimeout(seconds)
        try:
            self._ask(f"XWAIT {count}")
        except TimeoutError:
            self._socket.close()
            self._socket = socket.create_connection(("127.0.0.1", self.port))
            self._lines = self._socket.makefile("rb")
            self._lines.readline()
            return False
        finally:
            self._socket.settimeout(None)
        return True

    def take(self) -> list[tuple[float, str, str, int]]:
        """The letters since the last time: moment, Message-ID, In-Reply-To, size."""
        return [tuple(each) for each in json.loads(self._ask("XTAKE")[4:])]

    def _ask(self, line: str) -> bytes:
        self._socket.sendall(line.encode() + b"\r\n")
        return self._lines.readline()

    def close(self) -> None:
        """End the process."""
        self._socket.close()
        self.process.kill()
        self.process.wait()


class Mailbox:
    """Dovecot with one mailbox, emptied between the runs."""

    def __init__(self, folder: Path) -> None:
        self.dovecot = dovecot.make(folder / "dovecot")
        self.dovecot.start()
        self.maildir = folder / "dovecot" / "home" / "Maildir"
        self.count = 0

    def clear(self) -> None:
        """A new, empty mailbox. Nobody may be logged in."""
        shutil.rmtree(self.maildir, ignore_errors=True)
        for name in ("", "new", "cur", "tmp"):
            self._own(self.maildir / name, is_folder=True)

    def _own(self, path: Path, is_folder: bool = False) -> None:
        if is_folder:
            path.mkdir(mode=0o700)
        if os.getuid() == 0:
            nobody = pwd.getpwnam("nobody")
            os.chown(path, nobody.pw_uid, nobody.pw_gid)

    def put(self, mails: Sequence[Reply]) -> None:
        """Mails that wait: files in the Maildir's `new`, as a delivery leaves them."""
        for mail in mails:
            self.count += 1
            name = f"{int(time.time())}.M{self.count}P1.bench"
            head = f"Return-Path: <{mail.sender}>\nDelivered-To: {mail.to}\n".encode()
            part = self.maildir / "tmp" / name
            part.write_bytes(head + mail.raw.replace(b"\r\n", b"\n"))
            self._own(part)
            part.rename(self.maildir / "new" / name)

    def deliver(self, mails: Sequence[Reply], port: int = 0) -> float:
        """Deliver by LMTP, over one connection, to Dovecot or to another port; gives the moment when the last was taken."""
        with smtplib.LMTP("127.0.0.1", port or self.dovecot.lmtp_port) as lmtp:
            for mail in mails:
                lmtp.sendmail(mail.sender, [mail.to], mail.raw)
        return time.monotonic()

    def hand_over(self, mail: Reply, port: int) -> float:
        """Deliver one mail to who takes LMTP at a port; gives the moment when the greetings were over."""
        with smtplib.LMTP("127.0.0.1", port) as lmtp:
            lmtp.ehlo()
            began = time.monotonic()
            lmtp.sendmail(mail.sender, [mail.to], mail.raw)
        return began

    def pour(self, mails: Sequence[Reply], port: int = 0) -> float:
        """Deliver as fast as a few connections can."""
        parts = [mails[at::LMTP_CONNECTIONS] for at in range(LMTP_CONNECTIONS)]
        threads = [threading.Thread(target=self.deliver, args=(part, port)) for part in parts if part]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return time.monotonic()

    def push_delays(self, mails: Sequence[Reply]) -> list[float]:
        """Seconds from a mail's delivery to the server's EXISTS, for a bare client that idles (RFC 2177)."""
        imap = imaplib.IMAP4("127.0.0.1", self.dovecot.imap_port)
        imap.login(dovecot.ADDRESS, dovecot.PASSWORD)
        imap.select("INBOX", readonly=True)
        delays: list[float] = []
        for mail in mails:
            imap.send(b"a1 IDLE\r\n")
            imap.readline()
            delivered = self.deliver([mail])
            while b"EXISTS" not in imap.readline():
                pass
            delays.append(max(time.monotonic() - delivered, 0.0))
            imap.send(b"DONE\r\n")
            while not imap.readline().startswith(b"a1"):
                pass
        imap.logout()
        return delays

    def close(self) -> None:
        """End Dovecot."""
        self.dovecot.stop()


class PostgreSQL:
    """A PostgreSQL server of our own, unprivileged, with fsync on."""

    def __init__(self, folder: Path) -> None:
        programs = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
        if not programs:
            raise RuntimeError("PostgreSQL is not installed: apt-get install postgresql")
        self.bin, self.folder = programs[-1], folder / "postgresql"
        self.folder.mkdir()
        self.account: dict[str, Any] = {}
        if os.getuid() == 0:
            nobody = pwd.getpwnam("nobody")
            os.chown(self.folder, nobody.pw_uid, nobody.pw_gid)
            self.account = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
        self.port = free_port()
        self._run("initdb", "-A", "trust", "-U", "podium", "--no-sync")
        options = f"-p {self.port} -k {self.folder} -c shared_buffers=512MB -c max_wal_size=8GB"
        self._run("pg_ctl", "-w", "-l", f"{self.folder}/log", "-o", options, "start")
        self.pid = int((self.folder / "data" / "postmaster.pid").read_text().splitlines()[0])

    def _run(self, program: str, *arguments: str) -> None:
        command = [str(self.bin / program), "-D", f"{self.folder}/data", *arguments]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=self.folder, **self.account)

    def url(self, name: str = "postgres") -> str:
        """The URL of a database."""
        return f"postgresql://podium@127.0.0.1:{self.port}/{name}"

    def create(self, name: str, template: str = "template1") -> str:
        """A new database, in place of an older one of that name; gives its URL."""
        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)".encode())
            connection.execute(f"CREATE DATABASE {name} TEMPLATE {template}".encode())
            connection.execute("CHECKPOINT")
        return self.url(name)

    def close(self) -> None:
        """End the server."""
        with contextlib.suppress(subprocess.CalledProcessError):
            self._run("pg_ctl", "-m", "immediate", "stop")


class Servers:
    """All of them; PostgreSQL only where it is wanted."""

    def __init__(self, folder: Path, wants_postgresql: bool) -> None:
        self.folder = folder
        self.sink = Sink(folder)
        self.mailbox = Mailbox(folder)
        self.postgresql = PostgreSQL(folder) if wants_postgresql else None

    def close(self) -> None:
        """End them."""
        self.sink.close()
        self.mailbox.close()
        if self.postgresql:
            self.postgresql.close()


@contextlib.contextmanager
def running(folder: Path, wants_postgresql: bool) -> Iterator[Servers]:
    """The servers, ended at the end."""
    servers = Servers(folder, wants_postgresql)
    try:
        yield servers
    finally:
        servers.close()
