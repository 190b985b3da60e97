"""Edge: CPU by stage. In: a filled store and its replies. Out: milliseconds a mail of fetch, read, play, render, commit, send.

The daemon runs in this process, on real servers. The functions of each stage are wrapped with a clock of their thread's
CPU; what a stage calls of another stage counts there alone. A coroutine's clock runs only while it does. Processes that read
mails count as `read`, the one that finishes letters as `render`, what is in no stage as `rest`.
"""

import asyncio
import functools
import importlib
import inspect
import os
import threading
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench import measure, servers
from bench.contenders import configuration, cost
from bench.replies import Reply
from host.config import load
from host.games import GAMES
from host.store.database import open_store
from tests.wire.world import a_short_folder

STAGES = {
    "fetch": (
        "host.mail.inbound.imap:Inbox.uids_above",
        "host.mail.inbound.imap:Inbox.fetch",
        "host.mail.inbound.imap:Inbox.wait_for_news",
        "host.daemon.imap_watcher:ImapWatcher.read",
        "host.daemon.imap_watcher:store_mails",
        "aioimaplib:IMAP4ClientProtocol.data_received",
    ),
    "read": (
        "host.daemon.inbound_worker:InboundWorker._begin",
        "host.daemon.steps:claim_mails",
        "host.mail.inbound.sandbox:Sandbox.open_all",
        "host.mail.inbound.sandbox:Sandbox.read_all",
        "host.store.queues:claim_mails",
        "host.turn.reading:Reader.read_all",
        "host.turn.reading:raw_mails",
        "host.turn.reading:letters_answered",
        "host.turn.reading:earlier_letters",
    ),
    "play": ("host.turn.receive:receive",),
    "render": (
        "host.table.letters:finish",
        "host.table.notify:tell",
    ),
    "commit": ("sqlalchemy.orm:SessionTransaction.commit",),
    "send": (
        "host.mail.outbound.smtp:Outbox.send",
        "host.mail.outbound.smtp:Outboxes.send",
        "host.store.queues:claim_letters",
        "host.daemon.outbound_worker:OutboundWorker._round",
        "host.daemon.steps:claim_letters",
        "host.daemon.steps:settle_letters",
        "host.mail.outbound.pipeline:PipelinedSession.data_received",
    ),
}
"""What counts as which stage. A name that is no more is passed over, and told."""
ORDER = (*STAGES, "rest")


class Clocks:
    """CPU seconds by stage: each thread has a stack of what it is in."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)
        self._local = threading.local()
        self._lock = threading.Lock()

    @contextmanager
    def within(self, stage: str) -> Iterator[None]:
        """The thread is in this stage, and in no other."""
        stack: list[str] = self._local.__dict__.setdefault("stack", [])
        self._charge(stack)
        stack.append(stage)
        try:
            yield
        finally:
            self._charge(stack)
            stack.pop()

    def _charge(self, stack: list[str]) -> None:
        now = time.thread_time()
        if stack:
            with self._lock:
                self.seconds[stack[-1]] += now - self._local.last
        self._local.last = now


class _Timed:
    """A coroutine whose steps count for a stage."""

    def __init__(self, inner: Any, stage: str, clocks: Clocks) -> None:
        self.inner, self.stage, self.clocks = inner, stage, clocks

    def __await__(self) -> Generator[Any, Any, Any]:
        steps = self.inner.__await__()
        send: Callable[[], Any] = functools.partial(steps.send, None)
        while True:
            try:
                with self.clocks.within(self.stage):
                    waits_for = send()
            except StopIteration as done:
                return done.value
            try:
                value = yield waits_for
                send = functools.partial(steps.send, value)
            except BaseException as error:
                send = functools.partial(steps.throw, error)


def timed(function: Callable[..., Any], stage: str, clocks: Clocks) -> Callable[..., Any]:
    """The same function, coroutine or asynchronous generator, counted for a stage."""
    if inspect.isasyncgenfunction(function):

        @functools.wraps(function)
        async def generator(*words: Any, **named: Any) -> AsyncIterator[Any]:
            inner = function(*words, **named)
            while True:
                try:
                    value = await _Timed(inner.__anext__(), stage, clocks)
                except StopAsyncIteration:
                    return
                yield value

        return generator
    if inspect.iscoroutinefunction(function):

        @functools.wraps(function)
        async def coroutine(*words: Any, **named: Any) -> Any:
            return await _Timed(function(*words, **named), stage, clocks)

        return coroutine

    @functools.wraps(function)
    def plain(*words: Any, **named: Any) -> Any:
        with clocks.within(stage):
            return function(*words, **named)

    return plain


@contextmanager
def wrapped(
    wrap: Callable[[Callable[..., Any], str], Callable[..., Any]], stages: Sequence[str]
) -> Iterator[list[str]]:
    """The functions of these stages, wrapped while it lasts. Gives the names that are no more."""
    missing: list[str] = []
    before: list[tuple[Any, str, Any]] = []
    for stage in stages:
        for name in STAGES[stage]:
            module, _, path = name.partition(":")
            *owners, last = path.split(".")
            try:
                owner = functools.reduce(getattr, owners, importlib.import_module(module))
                function = getattr(owner, last)
            except (AttributeError, ImportError):
                missing.append(name)
                continue
            before.append((owner, last, function))
            setattr(owner, last, wrap(function, stage))
    try:
        yield missing
    finally:
        for owner, last, function in before:
            setattr(owner, last, function)


def serve(ground: measure.Ground, url: str, mails: Sequence[Reply]) -> tuple[float, dict[str, float]]:
    """The daemon in this process, until all letters are out; gives its CPU, and its children's by stage, in seconds."""
    from host.daemon.main import Daemon  # after the wrapping: it binds names of the stages

    file = ground.folder / "stages.toml"
    file.write_text(configuration(ground.servers, url))
    config = load(file, {slug: game.seats for slug, game in GAMES.items()})
    ground.servers.mailbox.clear()
    ground.servers.mailbox.put(mails)
    ground.servers.sink.take()
    store = open_store(config.database.url)

    async def until_done() -> tuple[float, dict[str, float]]:
        daemon = Daemon(config, store)
        running = asyncio.create_task(daemon.run(handle_signals=False))
        waiting = asyncio.create_task(daemon.ready.wait())
        await asyncio.wait({running, waiting}, return_when=asyncio.FIRST_COMPLETED)
        own, below = time.process_time(), _children(ground.servers)
        came = await asyncio.to_thread(ground.servers.sink.wait, 2 * len(mails), measure.PATIENCE)
        await asyncio.sleep(measure.SETTLE)
        since = _children(ground.servers)
        spent = time.process_time() - own, {stage: since[stage] - below[stage] for stage in since}
        daemon.stop()
        await running
        if not came:
            raise RuntimeError(f"{len(ground.servers.sink.take())} letters of {2 * len(mails)} came")
        return spent

    try:
        return asyncio.run(until_done())
    finally:
        store.close()


