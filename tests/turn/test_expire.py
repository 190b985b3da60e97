"""Deadlines: reminded, fired once, never early, never on a blind host."""

from datetime import timedelta

import pytest

from host.demo.robot import write
from host.store import queues
from host.store.schema import Episode, LedgerEntry, Letter
from host.table import clocks
from host.table.work import Work
from host.turn import admin, people, reports
from tests.turn.conftest import MakeDesk
from tests.turn.desk import OPERATOR, Desk, words
from tests.turn.test_admin import by_hand

ANN, BOB = "ann@example.net", "bob@example.net"


def kinds(desk: Desk, address: str) -> list[str]:
    return [letter.kind for letter in desk.letters(address)]


def test_reminders_come_before_the_deadline_and_not_after_an_answer(desk: Desk) -> None:
    desk.begin()
    desk.later(hours=24, seconds=4)
    desk.tick()
    assert kinds(desk, ANN)[-1] == "reminder"
    assert desk.last(ANN).asks
    desk.tick()
    assert kinds(desk, ANN).count("reminder") == 1
    desk.answer(ANN, "cut 5")
    due = desk.last(ANN).headers["x-podium-reply-by"]
    desk.later(hours=10)
    desk.tick()
    assert kinds(desk, ANN).count("reminder") == 1
    assert due > desk.now.strftime("%Y-%m-%dT%H:%M:%SZ")


def test_after_an_outage_one_reminder_is_enough(desk: Desk) -> None:
    desk.begin()
    desk.later(hours=45)
    desk.tick()
    assert kinds(desk, ANN).count("reminder") == 1
    desk.later(hours=2)
    desk.tick()
    assert kinds(desk, ANN).count("reminder") == 1


def test_a_deadline_fires_only_after_the_mailbox_was_read_past_it(desk: Desk) -> None:
    desk.begin()
    desk.tick()
    desk.later(hours=48, seconds=30)
    desk.tick(read=False)
    assert "timeout" not in kinds(desk, ANN)
    desk.tick()
    assert kinds(desk, ANN)[-1] == "timeout"
    count = desk.count()
    desk.tick()
    assert desk.count() == count, "it fires once"


def test_not_a_second_early(desk: Desk) -> None:
    desk.begin()
    desk.later(hours=48)
    desk.tick()
    assert "timeout" not in kinds(desk, ANN)


def test_a_letter_that_was_not_accepted_starts_no_clock(desk: Desk) -> None:
    desk.begin()
    desk.answer(ANN, "cut 5")
    begin = desk.last(ANN)
    send, desk.send = desk.send, lambda: None  # type: ignore[method-assign]
    desk.answer(ANN, "pick 3", begin)
    desk.later(days=5)
    desk.tick()
    desk.send = send  # type: ignore[method-assign]
    desk.send()
    due = desk.last(ANN).headers["x-podium-reply-by"]
    with desk.store.reading() as session:
        found = reports.episode(session, "CC-1", False)
    assert found is not None
    assert found["state"] == "playing"
    until = found["waiting"][0]["until"]
    assert until == (desk.now + timedelta(hours=48)).strftime("%Y-%m-%dT%H:%M:%SZ")
    assert due < until, "the deadline can only move later than the letter says"


def test_a_forfeit_in_the_main_game_pays_and_waits_for_objection(desk: Desk) -> None:
    desk.begin()
    desk.later(hours=48, seconds=15)
    desk.tick()
    timeout = desk.last(ANN)
    assert timeout.kind == "timeout"
    assert not timeout.asks
    turn = desk.last(BOB)
    assert turn.kind == "turn"
    assert "stake of $2,500" in words(turn)
    assert "podium back CC-1 1" in words(desk.last(OPERATOR))
    desk.later(hours=48, seconds=15)
    desk.tick()
    assert [kinds(desk, each)[-1] for each in (ANN, BOB)] == ["result", "result"]
    assert "$5,000" in words(desk.last(BOB))
    with desk.store.reading() as session:
        entries = [(row.contestant_id, row.account, row.amount) for row in session.query(LedgerEntry)]
    assert entries == [(2, "main game", 5000)]
    desk.register("cleo@example.net", "Cleo Fox")
    assert kinds(desk, "cleo@example.net")[-1] == "registered"
    desk.later(hours=6, seconds=1)
    desk.tick()
    assert kinds(desk, BOB)[-1] == "ready", "the champion has been quiet"
    desk.tap(BOB, "ready")
    assert kinds(desk, BOB)[-1] == "begin"
    assert "You are the champion" in words(desk.last(BOB))


def test_a_clock_that_jumps_ahead_makes_no_deadline_early(desk: Desk) -> None:
    desk.begin()
    clocks.keep_time(desk.services, desk.now, 1000.0, "boot")
    desk.later(hours=47)
    clocks.keep_time(desk.services, desk.now, 1000.0 + 47 * 3600, "boot")
    desk.later(days=1)
    assert clocks.keep_time(desk.services, desk.now, 1000.0 + 47 * 3600 + 1, "boot") > timedelta(hours=23)
    desk.tick()
    assert "timeout" not in kinds(desk, ANN)
    desk.later(hours=1, seconds=10)
    desk.tick()
    assert kinds(desk, ANN)[-1] == "timeout"


def test_short_deadlines_are_kept_too(make_desk: MakeDesk) -> None:
    desk = make_desk(deadlines={"reply_within": "2s", "reminders": ["1h", "1s"]})
    desk.begin()
    desk.later(seconds=4)
    desk.tick()
    assert kinds(desk, ANN)[-1] == "reminder"
    desk.later(seconds=5)
    desk.tick()
    assert kinds(desk, ANN)[-1] == "timeout"


