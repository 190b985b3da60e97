"""Pure: a room's verbs. A fragment of what somebody wrote in a phase of play is parted into its verb and the rest.

One table a room, the file `data/words.toml`: it parses, and it says what can be written.
"""

import functools
import itertools
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from rapidfuzz.distance import OSA

from host.engine.cards import DECK, RANK_WORDS, SUIT_WORDS, Card, read_cards, without_card, words_for
from host.engine.game import Choice, Invalid
from host.engine.grammar import (
    EMPTY,
    LONG_RANKS,
    LONGEST_VALUE,
    ROUND_NUMBERS,
    AtTable,
    Lists,
    Phrase,
    Slot,
    Value,
    fill,
    is_polite,
    is_social,
    is_thankful,
    number,
    resembles,
    split_line,
    tokens,
    words,
)
from host.engine.words import FILLERS, first_names, pattern, plain, table

Idea = Literal["give up", "unwanted", "go along", "more", "enough", "leave", "no more", "to the end"]
"""The idea that a turn of speech stands for, whatever the game."""

_TOLD = pattern(r"\b(?:i'?m|it'?s|am|pm|was|makes|\d+ may|(?:may|hand|round|game|episode) \d+)\b")
"""Beside a bare value: an age, a date, a score."""
_ASKS_WHEN = pattern(r"when (?:do|does|did|is|are|was|will|can|could|shall|should)\b")
_LIMITING = frozenset({"if", "unless", "when", "but", "or", "only", "except"})
_LINKING = frozenset("at for number of on with".split())
"""These words may stand before what only repeats the table: `stand on 17`."""
LONGEST = 2000
"""A fragment longer than this is no command."""
MOST_PARTS = 120
"""Parts of a line that are looked at; no mail has more commands and values than that."""
MOST_VALUES = 48
"""Words that one command takes at most."""
MOST_JOINED = 600
"""A fragment longer than this takes nothing more to itself: it would be read anew with each word that is added."""


@dataclass(frozen=True)
class Verb:
    """A row of the table: `verb` in canonical words, how to type it, and what else means it.

    `names` mean it anywhere, `meanings` in some phases only; a star stands for the values (`take * off top`). `slots` are what
    stands behind a name; without them a name is the whole of what is said. `nouns` may stand beside the values. `alone` has the
    phases in which values without a name mean the verb, each with the words of which one has to be among them, if any. `refusal`
    is the sentence for what begins with the verb (or with a name that takes a value) and is not understood, with `{verb}` and
    `{shown}`; without it, the sentence says what to type. `followed_by` are verbs that may answer the same question right behind
    this one (`hit, stand`); of two others side by side one has to be meant, unless it `includes` the one before it (`call and
    raise`).
    """

    verb: str
    usage: str
    names: tuple[str, ...] = ()
    slots: tuple[Slot, ...] = ()
    nouns: frozenset[str] = frozenset()
    meanings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    alone: Mapping[str, frozenset[str]] = field(default_factory=dict)
    refusal: str = ""
    followed_by: tuple[str, ...] = ()
    includes: str = ""

    @property
    def takes_value(self) -> bool:
        """May something stand behind it?"""
        return bool(self.slots)

    @functools.cached_property
    def kinds(self) -> frozenset[str]:
        """The kinds of the values behind it."""
        return frozenset(kind for slot in self.slots for kind in slot.kinds)

    @property
    def is_list(self) -> bool:
        """Does any number of values of one kind stand behind it?"""
        return len(self.slots) == 1 and self.slots[0].repeats

    @property
    def phases(self) -> frozenset[str]:
        """The phases in which something means the verb that does not elsewhere."""
        return frozenset((*self.meanings, *self.alone))

    @property
    def beginnings(self) -> Sequence[str]:
        """The words by which a fragment is known as an attempt at this verb."""
        return (self.verb, *self.names) if self.refusal and self.slots else (self.verb.split()[0],)


@dataclass(frozen=True)
class Command:
    """One command: a verb, and the values behind it. As a text it is canonical: `raise 20`, `bet all K 4`, `throw rock`."""

    verb: str
    values: tuple[Value, ...] = ()

    def __str__(self) -> str:
        """The verb and its values with blanks between them."""
        return " ".join(map(str, (self.verb, *self.values)))

    @property
    def number(self) -> int | None:
        """The first number among the values."""
        return next(iter(self.numbers), None)

    @property
    def numbers(self) -> tuple[int, ...]:
        """The values that are numbers."""
        return tuple(value for value in self.values if isinstance(value, int))

    @property
    def named(self) -> tuple[str, ...]:
        """The values that are none: cards, ranks, words, a text."""
        return tuple(value for value in self.values if isinstance(value, str))

    @property
    def word(self) -> str:
        """The first of these, or nothing."""
        return next(iter(self.named), "")


