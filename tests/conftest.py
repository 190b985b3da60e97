"""What waits for servers comes first in one process of a parallel run; in the others what computes fills the gaps behind it."""

import asyncio
import gc
import logging
import os
import shutil
import signal
from collections.abc import Callable, Iterator

import pytest
import uvloop
from hypothesis import HealthCheck, settings

from tests.size import IS_STORM, size

# what a machine is busy with is no fault of what is tested
settings.register_profile(
    "podium", deadline=None, max_examples=size(25, 100), suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("podium")

if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:  # a shell has what it starts in the background ignore Ctrl-C
    signal.signal(signal.SIGINT, signal.default_int_handler)

gc.disable()  # until all is collected: what is found then stays, and needs no looking through again and again

MEMORY, ENOUGH = "/dev/shm", 4 * 2**30
"""Where the stores of tests are, if it holds so many bytes: it spares a slow disk, and no test tells what a disk loses."""
if os.path.isdir(MEMORY) and shutil.disk_usage(MEMORY).free >= ENOUGH:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", MEMORY)

WAITING = "tests/wire/"

CONTRACT = "tests/games/test_contract.py"


def _kept_together(item: pytest.Item) -> tuple[str, str]:
    """Files stay as they are; in the contract all of one game come together, since they share its played episodes."""
    file = item.nodeid.partition("::")[0]
    game = item.callspec.params.get("game") if file == CONTRACT and hasattr(item, "callspec") else None
    return file, getattr(game, "slug", "")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not IS_STORM:
        config.hook.pytest_deselected(items=[item for item in items if item.get_closest_marker("storm")])
        items[:] = [item for item in items if not item.get_closest_marker("storm")]
    waiting = [item for item in items if item.nodeid.startswith(WAITING)]
    others = sorted((item for item in items if not item.nodeid.startswith(WAITING)), key=_kept_together)
    items[:] = [*waiting, *others]


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)  # what a story leaves is little beside what it makes
    gc.enable()


def pytest_asyncio_loop_factories() -> dict[str, Callable[[], asyncio.AbstractEventLoop]]:
    """Tests that wait run on the loop that `podium run` has."""
    return {"uvloop": uvloop.new_event_loop}


@pytest.fixture(autouse=True)
def _own_log() -> Iterator[None]:
    """What a command sets up for the log ends with its test, whose streams are closed then."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:], root.level = handlers, level
