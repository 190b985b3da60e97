"""Pure: the values that words name. In: words of a clause, what its writer sees. Out: them, as commands have them.

They tell, too, whether words speak of what is asked at all, and which of them are said neither around a move nor for one.
"""

from collections.abc import Sequence

from host.engine.cards import RANK_PLURALS, RANK_WORDS, SUIT_WORDS, read_card
from host.engine.grammar import is_social, is_thankful, number, words
from host.engine.vocabulary import is_idle
from host.engine.words import AT_END, AT_FRONT, FILLERS, frames, pattern
from host.play.seen import Seen

THIS_ONE = pattern(
    r"\b(?:the|that|this|an?)(?: (?!number|space|card|place|spot|box|no)[a-z]+){1,3} one\b"
    r"|\bone of (?:them|these|those|us|you|my)\b"
)
_PLACING = frozenset("row column corner left right".split())
_UNITS = frozenset("seconds minute minutes min hour hours day days week weeks month months year years degrees".split())
"""A number before one of these counts no card, place or chip."""


def is_among_cards(said: Sequence[str], at: int) -> bool:
    """Is it a card beside another (`as` in `as 8h`)?"""
    beside = (*said[max(0, at - 1) : at], *said[at + 1 : at + 2])
    return read_card((said[at],)) is not None and any(read_card((each,)) for each in beside)


def named_cards(said: Sequence[str], seen: Seen) -> str:
    """The command of two cards that are named in its order: `my Ac hits Jh, which is a lonely deuce`; empty for none."""
    cards = [value for value in whole_values_in(" ".join(said), seen) if read_card((value,))]
    found = (seen.parsed(f"{verb} {cards[0]} {cards[1]}") for verb in seen.first_verbs if len(cards) > 1)
    return next(filter(None, found), "")


def bidden(said: Sequence[str], seen: Seen) -> str:
    """The command with which words to the host begin (`you draw the numbers for me`), empty for none."""
    return seen.parsed(" ".join(said[:2])) if said[:1] == ("you",) else ""


def concerns(said: Sequence[str], seen: Seen) -> bool:
    """Do these words speak of what is asked: of a move, or of a value among little else?"""
    some = frames()
    content = [word for word in said if word not in some.passed_over or seen.verb_named(word)]
    is_talked_about = is_idle(" ".join(said)) or is_social(" ".join(said)) or is_thankful(" ".join(said))
    for at, word in enumerate(content):
        is_everyday = word in some.ordinary
        is_praised = at > 0 and content[at - 1] in some.praise
        if seen.move_named(word) and not is_praised and not (is_everyday and (at > 0 or is_talked_about)):
            return True
    values = list(values_in(" ".join(said), seen))
    values += [word for word in said if word in seen.card_words or (seen.takes_cards and word in RANK_PLURALS)]
    places = placing(said, seen)
    values += places
    strange = sum(word not in places and is_strange(word, seen) for word in said)
    return bool(values) and strange < 2 and seen.has_values and not is_talked_about


def placing(said: Sequence[str], seen: Seen) -> list[str]:
    """The words that tell where a place is (`bottom row`), where places are offered."""
    return [word for word in said if word in _PLACING and any(choice.spot for choice in seen.offered)]


def values_in(text: str, seen: Seen) -> tuple[str, ...]:
    """The values that words name, as a command has them: numbers in digits, cards and ranks as their codes."""
    said = words(text)
    found = [value for phrase, value in seen.phrases.items() if phrase in " ".join(said)]
    for at, word in enumerate(said):
        value, card = number(word), read_card((word,))
        if card and word in frames().neutral and not is_among_cards(said, at):
            continue  # `as follows`
        if word.isdigit() and said[at + 1 : at + 2] and said[at + 1] in _UNITS:
            continue
        if value is not None or card or word in seen.words.values:
            meant = RANK_WORDS.get(word) or SUIT_WORDS.get(word) or seen.words.meant_by(word)
            found.append(str(value) if value is not None else card or meant)
    return tuple(each.casefold() for each in found)


def whole_values_in(text: str, seen: Seen) -> tuple[str, ...]:
    """The same, of which a rank and the suit behind it are one card."""
    found: list[str] = []
    for value in values_in(text, seen):
        card = read_card((found[-1], value)) if found and value in SUIT_WORDS else None
        found[-1 if card else len(found) :] = [card.casefold() if card else value]
    return tuple(found)


def in_part(value: str) -> tuple[str, ...]:
    """The rank and the suit of a card, as values that are said; of what is no card nothing."""
    card = read_card((value,))
    return (card[0].casefold().replace("t", "10"), card[1]) if card else ()


def in_their_order(said: Sequence[str], seen: Seen) -> bool:
    """Do words for the first and the last of several values stand beside these?"""
    if (AT_FRONT | AT_END).isdisjoint(said):
        return True
    ranks = [at for at, word in enumerate(said) if word not in SUIT_WORDS and values_in(word, seen)]
    is_first = all(sum(each < at for each in ranks) < 2 for at, word in enumerate(said) if word in AT_FRONT)
    return is_first and all(sum(each > at for each in ranks) < 2 for at, word in enumerate(said) if word in AT_END)


def is_strange(word: str, seen: Seen) -> bool:
    """Is it a word that is said neither around a move nor for one?"""
    is_known = word in FILLERS or word in seen.known or word in seen.names or word in seen.card_words
    return word.isalpha() and not is_known and not seen.verb_named(word)
