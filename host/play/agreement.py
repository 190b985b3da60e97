"""Pure: whether a reply says yes, no, or later, and when. In: its lines. Out: which of them it says.

A clause says so where it has one of the forms below from end to end, courtesies aside. What comes first counts; a word that it
was somebody else, or a wish to be left alone, counts wherever it stands.
"""

import re
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from host.engine.grammar import plain, words
from host.play import agreement_forms
from host.play.forms import WORD, in_full
from host.play.spans import date_in, is_tomorrow_in, names_day, span_in, weekday_in

WHOLE = 400
"""Characters of a line in which a yes or a no is looked for."""
MOST_CLAUSES = 12
"""Clauses of a reply that are looked at."""
ASK_AGAIN_AFTER = timedelta(days=2)
"""How long is waited where somebody says `later` and not when."""
LONGEST_WAIT = timedelta(days=30)
AFTER_HOLIDAYS = timedelta(days=14)

_POLITE = frozenset(
    """please pls plz kindly thanks thank thx sorry oh ah well hm hmm um so but and just really actually simply
    still currently then very much bitte danke merci svp favor gracias grazie obrigado obrigada tack takk dziękuję proszę prosím
    děkuji спасибо пожалуйста lütfen teşekkürler por per favore dear""".split()
)
_GREETING = re.compile(r"(?:hello|hi|hey|dear|good (?:morning|evening|afternoon|day)) ")
"""It may stand before an answer, with whoever is greeted."""
_NUMERAL = re.compile(r"\b\d+(?:st|nd|rd|th)?\b")
_YES_SIGNS, _NO_SIGNS = re.compile("[👍✅✔☑👌🙋💯🆗]"), re.compile("[👎❌✖🚫🙅]")
_RESERVING = re.compile(r"\b(?:but|however|unless|except|although|though|if|as long as|provided)\b")
_NEXT_WEEK = re.compile(r"\bnext week\b|\bnächste woche\b|\bsemaine prochaine\b|\bpróxima semana\b|\bvolgende week\b")


def says_yes(lines: Sequence[str]) -> bool:
    """Is yes the first that a reply says, after a greeting perhaps?"""
    return _answer(lines) == "yes"


def says_no(lines: Sequence[str]) -> bool:
    """Is the first that a reply says a plain no, or any of it a wish to be left alone? `No problem` is none."""
    return _answer(lines) == "no" or wants_peace(lines)


def wants_peace(lines: Sequence[str]) -> bool:
    """Does a reply say that it was somebody else, or that its writer wants to be left alone?"""
    return any(agreement_forms.LEAVE_ALONE.fullmatch(clause) for clause, _, _ in _clauses(lines))


def says_later(lines: Sequence[str]) -> bool:
    """Does a reply say `not now`, in any of its first clauses?"""
    return any(agreement_forms.LATER.fullmatch(clause) for clause, _, _ in _clauses(lines))


def says_ready(lines: Sequence[str]) -> bool:
    """Does a reply say yes, or that somebody is there to play, and nothing against it?"""
    if says_no(lines) or says_later(lines):
        return False
    return says_yes(lines) or any(_is_ready(clause) for clause, is_asking, _ in _clauses(lines) if not is_asking)


def acknowledges(lines: Sequence[str]) -> bool:
    """Does a reply say in words (or by a sign) that somebody registered, or wants to play, and nothing against it?"""
    clauses = [clause for clause, is_asking, _ in _clauses(lines) if not is_asking]
    is_theirs = any(agreement_forms.REGISTERED.fullmatch(clause) for clause in clauses)
    return says_ready(lines) or (is_theirs and not says_no(lines) and not says_later(lines))


def is_answer(text: str) -> bool:
    """Is it nothing but yes, no, that it was somebody, and courtesies?"""
    bare = (agreement_forms.YESES.sub("", clause) for clause, _, _ in _clauses([text]))
    forms = [each for each in agreement_forms.ALL if each is not agreement_forms.LATER]
    return all(not clause or any(form.fullmatch(clause) for form in forms) for clause in bare)


def has_reservation(lines: Sequence[str]) -> bool:
    """Does a reply that says yes say also that its writer is away, or when, or on which condition?"""
    text = plain(" ".join(lines)[:WHOLE])
    if _RESERVING.search(text) or _NEXT_WEEK.search(text) or names_day(text):
        return True
    return any(agreement_forms.AWAY.search(f" {clause}") for clause, _, _ in _clauses(lines))


def confirms(lines: Sequence[str], names: Collection[str] = ()) -> bool:
    """Does a reply confirm a registration: yes, nothing but courtesies (and the writer's `names`), or nothing at all?"""
    if says_no(lines) or says_later(lines):
        return False
    if acknowledges(lines):
        return True
    own = {word for name in names for word in WORD.findall(plain(name))}
    return all(
        not is_asking and (agreement_forms.NEUTRAL.fullmatch(clause) or not (set(words(clause)) - own))
        for clause, is_asking, _ in _clauses(lines)
    )


def wait_in(lines: Sequence[str], now: datetime) -> timedelta:
    """How long somebody wants to wait who says `later`; two days where they do not say.

    `next week`, `in ten days`, `until Friday`, `5 December`, `after the holidays` are understood.
    """
    text = plain(" ".join(lines)[:WHOLE])
    wait = span_in(text) or date_in(text, now) or weekday_in(text, now)
    if wait is None and _NEXT_WEEK.search(text):
        wait = timedelta(days=7)
    if wait is None and "next month" in text:
        wait = LONGEST_WAIT
    if wait is None and re.search(r"\b(?:holidays?|vacations?|christmas|easter|new year|exams)\b", text):
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
        elif agreement_forms.NO.fullmatch(clause) or agreement_forms.LEAVE_ALONE.fullmatch(clause):
            return "no"
        elif not agreement_forms.NEUTRAL.fullmatch(clause):
            is_yes = agreement_forms.YES.fullmatch(clause) or agreement_forms.YES_AND.match(clause)
            return "yes" if is_yes and not is_asking else ""
    return ""


def _is_ready(clause: str) -> bool:
    return agreement_forms.READY.fullmatch(clause) is not None or agreement_forms.YES.fullmatch(clause) is not None


def _clauses(lines: Sequence[str]) -> list[tuple[str, bool, str]]:
    """What a reply says, clause by clause: words with a blank behind each, whether it asks, and what its signs say.

    Greetings are left out, and politeness; a clause that is nothing else has no words left.
    """
    found: list[tuple[str, bool, str]] = []
    for line in lines[:20]:
        for part in re.findall(r"[^,;.!:?]+[,;.!:?]*", plain(line[:WHOLE])):
            signs = "yes" if _YES_SIGNS.search(part) else "no" if _NO_SIGNS.search(part) else ""
            text = _NUMERAL.sub("anumber", part.replace("thank you", "thanks"))
            clause = "".join(
                f"{word} " for word in in_full(WORD.findall(text)) if word not in _POLITE or word == "dear"
            )
            greeting = _GREETING.match(clause)
            if greeting:
                clause = clause[greeting.end() :]
                clause = clause if any(form.fullmatch(clause) for form in agreement_forms.ALL) else ""
            if signs or clause:
                found.append((clause, "?" in part, signs))
            if len(found) >= MOST_CLAUSES:
                return found
    return found
