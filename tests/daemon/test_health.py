"""What the daemon tells about itself: over HTTP on loopback, and to the service manager."""

import http.client
import json
import os
import socket
import threading
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

import host.config
from host import __version__
from host.config import Config, notify_socket
from host.daemon import health
from host.daemon.health import Health, tell_manager
from host.store.health import Signs
from host.web import server
from host.web.health import Answer
from tests.patience import SECONDS, not_for_ever, wait_until
from tests.ports import free_port

NOW = datetime(2026, 11, 21, 13, tzinfo=UTC)
WELL = Signs(
    mailbox_read_at=NOW - timedelta(seconds=30),
    letter_accepted_at=NOW - timedelta(hours=1),
    oldest_unsent_at=None,
    letters_unsent=0,
    letters_failed=1,
    oldest_overdue_at=None,
    deadlines_overdue=0,
    mails_quarantined=2,
    episodes_running=3,
)


def ago(**duration: float) -> datetime:
    return NOW - timedelta(**duration)


class Watched:
    """A Health with clocks and signs that a test sets."""

    def __init__(self, listen: str = "", poll_every: str = "60s") -> None:
        server = {"host": "127.0.0.1", "security": "none"}
        config = Config.model_validate(
            {
                "host": {"address": "games@example.org"},
                "imap": server | {"username": "games", "poll_every": poll_every},
                "smtp": server,
                "health": {"listen": listen},
            }
        )
        self.seconds = 1000.0
        self.signs: Signs | Exception = WELL
        self.asked = 0
        self.port = int(listen.rpartition(":")[2]) if listen else 0
        self.health = Health(config, self._ask, lambda: NOW, lambda: self.seconds)

    def _ask(self) -> Signs:
        self.asked += 1
        if isinstance(self.signs, Exception):
            raise self.signs
        return self.signs

    def now_with(self, **changes: Any) -> None:
        self.signs = replace(WELL, **changes)
        self.seconds += 2

    def get(self, path: str, method: str = "GET") -> tuple[int, str, http.client.HTTPMessage]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=SECONDS)
        connection.request(method, path)
        answer = connection.getresponse()
        try:
            return answer.status, answer.read().decode(), answer.headers
        finally:
            connection.close()

    def metrics(self) -> dict[str, float]:
        body = self.health.answer("/metrics").body.decode()
        rows = [line.rsplit(" ", 1) for line in body.splitlines() if not line.startswith("#")]
        return {name: float(value) for name, value in rows}

    def failing(self) -> list[str]:
        return [name for name, holds in self.health.conditions().items() if not holds]


@pytest.fixture
def watched() -> Watched:
    return Watched()


@pytest.fixture
def served() -> Iterator[Watched]:
    watched = Watched(f"127.0.0.1:{free_port()}")
    watched.health.start()
    watched.health.tick()
    yield watched
    watched.health.stop()


# Alive and ready


def test_the_daemon_is_alive_while_its_loop_goes_round(watched: Watched) -> None:
    watched.health.start()
    assert watched.health.answer("/healthz").status == 200
    watched.seconds += 61
    assert watched.health.answer("/healthz").status == 503
    watched.health.tick()
    watched.seconds += 59
    assert watched.health.answer("/healthz").status == 200
    watched.seconds += 2
    answer = watched.health.answer("/healthz")
    assert (answer.status, answer.body) == (503, b"The daemon's loop has not gone round for 61 s.\n")


def test_being_alive_does_not_ask_the_store(watched: Watched) -> None:
    watched.signs = OSError("gone")
    assert watched.health.answer("/healthz").status == 200
    assert watched.asked == 0


def test_ready_names_each_condition(watched: Watched) -> None:
    answer = watched.health.answer("/readyz")
    conditions = {"started": False, "store": True, "mailbox": True, "letters": True, "deadlines": True}
    assert (answer.status, json.loads(answer.body)) == (503, {"ready": False, "conditions": conditions})
    watched.health.tick()
    answer = watched.health.answer("/readyz")
    assert (answer.status, json.loads(answer.body)) == (
        200,
        {"ready": True, "conditions": conditions | {"started": True}},
    )
    assert answer.kind == "application/json"


@pytest.mark.parametrize(
    ("field", "good", "bad", "name"),
    [
        ("mailbox_read_at", ago(minutes=10), ago(minutes=10, seconds=1), "mailbox"),
        ("mailbox_read_at", NOW, None, "mailbox"),
        ("oldest_unsent_at", ago(minutes=15), ago(minutes=15, seconds=1), "letters"),
        ("oldest_overdue_at", ago(minutes=5), ago(minutes=5, seconds=1), "deadlines"),
    ],
)
def test_each_condition_fails_alone(watched: Watched, field: str, good: datetime, bad: datetime, name: str) -> None:
    watched.health.tick()
    watched.now_with(**{field: good})
    assert watched.failing() == []
    watched.now_with(**{field: bad})
    assert watched.failing() == [name]


