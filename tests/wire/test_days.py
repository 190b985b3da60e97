"""How many days an episode takes by real mail: everybody answers all their letters once a day, by what these offer.

`podium simulate` reckons the same without mail; here are Dovecot, a real SMTP server and the daemon.
"""

import random
import sqlite3
from contextlib import closing

import pytest

from host.demo.robot import ReadLetter, opened, write_link
from host.games import GAMES
from host.turn.question_bank import starter
from tests.patience import wait_until
from tests.size import IS_STORM
from tests.wire.conftest import MakeWorld
from tests.wire.test_episode import records_of, verify_all
from tests.wire.world import Person, World

pytestmark = [pytest.mark.dovecot, pytest.mark.storm]

DAYS = {"champ-cards": 20, "split-decision": 45, "game-of-champions": 25, "bluffjack": 30, "champion-poker": 5}
"""The most that an episode takes on the average of many, if everybody taps what letters offer."""
PEOPLE = ("Ann Lee", "Bob Ray", "Cleo Fox")
KNOWN = 0.6
ROOMS = sorted(DAYS) if IS_STORM else ["champ-cards"]


def is_quiet(world: World, sent: int) -> bool:
    """Is every mail worked off, and every letter on its way?"""
    with closing(sqlite3.connect(world.folder / "podium.db", timeout=10)) as connection:
        if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'inbound'").fetchone():
            return False  # the daemon is only starting
        mails = dict(connection.execute("SELECT state, count(*) FROM inbound GROUP BY state").fetchall())
        waiting = connection.execute("SELECT count(*) FROM letters WHERE state IN ('queued', 'sending')").fetchone()[0]
    return sum(mails.values()) >= sent and "new" not in mails and not waiting


def says_most(letter: ReadLetter, dice: random.Random) -> str:
    """One of the links with the most lines: those that say what follows, too. Nobody drops their orders again and again."""
    said = {link: opened(link)[2].split("\n") for link in letter.links}
    most = max(len(lines) for lines in said.values())
    links = [link for link, lines in said.items() if len(lines) == most]
    return dice.choice([link for link in links if said[link] != ["cancel"]] or links)


def is_done(person: Person) -> bool:
    return any(letter.kind == "result" for letter in person.all)


def of_a_day(world: World, people: list[Person], sent: int) -> list[tuple[Person, ReadLetter]]:
    """The letters that ask, once every mail is worked off; they come, or all is over."""
    found: list[tuple[Person, ReadLetter]] = []

    def look() -> bool:
        if is_quiet(world, sent):
            found.extend((person, letter) for person in people for letter in person.new_letters() if letter.links)
        return bool(found) or all(map(is_done, people))

    wait_until(look, f"the letters after {sent} mails")
    return found


@pytest.mark.parametrize("slug", ROOMS)
def test_who_taps_what_is_offered_is_done_in_time(make_world: MakeWorld, slug: str) -> None:
    game, dice = GAMES[slug], random.Random(slug)
    world = make_world(games=f"[games.{slug}]\n")
    world.subject = game.subject
    known = {entry.ask: entry.answers[0] for entry in starter(game)}
    if game.bank:
        assert world.podium("questions", "import", "starter").returncode == 0
    world.run_daemon()
    count = game.seats_by_default or min(game.seats)
    people = [Person(world, name, f"{name[:3].lower()}@example.net") for name in PEOPLE[:count]]
    for person in people:
        person.register()
    sent, days, replies = len(people), 0, 0
    while not all(map(is_done, people)):
        asked = of_a_day(world, people, sent)
        for person, letter in asked:
            text = " ".join(letter.text.split())
            right = next((answer for ask, answer in known.items() if " ".join(ask.split()) in text), "")
            link = letter.links[0] if letter.kind in ("confirm", "ready") else says_most(letter, dice)
            raw = write_link(link, person.address, person.name, right if dice.random() < KNOWN else "I do not know")
            if letter.kind != "result":
                world.send(raw, person.address, letter.headers["reply-to"])
                sent += 1
        moves = [letter for _, letter in asked if letter.kind not in ("confirm", "ready", "result")]
        replies, days = replies + len(moves), days + bool(moves)
        assert days <= 2 * DAYS[slug], f"{slug} is not over after {days} days and {replies} replies"
    assert records_of(people[0])
    verify_all(world, people)
