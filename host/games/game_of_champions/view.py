"""Pure: who sees what of The Game of Champions: a state as a seat may see it (None: all there is), in plain data.

Hidden: the reserve pile, the other's throws, and hands, armies and battle orders as long as one of the two is missing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from host.engine.cards import DECK, Card
from host.engine.game import by_name, fields_of
from host.games.game_of_champions.state import (
    THROWS,
    Battalion,
    Battle,
    State,
    asked,
    by_strength,
    fighting,
    has_advantage,
    is_face,
    strength,
)

T = TypeVar("T")


def view(state: State, seat: int | None) -> Mapping[str, Any]:
    """The table as `seat` may see it. `army` are by seat: commanders with their cards and the sum of these.

    Of a battle, `tied` are the attacker's and the defender's card that Roshambo is for, and `to_come` by seat what is left
    of a battle order, of one's own only.
    """
    own = [each == seat or seat is None for each in (0, 1)]
    is_deploying = state.phase == "deploy"
    names = "phase match dealer turn casualties gone drawn holds winner"
    seen: dict[str, Any] = fields_of(state, names) | {
        "hands": [list(hand) if own[each] else ["??"] * len(hand) for each, hand in enumerate(state.hands)],
        "deployed": [_army(army) if own[each] and is_deploying else [] for each, army in enumerate(state.deployed)],
        "army": [_army(army) for army in state.army],
        "reserve_count": len(state.reserve),
        "queue": [list(queue) if own[each] else [] for each, queue in enumerate(state.queues)],
        "may_general": state.turn is not None and state.phase == "turn" and has_advantage(state, state.turn, "K"),
        "may_spy": state.turn is not None and state.phase == "turn" and has_advantage(state, state.turn, "A"),
        "battle": state.battle and _battle(state, state.battle, own),
        "is_asked": [each in asked(state) for each in (0, 1)],
    }
    return seen if seat is not None else seen | {"reserve": list(state.reserve)}


def _battle(state: State, battle: Battle, own: Sequence[bool]) -> dict[str, Any]:
    return fields_of(battle, "attacker defender flips") | {
        "attackers_to_fight": len(battle.attacking),
        "defenders_alive": len(battle.defending),
        "tied": [battle.attacking[0], battle.defending[battle.at]] if state.match == "flip" else [],
        "to_come": [_to_come(state, battle, each) if own[each] else [] for each in (0, 1)],
    }


def _to_come(state: State, battle: Battle, seat: int) -> list[str]:
    """A battle order as far as it is still to fight, the next card first; empty until it was sent."""
    if state.turn is None:
        return []
    if state.phase == "order":
        return list(battle.orders[0 if seat == state.turn else 1] or ())
    if seat == state.turn:
        return list(battle.attacking)
    return [*battle.defending[battle.at :], *battle.defending[: battle.at]]


def _army(army: Sequence[Any]) -> list[dict[str, Any]]:
    return [
        {"commander": each.commander, "cards": list(each.cards), "sum": sum(strength(card) for card in each.cards)}
        for each in army
    ]


def order_facts(seen: Mapping[str, Any], seat: int) -> dict[str, int | str]:
    """The facts of orders, from the view of a seat: its cards of a battle by strength, its strongest and weakest battalion."""
    facts: dict[str, int | str] = {"round": f"turn of {seen['turn']}"}
    army = seen["army"][seat]
    if seen["phase"] == "order" and seen["is_asked"][seat]:
        fighter = seen["battle"]["attacker" if seen["turn"] == seat else "defender"]
        cards = next(each["cards"] for each in army if each["commander"] == fighter)
        facts |= {"strongest": " ".join(by_strength(cards)), "weakest": " ".join(by_strength(cards, is_falling=False))}
    if seen["phase"] == "place" and seen["turn"] == seat and army:
        ranked = sorted(army, key=lambda each: each["sum"])
        facts |= {"strongest_commander": ranked[-1]["commander"], "weakest_commander": ranked[0]["commander"]}
    return facts


def as_seen(state: State, seat: int) -> State:
    """The state with throws, a hand, an army, orders and a pile made up where they are hidden. See `Game`."""
    for them in (each for each in (0, 1) if each != seat):
        state = _as_seen_of(state, them)
    shown = {card for army in state.army for each in army for card in (each.commander, *each.cards)}
    shown |= {card for pile in (*state.casualties, *state.gone, *state.hands, (state.drawn,)) for card in pile if card}
    reserve = [card for card in reversed(DECK) if card not in shown][: len(state.reserve)]
    return replace(state, reserve=tuple(reserve), deployed=state.deployed if state.phase == "deploy" else ((), ()))


def _as_seen_of(state: State, them: int) -> State:
    """The state with all that only `them` may see made up."""
    waits = state.phase == "roshambo" and bool(state.queues[them])
    own = {card for each, hand in enumerate(state.hands) if each != them for card in hand}
    faces = [card for card in DECK if is_face(card) and card not in own]
    numbers = [card for card in DECK if not is_face(card) and card not in own]
    count = len(state.hands[them])
    hand = (*faces[: min(2, count)], *numbers[: max(0, count - 2)])
    army = (Battalion(faces[0], hand[2:]), Battalion(faces[1])) if state.deployed[them] else ()
    return replace(
        state,
        queues=_put(state.queues, them, THROWS[:1] if waits else ()),
        hands=_put(state.hands, them, hand),
        deployed=_put(state.deployed, them, army),
        battle=_battle_as_seen(state, state.battle, them) if state.battle else None,
    )


def _put(pair: tuple[T, T], seat: int, value: T) -> tuple[T, T]:
    return (value, pair[1]) if seat == 0 else (pair[0], value)


def _battle_as_seen(state: State, battle: Battle, them: int) -> Battle:
    """A battle in which the cards of `them` fight as their battalion lies there, those of a tie first."""
    is_attacker = them == state.turn
    cards = fighting(state, them)
    side = 0 if is_attacker else 1
    orders = _put(battle.orders, side, None if battle.orders[side] is None else cards)
    if state.phase == "order":
        return replace(battle, orders=orders)
    to_fight = battle.attacking if is_attacker else battle.defending
    tied: tuple[Card, ...] = ()
    if state.match == "flip":
        tied = (battle.attacking[0] if is_attacker else battle.defending[battle.at],)
    made = (*tied, *(card for card in cards if card not in tied))[: len(to_fight)]
    if is_attacker:
        return replace(battle, orders=orders, attacking=made)
    return replace(battle, orders=orders, defending=made, at=0)


def table(state: State, names: Sequence[str]) -> dict[str, Any]:
    """All there is, nothing hidden, with players by name: the record's `table`."""
    army = [[{"commander": each.commander, "cards": list(each.cards)} for each in side] for side in state.army]
    return {
        "phase": state.phase,
        "dealer": None if state.dealer is None else names[state.dealer],
        "turn": None if state.turn is None else names[state.turn],
        "hands": by_name(names, state.hands),
        "army": by_name(names, army),
        "casualties": by_name(names, state.casualties),
        "gone": by_name(names, state.gone),
        "reserve": list(state.reserve),
        "drawn": state.drawn,
        "queued": by_name(names, [len(queue) for queue in state.queues]),
        "battle": state.battle and fields_of(state.battle, "attacker defender flips"),
    }
