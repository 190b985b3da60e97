"""Servers that go away, hang, or refuse, and mail that is not for us."""

import json
import time

import pytest

from host.demo.robot import write
from tests.wire import dovecot
from tests.wire.conftest import MakeWorld
from tests.wire.world import Person, World, wait_until

pytestmark = pytest.mark.dovecot
AT_ONCE = "[security]\nconfirm_registration = false\nregistrations_an_hour = 10000\nregistrations_a_day = 1000\n"


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
    time.sleep(1)
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
    assert "pick 3" in " ".join(ann.wait_for("turn").text.split())
    assert world.terminate() == 0


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
    wait_until(lambda: '"letters_waiting": 1' in world.podium("status", "--json").stdout, "a letter on its way")
    time.sleep(1)
    assert world.terminate() == 0
    (world.spool / "fault").unlink()
    world.run_daemon()
    ann.wait_for("registered")


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
        assert "cut 9" in " ".join(ann.wait_for("turn").text.split())
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
    time.sleep(3)
    assert ann.new_letters() == []
    episode = world.podium("episode", "CC-1", "--json").stdout
    assert episode.count("cut 5") == 1
