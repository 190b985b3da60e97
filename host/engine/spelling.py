"""Pure: slips of the pen. In: words as somebody wrote them, the words that make sense now. Out: what they meant, if plain."""

from collections.abc import Collection, Sequence

from rapidfuzz import process
from rapidfuzz.distance import OSA

from host.engine.words import first_names, ordinary_words

SHORTEST = 3
"""Letters: in a shorter word one slip leaves too little to know it by."""
LONG = 7
"""Letters from which on two slips are one word still."""


_ENDINGS = ("ing", "ed", "er", "ly")
_VOWELS = frozenset("aeiouy")


class Ambiguous(Exception):
    """A slip that may be one of several words: `word`, and `near` them."""

    def __init__(self, word: str, near: Sequence[str]) -> None:
        super().__init__(word)
        self.word = word
        self.near = tuple(near)


def respell(found: Sequence[str], lexicon: Collection[str], known: Collection[str] = ()) -> tuple[str, ...]:
    """The words with each slip put right: what is no word of English or of `known`, and near one word of `lexicon` alone.

    Near is one letter too many, too few, another or two swapped; two of these from `LONG` letters on.
    Raises `Ambiguous` where two words are as near.
    """
    return tuple(_respelt(word, lexicon) if _may_be_slip(word, lexicon, known) else word for word in found)


def _may_be_slip(word: str, lexicon: Collection[str], known: Collection[str]) -> bool:
    is_word = word.isalpha() and len(word) >= SHORTEST
    is_known = any(word in words for words in (lexicon, known, ordinary_words(), first_names()))
    return is_word and not is_known and not _is_formed(word)


def _is_formed(word: str) -> bool:
    """Is it a common word with an ending (`trailing`)?"""
    return any(word.endswith(each) and word.removesuffix(each) in ordinary_words() for each in _ENDINGS)


def _respelt(word: str, lexicon: Collection[str]) -> str:
    most = 2 if len(word) >= LONG else 1
    found = process.extract(word, lexicon, scorer=OSA.distance, score_cutoff=most, limit=8)
    near = {str(each): int(slips) for each, slips, _ in found if len(each) >= SHORTEST}
    if not near:
        return word
    best = sorted(each for each, slips in near.items() if slips == min(near.values()))
    best = [each for each in best if sorted(each) == sorted(word)] or best
    if not all(each.startswith(best[0]) for each in best):
        raise Ambiguous(word, best)
    return best[0]


def _in_full(word: str, lexicons: Sequence[frozenset[str]]) -> str:
    """`chk` as `check`: a word without vowels as the one word that has its letters in their order, and no other consonant."""
    if not _VOWELS.isdisjoint(word) or not word.isalpha() or len(word) < SHORTEST:
        return ""
    for lexicon in lexicons:
        found = [
            each for each in lexicon if each[:1] == word[0] and len(each) > len(word) and _is_short_for(word, each)
        ]
        if found:
            return found[0] if len(found) == 1 else ""
    return ""


def _is_short_for(word: str, whole: str) -> bool:
    left = iter(whole)
    return all(letter in left for letter in word) and set(whole) - _VOWELS == set(word)


def put_right(word: str, lexicons: Sequence[frozenset[str]], known: Collection[str]) -> str:
    """A word put right by the first of `lexicons` that has one word near it; as it is where none has."""
    folded = word.casefold()
    if any(not _may_be_slip(folded, lexicon, known) for lexicon in lexicons):
        return word
    if whole := _in_full(folded, lexicons):
        return whole
    pairs = range(len(folded) - 1)  # two letters side by side, in the other order
    forms = {folded[:at] + folded[at + 1] + folded[at] + folded[at + 2 :] for at in pairs} - {folded}
    swapped = {each for each in forms if any(each in lexicon for lexicon in lexicons)}
    if len(swapped) == 1:
        return swapped.pop()
    for lexicon in lexicons:
        try:
            (right,) = respell((folded,), lexicon, known)
        except Ambiguous:
            return word
        if right != folded:
            return right
    return word
