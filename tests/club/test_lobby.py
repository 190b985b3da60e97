"""What the next episode waits for: its champion, those who are asked whether they are ready, the host's wish."""

from datetime import timedelta

import pytest

from host.store.people import queue_of, take_lobby
from host.table.clocks import keep_time
from host.turn import admin
from tests.turn.conftest import MakeDesk
from tests.turn.desk import ADDRESS, OPERATOR, Desk, words
from tests.turn.test_admin import by_hand
from tests.turn.test_services import over

ANN, BOB, CLEO, DOV = (f"{name}@example.net" for name in ("ann", "bob", "cleo", "dov"))
A_WHILE = timedelta(days=4)
"""After which somebody who has not written is asked whether they are ready."""


def waits_until(desk: Desk) -> object:
    with desk.store.transaction() as session:
        row = take_lobby(session, "champ-cards")
        return row.champion_waits_until or row.hold_until


def kinds(desk: Desk, *addresses: str) -> list[str]:
    return [desk.last(each).kind for each in addresses]


@pytest.fixture
def waited_for(desk: Desk) -> Desk:
    """Ann, the champion, said `not now: next week`; Cleo waits."""
    over(desk)
    desk.later(days=A_WHILE.days)
    desk.tick()
    desk.register(CLEO, "Cleo Fox")
    assert desk.last(ANN).kind == "ready"
    desk.answer(ANN, "not now: next week")
    desk.answer(CLEO, "status")
    assert "The champion, Ann, cannot play yet" in words(desk.last(CLEO))
    return desk


def test_a_champion_who_said_not_now_and_is_ready_after_all_plays(waited_for: Desk) -> None:
    waited_for.later(hours=5)
    waited_for.answer(ANN, "ready")
    assert kinds(waited_for, ANN, CLEO) == ["begin", "begin"]


def test_the_wait_for_a_champion_ends_with_their_reign(waited_for: Desk) -> None:
    waited_for.answer(ANN, "retire")
    waited_for.answer(ANN, "retire yes")
    assert waits_until(waited_for) is None
    waited_for.register(DOV, "Dov Orr")
    assert kinds(waited_for, CLEO, DOV) == ["begin", "begin"]


def test_the_host_hears_that_a_request_waits_for_the_champion(waited_for: Desk) -> None:
    assert "when the champion, who cannot play yet, is back" in by_hand(waited_for, admin.begin, "champ-cards")


def test_who_is_to_be_forgotten_wins_no_title_and_begins_nothing(desk: Desk) -> None:
    desk.begin()
    desk.answer(ANN, "forget me")
    desk.answer(ANN, "yes")
    desk.register(CLEO, "Cleo Fox")
    desk.write(ANN, ADDRESS, "Champ Cards registration", "Name: Ann Lee")
    assert "You are to be forgotten, so you are in no queue." in words(desk.last(ANN))
    for address in (BOB, ANN):
        desk.answer(address, "resign", desk.last(address) if address == BOB else None)
        desk.answer(address, "yes")
    desk.tick()
    with desk.store.transaction() as session:
        row = take_lobby(session, "champ-cards")
        assert (row.champion_id, row.running) == (None, 0)


@pytest.fixture
def requested(make_desk: MakeDesk) -> Desk:
    """Ann and Bob wait, have been quiet, and were asked as the host wanted to begin."""
    desk = make_desk(games={"champ-cards": {"start": "host"}})
    desk.register(ANN, "Ann Lee")
    desk.register(BOB, "Bob Ray")
    desk.later(days=A_WHILE.days)
    by_hand(desk, admin.begin, "champ-cards")
    assert kinds(desk, ANN, BOB) == ["ready", "ready"]
    return desk


def test_not_now_is_a_no_to_the_host_s_request_as_well(requested: Desk) -> None:
    requested.answer(ANN, "not now: next week")
    requested.tick()
    assert "I ask you again in 7 days" in words(requested.last(ANN))
    requested.answer(BOB, "ready")
    requested.tick()
    assert "No episode of Champ Cards begins" in words(requested.last(OPERATOR))
    requested.later(days=5)
    requested.tick()
    assert "I ask you again in 7 days" in words(requested.last(ANN)), "nobody is asked once more"


def test_silence_ends_the_host_s_request_and_the_next_one_asks_again(requested: Desk) -> None:
    for _ in range(3):
        requested.later(days=2, hours=1)
        requested.tick()
    assert len(requested.letters(ANN)) == 4, "confirm, registered, ready, moved to the end"
    assert "podium begin champ-cards asks them once more" in words(requested.last(OPERATOR))
    by_hand(requested, admin.begin, "champ-cards")
    assert kinds(requested, ANN, BOB) == ["ready", "ready"]


def test_an_old_request_begins_nothing_weeks_later(requested: Desk) -> None:
    requested.answer(ANN, "leave")
    requested.answer(BOB, "leave")
    requested.tick()
    requested.later(days=30)
    requested.register(CLEO, "Cleo Fox")
    requested.register(DOV, "Dov Orr")
    requested.tick()
    assert kinds(requested, CLEO, DOV) == ["registered", "registered"]


def test_a_clock_that_was_ahead_leaves_nobody_waiting_for_it(waited_for: Desk) -> None:
    waited_for.answer(CLEO, "letters daily 18:00")
    now = waited_for.now
    ahead = now + timedelta(days=30)
    keep_time(waited_for.services, now, 0.0, "boot")
    keep_time(waited_for.services, ahead, 10.0, "boot")
    with waited_for.store.transaction() as session:
        take_lobby(session, "champ-cards").champion_waits_until = ahead + timedelta(days=7)
        daily = queue_of(session, "champ-cards")[0].contestant
        daily.daily_at = ahead + timedelta(hours=3)
        queue_of(session, "champ-cards")[0].ask_again_at = ahead + timedelta(days=2)
    keep_time(waited_for.services, now + timedelta(seconds=20), 20.0, "boot")
    with waited_for.store.transaction() as session:
        row, place = take_lobby(session, "champ-cards"), queue_of(session, "champ-cards")[0]
        for until, days in ((row.champion_waits_until, 8), (place.contestant.daily_at, 1), (place.ask_again_at, 3)):
            assert until is not None
            assert until < now + timedelta(days=days)
