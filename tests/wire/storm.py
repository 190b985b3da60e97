"""Episodes under a storm: the daemon is killed at random moments and its connections are cut, until all is let run to quiet.

    python -m tests.wire.storm --kills 1000 --seed 7

Robots tap a link in every letter that asks and register again after each result. At the end every letter, every record
and the database are held against what the robots did. Exit status 1 and the kept folder where something does not hold.
"""

import argparse
import hashlib
import json
import os
import random
import shutil
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from host.cli.format import commitment_in
from host.demo.robot import ReadLetter, tap, write
from host.engine.game import usual_seats
from host.games import GAMES
from host.store.packing import unpack
from host.turn.question_bank import starter
from tests.wire import dovecot
from tests.wire.killed_run import Starter, say
from tests.wire.proxy import Proxy
from tests.wire.recorded import holds
from tests.wire.world import World

FIRST_NAMES = "Ann Bob Cleo Dov Eve Finn Gus Hana Ivo Jill Kurt Lena Mo Nora Otto Pia".split()
OPTIONS = {"bluffjack": "options = { max_hands = 3 }\n"}
MANY_REGISTRATIONS = "[security]\nregistrations_an_hour = 10000\nregistrations_a_day = 1000\n"
OPERATOR = "boss@example.com"
LONGEST_LIFE = 2.0
QUIET_SECONDS = 3.0
STUCK_SECONDS = 90.0
SMTP_LINES = ("^EHLO", "^MAIL", "^RCPT", "^DATA", r"^\.\r$", "^QUIT")
IMAP_LINES = ("LOGIN", "SELECT", "UID SEARCH", "UID FETCH", "NOOP", "IDLE", "^DONE")
UNDER_WAY = (
    "SELECT 'episode ' || code FROM episodes WHERE over_at IS NULL UNION ALL "
    "SELECT 'letter ' || id FROM letters WHERE state IN ('queued', 'sending') UNION ALL "
    "SELECT 'mail ' || id FROM inbound WHERE state = 'new'"
)


@dataclass
class Robot:
    """Whoever taps, and what reached them: Message-ID to the hash of its mail. `last` counts the lines of the last mail."""

    name: str
    address: str
    game: str
    letters: dict[str, str] = field(default_factory=dict)
    copies: int = 0
    answered: Counter[str] = field(default_factory=Counter)
    tapped: dict[str, list[str]] = field(default_factory=dict)
    last: dict[str, int] = field(default_factory=dict)
    promised: dict[str, str | None] = field(default_factory=dict)
    records: dict[str, bytes] = field(default_factory=dict)


