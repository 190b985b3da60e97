"""Shell: what letters tell of time. In: a seat, what it is asked. Out: the zone that was guessed, who is away, calendar files."""

from collections.abc import Sequence
from datetime import timedelta

from host.mail.outbound.calendar import Entry, calendar_files
from host.mail.outbound.draft import Ask
from host.mail.outbound.render import zone_of
from host.store.episodes import questions_in_calendar
from host.store.mails import has_letter_since
from host.store.people import absences_after
from host.store.schema import Absence, Contestant, QuestionRow, Seat
from host.table.clocks import reminders_for, zone_name
from host.table.play import Play
from host.table.work import Work


def told_of_zone(contestant: Contestant) -> tuple[str, ...]:
    """Says once which time zone was guessed."""
    if contestant.zone_from != "guess" or not contestant.zone:
        return ()
    contestant.zone_from = "told"
    return (f"Times are told in {contestant.zone}, as in your mails; write zone and your city's zone to change it.",)


def absence_words(work: Work, contestant: Contestant, absence: Absence) -> str:
    """From which day to which somebody is away: `from Thursday, 24 December 2026 to Sunday, 27 December 2026`."""
    zone = zone_of(zone_name(work, contestant))
    ends = absence.ends_at - timedelta(seconds=1)
    first, last = (each.astimezone(zone).strftime("%A, %-d %B %Y") for each in (absence.begins_at, ends))
    return f"on {first}" if first == last else f"from {first} to {last}"


def who_is_away(work: Work, play: Play, mine: Seat) -> tuple[str, ...]:
    """Say which others are away, or will be: what no letter has told the seat."""
    others = [seat for seat in play.episode.seats if seat is not mine and not play.game.is_out(play.state, seat.seat)]
    return tuple(
        f"{seat.name} is away {absence_words(work, seat.contestant, each)}, and no deadline of theirs runs meanwhile."
        for seat in others
        if play.episode.over_at is None and (seat.contestant.away_until or work.now) > work.now
        for each in absences_after(work.session, seat.contestant_id, work.now)
        if not has_letter_since(work.session, mine.contestant_id, play.episode.id, each.told_at)
    )


def files_of(
    work: Work, play: Play, seat: Seat, rows: Sequence[QuestionRow], asks: Sequence[Ask]
) -> tuple[tuple[str, bytes, str], ...]:
    """Files for the calendar of who wants them: what is asked now, and what was asked before and is over.

    Who wants them no more gets one that takes out what is in it still.
    """
    contestant = seat.contestant
    if not contestant.calendar and not any(row.in_calendar for row in rows):
        return ()
    work.session.flush()  # questions have their numbers
    address = work.config.host.address
    met = questions_in_calendar(work.session, play.episode.id, contestant.id)
    entries: list[Entry] = []
    for row, headline in (*((row, "") for row in met), *zip(rows, (ask.headline for ask in asks), strict=True)):
        if row.due_at is not None:
            is_met = row.closed_at is not None or not contestant.calendar
            row.in_calendar = not is_met
            moved = max(int((row.due_at - row.opened_at).total_seconds()) - (row.within or 0), 0)
            before = reminders_for(work, contestant, timedelta(seconds=row.within or 0))
            alarm = timedelta(seconds=min(before, default=3600))
            title = f"{play.game.title} {play.episode.code}: {headline or 'answered'}"
            uid = f"podium-{row.id}@{address.rpartition('@')[2]}"
            entries.append(Entry(uid, moved + is_met, row.due_at, title, alarm, is_met))
    return calendar_files(entries, address, work.now)