class Vocabulary:
    """The verbs of a room, and all that `data/words.toml` of its package says. A canonical verb means only itself.

    `[verbs.fold]` has the fields of a `Verb`, its forms in a row with commas between them: `(a|b) c` is a form for each of a and
    b, `[a|b] c` one without them too. `[values.side]` is a list of values for slots: each value, and what people write for it.
    `[whole.bet]` has what says a command as a whole in a phase (`"raise all" = "all in"`), `[whole.any]` in all. `nouns` may
    stand beside any value, `around` beside a verb that stands alone; `signs` are pictures, and the word for each, which one
    beside that word only says again. `ideas` are, by phase, what is typed for what a turn of speech says (`idioms`). What is
    near one of `attempts` looks like a command gone wrong; by default these are the first words of all that can be said.
    """

    def __init__(self, package: str) -> None:
        file = table(package, "words.toml")
        self.rows = tuple(_row(verb, **fields) for verb, fields in file["verbs"].items())
        self._by_verb = {row.verb: row for row in self.rows}
        self.ideas: Mapping[str, Mapping[Idea, str]] = file.get("ideas", {})
        values: Mapping[str, Mapping[str, str]] = file.get("values", {})
        amounts: Mapping[str, str] = table("host.engine", "amounts.toml")
        own = {
            name: {said: value for value, text in rows.items() for said in _forms(f"{text}, {amounts.get(value, '')}")}
            for name, rows in values.items()
        }
        self._own_values = {said: value for rows in own.values() for said, value in rows.items()}
        self.lists: Lists = {"rank": RANK_WORDS, "suit": SUIT_WORDS} | {
            name: {said: int(value) if value.isdigit() else value for said, value in rows.items()}
            for name, rows in own.items()
        }
        self.values = self._words_of({kind for row in self.rows for kind in row.kinds})
        wholes: Mapping[str, Mapping[str, str]] = file.get("whole", {})
        self._wholes = {
            phase: {tuple(form.split()): command for command, text in rows.items() for form in _forms(text)}
            for phase, rows in wholes.items()
        }
        self.nouns = frozenset(file.get("nouns", "").split()) | {"of"}
        self._loose = {
            row.verb: tuple(replace(slot, is_optional=True, is_loose=True) for slot in row.slots) for row in self.rows
        }
        self._longest = {row.verb: self._longest_value(row) for row in self.rows}
        self._around = frozenset(file.get("around", "").split())
        signs: Mapping[str, str] = file.get("signs", {})
        self._signs = str.maketrans({sign: f" {word} " for pictures, word in signs.items() for sign in pictures})
        again = "|".join(
            rf"(?<=\b{word})\s*[{pictures}]+|[{pictures}]+[\s\ufe0f]*(?={word}\b)" for pictures, word in signs.items()
        )
        self._again = pattern(again or r"(?!)", re.IGNORECASE)
        phases = ("", *(phase for row in self.rows for phase in row.meanings))
        self._heads = {phase: self._by_first_word(phase) for phase in phases}
        self._lexicons: dict[tuple[str, frozenset[str]], frozenset[str]] = {}
        self.all_words = self.lexicon("", self._by_verb)
        names = [name for row in self.rows for name in (row.verb, *row.names)]
        firsts = {name.split()[0] for name in names}
        small = {first for first in firsts if first not in names and len(first) <= 3}  # as in `at the top`
        self._attempts = frozenset(file.get("attempts", "").split() or firsts - small)

    def _longest_value(self, row: Verb) -> int:
        """How many words one value of a verb may have: `the king of hearts`, `both of them`."""
        has_phrases = any(" " in word for kind in row.kinds for word in self.lists.get(kind, ()))
        return LONGEST_VALUE if has_phrases or row.kinds & {"card", "alike"} else 1

    def _words_of(self, kinds: Collection[str]) -> frozenset[str]:
        """The words, numbers aside, by which values of these kinds are said."""
        said: Lists = {"card": LONG_RANKS, "alike": LONG_RANKS, **self.lists}
        suits = {word for word in SUIT_WORDS if len(word) > 1} if {"card", "alike"} & set(kinds) else set()
        return frozenset(word for kind in kinds for word in said.get(kind, {}) if " " not in word) | suits

    def _by_first_word(self, phase: str) -> Mapping[str, Sequence[tuple[Phrase, Verb]]]:
        """All that can be said in a phase, longest names first, canonical verbs before what only resembles them."""
        meant = [(name, row) for row in self.rows for name in row.meanings.get(phase, ())]
        named = [(name, row) for row in self.rows for name in (row.verb, *row.names)]

        def place(pair: tuple[str, Verb]) -> tuple[int, bool]:
            name, row = pair
            return -len(name.split()), name in self._by_verb and name != row.verb

        found: dict[str, list[tuple[Phrase, Verb]]] = {}
        for name, row in sorted([*meant, *named], key=place):
            head = _head(name)
            found.setdefault(head[0], []).append((head, row))
        return found

    def row(self, verb: str) -> Verb:
        """The row of a verb; a bare one for a verb of free text, which has none."""
        return self._by_verb.get(verb) or Verb(verb, "")

    def lexicon(self, phase: str, verbs: Collection[str]) -> frozenset[str]:
        """The words by which these verbs can be said in a phase, and their values."""
        key = (phase, frozenset(verbs))
        if key not in self._lexicons:
            heads = itertools.chain.from_iterable(self._heads.get(phase, self._heads[""]).values())
            names = [name for name, row in heads if row.verb in verbs and "*" not in name]
            said = {word for name in names for word in name if word not in FILLERS}
            self._lexicons[key] = self.values | said
        return self._lexicons[key]

    def head(self, word: str, phase: str) -> str | None:
        """The verb that a word alone names in a phase, or None."""
        heads = self._heads.get(phase, self._heads[""]).get(word, ())
        return next((row.verb for name, row in heads if name == (word,)), None)

    def begins(self, word: str, phase: str) -> bool:
        """Does a word begin what a verb is called in a phase (`hang` of `hang on it`)?"""
        return word in self._heads.get(phase, self._heads[""])

    @functools.cached_property
    def own_values(self) -> Mapping[str, frozenset[str]]:
        """By verb the room's own words for what stands behind it (`random`)."""
        kinds = {row.verb: row.kinds - {"rank", "suit"} for row in self.rows}
        return {
            verb: frozenset(word for kind in some for word in self.lists.get(kind, ())) for verb, some in kinds.items()
        }

    def meant_by(self, word: str) -> str:
        """The value of this room that a word says (`everything` is `all`), the word where it says none."""
        return self._own_values.get(word, word)

    def is_near(self, word: str) -> bool:
        """Is it a verb, or a slip of one?"""
        is_slip = len(word) > 2 and any(OSA.distance(word, verb) == 1 for verb in self._by_verb if len(verb) > 3)
        return is_slip or word in self._by_verb

    def parse(self, fragment: str, phase: str, at: AtTable = EMPTY, at_hand: Sequence[Card] = ()) -> Command:
        """The command in one fragment: a verb with its values, values alone, a form that says all. Raises `Invalid` for none.

        `at_hand` are the cards that the question is about: they may be named beside the move.
        """
        if len(fragment) > LONGEST:
            raise self.refuse(fragment)
        said = words(fragment)
        whole = self._wholes.get(phase, {}).get(said) or self._wholes.get("any", {}).get(said)
        if whole:
            return self.parse(whole, phase, at)
        unclear: Invalid | None = None
        for row, rest, is_bare in itertools.chain(self._named(fragment, phase, at_hand), self._alone(fragment, phase)):
            try:
                is_one_word = is_bare and len(tokens(fragment)) == 1
                values = self._values(row, rest, replace(at, cards={}) if is_one_word else at, at_hand)
            except Invalid as reason:
                unclear = unclear or reason
                continue
            if values or (values is not None and not is_bare):
                return Command(row.verb, values)
        raise unclear or self.refuse(fragment)

    def _named(self, fragment: str, phase: str, at_hand: Sequence[Card]) -> Iterator[tuple[Verb, Phrase, bool]]:
        """The verbs that a fragment may begin with, the longest names first, and what stands behind; then without what is around.

        In a greeting or a compliment only a canonical verb counts that has something behind it (`Nice call` is no move).
        """
        said = kept = () if is_idle(fragment) else words(fragment)
        for card in at_hand:
            kept = without_card(kept, card)
        kept = tuple(each for each in kept if each not in self._around)
        is_talk = is_social(fragment)
        heads = self._heads.get(phase, self._heads[""])
        for form in dict.fromkeys((said, kept)):
            for head, row in heads.get(form[0], ()) if form else ():
                rest = _behind(head, form)
                if rest is not None and (not is_talk or (rest and head[0] == row.verb)):
                    yield row, rest, False

    def _alone(self, fragment: str, phase: str) -> Iterator[tuple[Verb, Phrase, bool]]:
        """The verbs that values without a verb may mean in a phase; none in an age, a date, a name, thanks to all."""
        said = words(fragment)
        is_thanks = is_thankful(fragment) and not any(each[0].isdigit() or each in SUIT_WORDS for each in said)
        is_name = len(said) == 1 and (self.is_first_name(said[0]) or said == ("ah",))
        if is_thanks or is_name or is_social(fragment) or is_idle(fragment) or _TOLD.search(plain(fragment)):
            return
        for row in self.rows:
            marks = row.alone.get(phase)
            if said and marks is not None and (not marks or not marks.isdisjoint(tokens(fragment))):
                yield row, said, True

    def is_first_name(self, word: str) -> bool:
        """Is it a first name, and no value of this room (`max`)?"""
        return word in first_names() and word not in self._own_values

    def _values(self, row: Verb, rest: Phrase, at: AtTable, at_hand: Sequence[Card]) -> tuple[Value, ...] | None:
        """The values behind a verb, None where they do not fit; behind one without slots, only what lies on the table anyway."""
        if not row.slots:
            figures = (ROUND_NUMBERS.get(each, number(each)) for each in rest)
            rest = tuple(each if figure is None else str(figure) for each, figure in zip(rest, figures, strict=True))
            beside = {word for card in at_hand for word in words_for(card)}.union(at.beside.get(row.verb, ()))
            is_there = not beside.isdisjoint(rest) and beside.union(_LINKING, self.nouns, row.nouns).issuperset(rest)
            return () if is_there or row.nouns.issuperset(rest) else None
        nouns = self.nouns.union(row.nouns, *row.alone.values())
        pools = at.cards.get(row.verb, ())
        found = fill(row.slots, rest, self.lists, nouns, pools, at.values, self._longest[row.verb])
        if found is None and "card" in row.kinds:
            found = read_cards(rest) or None  # how many there may be, the rules know
        if found is None and at_hand:
            for card in at_hand:
                rest = without_card(rest, card)
            found = fill(row.slots, rest, self.lists, nouns, pools, at.values, self._longest[row.verb])
        return found

    def find(self, fragment: str, phase: str) -> tuple[Verb, Phrase] | None:
        """The verb of a fragment, the longest name first, and what stands behind it; None where there is none."""
        found = words(fragment) if len(fragment) <= LONGEST else ()
        for head, row in self._heads.get(phase, self._heads[""]).get(found[0], ()) if found else ():
            rest = _behind(head, found)
            if rest is not None and (row.takes_value or not rest):
                return row, rest
        return None

    def split(self, line: str) -> tuple[str, ...]:
        """The fragments of a line. Values belong to the verb, or the values, before them, a condition to what it limits."""
        found: list[str] = []
        for part in split_line(self._again.sub("", line).translate(self._signs))[:MOST_PARTS]:
            if found and len(found[-1]) <= MOST_JOINED and self._belongs(found[-1], part):
                found[-1] = f"{found[-1]} {part}"
            else:
                found.append(part)
        return tuple(found)

    def _belongs(self, last: str, part: str) -> bool:
        """Are the words of a part values of what stands before it, or a condition for it?"""
        if part.split()[0] in _LIMITING and not _ASKS_WHEN.match(part):
            return True
        more = words(part)
        if not more or len(words(last)) + len(more) > MOST_VALUES:
            return False
        named = [found for phase in self._heads if (found := self.find(last, phase))]
        is_verb = self.find(part, "") is not None
        for row, rest in named or [(row, words(last)) for row in self.rows if row.alone]:
            is_more = not is_verb or self._loosely(row, more)
            if is_more and (named or self._loosely(row, rest)) and self._loosely(row, (*rest, *more)) is not None:
                return True
        return False

    def _loosely(self, row: Verb, said: Phrase) -> tuple[Value, ...] | None:
        """The values that words hold which may stand behind a verb, some or all, whatever the cards are that a rank means."""
        if not row.slots or not said:
            return None
        nouns = self.nouns | row.nouns
        return fill(self._loose[row.verb], said, self.lists, nouns, [DECK], longest=self._longest[row.verb])

    def refuse(self, fragment: str) -> Invalid:
        """Words the refusal of a fragment that means nothing here: small talk, or a command gone wrong."""
        shown = fragment.strip()[:60]
        found = words(fragment) if len(fragment) <= LONGEST else ()
        row = next((row for row in self.rows if found and found[0] in row.beginnings), None)
        reason = f"I could not read “{shown}” as a move."
        if row and row.refusal:
            reason = row.refusal.format(verb=row.verb, shown=shown)
        elif row:
            reason = f"I could not read “{shown}”: type {row.usage}."
        chatter = any(is_(fragment) for is_ in (is_polite, is_social, is_idle)) or not resembles(
            fragment, self._attempts
        )
        return Invalid(reason, chatter=chatter)


