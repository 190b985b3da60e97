"""Golden letters of every room: as somebody has read and accepted them.

After a change to letters `python -m tests.letters.gallery --golden` writes them anew; read `git diff`.
"""

import pytest

from tests.letters.gallery import GOLDEN, jobs
from tests.size import size

MOST = 60
"""Golden letters; more are not read by anybody."""
FOLDERS = sorted({about for _, about in jobs(is_for_golden=True)})


LONG = ("champ-cards", "game-of-champions", "split-decision")
"""What is played at length for its letters."""


@pytest.mark.parametrize("folder", size([each for each in FOLDERS if each not in LONG], FOLDERS))
def test_letters_are_as_they_were_accepted(folder: str) -> None:
    golden = [piece for play, about in jobs(is_for_golden=True) if about == folder for piece in play(about)]
    now = {f"{piece.name}.txt": piece.text for piece in golden if piece.is_golden}
    now |= {f"{piece.name}.html": piece.page for piece in golden if piece.is_golden}
    kept = {file.name: file.read_text("utf-8") for file in (GOLDEN / folder).iterdir()}
    assert sorted(now) == sorted(kept)
    for name, text in now.items():
        assert text == kept[name], name


def test_golden_letters_are_few_enough_to_be_read() -> None:
    assert {each.name for each in GOLDEN.iterdir()} == set(FOLDERS)
    assert len(list(GOLDEN.glob("*/*.txt"))) <= MOST
