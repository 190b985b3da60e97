"""Pure: what a mail says beside what it was asked. In: its lines. Out: whether a host should read them.

A form, a wish to play, a yes or a no, a service, a courtesy and a few words of joy are what was asked. All else, a question
above all, is for a person.
"""

import itertools
import re
from collections.abc import Collection, Iterator, Sequence

from host.engine.grammar import is_polite
from host.play.agreement import is_answer
from host.play.form_words import fold
from host.play.forms import WORD
from host.play.prose import is_plain_value, joined
from host.play.registration_form import MOST_LINES, correction_in, read_form, unlabelled
from host.play.services import service_in
from host.play.subjects import wants_in

_SENTENCE = re.compile(r"(?<=[.!?;])\s+")
_CLAUSE = re.compile(
    r"[,;]|\b(?:and|but|also)\s+(?=(?:i|we|my|our|can|could|may|will|would|is|are|do|does|how|what|when|please)\b)",
    re.IGNORECASE,
)
MOST_SENTENCES = 60
"""Whoever writes more of them tells something."""
SHORT = 3
"""Words: what has fewer, and asks nothing, tells nothing."""


def says_besides(lines: Sequence[str], titles: Collection[str] = (), names: Collection[str] = ()) -> bool:
    """Does a mail say more than it was asked? `names` are the writer's."""
    own = {word for name in names for word in WORD.findall(fold(name))}
    sentences = list(itertools.islice(_sentences(unlabelled(lines)), MOST_SENTENCES + 1))
    return len(sentences) > MOST_SENTENCES or any(_is_besides(each, titles, own) for each in sentences)


def _sentences(lines: Sequence[str]) -> Iterator[str]:
    for line in joined(lines[:MOST_LINES]).split("\n"):
        yield from filter(str.strip, _SENTENCE.split(line))


def _is_besides(sentence: str, titles: Collection[str], own: set[str]) -> bool:
    if service_in(sentence, titles)[0]:
        return False
    if sentence.rstrip().endswith("?"):
        return len(sentence.split()) > 1 and not is_answer(sentence)
    return any(_is_told(each, titles, own) for each in _CLAUSE.split(sentence) if each)


def _is_told(clause: str, titles: Collection[str], own: set[str]) -> bool:
    """Is it more than what was asked?"""
    found = WORD.findall(fold(clause))
    if len(found) < SHORT or own >= set(found) or is_polite(clause) or is_answer(clause) or is_plain_value(clause):
        return False
    if service_in(clause, titles)[0] or wants_in([clause]):
        return False
    return not (read_form([clause]).says_something or correction_in([clause]).says_something)
