"""Several processes on one PostgreSQL under fire: killed, frozen past their leases, cut off from the database.

    python -m tests.wire.several --faults 200 --seed 7

Robots play as in `tests.wire.storm`; a few are silent on purpose, so that deadlines fire. Exit status 1 and the kept
folder where something does not hold.
"""

import argparse
import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg

from host.demo.robot import ReadLetter
from host.store.packing import unpack
from tests.patience import wait_until
from tests.store.server import server
from tests.wire.forked import ROOT, Child, Forks
from tests.wire.killed_run import say
from tests.wire.proxy import Proxy
from tests.wire.storm import OPERATOR, QUIET_SECONDS, STUCK_SECONDS, Robot, Storm, report
from tests.wire.world import World

GAME = "champ-cards"
EVERYTHING = "inbox,turns,outbox,clock"
REPLY_WITHIN = 6
SETTINGS = """
[database]
url = "{url}"
[deadlines]
reply_within = "{seconds}s"
reminders = []
objection = "0s"
[security]
confirm_registration = {confirms}
registrations_an_hour = 10000
registrations_a_day = 1000
"""
LEASE = 2.0
HASTE = f"""
import runpy
from datetime import timedelta
from host.daemon import leader
leader.LENGTH, leader.EVERY, leader.MARGIN = timedelta(seconds={LEASE}), 0.4, 0.3
runpy.run_module("tests.wire.forked", run_name="__main__", alter_sys=True)
"""
"""Leases that end after seconds in place of minutes, in every process that is forked from this one."""
LONGEST_FREEZE = 7.0
PASSING = re.compile(r"(OperationalError|InterfaceError|StaleDataError|AdminShutdown|IdleInTransaction|LockNotAvail)")
CANNOT_START = re.compile("database cannot be opened|cannot be used")


