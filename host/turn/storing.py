"""Shell: mail that came in is stored. In: raw mails from a mailbox or a delivery. Out: rows to be worked off, or one mail played.

What a mail is about is seen at a glance. One that names no letter of ours, comes from nobody known and asks for no
registration is a stranger's: it is never opened, and costs no more than its row.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from datetime import datetime

from host.logs import about
from host.mail.inbound.peek import peek
from host.mail.inbound.raw import MAX_BYTES, RawMail
from host.play.subjects import is_empty
from host.store import queues
from host.store.prefetch import Expected
from host.turn import receive, registration
from host.turn.incoming import Opened
from host.turn.receive import Taken
from host.turn.work import Services, begin


def store_mails(
    services: Services,
    mailbox: str,
    uidvalidity: int,
    mails: Sequence[RawMail],
    now: datetime,
    began_at: datetime | None = None,
) -> None:
    """Store mails and how far the mailbox was read, in one transaction; a second time changes nothing.

    With `began_at` they are the last of a pass that began then: the mailbox was read whole.
    """
    arrived = [_arrived(services, each) for each in mails]
    with services.store.transaction() as session:
        queues.keep_mails(session, mailbox, uidvalidity, arrived, now, began_at)


def names_letter(services: Services, mail: RawMail) -> bool:
    """Does a mail name a letter of ours to a contestant or an operator?"""
    seen = peek(mail.raw)
    return queues.names_letter(services.store, (*seen.tokens, *seen.quoted_tokens))


@dataclass(frozen=True)
class Alone:
    """A mail that came alone: in which mailbox, and in a pass that began when."""

    mailbox: str
    uidvalidity: int
    mail: RawMail
    began_at: datetime


Reading = Future[Opened | None]
"""A mail that is being read elsewhere; None where that takes long."""
READ_WITHIN = 0.25
"""Seconds that a transaction waits for a mail to be read. It is SQLite's one writer meanwhile, whom what the reading waits for
may be waiting for: this limit is what ends that."""


def store_and_play(
    services: Services, alone: Alone, begin_reading: Callable[[], Reading], now: datetime, room: int = 0
) -> tuple[int, Taken] | None:
    """Store a mail that came alone, and play it in the same transaction: one wait for the disk in place of two.

    It is read once it is seen to name a letter of ours; while that is done elsewhere, what playing it needs is looked up.

    Gives its number and what became of it. None where it is only stored: it names no letter of ours, another waits before it, or
    it takes long to read. Anything that reading or playing it raises undoes all; then it is to be stored first, like any other.
    `room` as for `Work`.
    """
    with begin(services, now, room) as work:
        arrived = _arrived(services, alone.mail)
        kept = queues.keep_mails(
            work.session, alone.mailbox, alone.uidvalidity, [arrived], now, alone.began_at, are_played=True
        )
        if not kept or not kept[0].is_known or not queues.is_first(work.session, kept[0]):
            return None
        number, row = kept[0].id, kept[0].row
        assert row is not None
        with about(mail=number):
            reading = begin_reading()
            work.fetch([Expected(number, (*arrived.tokens, *arrived.quoted_tokens))], [row])
            opened = _read_within(reading, READ_WITHIN)
            if opened is None:
                return None
            taken = receive.take_all(work, [(number, opened)])
    return number, taken[0]


def _read_within(reading: Reading, seconds: float) -> Opened | None:
    try:
        return reading.result(seconds)
    except TimeoutError:
        return None


def bytes_wanted(services: Services, beginning: RawMail) -> int:
    """How many bytes of a mail to fetch, of which the beginning was fetched: all only where it names a letter of ours."""
    return MAX_BYTES if names_letter(services, beginning) else queues.KEPT_OF_UNKNOWN


def _arrived(services: Services, mail: RawMail) -> queues.Arrived:
    seen = peek(mail.raw)
    operators = {each.lower() for each in services.config.host.operators}
    may_register = is_empty(seen.subject) and bool(seen.senders)  # its body says so, or does not
    may_register = may_register or registration.request_in(services, seen.subject) is not None
    may_concern = may_register or not operators.isdisjoint(seen.senders)
    arrived = queues.Arrived(mail, seen.tokens, seen.quoted_tokens, seen.senders, may_concern)
    is_own = receive.is_own_check(services, seen.subject, seen.senders)
    return replace(arrived, note=receive.OWN_CHECK) if is_own else arrived