def _row(
    verb: str,
    usage: str = "",
    names: str = "",
    meanings: Mapping[str, str] | None = None,
    followed_by: str = "",
    includes: str = "",
    slots: str = "",
    nouns: str = "",
    alone: Mapping[str, str] | None = None,
    refusal: str = "",
) -> Verb:
    """A row of the table from its lines in the file."""
    return Verb(
        verb,
        usage or f"the word {verb}",
        _forms(names),
        tuple(
            Slot(tuple(each.rstrip("?+").split("|")), is_optional=each[-1] == "?", repeats=each[-1] == "+")
            for each in slots.split()
        ),
        frozenset(nouns.split()),
        {phase: _forms(text) for phases, text in (meanings or {}).items() for phase in phases.split()},
        {phase: frozenset(text.split()) for phase, text in (alone or {}).items()},
        refusal,
        tuple(followed_by.split()),
        includes,
    )


def _forms(text: str) -> tuple[str, ...]:
    """The forms that a text with commas lists, its alternatives written out, without the words that no reading has.

    Raises `ValueError` where a form of several words has one or none left: it would be read in any sentence.
    """
    forms = list[str]()
    for form in text.split(","):
        parts = re.split(r"[(\[]([^()\[\]]*)[)\]]", form.replace("[", "[|"))
        for way in itertools.product(*(part.split("|") if at % 2 else [part] for at, part in enumerate(parts))):
            said = "".join(way).split()
            kept = [word for word in said if word not in FILLERS]
            if said and len(kept) < min(len(said), 2):
                raise ValueError(f"{' '.join(said)!r} says too little")
            forms.append(" ".join(kept))
    return tuple(dict.fromkeys(filter(None, forms)))


