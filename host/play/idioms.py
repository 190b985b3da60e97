"""Pure: turns of speech at a card table. In: what somebody said. Out: the idea behind it (`give up`, `more`, …).

They name no move: a room says, phase by phase, which of its moves an idea is (`Vocabulary.ideas`).
"""

import functools
from typing import get_args

from host.engine.vocabulary import Idea
from host.engine.words import FILLERS, frames, pattern, table
from host.play.forms import WORD, forms, in_full

MOST_WORDS = 16
"""Words: what is longer is a story."""
IDEAS: tuple[Idea, ...] = get_args(Idea)
_PLUS = pattern(r"\+ ?(\d)")


@functools.cache
def _around() -> tuple[frozenset[str], frozenset[str]]:
    """What may stand around a saying without being a part of it: behind it, and before it."""
    words = table("host.play", "idioms.toml")["words"]
    behind = (frames().neutral | FILLERS) - frozenset(words["meaning"].split())
    return behind, behind | frozenset(words["before"].split())


@functools.lru_cache(maxsize=1024)
def idea_of(text: str) -> Idea | None:
    """The idea that a folded clause says, and nothing else; None where it says none."""
    said = in_full(WORD.findall(_PLUS.sub(r"\1 more", text)))
    if not 0 < len(said) <= MOST_WORDS:
        return None
    behind, before = _around()
    while True:
        whole = " ".join((*said, ""))
        for idea in IDEAS:
            if forms("idioms", idea).fullmatch(whole):
                return idea
        if len(said) > 2 and said[-2] == "this" and said[-1] in ("time", "hand", "round", "one"):
            said = said[:-2]
        elif len(said) > 1 and said[-1] in behind:
            said = said[:-1]
        elif len(said) > 1 and said[0] in before:
            said = said[1:]
        else:
            return None
