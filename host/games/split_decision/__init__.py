"""Pure: the room of Split Decision. It makes `GAME` of the modules beside this file."""

from host.engine.game import Bank, Facts
from host.engine.room import game_of
from host.games.split_decision import bank, commands, events, rules, view
from host.games.split_decision.state import COLOURS, PHASES, SEATS, State

GAME = game_of(
    Facts(
        slug="split-decision",
        title="Split Decision",
        code="SD",
        subject="Split Decision Contestant Registration",
        seats=(SEATS,),
        options={"champion_wins": 0, "questions": [], "judge": "near", "dry": 0},
        named_options={"dry": 12, "judge": "fair"},
        version=3,
        currency="$",
        summary=(
            "Three podiums, red, gold and blue. Answers to questions earn cards: a high one, a low one, and one between them "
            "wins a round. Three rounds find the day's winner, who plays Luck of the Draw."
        ),
        how=(
            "A right answer gives control: the chance of a card, for your high slot or your low one.",
            "With both filled, a card strictly between them wins the round; one that matches is a push, which pays.",
            "Head Start: before the questions each of you may place one of up to two cards.",
            "With a chip you see the next card and may discard it for that chip.",
            "No Peek: without a chip you keep it unseen or pass it on; one of no use puts you out of the round.",
            "Free Look: from question 6 on control begins with a card that costs nothing.",
            "Three rounds find the winner of the day, who plays Luck of the Draw for what the bank comes to.",
        ),
        pace="An episode is about 29 questions for each of you: four weeks where answers take eight hours.",
        phases=PHASES,
        seat_words=COLOURS,
        text_verbs=frozenset({"answer", "ask"}),
        streams=("deck", "reshuffle:N", "codes:N", "cut", "target:N", "bonus:deck", "bonus:suits:N", "bonus:N:board"),
        secret_verbs=frozenset({"codes"}),
        prizes={"consolation": "a gift card of $500, in play money like all the rest"},
    ),
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
)
