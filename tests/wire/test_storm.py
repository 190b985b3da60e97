"""The daemon killed at random moments on a bad line, and before chosen callbacks of its event loop."""

from pathlib import Path

import pytest

from tests.size import size
from tests.wire.storm import storm
from tests.wire.sweep import sweep

pytestmark = pytest.mark.dovecot
KILLS = 4
CALLBACKS = size([140], [1, 41, *range(85, 320, 55)])
"""Spread over those that the scenario has, fewer on a busy machine; `python -m tests.wire.sweep` tries every one."""


@pytest.mark.storm
def test_episodes_through_kills_and_cut_lines(short_folder: Path) -> None:
    made = storm(short_folder, KILLS, 7, ["champ-cards", "champion-poker"], spare=0, progress=0)
    assert not made.wrong, "\n".join(made.wrong)
    assert made.kills == KILLS
    assert made.commands > 0


def test_a_kill_before_any_callback_changes_nothing(short_folder: Path) -> None:
    assert sweep(short_folder, CALLBACKS) == len(CALLBACKS)
