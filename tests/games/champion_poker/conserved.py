"""What no play of Champion Poker may change: the contract test asks for it after every command."""

import random
from dataclasses import replace
from typing import Any

from host.engine.cards import DECK
from host.engine.game import put
from host.games.champion_poker.state import State, Wager, largest_bet, smallest_wager

ANY_TIME: tuple[str, ...] = ()
VARIANTS: tuple[dict[str, Any], ...] = (
    {},
    {"version": 1},
    {"paytable": "B", "hands": 2},
    {"bankroll": 35, "max_bet": 20},
    {"version": 1, "paytable": "B", "bankroll": 18},
    {"version": 1, "hands": 1, "min_bet": 7, "max_bet": 7},
    {"bankroll": 2, "min_bet": 1, "max_bet": 1, "hands": 12},
)


def total(wager: Wager) -> int:
    return wager.bonus + wager.on_the_hand


def check(state: State) -> None:
    """Every card is in one place; chips are in a bankroll or on the table, won or lost; wagers go together."""
    options = state.options
    own = state.cards[:1] if options.version == 1 else state.cards
    dealt = [card for cards in own for card in cards] + [*state.community, *state.dealer_cards]
    assert len(set(dealt)) == len(dealt)
    assert set(dealt) <= set(DECK)
    assert (len(state.community), len(state.dealer_cards)) in {(0, 0), (5, 2)}
    assert all(len(cards) in (0, 2) for cards in state.cards)
    assert bool(dealt) == (len(state.community) == 5)
    if options.version == 1:
        assert len(set(state.cards)) == 1

    seats = range(len(state.bankrolls))
    for seat in seats:
        wager, shown = state.wagers[seat], state.shown_wagers[seat]
        assert state.bankrolls[seat] >= 0
        assert wager.bonus in (0, *range(options.min_bet, options.max_bet + 1))
        assert wager.blind in (0, wager.bonus)
        assert wager.play in (0, wager.blind)
        assert wager.raised in (0, wager.play)
        assert (wager.side is None) == (wager.blind == 0)
        assert not wager.bonus or not state.cards[seat] or len(state.cards[seat]) == 2
        assert not (state.gone[seat] and total(wager))
        if options.version == 2:
            assert wager.side in (None, "player")
        if state.phase == "bet":
            assert total(shown) == 0
        if state.phase != "over":
            had = state.bankrolls[seat] + total(wager) - state.bonus_net[seat] - state.blind_net[seat]
            assert state.hand > 1 or had == options.bankroll
            if state.hand == 2 and state.last:
                assert had == options.bankroll + state.last[0][seat] + state.last[1][seat]
        elif state.hand == 1 and state.last:
            assert state.bankrolls[seat] == options.bankroll + state.last[0][seat] + state.last[1][seat]

    assert 1 <= state.hand <= options.hands
    assert list(state.asked) == sorted(set(state.asked))
    assert not any(state.gone[seat] or state.broke[seat] for seat in state.asked)
    assert (state.phase == "over") == (state.ending is not None)
    assert bool(state.asked) == (state.phase != "over")
    if state.phase == "bet":
        assert not dealt
        assert all(total(state.wagers[seat]) == 0 for seat in state.asked)
        assert all(state.bankrolls[seat] >= smallest_wager(options) for seat in state.asked)
    elif state.phase == "over":
        assert not any(total(wager) for wager in state.wagers)
        assert state.last == (state.bonus_net, state.blind_net)
    else:
        spot = "blind" if state.phase == "play" else "play"
        assert all(getattr(state.wagers[seat], spot) for seat in state.asked)
        assert all(state.bankrolls[seat] >= state.wagers[seat].blind for seat in state.asked)


def shuffled(state: State, seat: int, rng: random.Random) -> State:
    """The answers that the others have given in this round anew, while somebody besides the next to answer is asked."""
    if len(state.asked) < 2:
        return state
    for other in range(len(state.bankrolls)):
        if other not in (seat, *state.asked) and not state.gone[other] and not state.broke[other]:
            state = _answered_anew(state, other, rng)
    return state


def _answered_anew(state: State, seat: int, rng: random.Random) -> State:
    shown, chips, blind_net = state.shown_wagers[seat], state.shown_bankrolls[seat], state.blind_net[seat]
    if state.phase == "bet":
        most = largest_bet(replace(state, bankrolls=state.shown_bankrolls), seat, is_double=True)
        size = rng.randint(state.options.min_bet, most) if most >= state.options.min_bet else 0
        bet = Wager(bonus=size, blind=size, side="player") if size else Wager()
        wager = rng.choice([Wager(), bet])
    elif not shown.blind or chips < shown.blind:
        return state
    elif state.phase == "play":
        play = replace(shown, play=shown.blind)
        wager = rng.choice([play, replace(shown, blind=0, side=None)])
        blind_net = 0 if wager.play else -shown.blind
    else:
        wager = rng.choice([shown, replace(shown, raised=shown.blind)])
    return replace(
        state,
        wagers=put(state.wagers, seat, wager),
        bankrolls=put(state.bankrolls, seat, chips - max(0, total(wager) - total(shown))),
        blind_net=put(state.blind_net, seat, blind_net),
    )
