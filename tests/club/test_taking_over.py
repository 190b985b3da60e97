"""Somebody takes over the seat of one who left: the host wants it, the taker says yes, and nobody else no."""

import json
from datetime import timedelta

import pytest
from sqlalchemy import select

from host.club.taking_over import WITHIN
from host.store.schema import Seat
from host.table.work import begin
from host.turn import admin, people, reports
from host.turn.admin import AdminError
from tests.turn.conftest import MakeDesk
from tests.turn.desk import OPERATOR, Desk, words

ANN, BOB, CLEO, DOV, EVE = (f"{name}@example.net" for name in ("ann", "bob", "cleo", "dov", "eve"))


@pytest.fixture
def table(make_desk: MakeDesk) -> Desk:
    """Ann, Bob and Cleo play Split Decision, Dov waits for the next."""
    desk = make_desk(game="split-decision", games={"split-decision": {"seats": 3}})
    for address, name in ((ANN, "Ann"), (BOB, "Bob"), (CLEO, "Cleo"), (DOV, "Dov")):
        desk.register(address, name)
    return desk


def seat(desk: Desk, name: str, who: str, code: str = "SD-1") -> str:
    with begin(desk.services, desk.now) as work:
        told = people.seat(work, code, name, who)
    desk.send()
    return told


def names(desk: Desk) -> list[str]:
    with desk.store.reading() as session:
        return list(session.scalars(select(Seat.name).order_by(Seat.seat)))


def said(desk: Desk) -> list[dict[str, str]]:
    with desk.store.reading() as session:
        found = reports.episode(session, "SD-1", True)
        assert found is not None
        return [json.loads(row["text"]) for row in found["record"]]


def test_the_seat_is_theirs_when_the_taker_says_yes_and_the_others_nothing_against_it(table: Desk) -> None:
    table.answer(BOB, "codes random")
    assert "Dov, Ann and Cleo are asked." in seat(table, "Bob", DOV)
    assert "Do you play on in SD-1 in the place of Bob?" in words(table.last(DOV))
    table.answer(DOV, "yes")
    table.answer(ANN, "yes")
    assert names(table) == ["Ann", "Bob", "Cleo"]
    table.later(hours=WITHIN / timedelta(hours=1) + 1)
    table.tick()
    assert names(table) == ["Ann", "Dov", "Cleo"]
    assert said(table)[0]["from"] == "Dov", "the record is theirs from the beginning"
    assert "Dov plays on in SD-1, in the seat that was Bob's." in words(table.last(BOB))
    assert "in the seat that was Bob's" in words(table.last(CLEO))


def test_a_no_ends_it(table: Desk) -> None:
    seat(table, "Bob", DOV)
    table.answer(DOV, "yes")
    table.answer(ANN, "no")
    table.answer(CLEO, "yes")
    assert names(table) == ["Ann", "Bob", "Cleo"]
    assert "Ann said no." in words(table.last(DOV))


def test_who_is_to_take_it_and_says_nothing_does_not(table: Desk) -> None:
    seat(table, "Bob", DOV)
    table.answer(ANN, "yes")
    table.answer(CLEO, "yes")
    table.later(hours=30)
    table.tick()
    assert names(table) == ["Ann", "Bob", "Cleo"]


def test_they_play_and_who_had_the_seat_does_not(table: Desk) -> None:
    seat(table, "Bob", DOV)
    old = table.last(BOB)
    for address in (DOV, ANN, CLEO):
        table.answer(address, "yes")
    first = table.last(DOV)
    assert first.kind == "begin"
    assert "x-podium-commitment" in first.headers
    assert table.answer(BOB, "codes random", old).state != "played"
    assert table.answer(DOV, "codes random").state == "played"
    assert said(table)[-1] == {"from": "Dov", "say": said(table)[-1]["say"]}
    with pytest.raises(AdminError, match="Dov plays Split Decision already, in SD-1"):
        seat(table, "Ann", DOV)


def test_a_forfeit_is_taken_back_first(make_desk: MakeDesk) -> None:
    desk = make_desk()
    desk.begin()
    desk.register(CLEO, "Cleo")
    desk.later(hours=49)
    desk.tick()
    with pytest.raises(AdminError, match="take the forfeit back first with podium back CC-1 LINE"):
        seat(desk, "Ann", CLEO, "CC-1")
    with begin(desk.services, desk.now) as work:
        admin.back(work, "CC-1", 1)
    seat(desk, "Ann", CLEO, "CC-1")
    desk.answer(CLEO, "yes")
    desk.answer(BOB, "yes")
    assert desk.answer(CLEO, "cut 5").state == "played"


def test_a_contestant_asks_and_the_host_decides_by_a_tap(table: Desk) -> None:
    table.answer(DOV, "take over SD-1")
    assert "The host hears of it" in words(table.last(DOV))
    alert = table.last(OPERATOR)
    assert "Dov would take over a seat in SD-1" in words(alert)
    table.tap(OPERATOR, f"seat SD-1 Cleo {DOV}")
    assert "Do you play on in SD-1 in the place of Cleo?" in words(table.last(DOV))
    table.answer(DOV, "take over SD-7")
    assert "There is no episode SD-7" in words(table.last(DOV))


def test_of_two_who_would_take_a_seat_one_does(table: Desk) -> None:
    table.register(EVE, "Eve")
    seat(table, "Bob", DOV)
    seat(table, "Bob", EVE)
    to_ann = [letter for letter in table.letters(ANN) if letter.kind == "ready"]
    to_cleo = [letter for letter in table.letters(CLEO) if letter.kind == "ready"]
    for letters, address in ((to_ann, ANN), (to_cleo, CLEO)):
        for letter in letters:
            table.answer(address, "yes", letter)
    table.answer(DOV, "yes")
    table.answer(EVE, "yes")
    assert names(table) == ["Ann", "Dov", "Cleo"]
    assert "somebody else has taken it" in words(table.last(EVE)) or "somebody else" in words(table.last(OPERATOR))
