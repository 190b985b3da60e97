"""What a deadline that ran out still gives: the time bank, the last chance; and days off, on which none runs."""

import random
from datetime import UTC, datetime, timedelta

import pytest

from host.store.episodes import open_questions
from host.store.schema import Seat
from host.table.work import Work
from host.turn import admin, reports
from tests.size import size
from tests.turn.conftest import MakeDesk
from tests.turn.desk import Desk, words

ANN, BOB = "ann@example.net", "bob@example.net"
DAY, MINUTE = timedelta(days=1), timedelta(minutes=1)


def kinds(desk: Desk, address: str) -> list[str]:
    return [letter.kind for letter in desk.letters(address)]


def due(desk: Desk, address: str) -> datetime:
    return datetime.fromisoformat(desk.last(address).headers["x-podium-reply-by"])


def run_out(desk: Desk) -> None:
    """The open deadline of Ann passes."""
    desk.tick()
    desk.now = due(desk, ANN) + timedelta(seconds=5)
    desk.tick()


def used(desk: Desk) -> int:
    with desk.store.reading() as session:
        return session.query(Seat).filter_by(seat=0).one().bank_used


def test_a_time_bank_is_drawn_on_by_itself_and_keeps_what_was_not_needed(make_desk: MakeDesk) -> None:
    desk = make_desk(deadlines={"time_bank": "3d"})
    desk.begin()
    desk.answer(ANN, "bank")
    assert "Your time bank in CC-1 has 3 days left of 3 days." in words(desk.last(ANN))
    run_out(desk)
    told = words(desk.last(ANN))
    assert desk.last(ANN).kind == "reminder"
    assert "Your time is over" in told
    assert "Your time bank gives you until Wednesday 7:00 AM EST" in told
    assert due(desk, ANN) == desk.now + 3 * DAY
    desk.later(days=1)
    desk.answer(ANN, "bank")
    assert "has 48 hours left of 3 days. It runs at the moment." in words(desk.last(ANN))
    assert desk.answer(ANN, "cut 5").state == "played"
    assert used(desk) == DAY.total_seconds()
    desk.answer(ANN, "bank")
    assert "has 48 hours left of 3 days. It is drawn on" in words(desk.last(ANN))
    run_out(desk)
    assert due(desk, ANN) == desk.now + 2 * DAY


def test_a_time_bank_does_not_run_in_a_pause(make_desk: MakeDesk) -> None:
    desk = make_desk(deadlines={"time_bank": "3d"})
    desk.begin()
    run_out(desk)
    desk.later(hours=1)
    with desk.store.transaction() as session:
        admin.pause(Work(session, desk.services, desk.now), "CC-1")
    desk.later(days=2)
    desk.answer(ANN, "bank")
    assert "has 71 hours left of 3 days. It is drawn on" in words(desk.last(ANN)).replace("2 days 23 hours", "71 hours")
    with desk.store.transaction() as session:
        admin.say(Work(session, desk.services, desk.now), "CC-1", "cut 5", "Ann")
    assert used(desk) == 3600


def test_who_plays_nothing_hears_what_a_time_bank_is(make_desk: MakeDesk) -> None:
    desk = make_desk(deadlines={"time_bank": "3d"})
    desk.register(ANN, "Ann Lee")
    desk.answer(ANN, "bank")
    assert "Each episode gives you a time bank of 3 days." in words(desk.last(ANN))


@pytest.mark.storm
def test_an_empty_bank_is_a_timeout_as_without_one(make_desk: MakeDesk) -> None:
    desk = make_desk(deadlines={"time_bank": "1d"})
    desk.begin()
    run_out(desk)
    assert "timeout" not in kinds(desk, ANN)
    run_out(desk)
    assert kinds(desk, ANN)[-1] in ("timeout", "result")
    assert used(desk) == DAY.total_seconds()


@pytest.mark.storm
def test_an_empty_bank_says_so(make_desk: MakeDesk) -> None:
    desk = make_desk(deadlines={"time_bank": "1h"})
    desk.begin()
    run_out(desk)
    desk.later(minutes=59, seconds=50)
    desk.answer(ANN, "cut 5")
    with desk.store.transaction() as session:
        session.query(Seat).filter_by(seat=0).one().bank_used = 3600
    desk.answer(ANN, "bank")
    assert "Your time bank in CC-1 is empty" in words(desk.last(ANN))


def test_without_a_bank_the_word_says_so_and_silence_is_a_timeout(desk: Desk) -> None:
    desk.begin()
    desk.answer(ANN, "bank")
    assert "There is no time bank here" in words(desk.last(ANN))
    run_out(desk)
    assert kinds(desk, ANN)[-1] in ("timeout", "result")


def test_an_answer_just_behind_the_deadline_draws_on_the_bank(make_desk: MakeDesk) -> None:
    desk = make_desk(deadlines={"time_bank": "3d"})
    desk.begin()
    desk.tick()
    desk.now = due(desk, ANN) + timedelta(minutes=10)  # the host slept: nothing fired
    assert desk.answer(ANN, "cut 5").state == "played"
    assert used(desk) == 0, "time that the host slept is nobody's"


