"""While people play, hostile mail comes in at ten a second: nobody waits for it, no deadline is late, nothing grows."""

import contextlib
import random
import sqlite3
import sys
import threading
import time
from collections import Counter
from pathlib import Path

import pytest

from host.demo.robot import ReadLetter, write
from host.turn.held import MOST_HELD
from tests.patience import wait_until
from tests.wire import dovecot
from tests.wire.conftest import MakeWorld
from tests.wire.inside import deliver
from tests.wire.strangers import hostile
from tests.wire.world import Person, World

pytestmark = pytest.mark.dovecot

MOVES = 20
"""So many moves are made while strangers write."""
A_SECOND = 10
MOST_MEMORY = 600
"""Megabytes of the daemon and its readers together."""


class Strangers:
    """Somebody who writes hostile mail, ten a second, until told to stop."""

    def __init__(self, world: World) -> None:
        self.world, self.sent, self._stop = world, 0, threading.Event()
        self._thread = threading.Thread(target=self._write)

    def _write(self) -> None:
        began = time.monotonic()
        for sender, raw in hostile(random.Random(11)):
            if self._stop.wait(max(0.0, began + self.sent / A_SECOND - time.monotonic())):
                return
            with contextlib.suppress(OSError):
                deliver(self.world, raw, sender)
                self.sent += 1

    def __enter__(self) -> "Strangers":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()


def memory(pid: int) -> int:
    """Megabytes that a process and those it started use."""
    total = 0
    for status in Path("/proc").glob("[0-9]*/status"):
        with contextlib.suppress(OSError, KeyError):
            fields = dict(line.split(":", 1) for line in status.read_text().splitlines() if ":" in line)
            if pid in (int(fields["Pid"]), int(fields["PPid"])):
                total += int(fields.get("VmRSS", "0 kB").split()[0])
    return total // 1024


def rows(world: World, query: str) -> list[tuple[object, ...]]:
    with contextlib.closing(sqlite3.connect(world.folder / "podium.db", timeout=10)) as database:
        return database.execute(query).fetchall()


@pytest.mark.storm
def test_strangers_hold_up_nobody(make_world: MakeWorld) -> None:
    world = make_world(
        "[security]\nconfirm_registration = false\n",
        games='[games.champ-cards]\n[games.bluffjack]\nseats = 2\nreply_within = "12s"\n',
    )
    world.run_daemon(is_forked=False)
    assert world.daemon is not None
    ann, bob, cleo, dov = (
        Person(world, name, f"{name[:3].lower()}@example.net") for name in ("Ann A", "Bob B", "Cle C", "Dov D")
    )
    for person in (ann, bob):
        person.register()
    wait_until(lambda: person_with_question([ann, bob]), "the first question")
    moves, peak = 0, 0
    boss = Person(world, "Boss", "boss@example.com")
    with Strangers(world) as strangers:
        world.subject = "Bluffjack Contestant Registration"
        for person in (cleo, dov):
            person.register()
        while moves < MOVES and not is_over([ann, bob]):
            asked = wait_until(lambda: person_with_question([ann, bob]) or is_over([ann, bob]), "a question")
            if isinstance(asked, Person):
                is_answered(asked, [ann, bob])
                moves += 1
            peak = max(peak, memory(world.daemon.pid))
        wait_until(lambda: is_forfeit([cleo, dov]), "a forfeit, while strangers go on writing")
    assert strangers.sent > 0
    sys.stdout.write(f"{strangers.sent} hostile mails; {moves} moves; {peak} MB\n")
    assert peak < MOST_MEMORY
    wait_until(lambda: not rows(world, "select id from inbound where state = 'new'"), "all mail worked off")
    states = Counter(state for (state,) in rows(world, "select state from inbound where not is_known"))
    assert set(states) <= {"stranger", "deferred", "answered", "refused", "silent"}, states
    assert rows(world, "select id from inbound where state = 'stranger' and raw is not null") == []
    boss.new_letters()
    assert all("could not be handled" not in letter.text for letter in boss.all)
    assert world.terminate() == 0


def person_with_question(people: list[Person]) -> Person | None:
    """Somebody whose last letter asks."""
    for person in people:
        person.new_letters()
    return next((each for each in people if each.all and each.all[-1].asks and each.all[-1].links), None)


