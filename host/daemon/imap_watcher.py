"""Shell: watching one mailbox. In: new mail in it. Out: stored mails, and how far the mailbox was read.

Theory of operation. A pass asks for all mail above the watermark (the last UID that is stored), stores it a group at a time
together with the new watermark, and last notes when it began: all mail that came before that moment is stored, so deadlines
up to it may fire. Then the watcher waits for news (IDLE), for `poll_every` at most, or until it is `woken` because a
deadline is due. After any fault the connection is thrown away, and the next pass begins from the watermark on a new one.

Where the server says another UIDVALIDITY, or gives UIDs anew after it was put back to an older copy, the last days are read
again under a new number; mails that were played before are known by their content.
"""

import asyncio
import logging
from datetime import datetime, timedelta
from functools import partial

from host.daemon import steps
from host.daemon.leader import Leadership
from host.daemon.runtime import BackOff, Runtime
from host.mail.inbound.imap import FIRST_LOOK_BACK, UIDS_A_COMMAND, Inbox, InboxError
from host.mail.inbound.imap_syntax import Selected
from host.mail.inbound.mail import RawMail
from host.store import queues
from host.turn.receive import bytes_wanted, store_mails

log = logging.getLogger("podium")

ALARM_AFTER = timedelta(minutes=15)
"""How long a mailbox cannot be read before the operators hear of it."""
SKEW = timedelta(minutes=1)
"""How far ahead of this machine's clock the server's may be before the operators hear of it."""
FULL = 0.9
"""The part of a mailbox's quota that is nearly all of it."""
LOOK_AT_QUOTA = 3600.0
"""Seconds between two looks at the quota."""
STORED_TOGETHER = 32
"""Mails stored in one transaction."""
STORED_BYTES = 4_000_000
"""Bytes of mail after which a transaction takes no more mails."""


