"""What the store says of the daemon's work, and that asking costs no look at what is finished."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event

from host.store.database import Store, open_store
from host.store.health import Signs, vital_signs
from host.store.schema import Contestant, Episode, Inbound, Letter, LobbyRow, Mailbox, QuestionRow
from tests.size import size
from tests.store.counting import steps_on_sqlite

NOW = datetime(2026, 11, 21, 13, tzinfo=UTC)
NOTHING = Signs(None, None, None, 0, 0, None, 0, 0, 0)


def ago(**duration: float) -> datetime:
    return NOW - timedelta(**duration)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = open_store(f"sqlite:///{tmp_path / 'podium.db'}")
    yield store
    store.close()


def signs(store: Store, *mailboxes: str) -> Signs:
    with store.reading() as session:
        return vital_signs(session, NOW, mailboxes or ("INBOX",))


def keep(store: Store, *rows: Any) -> None:
    with store.transaction() as session:
        for row in rows:
            session.add(row)
            session.flush()


def letter(token: str, state: str, created_at: datetime, sent_at: datetime | None = None) -> Letter:
    words = dict.fromkeys(("purpose", "game", "subject", "response"), "")
    return Letter(
        token=token,
        kind="turn",
        address="ann@example.net",
        packed=b"x" * 20_000,
        created_at=created_at,
        state=state,
        attempts=0,
        try_at=created_at,
        sent_at=sent_at,
        **words,
    )


def mail(uid: int, state: str) -> Inbound:
    return Inbound(
        mailbox="INBOX",
        uidvalidity=1,
        uid=uid,
        arrived_at=NOW,
        fetched_at=NOW,
        raw=b"",
        size=0,
        state=state,
        sender="",
        lines=[],
        note="",
    )


def episode(number: int, over_at: datetime | None = None, paused_at: datetime | None = None) -> Episode:
    return Episode(
        id=number,
        code=f"CC-{number}",
        game="champ-cards",
        rules_version=1,
        options={},
        seed=b"",
        commitment="",
        state={},
        began_at=ago(days=3),
        over_at=over_at,
        paused_at=paused_at,
        champion_wins_before=0,
    )


def question(number: int, episode_id: int | None, due_at: datetime | None, **changes: Any) -> QuestionRow:
    fields = {"asked_at": ago(days=2), "stopped_at": None, "closed_at": None} | changes
    return QuestionRow(
        id=number,
        purpose="game",
        contestant_id=1,
        episode_id=episode_id,
        game="champ-cards",
        key="",
        phase="",
        opened_at=ago(days=2),
        due_at=due_at,
        remind=[],
        outcome="",
        **fields,
    )


def lobby(slug: str, running: int) -> LobbyRow:
    return LobbyRow(game=slug, episodes=9, running=running, champion_wins=0, begin_requested=False)


def ann() -> Contestant:
    columns = Contestant.__table__.columns
    values = {column.name: "" for column in columns if not column.nullable and column.server_default is None}
    moments = {name: NOW for name in values if name.endswith("_at")}
    return Contestant(**values | moments | {"id": 1})


def test_an_empty_store_has_nothing_to_tell(store: Store) -> None:
    assert signs(store) == NOTHING


def test_the_mailbox_read_longest_ago_counts_and_one_never_read_is_never(store: Store) -> None:
    keep(
        store,
        Mailbox(name="INBOX", uidvalidity=1, uid=0, read_at=ago(minutes=1)),
        Mailbox(name="Junk", uidvalidity=1, uid=0, read_at=ago(minutes=9)),
        Mailbox(name="Old", uidvalidity=1, uid=0, read_at=None),
    )
    assert signs(store, "INBOX").mailbox_read_at == ago(minutes=1)
    assert signs(store, "INBOX", "Junk").mailbox_read_at == ago(minutes=9)
    assert signs(store, "INBOX", "Old").mailbox_read_at is None
    assert signs(store, "INBOX", "Nowhere").mailbox_read_at is None


def test_letters_are_counted_by_what_became_of_them(store: Store) -> None:
    keep(
        store,
        letter("a", "sent", ago(hours=9), ago(hours=8)),
        letter("b", "sent", ago(hours=9), ago(hours=7)),
        letter("c", "queued", ago(minutes=20)),
        letter("d", "queued", ago(minutes=10)),
        letter("e", "failed", ago(days=2)),
        letter("f", "cancelled", ago(days=2)),
    )
    found = signs(store)
    assert (found.letters_unsent, found.letters_failed) == (2, 1)
    assert found.oldest_unsent_at == ago(minutes=20)
    assert found.letter_accepted_at == ago(hours=7)


def test_only_deadlines_that_run_are_overdue(store: Store) -> None:
    late = ago(minutes=10)
    keep(
        store,
        ann(),
        episode(1),
        episode(2, paused_at=ago(hours=1)),
        question(1, 1, late),
        question(2, None, ago(minutes=2)),
        question(3, 2, ago(days=1)),
        question(4, 1, ago(days=1), closed_at=NOW),
        question(5, 1, ago(days=1), stopped_at=ago(days=1)),
        question(6, 1, ago(days=1), asked_at=None),
        question(7, 1, NOW + timedelta(hours=1)),
        question(8, 1, None),
    )
    found = signs(store)
    assert (found.deadlines_overdue, found.oldest_overdue_at) == (2, late)


def test_quarantined_mails_and_running_episodes_are_counted(store: Store) -> None:
    keep(store, mail(1, "quarantined"), mail(2, "played"), mail(3, "new"), mail(4, "quarantined"))
    keep(store, lobby("champ-cards", 2), lobby("split-decision", 1))
    found = signs(store)
    assert (found.mails_quarantined, found.episodes_running) == (2, 3)


def test_every_query_uses_an_index(store: Store) -> None:
    asked: list[tuple[str, Any]] = []
    keep(store, letter("a", "queued", NOW))  # so that the query for its age is asked

    def note(_connection: Any, _cursor: Any, statement: str, parameters: Any, *_more: Any) -> None:
        if statement.startswith("SELECT"):
            asked.append((statement, parameters))

    event.listen(store.engine, "before_cursor_execute", note)
    signs(store)
    event.remove(store.engine, "before_cursor_execute", note)
    assert len(asked) == 15
    with store.engine.connect() as connection:
        plans = [
            str(step[3])
            for statement, parameters in asked
            for step in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)
        ]
    walks = [plan for plan in plans if re.match(r"(SCAN|SEARCH) (?!anon_|lobbies)", plan)]
    assert len(walks) >= 8
    assert [plan for plan in walks if "INDEX" not in plan and "PRIMARY KEY" not in plan] == []
    for name in (
        "letters_due",
        "letters_asked",
        "letters_failed",
        "letters_sent_at",
        "questions_due",
        "inbound_quarantined",
    ):
        assert any(f"ix_{name}" in plan for plan in walks), (name, walks)


def test_finished_letters_cost_nothing(store: Store) -> None:
    many = size(200, 1000)
    keep(store, letter("open", "queued", ago(minutes=3)))
    before = steps(store)
    keep(store, *(letter(f"sent{number}", "sent", ago(days=9), ago(days=8)) for number in range(many)))
    keep(store, *(mail(number, "played") for number in range(many)))
    keep(store, *(episode(number, over_at=ago(days=1)) for number in range(1, many + 1)))
    assert steps(store) <= before + 20


def steps(store: Store) -> int:
    """What one look costs SQLite."""

    def look() -> None:
        with store.reading() as session:
            vital_signs(session, NOW, ("INBOX",))

    return steps_on_sqlite(store, look)
