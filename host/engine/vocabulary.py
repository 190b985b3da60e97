"""Pure: a room's verbs. A fragment of what somebody wrote in a phase of play is parted into its verb and the rest.

One table a room, the file `data/words.toml`: it parses, and it says what can be written.
"""

import itertools
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from rapidfuzz.distance import OSA

from host.engine.game import Choice, Invalid
from host.engine.grammar import FILLERS, is_polite, is_social, plain, resembles, split_line, words
from host.engine.lazy import pattern
from host.engine.word_files import table

Phrase = tuple[str, ...]
Idea = Literal["give up", "go along", "more", "enough", "no more", "to the end"]
"""The idea that a turn of speech stands for, whatever the game."""

_IDLE = pattern(
    r"\||\b(?:hold (?:on|off|up)|hang on|come on|keep (?:going|on|up|it up|well|warm|safe)|stay (?:well|warm|safe|tuned)|"
    r"take care|take (?:my|your) time|play (?:nice|fair)|well played|your turn|my turn|see you|you bet|what a|if it'?s|"
    r"i have|you have|"
    r"i'?m (?:at|on|in|away|out of|back|up|down)|thanks for|how (?:is|are|was)|good (?:luck|game|one|question|hand))\b"
)
_LIMITING = frozenset({"if", "unless", "when", "but", "or", "only", "except"})
LONGEST = 2000
"""A fragment longer than this is no command."""
MOST_JOINED = 600
"""A fragment longer than this takes nothing more to itself: it would be read anew with each word that is added."""


@dataclass(frozen=True)
class Verb:
    """A row of the table: `verb` in canonical words, how to type it, and what else means it.

    `names` mean it anywhere, `meanings` in some phases only. With `takes_value` something may stand behind a name;
    without, a name is the whole of what is said. With `takes_one` it is one word, and what comes after it is something else.
    `refusal` is the sentence for what begins with the verb (or with a name that takes a value) and is not understood, with
    `{verb}` and `{shown}`; without it, the sentence says what to type. `followed_by` are verbs that may answer the same question
    right behind this one (`hit, stand`); of two others side by side one has to be meant.
    """

    verb: str
    usage: str
    names: tuple[str, ...] = ()
    takes_value: bool = False
    meanings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    takes_one: bool = False
    refusal: str = ""
    followed_by: tuple[str, ...] = ()


@dataclass(frozen=True)
class Command:
    """One command: a verb, and the number or the word behind it where it takes any. As a text it is canonical."""

    verb: str
    number: int | None = None
    word: str = ""

    def __str__(self) -> str:
        """`raise 20`, `raise all`, `bet 20 dealer`."""
        return canonical(self.verb, self.number, self.word)


@dataclass(frozen=True)
class Found:
    """A verb, and the folded words behind it."""

    verb: str
    rest: Phrase = ()


