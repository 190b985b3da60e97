"""Pure: the rooms of the house. `GAMES` has the game of each folder beside this file, under its slug.

A room is found by its folder, whose name is its slug with underscores, and offers `GAME`; nothing else has to name it. It is
loaded when its game is first asked for.
"""

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from host.engine.game import Game

Value = TypeVar("Value")


class OnDemand(Mapping[str, Value]):
    """A mapping whose names are known, and whose values are found when they are asked for."""

    def __init__(self, names: Iterable[str], find: Callable[[str], Value]) -> None:
        self._names, self._find = dict.fromkeys(names), find

    def __getitem__(self, name: str) -> Value:
        """The value of this name. Raises KeyError."""
        if name not in self._names:
            raise KeyError(name)
        return self._find(name)

    def __contains__(self, name: object) -> bool:
        """Is it one of the names? Nothing is found for that."""
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        """The names, in their order."""
        return iter(self._names)

    def __len__(self) -> int:
        """How many there are."""
        return len(self._names)


def _game(slug: str) -> "Game[Any, Any]":
    game: Game[Any, Any] = importlib.import_module(f"{__name__}.{slug.replace('-', '_')}").GAME
    return game


GAMES = OnDemand(
    [name.replace("_", "-") for name in sorted(room.name for room in pkgutil.iter_modules(__path__))], _game
)
