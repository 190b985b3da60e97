"""Shell: the daemon. In: a configuration and a store. Out: a mailbox that is read, letters that go out, deadlines kept.

The only reader of the clock. Store work happens on one thread, in short transactions; nothing is kept in memory that a
killed daemon would miss.
"""

import asyncio
import contextlib
import logging
import os
import random
import signal
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from aiosmtplib import SMTPAuthenticationError, SMTPException
from apscheduler.schedulers.asyncio import AsyncIOScheduler

from host.config import Config
from host.mail import oauth
from host.mail.inbox import Inbox, InboxError
from host.mail.outbox import Outbox, describe
from host.play.deadlines import MAILBOX_GRACE
from host.store import post
from host.store.store import Store, is_passing
from host.turn import alerts, expire, letters, receive
from host.turn.house import House
from host.turn.reading import Reader

log = logging.getLogger("podium")

LETTERS_AT_ONCE = 20
BACK_OFF_FIRST, BACK_OFF_MOST = 2.0, 300.0
RETRY_AFTER = [timedelta(minutes=each) for each in (1, 5, 15, 30, 60, 120)]
GIVE_UP_AFTER = timedelta(days=5)
HEARTBEAT_SECONDS = 15
LOBBY_SECONDS = 5
DRAIN_SECONDS = 10.0
START_TRIES = 3

