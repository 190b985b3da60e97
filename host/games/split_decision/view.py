"""Pure: who sees what of Split Decision: a state as a seat may see it (None: all there is), in plain data.

Everybody sees which cards remain, never their order. Hidden: codes but one's own, right answers, the boards of the bonus
round where they are not open.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from host.engine.cards import DECK_WITH_JOKERS, SUITS
from host.engine.game import fields_of, put
from host.games.split_decision.state import (
    BONUS,
    CODES,
    COLOURS,
    DEVIL,
    SEATS,
    State,
    bet_limits,
    fitting,
    heir,
    in_round,
    is_set_up,
    rank_as,
    to_try,
)


def view(state: State, seat: int | None) -> Mapping[str, Any]:
    """The table as `seat` may see it; `remaining` are the cards of the stock in the order of a new deck."""
    of_all = "phase round number order actor card seen target buzz answer day paid bank bet between shown"
    of_seats = "out gone missed high low chips winnings winners"
    seen: dict[str, Any] = fields_of(state, f"{of_all} {of_seats}") | {
        "is_bonus": state.round == BONUS,
        "colours": list(COLOURS),
        "in_round": list(in_round(state)),
        "fits": list(fitting(state, state.actor, state.card)) if state.card and state.round < BONUS else [],
        "remaining": [card for card in DECK_WITH_JOKERS if card in state.stock],
        "ask": state.question.ask if state.question else "",
        "to_try": list(to_try(state)),
        "heir": heir(state),
        "codes": list(state.codes[seat]) if seat is not None and seat >= 0 else [],
        "has_cut": state.cut > 0,
        "is_set_up": [is_set_up(state, each) for each in range(len(state.gone))],
        "champion_wins": state.options.champion_wins,
        "bet_limits": list(bet_limits(state)) if state.bank is not None else [0, 0, 0],
        "opened": list(state.opened),
        "found": [state.suits[SUITS.index(each)] for each in state.opened],
    }
    if seat is not None:
        return seen
    answers = list(state.question.answers) if state.question else []
    hidden = {"all_codes": list(map(list, state.codes)), "answers": answers}
    return seen | fields_of(state, "stock places suits") | hidden


def order_facts(seen: Mapping[str, Any], seat: int) -> dict[str, int | str]:
    """The facts of orders, from the view of a seat: the rank of the card in play, and in the bonus round four places, the
    least bet on the shown cards that are furthest apart, a suit that is not open."""
    facts: dict[str, int | str] = {"round": f"round {seen['round']}"}
    if seen["actor"] != seat:
        return facts
    if seen["card"] and not seen["is_bonus"]:
        rank = seen["card"][0]
        facts["card"] = 14 if rank in "AX" else "23456789TJQK".index(rank) + 2
    if seen["phase"] == "choose":
        facts["places"] = "1 2 3 4"
    if seen["phase"] == "bet":
        ranks = [rank for rank in seen["shown"] if rank != DEVIL]
        high = max(ranks, key=lambda rank: rank_as(rank, "high"))
        ranks.remove(high)
        facts["least_bet"] = f"{seen['bet_limits'][0]} {high} {min(ranks, key=lambda rank: rank_as(rank, 'low'))}"
    if seen["phase"] == "suit":
        facts["suit"] = next(suit for suit in SUITS if suit not in seen["opened"])
    return facts


def as_seen(state: State, seat: int) -> State:
    """The state with codes, a cut, boards and the order of the stock made up, and no answer known. See `Game`."""
    codes = state.codes
    for them in (each for each in range(SEATS) if each != seat and codes[each]):
        codes = put(codes, them, tuple(range(1, CODES + 1)))
    closed = iter(sorted(what for suit, what in zip(SUITS, state.suits, strict=False) if suit not in state.opened))
    return replace(
        state,
        options=replace(state.options, questions=()),
        codes=codes,
        cut=min(1, state.cut),
        stock=tuple(card for card in DECK_WITH_JOKERS if card in state.stock),
        question=replace(state.question, answers=("?",)) if state.question else None,
        places=tuple(sorted(state.places)),
        suits=tuple(
            what if suit in state.opened else next(closed) for suit, what in zip(SUITS, state.suits, strict=False)
        ),
    )


def table(state: State, names: Sequence[str]) -> dict[str, Any]:
    """All there is, nothing hidden, with players by name: the record's `table`."""
    is_bonus, is_over = state.round == BONUS, state.phase == "over"
    in_hand = () if is_bonus else state.order
    return {
        "phase": state.phase,
        "round": state.round,
        "question": state.number,
        "order": [names[seat] for seat in state.order],
        "out": [names[seat] for seat in state.order if state.out[seat]],
        "slots": {names[seat]: {"high": state.high[seat] or None, "low": state.low[seat] or None} for seat in in_hand},
        "chips": {names[seat]: state.chips[seat] for seat in in_hand},
        "card": None if is_over else state.card or None,
        "remaining": len(state.stock),
        "buzz": [] if is_over else [names[seat] for seat in state.buzz],
        "target": None if is_over else state.target,
        "bank": state.bank,
        "bet": state.bet or None if not is_over else None,
        "shown": [] if is_over else list(state.shown),
        "opened": list(state.opened),
        "turn": names[state.actor] if state.phase not in ("setup", "ask", "judging", "over") else None,
    }
