"""Shell: who gives up a seat or a title. In: `resign`, `retire`, a reply to the question whether they really do. Out: it is done,
or they stay."""

import re
from collections.abc import Sequence

from host.engine import record
from host.engine.chance import NO_CHANCE
from host.engine.game import amount
from host.games import GAMES
from host.mail.outbound.draft import Draft, Transcript
from host.mail.outbound.formatting import listed
from host.play.agreement import says_no
from host.play.clauses import has_second_thought
from host.store.episodes import open_questions
from host.store.schema import Contestant, Letter, QuestionRow, Seat
from host.turn import lobby
from host.turn.incoming import Reply, Turn, Verdict
from host.turn.letters import Answering, Asking, open_question, plain_ask, send
from host.turn.notify import Notice, repeat_questions
from host.turn.outcome import carry_out
from host.turn.play import Play, load_play
from host.turn.work import Work

_YES = re.compile(r"\s*(?:(?:resign|retire)\b[\s,:]*)?yes\b", re.IGNORECASE)
_STOP = re.compile(r"\W*(?:please )?(?:stop|unsubscribe|quit|cancel|leave)\b\W*", re.IGNORECASE)
"""It may mean the mails, the episode, or what was asked."""
_STAYING = re.compile(r"\b(?:but|stay|staying|keep|not|never|don'?t|won'?t)\b", re.IGNORECASE)


def ask_resign(work: Work, answering: Answering, play: Play, seat: Seat, lead: Sequence[str] = ()) -> bool:
    """Ask whether they really resign; False where they do not play any more."""
    if play.episode.over_at is not None or play.game.is_out(play.state, seat.seat):
        return False
    row = next(
        iter(
            open_questions(work.session, episode_id=play.episode.id, purpose="resign", contestant_id=seat.contestant_id)
        ),
        None,
    )
    if row is None:
        row = open_question(
            work,
            Asking(purpose="resign", contestant=seat.contestant, within=None, episode=play.episode, seat=seat.seat),
        )
    ask = plain_ask(
        f"{_cost_of_resigning(play, seat)} It cannot be taken back. Only a yes to this very letter resigns; anything else leaves "
        "you in the game.",
        [("resign yes", "Yes, I resign"), ("no", "No, I stay")],
        row,
        "Without an answer you stay in the game.",
    )
    draft = Draft(kind="help", headline="Do you really want to resign?", lead=tuple(lead), asks=(ask,), services=False)
    send(work, draft, seat.contestant, play, purpose="resign", questions=[row], answering=answering)
    return True


def _cost_of_resigning(play: Play, seat: Seat) -> str:
    """Tell what somebody keeps who resigns, and who goes on: by the rules, on the table as they see it."""
    game = play.game
    seen = game.as_seen(play.state, seat.seat)
    after = game.apply(seen, seat.seat, game.parse("resign", seen, seat.seat), NO_CHANCE).state
    result, others = game.result(after), [name for name in play.names if name != seat.name]
    left = [name for at, name in enumerate(play.names) if name != seat.name and not game.is_out(after, at)]
    keeps = (
        f"you leave with {amount(game.winnings(after)[seat.seat], game.currency)}" if game.currency else "you have lost"
    )
    if game.currency not in (
        "$",
        "",
    ):  # who is in it, and wins, may hang on answers and cards that are not on the table
        return f"If you resign, {keeps} and are out of this episode."
    if result is None:
        return f"If you resign, {keeps}, and {listed(left or others)} {'play' if len(left) > 1 else 'plays'} on."
    won = "" if result.winner is None or result.winner == seat.seat else f", and {play.names[result.winner]} has won"
    return f"If you resign, {keeps}, the episode is over{won}."


def ask_retire(work: Work, contestant: Contestant, game: str, answering: Answering, lead: tuple[str, ...] = ()) -> str:
    """`retire`: a letter asks the champion of the game, or of the first that they are champion of; else why nothing is asked."""
    thrones = [slug for slug in work.config.games if work.lobby(slug).champion_id == contestant.id]
    if not thrones:
        return (
            "Only a champion can retire. To leave a queue, write leave and the game; to leave an episode, write resign."
        )
    slug = game if game in thrones else thrones[0]
    title, wins = GAMES[slug].title, work.lobby(slug).champion_wins
    row = next(iter(open_questions(work.session, contestant_id=contestant.id, purpose="retire", game=slug)), None)
    row = row or open_question(work, Asking("retire", contestant, within=None, game=slug))
    ask = plain_ask(
        f"You are the champion of {title}, with {wins} {'episode' if wins == 1 else 'episodes in a row'} won. If you retire, "
        "you are champion no longer: the next episode begins without you, and you register like anybody else. What you have "
        "won stays yours.",
        [("retire yes", "Yes, I retire"), ("no", "No, I stay")],
        row,
        "Without an answer you stay champion.",
    )
    draft = Draft(
        kind="help", headline="Do you really want to give up the title?", lead=lead, asks=(ask,), services=False
    )
    send(work, draft, contestant, GAMES[slug], purpose="retire", questions=[row], answering=answering)
    return ""


