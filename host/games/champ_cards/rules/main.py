"""Pure: the main game of two, up to three rounds. Its functions take a flow further on."""

from host.engine.cards import DECK, cut
from host.engine.events import DeckCut, Shuffled
from host.engine.game import Flow, Illegal
from host.engine.vocabulary import Command
from host.games.champ_cards import events
from host.games.champ_cards.rules import bonus, turns
from host.games.champ_cards.state import (
    BLACKJACK_PRIZE,
    ELIMINATION_PRIZE,
    ROUND_PRIZE,
    ROUNDS_TO_WIN,
    SPACES,
    State,
    hand_total,
    other,
)


def begin_round(flow: Flow[State], number: int) -> None:
    """A fresh deck, shuffled; seat 0 is asked to cut (CC-2)."""
    label = f"round:{number}:deck"
    deck = flow.chance.shuffled(label, DECK)
    flow.tell(events.RoundBegan(number, 0))
    flow.tell(Shuffled(label, deck))
    flow.change(
        phase="cut",
        round=number,
        spaces=("",) * SPACES,
        shown=(False,) * SPACES,
        hands=((), ()),
        turn=0,
        picked=None,
        frozen=None,
        deck=deck,
        stock=deck,
    )


def cut_deck(flow: Flow[State], command: Command) -> None:
    """Cut, deal nine cards face down; seat 0 has the first turn (CC-2, CC-3)."""
    count = command.number
    if count is None or not 0 <= count < len(DECK):
        raise Illegal(f"A cut is a whole number from 0 to {len(DECK) - 1}.", "CC-2")
    flow.tell(DeckCut(0, f"round:{flow.state.round}:deck", count))
    deck = cut(flow.state.stock, count)
    flow.change(spaces=deck[:SPACES], stock=deck[SPACES:])
    begin_turn(flow)


def begin_turn(flow: Flow[State]) -> None:
    """The next turn; a card that the game takes by itself is judged at once."""
    how = turns.begin(flow)
    if how is not None:
        after_card(flow, how)


def after_card(flow: Flow[State], how: turns.Verdict) -> None:
    """Decides who wins the round by this card, or whose turn is next (CC-9)."""
    state = flow.state
    me, them = state.turn, other(state.turn)
    if how in ("blackjack", "twenty-one"):
        _win_round(flow, me, how)
    elif how == "bust":
        _win_round(flow, them, how)
    elif state.frozen == them:
        if hand_total(state, me) > hand_total(state, them):
            _win_round(flow, me, "beat")
        else:
            begin_turn(flow)
    else:
        flow.change(turn=them)
        begin_turn(flow)


def after_freeze(flow: Flow[State]) -> None:
    """An opponent already above the frozen total wins; otherwise they have to get above it (CC-10)."""
    me, them = flow.state.turn, other(flow.state.turn)
    if hand_total(flow.state, them) > hand_total(flow.state, me):
        _win_round(flow, them, "frozen-below")
    else:
        flow.change(turn=them)
        begin_turn(flow)


def _win_round(flow: Flow[State], seat: int, by: str) -> None:
    """Pay the round; two rounds, or a blackjack, win the game (CC-11, CC-12)."""
    state = flow.state
    amount = BLACKJACK_PRIZE if by == "blackjack" else ROUND_PRIZE
    flow.tell(
        events.RoundWon(seat, state.round, by, hand_total(state, seat), hand_total(state, other(seat)), amount),
    )
    flow.put(seat, rounds_won=state.rounds_won[seat] + 1, winnings=state.winnings[seat] + amount)
    if by == "blackjack":
        _win_game(flow, seat, "blackjack", bonus.BLACKJACK_STAKE)
    elif flow.state.rounds_won[seat] == ROUNDS_TO_WIN:
        _win_game(flow, seat, "rounds", bonus.STAKE)
    else:
        begin_round(flow, state.round + 1)


def eliminate(flow: Flow[State], seat: int, by: str) -> None:
    """Silence or `resign`: out, with what was won; the other gets at least $5,000 and plays the bonus round (CC-13)."""
    state = flow.state
    them = other(seat)
    raised = max(state.winnings[them], ELIMINATION_PRIZE)
    flow.tell(events.Eliminated(seat, by, state.winnings[seat], raised))
    flow.put(them, winnings=raised)
    _win_game(flow, them, "elimination", bonus.STAKE)


def _win_game(flow: Flow[State], seat: int, by: str, stake: int) -> None:
    flow.tell(events.MainGameWon(seat, by, flow.state.winnings[seat], stake))
    flow.change(stage="bonus", winner=seat, bank=stake)
    bonus.begin_hand(flow, 1)
