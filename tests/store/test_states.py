"""What the queues make of letters and mails is what docs/states.toml says may become of them, on both databases."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from host.store import queues
from host.store.database import Store, open_store
from host.store.schema import Inbound, Letter
from tests.states import LETTER_TRANSITIONS, MAIL_TRANSITIONS
from tests.store.server import claiming, server
from tests.store.test_queues import letter

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    found = open_store(f"sqlite:///{tmp_path / 'a.db'}") if request.param == "sqlite" else claiming(server().fresh())
    yield found
    found.close()


class Seen:
    """The changes of states that calls made, by themselves."""

    def __init__(self, store: Store, table: type[Inbound] | type[Letter]) -> None:
        self.store, self.table = store, table
        self.changes: set[tuple[str, str]] = set()

    def _states(self) -> dict[int, str]:
        with self.store.reading() as session:
            return {row.id: row.state for row in session.execute(select(self.table.id, self.table.state))}

    def after(self, call: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
        before = self._states()
        given = call(*arguments, **named)
        self.changes |= {(before[number], state) for number, state in self._states().items() if state != before[number]}
        return given

    def within(self, call: Callable[..., Any], *arguments: Any) -> Any:
        """The same of what takes a session."""

        def in_transaction() -> Any:
            with self.store.transaction() as session:
                return call(session, *arguments)

        return self.after(in_transaction)


def drawn(transitions: Any) -> set[tuple[str, str]]:
    return {(before, after) for before, following in transitions.items() if before for after in following}


def test_what_becomes_of_letters(store: Store) -> None:
    seen = Seen(store, Letter)
    numbers = [letter(store, f"t{each}", NOW, address=f"{each}@example.net") for each in range(5)]
    with store.transaction() as session:
        session.get_one(Letter, numbers[4]).kind = "reminder"
    accepted, later, refused, untried, idle = numbers
    claimed = seen.after(queues.claim_letters, store, NOW, 9)
    assert [each.id for each in claimed] == [accepted, later, refused, untried]
    seen.within(queues.settle_sent, {accepted: "250 ok"}, NOW)
    seen.within(queues.put_off, later, "queued", "451 later", NOW + timedelta(minutes=1), store.claimer)
    seen.within(queues.put_off, refused, "failed", "550 no", NOW, store.claimer)
    seen.within(queues.put_back, [untried], NOW, [store.claimer])
    assert seen.within(queues.retry_letter, refused, NOW).id == refused
    assert seen.changes == {("queued", "sent"), ("queued", "failed"), ("queued", "cancelled"), ("failed", "queued")}
    assert seen.changes <= drawn(LETTER_TRANSITIONS)
    with store.reading() as session:
        assert session.get_one(Letter, idle).state == "cancelled"


def test_what_the_host_tries_again_is_new(store: Store) -> None:
    queues.open_mailbox(store, "INBOX")
    with store.transaction() as session:
        mail = Inbound(
            mailbox="INBOX",
            uidvalidity=0,
            uid=1,
            arrived_at=NOW,
            fetched_at=NOW,
            raw=b"mail",
            size=4,
            state="quarantined",
            sender="",
            lines=[],
            note="why",
        )
        session.add(mail)
        session.flush()
        number = mail.id
    seen = Seen(store, Inbound)
    assert seen.within(queues.retry_mail, number)
    assert not seen.within(queues.retry_mail, number)
    assert seen.changes == {("quarantined", "new")}
    assert seen.changes <= drawn(MAIL_TRANSITIONS)
    assert [each.id for each in queues.claim_mails(store, 9)] == [number]
