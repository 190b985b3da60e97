"""Pure: the room of The Game of Champions. It makes `GAME` of the five modules beside this file."""

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
        how=(
            "Commanders are aces, kings, queens and jacks. A commander with number cards is a battalion; without any it is bare.",
            "A turn: you fortify with a card of the reserve, may use advantages, then attack or fortify again.",
            "General (king): once a turn, move up to three of your number cards. Spy (ace): swap two of the other side's.",
            "Cavalry (jack): its 2s attack as 10s. Medic (queen): brings your last casualty back after an attack.",
            "In a battle cards meet one by one and the higher wins; Roshambo (rock, paper, scissors) breaks ties.",
            "A battalion without number cards is defeated. Whoever has no battalion left has lost.",
        ),
        pace="An episode is about 28 questions for each of you: two weeks where answers take eight hours.",
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
