"""What is hidden shows on no page: not in an episode's, a list's, a preview's or the feed's, in no state of any game."""

import importlib
import random
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select
from starlette.testclient import TestClient

from host.engine.game import HOST, Game, encode_event
from host.games import GAMES
from host.store.episodes import dump_state, load_state
from host.store.schema import Contestant, Episode, EventRow, Letter
from host.table.work import begin
from host.turn import admin
from host.web.app import web_app
from host.web.pages import PageError, Web
from host.web.public.paths import document_at, write_site
from tests.games.playouts import Playout, playout
from tests.games.test_contract import cards_in, renamed
from tests.size import a_few, size
from tests.turn.desk import OPERATOR
from tests.web.crawl import crawl
from tests.web.stored import store_episode, web_in
from tests.web.world import PEOPLE, World

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
some_games = pytest.mark.parametrize("game", a_few(GAMES.values()), ids=a_few(GAMES))
PLAYOUTS = size(range(10, 12), range(10, 14))
STATES = 2
"""Of each playout."""


def picked(found: Playout, rng: random.Random) -> list[int]:
    """Some of the steps after which the episode still runs."""
    open_steps = [at for at, step in enumerate(found.steps) if found.game.questions(step.after)]
    return sorted(rng.sample(open_steps, min(STATES, len(open_steps))))


def pages(web: Web, code: str) -> list[bytes]:
    """All that shows anything of an episode."""
    paths = ("/", f"/episodes/{code}/", f"/episodes/{code}/preview.png", "/feed.xml")
    return [document_at(web, path).body for path in paths]


def write(web: Web, code: str, state: Any, events: list[dict[str, Any]], seed: bytes) -> None:
    """Put another state and other events in the place of those that are stored."""
    with web.services.store.transaction() as session:
        episode = session.scalars(select(Episode).where(Episode.code == code)).one()
        episode.state, episode.seed = dump_state(GAMES[episode.game], state), seed
        rows = session.scalars(
            select(EventRow).where(EventRow.episode_id == episode.id).order_by(EventRow.number)
        ).all()
        for row, event in zip(rows, events, strict=True):
            row.event = event


def hidden_otherwise(
    game: Game[Any, Any], state: Any, told: set[str], rng: random.Random
) -> tuple[Any, dict[str, str]]:
    """A state that nobody who has no seat can tell from this one, and which card is which in it."""
    conserved = importlib.import_module(f"tests.games.{game.slug.replace('-', '_')}.conserved")
    seen = game.view(state, HOST)
    for seat in range(len(game.winnings(state))):
        other = conserved.shuffled(state, seat, rng) if hasattr(conserved, "shuffled") else state
        assert game.view(other, HOST) == seen
        state = other
    hidden = sorted(cards_in(dump_state(game, state)) - cards_in(dict(seen)) - told)
    turned = dict(zip(hidden, rng.sample(hidden, len(hidden)), strict=True))
    return load_state(game, renamed(dump_state(game, state), turned)), turned


@some_games
def test_what_nobody_may_see_changes_no_page(game: Game[Any, Any], tmp_path: Path) -> None:
    rng, hidden_at_all = random.Random(game.slug), 0
    web = web_in(tmp_path)
    for found in (playout(game.slug, number) for number in PLAYOUTS):
        for at in picked(found, rng):
            state = found.steps[at].after
            code = store_episode(web, found, at + 1)
            happened = [*found.dealt, *(event for step in found.steps[: at + 1] for event in step.events)]
            told = [encode_event(event) for event in game.news(happened, HOST)]
            other, turned = hidden_otherwise(game, state, cards_in(told), rng)
            events = [
                encode_event(event) if event.may_be_told(HOST) else renamed(encode_event(event), turned)
                for event in happened
            ]
            before = pages(web, code)
            write(web, code, other, events, rng.randbytes(32))
            assert pages(web, code) == before, f"playout {found.chance.seed.hex()[:8]}, step {at}"
            hidden_at_all += other != state
    assert hidden_at_all


