"""Pure: cards mentioned in a sentence. By whose cards they are, they tell the move that its writer means.

Each card lies in one place, so a sentence that mentions a commander of mine and one of theirs is an attack, however it is worded;
two numbers of theirs are the spy's, a number and a commander of mine are the general's. Every other word has to be one that is
said around a move.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from host.engine.cards import RANK_NAMES, RANK_WORDS, SUIT_WORDS, Card, read_card
from host.engine.frames import frames
from host.engine.grammar import FILLERS, tokens
from host.engine.lazy import pattern
from host.engine.word_files import table
from host.games.game_of_champions.state import State, fighting, is_face, other, strength

RANK_OF = {word: rank for word, rank in RANK_WORDS.items() if word not in ("a", "t")}
PLURALS = {f"{name}{'es' if name == 'six' else 's'}": rank for rank, name in RANK_NAMES.items()} | {
    f"{figure}{end}": rank for figure, rank in RANK_OF.items() if figure.isdigit() for end in ("s", "'s")
}
ROLES = {"general": "K", "spy": "A", "medic": "Q", "cavalry": "J"}
_SUIT_OF = {word: suit for word, suit in SUIT_WORDS.items() if len(word) > 1}
_COLOURS = {"red": "dh", "black": "cs"}
_MINE = frozenset("my mine our own".split())
_THEIRS = frozenset("his her their theirs your opponent's opponents enemy enemy's enemies".split())
_ALL = frozenset("all everything lot".split())
_REST = frozenset("rest else remainder remaining remains left others".split())
_NONE = frozenset("nothing none bare empty nobody".split())
_COUNTS = frozenset("both two 2 pair three 3 four 4 all eight 8 thirteen 13".split())
_TO = frozenset("to under beneath below behind onto into on with for - -> → > =>".split())
_POINTING = frozenset("the my to under beneath below behind onto on with gets get takes for".split())
"""One of these shows that a commander is meant, and no name."""
_AGAINST = frozenset("takes attacks vs versus hits charges against beats fights".split())
_BY = frozenset("by with using from".split())
_FIRST = frozenset("first front lead leads leading start starts open opens begin begins".split())
_LAST = frozenset("last rear end finally behind finish finishes closes".split())
_PARTING = frozenset(",;.:")
_SIGNS = frozenset(".,;:!-–—→>=+&()*/\n") | {"->", "=>"}
_PARTS = _PARTING - {":"} | {"and", "then"}
_HIGH = frozenset("high highest strongest biggest best largest".split())
_LOW = frozenset("low lowest weakest smallest worst".split())
_SORTED = pattern(
    r"(?:from |go |going |in order )*(?:the )?(?P<first>\w+)(?: (?:one|card|cards))?(?: first"
    r"| to (?:the )?\w+| down| up|,? then .*)*\W*"
)


@cache
def _around() -> frozenset[str]:
    """The words that are said around a move, whose cards they are aside."""
    said = frozenset(table("host.games.game_of_champions", "words.toml")["around"].split())
    return (frames().neutral | FILLERS | said) - _MINE - _THEIRS


@dataclass(frozen=True)
class Mention:
    """Cards that words may name, and where: `before` are the words since the mention before it.

    It is plural where all of them are meant, exact where a suit stands with the rank; `role` is `spy`, `general`, … , `all`
    or `rest`.
    """

    cards: tuple[Card, ...]
    is_plural: bool = False
    role: str = ""
    before: tuple[str, ...] = ()
    at: int = 0
    is_exact: bool = False


def mentions(
    said: Sequence[str], own: frozenset[Card], theirs: frozenset[Card] = frozenset()
) -> tuple[Mention, ...] | None:
    """The cards that folded words mention; None where a word is left that is said around no move."""
    found: list[Mention] = []
    at = 0
    before: list[str] = []
    while at < len(said):
        card, used = _one(said[at:])
        if card and card in own | theirs:
            found.append(Mention((card,), before=tuple(before), at=at, is_exact=True))
        elif (many := _many(said, at, own, theirs)) is not None:
            cards, used, is_plural, role = many
            if not cards and role not in ("rest", "all"):
                return None
            found.append(Mention(cards, is_plural, role, tuple(before), at))
        else:
            word = said[at]
            is_known = any(word in each for each in (_around(), _MINE, _THEIRS, _SIGNS, _COUNTS, _NONE, _TO))
            is_of_nothing = word in _NONE and said[max(0, at - 1)] == "of"
            if is_of_nothing or not (is_known or word.endswith("'s")):
                return None
            before.append(word)
            at += 1
            continue
        before = []
        at += used
    return tuple(found)


def _one(said: Sequence[str]) -> tuple[Card | None, int]:
    """The card that is named with its suit at the beginning of these words, and how many words that takes."""
    for size in (1, 2, 3):
        part = said[:size]
        if size == 3 and part[1:2] != ("of",) and part[1:2] != ["of"]:
            continue
        card = read_card(tuple(part)) if len(part) == size else None
        if card and (size > 1 or not part[0].isalpha() or part[0][0] in "akqjt"):
            return card, size
    if len(said) > 3 and said[1] == "of" and said[2] in ("the", "my", "his"):
        return read_card((said[0], said[3])), 4
    return None, 0


def _many(
    said: Sequence[str], at: int, own: frozenset[Card], theirs: frozenset[Card]
) -> tuple[tuple[Card, ...], int, bool, str] | None:
    """The cards that a word names without a suit: by rank, by role, by suit, or all of them."""
    word = said[at]
    before = said[max(0, at - 3) : at]
    pool = own | theirs
    if not _MINE.isdisjoint(before[-2:]):
        pool = own
    elif not _THEIRS.isdisjoint(before[-2:]) or (before and before[-1].endswith("'s")):
        pool = theirs
    after = said[at + 1] if at + 1 < len(said) else ""
    if word in _REST or (word in _ALL and after in _REST):
        return (), 1 + (word in _ALL), True, "rest"
    if word in _ALL and after not in ("the", "my", "red", "black") and after not in PLURALS and after not in _SUIT_OF:
        return (), 1, True, "all"
    if word in ROLES:
        return tuple(card for card in pool if card[0] == ROLES[word]), 1, False, word
    colour = _COLOURS.get(word)
    if colour and at + 1 < len(said) and said[at + 1] in RANK_OF:
        return tuple(card for card in pool if card[0] == RANK_OF[said[at + 1]] and card[1] in colour), 2, False, ""
    if colour and at + 1 < len(said) and said[at + 1] in ("cards", "ones", "numbers", "number"):
        return _numbers(pool, lambda card: card[1] in colour), 2, True, ""
    if word in _SUIT_OF and word.endswith("s"):
        return _numbers(pool, lambda card: card[1] == _SUIT_OF[word]), 1, True, ""
    is_counted = not {"both", "two", "2", "pair"}.isdisjoint(before)
    if word in PLURALS or (word in RANK_OF and is_counted and before[-1:] != ("of",) and word not in ("2", "two")):
        rank = PLURALS.get(word) or RANK_OF[word]
        return _ranked(card for card in pool if card[0] == rank), 1, True, ""
    if word in RANK_OF and not _is_count(said, at):
        return _ranked(card for card in pool if card[0] == RANK_OF[word]), 1, False, ""
    return None


def _is_count(said: Sequence[str], at: int) -> bool:
    """`the two sixes`, `all eight of them`: a number that counts what stands behind it."""
    after = said[at + 1] if at + 1 < len(said) else ""
    return after in PLURALS or (at > 0 and said[at - 1] == "all") or after in ("cards", "others", "remaining")


def _numbers(pool: frozenset[Card], fits: Callable[[Card], bool]) -> tuple[Card, ...]:
    return _ranked(card for card in pool if not is_face(card) and fits(card))


def _ranked(cards: Iterable[Card]) -> tuple[Card, ...]:
    """The strongest first; of one rank spades, hearts, diamonds, clubs."""
    return tuple(sorted(cards, key=lambda card: (0 if is_face(card) else strength(card), card[1]), reverse=True))


def moved(fragment: str, state: State, seat: int) -> tuple[str, tuple[Card, ...]] | None:
    """The verb and the cards of a turn's move: an attack, the general's, the spy's; None where the mentions are none of these."""
    mine, theirs = _cards_of(state, seat), _cards_of(state, other(seat))
    said = tokens(fragment)
    found = mentions(said, mine, theirs)
    is_sentence = not (_POINTING | _MINE | _THEIRS | _AGAINST).isdisjoint(said) or all(
        each.is_exact for each in found or ()
    )
    if not found or len(found) > 7 or not is_sentence:
        return None
    numbers = [each for each in found if not each.role and all(not is_face(card) for card in each.cards)]
    faces = [each for each in found if each not in numbers]
    if not numbers:
        is_turned = len(faces) == 2 and not _BY.isdisjoint(faces[1].before)
        first, second = (faces[1], faces[0]) if is_turned else (faces[0], faces[-1])
        return _attack(first, second, mine, theirs) if len(faces) == 2 else None
    cards = [each.cards[0] for each in numbers if len(each.cards) == 1]
    if len(cards) != len(numbers):
        owned = [_by_owner(each, theirs) for each in numbers]
        if any(len(each) != 1 for each in owned):
            return None
        cards = [each[0] for each in owned]
    if (
        len(cards) == 2
        and set(cards) <= theirs
        and all(each.role == "spy" or each.cards[0][0] == "A" for each in faces)
    ):
        return "spy", tuple(cards)
    others = [each for each in faces if each.role != "general"]
    if set(cards) <= mine and len(others) == 1 and len(_by_owner(others[0], mine)) == 1:
        commander = _by_owner(others[0], mine)[0]
        return "general", tuple(each for card in cards for each in (card, commander))
    return None


