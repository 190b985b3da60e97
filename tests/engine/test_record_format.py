"""docs/record-format.md: its worked example, computed once more from its own words, without the house; and what it names."""

import collections
import hashlib
import hmac
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from host.cli.main import main
from host.engine.chance import Chance, Stream
from host.engine.game import HOST
from host.games import GAMES
from tests.games.playouts import playout
from tests.size import size

PAGE = (Path(__file__).parents[2] / "docs" / "record-format.md").read_text("utf-8")
VALUES = dict(re.findall(r"^\| ([^|`]*(?:`round:1:deck`|`cut 26`|`pick 5`)?) \| `([^`]+)` \|$", PAGE, re.MULTILINE))
RECORD = re.findall(r"^```jsonl\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)[0]
HEADER, *LINES = [json.loads(line) for line in RECORD.splitlines()]
SEED = bytes.fromhex(HEADER["seed"])
PLAYOUTS = range(size(12, 40))


# The page in a program of its own


def block(label: str, k: int) -> bytes:
    return hmac.new(SEED, f"{label}:{k}".encode(), hashlib.sha256).digest()


def numbers(label: str) -> Iterator[int]:
    k = 0
    while True:
        for at in range(0, 32, 8):
            yield int.from_bytes(block(label, k)[at : at + 8], "big")
        k += 1


def below(stream: Iterator[int], n: int) -> int:
    return next(number for number in stream if number < 2**64 - 2**64 % n) % n


def shuffled(label: str, items: list[str]) -> tuple[list[str], list[tuple[str, str]]]:
    """The items shuffled, and which changed places with which."""
    stream, places, changes = numbers(label), list(items), []
    for i in range(len(places) - 1, 0, -1):
        j = below(stream, i + 1)
        changes.append((places[i], places[j]))
        places[i], places[j] = places[j], places[i]
    return places, changes


def test_the_numbers_of_the_example() -> None:
    found = list(zip(numbers("round:1:deck"), (52, 51, 50, 49), strict=False))
    assert HEADER["commitment"] == VALUES["commitment"] == hashlib.sha256(SEED).hexdigest()
    assert VALUES["block 0 of `round:1:deck`"] == block("round:1:deck", 0).hex()
    assert VALUES["block 1 of `round:1:deck`"] == block("round:1:deck", 1).hex()
    assert VALUES["its four numbers"] == " ".join(str(number) for number, _ in found)
    assert VALUES["they are below 52, 51, 50, 49"] == " ".join(str(number % n) for number, n in found)


def test_the_cards_of_the_example() -> None:
    deck, changes = shuffled("round:1:deck", [rank + suit for suit in "cdhs" for rank in "23456789TJQKA"])
    said = [line["say"] for line in LINES if "say" in line]
    assert VALUES["the cards that change places"] == ", ".join(" ".join(pair) for pair in changes[:4])
    assert VALUES["the shuffled deck"].split() == deck
    count, space = int(said[0].removeprefix("cut ")), int(said[1].removeprefix("pick "))
    spaces = (deck[count:] + deck[:count])[:9]
    assert VALUES["spaces 1 to 9 after `cut 26`"].split() == spaces
    assert VALUES["the card of `pick 5`"] == spaces[space - 1]


# The page and the house


def test_podium_replays_the_example_as_the_page_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "CC-1.jsonl"
    file.write_text(RECORD, "utf-8")
    assert main(["verify", str(file), "--commitment", VALUES["commitment"]]) == 0
    assert main(["verify", str(file), "--commitment", "00" * 32]) == 1
    capsys.readouterr()
    assert main(["replay", str(file)]) == 0
    printed = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    shown = json.loads(re.findall(r"^```json\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)[0])
    assert {**printed[-1], **shown} == printed[-1]
    assert set(printed[-1]) - set(shown) == {"file", "table"}
    assert printed[2]["table"]["spaces"][4] == VALUES["the card of `pick 5`"]


def labels_on_the_page() -> dict[str, set[str]]:
    """The labels of each game; a row without a game is of the one above it."""
    found: dict[str, set[str]] = collections.defaultdict(set)
    game = ""
    for name, label in re.findall(r"^\| (?:`([a-z-]+)`)? ?\| `([a-z:N]+)` \|", PAGE, re.MULTILINE):
        game = name or game
        found[game].add(label)
    return found


@pytest.mark.parametrize("slug", list(GAMES))
def test_a_game_draws_from_the_streams_that_it_names(slug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: dict[str, int] = {}

    def stream(self: Chance, label: str) -> Stream:
        if len(self.seed) == 32:  # links may have a salt of their own
            number = int((re.findall(r"\d+", label) or ["1"])[0])
            general = re.sub(r"\d+", "N", label)
            drawn[general] = min(number, drawn.get(general, number))
        return Stream(self.seed, label)

    monkeypatch.setattr(Chance, "stream", stream)
    game = GAMES[slug]
    for number in PLAYOUTS:
        found = playout.__wrapped__(slug, number)
        for question in game.questions(found.start):
            if question.seat != HOST:
                game.timeout(found.start, question.seat, found.chance)
    assert set(game.streams) == set(drawn)
    assert {label for label, first in drawn.items() if first != 1} <= {"codes:N"}, "N counts from 1, seats from 0"


@pytest.mark.parametrize("slug", labels_on_the_page())
def test_the_streams_on_the_page_are_those_of_the_game(slug: str) -> None:
    assert labels_on_the_page()[slug] == set(GAMES[slug].streams)


def test_the_seed_of_the_chains_example_follows_from_it() -> None:
    rows = dict(re.findall(r"^\| (`?[^|]+) \| `([^`]+)` \|$", PAGE, re.MULTILINE))
    link = last = bytes.fromhex(rows["`link`: 64 hex digits"])
    for _ in range(int(rows["`n`: the number in the chain"])):
        last = hashlib.sha256(last).digest()
    assert last.hex() == rows["`end`: 64 hex digits"]
    given = f"{rows['`given`: a list, the first line']}\n{rows['`given`: the second line']}"
    assert hmac.new(link, given.encode(), hashlib.sha256).hexdigest() == rows["the seed that follows"]
