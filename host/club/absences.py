"""Shell: absences. In: wishes `away …` and `back early`, in people's words too. Out: absences stored, deadlines moved by as much
as they overlap, who waits for somebody told so; None where the host has to decide."""

import heapq
from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta

from host.mail.outbound.formatting import first_up, listed
from host.mail.outbound.render import deadline_words, zone_of
from host.play import deadlines
from host.play.absence import absence_in
from host.store.episodes import episodes_of, open_questions, take_questions
from host.store.people import absences_after
from host.store.schema import Absence, Contestant, Episode, QuestionRow
from host.table.clocks import breaks, is_over, move_with_why, plan_reminder, remind_of_more, zone_name
from host.table.notify import repeat_questions
from host.table.play import load_play
from host.table.served import Request, Served
from host.table.time_told import absence_words
from host.table.work import Work

MOST_DAYS, MOST_PENDING = 30, 3
"""Days of a calendar year, and absences to come, that anybody may take; beyond that the host decides."""
DAY = timedelta(days=1)
HOW = "Write such as away 24 Dec to 6 Jan, or away until Monday."


def away(request: Request) -> Served | None:
    """Store an absence and move deadlines by it, or tell which there are; None where it is too long, or one too many."""
    work, contestant, value = request.work, request.contestant, request.named
    since = min(request.turn.inbound.arrived_at, work.now)
    pending = absences_after(work.session, contestant.id, since)
    if not value:
        known = [f"- {first_up(absence_words(work, contestant, each))}." for each in pending]
        return Served(("You are away:", *known) if known else (f"You are not away. {HOW}",))
    zone = zone_of(zone_name(work, contestant))
    today = since.astimezone(zone).date()
    days = absence_in(value, today)
    if days is None:
        return Served((f"I found no days in “{value}”. {HOW}",))
    first, last = days
    begins, ends = (datetime.combine(day, time(), zone).astimezone(UTC) for day in (first, last + timedelta(days=1)))
    told_at = work.now + timedelta(microseconds=bool(work.written))  # later than letters that do not tell it
    new = Absence(contestant_id=contestant.id, begins_at=max(begins, since), ends_at=ends, told_at=told_at)
    if last < first:
        return Served((f"That absence would end on {_day(last)}, before it begins on {_day(first)}. {HOW}",))
    if last < today:
        return Served((f"That absence was over on {_day(last)}: only time to come can be kept free.",))
    overlapping = [each for each in pending if each.begins_at < new.ends_at and new.begins_at < each.ends_at]
    same = next(iter(overlapping), None)
    if same and len(overlapping) == 1 and same.begins_at <= new.begins_at and same.ends_at < new.ends_at:
        new.begins_at = same.ends_at  # `away until Wednesday` of who is away until Monday
        first = same.ends_at.astimezone(zone).date()
    elif same is not None:
        already = f"You are away {absence_words(work, contestant, same)} already, so nothing of that is added"
        return Served((f"{already}: write back early, and then all of it.",))
    if len(pending) >= MOST_PENDING or _is_too_long(work, contestant, max(first, today), last):
        return None
    moved = _store(work, contestant, new, since)
    also = "also " if same else ""
    told = f"You are {also}away {absence_words(work, contestant, new)}. No deadline of yours runs meanwhile."
    name = zone_name(work, contestant)
    until = [deadline_words(row.due_at, name, timedelta(hours=1)) for row in moved if row.due_at]
    then = (f"You now have until {listed(until)} for what I asked.",) if until else ()
    return Served((told, *then, "If you are back sooner, write back early."))


def back(request: Request) -> Served:
    """End the absence that somebody is in, or take back the next one; no deadline moves."""
    work, contestant = request.work, request.contestant
    pending = absences_after(work.session, contestant.id, work.now)
    if not pending:
        return Served(("You are not away, so nothing changes.",))
    said = absence_words(work, contestant, pending[0])
    if end_now(work, contestant):
        counted = ", so all its days count as taken" if _has_moved(work, contestant, work.now) else ""
        return Served((f"Your absence {said} is over. Deadlines that it moved stay where they are{counted}.",))
    told = [f"Your absence {said} is taken back."]
    if _has_moved(work, contestant, pending[0].begins_at):
        pending[0].is_taken_back = True
        told.append("Deadlines that it moved stay where they are, so its days count as taken.")
    else:
        work.session.delete(pending[0])
    contestant.away_until = pending[-1].ends_at if len(pending) > 1 else None
    return Served(tuple(told))


