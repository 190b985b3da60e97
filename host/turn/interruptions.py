"""Shell: what comes between a contestant and their time: an outage, letters that come back, rules that changed.

In: how the mailboxes were seen, a bounce, the episodes under way when the daemon starts. Out: later deadlines, clocks that stand
still, paused episodes; the host and the contestants told.

Outage: who answered in time while the host was blind is in time anyway, by the mailbox's own clock. Where it lasted more than an
hour, open deadlines move by its length before anything that waited is judged, and everyone is told why once that is done.

Bounce: only a notice that names a letter, and the address it was sent to, counts: anybody can write one. A question's clock
stands still once, until its contestant writes or the host decides, and all clocks of a contestant in an episode for two
days at most together: who lets letters bounce cannot hold up the others for longer.

Rules: nobody is held to rules that they did not begin with. Such an episode is paused, and the host hears what can be done.
"""

import logging
import math
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any

from host.engine.game import Game, are_rules_of
from host.games import GAMES
from host.store.database import is_passing
from host.store.episodes import (
    episodes_after,
    move_running_deadlines,
    open_questions,
    questions_at_rest,
    running_under_other_rules,
)
from host.store.mails import has_letter_since, letters_named, oldest_new_mail
from host.store.schema import Contestant, Episode, Letter, Mailbox, QuestionRow
from host.table.clocks import LONGEST_UNNOTICED, blind_for, move_question, start_clocks, stop_clocks
from host.table.letters import alert
from host.table.notify import repeat_questions
from host.table.play import has_todays_rules, load_play, replayed
from host.table.work import Services, Turn, Work, begin, keep_message_id
from host.turn import admin, agreement
from host.turn.outcome import RULES_CHANGED, drop_premoves

TOLD_AT_ONCE = 100


def is_outage_over(services: Services, mailbox: str, now: datetime) -> bool:
    """Was the mailbox out of reach for so long, until now, that deadlines have to move?"""
    with services.store.reading() as session:
        row = session.get(Mailbox, mailbox)
        return row is not None and blind_for(row, now) > LONGEST_UNNOTICED


def make_up_outage(services: Services, mailbox: str, now: datetime) -> timedelta:
    """Move the open deadlines by the outage that ends now; gives its length. A second call finds it made up for."""
    with begin(services, now) as work:
        row = work.session.get_one(Mailbox, mailbox, with_for_update=True)
        length = blind_for(row, now)
        if row.seen_at is None or length <= LONGEST_UNNOTICED:
            return timedelta()
        move_running_deadlines(work.session, row.seen_at, now)
        for question in questions_at_rest(work.session):
            if question.asked_at is not None and question.due_at is not None:
                begun = max(question.asked_at, row.seen_at)
                move_question(work, question, max(_lost(work, question, begun), timedelta()))
        row.blind_from, row.blind_until, row.seen_at = row.blind_from or row.seen_at, now, now
        return length


def _lost(work: Work, question: QuestionRow, begun: datetime) -> timedelta:
    """Tells how much of an outage a question's clock ran through: not what a pause or a stop makes up for."""
    if question.stopped_at is not None:
        goes_on = question.goes_on_at or work.now
        if goes_on >= work.now:
            return timedelta()
        start_clocks(work, [question], goes_on)
        begun = max(begun, goes_on)
    episode = work.session.get(Episode, question.episode_id) if question.episode_id is not None else None
    return (work.now if episode is None or episode.paused_at is None else min(episode.paused_at, work.now)) - begun


def tell_of_outage(services: Services, now: datetime) -> Iterator[None]:
    """After an outage, when all the mail is played that came in the meantime: in episodes whose deadlines moved, everyone
    hears why, a hundred episodes a piece, each in its own transaction.

    Who has had a letter since is passed over, so that going on after a kill tells nobody twice.
    """
    mailbox = services.config.mailboxes[0]
    if not _is_outage_to_be_told(services, mailbox):
        return
    for slug in GAMES:
        after: int | None = 0
        while after is not None:
            with services.store.reading() as session:
                row = session.get(Mailbox, mailbox)
                if row is None or row.blind_until is None:
                    return
                until, running = row.blind_until, episodes_after(session, slug, after, TOLD_AT_ONCE)
            for episode_id in running:
                with begin(services, now) as work:
                    _tell_episode(work, work.episode(episode_id), until)
            after = running[-1] if running else None
            yield
    with services.store.transaction() as session:
        told = session.get_one(Mailbox, mailbox)
        told.blind_from = told.blind_until = None


