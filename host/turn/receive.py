"""Shell: mail that came in. In: raw mails, which are stored; stored mails, as they were read. Out: what they changed, and the
letters that they led to.

A mail is stored before anything else is done with it; what it is about is seen at a glance. One that names no letter of ours,
comes from nobody known and asks for no registration is a stranger's: it is never opened, and costs no more than its row.

Read from `_take` on, top to bottom: recognise, find the letter that is answered, agree on the sender, play. A group of
mails is one work; `reading` opened them.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from host.mail.inbound.mail import MAX_BYTES, RawMail
from host.mail.inbound.peek import CHECK_SUBJECT, peek
from host.play.services import take_host_text
from host.play.subjects import is_empty
from host.states import MailState
from host.store import queues
from host.store.episodes import open_questions
from host.store.mails import content_keys_seen, episodes_named, letters_named, take_mails
from host.store.people import contestant_of_address
from host.store.schema import Contestant, Inbound, Letter
from host.turn import (
    alerts,
    held,
    interruptions,
    leads_to,
    requests,
    service_words,
)
from host.turn.incoming import Opened, Turn, Verdict
from host.turn.letters import Answering
from host.turn.notify import Notice, repeat_questions
from host.turn.play import load_play
from host.turn.work import Services, Work, begin


@dataclass(frozen=True)
class Taken:
    """A mail that was played: its state, and the numbers of the letters that it led to."""

    state: MailState
    letters: tuple[int, ...] = ()


OWN_CHECK = "Podium's own letter, by which podium check or podium init sees whether mail arrives"
PROOFS = ("confirm", "address", "new-address")
"""Letters whose token went to one address alone, and whose answer proves no more than that it can be read there."""


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


def bytes_wanted(services: Services, beginning: RawMail) -> int:
    """How many bytes of a mail to fetch, of which the beginning was fetched: all only where it names a letter of ours."""
    seen = peek(beginning.raw)
    is_known = queues.names_letter(services.store, (*seen.tokens, *seen.quoted_tokens))
    return MAX_BYTES if is_known else queues.KEPT_OF_UNKNOWN


def _arrived(services: Services, mail: RawMail) -> queues.Arrived:
    seen = peek(mail.raw)
    operators = {each.lower() for each in services.config.host.operators}
    may_register = is_empty(seen.subject) and bool(seen.senders)  # its body says so, or does not
    may_register = may_register or requests.request_in(services, seen.subject) is not None
    may_concern = may_register or not operators.isdisjoint(seen.senders)
    arrived = queues.Arrived(mail, seen.tokens, seen.quoted_tokens, seen.senders, may_concern)
    is_own = is_own_check(services, seen.subject, seen.senders)
    return replace(arrived, note=OWN_CHECK) if is_own else arrived


def receive(services: Services, inbound_id: int, opened: Opened, now: datetime) -> Taken:
    """Take one stored mail through the corridor. Anything it raises is undone; see `quarantine`."""
    return receive_all(services, [(inbound_id, opened)], now)[0]


def receive_all(services: Services, mails: Sequence[tuple[int, Opened]], now: datetime) -> list[Taken]:
    """Take stored mails through the corridor one after the other, in one transaction: all of them, or none."""
    with begin(services, now) as work:
        rows = take_mails(work.session, [inbound_id for inbound_id, _ in mails])
        tokens = {token for _, opened in mails for token in opened.mail.tokens}
        work.take_episodes(episodes_named(work.session, tokens))  # before their questions, which others may be closing
        letters = letters_named(work.session, tokens)
        seen = content_keys_seen(work.session, {opened.mail.content_key for _, opened in mails})
        taken = [_receive(work, rows[inbound_id], opened, letters, seen) for inbound_id, opened in mails]
        work.session.flush()  # the letters have their numbers
        return [Taken(state, tuple(each.id for each in written)) for state, written in taken]


def _receive(
    work: Work, inbound: Inbound, opened: Opened, letters: Mapping[str, Letter], seen: set[str | None]
) -> tuple[MailState, list[Letter]]:
    if inbound.state != "new":
        return inbound.state, []
    before = len(work.written)
    named = tuple(letters[token] for token in opened.mail.tokens if token in letters)
    turn = Turn(work, Answering(inbound, opened.mail), opened, named, seen)
    inbound.sender, inbound.proof = opened.mail.sender[:320], opened.proof
    inbound.lines = [] if opened.mail.silence else list(turn.lines)
    inbound.state, inbound.note = _take(turn)
    if inbound.state == "stranger":
        _let_go(inbound)
    elif not inbound.is_known and inbound.state in ("silent", "refused"):
        inbound.raw = None  # anybody can write as much as they like
    seen.add(inbound.content_key)
    return inbound.state, work.written[before:]


def _let_go(inbound: Inbound) -> None:
    """Nothing of a stranger's mail is kept."""
    inbound.raw, inbound.sender, inbound.token, inbound.content_key = None, "", None, None
    inbound.lines, inbound.ordering_key = [], ""


