"""Pure: the terms of the games. In: a game, a letter's words or what somebody asks about. Out: terms, and clauses of the rules.

A room has its terms in `data/terms.toml`; those of all games stand beside this module.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from host.engine.words import plain, table

LONGEST_TOPIC = 100
"""Characters of what somebody asks about."""
MOST_TOLD = 4
"""Terms that one letter explains unasked."""
_ABOUT = re.compile(
    r"(?:the |a |an |about |on |of |for |to |word |term |rules? |please |what |does |do |is |are |mean |means |in )*+"
    r"[“\"'‘]?(?P<topic>.*?)[”\"'’]?(?: means?| please| exactly| work| works| is| are)*[ ?!.]*",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Term:
    """A term of a game: its forms (itself the first), what it means, and the clauses of the rules that say more.

    `in_short`: the game in short tells it, which stands in a contestant's first letter.
    """

    forms: tuple[str, ...]
    says: str
    rules: tuple[str, ...] = ()
    in_short: bool = False

    @property
    def name(self) -> str:
        """What a list of terms calls it."""
        return self.forms[0]


@cache
def terms_of(slug: str) -> tuple[Term, ...]:
    """The terms of a game, those of all games behind them; without a game only these."""
    own = _read(f"host.games.{slug.replace('-', '_')}") if slug else ()
    return (*own, *_read("host.play"))


def _read(package: str) -> tuple[Term, ...]:
    try:
        rows: Mapping[str, Mapping[str, Any]] = table(package, "terms.toml")
    except FileNotFoundError:  # a room may do without
        return ()
    return tuple(
        Term(
            tuple(filter(None, (name, *(each.strip() for each in row["forms"].split(","))))),
            row["says"],
            tuple(row.get("rules", "").split()),
            row.get("in_short", False),
        )
        for name, row in rows.items()
    )


@cache
def _any_form(slug: str) -> tuple[re.Pattern[str], Mapping[str, Term]]:
    """Finds forms of a room's terms in words, the longest first, and the term of each."""
    forms = {form: term for term in terms_of(slug) if term.rules for form in term.forms}
    spelt = "|".join(
        re.escape(form) if form != form.lower() else f"(?i:{re.escape(form)})"
        for form in sorted(forms, key=len, reverse=True)
    )
    return re.compile(rf"\b(?:{spelt})\b"), {form.lower(): term for form, term in forms.items()}


def terms_in(slug: str, words: str) -> tuple[Term, ...]:
    """The terms of a game that stand in some words, in their order, each once."""
    if not any(term.rules for term in terms_of(slug)):
        return ()
    found, terms = _any_form(slug)
    return tuple(dict.fromkeys(terms[each[0].lower()] for each in found.finditer(words)))


def new_terms(slug: str, words: str, known: Collection[str], is_first: bool = False) -> tuple[Term, ...]:
    """The terms in a letter's words that are to be explained: none `known` by name; in a first letter none told in short."""
    fresh = (each for each in terms_in(slug, words) if each.name not in known and not (is_first and each.in_short))
    return tuple(fresh)[:MOST_TOLD]


def topic_of(text: str) -> str:
    """What somebody asks about: `does freeze mean?` is about `freeze`."""
    short = " ".join(text[:LONGEST_TOPIC].split())
    found = _ABOUT.fullmatch(short)
    return plain(found["topic"] if found else short)


def term_called(slug: str, topic: str) -> Term | None:
    """The term that has this form, however it is capitalised, or is one of its words; None where there is none."""
    forms = {plain(form): term for term in reversed(terms_of(slug)) for form in term.forms}
    singular = topic.removesuffix("s")
    part = (term for form, term in forms.items() if topic in form.split())
    return forms.get(topic) or forms.get(singular) or next(part, None)


def clause_about(slug: str, topic: str, clauses: Sequence[str]) -> str:
    """The clause of the rules about a topic: the one it names (`CC-6`), the first of its term, or that with most of its words.

    Empty where no clause has any of them. `clauses` begin with their number.
    """
    by_number = {plain(each.split()[0].rstrip(":")): each for each in clauses}
    term = term_called(slug, topic)
    numbers: Iterable[str] = (topic, *(term.rules if term else ()))
    named = next((by_number[plain(number)] for number in numbers if plain(number) in by_number), "")
    if named:
        return named
    words = {word for word in re.findall(r"\w+", topic) if len(word) > 2 or word.isdigit()}

    def counted(clause: str) -> int:
        return len(words & set(re.findall(r"\w+", plain(clause))))

    best = max(clauses, key=counted, default="")
    return best if best and counted(best) else ""
