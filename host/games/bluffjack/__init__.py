"""Pure: the room of Bluffjack. It makes `GAME` of the modules and the facts beside this file."""

from dataclasses import asdict

from host.engine.orders import Orders
from host.engine.room import facts, game_of
from host.games.bluffjack import commands, events, rules, view
from host.games.bluffjack.state import SEATS, Options, State

GAME = game_of(
    facts(__name__, seats=SEATS, options=asdict(Options())),
    State,
    events,
    commands,
    rules,
    view,
    since=rules.since,
    orders=Orders(__name__),
    order_facts=view.order_facts,
    whole=commands.whole,
    guesses=commands.guesses,
)
