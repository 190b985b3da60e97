"""What a contestant is called, and which addresses deliver to one mailbox."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.play.names import MAX_LENGTH, RESERVED, alike, at_table, called, mailbox_of, why_not
from tests.rows import every


def free(_: str) -> bool:
    return False


@every(
    ("name", "nickname", "short"),
    [
        ("Ann Smith", "", "Ann"),
        ("Ann Smith", "Annie", "Annie"),
        ("Ann Smith", "Card Shark", "Card-Shark"),
        ("Ann Smith", "Ann Smith", "Ann"),
        ("Ann Smith", "smith", "Ann"),
        ("Ann Smith", "The Smith", "The"),
        ("Ann Smith", "ann@example.org", "Ann"),
        ("Dr. Cleopatra Fox", "", "Cleopatra"),
        ("Smith, Prof. Ann", "", "Ann"),
        ("Sir", "", "Sir"),
        ("Smith, Ann", "", "Ann"),
        ("Smith, Ann Mary", "", "Ann"),
        ("José Núñez", "", "Jose"),
        ("Zoë", "", "Zoe"),
        ("Jean-Luc Picard", "", "Jean-Luc"),
        ("O'Neill", "", "ONeill"),
        ("李 明", "", "李"),
        ("Ольга Иванова", "", "Ольга"),
        ("Łukasz Nowak", "", "Lukasz"),
        ("Søren Þórsson", "", "Soren"),
        ("Æsa Ek", "Ægir", "Aegir"),
        ("देवनागरी राव", "", "देवनागरी"),
        ("น้ำผึ้ง", "", "น้ำผึ้ง"),
        ("李A 明", "", "李A"),
        ("Hоst", "", "Hst"),
        ("Kaʻiulani", "", "Kaiulani"),
        ("Ann\u3164", "", "Ann"),
        ("Анна\ufe0f", "", "Анна"),
        ("Вл\u0337\u0322ад", "", "Влад"),
        ("", "", "Player"),
        ("   ", "  ", "Player"),
        ("ann@example.org", "", "Player"),
        ("🎲", "", "Player"),
        ("Ann", "🎲🎲", "Ann"),
        ("host", "", "Player"),
        ("Ann", "Host", "Ann"),
        ("Ann", "RED", "RED-2"),
        ("Gold Smith", "", "Gold-2"),
        ("Ann", "all", "Ann"),
        *(
            ("Ann", each, "Ann")
            for each in ("You", "Your", "yes", "NOBODY", "the host", "the-host", "No", "Me", "Everybody")
        ),
        ("You", "", "Player"),
        ("Ann", "42", "42-2"),
        ("A" * 50, "", "A" * MAX_LENGTH),
        ("Ann", "-x-", "x"),
    ],
)
def test_names(name: str, nickname: str, short: str) -> None:
    assert called(name, nickname, free) == short


def test_taken_names_get_a_number() -> None:
    taken = {"Ann", "Ann-2"}
    assert called("Ann Smith", "", taken.__contains__) == "Ann-3"


def test_numbers_go_on() -> None:
    taken: set[str] = set()
    for _ in range(12):
        taken.add(called("Ann", "", taken.__contains__))
    assert taken == {"Ann", *(f"Ann-{number}" for number in range(2, 13))}


@given(st.text(max_size=40), st.text(max_size=40))
def test_a_name_is_one_word_and_not_reserved(name: str, nickname: str) -> None:
    short = called(name, nickname, free)
    assert short
    assert short.split() == [short]
    assert short.casefold() not in RESERVED
    assert "@" not in short
    assert not short.isdigit()
    assert len(short) <= MAX_LENGTH + 2


@given(st.from_regex(r"[A-Z][a-z]{2,8}", fullmatch=True), st.from_regex(r"[A-Z][a-z]{2,8}", fullmatch=True))
def test_a_surname_is_never_used(first: str, last: str) -> None:
    for nickname in ("", last, f"{first} {last}", last.upper()):
        short = called(f"{first} {last}", nickname, free)
        assert first.casefold() == last.casefold() or last.casefold() not in short.casefold().split("-")


def test_numbers_only_where_two_at_a_table_are_called_alike() -> None:
    assert at_table([("Ann Lee", ""), ("Bob Ray", ""), ("Ann Poe", ""), ("Zed", "ann")]) == (
        "Ann",
        "Bob",
        "Ann-2",
        "ann-3",
    )
    assert at_table([("Ann Poe", "")]) == ("Ann",)


@every("nickname", ["The Host", "Your", "You", "Red", "Ton", "zed@example.org", "🎲", "The Millionaire"])
def test_it_is_said_why_a_nickname_cannot_be_had(nickname: str) -> None:
    assert f"“{nickname}”" in why_not("Wes Ton", nickname, "The Millionaire")


@pytest.mark.parametrize("nickname", ["", "Wes", "Card Shark", "José", "A very long nickname that goes on"])
def test_of_a_nickname_that_can_be_had_nothing_is_said(nickname: str) -> None:
    assert why_not("Wes Ton", nickname) == ""


@pytest.mark.parametrize(
    ("address", "mailbox"),
    [
        ("Ann.Lee+cards@googlemail.com", "annlee@gmail.com"),
        ("ann.lee@example.net", "ann.lee@example.net"),
        ("ann.lee+cards@example.net", "ann.lee@example.net"),
        ("+ann@example.net", "+ann@example.net"),
    ],
)
def test_a_mailbox(address: str, mailbox: str) -> None:
    assert mailbox_of(address) == mailbox


def test_those_that_share_a_mailbox_are_named() -> None:
    found = alike(["a.b@gmail.com", "ab@gmail.com", "ab+2@googlemail.com", "c@gmail.com"])
    assert found["ab@gmail.com"] == ("a.b@gmail.com", "ab+2@googlemail.com")
    assert "c@gmail.com" not in found
    assert alike(["a+1@x.example", "a+2@x.example"]) == {
        "a+1@x.example": ("a+2@x.example",),
        "a+2@x.example": ("a+1@x.example",),
    }


@given(st.text())
def test_any_address(address: str) -> None:
    assert mailbox_of(mailbox_of(address)) == mailbox_of(address)
