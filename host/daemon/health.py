"""Edge: the daemon's health. In: its ticks, what became of mails and letters, the store's signs. Out: answers on loopback.

Answers over HTTP (`Health`; `host.web` serves them), and the service manager's protocol (`tell_manager`).
"""

import json
import logging
import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import asdict
from datetime import datetime, timedelta
from http import HTTPStatus
from typing import TYPE_CHECKING, get_args

import prometheus_client
from prometheus_client import CollectorRegistry, Counter, Histogram, Info
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from prometheus_client.registry import Collector

from host import __version__
from host.config import Config
from host.states import MailOutcome, MailState, SendOutcome, TriedOutcome
from host.store.health import OVERDUE_WITHIN, UNSENT_WITHIN, Signs
from host.web.health import Answer, sentence

if TYPE_CHECKING:
    from host.web.server import WebServer

log = logging.getLogger("podium")

TICKS_WITHIN = 60.0
READ_WITHIN = timedelta(minutes=10)
POLLS_WITHIN = 5
SIGNS_KEPT = 1.0
SIGNS_PATIENCE = 3.0

MAIL_BUCKETS = (0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600)
LETTER_BUCKETS = (0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600, 14_400, 86_400)
GAUGES = (
    ("last_mailbox_pass_timestamp_seconds", "mailbox_read_at", "When the mailbox was last read whole."),
    ("last_letter_accepted_timestamp_seconds", "letter_accepted_at", "When a server last accepted a letter."),
    ("letters_unsent", "letters_unsent", "Letters that wait to be sent, counted up to 10,000."),
    ("letters_failed", "letters_failed", "Letters that could not be delivered, counted up to 10,000."),
    ("deadlines_overdue", "deadlines_overdue", "Deadlines that passed and were not worked off, counted up to 10,000."),
    ("mails_quarantined", "mails_quarantined", "Mails that could not be handled, counted up to 10,000."),
    ("episodes_running", "episodes_running", "Episodes that are not over."),
)
"""Metrics, the signs that they are of (`Signs`), and what they mean."""


class Health:
    """The daemon tells about itself on `[health] listen`; where that is empty nobody is told and it only counts.

    Where the pages are served at the same address, their server tells it (`host.web.app`).
    `signs` asks the store; it is called in the server's threads, at most once a second. `clock` gives the moment in UTC,
    `steady` the seconds of a clock that nobody sets.
    """

    def __init__(
        self,
        config: Config,
        signs: Callable[[], Signs],
        clock: Callable[[], datetime],
        steady: Callable[[], float],
    ) -> None:
        self.clock, self.steady = clock, steady
        self._endpoint = config.health.endpoint
        self._pages_endpoint = config.web.endpoint
        self._read_within = max(READ_WITHIN, config.imap.poll_every * POLLS_WITHIN)
        self._signs = _Cached(signs, steady)
        self._started_at = steady()
        self._last_tick: float | None = None
        self._server: WebServer | None = None
        prometheus_client.disable_created_metrics()  # type: ignore[no-untyped-call]
        self._registry = CollectorRegistry()
        self._mails = Counter("podium_mails", "Mails worked off.", ["outcome"], registry=self._registry)
        self._letters = Counter("podium_letters", "Attempts to send a letter.", ["outcome"], registry=self._registry)
        self._mail_seconds = Histogram(
            "podium_mail_seconds",
            "From a mail's arrival to its being worked off.",
            buckets=MAIL_BUCKETS,
            registry=self._registry,
        )
        self._letter_seconds = Histogram(
            "podium_letter_seconds",
            "From a letter's being queued to its being accepted.",
            buckets=LETTER_BUCKETS,
            registry=self._registry,
        )
        for outcome in get_args(MailOutcome):
            self._mails.labels(outcome)
        for outcome in get_args(TriedOutcome):
            self._letters.labels(outcome)
        Info("podium_up", "The running Podium.", registry=self._registry).info({"version": __version__})
        self._registry.register(_Gauges(self._signs.get, clock))
        prometheus_client.ProcessCollector(registry=self._registry)

    @property
    def is_beside_pages(self) -> bool:
        """Is this told at the address of the pages?"""
        return self._endpoint is not None and self._endpoint == self._pages_endpoint

    def start(self) -> None:
        """Begin to answer, where the configuration says so. Raises OSError where the address cannot be had."""
        self._started_at = self.steady()
        if self._endpoint is None or self.is_beside_pages:
            return
        from host.web.health import health_app
        from host.web.server import WebServer

        host, port = self._endpoint
        try:
            self._server = WebServer(self._endpoint, health_app(self.answer))
        except OSError as error:
            words = f"[health] listen: {host} port {port} cannot be had ({error.strerror}); choose another port."
            raise OSError(words) from None

    def stop(self) -> None:
        """Answer no more."""
        if self._server is not None:
            self._server.stop()
            self._server = None

    def tick(self) -> None:
        """The daemon's loop went round."""
        self._last_tick = self.steady()

    def mail_done(self, outcome: MailState, seconds: float) -> None:
        """A mail was worked off, that many seconds after it arrived; `outcome` is its state in the store."""
        self._mails.labels(outcome).inc()
        self._mail_seconds.observe(max(seconds, 0.0))

    def letter_done(self, outcome: SendOutcome, seconds: float) -> None:
        """A letter was tried, that many seconds after it was queued: sent, later, refused or away."""
        self._letters.labels(outcome).inc()
        if outcome == "sent":
            self._letter_seconds.observe(max(seconds, 0.0))

    def answer(self, path: str) -> Answer:
        """Answer a GET of this path."""
        if path == "/healthz":
            return self._alive()
        if path == "/readyz":
            return self._ready()
        if path == "/metrics":
            return Answer(CONTENT_TYPE_PLAIN_0_0_4, prometheus_client.generate_latest(self._registry))
        return sentence(HTTPStatus.NOT_FOUND, "There are /healthz, /readyz and /metrics here.")

    def _alive(self) -> Answer:
        last = self._started_at if self._last_tick is None else self._last_tick
        idle = self.steady() - last
        if idle < TICKS_WITHIN:
            return sentence(HTTPStatus.OK, "alive")
        return sentence(HTTPStatus.SERVICE_UNAVAILABLE, f"The daemon's loop has not gone round for {idle:.0f} s.")

    def _ready(self) -> Answer:
        conditions = self.conditions()
        is_ready = all(conditions.values())
        body = json.dumps({"ready": is_ready, "conditions": conditions}) + "\n"
        status = HTTPStatus.OK if is_ready else HTTPStatus.SERVICE_UNAVAILABLE
        return Answer("application/json", body.encode(), status)

    def conditions(self) -> dict[str, bool]:
        """Each condition of being ready, and whether it holds; what the store cannot tell does not hold."""
        signs, now = self._signs.get(), self.clock()
        held = {"started": self._last_tick is not None, "store": signs is not None}
        if signs is None:
            return held | dict.fromkeys(("mailbox", "letters", "deadlines"), False)
        return held | {
            "mailbox": signs.mailbox_read_at is not None and now - signs.mailbox_read_at <= self._read_within,
            "letters": signs.oldest_unsent_at is None or now - signs.oldest_unsent_at <= UNSENT_WITHIN,
            "deadlines": signs.oldest_overdue_at is None or now - signs.oldest_overdue_at <= OVERDUE_WITHIN,
        }


