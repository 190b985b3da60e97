"""Pure: armies, turns and orders as people write them down. In: a mail, cards. Out: the commands that it most likely means.

`Both tens and the 7♥ to the king. Ace: 9, 8. The queen gets the rest.` They are readings to ask about: what they do not know they
pass over.
"""

import functools
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from host.engine.card_groups import spelled_out
from host.engine.cards import RANK_WORDS, SUIT_WORDS, Card
from host.engine.grammar import tokens
from host.engine.vocabulary import Command
from host.engine.words import AT_END, AT_FRONT, FILLERS, frames, pattern, plain
from host.games.game_of_champions.state import Battalion, by_strength, is_face

_RANKS = {word: rank for word, rank in RANK_WORDS.items() if len(word) > 1 or word.isdigit()} | {"lady": "Q"}
_RANK = "|".join(sorted(_RANKS, key=len, reverse=True))
_SUIT = "hearts?|clubs?|diamonds?|spades?"
_COLOURS = {"red": "hd", "black": "cs"}
_NUMBER = "|".join(sorted((word for word, rank in _RANKS.items() if rank not in "AKQJ"), key=len, reverse=True))
_OF_ONE_SUIT = pattern(rf"\b((?:(?:{_NUMBER})(?:,? and|,)?(?: the)? )+(?:{_NUMBER})) of ({_SUIT})\b")
_NOTHING = pattern(r"\b(?:nothing|nobody|none|no|empty|bare|naked|without|home)\b")
_GIVING = frozenset(
    """get gets give gives take takes lead leads command commands lady spy general cavalry medic both all each every single pair
    two three four little small low high big strong hers under behind over join joins receive receives march marches plus also for
    ones""".split()
)
_MOVING = frozenset(
    """attack attacks go goes at after against hit hits strike strikes charge charges fight fights ride rides versus vs swap swaps
    switch exchange exchanges trade trades new fresh move moves shift bring brings hand hands send sends first finally bare empty
    lonely poor straight again out same in back""".split()
)
"""Words of an army, and of a turn; with another one cards are told of."""
_LATER = frozenset("rock paper scissors stone continue stop order".split())
"""What may be said ahead, and is no part of an army or a turn."""
A_CARD = pattern(r"\ba (?:10|[2-9t])[cdhs]?\b")
"""It may be an article, or an ace with its card."""
_LETTER = pattern(r"\b[kqj]\b")
"""A commander by a letter alone."""
_PART = pattern(r"[,.;\n]|\band (?=(?:the )?rest\b)")
_STEP = pattern(
    r"[.;!?\n]+(?:\s|$)|(?:, *|\band )?then\b|\bafter (?:that|which|this)\b|\bfinally\b"
    r"|(?:,|\band) (?=(?:he|she|they|(?:my|the) \w+ (?!of\b|and\b)\w+s|fortif\w+|hold|draw|attack\w*)\b)"
)
"""Between the steps of a turn."""
_SPYING = pattern(r"\b(?:spy|spies|swap\w*|switch\w*|exchang\w+)\b")
_TRADING = pattern(
    r"\btrad(?:e|es|ing)\b|\b(?:new|fresh|another|better) card\b|\b(?:turn|swap|hand|give)\w* (?:\w+ ){1,3}in\b|\bgoes in\b"
)
_ATTACKING = pattern(
    r"\b(?:attack|hit|strike|charge|fight|march|storm)\w*\b|\b(?:goes|go|going|rides?|after|straight) (?:for|after|at|against)\b"
    r"|\b(?:against|takes? on|versus|vs)\b"
)
_FORTIFYING = pattern(r"\bfortif\w+|\bdig in\b|\b(?:draw|take)\w* (?:a|another|one more)\b")
_HOLDING = pattern(r"\bhold\b(?! on\b)|\bwait\b(?! for\b)")
_ALL_TO = pattern(r"\ball(?= (?:to|under|over|onto)\b)")
_CODE = pattern(r"\b(?:10|[2-9t])[cdhs]\b")
_THEIRS = pattern(r"\b(?:his|her|their|theirs|your|enemy|opponent'?s?|\w+'s)(?: \w+){0,2} $")
_OURS = pattern(r"\b(?:my|mine|our)(?: \w+){0,2} $")
_WITH = pattern(r"\b(?:with|using) (?:the |an? )?$")
"""Whoever fights with a commander has it: `attack the king with the ace`."""
LONGEST_OWNER = 60
"""Characters before a card in which it is said whose it is."""
_IN_A_ROW = pattern(r"[,.;:!?\n()]|\band\b|\bthen\b|\bafter\b")
_SMALL, _BIG = (
    pattern(rf"\b(?:{words})(?:e?st)? (?:one|card|guy|fellow)\b")
    for words in ("small|little|low|weak", "big|high|strong|large")
)
_UPWARD = pattern(r"\b(?:low|small|weak)\w* to\b|\bupwards?\b")
_MENTION = pattern(
    r"\b(?P<code>(?:10|[2-9tjqka])[cdhs])\b"
    rf"|\b(?:(?P<before>{_SUIT}|red|black) )?(?P<rank>{_RANK})\b(?! of (?:my|the|them)\b)(?: (?:of )?(?P<suit>{_SUIT}))?\b"
    r"|\b(?P<rest>rest|others|leftovers?|remaining|everything|left|every(?: single| number)* card)\b"
)


