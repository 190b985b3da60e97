from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests import states
from tests.turn.desk import Desk

MakeDesk = Callable[..., Desk]


@pytest.fixture(autouse=True)
def every_change_is_a_transition(tmp_path: Path) -> Iterator[None]:
    """What became of mails, letters and questions in a story is what `host.states` says may become of them."""
    yield
    if (tmp_path / "desk.db").exists():
        assert states.unexpected(tmp_path / "desk.db") == []


@pytest.fixture
def make_desk(tmp_path: Path) -> Iterator[MakeDesk]:
    desks: list[Desk] = []

    def make(**changes: Any) -> Desk:
        desks.append(Desk(tmp_path, **changes))
        return desks[-1]

    yield make
    for each in desks:
        each.store.close()


@pytest.fixture
def desk(make_desk: MakeDesk) -> Desk:
    return make_desk()
