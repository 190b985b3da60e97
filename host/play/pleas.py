"""Pure: pleas for time, which only the host can answer. In: what somebody wrote. Out: is it one, and the rest without it.

A plea asks for time, or tells of an absence: who, what, and until when or for how long. `Wait` alone is none, and nothing
about cards is: `hit until 17`, `give me time to fold`.
"""

from collections.abc import Sequence

from host.engine.words import pattern, plain
from host.play.forms import forms, words_in

MAX_LOOKED_AT = 2_000
"""Characters of a text in which a plea is looked for."""
_SENTENCE = pattern(r"(?<=[.!?;])\s+")
_RUN = pattern(r"[\w\s',-]+")
"""Words that no sign but a comma parts."""


def is_plea(text: str) -> bool:
    """Does it ask for time, or tell of an absence?"""
    runs = map(words_in, _RUN.findall(plain(text[:MAX_LOOKED_AT])))
    return any(forms("pleas", "plea").search(run) for run in runs)


def without_pleas(lines: Sequence[str]) -> tuple[tuple[str, ...], bool]:
    """The lines without the sentences that are pleas, and whether there was one; a plea may go over several lines.

    Of a sentence with commas only those parts are taken out that plead by themselves, if any does.
    """
    if not is_plea(" ".join(lines)):
        return tuple(lines), False
    rest = [" ".join(filter(None, map(_unpleading, _SENTENCE.split(line)))) for line in lines]
    if is_plea(" ".join(rest)):
        return (), True
    return tuple(filter(None, rest)), True


def _unpleading(sentence: str) -> str:
    if not is_plea(sentence):
        return sentence
    parts = sentence.split(",")
    kept = [part for part in parts if not is_plea(part)]
    return ",".join(kept).strip(" ,") if len(kept) < len(parts) else ""
