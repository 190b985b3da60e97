"""Calendar files, read back by another library than the one that writes them: added, moved, taken out."""

import email
from datetime import UTC, datetime, timedelta
from email import policy
from typing import Any

import vobject

from tests.turn.desk import Desk

ANN, BOB = "ann@example.net", "bob@example.net"


def calendars(desk: Desk, address: str) -> dict[str, Any]:
    """The calendar files of the latest letter to an address, by their method."""
    raw = next(raw for to, _, raw in reversed(desk.sent) if to == address)
    message = email.message_from_bytes(raw, policy=policy.default)
    found = {}
    for part in message.iter_attachments():
        if part.get_content_type() == "text/calendar":
            calendar = vobject.readOne(part.get_content())
            assert part.get_param("method") == calendar.method.value
            assert str(part.get_filename()).endswith(".ics")
            found[calendar.method.value] = calendar
    return found


def due(desk: Desk, address: str) -> datetime:
    return datetime.fromisoformat(desk.last(address).headers["x-podium-reply-by"])


def test_no_letter_brings_a_calendar_file_that_nobody_wished_for(desk: Desk) -> None:
    desk.begin()
    assert calendars(desk, ANN) == {}


def test_a_deadline_is_in_the_calendar_with_an_alarm(desk: Desk) -> None:
    desk.begin()
    desk.answer(ANN, "remind 24h 4h")
    desk.answer(ANN, "calendar on")
    event = calendars(desk, ANN)["PUBLISH"].vevent
    assert event.dtstart.value == due(desk, ANN)
    assert event.valarm.trigger.value == -timedelta(hours=4)
    assert event.summary.value.startswith("Champ Cards CC-1: ")
    assert event.organizer.value == "mailto:games@example.org"
    assert event.status.value == "CONFIRMED"
    assert event.dtstamp.value == desk.now.replace(tzinfo=UTC)


def test_a_deadline_that_moved_updates_its_entry(desk: Desk) -> None:
    desk.begin()
    desk.answer(ANN, "calendar on")
    before = calendars(desk, ANN)["PUBLISH"].vevent
    desk.answer(ANN, "status")
    same = calendars(desk, ANN)["PUBLISH"].vevent
    assert (same.uid.value, same.sequence.value) == (before.uid.value, before.sequence.value)
    desk.answer(ANN, "away until Monday")
    moved = calendars(desk, ANN)["PUBLISH"].vevent
    assert moved.uid.value == before.uid.value
    assert int(moved.sequence.value) > int(before.sequence.value)
    assert moved.dtstart.value == due(desk, ANN) > before.dtstart.value


def test_a_question_that_is_answered_is_taken_out_once_and_the_next_one_put_in(desk: Desk) -> None:
    desk.begin()
    desk.answer(ANN, "calendar on")
    asked = calendars(desk, ANN)["PUBLISH"].vevent
    desk.later(hours=1)
    desk.answer(ANN, "cut 5")
    files = calendars(desk, ANN)
    assert set(files) == {"PUBLISH", "CANCEL"}
    assert files["CANCEL"].vevent.uid.value == asked.uid.value
    assert int(files["CANCEL"].vevent.sequence.value) > int(asked.sequence.value)
    assert files["CANCEL"].vevent.status.value == "CANCELLED"
    assert files["PUBLISH"].vevent.uid.value != asked.uid.value
    desk.answer(ANN, "status")
    assert set(calendars(desk, ANN)) == {"PUBLISH"}


def test_the_end_of_an_episode_takes_out_what_was_open(desk: Desk) -> None:
    desk.begin()
    desk.answer(ANN, "calendar on")
    for address in (BOB, ANN):
        desk.answer(address, "resign")
        desk.answer(address, "yes")
    assert desk.last(ANN).kind == "result"
    assert set(calendars(desk, ANN)) == {"CANCEL"}


def test_calendar_off_takes_out_what_is_in_it_and_brings_no_more(desk: Desk) -> None:
    desk.begin()
    desk.answer(ANN, "calendar on")
    asked = calendars(desk, ANN)["PUBLISH"].vevent
    desk.answer(ANN, "calendar off")
    files = calendars(desk, ANN)
    assert set(files) == {"CANCEL"}
    assert files["CANCEL"].vevent.uid.value == asked.uid.value
    assert int(files["CANCEL"].vevent.sequence.value) > int(asked.sequence.value)
    desk.answer(ANN, "status")
    assert calendars(desk, ANN) == {}
    desk.answer(ANN, "cut 5")
    assert calendars(desk, ANN) == {}
