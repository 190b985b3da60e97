"""The lines that a person typed in an opened mail, as the process that reads mails tells them."""

from collections.abc import Iterable

from host.mail.inbound.mail import Mail, Typed
from host.mail.inbound.reply import read_typed
from host.mail.inbound.sent_text import SentText


def typed_in(mail: Mail, sent: Iterable[SentText] = ()) -> Typed:
    """What was typed, given what we sent the person before."""
    return read_typed(mail.text, mail.page, mail.display_name, sent)
