"""What no play of Champ Cards may change: the contract test asks for it after every command."""

from host.engine.cards import DECK
from host.games.champ_cards.state import State

STAKES = (2500, 5000)
ANY_TIME: tuple[str, ...] = ()


def check(state: State) -> None:
    """Every card is in one place; the money is what rounds, bank and bet say."""
    laid = [card for card in state.spaces if card]
    cards = [*laid, *state.hands[0], *state.hands[1], *state.stock, *state.house]
    if cards or state.phase != "bet":
        assert sorted(cards) == sorted(DECK)
    assert all(amount >= 0 for amount in (*state.winnings, state.bank, state.bet, state.offer, state.paid))
    assert sum(state.rounds_won) <= 3
    assert (state.stage == "bonus") == (state.winner is not None)
    assert (state.phase == "over") == (state.ending is not None)
    if state.stage == "main":
        assert state.winnings == tuple(2500 * rounds for rounds in state.rounds_won)
        assert (state.bank, state.bet, state.offer, state.house) == (0, 0, 0, ())
    elif state.phase != "over" and state.round == 1:
        assert state.bank in STAKES
    if state.phase == "over":
        assert state.bank == state.paid
    else:
        assert state.bet <= state.bank
