"""Pure: what a reply is read with. In: a table as its writer sees it, the words of its room. Out: `Seen`.

No rule, no chance and nothing hidden is in it, so none of these can decide what somebody said. `interpret.seen_by` makes one.
"""

import functools
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from host.engine.cards import RANK_PLURALS, RANK_WORDS, RANKS, SUITS, read_card, words_for
from host.engine.game import Choice, MoreThanOne, Refusal
from host.engine.grammar import NUMBER_WORDS, words
from host.engine.orders import DOUBTFUL, Facts, NeverFires, Orders
from host.engine.spelling import put_right
from host.engine.vocabulary import Idea, Vocabulary
from host.engine.words import FILLERS, foreign_numbers, frames, ordinary_words, pattern, plain
from host.play.services import words_of_services

MOST_LOOKED_AT = 400
"""Characters of a line in which commands beside an order are looked for."""
_IRREGULAR = {"kept": "keep", "thrown": "throw", "held": "hold", "chosen": "choose"}
_DRAWN_OUT = pattern(r"([a-z])\1{2,}")
"""A letter that is held down: `lowwww`."""


@functools.cache
def _known() -> frozenset[str]:
    """Words that are no slips."""
    some = frames()
    ours = some.passed_over.union(
        some.nouns, some.uncertain, some.others, some.bygone, some.praise, some.picking, some.clock
    )
    return ours.union(some.foreign, some.yes_and_no, FILLERS, foreign_numbers(), RANK_PLURALS)


@functools.cache
def _around() -> frozenset[str]:
    """Words said around a move, by which a slip is put right."""
    return frozenset(word for word in FILLERS | frames().neutral | frames().nouns | NUMBER_WORDS if len(word) > 2)


@functools.lru_cache(maxsize=64)
def _with_known(vocabulary: Vocabulary) -> frozenset[str]:
    return _known() | vocabulary.all_words


@functools.lru_cache(maxsize=4096)
def _base(vocabulary: Vocabulary, phase: str, word: str) -> str:
    """A verb without its ending, where the vocabulary has it so; else the word."""
    if word in _IRREGULAR and vocabulary.begins(_IRREGULAR[word], phase):
        return _IRREGULAR[word]
    ending = next((each for each in ("ing", "ed", "s") if word.endswith(each)), "")
    if len(word) < 4 or not ending or vocabulary.head(word, phase):
        return word
    stem = word.removesuffix(ending)
    if stem in frames().negations:  # `noted`
        return word
    forms = (stem, stem.removesuffix("e")) if ending == "s" else (stem, f"{stem}e", stem[:-1])
    return next((each for each in forms if len(each) > 1 and vocabulary.begins(each, phase)), word)


_OF_THIS = pattern(r"\b(?:it|it's|it’s|its|(?:this|that) (?:one|card))\b")
_OF_ALL = pattern(r"\b(?:always|every|each|any|all|from now|whenever|until)\b")
"""An order beside a move is for what that move brings where it speaks of `it`, and of nothing at all times."""


