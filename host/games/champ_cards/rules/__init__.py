"""Pure: the rules of Champ Cards. A state, a seat's command and the episode's chance lead to the next state and events.

Split by phase of play: `turns` is shared by both parts, `main` is the game of two, `bonus` the hands against the house.
Clauses (CC-n) are those of RULES.md.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from host.engine.chance import Chance
from host.engine.game import HOST, Earning, Flow, Illegal, NotYet, Outcome, Question, Result, two_accounts
from host.engine.vocabulary import Command
from host.games.champ_cards.rules import bonus, main, turns
from host.games.champ_cards.state import State, in_turn

ENDINGS = ("accepted", "busted", "house-blackjack", "bank-gone", "five-hands", "timeout", "resign")


def deal(seats: int, options: Mapping[str, Any], chance: Chance) -> Outcome[State]:
    """A new episode, waiting for seat 0 to cut (CC-2). Raises ValueError for other than two seats, or any option."""
    if seats != 2:
        raise ValueError("Champ Cards is for two players")
    if options:
        raise ValueError("Champ Cards has no options")
    flow = Flow(chance, State(phase="cut"))
    main.begin_round(flow, 1)
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
        _require_turn(state, seat, command)
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
        main.eliminate(flow, seat, by)
    else:
        bonus.forfeit(flow, by)


_NEEDED = {
    "cut": "The deck has to be cut first.",
    "pick": "First turn over one of the nine spaces, or freeze.",
    "choose": "A card lies turned over: say whether you keep it or draw from the stock.",
    "bet": "The next hand begins with your bet.",
    "offer": "An offer is on the table: accept it or decline it.",
}


def _require_turn(state: State, seat: int, command: Command) -> None:
    if in_turn(state) != seat:
        raise NotYet("It is not your turn now.", "CC-4")
    if state.phase not in _MOVES[command.verb][0]:
        raise NotYet(_NEEDED[state.phase], "CC-4")


def _keep(flow: Flow[State], command: Command) -> None:
    _after_card(flow, turns.keep(flow))


def _draw(flow: Flow[State], command: Command) -> None:
    _after_card(flow, turns.draw(flow))


def _after_card(flow: Flow[State], how: turns.Verdict) -> None:
    part = main if flow.state.stage == "main" else bonus
    part.after_card(flow, how)


def _freeze(flow: Flow[State], command: Command) -> None:
    turns.freeze(flow)
    part = main if flow.state.stage == "main" else bonus
    part.after_freeze(flow)


_MOVES: Mapping[str, tuple[tuple[str, ...], Callable[[Flow[State], Command], None]]] = {
    "cut": (("cut",), main.cut_deck),
    "pick": (("pick",), turns.pick),
    "keep": (("choose",), _keep),
    "draw": (("choose", "pick"), _draw),
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
