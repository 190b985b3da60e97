"""Letters as the store keeps them: each comes back as it was, from dictionaries that never change."""

import hashlib
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from host.store.packing import FOLDER, NEWEST, pack, unpack
from tests.letters.dictionary import dictionary, golden_messages
from tests.size import size

RELEASED = {1: "071bcf3cb9603aac43cddbd11eaa729c90d0a07fac0ce3a14315dd7182f9e96e"}
"""Each dictionary and its SHA-256. What was packed with one can be read with no other, so none of them ever changes."""
MEAN = 1400
"""Bytes that a golden letter may have. Where they have more the dictionary has grown old: write the next one."""


GOLDEN = golden_messages()


def test_every_golden_letter_comes_back_and_takes_a_tenth() -> None:
    assert len(GOLDEN) > 50
    packed = [pack(each) for each in GOLDEN]
    assert [unpack(each) for each in packed] == GOLDEN
    assert {each[0] for each in packed} == {NEWEST}
    assert sum(map(len, packed)) / len(packed) < MEAN
    assert sum(map(len, packed)) < sum(map(len, GOLDEN)) / 7


@given(st.binary(max_size=2000) | st.binary(max_size=20).map(lambda some: some * 5000))
@settings(deadline=None)
def test_any_bytes_come_back(message: bytes) -> None:
    assert unpack(pack(message)) == message


def test_what_is_no_packed_letter_is_refused() -> None:
    packed = pack(GOLDEN[0])
    halves = [packed[:at] for at in (0, 1, 2, 7, len(packed) // 2, len(packed) - 1)]
    for each in (*halves, b"\xff" + packed[1:], packed + b"x", packed[:20] + b"\0" + packed[21:], GOLDEN[0]):
        with pytest.raises(ValueError, match="packed letter"):
            unpack(each)


@given(st.data())
@settings(deadline=None, max_examples=size(20, 50))
def test_a_changed_byte_never_gives_another_message(data: st.DataObject) -> None:
    message = GOLDEN[data.draw(st.integers(0, len(GOLDEN) - 1))]
    packed = bytearray(pack(message))
    at = data.draw(st.integers(0, len(packed) - 1))
    packed[at] ^= data.draw(st.integers(1, 255))
    try:
        assert unpack(bytes(packed)) == message
    except ValueError as error:
        assert "packed letter" in str(error)


def test_dictionaries_stay_as_they_were_released() -> None:
    found = {int(file.stem): hashlib.sha256(file.read_bytes()).hexdigest() for file in FOLDER.glob("*.bin")}
    assert found == RELEASED
    assert max(RELEASED) == NEWEST
    assert all(file.stat().st_size <= 32_768 for file in FOLDER.glob("*.bin"))


def test_a_dictionary_holds_what_occurs_more_than_once() -> None:
    chance = random.Random(7)
    shared, *own = (chance.randbytes(600) for _ in range(4))
    found = dictionary([each[:300] + shared + each[300:] for each in own])
    assert shared[100:500] in found
    assert all(each[:200] not in found and each[-200:] not in found for each in own)
