"""Several daemons on one PostgreSQL: sharing the work, taking over from each other, fed by IMAP or LMTP."""

import asyncio
import itertools
import re
import signal
import smtplib
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy import text
from sqlalchemy.exc import InternalError, OperationalError

from host.cli.main import main
from host.config import LMTP_MAILBOX
from host.daemon.imap_watcher import ImapWatcher
from host.daemon.leader import Leadership
from host.daemon.lmtp_receiver import LmtpReceiver
from host.daemon.main import Daemon, steady
from host.daemon.runtime import Runtime
from host.demo.robot import write
from host.mail.inbound.imap import Inbox
from host.mail.inbound.mail import RawMail
from host.store import queues
from host.store.database import connect, is_passing, open_store
from host.store.mails import heartbeat
from host.store.people import take_lobby
from host.store.schema import Mailbox
from host.turn.receive import store_mails
from tests.patience import not_for_ever, until, wait_until
from tests.ports import free_port
from tests.store.server import server
from tests.turn import desk
from tests.wire import dovecot
from tests.wire.conftest import MakeWorld
from tests.wire.forked import forks
from tests.wire.several import EVERYTHING, Member, several
from tests.wire.world import Person, World

pytestmark = [pytest.mark.dovecot, pytest.mark.postgresql]
AT_ONCE = "[security]\nconfirm_registration = false\nregistrations_an_hour = 10000\nregistrations_a_day = 1000\n"
SPLIT = ("inbox,clock", "turns", "turns", "outbox")
SECONDS_TO_FAIL_OVER = 10
SUBJECT = "Champ Cards Contestant Registration"


@pytest.mark.storm
def test_processes_with_a_role_each_share_episodes_and_nothing_happens_twice(short_folder: Path) -> None:
    made = several(short_folder, 7, SPLIT, tables=3, silent=3, patience=2)
    assert not made.wrong, "\n".join(made.wrong)
    assert made.timeouts >= 3
    assert made.commands > 3
    played = [member for member in made.members if ": played" in member.words()]
    assert played, "which of the two is chance"
    assert [member.name for member in played if "turns" not in member.roles] == []


@pytest.mark.storm
def test_nothing_is_lost_or_done_twice_under_fire(short_folder: Path) -> None:
    made = several(short_folder, 11, [EVERYTHING] * 3, tables=3, silent=3, patience=2, faults=6)
    assert not made.wrong, "\n".join(made.wrong)
    assert made.faults.total() == 6
    assert made.timeouts >= 3


class Pair:
    """Two daemons that do everything, with leases of the usual length."""

    def __init__(self, make_world: MakeWorld, settings: str = "", roles: str = EVERYTHING) -> None:
        self.url = server().fresh()
        self.world = make_world(f'{AT_ONCE}{settings}[database]\nurl = "{self.url}"\n')
        self.members = [Member(f"member{number}", self.world, forks(), self.url, roles) for number in range(2)]
        for member in self.members:
            member.start()
        for member in self.members:
            wait_until(partial(self.is_serving, member), "a daemon")

    def is_serving(self, member: Member) -> bool:
        return "serving" in member.words()

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        with psycopg.connect(self.url) as connection:
            return connection.execute(sql.encode()).fetchall()

    def leader(self, role: str) -> Member | None:
        """Who has a lease that is not over. No lease ever lasts longer than a failover may."""
        found = self.rows(
            f"SELECT holder, extract(epoch FROM until - clock_timestamp()) FROM leases WHERE name = '{role}'"
        )
        if not found or found[0][1] <= 0:
            return None
        holder, seconds = found[0]
        assert seconds <= SECONDS_TO_FAIL_OVER
        pid = int(holder.split()[1])
        return next((each for each in self.members if each.child is not None and each.child.pid == pid), None)

    def wait_for_leader(self, role: str, other_than: Member | None = None) -> Member:
        def found() -> Member | None:
            leader = self.leader(role)
            return None if leader is other_than else leader

        leader: Member = wait_until(found, f"a process to lead in {role}")
        return leader

    def close(self) -> None:
        for member in self.members:
            member.close()


@pytest.fixture
def make_pair(make_world: MakeWorld) -> Iterator[Callable[..., Pair]]:
    pairs: list[Pair] = []

    def make(*arguments: str) -> Pair:
        pairs.append(Pair(make_world, *arguments))
        return pairs[-1]

    yield make
    for pair in pairs:
        pair.close()


