"""Services in people's own words: what asks for one, and what must never be taken for one."""

import re
import sys
import tomllib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median

import pytest

from host.engine.words import table
from host.play.forms import forms
from host.play.services import Service, asked_to_know, greets_host, service_in, take_host_text
from tests.patience import not_for_ever
from tests.rows import every

TITLES = ("Champ Cards", "champ-cards", "CC")
SAID = {
    service: [line for line in block.splitlines() if line]
    for service, block in tomllib.loads(Path(__file__).with_name("services.toml").read_text("utf-8")).items()
}


def test_each_service_has_words_and_forms_and_what_people_say() -> None:
    found = table("host.play", "services.toml")
    assert set(found["about"]) | set(found["lines"]) == set(Service)
    assert set(found["about"]) == set(SAID) - {"none"}
    assert all(forms("services", each).pattern for each in found["about"])


@every(("service", "clause"), [(service, each) for service, all_ in SAID.items() for each in all_])
def test_a_clause_asks_for_the_service_it_means_or_for_none(service: str, clause: str) -> None:
    assert service_in(clause, TITLES)[0] == ("" if service == "none" else service)


@pytest.mark.parametrize(
    ("clause", "argument"),
    [
        ("please remove me from the Champ Cards queue", "champ cards"),
        ("take me off champ-cards", "champ cards"),
        ("leave CC", "cc"),
        ("sign me up for the next Champ Cards", ""),
        ("I want to leave the queue", ""),
        ("leave the cc", "cc"),
    ],
)
def test_the_game_that_a_service_names(clause: str, argument: str) -> None:
    assert service_in(clause, TITLES)[1] == argument


def test_a_title_is_only_known_where_it_is_given() -> None:
    assert service_in("leave champ cards") == ("", "")
    assert service_in("leave Bluffjack", TITLES) == ("", "")


@every(
    "clause",
    [each for service, all_ in SAID.items() if service not in ("none", "help") for each in all_],
)
def test_whatever_else_is_said_in_the_clause_makes_it_no_service(clause: str) -> None:
    said = re.sub(r"[^\w']+$", "", clause)
    for other in (f"fold and {said}", f"{said} on 5", f"if {said}", f"not {said}", f"{said} before I take the queen"):
        assert service_in(other, TITLES) == ("", ""), other


@every(
    "clause",
    ["", " ", "...", "!", "x" * 500_000, "what " * 100_000, "is it " * 90_000 + "when", "queue " * 23, "\x00 ♥ ✊"],
)
def test_signs_and_long_texts_are_no_service(clause: str) -> None:
    with not_for_ever():
        assert service_in(clause, TITLES) == ("", "")


def calls(action: Callable[[], object]) -> int:
    """How many functions are called and left, the same number on every machine."""
    counted = 0

    def count(*_: object) -> None:
        nonlocal counted
        counted += 1

    sys.setprofile(count)
    try:
        action()
    finally:
        sys.setprofile(None)
    return counted


def test_a_clause_that_asks_nothing_costs_next_to_nothing() -> None:
    service_in("is it my turn", TITLES)  # patterns are made
    assert median(calls(partial(service_in, clause, TITLES)) for clause in SAID["none"]) < 200


@every(
    "line",
    [
        "Dear host,",
        "Dear Host",
        "To the host:",
        "Hi Millionaire,",
        "Hello The Millionaire!",
        "hey host - sorry",
        "Host, could you wait?",
        "Millionaire: I am ill",
        "Message for the host: I am ill",
        "Good morning, host.",
        "for the host: thanks",
    ],
)
def test_a_line_that_turns_to_the_host(line: str) -> None:
    assert greets_host(line, ["The Millionaire"])


@every(
    "line",
    [
        "hosts are fun",
        "Hello hostess",
        "pick 5",
        "Dear all,",
        "Hi Ann,",
        "the host is nice",
        "I like the host: really",
        "Hi millionaires",
        "to the hospital",
        "Hi host I'll take 5 please",
    ],
)
def test_a_line_that_turns_to_nobody(line: str) -> None:
    assert not greets_host(line, ["The Millionaire"])


def test_a_name_of_the_host_counts_only_where_it_is_given() -> None:
    assert not greets_host("Hi Millionaire,")


@pytest.mark.parametrize(
    ("lines", "rest", "text"),
    [
        (["pick 5", "host Dear Millionaire,", "", "I am ill"], ("pick 5",), "Dear Millionaire,\n\nI am ill"),
        (["Dear host,", "pick 5"], ("Dear host,", "pick 5"), ""),
        (["host"], ("host",), ""),
        ([], (), ""),
    ],
)
def test_what_is_written_to_the_host_begins_with_that_word(lines: list[str], rest: tuple[str, ...], text: str) -> None:
    assert take_host_text(lines) == (rest, text)


@every(
    "text, service",
    [
        ("tell me who is next", "status"),
        ("Tell whose turn it is", "status"),
        ("tell Ann I fold next time", ""),
        ("Tell Bob my cards are great", ""),
    ],
)
def test_what_somebody_else_is_to_be_told_is_no_wish_to_know(text: str, service: str) -> None:
    assert asked_to_know(text) == service