def _behind(name: Phrase, said: Phrase) -> Phrase | None:
    """What stands behind a name, or in the place of its star (`take * off top`); None where the words are not so called."""
    if said[: len(name)] == name:
        return said[len(name) :]
    if "*" not in name:
        return None
    at = name.index("*")
    before, after = name[:at], name[at + 1 :]
    end = len(said) - len(after)
    return said[at:end] if end >= at and said[:at] == before and said[end:] == after else None


@functools.cache
def _head(name: str) -> Phrase:
    """The words of a name; each phase has the same ones."""
    return tuple(name.split())


def with_value(
    verb: str, value: object, label: str, usage: str, spot: str = "", group: str = "", also: str = ""
) -> Choice:
    """The choice of a verb with what stands behind it."""
    return Choice((f"{verb} {value}",), label, usage, verb, spot=spot, group=group, also=also)


def one_word(verb: str, label: str = "", group: str = "") -> Choice:
    """The choice of a verb that stands alone."""
    return Choice((verb,), label or verb.capitalize(), f"the word {verb}", verb, group=group)


MORE = "Or answer what comes next, too:"
"""The line above buttons that say more than what is asked."""


def with_orders(said: tuple[str, ...], label: str, orders: tuple[str, ...]) -> tuple[Choice, ...]:
    """Two choices: commands with standing orders for this round, and with them from now on."""
    usage = "\n".join((*said, *orders))
    once = Choice((*said, *(f"{each}, this round" for each in orders)), label, usage, "whole", group=MORE)
    return once, replace(once, say=(*said, *orders), label=f"{label}; always so", kind="orders")


def is_idle(fragment: str) -> bool:
    """Is this a turn of speech that only looks like a move (`hold on`, `your turn`)?"""
    return idle().search(plain(fragment)) is not None


@functools.cache
def idle() -> re.Pattern[str]:
    """A pattern of such turns of speech; a bar parts what lists a choice."""
    return re.compile(rf"\||\b(?:{'|'.join(table('host.engine', 'idle.toml')['said'])})\b")
