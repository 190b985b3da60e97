"""Pure: when somebody is away. In: a text, the day on which it was written. Out: the first day and the last.

`24 Dec to 6 Jan`, `from 24 to 27 December`, `until Monday`, `tomorrow`, `for 10 days`, `2026-12-24 to 2027-01-06`, `next week`,
`24.12. to 6.1.`. A day without a year is the nearest of its name; a weekday is the next one. Both days belong to the absence.
"""

from datetime import date, timedelta

from host.engine.grammar import words
from host.engine.words import pattern, plain
from host.play.deadlines import MONTHS, WEEKDAYS, span_in

FIRST_YEAR, YEARS_AHEAD = 1970, 2
"""Years before and beyond which nobody is away."""
LONGEST = 200
"""Characters of a sentence that may tell an absence."""
_WEEKDAY = rf"(?:{'|'.join(f'{each[:3]}(?:{each[3:]})?' for each in WEEKDAYS)}|tues|thurs?)"
_MONTH = rf"(?:{'|'.join(MONTHS)})[a-z]{{0,6}}\.?"
_NUMBER = r"\d{1,2}(?:st|nd|rd|th)?"
_YEAR = r"(?:,? \d{4})?"
_DAY = (
    rf"(?:\d{{4}}-\d\d-\d\d|(?:the |this |next )?(?:{_WEEKDAY},? )?(?:the )?(?:{_NUMBER}(?: of)? {_MONTH}{_YEAR}"
    rf"|{_MONTH} (?:the )?{_NUMBER}{_YEAR}|{_NUMBER})|(?:this |next )?{_WEEKDAY}|today|tonight|now|tomorrow)"
)
_UNTIL = r"(?:until|till|untill|to|through)(?: and including)?(?: the end of)?"
_DAYS = pattern(
    rf"(?:from |between |on )?(?P<first>{_DAY})(?:(?: ?[-–] ?| (?:and|{_UNTIL}) )(?P<last>{_DAY}))?|{_UNTIL} (?P<until>{_DAY})"
)
_SPAN = pattern(r"(?:for )?(?:the next |about |another )?(?:an?|a few|a couple of|\w+) (?:days?|weeks?)")
_WEEK = pattern(r"(?:for |all |over |at |the rest of )?(?:the )?(?:this )?(weekend|week|next week)")
_OF_WEEK = {"week": (0, 6), "weekend": (5, 6), "next week": (7, 13)}
"""Its first day and its last, counted from this week's Monday."""
_HELLO = r"(?:(?:hi|hello|sorry|hey|please note|just so you know|fyi|unfortunately)[,:!]? )*(?:that )?"
_I_AM = r"(?:(?:i'?m|i am|i'll be|i will be|i shall be|i(?:'m| am) going to be) )?"
_AWAY = r"(?:away|absent|abroad|offline|travell?ing|out of town|on (?:a |my )?(?:holidays?|vacation|leave|trip))(?: again)?,?"
_SO = r"(?:,? (?:so|and) i (?:can't|cannot|can not|won't|will not|may not) (?:play|answer|reply|write)(?: then| until then)?)?"
_WHY = r"(?:,? (?:because|since|visiting|with|for|at)\b[^\d,;]{1,80})?"
_SAID = pattern(rf"{_HELLO}{_I_AM}{_AWAY} (?P<when>.*?)(?:{_SO}|{_WHY})")
_NUMERIC = pattern(r"\b(\d{1,2})\.(1[0-2]|0?[1-9])(?!\d)(?:\.(\d{4})?)?")
_PARTS = pattern(rf"(?P<number>\d{{1,2}})(?:st|nd|rd|th)?\b|(?P<month>\b(?:{'|'.join(MONTHS)}))|(?P<year>\d{{4}})")


_RETURNING = frozenset(
    "i am are back home here early earlier sooner already from holiday holidays vacation trip".split()
)


def says_back(line: str) -> bool:
    """Does a line say no more than that its writer is back? Of somebody who is away it ends that."""
    said = words(line)
    return "back" in said and _RETURNING.issuperset(said)


def absence_in(text: str, today: date) -> tuple[date, date] | None:
    """The first day and the last of an absence; None where a text tells none. The last may be before the first, or over."""
    folded = _folded(text)
    week = _WEEK.fullmatch(folded)
    if week:
        monday = today - timedelta(days=today.weekday())
        begin, end = _OF_WEEK[week[1]]
        return max(today, monday + timedelta(days=begin)), monday + timedelta(days=end)
    if _SPAN.fullmatch(folded):
        span = span_in(folded)
        return (today, today + span) if span else None
    found = _DAYS.fullmatch(folded)
    if not found:
        return None
    if found["until"]:
        last = _day(found["until"], today, today + timedelta(days=1))
        return (today, last) if last else None
    ends = found["last"] or found["first"]
    first = _day(found["first"], today, today, like=ends)
    last = _day(ends, today, first or today, like=found["first"])
    return (first, last) if first and last else None


def absence_said(sentence: str) -> str:
    """What a sentence says of when its writer is away, such as `from 24 to 27 december`; empty where it says more, or no days."""
    found = _SAID.fullmatch(_folded(sentence)) if len(sentence) <= LONGEST else None
    is_whole = found and any(form.fullmatch(found["when"]) for form in (_DAYS, _SPAN, _WEEK))
    return found["when"] if found and is_whole else ""


def _folded(text: str) -> str:
    """The text in plain letters, `6.1.2027` written out as `6 jan 2027`."""
    named = _NUMERIC.sub(lambda found: f"{found[1]} {MONTHS[int(found[2]) - 1]} {found[3] or ''} ", plain(text))
    return " ".join(named.strip(" .!").split())


def _day(text: str, today: date, not_before: date, like: str = "") -> date | None:
    """The day that a text names, `like` has the month of one that names none; none of long ago, or far ahead."""
    day = _any_day(text, today, not_before, like)
    return day if day and FIRST_YEAR <= day.year <= today.year + YEARS_AHEAD else None


def _any_day(text: str, today: date, not_before: date, like: str) -> date | None:
    if text in ("today", "tonight", "now", "tomorrow"):
        return today + timedelta(days=text == "tomorrow")
    words = text.split()
    day = next((at for at, name in enumerate(WEEKDAYS) if words[-1].startswith(name[:3])), None)
    if day is not None:
        return not_before + timedelta(days=(day - not_before.weekday()) % 7)
    try:
        if text.count("-") == 2:
            return date.fromisoformat(text)
        found = {kind: _part(kind, text) for kind in ("number", "month", "year")}
        month = found["month"] or _part("month", like)
        if not month:
            return None
        number = int(found["number"])
        years = [int(found["year"])] if found["year"] else range(today.year - 1, today.year + 2)
        days = [each for each in (_date(year, MONTHS.index(month) + 1, number) for year in years) if each]
        return min(days, key=lambda each: abs(each - today), default=None)
    except ValueError:
        return None


def _part(kind: str, text: str) -> str:
    return next((each[kind] for each in _PARTS.finditer(text) if each[kind]), "")


def _date(year: int, month: int, day: int) -> date | None:
    """The day, also in the only years that have it; None where there is none."""
    try:
        return date(year, month, day)
    except ValueError:
        return None
