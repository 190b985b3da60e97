"""Pure: how people write commands. A line as somebody typed it goes in; out come fragments, plain words, and values in slots.

A row of a room's `words.toml` names its slots (`slots = "amount rank rank"`); `fill` puts each word into the first slot that
takes it, so that their order is free where their kinds differ. What neither fits a slot nor is a noun of the verb makes no
command. Nothing here knows a game.
"""

import functools
import itertools
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from rapidfuzz import fuzz, process

from host.engine.cards import RANK_NAMES, RANK_WORDS, SUITS, Card, read_card
from host.engine.game import MoreThanOne
from host.engine.words import FILLERS, SOCIAL, THANKS, pattern, plain

Phrase = tuple[str, ...]
Value = int | str
Lists = Mapping[str, Mapping[str, Value]]
"""Kinds of values: by name, each word that people write and the value that it is."""

_UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth".split()
NUMBERS = dict(zip((*_UNITS, *_TENS), (*range(20), *range(20, 100, 10)), strict=True)) | {
    "fiver": 5,
    "tenner": 10,
    "dozen": 12,
}
NUMBER_WORDS = frozenset(NUMBERS) | {"hundred", "thousand"}
"""Words of which numbers are made."""
ROUND_NUMBERS = {"hundred": 100, "thousand": 1000}
"""Words that are numbers by themselves, and make others larger."""
_SCALES = ROUND_NUMBERS | {"grand": 1000, "dozen": 12}
_TOKEN = pattern(r"[^\W\d_]+(?:'[^\W\d_]+)*|[$€£#]?[-+]?\d+(?:[.,]\d+)*%?[a-z]*|[^\s\w]")
_NUMBER = pattern(r"[$€£#]?(\d{1,3}(?:,\d{3})+|\d{1,3}(?:\.\d{3})+|\d+)(?:st|nd|rd|th|(k))?$")
_THOUSANDS = pattern(r"[$€£]?(\d{1,3})[.,](\d)k$")
_ASIDE = pattern(r"\([^()]*\)|(?<=\d) for me$")
_SMILEY = pattern(r"<3\b|(?<!\w)[:;]-?[()dp3](?!\w)")
_HALF = pattern(r"(?<![\w./])1[/⁄]2(?![\w/])")
_NUMERO = pattern(r"\b(?:no|nr)\.\s*(?=\d)")
_THAT_ONE = pattern(r"\b(?:this|that) one\b")
_THE_ONE = pattern(r"\bthe one (?:(?:in|on|at) )?the(?: very)?\b|\bthe one (?:in|on|at)\b")
_ONE_OF_THEM = pattern(
    r"\b(\d+(?:st|nd|rd|th)|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth"
    r"|middle|center|centre|left|right|corner) one\b"
)
_RANKED = pattern(
    r"\b(the|pick|take|open|choose|number|space|card) (first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)\b(?! time)"
)
_YOU = pattern(r"^(?:can|could|would|will) you\b|^let'?s do\b")
_THANK_YOU = pattern(r"\bthank you\b")
_A_LOT = pattern(r"(?<!half )\ba (?:whole |good |fair )?lot\b")
_ALL_RIGHT = pattern(r"\ball right\b")
_WORDY = pattern(r"\w")
# It begins with a run of blanks or signs, never in the middle of one, so that no run is looked through again and again.
_BREAK = pattern(
    r"(?:(?<!\s)\s*|(?<=\s)(?!\s))(?:\n|,(?!\d{3}\b|\dk\b)|;|(?<!!)!++(?=\s|$)"
    r"|(?<!\bno)(?<!\bnr)(?:(?<![.])|(?<=\bno[.])|(?<=\bnr[.]))[.]++(?=\s|$)"
    r"|\b(?:and\s+)?then\b|\band\b|&|\+(?!\d)|/(?!\d))\s*"
)

_KEPT = 1024
"""Texts whose words are kept: one clause is looked at from many sides."""
LONG_RANKS = {word: rank for word, rank in RANK_WORDS.items() if word not in ("a", "t")}
COLOURS = {"red": "dh", "black": "cs"}
LONGEST_VALUE = 4
"""Words of one value, such as `the king of hearts`."""


@dataclass(frozen=True)
class Slot:
    """A place behind a verb. It takes values of one of its kinds; `repeats` where it takes any number of them.

    The kinds are `number`, `amount` (a number, but no date: `5th`), `same` (a number said before), `rank`, `suit`, `card`,
    `alike` (a card, of which a rank alone means any), and the room's own lists. In a loose one a rank means any card.
    """

    kinds: tuple[str, ...]
    is_optional: bool = False
    repeats: bool = False
    is_loose: bool = False


@dataclass(frozen=True)
class AtTable:
    """The things that lie on the table beside a move, as its writer sees them.

    - `beside` are, by verb, the words that only repeat what is there anyway: the price of a call, the total one stands on.
    - `cards` are, by verb and place, the cards that a rank alone may mean; the last place stands for all that follow.
    - `values` are what some values stand for here: `most` for a number, a card that lies open for its space.
    """

    beside: Mapping[str, Collection[str]] = field(default_factory=dict)
    cards: Mapping[str, Sequence[Sequence[Card]]] = field(default_factory=dict)
    values: Mapping[str, Value] = field(default_factory=dict)


EMPTY = AtTable()


