"""Pure: whether a reply says yes, no, or later, and when, or takes a reading that was offered. In: its lines. Out: which of them.

A clause says so where it has one of the forms below from end to end, courtesies aside. What comes first counts; a word that it
was somebody else, or a wish to be left alone, counts wherever it stands.
"""

import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache

from host.engine.grammar import is_polite, words
from host.engine.words import pattern, plain, table, word_lists
from host.play.clauses import has_second_thought
from host.play.deadlines import date_in, is_tomorrow_in, names_day, span_in, weekday_in
from host.play.forms import WORD, forms, words_in

WHOLE = 400
"""Characters of a line in which a yes or a no is looked for."""
MOST_CLAUSES = 12
"""Clauses of a reply that are looked at."""
ASK_AGAIN_AFTER = timedelta(days=2)
"""How long is waited where somebody says `later` and not when."""
LONGEST_WAIT = timedelta(days=30)
AFTER_HOLIDAYS = timedelta(days=14)

_NO = ("no", "leave alone")
_ANSWERS = ("yes", "ready", "registered", *_NO, "neutral")
"""Forms of `agreement.toml` by which a clause answers; `later` puts the answer off."""
_CLAUSE = pattern(r"[^,;.!:?]+[,;.!:?]*")
A_NUMBER = "anumber"
"""What stands for a number in a clause."""
_NUMERAL = pattern(r"\b\d+(?:st|nd|rd|th)?\b")
_YES_SIGNS, _NO_SIGNS = pattern("[👍✅✔☑👌🙋💯🆗]"), pattern("[👎❌✖🚫🙅]")
NONE_OF_THEM = 0
"""Said of readings of which none is meant."""
_NUMBERS = ("1|one|first|1st", "2|two|second|2nd", "3|three|third|3rd", "4|four|fourth|4th", "5|five|fifth|5th")
_NAMED = pattern(
    r"\(?(?:(?:number|no|nr|option|reading|button|the|i mean|i meant)\b[.:]? *|# *)*"
    + "(?:"
    + "|".join(f"(?P<n{at}>{words})" for at, words in enumerate(_NUMBERS, 1))
    + r")(?:[ ,]+(?:one|reading|please))*\s*(?:[.!)]+\s*|(?=[,;:?]|$))"
)
_SEVERAL = pattern(r"\(?(?P<first>[1-5])\b[\s\d,./&()?!]*(?:(?:or|and|no|not)\b[\s\d,./&()?!]*)*")
"""Nothing but numbers, perhaps of readings."""
_WITH_WORD = pattern(r"(?i)\s*(confirm|ready)[\s:,]+[\"“”„«»'‘]?([^\W_]+(?:[-'’][^\W_]+){0,3})[\"“”„«»'’]?[\s.!]*")
_BEHIND = pattern(r"(?i)\s*(?:confirm|ready)\b[\s:,]+\S.*")
LONGEST_WORD = 40
THE_WORD = f"A word of your own behind it is a single one of letters and digits, at most {LONGEST_WORD} of them."
_YES_FIRST = pattern(r"(?:yes|yeah|yep|yup)\s*[.!,;:)]+\s*")
_NEITHER = pattern(
    r"(?:no[\s,.]+)?(?:something else|neither(?: of (?:them|these|those|the two))?|none(?: of (?:them|these|those))?)[\s.!]*"
)

_ANOTHER_TIME = pattern(
    r"\bnext (?:month|year|weekend|season|spring|summer|autumn|winter)\b|(?<!you )\blater\b|\btomorrow\b"
    r"|\bin (?:an?|one|two|three|four|five|six|some|a few|a couple of|\d+) (?:day|week|month)s?\b"
    r"|\b(?:after|as soon as|once(?! more\b| again\b)|when(?! (?:you|do|does|is|are|will|can)\b)|until|till|starting"
    r"|from(?= \d| the \d))\s+"
    r"(?!all\b|you\b|then\b)\w+"
)
_COURTEOUS_YES = pattern(r"\W*(?:ok|okay|okey|sure|right|alright|all right|correct|true|fine)\b")
_SPEAKS_AGAINST = pattern(
    r"[?\d]|\b(?:but|stay(?:ing)?|keep|not|never|\w+n't|dont|wont|cant|rather|think|wait|first|when|if|still here|in the game"
    r"|here i am|play(?:ing)?|going on|go on|carry on|continue|someday|one day|in (?:a|two|three|some) \w+|next \w+|later)\b"
)


@dataclass(frozen=True)
class _Words:
    """Sets of words in `agreement.toml`."""

    polite: frozenset[str]
    no_word_of_own: frozenset[str]
    agreeing: frozenset[str]
    against: frozenset[str]


@cache
def _words() -> _Words:
    return word_lists(_Words, table("host.play", "agreement.toml")["words"])


