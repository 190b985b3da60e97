"""Pure: the words around a move. In: nothing. Out: sets of words that say how a clause stands to what it names.

None of these names a move, in any room: they are what English puts around one. `frames.toml` says what each set is for.
"""

import functools
from dataclasses import dataclass

from host.engine.word_files import table, word_lists


@dataclass(frozen=True)
class Frames:
    """The sets, by what their words do to a clause."""

    neutral: frozenset[str]
    nouns: frozenset[str]
    negations: frozenset[str]
    uncertain: frozenset[str]
    praise: frozenset[str]
    others: frozenset[str]
    bygone: frozenset[str]
    picking: frozenset[str]
    light: frozenset[str]
    small: frozenset[str]
    everyday: frozenset[str]
    value_nouns: frozenset[str]
    clock: frozenset[str]
    foreign: frozenset[str]
    yes_and_no: frozenset[str]

    @functools.cached_property
    def ordinary(self) -> frozenset[str]:
        """Names of moves that are words of every other sentence."""
        return self.small | self.everyday

    @functools.cached_property
    def passed_over(self) -> frozenset[str]:
        """What is said around a move, and to deny it."""
        return self.neutral | self.negations


@functools.cache
def frames() -> Frames:
    """The sets of `frames.toml`."""
    return word_lists(Frames, table("host.engine", "frames.toml"))
