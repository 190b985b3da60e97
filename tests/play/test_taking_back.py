"""Taking back: what may be taken back has told nobody anything, over random episodes of every room."""

import importlib
import random
from typing import Any

import pytest

from host.engine.events import DeckCut, news
from host.games import GAMES
from host.play.taking_back import Said, asked_instead, asks_to_take_back, may_take_back
from tests.games.playouts import playout
from tests.rows import every
from tests.size import size

EPISODES = size(5, 12)


def _mixed(slug: str, state: Any, seat: int, number: int) -> Any:
    """The same state to a seat, with what it cannot see mixed, where the room says how."""
    conserved = importlib.import_module(f"tests.games.{slug.replace('-', '_')}.conserved")
    shuffled = getattr(conserved, "shuffled", None)
    return shuffled(state, seat, random.Random(number)) if shuffled else state


@pytest.mark.parametrize("slug", list(GAMES))
def test_nobody_can_tell_what_may_be_taken_back(slug: str) -> None:
    taken = 0
    for number in range(EPISODES):
        found = playout(slug, number)
        game = found.game
        for step in (each for each in found.steps if each.seat >= 0):
            text = game.say(game.parse(step.text, step.before, step.seat))
            said = Said(step.seat, text, step.events)
            if not may_take_back(game, step.before, step.after, said, found.seats, found.chance):
                continue
            taken += 1
            mixed = _mixed(slug, step.before, step.seat, number)
            again = game.apply(mixed, step.seat, game.parse(step.text, mixed, step.seat), found.chance)
            assert game.view(again.state, step.seat) == game.view(step.after, step.seat), "nothing hidden was shown"
            assert news(again.events, step.seat) == news(step.events, step.seat)
            others = [each for each in range(found.seats) if each != step.seat]
            telling = [each for each in step.events if not isinstance(each, DeckCut)]
            assert not any(news(telling, each) for each in others)
            for question in (each for each in game.questions(step.before) if each.seat == step.seat):
                for choice in game.choices(step.before, question):
                    command = game.parse(choice.say[0] + choice.text, step.before, step.seat)
                    other = game.apply(step.before, step.seat, command, found.chance).state
                    for seat in others:
                        seen = game.view(step.after, seat)
                        assert seen in (game.view(step.before, seat), game.view(other, seat))
    assert taken or slug in ("bluffjack", "split-decision"), "answers side by side can be taken back"


@pytest.mark.parametrize("slug", ["bluffjack", "champ-cards"])
def test_where_all_is_open_nothing_but_a_cut_is_taken_back(slug: str) -> None:
    found = playout(slug, 1)
    for step in found.steps:
        said = Said(step.seat, step.text, step.events)
        may = may_take_back(found.game, step.before, step.after, said, found.seats, found.chance)
        assert may == any(isinstance(each, DeckCut) for each in step.events), step.text


def test_what_the_rules_refuse_without_it_is_not_taken_back() -> None:
    found = playout("champ-cards", 1)
    step = next(each for each in found.steps if any(isinstance(event, DeckCut) for event in each.events))
    said = Said(step.seat, step.text, step.events)
    assert may_take_back(found.game, step.before, step.after, said, found.seats, found.chance)
    assert not may_take_back(found.game, step.after, step.after, said, found.seats, found.chance)


@every(
    "text",
    [
        "undo",
        "Oops",
        "oops!",
        "Take that back.",
        "I take it back",
        "please undo that",
        "Can we undo my last move?",
        "scratch that",
    ],
)
def test_words_that_take_back(text: str) -> None:
    assert asks_to_take_back(text)
    assert asked_instead([text, "pick 5"]) == ("pick 5",)


@pytest.mark.parametrize(
    ("text", "instead"),
    [
        ("I meant 7", "7"),
        ("  Oops, I meant answer Saint-Étienne", "answer Saint-Étienne"),
        ("oops, I meant pick 7", "pick 7"),
        ("Undo that, I meant: fold", "fold"),
        ("undo and hit", "hit"),
    ],
)
def test_words_that_take_back_and_say_what_instead(text: str, instead: str) -> None:
    assert asked_instead([text]) == (instead,)


@every("text", ["take 5", "take the card back", "oops pick 7", "pick 5", "no", "I meant well", "back", "take"])
def test_other_words_do_not(text: str) -> None:
    assert not asks_to_take_back(text)
    assert text == "I meant well" or asked_instead([text]) is None
