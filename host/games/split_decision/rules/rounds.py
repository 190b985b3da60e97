"""Pure: rounds 1 to 3, before their questions and at their ends. A flow comes to a question or to a next step."""

from host.engine.cards import DECK_WITH_JOKERS, cut
from host.engine.events import DeckCut
from host.engine.game import Flow, Illegal
from host.engine.vocabulary import Command
from host.games.split_decision import events
from host.games.split_decision.rules import hands
from host.games.split_decision.state import (
    BONUS,
    CODES,
    FREE_ACE,
    FREE_ACE_AFTER,
    HEAD_START_CARDS,
    HIGHEST_CODE,
    SEATS,
    Slot,
    State,
    asked,
    in_round,
    loser_of_second,
)

LARGEST_CUT = 53
OF_A_QUESTION = "buzz target question tries answer"
"""The fields of a state that tell of the question that is put."""


def send_codes(flow: Flow[State], seat: int, command: Command) -> None:
    """Thirty numbers, or those that silence would give (SD-8)."""
    if flow.state.codes[seat]:
        raise Illegal("Your codes are here already and cannot be changed.", "SD-8")
    if command.word == "random":
        draw_codes(flow, seat, "random")
        return
    codes = command.numbers
    if len(codes) != CODES or not all(1 <= code <= HIGHEST_CODE for code in codes):
        raise Illegal(f"Send {CODES} whole numbers from 1 to {HIGHEST_CODE}; you sent {len(codes)}.", "SD-8")
    flow.put(seat, codes=codes)
    flow.tell(events.CodesSent(seat, codes, "say"))


def draw_codes(flow: Flow[State], seat: int, by: str) -> None:
    """Codes from the episode's seed (SD-8, SD-9)."""
    stream = flow.chance.stream(f"codes:{seat}")
    codes = tuple(stream.below(HIGHEST_CODE) + 1 for _ in range(CODES))
    flow.put(seat, codes=codes)
    flow.tell(events.CodesSent(seat, codes, by))


def send_cut(flow: Flow[State], seat: int, command: Command) -> None:
    """Red cuts the deck (SD-7)."""
    if seat != 0:
        raise Illegal("Only the red podium cuts the deck.", "SD-7")
    if flow.state.cut:
        raise Illegal("The deck is cut already.", "SD-7")
    number = command.numbers[0] if len(command.numbers) == 1 else 0
    if not 1 <= number <= LARGEST_CUT:
        raise Illegal(f"A cut is a whole number from 1 to {LARGEST_CUT}.", "SD-7")
    flow.change(cut=number)
    flow.tell(events.CutSent(seat, number, "say"))


def draw_cut(flow: Flow[State], by: str) -> None:
    """A missing cut, from the episode's seed (SD-9)."""
    flow.change(cut=flow.chance.below("cut", LARGEST_CUT) + 1)
    flow.tell(events.CutSent(0, flow.state.cut, by))


def begin_when_set_up(flow: Flow[State]) -> None:
    """With all codes and the cut, round 1 begins; with nobody left the episode is over (SD-9, SD-47)."""
    state = flow.state
    if all(state.gone):
        flow.tell(events.AllWithdrew())
        flow.change(phase="over", out=(True,) * SEATS, ending="all-withdrew")
        return
    if asked(state):
        return
    deck = flow.shuffle("deck", DECK_WITH_JOKERS)
    flow.tell(DeckCut(0, "deck", flow.state.cut))
    flow.change(stock=cut(deck, flow.state.cut), step="round")


def begin(flow: Flow[State]) -> None:
    """A round begins; with one player left it is won at once, with none it has no winner (SD-11 to SD-13, SD-47)."""
    state = flow.state
    order = _order(state)
    flow.reset(f"number high low chips card actor seen in_vain {OF_A_QUESTION}")
    flow.change(step="head-start", order=order, out=state.gone)
    flow.tell(events.RoundBegan(state.round, order))
    left = in_round(flow.state)
    if len(left) == 1:
        win(flow, left[0], "absence")
    elif not left:
        _pass_by(flow)
    elif state.round == 2 and state.first_round_questions > FREE_ACE_AFTER:
        flow.change(step="free-ace")


