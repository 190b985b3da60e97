"""Pure: the deal and the deployment. A flow has armies on the table once both sides are ready."""

from host.engine.cards import DECK, Card
from host.engine.game import Flow, Illegal, other
from host.engine.vocabulary import Command
from host.games.game_of_champions import events
from host.games.game_of_champions.state import HAND, Battalion, State, is_face


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
        raise Illegal(f"Every number card needs a commander; you left out {len(left)}.", "GC-10")
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