P = ParamSpec("P")
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

    `clock` gives the moment in UTC, `steady` the seconds of a clock that nobody sets.
    """

    def __init__(
        self,
        config: Config,
        store: Store,
        clock: Callable[[], datetime] = now,
        steady: Callable[[], float] = steady,
    ) -> None:
        self.house = House(config, store)
        self.clock, self.steady = clock, steady
        self._token = oauth.source(config.oauth, clock)
        self.stopping = asyncio.Event()
        self.ready = asyncio.Event()
        self._letters = asyncio.Event()
        self._mailboxes = [name for name in (config.imap.mailbox, config.imap.junk) if name]
        self._woken = {name: asyncio.Event() for name in self._mailboxes}
        self._desk = ThreadPoolExecutor(1, thread_name_prefix="desk")
        self.reader = Reader(config, store, self.work)
        self._reading = asyncio.Lock()
        self._heartbeat_due = 0.0

    async def work(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Do store work on the desk's thread."""
        return await asyncio.get_running_loop().run_in_executor(self._desk, partial(function, *args, **kwargs))

    def stop(self) -> None:
        """Finish what is under way and return from `run`."""
        self.stopping.set()

    async def run(self, handle_signals: bool = True) -> None:
        """Serve until stopped. Raises `StartError` where a server cannot be reached or refuses the login."""
        if handle_signals:
            for number in (signal.SIGTERM, signal.SIGINT):
                asyncio.get_running_loop().add_signal_handler(number, self.stop)
        inboxes = await self._unless_stopped(self._first_connections())
        if inboxes is None:
            return
        if self.house.store.file is not None:
            await self.work(post.void_leases, self.house.store, self.clock())
        await self._keep_time()
        scheduler = AsyncIOScheduler(timezone=UTC)
        options = {"coalesce": True, "max_instances": 1, "misfire_grace_time": None}
        scheduler.add_job(self._tick, "interval", seconds=1, **options)
        scheduler.add_job(self._run_lobbies, "interval", seconds=LOBBY_SECONDS, **options)
        scheduler.start()
        tasks = [asyncio.create_task(self._keep_reading(inbox)) for inbox in inboxes]
        tasks.append(asyncio.create_task(self._keep_sending()))
        self.ready.set()
        log.info("serving %s", self.house.config.host.address)
        try:
            await self._until_stopped(tasks)
        finally:
            scheduler.shutdown(wait=False)
            self.stopping.set()
            self._wake_all()
            _, late = await asyncio.wait(tasks, timeout=DRAIN_SECONDS)
            for task in late:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await self.reader.close()
            self._desk.shutdown(wait=True)
            log.info("stopped")

    async def _unless_stopped(self, start: Coroutine[Any, Any, T]) -> T | None:
        """What a start-up step gives, or None where the daemon was stopped meanwhile."""
        starting = asyncio.create_task(start)
        stopped = asyncio.create_task(self.stopping.wait())
        await asyncio.wait({starting, stopped}, return_when=asyncio.FIRST_COMPLETED)
        if not starting.done():
            starting.cancel()
            await asyncio.gather(starting, return_exceptions=True)
            return None
        stopped.cancel()
        return starting.result()

    async def _until_stopped(self, tasks: list[asyncio.Task[None]]) -> None:
        stopped = asyncio.create_task(self.stopping.wait())
        done, _ = await asyncio.wait({*tasks, stopped}, return_when=asyncio.FIRST_COMPLETED)
        stopped.cancel()
        for task in done & set(tasks):
            task.result()

    async def _first_connections(self) -> list[Inbox]:
        config = self.house.config
        if self._token is not None:
            try:
                await _tried(self._token)
            except oauth.OAuthError as error:
                raise StartError(str(error)) from None
        inboxes = []
        for name in self._mailboxes:
            inboxes.append(await self._first_inbox(name))
        outbox = Outbox(config.smtp, self._token)
        try:
            await _tried(outbox.connect)
        except SMTPAuthenticationError as error:
            raise StartError(
                f"The SMTP server {config.smtp.host} refuses the login ({describe(error)}): check [smtp] username and password."
            ) from None
        except (SMTPException, OSError) as error:
            raise StartError(
                f"The SMTP server {config.smtp.host}:{config.smtp.port} cannot be used ({describe(error)}): "
                "check [smtp] host, port and security."
            ) from None
        await outbox.close()
        return inboxes

    async def _first_inbox(self, name: str) -> Inbox:
        imap = self.house.config.imap
        inbox = Inbox(imap, name, self._token)
        try:
            await _tried(lambda: self._open(inbox))
        except InboxError as error:
            inbox.abandon()
            advice = (
                "check [imap] username and password"
                if error.is_login
                else "check [imap] host, port, security and mailbox"
            )
            raise StartError(f"The IMAP server {imap.host}:{imap.port} cannot be used ({error}): {advice}.") from None
        return inbox

    async def _open(self, inbox: Inbox) -> None:
        """Connect, and begin where the mailbox was left; anew where its UIDVALIDITY changed."""
        selected = await inbox.connect()
        known = await self.work(post.watermark, self.house.store, inbox.mailbox)
        if known is None or known[0] != selected.uidvalidity:
            if known is not None:
                log.warning(
                    "the mailbox %s was made anew by its server; its mail of the last days is read again", inbox.mailbox
                )
            await self.work(post.begin_mailbox, self.house.store, inbox.mailbox, selected.uidvalidity, 0)

    async def _keep_reading(self, inbox: Inbox) -> None:
        """Pass after pass; after any fault a fresh connection."""
        wait = BACK_OFF_FIRST
        woken = self._woken[inbox.mailbox]
        poll = self.house.config.imap.poll_every.total_seconds()
        while not self.stopping.is_set():
            try:
                if not inbox.is_connected:
                    await self._open(inbox)
                woken.clear()
                await self.read(inbox)
                wait = BACK_OFF_FIRST
                if not self.stopping.is_set():
                    await inbox.wait_for_news(poll, woken)
            except Exception as error:
                inbox.abandon()
                is_expected = isinstance(error, InboxError)
                log.warning(
                    "mailbox %s: %s; trying again in %.0f s", inbox.mailbox, error, wait, exc_info=not is_expected
                )
                await self._sleep(wait)
                wait = min(wait * 2, BACK_OFF_MOST) * random.uniform(0.8, 1.2)  # noqa: S311 - jitter, not chance of a game
        await inbox.close()

    async def read(self, inbox: Inbox) -> None:
        """One whole pass: store what is new, then work it off, then note how far the mailbox was read."""
        began = self.clock()
        store = self.house.store
        known = await self.work(post.watermark, store, inbox.mailbox)
        uidvalidity, watermark = known or (0, 0)
        uids = await inbox.uids_above(watermark, began)
        async for mail in inbox.fetch(uids):
            await self.work(
                post.keep_mail,
                store,
                inbox.mailbox,
                uidvalidity,
                mail.uid,
                mail.arrived_at,
                mail.size,
                mail.raw,
                self.clock(),
            )
        await self.take_new_mails()
        if self.stopping.is_set():
            return  # what is not worked off keeps every deadline from firing
        await self.work(post.pass_ended, store, inbox.mailbox, began)

    async def take_new_mails(self) -> None:
        """Work off every stored mail, in order of arrival; one that raises is kept for the host, and the rest goes on."""
        async with self._reading:
            for inbound_id in await self.work(post.new_mails, self.house.store):
                if self.stopping.is_set():
                    return
                await self._take(inbound_id)
                self._letters.set()

    async def _take(self, inbound_id: int) -> None:
        try:
            opened = await self.reader.read(inbound_id)
            await self.work(receive.receive, self.house, inbound_id, opened, self.clock())
        except Exception as error:
            if is_passing(error):
                raise
            log.exception("mail %s could not be handled", inbound_id)
            await self.work(
                receive.quarantine, self.house, inbound_id, f"{type(error).__name__}: {error}", self.clock()
            )

    async def _tick(self) -> None:
        """Once a second: the clocks, then what is due."""
        if self.stopping.is_set():
            return
        moment = self.clock()
        await self._keep_time()
        overdue = await self.work(expire.latest_due, self.house, moment)
        if overdue is not None:
            await self.work(self._expire, moment)
            if self._is_unread_since(overdue, await self.work(self._read_until)):
                self._wake_all()
        if await self.work(post.has_letters, self.house.store, moment):
            self._letters.set()

    def _expire(self, moment: datetime) -> None:
        expire.remind_due(self.house, moment, self._mailboxes)
        expire.expire_due(self.house, moment, self._mailboxes)

    def _read_until(self) -> datetime | None:
        with self.house.store.reading() as session:
            return expire.read_until(session, self._mailboxes)

    @staticmethod
    def _is_unread_since(due: datetime, read_at: datetime | None) -> bool:
        return read_at is None or read_at < due + timedelta(seconds=1) + MAILBOX_GRACE

    async def _run_lobbies(self) -> None:
        if not self.stopping.is_set():
            await self.work(expire.run_lobbies, self.house, self.clock())

    async def _keep_time(self) -> None:
        steady = self.steady()
        if steady < self._heartbeat_due and not self._has_jumped(steady):
            return
        self._heartbeat_due = steady + HEARTBEAT_SECONDS
        self._last_clocks = (steady, self.clock())
        jump = await self.work(expire.keep_time, self.house, self.clock(), steady, boot_id())
        if jump:
            log.warning("the clock jumped ahead by %s; open deadlines were moved along", jump)

    def _has_jumped(self, steady: float) -> bool:
        before, wall = self._last_clocks
        return abs((self.clock() - wall).total_seconds() - (steady - before)) > expire.JUMP

    def _wake_all(self) -> None:
        for woken in self._woken.values():
            woken.set()
        self._letters.set()

    async def _sleep(self, seconds: float) -> None:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self.stopping.wait(), seconds)

    async def _keep_sending(self) -> None:
        """Send what is due; where the server is away, wait for it rather than for each letter."""
        outbox = Outbox(self.house.config.smtp, self._token)
        wait = BACK_OFF_FIRST
        while not self.stopping.is_set():
            self._letters.clear()
            try:
                claimed = await self.work(post.claim_letters, self.house.store, self.clock(), LETTERS_AT_ONCE)
                if not claimed:
                    with contextlib.suppress(TimeoutError):
                        await asyncio.wait_for(self._letters.wait(), 30)
                    continue
                reached = await self._send_all(outbox, claimed, wait)
            except Exception:
                log.exception("letters could not be sent")
                reached = False
            if reached:
                wait = BACK_OFF_FIRST
            else:
                log.warning("the SMTP server cannot be used; trying again in %.0f s", wait)
                await self._sleep(wait)
                wait = min(wait * 2, BACK_OFF_MOST)
        await outbox.close()

    async def _send_all(self, outbox: Outbox, claimed: list[post.Claimed], wait: float) -> bool:
        """Send these letters one after the other; False where the server could not be reached."""
        for at, letter in enumerate(claimed):
            if self.stopping.is_set():
                await self.work(self._release, claimed[at:], self.clock())
                return True
            sent = await outbox.send(self.house.config.host.address, letter.address, letter.message)
            if sent.outcome == "away":
                log.warning("SMTP: %s", sent.said)
                await self.work(self._release, claimed[at:], self.clock() + timedelta(seconds=wait))
                return False
            await self.work(self._settle, letter, sent.outcome, sent.said, self.clock())
        return True

    def _release(self, claimed: list[post.Claimed], try_at: datetime) -> None:
        with self.house.store.transaction() as session:
            for letter in claimed:
                row = post.settle_letter(session, letter.id, "queued", "", try_at, try_at)
                row.attempts = letter.attempts - 1

    def _settle(self, letter: post.Claimed, outcome: str, said: str, moment: datetime) -> None:
        with self.house.store.transaction() as session:
            if outcome == "sent":
                row = post.settle_letter(session, letter.id, "sent", said, moment, moment)
                letters.accepted(session, row, moment)
                return
            is_final = outcome == "refused" or moment - letter.created_at > GIVE_UP_AFTER
            delay = RETRY_AFTER[min(letter.attempts, len(RETRY_AFTER)) - 1]
            row = post.settle_letter(
                session, letter.id, "failed" if is_final else "queued", said, moment, moment + delay
            )
            log.warning("letter %s to %s: %s", letter.id, letter.address, said)
            if is_final and row.purpose not in ("operator", "host"):
                text = f"A letter to {letter.address} ({row.kind}) could not be delivered: {said}"
                alerts.alert(session, self.house, moment, "A letter could not be delivered", text)


async def _tried(connect: Callable[[], object]) -> None:
    """A server that is just starting gets a few seconds."""
    for attempt in range(1, START_TRIES + 1):
        try:
            await connect()  # type: ignore[misc]
            return
        except (InboxError, oauth.OAuthError, SMTPException, OSError) as error:
            is_login = isinstance(error, SMTPAuthenticationError) or getattr(error, "is_login", False)
            if attempt == START_TRIES or is_login:
                raise
            await asyncio.sleep(1)
