"""Pure: playing cards: their codes and names, what people write for them, decks, totals to 21.

A card is a string of two characters, rank then suit (`Td` is the ten of diamonds).
"""

from collections.abc import Collection, Sequence

from host.engine.words import pattern

Card = str

RANKS = "23456789TJQKA"
SUITS = "cdhs"
DECK: tuple[Card, ...] = tuple(rank + suit for suit in SUITS for rank in RANKS)

JOKERS: tuple[Card, ...] = ("Xr", "Xb")
DECK_WITH_JOKERS: tuple[Card, ...] = (*DECK, *JOKERS)

SUIT_GLYPHS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
SUIT_NAMES = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}
RANK_NAMES = dict(zip(RANKS, "two three four five six seven eight nine ten jack queen king ace".split(), strict=True))
RANK_WORDS = (
    {name: rank for rank, name in RANK_NAMES.items()}
    | {"10": "T", "deuce": "2", "trey": "3"}
    | {rank.lower(): rank for rank in RANKS}
)
RANK_PLURALS = {f"{name}{'es' if name == 'six' else 's'}": rank for rank, name in RANK_NAMES.items()}
"""`sixes`, `aces`."""
SUIT_WORDS = {word: suit for suit, name in SUIT_NAMES.items() for word in (suit, name, name.removesuffix("s"))}
_ONE_OF_A_SUIT = frozenset(name.removesuffix("s") for name in SUIT_NAMES.values())
"""`Club four`; behind `clubs` several may follow."""


_CODE = r"(?:10|[2-9tT])"
_ACE = pattern(
    r"(?<![\w'’])A(?![\w'’]|\s*[♣♧♦♢♥♡❤♠♤])"  # as in `A: 9c 8c`, `A 9c 8c`, `A, J 4s`, `A J`, `A with K`
    rf"(?=\s*[:=>)–—-]+\s*{_CODE}|\s*:\s*$|\s*[,;]|\s+{_CODE}(?:[cdhs]\b|[♣♧♦♢♥♡❤♠♤]|\s*(?:$|[,;.]|\s\d))"
    r"|\s+(?:[JQK]\b|to\b|with\b|on\b|against\b|under\b|and\b|from\b))"
    rf"|(?:(?<=[,;])|^)(\s*)a(?=\s*[:=]\s*{_CODE}|\s+{_CODE}(?:[cdhs]\b|[♣♧♦♢♥♡❤♠♤]))"
)
_THE_ACE = pattern(
    r"\b((?:his|her|the|my|your|their|'s|’s|on|onto|to|against|under|with|place|attack|trade|spy) )A(?![\w'’]|\s*[♣♧♦♢♥♡❤♠♤])"
    r"(?!\s+(?!(?:and|with|to|on|against|under|from|then|using|please|first|now)\b)[a-z]{2})"
)
_OTHER = pattern(r"(?i)\d|\b(?:[jqk]|jack|queen|king|ten)s?\b")


def words_for(card: Card) -> frozenset[str]:
    """The words, folded, in which people name a card: `queen`, `hearts`, `qh`; a joker is a joker."""
    if card[1:] not in SUIT_NAMES:
        return frozenset({"joker", "wild"})
    rank, suit = ("10" if card[0] == "T" else card[0].lower()), card[1]
    name = SUIT_NAMES[suit]
    return frozenset(
        {f"{rank}{suit}", card.lower(), RANK_NAMES[card[0]], name, name[:-1]} | ({rank} if rank != "a" else set())
    )


def without_card(found: Sequence[str], card: Card) -> tuple[str, ...]:
    """Folded words without the first mention of a card: its code, or its rank and, right behind it, its suit."""
    known = words_for(card)
    suits = {SUIT_NAMES[card[1]], SUIT_NAMES[card[1]][:-1]} if card[1:] in SUIT_NAMES else set()
    for at, word in enumerate(found):
        if word in known - suits:
            after = at + 1
            while after < len(found) and found[after] in ("of", "the"):
                after += 1
            is_named = after < len(found) and found[after] in suits
            is_other = after < len(found) and found[after] in SUIT_WORDS and not is_named and len(word) > 2
            if not is_other:
                return (*found[:at], *found[after + 1 if is_named else at + 1 :])
    return tuple(found)


