"""A chain: its links, and the seed that follows from one of them and from what the contestants gave."""

import hashlib
import hmac

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.engine.chain import LENGTH, Place, end_of, first_free, gift, hashed, link_of, seed_of
from tests.rows import every

FIRST = bytes(range(32))
NUMBERS = st.integers(1, LENGTH)
GIVEN = st.lists(
    st.builds(gift, st.from_regex(r"<[a-z0-9.]{1,20}@[a-z]{1,9}>", fullmatch=True), st.just("")), min_size=2
)


@given(NUMBERS)
def test_a_link_hashed_as_often_as_its_number_says_is_the_end(number: int) -> None:
    link = link_of(FIRST, number)
    for _ in range(number):
        link = hashlib.sha256(link).digest()
    assert link.hex() == end_of(FIRST)


def test_the_last_link_is_the_first_that_was_drawn_and_there_is_none_beyond() -> None:
    assert link_of(FIRST, LENGTH) == FIRST
    for number in (0, LENGTH + 1):
        with pytest.raises(ValueError, match="1 to 10000"):
            link_of(FIRST, number)


@given(st.binary(min_size=32, max_size=32), GIVEN)
def test_a_seed_is_the_hmac_of_what_was_given(link: bytes, lines: list[str]) -> None:
    assert seed_of(link, lines) == hmac.new(link, "\n".join(lines).encode(), hashlib.sha256).digest()


@given(st.integers(1, 50), GIVEN, st.data())
def test_whatever_is_changed_is_a_fault(number: int, lines: list[str], data: st.DataObject) -> None:
    link = hashed(FIRST, 7)
    end = hashed(link, number).hex()
    seed = seed_of(link, lines)
    assert Place(number, end, tuple(lines), link).faults(seed) == ()
    at = data.draw(st.integers(0, len(lines) - 1))
    changed = (*lines[:at], f"{lines[at]} pear", *lines[at + 1 :])
    assert len(Place(number, end, changed, link).faults(seed)) == 1
    assert len(Place(number + 1, end, tuple(lines), link).faults(seed)) == 1
    assert len(Place(number, end, tuple(lines), hashed(link, 1)).faults(seed)) == 2
    if lines[0] != lines[-1]:
        assert Place(number, end, (lines[-1], *lines[1:-1], lines[0]), link).faults(seed)


@every("odd", ["", "a b@c", "a@b", "<a@b", "a@b>", "<a@b>\nX: y", "<ä@b>", "x" * 500])
def test_a_message_id_that_is_none_is_told_as_none(odd: str) -> None:
    assert gift(odd, "pear") == "<> pear"


def test_a_gift_is_the_message_id_as_it_stands_and_the_word() -> None:
    assert gift("<A.b@C>", "") == "<A.b@C>"
    assert gift("<A.b@C>", "pear") == "<A.b@C> pear"


def test_the_first_chain_that_serves_nobody_is_free() -> None:
    assert first_free([3, 5], ()) == 0
    assert first_free([3, 5], {0}) == 1
    assert first_free([LENGTH, 5], ()) == 1
    assert first_free([3], {0}) is first_free([], ()) is None
