"""Shell: `podium check`. In: a configuration. Out: line by line, whether what a host needs works.

At its end mails to ourselves go out, one to the host's address and one to it with a token, and the mailbox is watched for both.
What they went through on their way also shows whose Authentication-Results can be trusted, and whether the clocks agree.
"""

import argparse
import asyncio
import contextlib
import shlex
import stat
import time
from collections.abc import Awaitable, Iterator, Mapping
from datetime import datetime, timedelta
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from glob import escape
from pathlib import Path
from typing import Any, NamedTuple

from aiosmtplib import SMTPException

from host.cli.terminal import SLUGS, Failure, check_options, now, tell
from host.config import Config, ConfigError, SecondReader, load
from host.engine.chance import Chance, new_token
from host.engine.game import Game
from host.errors import PodiumError
from host.games import GAMES
from host.mail import oauth
from host.mail.inbound.authentication import topmost_id
from host.mail.inbound.imap import Inbox, InboxError
from host.mail.inbound.mail import Mail
from host.mail.inbound.peek import CHECK_SUBJECT
from host.mail.outbound import render
from host.mail.outbound.draft import TableView, message_id
from host.mail.outbound.smtp import Outbox, describe
from host.second_reader import SAMPLE, choose
from host.store.database import open_store
from host.store.health import require_writable

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


def run(arguments: argparse.Namespace) -> int:
    """Say line by line what works."""
    found = asyncio.run(check(arguments.config, SLUGS))
    for line in found:
        tell({True: "ok    ", False: "WRONG ", None: "note  "}[line.is_good] + line.words)
    return 1 if any(line.is_good is False for line in found) else 0


async def check(path: Path | None, slugs: Mapping[str, tuple[int, ...]]) -> list[Finding]:
    """All findings; where the configuration cannot be read there is only that one."""
    try:
        config = load(path, slugs)
        check_options(config)
    except ConfigError as error:
        return [Finding(False, f"config: {each}") for each in str(error).splitlines()]
    found = [Finding(True, "config: read and understood")]
    if not config.games:
        found.append(Finding(False, "games: none is offered; add a table such as [games.champ-cards]"))
    found.append(await _tried("database", _open(config)))
    token = oauth.source(config.oauth, now)
    if token is not None:
        found.append(await _tried("oauth", token(), said="there is an access token"))
    for mailbox in filter(None, (config.imap.mailbox, config.imap.junk) if config.imap.host else ()):
        place = f"{config.imap.host}:{config.imap.port}, mailbox {mailbox}: "
        found.append(await _tried("imap", _look(config, mailbox, token), place, "; check [imap]"))
    place = f"{config.smtp.host}:{config.smtp.port}: "
    found.append(await _tried("smtp", _connect(config, token), place, "; check [smtp]"))
    if not config.imap.host:
        found.append(
            Finding(None, f"mail to ourselves: not tried; podium run takes mail by LMTP at {config.lmtp.listen}")
        )
    elif all(each.is_good for each in found):
        found.extend(await _mail_to_ourselves(config, token))
    if config.reader.url:
        advice = "; letters go out as without it; check [reader]"
        found.append(await _tried("reader", _choose(config.reader), f"{config.reader.url}: ", advice))
    for slug in config.games:
        found.append(await _tried("templates", _write(GAMES[slug]), f"{GAMES[slug].title}: ", errors=(Exception,)))
    told = "is open to everybody on this machine: chmod 600"
    return found + [Finding(None, f"rights: {each} {told} {shlex.quote(str(each))}") for each in _open_to_all(config)]


async def _tried(
    subject: str,
    attempt: Awaitable[str],
    place: str = "",
    advice: str = "",
    errors: tuple[type[Exception], ...] = (PodiumError, InboxError, SMTPException, OSError),
    said: str = "",
) -> Finding:
    """The words of an attempt that worked, its own where `said` are none; else where it failed, why, and what to do."""
    try:
        words = await attempt
        return Finding(True, f"{subject}: {said or words}")
    except errors as error:
        why = describe(error) if isinstance(error, SMTPException | OSError) else str(error)
        return Finding(False, f"{subject}: {place}{why}{advice}")


async def _open(config: Config) -> str:
    with contextlib.closing(open_store(config.database.url)) as store:
        require_writable(store)
    return "opened, its tables are up to date"


async def _look(config: Config, mailbox: str, token: oauth.Token | None) -> str:
    inbox = Inbox(config.imap, mailbox, token)
    try:
        await inbox.connect()
        pushes = inbox.client.has_capability("IDLE")
        await inbox.close()
    finally:
        inbox.abandon()
    news = "tells of new mail at once" if pushes else f"is asked every {config.imap.poll_every}"
    return f"logged in, mailbox {mailbox} can be read; the server {news}"


async def _connect(config: Config, token: oauth.Token | None) -> str:
    outbox = Outbox(config.smtp, token)
    await outbox.connect()
    await outbox.close()
    return "connected" + (" and logged in" if config.smtp.username else "")


async def _choose(settings: SecondReader) -> str:
    return f"{settings.model} takes “{SAMPLE.typed}” for {await choose(settings, SAMPLE) or 'none of its commands'}"


async def _write(game: Game[Any, Any]) -> str:
    seats = min(game.seats)
    outcome, names = game.deal(seats, {}, Chance(bytes(32))), tuple("ABCDEFGH"[:seats])
    for question in game.questions(outcome.state):
        table = TableView(game.slug, game.view(outcome.state, question.seat), names, question.seat)
        render.question_words(game.slug, question.phase, table)
    render.tell(game.slug, game.news(outcome.events, 0), names, 0)
    return f"{game.title} can be written"


def _open_to_all(config: Config) -> Iterator[Path]:
    """The files for the host alone that others can open: secrets; all mail, tokens and seeds in a SQLite file and beside it."""
    files, file = list(config.secret_files), config.database.file
    if file is not None:
        files += sorted(file.parent.glob(f"{escape(file.name)}*"))
    for file in files:
        with contextlib.suppress(OSError):
            if file.is_file() and file.stat().st_mode & stat.S_IRWXO:
                yield file


async def _mail_to_ourselves(config: Config, token: oauth.Token | None) -> list[Finding]:
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
    if back.keys() - {address}:
        return Finding(True, f"mail to ourselves: what is written to {address} with a plus and a token arrives here")
    if back and not config.security.plus_addressing:
        return Finding(True, f"mail to ourselves: what is written to {address} arrives in {mailbox}")
    if back:
        words = f"mail to {address} arrives here, but not with a plus and a token in it; {PLUS_ADVICE}"
        return Finding(False, f"mail to ourselves: {words}")
    words = (
        f"nothing arrived in {mailbox} within {SECONDS:.0f} s; it may only be slow, else look whether mail to {address}"
    )
    return Finding(None, f"mail to ourselves: {words} goes to this mailbox, or to its junk")


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
