"""Shell: mails are read, before their turns. In: their bytes, by number. Out: an `Opened` each.

Opening and telling what was typed happen in worker processes, since mails are made by anybody; the store is only looked
at. Of the letters that a reply may quote, the one that it answers is fetched where the reply alone does not show what was
typed, and the others where that one does not show it either.

A mail has a second. One that takes longer, or whose signature needs a key that is not known yet, is `Slow`: whoever asked
for it goes on with the others, and comes back to it. So neither a hard mail nor a silent name server is in anybody's way.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from host.config import Config
from host.mail.inbound import authentication
from host.mail.inbound.dkim_keys import Keys
from host.mail.inbound.mail import Mail, Typed
from host.mail.inbound.sandbox import ReadingError, Sandbox, Unread
from host.states import Proof
from host.store.database import Store
from host.store.sent_letters import SentLetter, letter_answered, letters_before, raws_of
from host.turn.incoming import Opened

InThread = Callable[..., Awaitable[Any]]

LETTERS_REMEMBERED = 30
"""How many of the letters sent to a contestant their replies are compared with."""
QUICK_SECONDS = 1.0
"""The share of the processor's time that any mail has before it is put aside; whoever is not known here has no more."""


@dataclass(frozen=True)
class Slow:
    """A mail that takes longer than the others should wait: `read` reads it to the end."""

    read: Callable[[], Awaitable[Opened | ReadingError]]


def raw_mails(store: Store, inbound_ids: Sequence[int]) -> Mapping[int, bytes]:
    """The bytes of stored mails; none where they were let go."""
    with store.reading() as session:
        return raws_of(session, inbound_ids)


def letters_answered(store: Store, mails: Sequence[Mail]) -> Sequence[SentLetter | None]:
    """The letter that each mail answers."""
    with store.reading() as session:
        return [letter_answered(session, mail.tokens, mail.sender) for mail in mails]


def earlier_letters(store: Store, letters: Sequence[SentLetter]) -> Sequence[Sequence[SentLetter]]:
    """The letters sent before each of these to the same person."""
    with store.reading() as session:
        return [letters_before(session, letter, LETTERS_REMEMBERED - 1) for letter in letters]


def proof_of(config: Config, mail: Mail) -> Proof:
    """The verdict of the mail provider that the host trusts on a mail's sender; none where none is configured."""
    return authentication.verdict(mail.authentication, config.security.authserv_id, mail.sender)


@dataclass(frozen=True)
class _Read:
    """A mail that was opened, and the keys that tell who signed it."""

    mail: Mail
    typed: Typed
    keys: tuple[bytes, ...]


