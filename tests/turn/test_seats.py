"""A seat is given to somebody else, who plays on: the letters, the clocks, who may, and whose the result is."""

from datetime import datetime

import pytest
from sqlalchemy import select

from host.store.schema import Contestant, Registration, Seat
from host.turn import people
from host.turn.admin import AdminError
from tests.turn.conftest import MakeDesk
from tests.turn.desk import Desk, words
from tests.turn.test_admin import ANN, BOB, CLEO, by_hand

ZED = "zed@example.net"


@pytest.fixture
def house(desk: Desk) -> Desk:
    """Ann and Bob play, Zed waits for the next episode."""
    desk.begin()
    desk.register(ZED, "Zed Poe")
    return desk


def states(desk: Desk, address: str) -> list[str]:
    with desk.store.reading() as session:
        rows = session.scalars(select(Registration).join(Contestant).where(Contestant.address == address))
        return [each.state for each in rows]


def test_somebody_plays_on_with_the_whole_time_and_all_hear_of_it(house: Desk) -> None:
    before = house.last(ANN)
    assert before.asks
    house.later(hours=30)
    assert by_hand(house, people.seat, "cc-1", "ann", "Zed") == "Zed plays on in the seat of Ann, who left. (CC-1)"
    letter = house.last(ZED)
    assert "You play on for Ann" in words(letter)
    assert letter.asks
    due = datetime.fromisoformat(letter.headers["x-podium-reply-by"].replace("Z", "+00:00"))
    assert (due - house.now).total_seconds() == 48 * 3600
    assert "Zed plays on in the seat of Ann, who left. If that is not fair in your eyes, write host and why." in words(
        house.last(BOB)
    )
    assert "Zed plays on in your seat" in words(house.last(ANN))
    assert (states(house, ANN), states(house, ZED)) == (["left"], ["playing"])
    assert house.answer(ANN, "cut 5", before).state == "refused"
    row = house.answer(ZED, "cut 5", letter)
    assert (row.state, row.note) == ("played", "cut 5")
    assert "Which card do you turn over?" in words(house.last(ZED))


def test_what_the_former_player_sent_ahead_is_not_played(house: Desk) -> None:
    house.answer(BOB, "freeze at 15")
    by_hand(house, people.seat, "CC-1", "Bob", ZED)
    assert "freeze at 15" not in house.last(ZED).text


def test_the_result_is_whose_it_is_at_the_end(house: Desk) -> None:
    by_hand(house, people.seat, "CC-1", "Ann", ZED)
    for each in (BOB, ZED):
        house.answer(each, "resign")
        house.answer(each, "yes")
    assert house.last(ZED).kind == "result"
    with house.store.reading() as session:
        seats = session.scalars(select(Seat).where(Seat.won.is_(True))).all()
        assert [(each.name, each.contestant.address) for each in seats] == [("Ann", ZED)]


@pytest.mark.parametrize(
    ("name", "who", "why"),
    [
        ("Ann", "Bob", "Bob sits at that table already"),
        ("Ann", "Nobody", "no contestant Nobody"),
        ("Zed", "Zed", "Zed does not play in CC-1"),
    ],
)
def test_who_cannot_sit_there(house: Desk, name: str, who: str, why: str) -> None:
    before = house.count()
    with pytest.raises(AdminError, match=why):
        by_hand(house, people.seat, "CC-1", name, who)
    assert house.count() == before


def test_nobody_sits_for_the_champion_or_at_two_tables(make_desk: MakeDesk) -> None:
    desk = make_desk(games={"champ-cards": {"tables": 2}})
    desk.begin()
    for each in (ANN, BOB):
        desk.answer(each, "resign")
        desk.answer(each, "yes")
    desk.register(CLEO, "Cleo Fox")
    desk.later(hours=7)
    desk.tick()
    for address, name in ((ZED, "Zed Poe"), ("yan@example.net", "Yan Orr"), ("xia@example.net", "Xia Kim")):
        desk.register(address, name)
    desk.tick()
    with pytest.raises(AdminError, match="champion's seat is theirs alone"):
        by_hand(desk, people.seat, "CC-2", "Bob", "Xia")
    with pytest.raises(AdminError, match="in another episode"):
        by_hand(desk, people.seat, "CC-2", "Cleo", "Zed")
