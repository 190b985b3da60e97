"""Pure: the rules of The Game of Champions. A state, a seat's command and the episode's chance lead to the next state and events.

`muster` deals, deploys and moves cards in armies, `battle` has battles and Roshambo; here are the turns and the end. Clauses
(GC-n) are those of RULES.md.
"""

from collections.abc import Callable, Mapping
from typing import Any

from host.engine.chance import Chance
from host.engine.game import HOST, Flow, Illegal, NotYet, Outcome, Question, Result, other
from host.engine.vocabulary import Command
from host.games.game_of_champions import events
from host.games.game_of_champions.rules import battle, muster
from host.games.game_of_champions.state import HOLDS_TO_STANDSTILL, State, asked, battalions, strength

ENDINGS = ("battalions", "standstill", "roshambo", "timeout", "resign")
_NEEDED = {
    "roshambo": ("A match of Roshambo is on: throw rock, paper or scissors.", "GC-3"),
    "deploy": ("First deploy your army.", "GC-10"),
    "place": ("First place the card that was drawn.", "GC-15"),
    "turn": ("Use an advantage, attack or fortify.", "GC-14"),
    "order": ("First put your cards in order.", "GC-22"),
    "battle": ("A battle is on: continue or stop.", "GC-26"),
}


def deal(seats: int, options: Mapping[str, Any], chance: Chance) -> Outcome[State]:
    """A new episode, waiting for the throws for the dealer (GC-5). Raises ValueError for other than two seats, or any option."""
    if seats != 2:
        raise ValueError("The Game of Champions is for two players")
    if options:
        raise ValueError("The Game of Champions has no options")
    return Outcome(State(salt=f"{chance.below('links', 1 << 62):016x}"), ())


def apply(state: State, seat: int, command: Command, chance: Chance) -> Outcome[State]:
    """Play a command. Raises `Illegal`, with the clause, where the rules do not allow it now."""
    if state.phase == "over":
        raise Illegal("The episode is over.", "GC-30")
    if seat == HOST:
        raise Illegal("The host has no command in this game.", "GC-13")
    flow = Flow(chance, state)
    if command.verb == "resign":
        _leave(flow, seat, "resign")
        return flow.outcome()
    if command.verb == "throw":
        battle.queue(flow, seat, command.named)
    else:
        _require(state, seat, command)
        flow.change(moves=state.moves + 1)
        _MOVES[command.verb][1](flow, seat, command)
    _go_on(flow)
    return flow.outcome()


def _require(state: State, seat: int, command: Command) -> None:
    if state.phase != _MOVES[command.verb][0]:
        raise NotYet(*_NEEDED[state.phase])
    if seat in asked(state):
        return
    if state.phase in ("deploy", "order"):
        raise Illegal("Yours is here already and cannot be changed.", "GC-11" if state.phase == "deploy" else "GC-22")
    raise NotYet("It is not your turn now.", "GC-14")


def _go_on(flow: Flow[State]) -> None:
    """Decide the match that is on, and go on with what it was for, until somebody is asked."""
    while flow.state.phase == "roshambo":
        winner = battle.decide(flow)
        if winner is None:
            return
        match = flow.state.match
        flow.change(match=None)
        if match == "dealer":
            muster.deal(flow, winner)
        elif match == "first":
            begin_turn(flow, winner)
        elif match == "standstill":
            _win(flow, winner, "roshambo")
        else:
            battle.fell(flow, other(winner), by_throws=True)
            battle.go_on(flow)
    state = flow.state
    if state.phase == "deploy" and not asked(state):
        _begin_play(flow)
    elif state.phase == "turn" and state.then == "end":
        _end_turn(flow)


def _begin_play(flow: Flow[State]) -> None:
    """Both armies are shown; fewer face cards begin, equal ones throw for it (GC-12)."""
    faces = muster.show(flow)
    if faces[0] == faces[1]:
        battle.begin_match(flow, "first")
        _go_on(flow)
    else:
        begin_turn(flow, 0 if faces[0] < faces[1] else 1)


