"""What a database of an earlier version holds means the same after a migration, on both databases."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import text

from host.store.database import Store, connect, migrate, migrations_folder
from host.store.episodes import stopped_questions
from tests.store.server import server

NOW = datetime(2026, 11, 20, 12, 0, 0, 123456, tzinfo=UTC)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    found = connect(f"sqlite:///{tmp_path / 'a.db'}" if request.param == "sqlite" else server().fresh())
    yield found
    found.close()


def upgrade(store: Store, revision: str) -> None:
    config = Config()
    config.set_main_option("script_location", str(migrations_folder()))
    with store.engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)


def test_a_clock_that_stands_still_goes_on_when_it_was_told_it_would(store: Store) -> None:
    upgrade(store, "0004")
    person = "INSERT INTO contestants (id, address, name, nickname, hometown, called, created_at, wrote_at) VALUES "
    question = "INSERT INTO questions (id, purpose, contestant_id, game, key, phase, opened_at, remind, outcome, "
    with store.engine.begin() as connection:
        at = "2026-11-20 12:00:00.123456" + ("" if connection.dialect.name == "sqlite" else "+00")
        connection.execute(text(f"{person} (1, 'a@example.net', 'Ann', '', '', 'Ann', '{at}', '{at}')"))
        for number, stopped, closed in ((1, f"'{at}'", "NULL"), (2, "NULL", "NULL"), (3, f"'{at}'", f"'{at}'")):
            values = f"({number}, 'game', 1, 'champ-cards', '', '', '{at}', '[]', '', {stopped}, {closed})"
            connection.execute(text(f"{question} stopped_at, closed_at) VALUES {values}"))
    migrate(store)
    with store.reading() as session:
        (row,) = stopped_questions(session)
        assert (row.id, row.stopped_at, row.goes_on_at) == (1, NOW, NOW + timedelta(hours=48))
        assert stopped_questions(session, NOW + timedelta(hours=47)) == []
        assert stopped_questions(session, NOW + timedelta(hours=48)) == [row]