def _has_form(clause: str, *names: str) -> bool:
    """Does a clause have a form of one of these names from its first word to its last?"""
    return any(forms("agreement", name).fullmatch(clause) for name in names)


def says_yes(lines: Sequence[str]) -> bool:
    """Is yes the first that a reply says, after a greeting perhaps?"""
    return _answer(lines) == "yes"


def says_no(lines: Sequence[str]) -> bool:
    """Is the first that a reply says a plain no, or any of it a wish to be left alone? `No problem` is none."""
    return _answer(lines) == "no" or wants_peace(lines)


def yes_or_no(line: str) -> str:
    """The answer that a line is, `yes` or `no`; empty where it says neither first."""
    return "yes" if says_yes([line]) else "no" if says_no([line]) else ""


def wants_peace(lines: Sequence[str]) -> bool:
    """Does a reply say that it was somebody else, or that its writer wants to be left alone?"""
    return any(_has_form(clause, "leave alone") for clause, _, _ in _clauses(lines))


def says_later(lines: Sequence[str]) -> bool:
    """Does a reply say `not now`, in any of its first clauses? A bare number names no day."""
    return any(_has_form(clause, "later") for clause, _, _ in _clauses(lines) if clause.strip() != A_NUMBER)


def puts_off(lines: Sequence[str]) -> bool:
    """Does a reply say `not now`, and nothing else?"""
    said = [clause for clause, _, _ in _clauses(lines)]
    return bool(said) and all(_has_form(clause, "later") for clause in said)


def says_ready(lines: Sequence[str]) -> bool:
    """Does a reply say yes, or that somebody is there to play, and nothing against it?"""
    if says_no(lines) or says_later(lines):
        return False
    return says_yes(lines) or any(
        _has_form(clause, "ready", "yes") for clause, is_asking, _ in _clauses(lines) if not is_asking
    )


def acknowledges(lines: Sequence[str]) -> bool:
    """Does a reply say in words (or by a sign) that somebody registered, or wants to play, and nothing against it?"""
    clauses = [clause for clause, is_asking, _ in _clauses(lines) if not is_asking]
    is_theirs = any(_has_form(clause, "registered") for clause in clauses)
    return says_ready(lines) or (is_theirs and not says_no(lines) and not says_later(lines))


def is_answer(text: str) -> bool:
    """Is it nothing but yes, no, that it was somebody, and courtesies?"""
    bare = (_without_yeses(clause) for clause, _, _ in _clauses([text]))
    return all(not clause or _has_form(clause, *_ANSWERS) for clause in bare)


def _without_yeses(clause: str) -> str:
    while clause and (yes := forms("agreement", "plain yes").match(clause)):
        clause = clause[yes.end() :]
    return clause


def has_reservation(lines: Sequence[str]) -> bool:
    """Does a reply that says yes say also that its writer is away, or when, or on which condition?"""
    text = plain(" ".join(lines)[:WHOLE])
    said = words_in(text)
    if _ANOTHER_TIME.search(text):
        return True
    if any(forms("agreement", name).search(said) for name in ("reserved", "next week")) or names_day(text):
        return True
    return any(forms("agreement", "away").search(clause) for clause, _, _ in _clauses(lines))


def is_whole_yes(lines: Sequence[str]) -> bool:
    """Is a reply a yes, in more than an `ok`, and does nothing beside it speak against what cannot be undone?

    A question, a number, a condition, another time, a word for staying or for playing does, and so does a second thought.
    """
    text = plain(" ".join(lines)[:WHOLE])
    is_open = _SPEAKS_AGAINST.search(text) is not None or has_second_thought(text) or has_reservation(lines)
    return says_yes(lines) and not (is_open or says_later(lines) or _COURTEOUS_YES.match(text))


def confirms(lines: Sequence[str], names: Collection[str] = ()) -> bool:
    """Does a reply confirm a registration: yes, nothing but courtesies (and the writer's `names`), or nothing at all?"""
    if says_no(lines) or says_later(lines):
        return False
    if acknowledges(lines):
        return True
    own = {word for name in names for word in WORD.findall(plain(name))}
    return all(
        not is_asking and (_has_form(clause, "neutral") or not (set(words(clause)) - own))
        for clause, is_asking, _ in _clauses(lines)
    )


def take_word(lines: Sequence[str]) -> tuple[Sequence[str], str]:
    """The lines without a word of the writer's own behind `confirm` or `ready`, and that word; empty where there is none."""
    for at, line in enumerate(lines):
        found = _WITH_WORD.fullmatch(unicodedata.normalize("NFC", line))
        if found and len(found[2]) <= LONGEST_WORD:
            said, word = found.groups()
            ordinary = _words().polite | _words().no_word_of_own | _words().against
            is_later = not word.isdigit() and (says_later([line]) or has_reservation([line]))
            is_taken = not (is_later or plain(word) in ordinary or says_no([line]))
            return ((*lines[:at], said, *lines[at + 1 :]), word) if is_taken else (lines, "")
    return lines, ""


