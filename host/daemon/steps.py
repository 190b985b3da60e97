"""Shell: what each loop of the daemon does once. In: services, a moment, what was claimed or said. Out: what became of it.

A loop (`Runtime.repeat`) is a schedule and a step; the step's work on the store is here, so that tests drive what the daemon
runs. No function here waits for anything but the store, and none knows what time it is.

A step of several transactions is a generator: each `next` does one piece of it, which is one transaction or a few short ones.
Between two pieces the loop lets other work have the store's thread, and may stop. To do the whole step, walk through it.

- mail comes in: `begin_pass`, then the mails are stored (`host.turn.receive.store_mails`)
- mails are played: `claim_mails`, somebody reads them, `play_mails`
- letters go out: `claim_letters`, somebody sends them, `settle_letters`
- time passes: `keep_deadlines`, `run_lobbies`, `forget_mails`
- others leave work, another process or the command line: `work_left`
"""

import logging
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime, timedelta

from host.club import calls, own_time, seasons
from host.config import LMTP_MAILBOX
from host.logs import about
from host.mail.inbound.sandbox import ReadingError
from host.mail.outbound.smtp import Sent
from host.states import LetterState, MailState
from host.store import queues
from host.store.database import is_conflict, is_passing
from host.store.queues import ClaimedLetter, ClaimedMail
from host.table import clocks
from host.table.work import Opened, Services, Work, begin
from host.turn import expire, interruptions, receive, registration
from host.turn.reading import raw_mails

log = logging.getLogger("podium")

RETRY_AFTER = [timedelta(minutes=each) for each in (1, 5, 15, 30, 60, 120)]
"""How long a letter that the server put off waits before its second try, its third, and so on; then the last of these."""
GIVE_UP_AFTER = timedelta(days=5)
"""How long a letter is tried again."""
PLAYED_AGAIN = 3
"""How often a mail is played again that met a row which is there once: as many processes may make such rows at once."""
FORGOTTEN_AT_ONCE = 500
"""Old mails, and old letters, that are let go of in one transaction: few enough that nobody waits for it."""


# Mail comes in


def was_seen_lately(now: datetime, seen_at: datetime | None) -> bool:
    """Did this process see the first mailbox in reach so lately that no outage can have been since?"""
    return seen_at is not None and timedelta() <= now - seen_at < clocks.LONGEST_UNNOTICED


def make_up_outage(services: Services, now: datetime) -> None:
    """Move the deadlines by an outage of the first mailbox that ends now, if there was one."""
    first = services.config.mailboxes[0]
    length = interruptions.make_up_outage(services, first, now)
    if length:
        lost = "nothing could be delivered" if first == LMTP_MAILBOX else "the mailbox was out of reach"
        log.warning("%s for %s; open deadlines moved by that", lost, length)


def begin_pass(services: Services, mailbox: str, now: datetime) -> bool:
    """A mailbox is in reach. May what is new in it be stored? Where an outage ends now, the deadlines move before.

    False for the junk while the first mailbox has not been seen again: who watches that one moves them.
    """
    if interruptions.is_outage_over(services, services.config.mailboxes[0], now):
        if mailbox != services.config.mailboxes[0]:
            return False
        make_up_outage(services, now)
    return True


# Mails are played


@dataclass(frozen=True)
class Played:
    """A mail that was played. `fault`: what the turn raised, for which the mail was quarantined."""

    id: int
    state: MailState
    fault: Exception | None = None


def claim_mails(
    services: Services,
    now: datetime,
    most: int,
    under_way: Collection[int] = (),
    is_known: bool | None = None,
    seen_at: datetime | None = None,
) -> tuple[list[ClaimedMail], Mapping[int, bytes]]:
    """The next few mails that may be taken, and their bytes; none while deadlines still have to move because of an outage.

    `is_known` as for `queues.claim_mails`. `seen_at`: when this process last saw the first mailbox in reach; where that was
    lately the store is not asked about outages.
    """
    first = services.config.mailboxes[0]
    if not was_seen_lately(now, seen_at) and interruptions.is_outage_over(services, first, now):
        return [], {}
    claimed = queues.claim_mails(services.store, most, under_way, is_known)
    return claimed, raw_mails(services.store, [each.id for each in claimed]) if claimed else {}


def play_mails(
    services: Services, mails: Sequence[tuple[int, Opened | Exception]], now: datetime, is_known: bool = True
) -> Iterator[list[Played]]:
    """Play a group of mails in one transaction. Where one of them raises, each is played in its own.

    A mail that raises then too is quarantined, and the others go on. Trouble of the database is raised. `is_known`: do they
    name letters of ours? Of others, one that cannot be read within the limits (`ReadingError`) is left alone.
    """
    opened = [(number, mail) for number, mail in mails if not isinstance(mail, Exception)]
    if len(opened) == len(mails) > 1:
        try:
            taken = receive.receive(services, opened, now)
        except Exception:
            log.info("%d mails cannot be played together; each is played in its own transaction", len(opened))
        else:
            yield [_logged(number, each) for (number, _), each in zip(opened, taken, strict=True)]
            return
    for number, mail in mails:
        with about(mail=number):
            played = _play_alone(services, number, mail, now, is_known)
        yield [played]


def _play_alone(services: Services, number: int, mail: Opened | Exception, now: datetime, is_known: bool) -> Played:
    """Play a mail in its own transaction; again where another process made a row in the same moment (a contestant called
    Ann, say), which is seen then."""
    tries_left = PLAYED_AGAIN
    while True:
        try:
            if isinstance(mail, Exception):
                raise mail
            (taken,) = receive.receive(services, [(number, mail)], now)
            return _logged(number, taken)
        except Exception as error:
            if tries_left and is_conflict(error):
                tries_left -= 1
                continue
            if is_passing(error):
                raise
            fault = error
            break
    is_hard = isinstance(fault, ReadingError)
    if is_hard and not is_known:
        return _logged(number, receive.leave_alone(services, number, str(fault)))
    log.warning("mail %s could not be handled", number, exc_info=None if is_hard else fault)
    receive.quarantine(services, number, str(fault) if is_hard else f"{type(fault).__name__}: {fault}", now)
    return _logged(number, receive.Taken("quarantined"), fault)


