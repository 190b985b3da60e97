"""Pure: two lists of words aligned. In: the words of a reply and of a letter. Out: the runs that both have, in order.

The longest run comes first, then the longest in what is left on either side of it, and so on. Comparing may need the square
of the number of words, so steps are counted, and too many end it.
"""

import itertools
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

MAX_STEPS = 2_000_000
"""Pairs of equal words that are looked at, about a second; pages that take more are read line by line."""


@dataclass(frozen=True, slots=True)
class Run:
    """Words that both have: from where in the reply, from where in the letter, how many."""

    at: int
    of: int
    length: int

    @property
    def end(self) -> int:
        """Its end in the reply."""
        return self.at + self.length

    @property
    def of_end(self) -> int:
        """Its end in the letter."""
        return self.of + self.length


class TooMuch(Exception):
    """The pages are alike in so many places that comparing them would take too long."""


def aligned(reply: Sequence[str], letter: Sequence[str]) -> list[Run]:
    """Finds what two lists of words have in common, in order. Raises `TooMuch`."""
    matcher = SequenceMatcher(None, reply, letter, autojunk=False)
    counts = Counter(letter)
    steps = list(itertools.accumulate((1 + counts[word] for word in reply), initial=0))
    taken = 0
    found: list[Run] = []
    waiting = [(0, len(reply), 0, len(letter))]
    while waiting:
        low, high, of_low, of_high = waiting.pop()
        if low == high or of_low == of_high:
            continue
        before, after = _alike(reply[low:high], letter[of_low:of_high])
        if before + after == of_high - of_low:  # all the words of the letter, with something typed in one place only
            found += Run(low, of_low, before), Run(high - after, of_high - after, after)
            continue
        taken += steps[high] - steps[low] + before + after
        if taken > MAX_STEPS:
            raise TooMuch
        run = Run(*matcher.find_longest_match(low, high, of_low, of_high))
        last = letter[of_high - run.length : of_high]  # what ends as the letter does is quoted where it stands last
        ats = range(high - run.length, run.at - 1, -1)
        if (at := next((at for at in ats if reply[at : at + run.length] == last), None)) is not None:
            run = Run(at, of_high - run.length, run.length)
        found.append(run)
        if run.length:
            waiting += [(low, run.at, of_low, run.of), (run.end, high, run.of_end, of_high)]
    return sorted((run for run in found if run.length), key=lambda run: run.at)


def _alike(words: Sequence[str], others: Sequence[str]) -> tuple[int, int]:
    """How many words both begin with, and how many of the rest both end with."""
    before = _begin_alike(words, others)
    return before, _begin_alike(words[before:][::-1], others[before:][::-1])


def _begin_alike(words: Sequence[str], others: Sequence[str]) -> int:
    pairs = zip(words, others, strict=False)
    return sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], pairs))
