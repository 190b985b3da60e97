"""Pure: one clause read as a command. In: the game, its state, who writes, the clause. Out: a `Reading`, or why there is none.

First as it stands (`Game.parse`). Then, of what is legal now, what it can only mean: slips put right, the words that carry no
meaning left out, a move that is negated where there is one other, a lone value that fits the one open question. Nothing is left
over that could change what is meant: an unknown word, a condition, somebody else who acts, some other time.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, Literal

from host.engine.frames import BYGONE, CLOCK, NEGATIONS, NEUTRAL, NOUNS, OTHERS, PICKING, PRAISE, UNCERTAIN, VALUE_NOUNS
from host.engine.game import HOST, Game, Invalid, Refusal
from host.engine.grammar import FILLERS, NUMBER_WORDS, is_social, is_thankful, number, plain, tokens, words
from host.engine.ordinary import FIRST_NAMES, ORDINARY_WORDS
from host.engine.spelling import Ambiguous, put_right, respell
from host.engine.vocabulary import is_idle
from host.play.agreement import says_no, says_yes
from host.play.clauses import Clause, shortened

Trouble = Literal["condition", "doubt", "question", "negation", "slip", "other", "talk"]
LONGEST = 200
"""Characters: in a longer clause only a command as it stands is looked for."""
MOST_WORDS = 30

_BECAUSE = re.compile(r"[\s,]+(?:because|'?cause|cuz|since|seeing (?:as|that)|so that|hoping|in the hope)\b.*$")
_REQUEST = re.compile(
    r"^\W*(?:please |and )?(?:can|could|may|might) (?:i|we|you)\b|^\W*would you\b|^\W*i (?:may|might) as well\b"
)
_FOR_ME = re.compile(r"\b(?:for|from|with) me\b")
_COUNTED = re.compile(r"\b(?:twice|two times|2 times|2x|x ?2|thrice|three times|3 times|3x|x ?3)\b")
_TIMES = {"t": 2, "2": 2, "x": 2, "3": 3}
_EMPHASIS = re.compile(r"\b([a-z]+)(?:[\s!,.]+\1\b)+")
_BULLET = re.compile(r"^\s*(?:(?:\d{1,2}|[a-h])[.)](?=\s)|[-*•·–+>]+(?=\s))\s*")
_LABELLED = re.compile(r"^\W*([^\W\d][\w' ]{0,30}?)\s*(?:[:=]+|-?->|>>)\s*(.{1,60})$", re.DOTALL)
_LABELS = frozenset(
    """move decision action answer choice verdict reply response command play pick vote selection turn final mine me amount value
    stake order""".split()
)
_KNOWN = FILLERS | NEUTRAL | NOUNS | NEGATIONS | UNCERTAIN | OTHERS | BYGONE | PICKING | PRAISE | CLOCK
_PUT_RIGHT = frozenset(word for word in FILLERS | NEUTRAL | NOUNS | NUMBER_WORDS if len(word) > 2)
_ENGLISH = frozenset("i i'm i'll i've the my to is of and you it with this that was are be at have".split())
"""A sentence with one of these is English."""
_YES_NO = {"yes": "yes", "y": "yes", "no": "no", "n": "no"}


@dataclass(frozen=True)
class Reading:
    """What a clause means: a command, how often, and whether that is as it stands or was made out."""

    command: Any
    times: int = 1
    is_literal: bool = True


class Unreadable(Exception):
    """No command: `trouble` says of what kind the clause is, `reason` is one sentence for who wrote it.

    `refusal` is what the room said of the clause as it stands; `touches` tells whether it speaks of the game.
    """

    def __init__(self, trouble: Trouble, reason: str, touches: bool, refusal: Invalid | None = None) -> None:
        super().__init__(reason)
        self.trouble = trouble
        self.reason = reason
        self.touches = touches
        self.refusal = refusal


class Moves:
    """What a seat may say in a state: the closed set that a clause is held against."""

    def __init__(self, game: Game[Any, Any], state: Any, seat: int) -> None:
        self.game, self.state, self.seat = game, state, seat

    @cached_property
    def said(self) -> tuple[tuple[str, ...], ...]:
        """The commands of each thing that is offered; where nothing is asked, of what may be sent ahead."""
        asked = [question for question in self.game.questions(self.state) if question.seat == self.seat]
        offered = [choice for question in asked for choice in self.game.choices(self.state, question)]
        if not asked and self.seat != HOST:
            offered = list(self.game.ahead(self.state, self.seat))
        return tuple(choice.say for choice in offered)

    @cached_property
    def verbs(self) -> frozenset[str]:
        """The verbs of what is legal now."""
        return frozenset(each.split()[0] for said in self.said for each in said)

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
            return word
        numbers = NUMBER_WORDS if self.takes_value else frozenset()
        known = _KNOWN | self.game.vocabulary.all_words
        return put_right(word, (self.lexicon | numbers, self.game.vocabulary.all_words, _PUT_RIGHT), known)

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
        found = self.game.vocabulary.head(self.base(word), self.state.phase)
        return found if found in self.verbs else None

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

    def other(self, verb: str) -> Any | None:
        """The move that is left where there are two, and one of them is not wanted."""
        left = [each for each in self.first_verbs if each != verb]
        if len(self.first_verbs) != 2 or len(left) != 1:
            return None
        return self.parsed(left[0])


def read_clause(clause: Clause, moves: Moves) -> Reading:
    """The command of a clause. Raises `Unreadable`, and `Refusal`s other than `Invalid` as the game does."""
    fragment = clause.fragment
    folded = plain(fragment)
    is_doubtful = (
        len(fragment) <= LONGEST and not UNCERTAIN.isdisjoint(folded.split()) and not _is_text(moves, fragment)
    )
    refusal: Invalid | None = None
    if clause.is_question and not _is_request(folded, moves):
        _raise_question(clause, folded, moves)
    try:
        command = moves.game.parse(fragment, moves.state, moves.seat)
        if not is_doubtful and not (len(fragment) <= LONGEST and _is_label_of_something(folded, moves)):
            return Reading(command)
    except Invalid as error:
        refusal = error
        if len(fragment) > LONGEST:
            raise Unreadable("other", error.reason, not error.chatter, error) from None
    return _made_out(clause, folded, moves, refusal)


def _is_request(folded: str, moves: Moves) -> bool:
    """`Can I have 7?`, `could mine go low, please?`: asked, and meant. `Can I call?` asks whether it is allowed."""
    found = re.findall(r"[a-z']+|\d+", folded)
    begins = next(
        (word for word in found if word not in ("please", "and", "so", "then", "ok", "well", "hi", "hello")), ""
    )
    if begins not in ("can", "could", "may", "would", "might"):
        return False
    has_value = any(word.isdigit() or word in NUMBER_WORDS or word in moves.game.vocabulary.values for word in found)
    return has_value or "please" in found or (moves.parsed(folded.rstrip("? ")) is not None and " have " in folded)


def _raise_question(clause: Clause, folded: str, moves: Moves) -> None:
    said = tokens(folded)
    touches = (
        any(map(moves.verb_named, said))
        or any(word[0].isdigit() for word in said)
        or not moves.lexicon.isdisjoint(said)
    )
    raise Unreadable("question", _WHY["question"].format(shortened(clause.typed)), touches)


def _is_uncertain(folded: str) -> bool:
    """Does it hold a condition, a choice, a doubt?"""
    return not UNCERTAIN.isdisjoint(re.findall(r"[a-z']+", _REQUEST.sub(" ", folded)))


def _is_label_of_something(folded: str, moves: Moves) -> bool:
    """Is it a label that names no move, with its value (`Round: 2`)?"""
    labelled = _LABELLED.match(folded)
    if not labelled or number(labelled[2].strip(" .!*")) is None:
        return False
    label = words(labelled[1])
    is_of_a_move = any(moves.game.vocabulary.head(word, moves.state.phase) for word in label)
    return not is_of_a_move and not set(label) <= _LABELS | VALUE_NOUNS | {"1", "first", "my", "the"}


def _is_text(moves: Moves, fragment: str) -> bool:
    """Is it a verb with free text behind it, which may hold any word?"""
    return bool(moves.game.bank) and fragment[:6].casefold().rstrip(": ") in ("answer", "ask")


def _made_out(clause: Clause, folded: str, moves: Moves, refusal: Invalid | None) -> Reading:
    text = _BECAUSE.sub("", _BULLET.sub("", folded)).strip()
    text = _FOR_ME.sub(" ", _REQUEST.sub("please", text))
    if _is_label_of_something(folded, moves):
        raise Unreadable("talk", _reason(refusal, clause), touches=False, refusal=refusal)
    for candidate, times in _simple_forms(text, moves):
        command = moves.parsed(candidate)
        if command is not None:
            return Reading(command, times, is_literal=False)
    said = tokens(text)
    near = ""
    try:
        if not moves.takes_text:
            respell(said, moves.lexicon, _KNOWN | moves.game.vocabulary.all_words)
    except Ambiguous as error:
        near = f"“{error.word}” may be {' or '.join(error.near)}."
    named = [verb for verb in map(moves.verb_named, said) if verb]
    has_number = any(each[0].isdigit() for each in said)
    touches = (
        bool(named)
        or has_number
        or not moves.lexicon.isdisjoint(said)
        or not moves.game.vocabulary.values.isdisjoint(said)
    )
    blocked = _blocked(said, moves, text)
    if near or len(said) > MOST_WORDS:
        raise Unreadable("slip" if near else "talk", near or _reason(refusal, clause), bool(near), refusal)
    if blocked is None:
        for candidate in _loosened(said, moves):
            command = moves.parsed(candidate)
            if command is not None and (moves.game.say(command).split()[0] not in ("resign",)):
                return Reading(command, is_literal=False)
        value = _lone_value(said, moves)
        if value is not None:
            return Reading(value, is_literal=False)
    elif blocked == "negation" and UNCERTAIN.isdisjoint(said):
        command = _negated(said, moves)
        if command is not None:
            return Reading(command, is_literal=False)
    has_unknown = any(_is_unknown(word, moves) for word in said)
    if blocked and touches and not (has_unknown and blocked in ("other", "talk")):
        raise Unreadable(
            blocked, _WHY.get(blocked, "") and _WHY[blocked].format(shortened(clause.typed)), True, refusal
        )
    if has_unknown or not touches:
        raise Unreadable(
            blocked if blocked in ("question", "condition") else "talk", _reason(refusal, clause), touches, refusal
        )
    raise Unreadable("other", _reason(refusal, clause), touches, refusal)


_WHY: dict[str, str] = {
    "condition": "“{}” depends on something, and a move cannot wait for that: say what you want now.",
    "doubt": "“{}” leaves open what you want: say which move it is.",
    "question": "“{}” reads like a question, so nothing was played for it.",
    "negation": "“{}” says what you do not want: say what you want.",
    "other": "I could not tell whether “{}” is a move of yours.",
}


def _reason(refusal: Invalid | None, clause: Clause) -> str:
    if refusal is None:
        return f"I could not tell whether “{shortened(clause.typed)}” is a move of yours."
    shown = plain(clause.fragment).strip()[:60]
    return refusal.reason.replace(f"“{shown}”", f"“{shortened(clause.typed)}”").replace(
        f"“{clause.fragment.strip()[:60]}”", f"“{shortened(clause.typed)}”"
    )


def _simple_forms(text: str, moves: Moves) -> Iterator[tuple[str, int]]:
    """The clause without what only surrounds it: courtesies with an if, reasons, bullets, labels, emphasis, counts, yes and no."""
    if UNCERTAIN.isdisjoint(text.split()):
        yield text, 1
    counted = _COUNTED.search(text)
    if counted and UNCERTAIN.isdisjoint(text.split()):
        times = 3 if counted[0].startswith(("th", "3")) or counted[0].endswith("3") else 2
        yield f"{text[: counted.start()]}{text[counted.end() :]}".strip(), times
    emphasized = _EMPHASIS.sub(r"\1", text)
    if emphasized != text and UNCERTAIN.isdisjoint(text.split()):
        yield emphasized, 1
    labelled = _LABELLED.match(text)
    if labelled:
        yield from ((each, 1) for each in _labelled(labelled[1].strip(), labelled[2].strip(" .!*"), moves))
    if moves.takes_text or text.startswith("oh "):
        return
    if says_yes([text]) and len(text.split()) <= 3:
        yield "yes", 1
    elif says_no([text]) and len(text.split()) <= 3:
        yield "no", 1


def _labelled(label: str, value: str, moves: Moves) -> Iterator[str]:
    """`Play: yes`, `Cut = 9`, `First space: 8`, `My move: stand`."""
    heads = [word for word in words(label) if moves.verb_named(word)]
    verdict = _YES_NO.get(value)
    if verdict == "yes" and len(heads) == 1:
        yield heads[0]
    elif verdict == "no" and len(heads) == 1:
        other = moves.other(moves.verb_named(heads[0]) or "")
        if other is not None:
            yield moves.game.say(other)
    elif verdict is None and len(heads) == 1 and len(words(label)) == 1:
        yield f"{heads[0]} {value}"
    elif not heads and (set(words(label)) <= _LABELS | NEUTRAL | NOUNS | {"1", "first"}):
        yield value


_KNOWN = FILLERS | NEUTRAL | NOUNS | NEGATIONS | UNCERTAIN | OTHERS | BYGONE | PICKING
_PUT_RIGHT = frozenset(word for word in FILLERS | NEUTRAL | NOUNS | NUMBER_WORDS if len(word) > 2)


def _blocked(said: Sequence[str], moves: Moves, text: str) -> Trouble | None:
    """What in a clause keeps it from being a plain wish; None where nothing does."""
    found = set(said)
    if "but" in said[1:]:
        return "doubt"
    if not found.isdisjoint(UNCERTAIN):
        return (
            "doubt"
            if not found.isdisjoint({"or", "either", "maybe", "perhaps", "might", "may", "could", "should"})
            else "condition"
        )
    if not found.isdisjoint(NEGATIONS) or "n't" in text:
        return "negation"
    if (
        not found.isdisjoint(OTHERS - {"nobody", "someone"})
        or not found.isdisjoint(BYGONE)
        or is_idle(text)
        or said[:1] == ("you",)
    ):
        return "other"
    for before, word in pairwise(said):
        if (before in PRAISE or before == "you" or before in FIRST_NAMES) and moves.verb_named(word):
            return "other"
        if moves.verb_named(before) and word in ("me", "you"):
            return "other"
    return None


def _is_unknown(word: str, moves: Moves) -> bool:
    return (
        word.isalpha()
        and word not in NEUTRAL
        and word not in FILLERS
        and word not in NOUNS
        and word not in NEGATIONS
        and word not in UNCERTAIN
        and word not in moves.lexicon
    )


def _loosened(said: Sequence[str], moves: Moves) -> Iterator[str]:
    """The words that carry meaning, the move first: with the things on the table, and without."""
    content = words(" ".join(moves.base(each) for each in said if each not in NEUTRAL or moves.verb_named(each)))
    seen: set[str] = set()
    has_move = any(moves.verb_named(each) for each in content)
    if not has_move and (is_social(" ".join(said)) or is_thankful(" ".join(said)) or moves.takes_text):
        return
    nouns = NOUNS | {"on", "at", "upon"} if has_move else VALUE_NOUNS
    for kept in (content, tuple(each for each in content if each not in nouns)):
        for candidate in (kept, _move_first(kept, moves)):
            text = " ".join(candidate)
            if text and text not in seen:
                seen.add(text)
                yield text


def _move_first(kept: Sequence[str], moves: Moves) -> tuple[str, ...]:
    """`7 I pick` as `pick 7`; words that name the same move count once. Nothing where two moves are named."""
    named = {word: verb for word in kept if (verb := moves.verb_named(word))}
    if len(set(named.values())) != 1:
        return ()
    first = next(word for word in kept if word in named)
    return (first, *(word for word in kept if word not in named))


def _negated(said: Sequence[str], moves: Moves) -> Any | None:
    """Of two moves the one that is left, where all that is said is that the other is not wanted."""
    left = [word for word in said if word not in NEGATIONS]
    if not any(moves.verb_named(word) for word in left):
        return None
    if any(_is_unknown(word, moves) for word in left) or not set(left).isdisjoint(OTHERS | BYGONE):
        return None
    if len([word for word in said[1 if said[0] == "no" else 0 :] if word in NEGATIONS]) != 1:
        return None
    for candidate in _loosened(left, moves):
        command = moves.parsed(candidate)
        if command is not None:
            return moves.other(moves.game.say(command).split()[0])
    return None


def _lone_value(said: Sequence[str], moves: Moves) -> Any | None:
    """A number, alone among words that name no move: in English among words of choosing, else in a short sentence."""
    values = [word for word in words(" ".join(said)) if number(word) is not None]
    if len(values) != 1 or not moves.takes_value or moves.takes_text:
        return None
    rest = [word for word in said if (word.isalpha() or "'" in word) and not words(word)[:1] == (values[0],)]
    if is_thankful(" ".join(said)) and "for" in said:
        return None
    if not set(rest).isdisjoint(CLOCK | BYGONE) or any(moves.verb_named(word) for word in rest):
        return None
    is_choosing = set(rest) <= PICKING | VALUE_NOUNS | {"i'm", "im"} | (NEUTRAL - {"am", "got", "been", "get"})
    strange = [word for word in rest if word not in ORDINARY_WORDS and word not in FILLERS]
    is_foreign = len(rest) <= 7 and bool(strange) and _ENGLISH.isdisjoint(rest)
    is_picking = not set(rest).isdisjoint({"going", "taking", "picking", "choosing", "trying"})
    is_told = not set(rest).isdisjoint({"have", "has", "got", "am", "need", "was", "see", "back", "than"})
    tells = is_told or (not set(rest).isdisjoint({"i'm", "im"}) and not is_picking)
    return moves.parsed(values[0]) if (is_choosing or is_foreign) and not tells else None