def cut(deck: Sequence[Card], count: int) -> tuple[Card, ...]:
    """The top `count` cards go, in order, to the bottom."""
    return (*deck[count:], *deck[:count])


def total(hand: Sequence[Card]) -> int:
    """The best total that does not bust, else the lowest: an ace is 11 unless that goes over 21."""
    points = sum(1 if card[0] == "A" else 10 if card[0] in "TJQK" else int(card[0]) for card in hand)
    return points + 10 if points <= 11 and any(card[0] == "A" for card in hand) else points


def made_up(count: int, known: Collection[Card]) -> tuple[Card, ...]:
    """`count` cards that stand for others face down: the lowest that are not `known`, and known ones where these run out."""
    low_first = [rank + suit for rank in RANKS for suit in SUITS]
    return tuple(sorted(low_first, key=lambda card: card in known)[:count])


def is_ten(card: Card) -> bool:
    """Does this card count ten?"""
    return card[0] in "TJQK"


def is_blackjack(hand: Sequence[Card]) -> bool:
    """An ace and a card that counts ten, and nothing else."""
    return len(hand) == 2 and any(card[0] == "A" for card in hand) and any(is_ten(card) for card in hand)


def face(card: Card) -> str:
    """How a card is shown: rank and suit sign, `10♦`. The variation selector keeps mail programs from drawing an emoji."""
    if card[1:] not in SUIT_NAMES:
        return "Joker"
    return f"{'10' if card[0] == 'T' else card[0]}{SUIT_GLYPHS[card[1]]}\ufe0e"


def name(card: Card) -> str:
    """How a card is said: `ten of diamonds`."""
    if card[1:] not in SUIT_NAMES:
        return "joker"
    return f"{RANK_NAMES[card[0]]} of {SUIT_NAMES[card[1]]}"


_OF_HEARTS = pattern(r"(?<=[^\s.!?] )Ah(?=[ .]*$)")
"""The card at the end of a line, where nobody sighs: `Kh, sorry, Ah`."""


def aces_named(text: str) -> str:
    """A text with `ace` for each `A` that is one: behind `the`, `his` or `on`, or with other cards, as in `A: 9c 8c`.

    An article has a noun behind it; an initial at the end is a signature.
    """
    return "\n".join(_with_aces(line) for line in text.split("\n"))


def _with_aces(line: str) -> str:
    line = _THE_ACE.sub(r"\1ace", _OF_HEARTS.sub("ace of hearts", line))
    return _ACE.sub(lambda found: f"{found[1] or ''}ace", line) if _OTHER.search(line) else line


def read_card(words: Sequence[str]) -> Card | None:
    """The card that folded words name (`10d`, `10`+`diamonds`, `ten of diamonds`, `diamond four`), or None."""
    parts = [word for word in words if word != "of"]
    if len(parts) == 1 and len(parts[0]) in (2, 3):
        parts = [parts[0][:-1], parts[0][-1]]
    if len(parts) != 2:
        return None
    is_one = parts[0] in _ONE_OF_A_SUIT and (parts[1].isdigit() or len(parts[1]) > 2)
    if len(words) == 2 and (is_one or (parts[0] in SUIT_WORDS and parts[1] in ("jack", "queen", "king", "ace"))):
        parts.reverse()
    rank, suit = RANK_WORDS.get(parts[0]), SUIT_WORDS.get(parts[1])
    return rank + suit if rank and suit else None


def read_cards(words: Sequence[str]) -> tuple[Card, ...] | None:
    """The cards that folded words list (`kh 9c`, `king of hearts 9 of clubs`), or None where anything else is among them."""
    cards: list[Card] = []
    rest = [word for word in words if word != "of"]
    while rest:
        card, used = read_card(rest[:1]), 1
        if card is None:
            card, used = read_card(rest[:2]), 2
        if card is None:
            return None
        cards.append(card)
        rest = rest[used:]
    return tuple(cards)
