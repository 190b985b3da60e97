"""Shell: mail that came in is stored, before anything else is done with it. In: raw mails. Out: rows to be worked off.

What a mail is about is seen at a glance. One that names no letter of ours, comes from nobody known and asks for no
registration is a stranger's: it is never opened, and costs no more than its row.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from host.mail.inbound.peek import peek
from host.mail.inbound.raw import MAX_BYTES, RawMail
from host.play.subjects import is_empty
from host.store import queues
from host.turn import receive, requests
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
    arrived = [_arrived(services, each) for each in mails]
    with services.store.transaction() as session:
        queues.keep_mails(session, mailbox, uidvalidity, arrived, now, began_at)


def names_letter(services: Services, mail: RawMail) -> bool:
    """Does a mail name a letter of ours to a contestant or an operator?"""
    seen = peek(mail.raw)
    return queues.names_letter(services.store, (*seen.tokens, *seen.quoted_tokens))


def bytes_wanted(services: Services, beginning: RawMail) -> int:
    """How many bytes of a mail to fetch, of which the beginning was fetched: all only where it names a letter of ours."""
    return MAX_BYTES if names_letter(services, beginning) else queues.KEPT_OF_UNKNOWN


def _arrived(services: Services, mail: RawMail) -> queues.Arrived:
    seen = peek(mail.raw)
    operators = {each.lower() for each in services.config.host.operators}
    may_register = is_empty(seen.subject) and bool(seen.senders)  # its body says so, or does not
    may_register = may_register or requests.request_in(services, seen.subject) is not None
    may_concern = may_register or not operators.isdisjoint(seen.senders)
    arrived = queues.Arrived(mail, seen.tokens, seen.quoted_tokens, seen.senders, may_concern)
    is_own = receive.is_own_check(services, seen.subject, seen.senders)
    return replace(arrived, note=receive.OWN_CHECK) if is_own else arrived
