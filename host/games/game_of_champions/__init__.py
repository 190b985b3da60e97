"""Pure: the room of The Game of Champions. In: the five modules beside this file. Out: `GAME`."""

from host.engine.game import Facts
from host.engine.room import game_of
from host.games.game_of_champions import commands, events, rules, view
from host.games.game_of_champions.state import State

GAME = game_of(
    Facts(
        slug="game-of-champions",
        title="The Game of Champions",
        code="GC",
        subject="The Game of Champions Contestant Registration",
        seats=(2,),
        options={},
        version=1,
        currency="",
        summary=(
            "Two armies of number cards under aces, kings, queens and jacks. Fortify, use your commanders' advantages, and "
            "attack: whoever has no battalion left has lost. Roshambo settles every tie."
        ),
        phases=("roshambo", "deploy", "place", "turn", "order", "battle"),
        streams=("deal:N", "links"),
        secret_verbs=frozenset({"throw"}),
    ),
    State,
    events,
    commands,
    rules,
    view,
    at_hand=commands.at_hand,
)
