"""Servers that go away, hang, or refuse, and mail that is not for us."""

import contextlib
import json
import shutil
import sqlite3
import subprocess

import pytest

from host.demo.robot import write
from tests.patience import wait_until
from tests.wire import dovecot
from tests.wire.conftest import MakeWorld
from tests.wire.world import Person, World

pytestmark = pytest.mark.dovecot
AT_ONCE = "[security]\nconfirm_registration = false\nregistrations_an_hour = 10000\nregistrations_a_day = 1000\n"


def rows(world: World, query: str) -> list[tuple[object, ...]]:
    with contextlib.closing(sqlite3.connect(world.folder / "podium.db", timeout=10)) as database:
        return database.execute(query).fetchall()


def two_people(world: World) -> tuple[Person, Person]:
    ann, bob = Person(world, "Ann Lee", "ann@example.net"), Person(world, "Bob Ray", "bob@example.com")
    ann.register()
    ann.wait_for("registered")
    bob.register()
    return ann, bob


def test_servers_that_go_away_and_come_back(make_world: MakeWorld) -> None:
    world = make_world(AT_ONCE)
    world.run_daemon()
    ann, _ = two_people(world)
    begin = ann.wait_for("begin")
    world.dovecot.stop()
    wait_until(lambda: "mailbox INBOX" in world.log(), "the daemon to notice")
    world.dovecot.start()
    ann.answer(begin, "cut 5")
    turn = ann.wait_for("turn")
    world.stop_smtp()
    raw = write(ann.address, ann.name, turn.headers["reply-to"], "Re", "pick 3")
    import smtplib

    with smtplib.LMTP("127.0.0.1", world.dovecot.lmtp_port) as lmtp:
        lmtp.sendmail(ann.address, [turn.headers["reply-to"]], raw)
    wait_until(lambda: "SMTP" in world.log(), "the daemon to notice")
    world.start_smtp()
    assert "You turned the" in " ".join(ann.wait_for("turn").text.split())
    assert world.terminate() == 0


@pytest.mark.storm
def test_sigterm_while_the_server_hangs(make_world: MakeWorld) -> None:
    world = make_world(AT_ONCE)
    world.run_daemon()
    wait_until(lambda: "serving" in world.log(), "the daemon")
    (world.spool / "fault").write_text("hang")
    ann = Person(world, "Ann Lee", "ann@example.net")
    raw = write(ann.address, ann.name, dovecot.ADDRESS, "Champ Cards Contestant Registration", "Name: Ann Lee")
    import smtplib

    with smtplib.LMTP("127.0.0.1", world.dovecot.lmtp_port) as lmtp:
        lmtp.sendmail(ann.address, [dovecot.ADDRESS], raw)
    wait_until((world.spool / "hanging").exists, "a letter on its way")
    assert world.terminate() == 0
    (world.spool / "fault").unlink()
    world.run_daemon()
    ann.wait_for("registered")


@pytest.mark.storm
def test_a_refused_address_alarms_the_host(make_world: MakeWorld) -> None:
    world = make_world(AT_ONCE)
    world.run_daemon()
    (world.spool / "fault").write_text("550 no such mailbox")
    ann = Person(world, "Ann Lee", "ann@example.net")
    import smtplib

    raw = write(ann.address, ann.name, dovecot.ADDRESS, "Champ Cards Contestant Registration", "Name: Ann Lee")
    with smtplib.LMTP("127.0.0.1", world.dovecot.lmtp_port) as lmtp:
        lmtp.sendmail(ann.address, [dovecot.ADDRESS], raw)
    wait_until(lambda: "letter 1 to" in world.log(), "the refusal")
    (world.spool / "fault").unlink()
    wait_until(lambda: json.loads(world.podium("status", "--json").stdout)["letters_failed"] > 0, "the count")


