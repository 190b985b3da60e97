"""Pure: the choices that links of Champ Cards offer in a state."""

from host.engine.cards import face, total
from host.engine.game import Choice, Question
from host.engine.vocabulary import one_word, with_value
from host.games.champ_cards.state import FREEZE_FROM, SPACES, State, bet_limits, hand_total, may_freeze, open_spaces

_PICK = "the word pick and the number of a space"
HALF = 26
"""The cut of a link that also picks."""


def choices(state: State, question: Question) -> tuple[Choice, ...]:
    """Offers at least one answer for every kind of legal move, fit for a link."""
    return _CHOICES[question.phase](state)


def ahead(state: State, seat: int) -> tuple[Choice, ...]:
    """Offers what can be settled before it is asked: the next turn of this round."""
    if state.stage != "main" or state.phase not in ("pick", "choose") or state.turn == seat:
        return ()
    picks = [with_value("pick", place + 1, _pick_label(state, place), _PICK) for place in open_spaces(state)]
    may = state.frozen is None and hand_total(state, seat) >= FREEZE_FROM
    return (*picks, *([one_word("freeze")] if may else []))


def _cut_choices(state: State) -> tuple[Choice, ...]:
    for_both, for_cut = "the words cut and pick, each with its number", "the word cut and any number from 0 to 51"
    both = (
        Choice((f"cut {HALF}", f"pick {space}"), f"Cut {HALF}, pick {space}", for_both, "cut and pick", spot=str(space))
        for space in range(1, SPACES + 1)
    )
    return (*both, *(with_value("cut", count, f"Cut {count}", for_cut) for count in (13, HALF, 39)))


def _pick_choices(state: State) -> tuple[Choice, ...]:
    spaces = open_spaces(state)
    picks = (with_value("pick", place + 1, _pick_label(state, place), _PICK, str(place + 1)) for place in spaces)
    draws = () if spaces else (one_word("draw", "Draw from the stock"),)
    freezes = (one_word("freeze", f"Freeze at {hand_total(state, state.turn)}"),) if may_freeze(state) else ()
    return (*picks, *draws, *freezes)


def _pick_label(state: State, place: int) -> str:
    return f"Pick {place + 1} ({face(state.spaces[place])})" if state.shown[place] else f"Pick {place + 1}"


def _keep_or_draw(state: State) -> tuple[Choice, ...]:
    card = state.spaces[state.picked or 0]
    points = total([*state.hands[state.turn], card])
    return (one_word("keep", f"Keep the {face(card)}: {points}"), one_word("draw", "Leave it and draw"))


def _bet_choices(state: State) -> tuple[Choice, ...]:
    smallest, largest = bet_limits(state.bank)
    middle = -(-(smallest + largest) // 2)
    usage = f"the word bet and a whole number from {smallest} to {largest}"
    notes = {smallest: " (half)", middle: "", largest: " (all)"}
    return tuple(with_value("bet", amount, f"Bet ${amount:,}{note}", usage) for amount, note in notes.items())


def _offer_choices(state: State) -> tuple[Choice, ...]:
    return (one_word("accept", f"Accept ${state.offer:,} and stop"), one_word("decline", "Decline and play on"))


_CHOICES = {
    "cut": _cut_choices,
    "pick": _pick_choices,
    "choose": _keep_or_draw,
    "bet": _bet_choices,
    "offer": _offer_choices,
}
