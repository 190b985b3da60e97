"""What people write beside their moves must never become a move."""

from host.engine.game import HOST, Illegal, Invalid
from host.engine.grammar import is_polite
from host.games.split_decision import GAME
from host.games.split_decision.state import State
from tests.games.split_decision.playing import CHANCE, say, table
from tests.games.split_decision.test_commands import ALL_TABLES
from tests.rows import every

EVERYWHERE = """
Thanks a lot!|Hi all|Hello all,|Thanks all|Good luck to all|All the best|Thanks for everything!|Hi Max|Max|Min
Nice one!|Good one!|Have a good one!|Hold on|Hold on, let me think|Stay well|Stay warm|keep well|keep going|I'll take my time
Nice hand|Nice hand!|Good hand|Well played|Good question|Nice question!|Great answer, Bob|Good answer|Nice card|Lucky card
Oh no|Nice play|Play nice|can I pass?|can I discard?|I'm up $200!|See you at 5|High time|High five!|Low blow|What a low blow
See you on the 5th|I have 8|You have 9|I see 3 cards|First, thanks for hosting|It's 8 am|I'm 45|<3|Well played, Bob!
Take care|My turn!|Your turn|Keep up the good work|Stay safe|You bet|What a draw|Have a great weekend|I see|I see.
Bob passed|Blue is leading|Red is lucky|Gold has two chips|Blue likes cards|He kept it|She discarded a king|Hearts are lucky
It's raining here|Lovely weather|The sun is out today|It is hot here|How are you?|Cheers|Best wishes|The king is dead
Kind regards|Sent from my phone|Is everything fine?|Everything is fine|Everything's fine here|All is well|All good here
I was out of town|I'm in Berlin|I'm in the office|Out of office|I bet you have a ten|I bet that hurt|In good spirits
That was close|Wow|Haha|lol|Ouch!|Congratulations|Congrats to Ann|Sorry|Sorry I'm late|Happy new year|High hopes here
That's all|This is all I have to say|All in all a good game|all in good fun|up to you|What's up?|Suit yourself|That suits me
Hold your horses|No worries|No problem|No rush|Enough said, thanks|Done with work at last|Keep in touch|Keep smiling
Nick|Rick|Drew|Stan|Brett|Matt|Bill|Carl|Mack|Chuck|Ray|Ruby|Jack|Ace
Do you keep it, or pass?|Should I go high or low?|keep, if it's a joker|high, if it fits|pass blue, unless he has a chip
|  10   |  -   |  -   |
"""
SAYINGS = [each for line in EVERYWHERE.strip().split("\n") for each in line.split("|") if each.strip(" -10")]


def played(state: State, text: str, seat: int) -> list[str]:
    """The commands of a mail's line that are played."""
    found = []
    for part in GAME.split(text):
        if is_polite(part):
            continue
        try:
            command = GAME.parse(part, state, seat)
            state = GAME.apply(state, seat, command, CHANCE).state
        except (Invalid, Illegal):
            continue
        found.append(GAME.say(command))
    return found


@every("phase", sorted(ALL_TABLES))
def test_small_talk_is_no_move(phase: str) -> None:
    state = ALL_TABLES[phase]
    for text in [*SAYINGS, "|  10   |  -   |  -   |"]:
        assert played(state, text, GAME.questions(state)[0].seat) == [], text


def test_small_talk_of_the_host_is_no_move() -> None:
    answered = say(table(), "answer Pari").state
    for text in SAYINGS:
        assert played(table("ask"), text, HOST) == [], text
        assert played(answered, text, HOST) == [], text


@every("name", ["Nick", "Rick", "Drew", "Dawn", "Beth", "Curt", "Max", "Jake", "Hope", "Trey", "Matt"])
@every(("phase", "move"), [("setup", "cut 26"), ("card", "high"), ("nopeek", "keep"), ("choose", "choose 1 5 9 13")])
def test_a_signature_behind_a_move_is_passed_over(phase: str, move: str, name: str) -> None:
    state = ALL_TABLES[phase]
    assert played(state, f"{move}\nCheers,\n{name}", GAME.questions(state)[0].seat) == [move]