class ImapWatcher:
    """One mailbox: pass after pass, and after any fault a fresh connection. Of several processes one watches."""

    def __init__(self, runtime: Runtime, inbox: Inbox, lead: Leadership) -> None:
        self.runtime, self.inbox, self.lead = runtime, inbox, lead
        self.woken = asyncio.Event()
        self._back_off = BackOff(runtime.steady)
        self._quota_due = 0.0
        self._known: tuple[int, int] | None = None

    async def open(self) -> None:
        """Connect, and begin where the mailbox was left; anew where that is no place in it any more. Raises `InboxError`."""
        inbox, runtime, store = self.inbox, self.runtime, self.runtime.services.store
        self._known = None
        known = await runtime.work(queues.watermark, store, inbox.mailbox)  # before the server says how far it is
        selected = await inbox.connect()
        if known is None:
            await runtime.work(queues.begin_mailbox, store, inbox.mailbox, selected.uidvalidity, 0)
            return
        seen = _made_anew(known, selected) or await self._other_mail(known[0])
        if seen:
            text = (
                f"The mailbox {inbox.mailbox} {seen}, so the mail of its last {FIRST_LOOK_BACK.days} days is read again, "
                "and nothing is played twice."
            )
            log.warning(text)
            await runtime.alert("The mailbox was made anew", text, f"made anew {inbox.mailbox}")
            await runtime.work(queues.begin_mailbox, store, inbox.mailbox, selected.uidvalidity, 0)

    async def _other_mail(self, number: int) -> str:
        """Is there another mail under one of the last UIDs that were read? A server that was put back gives them again."""
        inbox = self.inbox
        read = await self.runtime.work(
            queues.latest_arrivals, self.runtime.services.store, inbox.mailbox, number, UIDS_A_COMMAND
        )
        for uid, came_at in (await inbox.arrivals(sorted(read))).items():
            arrived_at, fetched_at = read[uid]
            if min(came_at, fetched_at) != arrived_at:
                return f"was put back to an older copy by its server (its mail {uid} is another than the one that was read)"
        return ""

    async def run(self) -> None:
        """Read until the daemon stops."""
        poll_every = self.runtime.services.config.imap.poll_every.total_seconds()
        await self.runtime.repeat(
            self._pass,
            partial(self.inbox.wait_for_news, poll_every, self.woken),
            f"mailbox {self.inbox.mailbox}",
            back_off=self._back_off,
            known=(InboxError,),
            failed=self._failed,
        )
        await self.inbox.close()

    async def _pass(self) -> None:
        """Wait for the lead, connect where that is needed, read."""
        runtime, inbox = self.runtime, self.inbox
        while not self.lead.is_held:
            await inbox.close()
            self.lead.changed.clear()
            await self.lead.changed.wait()
            if runtime.stopping.is_set():
                return
        if not inbox.is_connected:
            await self.open()
        self.woken.clear()
        await self.read()
        await self._look_at_quota()

    async def _failed(self, error: Exception) -> None:
        """Throw the connection away; tell the operators where it lasts, or where only they can help."""
        self.inbox.abandon()
        is_login = isinstance(error, InboxError) and error.is_login
        if self._back_off.lasts < ALARM_AFTER and not is_login:
            return
        name = self.inbox.mailbox
        text = (
            f"The mailbox {name} cannot be read: {error}. I go on trying. Nothing is lost: mail is read and counted as "
            "of its arrival, and no deadline fires before that."
        )
        try:
            await self.runtime.alert("The mailbox cannot be read", text, "login" if is_login else f"mailbox {name}")
        except Exception:
            log.exception("the operators could not be told")

    async def read(self) -> None:
        """One whole pass: store what is new, then note how far the mailbox was read.

        The mailbox is seen to be in reach before anything of it is stored, and so before anything that waited is judged:
        where it was out of reach for long, deadlines move first.
        """
        runtime, inbox = self.runtime, self.inbox
        store = runtime.services.store
        began = runtime.clock()
        if self._known is None:
            self._known = await runtime.work(queues.watermark, store, inbox.mailbox) or (0, 0)
        uidvalidity, watermark = self._known
        uids = await inbox.uids_above(watermark, began)
        if not steps.was_seen_lately(began, runtime.seen_at) and not await runtime.work(
            steps.begin_pass, runtime.services, inbox.mailbox, began
        ):
            return
        waiting: list[RawMail] = []
        async for mail in inbox.fetch(uids, lambda beginning: runtime.work(bytes_wanted, runtime.services, beginning)):
            waiting.append(mail)
            if len(waiting) == STORED_TOGETHER or sum(len(each.raw) for each in waiting) > STORED_BYTES:
                await self._keep(uidvalidity, waiting)
                waiting = []
        if waiting:
            await self._keep(uidvalidity, waiting, began)
        else:
            await runtime.work(queues.was_seen, store, inbox.mailbox, began)
        if inbox.mailbox == runtime.mailboxes[0]:
            runtime.seen_at = began

    async def _keep(self, uidvalidity: int, mails: list[RawMail], began: datetime | None = None) -> None:
        runtime, moment = self.runtime, self.runtime.clock()
        await runtime.work(store_mails, runtime.services, self.inbox.mailbox, uidvalidity, mails, moment, began)
        runtime.mails_came()
        self._known = uidvalidity, max(each.uid for each in mails)
        ahead = max(each.arrived_at for each in mails) - moment
        if ahead > SKEW:
            words = f"The mail server's clock is {ahead.total_seconds():.0f} seconds ahead of this machine's."
            log.warning(words)
            await runtime.alert("Two clocks differ", f"{words} Deadlines go by both: set the wrong one.", "clocks")

    async def _look_at_quota(self) -> None:
        """Once an hour: a mailbox that is nearly full will soon refuse replies."""
        if self.runtime.steady() < self._quota_due:
            return
        used = await self.inbox.quota()
        self._quota_due = self.runtime.steady() + LOOK_AT_QUOTA
        if used is not None and used >= FULL:
            text = (
                f"The mailbox {self.inbox.mailbox} is {used:.0%} full. When it is full, replies are refused: delete old "
                "mail in it. Podium has stored what it read, and needs none of it."
            )
            log.warning("the mailbox %s is %.0f %% full", self.inbox.mailbox, used * 100)
            await self.runtime.alert("The mailbox is nearly full", text, "quota")


def _made_anew(known: tuple[int, int], selected: Selected) -> str:
    """A sign that the mailbox is not the one that was read; empty where nothing does."""
    number, uid = known
    if queues.validity(number) != selected.uidvalidity:
        return "was made anew by its server (UIDVALIDITY)"
    if selected.uidnext is not None and selected.uidnext <= uid:
        return f"was put back to an older copy by its server (its next mail is {selected.uidnext}, and {uid} was read)"
    return ""
