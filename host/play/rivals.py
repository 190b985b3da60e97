"""Pure: what speaks against a plan. In: a clause that is no certain command, the commands beside it. Out: may it be another wish?

A remark is about what may come; a rival is a command in other words, advice, a condition, a denial, another value.
"""

from collections.abc import Collection, Sequence
from itertools import pairwise

from host.engine.grammar import tokens
from host.engine.words import frames, pattern, plain
from host.play.certain import LEADING_ON, Judged, is_own_wish
from host.play.clauses import Clause, behind, place
from host.play.doubts import COMES_ABOUT, DEPENDING, PAST, REPORTING
from host.play.seen import Seen
from host.play.values import THIS_ONE, bidden, in_part, is_strange, named_cards, values_in

_BIDDING = frozenset("you please let then can could would do".split())
_OWN = frozenset("i i'd i'll i'm we don't do not would".split())
_OPEN = DEPENDING | REPORTING | {"or", "maybe", "perhaps", "sure"}
"""With one of these it is left open what is meant."""
_SO = frozenset("so therefore hence thus".split())
_SUM = pattern(
    r"(?:(?:that|which|it|this|so|and) )*(?:makes|leaves me (?:with|at)|(?:gets|brings|takes|puts) me (?:up )?(?:to|on))"
    r" (?:a )?\w+(?: in all| altogether| exactly)?"
    r"|(?:(?:so|that's|that is|which is|it's) )+(?:a )?\w+ (?:in all|altogether|in total|all told|total)"
    r"|\d+ (?:beats?|against|versus|vs) \d+(?: (?:should|will|must|ought to) (?:do|be enough))?"
    r"|(?:that|which|it)(?:'s| is| was) (?:about |exactly |just |nearly )?(?:a |one |two |three )?(?:half|thirds?|quarters?|most)"
    r" of \w+(?: \w+){0,2}"
    r"|(?:(?:so|and|i think|i hope|hope) )*(?:that|this|they|which)(?:"
    r"(?:'s| is| are| should be| ought to be| must be) (?:(?:exactly|just|now) )?(?:my|all)(?: (?:my|the|of))?(?: \w+)?"
    r"|(?: should| ought to| must)? (?:be|makes?) \w+(?= (?:of|in|if)\b))"
    r"(?: of them| in all| numbers| cards)?(?: if i (?:counted|count|can|did|have|am)\b.*)?"
)
"""What comes out, how many they are, or how two stand."""
_HOPE = pattern(
    r"^(?:(?:i|we|now|then|so|and|just|only|still|all|that|is|let's|here's) )*(?:need|(?:hop(?:e|ing)|pray(?:ing)?|wish(?:ing)?"
    r"|fingers (?:are )?crossed|dreaming) (?:for|of)|may (?:it|that|this) be) (?:an?|another|some)\b"
)
"""What somebody hopes for is a card, and no place: `fingers crossed for a seven or eight`."""
_BOUNDS = pattern(
    r"\b(?!more)\w+ or (?:less|more|higher|lower|better|above|below|under|over)\b|\d\+"
    r"|^(?:(?:but|only|if|it's|it|is|i'm|i|am|have|for) )*(?:under|below|over|above|up to|at (?:most|least)|as long as) .{0,16}\d"
)
"""A number that bounds something: `16 or less`."""
_CONDITION = pattern(
    rf"(?:but )?(?:if (?!not\b)|only (?:if|when|with|after)\b|once (?:\w+ )?\w+ {COMES_ABOUT}\b"
    r"|as soon as\b|on one condition\b|in exchange\b)"
)
"""With these begins a sentence that is nothing but a condition."""
SHORT = 6
"""Words of a sentence that says nothing but when a move is meant."""
_AGAIN = frozenset("again more once twice another same".split())
_TIME = pattern(r"\b(?:till|until|from|at|by|before|after|around|about) \d{1,2}(?:[:.]\d\d)?(?![\w:.])")
_OF_A_TALE = frozenset("a an her his their my that those poor oh like the with".split())
"""Beside these a value in a sentence of its own is told of."""


