"""What a room makes of a whole mail where no part of it says so by itself: offered first, and never played unasked."""

from dataclasses import replace
from typing import Any

import pytest

from host.engine.card_groups import spelled_out
from host.engine.game import Game
from host.engine.vocabulary import Command
from host.games import GAMES
from host.games.game_of_champions.guesses import deployment, order, turn
from host.games.game_of_champions.state import Battalion
from host.games.split_decision.guesses import series
from host.play.interpret import read
from host.play.interpretation import ReplyContext
from tests.games.playouts import playout

HAND = "Qh Ks Ac 8c Ts 2c 7d 3c 7h 8d 3d 5s Td 4d 6c".split()


@pytest.mark.parametrize(
    ("text", "army"),
    [
        (
            "King gets both tens, 7♥ and 4♦, ace gets both eights, 6♣ and 3♦, and the rest go under the queen.",
            "Ks Ts Td 7h 4d Ac 8d 8c 6c 3d Qh 7d 5s 3c 2c",
        ),
        (
            "I thought about it over two cups of coffee.\nKing of spades: 10, 10, 8. Ace of clubs: 8, 7, 7. The rest nothing.",
            "Ks Ts Td 8d Ac 8c 7h 7d",
        ),
        ("10 and 10 to the king, 7 and 6 to the ace, both 3s to the queen please.", "Ks Ts Td Ac 7h 6c Qh 3d 3c"),
        ("the king the 8, 4 and 3 of diamonds; queen the rest", "Ks 8d 4d 3d Qh Ts Td 8c 7h 7d 6c 5s 3c 2c"),
        ("All the tens, eights and sevens go to the black king.", "Ks Ts Td 8d 8c 7h 7d"),
        ("the ace stays bare, every number card to the lady", "Qh Ts Td 8d 8c 7h 7d 6c 5s 4d 3d 3c 2c"),
        ("good luck, three cheers for Ann", ""),
    ],
)
def test_an_army_is_read_as_people_write_it_down(text: str, army: str) -> None:
    assert deployment(text, HAND) == tuple(army.split())


ARMY = (Battalion("Kc", ("9s", "6c")), Battalion("Qh", ("Td", "5c", "6d")), Battalion("As"))
ENEMY = (Battalion("Kd", ("4c", "9c")), Battalion("Qs", ("Ts",)), Battalion("Js"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "The bare ace goes in for a new card. Then my king goes after her queen.",
            "trade As, attack Kc Qs",
        ),
        ("my spy swaps her 9 with the ten of spades, after that I dig in", "spy 9c Ts, fortify"),
        (
            "shift the 6 and the 5 of clubs over to the king, then he attacks the lady",
            "general 6c Kc 5c Kc, attack Kc Qs",
        ),
        ("let the general bring my ten of diamonds over to the king, then just hold", "general Td Kc, hold"),
        ("Attack the king of diamonds with my queen, please", "attack Qh Kd"),
        ("attack the king with the queen", "attack Qh Kd"),
        ("attack the queen with the king", "attack Kc Qs"),
        ("attack her king with my queen", "attack Qh Kd"),
        ("hold on, I have to think", ""),
    ],
)
def test_a_turn_is_read_by_whose_the_cards_are(text: str, said: str) -> None:
    assert ", ".join(map(str, turn(text, ARMY, ENEMY)[0])) == said


def test_a_card_that_was_drawn_is_placed_before_the_attack() -> None:
    steps, _ = turn("It goes to the king of clubs, and then my queen marches against his queen.", ARMY, ENEMY, "8d")
    assert ", ".join(map(str, steps)) == "place Kc, attack Qh Qs"


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("Send the 5 first, then all the others from high to low", "5c 9h 8s 8d 4s"),
        ("The nine opens, the four at the end, spade eight, diamond eight and five", "9h 8s 8d 5c 4s"),
        ("the small one in front, the heart, both eights, and then the five", "4s 9h 8s 8d 5c"),
        ("strong ones first: 9h 8d 8s 5c 4s", "9h 8d 8s 5c 4s"),
        ("the five, and the nine last", ""),
    ],
)
def test_an_order_is_read_where_it_names_each_card(text: str, cards: str) -> None:
    assert order(text, "9h 8s 8d 5c 4s".split()) == tuple(cards.split())


