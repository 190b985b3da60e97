"""The same store on PostgreSQL from Debian's packages: tables, and an episode played through the corridor."""

import asyncio
import random
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import create_engine, func, select, text

from host.cli import check
from host.config import Config, Database
from host.demo.robot import tap, write
from host.mail.inbound.mail import RawMail
from host.store import queues
from host.store.database import StoreError, connect, open_store
from host.store.health import vital_signs
from host.store.schema import AskRow, Base, Contestant, Episode, LobbyRow, QuestionRow
from host.table import clocks
from host.table.work import Services, Work, begin
from host.turn import admin
from host.turn.question_bank import add_entries, listing, starter
from host.turn.receive import store_mails
from tests.patience import wait_until
from tests.store.server import claiming, server
from tests.turn.desk import ADDRESS, OPERATOR, START, Desk, words

pytestmark = pytest.mark.postgresql
ANN, BOB = "ann@example.net", "bob@example.net"


@pytest.fixture
def database() -> str:
    """The URL of an empty database."""
    return server().fresh()


def test_an_episode_on_postgresql(database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.turn.desk.open_store", lambda _url: claiming(database))
    desk = Desk(tmp_path)
    with desk.store.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), Base.metadata) == []
    desk.begin()
    play(desk, (ANN, BOB))
    check_the_rest(desk)
    desk.store.close()


