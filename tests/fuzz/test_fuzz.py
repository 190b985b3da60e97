"""What is fuzzed, in small: the same inputs each time, for as long as a suite may take. For more, see docs/fuzzing.md."""

import copy
import functools
import json
import random
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from host.engine import record
from host.games import GAMES
from host.mail.inbound.quotation import read_lines
from tests.fuzz import targets
from tests.fuzz.checks import check_hearing, check_mail
from tests.fuzz.mails import fuzzed, letters, sayings
from tests.games.playouts import playout, recorded
from tests.size import size
from tests.test_config import LEAST

SEEDS = Path(__file__).parent / "seeds"
MAILS, BLOCK = size(100, 1000), 100
FIXED = settings(derandomize=True, deadline=None, database=None)

lines = st.lists(st.one_of(st.sampled_from(sayings()), st.text(max_size=60)), max_size=6)
values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=30), st.dates(), st.just("5s")),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=5,
)


# Mails


@pytest.mark.parametrize("first", range(1, MAILS, BLOCK))
def test_generated_mails_are_read(first: int) -> None:
    found = {number: check_mail(fuzzed(number)) for number in range(first, first + BLOCK)}
    assert not {number: findings for number, findings in found.items() if findings}


def test_a_number_is_always_the_same_mail() -> None:
    assert [fuzzed(number) for number in range(50)] == [fuzzed(number) for number in range(50)]


def test_there_are_mails_of_every_kind() -> None:
    mails = [fuzzed(number) for number in range(200)]
    assert {mail.kind for mail in mails} == {"mutated", "crossed", "carried", "marked", "built"}
    assert any(mail.reading and mail.reading.lines and mail.raw != mail.reading.raw for mail in mails)
    assert any(mail.quoted for mail in mails)


def test_what_goes_wrong_is_found() -> None:
    """A check that finds nothing whatever happens would be of no use."""
    mail = next(mail for mail in map(fuzzed, range(1000)) if mail.reading and mail.reading.lines)
    assert mail.reading is not None
    findings = check_mail(replace(mail, reading=replace(mail.reading, lines=("something else",))))
    assert any("carried otherwise" in each for each in findings)


@pytest.mark.parametrize("name", list(targets.TARGETS))
def test_the_seeds_of_each_target_pass(name: str) -> None:
    files = sorted((SEEDS / name).iterdir())
    assert files
    for file in files:
        targets.TARGETS[name](file.read_bytes())


# Text and lines


@given(st.text(max_size=400))
@FIXED
def test_any_text_is_read(text: str) -> None:
    targets.text(text.encode("utf-8", "replace"))


@given(st.lists(st.sampled_from([*sayings()[:200], "On 20.11.2026 15:00, a@b wrote:", "-----", "From: a@b", "-- "])))
@FIXED
def test_marks_are_believed_whatever_stands_around_them(rows: list[str]) -> None:
    marked = [f"> {row}" if at % 2 else row for at, row in enumerate(rows)]
    typed = read_lines("\n".join(marked), letters("turn.eml")).lines
    assert all(line in {" ".join(row.split()) for row in rows[::2]} for line in typed)


@pytest.mark.parametrize("slug", list(GAMES))
def test_any_lines_are_heard(slug: str) -> None:
    @given(lines, st.integers(0, 2**16))
    @FIXED
    def heard(lines: list[str], number: int) -> None:
        assert not check_hearing([line.replace("\0", "") for line in lines], random.Random(number), slug)

    heard()


# Records


@functools.cache
def record_rows(slug: str, number: int) -> tuple[str, ...]:
    found = recorded(playout(slug, number))
    return (record.write_header(found.header), *map(record.write_line, found.lines[:60]))


def mutated(rows: list[str], rng: random.Random) -> bytes:
    """A record with lines or values moved, repeated, dropped or replaced."""
    odd: list[Any] = [
        None,
        True,
        -1,
        1.5,
        10**30,
        "",
        "host",
        "ann",
        "\ud800",
        "a\0b",
        [],
        {},
        "x" * 3000,
        ["ann"] * 40,
    ]
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(rows))
        change = rng.choice(("drop", "repeat", "swap", "value", "key", "bytes"))
        if change == "drop" and len(rows) > 1:
            del rows[at]
        elif change == "repeat":
            rows.insert(rng.randrange(len(rows)), rows[at])
        elif change == "swap":
            other = rng.randrange(len(rows))
            rows[at], rows[other] = rows[other], rows[at]
        elif change == "bytes":
            place = rng.randrange(len(rows[at]) + 1)
            rows[at] = rows[at][:place] + rng.choice(('"', "{", "\\", "5", "]", "\\u0000", "")) + rows[at][place + 1 :]
        else:
            rows[at] = changed(rows[at], rng, odd, change)
    return "\n".join(rows).encode("utf-8", "surrogatepass")


def changed(row: str, rng: random.Random, odd: list[Any], change: str) -> str:
    try:
        data = json.loads(row)
    except ValueError:
        return row
    if not isinstance(data, dict) or not data:
        return row
    key = rng.choice(list(data))
    if change == "value":
        data[key] = rng.choice(odd) if not isinstance(data[key], dict) else {"champion_wins": rng.choice(odd)}
    else:
        data[rng.choice(("say", "from", "timeout", "back_to", "options", "game"))] = data.pop(key)
    return json.dumps(data)


@pytest.mark.parametrize("slug", list(GAMES))
def test_a_mutated_record_is_verified_or_refused_with_a_sentence(slug: str) -> None:
    for number in range(size(20, 60)):
        rng = random.Random(number)
        targets.episode_record(mutated(list(record_rows(slug, number % 4)), rng))


# Configurations


@given(st.lists(st.tuples(st.integers(0, 2**16), values), max_size=3), st.data())
@FIXED
def test_a_mutated_configuration_is_one_or_an_error_of_one_sentence(changes: list[tuple[int, Any]], data: Any) -> None:
    found = tomllib.loads(LEAST) | {"games": {"champ-cards": {"seats": 2}}, "deadlines": {"reply_within": "3h"}}
    found = copy.deepcopy(found)
    for place, value in changes:
        section = found
        names = ["host", "imap", "smtp", "database", "deadlines", "security", "health", "games", "oauth", "x"]
        name = names[place % len(names)]
        if place % 7 and isinstance(section.get(name, {}), dict):
            section = section.setdefault(name, {})
            keys = [
                "name",
                "address",
                "port",
                "security",
                "url",
                "reminders",
                "timezone",
                "listen",
                "champ-cards",
                "options",
            ]
            name = [*keys, "password_file", "tenant", "scopes", "operators"][place // 16 % 14]
        section[name] = value
    variable = data.draw(
        st.sampled_from(["PODIUM_SMTP__PORT", "PODIUM_HOST", "PODIUM_GAMES__CHAMP_CARDS__SEATS", "PODIUM___"])
    )
    targets.built_config(found, {variable: data.draw(st.text(max_size=8))})


@given(st.binary(max_size=200))
@FIXED
def test_a_file_with_any_bytes_is_a_configuration_or_an_error_of_one_sentence(data: bytes) -> None:
    targets.config(data)
    targets.config(LEAST.encode() + data)
