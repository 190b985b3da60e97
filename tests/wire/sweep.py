"""The daemon killed before each callback of its event loop in turn; after a normal restart everything comes out once.

    python -m tests.wire.sweep --step 1

Ann and Bob register and Ann makes the first move, on one pair of servers and a fresh database for every kill.
"""

import argparse
import sys
import time
from collections.abc import Iterable
from pathlib import Path

from tests.patience import SECONDS
from tests.wire.inside import AT_ONCE, Bench, empty
from tests.wire.killed_run import Starter, say
from tests.wire.world import Person, World, a_short_folder

MOVE = "cut 5"


class Sweep:
    """One pair of servers, one scenario played again and again."""

    def __init__(self, folder: Path) -> None:
        self.world = World(folder, AT_ONCE)
        self.world.start()
        self.bench = Bench(self.world)
        self.starter = Starter(self.world.surroundings())
        self.log = folder / "daemon.log"

    def close(self) -> None:
        """End all processes."""
        self.starter.close()
        self.bench.close()
        self.world.stop()

    def play(self, at: int) -> bool:
        """The scenario with a kill before callback `at`; False where it was over before. Raises AssertionError."""
        empty(self.world)
        ann, bob = self.bench.somebody(), self.bench.somebody()
        for person in (ann, bob):
            self.bench.deliver(person)
        arguments = ["run", "--config", str(self.world.config)]
        self.starter.start(arguments, self.log, at)
        was_killed, has_moved, quiet_since = False, False, time.monotonic()
        end = time.monotonic() + SECONDS
        while True:
            assert time.monotonic() < end, f"at {at}: {[each.kind for each in (*ann.all, *bob.all)]}"
            if self.starter.has_ended:
                assert self.starter.wait() == -9, f"at {at}: the daemon ended by itself"
                assert not was_killed
                was_killed = True
                self.starter.start(arguments, self.log)
            is_quiet = has_moved and self.is_quiet()  # asked before the last look at the letters
            letters = [*ann.new_letters(), *bob.new_letters()]
            if letters:
                quiet_since = time.monotonic()
            begin = next((each for each in ann.all if each.kind == "begin"), None)
            if begin is not None and not has_moved:
                ann.answer(begin, MOVE)
                has_moved = True
            is_done = is_quiet and any(each.kind == "turn" for each in ann.all)
            if is_done and time.monotonic() - quiet_since > 0.3:
                break
            time.sleep(0.01)
        assert self.starter.kill(15) == 0 or not was_killed
        self.check(at, ann, bob)
        return was_killed

    def is_quiet(self) -> bool:
        """Is nothing under way?"""
        return not self.bench.rows("select id from letters where state <> 'sent'") and not self.bench.rows(
            "select id from inbound where state = 'new'"
        )

    def check(self, at: int, ann: Person, bob: Person) -> None:
        """Three mails, each with one effect and its letters; every copy of a letter as it was written."""
        states = self.bench.rows("select state from inbound order by id")
        assert sorted(str(row[0]) for row in states) == ["answered", "answered", "played"], f"at {at}: {states}"
        episodes = self.bench.rows("select code from episodes")
        assert episodes == [("CC-1",)], f"at {at}: {episodes}"
        said = [str(row[0]) for row in self.bench.rows("select text from record_lines order by line")]
        assert sum(MOVE in line for line in said) == 1, f"at {at}: {said}"
        written = self.bench.rows("select packed, address, kind from letters order by id")
        kinds = [str(row[2]) for row in written]
        assert sorted(kinds) == sorted(self.usual(kinds)), f"at {at}: {kinds}"
        for person in (ann, bob):
            once = {letter.headers["message-id"]: raw for letter, raw in zip(person.all, person.raw, strict=True)}
            assert set(once.values()) == set(person.raw), f"at {at}: a Message-ID carries two mails"
            theirs = sum(row[1] == person.address for row in written)
            assert len(once) == theirs, f"at {at}: {theirs} letters to {person.name}, {len(once)} came"

    @staticmethod
    def usual(kinds: list[str]) -> list[str]:
        """The letters of this scenario; the first `registered` is left out where both registrations are read at once."""
        return (["registered"] if "registered" in kinds else []) + ["begin", "begin", "turn"]


def sweep(folder: Path, numbers: Iterable[int]) -> int:
    """Play it for each number until one is beyond the last callback; gives how often the daemon was killed."""
    made = Sweep(folder)
    kills = 0
    try:
        for number in numbers:
            if not made.play(number):
                break
            kills += 1
            if kills % 50 == 0:
                say(f"{kills} kills, the last before callback {number}")
    finally:
        made.close()
    return kills


def main() -> int:
    parser = argparse.ArgumentParser(description="Kill the daemon before each callback of its event loop.")
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--step", type=int, default=1)
    arguments = parser.parse_args()
    began = time.monotonic()
    with a_short_folder() as folder:
        kills = sweep(folder, range(arguments.first, 1_000_000, arguments.step))
    say(f"kills {kills}, seconds {time.monotonic() - began:.0f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
