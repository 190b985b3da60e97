"""Pure: who sees what of Bluffjack: a state as a seat may see it (None: all there is), in plain data.

Hidden from all but its owner: each first card until a showdown. Hidden from everybody: the deck.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from host.engine.cards import made_up, total
from host.engine.game import by_name, fields_of
from host.games.bluffjack.state import State, ante_of, may_bet, missing, to_call


def view(state: State, seat: int | None) -> Mapping[str, Any]:
    """The table as `seat` may see it; `"??"` is a card face down. Totals are None where not all cards are seen."""
    seats = range(len(state.chips))
    cards = [_cards(state, each, seat) for each in seats]
    may_turn_bet = state.turn is not None and may_bet(state, state.turn)
    names = "phase stage hand dealer turn dealt folded standing gone missed chips in_pot aside winner"
    seen = fields_of(state, names) | {
        "ante": ante_of(state),
        "cards": cards,
        "totals": [None if "??" in each or not each else total(each) for each in cards],
        "soft": ["??" not in each and _is_soft(each) for each in cards],
        "shown": [each in state.showdown for each in seats],
        "pot": sum(state.in_pot),
        "missing": [missing(state, each) for each in seats],
        "to_call": 0 if state.turn is None or state.phase != "bet" else to_call(state, state.turn),
        "bet_follows": state.options.more_betting and state.stage == "cards" and may_turn_bet,
        "no_house": state.options.no_house,
        "options": asdict(state.options),
        "stock_count": len(state.stock),
    }
    return seen if seat is not None else seen | {"stock": list(state.stock)}


def _cards(state: State, owner: int, seat: int | None) -> list[str]:
    cards = list(state.cards[owner])
    if seat in (None, owner) or owner in state.showdown or not cards:
        return cards
    return ["??", *cards[1:]]


def _is_soft(cards: Sequence[str]) -> bool:
    """Does an ace count 11? With two kings more none does."""
    return total(cards) > total([*cards, "Kc", "Kd"]) - 20


def order_facts(seen: Mapping[str, Any], seat: int) -> dict[str, int | str]:
    """The facts of orders, from the view of a seat: their total, and at a bet what a call costs."""
    facts: dict[str, int | str] = {"round": f"hand {seen['hand']}"}
    if seen["turn"] != seat:
        return facts
    return facts | {"total": seen["totals"][seat]} | ({"call": seen["to_call"]} if seen["phase"] == "bet" else {})


def as_seen(state: State, seat: int) -> State:
    """The state with low cards made up for all that lie face down. See `Game`."""
    cards = [_cards(state, each, seat) for each in range(len(state.cards))]
    hidden = sum(each.count("??") for each in cards)
    known = {card for each in cards for card in each}
    others = made_up(hidden + len(state.stock), known)
    face_down = iter(others[:hidden])
    return replace(
        state,
        cards=tuple(tuple(next(face_down) if card == "??" else card for card in each) for each in cards),
        stock=others[hidden:],
    )


def table(state: State, names: Sequence[str]) -> dict[str, Any]:
    """All there is, nothing hidden, with players by name: the record's `table`."""
    seats = range(len(names))
    return fields_of(state, "phase hand") | {
        "dealer": names[state.dealer],
        "turn": None if state.turn is None else names[state.turn],
        "cards": by_name(names, state.cards),
        "folded": [names[seat] for seat in seats if state.folded[seat]],
        "standing": [names[seat] for seat in seats if state.standing[seat]],
        "chips": by_name(names, state.chips),
        "in_pot": by_name(names, state.in_pot),
        "to_call": 0 if state.turn is None or state.phase != "bet" else to_call(state, state.turn),
        "aside": state.aside,
    }
