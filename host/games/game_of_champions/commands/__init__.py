"""Pure: the grammar of The Game of Champions. It reads as a `Command` what somebody at a seat wrote in a state of play.

`VOCABULARY` is the table of verbs; `links` has what is offered to tap.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import repeat

from host.engine.cards import RANK_NAMES, SUIT_WORDS, Card, read_card, read_cards
from host.engine.game import Invalid
from host.engine.grammar import number, plain, tokens, words
from host.engine.lazy import pattern
from host.engine.vocabulary import LONGEST, Found, Phrase, Vocabulary, canonical, joined
from host.games.game_of_champions.commands.links import CHOICES, THROWS_IN_A_LINK, ahead, choices
from host.games.game_of_champions.commands.mentions import PLURALS, RANK_OF, ROLES, deployed, moved, ordered, placed
from host.games.game_of_champions.state import THROWS, State, asked, battalions, fighting, is_face, other

__all__ = ["THROWS_IN_A_LINK", "VOCABULARY", "Command", "ahead", "at_hand", "choices", "parse", "split"]

_AGAINST = frozenset("attack attacks against vs versus fights charge charges strike strikes hits".split())
_WITH = frozenset("with using from".split())
_UNDER = frozenset("under beneath below to on onto into behind".split())
_NOUNS = _UNDER | frozenset(
    """it of card cards new commander battalion bare number their theirs your opponent opponent's opponents enemy it's using from
    first next last finally gets get takes take both""".split()
)
_PASSED_OVER = _NOUNS | _AGAINST | frozenset("use send swap gets get takes take leads has have both".split())
_THROW_OF = {each: each for each in THROWS} | {
    "r": "rock",
    "p": "paper",
    "s": "scissors",
    "stone": "rock",
    "scissor": "scissors",
}
_SWORDS = pattern("(?<=\\w)\ufe0f?\\s*[⚔🗡]\ufe0f?\\s*(?=\\w)|[⚔🗡]\ufe0f?")
"""Between two cards they attack; elsewhere they are a drawing."""
_SEVERAL = {"rocks": "rock", "stones": "rock", "papers": "paper", "scissors": "scissors", "pairs": "scissors"}
_BESIDE_THROW = frozenset("are up first next last second third finally after twice thrice 2 3".split())
"""These words may stand beside throws: their order, and how often one is meant."""
_TIMES = {"twice": 2, "thrice": 3, **{f"x{count}": count for count in range(2, 10)}}
_BESIDE_THROW |= _TIMES.keys()
_SIGNS = str.maketrans(
    {
        sign: f" {throw} "
        for throw, signs in (("rock", "✊👊🪨"), ("scissors", "✌✂"), ("paper", "✋🖐🤚📄📃🧻"))
        for sign in signs
    }
)
_CARD_WORDS = frozenset(
    """a goes with while lot rest everything else all two pair them whatever what remains left nothing bare empty both for
    stays stay leave as leads lead front rear middle end back after him at shall should very black red other start starts
    begin begins finish everyone everybody""".split()
).union(RANK_OF, SUIT_WORDS, _NOUNS, PLURALS)
_ALL = ("all", "end", "until end", "till end", "everything", "all way", "rest", "all rest", "bitter end", "death")
_FLIPS = frozenset("flips flip more battle times time cards card next fighting attack attacking rounds them".split())
_INSIDE = pattern(r"[(\[]([^()\[\]]*)[)\]]")
_LINK = pattern(r"(?<=[cdhs♣♦♥♠])[-–+](?=\w)|(?<=\bvs)\.", re.IGNORECASE)
_RANKS_IN_A_ROW = pattern(r"(?<=\d)[-–](?=\d)")
_KEEP_GOING = pattern(r"\b(?:keep going|keep on|go on)\b")


@dataclass(frozen=True)
class Command:
    """One command: a verb, and the cards, throws, number or word (`continue all`) it takes."""

    verb: str
    cards: tuple[Card, ...] = ()
    throws: tuple[str, ...] = ()
    number: int | None = None
    word: str = ""

    def __str__(self) -> str:
        """`general 9c Kh`, `throw rock paper`, `continue 3`, `continue all`."""
        return canonical(self.verb, *self.cards, *self.throws, self.number, self.word)


VOCABULARY = Vocabulary("host.games.game_of_champions")


def split(line: str) -> tuple[str, ...]:
    """The fragments of a line, each a command of its own; cards and throws belong to what is before them."""
    line = _SWORDS.sub(lambda found: " attacks " if found[0].strip("\ufe0f ") != found[0] else " ", line)
    line = _RANKS_IN_A_ROW.sub(" ", line.translate(_SIGNS))
    opened = _INSIDE.sub(lambda found: f" {found[1]} " if _kind(words(found[1])) else found[0], line)
    fragments = VOCABULARY.split(_LINK.sub(" ", opened), lambda found: bool(_kind(found)))

    def belongs(last: str, part: str) -> bool:
        kind = _kind(words(part))
        return bool(kind) and kind == _kind(words(last))

    return joined(fragments, belongs, ", ")


def _kind(found: Phrase) -> str:
    """Do these words only list throws (`throw`) or cards (`card`)?"""
    is_throw = all(each in _THROW_OF or each in _SEVERAL or each in _BESIDE_THROW for each in found)
    if is_throw and not (_THROW_OF | _SEVERAL).keys().isdisjoint(found):
        return "throw"
    is_list = all(each in _CARD_WORDS or number(each) is not None or read_cards((each,)) for each in found)
    return "card" if is_list and not _NOUNS.issuperset(found) else ""


def parse(fragment: str, state: State, seat: int) -> Command:
    """The command in one fragment. Raises `Invalid` where there is none; bare cards or throws mean what is asked now."""
    if state.phase == "battle":
        fragment = _KEEP_GOING.sub("continue", plain(fragment))
    found = VOCABULARY.read(fragment, state.phase)
    command: Command | None = None
    refusal: Invalid | None = None
    try:
        command = _built(found, fragment, state, seat) if found else _bare(fragment, state, seat)
        if command and command.verb == "deploy" and not is_face(command.cards[0]):
            command = _mentioned(fragment, state, seat) or command
    except Invalid as unclear:
        refusal = unclear
    label = found.rest if found and found.verb == "order" else words(fragment)
    command = command or _labelled(label, state, seat) or _mentioned(fragment, state, seat)
    if command is None:
        raise refusal or VOCABULARY.refuse(fragment)
    return command


def _mentioned(fragment: str, state: State, seat: int) -> Command | None:
    """Reads a sentence by the cards that it mentions, in the phases that are about cards."""
    if seat not in asked(state) or len(fragment) > LONGEST:
        return None
    match state.phase:
        case "turn":
            found = moved(fragment, state, seat)
            return Command(found[0], cards=found[1]) if found else None
        case "place":
            commander = placed(fragment, state, seat)
            return Command("place", cards=(commander,)) if commander else None
        case "order" | "deploy" as phase:
            cards = (ordered if phase == "order" else deployed)(fragment, state, seat)
            return Command(phase, cards=cards) if cards else None
    return None


def _built(found: Found, fragment: str, state: State, seat: int) -> Command | None:
    match found.verb:
        case "throw":
            return _throws(found.rest)
        case "continue":
            return _continue(found.rest)
        case "fortify" | "hold" | "stop" | "resign":
            return Command(found.verb)
    said = tokens(fragment)
    is_turned = found.verb == "attack" and _is_turned(said)
    cards = _named(found.rest, found.verb, _pools(found.verb, state, seat, is_turned))
    if is_turned and len(cards) == 2:
        cards = (cards[1], cards[0])
    if not _UNDER.isdisjoint(said):
        cards = _in_pairs(cards) if found.verb == "general" else cards
        cards = cards[1:] if found.verb == "place" and cards[:1] == (state.drawn,) else cards
    return Command(found.verb, cards=cards) if cards else None


def _is_turned(said: Phrase) -> bool:
    """Does `with` or the like stand behind a card: `attack the queen with my king`?"""
    at = next((at for at, word in enumerate(said) if word in _WITH), 0)
    return any(word in RANK_OF or read_card((word,)) for word in said[:at])


def _in_pairs(cards: tuple[Card, ...]) -> tuple[Card, ...]:
    """`9c 4d Kh` as `9c Kh 4d Kh`: several cards go to the commander behind them."""
    pairs: list[Card] = []
    waiting: list[Card] = []
    for card in cards:
        if not is_face(card):
            waiting.append(card)
        else:
            pairs += [each for moved in waiting for each in (moved, card)]
            waiting = []
    return (*pairs, *waiting)


def _bare(fragment: str, state: State, seat: int) -> Command | None:
    """Without a verb: throws, `K♥ attacks Q♠`, `3 more flips`, the cards that are asked for."""
    found = words(fragment)
    if all(len(each) > 1 for each in found):
        throws = _throws(found)
        if throws and (state.phase == "roshambo" or all(each in THROWS for each in found)):
            return throws
    if any(each in _AGAINST for each in found[1:]):
        cards = _named(found, "attack", _pools("attack", state, seat))
        return Command("attack", cards=cards) if cards else None
    if state.phase == "battle" and not _FLIPS.isdisjoint(found):
        command = _continue(found)
        return command if command and (command.number or command.word) else None
    verb = {"deploy": "deploy", "place": "place", "order": "order"}.get(state.phase)
    if not verb or found == ("ah",):
        return None
    pool = () if verb == "place" or len(found) == 1 else next(_pools(verb, state, seat))
    cards = _named(found, verb, repeat(pool))
    if verb == "place" and cards[:1] == (state.drawn,):
        cards = cards[1:]
    return Command(verb, cards=cards) if cards else None


_OPENED = str.maketrans("()", "  ")
"""Words in brackets are typed without them, or left out."""


def _labelled(found: Phrase, state: State, seat: int) -> Command | None:
    """Reads the words of a link, typed: `strongest first`, `throw ten at random`."""
    if seat not in asked(state):
        return None
    alike = {"highest": "strongest", "lowest": "weakest"}
    wanted = tuple(alike.get(each, each) for each in found)
    labels = ((choice.say[0], choice.label) for choice in CHOICES[state.phase](state, seat))
    texts = (said for said, label in labels if wanted in (words(label), words(label.translate(_OPENED))))
    return next((parse(text, state, seat) for text in texts), None)


def _throws(rest: Phrase) -> Command | None:
    throws: list[str] = []
    times = 1
    for each in rest:
        if each in _THROW_OF or (times > 1 and each in _SEVERAL):
            throws += [_THROW_OF.get(each) or _SEVERAL[each]] * times
            times = 1
        elif each in _TIMES and throws and times == 1:
            throws += throws[-1:] * (_TIMES[each] - 1)
        elif each in ("2", "3"):
            times = int(each)
        elif each not in _BESIDE_THROW:
            return None
    return Command("throw", throws=tuple(throws)) if throws and times == 1 else None


def _named(rest: Phrase, verb: str, pools: Iterator[Sequence[Card]]) -> tuple[Card, ...]:
    """The cards that words list, none where anything else is among them.

    A rank alone is the card of that rank in the pool of its place; in a battle order suits make no difference.
    """
    cards: list[Card] = []
    left = [each for each in rest if each not in _PASSED_OVER]
    while left:
        pool = next(pools)
        card, used = read_card(left[:1]), 1
        if card is None:
            card, used = read_card(left[:2]), 2
        if card is None:
            found = [each for each in pool if each[0] == RANK_OF.get(left[0], ROLES.get(left[0])) and each not in cards]
            if len(found) > 1 and verb != "order":
                raise Invalid(f"There is more than one {RANK_NAMES[found[0][0]]}: name its suit too.")
            card, used = next(iter(found), None), 1
        if card is None:
            return ()
        cards.append(card)
        left = left[used:]
    return tuple(cards)


def _pools(verb: str, state: State, seat: int, is_turned: bool = False) -> Iterator[Sequence[Card]]:
    """The cards that a rank alone may mean, place by place."""
    seat = max(seat, 0)
    them = other(seat)
    commanders = [each.commander for each in state.army[seat]]
    match verb:
        case "attack":
            mine, theirs = ([each.commander for each in battalions(state, side)] for side in (seat, them))
            yield from (theirs, mine) if is_turned else (mine, theirs)
        case "place":
            yield from repeat([*commanders, state.drawn] if state.drawn else commanders)
        case "trade":
            yield from repeat([each.commander for each in state.army[seat] if not each.cards])
        case "general":
            yield from repeat([*commanders, *(card for each in state.army[seat] for card in each.cards)])
        case "spy":
            yield from repeat([card for each in state.army[them] for card in each.cards])
        case "deploy":
            yield from repeat(state.hands[seat])
        case "order":
            yield from repeat(fighting(state, seat))
    yield from repeat(())


def _continue(rest: Phrase) -> Command | None:
    text = " ".join(each for each in rest if each not in _FLIPS)
    if not text:
        return Command("continue")
    if text in _ALL:
        return Command("continue", word="all")
    value = {"once": 1, "twice": 2}.get(text, number(text))
    return None if value is None else Command("continue", number=value)


def at_hand(state: State, seat: int) -> tuple[Card, ...]:
    """The card that was drawn, and waits for its place."""
    return (state.drawn,) if state.phase == "place" and state.drawn else ()
