"""Shell: a mail to ourselves. In: a configuration whose servers answer. Out: does what contestants write arrive here?

Two mails go out, one to the host's address and one to it with a token, and the mailbox is watched for both. What they
went through on their way also shows whose Authentication-Results can be trusted, and whether the clocks agree.
"""

import asyncio
import time
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime

from host.cli.terminal import now
from host.config import Config
from host.engine.chance import new_token
from host.mail import oauth
from host.mail.inbound.authentication import topmost_id
from host.mail.inbound.imap import Inbox, InboxError
from host.mail.inbound.mail import Mail
from host.mail.inbound.peek import CHECK_SUBJECT
from host.mail.inbound.reply import open_mail
from host.mail.outbound.draft import message_id
from host.mail.outbound.smtp import Outbox

SECONDS = 12.0
SKEW = timedelta(minutes=1)
PLUS_ADVICE = "write plus_addressing = false in [security], or let your provider accept addresses with a plus"


@dataclass(frozen=True)
class Finding:
    """One line of the check; `is_good` is None for what may be well or not."""

    is_good: bool | None
    words: str


@dataclass(frozen=True)
class Back:
    """A mail that came back, and when the mailbox says that it came."""

    mail: Mail
    arrived_at: datetime


async def check(config: Config, token: oauth.Token | None) -> list[Finding]:
    """What the two mails tell; with plus addressing off there is only one."""
    plain, tagged = new_token(), new_token()
    back = await _sent_round(config, token, plain, tagged, SECONDS)
    if isinstance(back, Finding):
        return [back]
    found = _verdict(config, back, plain, tagged)
    return found + [each for came in list(back.values())[:1] for each in _seen_on_the_way(config, came)]


async def has_plus(config: Config, seconds: float) -> bool:
    """Does mail to the host's address with a plus and a token arrive? What could not be seen is a no."""
    plain, tagged = new_token(), new_token()
    back = await _sent_round(config, None, plain, tagged, seconds)
    return not isinstance(back, Finding) and tagged in back


async def _sent_round(
    config: Config, token: oauth.Token | None, plain: str, tagged: str, seconds: float
) -> dict[str, Back] | Finding:
    """Send the mails and watch for them; a finding where that cannot be done."""
    address = config.host.address
    user, _, domain = address.rpartition("@")
    wanted = {plain: address}
    if config.security.plus_addressing:
        wanted[tagged] = f"{user}+{tagged}@{domain}"
    inbox, outbox = Inbox(config.imap, config.imap.mailbox, token), Outbox(config.smtp, token)
    try:
        await inbox.connect()
        newest = max(await inbox.uids_above(0, now()), default=0)
        for each, to in wanted.items():
            sent = await outbox.send(address, to, _letter(config, each, to))
            if sent.outcome != "sent":
                advice = "check [host] address and the rights of this account" if to == address else PLUS_ADVICE
                return Finding(False, f"mail to ourselves: the SMTP server refused {to} ({sent.said}); {advice}")
        return await _wait_for(inbox, newest, wanted, seconds)
    except InboxError as error:
        return Finding(False, f"mail to ourselves: the mailbox could not be watched ({error})")
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
    """Which of the mails came back, until all have or the time is over."""
    back: dict[str, Back] = {}
    end = time.monotonic() + seconds
    while len(back) < len(wanted) and time.monotonic() < end:
        async for fetched in inbox.fetch(await inbox.uids_above(newest, now())):
            newest = max(newest, fetched.uid)
            mail = open_mail(fetched.raw)
            for token in wanted.keys() & set(mail.tokens):
                back[token] = Back(mail, fetched.arrived_at)
        if len(back) < len(wanted):
            await asyncio.sleep(0.5)
    return back


def _verdict(config: Config, back: dict[str, Back], plain: str, tagged: str) -> list[Finding]:
    address, mailbox = config.host.address, config.imap.mailbox
    if not config.security.plus_addressing:
        arrives = Finding(True, f"mail to ourselves: what is written to {address} arrives in {mailbox}")
        return [arrives if plain in back else _nothing(address, mailbox)]
    if tagged in back:
        return [Finding(True, f"mail to ourselves: what is written to {address} with a plus and a token arrives here")]
    if plain in back:
        words = f"mail to {address} arrives here, but not with a plus and a token in it"
        return [Finding(False, f"mail to ourselves: {words}; {PLUS_ADVICE}")]
    return [_nothing(address, mailbox)]


def _nothing(address: str, mailbox: str) -> Finding:
    words = (
        f"mail to ourselves: nothing arrived in {mailbox} within {SECONDS:.0f} s; it may only be slow, else look whether "
        f"mail to {address} goes to this mailbox, or to its junk"
    )
    return Finding(None, words)


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
        words = (
            f"clocks: the mail server's and this machine's differ by {skew.total_seconds():.0f} s; set the wrong one"
        )
        found.append(Finding(None, words))
    return found
