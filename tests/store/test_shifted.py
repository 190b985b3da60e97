"""Deadlines moved in the database are where Python would have put them, to the microsecond, on both databases."""

import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import create_engine, select

from host.store.database import Store, open_store
from host.store.episodes import move_deadlines_asked_by, move_running_deadlines
from host.store.schema import QuestionRow

from .test_health import ann, episode, keep
from .test_postgresql import database

__all__ = ["database"]

SEEN, NOW = datetime(2026, 10, 24, 23, 59, 59, 999_999, tzinfo=UTC), datetime(2026, 11, 21, 13, 0, 0, 1, tzinfo=UTC)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    is_sqlite = request.param == "sqlite"
    url = f"sqlite:///{tmp_path / 'podium.db'}" if is_sqlite else str(request.getfixturevalue("database"))
    if not is_sqlite:
        set_up_elsewhere(url)
    store = open_store(url)
    keep(store, ann(), episode(1), episode(2, paused_at=SEEN))
    keep(store, *questions(random.Random(5)))
    yield store
    store.close()


def set_up_elsewhere(url: str) -> None:
    """A server whose days have 25 hours once a year, as on the night that lies between the moments here."""
    engine = create_engine(url, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        for setting in ("timezone TO 'America/New_York'", "datestyle TO 'German, DMY'"):
            connection.exec_driver_sql(f'ALTER DATABASE "{engine.url.database}" SET {setting}')
    engine.dispose()


def questions(dice: random.Random) -> list[QuestionRow]:
    """Questions of every kind: with and without a deadline, a reminder, an asking, a stop, an end, a pause."""

    def moment() -> datetime:
        return SEEN + timedelta(microseconds=dice.randrange(-(10**12), 4 * 10**12))

    def perhaps() -> datetime | None:
        return moment() if dice.random() < 0.8 else None

    return [
        QuestionRow(
            id=number,
            purpose="game",
            contestant_id=1,
            episode_id=dice.choice((1, 1, 1, 2, None)),
            game="champ-cards",
            key="",
            phase="",
            opened_at=moment(),
            asked_at=perhaps(),
            due_at=perhaps(),
            remind=[],
            remind_at=perhaps(),
            stopped_at=dice.choice((SEEN, None, None)),
            was_stopped=False,
            closed_at=dice.choice((SEEN, None, None)),
            outcome="",
        )
        for number in range(1, 301)
    ]


def moments(store: Store) -> dict[int, tuple[datetime | None, datetime | None]]:
    with store.reading() as session:
        return {row.id: (row.due_at, row.remind_at) for row in session.scalars(select(QuestionRow))}


def moved(row: QuestionRow, by: timedelta | None) -> tuple[datetime | None, datetime | None]:
    """Where a question's deadline and reminder are after a move, and before one where `by` is None."""
    if by is None or row.due_at is None:
        return row.due_at, row.remind_at
    return row.due_at + by, row.remind_at + by if row.remind_at else None


def may_be_open(row: QuestionRow, since: datetime) -> bool:
    """Is it open, or might it be opened again, as its time was not over then?"""
    return row.closed_at is None or (row.due_at is not None and row.due_at > since)


def test_an_outage_moves_running_clocks_by_its_part_since_they_were_asked(store: Store) -> None:
    expected = {}
    for row in questions(random.Random(5)):
        is_running = row.stopped_at is None and row.episode_id != 2
        asked = row.asked_at if is_running and row.asked_at and row.asked_at < NOW else None
        if asked and not may_be_open(row, max(asked, SEEN)):
            asked = None
        expected[row.id] = moved(row, NOW - max(asked, SEEN) if asked else None)
    before = moments(store)
    with store.transaction() as session:
        move_running_deadlines(session, SEEN, NOW)
    after = moments(store)
    assert after == expected
    assert 50 < sum(after[number] != before[number] for number in after) < 250


def test_a_jump_moves_what_was_asked_before_it(store: Store) -> None:
    by = timedelta(days=400, microseconds=7)
    expected = {
        row.id: moved(row, by if may_be_open(row, SEEN) and (row.asked_at or row.opened_at) <= SEEN else None)
        for row in questions(random.Random(5))
    }
    with store.transaction() as session:
        move_deadlines_asked_by(session, SEEN, by)
    assert moments(store) == expected
