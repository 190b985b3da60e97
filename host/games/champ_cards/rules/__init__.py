"""Pure: the rules of Champ Cards. A state, a seat's command and the episode's chance lead to the next state and events.

Here is the main game of two, up to three rounds; `bonus` has the hands against the house, `turns` what both parts share.
Clauses (CC-n) are those of RULES.md.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from host.engine.cards import DECK, cut
from host.engine.chance import Chance
from host.engine.events import DeckCut
from host.engine.game import HOST, Earning, Flow, Illegal, NotYet, Outcome, Question, Result, other, two_accounts
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
    in_turn,
)

ENDINGS = ("accepted", "busted", "house-blackjack", "bank-gone", "five-hands", "timeout", "resign")


def deal(seats: int, options: Mapping[str, Any], chance: Chance) -> Outcome[State]:
    """A new episode, waiting for seat 0 to cut (CC-2). Raises ValueError for other than two seats, or any option."""
    if seats != 2:
        raise ValueError("Champ Cards is for two players")
    if options:
        raise ValueError("Champ Cards has no options")
    flow = Flow(chance, State(phase="cut"))
    _begin_round(flow, 1)
    return flow.outcome()


def apply(state: State, seat: int, command: Command, chance: Chance) -> Outcome[State]:
    """Play a command. Raises `Illegal`, with the clause, where the rules do not allow it now."""
    if state.phase == "over":
        raise Illegal("The episode is over.", "CC-26")
    if (command.verb == "offer") != (seat == HOST):
        reason = "Only the host makes offers." if command.verb == "offer" else "The host can only change an offer."
        raise Illegal(reason, "CC-18")
    if seat != HOST and is_out(state, seat):
        raise Illegal("You are out of this episode; it goes on without you.", "CC-13")
    flow = Flow(chance, replace(state, moves=state.moves + 1))
    if command.verb == "resign":
        _leave(flow, seat, "resign")
    elif command.verb == "offer":
        bonus.change_offer(flow, command)
    else:
        _require_number(command)
        if in_turn(state) != seat:
            raise NotYet("It is not your turn now.", "CC-4")
        if state.phase not in _MOVES[command.verb][0]:
            raise NotYet(_NEEDED[state.phase], "CC-4")
        _MOVES[command.verb][1](flow, command)
    return flow.outcome()


def timeout(state: State, seat: int, chance: Chance) -> Outcome[State]:
    """The deadline of `seat` passed (CC-13, CC-25). Raises `Illegal` where the game does not wait for that seat."""
    if in_turn(state) != seat:
        raise Illegal("The game is not waiting for this player.", "CC-13")
    flow = Flow(chance, replace(state, moves=state.moves + 1))
    _leave(flow, seat, "timeout")
    return flow.outcome()


def _leave(flow: Flow[State], seat: int, by: str) -> None:
    if flow.state.stage == "main":
        _eliminate(flow, seat, by)
    else:
        bonus.finish(flow, by, paid=0)


_NEEDED = {
    "cut": "The deck has to be cut first.",
    "pick": "First turn over one of the nine spaces, or freeze.",
    "choose": "A card lies turned over: say whether you keep it or draw from the stock.",
    "bet": "The next hand begins with your bet.",
    "offer": "An offer is on the table: accept it or decline it.",
}


def _judged(flow: Flow[State], how: turns.Verdict) -> None:
    if flow.state.stage == "main":
        _after_card(flow, how)
    else:
        bonus.after_card(flow, how)


def _freeze(flow: Flow[State], command: Command) -> None:
    turns.freeze(flow)
    if flow.state.stage == "main":
        _after_freeze(flow)
    else:
        bonus.after_freeze(flow)


def _begin_round(flow: Flow[State], number: int) -> None:
    """A fresh deck, shuffled; seat 0 is asked to cut (CC-2)."""
    flow.tell(events.RoundBegan(number, 0))
    deck = flow.shuffle(f"round:{number}:deck", DECK)
    flow.reset("spaces shown hands turn picked frozen")
    flow.change(phase="cut", round=number, deck=deck, stock=deck)


def _require_number(command: Command) -> None:
    """A number that no table allows is refused before the command's time comes, too."""
    if command.verb == "cut" and (command.number is None or not 0 <= command.number < len(DECK)):
        raise Illegal(f"A cut is a whole number from 0 to {len(DECK) - 1}.", "CC-2")
    if command.verb == "pick" and not 1 <= (command.number or 0) <= SPACES:
        raise Illegal(f"The spaces are numbered 1 to {SPACES}.", "CC-4")


