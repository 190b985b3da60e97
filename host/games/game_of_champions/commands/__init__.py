"""Pure: the grammar of The Game of Champions. It reads as a `Command` what somebody at a seat wrote in a state of play.

`VOCABULARY` is the table of verbs; `links` has what is offered to tap.
"""

import re
from collections.abc import Mapping, Sequence

from host.engine.cards import RANK_WORDS, Card, read_card
from host.engine.game import Invalid
from host.engine.grammar import AtTable, Phrase, tokens, words
from host.engine.vocabulary import Command, Vocabulary
from host.engine.words import pattern, plain
from host.games.game_of_champions.commands.links import CHOICES, THROWS_IN_A_LINK, ahead, choices
from host.games.game_of_champions.state import State, asked, battalions, fighting, is_face, other, strength

__all__ = ["THROWS_IN_A_LINK", "VOCABULARY", "ahead", "at_hand", "choices", "parse", "split"]

VOCABULARY = Vocabulary("host.games.game_of_champions")
_LINK = pattern(r"(?i)(?<=[cdhs♣♦♥♠])[-–+](?=\w)|(?<=\bvs)\.|(?<=\d)[-–](?=\d)")
"""What joins two cards in a list (`9c-4d`)."""
_INSIDE = pattern(r"[(\[]([^()\[\]]*)[)\]]")
_KEEP_GOING = pattern(r"\b(?:keep going|keep on|go on)\b")
_OPENED = str.maketrans("()", "  ")
"""The words of a link that stand in brackets are typed without them, or left out."""
_WITH = frozenset("with using from".split())
_UNDER = frozenset("under beneath below to on onto into behind".split())


def split(line: str) -> tuple[str, ...]:
    """The fragments of a line, each a command of its own."""
    return VOCABULARY.split(_LINK.sub(" ", _INSIDE.sub(_opened, line)))


def _opened(brackets: re.Match[str]) -> str:
    """Cards and throws in brackets belong to the list (`K♥ (9♣, 4♦)`); else what stands there is an aside."""
    throws = VOCABULARY.lists["throw"]
    is_list = any(each in throws or read_card((each,)) for each in words(brackets[1]))
    return f" {brackets[1]} " if is_list else brackets[0]


def parse(fragment: str, state: State, seat: int) -> Command:
    """The command in one fragment. Raises `Invalid` where there is none; bare cards or throws mean what is asked now."""
    if state.phase == "battle":
        fragment = _KEEP_GOING.sub("continue", plain(fragment))
    said = tokens(fragment)
    is_turned = _is_turned(said)
    try:
        command = VOCABULARY.parse(
            fragment, state.phase, AtTable(cards=_pools(state, seat, is_turned)), at_hand(state, seat)
        )
    except Invalid:
        label = _labelled(words(fragment), state, seat)
        if not label:
            raise
        return parse(label, state, seat)
    if str(command).casefold() == plain(fragment):
        return command
    cards = command.named
    match command.verb:
        case "attack" if is_turned:
            cards = cards[::-1]
        case "general" if not _UNDER.isdisjoint(said):
            cards = _in_pairs(cards)
        case "place":
            cards = cards[1:] if cards[:1] == (state.drawn,) else cards
        case "deploy":
            cards = _deployed(cards, state.hands[seat]) if seat >= 0 and "(" not in fragment else ()
            if not cards:
                raise VOCABULARY.refuse(fragment)
    return Command(command.verb, cards or command.values)


def _deployed(named: Sequence[str], hand: Sequence[Card]) -> tuple[Card, ...]:
    """A deployment as it is written down, each commander before its cards; nothing where it is not plain which are whose.

    Cards may stand before their commander instead (`9c and 4d under Kh`); `rest` is all that are not named.
    """
    left = sorted((card for card in hand if not is_face(card) and card not in named), key=_rank_then_suit, reverse=True)
    cards = [card for each in named for card in (left if each == "rest" else [each])]
    if is_face(cards[0]):
        return () if is_face(cards[-1]) else tuple(cards)
    pairs = _in_pairs(cards)
    armies: dict[Card, list[Card]] = {}
    for card, commander in zip(pairs[::2], pairs[1::2], strict=True):
        armies.setdefault(commander, []).append(card)
    return () if "" in armies else tuple(card for commander, army in armies.items() for card in (commander, *army))


def _rank_then_suit(card: Card) -> tuple[int, str]:
    return strength(card), card[1]


def _is_turned(said: Phrase) -> bool:
    """Does `with` or the like stand behind a card: `attack the queen with my king`?"""
    at = next((at for at, word in enumerate(said) if word in _WITH), 0)
    return any((len(word) > 1 and word in RANK_WORDS) or read_card((word,)) for word in said[:at])


def _in_pairs(cards: Sequence[Card]) -> tuple[Card, ...]:
    """`9c 4d Kh` as `9c Kh 4d Kh`: several cards go to the commander behind them."""
    behind = [next(filter(is_face, cards[at:]), "") for at in range(len(cards))]
    return tuple(
        each for card, commander in zip(cards, behind, strict=True) if not is_face(card) for each in (card, commander)
    )


def _labelled(said: Phrase, state: State, seat: int) -> str:
    """The command of a link whose words are typed: `strongest first`, `throw ten at random`; empty for none."""
    found = CHOICES[state.phase](state, seat) if seat in asked(state) else ()
    said = said[1:] if said[:1] == ("order",) else said
    ways = ((choice.say[0], way) for choice in found for way in (choice.label, choice.label.translate(_OPENED)))
    return next((command for command, way in ways if words(way) == said), "")


def _pools(state: State, seat: int, is_turned: bool) -> Mapping[str, Sequence[Sequence[Card]]]:
    """The cards that a rank alone may mean, by verb and place."""
    seat = max(seat, 0)
    them = other(seat)
    commanders = [each.commander for each in state.army[seat]]
    mine, theirs = ([each.commander for each in battalions(state, side)] for side in (seat, them))
    return {
        "attack": (theirs, mine) if is_turned else (mine, theirs),
        "place": (commanders,),
        "trade": ([each.commander for each in state.army[seat] if not each.cards],),
        "general": ([*commanders, *(card for each in state.army[seat] for card in each.cards)],),
        "spy": ([card for each in state.army[them] for card in each.cards],),
        "deploy": (state.hands[seat],),
        "order": (fighting(state, seat) if state.battle else (),),
    }


def at_hand(state: State, seat: int) -> tuple[Card, ...]:
    """The card that was drawn, and waits for its place."""
    return (state.drawn,) if state.phase == "place" and state.drawn else ()
