"""Pure: one clause read as a command. In: a clause, the moves of a seat. Out: a `Reading`, or why there is none.

First as it stands (`Game.parse`). Then, of what is legal now, what it can only mean (`meaning`), or what a turn of speech says
(`idioms`). Here stands what keeps a clause from being a plain wish, and how that is told.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from host.engine.frames import frames
from host.engine.game import Invalid
from host.engine.grammar import NUMBER_WORDS, THANKS, is_social, is_thankful, number, plain, tokens, words
from host.engine.ordinary import first_names
from host.engine.spelling import Ambiguous, respell
from host.engine.vocabulary import is_idle
from host.play.clauses import Clause, shortened
from host.play.idioms import idea_of
from host.play.meaning import LABELLED, LABELS, MOST_WORDS, SETS_OFF, Trouble, simply, wanted
from host.play.moves import Moves

LONGEST = 200
"""Characters: in a longer clause only a command as it stands is looked for."""
MOST_USAGES = 5
"""Kinds of moves that a refusal names."""

_BECAUSE = re.compile(
    r"(?<![\s,])[\s,]++(?:because|'?cause|cuz|bc|cos|coz|since|seeing (?:as|that)|so that|hoping|in the hope)\b.*+$"
)
_REQUEST = re.compile(
    r"\b(?:can|could|may|might) (?:i|we|you|mine|it|my|the)\b"
    r"|\bwould you (?:please |kindly )?be (?:so )?(?:good|kind)(?: enough)?(?: as)? to\b"
    r"|\b(?:mine|it|my \w+|that) should (?:be|go)\b"
    r"|\bwould (?:you|it be (?:ok|okay|alright|all right|possible|fine)(?: to)?)\b"
    r"|\b(?:i|we) (?:(?:may|might) as well|should (?:really )?like)\b"
)
"""Words of doubt that are none: somebody asks for a move."""
_ASKING = ("can", "could", "may", "would", "might")
_BEFORE_ASKING = frozenset("please and so then ok okay well hi hello good evening morning".split())
_FOR_ME = re.compile(
    r"\b(?:(?:for|from|with) me|of course|no doubt|by all means|that'?s left|as always|as usual|no hard feelings"
    r"|(?:have|need|got|ought|going|has) to|(?:(?:for|in|on) )?(?:hand|round) (?:no\.? ?|number )?[1-9]\b(?! of)"
    r"|(?:for|in|on) (?:my|the|this) (?:last|first|next|final) (?:hand|bet|round|turn|go))\b"
)
"""Turns of speech that change nothing."""
_ALL_ELSE = re.compile(r"\b(?:every(?:thing|one|body)|all|what|nothing|who|why) else\b")
_LETS_SEE = re.compile(r"\b(?:let'?s|let me|lemme) see\b")
_NOT_SURE = re.compile(r"\bnot (?:so |too |very |quite |really |entirely )?(?:sure|certain|convinced)\b")
_SLURRED = {"gimme": "give me", "lemme": "let me", "wanna": "want to", "gonna": "going to", "gotta": "have to"}
_BULLET = re.compile(r"^\s*(?:(?:\d{1,2}|[a-h])[.)](?=\s)|[-*•·–+>]+(?=\s))\s*")
_IF = frozenset("if unless provided otherwise else or either".split())
_COPULA = frozenset("that's thats it's its is are makes leaves means".split())
"""Beside a value without a move they tell something."""
_ALTERNATIVES = frozenset("or either maybe perhaps might may could should".split())

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
        is_named_firmly: bool = True,
    ) -> None:
        super().__init__(reason)
        self.trouble = trouble
        self.reason = reason
        self.touches = touches
        self.named = named
        self.numbers = numbers
        self.is_told = is_told
        self.is_named_firmly = bool(named) and is_named_firmly

    def denies(self, command: str) -> bool:
        """Is it a `not` to just this command?"""
        verb, *values = command.split()
        is_same = not self.numbers or not self.numbers.isdisjoint(values)
        return self.trouble == "negation" and verb in self.named and is_same

    @property
    def may_be_talk(self) -> bool:
        """Can it be no wish: somebody else acts, or it names no move, and nothing in it is open?"""
        return self.trouble not in ("condition", "doubt", "slip") and (self.is_told or not self.is_named_firmly)

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
    simple = simply(text, moves)
    if simple is not None:
        return Reading(*simple, is_literal=False)
    said = tokens(text)
    _require_known(said, moves)
    blocked = _blocked(said, moves, text)
    command = wanted(said, blocked, moves)
    if command is not None:
        return Reading(command, is_literal=False)
    command = moves.behind(idea_of(text)) if blocked in (None, "negation", "other") else None
    if command is not None:
        return Reading(command, is_literal=False, is_weak=True)
    raise _unreadable(clause, said, blocked, moves, refusal)


def _in_full(folded: str) -> str:
    """`gimme 5` as `give me 5`."""
    text = " ".join(_SLURRED.get(word, word) for word in folded.split(" "))
    return _NOT_SURE.sub("unsure", _LETS_SEE.sub("let me", text))


def touches(said: Sequence[str], moves: Moves) -> bool:
    """Do these words speak of what is asked now: a move that is legal, or a value that could answer?"""
    if any(map(moves.verb_named, said)):
        return True
    nouns, found = frames().nouns, set(said)
    known = moves.game.vocabulary.values
    values = [
        each
        for each in words(" ".join(said))
        if number(each) is not None or not known.isdisjoint((each, each.removesuffix("s")))
    ]
    if not found.isdisjoint(nouns - frames().value_nouns) and found <= nouns | frames().neutral | set(values):
        return False
    is_answerable = moves.takes_value or not moves.lexicon.isdisjoint(found - nouns)
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
    strange = sum(moves.is_unknown(word) or word in frames().others or word in frames().bygone for word in said)
    is_attempt = bool(named) and ((bool(numbers) and strange < 2) or not _IF.isdisjoint(said))
    is_told = not named and (not _COPULA.isdisjoint(said) or (blocked is not None and not numbers))
    is_elsewhere = _is_elsewhere(said, moves)
    is_firm = len(said) < 4 or any(moves.verb_named(word) for word in said if word not in frames().small)
    if is_told:
        return Unreadable(
            "talk", _room_reason(refusal, clause, moves), is_touching, named, numbers, is_elsewhere, is_firm
        )
    is_denial = blocked == "negation" and bool(named) and strange < 2
    if len(said) > MOST_WORDS or not is_touching or (strange and not is_attempt and not is_denial):
        return Unreadable(
            "talk", _room_reason(refusal, clause, moves), is_touching, named, numbers, is_elsewhere, is_firm
        )
    reason = _why(blocked, clause) if blocked else _room_reason(refusal, clause, moves)
    return Unreadable(blocked or "other", reason, True, named, numbers, is_elsewhere, is_firm)


def _is_elsewhere(said: Sequence[str], moves: Moves) -> bool:
    """Does somebody else act, or does it speak of some other time?"""
    subject = next((word.removesuffix("'s") for word in said if word not in frames().neutral), "")
    is_named = subject in moves.names or subject in first_names()
    return is_named or not set(said).isdisjoint(frames().others | frames().bygone)


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
    content = [word for word in words(folded) if word not in frames().neutral]
    return has_value or len(content) > 1 or not {"please", "another"}.isdisjoint(found)


def _is_uncertain(folded: str) -> bool:
    """Does it hold a condition, a choice, a doubt?"""
    return not frames().uncertain.isdisjoint(re.findall(r"[a-z']+", _ALL_ELSE.sub(" ", _REQUEST.sub(" ", folded))))


def _is_label_of_something(folded: str, moves: Moves) -> bool:
    """Is it a label that names no move, with its value (`Round: 2`)?"""
    labelled = LABELLED.match(folded) if SETS_OFF.search(folded) else None
    if not labelled:
        return False
    label = words(labelled[1]) or tokens(labelled[1])
    is_of_a_move = any(moves.game.vocabulary.head(word, moves.state.phase) for word in label)
    is_value = number(labelled[2].strip(" .!*$")) is not None
    return is_value and not is_of_a_move and not set(label) <= LABELS | frames().value_nouns


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
    if not found.isdisjoint(frames().uncertain) or "but" in said[1:]:
        return "doubt" if not found.isdisjoint(_ALTERNATIVES) or "but" in said else "condition"
    if not found.isdisjoint(frames().negations) or "n't" in text:
        return "negation"
    if not found.isdisjoint(frames().others | frames().bygone) or is_idle(text) or said[:1] == ("you",):
        return "other"
    for before, word in pairwise(said):
        if moves.verb_named(word) and (
            before in frames().praise or before == "you" or before in first_names() or before in moves.names
        ):
            return "other"
        if moves.verb_named(before) and word in ("me", "you"):
            return "other"
    return None


def _require_known(said: Sequence[str], moves: Moves) -> None:
    """Raise `Unreadable` for a slip that may be one of two words."""
    if moves.takes_text:
        return
    try:
        respell(said, moves.lexicon, moves.known)
    except Ambiguous as error:
        raise Unreadable("slip", f"“{error.word}” may be {' or '.join(error.near)}: say which.", True) from None
