import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.wire.world import World, a_short_folder

MakeWorld = Callable[..., World]


@pytest.fixture
def short_folder() -> Iterator[Path]:
    with a_short_folder() as folder:
        yield folder


@pytest.fixture
def make_world(short_folder: Path) -> Iterator[MakeWorld]:
    """Makes worlds that are torn down after the test; a failing test shows the daemon's log."""
    worlds: list[World] = []

    def make(settings: str = "", games: str = "[games.champ-cards]\n") -> World:
        folder = short_folder / str(len(worlds))
        folder.mkdir(mode=0o755)
        world = World(folder, settings, games)
        worlds.append(world)
        world.start()
        return world

    yield make
    for world in worlds:
        world.stop()
        log = world.folder / "daemon.log"
        if log.exists():
            sys.stdout.write(log.read_text()[-4000:])
