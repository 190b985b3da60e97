"""Shell: the daemon. In: a configuration and a store. Out: a mailbox that is read, letters that go out, deadlines kept.

The only reader of the clock. A daemon starts in this order: the health server, the processes that read mails, a first
connection to each server (`first_connections`), what a process that ended left behind, and then all loops
of its roles at once. `host.daemon.runtime` says how they share one process, `host.daemon.leader` how several processes share
the work.

It stops when it is told to or one of its loops ends: `stopping` is set, every loop is woken, finishes what is under way, and
has `DRAIN_SECONDS` for it. Nothing is kept in memory that a killed daemon would miss.
"""

import asyncio
import gc
import logging
import os
import signal
import socket
import time
from collections.abc import Awaitable, Callable, Collection, Coroutine
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from apscheduler.schedulers.asyncio import AsyncIOScheduler

from host import troubles
from host.config import LMTP_MAILBOX, Config
from host.daemon import steps
from host.daemon.first_connections import open_mailboxes, try_outboxes, try_token
from host.daemon.health import tell_manager
from host.daemon.imap_watcher import ImapWatcher
from host.daemon.inbound_worker import InboundWorker
from host.daemon.leader import Leadership, ProcessLease
from host.daemon.outbound_worker import OutboundWorker
from host.daemon.runtime import Runtime, StartError, boot_id
from host.engine.chance import new_token
from host.mail import oauth
from host.mail.inbound.imap import Inbox
from host.mail.outbound.smtp import Outboxes
from host.mail.outbound.templates import prepare
from host.states import ROLES
from host.store.database import Store, is_passing
from host.table import clocks
from host.table.work import Services
from host.turn import expire, interruptions

if TYPE_CHECKING:
    from host.daemon.lmtp_receiver import LmtpReceiver
    from host.web.server import WebServer

log = logging.getLogger("podium")

TICK_SECONDS = 1.0
"""Seconds between two signs of life, in which the clocks are looked at too, and whether others left work."""
DEADLINE_SECONDS = 1.0
"""Seconds from the end of one walk over the deadlines to the next."""
HEARTBEAT_SECONDS = 15
"""Seconds between two notes in the store of what both clocks say."""
LOBBY_SECONDS = 5.0
"""Seconds between two looks whether an episode may begin, or a clock go on."""
HOUSEKEEPING_SECONDS = 600.0
"""Seconds between two times at which bytes of old mail are let go."""
DRAIN_SECONDS = 10.0
"""Seconds that the loops have to finish what is under way when the daemon stops."""
BROWSERS_AT_ONCE = 48
"""Requests for pages that are answered at once; a browser asks for some six at a time."""


def now() -> datetime:
    """This moment, UTC."""
    return datetime.now(UTC)


def steady() -> float:
    """Seconds that nobody sets, and that go on while the machine sleeps."""
    return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))


