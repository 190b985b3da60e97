"""Pure: the room of Split Decision. It makes `GAME` of the modules and the facts beside this file."""

from dataclasses import asdict

from host.engine.game import Bank
from host.engine.orders import Orders
from host.engine.room import facts, game_of
from host.games.split_decision import bank, commands, events, rules, view
from host.games.split_decision.state import COLOURS, PHASES, SEATS, Options, State

GAME = game_of(
    facts(__name__, seats=(SEATS,), phases=PHASES, seat_words=COLOURS, options={**asdict(Options()), "questions": []}),
    State,
    events,
    commands,
    rules,
    view,
    earnings=rules.earnings,
    prompt=commands.prompt,
    at_hand=commands.at_hand,
    since=rules.since,
    bank=Bank("ask", bank.read, bank.say, bank.solve, "starter.toml"),
    orders=Orders(__name__),
    order_facts=view.order_facts,
    whole=commands.whole,
    guesses=commands.guesses,
)
