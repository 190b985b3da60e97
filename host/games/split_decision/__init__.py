"""Pure: the room of Split Decision. In: the modules beside this file. Out: `GAME`."""

from host.engine.game import Bank, Game
from host.games.split_decision import bank, commands, events, rules, view
from host.games.split_decision.state import SEATS, State

GAME: Game[State, commands.Command] = Game(
    slug="split-decision",
    title="Split Decision",
    code="SD",
    subject="Split Decision Contestant Registration",
    seats=(SEATS,),
    options={"champion_wins": 0, "questions": [], "judge": "near"},
    endings=rules.ENDINGS,
    version=1,
    currency="$",
    summary=(
        "Three podiums, red, gold and blue. Answers to questions earn cards: a high one, a low one, and one between them "
        "wins a round. Three rounds find the day's winner, who plays Luck of the Draw."
    ),
    state_type=State,
    event_types=events.EVENTS,
    phases=(
        "setup",
        "free-ace",
        "head-start",
        "question",
        "judging",
        "free-look",
        "peek",
        "no-peek",
        "place",
        "passed",
        "ask",
        "choose",
        "bet",
        "suit",
    ),
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
    earnings=rules.earnings,
    result=rules.result,
    is_out=rules.is_out,
    ending=rules.ending,
    scope=rules.scope,
    ahead=commands.ahead,
    lone_answer=commands.lone_answer,
    bank=Bank("ask", bank.read, bank.say, bank.solve, "starter.toml"),
    secret_verbs=frozenset({"codes"}),
    prizes={"consolation": "a gift card of $500, in play money like all the rest"},
)