def test_a_mailbox_polled_seldom_may_be_read_seldom() -> None:
    watched = Watched(poll_every="10m")
    watched.health.tick()
    watched.now_with(mailbox_read_at=ago(minutes=50))
    assert watched.failing() == []
    watched.now_with(mailbox_read_at=ago(minutes=51))
    assert watched.failing() == ["mailbox"]


def test_a_store_that_fails_is_not_ready_and_the_counters_stay(
    watched: Watched, caplog: pytest.LogCaptureFixture
) -> None:
    watched.health.tick()
    watched.health.mail_done("played", 1)
    watched.signs = OSError("gone")
    assert watched.failing() == ["store", "mailbox", "letters", "deadlines"]
    assert watched.asked == 1
    assert "OSError: gone" in caplog.text
    metrics = watched.metrics()
    assert "podium_letters_unsent" not in metrics
    assert metrics['podium_mails_total{outcome="played"}'] == 1


def test_the_store_is_asked_once_a_second(watched: Watched) -> None:
    for path in ("/readyz", "/metrics", "/readyz"):
        watched.health.answer(path)
    assert watched.asked == 1
    watched.seconds += 1
    watched.health.answer("/metrics")
    assert watched.asked == 2


def test_a_store_that_hangs_keeps_nobody_else_waiting(monkeypatch: pytest.MonkeyPatch, watched: Watched) -> None:
    monkeypatch.setattr(health, "SIGNS_PATIENCE", 0.05)
    asking, answered = threading.Event(), threading.Event()

    def hang() -> Signs:
        asking.set()
        assert answered.wait(SECONDS)
        return WELL

    signs = health._Cached(hang, lambda: 0.0)
    first = threading.Thread(target=signs.get)
    first.start()
    assert asking.wait(SECONDS)
    assert signs.get() is None
    answered.set()
    first.join(SECONDS)
    assert not first.is_alive()
    assert signs.get() == WELL


# Metrics


def test_the_store_tells_in_metrics(watched: Watched) -> None:
    watched.now_with(oldest_unsent_at=ago(seconds=90), letters_unsent=4, deadlines_overdue=5)
    found = {name: value for name, value in watched.metrics().items() if name.startswith("podium_")}
    gauges = {name: value for name, value in found.items() if "{" not in name and "_seconds_" not in name}
    assert gauges == {
        "podium_last_mailbox_pass_timestamp_seconds": ago(seconds=30).timestamp(),
        "podium_last_letter_accepted_timestamp_seconds": ago(hours=1).timestamp(),
        "podium_oldest_unsent_letter_age_seconds": 90,
        "podium_letters_unsent": 4,
        "podium_letters_failed": 1,
        "podium_deadlines_overdue": 5,
        "podium_mails_quarantined": 2,
        "podium_episodes_running": 3,
    }
    assert found[f'podium_up_info{{version="{__version__}"}}'] == 1


def test_what_never_was_is_zero(watched: Watched) -> None:
    watched.now_with(mailbox_read_at=None, letter_accepted_at=None)
    metrics = watched.metrics()
    assert metrics["podium_last_mailbox_pass_timestamp_seconds"] == 0
    assert metrics["podium_last_letter_accepted_timestamp_seconds"] == 0
    assert metrics["podium_oldest_unsent_letter_age_seconds"] == 0


def test_mails_and_letters_are_counted_and_timed(watched: Watched) -> None:
    watched.health.mail_done("played", 0.2)
    watched.health.mail_done("refused", -1)
    watched.health.letter_done("sent", 3)
    watched.health.letter_done("later", 9)
    metrics = watched.metrics()
    assert metrics['podium_mails_total{outcome="played"}'] == 1
    assert metrics['podium_mails_total{outcome="quarantined"}'] == 0
    assert metrics["podium_mail_seconds_count"] == 2
    assert metrics["podium_mail_seconds_sum"] == pytest.approx(0.2)
    assert metrics['podium_mail_seconds_bucket{le="0.25"}'] == 2
    assert metrics['podium_letters_total{outcome="sent"}'] == 1
    assert metrics['podium_letters_total{outcome="later"}'] == 1
    assert (metrics["podium_letter_seconds_count"], metrics["podium_letter_seconds_sum"]) == (1, 3)
    assert not [name for name in metrics if "_created" in name]


def test_two_daemons_in_one_process_count_apart() -> None:
    first, second = Watched(), Watched()
    first.health.mail_done("played", 0)
    assert second.metrics()["podium_mail_seconds_count"] == 0