def fill(
    slots: Sequence[Slot],
    said: Phrase,
    lists: Lists,
    nouns: Collection[str],
    pools: Sequence[Sequence[Card]] = (),
    stands_for: Mapping[str, Value] | None = None,
    longest: int = LONGEST_VALUE,
) -> tuple[Value, ...] | None:
    """The values that words put into slots, in the slots' order; None where they do not fit.

    `longest` is how many words one of the values may have. Raises `MoreThanOne` where a rank may mean several cards of its pool.
    """
    taken: list[list[Value]] = [[] for _ in slots]
    if any("number" in slot.kinds for slot in slots):
        said = tuple(part for each in said for part in each.split(","))
    at = 0
    while at < len(said):
        size = min(longest, len(said) - at)
        while size and not _take(said[at : at + size], slots, taken, lists, pools):
            size -= 1
        if not size and said[at] not in nouns:
            return None
        at += size or 1
    if any(not values and not slot.is_optional for slot, values in zip(slots, taken, strict=True)):
        return None
    found = list(itertools.chain.from_iterable(taken))
    if stands_for:
        found = [stands_for.get(value, value) if isinstance(value, str) else value for value in found]
    return tuple([value for value in found if value != ""])


def _take(
    piece: Phrase, slots: Sequence[Slot], taken: list[list[Value]], lists: Lists, pools: Sequence[Sequence[Card]]
) -> bool:
    """Puts words into the first open slot that takes them as one value; tells whether there is one."""
    word = " ".join(piece)
    before = list(itertools.chain.from_iterable(taken))
    pool = pools[min(len(before), len(pools) - 1)] if pools else ()
    for slot, values in zip(slots, taken, strict=True):
        for kind in slot.kinds if slot.repeats or not values else ():
            value: Value | None
            if kind in ("number", "amount", "same"):
                is_date = kind == "amount" and word[:1].isdigit() and word.endswith(("st", "nd", "rd", "th"))
                value = None if is_date else ROUND_NUMBERS.get(word, number(word))
                if kind == "same":
                    value = "" if value in before else None
            elif kind in ("card", "alike"):
                value = read_card(piece) or _of_rank(word, slot.is_loose or kind == "alike", before, pool)
            else:
                value = lists[kind].get(word)
            if value is not None:
                values.append(value)
                return True
    return False


def _of_rank(word: str, is_any: bool, before: Sequence[Value], pool: Sequence[Card]) -> Card | None:
    """The card of a pool that a rank alone means, or one with a colour (`red ace`)."""
    colour, _, of_colour = word.rpartition(" ")
    suits = COLOURS.get(colour, SUITS if not colour else "")
    rank = LONG_RANKS.get(of_colour)
    found = [card for card in pool if card[0] == rank and card[1] in suits and card not in before] if rank else []
    if len(found) > 1 and not is_any:
        raise MoreThanOne(f"There is more than one {RANK_NAMES[found[0][0]]}: name its suit too.")
    return next(iter(found), None)


def split_line(line: str) -> tuple[str, ...]:
    """The fragments of a line that may each be a command: parted by commas, semicolons, sentence ends, "then", "and"."""
    return tuple(part for part in _BREAK.split(plain(line)) if part)


@functools.lru_cache(maxsize=_KEPT)
def tokens(fragment: str) -> tuple[str, ...]:
    """The folded words, numbers and signs of a fragment, asides in parentheses and smileys left out."""
    text = _HALF.sub("half", _SMILEY.sub(" ", plain(fragment).replace("\u20e3", " ")))
    text = _ASIDE.sub(" ", text) if _WORDY.search(_ASIDE.sub(" ", text)) else text
    text = _A_LOT.sub("much", text)
    text = _ALL_RIGHT.sub("alright", _THANK_YOU.sub("thanks", _YOU.sub("please ", _NUMERO.sub("number ", text))))
    text = _RANKED.sub(lambda found: f"{found[1]} {_ORDINALS.index(found[2]) + 1}", _ONE_OF_THEM.sub(r"the \1", text))
    return tuple(_TOKEN.findall(_THE_ONE.sub("the", _THAT_ONE.sub("it", text))))


@functools.lru_cache(maxsize=_KEPT)
def words(fragment: str) -> tuple[str, ...]:
    """The words of a fragment with politeness and punctuation left out, numbers in digits."""
    found = tokens(fragment)
    if "grand" in found:  # `16 is grand`
        found = tuple(
            each
            for before, each in zip(("", *found), found, strict=False)
            if each != "grand" or before in NUMBERS or before.isdecimal()
        )
    kept = [each for each in found if each not in FILLERS and (each[-1].isalnum() or each[-1] in "?%")]
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
    """A whole unsigned number (`5`, `2,500`, `$2500`, `1.5k`, `#5`, `5th`), else None; `-5` and `12.5` are none."""
    parts = _THOUSANDS.match(word)
    if parts:
        return int(parts[1]) * 1000 + int(parts[2]) * 100
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


def _join_number_words(found: Sequence[str]) -> Iterator[str]:
    """`two thousand five hundred` is `2500`, `2 thousand` is `2000`; `five six` and `500 seven` stay two numbers."""
    total = current = 0
    is_open = is_in_digits = False
    for word in found:
        value = NUMBERS.get(word)
        scale = _SCALES.get(word)
        if scale and is_open and current:
            is_in_digits = False
            if scale == 100:
                current *= scale
            else:
                total, current = total + current * scale, 0
            continue
        if value is not None and is_open and not is_in_digits and _fits_behind(total, current, value):
            current += value
            continue
        if is_open:
            yield str(total + current)
            total = current = 0
        is_in_digits = value is None and word.isdecimal() and len(word) < 4
        is_open = value is not None or is_in_digits
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
