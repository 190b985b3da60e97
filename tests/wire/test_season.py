"""A season by real mail and in a real browser: begun and closed at the desk by its owner, helped through by two co-hosts.

People play sixty episodes of five games behind Dovecot; who wins returns, and one of them is away for a while. What it adds
up to is added up anew from the records in their mailboxes alone, and the seeds are checked from their mails by the script of
the docs.
"""

import contextlib
import functools
import json
import re
import socket
import time
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import Page

from host.games import GAMES
from host.turn.question_bank import starter
from tests.club.test_seasons import checked
from tests.club.test_whole_season import added_up
from tests.patience import wait_until
from tests.ports import free_port
from tests.web.browser import chromium, looking
from tests.wire.conftest import MakeWorld
from tests.wire.test_episode import words
from tests.wire.world import Person, World

pytestmark = [pytest.mark.dovecot, pytest.mark.chromium, pytest.mark.storm]

NAMES = ("Ann Lee", "Bob Ray", "Cleo Fox")
OPTIONS = {"bluffjack": "max_hands = 3"}
LONGEST = 240
ROUNDS = 12
"""So often each game is played."""
BOSS, PAT, QUINN = "boss@example.com", "pat@example.com", "quinn@example.com"


def log_in(world: World, page: Page, who: str) -> None:
    link = world.podium("login-link", who).stdout.split()[-1]
    page.goto(link)
    page.get_by_role("button", name="Log in").click()
    page.get_by_role("heading", name="needs you").wait_for()


def has_heard(person: Person) -> bool:
    """Was somebody told that the season is over?"""
    person.new_letters()
    return any("Winter cup is over" in words(letter) for letter in person.all)


def an_absence(world: World, ann: Person, bob: Person, slug: str) -> None:
    """One of two is away: the game that they wait for does not begin until they are back."""
    today = datetime.now(ZoneInfo("America/New_York")).date()  # as `World` has it: in the night it is another day
    bob.answer(bob.all[-1], f"away {today:%d %B} to {today + timedelta(days=2):%d %B}")
    bob.wait_for("help")
    world.subject = GAMES[slug].subject
    bob.register()
    ann.register()
    before = len(ann.all)
    ann.answer(ann.all[-1], "status")
    ann.wait_for("help")
    assert "begin" not in {letter.kind for letter in ann.all[before:]}
    bob.answer(bob.all[-1], "back")


def is_served(port: int) -> bool:
    with contextlib.suppress(OSError):
        socket.create_connection(("127.0.0.1", port)).close()
        return True
    return False


def play(world: World, people: list[Person], helper: Person, operator: Person, slug: str, is_first: bool) -> None:
    """An episode of a game from its registrations to its results. In Champ Cards' first a co-host takes one out."""
    world.subject = GAMES[slug].subject
    for person in people:
        person.register()
    waiting, end, is_out = set(people), time.monotonic() + LONGEST, not (is_first and slug == "champ-cards")
    while waiting:
        assert time.monotonic() < end, f"{slug}: no result for {[each.name for each in waiting]}"
        for person in people:
            for letter in person.new_letters():
                if letter.kind == "result":
                    waiting.discard(person)
                elif not is_out and letter.kind == "begin" and letter.asks:
                    is_out = True
                    person.answer(letter, "host This is not how we play.")
                elif letter.asks and letter.links:
                    person.tap(letter)
        for letter in helper.new_letters():
            if "This is not how we play" in words(letter):
                code = letter.headers["x-podium-episode"]
                helper.answer(letter, f"withdraw {code} {people[0].name.split()[0]}")
        for letter in operator.new_letters():
            if letter.links and "This is not how we play" not in words(letter):
                operator.tap(letter)
        time.sleep(0.02)


