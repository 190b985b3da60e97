"""Shell: clocks that move. In: a pause, an outage, a stop, a wall clock that jumped. Out: deadlines, later than before.

A question's clock begins when its letter was accepted (`letters.accepted`); until then its deadline is only foreseen.
Deadlines never move earlier: who was told a time can rely on it.
"""

import math
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from host.mail.outbound.render import deadline_words
from host.play import deadlines
from host.store.database import Session
from host.store.episodes import (
    move_deadlines_asked_by,
    open_questions,
    paused_episodes,
    seat_of_question,
    stopped_questions,
    take_questions,
)
from host.store.mails import heartbeat, mailboxes
from host.store.people import lobbies
from host.store.queues import hurry_letters
from host.store.schema import Heartbeat, Mailbox, QuestionRow, Seat
from host.turn.work import Services, Work, begin

JUMP = 5.0
"""Seconds by which the wall clock may differ from the machine's steady clock before that counts as a jump."""
LONGEST_UNNOTICED = timedelta(hours=1)
"""How long the mailbox may be out of reach before that takes time from anybody."""
LONGEST_STOP = timedelta(hours=48)
"""How long the clocks of a contestant stand still in an episode, all in all, because letters came back."""


def move_deadlines(session: Session, by: timedelta, episode_id: int, seat: int | None = None) -> None:
    """Move an episode's open deadlines later, reminders with them; a letter that is accepted meanwhile waits with its own."""
    for row in _taken(session, episode_id, seat):
        move_question(row, by)


def move_deadlines_to(session: Session, until: datetime, episode_id: int, seat: int | None = None) -> None:
    """Move those of an episode's open deadlines that are earlier to a moment, reminders with them."""
    for row in _taken(session, episode_id, seat):
        if row.due_at is not None:
            move_question(row, max(until - row.due_at, timedelta()))


def _taken(session: Session, episode_id: int, seat: int | None) -> Iterable[QuestionRow]:
    asked = [row.id for row in open_questions(session, episode_id=episode_id, seat=seat)]
    return take_questions(session, asked).values()


def move_question(row: QuestionRow, by: timedelta) -> None:
    """Move one open deadline later, its reminder with it."""
    if row.due_at is not None:
        row.due_at += by
        row.remind_at = row.remind_at + by if row.remind_at else None


def is_over(row: QuestionRow, at: datetime) -> bool:
    """Was the time for an answer over before a moment? Not while the clock has not begun: what was foreseen then is no deadline.

    A letter may be with its reader before its acceptance is stored, by another process even.
    """
    return row.asked_at is not None and row.due_at is not None and deadlines.is_late(at, row.due_at)


def foresee(row: QuestionRow, now: datetime) -> None:
    """Foresee a deadline anew, of a question whose letter has waited until the one foreseen before was over."""
    if row.asked_at is None and row.due_at is not None and deadlines.is_late(now, row.due_at):
        row.due_at = deadlines.foreseen(now, timedelta(seconds=row.within or 0))


def keep_time(services: Services, wall: datetime, steady: float, boot: str) -> timedelta:
    """Note the clocks. Where the wall clock jumped against the steady one, what counts on it moves along; gives how far.

    A jump ahead moves open deadlines, but only of questions asked before it: those asked later than the clock said,
    before an error of it that the jump corrected, are right as they are. A jump back leaves deadlines alone, since they
    only move later; letters that wait for a time that is far off now go out, and mailboxes count as unread.
    """
    with services.store.transaction() as session:
        row = heartbeat(session)
        jump = timedelta()
        if row is None:
            session.add(Heartbeat(id=1, boot=boot, steady=steady, wall=wall))
            return jump
        expected = row.wall + timedelta(seconds=steady - row.steady)
        if row.boot == boot and abs((wall - expected).total_seconds()) > JUMP:
            jump = wall - expected
            _jump(session, jump, expected, wall)
        row.boot, row.steady, row.wall = boot, steady, wall
        return jump


