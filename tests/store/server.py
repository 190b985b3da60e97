"""A PostgreSQL server from Debian's packages for the whole test process, and a new database on it for each test."""

import atexit
import contextlib
import functools
import itertools
import os
import pwd
import subprocess
import tempfile
from datetime import timedelta
from pathlib import Path
from typing import Any

import psycopg

from host.store import leases
from host.store.database import Store, open_store
from tests.ports import free_port

_numbers = itertools.count(1)


class Server:
    """A server on loopback that keeps nothing safe, since nothing on it is worth it."""

    def __init__(self) -> None:
        programs = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
        assert programs, "PostgreSQL is not installed: apt-get install postgresql, or make test WITHOUT=postgresql"
        self._programs = programs[-1]
        account = pwd.getpwnam("nobody") if os.getuid() == 0 else pwd.getpwuid(os.getuid())
        is_root = os.getuid() == 0
        self._user: dict[str, Any] = {}
        if is_root:
            self._user = {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []}
        self._folder = tempfile.TemporaryDirectory(prefix="podium-pg-")
        os.chown(self._folder.name, account.pw_uid, account.pw_gid)
        self.port = free_port()
        self._run("initdb", "-A", "trust", "-U", "podium", "--no-sync")
        settings = f"-p {self.port} -k {self._folder.name} -c fsync=off -c max_connections=60"
        self._run("pg_ctl", "-w", "-l", f"{self._folder.name}/log", "-o", settings, "start")

    def _run(self, program: str, *arguments: str) -> None:
        folder = self._folder.name
        command = [str(self._programs / program), "-D", f"{folder}/data", *arguments]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=folder, **self._user)

    def fresh(self) -> str:
        """The URL of a new, empty database."""
        name = f"podium{next(_numbers)}"
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}".encode())
        return self.url(name)

    def url(self, name: str) -> str:
        """Where a database of this server is."""
        return f"postgresql://podium@127.0.0.1:{self.port}/{name}"

    def stop(self) -> None:
        with contextlib.suppress(subprocess.CalledProcessError):
            self._run("pg_ctl", "-m", "immediate", "stop")
        self._folder.cleanup()


def claiming(url: str) -> Store:
    """The store at `url`, migrated, of a process that may claim."""
    store = open_store(url)
    leases.begin(store, "tests", timedelta(days=1))
    return store


@functools.cache
def server() -> Server:
    """The one of this test process; it ends with it."""
    made = Server()
    atexit.register(made.stop)
    return made
