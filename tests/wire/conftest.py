import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.wire.world import World

MakeWorld = Callable[..., World]


@pytest.fixture
def make_world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MakeWorld]:
    """Makes worlds that are torn down after the test; a failing test shows the daemon's log."""
    worlds: list[World] = []

    def make(settings: str = "", games: str = "[games.champ-cards]\n") -> World:
        folder: Path = tmp_path_factory.mktemp("world")
        folder.chmod(0o755)
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
