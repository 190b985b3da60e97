"""Pure: the closed set of what can be said now. In: a game, its state, a seat. Out: the moves that are legal, and their words."""

import functools
import re
from collections.abc import Sequence
from functools import cached_property
from typing import Any

from host.engine.cards import words_for
from host.engine.frames import frames
from host.engine.game import HOST, Choice, Game, Refusal
from host.engine.grammar import FILLERS, NUMBER_WORDS, words
from host.engine.languages import foreign_numbers
from host.engine.ordinary import ordinary_words
from host.engine.spelling import LONG, put_right
from host.engine.vocabulary import Idea

_DRAWN_OUT = re.compile(r"([a-z])\1{2,}")
"""A letter that is held down: `lowwww`."""


@functools.cache
def _known() -> frozenset[str]:
    """Words that are no slips."""
    some = frames()
    ours = (
        FILLERS | some.neutral | some.nouns | some.negations | some.uncertain | some.others | some.bygone | some.praise
    )
    return ours | some.picking | some.clock | some.foreign | some.yes_and_no | frozenset(foreign_numbers())


@functools.cache
def _around() -> frozenset[str]:
    """Words said around a move, by which a slip is put right."""
    return frozenset(word for word in FILLERS | frames().neutral | frames().nouns | NUMBER_WORDS if len(word) > 2)


@functools.lru_cache(maxsize=64)
def _with_known(lexicon: frozenset[str]) -> frozenset[str]:
    return _known() | lexicon


