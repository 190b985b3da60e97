"""Pure: the room of Bluffjack. In: the five modules beside this file. Out: `GAME`."""

from dataclasses import asdict

from host.engine.game import Game
from host.games.bluffjack import commands, events, rules, view
from host.games.bluffjack.state import SEATS, Options, State

GAME: Game[State, commands.Command] = Game(
    slug="bluffjack",
    title="Bluffjack",
    code="BJ",
    subject="Bluffjack Contestant Registration",
    seats=SEATS,
    options=asdict(Options()),
    endings=rules.ENDINGS,
    version=2,
    currency="chips",
    summary=(
        "Blackjack hands, poker bets: one card of each hand is its owner's secret, and you play against each other for "
        "all the chips."
    ),
    state_type=State,
    event_types=events.EVENTS,
    phases=("bet", "card"),
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
    since=rules.since,
    seats_by_default=3,
)
