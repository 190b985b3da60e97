"""Pure: a hand from its deal to its last bet. A flow comes to the next question, or past the hand's end."""

from host.engine.cards import DECK
from host.engine.game import Flow, Illegal, put
from host.engine.vocabulary import Command
from host.games.bluffjack import events
from host.games.bluffjack.rules import showdown
from host.games.bluffjack.state import Phase, Stage, State, ante_of, in_order, may_bet, missing, playing, to_call

_TURN = ("cards", "between")
"""The stages of a turn in the rounds of cards: a card, and with more betting a bet."""


def begin(flow: Flow[State], dealer: int) -> None:
    """Deal a hand, take the antes, make the opening bet (BJ-4 to BJ-8, BJ-28)."""
    state = flow.state
    count = len(state.chips)
    deck = flow.shuffle(f"hand:{state.hand + 1}:deck", DECK)
    nobody = (False,) * count
    flow.change(
        phase="bet",
        stage="opening",
        hand=state.hand + 1,
        dealer=dealer,
        stock=deck,
        cards=((),) * count,
        dealt=tuple(chips > 0 for chips in state.chips),
        folded=nobody,
        standing=nobody,
        in_pot=(0,) * count,
        acted=nobody,
        served=nobody,
        showdown=(),
    )
    seats = _from_the_left(flow.state)
    flow.tell(events.HandBegan(flow.state.hand, dealer, ante_of(flow.state), tuple(seats)))
    for seat in seats:
        flow.tell(events.DownCard(seat, _deal(flow, seat)))
    if not flow.state.options.two_bets:
        _deal_face_up(flow)
    for seat in seats:
        _stake(flow, seat, ante_of(flow.state))
    first = next((seat for seat in seats if flow.state.chips[seat]), None)
    if first is None:
        flow.change(at=_left(flow.state))
        return
    amount = _stake(flow, first, ante_of(flow.state))
    flow.tell(events.OpeningBet(first, amount, not flow.state.chips[first]))
    _has_acted(flow, first)


def _left(state: State) -> int:
    return (state.dealer + 1) % len(state.chips)


def _from_the_left(state: State) -> list[int]:
    left = playing(state)
    return [seat for seat in in_order(state, _left(state)) if seat in left]


def _deal(flow: Flow[State], seat: int) -> str:
    state = flow.state
    card = state.stock[0]
    flow.change(stock=state.stock[1:], cards=put(state.cards, seat, (*state.cards[seat], card)))
    return card


def _deal_face_up(flow: Flow[State]) -> None:
    seats = tuple(_from_the_left(flow.state))
    flow.tell(events.UpCards(seats, tuple(_deal(flow, seat) for seat in seats)))


def _stake(flow: Flow[State], seat: int, amount: int) -> int:
    """Move chips into the pot, as many as there are; gives how many."""
    state = flow.state
    paid = min(amount, state.chips[seat])
    flow.add(seat, chips=-paid, in_pot=paid)
    return paid


def go_on(flow: Flow[State]) -> bool:
    """Pass through whatever needs no answer. Gives whether the hand is over; else `turn` is asked."""
    while True:
        left = playing(flow.state)
        if len(left) == 1:
            showdown.win_unseen(flow, left[0])
            return True
        state = flow.state
        asked = ((seat, _asked(state, seat)) for seat in in_order(state, state.at))
        seat, phase = next((each for each in asked if each[1]), (None, None))
        if phase:
            part = "cards" if phase == "card" else "between"
            flow.change(turn=seat, at=seat, phase=phase, stage=part if state.stage in _TURN else state.stage)
            return False
        if state.stage == "final":
            showdown.show_down(flow)
            return True
        _next_stage(flow)


def _asked(state: State, seat: int) -> Phase | None:
    """Tells what `seat` has still to do in this round (BJ-13, BJ-15, BJ-29). All-in players are asked for cards too (BJ-16)."""
    if seat not in playing(state) or state.acted[seat]:
        return None
    is_turn = state.stage in _TURN
    if is_turn and not state.standing[seat] and not (state.options.more_betting and state.served[seat]):
        return "card"
    return "bet" if (not is_turn or state.options.more_betting) and may_bet(state, seat) else None


