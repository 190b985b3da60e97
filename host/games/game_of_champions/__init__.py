"""Pure: the room of The Game of Champions. In: the five modules beside this file. Out: `GAME`."""

from host.engine.game import Game
from host.games.game_of_champions import commands, events, rules, view
from host.games.game_of_champions.state import State

GAME: Game[State, commands.Command] = Game(
    slug="game-of-champions",
    title="The Game of Champions",
    code="GC",
    subject="The Game of Champions Contestant Registration",
    seats=(2,),
    options={},
    endings=rules.ENDINGS,
    version=1,
    currency="",
    summary=(
        "Two armies of number cards under aces, kings, queens and jacks. Fortify, use your commanders' advantages, and "
        "attack: whoever has no battalion left has lost. Roshambo settles every tie."
    ),
    state_type=State,
    event_types=events.EVENTS,
    phases=("roshambo", "deploy", "place", "turn", "order", "battle"),
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
    secret_verbs=frozenset({"throw"}),
)
