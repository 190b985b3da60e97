"""Talk: whom it is for, and nothing in it that can be tapped."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.play.services import Service, Wish, take_wishes
from host.play.talk import Said, read_talk, without_links
from host.play.terms import topic_of
from tests.patience import not_for_ever

NAMES = ("Ann", "Bob", "Bobby")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("hello", Said("hello")),
        ("to Bob hello", Said("hello", "Bob", is_addressed=True)),
        ("to bobby: hello", Said("hello", "Bobby", is_addressed=True)),
        ("to all hello", Said("hello", is_addressed=True)),
        ("to Zed hello", Said("Zed hello", "Zed", is_addressed=True, is_unknown=True)),
        ("to Ann and Bob hello", Said("Ann and Bob hello", "Ann and Bob", is_addressed=True, is_unknown=True)),
        ("to Ann and all my friends", Said("and all my friends", "Ann", is_addressed=True)),
        ("to Bob", Said("", "Bob", is_addressed=True)),
        ("", Said("")),
    ],
)
def test_whom_it_is_for(text: str, said: Said) -> None:
    assert read_talk(text, NAMES) == said


@pytest.mark.parametrize(
    "text",
    [
        "see https://evil.example/x?y=1",
        "see www.evil.example",
        "see evil.com/pay",
        "go to evil.com, now",
        "javascript://x",
        "mailto:bob@x.example",
        "write to bob.ray+x@mail.example.org!",
    ],
)
def test_addresses_and_links_are_named_not_shown(text: str) -> None:
    shown = without_links(text)
    assert "(a link)" in shown or "(an address)" in shown
    assert "evil" not in shown
    assert "@" not in shown
    assert "://" not in shown


def test_words_and_sums_stay() -> None:
    assert without_links("Well played. I had 3.5 of 10, e.g. $2,500!") == "Well played. I had 3.5 of 10, e.g. $2,500!"


@given(st.text(max_size=200))
def test_no_address_and_no_line_break_is_left(text: str) -> None:
    shown = read_talk(text, NAMES).text
    assert "://" not in shown.replace(" ", "") or "://" not in shown
    assert "\n" not in shown
    assert "\x00" not in shown
    assert "\u202e" not in shown


def test_what_follows_is_said_too_but_no_wish_and_not_what_goes_to_the_host() -> None:
    rest, wishes = take_wishes(["pick 5", "say hello", "all of you", "mute Bob", "host I am late"])
    assert rest == ("pick 5", "host I am late")
    assert wishes == (Wish(Service.SAY, "hello all of you"), Wish(Service.MUTE, "Bob"))


def test_a_name_may_end_with_a_sign_that_is_no_letter() -> None:
    assert read_talk("to Ann and देवनागरी hello", ("Ann", "देवनागरी")).to == "Ann and देवनागरी"


@pytest.mark.parametrize("line", ["cancel", "status, please", "help"])
def test_a_line_of_one_order_ends_what_is_said(line: str) -> None:
    rest, wishes = take_wishes(["say to Bob nice hand", line])
    assert wishes[0] == Wish(Service.SAY, "to Bob nice hand")
    assert rest == (line,)
    said = "to Bob my plans are firm and nothing at all will make me"
    assert take_wishes([f"say {said}", line]) == ((), (Wish(Service.SAY, f"{said} {line}"),))


def test_a_line_that_only_begins_like_it_is_no_talk() -> None:
    assert take_wishes(["saying nothing", "I say hello", "say, pick 5?"])[1] == ()


@pytest.mark.parametrize(
    "text", ["a." * 200_000, "a@" * 200_000, "x" * 500_000, "?" * 500_000, " ," * 200_000, "to " * 200_000]
)
def test_long_texts_take_no_time(text: str) -> None:
    with not_for_ever():
        read_talk(text, NAMES)
        topic_of(text)
        take_wishes([f"say {text}", f"explain {text}", f"rules {text}", f"again with {text}"], "champ-cards")
