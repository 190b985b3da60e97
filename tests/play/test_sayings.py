"""What people write, by room and phase, with what they mean by it: nothing is played that they do not mean.

`sayings/<room>-<phase>.jsonl` holds it by kind, `sayings/positions` the records at whose end it is written. It was collected
without sight of the reader, and stays as it is: what is read wrong is mended in the reader. `sayings/known.toml` lists what the
reader does not get right yet. When you change the reader, run

    python -m tests.play.sayings_now

which prints how much of each room is read how and writes the list of what is asked back though it is plain. A saying that
comes on that list is a loss to account for in the commit; one that is misread comes on no list by itself.
"""

from collections import Counter

import pytest

from tests.play.judging import FILES, Verdict, judged, known, position, sayings

ASKED, MISREAD = known()


@pytest.mark.parametrize("file", FILES)
def test_each_saying_is_read_as_it_is_meant_or_is_known_not_to_be(file: str) -> None:
    otherwise = []
    for saying in sayings(file):
        verdict, played = judged(saying)
        is_right = verdict in ("played", "answered")
        expected: Verdict | None = "asked" if saying.id in ASKED else "misread" if saying.id in MISREAD else None
        if (expected or verdict) != verdict or (expected is None and not is_right):
            otherwise.append(f"{saying.id} {saying.text!r}: {verdict}, not {expected or 'right'}; played {played}")
    assert not otherwise, "\n".join([*otherwise, "See how all are read: python -m tests.play.sayings_now"])


def test_what_is_known_is_about_sayings_that_there_are() -> None:
    ids = Counter(saying.id for file in FILES for saying in sayings(file))
    assert max(ids.values()) == 1
    assert set(ASKED) | set(MISREAD) <= set(ids)
    assert set(ASKED).isdisjoint(MISREAD)
    assert len(ASKED) == len(set(ASKED))


def test_what_is_misread_says_why() -> None:
    assert [name for name, why in MISREAD.items() if not why.strip()] == []


def test_every_saying_is_written_by_who_plays_and_names_an_outcome() -> None:
    for file in FILES:
        for saying in sayings(file):
            header, _ = position(saying.position)
            assert saying.seat in header.players, saying.id
            assert saying.position.startswith(file), saying.id
            assert saying.means, saying.id


def test_the_kinds_stand_together() -> None:
    for file in FILES:
        kinds = [saying.kind for saying in sayings(file)]
        assert len([kind for before, kind in zip(["", *kinds], kinds, strict=False) if kind != before]) == len(
            set(kinds)
        ), file
