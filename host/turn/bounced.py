"""Shell: letters that came back. In: a bounce, or the SMTP server's final no. Out: the host told, a clock that stands still.

Only a notice that names a letter, and the address it was sent to, counts: anybody can write one. A question's clock
stands still once, for two days at most, until its contestant writes or the host decides.
"""

from datetime import datetime

from host.store.episodes import open_questions
from host.store.mails import letters_of_tokens
from host.store.schema import Contestant, Episode, Letter, Question
from host.store.store import Session
from host.turn import alerts
from host.turn.clocks import LONGEST_STOP, start_clocks
from host.turn.house import House, load_play
from host.turn.mailturn import Turn


def take(turn: Turn) -> str:
    """A bounce arrived; gives the note about it."""
    bounce = turn.mail.bounce
    if bounce is None or not bounce.is_permanent:
        return "a bounce that says nothing final"
    found = letters_of_tokens(turn.session, bounce.tokens)
    letter = next((each for each in found if each.address.lower() in bounce.recipients), None)
    if letter is None:
        return "a bounce that names no letter of ours with its address"
    turn.inbound.token, turn.inbound.episode_id = letter.token, letter.episode_id
    turn.inbound.contestant_id = letter.contestant_id
    came_back(turn.session, turn.house, letter, bounce.said, turn.now)
    return f"a bounce of letter {letter.id} to {letter.address}"


def came_back(session: Session, house: House, letter: Letter, said: str, now: datetime) -> None:
    """A letter cannot be delivered: mark the address, stop the contestant's clocks, tell the host."""
    if letter.contestant_id is None:
        if letter.purpose not in ("operator", "host"):
            text = f"A letter to {letter.address} ({letter.kind}) could not be delivered: {said}"
            alerts.alert(session, house, now, "A letter could not be delivered", text, cause=f"bounce {letter.address}")
        return
    contestant = session.get_one(Contestant, letter.contestant_id)
    contestant.bounced_at = now
    rows = [row for row in open_questions(session, contestant_id=contestant.id, purpose="game") if _may_stop(row)]
    for row in rows:
        row.stopped_at, row.was_stopped = now, True
    episodes = list({row.episode_id: session.get_one(Episode, row.episode_id) for row in rows}.values())
    text = (
        f"{contestant.called} cannot be reached: a letter to {letter.address} ({letter.kind}) came back. {said}".strip()
    )
    for code in (each.code for each in episodes):
        text += (
            f"\nIn {code} their clock stands still, for {LONGEST_STOP.total_seconds() / 3600:.0f} hours at most or until "
            f"they write. You can decide before: podium resend {code} {contestant.called} tries again, podium extend "
            f"{code} {contestant.called} --by 24h gives more time, podium withdraw {code} {contestant.called} takes them "
            "out."
        )
    play = load_play(episodes[0]) if len(episodes) == 1 else None
    headline = f"{contestant.called} cannot be reached"
    alerts.alert(session, house, now, headline, text, play, cause=f"bounce {contestant.id}")


def _may_stop(row: Question) -> bool:
    return row.asked_at is not None and row.due_at is not None and not row.was_stopped


def wrote(session: Session, contestant: Contestant, now: datetime) -> None:
    """A contestant whose letters came back has written: they can be reached again."""
    if contestant.bounced_at is not None:
        contestant.bounced_at = None
        start_clocks(open_questions(session, contestant_id=contestant.id), now)