def is_remark(clause: Clause, seen: Seen) -> bool:
    """Is it a sentence of its own on what may come, in which nothing is to be done: `If it goes wrong I blame my brother`?

    What follows from the condition has to stand behind its last value, and be no move, nor its denial.
    """
    said = tokens(plain(clause.fragment))
    values = [at for at, word in enumerate(said) if values_in(word, seen)]
    following = said[values[-1] + 1 if values else 0 :]
    is_told = clause.begins and said[:1] == ("if",) and (_BIDDING | frames().negations).isdisjoint(said)
    is_of_moves = any(
        seen.verb_named(word) or (seen.move_named(word) and word not in frames().ordinary) for word in said
    )
    return is_told and not is_of_moves and any(is_strange(word, seen) for word in following)


def is_sum(clause: Clause) -> bool:
    """Does it only say what comes out, how two stand, or how much that is: `that makes 19`, `that's half of it`?"""
    return _SUM.fullmatch(plain(clause.fragment)) is not None


def is_hope(clause: Clause, seen: Seen) -> bool:
    """Does it only say what card would help?"""
    folded = plain(clause.fragment)
    return _HOPE.match(folded) is not None and not any(map(seen.move_named, tokens(folded)))


def is_bound(clause: Clause, text: str) -> bool:
    """Does it tell no more than when the move beside it is meant: `hit. 16 or less`, `Accept. If my husband agrees.`?"""
    if len(tokens(clause.fragment)) > SHORT:
        return False
    folded = plain(clause.typed)
    is_condition = clause.begins and _CONDITION.match(folded) and not behind(text, clause).startswith(",")
    return bool(is_condition or _BOUNDS.search(folded))


def is_reason(clause: Clause, text: str, steps: Sequence[tuple[Clause, Judged]]) -> bool:
    """Does it only lead to a plain command, behind a `so` in its sentence: `I'd be daft to raise with a six high, so check`?"""
    at, folded = place(text, clause), plain(text)
    ends = [
        end
        for step, judged in steps
        if judged.kind == "command" and step.sentence == clause.sentence and (end := place(text, step)) > at
    ]
    is_led = any(
        not _SO.isdisjoint((*tokens(folded[at:end].rstrip(" ,:"))[-1:], *tokens(folded[end:])[:1])) for end in ends
    )
    return bool(clause.typed) and is_led and not leaves_open(clause)


def is_agreed_no(clause: Clause, steps: Sequence[tuple[Clause, Judged]], seen: Seen) -> bool:
    """Does it deny something beside the plain command to want nothing: `250 more isn't worth it, I decline`?"""
    said = tokens(plain(clause.fragment))
    verbs = {judged.verb for _, judged in steps}
    is_no = len(steps) == 1 and steps[0][1].kind == "command" and steps[0][1].command in seen.negative
    is_denied = is_no and not (frames().negations | {"too"}).isdisjoint(said) and not leaves_open(clause)
    return is_denied and verbs.isdisjoint(map(seen.move_named, said))


def leaves_open(clause: Clause) -> bool:
    """Does a clause ask, tell what somebody says, name a condition or a choice?"""
    return clause.is_question or not _OPEN.isdisjoint(tokens(plain(clause.fragment)))


