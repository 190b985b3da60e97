"""What people write beside their moves must never become a move."""

import pytest

from host.engine.chance import Chance
from host.engine.game import Game
from host.games import GAMES
from host.play.interpret import interpret
from host.play.interpretation import ReplyContext
from tests.games.champ_cards.test_commands import TABLES
from tests.rows import every
from tests.size import a_few

GAME: Game = GAMES["champ-cards"]  # type: ignore[type-arg]
EVERYWHERE = """
Thanks a lot!|Hi all|Hello all,|Thanks all|Good luck to all|All the best|Thanks for everything!|Hi Max|Max|Min
Nice one!|Good one!|Have a good one!|Hold on|Hold on, let me think|Stay well|Stay warm|keep well|keep going|I'll take my time
Nice draw|Good draw|Good deal|great deal|Oh no|Nice play|Play nice|can I accept?|can I freeze?|I'm up $2,500!|See you at 5
See you on the 5th|I have 8|You have 9|I see 3 cards|First, thanks for hosting|It's 8 am|I'm 45|<3|Well played, Bob!
Take care|My turn!|Your turn|Nice pick|Keep up the good work|Stay safe|You bet|What a draw|Have a great weekend
Yes, let's play on|yes, no deal|good deal, but no|keep, if it's a ten|I'll take the other one|Do you keep it, or draw?
| 4 | - | - ||is $7,500 now.|bet 50%|Nick|Rick|Drew|Stan|Brett
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
    asked = GAME.questions(state)
    keys = frozenset(question.key for question in asked)
    for text in [*SAYINGS, "|  4   |  -   |  -   |"]:
        heard = interpret(GAME, state, asked[0].seat, [text], ReplyContext(keys), Chance(bytes(32)))
        assert heard.said == (), text


@every("name", ["Nick", "Rick", "Drew", "Dawn", "Beth", "Stan", "Curt", "Max", "Jake", "Hope", "Owen", "Trey"])
def test_a_signature_behind_a_move_is_passed_over(name: str) -> None:
    state = TABLES["cut"]
    keys = frozenset(question.key for question in GAME.questions(state))
    heard = interpret(GAME, state, 0, ["cut 5", "Cheers,", name], ReplyContext(keys), Chance(bytes(32)))
    assert heard.said == ("cut 5",)
    assert heard.refused is None
