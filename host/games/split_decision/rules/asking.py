"""Pure: questions, who buzzed in, and answers. A flow comes to a question or to a next step."""

from host.engine.game import Flow, Illegal
from host.engine.vocabulary import Command
from host.games.split_decision import events
from host.games.split_decision.commands import entry_in
from host.games.split_decision.rules import hands
from host.games.split_decision.rules.answers import judge
from host.games.split_decision.rules.rounds import OF_A_QUESTION
from host.games.split_decision.state import CODES, HIGHEST_CODE, State, heir, in_round, to_try


def begin(flow: Flow[State]) -> None:
    """The next question of the list, or one that the host is asked for (SD-22)."""
    state = flow.state
    flow.reset(f"actor {OF_A_QUESTION}")
    flow.change(number=state.number + 1, questions_put=state.questions_put + 1)
    listed = state.options.questions
    if state.questions_used < len(listed):
        flow.change(question=listed[state.questions_used], questions_used=state.questions_used + 1, step="put")
    else:
        flow.change(phase="ask", step="")


def ask(flow: Flow[State], command: Command) -> None:
    """The host's own question (SD-22)."""
    entry = entry_in(command.word)
    if entry is None or not entry.ask or not entry.answers or not all(entry.answers):
        raise Illegal("A question is: ask PROMPT = ANSWER, with | between several answers that are right.", "SD-22")
    flow.change(question=entry, step="put")


def put_to_all(flow: Flow[State]) -> None:
    """Draw the target; the nearest has buzzed in (SD-17, SD-18)."""
    state = flow.state
    target = flow.chance.below(f"target:{state.questions_put}", HIGHEST_CODE) + 1
    at = state.code_set
    for tried in range(CODES):
        away = {seat: abs(state.codes[seat][at] - target) for seat in in_round(state)}
        at = (at + 1) % CODES
        if len(set(away.values())) == len(away) or tried == CODES - 1:
            break
    buzz = tuple(sorted(away, key=lambda seat: (away[seat], seat)))
    flow.change(target=target, buzz=buzz, code_set=at, step="try")
    question = state.question
    flow.tell(events.QuestionPut(state.number, question.ask if question else "", target, buzz))


def next_try(flow: Flow[State]) -> None:
    """The nearest who has not tried; nobody: the next question (SD-19), or control for the nearest (SD-23)."""
    state = flow.state
    left = to_try(state)
    if left:
        flow.change(phase="question", step="", actor=left[0], answer="")
        return
    if state.question:
        flow.tell(events.NobodyKnew(state.question.answers[0]))
    seat = heir(state)
    if seat < 0:
        flow.change(step="question", in_vain=state.in_vain + 1)
    else:
        flow.tell(events.TookControl(seat, state.options.dry))
        flow.change(step="control", actor=seat, in_vain=0)


def has_tried(flow: Flow[State], seat: int) -> None:
    """This seat's one try is over."""
    flow.change(tries=flow.state.buzz.index(seat) + 1, step="try", answer="")


def answer(flow: Flow[State], seat: int, command: Command) -> None:
    """Right, wrong, or for the host to judge (SD-20, SD-21)."""
    state = flow.state
    verdict = judge(command.word, state.question.answers if state.question else (), state.options.judge)
    flow.tell(events.Answered(seat, command.word, verdict))
    if verdict == "right":
        _win_control(flow, seat)
    elif verdict == "near":
        flow.change(phase="judging", step="", answer=command.word)
    else:
        has_tried(flow, seat)


def judge_answer(flow: Flow[State], is_right: bool) -> None:
    """The host's word on an answer (SD-21)."""
    seat = flow.state.actor
    flow.tell(events.Judged(seat, flow.state.answer, is_right))
    if is_right:
        _win_control(flow, seat)
    else:
        has_tried(flow, seat)


def _win_control(flow: Flow[State], seat: int) -> None:
    """A right answer pays and gives control (SD-23, SD-32)."""
    amount = hands.RIGHT_OR_PUSH[flow.state.round - 1]
    hands.pay(flow, seat, amount)
    flow.tell(events.Paid(seat, amount))
    flow.change(step="control", answer="", in_vain=0)


def skip(flow: Flow[State], seat: int, by: str) -> None:
    """Give up the try (SD-19)."""
    flow.tell(events.Skipped(seat, by))
    has_tried(flow, seat)
