"""What no play of Split Decision may change, and what a seat may not see: the contract test asks for both."""

import random
from dataclasses import replace
from typing import Any

from host.engine.cards import DECK_WITH_JOKERS, JOKERS, SUITS
from host.engine.game import put
from host.games.split_decision.rules.bonus import BOARD, SECOND_CHANCES
from host.games.split_decision.state import (
    BONUS,
    CHIPS,
    CODES,
    FREE_ACE,
    LAST_CALL,
    RANKS,
    SEATS,
    State,
    asked,
    fits,
    fitting,
    in_round,
    rank_as,
)

ANY_TIME: tuple[str, ...] = ()
QUESTIONS = [
    {"ask": "Which city stands on seven hills?", "answers": ["Rome", "Roma"]},
    {"ask": "What is seven times eight?", "answers": ["fifty-six", "56"]},
    {"ask": "Who wrote Faust?", "answers": ["Goethe", "Johann Wolfgang von Goethe"]},
    {"ask": "Which planet has the rings?", "answers": ["Saturn"]},
]
VARIANTS: tuple[dict[str, Any], ...] = (
    {},
    {"judge": "auto"},
    {"judge": "host"},
    {"champion_wins": 1},
    {"champion_wins": 2, "judge": "host"},
    {"champion_wins": 3, "questions": QUESTIONS[:1]},
    {"champion_wins": 4},
    {"questions": QUESTIONS},
    {"champion_wins": 4, "judge": "auto", "questions": QUESTIONS[2:]},
    {"judge": "host", "questions": QUESTIONS * 5, "dry": 12},
    {"judge": "auto", "dry": 1},
    {"dry": 2, "questions": QUESTIONS},
    {"judge": "fair", "questions": QUESTIONS * 2, "dry": 12},
)
TEMPERS: tuple[tuple[str, ...], ...] = ((), (), ("answer", "refuse", "discard", "keep"))
"""Who refuses and discards all cards is soon without chips, which chance alone hardly brings about."""
SOON = 10
"""A command turns up fewer cards than this, and uses fewer sets of codes."""


def check(state: State) -> None:
    """Every card is in one place at most, every dollar is one that the round pays, and who acts can."""
    assert len(set(state.stock)) == len(state.stock)
    assert set(state.stock) <= set(DECK_WITH_JOKERS)
    assert all(amount >= 0 and amount % 25 == 0 for amount in state.winnings)
    assert len(state.winners) == min(state.round, BONUS) - 1
    assert (state.phase == "over") == (state.ending is not None)
    assert state.step == ""
    assert all(missed <= 2 for missed in state.missed)
    assert all(len(codes) in (0, CODES) and all(1 <= code <= 100 for code in codes) for codes in state.codes)
    assert 0 <= state.cut <= 53
    assert all(not gone or seat not in in_round(state) or state.round == BONUS for seat, gone in enumerate(state.gone))
    assert (state.phase == "judging") == bool(state.answer)
    assert state.growths >= max(state.reached)
    if state.round < BONUS:
        check_hands(state)
    else:
        check_bonus(state)


def check_hands(state: State) -> None:
    """Rounds 1 to 3: cards, chips and questions."""
    held = [card for card in (*state.high, *state.low) if card and card != FREE_ACE]
    card = [state.card] if state.card and state.card != FREE_ACE else []
    in_use = [*held, *card, *state.stock]
    assert len(set(in_use)) == len(in_use)
    if state.phase == "setup":
        assert sorted(in_use) == sorted(DECK_WITH_JOKERS)
    assert all(0 <= chips <= CHIPS for chips in state.chips)
    for seat in range(SEATS):
        high, low = state.high[seat], state.low[seat]
        assert seat in state.order or not (high or low)
        assert not (high and low) or rank_as(high, "high") > rank_as(low, "low")
    assert state.bank is None
    assert (state.paid, state.day, state.bet, state.shown, state.places, state.suits) == (0, None, 0, (), (), ())
    if state.phase in ("free-ace", "head-start", "free-look", "peek", "place", "passed"):
        assert state.card
        assert state.actor in in_round(state)
        slots = fitting(state, state.actor, state.card)
        assert slots == tuple(slot for slot in ("high", "low") if fits(state, state.actor, state.card, slot))
        assert len(slots) + (state.phase != "place" and (state.phase != "passed" or state.chips[state.actor] > 0)) > 1
    else:
        assert not state.card
    if state.phase == "no-peek":
        assert state.chips[state.actor] == 0
        assert state.stock
    if state.phase in ("question", "judging", "free-look", "peek", "no-peek", "place", "passed"):
        assert state.question
        assert state.target
        assert 1 <= state.target <= 100
        assert set(state.buzz) >= set(in_round(state))
        assert 1 <= state.number <= state.questions_put
    else:
        assert not state.buzz
        assert state.target is None
    if state.phase not in ("setup", "over"):
        assert len(in_round(state)) > 1
    assert 0 <= state.in_vain < (state.options.dry or state.questions_put + 1)


