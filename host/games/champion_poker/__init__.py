"""Pure: the room of Champion Poker. In: the five modules beside this file. Out: `GAME`."""

from dataclasses import asdict

from host.engine.game import Game
from host.games.champion_poker import commands, events, rules, view
from host.games.champion_poker.state import SEATS, Options, State

GAME: Game[State, commands.Command] = Game(
    slug="champion-poker",
    title="Champion Poker",
    code="CP",
    subject="Champion Poker Contestant Registration",
    seats=SEATS,
    options=asdict(Options()),
    endings=rules.ENDINGS,
    version=1,
    currency="chips",
    summary=(
        "Everyone bets against the house: on a five-card bonus hand, and on a hand of Texas Hold'em against the dealer. "
        "After the last hand the largest bankroll wins."
    ),
    state_type=State,
    event_types=events.EVENTS,
    phases=("bet", "play", "raise"),
    deal=rules.deal,
    split=commands.split,
    parse=commands.parse,
    say=commands.say,
    apply=rules.apply,
    timeout=rules.timeout,
    questions=rules.questions,
    choices=commands.choices,
    view=view.view,
    table=view.table,
    winnings=rules.winnings,
    result=rules.result,
    is_out=rules.is_out,
    ending=rules.ending,
    scope=rules.scope,
    ahead=commands.ahead,
)