class Mention(NamedTuple):
    """What may be meant by a word: `cards` of the hand, none of them for all that are not named."""

    cards: tuple[Card, ...]
    is_commander: bool
    whose: str = ""


def deployment(text: str, hand: Sequence[Card]) -> tuple[Card, ...]:
    """Each commander before its cards; nothing where a mail gives no card to any.

    Cards stand behind their commander or before it, as in the part of the sentence that names one, and in those that follow.
    """
    numbers = by_strength(card for card in hand if not is_face(card))
    parts = [named for _, named in _named_in_parts(text, hand)]
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


def gives_each_once(text: str, hand: Sequence[Card]) -> bool:
    """Does a mail give each number card of the hand once, to commanders that it names once, and doubt nothing?

    What is left may go to one of several commanders, who stands beside it.
    """
    parts = _named_in_parts(text, hand)
    is_more = not _LATER.isdisjoint(tokens(plain(text))) or _LETTER.search(plain(text)) or A_CARD.search(plain(text))
    if "?" in text or is_more or any(_is_doubted(part, named) for part, named in parts):
        return False
    army, leader = dict[Card, Card](), ""
    for card in deployment(text, hand):
        leader = card if is_face(card) else leader
        army[card] = leader
    mentions = [each for _, named in parts for each in named]
    given = [each.cards for each in mentions if not each.is_commander and each.cards]
    single = [cards[0] for cards in given if len(cards) == 1]
    for cards in {each for each in given if len(each) > 1}:  # `4 4 4` for the three that there are
        some = [card for card in cards if card not in single]
        if given.count(cards) != len(some) or len({army.get(card) for card in some}) != 1:
            return False
    leaders = sorted(each.cards for each in mentions if each.is_commander)
    rests = [named for _, named in parts for each in named if not each.cards]
    is_all = not rests and len(given) == sum(not is_face(card) for card in hand)
    is_all = is_all or (len(rests) == 1 < len(leaders) and any(each.is_commander for each in rests[0]))
    return is_all and len(set(single)) == len(single) and leaders == sorted((card,) for card in set(army.values()))


def _named_in_parts(text: str, hand: Sequence[Card]) -> list[tuple[str, list[Mention]]]:
    """Each part of a mail that gives something, with the commanders and cards of the hand that it names."""
    numbers = by_strength(card for card in hand if not is_face(card))
    cards = (*(card for card in hand if is_face(card)), *numbers)
    parts = (part for part in _PART.split(_spelled_out(text, numbers, numbers)) if not _NOTHING.search(part))
    return [(part, list(_mentions(part, cards))) for part in parts]


def _is_doubted(part: str, named: Sequence[Mention]) -> bool:
    """Is a part of a sentence a doubt, or does it tell of cards that are not given, or of somebody else's?"""
    said = [word for word in tokens(_MENTION.sub(" ", part)) if word[0].isalpha()]
    owners = {word for word in said if word.endswith("'s") and word.removesuffix("'s") not in frames().others}
    is_told = bool(named) and not _said_of_cards().union(owners).issuperset(said)
    return is_told or not frames().uncertain.isdisjoint(said)


@functools.cache
def _said_of_cards() -> frozenset[str]:
    """The words beside cards that are given, or moved."""
    return (FILLERS | frames().neutral | frames().nouns | _GIVING | _MOVING) - {"is", "are"}


def _spelled_out(text: str, own: Sequence[Card], numbers: Sequence[Card]) -> str:
    """The text with each card that a group means: `both tens` of one's own, `the 4 and 9 of clubs` among all the numbers."""

    def each(found: re.Match[str]) -> str:
        cards = [_RANKS[word] + SUIT_WORDS[found[2]] for word in re.findall(_NUMBER, found[1])]
        return " ".join(cards).casefold() if set(cards) <= set(numbers) else found[0]

    return _OF_ONE_SUIT.sub(each, spelled_out(text, own))


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
            before = part[max(0, found.start() - LONGEST_OWNER) : found.start()]
            leads = bool(rank) and rank in "AKQJ"
            is_ours = _OURS.search(before) or (leads and _WITH.search(before))
            yield Mention(cards, leads, "theirs" if _THEIRS.search(before) else "ours" if is_ours else "")


