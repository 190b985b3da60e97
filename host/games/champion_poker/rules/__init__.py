"""Pure: the rules of Champion Poker. A state, a seat's command and the episode's chance lead to the next state and events.

`hand` plays a hand, `ranking` knows what hands are worth; here an episode begins, goes from hand to hand, and ends.
Clauses (CP-n) are those of RULES.md.
"""

from collections.abc import Mapping
from typing import Any

from host.engine.chance import Chance
from host.engine.game import HOST, Flow, Illegal, NotYet, Outcome, Question, Result, read_options
from host.engine.vocabulary import Command
from host.games.champion_poker import events
from host.games.champion_poker.rules import hand
from host.games.champion_poker.rules.ranking import PAY_TABLES
from host.games.champion_poker.state import SEATS, Options, State, Wager, smallest_wager

ENDINGS = ("hands", "nobody-can-bet", "withdrawn")
_PHASE_OF = {"bet": "bet", "sit": "bet", "play": "play", "fold": "play", "raise": "raise", "check": "raise"}
_ASKED = {
    "bet": ("You are asked for your wager: bet or sit.", "CP-5"),
    "play": ("You are asked to play or fold.", "CP-12"),
    "raise": ("You are asked to raise or check.", "CP-13"),
}


def options_of(given: Mapping[str, Any]) -> Options:
    """The options, those not given at their defaults (CP-1, CP-2). Raises ValueError with a sentence."""
    found = read_options(Options, given)
    if found.version not in (1, 2):
        raise ValueError("version is 1 or 2")
    if found.paytable not in PAY_TABLES:
        raise ValueError("paytable is A or B")
    if not 1 <= found.min_bet <= found.max_bet:
        raise ValueError("min_bet is 1 or more, and max_bet at least as much")
    if found.hands < 1:
        raise ValueError("hands is 1 or more")
    if found.bankroll < smallest_wager(found):
        raise ValueError("bankroll is at least the smallest wager")
    return found


def deal(seats: int, options: Mapping[str, Any], chance: Chance) -> Outcome[State]:
    """A new episode, waiting for all wagers. Raises ValueError for other than 1 to 6 seats, or wrong options."""
    if seats not in SEATS:
        raise ValueError("Champion Poker is for one to six players")
    chosen = options_of(options)
    zeros, nothing, nobody = (0,) * seats, (Wager(),) * seats, (False,) * seats
    chips = (chosen.bankroll,) * seats
    state = State(chosen, chips, chips, nothing, nothing, zeros, zeros, ((),) * seats, zeros, nobody, nobody)
    flow = Flow(chance, state)
    hand.begin(flow, tuple(range(seats)))
    return flow.outcome()


def _go_on(flow: Flow[State]) -> None:
    """On to the next question, through the ends of hands and of the episode (CP-22)."""
    while hand.go_on(flow):
        state = flow.state
        least = smallest_wager(state.options)
        for seat, chips in enumerate(state.bankrolls):
            if chips < least and not state.gone[seat] and not state.broke[seat]:
                flow.tell(events.Broke(seat, chips))
        flow.change(broke=tuple(chips < least for chips in state.bankrolls))
        able = tuple(seat for seat, gone in enumerate(state.gone) if not gone and not flow.state.broke[seat])
        if all(state.gone):
            return _finish(flow, "withdrawn")
        if state.hand == state.options.hands:
            return _finish(flow, "hands")
        if not able:
            return _finish(flow, "nobody-can-bet")
        hand.begin(flow, able)
    return None


def _finish(flow: Flow[State], by: str) -> None:
    """Most chips win, then the lower seat; a player alone has to have gained (CP-22)."""
    state = flow.state
    left = [seat for seat, gone in enumerate(state.gone) if not gone]
    winner = max(left, key=lambda seat: (state.bankrolls[seat], -seat), default=None)
    if len(state.gone) == 1 and state.bankrolls[0] <= state.options.bankroll:
        winner = None
    flow.change(
        phase="over", winner=winner, ending=by, shown_bankrolls=state.bankrolls, shown_wagers=state.wagers, asked=()
    )
    flow.tell(
        events.EpisodeOver(-1 if winner is None else winner, by, 0 if winner is None else state.bankrolls[winner])
    )


def apply(state: State, seat: int, command: Command, chance: Chance) -> Outcome[State]:
    """Play a command. Raises `Illegal`, with the clause, where the rules do not allow it now."""
    if state.phase == "over":
        raise Illegal("The episode is over.", "CP-22")
    if seat == HOST:
        raise Illegal("The host has no command in this game.", "CP-4")
    if is_out(state, seat):
        raise Illegal("You are out of this episode; it goes on without you.", "CP-24" if state.gone[seat] else "CP-9")
    flow = Flow(chance, state)
    flow.put(seat, missed=0)
    if command.verb == "resign":
        hand.withdraw(flow, seat, "resign")
    else:
        _require(state, seat, command)
        if command.verb == "bet":
            hand.bet(flow, seat, command)
        else:
            _PLAY[command.verb](flow, seat)
    _go_on(flow)
    return flow.outcome()


def _require(state: State, seat: int, command: Command) -> None:
    is_its_phase = _PHASE_OF[command.verb] == state.phase
    if seat in state.asked and not is_its_phase:
        raise NotYet(*_ASKED[state.phase])
    if seat not in state.asked and is_its_phase:
        raise Illegal("You have answered already, or nothing is asked of you in this round.", "CP-4")
    if seat not in state.asked:
        raise NotYet("Nothing is asked of you now.", "CP-4")


_PLAY = {"sit": hand.sit, "play": hand.play, "fold": hand.fold, "raise": hand.raise_wager, "check": hand.check}
_SILENT = {"bet": hand.sit, "play": hand.fold, "raise": hand.check}


def timeout(state: State, seat: int, chance: Chance) -> Outcome[State]:
    """The deadline of `seat` passed (CP-23, CP-24). Raises `Illegal` where the game does not wait for that seat."""
    if seat not in state.asked:
        raise Illegal("The game is not waiting for this player.", "CP-23")
    flow = Flow(chance, state)
    flow.add(seat, missed=1)
    if flow.state.missed[seat] > 1:
        hand.withdraw(flow, seat, "timeout")
    else:
        _SILENT[state.phase](flow, seat, "timeout")
    _go_on(flow)
    return flow.outcome()


def questions(state: State) -> tuple[Question, ...]:
    """The questions that are asked side by side, in seat order."""
    return tuple(Question(seat, f"{state.hand}-{state.phase}-{seat}", state.phase) for seat in state.asked)


def is_out(state: State, seat: int) -> bool:
    """Out is whoever withdrew, or has too few chips for a wager (CP-9)."""
    return state.gone[seat] or state.broke[seat]


def winnings(state: State) -> tuple[int, ...]:
    """The bankrolls as they stand, without what is on the table."""
    return state.bankrolls


def result(state: State) -> Result | None:
    """Tells who won (CP-22)."""
    return Result(state.winner, state.winner) if state.phase == "over" else None


def scope(state: State, command: Command) -> str:
    """A command sent ahead is for this hand, a wager for the next one."""
    return "" if command.verb in ("bet", "sit") else str(state.hand)
