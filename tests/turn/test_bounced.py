"""Letters that come back: the host hears of it, and the clock stands still once."""

from datetime import timedelta

import pytest

from host.demo.robot import ReadLetter
from host.store.people import contestant_of_address
from host.store.schema import Inbound, Letter, Question
from host.turn import bounced, clocks, hand
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
    clocks.start_overdue_clocks(desk.house, desk.now)
    bounce(desk, begin, ANN, status="5.2.1")
    desk.later(hours=47)
    desk.tick()
    assert "timeout" not in [each.kind for each in desk.letters(ANN)]
    desk.later(hours=2)
    desk.tick()
    assert desk.last(ANN).kind == "timeout", "a second bounce of the same question stops nothing"


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
        hand.resend(session, desk.house, "CC-1", "Ann", desk.now)
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


def test_a_bounced_registration_letter_tells_the_host_nothing_is_stopped(desk: Desk) -> None:
    desk.write(ANN, ADDRESS, desk.game.subject, "Name: Ann Lee")
    bounce(desk, desk.last(ANN), ANN)
    assert "Ann cannot be reached" in words(desk.last(OPERATOR))


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


def test_the_alert_says_where_a_letter_that_never_arrived_keeps_an_episode_waiting(desk: Desk) -> None:
    desk.begin()
    with desk.store.transaction() as session:
        letter = session.query(Letter).filter(Letter.kind == "begin", Letter.address == ANN).one()
        for row in session.query(Question).filter(Question.purpose == "game"):
            row.asked_at = None
        bounced.came_back(session, desk.house, letter, "550 no", desk.now)
    desk.send()
    assert "In CC-1 their question never arrived" in words(desk.last(OPERATOR))
    assert "podium withdraw CC-1 Ann" in words(desk.last(OPERATOR))
