"""What other languages say of moves and cards, in English."""

import pytest

from host.engine.words import in_english, ordinary_words
from tests.rows import every


@pytest.mark.parametrize(
    ("said", "english"),
    [
        ("Ich gehe mit", "call"),
        ("Je coupe à dix-sept et je retourne la quatre", "cut 17 and pick 4"),
        ("Mon valet de carreau attaque le roi de carreau", "jack diamonds attack king diamonds"),
        ("Eine Karte bitte", "another card"),
        ("Tijeras", "scissors"),
        ("Stawiam wszystko", "bet all"),
    ],
)
def test_a_clause_that_is_known_is_in_english(said: str, english: str) -> None:
    assert in_english(said) == english


@every("said", ["pick 5 please", "all in", "no deal", "Ich mag Katzen", "la vita è bella", "", "5", "Ann"])
def test_what_is_english_or_not_all_known_is_left_alone(said: str) -> None:
    assert in_english(said) == ""


def test_a_name_stays_with_or_without_its_accents() -> None:
    assert in_english("Je la passe à Cléo", frozenset({"cleo"})) == "pass cleo"


def test_a_long_clause_is_no_move() -> None:
    assert in_english("karte " * 30) == ""


def test_ordinary_english_is_not_translated() -> None:
    words = sorted(word for word in ordinary_words() if in_english(word))
    assert words == []
