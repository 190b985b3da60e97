"""Edge: a game's state as JSON and back. In: a frozen dataclass or its JSON. Out: the other. Refuses what is unfit."""

import functools
from collections.abc import Hashable
from typing import Any, cast

from pydantic import TypeAdapter

from host.engine.game import Game


def _adapter(game: Game[Any, Any]) -> TypeAdapter[Any]:
    return _adapter_for(cast(Hashable, game.state_type))


@functools.cache
def _adapter_for(state_type: Any) -> TypeAdapter[Any]:
    return TypeAdapter(state_type)


def dump_state(game: Game[Any, Any], state: Any) -> dict[str, Any]:
    """A state as JSON."""
    data: dict[str, Any] = _adapter(game).dump_python(state, mode="json")
    return data


def load_state(game: Game[Any, Any], data: dict[str, Any]) -> Any:
    """The state that `dump_state` wrote. Raises ValueError where it does not fit this version of the game."""
    return _adapter(game).validate_python(data)
