"""A contestant's own clock: zone, quiet hours, reminders, letters, calendar; by wishes, and what they change."""

import random
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest

from host.club import own_time
from host.demo.robot import tap, write
from host.engine.game import Entry
from host.store import queues
from host.store.episodes import episode_of_code
from host.store.schema import Contestant
from host.table.notify import has_news
from host.table.play import load_play
from host.table.work import begin
from tests.turn.conftest import MakeDesk
from tests.turn.desk import Desk, words
from tests.turn.test_split_decision import PARIS, fill, to_the_first_question

ANN, BOB, CLEO = "ann@example.net", "bob@example.net", "cleo@example.net"


def of_ann(desk: Desk, name: str) -> object:
    with desk.store.reading() as session:
        return getattr(session.query(Contestant).filter_by(address=ANN).one(), name)


def kinds(desk: Desk, address: str) -> list[str]:
    return [letter.kind for letter in desk.letters(address)]


def answer_dated(desk: Desk, text: str, offset: str) -> None:
    letter = desk.last(ANN)
    subject = "Re: " + letter.headers["subject"]
    raw = write(ANN, "Ann", letter.headers["reply-to"], subject, text, letter.headers["message-id"])
    desk.deliver(f"Date: Fri, 20 Nov 2026 13:00:00 {offset}\r\n".encode() + raw)


def test_a_zone_is_guessed_from_mails_told_once_and_corrected(desk: Desk) -> None:
    desk.begin()
    answer_dated(desk, "cut 5", "+0100")
    told = words(desk.last(ANN))
    assert "Sunday 1:00 PM UTC+01:00 (12:00 UTC), in 48 hours" in told
    assert "Times are told in UTC+01:00, as in your mails; write zone and your city's zone to change it." in told
    answer_dated(desk, "pick 5", "+0100")
    assert "Times are told in" not in words(desk.last(ANN))
    desk.answer(ANN, "zone Europe/Rome")
    assert "Times are told in Europe/Rome, where it is Friday, 20 November 2026, 1:00 PM CET" in words(desk.last(ANN))
    answer_dated(desk, "status", "-0800")
    assert of_ann(desk, "zone") == "Europe/Rome", "what they said stands"


@pytest.mark.parametrize("offset", ["+0000", "-0000", "-0500", "+0007", "+9900", "nonsense"])
def test_an_offset_that_says_nothing_is_no_guess(desk: Desk, offset: str) -> None:
    desk.begin()
    answer_dated(desk, "cut 5", offset)
    assert of_ann(desk, "zone") == ""
    assert "EST" in words(desk.last(ANN))


@pytest.mark.parametrize(
    ("wish", "column", "value", "told"),
    [
        ("zone Rome", "zone", "Europe/Rome", "Times are told in Europe/Rome"),
        ("quiet 22-08", "quiet", "22:00-08:00", "No reminder comes from 22:00 to 08:00, America/New_York."),
        ("remind 24h 4h", "remind", "24h 4h", "A reminder comes 24 hours and 4 hours before a deadline."),
        ("remind off", "remind", "off", "No reminder comes before a deadline."),
        ("letters at once", "letters", "at once", "News come at once"),
        ("letters daily 18:00", "letters", "daily 18:00", "once a day at 18:00, America/New_York"),
        ("calendar on", "calendar", True, "a calendar file with the deadline and an alarm"),
    ],
)
def test_a_wish_is_kept_echoed_and_told_when_asked(
    desk: Desk, wish: str, column: str, value: object, told: str
) -> None:
    desk.begin()
    desk.answer(ANN, wish)
    assert of_ann(desk, column) == value
    assert told in words(desk.last(ANN))
    assert desk.last(ANN).kind == "help"
    desk.answer(ANN, wish.split()[0])
    assert told in words(desk.last(ANN))