class Storm:
    """A world, its robots, and the weather."""

    def __init__(self, folder: Path, seed: int, games: Sequence[str], spare: int = 1) -> None:
        self.dice = random.Random(seed)
        self.folder = folder
        tables = [f"[games.{each}]\nseats = {_seats(each)}\n{OPTIONS.get(each, '')}" for each in games]
        self.world = World(folder, MANY_REGISTRATIONS, games="".join(tables))
        self.archive = folder / "letters"
        self.archive.mkdir()
        names = iter(FIRST_NAMES)
        self.robots: dict[str, Robot] = {}
        for each in games:
            for name in [next(names) for _ in range(_seats(each) + spare)]:
                robot = Robot(f"{name} Lee", f"{name.lower()}@example.net", each)
                self.robots[robot.address] = robot
        self.robots[OPERATOR] = Robot("Boss", OPERATOR, "")
        self.games = games
        self.kills = self.cuts = self.exits = self.commands = 0
        self.is_storming = True
        self.wrong: list[str] = []
        self.last_news = time.monotonic()
        self.next_cut = 0.0

    def start(self) -> None:
        """Servers, proxies, the first registrations."""
        self.world.start()
        self.imap, self.smtp = Proxy(self.world.dovecot.imap_port), Proxy(self.world.smtp_port)
        self.world.imap["port"], self.world.smtp_settings["port"] = self.imap.port, self.smtp.port
        self.world.write_config()
        self.starter = Starter(self.world.surroundings())
        for each in self.games:
            game = GAMES[each]
            if game.bank:
                done = self.world.podium("questions", "import", "starter")
                assert done.returncode == 0, done.stderr
                self.world.known |= {entry.ask: entry.answers[0] for entry in starter(game)}
        for robot in self.robots.values():
            self.register(robot)

    def close(self) -> None:
        """End all processes."""
        if hasattr(self, "starter"):
            self.starter.close()
            self.imap.close()
            self.smtp.close()
        self.world.stop()

    def run_daemon(self) -> None:
        """Fork one daemon."""
        self.starter.start(["run", "--config", str(self.world.config)], self.folder / "daemon.log")

    def register(self, robot: Robot) -> None:
        """A first registration, or the next."""
        if robot.game:
            subject = GAMES[robot.game].subject
            body = f"Name: {robot.name}\nHometown: Springfield"
            raw = write(robot.address, robot.name, dovecot.ADDRESS, subject, body)
            self.world.send(raw, robot.address, dovecot.ADDRESS)

    def weather(self, kills: int, progress: int = 50) -> None:
        """Kill and cut until the daemon was killed so often; where it brings nothing for long, it is let live longer.

        On a busy machine a start alone may take as long as the longest life.
        """
        began = time.monotonic()
        while self.kills < kills and not self.wrong:
            self.run_daemon()
            end = time.monotonic() + self.dice.uniform(0, LONGEST_LIFE + self.quiet() / 5)
            while time.monotonic() < end and not self.starter.has_ended:
                self.play()
                self.cut_now_and_then()
                time.sleep(0.02)
            if self.starter.has_ended:
                self.ended_by_itself(self.starter.wait())
            else:
                self.starter.kill()
                self.kills += 1
                if progress and self.kills % progress == 0:
                    say(f"{self.summary()} ({time.monotonic() - began:.0f} s)")
            if self.quiet() > STUCK_SECONDS:
                self.wrong.append(f"nothing came for {STUCK_SECONDS:.0f} s")

    def quiet(self) -> float:
        """For how many seconds nothing came."""
        return time.monotonic() - self.last_news

    def ended_by_itself(self, status: int) -> None:
        """A daemon whose first connections are cut may end with one sentence; nothing else may end it."""
        self.exits += 1
        last = (self.folder / "daemon.log").read_text().splitlines()[-1:]
        if status != 1 or not last or "cannot be used" not in last[0]:
            self.wrong.append(f"the daemon ended with status {status}: {last}")

    def cut_now_and_then(self) -> None:
        """Every second or two, one of the faults of a bad line. One that waits for its line has to strike before the next is set:
        on a busy machine more would come than the daemon meets, and nothing would get through.
        """
        if time.monotonic() < self.next_cut:
            return
        self.next_cut = time.monotonic() + self.dice.uniform(0.3, 2.5)
        proxy = self.dice.choice((self.imap, self.smtp))
        kind = self.dice.randrange(4)
        if kind > 1 and (proxy.has_faults("client") or proxy.has_faults("server")):
            return
        self.cuts += 1
        if kind == 0:
            proxy.cut()
        elif kind == 1:
            proxy.reset()
        elif kind == 2:
            lines = IMAP_LINES if proxy is self.imap else SMTP_LINES
            proxy.fault(self.dice.choice(lines), passes=self.dice.random() < 0.5)
        else:
            pattern = r"BODY\[\]" if proxy is self.imap else "^250"
            proxy.fault(pattern, side="server", after=self.dice.randrange(1, 400) if proxy is self.imap else 0)

    def play(self) -> int:
        """Read what came and answer it; gives how many letters that was."""
        with os.scandir(self.world.spool) as entries:
            files = sorted(entry.name for entry in entries if entry.name.endswith(".eml"))
        for name in files:
            kept = self.archive / name
            (self.world.spool / name).rename(kept)
            self.take(self.robots[name.split("-", 2)[2].removesuffix(".eml")], kept)
        if files:
            self.last_news = time.monotonic()
        return len(files)

    def take(self, robot: Robot, file: Path) -> None:
        """One letter reached one robot."""
        raw = file.read_bytes()
        letter = ReadLetter(raw)
        message_id, content = letter.headers["message-id"], _hash(raw)
        if message_id in robot.letters:
            robot.copies += 1
            if robot.letters[message_id] != content:
                self.wrong.append(f"{message_id} carries two mails: {file.name}")
            return
        robot.letters[message_id] = content
        if letter.headers.get("auto-submitted") == "auto-replied":
            robot.answered[letter.headers.get("in-reply-to", "")] += 1
        if letter.kind == "refused":
            self.wrong.append(f"a tapped link was refused: {file.name}")
        code = letter.headers.get("x-podium-episode", "")
        if code and code not in robot.promised:
            robot.promised[code] = commitment_in(raw)
        if letter.kind == "result":
            robot.records[code] = _record_in(raw, code)
            if self.is_storming:
                self.register(robot)
        elif letter.links and (letter.asks or robot.address == OPERATOR):
            self.tap(robot, letter, code)

    def tap(self, robot: Robot, letter: ReadLetter, code: str) -> None:
        """Tap one link, and remember what it says."""
        raw = tap(letter, robot.address, robot.name, self.dice, self.world.known)
        assert raw is not None
        lines = [line.strip() for line in ReadLetter(raw).text.split("\n") if line.strip()]
        robot.tapped.setdefault(code, []).extend(lines)
        robot.last[code] = len(lines)
        self.commands += len(lines) if code else 0
        self.world.send(raw, robot.address, letter.headers["reply-to"])

    def calm(self, seconds: float = 240.0) -> None:
        """No more weather, no more registrations: let everything run to its end."""
        self.is_storming = False
        self.imap.heal()
        self.smtp.heal()
        self.run_daemon()
        end = time.monotonic() + seconds
        self.last_news = time.monotonic()
        while True:
            busy = self.is_busy()  # asked before the last look at the letters
            self.play()
            if not busy and self.quiet() >= QUIET_SECONDS:
                break
            if time.monotonic() > end or self.starter.has_ended:
                self.wrong.append(f"it did not come to rest: {self.is_busy()}")
                break
            time.sleep(0.05)
        if not self.starter.has_ended:
            status = self.starter.kill(15)
            if status != 0:
                self.wrong.append(f"SIGTERM ended it with status {status}")

    def is_busy(self) -> list[str]:
        """What is still under way; who has heard nothing wrote, and was not read yet."""
        unheard = [f"{each.name} is not heard" for each in self.robots.values() if each.game and not each.letters]
        return unheard or [str(row[0]) for row in self.rows(UNDER_WAY)]

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        """What the database says."""
        with closing(sqlite3.connect(f"file:{self.folder / 'podium.db'}?mode=ro", uri=True, timeout=10)) as database:
            return database.execute(sql).fetchall()

    def check(self) -> list[str]:
        """What does not hold; empty where all is well."""
        self.check_answers()
        self.check_database()
        self.check_commands()
        self.check_records()
        log = (self.folder / "daemon.log").read_text()
        if "Traceback" in log:
            self.wrong.append("the log has a traceback: ..." + log[log.index("Traceback") :][:1500])
        return self.wrong

    def check_answers(self) -> None:
        for robot in self.robots.values():
            twice = [message_id for message_id, times in robot.answered.items() if times > 1]
            if twice:
                self.wrong.append(f"mails of {robot.name} were answered twice: {twice}")

    def check_database(self) -> None:
        """Every letter that was written reached its robot, as it was written; every mail is worked off."""
        with sqlite3.connect(f"file:{self.folder / 'podium.db'}?mode=ro", uri=True) as database:
            letters = database.execute("select token, address, state, packed, kind from letters").fetchall()
            mails = database.execute("select id, state, note from inbound").fetchall()
        database.close()
        known = {message_id for robot in self.robots.values() for message_id in robot.letters}
        for token, address, state, packed, kind in letters:
            message = unpack(packed)
            message_id = ReadLetter(message).headers["message-id"]
            known.discard(message_id)
            reached = self.robots[address].letters.get(message_id)
            if state != "sent" or reached is None:
                self.wrong.append(f"the {kind} letter {token} to {address} is {state}, reached: {reached is not None}")
            elif reached != _hash(message):
                self.wrong.append(f"the {kind} letter {token} to {address} is not what was written")
        self.wrong += [f"{message_id} came and is not in the database" for message_id in known]
        self.wrong += [
            f"mail {row} is {state}: {note}" for row, state, note in mails if state in ("new", "quarantined")
        ]
        self.wrong += [f"mail {row} was refused: {note}" for row, state, note in mails if state == "refused"]

    def check_commands(self) -> None:
        """Every tapped command stands in its record once and in its order, and no other does."""
        for robot in self.robots.values():
            for code, tapped in robot.tapped.items():
                if robot.address == OPERATOR or not code:
                    continue
                if code not in robot.records:
                    self.wrong.append(f"{robot.name} has no record of {code}")
                    continue
                lines = [json.loads(line) for line in robot.records[code].decode().splitlines()[1:]]
                said = [line["say"] for line in lines if line.get("from") == robot.name.split()[0]]
                if not holds(code, tapped, said, robot.last[code]):
                    self.wrong.append(f"{robot.name} tapped {tapped} in {code}, the record has {said}")

    def check_records(self) -> None:
        """All records of an episode are alike, verify against what each first mail promised, and replay."""
        files: dict[str, bytes] = {}
        for robot in self.robots.values():
            for code, record in robot.records.items():
                if files.setdefault(code, record) != record:
                    self.wrong.append(f"two records of {code} differ")
        if not files:
            self.wrong.append("no episode came to its end")
            return
        promises = {(code, each.promised[code]) for each in self.robots.values() for code in each.records}
        for code, record in files.items():
            (self.folder / f"{code}.jsonl").write_bytes(record)
        self.podium("replay", [f"{self.folder / code}.jsonl" for code in files])
        verified = self.podium("verify", [f"{self.folder / code}.jsonl" for code in files])
        for code, promised in promises:
            if promised is None:
                self.wrong.append(f"the first mail of {code} promises nothing")
            elif promised != json.loads(files[code].splitlines()[0])["commitment"]:
                self.wrong.append(f"{code} has another commitment than its first mail")
        if not verified:
            self.wrong.append("podium verify said nothing")

    def podium(self, command: str, files: list[str]) -> str:
        done = self.world.podium(command, *files)
        if done.returncode != 0:
            self.wrong.append(
                f"podium {command} ended with {done.returncode}: {done.stdout[-500:]}{done.stderr[-500:]}"
            )
        return done.stdout

    def summary(self) -> str:
        """The numbers so far, in one line."""
        robots = self.robots.values()
        episodes = len({code for robot in robots for code in robot.records})
        letters = sum(len(robot.letters) for robot in robots)
        copies = sum(robot.copies for robot in robots)
        return (
            f"kills {self.kills}, cuts {self.cuts}, starts that failed {self.exits}, episodes {episodes}, "
            f"commands {self.commands}, letters {letters}, duplicates by Message-ID {copies}"
        )