def _next_stage(flow: Flow[State]) -> None:
    state, nobody = flow.state, (False,) * len(flow.state.chips)
    stage: Stage = "final" if all(state.standing[seat] for seat in playing(state)) else "cards"
    if state.stage == "opening" and state.options.two_bets:
        _deal_face_up(flow)
        stage = "second"
    flow.change(stage=stage, acted=nobody, served=nobody, at=_left(state))


def _has_acted(flow: Flow[State], seat: int) -> None:
    flow.change(acted=put(flow.state.acted, seat, True), at=(seat + 1) % len(flow.state.chips))


def fold(flow: Flow[State], seat: int, by: str = "say") -> None:
    """Give up the hand; the bet stays in the pot (BJ-9)."""
    flow.tell(events.Folded(seat, by))
    drop(flow, seat)
    _has_acted(flow, seat)


def drop(flow: Flow[State], seat: int) -> None:
    """Out of this hand."""
    flow.put(seat, folded=True, standing=False)


def check(flow: Flow[State], seat: int, by: str = "say") -> None:
    """Pay nothing, where nothing is missing (BJ-10)."""
    if missing(flow.state, seat):
        raise Illegal(f"You cannot check: {to_call(flow.state, seat)} chips are missing. Call, raise or fold.", "BJ-10")
    flow.tell(events.Checked(seat, by))
    _has_acted(flow, seat)


def call(flow: Flow[State], seat: int) -> None:
    """Pay what is missing, or all there is (BJ-9)."""
    if not missing(flow.state, seat):
        check(flow, seat)
        return
    paid = _stake(flow, seat, missing(flow.state, seat))
    flow.tell(events.Called(seat, paid, not flow.state.chips[seat]))
    _has_acted(flow, seat)


def raise_bet(flow: Flow[State], seat: int, command: Command) -> None:
    """Call, and put more on top (BJ-11, BJ-12). In a turn of more betting the others meet it in theirs (BJ-29)."""
    state = flow.state
    due = missing(state, seat)
    spare = state.chips[seat] - due
    if spare <= 0:
        raise Illegal("A raise needs more chips than the call takes. Call or fold.", "BJ-12")
    amount = spare if command.word == "all" else command.number or 0
    if command.word != "all" and amount < ante_of(state):
        raise Illegal(f"A raise is at least {ante_of(state)} chips, or raise all.", "BJ-11")
    if amount > spare:
        raise Illegal(f"You have {spare} chips for a raise after the call.", "BJ-11")
    paid = _stake(flow, seat, due + amount)
    flow.tell(events.Raised(seat, amount, paid, not flow.state.chips[seat]))
    if state.stage not in _TURN:
        flow.change(acted=(False,) * len(state.chips))
    _has_acted(flow, seat)


def hit(flow: Flow[State], seat: int) -> None:
    """A card face up; the deck's last makes everybody stand (BJ-15, BJ-17)."""
    flow.tell(events.Hit(seat, _deal(flow, seat)))
    _has_card(flow, seat)
    if not flow.state.stock:
        for each in _from_the_left(flow.state):
            if not flow.state.standing[each]:
                _stand(flow, each, "deck")


def stand(flow: Flow[State], seat: int, by: str = "say") -> None:
    """No more cards in this hand (BJ-15)."""
    _stand(flow, seat, by)
    _has_card(flow, seat)


def _has_card(flow: Flow[State], seat: int) -> None:
    """The first part of a turn is over; with more betting there is a second (BJ-29)."""
    if flow.state.options.more_betting:
        flow.put(seat, served=True)
    else:
        _has_acted(flow, seat)


def _stand(flow: Flow[State], seat: int, by: str) -> None:
    flow.tell(events.Stood(seat, by))
    flow.put(seat, standing=True)
