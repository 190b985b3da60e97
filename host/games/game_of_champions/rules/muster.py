"""Pure: armies: the deal, the deployment, and cards that join and move. Its functions take a flow further on."""

from dataclasses import replace

from host.engine.cards import DECK, Card
from host.engine.game import Flow, Illegal, other, put
from host.engine.vocabulary import Command
from host.games.game_of_champions import events
from host.games.game_of_champions.rules.battle import add, without
from host.games.game_of_champions.state import HAND, MOST_MOVES, Battalion, State, battalion, has_advantage, is_face


def deal(flow: Flow[State], dealer: int) -> None:
    """Fifteen cards each, the non-dealer first; again where a side lacks face or number cards (GC-6, GC-8)."""
    first = other(dealer)
    number, is_fit = 0, False
    while not is_fit:
        number += 1
        deck = flow.shuffle(f"deal:{number}", DECK)
        dealt = deck[0 : 2 * HAND : 2], deck[1 : 2 * HAND : 2]
        is_fit = all(0 < sum(map(is_face, hand)) < HAND for hand in dealt)
    hands = dealt if first == 0 else (dealt[1], dealt[0])
    flow.tell(events.Dealt(dealer, number > 1))
    flow.change(phase="deploy", dealer=dealer, hands=hands, reserve=deck[2 * HAND :])
    for seat, hand in enumerate(hands):
        flow.tell(events.HandDealt(seat, hand))
        faces = [card for card in hand if is_face(card)]
        if len(faces) == 1:
            lone = Battalion(faces[0], tuple(card for card in hand if not is_face(card)))
            flow.put(seat, deployed=(lone,))


def deploy(flow: Flow[State], seat: int, command: Command) -> None:
    """Each face card named is followed by its number cards; the others are bare (GC-10)."""
    hand = flow.state.hands[seat]
    named = command.named
    for card in named:
        if card not in hand:
            raise Illegal("Name only cards of your own hand.", "GC-10")
    if len(set(named)) < len(named):
        raise Illegal("Name each card once.", "GC-10")
    if not named or not is_face(named[0]):
        raise Illegal("Begin with a face card, and name its number cards after it.", "GC-10")
    left = [card for card in hand if not is_face(card) and card not in named]
    if left:
        raise Illegal(f"Every number card needs a commander; you left out {' '.join(left)}.", "GC-10")
    army: list[list[Card]] = []
    for card in named:
        if is_face(card):
            army.append([card])
        else:
            army[-1].append(card)
    bare = [[card] for card in hand if is_face(card) and card not in named]
    deployed = tuple(Battalion(each[0], tuple(each[1:])) for each in (*army, *bare))
    flow.put(seat, deployed=deployed)


def show(flow: Flow[State]) -> tuple[int, int]:
    """Both armies go on the table; gives how many face cards each side has (GC-11, GC-12)."""
    state = flow.state
    for seat, army in enumerate(state.deployed):
        cards = tuple(card for each in army for card in (each.commander, *each.cards))
        flow.tell(events.ArmyShown(seat, cards, by_game=len(army) == 1))
    flow.change(army=state.deployed, hands=((), ()))
    return len(state.deployed[0]), len(state.deployed[1])


def draw(flow: Flow[State], seat: int, why: str) -> None:
    """The top of the reserve pile joins the army; where there is a choice, it is asked for (GC-15, GC-16)."""
    state = flow.state
    card = state.reserve[0]
    flow.tell(events.Drawn(seat, card, why, len(state.reserve) - 1))
    flow.change(phase="turn", reserve=state.reserve[1:], then="end" if why == "end" else "turn")
    if is_face(card):
        flow.put(seat, army=(*state.army[seat], Battalion(card)))
    elif len(state.army[seat]) == 1:
        _put_under(flow, seat, card, state.army[seat][0].commander, by_game=True)
    else:
        flow.change(phase="place", drawn=card)


