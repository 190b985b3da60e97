"""IMAP that hangs or is cut at each step, a locked or full database, a mailbox that people tidy: each mail is played once."""

import asyncio
import contextlib
import imaplib
import json
import resource
import sqlite3
import subprocess
import time
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path

import pytest

from host.cli.terminal import SLUGS
from host.config import load
from host.daemon.runtime import StartError
from host.demo.robot import write
from host.mail.inbound.imap import Inbox, InboxError
from tests.patience import wait_until
from tests.size import size
from tests.wire import dovecot
from tests.wire.conftest import MakeWorld
from tests.wire.inside import AT_ONCE, SECONDS, Bench, a_bench, deliver, short_waits
from tests.wire.proxy import Action
from tests.wire.world import Person, World

pytestmark = pytest.mark.dovecot
AT_LOGIN = [" CAPABILITY", " LOGIN ", " SELECT "]
IN_A_PASS = ["UID SEARCH", "UID FETCH .*INTERNALDATE", "UID FETCH .*BODY", " NOOP", " IDLE", "^DONE"]
ATTACHED = 300_000


@pytest.fixture(scope="module")
def bench() -> Iterator[Bench]:
    """One daemon for the tests that leave it running: each test's contestant is a new one."""
    with short_waits(), a_bench() as made, made.serving():
        yield made


@pytest.fixture(autouse=True)
def healed(request: pytest.FixtureRequest) -> Iterator[None]:
    yield
    if "bench" in request.fixturenames:
        request.getfixturevalue("bench").imap.heal()


@contextlib.contextmanager
def looking_in(world: World, mailbox: str = "INBOX") -> Iterator[imaplib.IMAP4]:
    """The mailbox as a person's mail program has it."""
    with imaplib.IMAP4("127.0.0.1", world.dovecot.imap_port) as imap:
        imap.login(dovecot.ADDRESS, dovecot.PASSWORD)
        imap.select(mailbox)
        yield imap


@pytest.mark.parametrize(
    "passes", size([True], [False, True]), ids=lambda passes: "unanswered" if passes else "unheard"
)
@pytest.mark.parametrize("step", size([" SELECT ", "UID FETCH .*BODY"], [*AT_LOGIN, *IN_A_PASS]))
def test_imap_that_hangs_at_any_command(bench: Bench, step: str, passes: bool) -> None:
    person = bench.somebody()
    fault = bench.imap.fault(step, "swallow", passes=passes)
    if step in AT_LOGIN:
        bench.imap.cut()
    bench.deliver(person)
    wait_until(fault.struck.is_set, "the silence")
    bench.comes_out_once(person)


@pytest.mark.storm
@pytest.mark.parametrize("action", ["swallow", "cut"])
async def test_imap_that_falls_silent_after_its_greeting(action: Action) -> None:
    with short_waits(), a_bench() as made:
        made.imap.fault(" CAPABILITY", action)
        inbox = Inbox(load(made.world.config, SLUGS).imap, "INBOX")
        with pytest.raises(InboxError):
            await asyncio.wait_for(inbox.connect(), 3 * SECONDS)
        inbox.abandon()


@pytest.mark.parametrize("step", size([" LOGIN ", "UID SEARCH"], [*AT_LOGIN, *IN_A_PASS]))
def test_imap_that_is_cut_at_any_command(bench: Bench, step: str) -> None:
    person = bench.somebody()
    fault = bench.imap.fault(step, passes=True)
    if step in AT_LOGIN:
        bench.imap.reset()
    bench.deliver(person)
    wait_until(fault.struck.is_set, "the cut")
    bench.comes_out_once(person)


@pytest.mark.storm
def test_imap_that_accepts_and_says_nothing(bench: Bench) -> None:
    person = bench.somebody()
    bench.imap.is_silent = True
    bench.imap.cut()
    bench.deliver(person)
    before = bench.imap.connections
    wait_until(lambda: bench.imap.connections > before + 1, "a second try")
    bench.imap.heal()
    bench.comes_out_once(person)


@pytest.mark.storm
def test_imap_that_nobody_listens_at(bench: Bench, caplog: pytest.LogCaptureFixture) -> None:
    person = bench.somebody()
    bench.imap.refuse()
    bench.imap.cut()
    bench.deliver(person)
    wait_until(lambda: "mailbox INBOX" in caplog.text, "the daemon to notice")
    bench.imap.heal()
    bench.comes_out_once(person)


