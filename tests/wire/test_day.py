"""A day without the mailbox in the middle of episodes, and clocks that jump: real servers, a daemon whose clock is ours."""

import asyncio
import contextlib
import json
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest

from host.cli.terminal import SLUGS
from host.config import load
from host.daemon import outbound_worker, runtime
from host.daemon.main import Daemon, now, steady
from host.demo.robot import write
from host.store import queues
from host.store.database import open_store
from tests.patience import wait_until
from tests.ports import free_port
from tests.wire import dovecot
from tests.wire.inside import deliver
from tests.wire.proxy import Proxy
from tests.wire.world import Person, World, a_short_folder

pytestmark = pytest.mark.dovecot
SETTINGS = (
    '[security]\nconfirm_registration = false\n[deadlines]\nreply_within = "4h"\nreminders = []\nobjection = "0s"\n'
)
TABLES = "[games.champ-cards]\ntables = 2\n"
STEP = timedelta(minutes=45)


class Clocks:
    """The daemon's clocks: real ones, and how far they were moved."""

    def __init__(self) -> None:
        self.wall_ahead = self.steady_ahead = timedelta()
        self.asked = 0

    def wall(self) -> datetime:
        self.asked += 1
        return now() + self.wall_ahead

    def steady(self) -> float:
        return steady() + self.steady_ahead.total_seconds()


class Host:
    """A daemon in a thread, on real servers behind a proxy."""

    def __init__(self, world: World, imap: Proxy, clocks: Clocks) -> None:
        self.world, self.imap, self.clocks = world, imap, clocks
        config = load(world.config, SLUGS)
        self.store = open_store(config.database.url)
        self.config = config
        self.loop = asyncio.new_event_loop()
        self.daemon = Daemon(config, self.store, clocks.wall, clocks.steady)
        self.thread = threading.Thread(target=self._run)

    def _run(self) -> None:
        asyncio.set_event_loop(self.loop)
        self.loop.run_until_complete(self.daemon.run(handle_signals=False))

    def soon(self) -> None:
        """Everything that waits looks now."""
        self.loop.call_soon_threadsafe(self.daemon.wake)

    def look(self) -> None:
        """Everything that waits looks, and asks what time it is."""
        before = self.clocks.asked
        self.soon()
        wait_until(lambda: self.clocks.asked > before, "the daemon to look at its clock")

    def read_at(self) -> datetime | None:
        with self.store.reading() as session:
            from host.store.schema import Mailbox

            row = session.get(Mailbox, "INBOX")
            return row.read_at if row else None

    def pass_time(self, by: timedelta) -> None:
        """Time passes with the mailbox in reach: it is read after each step."""
        end = self.clocks.wall() + by
        while self.clocks.wall() < end:
            step = min(STEP, max(end - self.clocks.wall(), timedelta(milliseconds=1)))
            self.clocks.wall_ahead += step
            self.clocks.steady_ahead += step
            moment = self.clocks.wall()

            def is_read(since: datetime = moment) -> bool:
                self.soon()
                read_at = self.read_at()
                return read_at is not None and read_at >= since

            wait_until(is_read, "a pass over the mailbox")

    def letters_are_out(self) -> None:
        wait_until(lambda: not queues.has_letters(self.store, self.clocks.wall()), "the letters")


@contextlib.contextmanager
def a_host(settings: str = "", **smtp: int) -> Iterator[Host]:
    with a_short_folder() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(runtime, "BACK_OFF_MOST", 0.5)
        patch.setattr(outbound_worker, "LOOK_AT_LIMIT", 0.2)
        world = World(folder, SETTINGS + settings, TABLES)
        world.smtp_settings |= smtp
        imap = None
        try:
            world.start()
            imap = Proxy(world.dovecot.imap_port)
            world.imap |= {"port": imap.port, "junk": "", "poll_every": "1s"}
            world.write_config()
            host = Host(world, imap, Clocks())
            host.thread.start()
            wait_until(host.daemon.ready.is_set, "the daemon")
            try:
                yield host
            finally:
                host.loop.call_soon_threadsafe(host.daemon.stop)
                host.thread.join(30)
                host.store.close()
        finally:
            if imap is not None:
                imap.close()
            world.stop()


def two_episodes(host: Host) -> list[Person]:
    """Four people in two episodes; gives them in the order of their seats."""
    people = [
        Person(host.world, name, f"{name.split()[0].lower()}@example.net")
        for name in ("Ann Lee", "Bob Ray", "Cleo Fox", "Dov Orr")
    ]
    for person in people:
        person.register()
        person.wait_for("begin" if person.name in ("Bob Ray", "Dov Orr") else "registered")
    wait_until(lambda: all(collect(each, "begin") for each in people), "two episodes")
    return people


def collect(person: Person, kind: str) -> list[str]:
    """The letters of a kind that reached somebody, as text."""
    person.new_letters()
    return [" ".join(each.text.split()) for each in person.all if each.kind == kind]


