"""The other games behind Dovecot: robots tap links and type some answers, to the end, while the daemon is killed."""

import random
import time

import pytest
from sqlalchemy import update

from host.cli.terminal import SLUGS
from host.config import load
from host.demo.robot import ReadLetter
from host.engine.game import usual_seats
from host.games import GAMES
from host.store.database import open_store
from host.store.schema import Episode
from host.turn.question_bank import starter
from tests.patience import wait_until
from tests.wire.conftest import MakeWorld
from tests.wire.test_episode import check_commands, check_letters, records_of, verify_all, words
from tests.wire.world import Person, World

pytestmark = pytest.mark.dovecot

NAMES = ("Ann Lee", "Bob Ray", "Cleo Fox", "Dov Orr")
OTHERS = [slug for slug in GAMES if slug != "champ-cards"]
OPTIONS = {"bluffjack": "max_hands = 3"}
"""So that an episode is over in half a minute."""
VARIANT = "max_hands = 2, more_betting = true, two_bets = true, charlie = 5, longer_charlie = true"
TABLES = [pytest.param(slug, max(2, usual_seats(GAMES[slug])), OPTIONS.get(slug, ""), id=slug) for slug in OTHERS]
TABLES.append(pytest.param("bluffjack", 4, VARIANT, id="bluffjack-more-betting"))
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


@pytest.mark.storm
@pytest.mark.parametrize(("slug", "seats", "options"), TABLES)
def test_robots_play_it_to_the_end_through_kills(slug: str, seats: int, options: str, make_world: MakeWorld) -> None:
    game = GAMES[slug]
    games = f"[games.{slug}]\nseats = {seats}\noptions = {{ {options} }}\n"
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


@pytest.mark.storm
def test_an_episode_that_began_under_other_rules_is_paused_when_the_daemon_starts(make_world: MakeWorld) -> None:
    games = "[games.bluffjack]\nseats = 2\noptions = { more_betting = true }\n"
    world = make_world("[security]\nconfirm_registration = false\n", games=games)
    world.subject = GAMES["bluffjack"].subject
    world.run_daemon()
    people = [Person(world, name, f"{name.split()[0].lower()}@example.net") for name in NAMES[:2]]
    for person in people:
        person.register()
    for person in people:
        person.wait_for("begin")
    assert world.terminate() == 0
    with open_store(load(world.config, SLUGS).database.url).engine.begin() as connection:
        connection.execute(update(Episode).values(rules_version=1))
    world.run_daemon()
    operator = Person(world, "Boss", "boss@example.com")
    alert = operator.wait_for("alert")
    assert "podium resume BJ-1 lets it go on" in words(alert)
    for person in people:
        assert "has paused this episode" in words(person.wait_for("news"))
    operator.answer(alert, "resume")
    for person in people:
        assert "from here on those of today hold" in words(wait_until_told(person))
    assert world.terminate() == 0
    assert "Traceback" not in world.log(), world.log()[-3000:]


def wait_until_told(person: Person) -> ReadLetter:
    """The letter that says that the episode goes on."""
    found: ReadLetter = wait_until(
        lambda: next((each for each in person.new_letters() if "The episode goes on" in words(each)), None), "going on"
    )
    return found
