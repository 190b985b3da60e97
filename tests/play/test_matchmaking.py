"""Who plays next."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from host.play.matchmaking import QUIET_AFTER, InQueue, Plan, plan
from tests.rows import every

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)


def waiting(contestant: int, hours: float = 0, asked: bool = False) -> InQueue:
    return InQueue(contestant, NOW - timedelta(hours=hours), asked)


@every(
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
        ([waiting(1), waiting(2), waiting(3, 80)], Plan(begin=(1, 2))),
    ],
)
def test_who_plays_next(queue: list[InQueue], wanted: Plan) -> None:
    assert plan(queue, 2, NOW) == wanted


def test_quiet_is_three_days() -> None:
    assert timedelta(hours=72) == QUIET_AFTER


@given(
    st.lists(st.builds(waiting, st.integers(1, 99), st.integers(0, 200), st.booleans()), max_size=6),
    st.integers(1, 4),
)
def test_a_plan_is_of_those_who_wait(queue: list[InQueue], seats: int) -> None:
    found = plan(queue, seats, NOW)
    assert not (found.begin and found.ask)
    assert len(found.begin) in (0, seats)
    assert set(found.begin + found.ask) <= {each.contestant for each in queue}


def pairs(*met: tuple[int, int, int]) -> dict[frozenset[int], int]:
    return {frozenset((one, other)): times for one, other, times in met}


FOUR = [waiting(each) for each in (1, 2, 3, 4)]


@every(
    ("queue", "seats", "tables", "met", "wanted"),
    [
        (FOUR, 2, 2, pairs(), (1, 2)),
        (FOUR, 2, 2, pairs((1, 2, 1)), (1, 3)),
        (FOUR, 2, 2, pairs((1, 2, 2), (1, 3, 1), (1, 4, 1)), (1, 3)),
        (FOUR, 2, 1, pairs((1, 2, 9)), (1, 2)),
        (FOUR[:3], 2, 2, pairs((1, 2, 9)), (1, 2)),
        (FOUR[:2], 2, 2, pairs((1, 2, 9)), (1, 2)),
        ([*FOUR[:3], waiting(4, 80)], 2, 2, pairs((1, 2, 9)), (1, 2)),
        ([*FOUR, waiting(5), waiting(6)], 3, 2, pairs((1, 2, 1), (1, 3, 1), (4, 5, 1)), (1, 4, 6)),
        ([*FOUR[::-1], waiting(5), waiting(6)], 2, 3, pairs((4, 3, 1), (4, 2, 1), (4, 1, 1)), (4, 5)),
    ],
)
def test_who_has_met_least_sits_together(
    queue: list[InQueue], seats: int, tables: int, met: dict[frozenset[int], int], wanted: tuple[int, ...]
) -> None:
    assert plan(queue, seats, NOW, tables, met) == Plan(begin=wanted)


def all_tables(queue: list[InQueue], seats: int, tables: int, met: dict[frozenset[int], int]) -> list[tuple[int, ...]]:
    """The tables that begin one after the other, until somebody is asked or nobody can play."""
    found: list[tuple[int, ...]] = []
    while tables and (begun := plan(queue, seats, NOW, tables, met).begin):
        found.append(begun)
        queue = [each for each in queue if each.contestant not in begun]
        tables -= 1
    return found


@given(
    st.lists(
        st.builds(waiting, st.integers(1, 30), st.integers(0, 90), st.sampled_from([False, False, False, True])),
        max_size=14,
        unique_by=lambda each: each.contestant,
    ),
    st.integers(1, 4),
    st.integers(1, 5),
    st.dictionaries(st.frozensets(st.integers(1, 30), min_size=2, max_size=2), st.integers(1, 5)),
)
def test_nobody_who_would_play_is_left_out(
    queue: list[InQueue], seats: int, tables: int, met: dict[frozenset[int], int]
) -> None:
    found, as_before = all_tables(queue, seats, tables, met), all_tables(queue, seats, tables, {})
    assert sorted(each for table in found for each in table) == sorted(each for table in as_before for each in table)
    assert [len(table) for table in found] == [seats] * len(found)
    if found:
        assert queue[0].contestant == found[0][0]
        assert as_before[0] == plan(queue, seats, NOW).begin
