"""Shell: the daemon. In: a configuration and a store. Out: a mailbox that is read, letters that go out, deadlines kept.

The only reader of the clock. Store work happens on one thread, in short transactions; nothing is kept in memory that a
killed daemon would miss.
"""

import asyncio
import logging
import os
import signal
import time
from collections.abc import Awaitable, Callable, Coroutine
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from aiosmtplib import SMTPAuthenticationError, SMTPException
from apscheduler.schedulers.asyncio import AsyncIOScheduler

from host.config import Config
from host.desk import Desk
from host.dispatch import Dispatch
from host.health import Notifier
from host.mail import oauth
from host.mail.inbox import Inbox, InboxError
from host.mail.outbox import Outbox, describe
from host.store import post
from host.store.store import Store
from host.turn import clocks, expire
from host.turn.house import House
from host.watch import Intake, Watch

log = logging.getLogger("podium")

HEARTBEAT_SECONDS = 15
LOBBY_SECONDS = 5
HOUSEKEEPING_SECONDS = 600
DRAIN_SECONDS = 10.0
START_TRIES = 3

T = TypeVar("T")


class StartError(Exception):
    """The daemon cannot start; the message says what to do."""


def now() -> datetime:
    """This moment, UTC."""
    return datetime.now(UTC)


def steady() -> float:
    """Seconds that nobody sets, and that go on while the machine sleeps."""
    return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))