def _children(those: servers.Servers) -> dict[str, float]:
    """CPU seconds of the processes that read mails; the servers are left out."""
    dovecot = those.mailbox.dovecot.process
    theirs = {those.sink.process.pid, dovecot.pid if dovecot else 0}
    spent = {"read": 0.0}
    for pid in map(int, Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()):
        if pid not in theirs:
            spent["read"] += cost(pid).cpu
    return spent


def run(mails: int, database: str, profile: Path | None, say: Callable[[str], None]) -> dict[str, float]:
    """CPU milliseconds a mail by stage; with `profile` also a second run, and pyinstrument's view of the worst stage."""
    with a_short_folder(is_on_disk=True) as folder, servers.running(folder, database == "postgresql") as those:
        ground = measure.prepare(those, mails, datetime.now(UTC))
        replies = ground.replies[:mails]
        clocks = Clocks()
        with wrapped(lambda function, stage: timed(function, stage, clocks), list(STAGES)) as missing:
            own, children = serve(ground, measure.fresh(database, ground), replies)
        found = {stage: clocks.seconds[stage] for stage in STAGES}
        found["rest"] = max(own - sum(found.values()), 0.0)
        found |= {stage: found[stage] + spent for stage, spent in children.items()}
        found = {stage: found[stage] * 1000 / len(replies) for stage in ORDER}
        say(f"stages {database}: " + ", ".join(f"{stage} {spent:.2f}" for stage, spent in found.items()))
        for name in missing:
            say(f"(no {name} any more)")
        if profile:
            worst = max(STAGES, key=lambda stage: found[stage])
            profile.write_text(_profile(ground, measure.fresh(database, ground), replies, worst))
            say(f"the profile of {worst} is in {profile}")
    return found


def _profile(ground: measure.Ground, url: str, replies: Sequence[Reply], stage: str) -> str:
    """pyinstrument's tree of what the functions of a stage do, in this process."""
    from pyinstrument import Profiler

    profiler = Profiler(interval=0.0005, async_mode="disabled")

    def wrap(function: Callable[..., Any], _stage: str) -> Callable[..., Any]:
        if inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function):
            return function  # its waits are not its own

        @functools.wraps(function)
        def profiled(*words: Any, **named: Any) -> Any:
            if profiler.is_running:
                return function(*words, **named)
            profiler.start()
            try:
                return function(*words, **named)
            finally:
                profiler.stop()

        return profiled

    with wrapped(wrap, [stage]):
        serve(ground, url, replies)
    shown: str = profiler.output_text(unicode=True, color=False)
    return shown
