"""Several cards named at once."""

from host.engine.card_groups import spelled_out
from tests.rows import every

HAND = ("Th", "Td", "8s", "8c", "5h", "4s", "4h", "4d", "2c")


@every(
    ("text", "wanted"),
    [
        ("king: both tens", "king: th td"),
        ("the tens and the 5", "th td and the 5"),
        ("two eights", "8s 8c"),
        ("both 8s to the queen", "8s 8c to the queen"),
        ("the three 4s", "4s 4h 4d"),
        ("all of the fours", "4s 4h 4d"),
        ("all my hearts", "th 5h 4h"),
        ("all three heart cards", "th 5h 4h"),
        ("the red ones", "th td 5h 4h 4d"),
        ("blacks to the ace", "8s 8c 4s 2c to the ace"),
        ("all nine to the king", "th td 8s 8c 5h 4s 4h 4d 2c to the king"),
        ("all of them under the king", "th td 8s 8c 5h 4s 4h 4d 2c under the king"),
    ],
)
def test_a_group_is_the_cards_that_it_means(text: str, wanted: str) -> None:
    assert spelled_out(text, HAND) == wanted


@every(
    "text",
    [
        "8s 4s 2c",
        "king of hearts 5h 4h",
        "both fours",
        "three tens",
        "all eleven to the king",
        "to the clubs king",
        "both nines",
        "order 2 8s 5",
        "all",
    ],
)
def test_what_is_no_group_of_these_cards_stays(text: str) -> None:
    assert spelled_out(text, HAND) == text
