"""Edge: a game's state as JSON and back. In: a frozen dataclass or its JSON. Out: the other; refuses what does not fit."""

import functools
from typing import Any

from pydantic import TypeAdapter

from host.game import Game


@functools.cache
def _adapter(state_type: type[Any]) -> TypeAdapter[Any]:
    return TypeAdapter(state_type)


def dump_state(game: Game[Any, Any], state: Any) -> dict[str, Any]:
    """A state as JSON."""
    data: dict[str, Any] = _adapter(game.state_type).dump_python(state, mode="json")
    return data


def load_state(game: Game[Any, Any], data: dict[str, Any]) -> Any:
    """The state that `dump_state` wrote. Raises ValueError where it does not fit this version of the game."""
    return _adapter(game.state_type).validate_python(data)
