"""Pure: words, and the data files that list them. A text that somebody typed goes in; it comes out folded, or in English.

A file in the `data` folder of a package is read when it is first asked for, and kept; a pattern is compiled when it is first
used. `ordinary.txt` holds the 8,000 commonest English words of three letters and more in film subtitles, as pyspellchecker lists
them (MIT): none of them is a slip of the pen, and no first name is.
"""

import functools
import re
import tomllib
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from importlib.resources import files
from typing import Any, AnyStr, TypeVar, cast

Lists = TypeVar("Lists")

THANKS = frozenset(
    """thanks thank thx thankyou ty tysm
    cheers ta danke merci gracias grazie obrigado obrigada dank bedankt tack takk tak kiitos dzięki
    dziękuję děkuji díky köszönöm teşekkürler mulțumesc hvala спасибо дякую ευχαριστώ""".split()
)
SOCIAL = frozenset(
    """all-the-best best bye dear everybody everyone folks friend friends good great greetings guys hello hey hi kind luck
    nice regards sincerely warm well evening morning afternoon""".split()
)
"""Words of greetings and closings. What stands beside them is small talk sooner than a command: `Hi all`, `Nice draw`."""
AT_FRONT = frozenset("first front lead leads open opens start starts begin begins".split())
AT_END = frozenset("last rear end back bottom finally".split())
"""Words by which somebody says that a card or a number goes first, or last."""
FILLERS = (
    frozenset(
        """a actually again ahead alright an be can could fine for go going gonna guess hmm host i i'd i'll i'm id ill im
        is it's its just kindly let let's lets like lucky may much my need now ok okay please pls plz bitte prego prefer rather so
        sure the then there think this to try um very want wanna we we'll will wish with would yeah yep""".split()
    )
    | THANKS
    | SOCIAL
)
"""Words that carry politeness, not meaning. `this` and `the` among them: `take this` is `take`."""
MOST_WORDS = 24
"""Words: a longer clause is a story, and is not translated."""
_SIGNS = {
    "c ": "♣♧",
    "d ": "♦♢",
    "h ": "♥♡❤",
    "s ": "♠♤",
    "'": "‘’",
    '"': "“”",
    "-": "–—−",
    ",": "，",
    "10 ": "🔟",
    " up ": "⬆↑🔼",
    " down ": "⬇↓🔽",
    "stop ": "🛑",
    "no ": "🚫⛔👎❌✖🙅",
}
_PLAIN_SIGNS = str.maketrans({sign: meant for meant, signs in _SIGNS.items() for sign in signs})


class Lazy:
    """Stands for a compiled pattern; each of its methods is the pattern's own from the first time on that it is asked for."""

    def __init__(self, expression: str | bytes | Callable[[], str], flags: int) -> None:
        self.expression, self.flags = expression, flags

    def __getattr__(self, name: str) -> Any:
        """The pattern's own, once it is compiled."""
        expression = self.expression() if callable(self.expression) else self.expression
        found = getattr(re.compile(expression, self.flags), name)
        setattr(self, name, found)
        return found


