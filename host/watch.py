"""Shell: watching one mailbox. In: new mail in it. Out: stored mails, worked off, and how far the mailbox was read."""

import asyncio
import logging
from datetime import datetime, timedelta

from host.desk import BackOff, Desk
from host.logs import about
from host.mail.inbox import Inbox, InboxError
from host.mail.worker import ReadingError
from host.store import post
from host.store.store import is_passing
from host.turn import outage, receive
from host.turn.mailturn import Opened
from host.turn.reading import Reader

log = logging.getLogger("podium")

ALARM_AFTER = timedelta(minutes=15)
SKEW = timedelta(minutes=1)
FULL = 0.9
LOOK_AT_QUOTA = 3600.0


class Intake:
    """Where stored mails are worked off, one after the other, whichever mailbox they came from."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.reader = Reader(desk.house.config, desk.house.store, desk.work)
        self._busy = asyncio.Lock()

    async def take_new_mails(self) -> None:
        """Work off every stored mail, in order of arrival; one that raises is kept for the host, and the rest goes on."""
        desk = self.desk
        async with self._busy:
            for inbound_id, arrived_at in (await desk.work(post.new_mails, desk.house.store)).items():
                if desk.stopping.is_set():
                    return
                with about(mail=inbound_id):
                    await self._take(inbound_id, arrived_at)
                desk.letters.set()

    async def start(self) -> None:
        """Start the process that reads mails, so that it is ready when the first one comes."""
        await self.reader.worker.start()

    async def close(self) -> None:
        """Let the process that reads mails go."""
        await self.reader.worker.close()

    async def _take(self, inbound_id: int, arrived_at: datetime) -> None:
        desk = self.desk
        outcome, letters = "broken", tuple[int, ...]()
        try:
            opened = await self._read(inbound_id)
            outcome, letters = await desk.work(receive.receive, desk.house, inbound_id, opened, desk.clock())
        except _NoReader:
            raise
        except Exception as error:
            if is_passing(error):
                raise
            is_hard = isinstance(error, ReadingError)
            log.warning("mail %s could not be handled", inbound_id, exc_info=not is_hard)
            why = str(error) if is_hard else f"{type(error).__name__}: {error}"
            await desk.work(receive.quarantine, desk.house, inbound_id, why, desk.clock())
        written = f"; letters {', '.join(map(str, letters))}" if letters else ""
        log.info("mail %s: %s%s", inbound_id, outcome, written)
        desk.health.mail_done(outcome, (desk.clock() - arrived_at).total_seconds())

    async def _read(self, inbound_id: int) -> Opened:
        try:
            return await self.reader.read(inbound_id)
        except OSError as error:
            raise _NoReader(f"mail {inbound_id} cannot be read now: {error}") from error


class _NoReader(Exception):
    """No process can be started to read a mail: the machine's trouble, not the mail's. It is taken again."""


class Watch:
    """One mailbox: pass after pass, and after any fault a fresh connection."""

    def __init__(self, desk: Desk, intake: Intake, inbox: Inbox) -> None:
        self.desk, self.intake, self.inbox = desk, intake, inbox
        self.woken = asyncio.Event()
        self._quota_due = 0.0

    async def open(self) -> None:
        """Connect, and begin where the mailbox was left; anew where its UIDVALIDITY changed. Raises `InboxError`."""
        inbox, store = self.inbox, self.desk.house.store
        selected = await inbox.connect()
        known = await self.desk.work(post.watermark, store, inbox.mailbox)
        if known is None or known[0] != selected.uidvalidity:
            if known is not None:
                log.warning(
                    "the mailbox %s was made anew by its server; its mail of the last days is read again", inbox.mailbox
                )
            await self.desk.work(post.begin_mailbox, store, inbox.mailbox, selected.uidvalidity, 0)

    async def run(self) -> None:
        """Read until the daemon stops."""
        desk, inbox = self.desk, self.inbox
        back_off = BackOff(desk.steady)
        poll = desk.house.config.imap.poll_every.total_seconds()
        while not desk.stopping.is_set():
            try:
                if not inbox.is_connected:
                    await self.open()
                self.woken.clear()
                await self.read()
                await self._look_at_quota()
                back_off.worked()
                if not desk.stopping.is_set():
                    await inbox.wait_for_news(poll, self.woken)
            except Exception as error:
                inbox.abandon()
                await self._failed(error, back_off)
        await inbox.close()

    async def _failed(self, error: Exception, back_off: BackOff) -> None:
        is_login = isinstance(error, InboxError) and error.is_login
        wait = back_off.failed(is_login)
        name = self.inbox.mailbox
        log.warning(
            "mailbox %s: %s; trying again in %.0f s", name, error, wait, exc_info=not isinstance(error, InboxError)
        )
        if back_off.lasts >= ALARM_AFTER or is_login:
            text = (
                f"The mailbox {name} cannot be read: {error}. I go on trying. Nothing is lost: mail is read and counted as "
                "of its arrival, and no deadline fires before that."
            )
            try:
                await self.desk.work(
                    self.desk.alert, "The mailbox cannot be read", text, "login" if is_login else f"mailbox {name}"
                )
            except Exception:
                log.exception("the operators could not be told")
        await self.desk.sleep(wait)

    async def read(self) -> None:
        """One whole pass: store what is new, then work it off, then note how far the mailbox was read."""
        desk, inbox = self.desk, self.inbox
        store = desk.house.store
        began = desk.clock()
        known = await desk.work(post.watermark, store, inbox.mailbox)
        uidvalidity, watermark = known or (0, 0)
        uids = await inbox.uids_above(watermark, began)
        async for mail in inbox.fetch(uids):
            moment = desk.clock()
            await desk.work(
                post.keep_mail,
                store,
                inbox.mailbox,
                uidvalidity,
                mail.uid,
                mail.arrived_at,
                mail.size,
                mail.raw,
                moment,
            )
            if mail.arrived_at - moment > SKEW:
                await desk.work(self._tell_of_skew, mail.arrived_at - moment)
        first = desk.mailboxes[0]
        is_first = inbox.mailbox == first
        if await desk.work(outage.is_over, desk.house, first, began):
            if not is_first:
                return  # nothing may be judged before the deadlines have moved, which the first mailbox's watch sees to
            length = await desk.work(outage.make_up, desk.house, first, began)
            log.warning("the mailbox was out of reach for %s; open deadlines moved by that", length)
        await self.intake.take_new_mails()
        if desk.stopping.is_set():
            return  # what is not worked off keeps every deadline from firing
        if is_first:
            await desk.work(outage.tell, desk.house, inbox.mailbox, desk.clock())
        await desk.work(post.pass_ended, store, inbox.mailbox, began)

    def _tell_of_skew(self, ahead: timedelta) -> None:
        words = f"The mail server's clock is {ahead.total_seconds():.0f} seconds ahead of this machine's."
        log.warning(words)
        self.desk.alert("Two clocks differ", f"{words} Deadlines go by both: set the wrong one.", "clocks")

    async def _look_at_quota(self) -> None:
        """Once an hour: a mailbox that is nearly full will soon refuse replies."""
        if self.desk.steady() < self._quota_due:
            return
        used = await self.inbox.quota()
        self._quota_due = self.desk.steady() + LOOK_AT_QUOTA
        if used is not None and used >= FULL:
            text = (
                f"The mailbox {self.inbox.mailbox} is {used:.0%} full. When it is full, replies are refused: delete old "
                "mail in it. Podium has stored what it read, and needs none of it."
            )
            log.warning("the mailbox %s is %.0f %% full", self.inbox.mailbox, used * 100)
            await self.desk.work(self.desk.alert, "The mailbox is nearly full", text, "quota")
