"""What a database of an earlier version holds means the same after a migration, on both databases."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import inspect, select, text

from host.games import GAMES
from host.store import leases, queues
from host.store.database import Store, connect, migrate, migrations_folder
from host.store.episodes import stopped_questions
from host.store.health import work_waiting
from host.store.people import absences_after
from host.store.schema import Base, Contestant, Episode, Inbound
from host.store.seasons import place_in_chain
from tests.games.playouts import playout
from tests.size import size
from tests.store.server import server
from tests.web.stored import store_episode, web_of

NOW = datetime(2026, 11, 20, 12, 0, 0, 123456, tzinfo=UTC)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    found = connect(f"sqlite:///{tmp_path / 'a.db'}" if request.param == "sqlite" else server().fresh())
    yield found
    found.close()


def made_of(store: Store) -> dict[str, object]:
    """All that a database is made of, by what it is."""
    found: dict[str, object] = {}
    with store.engine.connect() as connection:
        looking = inspect(connection)
        for table in looking.get_table_names():
            columns = {each["name"]: (str(each["type"]), each["nullable"]) for each in looking.get_columns(table)}
            found |= {f"{table}.{name}": column for name, column in columns.items()}
            found[f"{table} is told apart by"] = looking.get_pk_constraint(table)["constrained_columns"]
            found[f"{table} refers to"] = sorted(
                (each["constrained_columns"], each["referred_table"], each["options"].get("ondelete", ""))
                for each in looking.get_foreign_keys(table)
            )
            found[f"{table} has once"] = sorted(each["column_names"] for each in looking.get_unique_constraints(table))
            found[f"{table} has only"] = sorted(each["sqltext"] for each in looking.get_check_constraints(table))
        is_sqlite = connection.dialect.name == "sqlite"
        rows = "SELECT name, sql FROM sqlite_master WHERE type <> 'table' AND sql IS NOT NULL"
        rows = rows if is_sqlite else "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'"
        found |= {name: " ".join(made.replace('"', "").split()) for name, made in connection.execute(text(rows))}
    return found


def test_a_database_that_is_made_at_once_is_as_migrations_make_it(store: Store) -> None:
    migrated(store, "head")
    by_migrations = made_of(store)
    with store.engine.begin() as connection:
        for table in (*reversed(Base.metadata.sorted_tables), "alembic_version"):
            connection.execute(text(f"DROP TABLE {table}"))
    migrate(store)
    assert made_of(store) == by_migrations
    assert len(by_migrations) > 300
    migrate(store)


def migrated(store: Store, revision: str, back: bool = False) -> None:
    config = Config()
    config.set_main_option("script_location", str(migrations_folder()))
    with store.engine.begin() as connection:
        config.attributes["connection"] = connection
        (command.downgrade if back else command.upgrade)(config, revision)


@pytest.mark.storm
def test_a_clock_that_stands_still_goes_on_when_it_was_told_it_would(store: Store) -> None:
    migrated(store, "0004")
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


MAILS = {1: ("broken", "e7"), 2: ("new", "c3"), 3: ("new", "c3"), 4: ("played", "uann@example.net"), 5: ("held", "")}


def in_store(store: Store, column: str) -> dict[int, tuple[str, str]]:
    with store.engine.begin() as connection:
        rows = connection.execute(text(f"SELECT id, state, {column} FROM inbound"))
        return {number: (state, key) for number, state, key in rows}


def indexes(store: Store) -> dict[str, tuple[str | None, ...]]:
    with store.engine.begin() as connection:
        found = inspect(connection).get_indexes("inbound")
        return {str(each["name"]): tuple(each["column_names"]) for each in found}


def condition(store: Store, index: str) -> str:
    of_sqlite = "SELECT sql FROM sqlite_master WHERE name = :name"
    of_postgresql = "SELECT indexdef FROM pg_indexes WHERE indexname = :name"
    with store.engine.begin() as connection:
        statement = of_sqlite if store.file is not None else of_postgresql
        return str(connection.scalar(text(statement), {"name": index})).partition(" WHERE ")[2]


def place_of_table(store: Store) -> object:
    """Where the rows are; a table that is rewritten gets another place."""
    of_sqlite = "SELECT rootpage FROM sqlite_master WHERE name = 'inbound'"
    with store.engine.begin() as connection:
        return connection.scalar(text(of_sqlite if store.file else "SELECT pg_relation_filenode('inbound')"))


@pytest.mark.storm
def test_what_was_broken_is_quarantined_and_lanes_are_ordering_keys(store: Store) -> None:
    migrated(store, "0006")
    columns = "id, mailbox, uidvalidity, uid, arrived_at, fetched_at, raw, size, state, sender, lines, note, lane"
    with store.engine.begin() as connection:
        at = "2026-11-20 12:00:00.123456" + ("" if connection.dialect.name == "sqlite" else "+00")
        for number, (state, lane) in MAILS.items():
            values = f"{number}, 'INBOX', 1, {number}, '{at}', '{at}', 'raw', 3, '{state}', '', '[]', '', '{lane}'"
            connection.execute(text(f"INSERT INTO inbound ({columns}) VALUES ({values})"))
    before, place = indexes(store), place_of_table(store)
    migrate(store)
    assert place_of_table(store) == place
    assert in_store(store, "ordering_key") == MAILS | {1: ("quarantined", "e7")}
    assert indexes(store).pop("ix_inbound_ordering_key") == ("ordering_key", "arrived_at", "id")
    assert "quarantined" in condition(store, "ix_inbound_quarantined")
    assert "quarantined" in condition(store, "ix_inbound_kept")
    assert "new" in condition(store, "ix_inbound_ordering_key")
    if store.file is None:
        leases.begin(store, "tests", timedelta(days=1))
    assert [each.id for each in queues.claim_mails(store, 5)] == [2]
    with store.transaction() as session:
        assert work_waiting(session)["mails_broken"] == 1
        assert queues.retry_mail(session, 1)
        assert session.get_one(Inbound, 1).state == "new"
        session.rollback()
    migrated(store, "0006", back=True)
    assert in_store(store, "lane") == MAILS
    assert indexes(store) == before
    assert "broken" in condition(store, "ix_inbound_broken")
    assert "broken" in condition(store, "ix_inbound_kept")
    migrate(store)
    assert in_store(store, "ordering_key")[1] == ("quarantined", "e7")


def added_up(store: Store) -> list[list[tuple[object, ...]]]:
    """Who won what, standings and reigns, without when these began and ended."""
    with store.engine.connect() as connection:
        return [
            sorted(map(tuple, connection.execute(text(statement)).all()), key=str)
            for statement in (
                "SELECT episode_id, seat, won, winnings FROM seats",
                "SELECT game, season, contestant_id, episodes, wins, winnings FROM standings",
                "SELECT game, contestant_id, wins, ended_at IS NULL FROM reigns",
            )
        ]


@pytest.mark.storm
def test_what_episodes_add_up_to_is_counted_from_those_that_are_over(store: Store) -> None:
    web = web_of(store.engine.url.render_as_string(hide_password=False))
    for number in range(12, size(14, 18)):
        for slug in GAMES:
            found = playout(slug, number)
            store_episode(web, found, at=NOW + timedelta(hours=number))
            store_episode(web, found, len(found.steps) // 2)
    web.services.store.close()
    before = added_up(store)
    assert all(before)
    migrated(store, "0008", back=True)
    migrate(store)
    assert added_up(store) == before


@pytest.mark.storm
def test_a_letter_that_was_being_sent_is_still_to_be_sent(store: Store) -> None:
    migrated(store, "0010")
    columns = "token, kind, purpose, address, game, subject, created_at, state, attempts, try_at, response"
    with store.engine.begin() as connection:
        at = "2026-11-20 12:00:00.123456" + ("" if connection.dialect.name == "sqlite" else "+00")
        for state in ("queued", "sending", "sent"):
            values = f"'{state}', 'news', 'game', 'a@example.net', '', '', '{at}', '{state}', 0, '{at}', ''"
            connection.execute(text(f"INSERT INTO letters ({columns}) VALUES ({values})"))
    before = letters_by_state(store)
    migrate(store)
    assert letters_by_state(store) == [("queued", "queued"), ("sending", "queued"), ("sent", "sent")]
    assert condition(store, "ix_letters_due").count("sending") == 0
    migrated(store, "0010", back=True)
    assert "sending" in condition(store, "ix_letters_due")
    migrate(store)
    assert len(letters_by_state(store)) == len(before)


def letters_by_state(store: Store) -> list[tuple[str, str]]:
    with store.engine.begin() as connection:
        rows = connection.execute(text("SELECT token, state FROM letters ORDER BY id"))
        return [(token, state) for token, state in rows]


@pytest.mark.storm
def test_a_contestant_of_before_has_the_hosts_time_and_the_way_back_keeps_them(store: Store) -> None:
    migrated(store, "0015")
    with store.engine.begin() as connection:
        at = "2026-11-20 12:00:00.123456" + ("" if connection.dialect.name == "sqlite" else "+00")
        person = "INSERT INTO contestants (id, address, name, nickname, hometown, called, created_at, wrote_at) VALUES "
        connection.execute(text(f"{person} (1, 'a@example.net', 'Ann', '', '', 'Ann', '{at}', '{at}')"))
    migrate(store)
    with store.reading() as session:
        ann = session.get_one(Contestant, 1)
        settings = (ann.zone, ann.quiet, ann.remind, ann.calendar, ann.letters, ann.daily_at, ann.away_until)
        assert settings == ("", "", "", False, "turns", None, None)
        assert absences_after(session, 1, NOW) == []
    migrated(store, "0015", back=True)
    with store.engine.begin() as connection:
        assert "absences" not in inspect(connection).get_table_names()
        assert connection.scalar(text("SELECT called FROM contestants")) == "Ann"
    migrate(store)


def test_an_episode_of_before_has_no_season_and_the_way_back_keeps_it(store: Store) -> None:
    web = web_of(store.engine.url.render_as_string(hide_password=False))
    found = playout("champ-cards", 3)
    store_episode(web, found, at=NOW)
    web.services.store.close()
    migrated(store, "0017", back=True)
    with store.engine.begin() as connection:
        assert {"seasons", "chains", "season_episodes"}.isdisjoint(inspect(connection).get_table_names())
        seed = connection.scalar(text("SELECT seed FROM episodes"))
    migrate(store)
    with store.reading() as session:
        episode = session.scalars(select(Episode)).one()
        assert episode.seed == bytes(seed)
        assert place_in_chain(session, episode) is None
        assert all((seat.contestant.message_id, seat.contestant.word) == ("", "") for seat in episode.seats)