@every_game
def test_a_private_event_is_told_nobody_while_an_episode_runs(game: Game[Any, Any], tmp_path: Path) -> None:
    web = web_in(tmp_path)
    found = playout(game.slug, 11)
    kept = [each for each in found.dealt if not each.may_be_told(HOST)]
    code = store_episode(web, found, 1)
    with web.services.store.transaction() as session:
        episode = session.scalars(select(Episode).where(Episode.code == code)).one()
        for row in session.scalars(select(EventRow).where(EventRow.episode_id == episode.id)):
            session.delete(row)
        session.flush()
        for number, event in enumerate(kept, 1):
            session.add(EventRow(episode_id=episode.id, number=number, event=encode_event(event)))
    assert "Nothing yet." in document_at(web, f"/episodes/{code}/").body.decode()


@pytest.mark.parametrize("rest", ["record.jsonl", "replay/", "replay/2/", "replay/open/", "replay/open/2/"])
def test_an_episode_that_runs_shows_no_record(house: Web, rest: str) -> None:
    for game in GAMES.values():
        with pytest.raises(PageError, match="is not over yet") as refused:
            document_at(house, f"/episodes/{game.code}-2/{rest}")
        assert refused.value.status_code == 404


def secrets(web: Web) -> dict[str, str]:
    """What no page may hold, and what it is."""
    found: dict[str, str] = {OPERATOR: "an operator's address", "post.example": "an address", "games+": "a token"}
    found |= {name.split()[1]: "a surname" for name, _ in PEOPLE}
    with web.services.store.reading() as session:
        for letter in session.scalars(select(Letter)):
            found[letter.token] = "a token"
        for person in session.scalars(select(Contestant)):
            found[person.address] = "an address"
        for episode in session.scalars(select(Episode).where(Episode.over_at.is_(None))):
            found[episode.seed.hex()] = f"the seed of {episode.code}"
    return found


def look(world: World) -> Iterator[str]:
    """What is found that may not be found: on pages, and in headers."""
    known = re.compile("|".join(map(re.escape, secrets(world.web))))
    client = TestClient(web_app(world.web), base_url="http://127.0.0.1:8025")
    for path, answer in crawl(client).items():
        assert answer.status_code == 200, path
        text = "\n".join([answer.text, *(f"{name}: {value}" for name, value in answer.headers.items())])
        yield from (f"{path}: {each}" for each in known.findall(text))


def look_at_files(world: World, site: Path) -> Iterator[str]:
    """What is found that may not be found in the files."""
    known = re.compile("|".join(map(re.escape, secrets(world.web))))
    write_site(world.web, site)
    for file in site.rglob("*"):
        if file.is_file() and file.parent.name != "static":
            yield from (f"{file}: {each}" for each in known.findall(file.read_bytes().decode(errors="replace")))


def test_no_page_no_header_and_no_file_holds_a_secret_while_robots_play(tmp_path: Path) -> None:
    world = World(tmp_path)
    for slug in size(("champ-cards", "champion-poker", "game-of-champions"), tuple(GAMES)):
        game = GAMES[slug]
        world.register(slug)
        for _ in islice(world.go_on(f"{game.code}-1"), 8):
            pass
    with begin(world.desk.services, world.desk.now) as work:
        admin.pause(work, "GC-1")
    assert list(look(world)) == []
    for code in size(("CP-1",), ("CC-1", "BJ-1", "CP-1")):
        for _ in world.go_on(code):
            pass
    with begin(world.desk.services, world.desk.now) as work:
        admin.back(work, "CC-1", 3)
    world.desk.send()
    world.desk.later(hours=60)
    world.desk.tick()
    assert list(look(world)) == []
    assert list(look_at_files(world, tmp_path / "site")) == []
    assert world.play("CC-1").episode.over_at is None
    assert world.play("CP-1").episode.over_at is not None