def _logged(number: int, taken: receive.Taken, fault: Exception | None = None) -> Played:
    with about(mail=number):
        written = f"; letters {', '.join(map(str, taken.letters))}" if taken.letters else ""
        log.info("mail %s: %s%s", number, taken.state, written)
    return Played(number, taken.state, fault)


# Letters go out


def claim_letters(
    services: Services, now: datetime, most: int, sending: int = 0, under_way: Collection[int] = ()
) -> list[ClaimedLetter] | None:
    """The letters that may be sent now, at most so many; None where the provider's limit is reached.

    `sending` letters are being sent already; `under_way` are those whose fate is not stored yet.
    """
    smtp, store = services.config.smtp, services.store
    left = queues.allowance(store, now, smtp.letters_a_minute, smtp.letters_a_day)
    if left is not None:
        left = max(left - sending, 0)
        if not left:
            return None
        most = min(left, most, 0 if sending else 1)  # so that none overtakes another
    if not most:
        return []
    may_answer = not smtp.letters_a_day or queues.may_answer_registrations(store, now, smtp.letters_a_day)
    return queues.claim_letters(store, now, most, left is not None, tuple(under_way), may_answer)


def settle_letters(
    services: Services, tried: Sequence[tuple[ClaimedLetter, Sent]], now: datetime, away: float = 0.0
) -> None:
    """Store what the server said of letters. Those that it was away for are due again after `away` seconds."""
    untried = [letter.id for letter, sent in tried if sent.outcome == "away"]
    accepted = {letter.id: sent.said for letter, sent in tried if sent.outcome == "sent"}
    with begin(services, now) as work:
        if untried:
            claimers = {letter.claimer for letter, _ in tried}
            queues.put_back(work.session, untried, now + timedelta(seconds=away), claimers)
        if accepted:
            queues.settle_sent(work.session, accepted, now)
            clocks.accepted(work, accepted)
    for letter, sent in tried:
        if sent.outcome in ("later", "refused"):
            with _about(letter), begin(services, now) as work:
                put_off(work, letter, sent)
    for letter, sent in tried:
        if sent.outcome == "sent":
            with _about(letter):
                log.info("letter %s to %s was accepted", letter.id, letter.address)


def put_off(work: Work, letter: ClaimedLetter, sent: Sent) -> None:
    """The server did not accept a letter: it is tried again later, or given up."""
    is_final = sent.outcome == "refused" or work.now - letter.created_at > GIVE_UP_AFTER
    delay = RETRY_AFTER[min(letter.attempts, len(RETRY_AFTER)) - 1]
    state: LetterState = "failed" if is_final else "queued"
    row = queues.put_off(work.session, letter.id, state, sent.said, work.now + delay, letter.claimer)
    log.warning("letter %s to %s: %s", letter.id, letter.address, sent.said)
    if is_final and row.state == "failed":
        interruptions.came_back(work, row, sent.said)


def _about(letter: ClaimedLetter) -> AbstractContextManager[None]:
    return about(letter=letter.id, **({"mail": letter.answers_id} if letter.answers_id else {}))


# Time passes


@dataclass(frozen=True)
class Walked:
    """The result of a piece of `keep_deadlines`: it wrote letters, or it found a deadline that waits for a mailbox to be read."""

    has_letters: bool = False
    waits_for_mailbox: bool = False


def keep_deadlines(services: Services, now: datetime) -> Iterator[Walked]:
    """One walk over everything that is due: reminders, deadlines, and last why deadlines moved, where they did.

    It goes on where it stopped, so that what cannot be worked off yet keeps nothing behind it waiting.
    """
    if expire.is_due(services, now):
        for some in (expire.remind_due, expire.expire_due):
            for count in some(services, now):
                yield Walked(has_letters=count > 0)
        yield Walked(waits_for_mailbox=expire.waits_for_mailbox(services, now))
    yield from (Walked(has_letters=True) for _ in interruptions.tell_of_outage(services, now))


def run_lobbies(services: Services, now: datetime) -> bool:
    """Begin what may begin now. True where registrations that had to wait may be worked off now."""
    are_taken_up = registration.take_up_deferred(services, now)
    seasons.pass_on(services, now)
    expire.run_lobbies(services, now)
    calls.call(services, now)
    clocks.start_overdue_clocks(services, now)
    own_time.write_daily(services, now)
    return bool(are_taken_up)


def forget_mails(services: Services, now: datetime) -> bool:
    """Let go of the bytes of some old mail and old letters, where the host wants that. True where there may be more."""
    database = services.config.database
    mails = letters = 0
    if database.keep_mail is not None:
        mails = queues.forget_mails(services.store, now - database.keep_mail, FORGOTTEN_AT_ONCE)
    if database.keep_letters is not None:
        letters = queues.forget_letters(services.store, now - database.keep_letters, FORGOTTEN_AT_ONCE)
    return FORGOTTEN_AT_ONCE in (mails, letters)


# Others leave work


def work_left(services: Services, now: datetime, plays: bool, sends: bool) -> tuple[bool, bool]:
    """Are mails there to be played, and letters to be sent? Asked by a process that `plays`, or that `sends`."""
    has_mails = plays and queues.count_waiting(services.store, 1) > 0
    return has_mails, sends and queues.has_letters(services.store, now)