def test_a_day_without_the_mailbox_forfeits_nobody() -> None:
    with a_host() as host:
        ann, bob, cleo, dov = two_episodes(host)
        host.letters_are_out()
        host.pass_time(timedelta(hours=3))
        host.imap.refuse()
        host.imap.cut()
        begin = next(each for each in ann.all if each.kind == "begin")
        raw = write(ann.address, ann.name, begin.headers["reply-to"], "Re", "cut 5", begin.headers["message-id"])
        deliver(host.world, raw, ann.address)  # past the wall between, in the middle of the outage
        for _ in range(24):
            host.clocks.wall_ahead += timedelta(hours=1)
            host.clocks.steady_ahead += timedelta(hours=1)
            host.look()
        host.imap.refuse(False)
        wait_until(lambda: "cut the deck at 5" in " ".join(collect(ann, "turn")), "the reply to be played")
        wait_until(lambda: any("could not see my mailbox" in each for each in collect(cleo, "turn")), "the reason")
        wait_until(lambda: any("could not see my mailbox" in each for each in collect(dov, "news")), "the reason")
        host.pass_time(timedelta(minutes=30))
        host.letters_are_out()
        assert [collect(each, "timeout") for each in (ann, bob, cleo, dov)] == [[], [], [], []]
        episode = json.loads(host.world.podium("episode", "CC-2", "--json").stdout)
        assert episode["record"] == []
        host.pass_time(timedelta(hours=2))
        wait_until(lambda: collect(cleo, "timeout"), "the deadline, which has only moved")


@pytest.mark.storm
@pytest.mark.parametrize("hours", [1, 24, -1, -24])
def test_a_clock_that_jumps_forfeits_nobody_and_holds_nothing_up(hours: int) -> None:
    with a_host() as host:
        ann, bob, cleo, _ = two_episodes(host)
        host.letters_are_out()
        host.pass_time(timedelta(hours=3, minutes=40))
        host.clocks.wall_ahead += timedelta(hours=hours)
        host.soon()
        begin = next(each for each in ann.all if each.kind == "begin")
        ann.answer(begin, "cut 5")
        wait_until(
            lambda: "cut the deck at 5" in " ".join(collect(ann, "turn")), "the reply to be played, and its answer sent"
        )
        assert collect(cleo, "timeout") == []
        assert collect(bob, "timeout") == []


@pytest.mark.storm
def test_under_the_providers_limits_letters_wait_for_their_time() -> None:
    with a_host(letters_a_minute=2, letters_a_day=5) as host:
        people = [Person(host.world, f"P{at} Lee", f"p{at}@example.net") for at in range(6)]
        for person in people:
            raw = write(person.address, person.name, dovecot.ADDRESS, host.world.subject, f"Name: {person.name}")
            deliver(host.world, raw, person.address)

        def sent() -> int:
            return len(list(host.world.spool.glob("*.eml")))

        wait_until(lambda: sent() == 2, "two letters")
        host.pass_time(timedelta(seconds=1))
        assert sent() == 2
        for count in (4, 5):
            host.pass_time(timedelta(minutes=1))
            wait_until(lambda wanted=count: sent() == wanted, "the next minute's letters")  # type: ignore[misc]
        host.pass_time(timedelta(minutes=5))
        assert sent() == 5, "five a day"


@pytest.mark.storm
def test_the_daemon_tells_how_it_is(caplog: pytest.LogCaptureFixture) -> None:
    port = free_port()

    def ask(path: str) -> tuple[int, str]:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=5) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    with a_host(f'[health]\nlisten = "127.0.0.1:{port}"\n') as host:
        ann = Person(host.world, "Ann Lee", "ann@example.net")
        ann.register()
        ann.wait_for("registered")
        wait_until(lambda: ask("/healthz")[0] == 200, "health")
        wait_until(lambda: ask("/readyz")[0] == 200, "readiness")
        for counted in ('podium_mails_total{outcome="answered"} 1.0', 'podium_letters_total{outcome="sent"} 1.0'):
            wait_until(lambda counted=counted: counted in ask("/metrics")[1], counted)  # type: ignore[misc]
        assert ask("/metrics")[0] == 200
        host.imap.refuse()
        host.imap.cut()
        wait_until(lambda: "mailbox INBOX" in caplog.text, "the daemon to notice")
        host.clocks.wall_ahead += timedelta(minutes=20)
        host.clocks.steady_ahead += timedelta(minutes=20)
        _, body = wait_until(lambda: ask("/readyz")[0] == 503 and ask("/readyz"), "the mailbox to be missed")
        assert json.loads(body)["conditions"]["mailbox"] is False
        wait_until(lambda: ask("/healthz")[0] == 200, "the next tick")
        boss = Person(host.world, "Boss", "boss@example.com")
        wait_until(lambda: "cannot be read" in " ".join(collect(boss, "alert")), "the operators to hear of it")