def test_a_season_by_mail_and_in_a_browser(make_world: MakeWorld, tmp_path: Path) -> None:
    port = free_port()
    games = "".join(
        f"[games.{slug}]\nseats = {max(2, min(game.seats))}\noptions = {{ {OPTIONS.get(slug, '')} }}\n"
        for slug, game in GAMES.items()
    )
    settings = (
        f'[security]\nconfirm_registration = false\nregistrations_a_day = 100\n[web]\nlisten = "127.0.0.1:{port}"\n'
    )
    world = make_world(settings, games=games)
    world.host = f'co_hosts = ["{PAT}", "{QUINN}"]\n'
    world.write_config()
    assert world.podium("questions", "import", "starter").returncode == 0
    world.known = {entry.ask: entry.answers[0] for game in GAMES.values() if game.bank for entry in starter(game)}
    world.run_daemon()
    people = [Person(world, name, f"{name.split()[0].lower()}@example.net", is_plain=True) for name in NAMES]
    pat, boss = Person(world, "Pat", PAT), Person(world, "Boss", BOSS)
    desk = f"http://127.0.0.1:{port}/desk"
    wait_until(functools.partial(is_served, port), "the desk")
    with chromium() as browser, looking(browser) as owner, looking(browser, width=375) as helper:
        log_in(world, owner.page, BOSS)
        owner.page.goto(f"{desk}/season/")
        owner.page.get_by_label("Its name").fill("Winter cup")
        owner.page.get_by_label("What is won, in your words").fill("A mug")
        owner.page.get_by_role("button", name="Begin it").click()
        said = owner.page.get_by_role("status").inner_text()
        ends = re.findall("[0-9a-f]{64}", said)
        assert len(ends) == len(GAMES), said
        for at in range(ROUNDS):
            if at == ROUNDS // 2:
                an_absence(world, people[0], people[1], next(iter(GAMES)))
            for slug, game in GAMES.items():
                play(world, people[: max(2, min(game.seats))], pat, boss, slug, at == 0)
        log_in(world, helper.page, QUINN)
        helper.page.goto(f"{desk}/contestants/2/")
        helper.page.get_by_role("link", name="Bar", exact=True).click()
        helper.page.get_by_label("Why; it is told").fill("rude")
        helper.page.get_by_role("button", name="Go on").click()
        helper.page.get_by_role("button", name="Yes, do it").click()
        assert "barred and told so" in helper.page.get_by_role("status").inner_text()
        helper.page.goto(f"{desk}/season/")
        assert not helper.page.get_by_role("button", name="Close the season").is_visible()
        owner.page.goto(f"{desk}/season/")
        owner.page.get_by_label("is to be closed").check()
        owner.page.get_by_role("button", name="Close the season").click()
        assert "is closed" in owner.page.get_by_role("status").inner_text()
        assert owner.wrong == helper.wrong == []
        owner.page.goto(f"http://127.0.0.1:{port}/seasons/1/")
        assert owner.page.get_by_role("heading", name="Winter cup").is_visible()
    told = json.loads(world.podium("season", "--json").stdout)
    saved = [raw for person in people for raw in person.raw]
    files = [tmp_path / f"{at}.eml" for at in range(len(saved))]
    for file, raw in zip(files, saved, strict=True):
        file.write_bytes(raw)
    wanted = [file for file in files if any(each in file.read_bytes() for each in (b"-Kind: result", b"-Commitment:"))]
    assert checked(*ends, *wanted) == (0, f"{ROUNDS * len(GAMES)} episodes: all that is here holds\n")
    sums = added_up([file for file in wanted if b"-Kind: result" in file.read_bytes()])
    assert {slug: {row["name"]: row["winnings"] for row in rows} for slug, rows in told["standings"].items()} == {
        slug: {name: own["winnings"] for name, own in of.items()} for slug, of in sums.items()
    }
    for person in (people[0], people[2]):
        wait_until(functools.partial(has_heard, person), "the end of the season")
    assert not has_heard(people[1])
    assert "Traceback" not in world.log(), world.log()[-3000:]
