"""Somebody takes over the seat of one who left: the host wants it, the taker says yes, and nobody else anything against it."""

import json
from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from sqlalchemy import select

from host.club import seasons
from host.daemon import steps
from host.demo.robot import ReadLetter, write
from host.mail.outbound.smtp import Sent
from host.store.schema import Seat
from host.table.work import Work, begin
from host.turn import admin, people, reports
from host.turn.admin import AdminError
from tests.size import a_few
from tests.turn.conftest import MakeDesk
from tests.turn.desk import OPERATOR, Desk, words

ANN, BOB, CLEO, DOV, EVE = (f"{name}@example.net" for name in ("ann", "bob", "cleo", "dov", "eve"))
A_DAY_AND_MORE = 26
"""Hours after which who is asked has nothing against it."""


@pytest.fixture
def table(make_desk: MakeDesk) -> Desk:
    """Ann, Bob and Cleo play Split Decision, Dov waits for the next."""
    desk = make_desk(game="split-decision", games={"split-decision": {"seats": 3}})
    for address, name in ((ANN, "Ann"), (BOB, "Bob"), (CLEO, "Cleo"), (DOV, "Dov")):
        desk.register(address, name)
    return desk


def act(desk: Desk, what: Callable[[Work], str]) -> str:
    with begin(desk.services, desk.now) as work:
        told = what(work)
    desk.send()
    return told


def seat(desk: Desk, name: str, who: str, code: str = "SD-1") -> str:
    return act(desk, lambda work: people.seat(work, code, name, who))


def wait(desk: Desk) -> None:
    desk.later(hours=A_DAY_AND_MORE)
    desk.tick()


def names(desk: Desk) -> list[str]:
    with desk.store.reading() as session:
        return list(session.scalars(select(Seat.name).order_by(Seat.seat)))


def said(desk: Desk) -> list[dict[str, str]]:
    with desk.store.reading() as session:
        found = reports.episode(session, "SD-1", True)
        assert found is not None
        return [json.loads(row["text"]) for row in found["record"]]


def told_host(desk: Desk) -> str:
    return " ".join(words(letter) for letter in desk.letters(OPERATOR))


def test_the_seat_is_theirs_when_the_taker_says_yes_and_the_others_nothing_against_it(table: Desk) -> None:
    table.answer(BOB, "codes random")
    assert seat(table, "Bob", DOV) == "Dov, Ann, Bob and Cleo are asked."
    assert "Do you play on in SD-1 in the place of Bob?" in words(table.last(DOV))
    table.answer(DOV, "yes")
    table.answer(ANN, "yes")
    assert names(table) == ["Ann", "Bob", "Cleo"]
    wait(table)
    assert names(table) == ["Ann", "Dov", "Cleo"]
    assert said(table)[0]["from"] == "Dov", "the record is theirs from the beginning"
    assert "Dov plays on in SD-1, in the seat that was Bob's." in words(table.last(BOB))
    assert "in the seat that was Bob's" in words(table.last(CLEO))
    assert "A seat has changed hands" in told_host(table)


@pytest.mark.storm
def test_the_first_letter_of_the_taker_has_the_chain_and_says_of_no_line_that_it_is_theirs(make_desk: MakeDesk) -> None:
    desk = make_desk(game="split-decision", games={"split-decision": {"seats": 3}})
    with begin(desk.services, desk.now) as work:
        seasons.begin(work, "Winter", None, None, ())
    for address, name in ((ANN, "Ann"), (BOB, "Bob"), (CLEO, "Cleo"), (DOV, "Dov")):
        desk.register(address, name)
    assert [desk.last(each).headers["x-podium-seat"] for each in (ANN, BOB, CLEO)] == ["1", "2", "3"]
    seat(desk, "Bob", DOV)
    desk.answer(DOV, "yes")
    wait(desk)
    first = desk.last(DOV)
    assert first.headers["x-podium-chain"].startswith("1 ")
    assert "x-podium-seat" not in first.headers
    assert "You play on in SD-1, Split Decision, in the seat that was Bob's." in words(first)


def test_who_left_is_told_that_the_seat_is_another_s(table: Desk) -> None:
    asked = table.last(BOB)
    seat(table, "Bob", DOV)
    table.answer(DOV, "yes")
    wait(table)
    for text in ("codes random", "resign", "I object! That was my seat, please give it back."):
        table.answer(BOB, text, asked)
        told = words(table.last(BOB))
        assert "Somebody else plays in your seat in SD-1 now, so nothing of your reply was played." in told, text
    assert "That was my seat" in told_host(table)
    table.answer(BOB, "status", asked)
    assert "Somebody else" not in words(table.last(BOB))


