"""Tables of Champion Poker as the tests need them, and saying things at them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from host.engine.cards import DECK, Card
from host.engine.chance import Chance
from host.engine.events import Event
from host.engine.game import Outcome
from host.games.champion_poker import GAME
from host.games.champion_poker.state import Options, State, Wager

CHANCE = Chance(bytes(32))
NOTHING = "Kc 8d 5h 3s 2c"
"""Five community cards, of which the first three pay nothing with cards that do not match them."""


def cards(text: str) -> tuple[Card, ...]:
    return tuple(text.split())


def table(
    wagers: Sequence[Wager],
    own: Sequence[str],
    dealer: str = "4d 6c",
    community: str = NOTHING,
    phase: str = "play",
    options: Mapping[str, Any] | None = None,
    **fields: Any,
) -> State:
    """A hand under way: `own` are each seat's cards (version 1: one pair for all). Who can answer is asked."""
    chosen = Options(**(options or {}))
    seats = len(wagers)
    spent = [wager.bonus + wager.on_the_hand for wager in wagers]
    chips = tuple(fields.pop("bankrolls", [chosen.bankroll - each for each in spent]))
    zeros, nobody = (0,) * seats, (False,) * seats
    spot = {"play": "blind", "raise": "play"}[phase]
    found = tuple(cards(each) for each in own)
    known: dict[str, Any] = {
        "asked": tuple(seat for seat, each in enumerate(wagers) if getattr(each, spot) and chips[seat] >= each.blind),
        "community": cards(community),
        "dealer_cards": cards(dealer),
        "hand": 1,
        "missed": zeros,
        "gone": nobody,
        "broke": nobody,
        "bonus_net": zeros,
        "blind_net": zeros,
        "turned": (found[0] if chosen.version == 1 else ()) + (cards(dealer) if phase == "raise" else ()),
    }
    return State(
        options=chosen,
        bankrolls=chips,
        shown_bankrolls=chips,
        wagers=tuple(wagers),
        shown_wagers=tuple(wagers),
        cards=found * seats if chosen.version == 1 else found,
        phase="play" if phase == "play" else "raise",
        **known | fields,
    )


def blind(size: int = 10, side: str = "player", played: bool = False) -> Wager:
    """A bet of `size` on Bonus and Blind, with the Play wager where it is `played`."""
    wager = Wager(bonus=size, blind=size, play=size if played else 0)
    return replace(wager, side="dealer" if side == "dealer" else "player")


def showdown(own: str, dealer: str, community: str, side: str = "player", **options: Any) -> State:
    """One seat with 10 on Bonus, Blind and Play, about to raise or check."""
    chosen = {"version": 1} | options
    return table([blind(10, side, played=True)], [own], dealer, community, "raise", chosen)


def new_game(seats: int = 1, **options: Any) -> State:
    return GAME.deal(seats, options, CHANCE).state


def say(state: State, *texts: str, seat: int = 0) -> Outcome[State]:
    """Each text is said by `seat`; what led there stays in the events."""
    events: list[Event] = []
    for text in texts:
        outcome = GAME.apply(state, seat, GAME.parse(text, state, seat), CHANCE)
        state = outcome.state
        events.extend(outcome.events)
    return Outcome(state, tuple(events))


def around(state: State, *texts: str) -> Outcome[State]:
    """Seat 0 says the first text, seat 1 the second, and so on; an empty one is nothing said, `timeout` a deadline."""
    events: list[Event] = []
    for seat, text in enumerate(texts):
        if text:
            outcome = GAME.timeout(state, seat, CHANCE) if text == "timeout" else say(state, text, seat=seat)
            state = outcome.state
            events.extend(outcome.events)
    return Outcome(state, tuple(events))


def deck(hand: int = 1) -> tuple[Card, ...]:
    """The deck of a hand, as CHANCE shuffles it."""
    return CHANCE.shuffled(f"hand:{hand}:deck", DECK)
