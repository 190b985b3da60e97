"""Shell: stored mails are read, before their turns and outside of any transaction. In: numbers. Out: an `Opened` each.

Opening and telling what was typed happen in the worker process, since mails are made by anybody; the store is only
looked at. Of the letters that a reply may quote, the one that it answers is fetched where the reply alone does not show
what was typed, and the others where that one does not show it either.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from host.config import Config
from host.mail import sender
from host.mail.quotation import Typed
from host.mail.reply import Mail
from host.mail.signature import Signatures
from host.mail.worker import ReadingError, Unread, Worker
from host.store.quoted import SentLetter, letter_answered, letters_before, raws_of
from host.store.store import Store
from host.turn.mailturn import Opened

Work = Callable[..., Awaitable[Any]]

LETTERS_REMEMBERED = 30
"""How many of the letters sent to a contestant their replies are compared with."""


def raw_mails(store: Store, inbound_ids: Sequence[int]) -> Mapping[int, bytes]:
    """The bytes of stored mails; none where they were let go."""
    with store.reading() as session:
        return raws_of(session, inbound_ids)


def letters_answered(store: Store, mails: Sequence[Mail]) -> Sequence[SentLetter | None]:
    """The letter that each mail answers."""
    with store.reading() as session:
        return [letter_answered(session, mail.tokens) for mail in mails]


def earlier_letters(store: Store, letters: Sequence[SentLetter]) -> Sequence[Sequence[SentLetter]]:
    """The letters sent before each of these to the same person."""
    with store.reading() as session:
        return [letters_before(session, letter, LETTERS_REMEMBERED - 1) for letter in letters]


def claims_falsely(config: Config, mail: Mail) -> bool:
    """Does the mail provider that the host trusts say that a mail is not from its sender?"""
    return sender.has_failed(mail.authentication, config.security.authserv_id, mail.sender)


class Reader:
    """Reads mails, many at once. `work` runs a function on the thread of the store."""

    def __init__(self, config: Config, store: Store, work: Work, signatures: Signatures | None = None) -> None:
        self.config, self.store, self.work = config, store, work
        self.worker = Worker()
        self.signatures = signatures or Signatures()

    async def read_all(self, raws: Mapping[int, bytes]) -> dict[int, Opened | ReadingError]:
        """What stands in stored mails, by number; `ReadingError` for those that cannot be read within the limits.

        Raises OSError where no process can be started to read them.
        """
        opened = await self.worker.open_all(list(raws.values()))
        found = dict(zip(raws, opened, strict=True))
        whole = {number: each for number, each in found.items() if not isinstance(each, ReadingError)}
        compared, forged = await asyncio.gather(
            self._compared({number: mail for number, (mail, typed) in whole.items() if typed is None}),
            asyncio.gather(*(self._is_forged(raws[number], mail) for number, (mail, _) in whole.items())),
        )
        are_forged = dict(zip(whole, forged, strict=True))
        return {
            number: each
            if isinstance(each, ReadingError)
            else _opened(each[0], each[1] or compared[number], are_forged[number])
            for number, each in found.items()
        }

    async def _compared(self, mails: Mapping[int, Mail]) -> dict[int, Typed | ReadingError]:
        """What was typed in mails that do not show it without the letters."""
        if not mails:
            return {}
        answered = dict(zip(mails, await self.work(letters_answered, self.store, list(mails.values())), strict=True))
        texts = [_unread(mails[number], _texts(letter), are_all=letter is None) for number, letter in answered.items()]
        found = dict(zip(mails, await self.worker.read_all(texts), strict=True))
        rest = {number: letter for number, letter in answered.items() if letter and found[number] is None}
        if rest:
            earlier = await self.work(earlier_letters, self.store, list(rest.values()))
            texts = [
                _unread(mails[number], _texts(letter, *before))
                for (number, letter), before in zip(rest.items(), earlier, strict=True)
            ]
            found |= zip(rest, await self.worker.read_all(texts), strict=True)
        return {number: each for number, each in found.items() if each is not None}

    async def _is_forged(self, raw: bytes, mail: Mail) -> bool:
        if self.config.security.authserv_id:
            return claims_falsely(self.config, mail)
        is_signed = bool(mail.tokens) and b"dkim-signature" in raw.lower()
        return is_signed and await self.signatures.check(raw, mail.sender) == "fail"


def _unread(mail: Mail, letters: Sequence[tuple[str, str]], are_all: bool = True) -> Unread:
    return Unread(mail.text, letters, are_all, mail.page, mail.display_name)


def _texts(*letters: SentLetter | None) -> list[tuple[str, str]]:
    return [(letter.body, letter.page) for letter in letters if letter]


def _opened(mail: Mail, typed: Typed | ReadingError, is_forged: bool) -> Opened | ReadingError:
    return typed if isinstance(typed, ReadingError) else Opened(mail, typed, is_forged)
