"""Tables of Bluffjack as the tests need them, and saying things at them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from host.engine.cards import DECK
from host.engine.chance import Chance
from host.engine.events import Event
from host.engine.game import Outcome
from host.games.bluffjack import GAME
from host.games.bluffjack.state import Options, State

CHANCE = Chance(bytes(32))


def table(hands: Sequence[str], top: str = "", options: Mapping[str, Any] | None = None, **fields: Any) -> State:
    """The last seat has dealt `hands` (`Tc 5d`, the first card face down; an empty one is out) and seat 0 is asked for a
    card. Everybody has put 20 in and has 100 left, the stock begins with `top`."""
    cards = tuple(tuple(hand.split()) for hand in hands)
    used = {*top.split(), *(card for hand in cards for card in hand)}
    assert len(used) == len(top.split()) + sum(map(len, cards)), "a card is there twice"
    dealt = tuple(bool(hand) for hand in cards)
    nobody = (False,) * len(hands)
    state = State(
        options=Options(**(options or {})),
        chips=tuple(100 * here for here in dealt),
        phase="card",
        stage="cards",
        hand=1,
        dealer=len(hands) - 1,
        turn=0,
        stock=(*top.split(), *(card for card in DECK if card not in used)),
        cards=cards,
        dealt=dealt,
        folded=nobody,
        standing=nobody,
        in_pot=tuple(20 * here for here in dealt),
        acted=nobody,
        served=nobody,
        gone=nobody,
        missed=(0,) * len(hands),
    )
    return replace(state, at=fields.get("turn", 0), **fields)


def betting(hands: Sequence[str], stage: str = "opening", **fields: Any) -> State:
    """A round of betting in which seat 0 is asked and nobody has acted."""
    return table(hands, phase="bet", stage=stage, **fields)


def turns(hands: Sequence[str], top: str = "", **fields: Any) -> State:
    """A round of turns with more betting; seat 0 is asked for a card, the last seat has dealt."""
    options = {"more_betting": True, **fields.pop("options", {})}
    return table(hands, top, options, **fields)


def last_bets(hands: Sequence[str], **fields: Any) -> State:
    """The final round of betting: all stand, seat 0 is asked."""
    dealt = tuple(bool(hand) for hand in hands)
    folded = fields.get("folded", (False,) * len(hands))
    standing = tuple(here and not out for here, out in zip(dealt, folded, strict=True))
    return betting(hands, stage="final", standing=standing, **fields)


def laid_open(hands: Sequence[str], options: Mapping[str, Any] | None = None, **fields: Any) -> Outcome[State]:
    """The showdown of the only hand of an episode, with nobody's chips outside the pot unless `chips` says so."""
    known: dict[str, Any] = {"chips": (0,) * len(hands)} | fields
    folded = known.get("folded", (False,) * len(hands))
    last = max(seat for seat, hand in enumerate(hands) if hand and not folded[seat])
    standing = tuple(bool(hand) and not folded[seat] and seat != last for seat, hand in enumerate(hands))
    state = table(hands, options={"max_hands": 1, **(options or {})}, turn=last, standing=standing, **known)
    return say(state, "stand")


def say(state: State, *texts: str, seat: int | None = None) -> Outcome[State]:
    """Each text is said by `seat`, else by whoever is in turn."""
    events: list[Event] = []
    for text in texts:
        speaker = state.turn if seat is None else seat
        assert speaker is not None
        outcome = GAME.apply(state, speaker, GAME.parse(text, state, speaker), CHANCE)
        state = outcome.state
        events.extend(outcome.events)
    return Outcome(state, tuple(events))


def silent(state: State) -> Outcome[State]:
    """The deadline of whoever is in turn passes."""
    assert state.turn is not None
    return GAME.timeout(state, state.turn, CHANCE)


def new_game(seats: int = 3, **options: Any) -> State:
    return GAME.deal(seats, options, CHANCE).state
