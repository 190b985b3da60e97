"""A host with an episode of each game that is over and one that runs, all of one season; many tests look, none changes it."""

from collections.abc import Iterator

import pytest

from host.games import GAMES
from host.web.pages import Web
from tests.games.playouts import playout
from tests.web.stored import in_a_season, store_episode, web_in

OVER, RUNNING = 3, 4
"""Playouts of every game: to their end, and half of it."""


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    web = web_in(tmp_path_factory.mktemp("house"))
    for slug in GAMES:
        store_episode(web, playout(slug, OVER))
        running = playout(slug, RUNNING)
        store_episode(web, running, len(running.steps) // 2)
    in_a_season(web)
    yield web
    web.services.store.close()
