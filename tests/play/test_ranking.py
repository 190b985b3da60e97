"""Which button of a question stands first."""

import pytest

from host.play.interpret import commands_of, read
from tests.play.judging import played_to_its_end, seated
from tests.play.strangers_now import FOLDER


def buttons(position: str, name: str, text: str) -> list[tuple[str, ...]]:
    """The readings offered to somebody who writes this at the end of a record; none where it is played."""
    header, replay = played_to_its_end(FOLDER / "positions" / f"{position}.jsonl")
    seat, reply = seated(header, replay, name)
    found = read(replay.game, replay.state, seat, text.split("\n"), reply)
    return [commands_of(replay.game, each) for each in found.question.readings] if found.question else []


@pytest.mark.parametrize(
    ("position", "name", "text", "first"),
    [
        ("s4-champ-cards-choose-2", "Ann", "I wonder about the top one of the pile", "draw"),
        ("s4-champ-cards-choose-2", "Ann", "unseen is more exciting, off the pile", "draw"),
        ("s5-champion-poker-bet-1", "Ann", "I'd sooner look on, with a cup of tea", "sit"),
    ],
)
def test_without_a_plain_word_what_it_alone_is_called_by_speaks_for_a_move_and_a_value_that_is_not_said_against_it(
    position: str, name: str, text: str, first: str
) -> None:
    found = buttons(position, name, text)
    assert found[0] == (first,)
    assert len(found) > 1


@pytest.mark.parametrize(
    ("position", "name", "text", "first"),
    [
        ("2-game-of-champions-turn-2", "Bob", "move the six to the king and hold", ("general 6c Kc", "hold")),
        (
            "s4-game-of-champions-turn-1",
            "Ann",
            "Spy swaps his 4 and 9 of clubs, then my ace goes for the queen of clubs. Or not?",
            ("spy 4c 9c", "attack Ac Qc"),
        ),
        (
            "23-champion-poker-play-14",
            "Bob",
            "I play those. Afterwards, when the dealer has his, I raise as well",
            ("play", "raise"),
        ),
    ],
)
def test_a_clause_that_names_values_stands_beside_the_plain_one(
    position: str, name: str, text: str, first: tuple[str, ...]
) -> None:
    assert buttons(position, name, text)[0] == first


def test_what_is_said_once_speaks_for_one_card() -> None:
    found = buttons("2-game-of-champions-turn-2", "Bob", "attack the queen with my king. Or not?")
    assert found[0][0].split()[1][0] == "K"
    assert found[0][0].split()[2][0] == "Q"


def test_what_is_guessed_and_more_stands_before_the_guess() -> None:
    text = "Kc vs Qd and always fight on with everything"
    assert buttons("2-game-of-champions-turn-2", "Bob", text)[0][1:] == ("always continue all",)


def test_where_all_is_denied_all_is_offered() -> None:
    found = buttons("s6-champion-poker-raise-9", "Ann", "Please don't raise for me, only check.")
    assert set(found) == {("check",), ("raise",)}


def test_a_card_set_to_another_is_a_move_beside_a_plain_one() -> None:
    assert len(buttons("2-game-of-champions-turn-2", "Bob", "the six of clubs over to the king, and then hold")) > 1
    assert not buttons("2-game-of-champions-turn-2", "Bob", "hold, the king against the queen was no fun")


@pytest.mark.parametrize("text", ["The highest, please", "top bet!"])
def test_the_highest_bet_is_plain(text: str) -> None:
    assert not buttons("s5-champion-poker-bet-1", "Ann", text)
    assert buttons("s5-champion-poker-bet-1", "Ann", "that was the biggest pot")


def test_a_command_that_lacks_a_value_is_put_right_beside_the_plain_one() -> None:
    text = "let the general bring my 10 of clubs over to the queen, then fortify. Or not?"
    assert ("general Tc Qd", "fortify") in buttons("1-game-of-champions-turn-1", "Ann", text)[:2]


@pytest.mark.parametrize(
    ("position", "name", "text", "first"),
    [
        ("8-bluffjack-card-3", "Ann", "If Bob has 20 I hit, otherwise I stand", "hit"),
        ("s4-champ-cards-choose-2", "Ann", "keep, unless Bob has already bust, then I draw", "keep"),
        ("s4-champ-cards-choose-2", "Ann", "draw, unless you keep it for me", "draw"),
        ("1-champion-poker-play-2", "Bob", "I'd play if Ann folds, else fold", "play"),
        ("1-champion-poker-play-2", "Bob", "Nobody else would play this. Fold, I think, or not?", "fold"),
    ],
)
def test_what_is_done_otherwise_comes_second_and_what_others_do_is_no_move(
    position: str, name: str, text: str, first: str
) -> None:
    assert buttons(position, name, text)[0] == (first,)


@pytest.mark.parametrize(
    ("position", "name", "text", "first"),
    [
        ("1-champ-cards-cut-1", "Ann", "31 and card 2. No, 6", ("cut 31", "pick 6")),
        ("1-champ-cards-cut-1", "Ann", "cut 31, no, 33, and then pick 2", ("cut 33", "pick 2")),
        ("1-split-decision-choose-1", "Cleo", "3, 5, 8, 9. Oops no, 12 instead of 5", ("choose 3 12 8 9",)),
        ("1-split-decision-choose-1", "Cleo", "3, 5, 8, 9. Wait, make that 11.", ("choose 3 5 8 11",)),
        ("1-split-decision-choose-1", "Cleo", "3 5 8 9. Sorry, I meant 3 5 8 10", ("choose 3 5 8 10",)),
    ],
)
def test_a_correction_changes_one_value_and_leaves_the_rest(
    position: str, name: str, text: str, first: tuple[str, ...]
) -> None:
    assert buttons(position, name, text)[0] == first


