"""Who plays next."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.play.matchmaking import QUIET_AFTER, InQueue, Plan, plan

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)


def waiting(contestant: int, hours: float = 0, asked: bool = False, passed: bool = False) -> InQueue:
    return InQueue(contestant, NOW - timedelta(hours=hours), asked, passed)


@pytest.mark.parametrize(
    ("queue", "wanted"),
    [
        ([], Plan()),
        ([waiting(1)], Plan()),
        ([waiting(1), waiting(2)], Plan(begin=(1, 2))),
        ([waiting(1), waiting(2), waiting(3)], Plan(begin=(1, 2))),
        ([waiting(2), waiting(1)], Plan(begin=(2, 1))),
        ([waiting(1, 71), waiting(2)], Plan(begin=(1, 2))),
        ([waiting(1, 72), waiting(2)], Plan(ask=(1,))),
        ([waiting(1, 80), waiting(2, 80)], Plan(ask=(1, 2))),
        ([waiting(1, 80, asked=True), waiting(2, 80)], Plan(ask=(2,))),
        ([waiting(1, 80, asked=True), waiting(2)], Plan()),
        ([waiting(1, 0, asked=True), waiting(2)], Plan()),
        ([waiting(1, 80, asked=True), waiting(2), waiting(3)], Plan()),
        ([waiting(1, 80, passed=True), waiting(2), waiting(3)], Plan(begin=(2, 3))),
        ([waiting(1, 80, passed=True), waiting(2)], Plan()),
        ([waiting(1), waiting(2), waiting(3, 80)], Plan(begin=(1, 2))),
    ],
)
def test_who_plays_next(queue: list[InQueue], wanted: Plan) -> None:
    assert plan(queue, 2, NOW) == wanted


def test_quiet_is_three_days() -> None:
    assert timedelta(hours=72) == QUIET_AFTER


@given(
    st.lists(st.builds(waiting, st.integers(1, 99), st.integers(0, 200), st.booleans(), st.booleans()), max_size=6),
    st.integers(1, 4),
)
def test_a_plan_is_of_those_who_wait(queue: list[InQueue], seats: int) -> None:
    found = plan(queue, seats, NOW)
    assert not (found.begin and found.ask)
    assert len(found.begin) in (0, seats)
    assert set(found.begin + found.ask) <= {each.contestant for each in queue if not each.passed}
