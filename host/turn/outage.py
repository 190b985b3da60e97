"""Shell: a host that could not see its mailbox. In: when it was last seen, and that it is seen again. Out: later deadlines.

Who answered in time while the host was blind is in time anyway, by the mailbox's own clock. What an outage of more than
an hour takes from the others, they get back: open deadlines move by its length before anything that waited is judged,
and everyone is told why once that is done.
"""

from datetime import datetime, timedelta

from host.store.episodes import episodes_after, move_running_deadlines, open_questions, questions_at_rest
from host.store.mails import has_letter_since, mailbox_named, oldest_new_mail
from host.store.schema import Episode, Mailbox, QuestionRow
from host.turn.clocks import move_question, start_clocks
from host.turn.notify import repeat_questions
from host.turn.play import load_play
from host.turn.work import Services, Work, begin

LONGEST_UNNOTICED = timedelta(hours=1)
TOLD_AT_ONCE = 100


def is_over(services: Services, mailbox: str, now: datetime) -> bool:
    """Was the mailbox out of reach for so long, until now, that deadlines have to move?"""
    with services.store.reading() as session:
        row = mailbox_named(session, mailbox)
        return row is not None and _length(row, now) > LONGEST_UNNOTICED


def _length(row: Mailbox, now: datetime) -> timedelta:
    return timedelta() if row.seen_at is None else now - row.seen_at


def make_up(services: Services, mailbox: str, now: datetime) -> timedelta:
    """Move the open deadlines by the outage that ends now; gives its length. A second call finds it made up for."""
    with begin(services, now) as work:
        row = work.session.get_one(Mailbox, mailbox, with_for_update=True)
        length = _length(row, now)
        if row.seen_at is None or length <= LONGEST_UNNOTICED:
            return timedelta()
        move_running_deadlines(work.session, row.seen_at, now)
        for question in questions_at_rest(work.session):
            if question.asked_at is not None and question.due_at is not None:
                begun = max(question.asked_at, row.seen_at)
                move_question(question, max(_lost(work, question, begun), timedelta()))
        row.blind_from, row.blind_until, row.seen_at = row.blind_from or row.seen_at, now, now
        return length


def _lost(work: Work, question: QuestionRow, begun: datetime) -> timedelta:
    """How much of an outage a question's clock ran through: not what a pause or a stop makes up for."""
    if question.stopped_at is not None:
        goes_on = question.goes_on_at or work.now
        if goes_on >= work.now:
            return timedelta()
        start_clocks(work, [question], goes_on)
        begun = max(begun, goes_on)
    episode = work.session.get(Episode, question.episode_id) if question.episode_id is not None else None
    return (work.now if episode is None or episode.paused_at is None else min(episode.paused_at, work.now)) - begun


def unseen(work: Work, mailbox: str, since: datetime) -> timedelta:
    """The time since a moment, without that of an outage which is not over and will be made up for by itself."""
    row = mailbox_named(work.session, mailbox)
    until = work.now
    if row is not None and row.seen_at is not None and _length(row, work.now) > LONGEST_UNNOTICED:
        until = row.seen_at
    return max(until - since, timedelta())


def is_to_be_told(services: Services, mailbox: str) -> bool:
    """Did an outage end of which not everyone was told, and is all the mail played that came in the meantime?"""
    with services.store.reading() as session:
        row = mailbox_named(session, mailbox)
        if row is None or row.blind_until is None or row.read_at is None:
            return False
        oldest = oldest_new_mail(session)
        return row.read_at >= row.blind_until and (oldest is None or oldest > row.blind_until)


def tell_some(services: Services, mailbox: str, slug: str, after: int, now: datetime) -> int | None:
    """After an outage, when what waited is worked off: in episodes whose deadlines moved, everyone hears why.

    The next episodes of a game above the number `after`, each in its own transaction; gives the last one's number, None
    where none is left. Who has had a letter since is passed over, so that going on after a kill tells nobody twice.
    """
    with services.store.reading() as session:
        row = mailbox_named(session, mailbox)
        if row is None or row.blind_until is None:
            return None
        until = row.blind_until
        running = episodes_after(session, slug, after, TOLD_AT_ONCE)
    for episode_id in running:
        with begin(services, now) as work:
            _tell_episode(work, work.episode(episode_id), until)
    return running[-1] if running else None


def told(services: Services, mailbox: str) -> None:
    """Everyone was told of the outage."""
    with services.store.reading() as session:
        row = mailbox_named(session, mailbox)
        if row is None or row.blind_from is None:
            return
    with services.store.transaction() as session:
        row = session.get_one(Mailbox, mailbox)
        row.blind_from = row.blind_until = None


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
        repeat_questions(work, play, seat, "turn" if asked else "news", headline=headline)