def pattern(expression: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """As `re.compile`, at the first use."""
    return cast(re.Pattern[AnyStr], Lazy(expression, flags))


_ACE = pattern(
    r"(?:\bA ?|\ba)(?:(?P<clubs>[♣♧])|(?P<diamonds>[♦♢])|(?P<hearts>[♥♡❤])|(?P<spades>[♠♤]))"
    r"|\b[Aa] (?=of (?:club|diamond|heart|spade)s?\b)"
)
"""An ace that is no article, and no `ah` or `as`."""
_SUIT_FIRST = pattern(r"(?<!\w)([♣♧♦♢♥♡❤♠♤])(10|[2-9AKQJTakqjt])(?![\w♣♧♦♢♥♡❤♠♤])")
"""A card with its suit before it."""
_HIDDEN = pattern("[\u00ad\u200b-\u200f\u2060\ufe0e\ufe0f\ufeff]")
_TWICE = pattern(r"\b([a-z]+)(?: \1\b)+")
"""`abro la casilla`: the verb and its noun are one word here."""
_WORD = pattern(r"[^\W\d_]+(?:['’][^\W\d_]+)*|\d[\d.,]*|\S")


@functools.cache
def table(package: str, name: str) -> dict[str, Any]:
    """The content of a TOML file."""
    return tomllib.loads(files(package).joinpath("data", name).read_text("utf-8"))


def parted(text: str) -> list[str]:
    """The words of a list; commas part what has blanks in it."""
    return [" ".join(each.split()) for each in text.split("," if "," in text else None)]


def word_lists(kind: type[Lists], found: Mapping[str, str]) -> Lists:
    """A table's lists as a dataclass of sets. Raises KeyError for a list that is missing."""
    names = [each.name for each in fields(kind)]  # type: ignore[arg-type]  # `kind` is a dataclass
    return kind(**{name: frozenset(parted(found[name])) for name in names})


@functools.cache
def ordinary_words() -> frozenset[str]:
    """Common English words."""
    return frozenset(files("host.engine").joinpath("data", "ordinary.txt").read_text("utf-8").split())


@functools.cache
def first_names() -> frozenset[str]:
    """Common first names, in small letters."""
    return frozenset(files("host.engine").joinpath("data", "first_names.txt").read_text("utf-8").split())


@dataclass(frozen=True)
class Frames:
    """The words that English puts around a move, by what they do to a clause. None of them names a move, in any room.

    `frames.toml` has them, and says what each set is for.
    """

    neutral: frozenset[str]
    nouns: frozenset[str]
    negations: frozenset[str]
    uncertain: frozenset[str]
    praise: frozenset[str]
    others: frozenset[str]
    bygone: frozenset[str]
    picking: frozenset[str]
    light: frozenset[str]
    small: frozenset[str]
    everyday: frozenset[str]
    value_nouns: frozenset[str]
    clock: frozenset[str]
    foreign: frozenset[str]
    yes_and_no: frozenset[str]

    @functools.cached_property
    def ordinary(self) -> frozenset[str]:
        """Names of moves that are words of every other sentence."""
        return self.small | self.everyday

    @functools.cached_property
    def passed_over(self) -> frozenset[str]:
        """Words said around a move, and to deny it."""
        return self.neutral | self.negations


@functools.cache
def frames() -> Frames:
    """The sets of `frames.toml`."""
    return word_lists(Frames, table("host.engine", "frames.toml"))


@functools.lru_cache(maxsize=1024)
def plain(text: str) -> str:
    """Folded text: compatibility forms, case, smart quotes, hidden characters and suit signs made ordinary."""
    shown = _HIDDEN.sub("", unicodedata.normalize("NFKC", text))
    shown = _ACE.sub(_in_words, _SUIT_FIRST.sub(r"\2\1", shown))
    return shown.translate(_PLAIN_SIGNS).casefold().strip()


def _in_words(ace: re.Match[str]) -> str:
    return f"ace of {ace.lastgroup} " if ace.lastgroup else "ace "


class _Dictionary:
    """The phrases of `languages.toml`: the meaning of each, how many words the longest has, and English words that are none.

    Words that are English words too are left out, and so is what a dictionary of a few hundred words cannot tell apart.
    """

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
        self.numbers, self.tens = (
            {word: number for number, words in found[name].items() for word in words.split()}
            for name in ("numbers", "tens")
        )
        self.any_ten = re.compile("|".join(map(re.escape, self.tens)))
        self.longest = max(len(phrase.split()) for phrase in self.phrases)
        known = {each for phrase in self.phrases for each in phrase.split()} | {
            each for each in means if " " not in each
        }
        self.english = ordinary - known


_dictionary = functools.cache(_Dictionary)


def courtesies() -> frozenset[str]:
    """Words that carry no meaning in other languages."""
    return _dictionary().courtesies


def foreign_numbers() -> Mapping[str, str]:
    """Numbers to twenty in other languages, in digits; words that are English too are left out."""
    return _dictionary().numbers


@functools.cache
def foreign_doubts() -> frozenset[str]:
    """What leaves a value open, or denies it, in other languages."""
    meant = ("not", "or", "maybe", "tomorrow", "too much", "less than", "under", "more")
    return frozenset(phrase for phrase, english in _dictionary().phrases.items() if english in meant)


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
        name = "".join(each for each in unicodedata.normalize("NFD", word) if not unicodedata.combining(each))
        if name in names:
            said.append(name)
            size = 1
        elif size:
            phrase = " ".join(found[at : at + size])
            is_foreign = is_foreign or bool(known.phrases[phrase]) or phrase not in ordinary
            said.append(known.phrases[phrase])
        elif word in known.numbers:
            is_foreign = is_foreign or word not in ordinary
            said.append(known.numbers[word])
        elif word == "no":  # it denies in several languages, and stands among their small words
            said.append(word)
        elif word in known.english and word not in frames().foreign:
            return ""
        elif word not in frames().foreign and word not in THANKS and word not in FILLERS:
            if word.isalpha() and len(word) > 2:
                return ""
            said.append(word)
        at += size or 1
    english = " ".join(each for each in said if each)
    return _TWICE.sub(r"\1", english) if is_foreign else ""
