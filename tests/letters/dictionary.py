"""The dictionary that letters are packed with: what the golden letters have in common.

`python -m tests.letters.dictionary NUMBER` writes `host/store/dictionaries/NUMBER.bin`. Letters that were packed with a file
can be read with no other, so one that was released is never written anew: a new number is, which `NEWEST` in
`host/store/packing.py` names from then on. That it is worth it, `tests/store/test_packing.py` says.

zlib finds again what stands in the last 32 kB before it. So the pieces are chosen that hold the most of what occurs in
several letters and in no piece before them, and the best stand last, where they stay in reach the longest.
"""

import heapq
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from host.mail.outbound.render import message
from host.store.packing import FOLDER
from tests.letters.gallery import GOLDEN

SIZE = 32_768 - 300
"""zlib's window is a little less than 32 kB beyond the place that it is at."""
PIECE = 300
STEP = 30
RUN = 8
"""Bytes that occur together count as found again."""
HEADS = {
    "From": "The Host <games@example.org>",
    "To": "ann@example.net",
    "Reply-To": "games+token@example.org",
    "Subject": "Champ Cards: Ann v Bob [CC-1]",
    "Date": "Sat, 21 Nov 2026 13:05:00 +0000",
    "Message-ID": "<token@example.org>",
    "In-Reply-To": "<token@example.org>",
    "References": "<token@example.org> <token@example.org>",
    "Auto-Submitted": "auto-replied",
    "X-Auto-Response-Suppress": "All",
    "List-Unsubscribe": "<mailto:games+token@example.org?body=leave>",
    "X-Podium-Kind": "turn",
    "X-Podium-Episode": "CC-1",
    "X-Podium-Reply-By": "2026-11-23T13:05:00Z",
}


def golden_messages() -> list[bytes]:
    """The golden letters as messages. Their own headers stand above their text."""
    found = []
    for page in sorted(GOLDEN.rglob("*.html")):
        heads, _, text = page.with_suffix(".txt").read_text("utf-8").partition("\n\n")
        own = dict(line.split(": ", 1) for line in heads.splitlines())
        names = {name.lower(): name for name in HEADS}
        headers = HEADS | {names[name]: value for name, value in own.items() if name in names}
        found.append(message(headers.items(), text, page.read_text("utf-8"), "token"))
    return found


def _runs(piece: bytes) -> set[bytes]:
    return {piece[at : at + RUN] for at in range(len(piece) - RUN + 1)}


def _pieces(messages: list[bytes]) -> Iterator[bytes]:
    """The best pieces of these messages, the best first."""
    count: Counter[bytes] = Counter()
    for each in messages:
        count.update(_runs(each))
    worth = {run: times for run, times in count.items() if times > 1}
    pieces = sorted({each[at : at + PIECE] for each in messages for at in range(0, len(each) - PIECE, STEP)})
    waiting = [(-sys.maxsize, number) for number in range(len(pieces))]
    while waiting:
        _, number = heapq.heappop(waiting)
        runs = _runs(pieces[number])
        now = sum(worth.get(run, 0) for run in runs)
        if waiting and now < -waiting[0][0]:
            heapq.heappush(waiting, (-now, number))
        elif now:
            yield pieces[number]
            for run in runs:
                worth.pop(run, None)


def dictionary(messages: list[bytes]) -> bytes:
    """What these messages have in common, at most as much as zlib looks back at."""
    found: list[bytes] = []
    for piece in _pieces(messages):
        found.append(piece)
        if sum(map(len, found)) >= SIZE:
            break
    return b"".join(reversed(found))[-SIZE:]


def main(words: list[str]) -> None:
    """Write a dictionary."""
    (number,) = words
    file = Path(FOLDER) / f"{int(number)}.bin"
    file.write_bytes(dictionary(golden_messages()))
    sys.stderr.write(f"{file}: {file.stat().st_size} bytes\n")


if __name__ == "__main__":
    main(sys.argv[1:])
