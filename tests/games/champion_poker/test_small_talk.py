"""What people write beside their moves must never become a move."""

import pytest

from host.engine.chance import Chance
from host.engine.game import Game
from host.games import GAMES
from host.play.interpret import interpret
from host.play.interpretation import ReplyContext
from tests.games.champion_poker.test_commands import TABLES
from tests.rows import every
from tests.size import a_few

GAME: Game = GAMES["champion-poker"]  # type: ignore[type-arg]
EVERYWHERE = """
Thanks a lot!|Hi all|Hello all,|Thanks all|Good luck to all|All the best|Thanks for everything!|Hi Max|Max|Min|Hi!|Dear host
Nice one!|Good one!|Have a good one!|Hold on|Hold on, let me think|Stay well|Stay warm|keep well|keep going|I'll take my time
Nice hand|Nice hand, Bob!|Good hand|great bet|Nice bet, Ann|Nice play|Play nice|Nice raise|Good check|Nice fold, Cleo
can I raise?|can I play?|should I fold?|I'm up $2,500!|See you at 5|See you on the 5th|I have 8|You have 9|I see 3 cards
First, thanks for hosting|It's 8 am|I'm 45|I am at work until 17:30|<3|;)|:-)|Well played, Bob!|Best regards|Kind regards, Ann
Take care|My turn!|Your turn|Keep up the good work|Stay safe|You bet|What a draw|What a hand|Have a great weekend|Sincerely
I'm back on Monday, the 25th|Monday, 25 May|on the 20th|It rained all day here|Sunny, 25 degrees|+1 555 0100|Oh no|oh yes|Ok|Sure
Yes please|Thank you|Cheers, Ann|Thanks, and good luck, players|yes, no deal|no deal|Do you play, or fold?|raise, or check?
play if the dealer does|raise if it's a pair|I'd play, but only for less|so you can check in Berlin|I have to check my diary
it is a pleasure to play with you|we play on Sundays|My son wants to play too|I must fold the laundry|I will sit in the garden
we raise chickens|bet you didn't see that coming|I bet it rains|a safe bet|it is your bet|place your bets|the house always wins
| 4 | - | - ||is $7,500 now.|bet 50%|Nick|Rick|Drew|Stan|Brett|Beth|Chuck|Chip|Ray|Clay|Bonnie|Dallas
Champion Poker|Hand 2 of 5|Your bankroll is 980 chips.|In a hurry, sorry|out of office|I'm out of town until Friday|I'm in Berlin
"""
SAYINGS = [
    each
    for line in EVERYWHERE.strip().split("\n")
    for each in line.replace("| 4 | - | - |", "board").split("|")
    if each
]


@pytest.mark.parametrize("phase", a_few(sorted(TABLES), 2))
def test_small_talk_is_no_move(phase: str) -> None:
    state = TABLES[phase]
    keys = frozenset(question.key for question in GAME.questions(state))
    for text in [*SAYINGS, "|  4   |  -   |  -   |"]:
        heard = interpret(GAME, state, 0, [text], ReplyContext(keys), Chance(bytes(32)))
        assert heard.said == (), text
        assert heard.state == state, text


@every("name", ["Nick", "Rick", "Drew", "Dawn", "Beth", "Stan", "Curt", "Max", "Jake", "Hope", "Owen", "Trey", "Chuck"])
def test_a_signature_behind_a_move_is_passed_over(name: str) -> None:
    for phase, text in (("bet", "bet 5"), ("play", "fold"), ("raise", "check")):
        state = TABLES[phase]
        keys = frozenset(question.key for question in GAME.questions(state))
        heard = interpret(GAME, state, 0, [text, "Cheers,", name], ReplyContext(keys), Chance(bytes(32)))
        assert heard.said == (text,)
        assert heard.refused is None


@pytest.mark.parametrize("phase", sorted(TABLES))
def test_what_to_type_instead_begins_with_the_command(phase: str) -> None:
    state = TABLES[phase]
    for choice in GAME.choices(state, GAME.questions(state)[0]):
        assert choice.type_instead.startswith(f"the word {choice.say[0].split()[0]}")


def test_a_whole_mail() -> None:
    lines = ["Hi all,", "nice hand last time!", "I'd like to bet twenty chips.", "Then I'll play.", "Good luck", "Ann"]
    state = TABLES["bet"]
    state = GAME.apply(state, 1, GAME.parse("bet 5", state, 1), Chance(bytes(32))).state
    keys = frozenset(question.key for question in GAME.questions(state))
    heard = interpret(GAME, state, 0, lines, ReplyContext(keys), Chance(bytes(32)))
    assert heard.said == ("bet 20", "play")
    assert heard.refused is None
