"""Whose trouble a refusal is: the letter's, the moment's, or the account's."""

from aiosmtplib import (
    SMTPDataError,
    SMTPRecipientRefused,
    SMTPRecipientsRefused,
    SMTPSenderRefused,
    SMTPServerDisconnected,
)

from host.mail.outbound.smtp import _outcome
from tests.rows import every

REFUSALS = [
    (SMTPDataError(451, "4.7.1 greylisted"), "later"),
    (SMTPDataError(554, "5.7.1 spam"), "refused"),
    (SMTPDataError(552, "5.3.4 too large"), "refused"),
    (SMTPDataError(550, "5.4.5 Daily user sending limit exceeded"), "later"),
    (SMTPDataError(550, "Daily SMTP relay sending quota exceeded"), "later"),
    (SMTPDataError(550, "5.7.30 Basic authentication is not supported for Client Submission"), "later"),
    (SMTPSenderRefused(550, "not allowed to send as", "games@example.org"), "away"),
    (SMTPServerDisconnected("lost"), "later"),
    (SMTPRecipientsRefused([SMTPRecipientRefused(550, "5.1.1 no such user", "ann@example.net")]), "refused"),
    (SMTPRecipientsRefused([SMTPRecipientRefused(452, "4.2.2 mailbox full", "ann@example.net")]), "later"),
    (SMTPRecipientsRefused([SMTPRecipientRefused(552, "5.2.2 quota exceeded", "ann@example.net")]), "refused"),
    (SMTPRecipientsRefused([SMTPRecipientRefused(550, "5.4.5 daily sending quota exceeded", "a@b.c")]), "later"),
    (
        SMTPRecipientsRefused([SMTPRecipientRefused(550, "5.2.1 exceeded the daily receiving limit", "a@b.c")]),
        "refused",
    ),
    (SMTPRecipientsRefused([SMTPRecipientRefused(421, "4.7.0 try later", "a@b.c")]), "later"),
]


@every(("error", "outcome"), REFUSALS)
def test_a_refusal_is_put_down_to_whose_trouble_it_is(error: Exception, outcome: str) -> None:
    assert _outcome(error) == outcome