def test_the_lead_passes_on_when_its_holder_is_frozen_and_when_it_is_killed(make_pair: Callable[..., Pair]) -> None:
    pair = make_pair()
    people = [Person(pair.world, name, f"{name[:3].lower()}@example.net") for name in ("Ann Lee", "Bob Ray")]
    first = pair.wait_for_leader("inbox")
    first.signal(signal.SIGSTOP)
    second = pair.wait_for_leader("inbox", other_than=first)
    assert pair.wait_for_leader("clock", other_than=first) is second
    people[0].register()
    people[0].wait_for("registered")
    first.signal(signal.SIGCONT)
    wait_until(lambda: pair.rows("SELECT 1 FROM leases WHERE until > clock_timestamp()"), "a lease")
    assert pair.leader("inbox") is second
    second.kill()
    assert pair.wait_for_leader("clock", other_than=second) is first
    people[1].register()
    people[0].wait_for("begin")
    people[1].wait_for("begin")
    for person in people:
        assert len({each.headers["message-id"] for each in person.all if each.kind == "begin"}) == 1
    assert "Traceback" not in first.words()


@pytest.mark.storm
def test_a_process_cut_off_from_the_database_goes_on_when_it_is_back(make_pair: Callable[..., Pair]) -> None:
    pair = make_pair()
    first = pair.wait_for_leader("inbox")
    first.swallow()
    second = pair.wait_for_leader("inbox", other_than=first)
    ann, bob = Person(pair.world, "Ann Lee", "ann@example.net"), Person(pair.world, "Bob Ray", "bob@example.net")
    ann.register()
    ann.wait_for("registered")
    first.line.heal()
    second.signal(signal.SIGHUP)  # as of a terminal that is closed
    assert second.wait() == 0
    bob.register()
    ann.wait_for("begin")
    first.line.reset()
    first.line.refuse()
    time.sleep(2)
    first.line.heal()
    ann.tap(ann.all[-1])
    wait_until(ann.new_letters, "an answer")
    assert "Traceback" not in first.words()
    first.signal(signal.SIGTERM)
    assert first.wait() == 0


@pytest.mark.storm
def test_who_stands_still_in_a_transaction_holds_up_the_others_no_longer_than_a_lease() -> None:
    url = server().fresh()
    frozen, other = open_store(url), connect(url)

    def stand_still() -> None:
        with frozen.transaction() as session:
            take_lobby(session, "champ-cards").episodes = 3
            while True:
                try:
                    with other.transaction() as second:
                        take_lobby(second, "champ-cards").episodes = 5
                    return
                except OperationalError as error:
                    assert is_passing(error)

    with not_for_ever(), pytest.raises(InternalError) as ended:
        stand_still()
    assert is_passing(ended.value)
    with other.reading() as session:
        assert session.scalar(text("SELECT episodes FROM lobbies")) == 5
    for store in (frozen, other):
        store.close()


@pytest.mark.storm
def test_a_line_to_the_database_that_is_dead_is_noticed() -> None:
    store = connect(server().fresh() + "?keepalives_count=7&options=-c%20lock_timeout%3D1s")
    with store.engine.connect() as connection:
        driver: Any = connection.connection.driver_connection
        line = socket.socket(fileno=driver.pgconn.socket)
        options = {
            name: line.getsockopt(socket.IPPROTO_TCP, getattr(socket, name))
            for name in ("TCP_USER_TIMEOUT", "TCP_KEEPIDLE", "TCP_KEEPINTVL", "TCP_KEEPCNT")
        }
        line.detach()
        assert options == {"TCP_USER_TIMEOUT": 10_000, "TCP_KEEPIDLE": 4, "TCP_KEEPINTVL": 2, "TCP_KEEPCNT": 7}
        assert connection.scalar(text("SHOW idle_in_transaction_session_timeout")) == "5s"
        assert connection.scalar(text("SHOW lock_timeout")) == "1s"
    store.close()


@pytest.mark.storm
def test_a_process_whose_lead_ended_without_an_answer_waits_in_peace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = server().fresh()
    monkeypatch.setattr(desk, "open_store", lambda _url: open_store(url))
    runtime = desk.Desk(tmp_path)

    class Counting(Inbox):
        closed = 0

        async def close(self) -> None:
            self.closed += 1

    async def for_a_while() -> int:
        wiring = Runtime(runtime.services, lambda: runtime.now, steady)
        lead = Leadership(wiring, "inbox", "test")
        inbox = Counting(runtime.config.imap, "INBOX")
        lead.changed.set()
        watching = asyncio.create_task(ImapWatcher(wiring, inbox, lead).run())
        await until(lambda: inbox.closed, "the lead to be found over")
        for _ in range(20_000):
            await asyncio.sleep(0)
        wiring.stopping.set()
        lead.changed.set()
        await watching
        wiring.close()
        return inbox.closed

    assert asyncio.run(for_a_while()) < 10
    runtime.store.close()


