"""Pure: a turn at the nine spaces, the same in both parts of the game. Its functions take a flow further on.

Where a card came to a hand, these functions give its `Verdict`; what follows from it is for the part of the game to say.
"""

from collections.abc import Callable
from typing import Literal

from host.engine.cards import Card, is_blackjack
from host.engine.game import Flow, Illegal, put
from host.engine.vocabulary import Command
from host.games.champ_cards import events
from host.games.champ_cards.state import FREEZE_FROM, State, hand_total, may_freeze, open_spaces

Verdict = Literal["blackjack", "twenty-one", "bust", "goes on"]


def begin(flow: Flow[State], after_card: Callable[[Flow[State], Verdict], None]) -> None:
    """The start of a turn; what can go one way only happens here, unasked, and `after_card` judges a card at once (CC-8)."""
    places = open_spaces(flow.state)
    flow.change(phase="pick", picked=None)
    if may_freeze(flow.state) or len(places) > 1:
        return
    if places:
        _turn_over(flow, places[0], by_game=True)
    else:
        after_card(flow, _take_from_stock(flow, by_game=True))


def pick(flow: Flow[State], command: Command) -> None:
    """Turn over a space (CC-4)."""
    space = command.number or 0
    if not open_spaces(flow.state):
        raise Illegal("All nine spaces are blank: draw from the stock or freeze.", "CC-8")
    if not flow.state.spaces[space - 1]:
        raise Illegal(f"Space {space} is blank.", "CC-4")
    _turn_over(flow, space - 1, by_game=False)


def _turn_over(flow: Flow[State], place: int, by_game: bool) -> None:
    state = flow.state
    flow.tell(events.CardTurned(state.turn, place + 1, state.spaces[place], state.shown[place], by_game))
    flow.change(phase="choose", picked=place, shown=put(state.shown, place, True))


def keep(flow: Flow[State]) -> Verdict:
    """The turned card goes to the hand, its space is blank (CC-5)."""
    state = flow.state
    place = state.picked
    if place is None:
        raise Illegal("No card lies turned over.", "CC-5")
    card = state.spaces[place]
    flow.change(spaces=put(state.spaces, place, ""))
    _to_hand(flow, card)
    flow.tell(events.CardKept(state.turn, place + 1, card, hand_total(flow.state, state.turn)))
    return verdict(flow.state)


def draw(flow: Flow[State]) -> Verdict:
    """The top card of the stock goes to the hand; the turned one stays, face up (CC-5)."""
    if flow.state.phase == "pick" and open_spaces(flow.state):
        raise Illegal("Turn over a space before you draw from the stock.", "CC-5")
    return _take_from_stock(flow, by_game=False)


def _take_from_stock(flow: Flow[State], by_game: bool) -> Verdict:
    state = flow.state
    card = state.stock[0]
    flow.change(stock=state.stock[1:])
    _to_hand(flow, card)
    left = "" if state.picked is None else state.spaces[state.picked]
    space = 0 if state.picked is None else state.picked + 1
    flow.tell(events.CardDrawn(state.turn, card, hand_total(flow.state, state.turn), left, space, by_game))
    return verdict(flow.state)


def _to_hand(flow: Flow[State], card: Card) -> None:
    state = flow.state
    flow.change(hands=put(state.hands, state.turn, (*state.hands[state.turn], card)), picked=None)


def freeze(flow: Flow[State]) -> None:
    """Own the total reached so far (CC-6)."""
    state = flow.state
    if state.stage == "main" and state.frozen is not None:
        raise Illegal("Your opponent has frozen: you have to beat that total.", "CC-6")
    if hand_total(state, state.turn) < FREEZE_FROM:
        raise Illegal(f"You may freeze from {FREEZE_FROM} on; you have {hand_total(state, state.turn)}.", "CC-6")
    flow.tell(events.Frozen(state.turn, hand_total(state, state.turn)))
    flow.change(frozen=state.turn)


def verdict(state: State) -> Verdict:
    """Judges the hand in turn as it is now (CC-9, CC-22)."""
    points = hand_total(state, state.turn)
    if is_blackjack(state.hands[state.turn]):
        return "blackjack"
    if points == 21:
        return "twenty-one"
    return "bust" if points > 21 else "goes on"