def end_now(work: Work, contestant: Contestant) -> bool:
    """End the absence that a contestant is in; False where they are in none."""
    pending = absences_after(work.session, contestant.id, work.now)
    if not pending or pending[0].begins_at > work.now:
        return False
    begins, ends = work.now + DAY, pending[0].ends_at
    if begins < ends and _has_moved(work, contestant, work.now):
        rest = Absence(
            contestant_id=contestant.id, begins_at=begins, ends_at=ends, told_at=work.now, is_taken_back=True
        )
        work.session.add(rest)
    pending[0].ends_at = work.now
    contestant.away_until = pending[-1].ends_at if len(pending) > 1 else None
    work.session.flush()  # the queues see that they are here
    return True


def _has_moved(work: Work, contestant: Contestant, begins_at: datetime) -> bool:
    """May an absence that begins then have moved a deadline that is still open? Its days count as taken, for that stays moved."""
    asked = open_questions(work.session, contestant_id=contestant.id)
    return any(row.due_at is not None and row.due_at > begins_at for row in asked)


def _day(day: date) -> str:
    return day.strftime("%A, %-d %B %Y")


def _is_too_long(work: Work, contestant: Contestant, first: date, last: date) -> bool:
    """Would a contestant be away for too many days of a calendar year?"""
    zone = zone_of(zone_name(work, contestant))
    begin = datetime(first.year, 1, 1, tzinfo=zone)
    spans = [(first, last)]
    for each in absences_after(work.session, contestant.id, begin, with_taken_back=True):
        ends = each.ends_at - timedelta(seconds=1)
        spans.append((each.begins_at.astimezone(zone).date(), ends.astimezone(zone).date()))
    days = (begin + timedelta(days=each) for begin, end in spans for each in range((end - begin).days + 1))
    years = [day.year for day in days]
    return any(years.count(year) > MOST_DAYS for year in {first.year, last.year})


def _store(work: Work, contestant: Contestant, absence: Absence, since: datetime) -> list[QuestionRow]:
    """Store an absence; open deadlines keep what was left of them. Gives the questions whose deadlines moved."""
    for episode_id in episodes_of(work.session, contestant.id):
        work.episode(episode_id)  # before its questions, which others may be closing
    asked = open_questions(work.session, contestant_id=contestant.id)
    rows = take_questions(work.session, [row.id for row in asked if row.purpose in ("game", "ready")])
    running = [(row, row.due_at) for row in rows.values() if row.due_at is not None and not is_over(row, since)]
    left = [_left(work, contestant, row, due_at, since) for row, due_at in running]
    work.save(absence)
    contestant.away_until = max(absence.ends_at, contestant.away_until or absence.ends_at)
    said = f"away {absence_words(work, contestant, absence)}"
    moved: list[QuestionRow] = []
    for (row, before), time_left in zip(running, left, strict=True):
        due_at = deadlines.due(since, time_left, breaks(work, contestant, since))
        if move_with_why(work, row, due_at, said):
            moved.append(row)
            if row.asked_at is not None:
                plan_reminder(work, row, contestant)
                remind_of_more(work, row, contestant, due_at - before)
    _tell_who_waits(work, contestant, [row.episode for row in moved if row.episode])
    return moved


def _left(work: Work, contestant: Contestant, row: QuestionRow, due_at: datetime, since: datetime) -> timedelta:
    """The time left for a question, without the days of an absence that moved its deadline and was taken back since."""
    found = absences_after(work.session, contestant.id, since, with_taken_back=True)
    given = [(each.begins_at, each.ends_at) for each in found if each.is_taken_back and each.told_at >= row.opened_at]
    return deadlines.time_left(since, due_at, heapq.merge(breaks(work, contestant, since), given))


def _tell_who_waits(work: Work, contestant: Contestant, episodes: Sequence[Episode]) -> None:
    """Who is asked nothing where somebody is asked who is away hears it at once; the others in their next letter."""
    for episode in dict.fromkeys(episodes):
        play = load_play(episode)
        asked = {row.seat for row in episode.open_questions}
        for seat in episode.seats:
            if seat.seat not in asked and not play.game.is_out(play.state, seat.seat) and episode.paused_at is None:
                name = next(each.name for each in episode.seats if each.contestant_id == contestant.id)
                repeat_questions(work, play, seat, "news", headline=f"{name} is away")
