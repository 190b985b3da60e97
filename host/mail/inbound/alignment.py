"""Pure: two lists of words aligned. In: the words of a reply and of a letter. Out: the runs that both have, in order.

The longest run comes first, then the longest in what is left on either side of it, and so on. Comparing may need the square
of the number of words, so steps are counted, and too many end it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

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


class Aligner:
    """Finds what two lists of words have in common, in order: the longest run first, then what is left on either side."""

    def __init__(self, reply: Sequence[str], letter: Sequence[str]) -> None:
        self.reply, self.letter = reply, letter
        self.steps = 0
        self.places: dict[str, list[int]] = {}
        for at, word in enumerate(letter):
            self.places.setdefault(word, []).append(at)

    def runs(self) -> list[Run]:
        """The runs. Raises `TooMuch`."""
        found: list[Run] = []
        waiting = [(0, len(self.reply), 0, len(self.letter))]
        while waiting:
            low, high, of_low, of_high = waiting.pop()
            if low == high or of_low == of_high:
                continue
            whole = self._parted(low, high, of_low, of_high)
            run = Run(low, of_low, 0) if whole else self._longest(low, high, of_low, of_high)
            found += whole or [run]
            if run.length:
                waiting += [(low, run.at, of_low, run.of), (run.end, high, run.of_end, of_high)]
        return sorted((run for run in found if run.length), key=lambda run: run.at)

    def _parted(self, low: int, high: int, of_low: int, of_high: int) -> list[Run]:
        """All the words of the letter, if something was typed between them in one place only; else nothing."""
        length = of_high - of_low
        before = after = 0
        while before < min(length, high - low) and self.reply[low + before] == self.letter[of_low + before]:
            before += 1
        rest = min(length, high - low) - before
        while after < rest and self.reply[high - 1 - after] == self.letter[of_high - 1 - after]:
            after += 1
        self._count(before + after)
        if before + after < length:
            return []
        return [Run(low, of_low, before), Run(high - after, of_high - after, after)]

    def _longest(self, low: int, high: int, of_low: int, of_high: int) -> Run:
        best = Run(low, of_low, 0)
        lengths: dict[int, int] = {}
        for at in range(low, high):
            longer: dict[int, int] = {}
            places = self.places.get(self.reply[at], ())
            self._count(1 + len(places))
            for of in places:
                if of_low <= of < of_high:
                    length = longer[of] = lengths.get(of - 1, 0) + 1
                    is_at_end = length == best.length and of + 1 == of_high
                    if length > best.length or is_at_end:
                        best = Run(at - length + 1, of - length + 1, length)
            lengths = longer
        return best

    def _count(self, steps: int) -> None:
        self.steps += steps
        if self.steps > MAX_STEPS:
            raise TooMuch
