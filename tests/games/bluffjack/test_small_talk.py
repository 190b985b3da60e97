"""What people write beside their moves must never become a move."""

import pytest

from host.engine.chance import Chance
from host.engine.game import Game
from host.games import GAMES
from host.play.interpret import interpret
from host.play.interpretation import ReplyContext
from tests.games.bluffjack.test_commands import TABLES
from tests.rows import every
from tests.size import a_few

GAME: Game = GAMES["bluffjack"]  # type: ignore[type-arg]
EVERYWHERE = """
Thanks a lot!|Hi all|Hello all,|Thanks all|Good luck to all|All the best|Thanks for everything!|Hi Max|Max|Min
Nice one!|Good one!|Have a good one!|Hold on|Hold on, let me think|Stay well|Stay warm|keep well|keep going|I'll take my time
Nice hand|Nice hand!|Good hand|Well played|Nice raise|Good call|Nice call!|great call, Bob|Great hit|Nice fold|Lucky draw
Oh no|Nice play|Play nice|can I call?|can I hit?|I'm up 200 chips!|See you at 5|Good check|What a raise|Nice bet
See you on the 5th|I have 8|You have 9|I see 3 cards|First, thanks for hosting|It's 8 am|I'm 45|<3|Well played, Bob!
Take care|My turn!|Your turn|Keep up the good work|Stay safe|You bet|What a draw|Have a great weekend|I see|I see.
You raised 20 again|Bob has raised to 50|Bob calls|Bob called 30|He folded|She stands on 17|You called my bluff|Call me
Call me on Sunday|It's raining here|Lovely weather|The sun is out today|It is hot here|How are you?|Cheers|Best wishes
Kind regards|Sent from my phone|Is everything fine?|Everything is fine|Everything's fine here|All is well|All good here
I was out of town|I'm in Berlin|I'm in the office|Out of office|You must be bluffing|I bet you have a ten|I bet that hurt
Nice pot|Big pot|That was close|Wow|Haha|lol|Ouch!|Congratulations|Congrats to Ann|Sorry|Sorry I'm late|Happy new year
That's all|This is all I have to say|All in all a good game|all in good fun|up to you|What's up?|on the up
Hold your horses|Stick around|No worries|No problem|No rush|No idea|Enough said, thanks|Done with work at last
Nick|Rick|Drew|Stan|Brett|Matt|Bill|Carl|Mack|Chuck|Ray
Do you call, or raise?|Should I hit or stand?|call if it's cheap|hit, if I'm under 17|stand, unless he hits|raise 50%
"""
SAYINGS = [each for line in EVERYWHERE.strip().split("\n") for each in line.split("|") if each]


@pytest.mark.parametrize("phase", a_few(sorted(TABLES), 2))
def test_small_talk_is_no_move(phase: str) -> None:
    state = TABLES[phase]
    asked = GAME.questions(state)
    keys = frozenset(question.key for question in asked)
    for text in [*SAYINGS, "|  10   |  -   |  -   |"]:
        heard = interpret(GAME, state, asked[0].seat, [text], ReplyContext(keys), Chance(bytes(32)))
        assert heard.said == (), text


@every(
    "name",
    ["Nick", "Rick", "Drew", "Dawn", "Beth", "Stan", "Curt", "Max", "Jake", "Hope", "Owen", "Trey", "Matt", "Carl"],
)
@every(("phase", "move"), [("owing", "call"), ("owing", "raise 20"), ("free", "check"), ("card", "hit")])
def test_a_signature_behind_a_move_is_passed_over(phase: str, move: str, name: str) -> None:
    state = TABLES[phase]
    keys = frozenset(question.key for question in GAME.questions(state))
    heard = interpret(GAME, state, 0, [move, "Cheers,", name], ReplyContext(keys), Chance(bytes(32)))
    assert heard.said == (move,)
    assert heard.refused is None


@pytest.mark.parametrize("phase", sorted(TABLES))
def test_the_labels_of_what_is_sent_ahead_can_be_typed(phase: str) -> None:
    for choice in GAME.ahead(TABLES[phase], 1):
        assert GAME.say(GAME.parse(choice.label, TABLES[phase], 1)) == choice.say[0]