def leave_alone(services: Services, inbound_id: int, why: str) -> Taken:
    """A mail that names no letter of ours could not be read: nobody is told, and nothing of it is kept."""
    with services.store.transaction() as session:
        inbound = session.get_one(Inbound, inbound_id)
        if inbound.state == "new":
            inbound.state, inbound.note = "stranger", f"names no letter, and {why}"[:500]
            _let_go(inbound)
        return Taken(inbound.state)


def quarantine(services: Services, inbound_id: int, why: str, now: datetime) -> None:
    """Keep a mail that the corridor could not take, show it to the host, and go on; not one that was played meanwhile."""
    with begin(services, now) as work:
        inbound = work.session.get_one(Inbound, inbound_id, with_for_update=True)
        if inbound.state != "new":
            return
        inbound.state, inbound.note = "quarantined", why[:500]
        alerts.alert(
            work,
            "A mail could not be handled",
            f"The mail {inbound.uid} in {inbound.mailbox}, from {inbound.sender or 'nobody known'}, could not be "
            f"handled: {why[:300]}. It is kept, nothing was played, and the mailbox goes on. podium retry mail "
            f"{inbound.id} tries it again.",
            cause="broken mail",
        )


def _take(turn: Turn) -> Verdict:
    """Decide what becomes of a mail: its state and a note for the host."""
    mail, inbound = turn.mail, turn.inbound
    if mail.silence and mail.bounce is None:
        return _silent(turn, mail.silence)
    if mail.problem and mail.bounce is None:
        return _unreadable(turn, mail.problem)
    if mail.sender == turn.work.config.host.address.lower():
        return Verdict("silent", "not answered: own")
    inbound.content_key = mail.content_key
    if mail.content_key in turn.seen:
        return Verdict("duplicate", "a copy of a mail that was read before")
    if mail.silence:  # a bounce, which is looked at once, as it stops clocks
        return _silent(turn, mail.silence)
    letter = _letter_answered(turn)
    if letter is not None:
        return _to_letter(turn, letter)
    request = requests.request_of(turn)
    return leads_to.take_request(turn, request) if request else _without_token(turn)


def _to_letter(turn: Turn, letter: Letter) -> Verdict:
    """A mail that answers a letter of ours: does it come from whom that was written to?"""
    work, mail, inbound = turn.work, turn.mail, turn.inbound
    inbound.token, inbound.contestant_id, inbound.episode_id = letter.token, letter.contestant_id, letter.episode_id
    is_forged = turn.opened.is_forged and (letter.purpose not in PROOFS or mail.is_only_in_subject)
    if is_forged:
        inbound.content_key = None  # a true copy may still come another way
    if is_forged and (mail.is_only_in_subject or letter.contestant_id is None):
        return Verdict("refused", "its sender could not be authenticated; not answered")
    contestant = letter.contestant
    if contestant is None:
        return leads_to.to_an_address(turn, letter)
    is_theirs = mail.sender == contestant.address
    author = contestant if is_theirs else contestant_of_address(work.session, mail.sender)
    if is_forged or author is None or author.id != contestant.id:
        return held.hold(turn, letter, contestant)
    interruptions.wrote(work, contestant, turn.inbound.arrived_at)
    if inbound.mailbox == turn.work.config.imap.junk:
        _tell_of_junk(turn, contestant)
    return leads_to.reply(turn, letter, contestant)


