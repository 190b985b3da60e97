"""Shell: the first connection to each server at a start. In: the configuration, what is to be opened. Out: it is, or a sentence.

A server that is just starting gets some tries. A wrong password is tried once, and told at once.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable

from aiosmtplib import SMTPAuthenticationError, SMTPException

from host.config import Config
from host.daemon.imap_watcher import ImapWatcher
from host.daemon.runtime import StartError
from host.mail import oauth
from host.mail.inbound.imap import InboxError
from host.mail.outbound.smtp import Outboxes, describe

START_TRIES = 3
"""How often a server that does not answer is tried, a second apart."""


async def open_mailboxes(config: Config, watchers: Iterable[ImapWatcher]) -> None:
    """Log in to each mailbox; they stay open. Raises `StartError`."""
    imap = config.imap
    for watcher in watchers:
        try:
            await _tried(watcher.open)
        except InboxError as error:
            watcher.inbox.abandon()
            settings = f"username and {_secret(config)}" if error.is_login else "host, port, security and mailbox"
            words = f"The IMAP server {imap.host}:{imap.port} cannot be used ({error}): check [imap] {settings}."
            raise StartError(words) from None


async def try_outboxes(config: Config, outboxes: Outboxes) -> None:
    """Log in to the SMTP server, and close the connection again. Raises `StartError`."""
    smtp = config.smtp
    try:
        await _tried(outboxes.connect)
    except SMTPAuthenticationError as error:
        words = f"refuses the login ({describe(error)}): check [smtp] username and {_secret(config)}."
        raise StartError(f"The SMTP server {smtp.host} {words}") from None
    except (SMTPException, OSError) as error:
        words = f"cannot be used ({describe(error)}): check [smtp] host, port and security."
        raise StartError(f"The SMTP server {smtp.host}:{smtp.port} {words}") from None
    await outboxes.close()


async def try_token(token: oauth.Token) -> None:
    """Ask for a first token. Raises `StartError`."""
    try:
        await _tried(token)
    except oauth.OAuthError as error:
        raise StartError(str(error)) from None


def _secret(config: Config) -> str:
    return "password" if config.oauth is None else "[oauth]"


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
