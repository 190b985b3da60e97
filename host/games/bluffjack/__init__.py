"""Pure: the room of Bluffjack. In: the five modules beside this file. Out: `GAME`."""

from dataclasses import asdict

from host.engine.game import Facts
from host.engine.room import game_of
from host.games.bluffjack import commands, events, rules, view
from host.games.bluffjack.state import SEATS, Options, State

GAME = game_of(
    Facts(
        slug="bluffjack",
        title="Bluffjack",
        code="BJ",
        subject="Bluffjack Contestant Registration",
        seats=SEATS,
        options=asdict(Options()),
        version=2,
        currency="chips",
        summary=(
            "Blackjack hands, poker bets: one card of each hand is its owner's secret, and you play against each other for "
            "all the chips."
        ),
        phases=("bet", "card"),
        streams=("hand:N:deck",),
        seats_by_default=3,
    ),
    State,
    events,
    commands,
    rules,
    view,
    since=rules.since,
)
