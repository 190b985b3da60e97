"""Shell: the corridor of a deadline. In: the clock and how far the mailboxes were read. Out: timeouts, reminders.

A deadline is a row. It fires once, when its second is over, every mailbox was read whole by a pass that began after it,
and no stored mail waits that may answer it; the room decides what silence means.

What is due is worked off in groups, as mails are: what a group asks for is looked up at once, and it is one transaction, with
one letter to the operators about all its forfeits. Where one of a group raises, all of it is undone and each is worked off
alone.
"""

import functools
import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from host.club import company, lobby, privacy, taking_over
from host.engine import record
from host.games import GAMES
from host.mail.outbound.formatting import listed
from host.play import deadlines
from host.play.own_time import BEFORE_QUIET, outside
from host.store.database import Session, is_passing
from host.store.episodes import (
    FIRST,
    Due,
    DueAt,
    Place,
    latest_overdue,
    questions_due,
    take_questions,
)
from host.store.mails import mailboxes, may_be_answered
from host.store.people import registrations_to_ask_again
from host.store.roster import barred
from host.store.schema import QuestionRow
from host.table.clocks import plan_reminder, quiet
from host.table.letters import alert
from host.table.notify import Notice, holds_the_next, repeat_questions
from host.table.play import Play, load_play
from host.table.work import Services, Work, begin
from host.turn import agreement, held, last_chances
from host.turn.outcome import carry_out

log = logging.getLogger("podium")

GROUP = 16
"""Deadlines worked off in one transaction: few, since incoming mail waits that long."""


def read_until(session: Session, names: Sequence[str]) -> datetime | None:
    """Tells when the last whole pass over all mailboxes began; None where one was never read."""
    rows = {row.name: row.read_at for row in mailboxes(session)}
    times = [rows.get(name) for name in names]
    return min((each for each in times if each is not None), default=None) if all(times) else None


def is_due(services: Services, now: datetime) -> bool:
    """Is a deadline or a reminder due?"""
    with services.store.reading() as session:
        return latest_overdue(session, now) is not None


def waits_for_mailbox(services: Services, now: datetime) -> bool:
    """Is something due that waits for the mailboxes to be read past it?"""
    with services.store.reading() as session:
        due = latest_overdue(session, now)
        read_at = read_until(session, services.config.mailboxes)
    return due is not None and (read_at is None or read_at < deadlines.seen_past(due))


def remind_due(services: Services, now: datetime) -> Iterator[int]:
    """Send the reminders that are due, where the mailbox was read since, a few at a time; gives how many each time."""
    return _work_off(services, now, "remind_at", min, _remind)


def expire_due(services: Services, now: datetime) -> Iterator[int]:
    """Fire the deadlines that are due, a few at a time; gives how many fired each time."""
    return _work_off(services, now, "due_at", deadlines.latest_to_fire, _expire)


def _work_off(
    services: Services,
    now: datetime,
    what: DueAt,
    until: Callable[[datetime, datetime], datetime],
    handle: "_Handle",
) -> Iterator[int]:
    """Work off all that is due `until` then, a group at a time; it goes on behind a group that has to wait."""
    place: Place | None = FIRST
    while place is not None:
        with services.store.reading() as session:
            read_at = read_until(session, services.config.mailboxes)
            # only up to there: of what has to wait for the mailbox there may be very much
            due = questions_due(session, what, until(now, read_at), GROUP, place) if read_at else ()
        place = due[-1].place if len(due) == GROUP else None
        yield _group(handle, services, due, now, read_at) if due and read_at else 0


def _group(handle: "_Handle", services: Services, due: Sequence[Due], now: datetime, read_at: datetime) -> int:
    """Work off a group in one transaction; where one of it raises, each in its own.

    One question that cannot be worked off must not stop the others: the host is told, and it is tried again.
    """
    try:
        return _together(handle, services, due, now, read_at)
    except Exception as error:
        if len(due) > 1:
            log.info("%d questions cannot be worked off together; each is worked off alone", len(due))
            return sum(_group(handle, services, [each], now, read_at) for each in due)
        if is_passing(error):
            raise
        number = due[0].id
        log.exception("question %s could not be worked off", number)
        text = f"Question {number} could not be worked off: {type(error).__name__}. The log says more; nothing was changed."
        with begin(services, now) as work:
            alert(work, "A deadline could not be worked off", text)
        return 0


def _together(handle: "_Handle", services: Services, due: Sequence[Due], now: datetime, read_at: datetime) -> int:
    """Work off these questions in one transaction: all of them, or none; gives how many were.

    Questions and episodes are taken as they are now, and not changed by others until it ends.
    """
    with begin(services, now) as work:
        work.take_episodes({each.episode_id for each in due if each.episode_id is not None})
        rows = take_questions(work.session, [each.id for each in due])
        these = _Together(work, read_at, list(rows.values()))
        done = sum(handle(these, rows[each.id]) for each in due if each.id in rows)
        match these.forfeits:
            case []:
                pass
            case [(play, name, text)]:
                alert(work, f"{name} did not answer in {play.episode.code}", text, play)
            case several:
                alert(work, f"{len(several)} did not answer", "\n".join(text for _, _, text in several))
    return done