@pytest.mark.storm
def test_imap_that_trickles(bench: Bench) -> None:
    person = bench.somebody()
    bench.imap.trickle = 0.0001
    bench.deliver(person)
    bench.comes_out_once(person)


@pytest.mark.storm
@pytest.mark.parametrize("after", [1, ATTACHED // 3])
def test_imap_that_is_cut_in_the_middle_of_a_mail(bench: Bench, after: int) -> None:
    person = bench.somebody()
    message = EmailMessage()
    message["From"], message["To"] = person.address, dovecot.ADDRESS
    message["Subject"] = bench.world.subject
    message.set_content(f"Name: {person.name}\n")
    message.add_attachment(b"\x00" * ATTACHED, "image", "jpeg", filename="me.jpg")
    fault = bench.imap.fault(r"BODY\[\]", side="server", after=after, times=2)
    deliver(bench.world, message.as_bytes())
    wait_until(lambda: fault.times == 0 and fault.struck.is_set(), "both cuts")
    bench.comes_out_once(person)


@pytest.mark.storm
def test_imap_that_hangs_at_the_start_is_one_sentence() -> None:
    with short_waits(start_tries=1), a_bench() as made:
        made.imap.is_silent = True
        with pytest.raises(StartError, match="did not answer in time") as refused, made.serving():
            pass
    assert "check [imap]" in str(refused.value)


@pytest.mark.parametrize("seconds", size([2.0], [0.5, 2.0]))
def test_a_database_that_another_process_locks(bench: Bench, seconds: float) -> None:
    people = [bench.somebody() for _ in range(3)]
    with contextlib.closing(sqlite3.connect(bench.world.folder / "podium.db", isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        for person in people:
            bench.deliver(person)
        time.sleep(seconds)
        other.execute("ROLLBACK")
    for person in people:
        bench.comes_out_once(person)


def test_a_disk_that_is_full_for_a_while(make_world: MakeWorld) -> None:
    world = make_world(AT_ONCE)
    world.run_daemon()
    ann, bob = Person(world, "Ann Lee", "ann@example.net"), Person(world, "Bob Ray", "bob@example.com")
    ann.register()
    ann.wait_for("registered")
    assert world.daemon is not None
    _, most = resource.prlimit(world.daemon.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(world.daemon.pid, resource.RLIMIT_FSIZE, (8192, most))
    bob.register()
    wait_until(lambda: "disk" in world.log(), "the daemon to notice")
    assert bob.new_letters() == []
    assert world.daemon.poll() is None, "a full disk ended the daemon"
    resource.prlimit(world.daemon.pid, resource.RLIMIT_FSIZE, (most, most))
    begin = bob.wait_for("begin")
    assert begin.kind == "begin"
    status = json.loads(world.podium("status", "--json").stdout)
    assert len(status["episodes"]) == 1
    assert world.terminate() == 0


def test_a_mail_that_a_person_moves_away_and_back(bench: Bench) -> None:
    early, late = bench.somebody(), bench.somebody()
    bench.imap.refuse()
    bench.imap.cut()
    bench.deliver(early)
    with looking_in(bench.world) as imap:
        imap.create("Later")
        move_all(imap, "Later")
        imap.select("Later")
        move_all(imap, "INBOX")
    bench.imap.heal()
    bench.comes_out_once(early)
    bench.deliver(late)
    bench.comes_out_once(late)
    before = bench.rows("select count(*) from letters where address in (?, ?)", early.address, late.address)
    with looking_in(bench.world) as imap:
        move_all(imap, "Later")
        imap.select("Later")
        move_all(imap, "INBOX")
    wait_until(
        lambda: bench.rows("select id from inbound where sender = ? and state = 'duplicate'", late.address), "it"
    )
    first, again = bench.rows("select state from inbound where sender = ? order by id", late.address)
    assert (first != ("duplicate",), again) == (True, ("duplicate",))
    third = bench.somebody()
    bench.deliver(third)  # it comes behind those that were moved
    bench.comes_out_once(third)
    assert bench.rows("select count(*) from letters where address in (?, ?)", early.address, late.address) == before
    assert bench.rows("select state from inbound where state in ('new', 'quarantined', 'refused')") == []


def move_all(imap: imaplib.IMAP4, target: str) -> None:
    status, _ = imap.copy("1:*", target)
    assert status == "OK"
    imap.store("1:*", "+FLAGS", "\\Deleted")
    imap.expunge()


@pytest.mark.storm
def test_a_mail_that_a_person_reads_and_flags_first(bench: Bench) -> None:
    person = bench.somebody()
    bench.imap.refuse()
    bench.imap.cut()
    bench.deliver(person)
    with looking_in(bench.world) as imap:
        imap.store("1:*", "+FLAGS", "(\\Seen \\Flagged \\Answered)")
    bench.imap.heal()
    bench.comes_out_once(person)
    with looking_in(bench.world) as imap:
        imap.store("1:*", "-FLAGS", "(\\Seen \\Flagged)")
    again = bench.somebody()
    bench.deliver(again)
    bench.comes_out_once(again)


@pytest.mark.storm
def test_a_mail_that_a_person_deletes_while_it_is_fetched(bench: Bench) -> None:
    person, next_one = bench.somebody(), bench.somebody()
    fault = bench.imap.fault("UID FETCH .*BODY", "cut")
    bench.deliver(person)
    wait_until(fault.struck.is_set, "the fetch")
    with looking_in(bench.world) as imap:
        imap.store("1:*", "+FLAGS", "\\Deleted")
        imap.expunge()
    bench.deliver(next_one)
    bench.comes_out_once(next_one)


QUOTA = """
mail_plugins = $mail_plugins quota
plugin {
  quota = maildir:User quota
  quota_rule = *:storage=100K
  quota_grace = 0
}
"""


@pytest.mark.storm
def test_a_mailbox_that_is_full(make_world: MakeWorld) -> None:
    done = subprocess.run([dovecot.binary(), "--version"], capture_output=True, text=True, check=True)
    if not done.stdout.startswith("2.3"):
        pytest.skip("the quota plugin is set otherwise since Dovecot 2.4")
    world = make_world(AT_ONCE)
    world.dovecot.stop()
    with (world.dovecot.folder / "dovecot.conf").open("a") as file:
        file.write(QUOTA)
    world.dovecot.start()
    world.run_daemon()
    ann, bob = Person(world, "Ann Lee", "ann@example.net"), Person(world, "Bob Ray", "bob@example.com")
    ann.register()
    ann.wait_for("registered")
    carol = "carol@example.com"
    deliver(world, write(carol, "Carol", dovecot.ADDRESS, "Photos", "x" * 70 + "\n" + ("y" * 70 + "\n") * 1200), carol)
    registration = write(bob.address, bob.name, dovecot.ADDRESS, world.subject, "Name: Bob Ray\n" + "z" * 30_000)
    import smtplib

    with pytest.raises(smtplib.SMTPException, match=r"(?i)quota|5\.2\.2"):
        deliver(world, registration, bob.address)
    status = world.podium("status", "--alive")
    assert status.returncode == 0
    with looking_in(world) as imap:
        _, found = imap.search(None, "FROM", carol)
        imap.store(found[0].decode().replace(" ", ","), "+FLAGS", "\\Deleted")
        imap.expunge()
    deliver(world, registration, bob.address)
    assert ann.wait_for("begin").kind == "begin"
    assert bob.wait_for("begin").kind == "begin"
    assert "Traceback" not in world.log()


@pytest.mark.storm
def test_a_folder_that_vanishes_is_said_and_waited_for(bench: Bench, caplog: pytest.LogCaptureFixture) -> None:
    """The server's disk is away for a moment: the login works, the mailbox does not."""
    person = bench.somebody()
    home = Path(bench.world.dovecot.folder / "home")
    away = home.with_name("away")
    home.rename(away)
    bench.imap.cut()
    wait_until(lambda: "mailbox INBOX" in caplog.text or home.exists(), "somebody to notice")
    bench.imap.refuse()  # the server may make the folder when somebody logs in
    bench.imap.cut()
    if home.exists():
        home.rename(home.with_name("empty"))
    away.rename(home)
    bench.imap.heal()
    bench.deliver(person)
    bench.comes_out_once(person)