class Reader:
    """Reads mails, many at once. `work` runs a function on a thread of the store.

    `is_known`: of people whose mail names a letter of ours. What takes long has a worker of its own while it lasts;
    signatures are looked at where nothing else tells who sent a mail.
    """

    def __init__(
        self, config: Config, store: Store, work: InThread, is_known: bool = True, keys: Keys | None = None
    ) -> None:
        self.config, self.store, self.work, self.is_known = config, store, work, is_known
        self.worker = Sandbox(QUICK_SECONDS)
        self.patient = Sandbox()
        self.keys = keys or Keys()

    async def read_all(self, raws: Mapping[int, bytes]) -> dict[int, Opened | ReadingError | Slow]:
        """Open stored mails, by number; `ReadingError` for those that cannot be read within the limits.

        Raises OSError where no process can be started to read them.
        """
        found = await self._read(self.worker, raws)
        known = {
            number: self.keys.known(each.keys)
            for number, each in found.items()
            if isinstance(each, _Read) and each.keys
        }
        signed = {number: records for number, records in known.items() if records is not None}
        proofs = await self._judged(self.worker, raws, found, signed)
        return {
            number: self._slow(raws[number], each, number in known and number not in signed)
            or _opened(each, proofs.get(number, "none"), self.config)
            for number, each in found.items()
        }

    async def close(self) -> None:
        """End the processes."""
        await asyncio.gather(self.worker.close(), self.patient.close())

    def _slow(self, raw: bytes, found: _Read | ReadingError, lacks_keys: bool) -> Slow | None:
        is_slow = self.is_known and (lacks_keys or isinstance(found, ReadingError))
        return Slow(partial(self._read_patiently, raw)) if is_slow else None

    async def _read_patiently(self, raw: bytes) -> Opened | ReadingError:
        try:
            found = await self._read(self.patient, {0: raw})
            one = found[0]
            if isinstance(one, ReadingError) or not one.keys:
                return _opened(one, "none", self.config)
            records = await self.keys.look_up(one.keys)
            proofs = await self._judged(self.patient, {0: raw}, found, {0: records})
            return _opened(one, proofs[0], self.config)
        finally:
            await self.patient.close()  # the next one forks another

    async def _read(self, worker: Sandbox, raws: Mapping[int, bytes]) -> dict[int, _Read | ReadingError]:
        wants_keys = self.is_known and not self.config.security.authserv_id
        opened = dict(zip(raws, await worker.open_all(list(raws.values()), wants_keys), strict=True))
        whole = {number: each for number, each in opened.items() if not isinstance(each, ReadingError)}
        compared = await self._compared(
            worker, {number: mail for number, (mail, typed, _) in whole.items() if typed is None}
        )
        found: dict[int, _Read | ReadingError] = {}
        for number, each in opened.items():
            if isinstance(each, ReadingError):
                found[number] = each
                continue
            mail, told, keys = each
            typed = told or compared[number]
            found[number] = typed if isinstance(typed, ReadingError) else _Read(mail, typed, keys)
        return found

    async def _judged(
        self,
        worker: Sandbox,
        raws: Mapping[int, bytes],
        found: Mapping[int, _Read | ReadingError],
        records: Mapping[int, Mapping[bytes, bytes | None]],
    ) -> dict[int, Proof]:
        """Check the signatures of mails whose keys are at hand."""
        signed = [
            (number, each.mail.sender, records[number])
            for number, each in found.items()
            if isinstance(each, _Read) and number in records
        ]
        if not signed:
            return {}
        verdicts = await worker.judge_all([(raws[number], address, keys) for number, address, keys in signed])
        return {
            number: "none" if isinstance(verdict, ReadingError) else verdict
            for (number, _, _), verdict in zip(signed, verdicts, strict=True)
        }

    async def _compared(self, worker: Sandbox, mails: Mapping[int, Mail]) -> dict[int, Typed | ReadingError]:
        """Read what was typed in mails that do not show it without the letters."""
        if not mails:
            return {}
        answered = dict(zip(mails, await self.work(letters_answered, self.store, list(mails.values())), strict=True))
        texts = [
            _unread(mails[number], _messages(letter), are_all=letter is None) for number, letter in answered.items()
        ]
        found = dict(zip(mails, await worker.read_all(texts), strict=True))
        rest = {number: letter for number, letter in answered.items() if letter and found[number] is None}
        if rest:
            earlier = await self.work(earlier_letters, self.store, list(rest.values()))
            texts = [
                _unread(mails[number], _messages(letter, *before))
                for (number, letter), before in zip(rest.items(), earlier, strict=True)
            ]
            found |= zip(rest, await worker.read_all(texts), strict=True)
        return {number: each for number, each in found.items() if each is not None}


def _unread(mail: Mail, letters: Sequence[bytes], are_all: bool = True) -> Unread:
    return Unread(mail.text, letters, are_all, mail.page, mail.display_name)


def _messages(*letters: SentLetter | None) -> list[bytes]:
    """The kept bytes of these letters."""
    return [letter.message for letter in letters if letter and letter.message]


def _opened(found: _Read | ReadingError, proof: Proof, config: Config) -> Opened | ReadingError:
    if isinstance(found, ReadingError):
        return found
    return Opened(found.mail, found.typed, proof_of(config, found.mail) if config.security.authserv_id else proof)
