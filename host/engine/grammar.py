"""Pure: how people write commands. In: a line as somebody typed it. Out: fragments, plain words and whole numbers.

Rooms build their own tables on this. Nothing here knows a game.
"""

import functools
import re
import unicodedata
from collections.abc import Iterable, Sequence

from rapidfuzz import fuzz, process

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
        "🔟": "10 ",
        "⬆": " up ",
        "↑": " up ",
        "🔼": " up ",
        "⬇": " down ",
        "↓": " down ",
        "🔽": " down ",
        "🛑": "stop ",
        "🚫": "no ",
        "⛔": "no ",
    }
)
_HIDDEN = re.compile("[\u00ad\u200b-\u200f\u2060\ufe0e\ufe0f\ufeff]")
_UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth".split()
_NUMBER_WORDS = {word: value for value, word in enumerate(_UNITS)} | {
    word: 20 + 10 * place for place, word in enumerate(_TENS)
}
NUMBER_WORDS = frozenset(_NUMBER_WORDS) | {"hundred", "thousand"}
"""Words of which numbers are made."""
_SCALES = {"hundred": 100, "thousand": 1000, "grand": 1000}
_TOKEN = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*|[$€£#]?[-+]?\d+(?:[.,]\d+)*%?[a-z]*|[^\s\w]")
_NUMBER = re.compile(r"[$€£#]?(\d{1,3}(?:,\d{3})+|\d{1,3}(?:\.\d{3})+|\d+)(?:st|nd|rd|th|(k))?$")
_ASIDE = re.compile(r"\([^()]*\)|(?<=\d) for me$")
_SMILEY = re.compile(r"<3\b|(?<!\w)[:;]-?[()dp3](?!\w)")
_HALF = re.compile(r"(?<![\w./])1[/⁄]2(?![\w/])")
_NUMERO = re.compile(r"\b(?:no|nr)\.\s*(?=\d)")
_THAT_ONE = re.compile(r"\b(?:this|that) one\b")
_ONE_OF_THEM = re.compile(
    r"\b(\d+(?:st|nd|rd|th)|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|middle) one\b"
)
_RANKED = re.compile(
    r"\b(the|pick|take|open|choose|number|space|card) (first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)\b(?! time)"
)
_YOU = re.compile(r"^(?:can|could|would|will) you\b|^let'?s do\b")
_THANK_YOU = re.compile(r"\bthank you\b")
_ALL_RIGHT = re.compile(r"\ball right\b")
_WORDY = re.compile(r"\w")
# It begins with a run of blanks or signs, never in the middle of one, so that no run is looked through again and again.
_BREAK = re.compile(
    r"(?:(?<!\s)\s*|(?<=\s)(?!\s))(?:\n|,(?!\d{3}\b)|;|(?<!!)!++(?=\s|$)"
    r"|(?<!\bno)(?<!\bnr)(?:(?<![.])|(?<=\bno[.])|(?<=\bnr[.]))[.]++(?=\s|$)"
    r"|\b(?:and\s+)?then\b|\band\b|&|\+(?!\d)|/(?!\d))\s*"
)

_KEPT = 1024
"""Texts whose words are kept: one clause is looked at from many sides."""
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


@functools.lru_cache(maxsize=_KEPT)
def plain(text: str) -> str:
    """Folded text: compatibility forms, case, smart quotes, hidden characters and suit signs made ordinary."""
    return _HIDDEN.sub("", unicodedata.normalize("NFKC", text)).translate(_GLYPHS).casefold().strip()


def split_line(line: str) -> tuple[str, ...]:
    """The fragments of a line that may each be a command: parted by commas, semicolons, sentence ends, "then", "and"."""
    return tuple(part for part in _BREAK.split(plain(line)) if part)


@functools.lru_cache(maxsize=_KEPT)
def tokens(fragment: str) -> tuple[str, ...]:
    """The folded words, numbers and signs of a fragment, asides in parentheses and smileys left out."""
    text = _HALF.sub("half", _SMILEY.sub(" ", plain(fragment).replace("\u20e3", " ")))
    text = _ASIDE.sub(" ", text) if _WORDY.search(_ASIDE.sub(" ", text)) else text
    text = _ALL_RIGHT.sub("alright", _THANK_YOU.sub("thanks", _YOU.sub("please ", _NUMERO.sub("number ", text))))
    text = _RANKED.sub(lambda found: f"{found[1]} {_ORDINALS.index(found[2]) + 1}", _ONE_OF_THEM.sub(r"the \1", text))
    return tuple(_TOKEN.findall(_THAT_ONE.sub("it", text)))


@functools.lru_cache(maxsize=_KEPT)
def words(fragment: str) -> tuple[str, ...]:
    """The words of a fragment with politeness and punctuation left out, numbers in digits."""
    kept = [each for each in tokens(fragment) if each not in FILLERS and (each[-1].isalnum() or each[-1] in "?%")]
    return tuple(_join_number_words(kept))


def is_polite(fragment: str) -> bool:
    """Is there nothing in it but politeness and punctuation?"""
    return not words(fragment)


def is_social(fragment: str) -> bool:
    """Is it a greeting, a closing, a compliment?"""
    return any(token in SOCIAL for token in tokens(fragment))


def is_thankful(fragment: str) -> bool:
    """Does it say thanks?"""
    return any(token in THANKS for token in tokens(fragment))


def number(word: str) -> int | None:
    """A whole unsigned number (`5`, `2,500`, `$2500`, `#5`, `5th`), else None; `-5` and `12.5` are none."""
    found = _NUMBER.match(word)
    if not found or len(found[1]) > 18:
        return None
    return int(found[1].replace(",", "").replace(".", "")) * (1000 if found[2] else 1)


def resembles(fragment: str, vocabulary: frozenset[str]) -> bool:
    """Does a short fragment look like an attempt at a command: a word near the vocabulary, or a number?"""
    found = words(fragment)
    if not found or len(found) > 6:
        return False
    return any(word[0].isdigit() or _is_like(word, vocabulary) for word in found)


@functools.lru_cache(maxsize=_KEPT)
def _is_like(word: str, vocabulary: frozenset[str]) -> bool:
    return process.extractOne(word, vocabulary, scorer=fuzz.ratio, score_cutoff=75) is not None


def _join_number_words(found: Sequence[str]) -> Iterable[str]:
    """`two thousand five hundred` is `2500`, `2 thousand` is `2000`; `five six` stays two numbers."""
    total = current = 0
    is_open = False
    for word in found:
        value = _NUMBER_WORDS.get(word)
        scale = _SCALES.get(word)
        if scale and is_open and current:
            if scale == 100:
                current *= scale
            else:
                total, current = total + current * scale, 0
            continue
        if value is not None and is_open and _fits_behind(total, current, value):
            current += value
            continue
        if is_open:
            yield str(total + current)
            total = current = 0
        is_open = value is not None or (word.isdecimal() and len(word) < 4)
        if is_open:
            current = int(word) if value is None else value
        else:
            yield word
    if is_open:
        yield str(total + current)


def _fits_behind(total: int, current: int, value: int) -> bool:
    if current == 0:
        return total > 0
    if current % 100 == 0:
        return value < 100
    return current % 10 == 0 and current >= 20 and 0 < value < 10