def test_the_last_chance_comes_once_behind_the_deadline_and_the_bank(make_desk: MakeDesk) -> None:
    desk = make_desk(deadlines={"time_bank": "1d", "grace": "6h"})
    desk.begin()
    run_out(desk)
    assert "time bank gives you" in words(desk.last(ANN))
    run_out(desk)
    told = words(desk.last(ANN))
    assert desk.last(ANN).kind == "reminder"
    assert "Your time is over Write within 6 hours, and nothing is lost." in told
    assert due(desk, ANN) == desk.now + timedelta(hours=6)
    desk.later(hours=5)
    desk.tick()
    assert desk.last(ANN).kind == "reminder"
    run_out(desk)
    assert kinds(desk, ANN)[-1] in ("timeout", "result")


def test_an_answer_in_the_last_chance_loses_nothing(make_desk: MakeDesk) -> None:
    desk = make_desk(deadlines={"grace": "6h"})
    desk.begin()
    run_out(desk)
    assert desk.answer(ANN, "cut 5").state == "played"


def test_the_host_sees_that_the_bank_moved_a_deadline(make_desk: MakeDesk) -> None:
    desk = make_desk(deadlines={"time_bank": "3d"})
    desk.begin()
    run_out(desk)
    with desk.store.reading() as session:
        (entry,) = (reports.episode(session, "CC-1", False) or {})["audit"]
    assert entry["command"].startswith("deadline of Ann moved to 2026-11-25")
    assert entry["command"].endswith(": the time bank")


def test_no_deadline_runs_at_the_weekend_nor_on_a_holiday(make_desk: MakeDesk) -> None:
    desk = make_desk(deadlines={"weekends": False, "holidays": ["2026-11-24"]})
    desk.begin()  # Friday, 7 in the morning in New York: 17 hours of that day, 24 of Monday, 7 of Wednesday
    assert due(desk, ANN) == datetime(2026, 11, 25, 12, 0, 3, tzinfo=UTC)
    desk.now = datetime(2026, 11, 22, 12, 1, tzinfo=UTC)
    desk.tick()
    assert "timeout" not in kinds(desk, ANN)
    run_out(desk)
    assert kinds(desk, ANN)[-1] in ("timeout", "result")


WISHES = """
away until tomorrow; away 24 Nov; away 26 Nov to 28 Nov; away 30 Nov to 2 Dec; away for 3 days; back early; zone Asia/Tokyo;
zone America/New_York; zone Pacific/Apia; remind 24h 4h; remind off; quiet 22-08; quiet 6-9; calendar on; status; bank;
letters daily 18:00; I'm away until Friday; on holiday until Sunday
"""


@pytest.mark.parametrize("seed", range(size(1, 100)))
def test_whatever_is_wished_for_a_deadline_only_moves_later(make_desk: MakeDesk, seed: int) -> None:
    dice = random.Random(seed)
    settings = {"time_bank": "1d", "grace": "6h", "weekends": dice.random() < 0.5, "holidays": ["2026-11-26"]}
    desk = make_desk(deadlines=settings)
    desk.begin()
    first, wishes = desk.now, [each.strip() for each in WISHES.split(";")]
    dues = [due(desk, ANN)]
    for _ in range(25):
        desk.later(hours=dice.choice((0, 1, 5, 11)), minutes=dice.randrange(60))
        desk.tick()
        if "timeout" in kinds(desk, ANN) or "result" in kinds(desk, ANN):
            assert desk.now > dues[-1]
            break
        desk.answer(ANN, dice.choice(wishes))
        dues.append(due(desk, ANN))
        assert all(letter.kind != "refused" for letter in desk.letters(ANN))
    assert dues == sorted(dues)
    assert dues[0] >= first + timedelta(hours=48)


@pytest.mark.parametrize("how", ["extend", "resume"])
def test_a_deadline_that_the_host_moves_runs_on_no_day_off(make_desk: MakeDesk, how: str) -> None:
    """From Friday, 7 in the morning in New York, to Tuesday; four days more are Wednesday to Friday, and until Monday."""
    desk = make_desk(deadlines={"weekends": False})
    desk.begin()
    before = due(desk, ANN)
    assert before.strftime("%a") == "Tue"
    with desk.store.transaction() as session:
        work = Work(session, desk.services, desk.now)
        if how == "extend":
            admin.extend(work, "CC-1", "Ann", timedelta(hours=96))
        else:
            admin.pause(work, "CC-1")
    if how == "resume":
        desk.later(hours=96)
        desk.tick()
        with desk.store.transaction() as session:
            admin.resume(Work(session, desk.services, desk.now), "CC-1")
    desk.send()
    assert due(desk, ANN).strftime("%a") == "Mon"
    assert due(desk, ANN) >= before + timedelta(hours=144)


def test_what_of_a_deadline_ran_into_two_days_off_is_given_back_behind_them(make_desk: MakeDesk) -> None:
    desk = make_desk(deadlines={"weekends": False})
    desk.begin()
    with desk.store.transaction() as session:
        row = next(iter(open_questions(session, purpose="game")))
        row.due_at = datetime(2026, 11, 28, 12, tzinfo=UTC)  # a Saturday; it began seven hours before in New York
    desk.now = datetime(2026, 11, 28, 13, tzinfo=UTC)
    desk.tick()
    with desk.store.reading() as session:
        assert next(iter(open_questions(session, purpose="game"))).due_at == datetime(2026, 11, 30, 12, tzinfo=UTC)


def test_who_asks_for_a_bank_that_is_not_there_hears_of_the_last_chance(make_desk: MakeDesk) -> None:
    desk = make_desk(deadlines={"grace": "6h"})
    desk.begin()
    desk.answer(ANN, "bank")
    assert "a deadline that runs out brings one last letter, and 6 hours to answer it" in words(desk.last(ANN))
