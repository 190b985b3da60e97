"""Pure: several cards that people name at once. In: a fragment, the cards that may be meant. Out: the same with each by name.

`both tens`, `the three 4s`, `all the hearts`, `the black ones`, `all eleven`.
"""

import re
from collections.abc import Sequence

from host.engine.cards import RANK_PLURALS, SUIT_WORDS, Card
from host.engine.grammar import NUMBERS
from host.engine.words import pattern, plain

_RANKS = {plural: rank for plural, rank in RANK_PLURALS.items() if rank not in "AKQJ"}
_FIGURES = {f"{10 if rank == 'T' else rank}s": rank for rank in "23456789T"}
"""`8s` alone is the eight of spades."""
_COUNTS = {word: number for word, number in NUMBERS.items() if 1 < number < 20}
_MANY = rf"both|all|{'|'.join(_COUNTS)}"
_NUMBER_CARDS = r"(?: (?:numbers|cards|ones))"
_GROUP = pattern(
    rf"\b(?:(?:(?:all|the|my) )?(?P<many>{_MANY})(?: of)?(?: the| my)? )?(?:the |my )?(?P<rank>{'|'.join(_RANKS)})\b"
    rf"|\b(?:(?:all|the|my) )?(?P<so_many>{_MANY})(?: of)?(?: the| my)? (?P<figure>{'|'.join(_FIGURES)})\b"
    rf"|\b(?:(?:all|the|my) )?(?P<how>{_MANY})(?:(?: of)? (?:the|my))? (?P<suit>heart|club|diamond|spade)s?{_NUMBER_CARDS}?\b"
    rf"|\b(?:all )?(?:of )?(?:the |my )?(?P<colour>reds|blacks|(?:red|black){_NUMBER_CARDS})\b"
    rf"|\b(?:all|every)(?: of)?(?: (?:the|my))?(?: (?P<all>{'|'.join(_COUNTS)}))?(?: of them|{_NUMBER_CARDS})?"
    r"(?= (?:to|under|below|with|go|goes|for|behind)\b)"
)
_COLOURS = {"r": "hd", "b": "cs"}


def spelled_out(fragment: str, cards: Sequence[Card]) -> str:
    """The fragment with the number cards that a group means in its place; as it stands where there are not so many."""

    def cards_of(found: re.Match[str]) -> str:
        if found["rank"] or found["figure"]:
            rank = _RANKS.get(found["rank"]) or _FIGURES[found["figure"]]
            meant = [card for card in cards if card[0] == rank]
        elif found["suit"]:
            meant = [card for card in cards if card[1] == SUIT_WORDS[found["suit"]]]
        elif found["colour"]:
            meant = [card for card in cards if card[1] in _COLOURS[found["colour"][0]]]
        else:
            meant = list(cards)
        many = found["many"] or found["so_many"] or found["how"] or found["all"] or "all"
        count = 2 if many == "both" else _COUNTS.get(many, len(meant))
        return " ".join(meant).lower() if meant and count == len(meant) else found[0]

    return _GROUP.sub(cards_of, plain(fragment))
