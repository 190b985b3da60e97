"""What no play of Bluffjack may change: the contract test asks for it after every command."""

from typing import Any

from host.engine.cards import DECK
from host.games.bluffjack.state import State, playing

ANY_TIME: tuple[str, ...] = ()
VARIANTS: tuple[dict[str, Any], ...] = (
    {},
    {"more_betting": True},
    {"two_bets": True},
    {"no_house": True},
    {"charlie": 5},
    {"charlie": 5, "longer_charlie": True},
    {"best_hand": True},
    {"chips": 35, "ante": 3},
    {"double_every": 1, "chips": 500},
    {"double_every": 0, "chips": 60},
    {"max_hands": 2},
    {"charlie": 7, "best_hand": True, "no_house": True, "two_bets": True, "more_betting": True},
    {
        **{"charlie": 5, "longer_charlie": True, "best_hand": True, "no_house": True, "two_bets": True},
        **{"more_betting": True, "max_hands": 4},
    },
    {"charlie": 10, "max_hands": 1, "chips": 1000, "no_house": True},
    {"chips": 5},
)


def check(state: State) -> None:
    """Every card is in one place; the chips are those that were brought to the table."""
    seats = range(len(state.chips))
    assert sorted([*state.stock, *(card for cards in state.cards for card in cards)]) == sorted(DECK)
    assert all(amount >= 0 for amount in (*state.chips, *state.in_pot, state.aside))
    assert sum(state.chips) + sum(state.in_pot) + state.aside == len(state.chips) * state.options.chips
    for seat in seats:
        assert bool(state.cards[seat]) == state.dealt[seat]
        assert state.dealt[seat] or not (state.folded[seat] or state.standing[seat] or state.chips[seat])
        assert not (state.folded[seat] and state.standing[seat])
        assert not state.gone[seat] or not state.chips[seat] or seat == state.winner
        assert state.missed[seat] <= 2
    assert (state.phase == "over") == (state.turn is None) == (state.winner is not None) == (state.ending is not None)
    if state.phase == "over":
        assert not any(state.in_pot)
        assert state.winner is not None
        assert state.chips[state.winner] == max(state.chips)
        assert not (state.options.no_house and state.aside)
        return
    assert not state.showdown
    assert len(playing(state)) > 1
    assert state.turn in playing(state)
    assert (state.phase == "card") == (state.stage == "cards")
    assert state.options.more_betting or state.stage != "between"
    assert any(state.in_pot)