def is_over(people: list[Person]) -> bool:
    """Has somebody the episode's result?"""
    for person in people:
        person.new_letters()
    return any(letter.kind == "result" for person in people for letter in person.all)


def is_answered(person: Person, people: list[Person]) -> None:
    """Tap a link, and wait for the next letter to anybody in the episode."""
    before = sum(len(each.all) for each in people)
    person.tap(person.all[-1])

    def look() -> bool:
        for each in people:
            each.new_letters()
        return sum(len(each.all) for each in people) > before

    wait_until(look, f"an answer to {person.name}")


def is_forfeit(people: list[Person]) -> bool:
    """Was somebody told that their time was over?"""
    for person in people:
        person.new_letters()
    return any(letter.kind == "timeout" for person in people for letter in person.all)


def large(letter: ReadLetter, sender: str, number: int) -> bytes:
    """A reply of 560 kB, hard to take apart, from an address that is not the contestant's."""
    head = (
        f"From: Somebody <{sender}>\r\nTo: {letter.headers['reply-to']}\r\nSubject: Re\r\nMessage-ID: <{number}@x>\r\n"
    )
    body = "cut 5\r\n\r\n" + "<p>x<div><b>\r\n" * 40_000
    return (head + "Content-Type: text/html\r\n\r\n" + body).encode()


@pytest.mark.storm
def test_what_somebody_has_held_freezes_nobody(make_world: MakeWorld) -> None:
    """A registered person lets large mails be held, and says yes to them."""
    world = make_world("[security]\nconfirm_registration = false\n")
    world.run_daemon(is_forked=False)
    ann, bob = (Person(world, name, f"{name.split()[0].lower()}@example.net") for name in ("Ann Lee", "Bob Ray"))
    for person in (ann, bob):
        person.register()
    asked = wait_until(lambda: person_with_question([ann, bob]), "the first question")
    letter = asked.all[-1]
    for number in range(18):
        deliver(world, large(letter, "else@example.com", number), "else@example.com")
    held = wait_until(lambda: len(rows(world, "select inbound_id from held")) or None, "mail that is held")
    wait_until(lambda: not rows(world, "select id from inbound where state = 'new'"), "all of it read")
    held = len(rows(world, "select inbound_id from held"))
    assert held == MOST_HELD
    asked.new_letters()
    asked.answer(asked.all[-1], "yes")
    wait_until(lambda: rows(world, "select line from record_lines"), "the move that was held")
    wait_until(lambda: not rows(world, "select inbound_id from held"), "all that was held")
    assert world.terminate() == 0


@pytest.mark.storm
def test_registrations_in_the_name_of_others_use_up_no_letters(make_world: MakeWorld) -> None:
    world = make_world()
    world.smtp_settings["letters_a_day"] = 50
    world.write_config()
    world.run_daemon()
    ann, bob = (Person(world, name, f"{name.split()[0].lower()}@example.net") for name in ("Ann Lee", "Bob Ray"))
    for person in (ann, bob):
        person.register()
        person.answer(person.wait_for("confirm"), "confirm")
    wait_until(lambda: person_with_question([ann, bob]), "the first question")
    victim = Person(world, "Vic Tim", "victim@example.net")
    for number in range(60):
        for address in (victim.address, f"s{number}@example.com"):
            raw = write(address, "X", dovecot.ADDRESS, world.subject, f"Name: Zed{number} Zed")
            deliver(world, raw, "eve@example.com")
    wait_until(lambda: len(rows(world, "select id from inbound where state <> 'new'")) >= 124, "all registrations")
    moves = 0
    while moves < 10 and not is_over([ann, bob]):
        asked = wait_until(lambda: person_with_question([ann, bob]) or is_over([ann, bob]), "a question")
        if isinstance(asked, Person):
            is_answered(asked, [ann, bob])
            moves += 1
    assert moves >= 8, "no episode takes fewer"
    victim.new_letters()
    out = len(
        rows(world, "select id from letters where state = 'sent' and purpose in ('confirm', 'name', 'registration')")
    )
    sys.stdout.write(
        f"120 forged registrations, 50 letters a day: {len(victim.all)} letter to the victim, {out} that answer "
        f"registrations; {moves} moves were answered\n"
    )
    assert len(victim.all) == 1
    assert out <= 25
    assert world.terminate() == 0