def _is_outage_to_be_told(services: Services, mailbox: str) -> bool:
    """Did an outage end of which not everyone was told, and is all the mail played that came in the meantime?"""
    with services.store.reading() as session:
        row = session.get(Mailbox, mailbox)
        if row is None or row.blind_until is None or row.read_at is None:
            return False
        oldest = oldest_new_mail(session)
        return row.read_at >= row.blind_until and (oldest is None or oldest > row.blind_until)


def _tell_episode(work: Work, episode: Episode, until: datetime) -> None:
    rows = open_questions(work.session, episode_id=episode.id, purpose="game")
    if not any(row.asked_at is not None and row.asked_at < until for row in rows):
        return
    play = load_play(episode)
    for seat in episode.seats:
        if play.game.is_out(play.state, seat.seat) or has_letter_since(
            work.session, seat.contestant_id, episode.id, until
        ):
            continue  # that letter said it
        asked = any(row.seat == seat.seat for row in rows)
        headline = "You have more time" if asked else "Why it took so long"
        repeat_questions(work, play, seat, headline=headline)


def take_bounce(turn: Turn) -> str:
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
            alert(work, "A letter could not be delivered", text, cause="bounce of a stranger")
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
        text += "\n" + _what_the_host_can_do(episode.code, name, [row for row in asked if row.episode_id == episode.id])
    play = load_play(next(iter(episodes.values()))) if len(episodes) == 1 else None
    headline = f"{contestant.called} cannot be reached"
    cause = f"bounce {contestant.id} {' '.join(str(row.id) for row in stopped)}"
    alert(work, headline, text, play, cause=cause)


def _what_the_host_can_do(code: str, name: str, rows: Sequence[QuestionRow]) -> str:
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


def wrote(work: Work, contestant: Contestant, at: datetime, message_id: str) -> None:
    """A contestant wrote: they are present, and where letters to them came back, they can be reached again."""
    work.heard_from(contestant, at)
    keep_message_id(contestant, at, message_id)
    if contestant.bounced_at is not None:
        contestant.bounced_at = None
        start_clocks(work, open_questions(work.session, contestant_id=contestant.id))


log = logging.getLogger("podium")

SOME = 1000
"""Episodes looked up at once."""
ONCE = timedelta(days=3650)
"""The host is told once of an episode and a version."""


def pause_changed_games(services: Services, now: datetime) -> int:
    """Pause the running episodes that today's rules would play otherwise; gives how many the host was told of."""
    return sum(_guarded(services, each, now) for game in GAMES.values() for each in _changed(services, game))


def _changed(services: Services, game: Game[Any, Any]) -> Iterator[int]:
    """The running episodes of a game that began under other rules, by their numbers."""
    after: int | None = 0
    while after is not None:
        with services.store.reading() as session:
            found = running_under_other_rules(session, game.slug, game.version, after, SOME)
        yield from (number for number, version, options in found if not are_rules_of(game, version, options))
        after = found[-1][0] if len(found) == SOME else None


def _guarded(services: Services, episode_id: int, now: datetime) -> bool:
    """One that cannot be looked at must not keep the daemon from its start: the host is told."""
    try:
        with begin(services, now) as work:
            return _pause(work, episode_id)
    except Exception as error:
        if is_passing(error):
            raise
        log.exception("episode number %s, begun under other rules, could not be paused", episode_id)
        text = (
            f"Episode number {episode_id} of the database began under other rules, and could not be paused: "
            f"{type(error).__name__}. The log says more; nothing was changed."
        )
        with begin(services, now) as work:
            return alert(work, "An episode could not be paused", text)


def _pause(work: Work, episode_id: int) -> bool:
    episode = work.episode(episode_id)
    if episode.over_at is not None or has_todays_rules(episode):
        return False
    code, play = episode.code, load_play(episode)
    drop_premoves(play, RULES_CHANGED)
    if episode.paused_at is None:
        admin.pause(work, code)
    what_to_do = f"podium resume {code} lets it go on under today's rules; its players are told so."
    try:
        replayed(work.session, play)
    except ValueError as error:
        what_to_do = (
            f"It cannot go on here: {error}. podium withdraw {code} NAME takes its players out, and so ends it."
        )
    text = (
        f"The rules of {play.game.title} are no longer those that {code} began with, so it is paused and nobody's time runs. "
        f"{what_to_do} The Podium that it began with can play it to its end as it began."
    )
    cause = f"rules {code} {play.game.version}"
    return alert(work, f"{code} began under other rules", text, play, every=ONCE, cause=cause)