class Vocabulary:
    """The verbs of a room. A canonical verb means only itself, whatever the phase.

    They stand in `data/words.toml` of the room's package, which is read when the first reply is. `[verbs.fold]` has the fields
    of a `Verb`, its forms in a row with commas between them: `(a|b) c` is a form for each of a and b, `[a|b] c` one without
    them too. `ideas` are, by phase, what is typed for what a turn of speech says (`idioms`). `values` are the words, numbers
    aside, that may stand behind a verb. What is near one of `attempts` looks like a command gone wrong; by default these are
    the first words of all that can be said.
    """

    def __init__(self, package: str) -> None:
        self._package = package
        self._firsts: dict[str, dict[str, list[tuple[Phrase, Verb]]]] = {}
        self._lexicons: dict[tuple[str, frozenset[str]], frozenset[str]] = {}

    @property
    def _file(self) -> Mapping[str, Any]:
        return table(self._package, "words.toml")

    @cached_property
    def rows(self) -> tuple[Verb, ...]:
        """The table of verbs."""
        return tuple(_row(verb, **fields) for verb, fields in self._file["verbs"].items())

    def row(self, verb: str) -> Verb:
        """The row of a verb; a bare one for a verb of free text, which has none."""
        return next((row for row in self.rows if row.verb == verb), Verb(verb, ""))

    @cached_property
    def values(self) -> frozenset[str]:
        """The words, numbers aside, that may stand behind a verb."""
        return frozenset(self._file.get("values", "").split())

    @property
    def ideas(self) -> Mapping[str, Mapping[Idea, str]]:
        """By phase, what is typed for what a turn of speech says."""
        ideas: Mapping[str, Mapping[Idea, str]] = self._file.get("ideas", {})
        return ideas

    @cached_property
    def _attempts(self) -> frozenset[str]:
        return frozenset(self._file.get("attempts", "").split() or _first_words(self.rows))

    @cached_property
    def _names(self) -> Mapping[str, list[tuple[Phrase, Verb]]]:
        """All that can be said, by phase; under no phase, what can be said anywhere."""
        return {phase: self._ranked(phase) for phase in ("", *(phase for row in self.rows for phase in row.meanings))}

    def _ranked(self, phase: str) -> list[tuple[Phrase, Verb]]:
        """All that can be said in a phase, longest names first, canonical verbs before what only resembles them."""
        verbs = {row.verb for row in self.rows}
        meant = [(name, row) for row in self.rows for name in row.meanings.get(phase, ())]
        named = [(name, row) for row in self.rows for name in (row.verb, *row.names)]
        pairs = sorted(
            [*meant, *named], key=lambda pair: (-len(pair[0].split()), pair[0] in verbs and pair[1].verb != pair[0])
        )
        return [(tuple(name.split()), row) for name, row in pairs]

    def _by_first_word(self, phase: str) -> Mapping[str, list[tuple[Phrase, Verb]]]:
        phase = phase if phase in self._names else ""
        if phase not in self._firsts:
            firsts: dict[str, list[tuple[Phrase, Verb]]] = {}
            for head, row in self._names.get(phase, self._names[""]):
                firsts.setdefault(head[0], []).append((head, row))
            self._firsts[phase] = firsts
        return self._firsts[phase]

    def lexicon(self, phase: str, verbs: Collection[str]) -> frozenset[str]:
        """The words by which these verbs can be said in a phase, and their values."""
        key = (phase, frozenset(verbs))
        if key not in self._lexicons:
            names = [name for name, row in self._names.get(phase, self._names[""]) if row.verb in verbs]
            self._lexicons[key] = self.values | {word for name in names for word in name if word not in FILLERS}
        return self._lexicons[key]

    @cached_property
    def all_words(self) -> frozenset[str]:
        """The words by which anything can be said, in any phase."""
        return self.lexicon("", {row.verb for row in self.rows})

    def head(self, word: str, phase: str) -> str | None:
        """The verb that a word alone names in a phase, or None."""
        return next((row.verb for name, row in self._by_first_word(phase).get(word, ()) if name == (word,)), None)

    def is_near(self, word: str) -> bool:
        """Is it a verb, or a slip of one?"""
        verbs = {row.verb for row in self.rows}
        return word in verbs or (
            len(word) > 2 and any(OSA.distance(word, verb) == 1 for verb in verbs if len(verb) > 3)
        )

    def read(self, fragment: str, phase: str, meant: str = "") -> Found | None:
        """The verb of a fragment, or None. Raises `Invalid` for small talk.

        In a greeting or a compliment only a canonical verb with a value behind it counts (`Nice call` is no move).
        `meant` is what the room made of the fragment before it is read, where it made anything.
        """
        text = meant or fragment
        if len(text) > LONGEST or is_idle(text):
            raise self.refuse(fragment, meant)
        found = self.find(text, phase)
        if is_social(text) and not (found and found.rest and words(text)[0] == found.verb):
            raise self.refuse(fragment, meant)
        return found

    def find(self, fragment: str, phase: str) -> Found | None:
        """The verb of a fragment, the longest name first; None where there is none."""
        found = words(fragment) if len(fragment) <= LONGEST else ()
        for head, row in self._by_first_word(phase).get(found[0], ()) if found else ():
            if found[: len(head)] == head and (row.takes_value or len(found) == len(head)):
                return Found(row.verb, found[len(head) :])
        return None

    def split(self, line: str, is_value: Callable[[Phrase], bool]) -> tuple[str, ...]:
        """The fragments of a line. Values belong to the verb before them, a condition to what it limits."""

        def belongs(last: str, part: str) -> bool:
            before, found = self.find(last, ""), words(part)
            is_wanted = before is not None and self._wants(before) and bool(found) and is_value(found)
            return is_wanted or part.split()[0] in _LIMITING

        return joined(split_line(line), belongs)

    def _wants(self, found: Found) -> bool:
        """May a value follow this?"""
        row = next(row for row in self.rows if row.verb == found.verb)
        return row.takes_value and not (row.takes_one and found.rest)

    def refuse(self, fragment: str, meant: str = "") -> Invalid:
        """Words the refusal of a fragment that means nothing here: small talk, or a command gone wrong. `meant` as in `read`."""
        shown = fragment.strip()[:60]
        text = meant or fragment
        found = words(text) if len(text) <= LONGEST else ()
        row = next((row for row in self.rows if found and found[0] in _beginnings(row)), None)
        reason = f"I could not read “{shown}” as a move."
        if row and row.refusal:
            reason = row.refusal.format(verb=row.verb, shown=shown)
        elif row:
            reason = f"I could not read “{shown}”: type {row.usage}."
        chatter = is_polite(text) or is_social(text) or is_idle(text) or not resembles(text, self._attempts)
        return Invalid(reason, chatter=chatter)


