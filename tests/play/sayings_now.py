"""How the sayings are read now: `python -m tests.play.sayings_now [-v]` prints it, and writes what is asked back though plain.

`-v` shows those sayings, and what was played of them. What is misread goes off the list when it is read rightly; it comes on it
by hand alone, with a word why: what is misread and not listed is printed, and the status is 1.
"""

import sys
from collections import Counter

from host.cli.terminal import tell
from tests.play.judging import FILES, KNOWN, Verdict, judged, known, sayings

ROOMS = ("bluffjack", "champ-cards", "champion-poker", "game-of-champions", "split-decision")


def main(arguments: list[str]) -> int:
    _, why = known()
    asked: list[str] = []
    misread: dict[str, str] = {}
    new = 0
    by_room: dict[str, Counter[Verdict]] = {room: Counter() for room in ROOMS}
    for file in FILES:
        for saying in sayings(file):
            verdict, played = judged(saying)
            by_room[next(room for room in ROOMS if file.startswith(room))][verdict] += 1
            if verdict == "asked":
                asked.append(saying.id)
            if verdict == "misread" and saying.id in why:
                misread[saying.id] = why[saying.id]
            is_new = verdict == "misread" and saying.id not in why
            new += is_new
            if is_new or ("-v" in arguments and verdict in ("asked", "misread")):
                tell(f"{verdict} {saying.id} {saying.position} {saying.text!r} means {saying.means}, played {played}")
    _write(asked, misread)
    for room, found in [*by_room.items(), ("all", sum(by_room.values(), Counter()))]:
        tell(_figures(room, found))
    return 1 if new else 0


def _figures(room: str, found: Counter[Verdict]) -> str:
    shown = {
        "played as meant": found["played"],
        "rightly asked or answered": found["answered"],
        "asked though plain": found["asked"],
        "misread": found["misread"],
    }
    shares = ", ".join(f"{label} {count} ({100 * count / found.total():.1f} %)" for label, count in shown.items())
    return f"{room}: {found.total()} sayings, {shares}"


def _write(asked: list[str], misread: dict[str, str]) -> None:
    lines = [
        "# What the reader does not get right yet, by the ids of sayings; both lists can only become shorter by mending it.",
        "# `python -m tests.play.sayings_now` writes the first one.",
        "",
        "# Asked back, or played in part, though they are plain.",
        "asked = [",
        *(f'    "{each}",' for each in asked),
        "]",
        "",
        "# Something is played that they do not mean: why.",
        "[misread]",
        *(f'{each} = "{why}"' for each, why in misread.items()),
    ]
    KNOWN.write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
