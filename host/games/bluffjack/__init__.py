"""Pure: the room of Bluffjack. It makes `GAME` of the five modules beside this file."""

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
        how=(
            "Your first card is your secret; all others lie open.",
            "Bets come first, then cards, then bets once more.",
            "Call pays what you owe, check where you owe nothing, raise adds to it, fold gives up the hand.",
            "Court cards count 10, an ace 11 or 1. The highest total up to 21 takes the pot at the showdown.",
            "Whoever has gone over 21 may still bluff the others out. Every five hands the ante doubles.",
        ),
        pace="An episode is about 16 questions for each of you: two weeks where answers take eight hours.",
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
