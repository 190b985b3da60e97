"""Pure: the choices that links of The Game of Champions offer in a state."""

from itertools import product

from host.engine.cards import face
from host.engine.chance import Chance
from host.engine.game import Choice, Question
from host.engine.vocabulary import one_word, with_value
from host.games.game_of_champions.state import (
    MOST_MOVES,
    THROWS,
    Battalion,
    State,
    battalions,
    fighting,
    has_advantage,
    is_face,
    other,
    strength,
)

THROWS_IN_A_LINK = 10
_FIRST = "First, if you like (each once):"
_ENDS_THE_TURN = "Then one of these, which ends your turn:"
_TO_THE_END = Choice(("continue all",), "Fight to the end", "the words continue all", "continue all")
OFFERED = 6
"""Buttons of a question at most."""


def choices(state: State, question: Question) -> tuple[Choice, ...]:
    """Offers at least one answer for every kind of legal move, fit for a link."""
    return CHOICES[question.phase](state, question.seat)


def _throw_choices(state: State, seat: int) -> tuple[Choice, ...]:
    stream = Chance(bytes.fromhex(state.salt)).stream(f"{state.matches}:{seat}")
    ten = " ".join(THROWS[stream.below(len(THROWS))] for _ in range(THROWS_IN_A_LINK))
    usage = "the word throw and rock, paper or scissors, as many as you like: they are used one a match"
    singles = (with_value("throw", each, each.capitalize(), usage) for each in THROWS)
    return (*singles, with_value("throw", ten, "Ten at random", usage))


def _deploy_choices(state: State, seat: int) -> tuple[Choice, ...]:
    hand = state.hands[seat]
    usage = "the word deploy, and each face card with the number cards behind it that it commands"
    faces = sorted((card for card in hand if is_face(card)), key=lambda card: "KAQJ".index(card[0]))
    numbers = sorted((card for card in hand if not is_face(card)), key=strength, reverse=True)
    spreads = {"Spread over all": faces, "Two strong battalions": faces[:2], "Three battalions": faces[:3]}
    found: dict[str, str] = {}
    for label, commanders in spreads.items():
        groups = [[commander, *numbers[at :: len(commanders)]] for at, commander in enumerate(commanders)]
        found.setdefault(" ".join(card for group in groups for card in group), label)
    return tuple(with_value("deploy", army, label, usage) for army, label in found.items())


def _place_choices(state: State, seat: int) -> tuple[Choice, ...]:
    usage = "the word place and one of your commanders"
    strongest = [each.commander for each in sorted(state.army[seat], key=_power, reverse=True)]
    return tuple(with_value("place", card, f"Place under {face(card)}", usage) for card in strongest[:OFFERED])


def _turn_choices(state: State, seat: int) -> tuple[Choice, ...]:
    rest = (
        one_word("fortify", "Fortify: one more card", _ENDS_THE_TURN)
        if state.reserve
        else one_word("hold", group=_ENDS_THE_TURN)
    )
    first = (*_advantages(state, seat), *_trades(state, seat)[:1])
    return (*first, *_attacks(state, seat)[: OFFERED - len(first) - 1], rest)


def _attacks(state: State, seat: int) -> tuple[Choice, ...]:
    usage = "the word attack, your commander, then theirs"
    mine = sorted(battalions(state, seat), key=_power, reverse=True)
    theirs = sorted(battalions(state, other(seat)), key=_power)
    places = sorted(product(range(len(mine)), range(len(theirs))), key=sum)[:OFFERED]
    pairs = [(mine[my], theirs[their]) for my, their in places]
    labels = [f"{_with_sum(my)} attacks {_with_sum(their)}" for my, their in pairs]
    return tuple(
        with_value("attack", f"{my.commander} {their.commander}", label, usage, group=_ENDS_THE_TURN)
        for (my, their), label in zip(pairs, labels, strict=True)
    )


def _with_sum(found: Battalion) -> str:
    return f"{face(found.commander)} ({_power(found)})"


def _power(found: Battalion) -> int:
    return sum(strength(card) for card in found.cards)


def _advantages(state: State, seat: int) -> tuple[Choice, ...]:
    found: list[Choice] = []
    army = state.army[seat]
    if has_advantage(state, seat, "K") and len(army) > 1:
        king = next(each for each in battalions(state, seat) if each.commander[0] == "K")
        home = max(battalions(state, seat), key=lambda each: (len(each.cards), each != king))
        target = next(each for each in army if each != home)
        card = max(home.cards, key=strength)
        usage = "the word general, a number card of yours and the commander it goes to, up to three such pairs"
        label = f"General: {face(card)} to {face(target.commander)}"
        found.append(with_value("general", f"{card} {target.commander}", label, usage, group=_FIRST))
    theirs = battalions(state, other(seat))
    if has_advantage(state, seat, "A") and len(theirs) > 1:
        strongest = max(theirs[0].cards, key=strength)
        weakest = min(theirs[1].cards, key=strength)
        usage = "the word spy and two number cards of your opponent in two battalions"
        label = f"Spy: swap {face(strongest)} and {face(weakest)}"
        found.append(with_value("spy", f"{strongest} {weakest}", label, usage, group=_FIRST))
    return tuple(found)


def _trades(state: State, seat: int) -> tuple[Choice, ...]:
    if not state.reserve:
        return ()
    usage = "the word trade and a commander of yours without cards"
    bare = [each.commander for each in state.army[seat] if not each.cards]
    return tuple(with_value("trade", card, f"Trade in {face(card)}", usage, group=_FIRST) for card in bare[:MOST_MOVES])


def _order_choices(state: State, seat: int) -> tuple[Choice, ...]:
    cards = fighting(state, seat)
    usage = "the word order and all number cards of the battalion, first to fight first"
    found: dict[str, str] = {}
    for how, is_falling in (("Strongest first", True), ("Weakest first", False)):
        order = sorted(cards, key=strength, reverse=is_falling)
        found.setdefault(" ".join(order), f"{how} ({' '.join(str(strength(card)) for card in order)})")
    return tuple(with_value("order", order, label, usage) for order, label in found.items())


def _battle_choices(state: State, seat: int) -> tuple[Choice, ...]:
    return (
        _TO_THE_END,
        one_word("continue", "One more flip"),
        Choice(("continue 3",), "Three more flips", "the word continue and a number of flips", "continue some"),
        one_word("stop", "Stop the battle"),
    )


CHOICES = {
    "roshambo": _throw_choices,
    "deploy": _deploy_choices,
    "place": _place_choices,
    "turn": _turn_choices,
    "order": _order_choices,
    "battle": _battle_choices,
}


def ahead(state: State, seat: int) -> tuple[Choice, ...]:
    """Offers what can be settled before it is asked: an attack once a card is placed, how a battle goes on once ordered."""
    if state.turn == seat and state.phase == "place" and state.then == "turn":
        return _attacks(state, seat)
    if state.phase != "order" or state.turn != seat:
        return ()
    return (_TO_THE_END,)
