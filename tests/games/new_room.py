"""Writes a new room: `python -m tests.games.new_room high-card "High Card" HC`.

In: the slug, the title and the code of a game. Out: its folders in `host/games`, `templates` and `tests/games`, holding a whole
small game that passes every test; its author replaces it part by part. With a slug alone it records what a room lacks: an
episode for each ending, and three examples.
"""

import argparse
import importlib
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[2]
SKELETON = Path(__file__).parent / "skeleton"
EXAMPLES = 3
SUFFIX = ".txt"
"""Behind the name of each file of the skeleton, so that nothing takes it for a part of the house."""


def folders(slug: str) -> dict[str, Path]:
    """Where each part of the skeleton goes."""
    name = slug.replace("-", "_")
    return {
        "room": ROOT / "host" / "games" / name,
        "templates": ROOT / "templates" / name,
        "tests": ROOT / "tests" / "games" / name,
    }


def write(slug: str, title: str, code: str) -> None:
    """The three folders of a new room. Raises `ValueError` for a name that is none, or is taken."""
    if not re.fullmatch(r"[a-z]+(-[a-z]+)*", slug):
        raise ValueError("a slug is words of small letters, joined by -")
    if not re.fullmatch(r"[A-Z]{2,3}", code):
        raise ValueError("a code is two or three capitals")
    places = folders(slug)
    for place in places.values():
        if place.exists():
            raise ValueError(f"{place.relative_to(ROOT)} is there already")
    if f'code = "{code}"' in "".join(file.read_text("utf-8") for file in ROOT.glob("host/games/*/data/facts.toml")):
        raise ValueError(f"the code {code} is another game's")
    words = {"high_card": slug.replace("-", "_"), "high-card": slug, "High Card": title, "HC": code}
    words["hc"] = code.lower()
    pattern = re.compile(r"high_card|high-card|High Card|\bHC\b|(?<=test_)hc(?=_)")
    for part, place in places.items():
        for file in sorted((SKELETON / part).rglob(f"*{SUFFIX}")):
            text = pattern.sub(lambda found: words[found[0]], file.read_text("utf-8"))
            written = place / file.relative_to(SKELETON / part).with_suffix("")
            written.parent.mkdir(parents=True, exist_ok=True)
            written.write_text(text, "utf-8")


def record_missing(slug: str) -> Iterator[Path]:
    """Records what is not there yet: episodes found by playing the room, examples worked out by its oracle."""
    from host.engine import record  # the rooms are found when this is imported: after a new one is written
    from host.games import GAMES
    from tests.games.playouts import ended_by

    place = folders(slug)["tests"]
    for folder in ("endings", "examples"):
        (place / folder).mkdir(exist_ok=True)
    game = GAMES[slug]
    for ending in game.endings:
        file = place / "endings" / f"{ending}.jsonl"
        if not file.exists():
            found = ended_by(game, ending)
            lines = [record.write_header(found.header), *map(record.write_line, found.lines)]
            file.write_text("\n".join(lines) + "\n", "utf-8")
            yield file
    oracle = importlib.import_module(f"tests.games.{place.name}.oracle")
    for number in range(1, EXAMPLES + 1):
        file = place / "examples" / f"{slug}-{number}.jsonl"
        if not file.exists():
            lines = oracle.random_record(number)
            for path, rows in ((file, lines), (file.with_suffix(".expected.jsonl"), oracle.replay(lines))):
                path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
                yield path


def main(arguments: Sequence[str] | None = None) -> None:
    """The command: writes the room where a title is given, then what has to be recorded."""
    parser = argparse.ArgumentParser(prog="python -m tests.games.new_room", description=__doc__)
    parser.add_argument("slug", help="such as high-card")
    parser.add_argument(
        "title", nargs="?", default="", help='such as "High Card"; without it, only record what is missing'
    )
    parser.add_argument("code", nargs="?", default="", help="such as HC; else the first letters of the title")
    given = parser.parse_args(arguments)
    if given.title:
        code = given.code or "".join(word[0] for word in given.title.split() if word[0].isupper())[:3]
        try:
            write(given.slug, given.title, code)
        except ValueError as fault:
            parser.error(str(fault))
        for place in folders(given.slug).values():
            print(place.relative_to(ROOT))  # noqa: T201  # the terminal is its screen
    elif not folders(given.slug)["room"].exists():
        parser.error(f"there is no room {given.slug}: give its title too, and it is made")
    for file in record_missing(given.slug):
        print(file.relative_to(ROOT))  # noqa: T201


if __name__ == "__main__":
    main()