@pytest.mark.storm
def test_junk_counts_and_strangers_are_left_alone(make_world: MakeWorld) -> None:
    world = make_world(AT_ONCE)
    carol = "carol@example.com"
    world.send(write(carol, "Carol", dovecot.ADDRESS, "Lunch?", "pick 5"), carol, dovecot.ADDRESS)
    world.run_daemon()
    ann, _ = two_people(world)
    begin = ann.wait_for("begin")
    raw = write(ann.address, ann.name, begin.headers["reply-to"], "Re", "cut 9")
    import imaplib

    with imaplib.IMAP4("127.0.0.1", world.dovecot.imap_port) as imap:
        imap.login(dovecot.ADDRESS, dovecot.PASSWORD)
        imap.append("Junk", "", "", raw)
        assert "cut the deck at 9" in " ".join(ann.wait_for("turn").text.split())
        imap.select("INBOX", readonly=True)
        status, found = imap.search(None, "SEEN")
        assert status == "OK"
        assert found == [b""], "nothing is flagged"
    assert not list(world.spool.glob(f"*{carol}*"))


def test_a_mailbox_made_anew_plays_nothing_twice(make_world: MakeWorld) -> None:
    world = make_world(AT_ONCE)
    world.run_daemon()
    ann, _ = two_people(world)
    begin = ann.wait_for("begin")
    ann.answer(begin, "cut 5")
    ann.wait_for("turn")
    world.kill()
    world.dovecot.stop()
    for file in world.dovecot.folder.joinpath("home").rglob("dovecot*"):
        file.unlink()
    world.dovecot.start()
    world.run_daemon()
    wait_until(lambda: world.log().count("serving") == 2, "the daemon")
    cleo = Person(world, "Cleo Fox", "cleo@example.net")
    cleo.register()
    cleo.wait_for("registered")  # her mail is the last in the mailbox
    wait_until(lambda: not rows(world, "select id from inbound where state = 'new'"), "all mail")
    wait_until(lambda: not rows(world, "select id from letters where state <> 'sent'"), "all letters")
    assert ann.new_letters() == []
    episode = world.podium("episode", "CC-1", "--json").stdout
    assert episode.count("cut 5") == 1


@pytest.mark.storm
@pytest.mark.parametrize("is_late", [False, True], ids=["seen at once", "seen when all numbers were given again"])
def test_a_mailbox_put_back_to_an_older_copy_loses_no_reply_and_plays_nothing_twice(
    make_world: MakeWorld, is_late: bool
) -> None:
    world = make_world(AT_ONCE)
    world.run_daemon()
    ann, _ = two_people(world)
    begin = ann.wait_for("begin")
    maildir = world.dovecot.folder / "home" / "Maildir"
    copy = maildir.with_name("copy")
    world.dovecot.stop()
    subprocess.run(["cp", "-a", maildir, copy], check=True)
    world.dovecot.start()
    ann.answer(begin, "cut 5")
    turn = ann.wait_for("turn")
    if is_late:
        world.kill()
    world.dovecot.stop()
    shutil.rmtree(maildir)
    copy.rename(maildir)
    world.dovecot.start()
    if not is_late:
        wait_until(lambda: "was put back to an older copy" in world.log(), "the daemon to notice")
    ann.answer(turn, "pick 3")  # gets the number that cut 5 had
    if is_late:
        world.run_daemon()
    assert "You turned the" in " ".join(ann.wait_for("turn").text.split())
    boss = Person(world, "Boss", "boss@example.com")
    alert = " ".join(boss.wait_for("alert").text.split())
    assert "INBOX was put back to an older copy" in alert
    assert "the mail of its last 7 days is read again, and nothing is played twice" in alert
    found = json.loads(world.podium("episode", "CC-1", "--json").stdout)["record"]
    assert [json.loads(each["text"])["say"] for each in found] == ["cut 5", "pick 3"]
    states = json.loads(world.podium("mail", "--json").stdout)
    assert sorted(each["outcome"] for each in states if each["way"] == "in") == [
        *("answered", "answered", "duplicate", "duplicate", "played", "played")
    ]
    world.kill()
    world.run_daemon()
    wait_until(lambda: world.log().count("serving") == 2 + is_late, "the daemon")
    assert world.log().count("was put back") == 1, "what was seen to is not seen again"
    assert world.terminate() == 0