def test_a_mail_that_is_not_worked_off_keeps_deadlines_from_firing(desk: Desk) -> None:
    desk.begin()
    desk.later(hours=48, seconds=30)
    letter = desk.last(ANN)
    reply = write(ANN, "Ann", letter.headers["reply-to"], "Re", "cut 5", letter.headers["message-id"])
    desk.keep(reply, desk.now - timedelta(minutes=1))
    desk.tick()
    assert "timeout" not in kinds(desk, ANN)


@pytest.mark.parametrize("subject", ["hello", "Champ Cards Contestant Registration"])
def test_a_mail_that_names_no_letter_keeps_no_deadline_from_firing(desk: Desk, subject: str) -> None:
    desk.begin()
    desk.later(hours=48, seconds=30)
    for sender in (ANN, "x@example.com"):
        desk.keep(write(sender, "X", "games@example.org", subject, "hi"), desk.now - timedelta(minutes=1))
    desk.tick()
    assert "timeout" in kinds(desk, ANN)


def test_an_episode_that_cannot_be_read_stops_no_other(make_desk: MakeDesk) -> None:
    desk = make_desk(games={"champ-cards": {"tables": 2}})
    desk.begin()
    for name in ("cleo", "dov"):
        desk.register(f"{name}@example.net", f"{name.title()} Fox")
    with desk.store.transaction() as session:
        episode = session.get_one(Episode, 1)
        episode.state = {"nonsense": True}
    desk.later(hours=49)
    desk.tick()
    assert kinds(desk, "cleo@example.net")[-1] == "timeout"
    assert "could not be worked off" in words(desk.letters(OPERATOR)[0])


def test_a_wrong_clock_at_boot_moves_nothing_that_was_asked_before(desk: Desk) -> None:
    desk.begin()
    clocks.keep_time(desk.services, desk.now, 1000.0, "first boot")
    wrong = desk.now.replace(year=2020)
    clocks.keep_time(desk.services, wrong, 5.0, "second boot")
    clocks.keep_time(desk.services, desk.now + timedelta(minutes=5), 20.0, "second boot")
    desk.later(hours=49)
    desk.tick()
    assert kinds(desk, ANN)[-1] == "timeout"


def test_a_resend_that_overtakes_the_first_letter_makes_nothing_early(desk: Desk) -> None:
    desk.begin()
    desk.answer(ANN, "cut 5")
    turn = desk.last(ANN)
    send, desk.send = desk.send, lambda: None  # type: ignore[method-assign]
    desk.answer(ANN, "pick 3", turn)
    with desk.store.transaction() as session:
        admin.resend(Work(session, desk.services, desk.now), "CC-1", "Ann")
    with desk.store.reading() as session:
        first, second = session.query(Letter).where(Letter.state == "queued").order_by(Letter.id)
    for letter, hours in ((second, 0), (first, 20)):
        desk.later(hours=hours)
        with desk.store.transaction() as session:
            clocks.accepted(Work(session, desk.services, desk.now), [letter.id])
            queues.settle_sent(session, {letter.id: ""}, desk.now)
    desk.send = send  # type: ignore[method-assign]
    with desk.store.reading() as session:
        found = reports.episode(session, "CC-1", False)
    assert found is not None
    assert found["waiting"][0]["until"] == (desk.now + timedelta(hours=48)).strftime("%Y-%m-%dT%H:%M:%SZ")


def test_a_timeout_says_what_the_silence_did_however_much_happens_then(make_desk: MakeDesk) -> None:
    desk = make_desk(game="bluffjack", games={"bluffjack": {"seats": 3}})
    desk.begin()
    people = ["ann@example.net", "bob@example.net", "cleo@example.net"]
    silent = next(each for each in people if desk.last(each).asks)
    for each in people:
        if each != silent:
            desk.answer(each, "call 40 or less, else fold\nhit until 17, else stand")
    for _ in range(4):
        desk.later(hours=49)
        desk.tick()
        if desk.letters(silent)[-1].kind == "timeout":
            break
    letter = next(each for each in reversed(desk.letters(silent)) if each.kind == "timeout")
    assert "you folded" in words(letter).lower() or "you stood" in words(letter).lower()
    assert not letter.text.startswith("1")


def test_a_timeout_s_letter_begins_with_what_that_silence_did(make_desk: MakeDesk) -> None:
    desk = make_desk(game="champion-poker", games={"champion-poker": {"seats": 3}})
    for address, name in ((ANN, "Ann Lee"), (BOB, "Bob Ray"), ("cleo@example.net", "Cleo Fox")):
        desk.register(address, name)
    desk.answer("cleo@example.net", "resign")
    desk.answer("cleo@example.net", "yes")
    desk.answer(ANN, "bet 5")
    desk.later(hours=49)
    desk.tick()
    assert desk.last(BOB).kind == "timeout"
    assert words(desk.last(BOB)).startswith("No answer of yours came in time")
    assert "Cleo resigned" in words(desk.last(BOB))


def test_who_is_barred_is_neither_reminded_nor_told_to_reply(desk: Desk) -> None:
    desk.begin()
    by_hand(desk, people.bar, ANN, "rude")
    count = len(desk.letters(ANN))
    for hours in (25, 20):
        desk.later(hours=hours)
        desk.tick()
    assert len(desk.letters(ANN)) == count
    desk.later(hours=4)
    desk.tick()
    assert not [letter for letter in desk.letters(ANN)[count:] if "reply with the word host" in words(letter)]


def test_the_host_hears_of_all_who_were_silent_where_one_silence_ended_the_episode(make_desk: MakeDesk) -> None:
    desk = make_desk(game="game-of-champions")
    desk.begin()
    desk.later(hours=49)
    desk.tick()
    assert "Ann let a deadline pass in GC-1. So did Bob, of whom nothing is asked any more." in words(
        desk.last(OPERATOR)
    )
