"""Pure: what is said beside a move. In: a clause that is no command, the commands of its mail. Out: does it hold one back?

It does where it denies what stands before it, puts it off, leaves it to somebody, or tells that what stands behind it is of
another time or somebody else's. The words for that are data (`doubts.toml`).
"""

from collections.abc import Sequence

from host.engine.grammar import is_social, tokens, words
from host.engine.words import pattern, plain
from host.play.agreement import yes_or_no
from host.play.certain import LEADING_ON, Judged
from host.play.clauses import Clause, behind, place
from host.play.doubts import doubts, is_held_back
from host.play.seen import Seen
from host.play.values import values_in

_MOVING = frozenset("move use give bring put take send swap shift trade".split())
_BEFORE_BIDDING = pattern(r"^(?:(?:please|but|and|so|no|oh|sorry|now|first)\W+)*")
_THEN = frozenset("then afterwards afterward next".split())
_REPORTED = pattern(
    r"(?:said|says|thinks|writes|wrote) (?!so\b|i\b|we\b)\w+\b"
    r"|(?!i\b|we\b|you\b|it\b|as\b)(?:my |our )?\w+ (?:says?|said|thinks?|thought|wrote|typed)(?: so| it| that)?\W*$"
)
"""`..., said Bob`, `..., my wife says`."""


def keeps_open(clause: Clause, text: str, steps: Sequence[tuple[Clause, Judged]], seen: Seen) -> bool:
    """Does a clause hold back one of the commands beside it, before it or behind it?"""
    at, places = place(text, clause), [(place(text, each), each.sentence) for each, _ in steps]
    is_behind = any(before < at for before, _ in places)
    is_in_front = any(behind > at and sentence == clause.sentence for behind, sentence in places)
    is_of_yes = len(steps) == 1 and bool(yes_or_no(plain(steps[0][0].fragment)))
    is_in_sentence = any(sentence == clause.sentence for _, sentence in places)
    return (
        (is_behind and (holds_back(clause) or _denies_all(clause) or (is_in_sentence and _bids(plain(clause.typed)))))
        or (is_in_front and _leads_elsewhere(clause, text, seen))
        or (is_of_yes and _says("of_mail", clause.typed))
        or (is_in_sentence and _begins_to_move(clause, seen))
        or _is_done_first(clause, text, steps, seen)
    )


def is_foreseen(clause: Clause, text: str, steps: Sequence[tuple[Clause, Judged]], seen: Seen) -> bool:
    """Does it say what a move before it would lead to, which nobody wants: `one more card and I'm bust`?"""
    at = place(text, clause)
    before = [step for step in steps if step[0].sentence == clause.sentence and place(text, step[0]) < at]
    if not (before and plain(text)[:at].rstrip().endswith("and") and _says("foreseen", clause.typed)):
        return False
    [(move, judged)] = before[-1:]
    return judged.command not in seen.negative and "i" not in tokens(move.fragment)


def holds_back(clause: Clause) -> bool:
    """Does it put off what stands before it, or leave it to somebody: `pending my wife's approval`, `Should I?`"""
    said = plain(clause.marked or clause.typed)
    if is_held_back(said) or (not clause.begins and _REPORTED.match(said)):
        return True
    if clause.is_question:
        return _says("asking_whether", said)
    return clause.begins and _bids(said)


def _bids(folded: str) -> bool:
    """Does it bid somebody do something before it, or instead: `wait until Monday`?"""
    return _says("bidding", _BEFORE_BIDDING.sub("", folded))


def _denies_all(clause: Clause) -> bool:
    """Does it say no to nothing but what was said: `I do not want it`, `better not`?"""
    is_never = not clause.begins and words(clause.fragment) == ("never",)
    return is_never or (not clause.is_question and _says("denied", clause.fragment))


def _leads_elsewhere(clause: Clause, text: str, seen: Seen) -> bool:
    """Is what stands behind it of another time, somebody else's, bargained for, or not decided: `Bob: call`?"""
    folded = plain(clause.typed)
    is_label = behind(text, clause).lstrip().startswith(":")
    return (is_label and folded in seen.others) or _says("led_by", clause.typed) or is_held_back(folded)


def _is_done_first(clause: Clause, text: str, steps: Sequence[tuple[Clause, Judged]], seen: Seen) -> bool:
    """Does it name a card in front of all commands, the first with a `then`: `I sell the jack and then fortify`?"""
    folded = plain(text)
    first = min((place(text, each) for each, _ in steps), default=0)
    is_led = not _THEN.isdisjoint((*tokens(folded[:first])[-1:], *tokens(folded[first:])[:1]))
    is_in_front = is_led and place(text, clause) < first and not clause.is_question
    return is_in_front and seen.takes_cards and bool(values_in(clause.fragment, seen))


def _begins_to_move(clause: Clause, seen: Seen) -> bool:
    """Does it begin as another move does, of which the cards are left open: `give the king my two highest`?"""
    said = tokens(LEADING_ON.sub("", plain(seen.with_seats(clause.fragment))))
    is_of_cards = bool(values_in(" ".join(said), seen)) or not {"card", "cards"}.isdisjoint(said)
    is_moving = len(said) > 1 and said[0] in _MOVING and said[1] not in ("me", "us")
    return is_moving and is_of_cards and not is_social(" ".join(said))


def _says(name: str, text: str) -> bool:
    return doubts(name).search(plain(text)) is not None
