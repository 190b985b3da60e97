"""Shell: the acts of operators. In: a command, by shell or by mail. Out: one sentence, what changed, letters.

Each function is one transaction's work and raises `AdminError` with a sentence where it cannot be done; nothing is
changed then. All work beside a running daemon.
"""

import getpass
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from zoneinfo import ZoneInfo

from host.club import lobby
from host.engine import record
from host.engine.game import HOST, Illegal, Outcome
from host.errors import PodiumError
from host.games import GAMES
from host.mail.outbound.draft import Transcript
from host.mail.outbound.formatting import listed, many
from host.mail.outbound.render import deadline_words, time_left
from host.play import deadlines
from host.play.interpret import interpret
from host.play.interpretation import ReplyContext
from host.store.company import talk_since
from host.store.database import Session
from host.store.episodes import answered_in_time, dump_state, episode_of_code, open_questions, running_with, touch
from host.store.mails import letters_asking_host
from host.store.people import call_all
from host.store.queues import retry_letter, retry_mail
from host.store.schema import AuditEntry, QuestionRow, Seat
from host.store.seasons import closed_season_of
from host.table import clocks
from host.table.letters import ask_host
from host.table.notify import Notice, notify_all, repeat_questions
from host.table.play import Play, has_todays_rules, load_play, loaded, record_lines, replayed
from host.table.work import Work
from host.turn import question_bank
from host.turn.outcome import carry_out, go_back, host_questions

WENT_BACK = "back"
"""Stands for the question of a letter to an operator that the host went back behind; no game asks it."""
MORE_TIME = "The host gave you more time."
LONGEST_EXTENSION = timedelta(days=366)


class AdminError(PodiumError):
    """An operator's command cannot be carried out; the message says why and what to do."""


def operator_name() -> str:
    """The name of whoever types at the shell, for the audit log."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "shell"


def audit(work: Work, who: str, command: str, code: str) -> int:
    """Log what the host did; gives the entry's number."""
    entry = AuditEntry(at=work.now, who=who, command=command, episode=code)
    work.save(entry)
    return entry.id


def find(work: Work, code: str) -> Play:
    """The episode of this code. Raises `AdminError`."""
    episode = episode_of_code(work.session, code)
    if episode is None:
        raise AdminError(f"There is no episode {code.upper()}: podium status lists them.")
    play = loaded(work.episode(episode.id))
    if play is None:
        raise AdminError(f"{episode.code} cannot be played on: the rules of its game have changed since it began.")
    return play


def under_way(work: Work, code: str) -> Play:
    """The episode of this code, which is not over. Raises `AdminError`."""
    play = find(work, code)
    if play.episode.over_at is not None:
        raise AdminError(f"Episode {play.episode.code} is over; podium back {play.episode.code} LINE opens it again.")
    return play


def seat_called(play: Play, name: str) -> Seat:
    """The seat of this name. Raises `AdminError`."""
    seat = next((each for each in play.episode.seats if each.name.casefold() == name.casefold()), None)
    if seat is None:
        raise AdminError(f"{name} does not play in {play.episode.code}; there are {', '.join(play.names)}.")
    return seat


def extend(work: Work, code: str, name: str, by: timedelta | str) -> str:
    """Move the open deadlines of an episode, or of one player, later; who is asked gets the new time by mail.

    They move by so much, or to the end of a day in the host's time zone, where that is later.
    """
    play, rows, said = give_time(work, code, name, by)
    if play.episode.paused_at is not None:
        return said
    for row in rows:
        each = play.seat_of(row.contestant_id)
        if each:
            repeat_questions(work, play, each, "turn", lead=(MORE_TIME,), headline="You have more time")
    return said


def hush(work: Work, code: str, name: str) -> str:
    """Stop what was said to a table, by one of its players or anybody: letters that have not carried it yet never will."""
    play = find(work, code)
    who = seat_called(play, name).contestant_id if name else None
    first = min((seat.heard for seat in play.episode.seats), default=0)
    said = [talk for talk, _ in talk_since(work.session, play.episode.id, first) if who in (None, talk.contestant_id)]
    rows = [talk for talk in said if not talk.is_stopped]
    for row in rows:
        row.is_stopped = True
    return f"{len(rows)} of what was said in {play.episode.code} {'is' if len(rows) == 1 else 'are'} stopped."