def boot_id() -> str:
    """Which boot of the machine this is: the steady clock begins anew with it."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
    except OSError:
        return f"process {os.getpid()}"


class Daemon:
    """One running host. `run` returns when `stop` was called or a signal came.

    `clock` gives the moment in UTC, `steady` the seconds of a clock that nobody sets; `manager` is the socket of
    the service manager, if there is one.
    """

    def __init__(
        self,
        config: Config,
        store: Store,
        clock: Callable[[], datetime] = now,
        steady: Callable[[], float] = steady,
        manager: str = "",
    ) -> None:
        self.house = House(config, store)
        self.clock, self.steady = clock, steady
        self.desk = Desk(self.house, clock, steady)
        self.work = self.desk.work
        self.ready = asyncio.Event()
        self._token = oauth.source(config.oauth, clock)
        self._intake = Intake(self.desk)
        self._watches = [Watch(self.desk, self._intake, self._inbox(name)) for name in self.desk.mailboxes]
        self._notifier = Notifier(manager)
        self._heartbeat_due = 0.0

    def _inbox(self, name: str) -> Inbox:
        return Inbox(self.house.config.imap, name, self._token)

    def stop(self) -> None:
        """Finish what is under way and return from `run`."""
        self.desk.stopping.set()

    async def run(self, handle_signals: bool = True) -> None:
        """Serve until stopped. Raises `StartError` where a server cannot be reached or refuses the login."""
        if handle_signals:
            for number in (signal.SIGTERM, signal.SIGINT):
                asyncio.get_running_loop().add_signal_handler(number, self.stop)
        try:
            await self._serve()
        finally:
            for watch in self._watches:
                watch.inbox.abandon()
            await self._intake.close()
            self.desk.health.stop()
            self.desk.close()

    async def _serve(self) -> None:
        try:
            self.desk.health.start()
        except OSError as error:
            raise StartError(str(error)) from None
        await self._intake.start()
        outbox = await self._unless_stopped(self._first_connections())
        if outbox is None:
            return
        if self.house.store.file is not None:
            await self.work(post.void_leases, self.house.store, self.clock())
        await self._keep_time()
        scheduler = AsyncIOScheduler(timezone=UTC)
        options = {"coalesce": True, "max_instances": 1, "misfire_grace_time": None}
        scheduler.add_job(self._tick, "interval", seconds=1, **options)
        scheduler.add_job(self._run_lobbies, "interval", seconds=LOBBY_SECONDS, **options)
        scheduler.add_job(self._keep_house, "interval", seconds=HOUSEKEEPING_SECONDS, **options)
        scheduler.start()
        tasks = [asyncio.create_task(watch.run()) for watch in self._watches]
        tasks.append(asyncio.create_task(Dispatch(self.desk, outbox).run()))
        self.ready.set()
        self._notifier.ready()
        log.info("serving %s", self.house.config.host.address)
        try:
            await self._until_stopped(tasks)
        finally:
            self._notifier.stopping()
            scheduler.shutdown(wait=False)
            self.stop()
            self._wake_all()
            _, late = await asyncio.wait(tasks, timeout=DRAIN_SECONDS)
            for task in late:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            log.info("stopped")

    async def _unless_stopped(self, start: Coroutine[Any, Any, T]) -> T | None:
        """What a start-up step gives, or None where the daemon was stopped meanwhile."""
        starting = asyncio.create_task(start)
        stopped = asyncio.create_task(self.desk.stopping.wait())
        await asyncio.wait({starting, stopped}, return_when=asyncio.FIRST_COMPLETED)
        if not starting.done():
            starting.cancel()
            await asyncio.gather(starting, return_exceptions=True)
            return None
        stopped.cancel()
        return starting.result()

    async def _until_stopped(self, tasks: list[asyncio.Task[None]]) -> None:
        stopped = asyncio.create_task(self.desk.stopping.wait())
        done, _ = await asyncio.wait({*tasks, stopped}, return_when=asyncio.FIRST_COMPLETED)
        stopped.cancel()
        for task in done & set(tasks):
            task.result()

    async def _first_connections(self) -> Outbox:
        """Does everything answer? Gives the outbox, closed; the mailboxes stay open."""
        config = self.house.config
        if self._token is not None:
            try:
                await _tried(self._token)
            except oauth.OAuthError as error:
                raise StartError(str(error)) from None
        for watch in self._watches:
            await self._first_look(watch)
        outbox = Outbox(config.smtp, self._token)
        try:
            await _tried(outbox.connect)
        except SMTPAuthenticationError as error:
            raise StartError(
                f"The SMTP server {config.smtp.host} refuses the login ({describe(error)}): "
                f"check [smtp] username and {self._secret}."
            ) from None
        except (SMTPException, OSError) as error:
            raise StartError(
                f"The SMTP server {config.smtp.host}:{config.smtp.port} cannot be used ({describe(error)}): "
                "check [smtp] host, port and security."
            ) from None
        await outbox.close()
        return outbox

    @property
    def _secret(self) -> str:
        return "password" if self._token is None else "[oauth]"

    async def _first_look(self, watch: Watch) -> None:
        imap = self.house.config.imap
        try:
            await _tried(watch.open)
        except InboxError as error:
            watch.inbox.abandon()
            advice = (
                f"check [imap] username and {self._secret}"
                if error.is_login
                else "check [imap] host, port, security and mailbox"
            )
            raise StartError(f"The IMAP server {imap.host}:{imap.port} cannot be used ({error}): {advice}.") from None

    async def _tick(self) -> None:
        """Once a second: the clocks, then what is due."""
        if self.desk.stopping.is_set():
            return
        moment = self.clock()
        await self._keep_time()
        if await self.work(expire.is_due, self.house, moment):
            await self.work(self._expire, moment)
            if await self.work(expire.waits_for_mailbox, self.house, moment, self.desk.mailboxes):
                self._wake_all()
        if await self.work(post.has_letters, self.house.store, moment):
            self.desk.letters.set()
        self.desk.health.tick()
        self._notifier.watchdog()

    def _expire(self, moment: datetime) -> None:
        expire.remind_due(self.house, moment, self.desk.mailboxes)
        expire.expire_due(self.house, moment, self.desk.mailboxes)

    async def _run_lobbies(self) -> None:
        if not self.desk.stopping.is_set():
            await self.work(expire.run_lobbies, self.house, self.clock())
            await self.work(clocks.start_overdue_clocks, self.house, self.clock())

    async def _keep_house(self) -> None:
        """Let go of the bytes of old mail, where the host wants that."""
        keep = self.house.config.database.keep_mail
        if keep is not None and not self.desk.stopping.is_set():
            await self.work(post.forget_mails, self.house.store, self.clock() - keep)

    async def _keep_time(self) -> None:
        steady = self.steady()
        if steady < self._heartbeat_due and not self._has_jumped(steady):
            return
        self._heartbeat_due = steady + HEARTBEAT_SECONDS
        wall = self.clock()
        self._last_clocks = (steady, wall)
        jump = await self.work(clocks.keep_time, self.house, wall, steady, boot_id())
        if jump:
            log.warning("the clock jumped by %.0f s; what goes by it was moved along", jump.total_seconds())

    def _has_jumped(self, steady: float) -> bool:
        before, wall = self._last_clocks
        return abs((self.clock() - wall).total_seconds() - (steady - before)) > clocks.JUMP

    def _wake_all(self) -> None:
        for watch in self._watches:
            watch.woken.set()
        self.desk.letters.set()


async def _tried(connect: Callable[[], Awaitable[object]]) -> None:
    """A server that is just starting gets a few seconds."""
    for attempt in range(1, START_TRIES + 1):
        try:
            await connect()
            return
        except (InboxError, oauth.OAuthError, SMTPException, OSError) as error:
            is_login = isinstance(error, SMTPAuthenticationError) or getattr(error, "is_login", False)
            if attempt == START_TRIES or is_login:
                raise
            await asyncio.sleep(1)
