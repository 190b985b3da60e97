"""Names and towns that are corrected after the registration."""

from typing import Any

import pytest

from tests.turn.conftest import MakeDesk
from tests.turn.desk import ADDRESS, OPERATOR, SUBJECT, Desk, words
from tests.turn.test_registration import queue

ANN, BOB = "ann@example.net", "bob@example.net"
BOTH: dict[str, Any] = {"games": {"champ-cards": {}, "bluffjack": {}}}


def test_the_confirm_letter_says_how_to_correct_what_was_read(desk: Desk) -> None:
    desk.write(ANN, ADDRESS, SUBJECT, "name: ANN O'NEIL, hometown: boise, id")
    letter = words(desk.last(ANN))
    assert "Name: Ann O'Neil; Nickname: none; Hometown: Boise, ID" in letter
    assert "call me and a nickname" in letter


@pytest.mark.parametrize(
    ("body", "called"),
    [
        ("call me Lolo", "Lolo"),
        ("Yes, that was me. Please call me Lolo!", "Lolo"),
        ("No, call me Lolo", "Lolo"),
        ("name Mike Ray", "Mike"),
        ("Confirm\nNickname: Lolo", "Lolo"),
    ],
)
def test_a_correction_of_the_confirm_letter_confirms(desk: Desk, body: str, called: str) -> None:
    desk.write(ANN, ADDRESS, SUBJECT, "Name: Ann Lee")
    desk.answer(ANN, body)
    assert desk.last(ANN).kind == "registered"
    assert f"Others will call you {called}" in words(desk.last(ANN))
    assert queue(desk) == [called]


@pytest.mark.parametrize("body", ["No, it was not me, my name is Mike Ray", "my name is Mike Ray\nI did not register"])
def test_who_did_not_register_corrects_nothing(desk: Desk, body: str) -> None:
    desk.write(ANN, ADDRESS, SUBJECT, "Name: Ann Lee")
    before = desk.count()
    desk.answer(ANN, body)
    assert (queue(desk), desk.count()) == ([], before)


def test_a_letter_of_the_queue_takes_corrections(desk: Desk) -> None:
    desk.register(ANN, "Ann Lee")
    row = desk.answer(ANN, "call me Lolo")
    assert row.state == "answered"
    assert "Name: Ann Lee; Nickname: Lolo; Hometown: none" in words(desk.last(ANN))
    desk.answer(ANN, "name Anna Lee\nhometown Boise\nstatus")
    letter = words(desk.last(ANN))
    assert "Name: Anna Lee; Nickname: Lolo; Hometown: Boise" in letter
    assert "You are number 1 in the queue" in letter
    assert queue(desk) == ["Lolo"]


def test_an_address_is_no_name(desk: Desk) -> None:
    desk.register(ANN, "Ann Lee")
    desk.answer(ANN, "Name: ann@example.net\nHometown: Boise")
    assert "Name: Ann Lee; Nickname: none; Hometown: Boise" in words(desk.last(ANN))


def test_a_name_spelt_otherwise_is_corrected_where_it_is_near(desk: Desk) -> None:
    desk.register(ANN, "Uma Gill")
    desk.answer(ANN, "it is spelled Huma")
    assert "Name: Huma Gill" in words(desk.last(ANN))
    desk.answer(ANN, "it is spelled Rebecca")
    assert queue(desk) == ["Huma"]
    assert "it is spelled Rebecca" in words(desk.last(OPERATOR))


def test_what_is_known_already_is_said(desk: Desk) -> None:
    desk.register(ANN, "Ann Lee")
    desk.answer(ANN, "name Ann Lee")
    assert "what I have already" in words(desk.last(ANN))


def test_a_correction_answers_no_ready_letter(desk: Desk) -> None:
    desk.register(ANN, "Ann Lee")
    desk.later(hours=80)
    desk.register(BOB, "Bob Ray")
    ready = desk.last(ANN)
    desk.answer(ANN, "call me Lolo", ready)
    assert desk.last(BOB).kind == "registered"
    assert queue(desk) == ["Lolo", "Bob"]
    desk.answer(ANN, "ready, and call me Annie", ready)
    assert [desk.last(each).kind for each in (ANN, BOB)] == ["begin", "begin"]
    assert "Annie" in words(desk.last(BOB))


def test_a_second_registration_corrects_the_first(desk: Desk) -> None:
    desk.register(ANN, "Ann Lee")
    desk.write(ANN, ADDRESS, SUBJECT, "Name: Anna Lee\nNickname: Lolo")
    letter = words(desk.last(ANN))
    assert "registered already: place 1" in letter
    assert "Others will call you Lolo" in letter
    assert queue(desk) == ["Lolo"]


def test_a_forged_second_registration_corrects_nothing(make_desk: MakeDesk) -> None:
    desk = make_desk(security={"authserv_id": "mx.example.org"})
    desk.register(ANN, "Ann Lee")
    raw = f"From: {ANN}\r\nTo: {ADDRESS}\r\nSubject: {SUBJECT}\r\nMessage-ID: <9@x>\r\n\r\nName: Eve Fox\r\n".encode()
    desk.deliver(b"Authentication-Results: mx.example.org; dmarc=fail\r\n" + raw)
    assert queue(desk) == ["Ann"]


def test_an_episode_under_way_keeps_its_names(make_desk: MakeDesk) -> None:
    desk = make_desk(**BOTH)
    desk.begin()
    desk.write(ANN, ADDRESS, "Bluffjack Contestant Registration", "Name: Ann Lee")
    if desk.last(ANN).kind == "confirm":
        desk.answer(ANN, "confirm")
    desk.answer(ANN, "call me Lolo")
    letter = words(desk.last(ANN))
    assert "Others will call you Lolo" in letter
    assert "In episode CC-1, which is under way, you stay Ann" in letter
    assert "you stay Bob" not in letter
    desk.write(ANN, ADDRESS, SUBJECT, "Name: Anna Lee")
    assert "Nothing was changed" in words(desk.last(ANN))


def test_a_corrected_name_is_no_surname_and_not_the_hosts(desk: Desk) -> None:
    desk.register(ANN, "Ann Lee")
    for wish in ("Lee", "host", "The Millionaire"):
        desk.answer(ANN, f"call me {wish}")
        assert queue(desk) == ["Ann"]


def test_words_to_the_host_beside_a_correction_reach_the_host(desk: Desk) -> None:
    desk.register(ANN, "Ann Lee")
    desk.answer(ANN, "call me Lolo\nhost when does it begin?")
    assert "when does it begin?" in words(desk.last(OPERATOR))
    assert queue(desk) == ["Lolo"]