def give_time(work: Work, code: str, name: str, by: timedelta | str) -> tuple[Play, Sequence[QuestionRow], str]:
    """Move deadlines as `extend` does, without a letter: the episode, the questions, and what was done, in words."""
    play = under_way(work, code)
    seat = seat_called(play, name) if name else None
    if isinstance(by, timedelta) and by > LONGEST_EXTENSION:
        raise AdminError(f"That is more than {LONGEST_EXTENSION.days} days: give a shorter time.")
    rows = _asked(work.session, play, seat)
    if not rows:
        raise AdminError(f"Nobody{f' called {name}' if name else ''} is asked anything in {play.episode.code} now.")
    clocks.start_clocks(work, rows)
    later: timedelta | datetime
    if isinstance(by, timedelta):
        later = by
        is_running = play.episode.paused_at is None
        if is_running and all(row.due_at is not None and row.due_at + by <= work.now for row in rows):
            raise AdminError(
                "No deadline moves into what is to come: theirs is over by more than that. Give more time."
            )
    else:
        zone = ZoneInfo(work.config.host.timezone)
        later = deadlines.end_of_day(by, work.now.astimezone(zone)).astimezone(UTC)
        if all(row.due_at is None or row.due_at >= later for row in rows):
            raise AdminError(f"No deadline moves: {by.capitalize()} is no later than they are now. Name a later day.")
    clocks.move_deadlines(work, lambda _: later, play.episode.id, seat.seat if seat else None)
    touch(play.episode)
    words = partial(deadline_words, timezone=work.config.host.timezone, within=timedelta(hours=48))
    told = [f"{play.name(row.seat or 0)} until {words(row.due_at) if row.due_at else 'no end'}" for row in rows]
    if play.episode.paused_at is not None:
        return play, rows, f"{play.episode.code} is paused: the time that you gave counts from when it goes on."
    return play, rows, f"{play.episode.code}: {', '.join(told)}."


def _asked(session: Session, play: Play, seat: Seat | None) -> Sequence[QuestionRow]:
    return open_questions(session, episode_id=play.episode.id, purpose="game", seat=seat.seat if seat else None)


def pause(work: Work, code: str) -> str:
    """Stop an episode's clocks; replies are refused until it goes on."""
    play = under_way(work, code)
    if play.episode.paused_at is not None:
        raise AdminError(f"Episode {play.episode.code} is paused already.")
    clocks.start_clocks(work, _asked(work.session, play, None))
    play.episode.paused_at = work.now
    lead = (
        "The host has paused this episode. Your letters stay good and your time does not run; I shall write when it "
        "goes on.",
    )
    notify_all(work, play, None, Notice(everyone=True, lead={seat.seat: lead for seat in play.episode.seats}))
    return f"{play.episode.code} is paused."


def _require_todays_rules(play: Play) -> None:
    if not has_todays_rules(play.episode):
        code, title = play.episode.code, play.game.title
        raise AdminError(
            f"{code} began under other rules of {title} than today's: nothing can be played or taken back."
        )


def _to_todays_rules(session: Session, play: Play) -> Play:
    """An episode that began under former rules goes on under these, where they lead to the table that stands."""
    try:
        state = replayed(session, play).state
    except ValueError as error:
        raise AdminError(
            f"{play.episode.code} began under other rules of {play.game.title} and cannot go on: {error}. Let the Podium "
            f"that it began with play it to its end, or end it by podium withdraw {play.episode.code} NAME."
        ) from None
    play.episode.rules_version, play.episode.state = play.game.version, dump_state(play.game, state)
    return replace(play, state=state)


def resume(work: Work, code: str) -> str:
    """Let a paused episode go on; its deadlines move by the pause's length."""
    play = under_way(work, code)
    paused_at = play.episode.paused_at
    if paused_at is None:
        raise AdminError(f"Episode {play.episode.code} is not paused.")
    changed: tuple[str, ...] = ()
    if not has_todays_rules(play.episode):
        play = _to_todays_rules(work.session, play)
        changed = (f"Since it began the rules of {play.game.title} were changed; from here on those of today hold.",)
    length = _paused_for(work, paused_at)
    play.episode.paused_at = None
    clocks.move_deadlines(work, lambda row: _paused_for(work, paused_at, row.opened_at), play.episode.id)
    for row in answered_in_time(work.session, play.episode.id, paused_at):
        clocks.move_question(work, row, _paused_for(work, paused_at, row.opened_at))
    asked = {row.seat for row in _asked(work.session, play, None)}
    for seat in play.episode.seats:
        moved = " Your time was moved by the length of the pause." if seat.seat in asked else ""
        lead = (f"The episode goes on.{moved}", *changed)
        repeat_questions(work, play, seat, lead=lead, headline="The episode goes on")
    question_bank.wake(work, play)
    moved_by = time_left(length) if length >= timedelta(minutes=2) else many(int(length.total_seconds()), "second")
    return f"{play.episode.code} goes on; its deadlines moved by {moved_by}."


