"""How people write: fragments of a line, words without politeness, whole numbers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.engine.grammar import is_polite, number, resembles, split_line, words
from host.engine.words import plain
from tests.rows import every


@every(
    ("line", "parts"),
    [
        ("pick 5", ["pick 5"]),
        ("Pick 5, keep", ["pick 5", "keep"]),
        ("pick 5; keep", ["pick 5", "keep"]),
        ("pick 5 then keep", ["pick 5", "keep"]),
        ("pick 5 and then keep", ["pick 5", "keep"]),
        ("pick 5, and then keep", ["pick 5", "keep"]),
        ("pick 5 and keep", ["pick 5", "keep"]),
        ("pick 5 & keep", ["pick 5", "keep"]),
        ("pick 5 + keep", ["pick 5", "keep"]),
        ("pick 5. Keep.", ["pick 5", "keep"]),
        ("pick 5! keep!!", ["pick 5", "keep"]),
        ("pick 5，keep", ["pick 5", "keep"]),
        ("bet 2,500", ["bet 2,500"]),
        ("bet 1,234,567, thanks", ["bet 1,234,567", "thanks"]),
        ("bet 12.5", ["bet 12.5"]),
        ("bet 2, 500", ["bet 2", "500"]),
        ("2,50", ["2", "50"]),
        ("sand", ["sand"]),
        ("authentic", ["authentic"]),
        ("thenceforth", ["thenceforth"]),
        ("?", ["?"]),
        ("", []),
        (" , ;; and then . ", []),
        ("… ", []),
    ],
)
def test_a_line_is_parted(line: str, parts: list[str]) -> None:
    assert list(split_line(line)) == parts


@given(st.text(max_size=200))
def test_parting_loses_no_letters_but_those_of_and_and_then(line: str) -> None:
    parts = split_line(line)
    assert all(part.strip() == part and part for part in parts)
    left = "".join(parts)
    lost = plain(line)
    for character in set(left):
        assert left.count(character) <= lost.count(character)


@every(
    ("text", "folded"),
    [
        ("PICK", "pick"),
        ("  pick  ", "pick"),
        ("Ｐｉｃｋ　５", "pick 5"),
        ("10♦︎", "10d"),
        ("10♦️", "10d"),
        ("A♥ K♠", "ace of hearts  ks"),
        ("a♠️ and a ♠", "ace of spades  and a s"),
        ("A of clubs", "ace of clubs"),
        ("I’ll", "i'll"),
        ("“pick”", '"pick"'),
        ("pi\u200bck\u00ad", "pick"),
        ("\ufeffpick", "pick"),
        ("a–b—c−d", "a-b-c-d"),
        ("STRASSE", "strasse"),
        ("Straße", "strasse"),
        ("５️⃣", "5\u20e3"),
    ],
)
def test_folding(text: str, folded: str) -> None:
    assert plain(text) == folded


@given(st.text(max_size=100))
def test_words_are_of_what_is_folded(text: str) -> None:
    assert words(text) == words(plain(text))
    assert is_polite(text) == (not words(text))


@every(
    ("text", "kept"),
    [
        ("I'll take number five, thanks!", ["take", "number", "5"]),
        ("please", []),
        ("Thank you very much", []),
        ("Hello host, how are you?", ["how", "are", "you", "?"]),
        ("take this one", ["take", "it"]),
        ("keep that one", ["keep", "it"]),
        ("don't freeze", ["don't", "freeze"]),
        ("$2,500", ["$2,500"]),
        ("#5", ["#5"]),
        ("-5", ["-5"]),
        ("12.5", ["12.5"]),
        ("5th", ["5th"]),
        ("(5)", ["5"]),
        ("pick-5", ["pick", "-5"]),
        ("twenty-six", ["26"]),
        ("twenty six", ["26"]),
        ("ninety-nine", ["99"]),
        ("fifty", ["50"]),
        ("nineteen", ["19"]),
        ("zero", ["0"]),
        ("two hundred", ["200"]),
        ("five thousand", ["5000"]),
        ("twenty-five hundred", ["2500"]),
        ("twenty thousand", ["20000"]),
        ("three grand", ["3000"]),
        ("hundred", ["hundred"]),
        ("five six", ["5", "6"]),
        ("twenty twenty", ["20", "20"]),
        ("twelve five", ["12", "5"]),
        ("zero five", ["0", "5"]),
        ("five cards", ["5", "cards"]),
        ("bet a lot", ["bet"]),
        ("bet the lot", ["bet", "lot"]),
    ],
)
def test_words(text: str, kept: list[str]) -> None:
    assert list(words(text)) == kept


@every(
    ("token", "value"),
    [
        ("5", 5),
        ("0", 0),
        ("007", 7),
        ("2,500", 2500),
        ("2.500", 2500),
        ("1.234.567", 1234567),
        ("1,234,567", 1234567),
        ("$2500", 2500),
        ("$2,500", 2500),
        ("€10", 10),
        ("£10", 10),
        ("#5", 5),
        ("1st", 1),
        ("2nd", 2),
        ("3rd", 3),
        ("5th", 5),
        ("5k", 5000),
        ("$1.5k", 1500),
        ("2,5k", 2500),
        ("9" * 18, 10**18 - 1),
    ],
)
def test_numbers(token: str, value: int) -> None:
    assert number(token) == value


@every(
    "token",
    [
        "",
        "-5",
        "+5",
        "12.5",
        "25,00",
        "2,5",
        "1,2345",
        "5x",
        "x5",
        "$",
        "#",
        "five",
        "$-5",
        "-$5",
        "5 ",
        " 5",
        "9" * 19,
    ],
)
def test_no_numbers(token: str) -> None:
    assert number(token) is None


@given(st.integers(0, 10**18 - 1))
def test_whole_numbers_are_read_back(value: int) -> None:
    assert number(str(value)) == value
    assert number(f"{value:,}") == (value if len(f"{value:,}") <= 18 else None)


@given(st.text(max_size=40))
def test_numbers_are_never_negative(token: str) -> None:
    value = number(token)
    assert value is None or value >= 0


@every(
    "text",
    [
        "please",
        "Thanks!",
        "Hello host,",
        "ok",
        "Good luck everybody!",
        "...",
        "",
        "Best regards",
        "I would like to",
        "👍",
    ],
)
def test_polite(text: str) -> None:
    assert is_polite(text)


@pytest.mark.parametrize("text", ["pick", "5", "?", "Bob", "don't", "not", "no"])
def test_not_only_polite(text: str) -> None:
    assert not is_polite(text)


@pytest.mark.parametrize("text", ["freez", "frezee", "pik 5", "accept", "12", "the 5"])
def test_attempts_resemble(text: str) -> None:
    assert resembles(text, frozenset({"freeze", "pick", "accept"}))


@pytest.mark.parametrize(
    "text", ["", "thanks", "lovely weather", "one two three four five pick seven eight nine ten", "Bob"]
)
def test_talk_does_not_resemble(text: str) -> None:
    assert not resembles(text, frozenset({"freeze", "pick", "accept"}))


@given(st.text(max_size=60), st.lists(st.text(min_size=1, max_size=10), max_size=8))
def test_nothing_here_fails(text: str, legal: list[str]) -> None:
    split_line(text)
    resembles(text, frozenset(legal))


@pytest.mark.parametrize("sign", "፩²③½Ⅳ௰٣")
def test_a_sign_for_a_number_is_a_word(sign: str) -> None:
    assert words(sign)
    assert words(f"two {sign}")
