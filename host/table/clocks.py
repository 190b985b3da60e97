"""Shell: questions and their clocks. In: what a game asks, a pause, an outage, a stop, a wall clock that jumped. Out: questions
that open and close, deadlines later than before.

A question's clock begins when its letter was accepted (`accepted`); until then its deadline is only foreseen.
Deadlines never move earlier: who was told a time can rely on it.
"""

import heapq
import math
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta

from host.mail.outbound.render import deadline_words, due_words, zone_of
from host.play import deadlines
from host.play.own_time import in_quiet_hours, outside, reminders_of
from host.states import QuestionOutcome, QuestionPurpose
from host.store.database import Session
from host.store.episodes import (
    move_deadlines_asked_by,
    open_questions,
    paused_episodes,
    questions_of_letters,
    seat_of_question,
    stopped_questions,
    take_questions,
)
from host.store.mails import heartbeat, is_first_to_ask, mailboxes
from host.store.people import absences_after, contestants_numbered, set_back
from host.store.queues import hurry_letters
from host.store.schema import AuditEntry, Contestant, Episode, Heartbeat, Mailbox, QuestionRow, Seat
from host.table.play import Play
from host.table.work import Services, Work, begin

JUMP = 5.0
"""Seconds by which the wall clock may differ from the machine's steady clock before that counts as a jump."""
LONGEST_UNNOTICED = timedelta(hours=1)
"""How long the mailbox may be out of reach before that takes time from anybody."""
LONGEST_STOP = timedelta(hours=48)
"""How long the clocks of a contestant stand still in an episode, all in all, because letters came back."""


def move_deadlines(
    work: Work, later: Callable[[QuestionRow], timedelta | datetime], episode_id: int, seat: int | None = None
) -> None:
    """Move an episode's open deadlines later, each by so much time that runs or to a moment, reminders with them.

    A letter that is accepted meanwhile waits with its own.
    """
    asked = [row.id for row in open_questions(work.session, episode_id=episode_id, seat=seat)]
    for row in take_questions(work.session, asked).values():
        move_question(work, row, later(row))


def move_question(work: Work, row: QuestionRow, later: timedelta | datetime) -> None:
    """Move one open deadline later, by so much time that runs (`breaks`) or to a moment, its reminder with it."""
    if row.due_at is None:
        return
    before, moved = row.due_at, later
    contestant = contestants_numbered(work.session, [row.contestant_id])[row.contestant_id]
    if isinstance(moved, timedelta):
        moved = deadlines.due(before, moved, breaks(work, contestant, before))
    row.due_at = max(before, moved)
    row.remind_at = row.remind_at + (row.due_at - before) if row.remind_at else None
    remind_of_more(work, row, contestant, row.due_at - before)


def remind_of_more(work: Work, row: QuestionRow, contestant: Contestant, won: timedelta) -> None:
    """Plan reminders in the time that was won, those that are shorter than it, of a question that has had all of its own."""
    if row.asked_at is not None and row.remind_at is None and row.purpose == "game":
        row.remind = reminders_for(work, contestant, won)
        plan_reminder(work, row, contestant)


def zone_name(work: Work, contestant: Contestant) -> str:
    """The time zone in which a contestant is told times: theirs, or the host's."""
    return contestant.zone or work.config.host.timezone


def due_for(work: Work, contestant: Contestant, due_at: datetime) -> str:
    """A deadline, as a contestant is told it."""
    return due_words(due_at, zone_name(work, contestant), timedelta(hours=1), work.now)


def breaks(work: Work, contestant: Contestant, since: datetime) -> Iterator[deadlines.Break]:
    """From when to when no deadline of a contestant runs, in their order: days off here, and their absences."""
    settings, zone = work.config.deadlines, zone_of(work.config.host.timezone)
    off = deadlines.days_off(since, zone, settings.weekends, settings.holidays)
    away = _away(work, contestant, since)
    return heapq.merge(off, away) if away else off


def _away(work: Work, contestant: Contestant, since: datetime) -> list[deadlines.Break]:
    if contestant.away_until is None or contestant.away_until <= since:
        return []
    return [(each.begins_at, each.ends_at) for each in absences_after(work.session, contestant.id, since)]


