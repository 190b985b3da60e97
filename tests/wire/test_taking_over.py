"""A seat that changes hands behind Dovecot and a real SMTP server: asked for, allowed, agreed to and played by mail."""

import functools
import time

import pytest

from host.demo.robot import ReadLetter
from host.games import GAMES
from host.turn.question_bank import starter
from tests.patience import SECONDS, wait_until
from tests.store.server import server
from tests.wire.conftest import MakeWorld
from tests.wire.test_episode import records_of, verify_all, words
from tests.wire.world import Person, World

pytestmark = [pytest.mark.dovecot, pytest.mark.storm]

GAME = GAMES["split-decision"]
SETTINGS = "[security]\nconfirm_registration = false\n"


def know_questions(world: World) -> None:
    assert world.podium("questions", "import", "starter").returncode == 0
    world.known = {entry.ask: entry.answers[0] for entry in starter(GAME)}


def has_heard(person: Person, sentence: str) -> bool:
    person.new_letters()
    return any(sentence in words(letter) for letter in person.all)


def asked_about(person: Person) -> ReadLetter:
    """The letter that asks whether the seat may change hands."""

    def look() -> ReadLetter | None:
        person.new_letters()
        return next(
            (letter for letter in person.all if letter.kind == "ready" and "in the place of Bob" in words(letter)), None
        )

    found: ReadLetter = wait_until(look, f"the question to {person.name}")
    return found


def is_of_episode(letter: ReadLetter) -> bool:
    return letter.headers.get("x-podium-episode", "").startswith("SD-")


def play_on(people: list[Person]) -> None:
    """Everybody taps what they are asked, until all have their result."""
    end = time.monotonic() + 4 * SECONDS
    for person in people:
        person.new_letters()
        asked = [each for each in person.all if each.links and each.kind != "ready" and is_of_episode(each)]
        if asked:
            person.tap(asked[-1])
    while not all(any(letter.kind == "result" for letter in person.all) for person in people):
        assert time.monotonic() < end, "no result came"
        for person in people:
            person.tap_all()
        time.sleep(0.02)


@pytest.mark.parametrize("where", ["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)])
def test_who_takes_over_plays_to_the_end(make_world: MakeWorld, where: str) -> None:
    url = server().fresh() if where == "postgresql" else ""
    settings = SETTINGS + (f'[database]\nurl = "{url}"\n' if url else "")
    world = make_world(settings, games=f"[games.{GAME.slug}]\nseats = 3\n")
    world.subject = GAME.subject
    know_questions(world)
    world.run_daemon()
    ann, bob, cleo, dov = (
        Person(world, name, f"{name[:3].lower()}@example.net") for name in ("Ann Lee", "Bob Ray", "Cleo Fox", "Dov Orr")
    )
    boss = Person(world, "Boss", "boss@example.com")
    for person in (ann, bob, cleo):
        person.register()
    for person in (ann, bob, cleo):
        person.tap(person.wait_for("begin"))
    dov.register()
    dov.answer(dov.wait_for("registered"), "take over SD-1")
    assert "The host hears of it" in words(dov.wait_for("help"))
    alert = boss.wait_for("alert")
    assert "Dov would take over a seat in SD-1" in words(alert)
    boss.answer(alert, "seat SD-1 Bob dov@example.net")
    letters = {person: asked_about(person) for person in (ann, bob, cleo, dov)}
    world.kill()
    for person in (ann, dov, cleo):
        person.answer(letters[person], "Yes, gladly!")
    world.run_daemon()
    bob.answer(letters[bob], "yes")
    for person in (ann, bob, cleo, dov, boss):
        wait_until(functools.partial(has_heard, person, "in the seat that was Bob's"), f"the news to {person.name}")
    old = [letter for letter in bob.all if letter.kind in ("begin", "turn")][-1]
    bob.answer(old, "pass")
    assert "Somebody else plays in your seat in SD-1 now" in words(bob.wait_for("help"))
    play_on([ann, cleo, dov])
    assert [name for name, _ in records_of(dov)] == ["SD-1.jsonl"]
    assert b'"Bob"' not in records_of(dov)[0][1]
    verify_all(world, [ann, cleo, dov])
    assert "Traceback" not in world.log(), world.log()[-3000:]
