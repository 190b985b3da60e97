"""The gallery: every kind of letter of every room and phase, as HTML and text, with an index.

`python -m tests.letters.gallery FOLDER` writes it (`make letters` into build/letters), `--golden` writes the golden letters
anew. Letters come from recorded episodes and from stories (`playing`, `stories`), so two runs of the same code write the
same files.
"""

import argparse
import functools
import itertools
import re
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from html import escape
from pathlib import Path

from host.games import GAMES
from tests.letters import stories
from tests.letters.playing import Shown, letters_of

GOLDEN = Path(__file__).parent / "golden"
EPISODES = {
    "bluffjack": (0, 1),
    "champ-cards": (0, 2),
    "champion-poker": (0, 1),
    "game-of-champions": (0,),
    "split-decision": (0,),
}
"""The recorded episodes of which letters are shown; of a room that is not named here the first."""
GOLDEN_EPISODES = {"champ-cards": (0, 2)}
"""Those of them that have letters that are golden; of a room that is not named here the first."""
HEADS = (
    "to",
    "subject",
    "auto-submitted",
    "x-podium-kind",
    "x-podium-episode",
    "x-podium-reply-by",
    "x-podium-commitment",
)
TOKEN = re.compile(r"token[a-z2-7]{21}")
VISITED = "champ-cards"
TOLD = {
    VISITED: "status rules help not-understood plea resign reminder timeout".split(),
    "registering": "what-is-it registers confirms".split(),
    "waiting": ["asks"],
}
"""By folder: the steps of stories whose letters are golden."""


@dataclass(frozen=True)
class Piece:
    """A letter of the gallery; its name is the same at every run."""

    folder: str
    name: str
    shown: Shown
    is_golden: bool = False

    @property
    def text(self) -> str:
        """Its most telling headers and its text."""
        letter = self.shown.letter
        heads = [f"{name}: {letter.headers[name]}" for name in HEADS if name in letter.headers]
        return _stable("\n".join([*heads, "", letter.text]))

    @property
    def page(self) -> str:
        """Its HTML."""
        return _stable(self.shown.letter.page)


def _stable(text: str) -> str:
    """Without what changes when one letter more or less goes out before."""
    return TOKEN.sub("token", text.replace("\r\n", "\n"))


def played(room: str, episodes: Mapping[str, tuple[int, ...]] = EPISODES) -> list[Piece]:
    """Of each kind of letter, each thing that is asked, each stage and each outcome in a room, the first that shows it."""
    found: dict[str, Piece] = {}
    golden = set()
    for number in episodes.get(room, (0,)):
        for shown in letters_of(room, number):
            if shown.episode and shown.kind != "alert":
                parts = (shown.kind, *shown.asked, shown.stage, shown.outcome, "answer" if shown.is_answer else "")
                name = "-".join(part for part in parts if part)
                sort = (shown.kind, shown.asked)
                found.setdefault(name, Piece(room, name, shown, sort not in golden))
                golden.add(sort)
    return list(found.values())


def visited(room: str) -> list[Piece]:
    """What a room answers beside its moves; and what comes with time."""
    return _told(room, stories.visit(room))


def at_the_door(story: str) -> list[Piece]:
    """A story that is about no room."""
    return _told(story, stories.HOUSE[story]())


def _told(folder: str, told: Iterable[tuple[str, Shown]]) -> list[Piece]:
    found: dict[str, Piece] = {}
    for label, shown in told:
        name = f"{label}-{shown.kind}"
        name = next(each for each in itertools.chain((name,), _numbered(name)) if each not in found)
        found[name] = Piece(folder, name, shown, label in TOLD.get(folder, ()))
    return list(found.values())


def _numbered(name: str) -> Iterator[str]:
    return (f"{name}-{at}" for at in itertools.count(2))


Job = tuple[Callable[[str], list[Piece]], str]
"""What plays, and the folder that it is about."""


def jobs(is_for_golden: bool = False) -> list[Job]:
    """What there is to play, each by itself."""
    episodes = functools.partial(played, episodes=GOLDEN_EPISODES) if is_for_golden else played
    rooms: list[Job] = [(episodes, room) for room in GAMES]
    told: list[Job] = [(visited, room) for room in GAMES] + [(at_the_door, story) for story in stories.HOUSE]
    return rooms + [(play, about) for play, about in told if about in TOLD or not is_for_golden]


def pieces(is_for_golden: bool = False) -> Iterator[Piece]:
    """The whole gallery, or what is golden of it, folder by folder, played side by side."""
    with ProcessPoolExecutor() as pool:
        running = [pool.submit(play, about) for play, about in jobs(is_for_golden)]
        found = [piece for each in running for piece in each.result()]
    folders = list(dict.fromkeys(piece.folder for piece in found))
    found.sort(key=lambda piece: folders.index(piece.folder))
    return (piece for piece in found if piece.is_golden or not is_for_golden)


def write(folder: Path, found: Iterable[Piece]) -> list[Piece]:
    """Each letter as two files; gives them."""
    written = []
    for piece in found:
        (folder / piece.folder).mkdir(parents=True, exist_ok=True)
        (folder / piece.folder / f"{piece.name}.txt").write_text(piece.text, "utf-8")
        (folder / piece.folder / f"{piece.name}.html").write_text(piece.page, "utf-8")
        written.append(piece)
    return written


def index(found: Iterable[Piece]) -> str:
    """A page with each letter as a phone shows it, and the links to its files."""
    rows = []
    for folder, some in itertools.groupby(found, key=lambda piece: piece.folder):
        rows.append(f"<h2>{escape(folder)}</h2><div>")
        for piece in some:
            path, subject = f"{piece.folder}/{piece.name}", piece.shown.letter.headers["subject"]
            rows.append(
                f'<figure><figcaption><a href="{path}.html">{escape(piece.name)}</a> (<a href="{path}.txt">text</a>)'
                f'<br>{escape(_stable(subject))}</figcaption><iframe loading="lazy" title="{escape(piece.name)}" '
                f'src="{path}.html"></iframe></figure>'
            )
        rows.append("</div>")
    return _INDEX.replace("ROWS", "\n".join(rows))


_INDEX = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Letters</title><style>
body { font: 15px sans-serif; margin: 20px; }
div { display: flex; flex-wrap: wrap; gap: 24px; }
figure { margin: 0; width: 375px; }
iframe { width: 375px; height: 667px; border: 1px solid #999; }
</style></head><body><h1>Letters</h1>
ROWS
</body></html>
"""


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.letters.gallery", description=__doc__.split("\n")[0])
    parser.add_argument("folder", nargs="?", type=Path, default=Path("build/letters"))
    parser.add_argument("--golden", action="store_true", help="write the golden letters anew")
    given = parser.parse_args()
    folder = GOLDEN if given.golden else given.folder
    if given.golden and folder.exists():
        shutil.rmtree(folder)
    written = write(folder, pieces(given.golden))
    if not given.golden:
        (folder / "index.html").write_text(index(written), "utf-8")
    sys.stdout.write(f"{len(written)} letters in {folder}\n")


if __name__ == "__main__":
    main()
