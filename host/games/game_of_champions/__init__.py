"""Pure: the room of The Game of Champions. It makes `GAME` of the modules and the facts beside this file."""

from host.engine.orders import Orders
from host.engine.room import facts, game_of
from host.games.game_of_champions import commands, events, rules, view
from host.games.game_of_champions.state import State

GAME = game_of(
    facts(__name__),
    State,
    events,
    commands,
    rules,
    view,
    at_hand=commands.at_hand,
    orders=Orders(__name__),
    order_facts=view.order_facts,
    whole=commands.whole,
    guesses=commands.guesses,
    is_sure=commands.is_sure,
)
