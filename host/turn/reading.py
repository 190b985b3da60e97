"""Shell: a stored mail is read, before its turn and outside of any transaction. In: its number. Out: an `Opened`.

Opening and telling what was typed happen in the worker process, since mails are made by anybody; the store is only
looked at.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from host.config import Config
from host.mail import sender
from host.mail.quotation import may_quote
from host.mail.reply import Mail
from host.mail.signature import Signatures
from host.mail.worker import Worker
from host.store.mails import letters_of_tokens, messages_of, numbers_up_to, raw_of
from host.store.store import Store
from host.turn.mailturn import Opened

Work = Callable[..., Awaitable[Any]]

LETTERS_REMEMBERED = 30
"""How many of the letters sent to a contestant their replies are compared with."""


def letters_quoted(store: Store, mail: Mail) -> Sequence[int]:
    """The letters that a reply may quote: the one that it answers, and those sent to the same person before."""
    if not may_quote(mail.text):
        return ()
    with store.reading() as session:
        letter = next(letters_of_tokens(session, mail.tokens), None)
        return () if letter is None else numbers_up_to(session, letter, LETTERS_REMEMBERED)


def messages(store: Store, letters: Sequence[int]) -> Mapping[int, bytes]:
    """These letters as they were sent."""
    with store.reading() as session:
        return messages_of(session, letters)


def raw_mail(store: Store, inbound_id: int) -> bytes:
    """A stored mail's bytes; none where they were let go."""
    with store.reading() as session:
        return raw_of(session, inbound_id) or b""


def claims_falsely(config: Config, mail: Mail) -> bool:
    """Does the mail provider that the host trusts say that a mail is not from its sender?"""
    return sender.has_failed(mail.authentication, config.security.authserv_id, mail.sender)


class Reader:
    """Reads mails one after the other. `work` runs a function on the thread of the store."""

    def __init__(self, config: Config, store: Store, work: Work, signatures: Signatures | None = None) -> None:
        self.config, self.store, self.work = config, store, work
        self.worker = Worker()
        self.signatures = signatures or Signatures()

    async def read(self, inbound_id: int) -> Opened:
        """What stands in a stored mail. Raises `ReadingError` where it cannot be read within the limits."""
        raw = await self.work(raw_mail, self.store, inbound_id)
        mail = await self.worker.open(raw)
        letters = await self.work(letters_quoted, self.store, mail)
        typed = await self.worker.read(mail.text, letters, self._fetch)
        return Opened(mail, typed, await self._is_forged(raw, mail))

    async def _fetch(self, letters: Sequence[int]) -> Mapping[int, bytes]:
        found: Mapping[int, bytes] = await self.work(messages, self.store, letters)
        return found

    async def _is_forged(self, raw: bytes, mail: Mail) -> bool:
        if self.config.security.authserv_id:
            return claims_falsely(self.config, mail)
        return bool(mail.tokens) and await self.signatures.check(raw, mail.sender) == "fail"
