"""Pure: what stands behind a verb. In: its slots, folded words, what lies on the table. Out: values, or that they do not fit.

A row of `words.toml` names its slots (`slots = "amount rank rank"`); `fill` puts each word into the first slot that takes it, so
that their order is free where their kinds differ. What neither fits a slot nor is a noun of the verb makes no command.
"""

import functools
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from host.engine.cards import RANK_NAMES, RANK_WORDS, SUIT_WORDS, Card, read_card
from host.engine.game import Invalid
from host.engine.grammar import number

Phrase = tuple[str, ...]
Value = int | str
Lists = Mapping[str, Mapping[str, Value]]
"""A room's own kinds of values: by name, each word that people write and the value that it is."""

_RANK_OF = RANK_WORDS | {"deuce": "2", "trey": "3"}
_LONG_RANKS = {word: rank for word, rank in RANK_WORDS.items() if word not in ("a", "t")}
_ORDINALS = ("st", "nd", "rd", "th")
_LONGEST_VALUE = 4
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
    """What lies on the table beside a move, as its writer sees it.

    - `beside` are, by verb, the words that only repeat what is there anyway: the price of a call, the total one stands on.
    - `cards` are, by verb and place, the cards that a rank alone may mean; the last place stands for all that follow.
    - `values` are what some values stand for here: `most` for a number, a card that lies open for its space.
    """

    beside: Mapping[str, Collection[str]] = field(default_factory=dict)
    cards: Mapping[str, Sequence[Sequence[Card]]] = field(default_factory=dict)
    values: Mapping[str, Value] = field(default_factory=dict)


EMPTY = AtTable()


@functools.cache
def slots_of(text: str) -> tuple[Slot, ...]:
    """The slots of `number|all side? card+`."""
    return tuple(Slot(tuple(each.rstrip("?+").split("|")), each[-1] == "?", each[-1] == "+") for each in text.split())


def words_of(slots: Sequence[Slot], lists: Lists) -> frozenset[str]:
    """The words, numbers aside, that may stand in slots."""
    by_kind = {"rank": _RANK_OF, "suit": SUIT_WORDS, "card": _LONG_RANKS, "alike": _LONG_RANKS, **lists}
    kinds = {kind for slot in slots for kind in slot.kinds}
    suits = {word for word in SUIT_WORDS if len(word) > 1} if kinds & {"card", "alike"} else set()
    return frozenset(word for kind in kinds for word in by_kind.get(kind, {}) if " " not in word) | suits


def figure(word: str) -> int | None:
    """A whole number, the word hundred or thousand alone among them."""
    return {"hundred": 100, "thousand": 1000}.get(word, number(word))


def fill(
    slots: Sequence[Slot],
    said: Phrase,
    lists: Lists,
    nouns: Collection[str],
    pools: Sequence[Sequence[Card]] = (),
    stands_for: Mapping[str, Value] | None = None,
) -> tuple[Value, ...] | None:
    """The values that words put into slots, in the slots' order; None where they do not fit.

    Raises `Invalid` where a rank may mean more than one card of its pool.
    """
    taken: list[list[Value]] = [[] for _ in slots]
    if any("number" in slot.kinds for slot in slots):
        said = tuple(part for each in said for part in each.split(","))
    at = 0
    while at < len(said):
        sizes = range(min(_LONGEST_VALUE, len(said) - at), 0, -1)
        found = next((size for size in sizes if _take(said[at : at + size], slots, taken, lists, pools)), 0)
        if not found and said[at] not in nouns:
            return None
        at += found or 1
    if any(not values and not slot.is_optional for slot, values in zip(slots, taken, strict=True)):
        return None
    found_values = (value for values in taken for value in values)
    meant = (stands_for.get(value, value) if stands_for and isinstance(value, str) else value for value in found_values)
    return tuple(value for value in meant if value != "")


def _take(
    piece: Phrase, slots: Sequence[Slot], taken: list[list[Value]], lists: Lists, pools: Sequence[Sequence[Card]]
) -> bool:
    """Puts words into the first open slot that takes them as one value; tells whether there is one."""
    for slot, values in zip(slots, taken, strict=True):
        if values and not slot.repeats:
            continue
        before = [value for each in taken for value in each]
        pool = pools[min(len(before), len(pools) - 1)] if pools else ()
        for kind in slot.kinds:
            value = _read(kind, slot.is_loose, piece, before, pool, lists)
            if value is not None:
                values.append(value)
                return True
    return False


def _read(
    kind: str, is_loose: bool, piece: Phrase, before: Sequence[Value], pool: Sequence[Card], lists: Lists
) -> Value | None:
    word = " ".join(piece)
    if kind in ("number", "amount", "same"):
        value = None if kind == "amount" and word[:1].isdigit() and word.endswith(_ORDINALS) else figure(word)
        return ("" if value in before else None) if kind == "same" else value
    if kind in ("card", "alike"):
        return read_card(piece) or _of_rank(word, is_loose or kind == "alike", before, pool)
    return {"rank": _RANK_OF, "suit": SUIT_WORDS, **lists}[kind].get(word)


def _of_rank(word: str, is_any: bool, before: Sequence[Value], pool: Sequence[Card]) -> Card | None:
    """The card of a pool that a rank alone means."""
    found = [card for card in pool if card[0] == _LONG_RANKS.get(word) and card not in before]
    if len(found) > 1 and not is_any:
        raise Invalid(f"There is more than one {RANK_NAMES[found[0][0]]}: name its suit too.")
    return next(iter(found), None)