def test_of_two_cards_one_may_say_the_order() -> None:
    assert order("Let the little one die first, the others can watch", ("7d", "2h")) == ("2h", "7d")
    assert order("Let the two die", ("7d", "2h")) == ()


def first(game: Game[Any, Any], phase: str, text: str) -> tuple[str, ...]:
    """What is offered first where a phase is asked, and that nothing of it is planned."""
    state, question = next(
        (state, question)
        for number in range(20)
        for state in playout(game.slug, number).states
        for question in game.questions(state)
        if question.phase == phase and question.seat >= 0
    )
    found = read(game, state, question.seat, text.split("\n"), ReplyContext(frozenset({question.key})))
    assert found.plan == ()
    assert found.question is not None
    return found.question.readings


def test_what_is_guessed_is_offered_first_and_not_played() -> None:
    readings = first(
        GAMES["game-of-champions"], "deploy", "All of the tens to the first of them, dear. Nothing to the ace."
    )
    assert all(each.startswith("deploy") for each in readings)
    offer = first(GAMES["champ-cards"], "offer", "Make it 9,999 and we have a deal")
    assert offer[0] == "decline"
    bet = first(GAMES["champion-poker"], "bet", "40 chips on it in all")
    assert "bet 20" in bet[:2]


@pytest.mark.parametrize(
    ("text", "sizes"), [("raise to 50", [30, 40]), ("make it 50 to go", [40, 30]), ("50 total", [40, 30])]
)
def test_a_raise_to_a_sum_is_what_is_on_top(text: str, sizes: list[int]) -> None:
    game = GAMES["bluffjack"]
    state = replace(playout("bluffjack", 0).start, phase="bet", in_pot=(10, 20, 0), chips=(170, 210, 180))
    assert game.guesses(state, 0, text) == tuple((Command("raise", (size,)),) for size in sizes)


def test_the_two_of_spades_is_one_card() -> None:
    assert spelled_out("the two of spades to the king", ["4s", "2s"]) == "the two of spades to the king"
    assert spelled_out("the two spades to the king", ["4s", "2s"]) == "4s 2s to the king"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("The odd numbers from 1 up to 59", range(1, 60, 2)),
        ("the first thirty evens", range(2, 61, 2)),
        ("every third number, starting with 1 and ending with 88", range(1, 89, 3)),
        ("The three times table, please", range(3, 91, 3)),
        ("3, 6, 9 and so on up to 90", range(3, 91, 3)),
    ],
)
def test_numbers_by_a_rule_are_as_many_as_are_asked_for(text: str, wanted: range) -> None:
    assert series(text, 30, 100, is_all=True) == tuple(wanted)


@pytest.mark.parametrize(
    "text",
    [
        "multiples of seven",
        "even so I like them",
        "every second day",
        "odd numbers from 1 to 60 and 99",
        "not the odd numbers",
    ],
)
def test_a_rule_that_gives_others_or_stands_beside_more_is_none(text: str) -> None:
    assert series(text, 30, 100, is_all=True) == ()


def test_numbers_by_a_rule_are_played_alone_and_offered_beside_more() -> None:
    game = GAMES["split-decision"]
    state = playout("split-decision", 0).start
    sees = ReplyContext(frozenset({game.questions(state)[0].key}))
    evens = f"codes {' '.join(map(str, range(2, 61, 2)))}"
    assert [each.text for each in read(game, state, 0, ["The first thirty evens, please."], sees).plan] == [evens]
    asked = read(
        game, state, 0, ["I'd like the even numbers, my aunt does too, so 2, 4, 6 and so on, and I cut 7"], sees
    ).question
    assert asked is not None
    assert asked.readings[0] == f"{evens}, cut 7"