@pytest.mark.parametrize(
    ("wish", "column", "told"),
    [
        ("zone Roma", "zone", "I know no time zone “Roma”. Did you mean Europe/Rome?"),
        ("zone qqqq", "zone", "I know no time zone “qqqq”. Write one such as zone Europe/Rome."),
        ("quiet 25-99", "quiet", "“25-99” are no hours. Write two such as quiet 22-08, or quiet off."),
        ("remind 48h", "remind", "You have 48 hours for an answer, so write shorter ones such as remind 24h"),
        ("remind often", "remind", "“often” are no times before a deadline: write shorter ones"),
        ("letters weekly", "letters", "I cannot send letters “weekly”."),
        ("calendar perhaps", "calendar", "A calendar is on or off, not “perhaps”"),
    ],
)
def test_a_bad_value_changes_nothing_and_says_what_to_write(desk: Desk, wish: str, column: str, told: str) -> None:
    desk.begin()
    before = of_ann(desk, column)
    desk.answer(ANN, wish)
    assert of_ann(desk, column) == before
    assert told in words(desk.last(ANN))


def test_a_wish_beside_a_move_is_no_hindrance(desk: Desk) -> None:
    desk.begin()
    assert desk.answer(ANN, "cut 5\nquiet 22-08").state == "played"
    assert of_ann(desk, "quiet") == "22:00-08:00"
    assert "No reminder comes from 22:00" in words(desk.last(ANN))


def test_a_wish_works_from_a_letter_of_no_episode(desk: Desk) -> None:
    desk.register(ANN, "Ann Lee")
    desk.answer(ANN, "zone Europe/Rome")
    assert of_ann(desk, "zone") == "Europe/Rome"
    assert "Times are told in Europe/Rome" in words(desk.last(ANN))


def test_where_free_text_is_asked_for_a_wish_alone_says_how_it_would_be_an_answer(make_desk: MakeDesk) -> None:
    desk = make_desk(game="split-decision")
    fill(desk, PARIS, Entry("What does a post office sell, and what do people write to each other?", ("letters",)))
    asked = to_the_first_question(desk)[0]
    assert desk.answer(asked, "calendar").state == "answered"
    assert "If that was your answer, write answer calendar." in words(desk.last(asked))
    assert desk.answer(asked, "answer calendar").state == "played"
    asked = next(each for each in (ANN, BOB, CLEO) if desk.last(each).asks)
    desk.answer(asked, "zone Europe/Rome")
    assert "Times are told in Europe/Rome" in words(desk.last(asked)), "with a value it is one"


def test_reminders_go_by_the_contestants_wish_for_running_deadlines_too(desk: Desk) -> None:
    desk.begin()
    desk.answer(ANN, "remind 10h")
    before = kinds(desk, ANN).count("reminder")
    desk.later(hours=30)
    desk.tick()
    assert kinds(desk, ANN).count("reminder") == before, "the host's comes 24 hours before"
    desk.later(hours=8, minutes=1)
    desk.tick()
    assert kinds(desk, ANN).count("reminder") == before + 1
    desk.answer(ANN, "remind off")
    desk.later(hours=6)
    desk.tick()
    assert kinds(desk, ANN).count("reminder") == before + 1


def test_no_reminder_comes_in_quiet_hours_but_behind_them(desk: Desk) -> None:
    desk.begin()  # 7 in the morning in New York, two days ahead
    desk.answer(ANN, "remind 24h")
    desk.answer(ANN, "quiet 6-9")
    desk.later(hours=24, minutes=1)
    desk.tick()
    assert "reminder" not in kinds(desk, ANN)
    desk.later(hours=2)
    desk.tick()
    assert kinds(desk, ANN)[-1] == "reminder"


def test_before_a_deadline_within_quiet_hours_the_reminder_comes_before_them(desk: Desk) -> None:
    desk.begin()
    desk.answer(ANN, "remind 6h")
    desk.answer(ANN, "quiet 22-08")  # the deadline is at 7
    desk.later(hours=38, minutes=54)
    desk.tick()
    assert "reminder" not in kinds(desk, ANN)
    desk.later(minutes=2)
    desk.tick()
    assert kinds(desk, ANN)[-1] == "reminder"
    assert desk.now.astimezone(UTC) < datetime(2026, 11, 22, 3, 0, 5, tzinfo=UTC)


