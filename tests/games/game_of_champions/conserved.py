"""What no play of The Game of Champions may change: the contract test asks for it after every command."""

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from host.engine.cards import DECK, Card
from host.engine.game import other
from host.games.game_of_champions.state import THROWS, Battalion, State, asked, battalion, battalions, is_face

ANY_TIME = ("throw",)
VARIANTS: tuple[dict[str, Any], ...] = ({},)
MOST_QUEUED = 3
kind_of_card = is_face
"""A face card that is hidden may be another face card, never a number card: an army would be none."""


def cards_of(army: Sequence[Battalion]) -> list[Card]:
    return [card for each in army for card in (each.commander, *each.cards)]


def check(state: State) -> None:
    """Every card is in one place; what is under way fits the phase."""
    in_play = [card for army in state.army for card in cards_of(army)]
    off = [card for pile in (*state.casualties, *state.gone) for card in pile]
    held = [card for hand in state.hands for card in hand]
    drawn = [state.drawn] if state.drawn else []
    cards = [*in_play, *off, *held, *state.reserve, *drawn]
    assert sorted(cards) == (sorted(DECK) if state.dealer is not None else [])
    assert all(is_face(each.commander) for army in state.army for each in army)
    assert not any(is_face(card) for army in state.army for each in army for card in each.cards)
    assert not any(is_face(card) for pile in state.casualties for card in pile)
    assert all(is_face(card) for pile in state.gone for card in pile)
    for hand, army in zip(state.hands, state.deployed, strict=True):
        if hand:
            assert len(hand) == 15
            assert not army or sorted(cards_of(army)) == sorted(hand)
    assert bool(held) != bool(in_play) or state.dealer is None
    assert (state.phase == "over") == (state.winner is not None) == (state.ending is not None)
    if state.phase == "over":
        assert state.turn is None
        return
    assert asked(state)
    assert (state.phase == "roshambo") == (state.match is not None)
    assert state.phase != "roshambo" or not all(state.queues)
    assert (state.phase == "place") == (state.drawn is not None)
    assert (state.battle is not None) == (state.phase in ("order", "battle") or state.match == "flip")
    assert (state.turn is None) == (state.phase == "deploy" or state.match in ("dealer", "first", "standstill"))
    assert (state.match == "dealer") == (state.dealer is None)
    assert 0 <= state.holds <= 6
    assert len(state.has_used) == len(set(state.has_used)) <= 2
    if state.dealer is not None and not held:
        assert all(battalions(state, seat) for seat in (0, 1))
    check_battle(state)


def check_battle(state: State) -> None:
    if state.battle is None or state.turn is None:
        return
    battle = state.battle
    mine, theirs = battalion(state, state.turn, battle.attacker), battalion(state, other(state.turn), battle.defender)
    assert mine is not None
    assert theirs is not None
    for order, own in zip(battle.orders, (mine, theirs), strict=True):
        assert order is None or set(own.cards) <= set(order)
    if state.phase == "order":
        assert (battle.flips, battle.attacking, battle.defending) == (0, (), ())
        return
    assert battle.flips
    assert battle.orders[0] is not None
    assert set(battle.attacking) <= set(mine.cards)
    assert set(battle.defending) == set(theirs.cards)
    assert 0 <= battle.at < len(battle.defending)
    fought = len(battle.orders[0]) - len(battle.attacking)
    assert battle.flips - fought == (1 if state.match == "flip" else 0)


def unseen(state: State, seat: int, rng: random.Random) -> State:
    """All that `seat` may not see otherwise, but for the cards of the reserve pile and of a hand: the opponent's throws,
    deployment and battle order."""
    them = other(seat)
    queue = throws(rng)
    if state.phase == "roshambo":
        queue = tuple(rng.choice(THROWS) for _ in state.queues[them])
    state = replace(state, queues=(queue, state.queues[1]) if them == 0 else (state.queues[0], queue))
    if state.phase == "deploy" and len(state.deployed[them]) > 1 and not state.deployed[seat]:
        army = spread(state.hands[them], rng)
        state = replace(state, deployed=(army, state.deployed[1]) if them == 0 else (state.deployed[0], army))
    battle = state.battle
    if battle is not None and state.phase == "order":
        first, second = battle.orders
        if them == state.turn:
            first = mixed(first, rng)
        else:
            second = mixed(second, rng)
        state = replace(state, battle=replace(battle, orders=(first, second)))
    return state


def throws(rng: random.Random) -> tuple[str, ...]:
    return tuple(rng.choice(THROWS) for _ in range(rng.randint(0, MOST_QUEUED)))


def spread(hand: Sequence[Card], rng: random.Random) -> tuple[Battalion, ...]:
    """Some deployment of a hand."""
    faces = [card for card in hand if is_face(card)]
    under: dict[Card, list[Card]] = {card: [] for card in rng.sample(faces, len(faces))}
    for card in hand:
        if not is_face(card):
            under[rng.choice(faces)].append(card)
    return tuple(Battalion(commander, tuple(cards)) for commander, cards in under.items())


def mixed(order: tuple[Card, ...] | None, rng: random.Random) -> tuple[Card, ...] | None:
    return None if order is None else tuple(rng.sample(order, len(order)))


def shuffled(state: State, seat: int, rng: random.Random) -> State:
    """All hidden things anew where the next command of whoever is asked cannot bring them to light."""
    return state if may_show(state) else unseen(state, seat, rng)


def may_show(state: State) -> bool:
    """May the next command start a match, or end a wait for both sides?"""
    if state.phase in ("deploy", "order"):
        return len(asked(state)) == 1
    if state.phase == "turn":
        lone = all(any(len(each.cards) == 1 for each in army) for army in state.army)
        return lone or (state.holds == 5 and not state.reserve)
    return state.phase != "place"
