"""An outage of the mailbox: nobody loses time by it, and everyone hears why."""

from datetime import datetime, timedelta

import pytest

from host.demo.robot import write
from host.store import queues
from host.store.episodes import open_questions, paused_episodes
from host.store.schema import Mailbox
from host.table import clocks
from host.table.work import Work
from host.turn import admin, interruptions
from tests.size import a_few
from tests.turn.conftest import MakeDesk
from tests.turn.desk import Desk, words
from tests.turn.test_bounces import bounce
from tests.turn.test_receive import record

ANN, BOB = "ann@example.net", "bob@example.net"
DAY = timedelta(days=1)


def due(desk: Desk) -> list[datetime]:
    with desk.store.reading() as session:
        return [row.due_at or desk.now for row in open_questions(session, purpose="game")]


def began(make: MakeDesk | None, desk: Desk) -> None:
    desk.begin()
    desk.tick()


def test_a_day_without_the_mailbox_moves_the_deadline_by_a_day_and_says_why(desk: Desk) -> None:
    began(None, desk)
    desk.later(hours=40)
    desk.tick()  # seen until here
    before = desk.last(ANN).headers["x-podium-reply-by"]
    desk.later(hours=24)
    desk.see_again()
    desk.tick()
    letter = desk.last(ANN)
    assert letter.kind == "turn"
    assert "could not see my mailbox" in words(letter)
    assert letter.links
    assert letter.headers["x-podium-reply-by"] > before
    other = desk.last(BOB)
    assert other.kind == "news"
    assert "could not see my mailbox" in words(other)
    assert "timeout" not in [each.kind for each in desk.letters(ANN)]
    desk.later(hours=7)
    desk.tick()
    assert "timeout" not in [each.kind for each in desk.letters(ANN)], "eight hours were left when the outage began"
    desk.later(hours=1, minutes=1)
    desk.tick()
    assert desk.last(ANN).kind == "timeout"


def test_a_reply_that_came_after_the_old_deadline_during_the_outage_counts(desk: Desk) -> None:
    began(None, desk)
    desk.later(hours=47)
    desk.tick()
    letter = desk.last(ANN)
    arrived = desk.now + timedelta(hours=3)
    desk.later(hours=24)
    raw = write(ANN, "Ann", letter.headers["reply-to"], "Re", "cut 5", letter.headers["message-id"])
    count = len(desk.letters(ANN))
    desk.see_again((raw, arrived))
    assert record(desk)[:1] == ['{"from":"Ann","say":"cut 5"}']
    assert len(desk.letters(ANN)) == count + 1, "who answered gets one letter, not one about the outage besides"


def test_an_outage_is_made_up_for_once_and_told_once_even_when_the_host_dies_between(desk: Desk) -> None:
    began(None, desk)
    desk.later(hours=26)
    length = interruptions.make_up_outage(desk.services, "INBOX", desk.now)
    assert length == timedelta(hours=26)
    once = due(desk)
    assert interruptions.make_up_outage(desk.services, "INBOX", desk.now) == timedelta()
    assert due(desk) == once
    desk.tell_of_outage()
    desk.send()
    count = desk.count()
    with desk.store.transaction() as session:  # killed before it noted that all were told
        session.get_one(Mailbox, "INBOX").blind_from = desk.now - timedelta(hours=26)
    desk.tell_of_outage()
    desk.send()
    assert desk.count() == count


def test_an_hour_is_no_outage_and_the_first_start_is_none(desk: Desk) -> None:
    desk.begin()
    assert not interruptions.is_outage_over(desk.services, "INBOX", desk.now), "never seen before"
    desk.tick()
    desk.later(minutes=59)
    before = due(desk)
    count = desk.count()
    assert interruptions.make_up_outage(desk.services, "INBOX", desk.now) == timedelta(), (
        "no longer than nobody notices"
    )
    desk.see_again()
    assert due(desk) == before
    assert desk.count() == count


def test_an_answer_that_came_before_a_pause_is_played_in_it(desk: Desk) -> None:
    began(None, desk)
    asked = desk.last(ANN)
    came = desk.now + timedelta(hours=1)
    desk.keep(write(ANN, "Ann", asked.headers["reply-to"], "Re", "cut 5", asked.headers["message-id"]), came)
    desk.later(hours=2)
    with desk.store.transaction() as session:
        admin.pause(Work(session, desk.services, desk.now), "CC-1")
    desk.later(hours=1)
    desk.see_again()
    desk.work_off()
    assert record(desk) == ['{"from":"Ann","say":"cut 5"}']
    assert desk.answer(ANN, "pick 5").state == "refused"
    assert "paused" in words(desk.last(ANN))


def test_a_clock_that_jumps_is_no_outage(desk: Desk) -> None:
    began(None, desk)
    clocks.keep_time(desk.services, desk.now, 1000.0, "boot")
    before = due(desk)
    desk.later(hours=24)
    assert clocks.keep_time(desk.services, desk.now, 1001.0, "boot") == timedelta(hours=24) - timedelta(seconds=1)
    moved = due(desk)
    assert moved != before
    count = desk.count()
    desk.see_again()
    assert due(desk) == moved, "the jump moved them already"
    assert desk.count() == count


