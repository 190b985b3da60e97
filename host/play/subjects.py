"""Pure: the wish of a new mail. In: a subject or a body, the games by title. Out: which games, and to play or to know.

A title counts with one slip a word, or written as one word. With a word for joining it is a registration; with nothing but
words of a question, or alone, it asks what the game is. A question how to join that names no game asks for all of them.
Anything else says nothing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rapidfuzz.distance import OSA

from host.engine.words import pattern
from host.play.form_words import fold, words

MOST_WORDS = 24
MOST_LINES = 20
"""Lines of a body in which a wish is looked for."""
MOST_BESIDE = 8
"""Words beside a title and a word for joining; more are a sentence about something else."""
LONG, SHORT = 9, 4
"""Letters from which a word may have two slips, and from which it may have one."""
_PREFIX = pattern(r"^\s*(?:(?:re|fwd?|aw|wg|sv|vs|antw|tr|rv|enc|odp|pd)(?:\[\d{1,3}\])?\s*:\s*)+")
_REPLIES = pattern(r"^\s*(?:re|aw|sv|antw|odp)(?:\[\d{1,3}\])?\s*:")
_NO_SUBJECT = pattern(r"\W*(?:no subject\W*)?")
_SENTENCE = pattern(r"(?<=[.!?])\s+")
_OURS = pattern(r"\[[a-z]{2,4}(?:-\d{1,9})?(?: [a-z2-7]{26})?\]\s*$")
"""How a subject of a letter ends: what has it answers one."""
_CANNOT = pattern(r"\b(?:can(?:'t|not| not|t)|unable to|won't|will not) (?:be able to )?(?:play|join|take part)\b")
_WORD = pattern(r"[^\W_]+(?:'[^\W_]+)*")


@dataclass(frozen=True)
class Wish:
    """The wish of a mail: to play these games, or to be told about them; about all there are where it names none."""

    slugs: tuple[str, ...]
    is_registration: bool


def wish_in(subject: str, titles: Mapping[str, str]) -> Wish | None:
    """Finds what a subject asks for, given each game's title; None where it is no wish, or answers a letter of ours."""
    folded = fold(subject)[:300]
    if _OURS.search(folded):
        return None
    text = _PREFIX.sub("", folded)
    found = _WORD.findall(text)[:MOST_WORDS]
    named, rest = _titles_in(found, titles)
    joins, asks = _joins(rest), not words("asking").isdisjoint(rest)
    if not words("refusing").isdisjoint(rest) or not (
        named or (joins and asks and not words("played").isdisjoint(rest))
    ):
        return None
    if named and joins and not asks and len(rest) <= MOST_BESIDE:
        return Wish(tuple(named), is_registration=True)
    known = words("beside") | words("asking") | words("played")
    is_question = all(each in known or _is_joining(each) for each in _without_phrases(rest))
    if is_question and not _REPLIES.match(folded):
        return Wish(tuple(named), is_registration=False)
    return None


def is_empty(subject: str) -> bool:
    """Does a subject say nothing, or ask only how to join, so that the body has to say what is wanted?"""
    text = _PREFIX.sub("", fold(subject)[:300])
    found = _WORD.findall(text)
    asks = ("?" in text or not words("asking").isdisjoint(found)) and words("refusing").isdisjoint(found)
    return bool(_NO_SUBJECT.fullmatch(text)) or (asks and len(found) <= MOST_BESIDE and _joins(found))


def wish_in_body(lines: Sequence[str], titles: Mapping[str, str], has_form: bool, subject: str = "") -> Wish | None:
    """Finds what a body asks for: a sentence of it names a game and a word for joining, or a form stands beside both.

    A title alone asks nothing here. The one game that the `subject` names is what a form is for, too.
    """
    sentences = [each for line in lines[:MOST_LINES] for each in _SENTENCE.split(line[:300])]
    wishes = [wish for each in sentences if _joins(_WORD.findall(fold(each))) and (wish := wish_in(each, titles))]
    registration = next((each for each in wishes if each.is_registration), None)
    if registration is None and has_form and wants_in(lines):
        for text in (subject, *lines[:MOST_LINES]):
            named, _ = _titles_in(_WORD.findall(fold(text[:300])), titles)
            if len(named) == 1:
                return Wish(tuple(named), is_registration=True)
    return registration or next(iter(wishes), None)


