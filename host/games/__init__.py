"""Pure: the rooms of the house. `GAMES` has the game of each folder beside this file, under its slug.

A room is found by its folder and offers `GAME`; nothing else has to name it.
"""

import importlib
import pkgutil
from typing import Any

from host.engine.game import Game

GAMES: dict[str, Game[Any, Any]] = {}
for _room in sorted(pkgutil.iter_modules(__path__), key=lambda room: room.name):
    _game: Game[Any, Any] = importlib.import_module(f"{__name__}.{_room.name}").GAME
    GAMES[_game.slug] = _game
