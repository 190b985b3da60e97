"""How much there is to read: words a contestant gets in an episode, letters that ask nothing, what is said again.

`python -m tests.letters.words --episodes 20` plays the recorded episodes and prints the figures.

- A word is what stands between spaces in a letter's text part, all of it, the foot too. Letters of an episode count, from its
  first to its result; those of the registration do not.
- A letter asks nothing where nothing is to be answered by a time.
- A word was said before where it is in a run of five words or more that stood in the letter before to the same contestant,
  capitals aside ("again"), or in a whole line that stood there ("by lines"), which counts less where lines break otherwise.
  Its share is of all words of the episode, the first letter's too.
"""

import argparse
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from itertools import groupby

from host.games import GAMES
from tests.letters.playing import EPISODES, Shown, letters_of
from tests.turn.desk import OPERATOR

RUN = 5
"""Words in a row that are no chance any more."""


@dataclass
class Figures:
    """What so many contestants got in their episodes; `words` are those of each."""

    words: list[int] = field(default_factory=list)
    letters: list[int] = field(default_factory=list)
    asking_nothing: int = 0
    results: int = 0
    repeated: int = 0
    in_lines: int = 0
    page_bytes: int = 0
    message_bytes: int = 0

    def __add__(self, other: "Figures") -> "Figures":
        return Figures(*(getattr(self, name) + getattr(other, name) for name in self.__dataclass_fields__))

    def line(self, name: str) -> str:
        """The figures in a row."""
        count, letters, words = len(self.words) or 1, sum(self.letters) or 1, sum(self.words) or 1
        without = letters - self.results or 1
        return (
            f"{name:18} {sum(self.words) / count:7.0f} {max(self.words):7} {letters / count:8.1f} {max(self.letters):5} "
            f"{self.asking_nothing / letters:8.1%} {(self.asking_nothing - self.results) / without:8.1%} "
            f"{self.repeated / words:8.1%} {self.in_lines / words:8.1%} {words / letters:7.0f} {self.page_bytes / letters:7.0f} "
            f"{self.message_bytes / letters:7.0f}"
        )


HEAD = (
    f"{'a contestant gets':18} {'words':>7} {'most':>7} {'letters':>8} {'most':>5} {'no ask':>8} {'no end':>8} "
    f"{'again':>8} {'by lines':>8} {'a letter':>7} {'HTML':>7} {'mail':>7}"
)
LEGEND = """words, letters: of one contestant in one episode, on average and at most; no ask: share of letters that ask nothing;
no end: the same, results left out; again, by lines: share of words that stood in the letter before;
a letter: words of one; HTML, mail: bytes of a letter's page, and of the whole letter (results with their record)"""


def said_again(words: Sequence[str], before: Sequence[str]) -> int:
    """How many words are in runs that stood in the letter before."""
    known = {tuple(before[at : at + RUN]) for at in range(len(before) - RUN + 1)}
    found = set[int]()
    for at in range(len(words) - RUN + 1):
        if tuple(words[at : at + RUN]) in known:
            found.update(range(at, at + RUN))
    return len(found)


def in_known_lines(text: str, before: str) -> int:
    """How many words are in lines that stood in the letter before."""
    known = {line.strip() for line in before.splitlines()}
    return sum(len(line.split()) for line in text.splitlines() if line.strip() in known)


def measured(shown: Iterable[Shown]) -> Figures:
    """The figures of an episode's letters."""
    mine = sorted((each for each in shown if each.episode and each.to != OPERATOR), key=lambda each: each.to)
    figures = Figures()
    for _, group in groupby(mine, key=lambda each: each.to):
        before = ""
        letters = list(group)
        count = 0
        for each in letters:
            text = each.letter.text.casefold()
            words = text.split()
            figures.repeated += said_again(words, before.split())
            figures.in_lines += in_known_lines(text, before)
            figures.asking_nothing += not each.letter.asks
            figures.results += each.kind == "result"
            figures.page_bytes += len(each.letter.page.encode())
            figures.message_bytes += len(each.message)
            count, before = count + len(words), text
        figures.words.append(count)
        figures.letters.append(len(letters))
    return figures


def of_episode(slug: str, number: int) -> Figures:
    """The figures of a recorded episode."""
    return measured(letters_of(slug, number))


def table(episodes: int) -> Iterator[str]:
    """A line a room, and one for all."""
    yield HEAD
    everything = Figures()
    with ProcessPoolExecutor() as pool:
        running = {slug: [pool.submit(of_episode, slug, number) for number in range(episodes)] for slug in GAMES}
        for slug, some in running.items():
            figures = sum((each.result() for each in some), Figures())
            everything += figures
            yield figures.line(slug)
    yield everything.line("all")
    yield LEGEND


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.letters.words", description=__doc__.split("\n")[0])
    parser.add_argument("--episodes", type=int, default=EPISODES, help="of each room, of those recorded")
    for line in table(parser.parse_args().episodes):
        sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    main()
