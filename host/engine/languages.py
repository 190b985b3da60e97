"""Pure: what moves, cards and numbers are called in other languages. In: a clause. Out: it in English, if all of it is known.

`languages.toml` has the phrases. Words that are English words too are left out, and so is what a dictionary of a few hundred
words cannot tell apart: a clause with one unknown word is not translated.
"""

import functools
import re
import unicodedata
from collections.abc import Mapping

from host.engine.frames import frames
from host.engine.grammar import FILLERS, THANKS, plain
from host.engine.lazy import pattern
from host.engine.ordinary import ordinary_words
from host.engine.word_files import table

_TWICE = pattern(r"\b([a-z]+)(?: \1\b)+")
"""`abro la casilla`: the verb and its noun are one word here."""
_WORD = pattern(r"[^\W\d_]+(?:['’][^\W\d_]+)*|\d[\d.,]*|\S")
MOST_WORDS = 24
"""Words: a longer clause is a story."""


class _Dictionary:
    """The phrases of `languages.toml`: what each means, how many words the longest has, English words that are none of theirs."""

    def __init__(self) -> None:
        found = table("host.engine", "languages.toml")
        means: Mapping[str, str] = found["means"]
        ordinary = ordinary_words()
        self.courtesies = frozenset(means[""].replace("|", " ").split())
        self.phrases = {
            " ".join(phrase.split()): english
            for english, phrases in means.items()
            for phrase in phrases.split("|")
            if not english or phrase.strip() not in ordinary
        }
        self.numbers = _by_word(found["numbers"])
        self.tens = _by_word(found["tens"])
        self.any_ten = re.compile("|".join(map(re.escape, self.tens)))
        self.longest = max(len(phrase.split()) for phrase in self.phrases)
        known = {each for phrase in self.phrases for each in phrase.split()} | {
            each for each in means if " " not in each
        }
        self.english = ordinary - known


_dictionary = functools.cache(_Dictionary)


def _by_word(numbers: Mapping[str, str]) -> dict[str, str]:
    return {word: number for number, words in numbers.items() for word in words.split()}


def courtesies() -> frozenset[str]:
    """Words that carry no meaning in these languages."""
    return _dictionary().courtesies


def foreign_numbers() -> Mapping[str, str]:
    """Numbers to twenty in other languages, in digits; words that are English too are left out."""
    return _dictionary().numbers


@functools.lru_cache(maxsize=256)
def in_english(clause: str, names: frozenset[str] = frozenset()) -> str:
    """The clause with the words of another language in English; empty where there are none, or some are not known.

    Words for numbers become digits; `names`, folded, and the codes of cards stay as they are.
    """
    known, ordinary = _dictionary(), ordinary_words()
    found = _WORD.findall(known.any_ten.sub(lambda match: known.tens[match[0]], plain(clause)))
    if len(found) > MOST_WORDS:
        return ""
    said: list[str] = []
    is_foreign = False
    at = 0
    while at < len(found):
        sizes = range(min(known.longest, len(found) - at), 0, -1)
        size = next((size for size in sizes if " ".join(found[at : at + size]) in known.phrases), 0)
        word = found[at]
        if (name := _without_accents(word)) in names:
            said.append(name)
            size = 1
        elif size:
            phrase = " ".join(found[at : at + size])
            is_foreign = is_foreign or bool(known.phrases[phrase]) or phrase not in ordinary
            said.append(known.phrases[phrase])
        elif word in known.numbers:
            is_foreign = is_foreign or word not in ordinary
            said.append(known.numbers[word])
        elif word in known.english and word not in frames().foreign:
            return ""
        elif word not in frames().foreign and word not in THANKS and word not in FILLERS:
            if word.isalpha() and len(word) > 2:
                return ""
            said.append(word)
        at += size or 1
    english = " ".join(each for each in said if each)
    return _TWICE.sub(r"\1", english) if is_foreign else ""


def _without_accents(word: str) -> str:
    return "".join(each for each in unicodedata.normalize("NFD", word) if not unicodedata.combining(each))
