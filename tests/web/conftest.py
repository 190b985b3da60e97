"""A host with its pages."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web.house import House


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    found = House(tmp_path)
    yield found
    found.desk.store.close()


@pytest.fixture
def desk(house: House) -> House:
    """With an episode of each game, and the operator logged in."""
    house.begin_all()
    house.log_in()
    return house
