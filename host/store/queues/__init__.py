"""Edge: the queues of work. In and out: mailboxes' watermarks, mails to be played, letters to be sent.

`to_play` and `to_send` say how each is claimed; docs/states.md shows what becomes of them. All functions raise SQLAlchemy's
errors where the database is out of reach or busy (`host.store.database.is_passing`); what else one raises it says itself.
"""

from host.store.queues.mailboxes import (
    begin_mailbox,
    latest_arrivals,
    open_mailbox,
    unseen_for,
    validity,
    was_seen,
    watermark,
)
from host.store.queues.to_play import (
    KEPT_OF_UNKNOWN,
    Arrived,
    ClaimedMail,
    claim_mails,
    count_waiting,
    forget_mails,
    keep_mails,
    names_letter,
    release_mails,
    retry_mail,
)
from host.store.queues.to_send import (
    ATTEMPTS_WAITED_FOR,
    ClaimedLetter,
    allowance,
    claim_letters,
    forget_letters,
    has_letters,
    hurry_letters,
    may_answer_registrations,
    put_back,
    put_off,
    retry_letter,
    settle_sent,
)