def _expire(these: "_Together", row: QuestionRow) -> bool:
    work = these.work
    if row.closed_at is not None or row.due_at is None or not deadlines.may_fire(row.due_at, work.now, these.read_at):
        return False
    if these.may_be_answered and may_be_answered(work.session, [row.episode_id], deadlines.seen_past(row.due_at)):
        return False  # an answer may be among what is stored and not worked off
    if last_chances.move_out_of_break(work, row):
        return False
    if row.purpose == "game":
        return _time_out(these, row)
    if row.purpose == "confirm" and row.registration_id is not None:
        agreement.lapse(work, row, "silence")
        return True
    work.close_question(row, "silence")
    if row.purpose == "ready":
        lobby.missed_ready(work, GAMES[row.game], row)
        lobby.run(work, GAMES[row.game])
    elif row.purpose == "address":
        held.lapse(work.session, row)
    elif row.purpose in ("rematch", "invitation"):
        company.end_rematch(work, row, "silence")
    elif row.purpose == "seat":
        taking_over.settle(work, row)
    return True


def _time_out(these: "_Together", row: QuestionRow) -> bool:
    work = these.work
    episode = work.episode(row.episode_id)
    if episode.paused_at is not None or row.seat is None:
        return False
    play = load_play(episode)
    if last_chances.give(work, play, row):
        return True
    outcome = play.game.timeout(play.state, row.seat, play.chance)
    line = episode.last_line
    name = play.name(row.seat)
    work.close_question(row, "timeout")
    waits = _hold(work, play)
    silent = [
        play.name(each.seat) for each in episode.open_questions if each.seat is not None and _is_silent(these, each)
    ]
    play = carry_out(work, play, outcome, [record.Timeout(name)], Notice(timed_out=row.seat))
    also = f" So did {listed(silent)}, of whom nothing is asked any more." if silent and episode.over_at else ""
    how = f"If that was wrong, podium back {episode.code} {line} takes it back{waits}."
    these.forfeits.append((play, name, f"{name} let a deadline pass in {episode.code}.{also} {how}"))
    return True


def _is_silent(these: "_Together", row: QuestionRow) -> bool:
    """Is the time for this question over, too?"""
    if row.purpose != "game" or row.due_at is None or row.stopped_at is not None:
        return False
    return deadlines.may_fire(row.due_at, these.work.now, these.read_at)


def _hold(work: Work, play: Play) -> str:
    """Hold the lobby for a while, in which the host may take it back; at many tables only for an episode about the throne.

    Gives that in words.
    """
    row = work.lobby(play.game.slug)
    if not holds_the_next(work, play):
        return ""
    hold = work.now + work.config.deadlines.objection
    row.hold_until = max(hold, row.hold_until or hold)
    return f"; the next episode of {play.game.title} waits until {hold:%Y-%m-%d %H:%M} UTC for that"


def _remind(these: "_Together", row: QuestionRow) -> bool:
    work, read_at = these.work, these.read_at
    if row.closed_at is not None or row.remind_at is None or row.due_at is None or row.episode_id is None:
        return False
    if read_at < row.remind_at or work.now > row.due_at or row.remind_at > work.now:
        return False
    episode = work.episode(row.episode_id)
    if episode.paused_at is not None:
        return False
    play = load_play(episode)
    seat = play.seat_of(row.contestant_id)
    if seat is None:
        return False
    hours = quiet(work, seat.contestant, work.now) and quiet(work, seat.contestant, work.now - BEFORE_QUIET)
    if hours and outside(work.now, row.due_at, hours) > work.now:
        row.remind_at = hours[1]
        return False
    row.remind = row.remind[1:]
    plan_reminder(work, row, seat.contestant)
    if hours or barred(work.session, seat.contestant.address):
        return False
    repeat_questions(work, play, seat, "reminder")
    return True


@dataclass(frozen=True)
class _Together:
    """Questions worked off in one transaction, and how far the mailboxes were read.

    `forfeits` are the deadlines that fired in an episode: whose each was, and what the operators are to know of it.
    """

    work: Work
    read_at: datetime
    rows: Sequence[QuestionRow]
    forfeits: list[tuple[Play, str, str]] = field(default_factory=list)

    @functools.cached_property
    def may_be_answered(self) -> bool:
        """May a stored mail answer any of it? Asked before anything is worked off."""
        times = [row.due_at for row in self.rows if row.due_at is not None]
        until = deadlines.seen_past(max(times, default=self.work.now))
        return may_be_answered(self.work.session, [row.episode_id for row in self.rows], until)


_Handle = Callable[[_Together, QuestionRow], bool]
"""Works off one question; says whether it did."""


def run_lobbies(services: Services, now: datetime) -> None:
    """Begin what may begin now: an objection time may have ended, a host may have come back."""
    with services.store.reading() as session:
        is_any_back = bool(registrations_to_ask_again(session, now))
    if is_any_back:
        with begin(services, now) as work:
            lobby.ask_again(work)
    company.tell_watchers(services, now)
    privacy.forget_due(services, now)
    for slug in services.config.games:
        is_done = False
        while not is_done:
            with begin(services, now) as work:
                is_done = not lobby.run(work, GAMES[slug])
