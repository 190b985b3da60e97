"""Claims where very many mails have one ordering key, or very many letters go to one address."""

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event, insert

from host.store import queues
from host.store.database import Store, open_store
from host.store.packing import pack
from host.store.schema import Inbound, Letter
from tests.store.counting import steps_on_sqlite
from tests.store.server import claiming

from .test_postgresql import database

__all__ = ["database"]

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
MANY = 300
"""More than a claim looks at in their order."""


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    opened = open_store(f"sqlite:///{tmp_path / 'a.db'}")
    yield opened
    opened.close()


def add_mails(store: Store, key: str, count: int, is_known: bool = True, first: int = 0) -> None:
    at = [NOW + timedelta(seconds=number // 5) for number in range(first, first + count)]
    same: dict[str, Any] = {
        "mailbox": "INBOX",
        "uidvalidity": 1,
        "fetched_at": NOW,
        "size": 1,
        "state": "new",
        "sender": "",
    }
    same |= {"lines": [], "note": "", "ordering_key": key, "is_known": is_known}
    rows = [same | {"uid": number, "arrived_at": arrived} for number, arrived in enumerate(at, first)]
    with store.transaction() as session:
        session.execute(insert(Inbound), rows)


def add_letters(store: Store, address: str, count: int, first: int = 0) -> None:
    at = [NOW + timedelta(seconds=number // 5) for number in range(first, first + count)]
    same: dict[str, Any] = {"kind": "news", "purpose": "game", "address": address, "game": "", "subject": ""}
    same |= {"packed": pack(b"Subject: x"), "state": "queued", "attempts": 0, "response": ""}
    rows = [same | {"token": f"t{first + at}", "created_at": due, "try_at": due} for at, due in enumerate(at)]
    with store.transaction() as session:
        session.execute(insert(Letter), rows)


LATE = NOW + timedelta(days=1)


def claimed_keys(store: Store, limit: int, under_way: tuple[int, ...] = (), is_known: bool = True) -> list[str]:
    claimed = queues.claim_mails(store, limit, under_way, is_known)
    with store.reading() as session:
        return [session.get_one(Inbound, each.id).ordering_key for each in claimed]


def test_many_mails_of_one_key_hold_up_no_other(store: Store) -> None:
    add_mails(store, "e1", MANY)
    for at, key in enumerate(("e3", "e2", "c1")):
        add_mails(store, key, 2, first=MANY + 5 * at)
    add_mails(store, "uzoe@example.net", 2, is_known=False, first=MANY + 20)
    assert claimed_keys(store, 16) == ["e1", "e3", "e2", "c1"], "of each key the first, the oldest first"
    assert claimed_keys(store, 2)[0] == "e1"
    assert claimed_keys(store, 16, is_known=False) == ["uzoe@example.net"]
    first = queues.claim_mails(store, 1, (), True)[0].id
    assert claimed_keys(store, 16, (first,)) == ["e3", "e2", "c1"], "the first is being played"


def test_many_strangers_hold_up_no_stranger(store: Store) -> None:
    add_mails(store, "uann@example.net", MANY, is_known=False)
    add_mails(store, "ubob@example.net", 1, is_known=False, first=MANY)
    add_mails(store, "e1", 1, first=MANY + 1)
    assert claimed_keys(store, 16, is_known=False) == ["uann@example.net", "ubob@example.net"]


def test_many_letters_to_one_address_hold_up_no_other(store: Store) -> None:
    add_letters(store, "boss@example.net", MANY)
    add_letters(store, "zoe@example.net", 2, first=MANY)
    add_letters(store, "ann@example.net", 2, first=MANY + 10)
    claimed = queues.claim_letters(store, LATE, 16)
    assert [each.address for each in claimed] == ["boss@example.net", "zoe@example.net", "ann@example.net"]
    first, others = claimed[0].id, [each.id for each in claimed[1:]]
    with store.transaction() as session:
        queues.put_off(session, others[0], "queued", "451 later", LATE + timedelta(hours=1))
    assert [each.id for each in queues.claim_letters(store, LATE, 16, under_way=[first])] == [others[1]]


def test_all_of_one_key_are_claimed_in_their_order(store: Store) -> None:
    add_mails(store, "e1", MANY)
    seen: list[int] = []
    while claimed := queues.claim_mails(store, 16, (), True):
        seen += [each.id for each in claimed]
        with store.transaction() as session:
            session.get_one(Inbound, claimed[0].id).state = "played"
    assert len(seen) == MANY
    assert seen == sorted(seen)


def claim_all(store: Store) -> None:
    queues.claim_mails(store, 16, (), True)
    queues.claim_mails(store, 16, (), False)
    queues.claim_letters(store, LATE, 50)


def rows_on_postgresql(store: Store, what: Callable[[], object]) -> int:
    """The rows that the steps of all plans gave or threw away."""
    statements: list[tuple[str, Any]] = []

    def note(_connection: Any, _cursor: Any, statement: str, parameters: Any, *_: Any) -> None:
        if statement.startswith(("SELECT", "WITH")):
            statements.append((statement, parameters))

    event.listen(store.engine, "before_cursor_execute", note)
    what()
    event.remove(store.engine, "before_cursor_execute", note)

    def walk(node: dict[str, Any]) -> int:
        gone = sum(node.get(f"Rows Removed by {why}", 0) for why in ("Filter", "Join Filter", "Index Recheck"))
        return int((node["Actual Rows"] + gone) * node["Actual Loops"]) + sum(map(walk, node.get("Plans", ())))

    total = 0
    with store.engine.connect() as connection:
        for statement, parameters in statements:
            explained = connection.exec_driver_sql(f"EXPLAIN (ANALYZE, FORMAT JSON) {statement}", parameters)
            plan = explained.scalar_one()
            total += walk((json.loads(plan) if isinstance(plan, str) else plan)[0]["Plan"])
    return total


def cost(store: Store, count: int, measure: Callable[[Store, Callable[[], object]], int]) -> int:
    """What claims cost where so many mails wait of one episode and of one stranger, and so many letters to one address."""
    with store.transaction() as session:
        for table in (Inbound, Letter):
            session.query(table).delete()
    add_mails(store, "e1", count)
    add_mails(store, "uann@example.net", count, is_known=False, first=count)
    add_letters(store, "ann@example.net", count)
    with store.engine.begin() as connection:
        connection.exec_driver_sql("ANALYZE")
    return measure(store, lambda: claim_all(store))


def test_a_claim_costs_the_same_however_many_wait_on_sqlite(store: Store) -> None:
    few = cost(store, MANY, steps_on_sqlite)
    assert few > MANY
    assert cost(store, 5 * MANY, steps_on_sqlite) <= few * 1.1


@pytest.mark.storm
@pytest.mark.postgresql
def test_a_claim_costs_the_same_however_many_wait_on_postgresql(database: str) -> None:
    store = claiming(database)
    few = cost(store, MANY, rows_on_postgresql)
    assert few > MANY
    assert cost(store, 5 * MANY, rows_on_postgresql) <= few * 1.1
    store.close()
