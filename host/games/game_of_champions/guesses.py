"""Pure: armies as people write them down. In: a mail, a hand. Out: the deployment that it most likely means.

`Both tens and the 7♥ to the king. Ace: 9, 8. The queen gets the rest.` It is a reading to ask about: what it does not know it
passes over.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from host.engine.card_groups import spelled_out
from host.engine.cards import RANK_WORDS, SUIT_WORDS, Card
from host.engine.words import pattern
from host.games.game_of_champions.state import by_strength, is_face

_RANKS = {word: rank for word, rank in RANK_WORDS.items() if len(word) > 1 or word.isdigit()} | {"lady": "Q"}
_RANK = "|".join(sorted(_RANKS, key=len, reverse=True))
_SUIT = "hearts?|clubs?|diamonds?|spades?"
_COLOURS = {"red": "hd", "black": "cs"}
_NUMBER = "|".join(sorted((word for word, rank in _RANKS.items() if rank not in "AKQJ"), key=len, reverse=True))
_OF_ONE_SUIT = pattern(rf"\b((?:(?:{_NUMBER})(?:,? and|,)?(?: the)? )+(?:{_NUMBER})) of ({_SUIT})\b")
_NOTHING = pattern(r"\b(?:nothing|nobody|none|no|empty|bare|naked|without|home)\b")
_PART = pattern(r"[,.;\n]|\band (?=(?:the )?rest\b)")
_MENTION = pattern(
    r"\b(?P<code>(?:10|[2-9tjqka])[cdhs])\b"
    rf"|\b(?:(?P<before>{_SUIT}|red|black) )?(?P<rank>{_RANK})(?: (?:of )?(?P<suit>{_SUIT}))?\b"
    r"|\b(?P<rest>rest|others|leftovers?|remaining|everything|left|every(?: single| number)* card)\b"
)


class Mention(NamedTuple):
    """What may be meant by a word: `cards` of the hand, none of them for all that are not named."""

    cards: tuple[Card, ...]
    is_commander: bool


def deployment(text: str, hand: Sequence[Card]) -> tuple[Card, ...]:
    """Each commander before its cards; nothing where a mail gives no card to any.

    Cards stand behind their commander or before it, as in the part of the sentence that names one, and in those that follow.
    """
    numbers = by_strength(card for card in hand if not is_face(card))

    def of_suit(found: re.Match[str]) -> str:
        cards = [_RANKS[word] + SUIT_WORDS[found[2]] for word in re.findall(_NUMBER, found[1])]
        return " ".join(cards).casefold() if set(cards) <= set(numbers) else found[0]

    said = _OF_ONE_SUIT.sub(of_suit, spelled_out(text, numbers))
    cards = (*(card for card in hand if is_face(card)), *numbers)
    parts = [list(_mentions(part, cards)) for part in _PART.split(said) if not _NOTHING.search(part)]
    left = dict.fromkeys(numbers)
    by_name = {each.cards[0] for part in parts for each in part if len(each.cards) == 1}
    armies: dict[Card, list[Card]] = {}
    waiting: list[Mention] = []
    commander = of_the_rest = ""
    is_behind = True
    for part in parts:
        if any(each.is_commander for each in part):
            is_behind = part[0].is_commander
            waiting = [] if is_behind and len(part) > 1 else waiting
        for each in part:
            if each.is_commander:
                commander = each.cards[0] if len(each.cards) == 1 else ""
            else:
                waiting.append(each)
            if commander and (is_behind or each.is_commander):
                army = armies.setdefault(commander, [])
                for one in waiting:
                    of_the_rest = of_the_rest if one.cards else commander
                    card = next((card for card in _rather(one.cards, by_name) if card in left), "")
                    army += [card] if card else []
                    left.pop(card, None)
                waiting = []
    if of_the_rest:
        armies[of_the_rest] += left
    return tuple(card for commander, army in armies.items() if army for card in (commander, *army))


def _rather(cards: Sequence[Card], by_name: set[Card]) -> list[Card]:
    """Of cards that a rank means those first that no other word names."""
    return sorted(cards, key=lambda card: len(cards) > 1 and card in by_name)


def _mentions(part: str, hand: Sequence[Card]) -> Iterator[Mention]:
    """The commanders and cards that a part of a sentence names, of those in the hand."""
    for found in _MENTION.finditer(part):
        code, suit = found["code"] or "", found["before"] or found["suit"] or ""
        rank = RANK_WORDS[code[:-1]] if code else _RANKS.get(found["rank"] or "", "")
        suits = code[-1:] or _COLOURS.get(suit) or SUIT_WORDS.get(suit, "cdhs")
        cards = tuple(card for card in hand if card[0] == rank and card[1] in suits)
        if cards or found["rest"]:
            yield Mention(cards, bool(rank) and rank in "AKQJ")