@dataclass(frozen=True)
class Seen:
    """A table as `seat` sees it, and the words of its room.

    `parse` reads a fragment as a command in canonical words, or raises `Refusal`; `split` parts a line. `offered` is what
    is offered to answer with, or, where nothing is asked, to send ahead. `card_words` are the words for the card that the
    question is about. `names` are the players' by seat, folded; `prompt` is the question to answer in free text;
    `looks` gives the plain values of the table, `order_facts` those of them that its `orders` may be about.
    """

    seat: int
    phase: str
    words: Vocabulary
    parse: Callable[[str], str]
    split: Callable[[str], tuple[str, ...]]
    offered: tuple[Choice, ...]
    is_asked: bool
    prompt: str = ""
    looks: Callable[[], Iterable[Any]] = tuple
    text_verbs: frozenset[str] = frozenset()
    seat_words: tuple[str, ...] = ()
    cards_at_hand: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    titles: tuple[str, ...] = ()
    orders: Orders | None = None
    order_facts: Callable[[], Facts] = dict
    _parsed: dict[str, str] = field(default_factory=dict)
    _named: dict[str, str] = field(default_factory=dict)
    manifold: set[str] = field(default_factory=set)
    """Texts that were parsed and name what may be more than one thing."""
    judged: dict[tuple[str, str, bool], Any] = field(default_factory=dict)
    """What was made of a clause already (`certain.judge`)."""

    def take_orders(self, lines: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Lines without the standing orders in them, and these in canonical words, each once. Raises `NeverFires`.

        A command behind an order may be a part of it (`hit until 18. Stand.`), or come after what it waits for: no order is
        certain before one that has its verb, that is not asked for, that stands behind another command, or that answers what
        the order would.
        """
        if self.orders is None or not any(map(self.orders.may_hold, lines)):
            return tuple(lines), ()
        parted = [(line,) if self._is_text(line) or not self.orders.may_hold(line) else None for line in lines]
        facts = dict(self.order_facts())
        for line in lines:  # `bet 30, same bet every hand`
            facts |= {
                said[0]: int(said[1]) if len(said) == 2 else " ".join(said[1:])
                for said in self._commands_of(line)
                if len(said) > 1 and said[1].isdecimal()
            }
        rest: list[str] = []
        found: dict[str, None] = {}
        verbs: set[str] = set()
        asked = frozenset(self.first_verbs)
        is_behind = is_lost = False
        for line, whole in zip(lines, parted, strict=True):
            items = whole or self.orders.parted(line, facts, self.parsed)
            for each in items:
                is_lost |= isinstance(each, str) and not whole and self._is_lost_order(each)
                if not isinstance(each, str):
                    found[each.text] = None
                    verbs |= {rule.command for rule in each.rules if each.is_conditional}
                elif commands := {said[0] for said in self._commands_of(each)}:
                    is_late = is_behind or not commands <= asked or not verbs.isdisjoint(asked)
                    if found and (is_late or not commands.isdisjoint(verbs)):
                        raise NeverFires(DOUBTFUL)
                    is_behind = True
            is_parted = any(not isinstance(each, str) for each in items)
            if is_behind and is_parted and _OF_THIS.search(line.casefold()) and not _OF_ALL.search(line.casefold()):
                own = {each.text for each in items if not isinstance(each, str)}
                found = {self._once(each) if each in own else each: None for each in found}
            rest += [", ".join(each for each in items if isinstance(each, str))] if is_parted else [line]
        if is_lost and is_behind:
            raise NeverFires(DOUBTFUL)
        return tuple(each for each in rest if each or not found), tuple(found)

    def _is_lost_order(self, part: str) -> bool:
        """Is a move meant to stand in words that make no order: `always accept`, where offers take a number?"""
        is_meant = self.orders is not None and self.orders.is_meant(part)
        first = next((word for word in words(plain(part)) if word not in ("always", "never")), "")
        return is_meant and not self.parsed(part) and bool(self.move_named(first))

    def _once(self, order: str) -> str:
        """An order that is for one time, where it says nothing of how long it lasts."""
        once = f"{order}, once"
        return once if self.orders and self.orders.known(once) else order

    def _is_text(self, line: str) -> bool:
        return bool(self.text_verbs) and line.split(" ", 1)[0].casefold() in self.text_verbs

    def _commands_of(self, line: str) -> list[list[str]]:
        """The commands that a line holds as they stand, in words."""
        return [said.split() for part in self.split(line[:MOST_LOOKED_AT]) if (said := self.parsed(part))]

    def is_order(self, text: str) -> bool:
        """Does a text hold a standing order, be it one that can never fire?"""
        try:
            return bool(self.take_orders([text])[1])
        except NeverFires:
            return True

    def is_move(self, line: str) -> bool:
        """Is a line nothing but commands, as they stand, or a standing order?"""
        return all(map(self.parsed, self.split(line) or ("",))) or self.is_order(line)

    @cached_property
    def usages(self) -> tuple[str, ...]:
        """Usages that can be typed now, once for each kind of move: `the word keep`."""
        return tuple({choice.kind: choice.type_instead for choice in self.offered}.values())

    @cached_property
    def verbs(self) -> frozenset[str]:
        """The verbs of what can be said now."""
        return frozenset(each.split()[0] for choice in self.offered for each in choice.say)

    @cached_property
    def first_verbs(self) -> tuple[str, ...]:
        """The verbs with which an answer may begin."""
        return tuple(dict.fromkeys(choice.say[0].split()[0] for choice in self.offered))

    @cached_property
    def hints(self) -> Mapping[str, frozenset[str]]:
        """By verb that may answer the words that occur in what it is called, and in what none of the others is."""
        said = {
            verb: self.words.lexicon(self.phase, (verb,)) - self.words.values - frames().neutral
            for verb in self.first_verbs
        }
        return {
            verb: own.difference(*(some for other, some in said.items() if other != verb)) for verb, own in said.items()
        }

    def excludes(self, verb: str, then: str) -> bool:
        """May `then` not answer the question that `verb` has answered?"""
        is_answer = {verb, then} <= set(self.first_verbs) or verb == then
        return is_answer and then not in self.words.row(verb).followed_by

    @cached_property
    def negative(self) -> frozenset[str]:
        """The moves that want nothing: a no, giving up, no more."""
        return frozenset({self.parsed("no"), self.behind("give up"), self.behind("no more")}) - {""}

    @cached_property
    def name(self) -> str:
        """The writer's own name, folded; empty for the host's."""
        return self.names[self.seat] if 0 <= self.seat < len(self.names) else ""

    @cached_property
    def others(self) -> frozenset[str]:
        """The other players' names, folded."""
        return frozenset(self.names) - {self.name}

    @cached_property
    def takes_text(self) -> bool:
        """Is an answer in free text asked for?"""
        return bool(self.prompt)

    @cached_property
    def plain_commands(self) -> tuple[str, ...]:
        """The commands offered that need no text."""
        return tuple(choice.say[0] for choice in self.offered if not choice.text)

    def answering(self, text: str) -> str:
        """The command that answers in free text."""
        return self.parsed(f"{self.answer_verb} {' '.join(text.split())}")

    @cached_property
    def answer_verb(self) -> str:
        """The verb behind which an answer in free text stands."""
        return next((choice.say[0].strip() for choice in self.offered if choice.text), "")

    @cached_property
    def takes_value(self) -> bool:
        """Does a number alone answer the question?"""
        is_number = any(self.words.row(verb).kinds & {"number", "amount"} for verb in self.first_verbs)
        return not self.takes_text and is_number and any(self.parsed(str(value)) for value in (5, 20, 100, 1000))

    @cached_property
    def figures(self) -> frozenset[str]:
        """The numbers that stand on the table, those of cards too."""
        values = [str(value) for value in self.looks()]
        ranks = {value[0].replace("T", "10") for value in values if len(value) == 2 and value[1] in SUITS}
        return frozenset(value for value in values if value.isdecimal()) | ranks

    @cached_property
    def has_values(self) -> bool:
        """May something stand behind a verb that can be said now?"""
        return any(row.takes_value for row in self.words.rows if row.verb in self.verbs)

    @cached_property
    def is_yes_or_no(self) -> bool:
        """Is a yes or a no asked for, and nothing behind it?"""
        takes_none = not any(self.words.row(verb).slots for verb in self.first_verbs)
        return takes_none and not self.cards_at_hand and bool(self.parsed("yes") and self.parsed("no"))

    def in_one_form(self, command: str) -> str:
        """A command, or that which a button has for the same move: `bet 2500` for `bet all`."""
        return next((choice.say[0] for choice in self.offered if choice.also == command), command)

    def may_say(self, value: str) -> bool:
        """May a value, or a part of a card, stand behind a verb that answers the question?"""
        rows = [row for row in map(self.words.row, self.first_verbs) if row.slots]
        cards = [f"{value}{suit}" for suit in SUITS] if value in RANK_WORDS else []
        cards = [f"{rank}{value}" for rank in RANKS] if value in SUITS else cards
        is_long = any(len(row.slots) > 1 or (row.is_list and row.kinds & {"card", "alike"}) for row in rows)
        return is_long or any(any(self.parsed(f"{row.verb} {each}") for each in (value, *cards)) for row in rows)

    @cached_property
    def phrases(self) -> Mapping[str, str]:
        """The values of several words that may stand behind a verb that can be said now (`bottom left`), each with what it is."""
        kinds = {kind for verb in self.verbs for kind in self.words.row(verb).kinds}
        lists = [self.words.lists.get(kind, {}) for kind in sorted(kinds)]
        return {
            phrase: str(value)
            for each in lists
            for phrase, value in each.items()
            if " " in phrase and str(value).isdecimal()
        }

    @cached_property
    def lexicon(self) -> frozenset[str]:
        """The words by which what can be said now is said."""
        return self.words.lexicon(self.phase, self.verbs)

    @cached_property
    def known(self) -> frozenset[str]:
        """Words of the game, and around a move, that are no slips."""
        return _with_known(self.words)

    @cached_property
    def card_words(self) -> frozenset[str]:
        """The words for the cards that the question is about."""
        return frozenset(word for card in self.cards_at_hand for word in words_for(card))

    @cached_property
    def takes_cards(self) -> bool:
        """Do commands that are offered name cards?"""
        return any(read_card((part,)) for choice in self.offered for say in choice.say for part in say.split()[1:])

    def parsed(self, text: str) -> str:
        """The command of a text, empty where it is none."""
        if text not in self._parsed:
            try:
                self._parsed[text] = self.parse(text) if text else ""
            except Refusal as refusal:
                if isinstance(refusal, MoreThanOne):
                    self.manifold.add(text)
                self._parsed[text] = ""
        return self._parsed[text]

    def filled(self, verb: str, values: Iterable[str]) -> str:
        """The command of a verb and these values, empty where it is none. An ace is spelled out: `a` is an article."""
        return self.parsed(" ".join((verb, *("ace" if each == "a" else each for each in values))))

    def behind(self, idea: Idea | None) -> str:
        """The command that a turn of speech is in this phase, empty where it is none."""
        text = self.words.ideas.get(self.phase, {}).get(idea, "") if idea else ""
        return self.parsed(text)

    def with_seats(self, fragment: str) -> str:
        """The fragment with the word of a seat where its player's name stands (`pass it to Cleo`)."""
        if not (self.seat_words and self.names):
            return fragment
        names = "|".join(map(re.escape, (*self.names, *self.seat_words)))
        word_of = {each: each for each in self.seat_words} | dict(zip(self.names, self.seat_words, strict=False))
        fragment = re.sub(
            rf"(?i)\b(?:let )?({names})(?: can| may| should)? have (?:it|the card|(?:that|this)(?: (?:card|one|thing))?)\b",
            lambda found: word_of[found[1].casefold()],
            fragment,
        )
        return re.sub(
            rf"(?i)\b(to|pass|give|hand|send)(\s+(?:it |the card )?(?:to )?)({names})(?!\w)",
            lambda found: f"{found[1]}{found[2]}{word_of[found[3].casefold()]}",
            fragment,
        )

    def put_right(self, word: str) -> str:
        """A slip of the pen put right, by what can be said now, else by what can be said in this game."""
        if self.takes_text:
            return put_right(word, (self.text_verbs,), _known())
        folded = _DRAWN_OUT.sub(r"\1", word.casefold())
        if folded != word.casefold() and len(folded) > 1:
            ways = (folded, _DRAWN_OUT.sub(r"\1\1", word.casefold()))
            return next((each for each in ways if self._is_word(each)), word)
        if self._is_word(folded):
            return word
        whole = folded.rstrip("'") + "g"
        is_cut = whole.endswith("ing") and self._is_word(whole)  # `keepin`
        return whole if is_cut else put_right(word, self._lexicons, self.known)

    def _is_word(self, word: str) -> bool:
        return any(word in each for each in (_known(), ordinary_words(), self.known, words_of_services()))

    @cached_property
    def _lexicons(self) -> tuple[frozenset[str], ...]:
        """The words in which a slip is looked up: what can be said now, what can be said in this game, what is said around it."""
        labels = (word for choice in self.offered for word in words(choice.label) if word.isalpha() and len(word) > 4)
        numbers = NUMBER_WORDS if self.takes_value else frozenset()
        said = self.lexicon | numbers | frozenset(labels) | frozenset(self.names if self.seat_words else ())
        return said, self.words.all_words, _around()

    def verb_named(self, word: str) -> str:
        """The verb of what can be said now that a word alone names, empty for none."""
        if word not in self._named:
            found = self.words.head(self.base(word), self.phase)
            self._named[word] = found if found in self.verbs else ""
        return self._named[word]

    def plain_verb(self, word: str) -> str:
        """The same, of a verb behind which no free text stands."""
        verb = self.verb_named(word)
        return "" if verb in self.text_verbs else verb

    def move_named(self, word: str) -> str:
        """The verb that a word names, or is; a verb of the game is one where it cannot be said now, too."""
        base = self.base(word)
        is_verb = base not in frames().nouns and any(row.verb == base for row in self.words.rows)
        is_small = base in frames().ordinary or base in frames().nouns or base in frames().neutral
        named = "" if is_verb or is_small or not base.isalpha() else self.words.head(base, self.phase) or ""
        return base if is_verb else self.verb_named(word) or named

    def base(self, word: str) -> str:
        """A verb without its ending (`attacks`, `taking`), where the vocabulary has it so; else the word."""
        return _base(self.words, self.phase, word)
