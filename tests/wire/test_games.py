"""The other games behind Dovecot: robots tap links and type some answers, to the end, while the daemon is killed."""

import random
import time

import pytest

from host.game import usual_seats
from host.games import GAMES
from host.turn.questions import starter
from tests.wire.conftest import MakeWorld
from tests.wire.test_episode import check_commands, check_letters, records_of, verify_all
from tests.wire.world import Person, World

pytestmark = pytest.mark.dovecot

NAMES = ("Ann Lee", "Bob Ray", "Cleo Fox")
OTHERS = [slug for slug in GAMES if slug != "champ-cards"]
OPTIONS = {"bluffjack": "options = { max_hands = 3 }\n"}
"""So that an episode is over in half a minute."""
KILLS = 2
LONGEST = 200


def play(world: World, people: list[Person], operator: Person, kills: int) -> int:
    """Everybody taps until each has a result; gives how often the daemon was killed."""
    dice = random.Random(5)
    killed, next_kill = 0, time.monotonic() + 1.5
    waiting = set(people)
    end = time.monotonic() + LONGEST
    while waiting:
        assert time.monotonic() < end, f"no result for {[person.name for person in waiting]}"
        for person in people:
            if any(letter.kind == "result" for letter in person.tap_all()):
                waiting.discard(person)
        for letter in operator.new_letters():
            if letter.links:
                operator.tap(letter)
        if killed < kills and time.monotonic() > next_kill:
            world.kill()
            killed += 1
            world.run_daemon()
            next_kill = time.monotonic() + dice.uniform(1.0, 2.5)
        time.sleep(0.02)
    return killed


@pytest.mark.parametrize("slug", OTHERS)
def test_robots_play_it_to_the_end_through_kills(slug: str, make_world: MakeWorld) -> None:
    game = GAMES[slug]
    seats = max(2, usual_seats(game))
    games = f"[games.{slug}]\nseats = {seats}\n{OPTIONS.get(slug, '')}"
    world = make_world("[security]\nconfirm_registration = false\n", games=games)
    world.subject = game.subject
    if game.bank:
        imported = world.podium("questions", "import", "starter")
        assert imported.returncode == 0, imported.stderr
        world.known = {entry.ask: entry.answers[0] for entry in starter(game)}
    world.run_daemon()
    people = [Person(world, name, f"{name.split()[0].lower()}@example.net") for name in NAMES[:seats]]
    for person in people:
        person.register()
    operator = Person(world, "Boss", "boss@example.com")
    killed = play(world, people, operator, KILLS)
    assert killed > 0
    check_letters(people)
    check_commands(people)
    verify_all(world, people)
    assert {name for person in people for name, _ in records_of(person)} == {f"{game.code}-1.jsonl"}
    assert "Traceback" not in world.log(), world.log()[-3000:]
    assert world.terminate() == 0
