"""Shell: a contestant's own clock. In: wishes about zone, quiet hours, reminders, letters and calendar; the offset of a mail's
date; the hour of the daily letter. Out: settings stored and told, reminders planned anew, the daily letter."""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from zoneinfo import available_timezones

from host.mail.outbound.formatting import listed
from host.mail.outbound.render import deadline_words, zone_of
from host.play import own_time
from host.play.own_time import OFF
from host.play.services import Service
from host.store.episodes import episodes_of, open_questions, take_questions
from host.store.people import due_for_daily
from host.store.schema import Contestant
from host.table.clocks import plan_reminder, reminders_for, zone_name
from host.table.notify import has_news, repeat_questions
from host.table.play import load_play
from host.table.served import Request, Served
from host.table.work import Services, Work, begin

AT_ONCE = 50
"""Daily letters that are written in one walk."""


def guess_zone(work: Work, contestant: Contestant, offset: int | None) -> None:
    """Guess a contestant's time zone by the offset of a mail's date, in minutes, unless they told theirs.

    Programs that write all dates in UTC tell nothing, nor does an offset that the host's own zone has now.
    """
    zone = own_time.offset_zone(offset) if offset else ""
    if not zone or contestant.zone_from == "own":
        return
    is_here = work.now.astimezone(zone_of(work.config.host.timezone)).utcoffset() == timedelta(minutes=offset or 0)
    if is_here and not contestant.zone:
        return
    contestant.zone = "" if is_here else zone
    contestant.zone_from = contestant.zone_from or "guess"


def _zone(request: Request) -> Served:
    contestant, value = request.contestant, request.named
    if value:
        names = available_timezones()
        found = own_time.zone_named(value, names)
        if not found:
            near = listed(own_time.near_zones(value, names)).replace(" and ", " or ")
            did_you = f" Did you mean {near}?" if near else ""
            return Served((f"I know no time zone “{value}”.{did_you} Write one such as zone Europe/Rome.",))
        contestant.zone, contestant.zone_from = found, "own"
        _plan_anew(request)
    name = zone_name(request.work, contestant)
    now = deadline_words(request.work.now, name, timedelta(hours=1))
    return Served((f"Times are told in {name}, where it is {now} now. Deadlines are told in UTC, too.",))


def _quiet(request: Request) -> Served:
    contestant, value = request.contestant, request.named
    if value:
        found = "" if value.lower().strip(" .") == OFF else own_time.quiet_hours(value)
        if not found and value.lower().strip(" .") != OFF:
            return Served((f"“{value}” are no hours. Write two such as quiet 22-08, or quiet off.",))
        contestant.quiet = found
        _plan_anew(request)
    if not contestant.quiet:
        return Served(("You have no quiet hours: a reminder may come at any time.",))
    begin, end = contestant.quiet.split("-")
    return Served((f"No reminder comes from {begin} to {end}, {zone_name(request.work, contestant)}.",))


def _remind(request: Request) -> Served:
    work, contestant, value = request.work, request.contestant, request.named
    if value:
        found = own_time.reminders_in(value)
        within = _reply_within(request)
        too_long = [each for each in own_time.reminders_of(found) or () if each >= within]
        if not found or too_long:
            hours = within // timedelta(hours=1)
            why = (
                f"You have {hours} hours for an answer, so"
                if too_long
                else f"“{value}” are no times before a deadline:"
            )
            return Served((f"{why} write shorter ones such as remind {max(hours // 2, 1)}h, or remind off.",))
        contestant.remind = found
        _plan_anew(request)
    wanted = reminders_for(work, contestant, _reply_within(request))
    spans = listed(f"{each // 3600} hours" if each % 3600 == 0 else f"{each // 60} minutes" for each in wanted)
    told = f"A reminder comes {spans} before a deadline." if wanted else "No reminder comes before a deadline."
    return Served((told.replace(" 1 hours", " 1 hour"),))


def _reply_within(request: Request) -> timedelta:
    config = request.work.config
    slugs = [request.slug] if request.slug else config.games
    return max(map(config.reply_within, slugs), default=config.deadlines.reply_within)


LETTERS = {
    own_time.TURNS: "News that ask nothing of you wait for your next letter, or come once a day at most.",
    own_time.AT_ONCE: "News come at once: what became of your own mails, and ends of rounds and hands, these once a day at most.",
}


def _letters(request: Request) -> Served:
    contestant, value = request.contestant, request.named
    if value:
        found = own_time.daily_letters(value)
        if not found:
            ways = "letters at once, letters turns (with what asks you), or letters daily 18:00"
            return Served((f"I cannot send letters “{value}”. Write {ways}.",))
        contestant.letters = found
        _plan_anew(request)
    hour = contestant.letters.removeprefix("daily ")
    daily = f"News that ask nothing of you come once a day at {hour}, {zone_name(request.work, contestant)}."
    return Served((LETTERS.get(contestant.letters, daily),))


def _calendar(request: Request) -> Served:
    contestant, value = request.contestant, request.named.lower()
    if value:
        if value not in ("on", "off"):
            return Served((f"A calendar is on or off, not “{value}”: write calendar on or calendar off.",))
        contestant.calendar = value == "on"
    if contestant.calendar:
        return Served(("Letters that ask you something bring a calendar file with the deadline and an alarm.",))
    return Served(("Letters bring no calendar file. Write calendar on to get one with each deadline.",))


def _plan_anew(request: Request) -> None:
    """Reminders of open questions, and the daily letter, go by what is set now."""
    work, contestant = request.work, request.contestant
    zone = zone_of(zone_name(work, contestant))
    contestant.daily_at = own_time.next_daily(work.now, contestant.letters, zone)
    asked = open_questions(work.session, contestant_id=contestant.id, purpose="game")
    for row in take_questions(work.session, [each.id for each in asked]).values():
        row.remind = reminders_for(work, contestant, timedelta(seconds=row.within or 0))
        if row.asked_at is not None:
            plan_reminder(work, row, contestant)


def write_daily(services: Services, now: datetime) -> bool:
    """Write the letters of those whose daily hour has come; says whether there were any.

    Who was told everything gets none.
    """
    with services.store.reading() as session:
        due = due_for_daily(session, now, AT_ONCE)
    for contestant_id in due:
        with begin(services, now) as work:
            _write_news(work, contestant_id)
    return bool(due)


def _write_news(work: Work, contestant_id: int) -> None:
    running = episodes_of(work.session, contestant_id)
    work.take_episodes(running)
    contestant = work.session.get_one(Contestant, contestant_id, with_for_update=True)
    if contestant.daily_at is None or contestant.daily_at > work.now:
        return
    zone = zone_of(zone_name(work, contestant))
    contestant.daily_at = own_time.next_daily(work.now, contestant.letters, zone)
    for episode_id in running:
        play = load_play(work.episode(episode_id))
        seat = play.seat_of(contestant_id)
        if seat is not None and has_news(work, play, seat):
            repeat_questions(work, play, seat)


OWN_TIME: Mapping[Service, Callable[[Request], Served]] = {
    Service.ZONE: _zone,
    Service.QUIET: _quiet,
    Service.REMIND: _remind,
    Service.LETTERS: _letters,
    Service.CALENDAR: _calendar,
}