def storm(folder: Path, kills: int, seed: int, games: Sequence[str], spare: int = 1, progress: int = 50) -> Storm:
    """The whole of it; what does not hold stands in `wrong`. Of each game `spare` robots wait for the next episode."""
    made = Storm(folder, seed, games, spare)
    try:
        made.start()
        made.weather(kills, progress)
        made.calm()
        made.check()
    finally:
        made.close()
    return made


def _seats(slug: str) -> int:
    return max(2, usual_seats(GAMES[slug]))


def _hash(raw: bytes) -> str:
    return hashlib.sha256(raw.replace(b"\r\n", b"\n").rstrip(b"\n")).hexdigest()


def _record_in(raw: bytes, code: str) -> bytes:
    import email

    for part in email.message_from_bytes(raw).walk():
        if part.get_filename() == f"{code}.jsonl":
            payload = part.get_payload(decode=True)
            assert isinstance(payload, bytes)
            return payload
    return b""


def main() -> int:
    parser = argparse.ArgumentParser(description="Episodes while the daemon is killed and its connections are cut.")
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument(
        "--games", nargs="+", choices=sorted(GAMES), default=["champ-cards", "champion-poker", "bluffjack"]
    )
    arguments = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="podium-storm-"))
    folder.chmod(0o755)
    began = time.monotonic()
    made = storm(folder, arguments.kills, arguments.seed, arguments.games)
    return report(made, folder, f"{made.summary()}, seconds {time.monotonic() - began:.0f}")


def report(made: Storm, folder: Path, words: str) -> int:
    """Say what came out; gives the exit status. The folder is kept where something does not hold."""
    say(words)
    for line in made.wrong:
        say(f"WRONG {line}")
    if made.wrong:
        say(f"The folder is kept: {folder}")
        return 1
    shutil.rmtree(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