def _attack(
    one: Mention, another: Mention, mine: frozenset[Card], theirs: frozenset[Card]
) -> tuple[str, tuple[Card, ...]] | None:
    for a, b in ((one, another), (another, one)):
        pairs = [(first, second) for first in _by_owner(a, mine) for second in _by_owner(b, theirs)]
        if pairs:
            return ("attack", pairs[0]) if len(pairs) == 1 else None
    return None


def _by_owner(mention: Mention, owned: frozenset[Card]) -> tuple[Card, ...]:
    return tuple(card for card in mention.cards if card in owned)


def _cards_of(state: State, seat: int) -> frozenset[Card]:
    return frozenset(card for each in state.army[seat] for card in (each.commander, *each.cards))


def placed(fragment: str, state: State, seat: int) -> Card | None:
    """The commander that gets the drawn card: the only one that is mentioned. `Jack` alone is a name."""
    said = tokens(fragment)
    if _POINTING.isdisjoint(said) or "in" in said:
        return None
    commanders = frozenset(each.commander for each in state.army[seat])
    found = mentions(said, commanders | ({state.drawn} if state.drawn else frozenset()))
    named = {card for each in found or () for card in each.cards if card != state.drawn}
    return named.pop() if len(named) == 1 else None


def ordered(fragment: str, state: State, seat: int) -> tuple[Card, ...]:
    """A battle order: as the cards are mentioned, `first` and `last` heard; the strongest or the weakest first."""
    if state.battle is None or state.turn is None:
        return ()
    cards = fighting(state, seat)
    said = tokens(fragment)
    sorted_by = _SORTED.fullmatch(" ".join(each for each in said if each.isalnum()))
    if sorted_by and sorted_by["first"] in _HIGH | _LOW:
        return tuple(sorted(cards, key=strength, reverse=sorted_by["first"] in _HIGH))
    found = mentions(said, frozenset(cards))
    if not found or any(each.is_plural for each in found):
        return ()
    order: list[tuple[int, Card]] = []
    for number, each in enumerate(found):
        left = [card for card in each.cards if card not in {card for _, card in order}]
        if not left:
            return ()
        around = _segment(said, found, number)
        order.append((0 if not _FIRST.isdisjoint(around) else 2 if not _LAST.isdisjoint(around) else 1, left[0]))
    missing = [card for card in cards if card not in {card for _, card in order}]
    if len(missing) == 1 and {place for place, _ in order} == {0, 2}:
        order.append((1, missing.pop()))
    return () if missing else tuple(card for _, card in sorted(order, key=lambda pair: pair[0]))


