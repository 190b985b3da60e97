"""Shell: letters that came back. In: a bounce, or the SMTP server's final no. Out: the host told, a clock that stands still.

Only a notice that names a letter, and the address it was sent to, counts: anybody can write one. A question's clock
stands still once, until its contestant writes or the host decides, and all clocks of a contestant in an episode for two
days at most together: who lets letters bounce cannot hold up the others for longer.
"""

import math
from collections.abc import Sequence
from datetime import datetime, timedelta

from host.store.episodes import open_questions
from host.store.mails import letters_named
from host.store.schema import Contestant, Episode, Letter, QuestionRow
from host.turn import agreement, alerts
from host.turn.clocks import start_clocks, stop_clocks
from host.turn.incoming import Turn
from host.turn.play import load_play
from host.turn.work import Work


def take(turn: Turn) -> str:
    """A bounce arrived; gives the note about it."""
    bounce = turn.mail.bounce
    if bounce is None or not bounce.is_permanent:
        return "a bounce that says nothing final"
    found = letters_named(turn.work.session, bounce.tokens)
    named = (found[token] for token in bounce.tokens if token in found)
    letter = next((each for each in named if each.address.lower() in bounce.recipients), None)
    if letter is None:
        return "a bounce that names no letter of ours with its address"
    turn.inbound.token, turn.inbound.episode_id = letter.token, letter.episode_id
    turn.inbound.contestant_id = letter.contestant_id
    came_back(turn.work, letter, bounce.said)
    return f"a bounce of letter {letter.id} to {letter.address}"


def came_back(work: Work, letter: Letter, said: str) -> None:
    """A letter cannot be delivered: mark the address, stop the contestant's clocks, tell the host."""
    if letter.contestant_id is None:
        if letter.purpose not in ("operator", "host"):
            text = f"A letter to {letter.address} ({letter.kind}) could not be delivered: {said}"
            alerts.alert(work, "A letter could not be delivered", text, cause="bounce of a stranger")
        return
    contestant = work.session.get_one(Contestant, letter.contestant_id)
    if contestant.confirmed_at is None:  # somebody registered an address that there is not
        for row in open_questions(work.session, contestant_id=contestant.id, purpose="confirm"):
            agreement.lapse(work, row, "undeliverable")
        return
    contestant.bounced_at = work.now
    asked = open_questions(work.session, contestant_id=contestant.id, purpose="game")
    stopped = stop_clocks(work, asked)
    text = (
        f"{contestant.called} cannot be reached: a letter to {letter.address} ({letter.kind}) came back. {said}".strip()
    )
    episodes = {row.episode_id: work.session.get_one(Episode, row.episode_id) for row in asked}
    for episode in episodes.values():
        name = next(seat.name for seat in episode.seats if seat.contestant_id == contestant.id)
        text += "\n" + _choices(episode.code, name, [row for row in asked if row.episode_id == episode.id])
    play = load_play(next(iter(episodes.values()))) if len(episodes) == 1 else None
    headline = f"{contestant.called} cannot be reached"
    cause = f"bounce {contestant.id} {' '.join(str(row.id) for row in stopped)}"
    alerts.alert(work, headline, text, play, cause=cause)


def _choices(code: str, name: str, rows: Sequence[QuestionRow]) -> str:
    """Say what becomes of an episode, and what the host can do."""
    standing = [row.goes_on_at - row.stopped_at for row in rows if row.stopped_at and row.goes_on_at]
    if standing:
        hours = math.ceil(max(standing) / timedelta(hours=1))
        most = "an hour" if hours == 1 else f"{hours} hours"
        clock = f"In {code} their clock stands still, for {most} at most or until they write."
    elif all(row.asked_at is None for row in rows):
        clock = f"In {code} their question never arrived, so no clock runs and the episode waits for you."
    else:
        clock = f"In {code} their clock runs; it stood still before."
    return (
        f"{clock} You can decide: podium resend {code} {name} tries again, podium extend {code} {name} --by 24h gives more "
        f"time, podium withdraw {code} {name} takes them out."
    )


def wrote(work: Work, contestant: Contestant, at: datetime) -> None:
    """A contestant wrote: they are present, and where letters to them came back, they can be reached again."""
    work.heard_from(contestant, at)
    if contestant.bounced_at is not None:
        contestant.bounced_at = None
        start_clocks(work, open_questions(work.session, contestant_id=contestant.id))