def _jump(session: Session, jump: timedelta, expected: datetime, wall: datetime) -> None:
    _shift_what_lasts(session, jump)
    for mailbox in mailboxes(session):
        if mailbox.seen_at is not None:
            mailbox.seen_at = min(mailbox.seen_at + jump, wall)
        if mailbox.read_at is not None and mailbox.read_at > wall:
            mailbox.read_at = None
    if jump < timedelta():
        hurry_letters(session, wall)
        for lobby_row in lobbies(session):
            if lobby_row.hold_until is not None and lobby_row.hold_until > expected:
                lobby_row.hold_until += jump
        return
    move_deadlines_asked_by(session, expected, jump)


def _shift_what_lasts(session: Session, jump: timedelta) -> None:
    """Pauses and stops are as long as they were."""
    for episode in paused_episodes(session):
        if episode.paused_at is not None:
            episode.paused_at += jump
    for question in stopped_questions(session):
        if question.stopped_at is not None and question.goes_on_at is not None:
            question.stopped_at += jump
            question.goes_on_at += jump


def blind_for(mailbox: Mailbox, now: datetime) -> timedelta:
    """How long a mailbox has not been seen."""
    return timedelta() if mailbox.seen_at is None else now - mailbox.seen_at


def unseen(work: Work, mailbox: str, since: datetime) -> timedelta:
    """The time since a moment, without that of an outage which is not over and will be made up for by itself."""
    row = work.session.get(Mailbox, mailbox)
    until = work.now
    if row is not None and row.seen_at is not None and blind_for(row, work.now) > LONGEST_UNNOTICED:
        until = row.seen_at
    return max(until - since, timedelta())


def outage_notice(work: Work) -> tuple[str, ...]:
    """Why deadlines moved, in letters that are written after an outage before everyone was told; else nothing."""
    if work.outage is None:
        return ()
    zone = work.config.host.timezone
    begin, end = (deadline_words(each, zone, timedelta(hours=1)) for each in work.outage)
    return (
        f"I could not see my mailbox from {begin} to {end}. Nobody loses anything by that: mail that came in the "
        "meantime counts as of when it came, and every open deadline has moved by as long as that lasted.",
    )


def stop_clocks(work: Work, rows: Sequence[QuestionRow]) -> list[QuestionRow]:
    """Let the clocks of these questions stand still, as far as that is left for their contestants; gives those that do."""
    standing = {(row.episode_id, row.seat): row.goes_on_at for row in rows if row.stopped_at is not None}
    stopped = []
    for row in rows:
        if row.asked_at is None or row.due_at is None or row.was_stopped:
            continue
        seat = seat_of_question(work.session, row)
        left = LONGEST_STOP - timedelta(seconds=seat.stopped_seconds)
        until = standing.setdefault((row.episode_id, row.seat), work.now + left)
        if until is not None and until > work.now and seat.episode.paused_at is None:
            row.stopped_at, row.goes_on_at, row.was_stopped = work.now, until, True
            stopped.append(row)
    return stopped


def start_clocks(work: Work, rows: Iterable[QuestionRow], at: datetime | None = None) -> None:
    """Let the clocks of these questions go on, those that stand still: their deadlines move by as long as they did.

    They go on at a moment, by default now. That counts against what is left for their contestants; of several that
    stood still together the longest.
    """
    longest: dict[Seat, timedelta] = {}
    at = at or work.now
    for row in rows:
        if row.stopped_at is not None:
            stood = max(min(at, row.goes_on_at or at) - row.stopped_at, timedelta())
            row.stopped_at = row.goes_on_at = None
            move_question(row, stood)
            seat = seat_of_question(work.session, row)
            longest[seat] = max(longest.get(seat, timedelta()), stood)
    for seat, stood in longest.items():
        seat.stopped_seconds += math.ceil(stood.total_seconds())


def start_overdue_clocks(services: Services, now: datetime) -> None:
    """Clocks that have stood still for as long as they may go on."""
    with services.store.reading() as session:
        if not stopped_questions(session, now):
            return
    with begin(services, now) as work:
        start_clocks(work, stopped_questions(work.session, now))