def test_what_was_noted_before_a_machine_came_up_with_its_clock_behind_stays(desk: Desk) -> None:
    """A pause, and when the mailbox was seen last: the clock that is put right moves neither to the day of the jump."""
    began(None, desk)
    clocks.keep_time(desk.services, desk.now, 1000.0, "boot")
    with desk.store.transaction() as session:
        admin.pause(Work(session, desk.services, desk.now), "CC-1")
    with desk.store.reading() as session:
        seen = session.get_one(Mailbox, "INBOX").seen_at
    paused_at = desk.now
    clocks.keep_time(desk.services, desk.now - 20 * DAY, 5.0, "next boot")
    desk.later(hours=3)
    clocks.keep_time(desk.services, desk.now, 65.0, "next boot")
    with desk.store.reading() as session:
        assert session.get_one(Mailbox, "INBOX").seen_at == seen
        assert [each.paused_at for each in paused_episodes(session)] == [paused_at]


def test_a_clock_set_back_makes_letters_wait_for_nothing_and_the_mailbox_unread(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    began(None, desk)
    clocks.keep_time(desk.services, desk.now, 1000.0, "boot")
    with monkeypatch.context() as patch:
        patch.setattr(desk, "send", lambda: None)
        desk.answer(ANN, "status")
    with desk.store.transaction() as session:
        from host.store.schema import Letter

        for letter in session.query(Letter).filter(Letter.state == "queued"):
            letter.try_at = desk.now + timedelta(hours=1)
    count = desk.count()
    desk.now -= DAY
    clocks.keep_time(desk.services, desk.now, 1001.0, "boot")
    desk.send()
    assert desk.count() == count + 1
    with desk.store.reading() as session:
        row = session.get_one(Mailbox, "INBOX")
        assert row.read_at is None
        assert row.seen_at is not None
        assert row.seen_at <= desk.now


def test_a_paused_episode_is_not_made_up_for_twice(desk: Desk) -> None:
    began(None, desk)
    with desk.store.transaction() as session:
        admin.pause(Work(session, desk.services, desk.now), "CC-1")
    before = due(desk)
    desk.later(hours=24)
    desk.see_again()
    assert due(desk) == before


def moved_by(desk: Desk, hours: float, *, paused_after: float, resumed_after: float) -> timedelta:
    """How far an outage of so many hours moves the deadline, with a pause that begins and ends so long after its start."""
    began(None, desk)
    [before] = due(desk)
    start = desk.now + timedelta(hours=2)
    if paused_after > 0:
        queues.was_seen(desk.store, "INBOX", start)
    for at, command in sorted([(paused_after, admin.pause), (resumed_after, admin.resume)], key=lambda each: each[0]):
        if at > hours:
            _over(desk, start, hours)
        desk.now = start + timedelta(hours=at)
        if not 0 < at <= hours:
            queues.was_seen(desk.store, "INBOX", desk.now)
        with desk.store.transaction() as session:
            command(Work(session, desk.services, desk.now), "CC-1")
        if at < 0:
            queues.was_seen(desk.store, "INBOX", start)
    _over(desk, start, hours)
    [after] = due(desk)
    return after - before


def _over(desk: Desk, start: datetime, hours: float) -> None:
    """The outage ends, where it has not yet."""
    if desk.now < start + timedelta(hours=hours):
        desk.now = start + timedelta(hours=hours)
        desk.see_again()


@pytest.mark.parametrize(
    ("paused_after", "resumed_after", "hours"),
    a_few([(2, 20, 10), (2, 5, 10), (-1, 20, 10), (-1, 5, 10), (11, 15, 10)], 3),
)
def test_a_pause_and_an_outage_together_move_a_deadline_by_the_time_that_either_took(
    desk: Desk, paused_after: float, resumed_after: float, hours: float
) -> None:
    moved = moved_by(desk, hours, paused_after=paused_after, resumed_after=resumed_after)
    lost = timedelta(hours=max(hours, resumed_after) - min(0, paused_after))
    if paused_after > hours:
        lost = timedelta(hours=hours + resumed_after - paused_after)
    assert abs(moved - lost) <= timedelta(seconds=2)


def test_who_answered_in_the_outage_hears_of_it_in_the_answer(desk: Desk) -> None:
    began(None, desk)
    desk.later(hours=3)
    desk.tick()
    letter = desk.last(ANN)
    desk.later(hours=24)
    raw = write(ANN, "Ann", letter.headers["reply-to"], "Re", "cut 5", letter.headers["message-id"])
    desk.see_again((raw, desk.now - timedelta(hours=5)))
    assert "could not see my mailbox" in words(desk.last(ANN))
    desk.answer(ANN, "status")
    assert "could not see my mailbox" not in words(desk.last(ANN))


def test_a_stopped_clock_gets_back_what_an_outage_took_beyond_its_two_days(desk: Desk) -> None:
    began(None, desk)
    desk.later(hours=47)
    desk.tick()
    bounce(desk, desk.last(ANN), ANN)
    desk.later(hours=70)
    desk.see_again()
    [at] = due(desk)
    assert at - desk.now >= timedelta(minutes=55), "one hour was left when the clock stopped"
    desk.tick()
    assert "timeout" not in [each.kind for each in desk.letters(ANN)]


def test_a_clock_set_back_during_a_pause_makes_no_deadline_earlier(desk: Desk) -> None:
    began(None, desk)
    clocks.keep_time(desk.services, desk.now, 1000.0, "boot")
    before = due(desk)
    with desk.store.transaction() as session:
        admin.pause(Work(session, desk.services, desk.now), "CC-1")
    desk.now -= DAY
    clocks.keep_time(desk.services, desk.now, 1001.0, "boot")
    desk.later(hours=1)
    queues.was_seen(desk.store, "INBOX", desk.now)
    with desk.store.transaction() as session:
        admin.resume(Work(session, desk.services, desk.now), "CC-1")
    [first], [second] = before, due(desk)
    assert timedelta(hours=1) <= second - first <= timedelta(hours=1, seconds=3)
