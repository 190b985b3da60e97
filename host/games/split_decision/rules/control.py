"""Pure: control, the chance of a card (SD-24 to SD-30). A flow comes to a question or to a next step."""

from host.engine.game import Flow, Illegal
from host.engine.vocabulary import Command
from host.games.split_decision import events
from host.games.split_decision.rules import hands, rounds
from host.games.split_decision.state import COLOURS, FREE_LOOK_FROM, Slot, State, fitting, in_round


def begin(flow: Flow[State]) -> None:
    """A Free Look from the sixth question on, else the next card (SD-24)."""
    state = flow.state
    seat = state.actor
    if state.number < FREE_LOOK_FROM:
        flow.change(step="next-card")
        return
    card, use = hands.show(flow, seat, "free-look")
    if use == "unusable":
        flow.tell(events.Refused(seat, card, "game"))
        flow.change(step="next-card")
    elif not _is_settled(flow, seat, card, use):
        flow.change(phase="free-look", step="")


def _is_settled(flow: Flow[State], seat: int, card: str, use: hands.Use) -> bool:
    """A push ends control, a win the round."""
    if use == "push":
        end(flow)
    elif use == "win":
        rounds.win(flow, seat, "joker" if card[0] == "X" else "card", card)
    return use in ("push", "win")


def end(flow: Flow[State]) -> None:
    """On to the next question, unless the round is over (SD-30)."""
    flow.change(card="", step="question")
    rounds.win_by_default(flow)


def next_card(flow: Flow[State]) -> None:
    """With a chip the card is shown, without one it stays face down (SD-25, SD-26)."""
    seat = flow.state.actor
    if not flow.state.chips[seat]:
        hands.refill(flow)
        flow.change(phase="no-peek", step="")
        return
    card, use = hands.show(flow, seat, "peek")
    if use == "unusable":
        discard(flow, seat, card, "game")
    elif not _is_settled(flow, seat, card, use):
        flow.change(phase="peek", step="")


def place(flow: Flow[State], seat: int, slot: Slot, by: str) -> None:
    """The card in play goes into a slot, and control ends."""
    hands.place(flow, seat, slot, by)
    end(flow)


def refuse(flow: Flow[State], seat: int, by: str) -> None:
    """A card of a head start or a Free Look refused is free; the next card follows (SD-15, SD-24)."""
    flow.tell(events.Refused(seat, flow.state.card, by))
    flow.change(card="", step="head-start" if flow.state.phase == "head-start" else "next-card")


def discard(flow: Flow[State], seat: int, card: str, by: str) -> None:
    """A chip for the card (SD-25)."""
    chips = flow.state.chips[seat]
    if not chips:
        raise Illegal("You have no discard chip left.", "SD-28")
    flow.put(seat, chips=chips - 1)
    flow.tell(events.Discarded(seat, card, chips - 1, by))
    end(flow)


def keep(flow: Flow[State], seat: int, command: Command) -> None:
    """The card face down is kept, whatever it is (SD-27)."""
    flow.tell(events.Kept(seat))
    _turn_over(flow, seat, "keep", "place")


def _turn_over(flow: Flow[State], seat: int, why: str, phase: str) -> None:
    """A card that was face down is for this seat: it goes where it fits, else a chip, else the round (SD-27 to SD-29)."""
    card, use = hands.show(flow, seat, why)
    flow.change(actor=seat)
    has_chip = flow.state.chips[seat] > 0
    if use == "unusable" and has_chip:
        discard(flow, seat, card, "game")
    elif use == "unusable":
        rounds.drop_out(flow, seat, card)
        end(flow)
    elif not _is_settled(flow, seat, card, use):
        slots = fitting(flow.state, seat, card)
        if len(slots) == 1 and not has_chip:
            place(flow, seat, slots[0], "game")
        else:
            flow.change(phase=phase, step="")


def lose_unseen(flow: Flow[State], seat: int) -> None:
    """Silence in a No Peek (SD-26)."""
    hands.draw(flow)
    flow.tell(events.GoneUnseen(seat))
    end(flow)


def pass_card(flow: Flow[State], seat: int, command: Command) -> None:
    """The card face down goes to another player of the round (SD-26, SD-28, SD-29)."""
    to = COLOURS.index(command.word) if command.word in COLOURS else -1
    if to == seat or to not in in_round(flow.state):
        others = " or ".join(COLOURS[each] for each in in_round(flow.state) if each != seat)
        raise Illegal(f"Pass it to a player who is still in this round: {others}.", "SD-26")
    flow.tell(events.Passed(seat, to))
    _turn_over(flow, to, "passed", "passed")


def receiver_is_silent(flow: Flow[State], seat: int) -> None:
    """A discard with a chip, else the first slot that fits (SD-29)."""
    state = flow.state
    if state.chips[seat]:
        discard(flow, seat, state.card, "timeout")
    else:
        place(flow, seat, fitting(state, seat, state.card)[0], "timeout")