def words_of(text: str) -> Sequence[str]:
    """The letters and digits of a text, folded, in pieces."""
    return "".join(each if each.isalnum() else " " for each in text.casefold()).split()


def wants_in(lines: Sequence[str]) -> bool:
    """Does a mail say plainly that its sender wants to play: a word for joining in a line that asks and refuses nothing?"""
    for line in (fold(each[:300]) for each in lines[:MOST_LINES]):
        found = _WORD.findall(line)
        is_plain = words("asking").isdisjoint(found) and words("refusing").isdisjoint(found) and "?" not in line
        if is_plain and not _CANNOT.search(line) and _joins(found):
            return True
    return False


def _joins(found: Sequence[str]) -> bool:
    text = f" {' '.join(found)} "
    return any(_is_joining(each) for each in found) or any(f" {each} " in text for each in words("joining_phrases"))


def _without_phrases(found: Sequence[str]) -> list[str]:
    text = f" {' '.join(found)} "
    for each in words("joining_phrases"):
        text = text.replace(f" {each} ", "  ")
    return text.split()


def _is_joining(word: str) -> bool:
    joining = words("joining")
    return word in joining or (len(word) > 5 and any(len(each) > 5 and _is_near(word, each) for each in joining))


def _titles_in(found: Sequence[str], titles: Mapping[str, str]) -> tuple[list[str], list[str]]:
    """The games that are named, and the words that are no part of a title. Words that may be two titles are the nearer one."""
    spans = {slug: span for slug, title in titles.items() if (span := _span(found, _words_of(title)))}
    named: list[str] = []
    used: set[int] = set()
    for slug, (_, start, end) in sorted(spans.items(), key=lambda each: each[1]):
        if used.isdisjoint(range(start, end)):
            named.append(slug)
            used.update(range(start, end))
    return named, [word for at, word in enumerate(found) if at not in used]


def _words_of(title: str) -> list[str]:
    """The words of a title in small letters, without an article before it."""
    found = _WORD.findall(fold(title))
    return found[1:] if found[:1] == ["the"] and len(found) > 1 else found


def _span(found: Sequence[str], title: Sequence[str]) -> tuple[int, int, int] | None:
    """Slips, beginning and end of the words that are this title; None where none are."""
    joined = "".join(title)
    best: tuple[int, int, int] | None = None
    for start in range(len(found)):
        for length in range(1, len(title) + 2):
            some = found[start : start + length]
            if len(some) < length:
                break
            slips = _slips(some, title, joined)
            if slips is not None and (best is None or slips < best[0]):
                best = (slips, start, start + length)
    return best


def _slips(some: Sequence[str], title: Sequence[str], joined: str) -> int | None:
    """With how many slips these words are the title, word by word or in one; None where they are not."""
    if len(some) == len(title) and all(map(_is_near, some, title)):
        return sum(OSA.distance(word, wanted) for word, wanted in zip(some, title, strict=True))
    together = "".join(some).replace("'", "")
    return OSA.distance(together, joined) if len(joined) >= LONG and _is_near(together, joined, most=1) else None


def _is_near(word: str, wanted: str, most: int = 2) -> bool:
    """Is it the word with one slip, or with two where it is long? An apostrophe is none."""
    word = word.replace("'", "")
    allowed = 0 if len(wanted) < SHORT else 1 if len(wanted) < LONG else most
    return word == wanted or OSA.distance(word, wanted, score_cutoff=allowed) <= allowed
