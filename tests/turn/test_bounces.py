"""Letters that come back: the host hears of it, and the clock stands still once."""

from datetime import datetime, timedelta

import pytest

from host.demo.robot import ReadLetter
from host.games import GAMES
from host.store.episodes import open_questions
from host.store.people import contestant_of_address
from host.store.schema import Contestant, Inbound, Letter, Seat
from host.table import clocks
from host.table.work import Work
from host.turn import admin, interruptions
from tests.turn.conftest import MakeDesk
from tests.turn.desk import ADDRESS, OPERATOR, Desk, words
from tests.turn.test_receive import record

ANN, BOB = "ann@example.net", "bob@example.net"


def notice(letter: ReadLetter, recipient: str, action: str = "failed", status: str = "5.1.1") -> bytes:
    """A delivery status notification (RFC 3464) about a letter."""
    return (
        "Return-Path: <>\r\nFrom: Mail Delivery System <MAILER-DAEMON@mx.example.net>\r\n"
        f"To: {ADDRESS}\r\nSubject: Undelivered Mail Returned to Sender\r\n"
        "Auto-Submitted: auto-replied\r\nMIME-Version: 1.0\r\n"
        f"Message-ID: <{abs(hash((letter.text, recipient, action, status)))}@mx.example.net>\r\n"
        'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\r\n\r\n'
        "--b\r\nContent-Type: text/plain\r\n\r\nThis is the mail system. pick 5\r\n"
        "--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example.net\r\n\r\n"
        f"Final-Recipient: rfc822; {recipient}\r\nAction: {action}\r\nStatus: {status}\r\n"
        "Diagnostic-Code: smtp; 550 5.1.1 no such user\r\n\r\n"
        "--b\r\nContent-Type: text/rfc822-headers\r\n\r\n"
        f"From: {ADDRESS}\r\nTo: {recipient}\r\nMessage-ID: {letter.headers['message-id']}\r\n\r\n--b--\r\n"
    ).encode()


def bounce(desk: Desk, letter: ReadLetter, recipient: str, **kind: str) -> Inbound:
    return desk.deliver(notice(letter, recipient, **kind))


def test_a_bounce_marks_the_address_tells_the_host_and_stops_the_clock(desk: Desk) -> None:
    desk.begin()
    desk.tick()
    row = bounce(desk, desk.last(ANN), ANN)
    assert row.state == "silent"
    assert "bounce of letter" in row.note
    alert = desk.last(OPERATOR)
    assert "Ann cannot be reached" in words(alert)
    assert "550 5.1.1 no such user" in words(alert)
    assert "podium withdraw CC-1 Ann" in words(alert)
    with desk.store.reading() as session:
        ann = contestant_of_address(session, ANN)
        assert ann is not None
        assert ann.bounced_at is not None
    desk.later(hours=47)
    desk.tick()
    assert "reminder" not in [each.kind for each in desk.letters(ANN)]
    desk.later(hours=20)
    desk.tick()
    assert "timeout" not in [each.kind for each in desk.letters(ANN)]
    assert record(desk) == []


def test_the_clock_goes_on_after_two_days_and_stops_only_once_a_question(desk: Desk) -> None:
    desk.begin()
    desk.tick()
    begin = desk.last(ANN)
    bounce(desk, begin, ANN)
    desk.later(hours=48, minutes=1)
    clocks.start_overdue_clocks(desk.services, desk.now)
    bounce(desk, begin, ANN, status="5.2.1")
    desk.later(hours=47)
    desk.tick()
    assert "timeout" not in [each.kind for each in desk.letters(ANN)]
    desk.later(hours=2)
    desk.tick()
    assert desk.last(ANN).kind == "timeout", "a second bounce of the same question stops nothing"


def test_the_clock_of_a_question_stops_only_once_however_short_that_was(desk: Desk) -> None:
    desk.begin()
    desk.tick()
    begin = desk.last(ANN)
    bounce(desk, begin, ANN)
    desk.later(hours=1)
    desk.answer(ANN, "status", begin)
    bounce(desk, begin, ANN, status="5.2.1")
    desk.later(hours=48, minutes=1)
    desk.tick()
    assert desk.last(ANN).kind == "timeout"


def test_a_word_from_the_contestant_lets_the_clock_go_on(desk: Desk) -> None:
    desk.begin()
    desk.tick()
    begin = desk.last(ANN)
    bounce(desk, begin, ANN)
    desk.later(hours=60)
    row = desk.answer(ANN, "cut 5", begin)
    assert row.state == "played", "it came after the first deadline, but the clock stood still"
    with desk.store.reading() as session:
        ann = contestant_of_address(session, ANN)
        assert ann is not None
        assert ann.bounced_at is None


