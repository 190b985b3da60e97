"""Calls to former players: who gets one before a start, how many, and what answers to it do."""

from typing import Any

import pytest
from sqlalchemy import select

from host.play.services import Service, Wish, take_wishes
from host.store.schema import Contestant, Letter, Registration
from host.turn import admin, people
from tests.club.test_company import say
from tests.size import a_few
from tests.turn.conftest import MakeDesk
from tests.turn.desk import Desk, words
from tests.turn.test_admin import ANN, BOB, CLEO, by_hand

DATED = "every 30 days from 2026-12-07 18:00"


def played(make_desk: MakeDesk, **settings: Any) -> Desk:
    """Ann and Cleo have played, and Bob, who is champion. The next start is on 7 December, seventeen days later."""
    desk = make_desk(games={"champ-cards": {"starts": DATED, **settings}})

    def tell() -> None:
        for who, name in ((ANN, "Ann Lee"), (BOB, "Bob Ray")):
            desk.register(who, name)
        lose(desk, ANN)
        desk.register(CLEO, "Cleo Fox")
        lose(desk, CLEO)

    desk.once("played", tell)
    return desk


def lose(desk: Desk, who: str) -> None:
    """An episode begins and ends: `who` resigns, then Bob in the bonus round."""
    by_hand(desk, admin.begin, "champ-cards")
    for each in (who, BOB):
        desk.answer(each, "resign")
        desk.answer(each, "yes")
    desk.later(hours=1)


@pytest.fixture
def house(make_desk: MakeDesk) -> Desk:
    return played(make_desk)


def called(desk: Desk) -> list[str]:
    with desk.store.reading() as session:
        return list(session.scalars(select(Letter.address).where(Letter.purpose == "call").order_by(Letter.id)))


def week_before(desk: Desk) -> None:
    desk.later(days=10, hours=9)
    desk.tick()


def wants(desk: Desk, who: str) -> bool:
    with desk.store.reading() as session:
        return session.scalars(select(Contestant).where(Contestant.address == who)).one().wants_calls


def waiting(desk: Desk) -> list[str]:
    with desk.store.reading() as session:
        rows = session.scalars(select(Registration).where(Registration.state == "waiting"))
        return [each.contestant.address for each in rows]


def test_who_played_last_is_called_first_a_week_before_and_once(house: Desk) -> None:
    house.later(days=10)
    house.tick()
    assert called(house) == []
    house.later(hours=9)
    house.tick()
    assert called(house) == [CLEO, ANN], "Bob is champion"
    letter = house.last(ANN)
    assert letter.kind == "ready"
    assert "Champ Cards begins on Monday, 7 December" in words(letter)
    assert "on Monday, 7 December, 18:00 (America/New_York)" in words(letter)
    assert [each.rpartition("body=")[2] for each in letter.links] == ["again%20Champ%20Cards", "invite%20off"]
    for _ in range(3):
        house.later(days=1)
        house.tick()
    assert called(house) == [CLEO, ANN]


def test_the_links(house: Desk) -> None:
    week_before(house)
    house.tap(ANN, "again Champ Cards")
    assert "You are in again: number 1" in words(house.last(ANN))
    assert "begin on Monday, 7 December, 18:00" in words(house.last(ANN))
    house.tap(CLEO, "invite off")
    assert "You get no letter any more when a game begins" in words(house.last(CLEO))
    assert waiting(house) == [ANN]
    assert (wants(house, ANN), wants(house, CLEO)) == (True, False)


@pytest.mark.parametrize("text", a_few(["yes", "Yes, gladly!", "yes please"], 1))
def test_a_yes_registers(house: Desk, text: str) -> None:
    week_before(house)
    assert "You are in again: number 1" in say(house, ANN, text)
    assert waiting(house) == [ANN]
    assert wants(house, ANN)
    assert house.letters("boss@example.com") == []