@pytest.mark.parametrize(
    "text", a_few(["no", "I object. That is not all right with me", "of course not", "I mind", "no, they would cheat"])
)
def test_whatever_is_no_yes_is_an_objection_and_the_host_reads_it(table: Desk, text: str) -> None:
    seat(table, "Bob", DOV)
    table.answer(DOV, "yes")
    table.answer(ANN, text)
    assert f"Ann does not agree. They wrote “{text}”." in told_host(table)
    assert "The seat stays as it is" in words(table.last(DOV))
    assert f"“{text}”" not in words(table.last(DOV)) + words(table.last(CLEO)), "the others do not read it"
    assert "The seat stays as it is" in words(table.last(CLEO))
    wait(table)
    assert names(table) == ["Ann", "Bob", "Cleo"]


def test_a_move_is_no_answer_and_nobody_else_reads_it(table: Desk) -> None:
    seat(table, "Bob", DOV)
    before = table.count()
    table.answer(ANN, "codes 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30")
    ((to, letter, _),) = table.sent[before:]
    assert (to, "nothing was played" in words(letter)) == (ANN, True)
    table.answer(DOV, "yes")
    wait(table)
    assert names(table) == ["Ann", "Dov", "Cleo"]


@pytest.mark.parametrize("text", ["1", "2", "no problem", "Not a problem, thanks", "cancel"])
def test_what_is_neither_yes_nor_no_leaves_the_question_open(table: Desk, text: str) -> None:
    seat(table, "Bob", DOV)
    table.answer(DOV, "yes")
    table.answer(ANN, text)
    assert "does not agree" not in words(table.last(DOV))
    wait(table)
    assert names(table) == ["Ann", "Dov", "Cleo"]


def test_whose_seat_it_is_keeps_it_by_a_no(table: Desk) -> None:
    seat(table, "Bob", DOV)
    table.answer(DOV, "yes")
    assert "If you play on yourself, write no." in words(table.last(BOB))
    table.answer(BOB, "no, I am back")
    wait(table)
    assert names(table) == ["Ann", "Bob", "Cleo"]


def test_a_no_that_came_in_time_counts_however_late_it_is_read(table: Desk) -> None:
    seat(table, "Bob", DOV)
    table.answer(DOV, "yes")
    letters, sent_at = [(each, table.last(each)) for each in (ANN, CLEO, BOB)], table.now
    table.later(hours=25)
    for (address, letter), body in zip(letters, ("yes", "yes", "no, I play on myself"), strict=True):
        to, number = letter.headers["reply-to"], letter.headers["message-id"]
        table.keep(write(address, "", to, "Re: seat", body, number), sent_at + timedelta(hours=10))
    table.work_off()
    table.tick()
    assert names(table) == ["Ann", "Bob", "Cleo"]


def test_a_seat_waits_for_the_deadline_that_its_letter_told(table: Desk) -> None:
    table.answer(BOB, "away until 30 November")
    seat(table, "Bob", DOV)
    table.answer(DOV, "yes")
    until = datetime.fromisoformat(table.last(BOB).headers["x-podium-reply-by"])
    table.later(seconds=(until - table.now).total_seconds() - 3600)
    table.tick()
    assert names(table) == ["Ann", "Bob", "Cleo"]
    table.later(hours=2)
    table.tick()
    assert names(table) == ["Ann", "Dov", "Cleo"]


def test_who_plays_on_keeps_the_seat(table: Desk) -> None:
    asked = table.last(BOB)
    seat(table, "Bob", DOV)
    table.answer(DOV, "yes")
    table.later(hours=1)
    assert table.answer(BOB, "codes random", asked).state == "played"
    wait(table)
    assert names(table) == ["Ann", "Bob", "Cleo"]
    assert "Bob plays on." in told_host(table)


def test_who_is_to_take_it_and_says_nothing_does_not(table: Desk) -> None:
    seat(table, "Bob", DOV)
    for address in (ANN, BOB, CLEO):
        table.answer(address, "yes")
    wait(table)
    assert names(table) == ["Ann", "Bob", "Cleo"]
    assert "Dov did not say yes." in told_host(table)


def test_who_said_yes_may_think_twice(table: Desk) -> None:
    seat(table, "Bob", DOV)
    asked = table.last(DOV)
    table.answer(DOV, "yes", asked)
    table.answer(DOV, "no, after all", asked)
    wait(table)
    assert names(table) == ["Ann", "Bob", "Cleo"]


