"""A host on its own Postfix: letters by submission, mail for it by LMTP, into Dovecot or straight into Podium.

What docs/operations.md says to write into Postfix's files is read from there, so that these very lines are tried.
"""

import re
import smtplib
import socket
import sqlite3
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from tests.patience import wait_until
from tests.ports import free_port
from tests.wire import dovecot, postfix
from tests.wire.proxy import Proxy
from tests.wire.world import Person, World

pytestmark = [
    pytest.mark.dovecot,
    pytest.mark.postfix,
    pytest.mark.skipif(not postfix.may_start(), reason="Postfix can be started by root alone"),
]
GUIDE = Path(__file__).parents[2] / "docs" / "operations.md"
GUIDE_DOOR = "127.0.0.1:8024"
AT_ONCE = "[security]\nconfirm_registration = false\nregistrations_an_hour = 10000\nregistrations_a_day = 1000\n"
IN_RELAY_DOMAINS = f"""
mydestination =
alias_maps =
relay_domains = {postfix.DOMAIN}
relay_recipient_maps = inline:{{ {{{dovecot.ADDRESS} = here}} }}
"""
AS_AN_ALIAS = f"""
mydestination = {postfix.DOMAIN}
alias_maps = inline:{{ {{{dovecot.ADDRESS.partition("@")[0]} = root}} }}
local_recipient_maps = $alias_maps
"""
BY_DOVECOT = f"""
mydestination =
alias_maps =
recipient_delimiter = +
virtual_mailbox_domains = {postfix.DOMAIN}
virtual_mailbox_maps = inline:{{ {{{dovecot.ADDRESS} = here}} }}
virtual_transport = lmtp:inet:127.0.0.1:%(port)s
transport_maps = inline:{{ {{gone.example = lmtp:inet:127.0.0.1:%(port)s}} }}
"""


class PostfixWorld(World):
    """A world whose mail goes through Postfix, the host's after a login."""

    mta: postfix.Postfix
    door = 0

    def start_with(self, security: str, main: str, master: str = "", transport: str = "") -> None:
        self.dovecot.start()
        self.start_smtp()
        self.mta = postfix.make(self.folder / "postfix", self.dovecot, self.smtp_port, main, master, transport)
        self.mta.start()
        port = self.mta.tls_port if security == "tls" else self.mta.starttls_port
        self.smtp_settings = {"port": port, "security": security}
        self.smtp_settings |= {"username": dovecot.ADDRESS, "password": dovecot.PASSWORD}
        self.environment["SSL_CERT_FILE"] = str(self.dovecot.folder / "certificate.pem")
        self.write_config()

    def start_by_the_guide(self, known_by: str, door: int, through: int = 0) -> None:
        """Postfix delivers to Podium at the port `door`, or on its way there to the port `through`."""
        self.door = door
        main, transport, master = guide_lines()
        assert transport.count(GUIDE_DOOR) == 1
        assert transport.startswith(dovecot.ADDRESS)
        self.imap = {"host": ""}
        self.settings += f'[lmtp]\nlisten = "127.0.0.1:{door}"\n'
        transport = transport.replace(GUIDE_DOOR, f"127.0.0.1:{through or door}")
        self.start_with("starttls", main + known_by, master, transport)

    def run_daemon(self, is_forked: bool = True) -> None:
        """Start it, and wait for its door, where it has one: what comes before waits in Postfix for a minute."""
        super().run_daemon(is_forked)
        wait_until(lambda: not self.door or _is_open(self.door), "the door")

    def stop(self) -> None:
        try:
            self.mta.stop()
        finally:
            super().stop()

    def send(self, raw: bytes, sender: str, to: str) -> None:
        """As another mail server brings it."""
        with smtplib.SMTP("127.0.0.1", self.mta.mx_port) as mx:
            mx.sendmail(sender, [to], raw)

    def people(self, count: int) -> list[Person]:
        names = (f"P{number} Lee" for number in range(1, count + 1))
        return [Person(self, name, f"{name[:-4].lower()}@example.net") for name in names]

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        with closing(sqlite3.connect(self.folder / "podium.db", timeout=10)) as database:
            return database.execute(query).fetchall()

    def wait_until_deferred(self, count: int) -> None:
        def is_so() -> bool:
            return [each["queue_name"] for each in self.mta.queue()] == ["deferred"] * count

        wait_until(is_so, f"{count} mails that Postfix could not deliver")

    def wait_until_delivered(self) -> None:
        """A mail is still in the queue for a moment after it arrived."""
        wait_until(lambda: not self.mta.queue(), "Postfix to have all delivered")

    def drain(self) -> None:
        """Have Postfix try again until nothing waits."""
        for _ in range(30):
            self.mta.flush()
            end = time.monotonic() + 2
            while time.monotonic() < end:
                if not self.mta.queue():
                    return
                time.sleep(0.05)
        raise AssertionError(f"still waiting: {self.mta.queue()}")


def guide_lines() -> Sequence[str]:
    """What the guide has for main.cf, the transport table and master.cf."""
    section = GUIDE.read_text("utf-8").partition("\n## Mail by LMTP\n")[2].partition("\n## ")[0]
    blocks = re.findall(r"(?:^    .*\n)+", section, re.MULTILINE)
    assert len(blocks) == 3
    return [dedent(each) for each in blocks]