@pytest.mark.storm
def test_two_processes_may_begin_the_same_mailbox_at_the_same_moment() -> None:
    url = server().fresh()
    store, other = open_store(url), connect(url)
    with store.engine.connect() as connection:
        connection.execute(
            text("INSERT INTO mailboxes (name, uidvalidity, uid) VALUES ('INBOX', 1, 5)").execution_options()
        )

        async def both() -> None:
            late = asyncio.create_task(asyncio.to_thread(queues.begin_mailbox, other, "INBOX", 1, 0))
            waits = text("SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'")
            with other.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as third:
                await until(lambda: third.scalar(waits), "the second to wait for the first")
            connection.commit()
            await late

        asyncio.run(both())
    assert queues.watermark(store, "INBOX") == (1, 5)
    for each in (store, other):
        each.close()


@pytest.mark.storm
def test_a_process_that_stood_still_does_not_tell_of_the_past(tmp_path: Path) -> None:
    runtime = desk.Desk(tmp_path)
    queues.was_seen(runtime.store, "INBOX", runtime.now)
    seen = runtime.now
    runtime.later(hours=-3)
    queues.was_seen(runtime.store, "INBOX", runtime.now)
    queues.was_seen(runtime.store, "INBOX", runtime.now, is_read=True)
    late = RawMail(900, runtime.now, 1, b"From: a@example.com\r\n\r\nhi")
    store_mails(
        runtime.services, "INBOX", 17, [late], runtime.now, runtime.now
    )  # of a mailbox that was made anew since
    runtime.later(hours=3)
    assert queues.watermark(runtime.store, "INBOX") == (1, 0)
    assert queues.unseen_for(runtime.store, "INBOX", runtime.now).total_seconds() == 0
    assert runtime.now == seen
    runtime.store.close()


@pytest.mark.storm
def test_a_process_that_stood_still_between_its_two_clocks_saw_no_jump(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    runtime = desk.Desk(tmp_path)
    passed = 0.0
    pauses = iter((0.0, 60.0, 0.0, 0.0))

    def wall() -> datetime:
        nonlocal passed
        passed += next(pauses)
        return desk.START + timedelta(seconds=passed)

    daemon = Daemon(runtime.config, runtime.store, wall, lambda: passed)

    async def keep_time() -> None:
        nonlocal passed
        for _ in range(3):
            await daemon._keep_time()
            passed += 20.0

    asyncio.run(keep_time())
    with runtime.store.reading() as session:
        row = heartbeat(session)
        assert row is not None
        assert (row.steady, row.wall) == (passed - 20.0, desk.START + timedelta(seconds=passed - 20.0))
    assert "jumped" not in caplog.text
    runtime.store.close()


@pytest.mark.storm
def test_after_a_door_stood_still_deadlines_wait_for_what_the_mta_tries_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runtime = desk.Desk(tmp_path, lmtp={"listen": f"127.0.0.1:{free_port()}"})
    passed = 0.0
    seen: list[timedelta] = []

    def wall() -> datetime:
        return desk.START + timedelta(seconds=passed)

    async def stand_at_the_door() -> None:
        wiring = Runtime(runtime.services, wall, lambda: passed)
        delivery = LmtpReceiver(wiring)
        steps = iter([5] * 125 + [2000] + [5] * 200 + [5] * 400)

        async def sleep(_seconds: float) -> None:
            nonlocal passed
            with runtime.store.reading() as session:
                row = session.get(Mailbox, LMTP_MAILBOX)
                assert row is not None
                seen.append(timedelta.max if row.read_at is None else wall() - row.read_at)
            step = next(steps, None)
            passed += step or 0
            if step is None:
                wiring.stopping.set()

        monkeypatch.setattr(wiring, "sleep", sleep)
        await delivery.start()
        await delivery.run()
        wiring.close()

    asyncio.run(stand_at_the_door())
    begun, after, later = seen[100], seen[300], seen[-1]
    assert begun == timedelta.max  # the first ten minutes after the start
    assert seen[125] == timedelta()
    assert after >= timedelta(seconds=2000)
    assert later == timedelta()
    runtime.store.close()


@pytest.mark.parametrize(
    ("role", "status", "words"),
    [
        ("turns", 1, r"podium: --role parts the work among several processes, which needs PostgreSQL.*\n"),
        ("turns,clocks", 2, r"(?s).*write some of inbox, turns, outbox, clock, web with commas between;.*"),
        (" , ", 2, r"(?s).*write some of inbox, turns, outbox, clock, web with commas between;.*"),
    ],
)
def test_roles_that_cannot_be(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], role: str, status: int, words: str
) -> None:
    config = tmp_path / "podium.toml"
    config.write_text(
        f'[host]\naddress = "{dovecot.ADDRESS}"\n[imap]\nhost = "127.0.0.1"\nsecurity = "none"\nusername = "x"\n'
        f'[smtp]\nhost = "127.0.0.1"\nsecurity = "none"\n[games.champ-cards]\n'
    )
    try:
        found = main(["run", "--role", role, "--config", str(config)])
    except SystemExit as ended:
        found = int(str(ended.code))
    assert found == status
    assert re.fullmatch(words, capsys.readouterr().err)