def _paused_for(work: Work, paused_at: datetime, opened_at: datetime | None = None) -> timedelta:
    """The length of a pause, or what is left of it for a question that came up in it, in whole seconds, and one more; an outage
    in it is made up for by itself."""
    came_up_in_it = opened_at is not None and paused_at < opened_at <= work.now
    length = clocks.unseen(work, work.config.mailboxes[0], opened_at if opened_at and came_up_in_it else paused_at)
    return length + timedelta(microseconds=-length.microseconds, seconds=1)


def withdraw(work: Work, code: str, name: str, why: str = "") -> str:
    """Take a player out of an episode, as `resign` does; all who play in it hear at once that the host did, and why."""
    play = under_way(work, code)
    seat = seat_called(play, name)
    if play.game.is_out(play.state, seat.seat):
        raise AdminError(f"{seat.name} is out of {play.episode.code} already. Nothing was changed.")
    because = f": {why.strip().rstrip('.')}." if why.strip() else "."
    try:
        outcome = play.game.apply(play.state, seat.seat, play.game.parse("resign", play.state, seat.seat), play.chance)
    except Illegal as refusal:
        raise AdminError(f"{refusal.reason} Nothing was changed.") from None
    told = dict.fromkeys(range(len(play.names)), (f"The host has taken {seat.name} out of this episode{because}",))
    notice = Notice(lead=told | {seat.seat: (f"The host withdrew you from this episode{because}",)})
    carry_out(work, play, outcome, [record.Say(seat.name, "resign")], notice)
    return f"{seat.name} is withdrawn from {play.episode.code}."


def say(work: Work, code: str, text: str, as_name: str = "") -> str:
    """A command of the host's own, or one typed for a player, who gets a copy."""
    play = under_way(work, code)
    _require_todays_rules(play)
    seat = seat_called(play, as_name) if as_name else None
    keys = frozenset(question.key for question in play.questions) if seat else frozenset()
    understood = interpret(play.game, play.state, seat.seat if seat else HOST, [text], ReplyContext(keys), play.chance)
    if understood.ahead:
        raise AdminError(f"“{understood.ahead[0].text}” is not asked of them now. Nothing was changed.")
    if understood.refused and understood.refused.is_unread and understood.refused.readings:
        ways = " or ".join(understood.refused.readings)  # no question that a yes could seem to answer
        raise AdminError(f"I could not tell what “{understood.refused.line}” is. Write {ways}. Nothing was changed.")
    if understood.refused:
        raise AdminError(f"“{understood.refused.line}” is refused: {understood.refused.reason} Nothing was changed.")
    if not understood.said:
        raise AdminError("There is no command of the game in that; nothing was changed.")
    notice, said = Notice(), ", ".join(understood.said)
    if seat:
        lead = {seat.seat: ("The host played this in your place.",)}
        notice = Notice(writer=seat.seat, transcript=Transcript(understood.said), lead=lead)
    lines = [record.Say(seat.name if seat else record.HOST_NAME, each) for each in understood.said]
    carry_out(work, play, Outcome(understood.state, understood.events), lines, notice)
    return (
        f"{play.episode.code}: {said}, said for {seat.name}." if seat else f"{play.episode.code}: the host said {said}."
    )


def resend(work: Work, code: str, name: str) -> str:
    """Send the table and the open question again, to all or to one; deadlines stay, clocks that stand still go on."""
    play = under_way(work, code)
    seats = [seat_called(play, name)] if name else list(play.episode.seats)
    clocks.start_clocks(work, _asked(work.session, play, seats[0] if name else None))
    for seat in seats:
        repeat_questions(work, play, seat, lead=("Here is the table once more.",))
    touch(play.episode)
    return f"{play.episode.code}: sent again to {', '.join(seat.name for seat in seats)}."


