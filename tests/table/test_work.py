"""One work is one transaction: what raises writes nothing, what a savepoint undoes is gone, and who was overtaken starts anew."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, update
from sqlalchemy.orm.exc import StaleDataError

from host.config import Config
from host.mail.outbound.draft import Draft
from host.store.database import Store, open_store
from host.store.schema import Episode, Letter
from host.table.letters import send
from host.table.work import Services, Work, begin
from tests.store.server import server

SERVER = {"host": "127.0.0.1", "security": "none"}
CONFIG = {
    "host": {"address": "games@example.org", "operators": ["boss@example.com"]},
    "imap": SERVER | {"username": "games@example.org"},
    "smtp": SERVER,
    "games": {"champ-cards": {}},
}
NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)])
def services(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Services]:
    store = open_store(f"sqlite:///{tmp_path / 'podium.db'}" if request.param == "sqlite" else server().fresh())
    yield Services(Config.model_validate(CONFIG), store)
    store.close()


def write(work: Work, headline: str) -> None:
    send(work, Draft(kind="news", headline=headline), f"{headline}@example.net")


def addresses(store: Store) -> list[str]:
    with store.reading() as session:
        return list(session.scalars(select(Letter.address).order_by(Letter.id)))


def test_what_raises_writes_nothing(services: Services) -> None:
    def begun() -> None:
        with begin(services, NOW) as work:
            write(work, "never")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        begun()
    assert addresses(services.store) == []


def test_what_is_written_in_a_savepoint_goes_with_it(services: Services) -> None:
    def add(work: Work) -> None:
        with work.savepoint():
            write(work, "within")
            raise ZeroDivisionError

    with begin(services, NOW) as work:
        write(work, "before")
        with pytest.raises(ZeroDivisionError):
            add(work)
        write(work, "after")
        assert [each.address for each in work.written] == ["before@example.net", "after@example.net"]
    assert addresses(services.store) == ["before@example.net", "after@example.net"]


def an_episode(services: Services) -> int:
    with begin(services, NOW) as work:
        row = Episode(
            code="CC-1",
            game="champ-cards",
            rules_version=1,
            options={},
            seed=b"",
            commitment="",
            state={"at": 0},
            began_at=NOW,
            champion_wins_before=0,
        )
        work.save(row)
        return row.id


def stored_state(store: Store, number: int) -> tuple[dict[str, Any], int]:
    with store.reading() as session:
        row = session.get_one(Episode, number)
        return row.state, row.version


@pytest.mark.parametrize("is_written", [False, True])
def test_a_state_in_a_savepoint_goes_with_it(services: Services, is_written: bool) -> None:
    number = an_episode(services)

    def put(work: Work) -> None:
        with work.savepoint():
            work.episode(number).state = {"at": 9}
            if is_written:
                work.session.flush()
            raise ZeroDivisionError

    with begin(services, NOW) as work:
        with pytest.raises(ZeroDivisionError):
            put(work)
        assert work.episode(number).state == {"at": 0}
    assert stored_state(services.store, number) == ({"at": 0}, 1)


def test_a_state_of_an_episode_that_changed_meanwhile_is_not_written(services: Services) -> None:
    number = an_episode(services)

    def put() -> None:
        with begin(services, NOW) as work:
            row = work.episode(number)
            work.session.execute(
                update(Episode).where(Episode.id == number).values(version=7),
                execution_options={"synchronize_session": False},
            )
            row.state = {"at": 1}

    with pytest.raises(StaleDataError):
        put()
    assert stored_state(services.store, number) == ({"at": 0}, 1)