def check_bonus(state: State) -> None:
    """Luck of the Draw: bank, board and suits."""
    winner = state.winners[2]
    assert state.bank is not None
    assert state.bank >= 0
    assert state.bank % 25 == 0
    assert state.order == (winner,)
    assert state.day == (state.options.champion_wins + 1 if winner == 0 else 1)
    assert sorted(state.places) == sorted(BOARD)
    assert sorted(state.suits) == sorted(SECOND_CHANCES)
    assert 1 <= state.number <= LAST_CALL
    found = [state.suits[SUITS.index(suit)] for suit in state.opened]
    assert "chance" not in found
    assert found.count("no") < 2
    assert len(set(state.opened)) == len(state.opened)
    assert state.helps <= 2
    if state.phase == "over":
        assert state.paid in (0, state.bank, 2 * state.bank, 5 * state.bank)
        return
    assert state.paid == 0
    assert asked(state) == (winner,)
    assert state.card not in state.stock
    assert bool(state.bet) == bool(state.card) == bool(state.between) == (state.phase == "suit")
    assert (len(state.shown) == 4) == (state.phase != "choose")
    assert set(state.shown) <= {*RANKS, "Devil"}
    if state.phase == "suit":
        assert state.card not in JOKERS
        assert state.bet <= state.bank
    elif state.number < LAST_CALL:
        assert state.bank >= 250


def shuffled(state: State, seat: int, rng: random.Random) -> State:
    """A state that `seat` cannot tell from this one, and in which the next command does the same."""
    deep = rng.sample(state.stock[SOON:], len(state.stock[SOON:]))
    return replace(
        other_codes(state, seat, rng, SOON),
        stock=(*state.stock[:SOON], *deep),
        places=state.places if state.phase == "choose" else mixed(state.places, rng),
        suits=state.suits if state.phase == "suit" else closed_suits_mixed(state, rng),
        question=replace(state.question, answers=(*state.question.answers, f"{rng.random()}"))
        if state.question
        else None,
    )


def unseen(state: State, seat: int, rng: random.Random) -> State:
    """A state that `seat` cannot tell from this one; what happens next is another thing."""
    secret = (f"{rng.random()}",)
    ahead = tuple(replace(each, answers=secret) for each in state.options.questions[state.questions_used :])
    known = state.options.questions[: state.questions_used]
    return replace(
        other_codes(state, seat, rng, 0),
        options=replace(state.options, questions=(*known, *ahead)),
        cut=rng.randint(1, 53) if state.cut else 0,
        stock=mixed(state.stock, rng),
        places=mixed(state.places, rng),
        suits=closed_suits_mixed(state, rng),
        question=replace(state.question, answers=secret) if state.question else None,
    )


def mixed(things: tuple[str, ...], rng: random.Random) -> tuple[str, ...]:
    return tuple(rng.sample(things, len(things)))


def other_codes(state: State, seat: int, rng: random.Random, fixed: int) -> State:
    """The codes of the others anew, but for the `fixed` sets that count next."""
    kept = {(state.code_set + away) % CODES for away in range(fixed)}
    for other, codes in enumerate(state.codes):
        if other != seat and codes:
            anew = tuple(code if at in kept else rng.randint(1, 100) for at, code in enumerate(codes))
            state = replace(state, codes=put(state.codes, other, anew))
    return state


def closed_suits_mixed(state: State, rng: random.Random) -> tuple[str, ...]:
    """The second-chance board with what is still closed mixed."""
    if not state.suits:
        return ()
    closed = [at for at, suit in enumerate(SUITS) if suit not in state.opened]
    below = dict(zip(closed, rng.sample([state.suits[at] for at in closed], len(closed)), strict=True))
    return tuple(below.get(at, what) for at, what in enumerate(state.suits))
