"""Claims of several processes on one PostgreSQL: whose they are, and when they are given back."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import select, text
from sqlalchemy.exc import OperationalError

from host.store import leases, queues
from host.store.database import Store, connect
from host.store.schema import Inbound, Lease, Letter
from tests.store.server import claiming, server
from tests.store.test_queues import letter

pytestmark = pytest.mark.postgresql
NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
DAY = timedelta(days=1)


class Processes:
    """Two stores on one database, each with a lease of its own."""

    def __init__(self) -> None:
        url = server().fresh()
        self.first = claiming(url)
        self.second = connect(url)
        leases.begin(self.second, "another", DAY)

    def statement(self, sql: str) -> None:
        with self.second.engine.begin() as connection:
            connection.execute(text(sql))

    def let_end(self, store: Store) -> None:
        """The lease of a process that is gone is over."""
        self.statement(f"UPDATE leases SET until = clock_timestamp() WHERE name = '{store.claimer}'")


@pytest.fixture
def processes() -> Iterator[Processes]:
    made = Processes()
    yield made
    for store in (made.first, made.second):
        store.close()


def mail(store: Store, uid: int, key: str) -> int:
    queues.open_mailbox(store, "INBOX")
    with store.transaction() as session:
        row = Inbound(
            mailbox="INBOX",
            uidvalidity=0,
            uid=uid,
            arrived_at=NOW,
            fetched_at=NOW,
            raw=b"mail",
            size=4,
            state="new",
            sender="",
            lines=[],
            note="",
            ordering_key=key,
        )
        session.add(row)
        session.flush()
        return row.id


def mails(store: Store, *under_way: int) -> list[int]:
    return [each.id for each in queues.claim_mails(store, 9, under_way)]


def letters(store: Store, *under_way: int) -> list[int]:
    return [each.id for each in queues.claim_letters(store, NOW, 9, under_way=under_way)]


def column(store: Store, of: Any) -> list[Any]:
    with store.reading() as session:
        return list(session.scalars(select(of)))


def test_what_one_process_has_claimed_no_other_gets_until_its_lease_ends(processes: Processes) -> None:
    first, second = processes.first, processes.second
    number, sent = mail(first, 1, "e1"), letter(first, "a", NOW)
    mail(first, 2, "e1")
    assert (mails(first), letters(first)) == ([number], [sent])
    assert (mails(second), letters(second)) == ([], [])
    assert leases.end_those_over(second) == 0
    processes.let_end(first)
    assert (mails(second), letters(second)) == ([], []), "over, and not ended by anybody"
    assert leases.end_those_over(second) == 1
    assert (mails(second), letters(second)) == ([number], [sent])
    assert leases.end_those_over(second) == 0


def test_a_process_that_stood_still_claims_nothing_until_it_has_a_new_name(processes: Processes) -> None:
    first, second = processes.first, processes.second
    letter(first, "a", NOW)
    old = first.claimer
    processes.let_end(first)
    assert leases.renew(first, DAY), "nobody has ended it"
    assert leases.end_those_over(second) == 0
    processes.let_end(first)
    assert leases.end_those_over(second) == 1
    assert letters(first) == []
    assert not leases.renew(first, DAY)
    leases.begin(first, "tests", DAY)
    assert first.claimer != old
    assert len(letters(first)) == 1


def test_what_a_process_claimed_and_forgot_it_gets_again(processes: Processes) -> None:
    first = processes.first
    number, sent = mail(first, 1, "e1"), letter(first, "a", NOW)
    assert (mails(first), letters(first)) == ([number], [sent])
    assert (mails(first, number), letters(first, sent)) == ([], [])
    assert (mails(first), letters(first)) == ([number], [sent])


def test_who_lost_a_claim_gives_back_and_puts_off_nothing_but_tells_of_an_acceptance(processes: Processes) -> None:
    first, second = processes.first, processes.second
    number, sent = mail(first, 1, "e1"), letter(first, "a", NOW)
    mails(first), letters(first)
    lost = first.claimer
    processes.let_end(first)
    leases.end_those_over(second)
    assert (mails(second), letters(second)) == ([number], [sent])
    queues.release_mails(first, [number])
    with first.transaction() as session:
        queues.put_back(session, [sent], NOW + DAY, [lost])
        assert queues.put_off(session, sent, "queued", "451 later", NOW + DAY, lost).attempts == 0
        assert queues.put_off(session, sent, "failed", "550 no", NOW, lost).state == "queued"
    assert column(second, Inbound.claimed_by) == column(second, Letter.claimed_by) == [second.claimer]
    assert column(second, Letter.try_at) == [NOW]
    with first.transaction() as session:
        queues.settle_sent(session, {sent: "250 ok"}, NOW)
    assert column(second, Letter.state) == ["sent"]


def test_a_process_that_stops_gives_its_claims_back_at_once(processes: Processes) -> None:
    first, second = processes.first, processes.second
    number, sent = mail(first, 1, "e1"), letter(first, "a", NOW)
    mails(first), letters(first)
    leases.end(first)
    assert (mails(second), letters(second)) == ([number], [sent])
    assert column(second, Lease.holder) == ["another"]


def test_a_lease_is_not_ended_between_a_claim_and_its_commit(processes: Processes) -> None:
    """Else the claim would be nobody's for ever."""
    first, second = processes.first, processes.second
    sent = letter(first, "a", NOW)
    processes.let_end(first)
    with first.transaction() as session:
        condition = leases.may_be_claimed(Letter.claimed_by)
        assert session.scalars(select(Letter.id).where(*condition), {"claimer": first.claimer}).all() == [sent]
        assert leases.end_those_over(second) == 0
    assert leases.end_those_over(second) == 1


def test_a_renewal_and_the_end_of_a_lease_meet_in_its_row(processes: Processes) -> None:
    first, second = processes.first, processes.second
    processes.let_end(first)
    with second.transaction() as session:
        session.execute(text(f"DELETE FROM leases WHERE name = '{first.claimer}'"))
        with first.engine.connect() as waiting:
            waiting.execute(text("SET LOCAL lock_timeout = '50ms'"))
            with pytest.raises(OperationalError):
                waiting.execute(text(f"UPDATE leases SET until = until WHERE name = '{first.claimer}'"))
    assert not leases.renew(first, DAY)