def is_rival(clause: Clause, commands: Sequence[str], seen: Seen, is_beside: bool) -> bool:
    """May an unclear clause be a wish other than these commands, or speak against one of them?

    It may where it is a command in some words, begins with a move, sets one card to another, tells what somebody advises, asks,
    depends on something, denies what was said, or has a value among little else. Beside one of them, in its sentence, it may
    also where it names another move, or has any other value.
    """
    text = THIS_ONE.sub("it", LEADING_ON.sub("", plain(seen.with_seats(clause.fragment))))
    said = tokens(text if is_beside else _TIME.sub("then", text))
    verbs = {command.split()[0] for command in commands}
    named = {verb for word in said if (verb := seen.move_named(word))}
    command = "" if THIS_ONE.search(plain(clause.fragment)) else seen.parsed(clause.fragment)
    advises = not (REPORTING.isdisjoint(said) or _OWN.issuperset(_before(said, REPORTING))) and bool(named - verbs)
    depends = said[:1] and said[0] in DEPENDING
    command = command or bidden(said, seen) or named_cards(said, seen)
    asks_of_move = clause.is_question and any(
        seen.move_named(word) for word in said if is_beside or word not in frames().ordinary
    )
    asks_which = clause.is_question and "or" in said and bool(values_in(" ".join(said), seen))
    if (command and command not in commands) or advises or depends or asks_of_move or asks_which:
        return True
    if clause.is_question and not is_beside:
        return False
    no = next((at for at, word in enumerate(said) if word in frames().negations), len(said))
    if no == len(said) and PAST.isdisjoint(said) and _sets_one_to_another(said, verbs, seen):
        return True
    if any(seen.move_named(word) in verbs for word in said[no:]):
        return True
    own = (seen.words.own_values.get(verb, frozenset()) for verb in seen.first_verbs if verb not in verbs)
    if any(not each.isdisjoint(said) for each in own):
        return True
    strange = sum(is_strange(word, seen) and word not in ("though", "tho") for word in said)
    if no == len(said) and _begins_otherwise(said, verbs, strange, seen):
        return True
    is_theirs = is_beside and no == len(said) and "you" not in said
    if is_theirs and any(seen.move_named(word) not in ("", *verbs) for word in said if word not in frames().ordinary):
        return True
    return _has_other_value(said, commands, strange, is_beside, bool(named), seen)


def _sets_one_to_another(said: Sequence[str], verbs: Collection[str], seen: Seen) -> bool:
    """Does a word by which another move is known without its verb stand between two cards: `the six over to the king`?"""
    marks = frozenset[str]().union(*(row.alone.get(seen.phase, ()) for row in seen.words.rows if row.verb not in verbs))
    cards = [at for at, word in enumerate(said) if word in seen.words.values]
    return bool(cards) and not marks.isdisjoint(said[cards[0] + 1 : cards[-1]])


def _before(said: Sequence[str], some: Collection[str]) -> set[str]:
    """The words that stand right before some."""
    return {before for before, word in pairwise(("", *said)) if word in some}


def _begins_otherwise(said: Sequence[str], verbs: Collection[str], strange: int, seen: Seen) -> bool:
    """Does a clause begin with another move, or name one plainly among few other words?"""
    content = [word for word in said if word not in frames().neutral or seen.verb_named(word)]
    content = content[1:] if is_own_wish(content, seen) else content  # behind the `I`
    first = seen.move_named(content[0]) if content else ""
    is_everyday = bool(content) and content[0] in frames().ordinary
    if first and first not in verbs and strange < (1 if is_everyday else 3):
        return True
    plainly = {verb for word in said if word not in frames().ordinary and (verb := seen.verb_named(word))}
    return bool(plainly.difference(verbs)) and strange < 3


def _has_other_value(
    said: Sequence[str], commands: Sequence[str], strange: int, is_beside: bool, is_named: bool, seen: Seen
) -> bool:
    """Does a clause have a value that a command could have had: beside it, or in a sentence of hardly anything else?"""
    own = [value for command in commands for value in command.casefold().split()[1:]]
    values = {half for value in own for half in (value, *in_part(value))}
    is_again = not _AGAIN.isdisjoint(said) and any(seen.words.row(command.split()[0]).is_list for command in commands)
    is_list = is_again or any(len(command.split()) > 2 for command in commands)
    counts = {str(len(command.split()) - 1) for command in commands} if is_list else set[str]()  # `thirty it should be`
    others = [each for each in values_in(" ".join(said), seen) if each not in (counts if is_list else values)]
    others = [each for each in others if seen.may_say(each)]
    is_doubt = not frames().uncertain.isdisjoint(said) and (is_named or bool(others))
    others = others if values else [each for each in others if each not in seen.figures]
    is_told_of = not _OF_A_TALE.isdisjoint(said) and not (is_list and strange == 0)  # `K hearts: all my hearts`
    is_only = (is_beside and not (is_told_of and not values)) or (bool(values) and strange == 0 and not is_told_of)
    return is_doubt or (bool(others) and strange < (3 if is_beside and is_list else 2) and is_only)