def turn(
    text: str, army: Sequence[Battalion], enemy: Sequence[Battalion], drawn: Card = ""
) -> tuple[tuple[Command, ...], bool]:
    """The steps of a turn, by whose the cards are that each names: two commanders fight, two cards of theirs change places.

    `drawn` is the card that waits for its place, if one does. The second value tells whether each step uses all that it
    names, and nothing is doubted, or said behind a hold.
    """
    ours, theirs = [each.commander for each in army], [each.commander for each in enemy if each.cards]
    bare = [each.commander for each in army if not each.cards]
    own, others = ([card for each in side for card in each.cards] for side in (army, enemy))
    found, last, traded, ending = list[Command](), "", "", ""
    is_plain = "?" not in text and _LATER.isdisjoint(tokens(plain(text)))
    for step in _STEP.split(_spelled_out(_ALL_TO.sub(" ", plain(text)), own, [*own, *others])):
        named = list(_mentions(step, (*ours, *theirs, *own, *others)))
        leaders, moved = _all_of(named, ours, "theirs"), _all_of(named, own, "theirs")
        swapped = _all_of(named, others, "ours")
        traded = next(iter(_all_of(named, bare, "theirs")), traded)
        attacker, target = _fighters(named, ours, theirs, last)
        last = next(reversed(leaders), last)
        if "general" in step and not leaders:
            leaders = [card for card in ours if card[0] == "K"][:1]
        is_plain = is_plain and not (_is_doubted(step, named) or (named and ending))
        if _TRADING.search(step) and traded:
            found.append(Command("trade", (traded,)))
        elif _SPYING.search(step) and len(swapped) == 2:
            found.append(Command("spy", tuple(swapped)))
        elif _ATTACKING.search(step) and attacker and target:
            found.append(Command("attack", (attacker, target)))
        elif drawn and leaders and not found:
            found.append(Command("place", tuple(leaders[-1:])))
        elif moved and leaders:
            found.append(Command("general", tuple(one for card in moved for one in (card, leaders[-1]))))
        elif _FORTIFYING.search(step) or _HOLDING.search(step):
            ending = "fortify" if _FORTIFYING.search(step) else "hold"
            continue
        elif named or any(each.search(step) for each in (_ATTACKING, _TRADING, _SPYING)):
            is_plain = False
        is_plain = is_plain and (not named or len(named) == len({*found[-1].values} if found else ()))
        ending = "" if named else ending
    attacks = [at for at, each in enumerate(found) if each.verb == "attack"]
    if attacks:  # it ends the turn
        return tuple(found[: attacks[0] + 1]), is_plain and len(found) == attacks[0] + 1 and not ending
    return (*found, *([Command(ending)] if found and ending else ())), is_plain


def _fighters(named: Sequence[Mention], ours: Sequence[Card], theirs: Sequence[Card], last: Card) -> tuple[Card, Card]:
    """Who attacks whom among what a step names; `last` attacks where it names nobody of ours.

    Who is named first attacks, unless it is said whose one of them is (`the ace attacks the king`, `her king with my ace`).
    """
    for at, each in enumerate(named):
        attacker = _only(each, ours, "theirs")
        others = (*named[at + 1 :], *(one for one in named[:at] if each.whose == "ours" or one.whose == "theirs"))
        target = next(iter(_all_of(others, theirs, "ours")), "")
        if attacker and target:
            return attacker, target
    return last, next(iter(_all_of(named, theirs, "ours")), "")


def _all_of(named: Sequence[Mention], cards: Sequence[Card], never: str = "nobody") -> list[Card]:
    """Those of these cards that mentions mean, each mention one."""
    return [card for each in named if (card := _only(each, cards, never))]


def _only(mention: Mention, cards: Sequence[Card], never: str) -> Card:
    """The one of these cards that a mention means, empty where it means none, may mean more, or is of the side `never`."""
    meant = [card for card in cards if card in mention.cards]
    return meant[0] if len(meant) == 1 and mention.whose != never else ""


def order(text: str, cards: Sequence[Card]) -> tuple[Card, ...]:
    """All cards of a battalion in the order in which a mail names them, each once; nothing where it leaves out some.

    Of two it may say of one only that it is the first, or the last.
    """
    front, back, left = list[Card](), list[Card](), by_strength(cards)
    codes = tuple(RANK_WORDS[code[:-1]] + code[-1] for code in _CODE.findall(plain(text)))
    if sorted(codes) == sorted(cards):
        return codes
    said = _spelled_out(text, left, left)
    for part in _IN_A_ROW.split(said):
        named = list(_mentions(part, left))
        found = _all_of(named, left)
        if any(not each.cards for each in named):
            found += by_strength((card for card in left if card not in found), not _UPWARD.search(said))
        if not named:
            suits = [card for card in left if any(SUIT_WORDS.get(word) == card[1] for word in part.split())]
            ends = left[-1:] if _SMALL.search(part) else left[:1] if _BIG.search(part) else []
            found = suits if len(suits) == 1 else ends
        (front if AT_END.isdisjoint(re.findall(r"\w+", part)) else back).extend(dict.fromkeys(found))
        left = [card for card in left if card not in found]
    if len(cards) == 2 and len(front) + len(back) == 1 and not (AT_FRONT | AT_END).isdisjoint(re.findall(r"\w+", said)):
        front, left = [*front, *left], []
    return (*front, *back) if not left and len(front) + len(back) == len(cards) else ()