def test_the_host_decides_before(desk: Desk) -> None:
    desk.begin()
    desk.tick()
    bounce(desk, desk.last(ANN), ANN)
    desk.later(hours=10)
    with desk.store.transaction() as session:
        admin.resend(Work(session, desk.services, desk.now), "CC-1", "Ann")
    desk.send()
    due = desk.last(ANN).headers["x-podium-reply-by"]
    assert due == (desk.now + timedelta(hours=48, seconds=3)).strftime("%Y-%m-%dT%H:%M:%SZ")
    desk.later(hours=48, minutes=1)
    desk.tick()
    assert desk.last(ANN).kind == "timeout"


def test_the_host_decides_by_answering_the_alert(desk: Desk) -> None:
    desk.begin()
    desk.tick()
    bounce(desk, desk.last(ANN), ANN)
    desk.answer(OPERATOR, "withdraw Ann")
    assert "Ann" in record(desk)[-1]
    assert desk.last(BOB).kind in ("turn", "result", "news")


@pytest.mark.parametrize("case", ["another address", "no letter of ours", "a delay", "delivered"])
def test_notices_that_prove_nothing_stop_nothing(desk: Desk, case: str) -> None:
    desk.begin()
    desk.tick()
    letter = desk.last(ANN)
    raw = notice(letter, ANN)
    if case == "another address":
        raw = notice(letter, "eve@example.com")
    elif case == "no letter of ours":
        raw = raw.replace(letter.headers["message-id"].encode(), b"<aaaaaaaaaaaaaaaaaaaaaaaaa2@example.org>")
    elif case == "a delay":
        raw = notice(letter, ANN, action="delayed", status="4.4.1")
    else:
        raw = notice(letter, ANN, action="delivered", status="2.0.0")
    count = desk.count()
    desk.deliver(raw)
    assert desk.count() == count, "nobody is written to"
    desk.later(hours=48, minutes=1)
    desk.tick()
    assert desk.last(ANN).kind == "timeout"
    assert record(desk)[-1] == '{"timeout":"Ann"}'


def test_a_bounced_registration_letter_ends_the_registration_and_is_no_news(desk: Desk) -> None:
    desk.write(ANN, ADDRESS, desk.game.subject, "Name: Ann Lee")
    bounce(desk, desk.last(ANN), ANN)
    assert desk.letters(OPERATOR) == []
    with desk.store.reading() as session:
        assert session.query(Contestant).all() == []


def test_a_bounce_that_is_read_again_counts_once(desk: Desk) -> None:
    desk.begin()
    desk.tick()
    begin = desk.last(ANN)
    raw = notice(begin, ANN)
    desk.deliver(raw)
    desk.answer(ANN, "cut 5", begin)
    desk.later(hours=2)
    count = desk.count()
    assert desk.deliver(raw).state == "duplicate", "the mailbox was made anew, or somebody moved it"
    assert desk.count() == count
    with desk.store.reading() as session:
        ann = contestant_of_address(session, ANN)
        assert ann is not None
        assert ann.bounced_at is None


def test_a_second_question_whose_clock_stops_is_told_too(desk: Desk) -> None:
    desk.begin()
    desk.tick()
    begin = desk.last(ANN)
    bounce(desk, begin, ANN)
    desk.answer(ANN, "cut 5, pick 1", begin)
    bounce(desk, desk.last(ANN), ANN)
    alerts = [each for each in desk.letters(OPERATOR) if "cannot be reached" in words(each)]
    assert len(alerts) == 2


def test_forged_registrations_that_bounce_make_one_alert(desk: Desk) -> None:
    for number in range(5):
        address = f"nobody{number}@example.com"
        desk.write(address, ADDRESS, "The Game of Champions Contestant Registration", "Name: No Body")
        bounce(desk, desk.last(address), address)
    assert len(desk.letters(OPERATOR)) == 1


