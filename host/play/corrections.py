"""Pure: what a reply corrects of what is known of its writer. In: its lines. Out: the correction, and what else it says."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from host.engine.grammar import words
from host.play.agreement import says_later, says_no, says_yes
from host.play.registration_form import MOST_LINES, Form, correction_in
from host.play.services import service_in

_CLAUSES = re.compile(r"[,;.!?]")
_BARE_NO = frozenset("no nope nein non nee nej".split())


@dataclass(frozen=True)
class Correction:
    """What is corrected, and the lines that say something else. `No, call me Mike` says no to a name alone."""

    form: Form
    rest: tuple[str, ...]


def take_correction(lines: Sequence[str]) -> Correction:
    """The corrections in a reply. Whoever says in the same reply that they did not register corrects nothing."""
    form = correction_in(lines)
    if not form.says_something:
        return Correction(form, tuple(lines))
    rest: list[str] = []
    for line in lines[:MOST_LINES]:
        if correction_in([line]).says_something:
            rest += [each.strip() for each in _CLAUSES.split(line) if _says_something_else(each)]
        else:
            rest.append(line)
    if any(says_no([each]) for each in rest):
        return Correction(Form(), tuple(rest))
    return Correction(form, (*rest, *lines[MOST_LINES:]))


def _says_something_else(clause: str) -> bool:
    found = words(clause)
    if len(found) == 1 and found[0] in _BARE_NO:
        return False
    said = says_yes([clause]) or says_no([clause]) or says_later([clause]) or bool(service_in(clause)[0])
    return said or found == ("ready",)