@pytest.mark.parametrize(
    "text", a_few(["no", "No, thank you.", "leave", "unsubscribe", "leave me alone", "invite off"])
)
def test_a_no_ends_the_calls(house: Desk, text: str) -> None:
    week_before(house)
    assert "You get no letter any more when a game begins" in say(house, ANN, text)
    assert not wants(house, ANN)
    assert house.letters("boss@example.com") == []


@pytest.mark.parametrize(
    "text",
    a_few(
        ["not now", "Maybe later, thanks!", "Sorry, not right now.", "later", "not now\nAnn", "Maybe later.\n\nAnn Lee"]
    ),
)
def test_not_now_changes_nothing(house: Desk, text: str) -> None:
    week_before(house)
    before = house.count()
    assert house.answer(ANN, text).state == "silent"
    assert house.count() == before
    assert wants(house, ANN)
    assert waiting(house) == []
    assert house.letters("boss@example.com") == []


def test_a_yes_with_a_but_registers_nobody_and_goes_to_the_host(house: Desk) -> None:
    week_before(house)
    assert "Your words went to the host" in say(house, ANN, "yes, but not before the first of January")
    assert waiting(house) == []
    assert wants(house, ANN)


def test_what_a_no_says_besides_goes_to_the_host(house: Desk) -> None:
    week_before(house)
    say(house, ANN, "No, I broke my arm and cannot hold cards until spring comes, how is Bob?")
    assert not wants(house, ANN)
    assert "broke my arm" in words(house.last("boss@example.com"))


def test_who_registered_and_then_leaves_is_out_of_the_queue_too(house: Desk) -> None:
    week_before(house)
    letter = house.last(ANN)
    house.answer(ANN, "yes", letter)
    house.answer(ANN, "leave", letter)
    assert "You left the queue" in words(house.last(ANN))
    assert waiting(house) == []


def test_nobody_is_called_who_waits_has_gone_or_wants_none(house: Desk) -> None:
    house.answer(ANN, "again")
    say(house, CLEO, "invite off")
    week_before(house)
    assert called(house) == []
    say(house, CLEO, "invite on")
    house.tick()
    assert called(house) == [CLEO]


def test_nobody_is_called_who_plays(house: Desk) -> None:
    house.later(days=10, hours=9)
    house.answer(ANN, "again")
    by_hand(house, admin.begin, "champ-cards")
    house.tick()
    assert called(house) == [CLEO]


def test_nobody_is_called_who_is_barred_leaves_or_cannot_be_reached(house: Desk) -> None:
    by_hand(house, people.bar, ANN, "rude")
    with house.store.transaction() as session:
        session.scalars(select(Contestant).where(Contestant.address == CLEO)).one().bounced_at = house.now
    week_before(house)
    assert called(house) == []


@pytest.mark.storm
def test_a_start_allows_so_many_and_none_where_the_host_wants_none(make_desk: MakeDesk) -> None:
    house = played(make_desk, calls=1)
    week_before(house)
    house.tick()
    assert called(house) == [CLEO]


def test_no_calls(make_desk: MakeDesk) -> None:
    house = played(make_desk, calls=0)
    week_before(house)
    assert called(house) == []


@pytest.mark.storm
def test_a_month_lies_between_two_calls(make_desk: MakeDesk) -> None:
    house = played(make_desk, starts="Mondays 18:00")
    house.tick()
    assert called(house) == [CLEO, ANN]
    for days in (10, 19):
        house.later(days=days)
        house.tick()
    assert called(house) == [CLEO, ANN]
    house.later(days=2)
    house.tick()
    assert called(house) == [CLEO, ANN] * 2


def test_an_address_is_invited_and_off_is_none() -> None:
    assert take_wishes(["invite off", "Invite on."]) == ((), (Wish(Service.CALLS, "off"), Wish(Service.CALLS, "on")))
    assert take_wishes(["invite bob@example.org"])[1] == (Wish(Service.INVITE, "bob@example.org"),)
    assert take_wishes(["invite office@example.org to Champ Cards"])[1][0].service is Service.INVITE
