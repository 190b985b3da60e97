"""Shell: what a deadline that ran out still gives. In: an open question whose time is over. Out: a later deadline by the time
bank, or by a last chance, and the letter that says so; nothing where both are used up; `bank` tells what is left.

The bank is drawn on whole, and what an answer left of that goes back into it (`host.table.clocks.close`)."""

from datetime import timedelta

from host.mail.outbound.render import time_left
from host.play import deadlines
from host.store.people import contestants_numbered
from host.store.schema import QuestionRow, Seat
from host.table.clocks import breaks, due_for, move_with_why, plan_reminder, reminders_for, unused
from host.table.notify import repeat_questions
from host.table.play import Play
from host.table.served import Request, Served
from host.table.work import Work


def give(work: Work, play: Play, row: QuestionRow, has_letter: bool = True) -> bool:
    """Give a question whose time is over what is left for its contestant; says whether that was anything."""
    seat = play.seat_of(row.contestant_id)
    if seat is None or row.due_at is None:
        return False
    since, grace = max(work.now, row.due_at), work.config.deadlines.grace
    left = _left(work, seat)
    shared = max((each.due_at for each in _drawing(play, seat) if each.due_at), default=since)
    within = left or (timedelta() if row.was_graced else grace)
    due_at = deadlines.due(since, within, breaks(work, seat.contestant, since))
    if shared > since:
        why, due_at = "the time bank", shared
    elif left:
        why = "the time bank"
        row.drawn += int(left.total_seconds())
        seat.bank_used += int(left.total_seconds())
    elif within:
        why, row.was_graced = "the last chance", True
    else:
        return False
    move_with_why(work, row, due_at, why)
    row.remind = reminders_for(work, seat.contestant, due_at - since) if left else []
    plan_reminder(work, row, seat.contestant)
    if has_letter:
        until = due_for(work, seat.contestant, due_at)
        told = f"Your time bank gives you until {until}; what you do not need of it stays in it."
        if row.was_graced and why == "the last chance":
            told = f"Write within {time_left(due_at - work.now)}, and nothing is lost."
        repeat_questions(work, play, seat, "reminder", lead=(told,), headline="Your time is over")
    return True


def give_where_over(work: Work, play: Play, row: QuestionRow) -> bool:
    """The same, without a letter, for a question to which an answer came just behind its deadline."""
    return row.seat is not None and play.episode.paused_at is None and give(work, play, row, has_letter=False)


def move_out_of_break(work: Work, row: QuestionRow) -> bool:
    """Move a deadline that would fire on a day off, or while its contestant is away, behind that, by as much as ran into it.

    Says whether it moved.
    """
    contestant = contestants_numbered(work.session, [row.contestant_id])[row.contestant_id]
    if row.due_at is None:
        return False
    begin, end = next(iter(breaks(work, contestant, row.due_at)), (row.due_at, row.due_at))
    if not begin < row.due_at < end:
        return False
    due_at = deadlines.due(begin, row.due_at - begin, breaks(work, contestant, begin))
    return move_with_why(work, row, due_at, "no deadline runs then")


def bank(request: Request) -> Served:
    """Tell what is left of somebody's time bank."""
    given, seat = request.work.config.deadlines.time_bank, request.seat
    grace = request.work.config.deadlines.grace
    then = f"brings one last letter, and {time_left(grace)} to answer it" if grace else "counts as no answer"
    if not given:
        return Served((f"There is no time bank here: a deadline that runs out {then}.",))
    how = "It is drawn on by itself when a deadline of yours runs out."
    if seat is None or request.play is None:
        return Served((f"Each episode gives you a time bank of {time_left(given)}. {how}",))
    left, code = _left(request.work, seat), request.play.episode.code
    drawing = _drawing(request.play, seat)
    left += sum((unused(request.work, each) for each in drawing), timedelta())
    if not left:
        return Served((f"Your time bank in {code} is empty: from now on a deadline that runs out {then}.",))
    now = " It runs at the moment." if drawing and request.play.episode.paused_at is None else ""
    return Served((f"Your time bank in {code} has {time_left(left)} left of {time_left(given)}.{now} {how}",))


def _left(work: Work, seat: Seat) -> timedelta:
    return max(work.config.deadlines.time_bank - timedelta(seconds=seat.bank_used), timedelta())


def _drawing(play: Play, seat: Seat) -> list[QuestionRow]:
    """The open questions for which the bank of a seat runs."""
    return [row for row in play.asked(seat) if row.drawn]
