"""Pure: the words of registrations (`registration.toml`), and names with their capitals. In: a text. Out: words, patterns.

Patterns are for folded text (`fold`). What has capitals and small letters already is left as its owner wrote it.
"""

import functools
import re
import unicodedata

from host.engine.words import parted, pattern, table

_QUOTES = str.maketrans({"‘": "'", "’": "'", "`": "'", "´": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"'})
_PLAIN = {"ł": "l", "ø": "o", "đ": "d", "ı": "i", "æ": "a", "–": "-", "—": "-", "\u00a0": " "}
_ASKED = (
    r"(?P<asked>name you(?:'d| would)?(?: like to| want to)? (?:go by|be called)"
    r"(?: [^:(,;=]{1,30}(?=[:=])| (?:at|on|in)(?: the)? [^\s:(,;=]+)?)"
)
"""The label that asks how somebody is to be called, as forms word it in a sentence."""
_WORD = pattern(r"[^\s,]+")
_MC = pattern(r"mc[^\W\d_]{3,}")
SHORT = 3
"""Letters of what may be initials (`AJ`, `ACE`) and so stays in capitals where it stands alone."""


def fold(text: str) -> str:
    """A text of the same length, in small letters without accents, and with plain quotes."""
    return "".join(_folded(each) for each in text.translate(_QUOTES))


def _folded(character: str) -> str:
    if character.isascii():
        return character.lower()
    plain = unicodedata.normalize("NFKD", character)[:1].lower()[:1]
    return _PLAIN.get(plain, plain) or character


@functools.cache
def words(name: str) -> frozenset[str]:
    """A list of words."""
    return frozenset(parted(table("host.play", "registration.toml")["words"][name]))


@functools.cache
def phrase(name: str, is_whole: bool = False) -> re.Pattern[str]:
    """Any of the phrases of a name; with `is_whole` only where no word goes on behind it."""
    phrases = table("host.play", "registration.toml")["phrases"][name].split(";")
    written = "|".join(" ".join(each.split()) for each in phrases)
    for sign, meant in ((".", r"\."), ("(", "(?:"), ("[", "(?:"), ("]", ")?")):
        written = written.replace(sign, meant)
    written = re.sub(r"!(\S+) ", r"(?<!\1 )", written)
    return re.compile(rf"(?<![\w'])(?:{written})(?![\w'])" if is_whole else rf"\b(?:{written})")


@functools.cache
def label_pattern() -> re.Pattern[str]:
    """Any label in folded text; the group that matched is its field, or `short_` and its field for a short one."""
    alternatives = [_ASKED]
    for field, listed in table("host.play", "registration.toml")["labels"].items():
        phrases = [fold(each) for each in parted(listed)]
        for group, is_short in ((field, False), (f"short_{field}", True)):
            some = [
                re.escape(each).replace(r"\ ", " +") for each in phrases if (each in words("short_labels")) is is_short
            ]
            if some:
                alternatives.append(f"(?P<{group}>{'|'.join(sorted(some, key=len, reverse=True))})")
    return re.compile(rf"(?<![\w'-])(?:{'|'.join(alternatives)})(?![\w'-])")


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
