"""Shell: a mail to ourselves. In: a configuration whose servers answer. Out: does what contestants write arrive here?

Two mails go out, one to the host's address and one to it with a token, and the mailbox is watched for both. What they
went through on their way also shows whose Authentication-Results can be trusted, and whether the clocks agree.
"""

import asyncio
import time
from collections.abc import Mapping
from datetime import datetime, timedelta
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from typing import NamedTuple

from host.cli.terminal import Failure, now
from host.config import Config
from host.engine.chance import new_token
from host.mail import oauth
from host.mail.inbound.authentication import topmost_id
from host.mail.inbound.imap import Inbox, InboxError
from host.mail.inbound.mail import Mail
from host.mail.inbound.peek import CHECK_SUBJECT
from host.mail.outbound.draft import message_id
from host.mail.outbound.smtp import Outbox

SECONDS = 12.0
SKEW = timedelta(minutes=1)
PLUS_ADVICE = "write plus_addressing = false in [security], or let your provider accept addresses with a plus"


class Finding(NamedTuple):
    """One line of the check; `is_good` is None for what may be well or not."""

    is_good: bool | None
    words: str


class Back(NamedTuple):
    """A mail that came back, and when the mailbox says that it came."""

    mail: Mail
    arrived_at: datetime


async def check(config: Config, token: oauth.Token | None) -> list[Finding]:
    """The findings of the two mails; with plus addressing off there is only one."""
    try:
        back = await _sent_round(config, token, SECONDS)
    except Failure as failure:
        return [Finding(False, f"mail to ourselves: {failure}")]
    first = next(iter(back.values()), None)
    return [_verdict(config, back), *(_seen_on_the_way(config, first) if first else ())]


async def has_plus(config: Config, seconds: float) -> bool:
    """Does mail to the host's address with a plus and a token arrive? No, where that could not be seen."""
    try:
        return any(to != config.host.address for to in await _sent_round(config, None, seconds))
    except Failure:
        return False


async def _sent_round(config: Config, token: oauth.Token | None, seconds: float) -> dict[str, Back]:
    """Send the mails and watch for them; gives those that came back, by their address. Raises `Failure`."""
    address = config.host.address
    user, _, domain = address.rpartition("@")
    wanted = {new_token(): address}
    if config.security.plus_addressing:
        tagged = new_token()
        wanted[tagged] = f"{user}+{tagged}@{domain}"
    inbox, outbox = Inbox(config.imap, config.imap.mailbox, token), Outbox(config.smtp, token)
    try:
        await inbox.connect()
        newest = max(await inbox.uids_above(0, now()), default=0)
        for each, to in wanted.items():
            sent = await outbox.send(address, to, _letter(config, each, to))
            if sent.outcome != "sent":
                advice = "check [host] address and the rights of this account" if to == address else PLUS_ADVICE
                raise Failure(f"the SMTP server refused {to} ({sent.said}); {advice}")
        return await _wait_for(inbox, newest, wanted, seconds)
    except InboxError as error:
        raise Failure(f"the mailbox could not be watched ({error})") from None
    finally:
        await outbox.close()
        await inbox.close()


def _letter(config: Config, token: str, to: str) -> bytes:
    message = EmailMessage(policy=SMTP)
    message["From"], message["To"] = config.host.address, to
    message["Subject"] = f"{CHECK_SUBJECT}{token}]"
    message["Date"] = format_datetime(now())
    message["Message-ID"] = message_id(token, config.host.address)
    message["Auto-Submitted"] = "auto-generated"
    message["X-Podium-Kind"] = "check"
    message.set_content("podium check wrote this to see whether mail to this address arrives. It can be deleted.\n")
    return message.as_bytes()


async def _wait_for(inbox: Inbox, newest: int, wanted: dict[str, str], seconds: float) -> dict[str, Back]:
    """The mails that come back, until all have or the time is over."""
    from host.mail.inbound.reply import open_mail  # a daemon, which checks its options by `check`, opens none itself

    back: dict[str, Back] = {}
    end = time.monotonic() + seconds
    while len(back) < len(wanted) and time.monotonic() < end:
        async for fetched in inbox.fetch(await inbox.uids_above(newest, now())):
            newest = max(newest, fetched.uid)
            mail = open_mail(fetched.raw)
            back |= {wanted[each]: Back(mail, fetched.arrived_at) for each in wanted.keys() & set(mail.tokens)}
        if len(back) < len(wanted):
            await asyncio.sleep(0.5)
    return back


def _verdict(config: Config, back: Mapping[str, Back]) -> Finding:
    address, mailbox = config.host.address, config.imap.mailbox
    is_good: bool | None = True
    if back.keys() - {address}:
        words = f"what is written to {address} with a plus and a token arrives here"
    elif back and not config.security.plus_addressing:
        words = f"what is written to {address} arrives in {mailbox}"
    elif back:
        is_good = False
        words = f"mail to {address} arrives here, but not with a plus and a token in it; {PLUS_ADVICE}"
    else:
        is_good = None
        words = f"nothing arrived in {mailbox} within {SECONDS:.0f} s; it may only be slow, else look whether mail to "
        words += f"{address} goes to this mailbox, or to its junk"
    return Finding(is_good, f"mail to ourselves: {words}")


def _seen_on_the_way(config: Config, came: Back) -> list[Finding]:
    found: list[Finding] = []
    named, trusted = topmost_id(came.mail.authentication), config.security.authserv_id
    if named and not trusted:
        words = f'authentication: your provider checks senders and signs as {named}; write authserv_id = "{named}"'
        found.append(Finding(None, f"{words} in [security] to trust it"))
    elif named and named.lower() != trusted.lower():
        found.append(Finding(None, f"authentication: authserv_id is {trusted}, but this mail was checked by {named}"))
    skew = abs(now() - came.arrived_at)
    if skew > SKEW:
        differ = f"the mail server's and this machine's differ by {skew.total_seconds():.0f} s"
        found.append(Finding(None, f"clocks: {differ}; set the wrong one"))
    return found
