"""Pure: one step of play under way. In: a state, a seat, a value. Out: what both seats have, with that in its place."""

from host import game
from host.cards import Card
from host.games.champ_cards.state import State, other

Flow = game.Flow[State]


def with_hand(state: State, seat: int, cards: tuple[Card, ...]) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """Both hands, that of `seat` replaced."""
    return (cards, state.hands[1]) if seat == 0 else (state.hands[0], cards)


def with_amount(pair: tuple[int, int], seat: int, amount: int) -> tuple[int, int]:
    """A pair of numbers, that of `seat` replaced."""
    rest = pair[other(seat)]
    return (amount, rest) if seat == 0 else (rest, amount)
