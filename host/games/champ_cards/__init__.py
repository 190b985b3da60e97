"""Pure: the room of Champ Cards. It makes `GAME` of the five modules beside this file."""

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
        how=(
            "On your turn you turn over one of nine cards, by its number, then keep it or leave it and draw one unseen.",
            "Court cards count 10, an ace 11 or 1. Over 21 loses the round; 21 wins it.",
            "From 12 on you may freeze: then the other has to get above your total.",
            "Two rounds win the main game, or one blackjack: an ace and a ten-valued card.",
            "The winner bets against the house, for up to five hands.",
        ),
        pace="An episode is about 20 questions for each of you: two weeks where answers take eight hours.",
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
