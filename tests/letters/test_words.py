"""How words are counted."""

import pytest

from tests.letters.playing import letters_of
from tests.letters.words import measured, said_again


def test_runs_of_five_words_are_said_again() -> None:
    before = "ann cut the deck at seventeen and nine cards went down".split()
    assert said_again("then ann cut the deck at last".split(), before) == 5
    assert said_again("then ann cut the deck".split(), before) == 0
    assert said_again(before, before) == len(before)


@pytest.mark.storm
def test_an_episode_is_counted_by_contestant() -> None:
    figures = measured(letters_of("champ-cards", 0))
    assert len(figures.words) == len(figures.letters) == 2
    assert figures.results == 2
    assert 0 < figures.asking_nothing < sum(figures.letters)
    assert 0 < figures.repeated < sum(figures.words)