@pytest.fixture
def world(short_folder: Path) -> Iterator[PostfixWorld]:
    postfix.binary("postfix")
    made = PostfixWorld(short_folder)
    yield made
    made.stop()
    for log in (made.folder / "daemon.log", made.mta.folder / "log", made.dovecot.folder / "log"):
        if log.exists():
            sys.stdout.write(log.read_text()[-6000:])


def first_steps(ann: Person, bob: Person) -> None:
    """From the registration to a move, by Reply to letters whose answers go to an address with a plus."""
    for person, kind in ((ann, "registered"), (bob, "begin")):
        person.register()
        confirm = person.wait_for("confirm")
        assert "+" in confirm.headers["reply-to"]
        person.answer(confirm, "yes")
        person.wait_for(kind)
    begin = ann.wait_for("begin")
    ann.answer(begin, "cut 5")
    turn = ann.wait_for("turn")
    assert "cut the deck at 5" in " ".join(turn.text.split())


def test_submission_and_a_mailbox_that_postfix_delivers_to(world: PostfixWorld) -> None:
    world.start_with("tls", BY_DOVECOT % {"port": world.dovecot.lmtp_port})
    found = world.podium("check")
    assert found.returncode == 0, found.stdout + found.stderr
    assert "with a plus and a token arrives here" in found.stdout
    world.run_daemon()
    first_steps(Person(world, "Ann Lee", "ann@example.net"), Person(world, "Bob Ray", "bob@example.com"))
    assert f"sasl_username={dovecot.ADDRESS}" in world.mta.log()
    Person(world, "Cleo Fox", "cleo@gone.example").register()
    bounce = "select note from inbound where note like 'not answered: a bounce of letter % to cleo@gone.example'"
    wait_until(lambda: world.rows(bounce), "what Postfix sends back")
    assert world.rows("select id from contestants where address = 'cleo@gone.example'") == [], "nobody is there"
    assert "a bounce of letter" in str(world.rows("SELECT note FROM inbound"))
    assert world.terminate() == 0
    world.wait_until_delivered()


@pytest.mark.storm
def test_the_guides_lines_bring_mail_to_podium(world: PostfixWorld) -> None:
    world.start_by_the_guide(IN_RELAY_DOMAINS, free_port())
    world.run_daemon()
    ann = Person(world, "Ann Lee", "ann@example.net")
    first_steps(ann, Person(world, "Bob Ray", "bob@example.com"))
    with pytest.raises(smtplib.SMTPRecipientsRefused):
        world.write(ann, f"nobody@{postfix.DOMAIN}", "hello", "Is anybody there?")
    assert world.terminate() == 0
    world.wait_until_delivered()
    assert world.rows("SELECT DISTINCT mailbox FROM inbound") == [("LMTP",)]


@pytest.mark.storm
def test_what_comes_while_podium_is_stopped_or_killed_is_played_once(world: PostfixWorld) -> None:
    world.settings = AT_ONCE
    door = free_port()
    world.start_by_the_guide(AS_AN_ALIAS, door)
    world.run_daemon()
    ann, bob, *others = world.people(30)
    ann.register()
    ann.wait_for("registered")
    bob.register()
    begin = ann.wait_for("begin")
    assert world.terminate() == 0
    ann.answer(begin, "cut 5")
    for person in others:
        person.register()
    world.wait_until_deferred(1 + len(others))
    stopped_until = f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S.%f}"
    world.run_daemon()
    kept = world.rows("SELECT count(*) FROM inbound")
    world.mta.flush()
    wait_until(lambda: world.rows("SELECT count(*) FROM inbound") > kept, "some of it")
    world.kill()
    world.run_daemon()
    world.drain()
    for person in others:
        person.wait_for("registered")
    turn = ann.wait_for("turn")
    assert "cut the deck at 5" in " ".join(turn.text.split())
    wait_until(lambda: not world.rows("SELECT id FROM letters WHERE state IN ('queued', 'sending')"), "all letters")
    came = world.rows("SELECT sender, count(*) FROM inbound GROUP BY sender ORDER BY sender")
    assert came == sorted([(ann.address, 2)] + [(person.address, 1) for person in (bob, *others)])
    assert world.rows(f"SELECT id FROM inbound WHERE arrived_at > '{stopped_until}'") == []
    assert world.rows("SELECT count(*) FROM record_lines") == [(1,)]
    world.wait_until_delivered()
    for person in others:
        assert person.new_letters() == []
        assert len({letter.headers["message-id"] for letter in person.all}) == 1


@pytest.mark.storm
def test_a_mail_whose_answer_got_lost_comes_again_and_counts_once(world: PostfixWorld) -> None:
    world.settings = AT_ONCE
    door = free_port()
    proxy = Proxy(door)
    lost = proxy.fault("^250 2.0.0 Kept", side="server")
    world.start_by_the_guide(AS_AN_ALIAS, door, proxy.port)
    world.run_daemon()
    [ann] = world.people(1)
    ann.register()
    wait_until(lost.struck.is_set, "the answer")
    world.wait_until_deferred(1)
    ann.wait_for("registered")
    world.drain()
    wait_until(lambda: "status=sent (250 2.0.0 Kept)" in world.mta.log(), "Postfix to note the delivery")
    assert world.rows("SELECT sender, state FROM inbound") == [(ann.address, "answered")]
    assert world.rows("SELECT address FROM letters") == [(ann.address,)]
    assert world.terminate() == 0
    proxy.close()


def _is_open(port: int) -> bool:
    with closing(socket.socket()) as line:
        return line.connect_ex(("127.0.0.1", port)) == 0