def tries_word(lines: Sequence[str]) -> bool:
    """Does more stand behind `confirm` or `ready`, which may have been meant as a word of one's own?"""
    return any(_BEHIND.fullmatch(line) for line in lines)


def wait_in(lines: Sequence[str], now: datetime) -> timedelta:
    """How long somebody wants to wait who says `later`; two days where they do not say.

    `next week`, `in ten days`, `until Friday`, `5 December`, `after the holidays` are understood.
    """
    text = plain(" ".join(lines)[:WHOLE])
    wait = span_in(text) or date_in(text, now) or weekday_in(text, now)
    said = words_in(text)
    if wait is None and forms("agreement", "next week").search(said):
        wait = timedelta(days=7)
    if wait is None and "next month" in text:
        wait = LONGEST_WAIT
    if wait is None and forms("agreement", "after holidays").search(said):
        wait = AFTER_HOLIDAYS
    if wait is None and "weekend" in text:
        wait = timedelta(days=(5 if "after" not in text and "until" not in text else 7) - now.weekday())
        wait = wait if wait > timedelta(0) else wait + timedelta(days=7)
    if wait is None and is_tomorrow_in(text):
        wait = timedelta(days=1)
    return min(max(wait or ASK_AGAIN_AFTER, timedelta(hours=1)), LONGEST_WAIT)


def _answer(lines: Sequence[str]) -> str:
    """`yes` or `no`, if that is what a reply says first; else nothing."""
    for clause, is_asking, signs in _clauses(lines):
        if not clause:
            if signs:
                return signs
        elif _has_form(clause, *_NO):
            return "no"
        elif not _has_form(clause, "neutral"):
            return "yes" if not is_asking and (_has_form(clause, "yes") or _goes_on_behind_yes(clause)) else ""
    return ""


def _goes_on_behind_yes(clause: str) -> bool:
    """An English yes may have more behind it; a negation turns it round."""
    first, *rest = clause.split()
    return first in _words().agreeing and _words().against.isdisjoint(rest)


def _clauses(lines: Sequence[str]) -> list[tuple[str, bool, str]]:
    """The clauses of a reply: words with a blank behind each, whether it asks, and what its signs say.

    Greetings are left out, and politeness; a clause that is nothing else has no words left.
    """
    found: list[tuple[str, bool, str]] = []
    for line in lines[:20]:
        for part in _CLAUSE.findall(plain(line[:WHOLE])):
            signs = "yes" if _YES_SIGNS.search(part) else "no" if _NO_SIGNS.search(part) else ""
            text = _NUMERAL.sub(A_NUMBER, part.replace("thank you", "thanks"))
            clause = "".join(f"{word} " for word in words_in(text).split() if word not in _words().polite)
            greeting = forms("agreement", "greeting").match(clause)
            if greeting:
                clause = clause[greeting.end() :]
                clause = clause if _has_form(clause, *_ANSWERS, "later") else ""
            if signs or clause:
                found.append((clause, "?" in part, signs))
            if len(found) >= MOST_CLAUSES:
                return found
    return found


def chosen(lines: Sequence[str], count: int) -> int | None:
    """The number of the reading that a reply takes, `NONE_OF_THEM`, or None where it says anything else."""
    text = plain(" ".join(lines)).strip()
    number, rest = begun(lines, count)
    if number and is_polite(rest) and "?" not in text:
        return number
    if _NEITHER.fullmatch(text):
        return NONE_OF_THEM
    if not text or not is_answer(text):
        return None
    is_yes = says_yes(lines) and "no" not in words(text)
    return 1 if is_yes else NONE_OF_THEM if says_no(lines) else None


def begun(lines: Sequence[str], count: int) -> tuple[int, str]:
    """The number of the reading that a reply begins with, or a plain yes for the first, and what stands behind it, folded;
    0 where it begins with neither."""
    text = plain(" ".join(lines)).strip()
    several, named, yes = _SEVERAL.fullmatch(text), _NAMED.match(text), _YES_FIRST.match(text)
    if several:
        number, rest = int(several["first"]), text[several.end("first") :].strip(" .!)")
    elif named and (any(map(str.isdigit, named[0])) or is_polite(text[named.end() :])):  # not `first, hit. then stand`
        number, rest = int((named.lastgroup or "n0")[1:]), text[named.end() :]
    elif yes:
        number, rest = 1, text[yes.end() :]
    else:
        return 0, text
    return (number, rest.lstrip(" ,;:–—-")) if number <= count else (0, text)
