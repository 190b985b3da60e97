"""Pure: the room of Champion Poker. It makes `GAME` of the modules and the facts beside this file."""

from dataclasses import asdict

from host.engine.orders import Orders
from host.engine.room import facts, game_of
from host.games.champion_poker import commands, events, rules, view
from host.games.champion_poker.state import SEATS, Options, State

GAME = game_of(
    facts(__name__, seats=SEATS, options=asdict(Options())),
    State,
    events,
    commands,
    rules,
    view,
    orders=Orders(__name__),
    order_facts=view.order_facts,
    whole=commands.whole,
    guesses=commands.guesses,
)
