"""Pure: pleas for time, which only the host can answer. In: what somebody wrote. Out: is it one, and the rest without it.

A plea asks for time, or tells of an absence: who, what, and until when or for how long. `Wait` alone is none, and nothing
about cards is: `hit until 17`, `give me time to fold`.
"""

import re
from collections.abc import Sequence

from host.engine.grammar import plain

MAX_LOOKED_AT = 2_000
"""Characters of a text in which a plea is looked for."""

_NUMBER = (
    r"(?:\d{1,2}|an?|one|two|three|four|five|six|seven|eight|nine|ten|a few|few|a couple(?: of)?|some|several|"
    r"the next(?: \w+)?)"
)
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)[a-z]{0,6}"
_DAY = (
    r"(?:(?:early |late |this |next |on |the |about |around |after |at )*"
    r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|mon|tue|wed|thu|fri|tomorrow|tonight|today|(?:the )?week-?end|"
    r"next (?:week|month|year)|(?:the )?end of (?:the|this|next) (?:week|month|year)|new year|christmas|easter|thanksgiving|"
    rf"noon|midnight|this (?:evening|afternoon|week)|{_MONTH} \d{{1,2}}|\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTH}|"
    r"\d{1,2}(?:st|nd|rd|th)|my (?:exams?|surgery|operation|return|trip|holidays?|vacation|flight)|"
    r"i (?:am|get|come|will be) (?:back|home|out)|i'm (?:back|home|out)))\b"
)
_UNITS = r"(?:more |extra |additional |other )?(?:minute|hour|day|night|week|month)s?"
_LENGTH = rf"(?:{_NUMBER} {_UNITS}|a while|a bit longer|longer)\b"
_UNTIL = (
    rf"(?:(?:un)?til+ {_DAY}|before {_DAY}|by {_DAY}|for (?:at least |about |another |the )*{_LENGTH}|"
    r"(?:all |this |next |the (?:whole|rest of the|coming) )week\b|these days\b|today\b|tonight\b|tomorrow\b|right now\b)"
)
_SOME = r"(?:[\w',-]+ ){0,6}?"
_FOR_MORE = (
    r"(?:(?:some |a bit |a little |a few |any |much )?(?:more|extra|additional|further) time|an? (?:short |small )?extension|"
    r"time off|a break|(?:more|some) time(?! to (?!think|decide|answer|reply|respond|read|play|look|make|consider|get)))\b"
)
_ASKING = (
    r"(?:could|can|may|might|would|please|pls|possible|i'd (?:like|need|love)|i (?:would like|need|want|ask|request|beg)|we need|"
    r"give|grant|let|need|any chance|hope|ask for|beg for)\b"
)
_PLEAS = tuple(
    re.compile(pattern)
    for pattern in (
        # Could I have until Monday? Please give me two more days. I need some more time.
        rf"\b{_ASKING} {_SOME}(?:{_FOR_MORE}|(?:have|get|give|take|need|wait|extend|me|us|answer|reply) {_SOME}(?:{_UNTIL}))",
        rf"\b(?:need|give me|give us|grant me|have|get|want|take) (?:just |only |about |at least |maybe |another )*"
        rf"(?:{_FOR_MORE}|another (?:{_LENGTH}|(?:hour|day|week)\b)|{_NUMBER} (?:more|extra|additional) (?:hour|day|week)s?\b)",
        # I am in hospital until Thursday. I'll be travelling. I have to go to a funeral.
        r"\b(?:i'?m|i am|i(?:'| wi)ll be|i have been|i've been|my \w+ (?:is|are)) (?!not\b)(?:\w+ ){0,2}?"
        r"(?:in (?:the )?hospital|on (?:(?:a|my|our) )?(?:holidays?|vacation|leave|trip|business)|travell?ing|at a funeral|"
        r"out of town|out of the office|without (?:internet|a computer|my phone|e-?mail|power)|"
        r"(?:very |really )?(?:ill|sick)(?! of)|"
        r"having (?:surgery|an operation))\b",
        rf"\b(?:i'?m|i am|i(?:'| wi)ll be|we're|we are) (?!not\b)(?:\w+ ){{0,3}}?"
        rf"(?:away|abroad|busy|offline|unavailable|gone|off|travell?ing|camping|moving|out) {_SOME}{_UNTIL}",
        # I won't be able to play until Monday. I can't answer this week.
        r"\b(?:i|we)(?: (?:really|just|probably|sadly|unfortunately))? "
        r"(?:won't|will not|can't|cannot|can not|couldn't|could not|may not|might not|shall not|am not able to|am unable to|"
        r"will be unable to|don't think i can) (?:be able to |get to )?"
        r"(?:play|answer|reply|respond|write|move|be (?:here|there|around|online|back)|make it|look|check|"
        rf"do (?:it|this|anything)|get (?:to|back)|read|take part) {_SOME}{_UNTIL}",
        # Please wait until Sunday. Pause the game. Could you postpone my deadline?
        rf"\b(?:wait|hold(?: on| off)?|pause|stop|postpone|delay|suspend|reschedule|extend) {_SOME}"
        rf"(?:until|till|til|before|by) {_DAY}",
        r"\b(?:pause|postpone|delay|suspend|reschedule|extend|prolong|move|put) (?:back )?(?:the|my|our|this) "
        r"(?:game|deadline|episode|match|clock|time)\b(?! card)",
    )
)
_SENTENCE = re.compile(r"(?<=[.!?;])\s+")


def is_plea(text: str) -> bool:
    """Does it ask for time, or tell of an absence?"""
    folded = " ".join(plain(text[:MAX_LOOKED_AT]).split())
    return any(pattern.search(folded) for pattern in _PLEAS)


def without_pleas(lines: Sequence[str]) -> tuple[tuple[str, ...], bool]:
    """The lines without the sentences that are pleas, and whether there was one; a plea may go over several lines.

    Of a sentence with commas only those parts are taken out that plead by themselves, if any does.
    """
    if not is_plea(" ".join(lines)):
        return tuple(lines), False
    rest = [" ".join(filter(None, map(_unpleading, _SENTENCE.split(line)))) for line in lines]
    if is_plea(" ".join(rest)):
        return (), True
    return tuple(filter(None, rest)), True


def _unpleading(sentence: str) -> str:
    if not is_plea(sentence):
        return sentence
    parts = sentence.split(",")
    kept = [part for part in parts if not is_plea(part)]
    return ",".join(kept).strip(" ,") if len(kept) < len(parts) else ""
