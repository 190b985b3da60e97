"""Pure: an answer in free text. In: the clauses of a mail that are no commands. Out: the one that is the answer, if it is plain.

Greetings, courtesies, a signature and the phrases around an answer are no part of it. A question, an excuse, or one of several
lines is never taken for it: that is asked.
"""

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

from host.engine.grammar import is_polite, plain, words
from host.engine.ordinary import first_names
from host.play.clauses import Clause

LONGEST_ANSWER = 9
"""Words: what is longer is no answer that somebody typed without the word answer."""
LONGEST_GUESS = 4
"""Words: `what is Paris?` may be meant as an answer, what is longer and asks is a question."""
_ASKS = re.compile(
    r"(?:who|what|where|when|why|how|which|can|could|may|do|does|did|will|would|should|is there|are there|am i|shall)\b",
    re.IGNORECASE,
)
_TAKES_BACK = re.compile(
    r"wait|sorry|mean|actually|rather|make|scratch|correction|h[ao](?:ng|ld) on|oops", re.IGNORECASE
)
_TALKING = frozenset("i i'm i'll i've i'd me you don't can't won't please sorry thanks".split())
"""In an answer they are rare, in talk they are not: what holds one is asked about."""
_TELLS = re.compile(
    r"(?:i|we|you|he|she|they|please|don'?t|sorry|let me|can'?t|my (?!answer|guess|final)|i(?:'m|'ve|'ll|'d)"
    r"|(?:it|that|this) was|this is|what an?|nice|lovely|well (?:played|done)"
    r"|(?:good|great) (?:game|luck|one|question|fun|show|stuff))\b"
    r"(?! (?:think|believe|guess|say|go|would))",
    re.IGNORECASE,
)
_ALOUD = re.compile(r"\b(?:that'?s|it'?s|which is|because)\b")
_PASSES = re.compile(r"(?:pass|skip)\b")
_FOR_ALL_I_KNOW = re.compile(r"\bif you\b")
_POINTS_BACK = re.compile(r"(?:it|that|this)(?:'?s| is| was)\b")
"""Before another answer it speaks of an earlier one: `Eight. No, that's the corners! Six.`"""
_DEPENDS = re.compile(r"\b(?:if|unless|or do you|depends)\b")

_GOES_ON = re.compile(r"(?:\s+(?:and|&|then)\s+[^\s,.;!?][^,.;!?]*)?[!)\"”’%°]*")

Answer = Callable[[str], str]
"""The command that a text is taken for as an answer (`Game.lone_answer`), empty for none."""


@dataclass(frozen=True)
class Found:
    """What may be the answer: `lines` as typed, and `command` where it is one for certain."""

    lines: tuple[str, ...]
    command: str = ""


def answer_in(left: Sequence[Clause], lines: Sequence[str], answer: Answer, names: Collection[str]) -> Found | None:
    """The answer among clauses that are no commands; None where nothing is left. `names` are the players', folded."""
    clauses = _joined(_without_signature(list(left), names, lines), lines)
    if any(_is_question(each, answer) for each in clauses) and "answer" not in clauses[-1].typed.casefold():
        return Found(tuple(each.typed for each in clauses))
    if any("\n" in each.typed for each in clauses):
        return Found(tuple(line for each in clauses for line in each.typed.split("\n") if line.strip()))
    chosen = _chosen(clauses, answer)
    if not chosen:
        return None
    if len(chosen) < len(clauses) and any(_DEPENDS.search(plain(each.typed)) for each in clauses):
        chosen = clauses
    typed = tuple(_said_once(_with_its_end(each, lines)) for each in chosen)
    if len(chosen) > 1 or _is_no_answer(chosen[0], answer):
        return Found(typed)
    return Found(typed, answer(typed[0]))


def _with_its_end(clause: Clause, lines: Sequence[str]) -> str:
    """What was typed, with the signs right behind it, and with what an `and` goes on with (`The King and I`)."""
    line = lines[clause.line] if clause.line < len(lines) else ""
    at = line.find(clause.typed)
    found = _GOES_ON.match(line[at + len(clause.typed) :]) if at >= 0 else None
    return clause.typed + (found[0] if found else "")


