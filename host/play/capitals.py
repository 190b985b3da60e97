"""Pure: names as names are written. In: a name or a place in capitals or small letters. Out: it with its own capitals.

What has capitals and small letters already is left as its owner wrote it.
"""

import re

from host.engine.words import pattern
from host.play.form_words import words

_WORD = pattern(r"[^\s,]+")
_MC = pattern(r"mc[^\W\d_]{3,}")
SHORT = 3
"""Letters of what may be initials (`AJ`, `ACE`) and so stays in capitals where it stands alone."""


def as_name(text: str) -> str:
    """`MIKE RAY` is `Mike Ray`, `ann o'neil` is `Ann O'Neil`, `jan van der berg` is `Jan van der Berg`."""
    if not _is_even(text) or (text.isupper() and " " not in text and len(text) <= SHORT):
        return text
    return _WORD.sub(lambda found: _word(found[0].lower(), found.start() > 0, words("particles")), text)


def as_nickname(text: str) -> str:
    """Like a name; what has digits or signs in it is a handle, which is left alone."""
    return as_name(text) if re.fullmatch(r"[^\W\d_]+(?:[ '’-][^\W\d_]+)*", text) else text


def as_place(text: str) -> str:
    """`BOISE, ID` is `Boise, ID`, `stratford upon avon` is `Stratford upon Avon`."""
    if not _is_even(text):
        return text
    last = max((found.start() for found in _WORD.finditer(text)), default=0)

    def written(found: re.Match[str]) -> str:
        word = found[0].lower()
        bare = word.replace(".", "")
        if found.start() and (bare in words("capitals") or (found.start() == last and bare in words("states"))):
            return word.upper()
        return _word(word, found.start() > 0, words("within_places") | words("particles"))

    return _WORD.sub(written, text)


def is_region(text: str) -> bool:
    """Is it a state or a country, which belongs to the town before it?"""
    bare = text.strip(" .").lower()
    return bare in words("regions") or bare.replace(".", "") in words("capitals") | words("states")


def _is_even(text: str) -> bool:
    """Is all of it in capitals, or nothing?"""
    return "@" not in text and (text.isupper() or text.islower())


def _word(word: str, is_within: bool, small: frozenset[str]) -> str:
    if is_within and word in small:
        return word
    if word in words("numerals") or re.fullmatch(r"(?:\w\.)+\w?|[bcdfghjklmnpqrstvwxz]{2}", word):
        return word.upper() if word.strip(".") not in ("jr", "sr", "st", "ft", "mt", "ng") else word.capitalize()
    parts = re.split(r"([-'’.])", word)
    for at, part in enumerate(parts):
        if at and part in small and parts[at - 1] == "-":
            continue
        is_ending = at and parts[at - 1] in "'’" and len(part) < 3  # `rock'n'roll`, `ann's`
        parts[at] = part if is_ending else "Mc" + part[2:].capitalize() if _MC.fullmatch(part) else part.capitalize()
    return "".join(parts)
