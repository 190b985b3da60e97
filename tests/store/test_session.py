"""Rows that are only added: numbered at once, written before the next query and at the end, on both databases."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event, select, update
from sqlalchemy.orm.exc import StaleDataError

from host.config import Config
from host.store.database import Store, open_store
from host.store.episodes import take_episode
from host.store.letters import NewLetter, letter_of_token, queue_letter
from host.store.packing import pack
from host.store.schema import Episode, Letter
from host.turn.work import Services, Work, begin
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
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    made = open_store(f"sqlite:///{tmp_path / 'podium.db'}" if request.param == "sqlite" else server().fresh())
    yield made
    made.close()


def letter(number: int, token: str) -> NewLetter:
    return NewLetter(
        id=number,
        token=token,
        kind="news",
        purpose="lobby",
        address="ann@example.net",
        contestant_id=None,
        about_id=None,
        episode_id=None,
        game="",
        subject="Hello",
        packed=lambda: pack(b"Subject: Hello\r\n\r\nHello.\r\n"),
        answers_id=None,
        host_question="",
        cause="",
        created_at=NOW,
        try_at=NOW,
    )


def tokens(store: Store) -> list[str]:
    with store.reading() as session:
        return list(session.scalars(select(Letter.token).order_by(Letter.id)))


def statements(store: Store, work: Callable[[], object], word: str) -> int:
    """How many statements with a word something makes."""
    found: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        found.append(statement)

    event.listen(store.engine, "before_cursor_execute", note)
    work()
    event.remove(store.engine, "before_cursor_execute", note)
    return sum(word in each for each in found)


def test_many_rows_are_one_statement_and_have_their_numbers_before(store: Store) -> None:
    def write() -> None:
        with store.transaction() as session:
            numbers = [session.number(Letter) for _ in range(40)]
            assert numbers == sorted(set(numbers))
            for number in numbers:
                queue_letter(session, letter(number, f"t{number}"), [])

    assert statements(store, write, "INSERT INTO letters") == 1
    first = tokens(store)
    write()
    assert len(set(tokens(store))) == 80
    assert tokens(store)[:40] == first, "later rows have higher numbers"


def test_a_query_sees_what_was_gathered(store: Store) -> None:
    with store.transaction() as session:
        queue_letter(session, letter(session.number(Letter), "early"), [])
        found = letter_of_token(session, "early")
        assert found is not None
        assert found.subject == "Hello"


def test_what_raises_writes_nothing(store: Store) -> None:
    def write() -> None:
        with store.transaction() as session:
            queue_letter(session, letter(session.number(Letter), "never"), [])
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        write()
    assert tokens(store) == []


def test_what_a_savepoint_gathered_goes_with_it(store: Store) -> None:
    services = Services(Config.model_validate(CONFIG), store)

    def add(work: Work) -> None:
        with work.savepoint():
            queue_letter(work.session, letter(work.session.number(Letter), "within"), [])
            raise ZeroDivisionError

    with begin(services, NOW) as work:
        queue_letter(work.session, letter(work.session.number(Letter), "before"), [])
        with pytest.raises(ZeroDivisionError):
            add(work)
        queue_letter(work.session, letter(work.session.number(Letter), "after"), [])
    assert tokens(store) == ["before", "after"]


def an_episode(store: Store) -> int:
    with store.transaction() as session:
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
        session.add(row)
        session.flush()
        return row.id


def stored_state(store: Store, number: int) -> tuple[dict[str, Any], int]:
    with store.reading() as session:
        row = session.get_one(Episode, number)
        return row.state, row.version


def test_a_state_is_written_with_what_else_changes_of_its_episode(store: Store) -> None:
    number = an_episode(store)
    with store.transaction() as session:
        row = take_episode(session, number)
        session.put_state(row, {"at": 1})
        session.put_state(row, {"at": 2})
        row.over_at = NOW
    assert stored_state(store, number) == ({"at": 2}, 4)


def test_a_state_in_a_savepoint_goes_with_it(store: Store) -> None:
    number = an_episode(store)

    def put(work: Work, is_written: bool) -> None:
        with work.savepoint():
            work.session.put_state(work.episode(number), {"at": 9})
            if is_written:
                work.session.flush()
            raise ZeroDivisionError

    services = Services(Config.model_validate(CONFIG), store)
    for is_written in (False, True):
        with begin(services, NOW) as work:
            with pytest.raises(ZeroDivisionError):
                put(work, is_written)
            assert work.episode(number).state == {"at": 0}
        assert stored_state(store, number) == ({"at": 0}, 1)


def test_a_state_of_an_episode_that_changed_meanwhile_is_not_written(store: Store) -> None:
    number = an_episode(store)

    def put() -> None:
        with store.transaction() as session:
            row = take_episode(session, number)
            session.connection().execute(update(Episode).where(Episode.id == number).values(version=7))
            session.put_state(row, {"at": 1})

    with pytest.raises(StaleDataError):
        put()
    assert stored_state(store, number) == ({"at": 0}, 1)