class DoorWorld(World):
    """A world whose mail for the host goes to the doors of several daemons in turn."""

    doors: Iterator[int]

    def start(self) -> None:
        self.imap = {"host": ""}
        self.start_smtp()
        self.write_config()

    def send(self, raw: bytes, sender: str, to: str) -> None:
        with smtplib.LMTP("127.0.0.1", next(self.doors)) as door:
            door.sendmail(sender, [to], raw)


class DoorPair:
    """Daemons without a mailbox, each with a door of its own."""

    def __init__(self, folder: Path, most_waiting: int = 100) -> None:
        self.url = server().fresh()
        self.folder = folder
        settings = f'{AT_ONCE}[database]\nurl = "{self.url}"\n[lmtp]\nmost_waiting = {most_waiting}\n'
        self.world = DoorWorld(folder, settings)
        self.world.start()
        self.members: list[Member] = []
        self.ports: list[int] = []

    def add(self, roles: str = EVERYTHING) -> Member:
        member = Member(f"member{len(self.members)}", self.world, forks(), self.url, roles)
        port = free_port()
        member.config.write_text(member.config.read_text().replace("[lmtp]", f'[lmtp]\nlisten = "127.0.0.1:{port}"'))
        self.members.append(member)
        member.start()
        if "inbox" in roles:
            self.ports.append(port)
            self.world.doors = itertools.cycle(self.ports)
            wait_until(lambda: _answers(port), "the door")
        return member

    def close(self) -> None:
        for member in self.members:
            member.close()
        self.world.stop()


def _answers(port: int) -> bool:
    with closing(socket.socket()) as line:
        return line.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture
def doors(short_folder: Path) -> Iterator[Callable[..., DoorPair]]:
    made: list[DoorPair] = []

    def make(most_waiting: int = 100) -> DoorPair:
        made.append(DoorPair(short_folder, most_waiting))
        return made[-1]

    yield make
    for each in made:
        each.close()


def test_an_episode_by_lmtp_into_two_processes(doors: Callable[..., DoorPair]) -> None:
    pair = doors()
    for _ in range(2):
        pair.add()
    people = [Person(pair.world, name, f"{name[:3].lower()}@example.net", True) for name in ("Ann Lee", "Bob Ray")]
    for person in people:
        person.register()

    def is_over() -> bool:
        for person in people:
            person.tap_all()
        return all(person.all and person.all[-1].kind == "result" for person in people)

    wait_until(is_over, "the result", 120)
    with psycopg.connect(pair.url) as connection:
        found = connection.execute("SELECT state, count(*) FROM inbound GROUP BY state").fetchall()
        said = connection.execute("SELECT count(*) FROM record_lines").fetchone()
    tapped = sum(len(person.tapped) for person in people)
    assert dict(found).keys() <= {"played", "answered"}
    assert said == (tapped,)
    assert all("by LMTP" in member.words() or ": played" in member.words() for member in pair.members)


@pytest.mark.storm
def test_a_full_queue_tells_the_mta_to_come_again_and_a_mail_that_comes_twice_counts_once(
    doors: Callable[..., DoorPair],
) -> None:
    pair = doors(most_waiting=1)
    pair.add("inbox")
    pair.add("outbox,clock")
    ann, bob = Person(pair.world, "Ann Lee", "ann@example.net"), Person(pair.world, "Bob Ray", "bob@example.net")
    ann.register()
    raw = write(bob.address, bob.name, dovecot.ADDRESS, SUBJECT, "Name: Bob Ray\nHometown: Springfield")
    with pytest.raises((smtplib.SMTPResponseException, smtplib.SMTPRecipientsRefused)) as refused:
        pair.world.send(raw, bob.address, dovecot.ADDRESS)
    assert "452" in str(refused.value)
    pair.add("turns")
    ann.wait_for("registered")
    pair.world.send(raw, bob.address, dovecot.ADDRESS)
    bob.wait_for("begin")
    pair.world.send(raw, bob.address, dovecot.ADDRESS)  # the answer to the first delivery got lost
    with psycopg.connect(pair.url) as connection:
        rows = connection.execute("SELECT sender, state FROM inbound ORDER BY id").fetchall()
    assert rows == [(ann.address, "answered"), (bob.address, "answered")]