# Over HTTP


def test_the_paths_are_served(served: Watched) -> None:
    status, body, headers = served.get("/metrics?whatever")
    assert status == 200
    assert headers["Content-Type"].startswith("text/plain; version=0.0.4")
    assert "# TYPE podium_mails_total counter" in body
    assert served.get("/healthz")[:2] == (200, "alive\n")
    assert served.get("/readyz")[0] == 200
    assert served.get("/")[:2] == (404, "There are /healthz, /readyz and /metrics here.\n")


def test_only_get_and_head_are_answered(served: Watched) -> None:
    status, body, headers = served.get("/healthz", "HEAD")
    assert (status, body, headers["Content-Length"]) == (200, "", "6")
    status, body, headers = served.get("/healthz", "DELETE")
    assert (status, body, headers["Allow"]) == (405, "Only GET and HEAD are answered.\n", "GET, HEAD")


def talk(port: int, said: bytes) -> bytes:
    with socket.create_connection(("127.0.0.1", port), timeout=SECONDS) as door:
        door.sendall(said)
        heard = b""
        try:
            while more := door.recv(4096):
                heard += more
        except ConnectionResetError:
            pass
        return heard


def test_nonsense_gets_a_sentence_or_nothing_and_the_server_goes_on(served: Watched) -> None:
    for said in (
        b"GET / HTTP/banana\r\n\r\n",
        b"\x16\x03\x01\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + b"a:b\r\n" * 200 + b"\r\n",
    ):
        heard = talk(served.port, said)
        assert heard.startswith(b"HTTP/1.1 4"), said
        assert heard.endswith(b"\r\n\r\nThis request cannot be read.\n"), said
    heard = talk(served.port, b"GET /<script> HTTP/1.1\r\nHost: x\r\n\r\n")
    assert heard.startswith(b"HTTP/1.1 404")
    assert b"script" not in heard
    assert talk(served.port, b"A" * 100_000) == b""
    assert served.get("/healthz")[0] == 200


def test_a_head_that_drips_is_cut_off_however_often_a_byte_comes(
    monkeypatch: pytest.MonkeyPatch, served: Watched
) -> None:
    monkeypatch.setattr(server, "REQUEST_SECONDS", 0.3)

    def is_cut_off() -> bool:
        try:
            door.sendall(b"G")
        except OSError:
            return True
        return False

    with socket.create_connection(("127.0.0.1", served.port), timeout=SECONDS) as door:
        wait_until(is_cut_off)


def test_silent_clients_take_no_threads_and_keep_nobody_out(monkeypatch: pytest.MonkeyPatch, served: Watched) -> None:
    monkeypatch.setattr(server, "REQUEST_SECONDS", 600.0)
    before = threading.active_count()
    silent = [socket.create_connection(("127.0.0.1", served.port)) for _ in range(30)]
    assert served.get("/healthz")[0] == 200
    assert threading.active_count() - before <= server.REQUESTS_AT_ONCE
    for each in silent:
        each.close()


def answers(served: Watched) -> bool:
    try:
        return served.get("/healthz")[0] == 200
    except (ConnectionError, http.client.RemoteDisconnected):
        return False


def test_who_does_not_read_the_answer_loses_the_place_to_who_comes(
    monkeypatch: pytest.MonkeyPatch, served: Watched
) -> None:
    monkeypatch.setattr(server, "REQUEST_SECONDS", 600.0)
    monkeypatch.setattr(server, "REQUESTS_AT_ONCE", 1)
    long = Answer("text/plain", b"x" * 50_000_000)
    monkeypatch.setattr(served.health, "_alive", lambda: long)
    with socket.create_connection(("127.0.0.1", served.port)) as door:
        door.sendall(b"GET /healthz HTTP/1.0\r\n\r\n")
        wait_until(lambda: bool(door.recv(1)))
        monkeypatch.setattr(served.health, "_alive", lambda: Answer("text/plain", b"short"))
        wait_until(lambda: answers(served))


def test_requests_that_the_store_holds_up_keep_their_places_and_do_not_hold_up_the_end(
    monkeypatch: pytest.MonkeyPatch, served: Watched
) -> None:
    monkeypatch.setattr(server, "REQUESTS_AT_ONCE", 1)
    asked, answered = threading.Event(), threading.Event()

    def hang() -> Answer:
        asked.set()
        assert answered.wait(2 * SECONDS)
        return Answer("text/plain", b"")

    monkeypatch.setattr(served.health, "_ready", hang)
    with socket.create_connection(("127.0.0.1", served.port)) as door:
        door.sendall(b"GET /readyz HTTP/1.0\r\n\r\n")
        assert asked.wait(SECONDS)
    assert not any(answers(served) for _ in range(20)), "its client went, but the request is still worked on"
    with not_for_ever("the end"):
        served.health.stop()
    assert not answered.is_set()
    answered.set()