def retire(work: Work, row: QuestionRow, contestant: Contestant) -> str:
    """The champion said yes and steps down; gives the sentence about it. An episode under way is not touched."""
    work.close_question(row, "yes")
    if work.lobby(row.game).champion_id != contestant.id:
        return f"You are not the champion of {GAMES[row.game].title} any more."
    for each in open_questions(work.session, contestant_id=contestant.id, purpose="ready", game=row.game):
        work.close_question(each, "retired")
    lobby.step_down(work, row.game)
    lobby.run(work, GAMES[row.game])
    return "You retired as champion. Well played! What you have won stays yours."


def give_up(reply: Reply, row: QuestionRow) -> Verdict | None:
    """Take a reply to the question whether to resign, or to retire; None for what answers something else."""
    turn, contestant, letter, lines = reply.turn, reply.contestant, reply.letter, reply.lines
    first, whole = " ".join(lines[:1]), " ".join(lines)
    yes = _YES.match(first)
    is_doubted = yes is not None and (has_second_thought(whole) or _STAYING.search(whole) is not None)
    if yes and not is_doubted:
        return _resign(turn, row, contestant, letter) if row.purpose == "resign" else _retire(turn, row, contestant)
    is_no = not is_doubted and says_no(lines)
    if not (is_no or is_doubted or _STOP.fullmatch(first)):
        return None
    if turn.is_capped(contestant.address):
        return Verdict("answered", f"{row.purpose}: {first[:80]}; not answered: too many answers this hour")
    if _STOP.fullmatch(first):
        _ask_again(turn, row, contestant, letter, "I could not tell what is to stop, so nothing has changed.")
    elif is_doubted:
        _ask_again(turn, row, contestant, letter, "I could not tell whether that is a yes, so nothing has changed.")
    else:
        _say(turn, contestant, letter, "You stay in the game." if row.purpose == "resign" else "You stay champion.")
    return Verdict("answered", f"{row.purpose}: {first[:80]}")


def _ask_again(turn: Turn, row: QuestionRow, contestant: Contestant, letter: Letter, why: str) -> None:
    """The question whether to resign, or to retire, once more: a yes has to answer such a letter."""
    if row.purpose == "retire":
        ask_retire(turn.work, contestant, row.game, turn.answering, (why,))
        return
    play = load_play(turn.work.episode(letter.episode_id))
    seat = play.seat_of(contestant.id)
    if seat is not None:
        ask_resign(turn.work, turn.answering, play, seat, (why,))


def _retire(turn: Turn, row: QuestionRow, contestant: Contestant) -> Verdict:
    sentence = retire(turn.work, row, contestant)
    send(turn.work, Draft(kind="help", headline="Your title", lead=(sentence,)), contestant, answering=turn.answering)
    return Verdict("answered", "retire")


def _say(turn: Turn, contestant: Contestant, letter: Letter, sentence: str) -> None:
    """One sentence back, with the open questions of the episode where there is one."""
    play = load_play(turn.work.episode(letter.episode_id)) if letter.episode_id is not None else None
    seat = play.seat_of(contestant.id) if play else None
    if play and seat:
        notice = Notice(answering=turn.answering, writer=seat.seat)
        repeat_questions(turn.work, play, seat, "help", lead=(sentence,), notice=notice)
    else:
        send(turn.work, Draft(kind="help", headline=sentence), contestant, answering=turn.answering)


def _resign(turn: Turn, row: QuestionRow, contestant: Contestant, letter: Letter) -> Verdict | None:
    """Play the resignation; None where it cannot be played now, so that the reply is answered like any other."""
    play = load_play(turn.work.episode(letter.episode_id))
    seat = play.seat_of(contestant.id)
    if seat is None or play.episode.over_at is not None or play.episode.paused_at is not None:
        return None
    if play.game.is_out(play.state, seat.seat):
        return None
    turn.work.close_question(row, "yes")
    command = play.game.parse("resign", play.state, seat.seat)
    outcome = play.game.apply(play.state, seat.seat, command, play.chance)
    line = record.Say(seat.name, "resign")
    notice = Notice(answering=turn.answering, writer=seat.seat, transcript=Transcript(accepted=("resign",)))
    carry_out(turn.work, play, outcome, [line], notice)
    return Verdict("played", "resign")