def plan_reminder(work: Work, row: QuestionRow, contestant: Contestant) -> None:
    """Say when a question's contestant is reminded next: not while they are away, nor in their quiet hours."""
    left, row.remind_at = row.remind, None
    while row.due_at is not None and row.remind_at is None and left:
        at, row.remind = deadlines.next_reminder(row.due_at, left, work.now)
        if at is None:
            return
        for begins, ends in _away(work, contestant, at):
            at = ends if begins <= at else at
        at = outside(at, row.due_at, quiet(work, contestant, at))
        row.remind_at = at if at > work.now else None
        left = row.remind[1:]


def quiet(work: Work, contestant: Contestant, at: datetime) -> deadlines.Break | None:
    """The quiet hours of a contestant that a moment is in."""
    return in_quiet_hours(at, contestant.quiet, zone_of(zone_name(work, contestant)))


def reminders_for(work: Work, contestant: Contestant, within: timedelta) -> list[int]:
    """The reminders of a question to a contestant, by their own wish or else the host's."""
    wanted = reminders_of(contestant.remind)
    return deadlines.reminders(within, work.config.deadlines.reminders if wanted is None else wanted)


def move_with_why(work: Work, row: QuestionRow, due_at: datetime, why: str) -> bool:
    """Move an open deadline later, not earlier, and leave a line for the host; says whether it moved."""
    if row.due_at is None or due_at <= row.due_at:
        return False
    row.due_at = due_at
    if row.episode is not None:
        name = next((seat.name for seat in row.episode.seats if seat.seat == row.seat), "")
        said = f"deadline of {name} moved to {due_at.astimezone(UTC):%Y-%m-%d %H:%M} UTC: {why}"
        work.session.add(AuditEntry(at=work.now, who="Podium", command=said, episode=row.episode.code))
    return True


def is_over(row: QuestionRow, at: datetime) -> bool:
    """Was the time for an answer over before a moment? Not while the clock has not begun: what was foreseen then is no deadline.

    A letter may be with its reader before its acceptance is stored, by another process even.
    """
    return row.asked_at is not None and row.due_at is not None and deadlines.is_late(at, row.due_at)


def foresee(work: Work, row: QuestionRow, contestant: Contestant) -> None:
    """Foresee a deadline anew, of a question whose letter has waited until the one foreseen before was over."""
    if row.asked_at is None and row.due_at is not None and deadlines.is_late(work.now, row.due_at):
        within = timedelta(seconds=row.within or 0)
        row.due_at = deadlines.foreseen(work.now, within, breaks(work, contestant, work.now))


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
    """Move moments of before it along. What is later than the clock said was noted while the clock was right, before a machine
    came up with it behind."""
    for episode in paused_episodes(session):  # pauses and stops are as long as they were
        if episode.paused_at is not None and episode.paused_at <= expected:
            episode.paused_at += jump
    for question in stopped_questions(session):
        if question.stopped_at is not None and question.goes_on_at is not None and question.stopped_at <= expected:
            question.stopped_at += jump
            question.goes_on_at += jump
    for mailbox in mailboxes(session):
        if mailbox.seen_at is not None and mailbox.seen_at <= expected:
            mailbox.seen_at = min(mailbox.seen_at + jump, wall)
        if mailbox.read_at is not None and mailbox.read_at > wall:
            mailbox.read_at = None
    if jump < timedelta():
        hurry_letters(session, wall)
        set_back(session, expected, jump)
        return
    move_deadlines_asked_by(session, expected, jump)


def blind_for(mailbox: Mailbox, now: datetime) -> timedelta:
    """Tells how long a mailbox has not been seen."""
    return timedelta() if mailbox.seen_at is None else now - mailbox.seen_at


def unseen(work: Work, mailbox: str, since: datetime) -> timedelta:
    """The time since a moment, without that of an outage which is not over and will be made up for by itself."""
    row = work.session.get(Mailbox, mailbox)
    until = work.now
    if row is not None and row.seen_at is not None and blind_for(row, work.now) > LONGEST_UNNOTICED:
        until = row.seen_at
    return max(until - since, timedelta())