def _cut_deck(flow: Flow[State], command: Command) -> None:
    """Cut, deal nine cards face down; seat 0 has the first turn (CC-2, CC-3)."""
    count = command.number or 0
    flow.tell(DeckCut(0, f"round:{flow.state.round}:deck", count))
    deck = cut(flow.state.stock, count)
    flow.change(spaces=deck[:SPACES], stock=deck[SPACES:])
    turns.begin(flow, _after_card)


def _after_card(flow: Flow[State], how: turns.Verdict) -> None:
    """Decides who wins the round by this card, or whose turn is next (CC-9)."""
    state = flow.state
    me, them = state.turn, other(state.turn)
    if how in ("blackjack", "twenty-one"):
        _win_round(flow, me, how)
    elif how == "bust":
        _win_round(flow, them, how)
    elif state.frozen == them and hand_total(state, me) > hand_total(state, them):
        _win_round(flow, me, "beat")
    else:
        flow.change(turn=me if state.frozen == them else them)
        turns.begin(flow, _after_card)


def _after_freeze(flow: Flow[State]) -> None:
    """An opponent already above the frozen total wins; otherwise they have to get above it (CC-10)."""
    me, them = flow.state.turn, other(flow.state.turn)
    if hand_total(flow.state, them) > hand_total(flow.state, me):
        _win_round(flow, them, "frozen-below")
    else:
        flow.change(turn=them)
        turns.begin(flow, _after_card)


def _win_round(flow: Flow[State], seat: int, by: str) -> None:
    """Pay the round; two rounds, or a blackjack, win the game (CC-11, CC-12)."""
    state = flow.state
    amount = BLACKJACK_PRIZE if by == "blackjack" else ROUND_PRIZE
    flow.tell(events.RoundWon(seat, state.round, by, hand_total(state, seat), hand_total(state, other(seat)), amount))
    flow.add(seat, rounds_won=1, winnings=amount)
    if by == "blackjack":
        _win_game(flow, seat, "blackjack", bonus.BLACKJACK_STAKE)
    elif flow.state.rounds_won[seat] == ROUNDS_TO_WIN:
        _win_game(flow, seat, "rounds", bonus.STAKE)
    else:
        _begin_round(flow, state.round + 1)


def _eliminate(flow: Flow[State], seat: int, by: str) -> None:
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


_MOVES: Mapping[str, tuple[tuple[str, ...], Callable[[Flow[State], Command], None]]] = {
    "cut": (("cut",), _cut_deck),
    "pick": (("pick",), turns.pick),
    "keep": (("choose",), lambda flow, command: _judged(flow, turns.keep(flow))),
    "draw": (("choose", "pick"), lambda flow, command: _judged(flow, turns.draw(flow))),
    "freeze": (("pick",), _freeze),
    "bet": (("bet",), bonus.place_bet),
    "accept": (("offer",), bonus.accept),
    "decline": (("offer",), bonus.decline),
}
"""The phases in which a verb plays, and how."""


def questions(state: State) -> tuple[Question, ...]:
    """The one question that is open, or none when the episode is over. Its key ends with the next accepted command."""
    seat = in_turn(state)
    if seat is None:
        return ()
    return (Question(seat, f"{state.stage}-{state.round}-{state.phase}-{state.moves}", state.phase),)


def is_out(state: State, seat: int) -> bool:
    """The loser of the main game is out once the bonus round begins (CC-13)."""
    return state.stage == "bonus" and seat != state.winner


def winnings(state: State) -> tuple[int, ...]:
    """TGSF Dollars won so far, by seat; the bank of the bonus round counts once it is paid."""
    return state.winnings


def earnings(state: State) -> tuple[Earning, ...]:
    """Money of the main game and of the bonus round, apart."""
    return two_accounts(state.winnings, state.winner, state.paid)


def result(state: State) -> Result | None:
    """The winner of the main game, who is champion, and what the bonus round paid (CC-26)."""
    if state.phase != "over":
        return None
    return Result(state.winner, state.winner, {"bonus": state.paid})


def scope(state: State, command: Command) -> str:
    """A command sent ahead is for this round or hand; a cut is for the next round."""
    return "" if command.verb in ("cut", "bet") else f"{state.stage} {state.round}"
