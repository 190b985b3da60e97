"""Tables of Champ Cards as the tests need them, and saying things at them."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from host.engine.cards import DECK, Card
from host.engine.chance import Chance
from host.engine.events import Event
from host.engine.game import Outcome
from host.games.champ_cards import GAME
from host.games.champ_cards.state import SPACES, State

CHANCE = Chance(bytes(32))


def table(
    spaces: Sequence[Card] = (),
    top: Sequence[Card] = (),
    hands: tuple[Sequence[Card], Sequence[Card]] = ((), ()),
    house: Sequence[Card] = (),
    is_full: bool = True,
    **fields: Any,
) -> State:
    """Seat 0 is about to pick. `spaces` are filled up to nine (blank where not `is_full`), the stock begins with `top`."""
    used = {*spaces, *top, *hands[0], *hands[1], *house}
    rest = [card for card in DECK if card not in used]
    missing = SPACES - len(spaces)
    laid = (*spaces, *(rest[:missing] if is_full else [""] * missing))
    stock = (*top, *(rest[missing:] if is_full else rest))
    state = State(
        phase="pick", spaces=laid, stock=stock, hands=(tuple(hands[0]), tuple(hands[1])), house=tuple(house), deck=DECK
    )
    return replace(state, **fields)


def bonus(hand: Sequence[Card] = (), house: Sequence[Card] = ("2c", "3c"), **fields: Any) -> State:
    """Seat 0 has won the main game and plays hand 1 of the bonus round, with a bet of all its bank."""
    known: dict[str, Any] = {"stage": "bonus", "winner": 0, "winnings": (5000, 0), "bank": 2500, "bet": 2500}
    return table(hands=(hand, ()), house=house, **known | fields)


def choosing(card: Card, hand: Sequence[Card] = (), space: int = 5, **fields: Any) -> State:
    """The seat in turn has turned over `card` on `space`."""
    turn = fields.get("turn", 0)
    hands = (hand, fields.pop("other", ())) if turn == 0 else (fields.pop("other", ()), hand)
    blind = [each for each in DECK if each not in {card, *hand, *hands[0], *hands[1], *fields.get("top", ())}]
    spaces = (*blind[: space - 1], card, *blind[space - 1 : SPACES - 1])
    shown = tuple(at == space - 1 for at in range(SPACES))
    return table(spaces=spaces, hands=hands, phase="choose", picked=space - 1, shown=shown, **fields)


def say(state: State, *texts: str, seat: int | None = None) -> Outcome[State]:
    """Each text is said by `seat`, else by whoever is in turn."""
    events: list[Event] = []
    for text in texts:
        speaker = state.turn if seat is None else seat
        outcome = GAME.apply(state, speaker, GAME.parse(text, state, speaker), CHANCE)
        state = outcome.state
        events.extend(outcome.events)
    return Outcome(state, tuple(events))


def new_game() -> State:
    return GAME.deal(2, {}, CHANCE).state
