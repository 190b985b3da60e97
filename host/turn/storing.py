"""Shell: mail that came in is stored. In: raw mails as a mailbox or a delivery gave them. Out: rows to be worked off.

What a mail is about is seen at a glance. One that names no letter of ours, comes from nobody known and asks for no
registration is a stranger's: it is never opened, and costs no more than its row.
"""

from collections.abc import Sequence
from datetime import datetime

from host.mail.inbound.peek import peek
from host.mail.inbound.raw import MAX_BYTES, RawMail
from host.store import queues
from host.turn import registration
from host.turn.work import Services


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
    queues.keep_mails(services.store, mailbox, uidvalidity, [_arrived(services, each) for each in mails], now, began_at)


def bytes_wanted(services: Services, beginning: RawMail) -> int:
    """How many bytes of a mail to fetch, of which the beginning was fetched: all only where it names a letter of ours."""
    seen = peek(beginning.raw)
    is_known = queues.names_letter(services.store, (*seen.tokens, *seen.quoted_tokens))
    return MAX_BYTES if is_known else queues.KEPT_OF_UNKNOWN


def _arrived(services: Services, mail: RawMail) -> queues.Arrived:
    seen = peek(mail.raw)
    operators = {each.lower() for each in services.config.host.operators}
    may_concern = registration.request_in(services, seen.subject) is not None or not operators.isdisjoint(seen.senders)
    return queues.Arrived(mail, seen.tokens, seen.quoted_tokens, seen.senders, may_concern)
