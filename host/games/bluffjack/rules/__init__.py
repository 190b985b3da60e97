"""Pure: the rules of Bluffjack. A state, a seat's command and the episode's chance lead to the next state and events.

`hand` plays a hand, `showdown` gives its pots away; here an episode begins, goes from hand to hand, and ends. Clauses
(BJ-n) are those of RULES.md.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from host.engine.chance import Chance
from host.engine.game import HOST, Flow, Illegal, NotYet, Outcome, Question, Result, read_options
from host.engine.vocabulary import Command
from host.games.bluffjack import events
from host.games.bluffjack.rules import hand
from host.games.bluffjack.state import CHARLIES, SEATS, Options, State, in_order, missing

ENDINGS = ("chips", "hands", "nobody")


def options_of(given: Mapping[str, Any]) -> Options:
    """The options, those not given at their defaults (BJ-2). Raises ValueError with a sentence."""
    found = read_options(Options, given)
    if found.chips < 1 or found.ante < 1:
        raise ValueError("chips and ante are whole numbers, 1 or more")
    if found.double_every < 0 or found.max_hands < 0:
        raise ValueError("double_every and max_hands are whole numbers, 0 or more")
    if found.charlie not in CHARLIES:
        raise ValueError("charlie is 0, 5, 7 or 10")
    if found.longer_charlie and not found.charlie:
        raise ValueError("longer_charlie is a variant of charlie: name 5, 7 or 10 for that too")
    return found


def since(given: Mapping[str, Any]) -> int:
    """Version 2 has other charlies and bets with each card (BJ-29, BJ-31); all else is as in version 1."""
    return 2 if given.get("more_betting") or given.get("charlie") else 1


def deal(seats: int, options: Mapping[str, Any], chance: Chance) -> Outcome[State]:
    """A new episode with its first hand dealt. Raises ValueError for other than 2 to 8 seats, or wrong options."""
    if seats not in SEATS:
        raise ValueError("Bluffjack is for two to eight players")
    chosen = options_of(options)
    flow = Flow(chance, State(chosen, (chosen.chips,) * seats, gone=(False,) * seats, missed=(0,) * seats))
    hand.begin(flow, seats - 1)
    _go_on(flow)
    return flow.outcome()


def _go_on(flow: Flow[State]) -> None:
    """On to the next question, through the ends of hands and of the episode (BJ-23, BJ-24)."""
    while hand.go_on(flow):
        state = flow.state
        for seat, dealt in enumerate(state.dealt):
            if dealt and not state.chips[seat] and not state.gone[seat]:
                flow.tell(events.Broke(seat))
        left = [seat for seat, chips in enumerate(state.chips) if chips]
        if len(left) == 1:
            return _finish(flow, left[0], "chips")
        if not left:
            return _finish(flow, min(state.showdown), "nobody")
        if state.hand == state.options.max_hands:
            return _finish(flow, max(left, key=lambda seat: (state.chips[seat], -seat)), "hands")
        hand.begin(flow, next(seat for seat in in_order(state, state.dealer + 1) if state.chips[seat]))
    return None


def _finish(flow: Flow[State], winner: int, by: str) -> None:
    """The episode is over; what was set aside is the winner's where there is no house (BJ-30)."""
    state = flow.state
    aside = state.aside if state.options.no_house else 0
    flow.put(winner, chips=state.chips[winner] + aside)
    flow.change(
        phase="over", turn=None, in_pot=(0,) * len(state.chips), aside=state.aside - aside, winner=winner, ending=by
    )
    flow.tell(events.EpisodeWon(winner, by, flow.state.chips[winner], aside))


def apply(state: State, seat: int, command: Command, chance: Chance) -> Outcome[State]:
    """Play a command. Raises `Illegal`, with the clause, where the rules do not allow it now."""
    if state.phase == "over":
        raise Illegal("The episode is over.", "BJ-23")
    if seat == HOST:
        raise Illegal("The host has no command in this game.", "BJ-27")
    if is_out(state, seat):
        raise Illegal("You are out of this episode; it goes on without you.", "BJ-23")
    flow = Flow(chance, state)
    flow.put(seat, missed=0)
    if command.verb == "resign":
        _withdraw(flow, seat, "resign")
    else:
        _require(state, seat, command)
        flow.change(moves=state.moves + 1)
        if command.verb == "raise":
            hand.raise_bet(flow, seat, command)
        else:
            _PLAY[command.verb](flow, seat)
    _go_on(flow)
    return flow.outcome()


def _require(state: State, seat: int, command: Command) -> None:
    if state.folded[seat]:
        raise Illegal("You have folded this hand: what you do in the next one is asked then.", "BJ-9")
    if state.turn != seat:
        raise NotYet("It is not your turn now.", "BJ-9")
    if (command.verb in ("hit", "stand")) != (state.phase == "card"):
        asked = "hit or stand" if state.phase == "card" else "fold, call, check or raise"
        raise NotYet(f"You are asked to {asked} now.", "BJ-15" if state.phase == "card" else "BJ-9")


_PLAY = {"fold": hand.fold, "call": hand.call, "check": hand.check, "hit": hand.hit, "stand": hand.stand}


def timeout(state: State, seat: int, chance: Chance) -> Outcome[State]:
    """The deadline of `seat` passed (BJ-25, BJ-26). Raises `Illegal` where the game does not wait for that seat."""
    if state.phase == "over" or state.turn != seat:
        raise Illegal("The game is not waiting for this player.", "BJ-25")
    flow = Flow(chance, replace(state, moves=state.moves + 1))
    flow.add(seat, missed=1)
    if flow.state.missed[seat] > 1:
        _withdraw(flow, seat, "timeout")
    elif state.phase == "card":
        hand.stand(flow, seat, "timeout")
    elif missing(state, seat):
        hand.fold(flow, seat, "timeout")
    else:
        hand.check(flow, seat, "timeout")
    _go_on(flow)
    return flow.outcome()


def _withdraw(flow: Flow[State], seat: int, by: str) -> None:
    """Fold, stay out, and lose the chips; what they bet is still to be called (BJ-26)."""
    state = flow.state
    flow.tell(events.Withdrew(seat, by, state.chips[seat]))
    hand.drop(flow, seat)
    flow.put(seat, gone=True, chips=0)
    flow.change(aside=state.aside + state.chips[seat])


def questions(state: State) -> tuple[Question, ...]:
    """The one question that is open, or none when the episode is over."""
    if state.turn is None:
        return ()
    return (Question(state.turn, f"{state.hand}-{state.stage}-{state.moves}-{state.turn}", state.phase),)


def is_out(state: State, seat: int) -> bool:
    """Out is whoever withdrew, or lost their chips in an earlier hand (BJ-23)."""
    return state.gone[seat] or not state.dealt[seat]


def winnings(state: State) -> tuple[int, ...]:
    """The chips that each seat has now, without those in the pot."""
    return state.chips


def result(state: State) -> Result | None:
    """Tells who won, what the house got, how many hands were played."""
    if state.phase != "over":
        return None
    return Result(state.winner, state.winner, {"house": state.aside, "hands": state.hand})


def scope(state: State, command: Command) -> str:
    """A command sent ahead is for this hand; one that costs chips, for the stake that its sender knew."""
    return f"{state.hand}-{max(state.in_pot)}" if command.verb in ("call", "raise") else str(state.hand)
