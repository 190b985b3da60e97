"""Pure: who sees what of Champ Cards: a state as a seat may see it (None: all there is), in plain data.

Face-down spaces, the stock, and the hole card until it is shown are hidden from both seats; all else is open.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from host.engine.cards import made_up, total
from host.engine.game import by_name, fields_of
from host.games.champ_cards.state import State, bet_limits, in_turn, may_freeze


def view(state: State, seat: int | None) -> Mapping[str, Any]:
    """The table as `seat` may see it. `spaces` are nine of: a card code, `""` blank, `"??"` face down."""
    names = "phase stage round rounds_won winnings hands frozen winner bank bet offer"
    seen = fields_of(state, names) | {
        "spaces": _spaces(state),
        "totals": [total(hand) for hand in state.hands],
        "turn": in_turn(state),
        "if_kept": total([*state.hands[state.turn], state.spaces[state.picked]]) if state.picked is not None else None,
        "picked": None if state.picked is None else state.picked + 1,
        "may_freeze": may_freeze(state) if state.phase == "pick" else False,
        "bet_limits": list(bet_limits(state.bank)),
        "house": _house(state, seat),
        "house_total": total(state.house) if state.hole_shown or seat is None else None,
        "stock_count": len(state.stock),
    }
    return seen if seat is not None else seen | {"stock": list(state.stock), "hidden_spaces": list(state.spaces)}


def _spaces(state: State) -> list[str]:
    return [card if up or not card else "??" for card, up in zip(state.spaces, state.shown, strict=True)]


def _house(state: State, seat: int | None) -> list[str]:
    if state.hole_shown or seat is None or not state.house:
        return list(state.house)
    return ["??", *state.house[1:]]


def order_facts(seen: Mapping[str, Any], seat: int) -> dict[str, int | str]:
    """The facts of orders, from the view of a seat: the card turned over and what keeping it makes, a total that could be
    frozen at, the offer, the next space. Of a card that would lose the round an order about cards knows nothing: it is asked."""
    facts: dict[str, int | str] = {"round": f"{seen['stage']} {seen['round']}"}
    if seen["turn"] != seat:
        return facts
    if seen["picked"] is not None:
        facts |= {"makes": seen["if_kept"]}
        facts |= {"card": total([seen["spaces"][seen["picked"] - 1]])} if seen["if_kept"] <= 21 else {}
    if seen["phase"] == "pick":
        facts |= {"total": seen["totals"][seat]} if seen["may_freeze"] else {}
        places = [at for at, card in enumerate(seen["spaces"], 1) if card]
        closed = [at for at in places if seen["spaces"][at - 1] == "??"]
        facts |= {"next": (closed or places)[0]} if places else {}
    return facts | ({"offer": seen["offer"]} if seen["phase"] == "offer" else {})


def as_seen(state: State, seat: int) -> State:
    """The state with low cards made up for all that lie face down. See `Game`."""
    house = _house(state, seat)
    spaces = _spaces(state)
    known = {*spaces, *house, *(card for hand in state.hands for card in hand)}
    count = spaces.count("??")
    cards = made_up(count + house.count("??") + len(state.stock), known)
    face_down = iter(cards[:count])
    return replace(
        state,
        spaces=tuple(next(face_down) if card == "??" else card for card in spaces),
        house=tuple(cards[count] if card == "??" else card for card in house),
        stock=cards[len(cards) - len(state.stock) :],
        deck=(),
    )


def table(state: State, names: Sequence[str]) -> dict[str, Any]:
    """All there is, nothing hidden, with players by name: the record's `table`."""
    return fields_of(state, "phase stage round") | {
        "rounds_won": by_name(names, state.rounds_won),
        "spaces": _spaces(state),
        "hands": by_name(names, state.hands),
        "totals": by_name(names, [total(hand) for hand in state.hands]),
        "frozen": None if state.frozen is None else names[state.frozen],
        "stock": list(state.stock),
        "bank": state.bank if state.stage == "bonus" else 0,
        "bet": state.bet,
        "offer": state.offer,
        "house": list(state.house),
        "turn": None if in_turn(state) is None else names[state.turn],
    }