def test_one_connection_gets_one_answer(served: Watched) -> None:
    heard = talk(served.port, b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n" * 3)
    assert heard.count(b"HTTP/1.1") == 1
    assert b"connection: close" in heard.lower()


def test_a_port_that_is_taken_is_said_in_a_sentence(served: Watched) -> None:
    other = Watched(f"127.0.0.1:{served.port}")
    with pytest.raises(OSError) as caught:
        other.health.start()
    words = (
        f"[health] listen: 127.0.0.1 port {served.port} cannot be had (Address already in use); choose another port."
    )
    assert str(caught.value) == words
    other.health.stop()


def test_a_server_that_stopped_leaves_its_port_and_can_start_again(served: Watched) -> None:
    served.health.stop()
    with pytest.raises(ConnectionRefusedError):
        served.get("/healthz")
    served.health.start()
    assert served.get("/healthz")[0] == 200


def test_it_listens_on_ipv6_too() -> None:
    try:
        with socket.create_server(("::1", 0), family=socket.AF_INET6) as door:
            port = door.getsockname()[1]
    except OSError:
        pytest.skip("this machine has no IPv6")
    watched = Watched(f"[::1]:{port}")
    watched.health.start()
    connection = http.client.HTTPConnection("::1", port, timeout=SECONDS)
    connection.request("GET", "/healthz")
    assert connection.getresponse().status == 200
    connection.close()
    watched.health.stop()


def test_without_an_address_there_is_no_thread() -> None:
    before = set(threading.enumerate())
    watched = Watched()
    watched.health.start()
    assert set(threading.enumerate()) <= before
    watched.health.stop()


# Configuration


@pytest.mark.parametrize(
    ("listen", "endpoint"),
    [
        ("", None),
        ("127.0.0.1:9471", ("127.0.0.1", 9471)),
        ("localhost:80", ("localhost", 80)),
        ("[::1]:9471", ("::1", 9471)),
        ("127.8.8.8:1", ("127.8.8.8", 1)),
    ],
)
def test_an_address_of_this_machine_is_taken(listen: str, endpoint: tuple[str, int] | None) -> None:
    assert host.config.Health(listen=listen).endpoint == endpoint


@pytest.mark.parametrize(
    "listen",
    ["0.0.0.0:9471", "[::]:9471", "192.0.2.1:9471", "example.org:80", "[2001:db8::1]:80", "127.0.0.1.x.org:80"],
)
def test_any_other_address_is_refused(listen: str) -> None:
    with pytest.raises(ValidationError, match="programs on this machine only"):
        host.config.Health(listen=listen)


@pytest.mark.parametrize(
    "listen", ["9471", ":9471", "127.0.0.1", "127.0.0.1:0", "127.0.0.1:65536", "::1:9471", "[::1]"]
)
def test_what_is_no_address_and_port_is_refused(listen: str) -> None:
    with pytest.raises(ValidationError, match=r"such as 127\.0\.0\.1:9471"):
        host.config.Health(listen=listen)


def test_the_service_manager_is_read_from_the_environment() -> None:
    assert notify_socket({}) == ""
    assert notify_socket({"NOTIFY_SOCKET": "/run/notify"}) == "/run/notify"


# The service manager


def manager_at(address: str) -> socket.socket:
    door = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    door.bind(address)
    door.settimeout(5)
    return door


@pytest.mark.parametrize("kind", ["path", "abstract"])
def test_the_manager_is_told(tmp_path: Path, kind: str) -> None:
    name = str(tmp_path / "notify") if kind == "path" else f"@podium-{os.getpid()}"
    with manager_at(name.replace("@", "\0", 1)) as door:
        for words in ("READY=1", "WATCHDOG=1", "STOPPING=1"):
            tell_manager(name, words)
        heard = [door.recv(1000) for _ in range(3)]
    assert heard == [b"READY=1", b"WATCHDOG=1", b"STOPPING=1"]


@pytest.mark.parametrize("name", ["", "/nowhere/at/all", "vsock:2:1234"])
def test_without_a_manager_nothing_happens(name: str) -> None:
    tell_manager(name, "READY=1")


def test_a_manager_that_does_not_listen_keeps_nobody_waiting(tmp_path: Path) -> None:
    with manager_at(str(tmp_path / "notify")), not_for_ever():
        for _ in range(2000):
            tell_manager(str(tmp_path / "notify"), "WATCHDOG=1")
