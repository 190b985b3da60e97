"""What golden files share: the same seeds and tokens at every run, and a file that has to stay as somebody accepted it."""

import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

import pytest

from host.club import lobby
from host.table import letters

_SIGNS = "abcdefghijklmnopqrstuvwxyz234567"


@contextmanager
def the_same_every_time(seed: bytes) -> Iterator[None]:
    """Episodes have this seed, and letters have tokens that are counted."""
    numbers = itertools.count()

    def token() -> str:
        number = next(numbers)
        return "token" + "a" * 18 + _SIGNS[number // 1024] + _SIGNS[number // 32 % 32] + _SIGNS[number % 32]

    with patch.object(letters, "new_token", token), patch.object(lobby, "new_seed", lambda: seed):
        yield


def check(file: Path, text: str) -> None:
    """The file holds this text. One that is missing is written, and the test fails once."""
    if not file.exists():
        file.write_text(text, "utf-8")
        pytest.fail(f"{file.name} was written: read it, and commit it if it is right")
    assert text == file.read_text("utf-8")
