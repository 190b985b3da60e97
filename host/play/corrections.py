"""Pure: what a reply corrects of what is known of its writer, and what it says besides. In: its lines. Out: both.

A form, a wish to play, a yes or a no, a service, a courtesy and a few words of joy are what was asked. All else, a question
above all, is for a person.
"""

import itertools
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from rapidfuzz.distance import OSA

from host.engine.grammar import is_polite, words
from host.engine.words import pattern
from host.play import form_words
from host.play.agreement import is_answer, says_later, says_no, says_yes
from host.play.form_words import fold
from host.play.forms import BETWEEN_SENTENCES, CLAUSE, WORD
from host.play.prose import Form, is_plain_value, joined
from host.play.registration_form import LONGEST_LINE, MOST_LINES, correction_in, read_form, unlabelled
from host.play.services import service_in
from host.play.subjects import wants_in

_SPELT = pattern(
    r"\b(?:spell(?:ed)?|spelt|spelling(?: of it| of my name)? is|written)\b[\s:]*(?:(?:like this|so|as|it|with)\b[\s:]*)?[\"“”]?"
    r"([^\W\d_][\w'’-]*)"
)
_NOT_SO = pattern(r"(?<![\w'’-])([^\W\d_][\w'’-]*+)[\"“”]?,? (?:and )?not [\"“”]?([^\W\d_][\w'’-]*)")
LONG = 5
"""Letters from which a word may be two slips from what it was taken for; a shorter one may be one slip."""
_OF_A_NAME = frozenset(
    "name names named nickname called spell spelled spelt spelling misspelled misspelt hometown town".split()
)
_BARE_NO = frozenset("no nope nein non nee nej".split())
_CLAUSE = pattern(
    r"[,;]|\b(?:and|but|also)\s+(?=(?:i|we|my|our|can|could|may|will|would|is|are|do|does|how|what|when|please)\b)",
    re.IGNORECASE,
)
MOST_SENTENCES = 60
"""Whoever writes more of them tells something."""
SHORT = 3
"""Words: what has fewer, and asks nothing, tells nothing."""


@dataclass(frozen=True)
class Correction:
    """A correction, and the lines that say something else. `No, call me Mike` says no to a name alone."""

    form: Form
    rest: tuple[str, ...]


def take_correction(lines: Sequence[str], known: Form | None = None) -> Correction:
    """The corrections in a reply. Whoever says in the same reply that they did not register corrects nothing.

    `known` is what is known of the writer: a word of it may be spelt otherwise.
    """
    respelt, left = _respelt(lines, known or Form())
    found = correction_in([each for each in left if not _SPELT.search(each)])
    form = Form(*(getattr(found, each) or getattr(respelt, each) for each in ("name", "nickname", "hometown")))
    if not form.says_something:
        return Correction(form, tuple(lines))
    rest: list[str] = []
    for line in left[:MOST_LINES]:
        if not _SPELT.search(line) and correction_in([line]).says_something:
            rest += [
                "yes" if correction_in([each]).says_something and says_yes([each]) else each
                for each in _said_besides(line)
            ]
        else:
            rest.append(line)
    if any(says_no([each]) for each in rest):
        return Correction(Form(), tuple(rest))
    return Correction(form, (*rest, *left[MOST_LINES:]))


def names_otherwise(lines: Sequence[str], known: Form) -> bool:
    """Does a reply speak of its writer's name or town, or name them nearly as they are known: `No. Anna`?"""
    said = [each for line in lines for each in WORD.findall(fold(line))]
    own = [each for field in (known.name, known.nickname, known.hometown) for each in field.split()]
    is_near = any(fold(each) not in said and any(_is_respelt(each, word, "") for word in said) for each in own)
    return is_near or not _OF_A_NAME.isdisjoint(said)


def _respelt(lines: Sequence[str], known: Form) -> tuple[Form, list[str]]:
    """The form that is known with a word of it spelt otherwise (`it is spelled Huma`), and the lines that do not say so."""
    form, left = Form(), list[str]()
    for line in lines:
        spelt, instead = _SPELT.search(line), _NOT_SO.search(line)
        new = spelt[1] if spelt else instead[1] if instead else ""
        new = "" if fold(new) in form_words.words("no_value") else new  # `spelled with an e`
        old = instead[2] if instead and not spelt else ""
        for field in ("name", "nickname"):
            told = getattr(known, field)
            word = next((each for each in told.split() if new and _is_respelt(each, new, old)), "")
            if word:
                form = replace(form, **{field: told.replace(word, new, 1)})
                left += [each for each in _said_besides(line) if new not in each]
                break
        else:
            left.append(line)
    return form, left


def _is_respelt(word: str, new: str, old: str) -> bool:
    """May `new` be how a word is spelt? `old` is what it is not, where that was said."""
    was, now = fold(word), fold(new)
    if (was == now and word == new) or (old and fold(old) != was):
        return False
    return OSA.distance(was, now) <= (1 if min(len(was), len(now)) < LONG else 2)


def _said_besides(line: str) -> list[str]:
    """The clauses of a line that corrects something, which say something else."""
    said = [each.strip(" ,;.!") for each in CLAUSE.findall(line[:LONGEST_LINE]) if _says_something_else(each)]
    return said + ([line[LONGEST_LINE:]] if len(line) > LONGEST_LINE else [])


def _says_something_else(clause: str) -> bool:
    found = words(clause)
    if len(found) == 1 and found[0] in _BARE_NO:
        return False
    said = says_yes([clause]) or says_no([clause]) or says_later([clause]) or bool(service_in(clause)[0])
    return said or found == ("ready",) or says_besides([clause])


def says_besides(lines: Sequence[str], titles: Collection[str] = (), names: Collection[str] = ()) -> bool:
    """Does a mail say more than it was asked? `names` are the writer's."""
    own = {word for name in names for word in WORD.findall(fold(name))}
    sentences = list(itertools.islice(_sentences(unlabelled(lines)), MOST_SENTENCES + 1))
    return len(sentences) > MOST_SENTENCES or any(_is_besides(each, titles, own) for each in sentences)


def _sentences(lines: Sequence[str]) -> Iterator[str]:
    for line in joined(lines[:MOST_LINES]).split("\n"):
        yield from filter(str.strip, BETWEEN_SENTENCES.split(line))


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
