"""Chance that anyone can check: its numbers computed here once more, from HMAC-SHA256 alone."""

import base64
import hashlib
import hmac
import re
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.engine.cards import DECK
from host.engine.chance import Chance, commitment, new_seed, new_token

SEED = bytes(range(32))
seeds = st.binary(min_size=32, max_size=32)
labels = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)


def numbers(seed: bytes, label: str) -> Iterator[int]:
    block = 0
    while True:
        digest = hmac.new(seed, label.encode("utf-8") + b":" + str(block).encode(), hashlib.sha256).digest()
        for at in (0, 8, 16, 24):
            yield int.from_bytes(digest[at : at + 8], "big")
        block += 1


def below(stream: Iterator[int], bound: int) -> int:
    while True:
        number = next(stream)
        if number < 2**64 - 2**64 % bound:
            return number % bound


def shuffled(seed: bytes, label: str, items: list[str]) -> list[str]:
    stream = numbers(seed, label)
    for last in reversed(range(1, len(items))):
        other = below(stream, last + 1)
        items[last], items[other] = items[other], items[last]
    return items


def test_known_vectors() -> None:
    first = hmac.new(bytes(32), b"round:1:deck:0", "sha256").hexdigest()
    assert first[:16] == f"{next(numbers(bytes(32), 'round:1:deck')):016x}"
    assert Chance(bytes(32)).below("round:1:deck", 2**64) == int(first[:16], 16)
    assert Chance(bytes(32)).shuffled("round:1:deck", DECK[:5]) == tuple(
        shuffled(bytes(32), "round:1:deck", list(DECK[:5]))
    )


@given(seed=seeds, label=labels, bounds=st.lists(st.integers(1, 2**64), max_size=12))
def test_numbers_are_those_of_the_stream(seed: bytes, label: str, bounds: list[int]) -> None:
    stream, mine = Chance(seed).stream(label), numbers(seed, label)
    assert [stream.below(bound) for bound in bounds] == [below(mine, bound) for bound in bounds]


@given(seed=seeds, label=labels)
def test_shuffles_are_those_of_the_stream(seed: bytes, label: str) -> None:
    deck = Chance(seed).shuffled(label, DECK)
    assert list(deck) == shuffled(seed, label, list(DECK))
    assert sorted(deck) == sorted(DECK)


def test_the_uneven_top_is_thrown_away(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = iter([2**64 - 1, 2**64 - 1, 7])
    monkeypatch.setattr("host.engine.chance._numbers", lambda seed, label: drawn)
    assert Chance(SEED).below("any", 3) == 1


def test_each_label_begins_at_its_first_block() -> None:
    luck = Chance(SEED)
    first = luck.below("a", 1000)
    luck.below("b", 1000)
    assert luck.below("a", 1000) == first
    stream = luck.stream("a")
    assert stream.below(1000) == first
    following = numbers(SEED, "a")
    below(following, 1000)
    assert stream.below(1000) == below(following, 1000)


def test_a_stream_goes_on_into_its_next_block() -> None:
    stream = Chance(SEED).stream("a")
    drawn = [stream.below(2**64) for _ in range(9)]
    second = hmac.new(SEED, b"a:1", "sha256").digest()
    assert drawn[4] == int.from_bytes(second[:8], "big")
    assert len(set(drawn)) == 9


@pytest.mark.parametrize("bound", [0, -1])
def test_a_bound_is_at_least_one(bound: int) -> None:
    with pytest.raises(ValueError):
        Chance(SEED).below("a", bound)


def test_below_one_is_zero() -> None:
    assert Chance(SEED).below("a", 1) == 0


@pytest.mark.parametrize("count", [0, 1])
def test_little_to_shuffle(count: int) -> None:
    assert Chance(SEED).shuffled("a", DECK[:count]) == DECK[:count]


def test_all_orders_of_three_come_up_about_as_often() -> None:
    counts: dict[tuple[str, ...], int] = {}
    for number in range(6000):
        order = Chance(number.to_bytes(32, "big")).shuffled("a", "xyz")
        counts[order] = counts.get(order, 0) + 1
    assert len(counts) == 6
    assert all(850 < count < 1150 for count in counts.values())


def test_commitment_is_the_sha256_of_the_seed() -> None:
    assert commitment(SEED) == hashlib.sha256(SEED).hexdigest()
    assert commitment(bytes(32)) == "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925"


def test_seeds_and_tokens_are_long_and_new() -> None:
    assert len({new_seed() for _ in range(100)}) == 100
    assert all(len(new_seed()) == 32 for _ in range(10))
    tokens = {new_token() for _ in range(100)}
    assert len(tokens) == 100
    assert all(re.fullmatch("[a-z2-7]{26}", token) for token in tokens)
    assert all(len(base64.b32decode(token.upper() + "======")) == 16 for token in tokens)
