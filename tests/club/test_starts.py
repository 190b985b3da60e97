"""A calendar of games: episodes begin from a start on for a day, who was quiet is asked before it, letters say when it is."""

import pytest
from sqlalchemy import select

from host.cli import format
from host.store.schema import Episode
from host.turn import admin, reports, requests
from tests.club.test_company import say
from tests.turn.conftest import MakeDesk
from tests.turn.desk import Desk, words
from tests.turn.test_admin import ANN, BOB, CLEO, by_hand

MONDAY = "The next episodes begin on Monday, 23 November, 18:00 (America/New_York)."
"""The desk's clock begins on Friday, 20 November 2026, at 7:00 in New York."""
DOV = "dov@example.net"
BEGUN, REGISTERED, READY = "begin", "registered", "ready"


@pytest.fixture
def house(make_desk: MakeDesk) -> Desk:
    return make_desk(games={"champ-cards": {"starts": "Mondays 18:00", "tables": 2}})


def both(desk: Desk) -> list[str]:
    return [desk.last(who).kind for who in (ANN, BOB)]


def test_an_episode_waits_for_its_start(house: Desk) -> None:
    for who, name in ((ANN, "Ann Lee"), (BOB, "Bob Ray")):
        house.register(who, name)
        assert MONDAY in words(house.last(who))
    assert both(house) == [REGISTERED, REGISTERED]
    house.tick()
    assert both(house) == [REGISTERED, REGISTERED]
    assert MONDAY in say(house, ANN, "status")
    assert MONDAY in say(house, ANN, "again")


def test_the_announcement_and_who_asks_what_is_played_hear_of_the_start(house: Desk) -> None:
    assert MONDAY in requests.forum_text(house.config, house.game, house.now)
    house.write(DOV, "games@example.org", "What is Champ Cards?", "How does it work?")
    assert MONDAY in words(house.last(DOV))


def test_the_host_sees_the_next_start(house: Desk) -> None:
    with house.store.reading() as session:
        found = reports.status(session, house.config, house.now)
    assert found["games"]["champ-cards"]["next_start"] == "2026-11-23T23:00:00Z"
    assert "2026-11-23T23:00:00Z" in format.status(found)
    assert format.queue([], reports.next_start(house.config, "champ-cards", house.now)).endswith("23T23:00:00Z")
    assert reports.next_start(house.config, "bluffjack", house.now) is None


def test_who_will_be_quiet_is_asked_two_days_before_and_it_begins_on_time(house: Desk) -> None:
    house.register(ANN, "Ann Lee")
    house.later(hours=20)
    house.register(BOB, "Bob Ray")
    house.later(hours=14.9)  # 48 hours and some minutes before the start
    house.tick()
    assert both(house) == [REGISTERED, REGISTERED]
    house.later(hours=0.2)
    house.tick()
    assert both(house) == [READY, REGISTERED], "Bob will have been quiet for less than three days"
    assert MONDAY in words(house.last(ANN))
    house.answer(ANN, "ready")
    assert MONDAY in words(house.last(ANN))
    house.later(hours=47.8)
    house.tick()
    assert both(house) == [REGISTERED, REGISTERED]
    house.later(hours=0.2)
    house.tick()
    assert both(house) == [BEGUN, BEGUN]


def test_who_registers_on_the_day_plays_and_who_comes_later_waits(house: Desk) -> None:
    house.register(ANN, "Ann Lee")
    house.later(days=3, hours=15)  # Monday, 22:00
    house.answer(ANN, "status")
    house.register(BOB, "Bob Ray")
    assert both(house) == [BEGUN, BEGUN]
    house.later(hours=21)
    house.register(CLEO, "Cleo Fox")
    house.register(DOV, "Dov Orr")
    assert "begin on Monday, 30 November, 18:00" in words(house.last(CLEO))
    house.tick()
    assert house.last(CLEO).kind == REGISTERED


def test_within_the_day_letters_say_until_when(house: Desk) -> None:
    house.later(days=3, hours=15)
    house.register(ANN, "Ann Lee")
    assert "Episodes begin until Tuesday, 24 November, 18:00, and then again from Monday" in words(house.last(ANN))


def test_the_host_begins_one_at_any_time(house: Desk) -> None:
    house.register(ANN, "Ann Lee")
    house.register(BOB, "Bob Ray")
    by_hand(house, admin.begin, "champ-cards")
    assert both(house) == [BEGUN, BEGUN]


def test_an_invitation_waits_for_no_start(house: Desk) -> None:
    house.register(ANN, "Ann Lee")
    say(house, ANN, f"invite {BOB} to Champ Cards")
    house.answer(BOB, "yes\nName: Bob")
    assert both(house) == [BEGUN, BEGUN]


def test_a_game_without_starts_says_nothing_of_them(desk: Desk) -> None:
    desk.register(ANN, "Ann Lee")
    assert "The next episodes" not in words(desk.last(ANN))


def test_at_a_start_those_sit_together_who_have_met_least(house: Desk) -> None:
    house.register(ANN, "Ann Lee")
    house.register(BOB, "Bob Ray")
    by_hand(house, admin.begin, "champ-cards")
    for who in (ANN, BOB):  # who wins plays a bonus round
        house.answer(who, "resign")
        house.answer(who, "yes")
    house.answer(ANN, "again")
    house.register(CLEO, "Cleo Fox")
    house.register(DOV, "Dov Orr")
    house.later(days=3, hours=15)
    for who in (ANN, BOB, CLEO, DOV):
        house.answer(who, "status")
    house.tick()
    with house.store.reading() as session:
        episodes = session.scalars(select(Episode).order_by(Episode.id)).all()
        assert [[seat.name for seat in each.seats] for each in episodes[1:]] == [["Bob", "Cleo"], ["Ann", "Dov"]]
