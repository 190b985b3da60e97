"""Pure: the rules of Split Decision. A state, a seat's command and the episode's chance lead to the next state and events.

`rounds` begins and ends rounds, `asking` puts questions, `control` deals with a card, `hands` knows where cards go,
`bonus` is Luck of the Draw. Each of them says by `step` what comes next; `_go_on` here takes the steps until somebody is
asked. Clauses (SD-n) are those of RULES.md.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from host.engine.chance import Chance
from host.engine.game import (
    HOST,
    Earning,
    Entry,
    Flow,
    Illegal,
    NotYet,
    Outcome,
    Question,
    Result,
    read_options,
    two_accounts,
)
from host.engine.vocabulary import Command
from host.games.split_decision import events
from host.games.split_decision.rules import asking, bonus, control, hands, rounds
from host.games.split_decision.rules.answers import JUDGES
from host.games.split_decision.state import (
    BONUS,
    SEATS,
    Options,
    Slot,
    State,
    asked,
    in_round,
    is_set_up,
    loser_of_second,
    to_try,
)

ENDINGS = ("hands", "timeout", "resign", "retired", "all-withdrew")
MOST_WINS = 4
_HOST_VERBS = {"ask": "ask", "right": "judging", "wrong": "judging"}
_NEEDED = {
    "setup": ("The first round needs everybody's thirty codes, and red's cut.", "SD-8"),
    "free-ace": ("Place the free ace: high or low.", "SD-14"),
    "head-start": ("A card of your head start lies open: high, low or refuse.", "SD-15"),
    "question": ("A question waits for your answer, or skip.", "SD-19"),
    "judging": ("The host is looking at an answer.", "SD-21"),
    "free-look": ("Your free look lies open: high, low or refuse.", "SD-24"),
    "peek": ("Your card lies open: high, low or discard.", "SD-25"),
    "no-peek": ("A card lies face down: keep it, or pass it to another colour.", "SD-26"),
    "place": ("Your card fits both ways: high or low.", "SD-27"),
    "passed": ("A card was passed to you: place it, or discard it with a chip.", "SD-28"),
    "ask": ("The next question is not there yet.", "SD-22"),
    "choose": ("Choose four places of the board.", "SD-37"),
    "bet": ("Place your bet: an amount, the high card, the low card.", "SD-38"),
    "suit": ("Open a suit of the second-chance board.", "SD-41"),
}


def options_of(given: Mapping[str, Any]) -> Options:
    """The options, those not given at their defaults. Raises ValueError with a sentence."""
    listed = given.get("questions", ())
    if not isinstance(listed, list | tuple):
        raise ValueError("questions is a list")
    found = read_options(Options, {**given, "questions": tuple(_entry(each) for each in listed)})
    if not 0 <= found.champion_wins <= MOST_WINS:
        raise ValueError("champion_wins is a whole number from 0 to 4")
    if found.judge not in JUDGES:
        raise ValueError("judge is near, auto, host or fair")
    if found.dry < 0:
        raise ValueError("dry is a whole number from 0")
    return found


def _entry(given: Any) -> Entry:
    prompt, answers = (given.get("ask"), given.get("answers")) if isinstance(given, dict) else (None, None)
    if not isinstance(prompt, str) or not prompt.strip() or not isinstance(answers, list) or not answers:
        raise ValueError("each of the questions has an ask and a list of answers")
    if not all(isinstance(each, str) and each.strip() for each in answers):
        raise ValueError("each of the answers is a text")
    return Entry(prompt, tuple(answers))


def since(given: Mapping[str, Any]) -> int:
    """Version 2 has dry rows (SD-23), version 3 the judge `fair` (SD-21); all else is as in version 1."""
    return 3 if given.get("judge") == "fair" else 2 if given.get("dry") else 1


def deal(seats: int, options: Mapping[str, Any], chance: Chance) -> Outcome[State]:
    """A new episode, waiting for codes and the cut (SD-7, SD-8). Raises ValueError for other than three seats, wrong options."""
    if seats != SEATS:
        raise ValueError("Split Decision is for three players")
    return Outcome(State(options_of(options)), ())


_STEPS: Mapping[str, Callable[[Flow[State]], None]] = {
    "round": rounds.begin,
    "free-ace": rounds.next_free_ace,
    "head-start": rounds.next_head_start,
    "question": asking.begin,
    "put": asking.put_to_all,
    "try": asking.next_try,
    "control": control.begin,
    "next-card": control.next_card,
    "bonus": bonus.begin,
    "hand": bonus.begin_hand,
}


def _go_on(flow: Flow[State]) -> None:
    """Whatever the game does by itself, until somebody is asked."""
    if flow.state.phase == "setup" and not flow.state.step:
        rounds.begin_when_set_up(flow)
    while flow.state.step:
        _STEPS[flow.state.step](flow)


def apply(state: State, seat: int, command: Command, chance: Chance) -> Outcome[State]:
    """Play a command. Raises `Illegal`, with the clause, where the rules do not allow it now."""
    if state.phase == "over":
        raise Illegal("The episode is over.", "SD-48")
    if (command.verb in _HOST_VERBS) != (seat == HOST):
        raise Illegal("That is for the host to say." if seat != HOST else "That is for a player to say.", "SD-22")
    if seat != HOST and is_out(state, seat):
        raise Illegal("You are out of this episode; it goes on without you.", "SD-48")
    flow = Flow(chance, state)
    if seat == HOST:
        _host_says(flow, command)
    else:
        flow.put(seat, missed=0)
        if command.verb == "resign":
            _withdraw(flow, seat, "resign")
        else:
            _require(state, seat, command)
            flow.change(moves=state.moves + 1)
            _MOVES[command.verb][1](flow, seat, command)
    _go_on(flow)
    return flow.outcome()


def _host_says(flow: Flow[State], command: Command) -> None:
    if flow.state.phase != _HOST_VERBS[command.verb]:
        waits = "No question is wanted now." if command.verb == "ask" else "No answer waits for your word."
        raise Illegal(waits, "SD-22" if command.verb == "ask" else "SD-21")
    flow.change(moves=flow.state.moves + 1)
    if command.verb == "ask":
        asking.ask(flow, command)
    else:
        asking.judge_answer(flow, command.verb == "right")


def _require(state: State, seat: int, command: Command) -> None:
    if command.verb in ("answer", "skip") and state.phase in ("question", "judging"):
        if seat in to_try(state) and (seat != state.actor or state.phase == "judging"):
            if seat == state.actor:
                raise Illegal("Your answer is here; the host is looking at it.", "SD-19")
            raise NotYet("Others are nearer; your try comes if theirs fail.", "SD-19")
        if seat != state.actor:
            raise Illegal("You have had your try at this question, or are out of the round.", "SD-19")
    if command.verb in ("answer", "skip") and state.phase != "question":
        raise Illegal("No question is open for an answer now.", "SD-19")
    if command.verb in ("codes", "cut") and state.phase != "setup":
        raise Illegal("Codes and the cut were settled before the first round.", "SD-8")
    if state.phase not in _MOVES[command.verb][0]:
        raise NotYet(*_NEEDED[state.phase])
    if state.phase != "setup" and seat != state.actor:
        raise NotYet("It is not your turn now.", "SD-30")


def _place(flow: Flow[State], seat: int, command: Command) -> None:
    slot: Slot = "high" if command.verb == "high" else "low"
    if flow.state.phase == "free-ace":
        rounds.place_free_ace(flow, seat, slot, "say")
    elif flow.state.phase == "head-start":
        hands.place(flow, seat, slot, "say")
        rounds.end_head_start(flow)
    else:
        control.place(flow, seat, slot, "say")


_OPEN_CARD = ("free-ace", "head-start", "free-look", "peek", "place", "passed")
_MOVES: Mapping[str, tuple[tuple[str, ...], Callable[[Flow[State], int, Command], None]]] = {
    "codes": (("setup",), rounds.send_codes),
    "cut": (("setup",), rounds.send_cut),
    "high": (_OPEN_CARD, _place),
    "low": (_OPEN_CARD, _place),
    "refuse": (("head-start", "free-look"), lambda flow, seat, command: control.refuse(flow, seat, "say")),
    "answer": (("question",), asking.answer),
    "skip": (("question",), lambda flow, seat, command: asking.skip(flow, seat, "say")),
    "discard": (("peek", "passed"), lambda flow, seat, command: control.discard(flow, seat, flow.state.card, "say")),
    "pass": (("no-peek",), control.pass_card),
    "keep": (("no-peek",), control.keep),
    "choose": (("choose",), bonus.choose),
    "bet": (("bet",), bonus.bet),
    "suit": (("suit",), bonus.open_suit),
}
"""The phases in which a verb plays, and how."""


def timeout(state: State, seat: int, chance: Chance) -> Outcome[State]:
    """The deadline of `seat` passed. Raises `Illegal` where the game does not wait for that seat."""
    if seat not in asked(state):
        raise Illegal("The game is not waiting for this player.", "SD-46")
    flow = Flow(chance, replace(state, moves=state.moves + 1))
    flow.add(seat, missed=1)
    if state.round == BONUS:
        bonus.finish(flow, "timeout", paid=0)
    elif flow.state.missed[seat] > 1:
        _withdraw(flow, seat, "timeout")
    else:
        _be_silent(flow, seat)
    _go_on(flow)
    return flow.outcome()


def _be_silent(flow: Flow[State], seat: int) -> None:
    """A first silence stands for a move, by phase (SD-9, SD-14, SD-16, SD-19, SD-24 to SD-29)."""
    match flow.state.phase:
        case "setup":
            if not flow.state.codes[seat]:
                rounds.draw_codes(flow, seat, "timeout")
            if not is_set_up(flow.state, seat):
                rounds.draw_cut(flow, "timeout")
        case "free-ace":
            rounds.place_free_ace(flow, seat, "high", "timeout")
        case "head-start":
            control.refuse(flow, seat, "timeout")
            rounds.end_head_start(flow)
        case "question":
            asking.skip(flow, seat, "timeout")
        case "free-look":
            control.refuse(flow, seat, "timeout")
        case "peek":
            control.discard(flow, seat, flow.state.card, "timeout")
        case "no-peek":
            control.lose_unseen(flow, seat)
        case "place":
            control.place(flow, seat, "high", "timeout")
        case _:
            control.receiver_is_silent(flow, seat)


def _withdraw(flow: Flow[State], seat: int, by: str) -> None:
    """Out of every round from now on (SD-46, SD-47)."""
    state = flow.state
    if state.round == BONUS:
        bonus.finish(flow, by, paid=0)
        return
    flow.tell(events.Withdrew(seat, by))
    flow.put(seat, gone=True)
    flow.change(moves=state.moves + (seat == state.actor))
    if state.phase == "setup":
        if seat == 0 and not state.cut:
            rounds.draw_cut(flow, by)
        return
    if seat not in state.order:
        return
    flow.put(seat, out=True)
    if len(in_round(flow.state)) == 1:
        rounds.win_by_default(flow)
    elif seat == state.actor:
        _leave_turn(flow, seat)


def _leave_turn(flow: Flow[State], seat: int) -> None:
    """Whoever acts leaves their turn to the next player, the next nearest, or the next question."""
    match flow.state.phase:
        case "free-ace":
            flow.change(step="free-ace", card="")
        case "head-start":
            rounds.end_head_start(flow)
        case "question" | "judging":
            asking.has_tried(flow, seat)
        case _:
            control.end(flow)


def questions(state: State) -> tuple[Question, ...]:
    """The open questions in seat order: codes side by side, then one at a time; the host for questions and judgements."""
    if state.phase in ("ask", "judging"):
        return (Question(HOST, f"{state.phase}-{state.questions_put}-{state.tries}", state.phase),)
    if state.phase == "setup":
        return tuple(Question(seat, f"setup-{seat}", "setup") for seat in asked(state))
    return tuple(Question(seat, f"{state.round}-{state.phase}-{state.moves}", state.phase) for seat in asked(state))


def is_out(state: State, seat: int) -> bool:
    """Out is whoever withdrew; from round 3 on the loser of round 2; in the bonus round all but its player (SD-48)."""
    if state.round == BONUS:
        return seat != state.order[0]
    return state.gone[seat] or (state.round == 3 and seat == loser_of_second(state))


def winnings(state: State) -> tuple[int, ...]:
    """Dollars won so far, by seat."""
    return state.winnings


def earnings(state: State) -> tuple[Earning, ...]:
    """Money of the first three rounds and of the bonus round, apart."""
    return two_accounts(state.winnings, _day_winner(state), state.paid)


def _day_winner(state: State) -> int | None:
    """The winner of round 3, once there is one."""
    return state.winners[2] if len(state.winners) > 2 else None


def result(state: State) -> Result | None:
    """The winner of round 3, who is champion unless they retire, and what the bonus round paid (SD-44, SD-45)."""
    if state.phase != "over":
        return None
    winner = _day_winner(state)
    if winner is None:
        return Result(None, None, {"bonus": 0, "day": None, "retired": False}, {"consolation": None})
    retired = state.day == bonus.DAYS_TO_RETIRE
    extra = {"bonus": state.paid, "day": state.day, "retired": retired}
    return Result(winner, None if retired else winner, extra, {"consolation": state.consolation})


def scope(state: State, command: Command) -> str:
    """An answer sent ahead is for this question, what one does with a card for this round, a bet for this hand."""
    if command.verb in ("answer", "skip") or state.round == BONUS:
        return f"{state.round}-{state.number}"
    return "" if command.verb in ("codes", "cut") else str(state.round)
