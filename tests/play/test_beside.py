"""What stands beside a move: sentences that put it off, take it back or leave it open, and those that change nothing."""

from host.play.interpret import read
from tests.play.judging import position, seated
from tests.rows import every

MOVES = (
    ("champ-cards-pick-1", "pick 5"),
    ("champ-cards-offer-1", "accept"),
    ("champ-cards-bet-1", "bet 2000"),
    ("bluffjack-bet-1", "raise 20"),
    ("bluffjack-card-1", "hit"),
    ("champion-poker-play-1", "play"),
    ("game-of-champions-battle-1", "continue"),
    ("split-decision-peek-1", "low"),
)

LEFT_OPEN = """
{}. Ignore.
{}. Please ignore.
{}. Delete that.
{}. Kidding.
{}. That was a joke.
{}. Fooled you!
{}. Oh no! Wrong window.
{}. I misread the cards.
{}. Undecided.
{}. Do it tomorrow.
{}. Not yet!
{}. Wait for my next mail.
{}. Please don't play it before Sunday.
{}. Please confirm before playing.
{}. Ask me again before you do it.
{}, sent by mistake
{}. Sent too early, sorry.
{}. Please wait for my real answer.
{}: bad idea
{} - bad idea
{}, no thanks
{} - no way
{}, assuming Bob doesn't
{}, pending my wife's approval
{}, subject to change
{}, but let me sleep on it
{}, but I'll confirm later
torn between {} and something else
thinking of {}
{}. I have not decided yet.
{}. I can't make up my mind.
{}. Should I?
{}. Can I?
{}. Yes or no?
Tomorrow: {}
Next time: {}
Bob wrote: {}
Tell Bob: {}
"{}", said my wife. She knows nothing.
make me a better offer and I {}
"""
"""Behind or around a move: nothing is played."""

GONE_ON = """
{}. It was a long day.
{}. I don't mind.
{}. See you tomorrow!
{}, but I have a bad feeling about it
{}. Kids are asleep, finally.
{}. I was on holiday until Monday.
{}. We had rain yesterday.
{}. Sorry for the late answer.
{}. I have to go to bed early.
{}. Good luck everybody!
{} would be nice
{} tonight
{}. My wife says hello.
{}. Not bad, this game.
{}. No idea why I do this to myself.
Sorry for the delay, {}
After much thought: {}
My move: {}
I made up my mind: {}
"""
"""Around a move it changes nothing."""


def plan(name: str, text: str) -> tuple[str, ...]:
    """The commands that are played at once of what the first who is asked writes."""
    header, replay = position(name)
    asked = next(each.seat for each in replay.game.questions(replay.state))
    seat, context = seated(header, replay, header.players[asked])
    return tuple(each.text for each in read(replay.game, replay.state, seat, text.split("\n"), context).plan)


@every(("frame", "name", "move"), [(each, *move) for each in LEFT_OPEN.strip().splitlines() for move in MOVES])
def test_a_move_that_is_left_open_is_asked_about(frame: str, name: str, move: str) -> None:
    assert plan(name, frame.format(move)) == ()


@every(("frame", "name", "move"), [(each, *move) for each in GONE_ON.strip().splitlines() for move in MOVES])
def test_what_speaks_of_something_else_changes_nothing(frame: str, name: str, move: str) -> None:
    assert plan(name, frame.format(move)) == (move,)
