"""Pure: cards into hands, in the first three rounds. Its functions take a flow further on, and tell how a shown card served.

A card pushes or wins by itself; otherwise it may fit a slot, or it is of no use (SD-5).
"""

from typing import Literal

from host.engine.cards import DECK_WITH_JOKERS, JOKERS, Card
from host.engine.game import Flow, Illegal
from host.games.split_decision import events
from host.games.split_decision.state import Slot, State, fits, fitting, is_ace, rank_as

Use = Literal["push", "win", "fits", "unusable"]

RIGHT_OR_PUSH = (100, 50, 100)
CARD_PLACED = (250, 125, 500)
ROUND_WON = (1000, 500, 1000)


def pay(flow: Flow[State], seat: int, amount: int) -> None:
    """Money is paid the moment it is earned (SD-34)."""
    flow.change(growths=flow.state.growths + 1)
    flow.put(seat, reached=flow.state.growths)
    flow.add(seat, winnings=amount)


def refill(flow: Flow[State]) -> None:
    """An empty stock is made anew of all cards that are in no hand of this round (SD-10)."""
    state = flow.state
    if state.stock:
        return
    held = {*state.high, *state.low}
    rest = [card for card in DECK_WITH_JOKERS if card not in held]
    stock = flow.shuffle(f"reshuffle:{state.reshuffles + 1}", rest)
    flow.tell(events.Reshuffled(len(stock)))
    flow.change(stock=stock, reshuffles=state.reshuffles + 1)


def draw(flow: Flow[State]) -> Card:
    """The top card of the stock leaves it."""
    refill(flow)
    card = flow.state.stock[0]
    flow.change(stock=flow.state.stock[1:])
    return card


def show(flow: Flow[State], seat: int, why: str) -> tuple[Card, Use]:
    """The top card is shown to a player; a push is paid and the card gone (SD-4)."""
    card = draw(flow)
    flow.tell(events.CardShown(seat, card, why))
    use = use_of(flow.state, seat, card)
    if use == "push":
        amount = RIGHT_OR_PUSH[flow.state.round - 1]
        pay(flow, seat, amount)
        flow.tell(events.Pushed(seat, card, amount))
    flow.change(card=card if use == "fits" else "")
    return card, use


def use_of(state: State, seat: int, card: Card) -> Use:
    """Tells how a card serves this hand (SD-1 to SD-5)."""
    high, low = state.high[seat], state.low[seat]
    if any(placed and _matches(card, placed) for placed in (high, low)):
        return "push"
    if high and low:
        between = card in JOKERS or (
            not is_ace(card) and rank_as(low, "low") < rank_as(card, "high") < rank_as(high, "high")
        )
        return "win" if between else "unusable"
    return "fits" if fitting(state, seat, card) else "unusable"


def _matches(card: Card, placed: Card) -> bool:
    """Any ace matches an ace or a joker in a slot; a joker drawn matches nothing (SD-4)."""
    if card in JOKERS:
        return False
    return is_ace(placed) if is_ace(card) else card[0] == placed[0]


def place(flow: Flow[State], seat: int, slot: Slot, by: str, is_paid: bool = True) -> None:
    """The card in play goes into a slot (SD-33). Raises `Illegal` where it does not fit."""
    state = flow.state
    if not fits(state, seat, state.card, slot):
        raise Illegal(f"That card cannot go {slot}.", "SD-5")
    amount = CARD_PLACED[state.round - 1] if is_paid else 0
    if is_paid:
        pay(flow, seat, amount)
        flow.tell(events.Placed(seat, state.card, slot, amount, by))
    flow.put(seat, **{slot: state.card})
    flow.change(card="")