def _said_once(typed: str) -> str:
    """`Six, six, six!` as `Six`."""
    found = words(typed)
    return typed.split()[0].strip(",.!") if len(found) > 1 and len(set(found)) == 1 else typed


def _chosen(left: list[Clause], answer: Answer) -> list[Clause]:
    """What says that it is the answer, what stands last behind words that take back, or all there is."""
    if not left:
        return []
    says_so = [
        each
        for each in left
        if _is_led_in(each.typed, answer) and (each is left[-1] or not _POINTS_BACK.match(plain(each.typed)))
    ]
    marked = [at for at, each in enumerate(left) if each.mark and _TAKES_BACK.search(each.mark)]
    if says_so and says_so[-1] is left[-1]:
        return says_so[-1:]
    if len(says_so) == 1 and not marked:
        return says_so
    if marked:
        return [*left[marked[-1] :], *left[: marked[-1]]]
    alike = {frozenset(words(each.typed)) for each in left}
    return left[-1:] if len(alike) == 1 else left


def _is_led_in(typed: str, answer: Answer) -> bool:
    """Does it begin with words such as `my answer is`?"""
    found = answer(typed).removeprefix("answer ")
    return bool(found) and not plain(typed).startswith(plain(found)[:20])


def _is_question(clause: Clause, answer: Answer) -> bool:
    return clause.is_question and _ASKS.match(clause.typed) is not None and not _is_led_in(clause.typed, answer)


def asks_something(typed: str, is_question: bool) -> bool:
    """Is it a question of some length, which can be no answer?"""
    return is_question and _ASKS.match(typed) is not None and len(typed.split()) > LONGEST_GUESS


def _is_no_answer(clause: Clause, answer: Answer) -> bool:
    """A question, an excuse, a story: nothing to judge somebody by."""
    if not answer(clause.typed) or _is_question(clause, answer):
        return True
    is_told = _TELLS.match(plain(clause.typed)) is not None and not _is_led_in(clause.typed, answer)
    said = plain(answer(clause.typed)).split()
    is_talk = not _TALKING.isdisjoint(said) or any(each.endswith("n't") for each in said)
    is_talk = is_talk or _thinks_aloud(plain(clause.typed))
    is_choice = " or " in clause.typed and len(clause.typed.split()) < LONGEST_GUESS + 2
    return is_told or is_choice or is_talk or len(clause.typed.split()) > LONGEST_ANSWER


def _thinks_aloud(folded: str) -> bool:
    """`pass, not my thing`, `no that's a square, 6`, `6 if you mean faces`: no answer yet."""
    is_argued = "," in folded and _ALOUD.search(folded) is not None
    return is_argued or _PASSES.match(folded) is not None or _FOR_ALL_I_KNOW.search(folded) is not None


def _without_signature(left: list[Clause], names: Collection[str], lines: Sequence[str]) -> list[Clause]:
    """The clauses without a name at their end: a player's, a common one, or what stands below a closing (`Best regards,`)."""
    if len(left) < 2:
        return left
    last, before = left[-1], left[-2]
    is_name = last.typed[:1].isupper() and last.typed.replace(" ", "").isalpha() and len(last.typed.split()) <= 2
    if last.typed.casefold() in first_names() or last.typed.casefold() in names:
        return left[:-1]
    above = lines[last.line - 1] if 0 < last.line < len(lines) else ""
    is_closed = last.line != before.line and bool(above.strip()) and is_polite(above)
    return left[:-1] if is_name and is_closed and not last.mark else left


def _joined(left: list[Clause], lines: Sequence[str]) -> list[Clause]:
    """Clauses of one sentence as one: `Paris, France`."""
    joined: list[Clause] = []
    for clause in left:
        before = joined[-1] if joined else None
        if before and not clause.begins and not clause.mark and clause.line == before.line and clause.line < len(lines):
            text = lines[clause.line]
            start, end = text.find(before.typed), text.rfind(clause.typed)
            if 0 <= start < end and not re.search(r"[.!?]\s", text[start + len(before.typed) : end]):
                typed = text[start : end + len(clause.typed)]
                joined[-1] = replace(before, typed=typed, is_question=clause.is_question)
                continue
        joined.append(clause)
    return joined
