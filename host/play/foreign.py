"""Pure: clauses in other languages. In: the clauses of a mail, the players' names. Out: the same in English, parted anew."""

import itertools
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from host.engine.languages import in_english
from host.play.clauses import Clause


def with_lines_whole(found: Sequence[Clause], lines: Sequence[str], names: Collection[str]) -> list[Clause]:
    """The clauses, with those of a line in another language as one: it is translated before it is parted.

    What takes something back, or asks, stays parted.
    """
    kept: list[Clause] = []
    for number, group in itertools.groupby(found, key=lambda clause: clause.line):
        of_line = list(group)
        is_plain = (
            len(of_line) > 1 and number < len(lines) and not any(each.mark or each.is_question for each in of_line)
        )
        if is_plain and in_english(lines[number], frozenset(names)):
            line = lines[number].strip()
            kept.append(replace(of_line[0], fragment=line, typed=line, marked=line))
        else:
            kept += of_line
    return kept


def translated(clause: Clause, split: Callable[[str], tuple[str, ...]], names: Collection[str]) -> list[Clause]:
    """What a clause in another language says in English, clause by clause; none where it is not all known."""
    english = "" if clause.is_question else in_english(clause.fragment, frozenset(names))
    return [
        replace(clause, fragment=part, marked=part, is_respelt=True, begins=clause.begins and at == 0)
        for at, part in enumerate(split(english) if english else ())
    ]
