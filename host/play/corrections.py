"""Pure: what a reply corrects of what is known of its writer. In: its lines. Out: the correction, and what else it says."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from rapidfuzz.distance import OSA

from host.engine.grammar import words
from host.play.agreement import says_later, says_no, says_yes
from host.play.besides import says_besides
from host.play.form_words import fold
from host.play.prose import Form
from host.play.registration_form import LONGEST_LINE, MOST_LINES, correction_in
from host.play.services import service_in

_CLAUSES = re.compile(r"[^,;.!?]+[,;.!?]*")
_SPELT = re.compile(
    r"\b(?:spell(?:ed)?|spelt|spelling(?: of it| of my name)? is|written)\b[\s:]*(?:(?:like this|so|as|it|with)\b[\s:]*)?[\"“”]?"
    r"([^\W\d_][\w'’-]*)"
)
_NOT_SO = re.compile(r"(?<![\w'’-])([^\W\d_][\w'’-]*+)[\"“”]?,? (?:and )?not [\"“”]?([^\W\d_][\w'’-]*)")
LONG = 5
"""Letters from which a word may be two slips from what it was taken for; a shorter one may be one slip."""
_BARE_NO = frozenset("no nope nein non nee nej".split())


@dataclass(frozen=True)
class Correction:
    """What is corrected, and the lines that say something else. `No, call me Mike` says no to a name alone."""

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


def _respelt(lines: Sequence[str], known: Form) -> tuple[Form, list[str]]:
    """What is known with a word of it spelt otherwise (`it is spelled Huma`), and the lines that do not say so."""
    form, left = Form(), list[str]()
    for line in lines:
        spelt, instead = _SPELT.search(line), _NOT_SO.search(line)
        new = spelt[1] if spelt else instead[1] if instead else ""
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
    said = [each.strip(" ,;.!") for each in _CLAUSES.findall(line[:LONGEST_LINE]) if _says_something_else(each)]
    return said + ([line[LONGEST_LINE:]] if len(line) > LONGEST_LINE else [])


def _says_something_else(clause: str) -> bool:
    found = words(clause)
    if len(found) == 1 and found[0] in _BARE_NO:
        return False
    said = says_yes([clause]) or says_no([clause]) or says_later([clause]) or bool(service_in(clause)[0])
    return said or found == ("ready",) or says_besides([clause])
