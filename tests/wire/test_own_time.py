"""A contestant's own clock behind Dovecot: settings, reminders and absences by mail, and a bad one of each."""

import email
from datetime import datetime
from email.message import Message

import pytest

from host.demo.robot import ReadLetter
from tests.wire.conftest import MakeWorld
from tests.wire.test_episode import words
from tests.wire.world import Person

pytestmark = [pytest.mark.dovecot, pytest.mark.storm]


def asked(person: Person, letter: ReadLetter, text: str) -> ReadLetter:
    """The answer to a wish."""
    person.answer(letter, text)
    return person.wait_for("help")


def files(person: Person) -> list[Message]:
    return [each for each in email.message_from_bytes(person.raw[-1]).walk() if each.get_filename()]


def due(letter: ReadLetter) -> datetime:
    return datetime.fromisoformat(letter.headers["x-podium-reply-by"])


def test_wishes_about_time_are_kept_or_refused_with_a_sentence(make_world: MakeWorld) -> None:
    world = make_world('[deadlines]\ntime_bank = "3d"\n[security]\nconfirm_registration = false\n')
    world.run_daemon(is_forked=False)
    ann, bob = Person(world, "Ann Lee", "ann@example.net"), Person(world, "Bob Ray", "bob@example.com")
    ann.register()
    ann.wait_for("registered")
    bob.register()
    begin = ann.wait_for("begin")
    assert "Did you mean Europe/Rome?" in words(asked(ann, begin, "zone Roma"))
    told = asked(ann, begin, "zone Pacific/Auckland")
    assert "Times are told in Pacific/Auckland" in words(told)
    assert "NZDT" in words(told) or "NZST" in words(told)
    assert "write shorter ones" in words(asked(ann, begin, "remind 99h"))
    assert "24 hours and 4 hours before a deadline" in words(asked(ann, begin, "remind 24h 4h"))
    assert "are no hours" in words(asked(ann, begin, "quiet 25-99"))
    assert "3 days left of 3 days" in words(asked(ann, begin, "bank"))
    before = due(asked(ann, begin, "away 2020-01-01 to 2020-01-05"))
    calendar = asked(ann, begin, "calendar on")
    assert [(each.get_content_type(), each.get_param("method")) for each in files(ann)] == [
        ("text/calendar", "PUBLISH")
    ]
    assert due(calendar) == before, "an absence that is over moves nothing"
    away = asked(ann, begin, "I'm away until tomorrow")
    assert due(away) > before
    assert "Ann is away" in words(bob.wait_for("news"))
    assert "is over" in words(asked(ann, begin, "back early"))
    ann.answer(begin, "cut 5")
    assert "cut the deck at 5" in words(ann.wait_for("turn"))
    assert "away from" in world.podium("episode", "CC-1").stdout
    assert world.terminate() == 0
    assert "Traceback" not in world.log()