def _order(state: State) -> tuple[int, ...]:
    """Red, gold, blue; the two who did not win, more money first; the two winners (SD-12)."""
    if state.round == 1:
        return (0, 1, 2)
    if state.round == 3:
        return tuple(seat for seat in state.winners if seat >= 0)
    two = [seat for seat in range(SEATS) if seat != state.winners[0]]
    return tuple(sorted(two, key=lambda seat: (-state.winnings[seat], state.reached[seat], seat)))


def _pass_by(flow: Flow[State]) -> None:
    """Nobody is there for the round."""
    state = flow.state
    flow.tell(events.NobodyWon(state.round))
    if state.round == 3:
        flow.change(phase="over", step="", ending="all-withdrew")
    else:
        flow.change(winners=(*state.winners, -1), round=state.round + 1, step="round")


def next_free_ace(flow: Flow[State]) -> None:
    """Each player in order places an ace from outside the deck (SD-14)."""
    state = flow.state
    left = _after(state)
    if left is None:
        flow.change(step="head-start", actor=-1, card="")
    else:
        flow.change(phase="free-ace", step="", actor=left, card=FREE_ACE)


def place_free_ace(flow: Flow[State], seat: int, slot: Slot, by: str) -> None:
    """The free ace is not paid (SD-14)."""
    hands.place(flow, seat, slot, by, is_paid=False)
    flow.tell(events.AcePlaced(seat, slot, by))
    flow.change(step="free-ace")


def _after(state: State) -> int | None:
    """The next seat of the round behind the actor, or None."""
    order = state.order
    behind = order[order.index(state.actor) + 1 :] if state.actor in order else order
    return next((seat for seat in behind if seat in in_round(state)), None)


def next_head_start(flow: Flow[State]) -> None:
    """Up to two cards for each player in order, one at a time (SD-15, SD-16)."""
    while flow.state.step == "head-start":
        state = flow.state
        is_done = state.actor < 0 or state.seen >= HEAD_START_CARDS or state.actor not in in_round(state)
        if is_done:
            following = _after(state)
            if following is None:
                flow.change(step="question", actor=-1, seen=0)
                return
            flow.change(actor=following, seen=0)
        seat = flow.state.actor
        _, use = hands.show(flow, seat, "head-start")
        flow.change(seen=flow.state.seen + 1)
        if use == "fits":
            flow.change(phase="head-start", step="")


def end_head_start(flow: Flow[State]) -> None:
    """This player gets no further card."""
    flow.change(seen=HEAD_START_CARDS, step="head-start", card="")


def drop_out(flow: Flow[State], seat: int, card: str) -> None:
    """Out of this round for want of a chip (SD-27, SD-28)."""
    flow.tell(events.OutOfRound(seat, flow.state.round, card))
    flow.put(seat, out=True)


def win_by_default(flow: Flow[State]) -> None:
    """A round in which one player is left is theirs (SD-31)."""
    left = in_round(flow.state)
    if len(left) == 1:
        win(flow, left[0], "default")


def win(flow: Flow[State], seat: int, by: str, card: str = "") -> None:
    """Pay the round, console the loser of round 2, go on to the next (SD-33, SD-35)."""
    state = flow.state
    amount = hands.ROUND_WON[state.round - 1]
    hands.pay(flow, seat, amount)
    flow.tell(events.RoundWon(seat, state.round, by, card, amount))
    flow.reset(OF_A_QUESTION)
    flow.change(winners=(*state.winners, seat), card="", step="round", round=state.round + 1)
    if state.round == 1:
        flow.change(first_round_questions=state.number)
    elif state.round == 2:
        loser = loser_of_second(flow.state)
        if loser is not None and not (loser == 0 and state.options.champion_wins):
            flow.change(consolation=loser)
            flow.tell(events.Consoled(loser))
    elif flow.state.round == BONUS:
        flow.change(step="bonus")
