"""No variant of a canonical command plays another one: see `variants`, and try more with `python -m tests.play.variants 50`."""

import pytest

from host.games import GAMES
from tests.play.variants import tally
from tests.size import size

MOSTLY = 0.9
"""The least share of a room's variants that plays all they mean, lest asking about everything pass."""
KINDS = {"slip", "case", "courtesy", "emoji", "letter", "repetition", "correction"}


@pytest.mark.parametrize("number", range(size(1, 2)))
@pytest.mark.parametrize("slug", sorted(GAMES))
def test_a_variant_of_a_command_plays_it_or_asks(slug: str, number: int) -> None:
    found = tally(slug, number)
    assert not found.wrong, "\n".join(map(str, found.wrong))
    assert found.tried.total() >= 200
    assert set(found.tried) == KINDS
    assert found.played.total() >= MOSTLY * found.tried.total(), found