def begin_turn(flow: Flow[State], seat: int) -> None:
    """Fortify first, where there is a reserve pile (GC-14, GC-15)."""
    flow.tell(events.TurnBegan(seat))
    flow.change(phase="turn", turn=seat, has_used="", then="turn")
    if flow.state.reserve:
        muster.draw(flow, seat, "fortify")


def _end_turn(flow: Flow[State]) -> None:
    """The battle may have been the last; else the other side's turn (GC-30)."""
    state = flow.state
    seat = state.turn or 0
    for side in (seat, other(seat)):
        if not battalions(state, side):
            _win(flow, other(side), "battalions")
            return
    begin_turn(flow, other(seat))


def _hold(flow: Flow[State], seat: int, command: Command) -> None:
    """Only without a reserve pile; six in a row are a standstill (GC-21, GC-31)."""
    state = flow.state
    if state.reserve:
        raise Illegal("You may hold only when the reserve pile is empty: fortify instead.", "GC-21")
    flow.tell(events.Held(seat, state.holds + 1))
    flow.change(holds=state.holds + 1)
    if flow.state.holds < HOLDS_TO_STANDSTILL:
        begin_turn(flow, other(seat))
        return
    sums = tuple(sum(strength(card) for each in army for card in each.cards) for army in state.army)
    flow.tell(events.Standstill(sums))
    if sums[0] == sums[1]:
        flow.change(turn=None)
        battle.begin_match(flow, "standstill")
    else:
        _win(flow, 0 if sums[0] > sums[1] else 1, "standstill")


_MOVES: Mapping[str, tuple[str, Callable[[Flow[State], int, Command], None]]] = {
    "deploy": ("deploy", muster.deploy),
    "place": ("place", muster.place),
    "general": ("turn", muster.general),
    "spy": ("turn", muster.spy),
    "trade": ("turn", muster.trade),
    "attack": ("turn", battle.attack),
    "fortify": ("turn", muster.fortify),
    "hold": ("turn", _hold),
    "order": ("order", battle.order),
    "continue": ("battle", battle.more),
    "stop": ("battle", battle.stop),
}
"""The phase in which a verb plays, and how."""


def _win(flow: Flow[State], seat: int, by: str) -> None:
    flow.tell(events.Won(seat, by))
    flow.change(phase="over", turn=None, match=None, winner=seat, ending=by)


def _leave(flow: Flow[State], seat: int, by: str) -> None:
    """Silence or `resign` gives the game to the other (GC-32)."""
    flow.tell(events.Left(seat, by))
    _win(flow, other(seat), by)


def timeout(state: State, seat: int, chance: Chance) -> Outcome[State]:
    """The deadline of `seat` passed (GC-32). Raises `Illegal` where the game does not wait for that seat."""
    if seat not in asked(state):
        raise Illegal("The game is not waiting for this player.", "GC-32")
    flow = Flow(chance, state)
    _leave(flow, seat, "timeout")
    return flow.outcome()


def questions(state: State) -> tuple[Question, ...]:
    """The open questions in seat order; throws, deployments and battle orders side by side."""
    counts = {"roshambo": state.matches, "deploy": state.battles, "order": state.battles}
    count = counts.get(state.phase, state.moves)
    return tuple(Question(seat, f"{state.phase}-{count}-{seat}", state.phase) for seat in asked(state))


def is_out(state: State, seat: int) -> bool:
    """Nobody is out before the end."""
    return False


def winnings(state: State) -> tuple[int, ...]:
    """There is no money in this game (GC-32)."""
    return (0, 0)


def result(state: State) -> Result | None:
    """Tells who won, and is champion (GC-32)."""
    return Result(state.winner, state.winner) if state.phase == "over" else None


def scope(state: State, command: Command) -> str:
    """An order, and how a battle goes on, are for the battle under way; all else stays good."""
    return str(state.battles) if state.battle and command.verb in ("order", "continue", "stop") else ""
