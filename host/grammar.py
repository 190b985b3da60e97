"""Pure: how people write commands. In: a line as somebody typed it. Out: fragments, plain words and whole numbers.

Rooms build their own tables on this. Nothing here knows a game.
"""

import difflib
import re
import unicodedata
from collections.abc import Iterable, Sequence

_GLYPHS = str.maketrans(
    {
        "♣": "c ",
        "♧": "c ",
        "♦": "d ",
        "♢": "d ",
        "♥": "h ",
        "♡": "h ",
        "❤": "h ",
        "♠": "s ",
        "♤": "s ",
        "‘": "'",
        "’": "'",
        "“": '"',
        "”": '"',
        "–": "-",
        "—": "-",
        "−": "-",
        "，": ",",
    }
)
_HIDDEN = re.compile("[\u00ad\u200b-\u200f\u2060\ufe0e\ufe0f\ufeff]")
_UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth".split()
_NUMBER_WORDS = (
    {word: value for value, word in enumerate(_UNITS)}
    | {word: 20 + 10 * place for place, word in enumerate(_TENS)}
    | {word: place for place, word in enumerate(_ORDINALS, 1)}
)
_SCALES = {"hundred": 100, "thousand": 1000, "grand": 1000}
_TOKEN = re.compile(r"[a-z]+(?:'[a-z]+)*|[$€£#]?[-+]?\d+(?:[.,]\d+)*[a-z]*|[^\s\w]")
_NUMBER = re.compile(r"[$€£#]?(\d{1,3}(?:,\d{3})+|\d+)(?:st|nd|rd|th|(k))?$")
_THAT_ONE = re.compile(r"\b(?:this|that|last|other) one\b")
_ORDINAL_ONE = re.compile(
    r"\b(\d+(?:st|nd|rd|th)|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|middle) one\b"
)
_REQUEST = re.compile(r"^((?:can|could|may) (?:i|you)\b.*)\?+$")
_BREAK = re.compile(r"\s*(?:,(?!\d{3}\b)|;|[.!]+(?=\s|$)|\b(?:and\s+)?then\b|\band\b|&|\+(?!\d))\s*")

FILLERS = frozenset(
    """a actually again ahead alright am an at be best bye can cheers could dear do everybody everyone fine folks for
    friend friends go going gonna good great greetings guess guys hello hey hi hmm host i i'd i'll i'm id ill im is
    it's its just kind kindly let let's lets like luck lucky may me much my need nice now oh ok okay on please pls plz
    prefer rather regards sincerely so sure thank thanks thankyou thx the then there think this time to try um
    very want wanna warm we we'll well will wish with would yeah yep you your yours""".split()
)
"""Words that carry politeness, not meaning. `this` and `the` among them: `take this` is `take`."""


def plain(text: str) -> str:
    """Folded text: compatibility forms, case, smart quotes, hidden characters and suit signs made ordinary."""
    return _HIDDEN.sub("", unicodedata.normalize("NFKC", text)).translate(_GLYPHS).casefold().strip()


def split_line(line: str) -> tuple[str, ...]:
    """The fragments of a line that may each be a command: parted by commas, semicolons, sentence ends, "then", "and"."""
    return tuple(part for part in _BREAK.split(plain(line)) if part)


def words(fragment: str) -> tuple[str, ...]:
    """The folded words of a fragment with politeness and punctuation left out, numbers as written."""
    text = _ORDINAL_ONE.sub(r"\1", _THAT_ONE.sub("it", _REQUEST.sub(r"\1", plain(fragment))))
    tokens = _TOKEN.findall(text)
    kept = [each for each in tokens if each not in FILLERS and (each[-1].isalnum() or each == "?")]
    return tuple(_join_number_words(kept))


def is_polite(fragment: str) -> bool:
    """Is there nothing in it but politeness and punctuation?"""
    return not words(fragment)


def number(word: str) -> int | None:
    """A whole unsigned number (`5`, `2,500`, `$2500`, `#5`, `5th`), else None; `-5` and `12.5` are none."""
    found = _NUMBER.match(word)
    if not found or len(found[1]) > 18:
        return None
    return int(found[1].replace(",", "")) * (1000 if found[2] else 1)


def resembles(fragment: str, vocabulary: Iterable[str]) -> bool:
    """Does a short fragment look like an attempt at a command: a word near the vocabulary, or a number?"""
    found = words(fragment)
    if not found or len(found) > 6:
        return False
    known = list(vocabulary)
    return any(word[-1].isdigit() or difflib.get_close_matches(word, known, n=1, cutoff=0.75) for word in found)


def nearest(text: str, legal: Sequence[str]) -> tuple[str, ...]:
    """`legal` with what is most like `text` first, else in the given order."""
    wanted = " ".join(words(text)) or plain(text)[:80]
    return tuple(sorted(legal, key=lambda each: -round(difflib.SequenceMatcher(None, wanted, each).ratio(), 1)))


def _join_number_words(tokens: Sequence[str]) -> Iterable[str]:
    value: int | None = None
    for token in tokens:
        if token in _NUMBER_WORDS and (value is None or (value % 10 == 0 and value and _NUMBER_WORDS[token] < 10)):
            value = (value or 0) + _NUMBER_WORDS[token]
        elif token in _SCALES and value is not None:
            value *= _SCALES[token]
        else:
            if value is not None:
                yield str(value)
            value = _NUMBER_WORDS.get(token)
            if value is None:
                yield token
    if value is not None:
        yield str(value)
