"""Pure: the room of Champ Cards. In: the five modules beside this file. Out: `GAME`."""

from host.engine.game import Facts
from host.engine.room import game_of
from host.games.champ_cards import commands, events, rules, view
from host.games.champ_cards.state import State

GAME = game_of(
    Facts(
        slug="champ-cards",
        title="Champ Cards",
        code="CC",
        subject="Champ Cards Contestant Registration",
        seats=(2,),
        options={},
        version=1,
        currency="$",
        summary=(
            "Two contestants turn over cards on a board of nine and race for 21. Two rounds, or one blackjack, win the main "
            "game; the winner plays up to five hands against the house."
        ),
        phases=("cut", "pick", "choose", "bet", "offer"),
        streams=("round:N:deck", "bonus:N:deck", "bonus:N:offer"),
    ),
    State,
    events,
    commands,
    rules,
    view,
    earnings=rules.earnings,
    at_hand=commands.at_hand,
)
