"""Pure: what a clause can only mean, beside what is legal. In: its words, the moves of a seat. Out: a command, or None.

Words that carry no meaning are left out, a move that is not wanted leaves the one other, a lone value fits the question.
Nothing is left over that could change what is meant: an unknown word, a condition, a doubt, somebody else who acts, some
other time.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any, Literal

from host.engine.cards import RANK_NAMES, without_card
from host.engine.frames import frames
from host.engine.grammar import FILLERS, is_social, is_thankful, number, tokens, words
from host.engine.languages import foreign_numbers
from host.engine.ordinary import first_names, ordinary_words
from host.play.agreement import says_no, says_yes
from host.play.moves import Moves

Trouble = Literal["condition", "doubt", "question", "negation", "slip", "other", "talk"]
LABELLED = re.compile(r"^\W*([^\W\d][\w' ]{0,30}?)\s*(?:[:=]+|-?->|>>)\s*(.{1,60})$", re.DOTALL)
SETS_OFF = re.compile(r"[:=>]")
LABELS = frozenset(
    """move decision action answer choice verdict reply response command play pick vote selection turn final mine me amount value
    stake order my the first 1""".split()
)
MOST_WORDS = 30
"""Words: in a longer clause only a command as it stands is looked for."""
_COUNTED = re.compile(r"\b(?:twice|two times|2 times|2x|x ?2|thrice|three times|3 times|3x|x ?3)\b")
_EMPHASIS = re.compile(r"\b([a-z]+)(?:[\s!,.]+\1\b)+")
_EMPHASIS_OF_TWO = re.compile(r"\b([a-z]+ [a-z]+)(?:[\s!,.]+\1\b)+")
_YES_OR_NO = re.compile(r"(yes|no)(?: (?:please|thanks|thank you)\b ?,? ?|, ?)(?=\w)")
_YES = re.compile(r"(?:yes|yeah|yea|yep|yup|sure|okay|ok)\b[\s,!.]+(?=\w)")
_REMARK = re.compile(
    r" (?:she|he|they|it'?s|i'?m|i|we|you|that'?s) (?!(?:think|guess|suppose|believe|don'?t|do not|said)\b).*$"
)
"""What is added behind a move without a comma: `give it to Cleo she deserves it`."""
_WHOLE = re.compile(r"\b(?:all|the whole|my whole|full|exactly|just|only) (?=\$?\d)|\b(?:full stop|period)$")
_YES_NO = {"yes": "yes", "y": "yes", "no": "no", "n": "no"}
_ENGLISH = frozenset("i i'm i'll i've the my to is of and you it with this that was are be at have".split())
"""A sentence with one of these is English."""
_ONE_OF = frozenset("1 off from another".split())
_REFUSING = frozenset("not don't dont won't wont no never wouldn't".split())
"""What is not wanted; what somebody cannot do is told."""
_PERSONS = frozenset("me you him her them us".split())
_RANKS = frozenset((*RANK_NAMES.values(), "deuce"))
_TELLING = frozenset("have has got am need was see back than".split())
_TAKING = frozenset("going taking picking choosing trying".split())


def simply(text: str, moves: Moves) -> tuple[Any, int] | None:
    """The clause without what only surrounds it: reasons, bullets, labels, emphasis, counts; yes and no in any language."""
    is_plain = frames().uncertain.isdisjoint(text.split())
    forms: list[tuple[str, int]] = [(text, 1)] if is_plain else []
    counted = _COUNTED.search(text)
    if counted and is_plain:
        times = 3 if "3" in counted[0] or "th" in counted[0] else 2
        forms.append((f"{text[: counted.start()]}{text[counted.end() :]}".strip(), times))
    if is_plain:
        forms += [(_EMPHASIS.sub(r"\1", text), 1), (_EMPHASIS_OF_TWO.sub(r"\1", text), 1)]
    if is_plain and moves.takes_text and not is_social(text):
        forms.append((_without_tail(text), 1))
    agreeing = _YES.match(text)
    if agreeing and is_plain and moves.parsed("yes") is None:
        forms.append((text[agreeing.end() :], 1))
    remark = _REMARK.search(text)
    if remark and is_plain and not any(map(moves.verb_named, tokens(text[remark.start() :]))):
        forms.append((text[: remark.start()], 1))
    whole = _WHOLE.sub("", text)
    if whole != text and is_plain:
        forms.append((whole, 1))
    begins = _YES_OR_NO.match(text)
    if begins and is_plain and moves.parsed(begins[1]) is None:
        forms.append((text[begins.end() :], 1))
    labelled = LABELLED.match(text) if SETS_OFF.search(text) else None
    if labelled:
        forms += [(each, 1) for each in _labelled(labelled[1].strip(), labelled[2].strip(" .!*"), moves)]
    if (
        not moves.takes_text
        and (not text.startswith(("oh ", "but ")) or text.startswith("but no thank"))
        and len(text.split()) <= 3
    ):
        forms += [
            (word, 1)
            for word, says in (("yes", says_yes), ("no", says_no))
            if says([text]) and _agrees(word, text, moves)
        ]
    for form, times in dict.fromkeys(forms):
        command = moves.parsed(form) if form else None
        if command is not None:
            return command, times
    return None


def _agrees(word: str, text: str, moves: Moves) -> bool:
    """Does a clause that says yes, or no, name no other move than this answer is? `Yes, decline` does."""
    command = moves.parsed(word)
    verb = moves.game.say(command).split()[0] if command is not None else ""
    return all(moves.verb_named(each) in (None, verb) for each in words(text) if each != word)


def _without_tail(text: str) -> str:
    """The text without the words at its end that carry no meaning: `no clue mate`."""
    said = text.split()
    while len(said) > 1 and said[-1].strip(",.!") in frames().neutral:
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
    elif not heads and (set(words(label)) <= LABELS | frames().neutral | frames().nouns or label in moves.names):
        yield value


def wanted(said: Sequence[str], blocked: Trouble | None, moves: Moves) -> Any | None:
    """The one command that a clause can mean, or None."""
    if len(said) > MOST_WORDS:
        return None
    said = said[1:] if said[:1] == ("but",) else said
    if blocked == "negation" and said[0] in ("nah", "nope") and frames().negations.isdisjoint(said[1:]):
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
    if len(said) > 1 and (said[-1] in moves.names or said[-1] in first_names()):
        said = said[:-1]
    content = words(
        " ".join(moves.base(each) for each in said if each not in frames().neutral or moves.verb_named(each))
    )
    has_move = any(moves.verb_named(each) for each in content)
    whole = " ".join(said)
    if not has_move and sum(each.isdigit() for each in content) == len(content) == 1:
        return
    if not has_move and (is_social(whole) or is_thankful(whole) or moves.takes_text):
        return
    nouns = frames().nouns | frames().light if has_move else frames().value_nouns
    bare = tuple(each for each in content if each not in nouns or moves.verb_named(each))
    only = moves.first_verbs[0] if len(moves.first_verbs) == 1 and not any(each.isdigit() for each in content) else ""
    is_pointed_at = not {"the", "my", "gets", "goes"}.isdisjoint(said) and all(len(each) > 1 for each in content)
    if only and is_pointed_at and not has_move and content and not any(moves.is_unknown(each) for each in said):
        yield f"{only} {' '.join(content)}"
    kept = dict.fromkeys((content, bare, *(without_card(bare, card) for card in moves.cards_at_hand)))
    yield from dict.fromkeys(" ".join(each) for some in kept for each in (some, _move_first(some, moves)) if each)


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
    """The move that is left, where all that is said is that another one is not wanted (`won't be raising into a jack`)."""
    is_answer = said[:1] == ("no",) and not frames().negations.isdisjoint(said[1:])
    rest = said[1:] if is_answer else said
    left = [word for word in rest if word not in frames().negations]
    is_told = not set(left).isdisjoint(frames().others | frames().bygone)
    if len(rest) - len(left) != 1 or is_told or not frames().uncertain.isdisjoint(said):
        return None
    if not any(moves.is_unknown(word) for word in left):
        for candidate in _loosened(left, moves):
            command = moves.parsed(candidate)
            if command is not None:
                return moves.not_doing(moves.game.say(command).split()[0])
    return _negated_verb(left, moves) if not _REFUSING.isdisjoint(said) else None


def _negated_verb(left: Sequence[str], moves: Moves) -> Any | None:
    """The same where a verb stands in a longer sentence: what follows it names no other move, and no value."""
    without = min((without_card(left, card) for card in moves.cards_at_hand), key=len, default=tuple(left))
    at = next((at for at, word in enumerate(without) if moves.verb_named(word)), None)
    if at is None or any(moves.is_unknown(word) for word in without[:at]):
        return None
    verb, tail = moves.verb_named(without[at]), without[at + 1 :]
    is_known = not any(moves.is_unknown(word) and word not in _RANKS for word in tail) and _PERSONS.isdisjoint(tail)
    is_plain = is_known and all(moves.verb_named(word) in (None, verb) for word in tail)
    is_plain = is_plain and not any(each.isdigit() for each in tail)
    return moves.not_doing(verb) if verb and is_plain and len(tail) < 6 else None


def _lone_value(said: Sequence[str], moves: Moves) -> Any | None:
    """A number, alone among words that name no move: in English among words of choosing, else in a short sentence."""
    said = tuple(foreign_numbers().get(word, word) for word in said)
    values = [word for word in words(" ".join(said)) if number(word) is not None]
    if len(values) != 1 or not moves.takes_value or moves.takes_text:
        return None
    rest = {word for word in said if (word.isalpha() or "'" in word) and words(word)[:1] != (values[0],)}
    is_thanks_for = is_thankful(" ".join(said)) and "for" in rest
    if (
        is_thanks_for
        or not rest.isdisjoint(frames().clock | frames().bygone | _TELLING)
        or any(map(moves.verb_named, rest))
    ):
        return None
    if not rest.isdisjoint({"i'm", "im"}) and rest.isdisjoint(_TAKING):
        return None
    is_choosing = rest <= frames().picking | frames().value_nouns | frames().neutral | {"i'm", "im"}
    is_strange = any(word not in ordinary_words() and word not in FILLERS for word in rest)
    values_near = [each for each in moves.game.vocabulary.values | moves.lexicon if len(each) > 3]
    is_near = any(word.startswith(tuple(values_near)) for word in rest) if values_near else False
    is_foreign = (
        not is_near
        and len(rest) <= 7
        and is_strange
        and rest.isdisjoint(_ENGLISH)
        and not rest.isdisjoint(frames().foreign)
    )
    return moves.parsed(values[0]) if is_choosing or is_foreign else None
