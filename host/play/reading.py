"""Pure: one clause read as a command. In: a clause, the moves of a seat. Out: a `Reading`, or why there is none.

First as it stands (`Game.parse`). Then, of what is legal now, what it can only mean: words that carry no meaning left out, a
move that is not wanted where there is one other, a lone value that fits the question. Nothing is left over that could change
what is meant: an unknown word, a condition, a doubt, somebody else who acts, some other time.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

from host.engine.cards import without_card
from host.engine.frames import (
    BYGONE,
    CLOCK,
    FOREIGN,
    FOREIGN_NUMBERS,
    LIGHT,
    NEGATIONS,
    NEUTRAL,
    NOUNS,
    OTHERS,
    PICKING,
    PRAISE,
    UNCERTAIN,
    VALUE_NOUNS,
)
from host.engine.game import Invalid
from host.engine.grammar import FILLERS, NUMBER_WORDS, THANKS, is_social, is_thankful, number, plain, tokens, words
from host.engine.idioms import idea_of
from host.engine.ordinary import FIRST_NAMES, ORDINARY_WORDS
from host.engine.spelling import Ambiguous, respell
from host.engine.vocabulary import is_idle
from host.play.agreement import says_no, says_yes
from host.play.clauses import Clause, shortened
from host.play.moves import KNOWN, Moves

Trouble = Literal["condition", "doubt", "question", "negation", "slip", "other", "talk"]
LONGEST = 200
"""Characters: in a longer clause only a command as it stands is looked for."""
MOST_USAGES = 5
"""Kinds of moves that a refusal names."""
MOST_WORDS = 30
"""Words: the same."""

_BECAUSE = re.compile(
    r"(?<![\s,])[\s,]++(?:because|'?cause|cuz|since|seeing (?:as|that)|so that|hoping|in the hope)\b.*+$"
)
_REQUEST = re.compile(
    r"\b(?:can|could|may|might) (?:i|we|you|mine|it|my|the)\b"
    r"|\bwould (?:you|it be (?:ok|okay|alright|all right|possible|fine)(?: to)?)\b"
    r"|\b(?:i|we) (?:(?:may|might) as well|should (?:really )?like)\b"
)
"""Words of doubt that are none: somebody asks for a move."""
_ASKING = ("can", "could", "may", "would", "might")
_BEFORE_ASKING = frozenset("please and so then ok okay well hi hello good evening morning".split())
_FOR_ME = re.compile(
    r"\b(?:(?:for|from|with) me|of course|no doubt|by all means|as always|as usual|no hard feelings"
    r"|(?:have|need|got|ought|going|has) to|(?:(?:for|in|on) )?(?:hand|round) (?:no\.? ?|number )?[1-9]\b(?! of)|(?:for|in|on) (?:my|the|this) (?:last|first|next|final) (?:hand|bet|round|turn|go))\b"
)
"""Turns of speech that change nothing."""
_ALL_ELSE = re.compile(r"\b(?:every(?:thing|one|body)|all|what|nothing|who|why) else\b")
_LETS_SEE = re.compile(r"\b(?:let'?s|let me|lemme) see\b")
_SLURRED = {"gimme": "give me", "lemme": "let me", "wanna": "want to", "gonna": "going to", "gotta": "have to"}
_COUNTED = re.compile(r"\b(?:twice|two times|2 times|2x|x ?2|thrice|three times|3 times|3x|x ?3)\b")
_EMPHASIS = re.compile(r"\b([a-z]+)(?:[\s!,.]+\1\b)+")
_BULLET = re.compile(r"^\s*(?:(?:\d{1,2}|[a-h])[.)](?=\s)|[-*•·–+>]+(?=\s))\s*")
_LABELLED = re.compile(r"^\W*([^\W\d][\w' ]{0,30}?)\s*(?:[:=]+|-?->|>>)\s*(.{1,60})$", re.DOTALL)
_SETS_OFF = re.compile(r"[:=>]")
_LABELS = frozenset(
    """move decision action answer choice verdict reply response command play pick vote selection turn final mine me amount value
    stake order my the first 1""".split()
)
_YES_OR_NO = re.compile(r"(yes|no)(?: (?:please|thanks|thank you)\b ?,? ?|, ?)(?=\w)")
_YES = re.compile(r"(?:yes|yeah|yea|yep|yup|sure|okay|ok)\b[\s,!.]+(?=\w)")
_WHOLE = re.compile(r"\b(?:all|the whole|my whole|full|exactly|just|only) (?=\$?\d)|\b(?:full stop|period)$")
_YES_NO = {"yes": "yes", "y": "yes", "no": "no", "n": "no"}
_IF = frozenset("if unless provided otherwise else or either".split())
_COPULA = frozenset("that's thats it's its is are makes leaves means".split())
"""Beside a value without a move they tell something."""
_ALTERNATIVES = frozenset("or either maybe perhaps might may could should".split())
_ENGLISH = frozenset("i i'm i'll i've the my to is of and you it with this that was are be at have".split())
"""A sentence with one of these is English."""
_ONE_OF = frozenset("1 off from another".split())
_TELLING = frozenset("have has got am need was see back than".split())
_TAKING = frozenset("going taking picking choosing trying".split())

_WHY: dict[str, str] = {
    "condition": "“{}” depends on something, and a move cannot wait for that: say what you want now.",
    "doubt": "“{}” leaves open what you want: say which move it is.",
    "question": "“{}” reads like a question, so nothing was played for it.",
    "negation": "“{}” says what you do not want: say what you want.",
    "other": "I could not tell whether “{}” is a move of yours.",
}


@dataclass(frozen=True)
class Reading:
    """What a clause means: a command, how often, and whether that is as it stands or was made out.

    It is weak where a turn of speech says it, which may be talk beside a move in plain words (`I'm good. Hit me`).
    """

    command: Any
    times: int = 1
    is_literal: bool = True
    is_weak: bool = False


class Unreadable(Exception):
    """No command: `trouble` says of what kind the clause is, `reason` is one sentence for who wrote it.

    `touches` tells whether it speaks of what is asked now, `named` the verbs and `numbers` the numbers in it; `is_told`
    whether somebody else acts in it, or it speaks of some other time.
    """

    def __init__(
        self,
        trouble: Trouble,
        reason: str,
        touches: bool,
        named: frozenset[str] = frozenset(),
        numbers: frozenset[str] = frozenset(),
        is_told: bool = False,
    ) -> None:
        super().__init__(reason)
        self.trouble = trouble
        self.reason = reason
        self.touches = touches
        self.named = named
        self.numbers = numbers
        self.is_told = is_told

    def denies(self, command: str) -> bool:
        """Is it a `not` to just this command?"""
        verb, *values = command.split()
        is_same = not self.numbers or not self.numbers.isdisjoint(values)
        return self.trouble == "negation" and verb in self.named and is_same

    @property
    def may_be_talk(self) -> bool:
        """Can it be no wish: somebody else acts, or it names no move, and nothing in it is open?"""
        return self.trouble not in ("condition", "doubt", "slip") and (self.is_told or not self.named)

    def is_beside(self, commands: Sequence[str]) -> bool:
        """Is it talk beside these commands: can none of its values be meant for one of them?"""
        return self.is_told or not self.numbers or all(" " not in each for each in commands)


def read_clause(clause: Clause, moves: Moves) -> Reading:
    """The command of a clause. Raises `Unreadable`, and `Illegal` as the game does."""
    fragment = moves.with_seats(clause.fragment)
    folded = plain(fragment)
    if clause.is_question and not _is_request(folded, moves):
        raise Unreadable("question", _why("question", clause), touches(tokens(folded), moves))
    if _gives_thanks_for_a_value(folded, moves):
        raise Unreadable("talk", _why("other", clause), touches=False)
    refusal: Invalid | None = None
    try:
        command = moves.game.parse(fragment, moves.state, moves.seat)
        is_long = len(fragment) > LONGEST or _is_text(moves, fragment)
        if is_long or not (_is_uncertain(folded) or _is_label_of_something(folded, moves)):
            return Reading(command)
    except Invalid as error:
        refusal = error
        if len(fragment) > LONGEST:
            raise Unreadable("talk" if error.chatter else "other", error.reason, not error.chatter) from None
    if _is_label_of_something(folded, moves):
        raise Unreadable("talk", _why("other", clause), touches=False)
    text = _FOR_ME.sub(" ", _REQUEST.sub("please", _BECAUSE.sub("", _BULLET.sub("", _in_full(folded))).strip()))
    found = _simply(text, moves)
    if found is not None:
        return found
    said = tokens(text)
    _require_known(said, moves)
    blocked = _blocked(said, moves, text)
    command = _wanted(said, blocked, moves)
    if command is not None:
        return Reading(command, is_literal=False)
    command = moves.behind(idea_of(text)) if blocked in (None, "negation", "other") else None
    if command is not None:
        return Reading(command, is_literal=False, is_weak=True)
    raise _unreadable(clause, said, blocked, moves, refusal)


def _in_full(folded: str) -> str:
    """`gimme 5` as `give me 5`."""
    text = " ".join(_SLURRED.get(word, word) for word in folded.split(" "))
    return _LETS_SEE.sub("let me", text)


def touches(said: Sequence[str], moves: Moves) -> bool:
    """Do these words speak of what is asked now: a move that is legal, or a value that could answer?"""
    if any(map(moves.verb_named, said)):
        return True
    known = moves.game.vocabulary.values
    values = [
        each
        for each in words(" ".join(said))
        if number(each) is not None or not known.isdisjoint((each, each.removesuffix("s")))
    ]
    if not set(said).isdisjoint(NOUNS - VALUE_NOUNS) and set(said) <= NOUNS | NEUTRAL | set(values):
        return False
    is_answerable = moves.takes_value or not moves.lexicon.isdisjoint(set(said) - NOUNS)
    return bool(values) and is_answerable and not is_social(" ".join(said))


def _why(trouble: str, clause: Clause) -> str:
    return _WHY[trouble].format(shortened(clause.typed))


def _unreadable(
    clause: Clause, said: Sequence[str], blocked: Trouble | None, moves: Moves, refusal: Invalid | None
) -> Unreadable:
    """Of what kind the clause is: a story and small talk, or an attempt at a move that has to be asked about.

    In a story stand words that no move needs, somebody else, or some other time.
    """
    is_touching = touches(said, moves)
    named = frozenset(verb for verb in map(moves.verb_named, said) if verb)
    numbers = frozenset(each for each in words(" ".join(said)) if number(each) is not None)
    strange = sum(_is_unknown(word, moves) or word in OTHERS or word in BYGONE for word in said)
    is_attempt = bool(named) and ((bool(numbers) and strange < 2) or not _IF.isdisjoint(said))
    is_told = not named and (not _COPULA.isdisjoint(said) or (blocked is not None and not numbers))
    is_elsewhere = _is_elsewhere(said, moves)
    if is_told:
        return Unreadable("talk", _room_reason(refusal, clause, moves), is_touching, named, numbers, is_elsewhere)
    is_denial = blocked == "negation" and bool(named) and strange < 2
    if len(said) > MOST_WORDS or not is_touching or (strange and not is_attempt and not is_denial):
        return Unreadable("talk", _room_reason(refusal, clause, moves), is_touching, named, numbers, is_elsewhere)
    reason = _why(blocked, clause) if blocked else _room_reason(refusal, clause, moves)
    return Unreadable(blocked or "other", reason, True, named, numbers, is_elsewhere)


def _is_elsewhere(said: Sequence[str], moves: Moves) -> bool:
    """Does somebody else act, or does it speak of some other time?"""
    subject = next((word.removesuffix("'s") for word in said if word not in NEUTRAL), "")
    is_named = subject in moves.names or subject in FIRST_NAMES
    return is_named or not set(said).isdisjoint(OTHERS | BYGONE)


def _which(clause: Clause, moves: Moves) -> str:
    """The sentence that asks which of the moves a clause is."""
    usages = moves.usages[:MOST_USAGES]
    if not usages:
        return _why("other", clause)
    listed = f"{', '.join(usages[:-1])} or {usages[-1]}" if len(usages) > 1 else usages[0]
    return f"Which move do you mean by “{shortened(clause.typed)}”? Write {listed}."


def _room_reason(refusal: Invalid | None, clause: Clause, moves: Moves) -> str:
    """What the room says of the clause, which is shown as it was typed; where that says nothing, which moves there are."""
    if refusal is not None and refusal.reason.endswith("” as a move."):
        return _which(clause, moves)
    if refusal is None:
        return _why("other", clause)
    typed = f"“{shortened(clause.typed)}”"
    for shown in (clause.fragment.strip()[:60], plain(clause.fragment).strip()[:60]):
        refusal = Invalid(refusal.reason.replace(f"“{shown}”", typed))
    return refusal.reason


# Kinds of clauses


def _is_request(folded: str, moves: Moves) -> bool:
    """`Can I have 7?`, `could mine go low, please?`: asked, and meant. `Can I call?` asks whether it is allowed."""
    found = re.findall(r"[a-z']+|\d+", folded)
    begins = next((word for word in found if word not in _BEFORE_ASKING), "")
    if begins not in _ASKING:
        return False
    has_value = any(word.isdigit() or word in NUMBER_WORDS or word in moves.game.vocabulary.values for word in found)
    content = [word for word in words(folded) if word not in NEUTRAL]
    return has_value or len(content) > 1 or not {"please", "another"}.isdisjoint(found)


def _is_uncertain(folded: str) -> bool:
    """Does it hold a condition, a choice, a doubt?"""
    return not UNCERTAIN.isdisjoint(re.findall(r"[a-z']+", _ALL_ELSE.sub(" ", _REQUEST.sub(" ", folded))))


def _is_label_of_something(folded: str, moves: Moves) -> bool:
    """Is it a label that names no move, with its value (`Round: 2`)?"""
    labelled = _LABELLED.match(folded) if _SETS_OFF.search(folded) else None
    if not labelled:
        return False
    label = words(labelled[1]) or tokens(labelled[1])
    is_of_a_move = any(moves.game.vocabulary.head(word, moves.state.phase) for word in label)
    is_value = number(labelled[2].strip(" .!*$")) is not None
    return is_value and not is_of_a_move and not set(label) <= _LABELS | VALUE_NOUNS


def _gives_thanks_for_a_value(folded: str, moves: Moves) -> bool:
    """`Cheers for the two grand`: a value, but none that is wished for."""
    said = tokens(folded) if len(folded) <= LONGEST else ()
    if len(said) > 2 and said[0] in THANKS and said[1] == "for":
        return True
    names_none = not said or (said[0] not in moves.lexicon and not any(map(moves.verb_named, said)))
    return "for" in said and is_thankful(folded) and names_none


def _is_text(moves: Moves, fragment: str) -> bool:
    """Is it a verb with free text behind it, which may hold any word?"""
    found = re.match(r"\s*([a-z]+)", fragment.casefold())
    return found is not None and found[1] in moves.game.text_verbs


def _blocked(said: Sequence[str], moves: Moves, text: str) -> Trouble | None:
    """What in a clause keeps it from being a plain wish; None where nothing does."""
    found = set(said)
    if not found.isdisjoint(UNCERTAIN) or "but" in said[1:]:
        return "doubt" if not found.isdisjoint(_ALTERNATIVES) or "but" in said else "condition"
    if not found.isdisjoint(NEGATIONS) or "n't" in text:
        return "negation"
    if not found.isdisjoint(OTHERS | BYGONE) or is_idle(text) or said[:1] == ("you",):
        return "other"
    for before, word in pairwise(said):
        if moves.verb_named(word) and (
            before in PRAISE or before == "you" or before in FIRST_NAMES or before in moves.names
        ):
            return "other"
        if moves.verb_named(before) and word in ("me", "you"):
            return "other"
    return None


def _is_unknown(word: str, moves: Moves) -> bool:
    is_known = word in KNOWN or word in moves.lexicon or word in moves.names or word in moves.at_hand
    return word.isalpha() and not is_known and not moves.verb_named(word)


def _require_known(said: Sequence[str], moves: Moves) -> None:
    """Raise `Unreadable` for a slip that may be one of two words."""
    if moves.takes_text:
        return
    try:
        respell(said, moves.lexicon, moves.known)
    except Ambiguous as error:
        raise Unreadable("slip", f"“{error.word}” may be {' or '.join(error.near)}: say which.", True) from None


# What it can only mean


def _simply(text: str, moves: Moves) -> Reading | None:
    """The clause without what only surrounds it: reasons, bullets, labels, emphasis, counts; yes and no in any language."""
    is_plain = UNCERTAIN.isdisjoint(text.split())
    forms: list[tuple[str, int]] = [(text, 1)] if is_plain else []
    counted = _COUNTED.search(text)
    if counted and is_plain:
        times = 3 if "3" in counted[0] or "th" in counted[0] else 2
        forms.append((f"{text[: counted.start()]}{text[counted.end() :]}".strip(), times))
    if is_plain:
        forms.append((_EMPHASIS.sub(r"\1", text), 1))
    if is_plain and moves.takes_text and not is_social(text):
        forms.append((_without_tail(text), 1))
    agreeing = _YES.match(text)
    if agreeing and is_plain and moves.parsed("yes") is None:
        forms.append((text[agreeing.end() :], 1))
    whole = _WHOLE.sub("", text)
    if whole != text and is_plain:
        forms.append((whole, 1))
    begins = _YES_OR_NO.match(text)
    if begins and is_plain and moves.parsed(begins[1]) is None:
        forms.append((text[begins.end() :], 1))
    labelled = _LABELLED.match(text) if _SETS_OFF.search(text) else None
    if labelled:
        forms += [(each, 1) for each in _labelled(labelled[1].strip(), labelled[2].strip(" .!*"), moves)]
    if not moves.takes_text and not text.startswith(("oh ", "but ")) and len(text.split()) <= 3:
        forms += [
            (word, 1)
            for word, says in (("yes", says_yes), ("no", says_no))
            if says([text]) and _agrees(word, text, moves)
        ]
    for form, times in forms:
        command = moves.parsed(form) if form else None
        if command is not None:
            return Reading(command, times, is_literal=False)
    return None


def _agrees(word: str, text: str, moves: Moves) -> bool:
    """Does a clause that says yes, or no, name no other move than this answer is? `Yes, decline` does."""
    command = moves.parsed(word)
    verb = moves.game.say(command).split()[0] if command is not None else ""
    return all(moves.verb_named(each) in (None, verb) for each in words(text) if each != word)


def _without_tail(text: str) -> str:
    """The text without the words at its end that carry no meaning: `no clue mate`."""
    said = text.split()
    while len(said) > 1 and said[-1].strip(",.!") in NEUTRAL:
        said.pop()
    return " ".join(said)


def _labelled(label: str, value: str, moves: Moves) -> Iterator[str]:
    """`Play: yes`, `Cut = 9`, `First space: 8`, `My move: stand`."""
    heads = [word for word in words(label) if moves.verb_named(word)]
    verdict = _YES_NO.get(value)
    if len(heads) == 1 and verdict:
        other = moves.other(moves.verb_named(heads[0]) or "")
        if verdict == "yes" or other is not None:
            yield heads[0] if verdict == "yes" else moves.game.say(other)
    elif len(heads) == 1 and len(words(label)) == 1:
        yield f"{heads[0]} {value}"
    elif not heads and set(words(label)) <= _LABELS | NEUTRAL | NOUNS:
        yield value


def _wanted(said: Sequence[str], blocked: Trouble | None, moves: Moves) -> Any | None:
    """The one command that a clause can mean, or None."""
    if len(said) > MOST_WORDS:
        return None
    said = said[1:] if said[:1] == ("but",) else said
    if blocked == "negation" and said[0] in ("nah", "nope") and NEGATIONS.isdisjoint(said[1:]):
        said, blocked = said[1:], None  # an answer to somebody else: `Nah, I'm out`
    if blocked == "negation":
        return _negated(said, moves)
    if blocked:
        return None
    for candidate in _loosened(said, moves):
        command = moves.parsed(candidate)
        if command is not None:
            return command
    return _lone_value(said, moves)


def _loosened(said: Sequence[str], moves: Moves) -> Iterator[str]:
    """The words that carry meaning, the move first: with the things on the table, and without."""
    if len(said) > 1 and (said[-1] in moves.names or said[-1] in FIRST_NAMES):
        said = said[:-1]
    content = words(" ".join(moves.base(each) for each in said if each not in NEUTRAL or moves.verb_named(each)))
    has_move = any(moves.verb_named(each) for each in content)
    whole = " ".join(said)
    if not has_move and sum(each.isdigit() for each in content) == len(content) == 1:
        return
    if not has_move and (is_social(whole) or is_thankful(whole) or moves.takes_text):
        return
    nouns = NOUNS | LIGHT if has_move else VALUE_NOUNS
    bare = tuple(each for each in content if each not in nouns or moves.verb_named(each))
    only = moves.first_verbs[0] if len(moves.first_verbs) == 1 and not any(each.isdigit() for each in content) else ""
    is_pointed_at = not {"the", "my", "gets", "goes"}.isdisjoint(said) and all(len(each) > 1 for each in content)
    if only and is_pointed_at and not has_move and content and not any(_is_unknown(each, moves) for each in said):
        yield f"{only} {' '.join(content)}"
    for kept in (content, bare, *(without_card(bare, card) for card in moves.cards_at_hand)):
        yield from (" ".join(each) for each in (kept, _move_first(kept, moves)) if each)


def _move_first(kept: Sequence[str], moves: Moves) -> tuple[str, ...]:
    """`7 I pick` as `pick 7`; words that name the same move count once. Nothing where two moves are named."""
    named = {word: verb for word in kept if (verb := moves.verb_named(word))}
    if len(set(named.values())) != 1:
        return ()
    first = next(word for word in kept if word in named)
    rest = tuple(word for word in kept if word not in named)
    if not moves.takes_values(first) and set(rest) <= _ONE_OF:
        rest = ()  # `one off the stock`
    return (first, *rest)


def _negated(said: Sequence[str], moves: Moves) -> Any | None:
    """Of two moves the one that is left, where all that is said is that the other is not wanted."""
    rest = said[1:] if said[:1] == ("no",) and len(said) > 2 else said
    left = [word for word in rest if word not in NEGATIONS]
    named = {verb for word in left if (verb := moves.verb_named(word))}
    if len(rest) - len(left) != 1 or not any(map(moves.verb_named, left)) or not UNCERTAIN.isdisjoint(said):
        return None
    if any(_is_unknown(word, moves) for word in left) or not set(left).isdisjoint(OTHERS | BYGONE):
        return None
    for candidate in _loosened(left, moves):
        command = moves.parsed(candidate)
        if command is not None:
            return moves.not_doing(moves.game.say(command).split()[0])
    is_all_known = all(moves.verb_named(word) or word in NEUTRAL | NOUNS | LIGHT for word in left)
    return moves.not_doing(named.pop()) if len(named) == 1 and is_all_known else None


def _lone_value(said: Sequence[str], moves: Moves) -> Any | None:
    """A number, alone among words that name no move: in English among words of choosing, else in a short sentence."""
    said = tuple(FOREIGN_NUMBERS.get(word, word) for word in said)
    values = [word for word in words(" ".join(said)) if number(word) is not None]
    if len(values) != 1 or not moves.takes_value or moves.takes_text:
        return None
    rest = {word for word in said if (word.isalpha() or "'" in word) and words(word)[:1] != (values[0],)}
    is_thanks_for = is_thankful(" ".join(said)) and "for" in rest
    if is_thanks_for or not rest.isdisjoint(CLOCK | BYGONE | _TELLING) or any(map(moves.verb_named, rest)):
        return None
    if not rest.isdisjoint({"i'm", "im"}) and rest.isdisjoint(_TAKING):
        return None
    is_choosing = rest <= PICKING | VALUE_NOUNS | NEUTRAL | {"i'm", "im"}
    is_strange = any(word not in ORDINARY_WORDS and word not in FILLERS for word in rest)
    values_near = [each for each in moves.game.vocabulary.values | moves.lexicon if len(each) > 3]
    is_near = any(word.startswith(tuple(values_near)) for word in rest) if values_near else False
    is_foreign = (
        not is_near and len(rest) <= 7 and is_strange and rest.isdisjoint(_ENGLISH) and not rest.isdisjoint(FOREIGN)
    )
    return moves.parsed(values[0]) if is_choosing or is_foreign else None
