"""A season of five games, from its first letter to its last: people return, are away; two co-hosts take out and bar.

What it adds up to is added up anew from the records in the letters alone, by the implementations that know nothing of the house;
the seeds of all episodes are checked from the letters by the script of the docs.
"""

import json
from collections import Counter, defaultdict
from datetime import timedelta
from email import message_from_bytes
from email.policy import default
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from host.club import seasons
from host.daemon import steps
from host.demo.robot import ReadLetter
from host.games import GAMES
from host.store.episodes import open_questions
from host.store.people import last_audit_entries
from host.store.schema import Contestant, Episode
from host.store.seasons import seasons_of
from host.table.work import begin
from tests.club.test_seasons import checked
from tests.games.test_oracles import oracle
from tests.size import size
from tests.web.house import House
from tests.web.world import World

NAMES = ("Ann Quillon", "Bob Zorrilla", "Cleo Xanthos", "Dov Young", "Eve Upton")
EPISODES = size(4, 60)
HOURS = 24 * 30
"""An episode begins within them: an absence is over then, too."""
ANEW = 24 * 6
"""After so many hours whoever is not in the queue any more registers anew."""
HELPERS = ("pat@example.com", "quinn@example.com")
"""Two co-hosts: one works by mail, the other at the desk."""


def address(name: str) -> str:
    return f"{name.split()[0].lower()}@post.example"


def running(world: World) -> list[str]:
    with world.desk.store.reading() as session:
        return list(session.scalars(select(Episode.code).where(Episode.over_at.is_(None))))


def join(world: World, slug: str, name: str) -> None:
    """Somebody who does not play it now, or hold its title, waits for a game."""
    world.desk.write(address(name), "games@example.org", GAMES[slug].subject, f"Name: {name}")
    if world.desk.last(address(name)).kind == "confirm":
        world.desk.answer(address(name), f"confirm {name.split()[0]}word")


def asked_to_be_ready(world: World) -> list[ReadLetter]:
    """The latest of each contestant's letters that has a link for it, whatever came after it."""
    asked = [
        [x for x in world.desk.letters(address(each)) if x.links[:1] and x.links[0].endswith("body=ready")]
        for each in NAMES
    ]
    with world.desk.store.reading() as session:
        rows = open_questions(session, purpose="ready")
        waits = {session.get_one(Contestant, row.contestant_id).address for row in rows}
    return [letters[-1] for letters in asked if letters and letters[-1].headers["to"] in waits]


def play(world: World, at: int) -> str:
    """The next episode: the games in turn; of every fifth a player is taken out by the host. Gives its code."""
    desk, slug = world.desk, list(GAMES)[at % len(GAMES)]
    for name in NAMES[at % 2 :] if at % 3 else NAMES[::-1]:
        if not running(world):
            join(world, slug, name)
    for hour in range(HOURS):
        if running(world):
            break
        if hour % ANEW == ANEW - 1:  # who missed being asked has left the queue
            for name in NAMES:
                join(world, slug, name)
        steps.run_lobbies(desk.services, desk.now)
        desk.send()
        for letter in asked_to_be_ready(world):
            if not running(world):
                desk.answer(letter.headers["to"], "ready", letter)
        desk.later(hours=1)
    (code,) = running(world)
    for number, now in enumerate(world.go_on(code, at)):
        if at % 5 == 3 and number == 4:
            asked = next((each.seat for each in now.game.questions(now.state) if each.seat >= 0), 0)
            desk.answer(letter_of(world, code), "host This is not how we play.")
            desk.answer(HELPERS[0], f"withdraw {code} {now.names[asked]}")
        desk.now += timedelta(seconds=at)
    return code


def letter_of(world: World, code: str) -> str:
    """Somebody whose last letter is about this episode."""
    addresses = [address(each) for each in NAMES if world.desk.letters(address(each))]
    return next(each for each in addresses if world.desk.last(each).headers.get("x-podium-episode") == code)


def letters_of(world: World, folder: Path) -> list[Path]:
    found = [
        raw for _, letter, raw in world.desk.sent if letter.kind == "result" or "x-podium-commitment" in letter.headers
    ]
    files = [folder / f"{at}.eml" for at in range(len(found))]
    for file, raw in zip(files, found, strict=True):
        file.write_bytes(raw)
    return files


def added_up(files: list[Path]) -> dict[str, dict[str, Counter[str]]]:
    """Of each game what each name has, from the records in these letters, each record once."""
    records: dict[str, list[dict[str, Any]]] = {}
    for file in files:
        mail = message_from_bytes(file.read_bytes(), policy=default)
        for part in mail.iter_attachments():
            text = part.get_content().decode()
            records[str(part.get_filename())] = [json.loads(line) for line in text.splitlines()]
    sums: dict[str, dict[str, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
    for lines in records.values():
        slug, rows = lines[0]["game"], oracle(lines[0]["game"]).replay(lines)
        result = rows[-1]["result"]
        for name in lines[0]["players"]:
            won = rows[-2]["winnings"].get(name, 0)
            sums[slug][name] += Counter(episodes=1, wins=int(result["winner"] == name), winnings=won)
    return sums


@pytest.mark.storm
def test_a_whole_season(tmp_path: Path) -> None:
    world = World(tmp_path, host={"co_hosts": list(HELPERS)})
    desk = world.desk
    with begin(desk.services, desk.now) as work:
        ends = [each.end for each in seasons.begin(work, "Winter", None, None, (), "A mug")]
    codes = [play(world, at) for at in range(EPISODES - 1)]
    desk.answer(address(NAMES[0]), f"away {desk.now:%-d %b} to {desk.now + timedelta(days=2):%-d %b}")
    desk.later(days=3)
    codes.append(play(world, EPISODES - 1))
    assert len(set(codes)) == EPISODES
    files = letters_of(world, tmp_path)
    assert checked(*ends, *files) == (0, f"{EPISODES} episodes: all that is here holds\n")
    house = House.of(desk)
    house.log_in(who=HELPERS[1])
    barred = house.command("people bar", address=address(NAMES[1]), why="rude")
    assert "is barred and told so" in barred.text
    assert house.client.post("/desk/season/close/", data={"form": house.form("/desk/")}).status_code == 403
    desk.send()
    before = len(desk.sent)
    with begin(desk.services, desk.now) as work:
        assert seasons.close(work)[1] == 0
        acts = {each.who for each in last_audit_entries(work.session, 100)}
    assert acts >= {HELPERS[1], *(HELPERS[:1] if EPISODES > 3 else ())}
    desk.send()
    with desk.store.reading() as session:
        found = seasons.report(session, desk.config, seasons_of(session)[0])
    sums = added_up(files)
    assert set(found["standings"]) == set(sums)
    for slug, rows in found["standings"].items():
        told = {row["name"]: {key: row[key] for key in ("episodes", "wins", "winnings")} for row in rows}
        assert told == {
            name: {**dict.fromkeys(("episodes", "wins", "winnings"), 0), **own} for name, own in sums[slug].items()
        }
    over_all: Counter[str] = Counter()
    for slug, rows_of in sums.items():
        if GAMES[slug].currency == "$":
            over_all.update({name: own["winnings"] for name, own in rows_of.items()})
    assert {row["name"]: row["winnings"] for row in found["all"]} == {
        **dict.fromkeys((row["name"] for row in found["all"]), 0),
        **over_all,
    }
    played = {name for rows_of in sums.values() for name in rows_of}
    told_to = [to for to, letter, _ in desk.sent[before:]]
    assert sorted(told_to) == sorted(address(name) for name in NAMES if name.split()[0] in played - {"Bob"})