class Moves:
    """What a seat may say in a state: the closed set that a clause is held against."""

    def __init__(self, game: Game[Any, Any], state: Any, seat: int, names: Sequence[str] = ()) -> None:
        self.game, self.state, self.seat = game, state, seat
        self._named: dict[str, str | None] = {}
        self.names = {name.casefold(): number for number, name in enumerate(names)}

    @cached_property
    def offered(self) -> tuple[Choice, ...]:
        """What is offered to answer with; where nothing is asked, what may be sent ahead."""
        asked = [question for question in self.game.questions(self.state) if question.seat == self.seat]
        offered = [choice for question in asked for choice in self.game.choices(self.state, question)]
        return tuple(offered) if asked or self.seat == HOST else self.game.ahead(self.state, self.seat)

    @cached_property
    def usages(self) -> tuple[str, ...]:
        """What can be typed now, once for each kind of move: `the word keep`."""
        return tuple({choice.kind: choice.type_instead for choice in self.offered}.values())

    @cached_property
    def said(self) -> tuple[tuple[str, ...], ...]:
        """The commands of each thing that is offered."""
        return tuple(choice.say for choice in self.offered)

    @cached_property
    def verbs(self) -> frozenset[str]:
        """The verbs of what is legal now."""
        return frozenset(each.split()[0] for said in self.said for each in said)

    @cached_property
    def _labels(self) -> frozenset[str]:
        """The words on the buttons, which people type too."""
        labels = (choice.label for choice in self.offered)
        return frozenset(word for label in labels for word in words(label) if word.isalpha() and len(word) > 4)

    @cached_property
    def first_verbs(self) -> tuple[str, ...]:
        """The verbs with which an answer may begin."""
        return tuple(dict.fromkeys(said[0].split()[0] for said in self.said))

    @cached_property
    def takes_text(self) -> bool:
        """Is an answer in free text asked for?"""
        return bool(self.game.lone_answer(self.state, self.seat, "x"))

    @cached_property
    def lexicon(self) -> frozenset[str]:
        """The words by which the moves that are legal now are made."""
        return self.game.vocabulary.lexicon(self.state.phase, self.verbs)

    def put_right(self, word: str) -> str:
        """A slip of the pen put right, by what can be said now, else by what can be said in this game."""
        if self.takes_text:
            return put_right(word, (self.game.text_verbs,), _known())
        folded = _DRAWN_OUT.sub(r"\1", word.casefold())
        if folded != word.casefold() and len(folded) > 1:
            return next(
                (each for each in (folded, _DRAWN_OUT.sub(r"\1\1", word.casefold())) if self._is_word(each)), word
            )
        if folded in _known() or folded in ordinary_words() or folded in self.known:
            return word
        return put_right(word, self._lexicons, self.known)

    def _is_word(self, word: str) -> bool:
        return word in _known() or word in ordinary_words() or word in self.known

    @cached_property
    def known(self) -> frozenset[str]:
        """Words of the game that are no slips."""
        return _with_known(self.game.vocabulary.all_words)

    @cached_property
    def _lexicons(self) -> tuple[frozenset[str], ...]:
        """Where a slip is looked up: what can be said now, what can be said in this game, what is said around it."""
        numbers = NUMBER_WORDS if self.takes_value else frozenset()
        return self.lexicon | numbers | self._labels, self.game.vocabulary.all_words, _around()

    @cached_property
    def at_hand(self) -> frozenset[str]:
        """The words for the card that the question is about."""
        return frozenset(word for card in self.cards_at_hand for word in words_for(card))

    @cached_property
    def cards_at_hand(self) -> tuple[str, ...]:
        """The cards that the question is about."""
        return self.game.at_hand(self.state, self.seat)

    def with_seats(self, fragment: str) -> str:
        """The fragment with the word of a seat where its player's name stands (`pass it to Cleo`)."""
        if not (self.game.seat_words and self.names):
            return fragment
        names = "|".join(map(re.escape, self.names))
        fragment = re.sub(
            rf"(?i)\b(?:let )?({names})(?: can| may| should)? have (?:it|that|the card)\b",
            lambda found: self.game.seat_words[self.names[found[1].casefold()]],
            fragment,
        )
        return re.sub(
            rf"(?i)\b(to|pass|give|hand|send)(\s+(?:it |the card )?(?:to )?)({names})\b",
            lambda found: f"{found[1]}{found[2]}{self.game.seat_words[self.names[found[3].casefold()]]}",
            fragment,
        )

    def slip_of(self, word: str) -> bool:
        """Is a word a slip of one by which a move is made now?"""
        return len(word) < LONG and put_right(word, (self.lexicon,), _known()) != word

    @cached_property
    def takes_value(self) -> bool:
        """Does a number alone answer the question?"""
        return any(self._parses(str(value)) for value in (5, 20, 100, 1000))

    def _parses(self, text: str) -> bool:
        try:
            self.game.parse(text, self.state, self.seat)
        except Refusal:
            return False
        return True

    def verb_named(self, word: str) -> str | None:
        """The verb that a word alone names, in this phase."""
        if word not in self._named:
            found = self.game.vocabulary.head(self.base(word), self.state.phase)
            self._named[word] = found if found in self.verbs else None
        return self._named[word]

    def move_named(self, word: str) -> str | None:
        """The verb that a word names, or is: a verb of the game names a move where it is not legal now, too."""
        base = self.base(word)
        is_verb = base not in frames().nouns and any(row.verb == base for row in self.game.vocabulary.rows)
        return base if is_verb else self.verb_named(word)

    def is_unknown(self, word: str) -> bool:
        """Is it a word that is said neither around a move nor for one?"""
        is_known = word in _known() or word in self.lexicon or word in self.names or word in self.at_hand
        return word.isalpha() and not is_known and not self.verb_named(word)

    def takes_values(self, word: str) -> bool:
        """May something stand behind the verb that a word names?"""
        verb = self.verb_named(word)
        return any(row.takes_value for row in self.game.vocabulary.rows if row.verb == verb)

    def base(self, word: str) -> str:
        """A verb without its ending (`attacks`, `taking`), where the vocabulary has it so; else the word."""
        vocabulary, phase = self.game.vocabulary, self.state.phase
        if len(word) < 4 or vocabulary.head(word, phase) or not word.endswith(("s", "ing")):
            return word
        stem = word[: -3 if word.endswith("ing") else -1]
        forms = (stem, f"{stem}e", stem[:-1]) if word.endswith("ing") else (stem, stem.removesuffix("e"))
        return next((each for each in forms if len(each) > 1 and vocabulary.head(each, phase)), word)

    def parsed(self, text: str) -> Any | None:
        """The command of a text, if it is one of a verb that is legal now."""
        try:
            command = self.game.parse(text, self.state, self.seat)
        except Refusal:
            return None
        return command if self.game.say(command).split()[0] in self.verbs else None

    def behind(self, idea: Idea | None) -> Any | None:
        """The command that a turn of speech is in this phase, where it is legal."""
        text = self.game.vocabulary.ideas.get(self.state.phase, {}).get(idea, "") if idea else ""
        return self.parsed(text) if text else None

    def not_doing(self, verb: str) -> Any | None:
        """The move that is left where one is not wanted: the other of two, else to do no more, unless giving up is not wanted."""
        giving_up, waiting, other = self.behind("give up"), self.behind("no more"), self.other(verb)
        if waiting is None or other is not None:
            return other
        is_other = verb not in {self.game.say(each).split()[0] for each in (giving_up, waiting) if each is not None}
        return waiting if is_other else None

    def other(self, verb: str) -> Any | None:
        """The move that is left where there are two, and one of them is not wanted."""
        left = [each for each in self.first_verbs if each != verb]
        if len(self.first_verbs) != 2 or len(left) != 1:
            return None
        return self.parsed(left[0])