def outage_notice(work: Work) -> tuple[str, ...]:
    """Says why deadlines moved, in letters that are written after an outage before everyone was told; else nothing."""
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
            move_question(work, row, stood)
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


# Questions


def open_question(
    work: Work,
    purpose: QuestionPurpose,
    contestant: Contestant,
    within: timedelta | None,
    *,
    episode: Episode | None = None,
    game: str = "",
    seat: int | None = None,
    key: str = "",
    phase: str = "",
    registration_id: int | None = None,
) -> QuestionRow:
    """A new open question: of whom, why, and how long the answer may take (None: for ever).

    `episode`, `seat`, `key` and `phase` are those of a game's question; `key` alone is what another is about. Its deadline as
    known now counts from now; it moves when the letter was accepted later.
    """
    row = QuestionRow(
        purpose=purpose,
        contestant_id=contestant.id,
        episode=episode,
        registration_id=registration_id,
        game=game,
        seat=seat,
        key=key,
        phase=phase,
        opened_at=work.now,
        asked_at=None,
        within=None if within is None else int(within.total_seconds()),
        due_at=None if within is None else deadlines.foreseen(work.now, within, breaks(work, contestant, work.now)),
        remind=reminders_for(work, contestant, within) if within and purpose == "game" else [],
        remind_at=None,
        stopped_at=None,
        closed_at=None,
        outcome="",
    )
    work.session.add(row)
    return row


def reconcile_questions(work: Work, play: Play) -> tuple[list[QuestionRow], list[QuestionRow]]:
    """Close the questions that are settled, and open those that are new; gives the latter, and all that are open."""
    live = {(each.seat, each.key): each.phase for each in play.questions}
    still_open: list[QuestionRow] = []
    for row in play.episode.open_questions:
        if play.result:
            close(work, row, "over")
        elif row.purpose == "game" and (row.seat, row.key) not in live:
            close(work, row, "settled")
        else:
            still_open.append(row)
    known = {(row.seat, row.key) for row in still_open if row.purpose == "game"}
    opened = [
        open_question(
            work,
            "game",
            play.episode.seats[seat].contestant,
            work.config.reply_within(play.game.slug),
            episode=play.episode,
            game=play.game.slug,
            seat=seat,
            key=key,
            phase=phase,
        )
        for (seat, key), phase in live.items()
        if seat >= 0 and (seat, key) not in known
    ]
    return opened, still_open + opened


def close(work: Work, row: QuestionRow, outcome: QuestionOutcome) -> None:
    """End a question; for how long its clock stood still counts, whoever answered it, and what its time bank kept."""
    start_clocks(work, [row])
    if row.drawn:
        seat_of_question(work.session, row).bank_used -= int(unused(work, row).total_seconds())
    work.close_question(row, outcome)


def unused(work: Work, row: QuestionRow) -> timedelta:
    """How much of what the time bank gave a question is left; nothing once it had its last chance, which comes behind that."""
    if row.was_graced:
        return timedelta()
    stood_still = (row.stopped_at, row.episode.paused_at if row.episode else None)
    now = min((work.now, *filter(None, stood_still)))
    left = (row.due_at or now) - now
    return max(min(left, timedelta(seconds=row.drawn)), timedelta())


def accepted(work: Work, letter_ids: Collection[int]) -> None:
    """The SMTP server accepted these letters: the clocks of the questions that they are the first to ask start now."""
    begun: set[int] = set()
    asked = questions_of_letters(work.session, letter_ids)
    people = contestants_numbered(work.session, {row.contestant_id for _, row in asked}) if asked else {}
    for letter_id, row in asked:
        is_new = row.asked_at is None and row.id not in begun
        if is_new or is_first_to_ask(work.session, letter_id, row.id):
            begun.add(row.id)
            row.asked_at = work.now
            if row.due_at is not None and row.within is not None:
                person, within = people[row.contestant_id], timedelta(seconds=row.within)
                row.due_at = max(row.due_at, deadlines.due(work.now, within, breaks(work, person, work.now)))
                plan_reminder(work, row, person)