def test_of_two_values_between_which_somebody_chooses_each_is_a_button() -> None:
    assert buttons("2-game-of-champions-roshambo-2", "Ann", "scissors or rock, hm")[:2] == [
        ("throw scissors",),
        ("throw rock",),
    ]


def test_a_sum_that_is_put_in_and_may_be_what_a_call_costs_is_asked_about() -> None:
    assert {("call",), ("raise 10",)} < set(buttons("9-bluffjack-bet-6", "Cleo", "I put the 10 in"))
    assert not buttons("9-bluffjack-bet-6", "Cleo", "I put 10 more in")


ARMIES = "Both tens and the eights for the king. Ace of clubs: sevens and the 6. The queen gets the 5 and small ones (4, 3, 3, 2)"


@pytest.mark.parametrize(
    ("text", "is_played"),
    [
        (ARMIES, True),
        (f"Good evening, my cat sat on them all. {ARMIES}. Greetings from Brno", True),
        ("Tens, eights and sevens go to the king. The ace takes 6, 5 and 4 and the rest march with the queen", True),
        (f"{ARMIES}. Is that wise?", False),
        (f"{ARMIES}. No wait, the 4 for the king.", False),
        (f"Maybe this: {ARMIES}", False),
        (ARMIES.replace("(4, 3, 3, 2)", "(4, 3, 2)"), False),
        (ARMIES.replace("the 6", "the 6 and a 5"), False),
        ("The king says he has the tens. The queen says everything is fine", False),
        ("Bob gave the tens to his king last time, the rest to the queen", False),
        ("Tens for the king, the rest to Bob", False),
        (
            "I guess Bob gave his king the tens and eights, his ace the sevens and the six, and his queen the rest.",
            False,
        ),
        ("Draft: Ks: 10s 10d 8d 8c; Ac: 7h 7d 6c 5s; Qh: 4d 3d 3c 2c", False),
    ],
)
def test_an_army_in_words_is_played_where_it_gives_each_card_once_and_doubts_nothing(
    text: str, is_played: bool
) -> None:
    assert (buttons("3-game-of-champions-deploy-2", "Ann", text) == []) is is_played


@pytest.mark.parametrize(
    ("text", "is_played"),
    [
        ("My Qc goes after the king of spades. Time to end this", True),
        ("Qc goes for the king of spades, then draw a card", False),
        ("next turn my Qc goes for the king of spades", False),
        ("I dream of my queen of clubs riding against the king of spades", False),
        ("queen of clubs against king of spades would be mad", False),
        ("My Qc goes after the king of spades, or is that mad?", False),
        ("Hold, and my Qc goes after the king of spades", False),
        ("what are the odds of Qc against Ks", False),
        ("I expect the Ks to attack my Qc", False),
        ("defend my Qc against the Ks", False),
        ("my Qc would love to go for the king of spades one day", False),
        ("The queen of clubs is strong against the king of spades", False),
        ("general: two of my cards to the queen. then attack", False),
    ],
)
def test_a_turn_in_words_is_played_where_each_step_uses_all_that_it_names(text: str, is_played: bool) -> None:
    assert (buttons("3-game-of-champions-turn-1", "Bob", text) == []) is is_played


def test_one_behind_words_for_a_place_is_that_place() -> None:
    assert not buttons("10-champ-cards-pick-8", "Bob", "I'll flip the top left one")
    assert buttons("10-champ-cards-pick-8", "Bob", "I'll flip the lucky one")


def test_no_commander_gets_lost_in_an_army_in_words() -> None:
    header, replay = played_to_its_end(FOLDER / "positions" / "23-game-of-champions-deploy-19.jsonl")
    seat, reply = seated(header, replay, "Bob")
    text = "Ace of clubs: both tens. Ace of diamonds: both nines.\nQueen: 8, 7, 6.\nJack: the small ones, 5, both threes, 2."
    found = read(replay.game, replay.state, seat, text.split("\n"), reply)
    assert all("Jh" in each.text for each in found.plan)
    assert found.plan or (found.question and "Jh" in found.question.readings[0])


@pytest.mark.parametrize(
    ("position", "name", "text", "first"),
    [
        ("19-game-of-champions-order-21", "Ann", "two, three, five, seven - lowest goes first", "order 2s 3c 5h 7d"),
        ("25-game-of-champions-order-20", "Bob", "weakest first, 4 5 7d 7h 10", "order 4s 5c 7d 7h Tc"),
    ],
)
def test_of_what_the_rules_refuse_at_once_and_is_not_said_by_its_verb_something_else_is_offered(
    position: str, name: str, text: str, first: str
) -> None:
    assert buttons(position, name, text)[0][0] == first


@pytest.mark.parametrize("text", ["21", "pick 21", "pick 21, I like it", "cut 99", "I'll take number 30. My son is 5"])
def test_what_is_said_plainly_and_breaks_a_rule_is_refused(text: str) -> None:
    assert buttons("s4-champ-cards-pick-1", "Ann", text) == []
