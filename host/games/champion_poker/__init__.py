"""Pure: the room of Champion Poker. It makes `GAME` of the five modules beside this file."""

from dataclasses import asdict

from host.engine.game import Facts
from host.engine.room import game_of
from host.games.champion_poker import commands, events, rules, view
from host.games.champion_poker.state import SEATS, Options, State

GAME = game_of(
    Facts(
        slug="champion-poker",
        title="Champion Poker",
        code="CP",
        subject="Champion Poker Contestant Registration",
        seats=SEATS,
        options=asdict(Options()),
        version=1,
        currency="chips",
        summary=(
            "Everyone bets against the house: on a five-card bonus hand, and on a hand of Texas Hold'em against the dealer. "
            "After the last hand the largest bankroll wins."
        ),
        how=(
            "You wager on the 5 Card Bonus, and the same again on a Blind if you want to play against the dealer.",
            "When the first cards are seen, you play (one more Blind) or fold the Blind.",
            "When the dealer's are, you raise (one more still) or check.",
            "The Bonus counts the two cards and the flop; the Blind is for the best five of seven.",
            "The largest bankroll that has grown wins the episode.",
        ),
        pace="An episode is about 10 questions: three or four days where answers take eight hours.",
        phases=("bet", "play", "raise"),
        streams=("hand:N:deck",),
    ),
    State,
    events,
    commands,
    rules,
    view,
)