def _put_under(flow: Flow[State], seat: int, card: Card, commander: Card, by_game: bool) -> None:
    add(flow, seat, card, commander)
    flow.tell(events.Placed(seat, card, commander, by_game))


def place(flow: Flow[State], seat: int, command: Command) -> None:
    """The drawn card goes under a commander of one's own (GC-15)."""
    if len(command.named) != 1 or battalion(flow.state, seat, command.named[0]) is None:
        raise Illegal("Place it under one of your own commanders.", "GC-15")
    _put_under(flow, seat, flow.state.drawn or "", command.named[0], by_game=False)
    flow.change(phase="turn", drawn=None)


def fortify(flow: Flow[State], seat: int, command: Command) -> None:
    """Draw once more, in place of an attack (GC-21)."""
    if not flow.state.reserve:
        raise Illegal("The reserve pile is empty: attack or hold.", "GC-21")
    draw(flow, seat, "end")


def trade(flow: Flow[State], seat: int, command: Command) -> None:
    """A bare commander goes out of the game for a card of the reserve pile (GC-20)."""
    state = flow.state
    found = battalion(state, seat, command.named[0]) if len(command.named) == 1 else None
    if found is None or found.cards:
        raise Illegal("Trade one of your own commanders that has no number cards.", "GC-20")
    if not state.reserve:
        raise Illegal("The reserve pile is empty, so there is nothing to trade for.", "GC-20")
    flow.tell(events.Traded(seat, found.commander))
    flow.put(
        seat, army=tuple(each for each in state.army[seat] if each != found), gone=(*state.gone[seat], found.commander)
    )
    draw(flow, seat, "trade")


def general(flow: Flow[State], seat: int, command: Command) -> None:
    """Under a king: up to three number cards go to other commanders (GC-17, GC-18)."""
    state = flow.state
    _require_advantage(state, seat, "K", "a king", "GC-18")
    moved, targets = command.named[0::2], command.named[1::2]
    if not moved or len(moved) != len(targets) or len(moved) > MOST_MOVES:
        raise Illegal("Name one to three cards, each followed by the commander it goes to.", "GC-18")
    if len(set(moved)) < len(moved):
        raise Illegal("Move each card once.", "GC-18")
    for card, target in zip(moved, targets, strict=True):
        home = next((each for each in state.army[seat] if card in each.cards), None)
        if home is None:
            raise Illegal("Move only number cards of your own army.", "GC-18")
        if battalion(state, seat, target) is None or home.commander == target:
            raise Illegal("Each card goes to another commander of your own.", "GC-18")
    flow.change(army=put(state.army, seat, without(state.army[seat], moved)), has_used=state.has_used + "K")
    for card, target in zip(moved, targets, strict=True):
        add(flow, seat, card, target)
    flow.tell(events.Generaled(seat, command.named))


def spy(flow: Flow[State], seat: int, command: Command) -> None:
    """Under an ace: two number cards of the opponent change places (GC-17, GC-19)."""
    state = flow.state
    _require_advantage(state, seat, "A", "an ace", "GC-19")
    them = other(seat)
    if len(command.named) != 2:
        raise Illegal("Name two number cards of your opponent.", "GC-19")
    first, second = command.named
    homes = [next((each for each in state.army[them] if card in each.cards), None) for card in command.named]
    if homes[0] is None or homes[1] is None or homes[0] == homes[1]:
        raise Illegal("Name two number cards of your opponent that lie in two different battalions.", "GC-19")
    swapped = {first: second, second: first}
    army = tuple(
        replace(each, cards=tuple(swapped.get(card, card) for card in each.cards)) for each in state.army[them]
    )
    flow.change(army=put(state.army, them, army), has_used=state.has_used + "A")
    flow.tell(events.Spied(seat, first, second))


def _require_advantage(state: State, seat: int, rank: str, commander: str, clause: str) -> None:
    if rank in state.has_used:
        raise Illegal("You have used this advantage in this turn.", "GC-17")
    if not has_advantage(state, seat, rank):
        raise Illegal(f"That takes a battalion of yours under {commander}.", clause)