@pytest.mark.storm
def test_who_was_barred_meanwhile_takes_no_seat_without_a_yes(table: Desk) -> None:
    seat(table, "Bob", DOV)
    act(table, lambda work: people.bar(work, DOV, "insults"))
    act(table, lambda work: people.unbar(work, DOV))
    for address in (ANN, BOB, CLEO):
        table.answer(address, "yes")
    wait(table)
    assert names(table) == ["Ann", "Bob", "Cleo"]


@pytest.mark.storm
def test_a_letter_that_never_arrives_and_one_who_leaves_hold_nothing_up(table: Desk) -> None:
    with begin(table.services, table.now) as work:
        people.seat(work, "SD-1", "Bob", DOV)
    claimed = steps.claim_letters(table.services, table.now, 50) or []
    tried = [(each, Sent("refused", "550 no") if each.address == CLEO else Sent("sent", "250 ok")) for each in claimed]
    steps.settle_letters(table.services, tried, table.now)
    table.sent += [(each.address, ReadLetter(each.message), each.message) for each in claimed]
    table.answer(DOV, "yes")
    table.answer(BOB, "yes")
    act(table, lambda work: people.forget(work, ANN))
    wait(table)
    assert names(table)[1] == "Dov"


def test_they_play_and_who_had_the_seat_does_not(table: Desk) -> None:
    seat(table, "Bob", DOV)
    old = table.letters(BOB)[0]
    for address in (DOV, ANN, CLEO, BOB):
        table.answer(address, "yes")
    first = table.last(DOV)
    assert first.kind == "begin"
    assert "x-podium-commitment" in first.headers
    assert table.answer(BOB, "codes random", old).state != "played"
    table.answer(BOB, "host: I did not want that!", old)
    assert "I did not want that!" in told_host(table)
    assert table.answer(DOV, "codes random").state == "played"
    assert said(table)[-1]["from"] == "Dov"
    with pytest.raises(AdminError, match="Dov plays Split Decision already, in SD-1"):
        seat(table, "Ann", DOV)
    with pytest.raises(AdminError, match="Bob had a seat in SD-1 before"):
        seat(table, "Ann", BOB)


@pytest.mark.storm
def test_a_forfeit_is_taken_back_first(make_desk: MakeDesk) -> None:
    desk = make_desk()
    desk.begin()
    desk.register(CLEO, "Cleo")
    desk.later(hours=49)
    desk.tick()
    with pytest.raises(AdminError, match="podium back CC-1 LINE takes it back"):
        seat(desk, "Ann", CLEO, "CC-1")
    with begin(desk.services, desk.now) as work:
        admin.back(work, "CC-1", 1)
    seat(desk, "Ann", CLEO, "CC-1")
    for address in (CLEO, BOB, ANN):
        desk.answer(address, "yes")
    assert desk.answer(CLEO, "cut 5").state == "played"


def test_a_contestant_asks_and_the_host_decides_by_a_tap(table: Desk) -> None:
    table.answer(DOV, "take over SD-1 please")
    assert "The host hears of it" in words(table.last(DOV))
    assert "Dov would take over a seat in SD-1" in words(table.last(OPERATOR))
    assert "Last heard from: Ann on 20 November, Bob on 20 November and Cleo on 20 November." in words(
        table.last(OPERATOR)
    )
    table.tap(OPERATOR, f"seat SD-1 Cleo {DOV}")
    assert "Do you play on in SD-1 in the place of Cleo?" in words(table.last(DOV))
    assert "left it" not in words(table.last(OPERATOR))
    act(table, lambda work: admin.withdraw(work, "SD-1", "Bob"))
    table.register(EVE, "Eve")
    table.answer(EVE, "take over SD-1")
    assert "Bob left it. If that was a forfeit, podium back SD-1 LINE takes it back" in told_host(table)
    table.answer(DOV, "take over SD-7")
    assert "There is no episode SD-7" in words(table.last(DOV))


def test_of_two_who_would_take_a_seat_one_is_asked(table: Desk) -> None:
    table.register(EVE, "Eve")
    seat(table, "Bob", DOV)
    with pytest.raises(AdminError, match="is being asked already"):
        seat(table, "Bob", EVE)
    with pytest.raises(AdminError, match="wait until that is settled"):
        act(table, lambda work: people.merge(work, DOV, EVE))