def _unreadable(turn: Turn, problem: str) -> Verdict:
    """A mail that cannot be read is kept where it answers a letter or names a contestant; else it is a stranger's.

    Of a registration the operators hear: nobody else can answer it.
    """
    request = requests.request_in(turn.work.services, turn.mail.subject)
    if not turn.mail.tokens and request and not request.about and (request.is_exact or requests.is_new_mail(turn)):
        text = (
            f"A registration in {turn.inbound.mailbox} (number {turn.inbound.uid}) cannot be answered: {problem}. Nobody was "
            "registered; look into the mailbox."
        )
        alerts.alert(
            turn.work,
            "A registration could not be read",
            text,
            cause="unreadable registration",
        )
        return Verdict("refused", f"a registration that cannot be read: {problem}")
    if _letter_answered(turn) is None and contestant_of_address(turn.work.session, turn.mail.sender) is None:
        return Verdict("stranger", "a stranger's")
    alerts.alert(
        turn.work,
        "A mail could not be read",
        f"A mail in {turn.inbound.mailbox} (number {turn.inbound.uid}) cannot be read: {problem}. It is kept; nothing "
        "was played.",
        cause="unreadable mail",
    )
    return Verdict("quarantined", f"cannot be read: {problem}")


def _silent(turn: Turn, silence: str) -> Verdict:
    """Record a mail that nobody should answer, where it concerns us; a bounce may stop a clock."""
    if silence == "bounce":
        note = interruptions.take_bounce(turn)
        if turn.inbound.token is not None:
            return Verdict("silent", f"not answered: {note}")
    if is_own_check(turn.work.services, turn.mail.subject, [turn.mail.sender]):
        return Verdict("stranger", OWN_CHECK)
    known = contestant_of_address(turn.work.session, turn.mail.sender) or _letter_answered(turn)
    return Verdict("silent", f"not answered: {silence}") if known else Verdict("stranger", "a stranger's")


def is_own_check(services: Services, subject: str, senders: Collection[str]) -> bool:
    """Is it a letter that `podium check` or `podium init` sent round?"""
    return subject.startswith(CHECK_SUBJECT) and services.config.host.address.lower() in senders


def _letter_answered(turn: Turn) -> Letter | None:
    """The letter that a mail answers: of those that it names the first that went to its sender, else the first.

    What it quotes may name a letter to somebody else.
    """
    of_sender = (each for each in turn.letters if each.address.lower() == turn.mail.sender)
    return next(of_sender, next(iter(turn.letters), None))


def _tell_of_junk(turn: Turn, contestant: Contestant) -> None:
    text = (
        f"A reply of {contestant.called} lay in {turn.inbound.mailbox}. It counts like any other; mark mail of "
        f"{turn.mail.sender} as wanted, so that it comes at once."
    )
    alerts.alert(turn.work, "A reply lay in the junk", text, cause=f"junk {contestant.id}")


def _without_token(turn: Turn) -> Verdict:
    """No letter of ours is answered: a stranger is left alone, a contestant is told how to reply."""
    work = turn.work
    contestant = contestant_of_address(work.session, turn.mail.sender)
    if contestant is None:
        if turn.mail.sender in {each.lower() for each in work.config.host.operators}:
            return Verdict("silent", "an operator's mail that answers no letter; commands count only in a reply")
        return Verdict("stranger", "a stranger's")
    if contestant.confirmed_at is None:
        return Verdict("silent", "names no letter, and its sender has confirmed nothing yet; not answered")
    turn.inbound.contestant_id = contestant.id
    if turn.opened.is_forged:
        return Verdict("refused", "no token, and its sender could not be authenticated; not answered")
    is_proved = turn.opened.proof == "pass"
    if is_proved:
        interruptions.wrote(work, contestant, turn.inbound.arrived_at)
    _, to_host = take_host_text(turn.lines)
    if turn.is_capped(contestant.address):
        return Verdict("refused", "no token; not answered: too many answers this hour")
    if to_host:
        service_words.forward(work, contestant, to_host, is_proved=is_proved)
    lead = (
        "I could not tell which letter you were answering, so nothing was played. Please use Reply on a letter of "
        "mine, or tap one of its links; the address then tells me who you are and what you answer.",
        *(("What you wrote to the host was passed on.",) if to_host else ()),
    )
    row = next(
        (each for each in open_questions(work.session, contestant_id=contestant.id) if each.purpose == "game"), None
    )
    if row and row.episode_id:
        play = load_play(work.episode(row.episode_id))
        seat = play.seat_of(contestant.id)
        if seat:
            notice = Notice(answering=turn.answering, writer=seat.seat)
            repeat_questions(work, play, seat, "refused", lead=lead, notice=notice, headline="Please use Reply")
            return Verdict("refused", "no token")
    turn.answer(contestant, "Please use Reply", *lead, kind="refused")
    return Verdict("refused", "no token")