class HastyForks(Forks):
    """Starts processes with short leases."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", HASTE],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
            text=True,
        )

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(20)


class Member:
    """One of several processes, with a line to the database of its own that can be cut."""

    def __init__(self, name: str, world: World, forks: Forks, url: str, roles: str = EVERYTHING) -> None:
        self.name, self.world, self.forks, self.roles = name, world, forks, roles
        self.port = server().port
        self.line = Proxy(self.port)
        self.config = world.folder / f"{name}.toml"
        mine = url.replace(f":{self.port}/", f":{self.line.port}/")
        self.config.write_text(world.config.read_text().replace(url, mine))
        self.log = world.folder / f"{name}.log"
        self.child: Child | None = None
        self.ends = 0.0
        self.trouble = ""

    def start(self) -> None:
        arguments = ["run", "--role", self.roles, "--config", str(self.config)]
        self.child = self.forks.start(arguments, self.world.surroundings(), self.log, is_hasty=True)

    def signal(self, number: int) -> None:
        assert self.child is not None
        self.child.send_signal(number)

    def wait(self) -> int:
        assert self.child is not None
        status = self.child.wait()
        self.child = None
        return status

    def kill(self) -> None:
        if self.child is not None:
            self.signal(signal.SIGKILL)
            self.wait()

    def swallow(self) -> None:
        """From now on nothing passes to the database or from it, and nobody is told."""
        self.line.is_silent = True
        for relay in self.line._snapshot():
            relay._is_silent = True

    def is_serving(self) -> bool:
        return "serving" in self.words()

    def words(self) -> str:
        return self.log.read_text() if self.log.exists() else ""

    def close(self) -> None:
        if self.child is not None:
            self.signal(signal.SIGCONT)
            self.kill()
        self.line.close()


class Several(Storm):
    """Several daemons, their robots, and what befalls them."""

    def __init__(
        self, folder: Path, seed: int, roles: Sequence[str], tables: int, silent: int, patience: int, is_again: bool
    ) -> None:
        super().__init__(folder, seed, [GAME])
        self.url = server().fresh()
        self.roles, self.patience, self.is_again = roles, patience, is_again
        seconds = REPLY_WITHIN if silent else 3600
        self.world.settings = SETTINGS.format(url=self.url, seconds=seconds, confirms=str(is_again).lower())
        self.world.imap = {"poll_every": "1s"}
        self.world.games = f"[games.{GAME}]\ntables = {tables}\n"
        self.robots = {}
        for number in range(2 * tables):
            robot = Robot(f"P{_letters(number)} Lee", f"p{number}@example.net", GAME)
            self.robots[robot.address] = robot
        self.robots[OPERATOR] = Robot("Boss", OPERATOR, "")
        self.silent = {f"p{2 * number}@example.net" for number in range(silent)}
        self.faults: Counter[str] = Counter()
        self.members: list[Member] = []
        self.forks = HastyForks()

    def start(self) -> None:
        self.world.start()
        self.is_storming = self.is_again
        self.members = [
            Member(f"member{number}", self.world, self.forks, self.url, roles)
            for number, roles in enumerate(self.roles)
        ]
        for member in self.members:
            member.start()
        for member in self.members:  # on a busy machine a start takes longer than a storm is quiet before it is over
            wait_until(member.is_serving, "a daemon")
        for robot in self.robots.values():
            self.register(robot)

    def close(self) -> None:
        for member in self.members:
            member.close()
        self.forks.close()
        self.world.stop()

    def tap(self, robot: Robot, letter: ReadLetter, code: str) -> None:
        if not code or not self.is_done_with(robot, code):
            super().tap(robot, letter, code)

    def is_done_with(self, robot: Robot, code: str) -> bool:
        """Does this robot answer nothing in an episode any more?"""
        return robot.address in self.silent and len(robot.tapped.get(code, ())) >= self.patience

    def fire(self, faults: int, progress: int = 20) -> None:
        """Kill, freeze and cut until so many faults befell."""
        began = time.monotonic()
        due = began + 2.0
        while (self.faults.total() < faults or any(each.trouble for each in self.members)) and not self.wrong:
            self.play()
            self.look_after(self.members)
            healthy = [each for each in self.members if not each.trouble]
            if time.monotonic() > due and healthy and self.faults.total() < faults:
                due = time.monotonic() + self.dice.uniform(0.1, 2.5)
                self.befall(self.dice.choice(healthy))
                if progress and self.faults.total() % progress == 0:
                    say(f"{self.summary()} ({time.monotonic() - began:.0f} s)")
            if time.monotonic() - self.last_news > STUCK_SECONDS:
                self.wrong.append(f"nothing came for {STUCK_SECONDS:.0f} s")
            time.sleep(0.02)

    def befall(self, member: Member, kind: str = "", seconds: float | None = None) -> None:
        """Something bad, which lasts a while."""
        kind = kind or self.dice.choice(("kill", "kill", "freeze", "freeze", "reset", "swallow"))
        self.faults[kind] += 1
        member.trouble = kind
        if kind == "kill":
            member.kill()
            lasts = self.dice.uniform(0.0, 1.0)
        elif kind == "freeze":
            member.signal(signal.SIGSTOP)
            lasts = self.dice.uniform(LEASE, LONGEST_FREEZE)
        elif kind == "reset":
            member.line.reset()
            member.line.refuse()
            lasts = self.dice.choice((0.0, self.dice.uniform(0.0, 4.0)))
        else:
            member.swallow()
            lasts = self.dice.uniform(LEASE, LONGEST_FREEZE)
        member.ends = time.monotonic() + (lasts if seconds is None else seconds)

    def look_after(self, members: Sequence[Member]) -> None:
        """What has lasted long enough ends; who gave up at the start for want of a server is started again."""
        for member in members:
            if member.trouble and time.monotonic() > member.ends:
                if member.trouble == "freeze":
                    member.signal(signal.SIGCONT)
                elif member.trouble != "kill":
                    member.line.heal()
                member.trouble = ""
            if member.trouble != "kill" and (member.child is None or member.child.poll() is not None):
                if member.child is not None:
                    self.gave_up(member, member.wait())
                member.start()

    def gave_up(self, member: Member, status: int) -> None:
        self.exits += 1
        last = member.words().splitlines()[-1:]
        if status != 1 or not last or not CANNOT_START.search(last[0]):
            self.wrong.append(f"{member.name} ended with status {status}: {last}")

    def calm(self, seconds: float = 240.0) -> None:
        self.is_storming = False
        for member in self.members:
            member.ends = 0.0
        end = time.monotonic() + seconds
        self.last_news = time.monotonic()
        while True:
            busy = self.is_busy()  # asked before the last look at the letters
            self.play()
            if not busy and time.monotonic() - self.last_news >= QUIET_SECONDS:
                break
            self.look_after(self.members)
            if time.monotonic() > end:
                self.wrong.append(f"it did not come to rest: {self.is_busy()}")
                break
            time.sleep(0.05)
        for member in self.members:
            member.signal(signal.SIGTERM)
            status = member.wait()
            if status != 0:
                self.wrong.append(f"SIGTERM ended {member.name} with status {status}")

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        """What the database says, asked past the lines that are cut."""
        with psycopg.connect(self.url) as connection:
            return connection.execute(sql.encode()).fetchall()

    def check(self) -> list[str]:
        self.check_answers()
        self.check_database()
        self.check_commands()
        self.check_records()
        self.check_deadlines()
        for member in self.members:
            self.wrong += [f"{member.name} has a traceback: {each}" for each in tracebacks(member.words())]
        return self.wrong

    def check_database(self) -> None:
        """As the storm does, on a copy of the tables that it looks at."""
        with closing(sqlite3.connect(self.folder / "podium.db")) as copy:
            for table, columns in (("letters", "token, address, state, packed, kind"), ("inbound", "id, state, note")):
                copy.execute(f"CREATE TABLE {table} ({columns})")
                marks = ", ".join("?" for _ in columns.split(","))
                copy.executemany(
                    f"INSERT INTO {table} VALUES ({marks})", self.rows(f"SELECT {columns} FROM {table} ORDER BY id")
                )
            copy.commit()
        super().check_database()

    def check_deadlines(self) -> None:
        """Every question that ended in silence is one line of one record, of somebody who was silent on purpose."""
        names = {robot.name.split()[0]: robot for robot in self.robots.values()}
        questions = Counter(
            self.rows(
                "SELECT code, name FROM questions JOIN episodes ON episodes.id = episode_id JOIN seats USING (episode_id, "
                "seat) WHERE outcome = 'timeout'"
            )
        )
        found = "SELECT code, text FROM record_lines JOIN episodes ON episodes.id = episode_id WHERE text LIKE '{\"timeout\"%'"
        lines = Counter((code, json.loads(line)["timeout"]) for code, line in self.rows(found))
        alerts = [
            ReadLetter(unpack(packed)) for (packed,) in self.rows("SELECT packed FROM letters WHERE kind = 'alert'")
        ]
        told = sum(" ".join(alert.text.split()).count("let a deadline pass in") for alert in alerts)
        if questions != lines:
            self.wrong.append(f"deadlines that ended questions: {questions}; that stand in records: {lines}")
        if told != lines.total():
            self.wrong.append(f"alerts tell of {told} deadlines of {lines.total()}")
        innocent = [(code, name) for code, name in lines if not self.is_done_with(names[name], code)]
        if innocent:
            self.wrong.append(f"{innocent} answered in time and lost by time")
        self.timeouts = lines.total()

    def summary(self) -> str:
        befell = ", ".join(f"{kind} {count}" for kind, count in sorted(self.faults.items()))
        return f"{super().summary()}; faults {self.faults.total()} ({befell})"


def several(
    folder: Path,
    seed: int,
    roles: Sequence[str] = (EVERYTHING, EVERYTHING),
    tables: int = 8,
    silent: int = 0,
    patience: int = 0,
    faults: int = 0,
    is_again: bool = False,
    progress: int = 0,
) -> Several:
    """Episodes at `tables` tables, played by processes with these roles; what does not hold stands in `wrong`.

    `silent` of the robots answer nothing in an episode after `patience` commands; with `is_again` all register again after
    each, while faults befall.
    """
    made = Several(folder, seed, roles, tables, silent, patience, is_again)
    try:
        made.start()
        made.fire(faults, progress)
        made.calm()
        made.check()
    finally:
        made.close()
    return made


def tracebacks(log: str) -> list[str]:
    """Those in a log that tell of more than a database that was away for a moment."""
    found = re.findall(
        r"^Traceback \(most recent call last\):\n(?:[ \t].*\n|\n|The above.*\n|During.*\n)*.*", log, re.M
    )
    return [each[-1500:] for each in found if not PASSING.search(each)]


def _letters(number: int) -> str:
    return f"{chr(97 + number // 26)}{chr(97 + number % 26)}"


def main() -> int:
    parser = argparse.ArgumentParser(description="Several processes on one PostgreSQL, killed, frozen and cut off.")
    parser.add_argument("--faults", type=int, default=200)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--tables", type=int, default=8)
    parser.add_argument("--silent", type=int, default=3)
    parser.add_argument("--patience", type=int, default=0)
    parser.add_argument("--roles", nargs="+", default=[EVERYTHING] * 3)
    arguments = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="podium-several-"))
    folder.chmod(0o755)
    began = time.monotonic()
    made = several(
        folder,
        arguments.seed,
        arguments.roles,
        arguments.tables,
        arguments.silent,
        arguments.patience,
        arguments.faults,
        is_again=True,
        progress=20,
    )
    words = f"{made.summary()}, deadlines {made.timeouts}, seconds {time.monotonic() - began:.0f}"
    return report(made, folder, words)


if __name__ == "__main__":
    sys.exit(main())
