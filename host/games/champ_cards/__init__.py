"""Pure: the room of Champ Cards. In: the five modules beside this file. Out: `GAME`."""

from host.engine.game import Game
from host.games.champ_cards import commands, events, rules, view
from host.games.champ_cards.state import State

GAME: Game[State, commands.Command] = Game(
    slug="champ-cards",
    title="Champ Cards",
    code="CC",
    subject="Champ Cards Contestant Registration",
    seats=(2,),
    options={},
    endings=rules.ENDINGS,
    version=1,
    currency="$",
    summary=(
        "Two contestants turn over cards on a board of nine and race for 21. Two rounds, or one blackjack, win the main "
        "game; the winner plays up to five hands against the house."
    ),
    state_type=State,
    event_types=events.EVENTS,
    phases=("cut", "pick", "choose", "bet", "offer"),
    deal=rules.deal,
    split=commands.split,
    parse=commands.parse,
    say=commands.say,
    apply=rules.apply,
    timeout=rules.timeout,
    questions=rules.questions,
    choices=commands.choices,
    view=view.view,
    news=view.news,
    table=view.table,
    winnings=rules.winnings,
    earnings=rules.earnings,
    result=rules.result,
    is_out=rules.is_out,
    ending=rules.ending,
    scope=rules.scope,
    ahead=commands.ahead,
)