def test_a_daily_letter_tells_what_is_new_once(make_desk: MakeDesk) -> None:
    desk = make_desk(game="champion-poker", games={"champion-poker": {"seats": 3}})
    desk.begin()
    for address in (ANN, BOB, CLEO):
        desk.answer(address, "letters daily 18:00")
    tapper = random.Random(5)
    while not any(map(partial(untold, desk), range(3))):
        asked = next(each for each in (ANN, BOB, CLEO) if desk.last(each).asks)
        desk.deliver(tap(desk.last(asked), asked, "Somebody", tapper) or b"")
    before = [len(desk.letters(each)) for each in (ANN, BOB, CLEO)]
    desk.now = datetime(2026, 11, 20, 22, 59, 59, tzinfo=UTC)
    desk.tick()
    assert [len(desk.letters(each)) for each in (ANN, BOB, CLEO)] == before, "it is not 18:00 in New York yet"
    expected = [count + untold(desk, seat) for seat, count in enumerate(before)]
    desk.later(seconds=2)
    desk.tick()
    assert [len(desk.letters(each)) for each in (ANN, BOB, CLEO)] == expected
    assert not any(map(partial(untold, desk), range(3)))
    desk.later(days=1)
    queues.was_seen(desk.store, "INBOX", desk.now)
    assert own_time.write_daily(desk.services, desk.now)
    desk.send()
    assert [len(desk.letters(each)) for each in (ANN, BOB, CLEO)] == expected, "who was told everything gets none"


def untold(desk: Desk, seat: int) -> bool:
    with begin(desk.services, desk.now) as work:
        episode = episode_of_code(work.session, f"{desk.game.code}-1")
        assert episode is not None
        play = load_play(work.episode(episode.id))
        return has_news(work, play, play.episode.seats[seat])


def test_a_quiet_hour_that_is_set_within_itself_holds_at_once(desk: Desk) -> None:
    desk.begin()
    desk.later(hours=23, minutes=59)
    desk.answer(ANN, "quiet 6-9")
    desk.later(minutes=2)
    desk.tick()
    assert "reminder" not in kinds(desk, ANN)
    assert desk.now < datetime(2026, 11, 21, 14, 0, tzinfo=UTC) - timedelta(hours=1)


def test_a_reminder_that_no_hour_is_left_for_gives_way_to_the_next(desk: Desk) -> None:
    desk.begin()  # the deadline is at 7 in the morning in New York
    desk.later(hours=41, minutes=1)  # it is past midnight
    desk.answer(ANN, "quiet 22-06")
    desk.answer(ANN, "remind 6h 30m")  # the first would come at 1, and help no more at 6
    desk.later(hours=1)
    desk.tick()
    assert "reminder" not in kinds(desk, ANN)
    desk.later(hours=5, minutes=30)
    desk.tick()
    assert kinds(desk, ANN)[-1] == "reminder"


def test_a_reminder_may_come_on_a_day_off(make_desk: MakeDesk) -> None:
    desk = make_desk(deadlines={"weekends": False, "reminders": ["24h"]})
    desk.begin()  # Friday; until Tuesday at 7
    desk.answer(ANN, "remind 36h")
    desk.now = datetime(2026, 11, 22, 23, 59, tzinfo=UTC)
    desk.tick()
    assert "reminder" not in kinds(desk, ANN)
    desk.later(minutes=2)
    desk.tick()
    assert kinds(desk, ANN)[-1] == "reminder", "Sunday evening"


def test_behind_an_absence_a_reminder_waits_for_the_quiet_hours_to_end(desk: Desk) -> None:
    desk.begin()
    desk.answer(ANN, "remind 40h")
    desk.answer(ANN, "quiet 22-08")
    desk.answer(ANN, "away until Monday")  # 48 hours from then: until Thursday at 0, reminded on Tuesday at 8
    desk.now = datetime(2026, 11, 24, 12, 59, tzinfo=UTC)
    desk.tick()
    assert "reminder" not in kinds(desk, ANN)
    desk.later(minutes=2)
    desk.tick()
    assert kinds(desk, ANN)[-1] == "reminder"
