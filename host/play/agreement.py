"""Pure: whether a reply says yes, no, or later. In: its lines. Out: which of them it begins with."""

import re
from collections.abc import Sequence

from host.engine.grammar import plain, words

WHOLE = 400
"""Characters of a line in which a yes or a no is looked for."""
YES_LINE = re.compile(r"\s*yes\b|\s*y\s*$|\s*ja\b|\s*oui\b|\s*s[ií]\b|\s*confirm(?:ed)?\b", re.IGNORECASE)

_NO = re.compile(
    r"(?:but )?(?:no+|nope|nein|non|nee|nej|no thanks?|no thank you|not (?:me|mine|interested)|stop(?: (?:it|this|that))?"
    r"|unsubscribe(?: me)?|leave(?: me alone)?|(?:remove|delete|take) (?:me|my address|us)(?: out| off)?(?: .{0,40})?"
    r"|(?:it|that|this) (?:was not|wasn't|is not|isn't) me(?: .{0,40})?|(?:do not|don't) (?:write|mail|e-?mail|contact)\b.{0,60}"
    r"|i (?:did not|didn't|never) (?:register|sign)(?:ed)?\b.{0,60}|wrong (?:person|address))"
)
_LATER = re.compile(
    r"(?:i am |i'm )?(?:still )?not (?:now|yet|ready|today|this week)\b.{0,60}|not until .{1,60}|later(?: .{0,40})?"
    r"|(?:maybe )?(?:another time|next (?:week|month|time))\b.{0,40}|i (?:cannot|can't|can not|could not|couldn't) .{1,60}"
)
_OPENING = frozenset("hello hi dear hey good morning evening afternoon".split())
"""Words that may stand before an answer, with whoever is greeted."""


def says_yes(lines: Sequence[str]) -> bool:
    """Does a reply begin with yes, after a greeting perhaps?"""
    return YES_LINE.match(_first_clause(lines)) is not None


def says_no(lines: Sequence[str]) -> bool:
    """Is the first that a reply says a plain no, or a wish to be left alone? `No problem` and `don't worry` are none."""
    return _NO.fullmatch(_first_clause(lines)) is not None


def says_later(lines: Sequence[str]) -> bool:
    """Is the first that a reply says a `not now`?"""
    return _LATER.fullmatch(_first_clause(lines)) is not None


def _first_clause(lines: Sequence[str]) -> str:
    """What a reply says first, folded, without greetings and words of politeness before it; nothing where it says nothing."""
    for clause in (part for line in lines[:20] for part in re.split(r"[,;.!:?]+", plain(line[:WHOLE]))):
        found = [word for word in clause.split() if word not in ("please", "kindly", "thanks", "sorry", "oh", "well")]
        if found and found[0] not in _OPENING and words(clause):
            return " ".join(found)
    return ""
