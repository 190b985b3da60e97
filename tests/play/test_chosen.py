"""Answers to the question what a mail meant."""

import pytest

from host.play.chosen import NONE_OF_THEM, chosen


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("yes", 1),
        ("Yes please", 1),
        ("1", 1),
        ("#3", 3),
        ("number two", 2),
        ("No. 2", 2),
        ("The second one, please!", 2),
        ("option 3)", 3),
        ("I meant the third", 3),
        ("no", NONE_OF_THEM),
        ("Neither of them.", NONE_OF_THEM),
        ("something else", NONE_OF_THEM),
        ("no, something else", NONE_OF_THEM),
        ("4", None),
        ("yes, but keep", None),
        ("yes, two", None),
        ("no, draw", None),
        ("one or two", None),
        ("second thoughts", None),
        ("keep", None),
        ("thanks", None),
        ("", None),
    ],
)
def test_a_number_a_yes_and_a_no_choose_and_nothing_else_does(text: str, number: int | None) -> None:
    assert chosen([text], 3) == number
    assert chosen([text, ""], 3) == number