def _row(
    verb: str,
    usage: str = "",
    names: str = "",
    meanings: Mapping[str, str] | None = None,
    followed_by: str = "",
    **fields: Any,
) -> Verb:
    """A row of the table from its lines in the file."""
    fields["followed_by"] = tuple(followed_by.split())
    by_phase = {phase: _forms(text) for phase, text in (meanings or {}).items()}
    return Verb(verb, usage or f"the word {verb}", _forms(names), meanings=by_phase, **fields)


def _forms(text: str) -> tuple[str, ...]:
    """The forms that a text with commas lists, its alternatives written out."""
    forms: list[str] = []
    for form in text.split(","):
        parts = re.split(r"[(\[]([^()\[\]]*)[)\]]", form.replace("[", "[|"))
        ways = [part.split("|") if at % 2 else [part] for at, part in enumerate(parts)]
        forms += (" ".join("".join(way).split()) for way in itertools.product(*ways))
    return tuple(filter(None, forms))


def _first_words(rows: Sequence[Verb]) -> Collection[str]:
    """The words with which a command begins, small ones aside (`at the top`)."""
    names = [name for row in rows for name in (row.verb, *row.names)]
    alone = {name for name in names if " " not in name}
    return {first for name in names if (first := name.split()[0]) in alone or len(first) > 3}


def _beginnings(row: Verb) -> Sequence[str]:
    """The words by which a fragment is known as an attempt at this verb."""
    return (row.verb, *row.names) if row.refusal and row.takes_value else (row.verb.split()[0],)


def joined(parts: Iterable[str], belongs: Callable[[str, str], bool], by: str = " ") -> tuple[str, ...]:
    """The fragments of a line, each one that `belongs` to the one before it put behind that."""
    found: list[str] = []
    for part in parts:
        last = found[-1] if found and len(found[-1]) <= MOST_JOINED else ""
        if last and belongs(last, part):
            found[-1] = f"{last}{by}{part}"
        else:
            found.append(part)
    return tuple(found)


def canonical(verb: str, *values: str | int | None) -> str:
    """A verb with the values that it has."""
    return " ".join((verb, *(str(value) for value in values if value not in (None, ""))))


def with_value(verb: str, value: object, label: str, usage: str, spot: str = "", group: str = "") -> Choice:
    """The choice of a verb with what stands behind it."""
    return Choice((f"{verb} {value}",), label, usage, verb, spot=spot, group=group)


def one_word(verb: str, label: str = "", group: str = "") -> Choice:
    """The choice of a verb that stands alone."""
    return Choice((verb,), label or verb.capitalize(), f"the word {verb}", verb, group=group)


def is_idle(fragment: str) -> bool:
    """Is this a turn of speech that only looks like a move (`hold on`, `your turn`)?"""
    return _IDLE.search(plain(fragment)) is not None