@pytest.mark.storm
def test_company_on_postgresql(database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.turn.desk.open_store", lambda _url: claiming(database))
    desk = Desk(tmp_path, games={"champ-cards": {"tables": 2}})
    desk.wanted = "turns"
    desk.begin()
    desk.register("cleo@example.net", "Cleo Fox")
    for who, asked, said in (
        (ANN, "say hello\nall", "Bob will read"),
        (BOB, "status", "Ann says"),
        (BOB, "mute Ann", "nothing more that Ann says"),
        (BOB, "mute Ann", "nothing more that Ann says"),
        (ANN, "mine", "1 thing waits for you"),
        (ANN, "explain cut", "To cut is to move"),
        (ANN, "letters at once", ""),
        (BOB, "letters at once", ""),
        ("cleo@example.net", "watch CC-1", "You read along in CC-1"),
    ):
        desk.answer(who, asked)
        assert said in words(desk.last(who)), asked
    desk.answer(ANN, "cut 26, pick 5, keep")
    desk.tick()
    assert "Ann cut the deck at 26" in words(desk.last("cleo@example.net"))
    for who in (BOB, ANN):
        desk.answer(who, "resign")
        desk.answer(who, "yes")
    desk.answer(BOB, "standings")
    assert "You are number 2" in words(desk.last(BOB))
    desk.answer(BOB, "again with Ann")
    assert "Ann is playing Champ Cards in CC-2" in words(desk.last(BOB))
    desk.answer(BOB, "forget me")
    desk.tap(BOB, "yes")
    desk.tick()
    with desk.store.reading() as session:
        assert sorted(each.called for each in session.scalars(select(Contestant))) == ["Ann", "Cleo", "gone-2"]
    desk.store.close()


def check_the_rest(desk: Desk) -> None:
    """What mail as the world sends it asks of the store: numbers of 32 bits, NUL, outages, limits, health."""
    most = 2**32 - 1
    queues.begin_mailbox(desk.store, "Far", most, 0)
    far = RawMail(most, desk.now, most, b"From: ann@example.net\r\n\r\nhi\0")
    store_mails(desk.services, "Far", most, [far], desk.now)
    queues.begin_mailbox(desk.store, "Far", most, 0)  # made anew by its server, with the same numbers
    number, _ = queues.watermark(desk.store, "Far") or (0, 0)
    store_mails(desk.services, "Far", number, [far], desk.now)
    assert (queues.validity(number), list(queues.latest_arrivals(desk.store, "Far", number, 5))) == (most, [most])
    assert desk.deliver(write(ANN, "Ann \0Lee", ADDRESS, "x", "host a\0b")).state == "refused"
    with desk.store.reading() as session:
        assert vital_signs(session, desk.now, ["INBOX"]).letters_unsent == 0
    assert queues.allowance(desk.store, desk.now, 5, 5000) is not None
    assert queues.claim_letters(desk.store, desk.now, 5, is_short=True) == []
    desk.tick()
    desk.later(hours=3)
    desk.see_again()
    assert queues.forget_mails(desk.store, desk.now) > 0
    assert queues.forget_letters(desk.store, desk.now) > 0


@pytest.mark.storm
def test_the_question_bank_on_postgresql(database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.turn.desk.open_store", lambda _url: claiming(database))
    desk = Desk(tmp_path, game="split-decision")
    entries = starter(desk.game)
    with desk.store.transaction() as session:
        assert add_entries(Work(session, desk.services, desk.now), desk.game, entries) == (len(entries), 0)
        assert add_entries(Work(session, desk.services, desk.now), desk.game, entries) == (0, len(entries))
    desk.begin()
    play(desk, (ANN, BOB, "cleo@example.net"), {entry.ask: entry.answers[0] for entry in entries})
    with desk.store.reading() as session:
        found = listing(session, desk.game)
    assert [each["number"] for each in found] == sorted(each["number"] for each in found)
    assert 0 < sum(each["episodes"] for each in found) < len(entries)
    desk.store.close()


def play(desk: Desk, addresses: tuple[str, ...], known: dict[str, str] | None = None) -> None:
    """Everybody taps links until the result is there."""
    dice = random.Random(5)
    for _ in range(300):
        for address in (*addresses, OPERATOR):
            letter = desk.last(address) if desk.letters(address) else None
            if letter and letter.links and (letter.asks or address == OPERATOR):
                raw = tap(letter, address, "Somebody", dice, known)
                assert raw is not None
                desk.deliver(raw)
        if desk.last(ANN).kind == "result":
            break
    assert {desk.last(address).kind for address in addresses} == {"result"}


def test_a_line_that_died_while_it_rested_is_made_anew(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("host.store.database.RESTED_SECONDS", -1.0)
    store, other = open_store(database), connect(database)

    def line() -> Any:
        with store.reading() as session:
            return session.scalar(text("SELECT pg_backend_pid()"))

    before = line()
    assert line() == before
    with other.transaction() as session:
        session.execute(select(func.pg_terminate_backend(before, 5000)))
    assert line() != before
    for each in (store, other):
        each.close()


def test_what_two_processes_make_in_the_same_moment_is_made_once(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.turn.desk.open_store", lambda _url: claiming(database))
    desk = Desk(tmp_path, security={"confirm_registration": False})
    other = Services(desk.config, connect(database))
    with ThreadPoolExecutor(1) as pool:
        with begin(other, desk.now) as work:
            work.lobby(desk.game.slug)  # nobody has ever registered here
            work.save(contestant("other@example.net", "Ann Lee", desk.now))
            mail = pool.submit(desk.write, ANN, ADDRESS, desk.game.subject, "Name: Ann Lee")
            wait_until(lambda: is_waiting(work), "the other process to be waited for")
        assert mail.result(20).state == "answered"
    with desk.store.reading() as session:
        assert sorted(each.called for each in session.scalars(select(Contestant))) == ["Ann", "Ann-2"]
        assert [each.game for each in session.scalars(select(LobbyRow))] == [desk.game.slug]
    for store in (desk.store, other.store):
        store.close()


def contestant(address: str, name: str, now: datetime) -> Contestant:
    return Contestant(
        address=address,
        name=name,
        nickname="",
        hometown="",
        called=name.split()[0],
        created_at=now,
        wrote_at=now,
        confirmed_at=now,
    )


def is_waiting(work: Work) -> bool:
    """Does somebody wait for what this work has taken?"""
    waiting = text("SELECT 1 FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))")
    return work.session.connection().scalar(waiting) is not None


def test_a_lobby_that_two_processes_make_in_the_same_moment_is_one(database: str, tmp_path: Path) -> None:
    stores = [claiming(database), connect(database)]
    services = [Services(Desk(tmp_path).config, store) for store in stores]

    def count_an_episode() -> None:
        with begin(services[1], START) as work:
            work.lobby("champ-cards").episodes += 1

    with ThreadPoolExecutor(1) as pool:
        with begin(services[0], START) as work:
            work.lobby("champ-cards").episodes += 1
            second = pool.submit(count_an_episode)
            wait_until(lambda: is_waiting(work), "the other process to be waited for")
        second.result(20)
    with stores[0].reading() as session:
        assert [(each.game, each.episodes) for each in session.scalars(select(LobbyRow))] == [("champ-cards", 2)]
    for store in stores:
        store.close()


@pytest.mark.parametrize("is_extended_first", [True, False])
def test_a_deadline_is_extended_while_the_letter_that_asks_is_accepted(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_extended_first: bool
) -> None:
    monkeypatch.setattr("tests.turn.desk.open_store", lambda _url: claiming(database))
    desk = Desk(tmp_path)
    desk.begin()
    other = Services(desk.config, connect(database))
    with desk.store.reading() as session:
        (asked,) = session.scalars(select(QuestionRow).where(QuestionRow.closed_at.is_(None)))
        letter_id = session.scalars(select(AskRow.letter_id).where(AskRow.question_id == asked.id)).first()
        code = session.scalars(select(Episode.code)).one()
    desk.later(hours=1)

    def extend(work: Work) -> None:
        admin.extend(work, code, "", timedelta(days=1))

    def accept(work: Work) -> None:
        clocks.accepted(work, [letter_id or 0])

    first, second = (extend, accept) if is_extended_first else (accept, extend)

    def do_second() -> None:
        with begin(other, desk.now) as work:
            second(work)

    with ThreadPoolExecutor(1) as pool:
        with begin(desk.services, desk.now) as work:
            first(work)
            work.session.flush()
            waiting = pool.submit(do_second)
            wait_until(lambda: is_waiting(work), "the other process to be waited for")
        waiting.result(20)
    with desk.store.reading() as session:
        due = session.get_one(QuestionRow, asked.id).due_at
    assert asked.due_at
    assert asked.within
    begun = asked.due_at if is_extended_first else desk.now + timedelta(seconds=asked.within)
    assert due == begun + timedelta(days=1)
    for store in (desk.store, other.store):
        store.close()


def test_a_database_that_cannot_be_written_is_found_by_the_check(database: str) -> None:
    open_store(database).close()
    engine = create_engine(database, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.exec_driver_sql(f'ALTER DATABASE "{engine.url.database}" SET default_transaction_read_only TO on')
    engine.dispose()
    with pytest.raises(StoreError, match="it is read-only, as a standby is"):
        asyncio.run(check._open(Config.model_construct(database=Database(url=database))))