def back(work: Work, code: str, line: int) -> str:
    """Go back to the state after a line of the record; new questions are asked, old mails are stale."""
    play = find(work, code)
    _require_todays_rules(play)
    closed, was_over = "", play.episode.over_at is not None
    if was_over:
        work.lobby(play.game.slug)  # nobody begins an episode with them meanwhile
        _refuse_second_episode(work.session, play)
        closed = closed_season_of(work.session, play.episode.id)
    undone = record_lines(work.session, play.episode)[line - 1 :]
    if undone and undone[-1] == record.BackTo(line):
        raise AdminError(f"{play.episode.code} stands as after line {line} already: nothing came since.")
    try:
        with work.savepoint():
            play, change = go_back(work, play, line)
            _refuse_without_player(play)
    except ValueError as error:
        raise AdminError(f"{play.episode.code} cannot go back: {error}.") from None
    if any(isinstance(each, record.Timeout) for each in undone):
        work.lobby(play.game.slug).hold_until = None  # nobody needs to object to a forfeit that counts no more
    for letter in letters_asking_host(work.session, play.episode.id):
        letter.host_question = WENT_BACK
    told = f"The host took this episode back: it stands again as after line {line} of its record. What came later does not count."
    unqueued = "You had registered again; that place in the queue is given up, so register once more when this is over."
    lead: dict[int, tuple[str, ...]] = {seat.seat: (told,) for seat in play.episode.seats}
    for seat in play.episode.seats:
        if lobby.give_up_place(work, play.game, seat.contestant_id):
            lead[seat.seat] += (unqueued,)
    notify_all(work, play, change, Notice(everyone=True, lead=lead))
    for question in host_questions(play):
        ask_host(work, play, question)
    said = f"{play.episode.code} stands as after line {line} of its record."
    if was_over:
        said += " Its seed was told when it ended: who looks closely can know the cards to come."
    return f"{said} The season {closed} is closed: this episode counts in it no more." if closed else said


def _refuse_second_episode(session: Session, play: Play) -> None:
    """Refuse if a contestant has started another episode since. Raises `AdminError`."""
    contestants = {seat.contestant_id: seat.name for seat in play.episode.seats}
    elsewhere = [
        (contestants[seat.contestant_id], other.episode.code, seat.name)
        for other in map(load_play, running_with(session, play.game.slug, contestants))
        for seat in other.episode.seats
        if seat.contestant_id in contestants and not other.game.is_out(other.state, seat.seat)
    ]
    if elsewhere:
        seats = " and ".join(f"{name} plays in {code}" for name, code, _ in elsewhere)
        ways = " and ".join(f"podium withdraw {code} {name}" for _, code, name in elsewhere)
        raise AdminError(
            f"{play.episode.code} cannot be opened again, since {seats} now: wait until that is over, or withdraw them there "
            f"first ({ways})."
        )


def _refuse_without_player(play: Play) -> None:
    """Refuse if somebody would play on who was forgotten, and whom no letter reaches. Raises `AdminError`."""
    gone = [
        each.name
        for each in play.episode.seats
        if each.contestant.is_gone and not play.game.is_out(play.state, each.seat)
    ]
    if gone:
        raise AdminError(
            f"{play.episode.code} cannot go back: {listed(gone)} would play on, and was forgotten. Nothing was changed."
        )


def begin(work: Work, slug: str) -> str:
    """Begin an episode with those who wait, as many as the game allows; who has been quiet is asked first."""
    game = GAMES.get(slug)
    if game is None or slug not in work.config.games:
        raise AdminError(f"There is no game {slug} here; there are: {', '.join(work.config.games)}.")
    row = work.lobby(slug)
    row.begin_requested = True
    call_all(work.session, slug)
    present = lobby.present(work.session, row, max(game.seats))
    if present < min(game.seats):
        wait = f"{present} {'waits' if present == 1 else 'wait'}"
        raise AdminError(f"{game.title} needs at least {many(min(game.seats), 'contestant')}, and {wait}.")
    step = lobby.plan(work, game)
    done = lobby.run(work, game)
    if step.begin:
        return f"An episode of {game.title} begins."
    if not row.begin_requested:
        raise AdminError(f"{game.title} cannot begin now: too few of those who wait are here.")
    if done or step.ask:
        return f"{game.title}: some have been quiet and were asked whether they are ready; it begins when they answer."
    if lobby.waits_for_champion(work, row):
        return f"{game.title} begins when the champion, who cannot play yet, is back, in a week at the latest."
    return f"{game.title} begins as soon as there is a free table and nobody's forfeit can be objected to any more."


def retry(work: Work, what: str, number: int) -> str:
    """Take a mail again that could not be handled, or send a letter again that was refused for good."""
    if what == "mail":
        if not retry_mail(work.session, number):
            raise AdminError(
                f"Mail {number} is none that could not be handled: podium mail lists them with their numbers."
            )
        return f"Mail {number} is taken again by the daemon."
    letter = retry_letter(work.session, number, work.now)
    if letter is None:
        raise AdminError(f"Letter {number} is none that failed and is kept: podium mail lists them with their numbers.")
    if letter.contestant_id is not None:
        clocks.start_clocks(work, open_questions(work.session, contestant_id=letter.contestant_id))
    return f"Letter {number} is sent again by the daemon."