class Daemon:
    """One running host, or with other `roles` than all a part of one. `run` returns when `stop` was called or a signal came.

    `clock` gives the moment in UTC, `steady` the seconds of a clock that nobody sets; `manager` is the socket of
    the service manager, if there is one. Raises `StartError` where the store allows no other process beside this one.
    """

    def __init__(
        self,
        config: Config,
        store: Store,
        clock: Callable[[], datetime] = now,
        steady: Callable[[], float] = steady,
        manager: str = "",
        roles: Collection[str] = ROLES,
    ) -> None:
        if store.file is not None and set(roles) != set(ROLES):
            raise StartError("--role parts the work among several processes, which needs PostgreSQL in [database] url.")
        self.roles = frozenset(roles)
        self.services = Services(config, store)
        self.clock, self.steady = clock, steady
        self.runtime = Runtime(self.services, clock, steady)
        self.ready = asyncio.Event()
        self._token = oauth.source(config.oauth, clock)
        self._inbound_workers = (InboundWorker(self.runtime), InboundWorker(self.runtime, is_known=False))
        holder = f"{socket.gethostname()[:60]} {os.getpid()} {new_token()}"
        self._lease = ProcessLease(self.runtime, holder)
        self._inbox_leadership, self._clock_leadership = (
            Leadership(self.runtime, role, holder) for role in ("inbox", "clock")
        )
        self._imap_watchers = [
            ImapWatcher(self.runtime, Inbox(config.imap, name, self._token), self._inbox_leadership)
            for name in config.mailboxes
            if name != LMTP_MAILBOX
        ]
        self._lmtp_receiver: LmtpReceiver | None = None
        if config.lmtp.listen:
            from host.daemon import lmtp_receiver  # with the libraries of a server

            self._lmtp_receiver = lmtp_receiver.LmtpReceiver(self.runtime)
        self._pages: WebServer | None = None
        self._manager = manager
        self._scheduler = AsyncIOScheduler(timezone=UTC)
        self._heartbeat_due = 0.0

    def stop(self) -> None:
        """Finish what is under way and return from `run`."""
        self.runtime.stopping.set()

    async def run(self, handle_signals: bool = True) -> None:
        """Serve until stopped. Raises `StartError` where a server cannot be reached or refuses the login."""
        if handle_signals:
            for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):  # the last of a terminal that is closed
                if signal.getsignal(number) is not signal.SIG_IGN:  # nohup
                    asyncio.get_running_loop().add_signal_handler(number, self.stop)
        try:
            await self._serve()
        except Exception as error:
            if self.ready.is_set() or not is_passing(error):
                raise
            words = f"The database cannot be used ({troubles.cause(error)}): check [database] url."
            raise StartError(troubles.sentence(error) or words) from None
        finally:
            for watcher in self._imap_watchers:
                watcher.inbox.abandon()
            for worker in self._inbound_workers:
                await worker.close()
            self.runtime.health.stop()
            if self._pages is not None:
                self._pages.stop()
            self.runtime.close()

    async def _serve(self) -> None:
        try:
            self.runtime.health.start()
        except OSError as error:
            raise StartError(str(error)) from None
        self._open_pages()
        if "turns" in self.roles:
            for worker in self._inbound_workers:
                await worker.start()
        connecting = asyncio.create_task(self._first_connections())
        if not await self.runtime.first_done(connecting):
            connecting.cancel()
            await asyncio.gather(connecting, return_exceptions=True)
            return
        outboxes = connecting.result()
        await self._put_in_order()
        if "inbox" in self.roles and self._lmtp_receiver is not None:
            await self._lmtp_receiver.start()
        if "clock" in self.roles:
            self._schedule()
            self._scheduler.start()
        gc.collect()
        gc.freeze()  # what was loaded is no garbage: looking through it took a tenth of a second each time
        tasks = [asyncio.create_task(loop) for loop in self._loops(outboxes)]
        preparing = asyncio.create_task(self._prepare_templates())
        try:
            self.ready.set()
            tell_manager(self._manager, "READY=1")
            log.info("serving %s", self.services.config.host.address)
            for ended in await self.runtime.first_done(*tasks):
                ended.result()
        finally:
            tell_manager(self._manager, "STOPPING=1")
            if self._scheduler.running:
                self._scheduler.pause()
            self.stop()
            self.wake()
            _, late = await asyncio.wait({*tasks, preparing}, timeout=DRAIN_SECONDS)
            for task in late:
                task.cancel()
            await asyncio.gather(*tasks, preparing, return_exceptions=True)
            await self.runtime.work(int)  # what a job of the scheduler had begun is done then, too
            if self._scheduler.running:
                self._scheduler.shutdown(wait=False)
            await self.runtime.if_it_answers(self._lease.end)
            log.info("stopped")

    def _loops(self, outboxes: Outboxes) -> list[Coroutine[Any, Any, None]]:
        """The loops of this process's roles."""
        loops = [self.runtime.every(TICK_SECONDS, self._tick)]
        if self.services.store.file is None:
            leads = (self._inbox_leadership, self._clock_leadership)
            loops += [self._lease.run(), *(lead.run() for lead in leads if lead.role in self.roles)]
        if "inbox" in self.roles:
            loops += [watcher.run() for watcher in self._imap_watchers]
            if self._lmtp_receiver is not None:
                loops.append(self._lmtp_receiver.run())
        if "turns" in self.roles:
            loops += [worker.run() for worker in self._inbound_workers]
        if "outbox" in self.roles:
            loops.append(OutboundWorker(self.runtime, outboxes, self._lease.holds).run())
        if "clock" in self.roles:
            loops.append(self.runtime.repeat(self._keep_deadlines, DEADLINE_SECONDS, "deadlines cannot be kept"))
        return loops

    def _schedule(self) -> None:
        """Begin what is done at long intervals. The scheduler goes by the wall clock: after a jump this is done anew."""
        for seconds, job in ((LOBBY_SECONDS, self._run_lobbies), (HOUSEKEEPING_SECONDS, self._forget_mails)):
            self._scheduler.add_job(
                self._at_its_time,
                "interval",
                [job],
                seconds=seconds,
                id=job.__name__,
                replace_existing=True,
                misfire_grace_time=None,
            )

    async def _at_its_time(self, job: Callable[[], Awaitable[object]]) -> None:
        """A job of the scheduler, which may let one begin as it stops."""
        if not self.runtime.stopping.is_set():
            await self.runtime.if_it_answers(job)

    async def _put_in_order(self) -> None:
        """Pause what another Podium began under other rules, and look at the clocks."""
        await self._lease.begin()
        if self.roles & {"turns", "clock"}:
            await self.runtime.step(interruptions.pause_changed_games)
        if "clock" in self.roles and self._clock_leadership.is_held:
            await self._keep_time()

    async def _prepare_templates(self) -> None:
        """Compile the templates of all games, one between two steps: that takes a second, for which no mail should wait."""
        runtime, config = self.runtime, self.services.config
        pieces = prepare(config.games if "turns" in self.roles else (), config.look.worn)
        while not runtime.stopping.is_set() and await runtime.piece(pieces) is not None:
            pass
        gc.freeze()

    async def _first_connections(self) -> Outboxes:
        """Does everything answer that this process needs? Gives the outboxes, closed; the mailboxes stay open."""
        config = self.services.config
        if self._token is not None:
            await try_token(self._token)
        if "inbox" in self.roles:
            await open_mailboxes(config, self._imap_watchers)
        outboxes = Outboxes(config.smtp, self._token)
        if "outbox" in self.roles:
            await try_outboxes(config, outboxes)
        return outboxes

    def _open_pages(self) -> None:
        """Serve the desk and the public pages, where the configuration says so."""
        web, health = self.services.config.web, self.runtime.health
        if web.endpoint is None or "web" not in self.roles:
            return
        from host.web.app import web_app
        from host.web.pages import Web
        from host.web.server import WebServer

        app = web_app(Web(self.services, self.clock), health.answer if health.is_beside_pages else None)
        try:
            self._pages = WebServer(web.endpoint, app, BROWSERS_AT_ONCE)
        except OSError as error:
            raise StartError(f"[web] listen: {web.listen} cannot be had ({error.strerror}); choose another.") from None

    async def _tick(self) -> None:
        """The clocks, whether another process or the command line left work, a sign of life."""
        await self.runtime.if_it_answers(self._look_around)
        self.runtime.health.tick()
        tell_manager(self._manager, "WATCHDOG=1")

    async def _look_around(self) -> None:
        if self._clock_leadership.is_held:
            await self._keep_time()
        plays, sends = "turns" in self.roles, "outbox" in self.roles
        if plays or sends:
            has_mails, has_letters = await self.runtime.step(steps.work_left, plays, sends)
            if has_letters:
                self.runtime.letters.set()
            if has_mails:
                self.runtime.mails_came()
        is_other = self._inbox_leadership.is_held and not self._clock_leadership.is_held
        if is_other and await self.runtime.step(expire.waits_for_mailbox):
            self.wake()  # for a deadline that another process keeps

    async def _run_lobbies(self) -> None:
        if self._clock_leadership.is_held and await self.runtime.step(steps.run_lobbies):
            self.runtime.mails_came()

    async def _forget_mails(self) -> None:
        is_more = True
        while is_more and not self.runtime.stopping.is_set() and self._clock_leadership.is_held:
            is_more = await self.runtime.step(steps.forget_mails)

    async def _keep_deadlines(self) -> None:
        """Walk over everything that is due now; between two pieces of the walk other work has its turn."""
        runtime, walk = self.runtime, steps.keep_deadlines(self.services, self.clock())
        while self._clock_leadership.is_held and not runtime.stopping.is_set() and (done := await runtime.piece(walk)):
            if done.has_letters:
                runtime.letters.set()
            if done.waits_for_mailbox:
                self.wake()  # mail that came in time would have been seen by then

    async def _keep_time(self) -> None:
        steady = self.steady()
        if steady < self._heartbeat_due and not self._has_jumped(steady):
            return
        wall = self.clock()
        if self.steady() - steady > 1:
            return  # this process stood still between the two looks, which is no jump
        self._heartbeat_due = steady + HEARTBEAT_SECONDS
        self._last_clocks = (steady, wall)
        jump = await self.runtime.work(clocks.keep_time, self.services, wall, steady, boot_id())
        if jump:
            log.warning("the clock jumped by %.0f s; what goes by it was moved along", jump.total_seconds())
            self._schedule()

    def _has_jumped(self, steady: float) -> bool:
        before, wall = self._last_clocks
        return abs((self.clock() - wall).total_seconds() - (steady - before)) > clocks.JUMP

    def wake(self) -> None:
        """Let every loop look at once whether there is work."""
        for watcher in self._imap_watchers:
            watcher.woken.set()
        self._inbox_leadership.changed.set()
        self.runtime.mails_came()
        self.runtime.letters.set()
