"""What people write beside their moves must never become a move."""

import pytest

from tests.games.game_of_champions.test_commands import TABLES, heard
from tests.rows import every
from tests.size import a_few

EVERYWHERE = """
Thanks a lot!|Hi all|Hello all,|Thanks all|Good luck to all|All the best|Thanks for everything!|Hi Max|Max|Jack|Ace|Rocky
Nice one!|Good one!|Have a good one!|Hold on|Hold on, let me think|Stay well|Stay warm|keep well|I'll take my time|Wait a moment
Nice draw|Good draw|Good deal|Good battle!|great fight|Nice attack!|Well fought, Bob!|Good move|nice hand|What a battle
What an attack!|Oh no|Nice play|Play nice|can I attack?|can I fortify?|should I stop?|See you at 5|See you on the 5th|I have 8
You have 9|I see 3 cards|First, thanks for hosting|It's 8 am|I'm 45|<3|Well played, Bob!|Ah, I see|Ah!|P.S.|PS: lovely weather
Take care|My turn!|Your turn|Nice pick|Keep up the good work|Stay safe|You bet|Have a great weekend|I see, thanks|Cheers, P
You rock!|Rock on|This game rocks|On paper this looks good|We play rock paper scissors at home too|Mr. King|Queen is the best band
Greetings from Kings Cross|My kids love jacks and queens|You have an ace up your sleeve|Who is the king now?|In general I like it
It is snowing|The weather is fine here in order that we go out|Is the reserve pile empty?|How many cards are left?
I wonder what you will deploy|I might attack next time|don't attack me, please|No hurry|no problem|I was away for two weeks
Best regards|Kind regards, Ann|Sent from my iPhone|Yours truly|Sincerely, Jack|Thanks, Jack|Warm wishes, Jack King|Regards, Ace
I hope you like it|Which commander is better?|What happens if I stop?|What if I trade the jack?|Not sure yet|Let me think|Hmm
Happy new year|Nick|Rick|Drew|Stan|Brett|Hearts and flowers|Diamonds are forever|my king of a dad|R|S|J.S.|8/10 would play
"""
SAYINGS = [each for line in EVERYWHERE.strip().split("\n") for each in line.split("|") if each]


@pytest.mark.parametrize("phase", a_few(sorted(TABLES), 2))
def test_small_talk_is_no_move(phase: str) -> None:
    for text in [*SAYINGS, "|  4   |  -   |  -   |"]:
        found = heard(TABLES[phase], text)
        assert (found.said, found.ahead, found.state) == ((), (), TABLES[phase]), text


@pytest.mark.parametrize("phase", sorted(set(TABLES) - {"battle"}))
def test_keep_going_is_a_move_in_a_battle_only(phase: str) -> None:
    found = heard(TABLES[phase], "Keep going!")
    assert (found.said, found.ahead) == ((), ())


@every(
    "name",
    [
        "Nick",
        "Rick",
        "Drew",
        "Dawn",
        "Beth",
        "Stan",
        "Curt",
        "Max",
        "Jake",
        "Hope",
        "Owen",
        "Jack",
        "King",
        "Ace",
        "Rocky",
    ],
)
@every(
    ("phase", "said"),
    [("roshambo", "throw rock"), ("place", "place Kh"), ("turn", "attack Kh Qs"), ("battle", "continue")],
)
def test_a_signature_behind_a_move_is_passed_over(phase: str, said: str, name: str) -> None:
    found = heard(TABLES[phase], said, "Cheers,", name)
    assert (found.said, found.refused) == ((said,), None)