def _segment(said: Sequence[str], found: Sequence[Mention], number: int) -> frozenset[str]:
    """The words around a mention: to the next comma or `and`, else to the next mention."""
    first, last = found[number].at, found[number].at
    begin = found[number - 1].at + 1 if number else 0
    end = found[number + 1].at if number + 1 < len(found) else len(said)
    while first > begin and said[first - 1] not in _PARTS:
        first -= 1
    while last < end and said[last] not in _PARTS:
        last += 1
    is_parted = number == 0 or not _PARTS.isdisjoint(said[begin : found[number].at])
    return frozenset(said[first if is_parted else found[number].at : last])


def deployed(fragment: str, state: State, seat: int) -> tuple[Card, ...]:
    """A deployment in sentences: which cards go to which commander, as `Kc 9c 8d Qh 5s`; empty where it cannot be told.

    Cards go to the commander before them (`K♠ gets the ten`), or to the one behind a `to`, an `under` (`the ten under K♠`).
    """
    hand = frozenset(state.hands[seat])
    given: dict[Card, list[Card]] = {}
    waiting: list[Card] = []
    since: list[Card] = []
    current: Card | None = None
    for each in mentions(tokens(fragment), hand) or ():
        if not _PARTING.isdisjoint(each.before):
            since = []
        taken = {card for cards in given.values() for card in cards} | set(waiting)
        cards = _meant(each, hand, taken)
        if not cards and each.role == "rest":
            continue
        if not cards:
            return ()
        if not is_face(cards[0]):
            (waiting if current is None else given[current]).extend(cards)
            since += cards
            continue
        if waiting and _TO.isdisjoint(each.before):
            return ()
        mine = given.setdefault(cards[0], [])
        if not waiting and since and current and not _TO.isdisjoint(each.before):
            given[current] = [card for card in given[current] if card not in since]
            waiting = since
        current = None if waiting else cards[0]
        mine += waiting
        waiting, since = [], []
    if waiting or not any(given.values()):
        return ()
    return tuple(card for commander, cards in given.items() if cards for card in (commander, *cards))


def _meant(mention: Mention, hand: frozenset[Card], taken: set[Card]) -> tuple[Card, ...]:
    """The cards that a mention means beside those that are given already: one, or all of them; none where that is not plain."""
    if mention.role in ("all", "rest"):
        return tuple(card for card in _numbers(hand, lambda _: True) if mention.role == "all" or card not in taken)
    cards = tuple(card for card in mention.cards if is_face(card) or card not in taken)
    if any(map(is_face, cards)):
        return cards if len(cards) == 1 else ()
    return cards if mention.is_plural or len(cards) == 1 else ()