class _Cached:
    """The store's signs, asked at most once a second and by one thread; None where the store does not answer."""

    def __init__(self, ask: Callable[[], Signs], steady: Callable[[], float]) -> None:
        self._ask, self._steady = ask, steady
        self._asking = threading.Lock()
        self._until: float | None = None
        self._signs: Signs | None = None

    def get(self) -> Signs | None:
        if not self._asking.acquire(timeout=SIGNS_PATIENCE):
            return None  # a store that hangs must not take every place of the server
        try:
            if self._until is None or self._steady() >= self._until:
                self._signs = self._asked()
                self._until = self._steady() + SIGNS_KEPT
            return self._signs
        finally:
            self._asking.release()

    def _asked(self) -> Signs | None:
        try:
            return self._ask()
        except Exception as error:
            log.warning("the store cannot be asked how it is: %s: %s", type(error).__name__, error)
            return None


class _Gauges(Collector):
    """The store's signs as metrics; an instant that never was is 0."""

    def __init__(self, signs: Callable[[], Signs | None], clock: Callable[[], datetime]) -> None:
        self._signs, self._clock = signs, clock

    def describe(self) -> Iterator[Metric]:
        """Nothing: the registry need not ask the store for names."""
        return iter(())

    def collect(self) -> Iterator[Metric]:
        """The gauges, as of now; none where the store does not answer."""
        signs = self._signs()
        if signs is None:
            return
        unsent = signs.oldest_unsent_at
        age = (self._clock() - unsent).total_seconds() if unsent else 0.0
        yield _gauge("oldest_unsent_letter_age_seconds", "Age of the letter that waits longest.", max(age, 0.0))
        for name, sign, words in GAUGES:
            value = getattr(signs, sign) or 0
            yield _gauge(name, words, value.timestamp() if isinstance(value, datetime) else value)
        words = "Letters that asked what a mail meant, by what was taken of its readings, counted up to 10,000."
        asked = GaugeMetricFamily("podium_letters_asked", words, labels=["taken"])
        taken = asdict(signs.asked_back)
        by_second, first = taken.pop("second"), taken.pop("second_first")
        taken["nothing"] = taken.pop("letters") - sum(taken.values())
        for what, letters in taken.items():
            asked.add_metric([what], letters)
        yield asked
        words = "Those of them whose first reading a second reader put there, by whether it was taken."
        second = GaugeMetricFamily("podium_letters_asked_second_reader", words, labels=["taken"])
        second.add_metric(["first"], first)
        second.add_metric(["other"], by_second - first)
        yield second


def _gauge(name: str, words: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(f"podium_{name}", words, value)


def tell_manager(path: str, words: str) -> None:
    """Tell the service manager how the daemon is (sd_notify(3)), at its socket `path`; without one nothing happens."""
    name = "\0" + path[1:] if path.startswith("@") else path if path.startswith("/") else ""
    if not name:
        return
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as door:
            door.setblocking(False)
            door.sendto(words.encode("utf-8", "replace"), name)
    except OSError as error:
        log.debug("the service manager was not told %s: %s", words, error)
