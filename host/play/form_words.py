"""Pure: the words of registrations, as `registration.toml` has them. In: the name of a list, of a phrase. Out: its words, its
pattern for folded text (`fold`)."""

import functools
import re
import unicodedata

from host.engine.words import table

_QUOTES = str.maketrans({"‘": "'", "’": "'", "`": "'", "´": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"'})
_PLAIN = {"ł": "l", "ø": "o", "đ": "d", "ı": "i", "æ": "a", "–": "-", "—": "-", "\u00a0": " "}
_ASKED = (
    r"(?P<asked>name you(?:'d| would)?(?: like to| want to)? (?:go by|be called)"
    r"(?: [^:(,;=]{1,30}(?=[:=])| (?:at|on|in)(?: the)? [^\s:(,;=]+)?)"
)
"""The label that asks how somebody is to be called, as forms word it in a sentence."""


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
    """A list of words; commas part what has blanks in it."""
    return frozenset(_parted(table("host.play", "registration.toml")["words"][name]))


def _parted(text: str) -> list[str]:
    return [" ".join(each.split()) for each in text.split("," if "," in text else None)]


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
        phrases = [fold(each) for each in _parted(listed)]
        for group, is_short in ((field, False), (f"short_{field}", True)):
            some = [
                re.escape(each).replace(r"\ ", " +") for each in phrases if (each in words("short_labels")) is is_short
            ]
            if some:
                alternatives.append(f"(?P<{group}>{'|'.join(sorted(some, key=len, reverse=True))})")
    return re.compile(rf"(?<![\w'-])(?:{'|'.join(alternatives)})(?![\w'-])")
