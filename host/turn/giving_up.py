"""Shell: who gives up a seat or a title. In: a reply to the question whether they really do. Out: it is done, or they stay."""

import re

from host.engine import record
from host.mail.outbound.draft import Draft, Transcript
from host.play.agreement import says_no
from host.play.clauses import has_second_thought
from host.store.schema import Contestant, Letter, QuestionRow
from host.turn import leaving, service_words
from host.turn.incoming import Reply, Turn, Verdict
from host.turn.letters import send
from host.turn.notify import Notice, repeat_questions
from host.turn.outcome import carry_out
from host.turn.play import load_play

_YES = re.compile(r"\s*(?:(?:resign|retire)\b[\s,:]*)?yes\b", re.IGNORECASE)
_STOP = re.compile(r"\W*(?:please )?(?:stop|unsubscribe|quit|cancel|leave)\b\W*", re.IGNORECASE)
"""It may mean the mails, the episode, or what was asked."""
_STAYING = re.compile(r"\b(?:but|stay|staying|keep|not|never|don'?t|won'?t)\b", re.IGNORECASE)


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
        leaving.ask_retire(turn.work, contestant, row.game, turn.answering, (why,))
        return
    play = load_play(turn.work.episode(letter.episode_id))
    seat = play.seat_of(contestant.id)
    if seat is not None:
        service_words.ask_resign(turn.work, turn.answering, play, seat, (why,))


def _retire(turn: Turn, row: QuestionRow, contestant: Contestant) -> Verdict:
    sentence = leaving.retire(turn.work, row, contestant)
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