def test_the_alert_says_where_a_letter_that_never_arrived_keeps_an_episode_waiting(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.register(ANN, "Ann Lee")
    desk.write(BOB, ADDRESS, desk.game.subject, "Name: Bob Ray")
    with monkeypatch.context() as patch:
        patch.setattr(desk, "send", lambda: None)
        desk.answer(BOB, "confirm")
    with desk.store.transaction() as session:
        letter = session.query(Letter).filter(Letter.kind == "begin", Letter.address == ANN).one()
        interruptions.came_back(Work(session, desk.services, desk.now), letter, "550 no")
    desk.send()
    assert "In CC-1 their question never arrived" in words(desk.last(OPERATOR))
    assert "podium withdraw CC-1 Ann" in words(desk.last(OPERATOR))


def standing(desk: Desk) -> timedelta:
    """How long Ann's clocks have stood still in the first episode, as far as that was counted."""
    with desk.store.reading() as session:
        return timedelta(seconds=session.get_one(Seat, (1, 0)).stopped_seconds)


def test_letters_that_come_back_again_and_again_hold_an_episode_up_for_two_days_in_all(desk: Desk) -> None:
    """Ann answers when she likes and has every letter bounce: her opponent waits two days longer than without that."""
    desk.begin()
    start = desk.now
    said = ("cut 5", "pick 1", "keep")
    for command in said:
        letter = desk.last(ANN)
        bounce(desk, letter, ANN)
        desk.later(hours=47 + 40)
        clocks.start_overdue_clocks(desk.services, desk.now)
        desk.tick()
        desk.answer(ANN, command, letter)
        if "timeout" in [each.kind for each in desk.letters(ANN)]:
            break
    assert len(record(desk)) == 2, "the first question may stop for two days, the second for what is left of them"
    assert desk.last(ANN).kind == "refused", "the second answer came after the deadline"
    assert [each.kind for each in desk.letters(ANN)].count("timeout") == 1
    assert desk.now - start == timedelta(hours=2 * (47 + 40))
    assert standing(desk) == timedelta(hours=48)


def test_what_is_left_of_the_two_days_is_told_and_ends_by_itself(desk: Desk) -> None:
    desk.begin()
    begin = desk.last(ANN)
    bounce(desk, begin, ANN)
    desk.later(hours=40, minutes=30)
    desk.answer(ANN, "cut 5", begin)
    assert standing(desk) == timedelta(hours=40, minutes=30)
    turn = desk.last(ANN)
    bounce(desk, turn, ANN)
    assert "In CC-1 their clock stands still, for 8 hours at most" in words(desk.last(OPERATOR))
    due = due_of_ann(desk)
    desk.later(hours=7, minutes=31)
    clocks.start_overdue_clocks(desk.services, desk.now)
    assert due_of_ann(desk) == due + timedelta(hours=7, minutes=30)
    desk.tick()
    desk.answer(ANN, "pick 1", turn)
    bounce(desk, desk.last(ANN), ANN)
    assert "In CC-1 their clock runs; it stood still before" in words(desk.last(OPERATOR))
    desk.later(hours=49)
    desk.tick()
    assert desk.last(ANN).kind == "timeout"
    assert standing(desk) == timedelta(hours=48)


def test_what_the_host_plays_for_somebody_whose_clock_stands_still_counts_as_well(desk: Desk) -> None:
    desk.begin()
    for command in ("cut 5", "pick 1"):
        bounce(desk, desk.last(ANN), ANN)
        desk.later(hours=30)
        with desk.store.transaction() as session:
            admin.say(Work(session, desk.services, desk.now), "CC-1", command, "Ann")
        desk.send()
    assert standing(desk) == timedelta(hours=48), "30 hours, and the 18 that were left"


def test_another_episode_has_its_own_two_days(make_desk: MakeDesk) -> None:
    desk = make_desk(games={"champion-poker": {"seats": 1}})
    desk.begin()
    begin = desk.last(ANN)
    bounce(desk, begin, ANN)
    desk.later(hours=50)
    clocks.start_overdue_clocks(desk.services, desk.now)
    desk.answer(ANN, "cut 5", begin)
    desk.write(ANN, ADDRESS, GAMES["champion-poker"].subject, "Name: Ann Lee")
    desk.answer(ANN, "confirm")
    assert desk.last(ANN).headers["x-podium-episode"] == "CP-1"
    bounce(desk, desk.last(ANN), ANN)
    alert = words(desk.last(OPERATOR))
    assert "In CC-1 their clock runs; it stood still before" in alert
    assert "In CP-1 their clock stands still, for 48 hours at most" in alert


def due_of_ann(desk: Desk) -> datetime:
    with desk.store.reading() as session:
        ann = contestant_of_address(session, ANN)
        assert ann is not None
        (row,) = open_questions(session, contestant_id=ann.id, purpose="game")
        assert row.due_at is not None
        return row.due_at
