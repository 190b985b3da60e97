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
            "Spy swaps his 4 and 9 of clubs, then my ace goes for the queen of clubs.",
            ("spy 4c 9c", "attack Ac Qc"),
        ),
    ],
)
def test_a_clause_that_names_values_stands_beside_the_plain_one(
    position: str, name: str, text: str, first: tuple[str, ...]
) -> None:
    assert buttons(position, name, text)[0] == first


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
    text = "let the general bring my 10 of clubs over to the queen, then fortify"
    assert ("general Tc Qd", "fortify") in buttons("1-game-of-champions-turn-1", "Ann", text)[:2]
