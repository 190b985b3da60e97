"""Pleas for time and turns of speech, as people write them, and what only looks like one."""

from typing import Any

import pytest

from host.engine.game import Game
from host.games import GAMES
from host.play.forms import IDEAS, MAX_LOOKED_AT, idea_of, is_plea, without_pleas
from tests.patience import not_for_ever
from tests.rows import every

PLEAS = [
    "Could I have until Monday?",
    "I am in hospital until Thursday",
    "I'm in the hospital till Thursday, please don't throw me out",
    "I won't be able to play until Monday, please wait",
    "Can I get more time please?",
    "I need a bit more time to think",
    "Please give me two more days",
    "I will be away until the 5th of December",
    "I’m travelling this week and have no computer",
    "Would it be possible to extend the deadline?",
    "Could you please wait for me until next week?",
    "I can't answer before Friday",
    "Sorry, I cannot reply today, my mother is very ill",
    "I'm on vacation, back on Sunday",
    "May I have an extension?",
    "Can you pause the game until I am back?",
    "I'll be offline for a few days",
    "we're moving house, I'll be busy until the weekend",
    "Please postpone my deadline",
    "I would need until tomorrow evening",
    "any chance I could get another day?",
    "I am sick and can't play this week",
    "Unfortunately I will be out of town for the next three days",
    "I might not be around until after Christmas",
    "Is it possible to have some more time?",
    "Please hold my turn until Saturday",
    "I have to ask for more time",
]
LOOK_ALIKES = [
    "hold on",
    "hold",
    "I'll wait for 7",
    "give me time to fold",
    "hit until 17",
    "give me a 7",
    "wait",
    "I won't play the queen",
    "I can't play diamonds before hearts",
    "Time to fold",
    "I'm sick of losing, hit me",
    "one more card please",
    "could I have another card?",
    "I'm not away, I fold",
    "stay until the end",
    "take your time",
    "Monday",
    "Move the ten to the deck",
    "can I have the queen of hearts?",
]


def test_there_are_forty_and_a_third_of_them_look_like_pleas() -> None:
    assert len(PLEAS) + len(LOOK_ALIKES) >= 40
    assert 3 * len(LOOK_ALIKES) >= len(PLEAS)


@every("text", PLEAS)
def test_a_plea_is_heard(text: str) -> None:
    assert is_plea(text)
    assert is_plea(text.upper())
    assert is_plea(f"Dear Millionaire,\n\n{text}\n\nBest wishes")


@every("text", LOOK_ALIKES)
def test_what_looks_like_a_plea_is_none(text: str) -> None:
    assert not is_plea(text)
    assert without_pleas([text]) == ((text,), False)


@pytest.mark.parametrize(
    ("lines", "rest"),
    [
        (["pick 5", "I am in hospital until Thursday."], ("pick 5",)),
        (["Pick 5. Could I have until Monday for the next one?"], ("Pick 5.",)),
        (["pick 5, and I'll be away until Monday"], ("pick 5",)),
        (["I won't be able", "to play until Monday"], ()),
    ],
)
def test_what_stands_beside_a_plea_is_left(lines: list[str], rest: tuple[str, ...]) -> None:
    assert without_pleas(lines) == (rest, True)


def test_no_text_takes_long() -> None:
    with not_for_ever():
        for piece in (
            "could ",
            "i am in ",
            "please give me a ",
            "a few more ",
            "until ",
            "i can't play ",
            "x",
            ", ",
            "the next ",
        ):
            is_plea(piece * MAX_LOOKED_AT)
            without_pleas([piece * 500] * 20)


@every(
    ("said", "idea"),
    [
        ("too rich for me", "give up"),
        ("nah, i'm out", "give up"),
        ("i'll see that", "go along"),
        ("in with my last 20", "go along"),
        ("hit me baby one more time 🎶", "more"),
        ("happy with 14", "enough"),
        ("16 will do me", "enough"),
        ("leave it at that", "leave"),
        ("nothing from me", "no more"),
        ("no extra", "no more"),
        ("i'd rather not add anything", "no more"),
        ("i won't put anything in", "no more"),
        ("i'm not doing anything this time", "no more"),
        ("nothing this turn", "no more"),
        ("i am not joining this hand", "give up"),
        ("i'll give this hand a miss", "give up"),
        ("keep going until it's over", "to the end"),
        ("to the bitter end!", "to the end"),
        ("keep going till she's beaten", "to the end"),
        ("fight it out till its over", "to the end"),
    ],
)
def test_a_turn_of_speech_says_an_idea(said: str, idea: str) -> None:
    assert idea_of(said) == idea


@every(
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
        "keep going till my nine is beaten",
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
