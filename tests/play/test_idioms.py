"""Turns of speech, and the ideas behind them."""

from typing import Any

import pytest

from host.engine.game import Game
from host.games import GAMES
from host.play.idioms import IDEAS, idea_of


@pytest.mark.parametrize(
    ("said", "idea"),
    [
        ("too rich for me", "give up"),
        ("nah, i'm out", "give up"),
        ("i'll see that", "go along"),
        ("in with my last 20", "go along"),
        ("hit me baby one more time 🎶", "more"),
        ("happy with 14", "enough"),
        ("16 will do me", "enough"),
        ("leave it at that", "enough"),
        ("nothing from me", "no more"),
        ("no extra", "no more"),
        ("keep going until it's over", "to the end"),
        ("to the bitter end!", "to the end"),
    ],
)
def test_a_turn_of_speech_says_an_idea(said: str, idea: str) -> None:
    assert idea_of(said) == idea


@pytest.mark.parametrize(
    "said",
    [
        "let me think",
        "hold on",
        "everything is fine",
        "that's all",
        "see you at 5",
        "all good here",
        "i'm in new zealand",
        "",
        "hi " * 20,
    ],
)
def test_talk_says_none(said: str) -> None:
    assert idea_of(said) is None


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.slug)
def test_an_idea_is_a_phase_and_a_move_of_the_room(game: Game[Any, Any]) -> None:
    for phase, ideas in game.vocabulary.ideas.items():
        assert phase in game.phases
        assert set(ideas) <= set(IDEAS)
        assert all(game.vocabulary.find(text, phase) for text in ideas.values())
