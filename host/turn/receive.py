"""Shell: mail that came in. In: raw mails, which are stored; stored mails, as they were read. Out: what they changed, and the
letters that they led to.

A mail is stored before anything else is done with it; what it is about is seen at a glance. One that names no letter of ours,
comes from nobody known and asks for no registration is a stranger's: it is never opened, and costs no more than its row.

Read from `_take` on, top to bottom: recognise, find the letter that is answered, agree on the sender, play. A group of
mails is one work; `reading` opened them.

A letter is written for a purpose (`host.states`), and that is what a reply to it can lead to. `ANSWERS` has who takes a
contestant's reply while a question besides play is open that the letter asked, `OF_ADDRESSES` who takes the reply to a letter
that went to no contestant. All else that a contestant writes is about the episode of the letter (`replies`), or about queues
(`service_words`).
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from host.club import calls, company, invitations, lobby, own_time, privacy
from host.games import GAMES
from host.mail.inbound.mail import MAX_BYTES, RawMail
from host.mail.inbound.peek import CHECK_SUBJECT, peek
from host.play.absence import says_back
from host.play.agreement import acknowledges, is_answer, says_no, says_yes
from host.play.clauses import shortened
from host.play.names import unnamed
from host.play.services import take_host_text, take_wishes
from host.play.subjects import is_empty
from host.states import LetterPurpose, MailState, QuestionPurpose
from host.store import queues
from host.store.company import said_yes
from host.store.episodes import open_questions
from host.store.mails import content_keys_seen, count_letters_to, episodes_named, letters_named, take_mails
from host.store.people import contestant_of_address, is_away, is_declined
from host.store.schema import Contestant, Inbound, Letter, QuestionRow
from host.table.letters import alert, write
from host.table.notify import repeat_questions
from host.table.play import seated
from host.table.work import Opened, Reply, Services, Turn, Verdict, begin
from host.turn import agreement, held, interruptions, operators, people, registration, replies, requests, service_words


@dataclass(frozen=True)
class Taken:
    """A mail that was played: its state, and the numbers of the letters that it led to."""

    state: MailState
    letters: tuple[int, ...] = ()


OWN_CHECK = "Podium's own letter, by which podium check or podium init sees whether mail arrives"
PROOFS = ("confirm", "address", "new-address")
"""Letters whose token went to one address alone, and whose answer proves no more than that it can be read there."""
AS_EXACT_AS_ARRIVALS = timedelta(seconds=2)
"""What a server says of when a mail came is no more exact."""


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
    """Count the bytes of a mail to fetch, of which the beginning was fetched: all only where it names a letter of ours."""
    seen = peek(beginning.raw)
    is_known = queues.names_letter(services.store, (*seen.tokens, *seen.quoted_tokens))
    return MAX_BYTES if is_known else queues.KEPT_OF_UNKNOWN


def _arrived(services: Services, mail: RawMail) -> queues.Arrived:
    seen = peek(mail.raw)

    def may_concern() -> bool:
        has_body_only = is_empty(seen.subject) and bool(
            seen.senders
        )  # which says that it is a registration, or does not
        is_registration = has_body_only or requests.request_in(services, seen.subject) is not None
        return is_registration or any(map(services.config.host.right_of, seen.senders))

    arrived = queues.Arrived(mail, seen.tokens, seen.quoted_tokens, seen.senders, may_concern)
    is_own = is_own_check(services, seen.subject, seen.senders)
    return replace(arrived, note=OWN_CHECK) if is_own else arrived


def receive(services: Services, mails: Sequence[tuple[int, Opened]], now: datetime) -> list[Taken]:
    """Take stored mails through the corridor one after the other, in one transaction: all of them, or none.

    Anything that one of them raises undoes them all; see `quarantine`.
    """
    with begin(services, now) as work:
        rows = take_mails(work.session, [inbound_id for inbound_id, _ in mails])
        tokens = {token for _, opened in mails for token in opened.mail.tokens}
        work.take_episodes(episodes_named(work.session, tokens))  # before their questions, which others may be closing
        letters = letters_named(work.session, tokens)
        seen = content_keys_seen(work.session, {opened.mail.content_key for _, opened in mails})
        written: list[list[Letter]] = []
        for inbound_id, opened in mails:
            inbound, before = rows[inbound_id], len(work.written)
            if inbound.state == "new":
                named = tuple(letters[token] for token in opened.mail.tokens if token in letters)
                turn = Turn(work, inbound, opened, named, seen)
                inbound.sender, inbound.proof = opened.mail.sender[:320], opened.proof
                inbound.lines = [] if opened.mail.silence else list(turn.lines)
                inbound.state, inbound.note = _take(turn)
                _keep_no_more_than_needed(inbound)
                seen.add(inbound.content_key)
            written.append(work.written[before:])
        work.session.flush()  # the letters have their numbers
        return [
            Taken(rows[inbound_id].state, tuple(each.id for each in letters))
            for (inbound_id, _), letters in zip(mails, written, strict=True)
        ]


def _keep_no_more_than_needed(inbound: Inbound) -> None:
    """Let go of a stranger's mail, and of the bytes of one that anybody can write as often as they like."""
    if inbound.state == "stranger":
        inbound.raw, inbound.sender, inbound.token, inbound.content_key = None, "", None, None
        inbound.lines, inbound.ordering_key = [], ""
    elif not inbound.is_known and inbound.state in ("silent", "refused"):
        inbound.raw = None


def leave_alone(services: Services, inbound_id: int, why: str) -> Taken:
    """A mail that names no letter of ours could not be read: nobody is told, and nothing of it is kept."""
    with services.store.transaction() as session:
        inbound = session.get_one(Inbound, inbound_id)
        if inbound.state == "new":
            inbound.state, inbound.note = "stranger", f"names no letter, and {why}"[:500]
            _keep_no_more_than_needed(inbound)
        return Taken(inbound.state)


def quarantine(services: Services, inbound_id: int, why: str, now: datetime) -> None:
    """Keep a mail that the corridor could not take, show it to the host, and go on; not one that was played meanwhile."""
    with begin(services, now) as work:
        inbound = work.session.get_one(Inbound, inbound_id, with_for_update=True)
        if inbound.state != "new":
            return
        inbound.state, inbound.note = "quarantined", why[:500]
        alert(
            work,
            "A mail could not be handled",
            f"The mail {inbound.uid} in {inbound.mailbox}, from {inbound.sender or 'nobody known'}, could not be "
            f"handled: {why[:300]}. It is kept, nothing was played, and the mailbox goes on. podium retry mail "
            f"{inbound.id} tries it again.",
            cause="broken mail",
        )


def _take(turn: Turn) -> Verdict:
    """Decide what becomes of a mail: its state and a note for the host."""
    work, mail, inbound = turn.work, turn.mail, turn.inbound
    if mail.silence and mail.bounce is None:
        return _silent(turn, mail.silence)
    if mail.problem and mail.bounce is None:
        return _unreadable(turn, mail.problem)
    if mail.sender == work.config.host.address.lower():
        return Verdict("silent", "not answered: own")
    inbound.content_key = mail.content_key
    if mail.content_key in turn.seen:
        return Verdict("duplicate", "a copy of a mail that was read before")
    if mail.silence:  # a bounce, which is looked at once, as it stops clocks
        return _silent(turn, mail.silence)
    return people.refused(turn, turn.letter) or _take_from(turn)


def _take_from(turn: Turn) -> Verdict:
    """Take a mail that can be read, and whose sender may write: find the letter that it answers, agree on the sender."""
    work, mail, inbound, letter = turn.work, turn.mail, turn.inbound, turn.letter
    if letter is None:
        request = requests.request_of(turn)
        return _take_request(turn, request) if request else _without_token(turn)
    inbound.token, inbound.contestant_id, inbound.episode_id = letter.token, letter.contestant_id, letter.episode_id

    is_forged = turn.opened.is_forged and (letter.purpose not in PROOFS or mail.is_only_in_subject)
    if is_forged:
        inbound.content_key = None  # a true copy may still come another way
        if mail.is_only_in_subject or letter.contestant_id is None:
            return Verdict("refused", "its sender could not be authenticated; not answered")
    contestant = letter.contestant
    if contestant is None:
        return _to_an_address(turn, letter)
    if is_forged or not is_from(turn, contestant):
        return held.hold(turn, letter, contestant)
    interruptions.wrote(work, contestant, inbound.arrived_at, mail.message_id)
    own_time.guess_zone(work, contestant, mail.offset)
    if inbound.mailbox == work.config.imap.junk:
        text = (
            f"A reply of {contestant.called} lay in {inbound.mailbox}. It counts like any other; mark mail of {mail.sender} "
            "as wanted, so that it comes at once."
        )
        alert(work, "A reply lay in the junk", text, cause=f"junk {contestant.id}")
    return _reply(turn, letter, contestant)


def is_from(turn: Turn, contestant: Contestant) -> bool:
    """Does a mail come from an address of this contestant, or from one of which they said that it is theirs?"""
    session, sender = turn.work.session, turn.mail.sender
    if sender == contestant.address or contestant_of_address(session, sender) is contestant:
        return True
    return said_yes(session, "address", contestant.id, sender) and not is_declined(session, sender)


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
        alert(
            turn.work,
            "A registration could not be read",
            text,
            cause="unreadable registration",
        )
        return Verdict("refused", f"a registration that cannot be read: {problem}")
    if turn.letter is None and contestant_of_address(turn.work.session, turn.mail.sender) is None:
        return Verdict("stranger", "a stranger's")
    alert(
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
    known = contestant_of_address(turn.work.session, turn.mail.sender) or turn.letter
    if silence == "list" and isinstance(known, Contestant) and turn.letter is not None:
        alert(
            turn.work,
            "A reply looks like list mail",
            f"{known.called} answered a letter of mine, but the mail says that it comes from a list or is sent in bulk, so it "
            "was not read as an answer, and they were not told. Ask them to write from another address or program.",
            cause=f"list mail of {known.id}",
        )
    return Verdict("silent", f"not answered: {silence}") if known else Verdict("stranger", "a stranger's")


def is_own_check(services: Services, subject: str, senders: Collection[str]) -> bool:
    """Is it a letter that `podium check` or `podium init` sent round?"""
    return subject.startswith(CHECK_SUBJECT) and services.config.host.address.lower() in senders


def _without_token(turn: Turn) -> Verdict:
    """No letter of ours is answered: a stranger is left alone, a contestant is told how to reply."""
    work = turn.work
    contestant = contestant_of_address(work.session, turn.mail.sender)
    if contestant is None:
        if work.config.host.right_of(turn.mail.sender):
            return Verdict("silent", "an operator's mail that answers no letter; commands count only in a reply")
        return Verdict("stranger", "a stranger's")
    if contestant.confirmed_at is None:
        return Verdict("silent", "names no letter, and its sender has confirmed nothing yet; not answered")
    turn.inbound.contestant_id = contestant.id
    if turn.opened.is_forged:
        return Verdict("refused", "no token, and its sender could not be authenticated; not answered")
    is_proved = turn.opened.proof == "pass"
    if is_proved:
        interruptions.wrote(work, contestant, turn.inbound.arrived_at, turn.mail.message_id)
    _, to_host = take_host_text(turn.lines)
    is_gone = bool(turn.mail.tokens)
    why = "an unknown token" if is_gone else "no token"
    after = turn.inbound.arrived_at + AS_EXACT_AS_ARRIVALS
    if is_gone and count_letters_to(work.session, contestant.address, after, work.now):
        return Verdict("refused", f"{why}; not answered: a letter has gone to its writer since it came")
    if turn.is_capped(contestant.address):
        return Verdict("refused", f"{why}; not answered: too many answers this hour")
    if to_host:
        service_words.forward(work, contestant, to_host, is_proved=is_proved)
    which = (
        "I could not tell which letter you were answering, so nothing was played. Please use Reply on a letter of "
        "mine, or tap one of its links; the address then tells me who you are and what you answer."
    )
    gone = "I no longer know the letter that you answered, so nothing was played. Please reply to this one instead."
    lead = (
        gone if is_gone else which,
        *(("What you wrote to the host was passed on.",) if to_host else ()),
    )
    asked = open_questions(work.session, contestant_id=contestant.id, purpose="game")
    headline = "That letter is gone" if is_gone else "Please use Reply"
    if table := seated(work, asked[0].episode_id if asked else None, contestant):
        repeat_questions(turn, *table, "refused", lead=lead, headline=headline)
    else:
        write(turn, contestant, headline, *lead, kind="refused")
    return Verdict("refused", why)


# What a letter can lead to


def _reply(turn: Turn, letter: Letter, contestant: Contestant) -> Verdict:
    """Take a reply to a letter, from whom it was sent to: what `ANSWERS` has, a new address, the episode, or the queues."""
    lines: Sequence[str] = turn.lines
    said: tuple[str, ...] = ()
    if letter.episode_id is not None:
        turn.work.episode(letter.episode_id)  # before its questions, which others may be closing
    else:
        lines, said = registration.correct_by_reply(turn, letter, contestant)
    if contestant.away_until and is_away(turn.work.session, contestant.id, turn.work.now):
        lines = ["back early" if says_back(line) else line for line in lines]
    lines, wishes = take_wishes(lines, letter.game)
    this = Reply(turn, letter, contestant, lines, said, letter.questions, wishes)
    if letter.purpose == "call":
        if calls.is_put_off(turn.lines, contestant) and not said:
            return Verdict("silent", "not now, to a call: there is nothing to do")
        this = calls.as_meant(this)
    if this.row is None and letter.episode_id is None and (says_yes(lines) or says_no(lines)):
        this = replace(this, asked=_asked_besides(turn, letter, contestant))
    row = this.row
    if contestant.is_leaving and (stays := privacy.stay(this)):
        return stays
    answers = ANSWERS.get(row.purpose) if row and (lines or not wishes) else None
    number = contestant.id
    verdict = answers(this, row) if answers and row else None
    if row is None and letter.purpose in ("invitation", "rematch"):
        verdict = company.second_thought(this)
    if verdict:
        if wishes and letter.episode_id is None and turn.work.session.get(Contestant, number) is not None:
            service_words.outside_play(replace(this, lines=(), said=()))
        return verdict
    address = held.asked_to_add(lines)
    if address:
        return _add_address(turn, contestant, address)
    if letter.episode_id is not None:
        return replies.in_episode(this)
    return service_words.outside_play(this)


def _asked_besides(turn: Turn, letter: Letter, contestant: Contestant) -> list[QuestionRow]:
    """The one question that was open when a letter about something else was written, such as an answer to `rules`: a yes or a
    no to that letter answers it. None where there are several."""
    asked = open_questions(turn.work.session, contestant_id=contestant.id)
    found = [each for each in asked if each.purpose in BESIDES and each.opened_at <= letter.created_at]
    return found if len(found) == 1 else []


def _to_an_address(turn: Turn, letter: Letter) -> Verdict:
    """Take a reply to a letter that went to no contestant."""
    if turn.mail.sender != letter.address.lower():
        return Verdict("refused", f"a reply to a letter for another address, {letter.address}; not answered")
    answers = OF_ADDRESSES.get(letter.purpose)
    verdict = answers(turn, letter) if answers else None
    if verdict:
        return verdict
    contestant = contestant_of_address(turn.work.session, letter.address)
    if contestant and contestant.confirmed_at and not turn.opened.is_forged:
        return _reply(turn, letter, contestant)  # the address has become theirs, or is theirs still
    return Verdict("refused", "a reply to a letter that asked nothing; not answered")


def _take_request(turn: Turn, request: requests.Request) -> Verdict:
    """Register a sender for the games that their mail names, or tell what these are."""
    if request.about:
        return requests.announce(turn, request.about)
    if not request.games:
        return requests.not_offered(turn)
    lines = turn.lines or tuple(line.lstrip("> ") for line in turn.mail.text.splitlines() if line.strip("> "))
    contestant = contestant_of_address(turn.work.session, turn.mail.sender)
    if contestant and turn.opened.proof == "pass":
        interruptions.wrote(turn.work, contestant, turn.inbound.arrived_at, turn.mail.message_id)
    said = ("The other game that you named is not played here.",) if request.is_more else ()
    registered = registration.register(turn, request.games, lines, said=said)
    for each in request.games:
        lobby.run(turn.work, each)
    return registered


def _is_theirs(this: Reply, row: QuestionRow) -> Verdict | None:
    """Was a held mail theirs? A plain yes: hear what was held."""
    own = (this.contestant.name, this.contestant.called)
    is_plain = all(is_answer(unnamed(line, *own)) for line in this.lines)
    besides = () if is_plain else (f"Not played: {shortened(' '.join(this.lines))}",)
    if says_no(this.lines):
        return held.drop(this.turn, row, this.contestant, besides)
    if service_words.asked_for(this.lines):
        return None
    if not (is_plain and acknowledges(this.lines)):
        why = "You said yes, and something besides." if says_yes(this.lines) else lobby.unread(this.lines)
        return held.ask_once_more(this.turn, row, this.contestant, (why,))
    session, number, notes = this.turn.work.session, this.contestant.id, [f"confirmed {row.key}"]
    for earlier, letter in held.release(this.turn, row, this.letter, this.contestant):
        contestant = session.get(Contestant, number)  # a no may have been the last that is known of them
        verdict = _reply(earlier, letter, contestant) if contestant else Verdict("refused", "its writer is forgotten")
        earlier.inbound.state, earlier.inbound.note = verdict
        notes.append(f"mail {earlier.inbound.id}: {verdict.note}")
    return Verdict("played", "; ".join(notes))


def _name(turn: Turn, letter: Letter) -> Verdict:
    """Somebody was asked for a name."""
    if says_no(turn.lines):
        return agreement.leave_in_peace(turn, letter)
    if turn.is_capped(letter.address):
        return Verdict("refused", "not answered: too many answers this hour")
    game = GAMES[letter.game]
    registered = registration.register(turn, [game], turn.lines, is_answer=True)
    lobby.run(turn.work, game)
    return registered


def _about_games(turn: Turn, letter: Letter) -> Verdict | None:
    """Somebody was told what a game is, or how to register."""
    if says_no(turn.lines):
        return agreement.leave_in_peace(turn, letter)
    wanted = requests.game_wanted(letter, turn.lines)
    if wanted is None:
        return None
    return _take_request(turn, requests.Request((wanted,) if wanted.slug in turn.work.config.games else ()))


def _add_address(turn: Turn, contestant: Contestant, address: str) -> Verdict:
    if turn.is_capped(contestant.address):
        return Verdict("refused", "not answered: too many answers this hour")
    _, to_host = take_host_text(turn.lines)
    if to_host:
        service_words.forward(turn.work, contestant, to_host)
    held.add_and_ask_to_move(turn, contestant, address)
    return Verdict("answered", f"asked to add the address {address}")


BESIDES = ("confirm", "ready", "invitation", "rematch")
"""Questions whose yes or no may come in answer to another letter to the same address."""
ANSWERS: Mapping[QuestionPurpose, Callable[[Reply, QuestionRow], Verdict | None]] = {
    "confirm": agreement.agree,
    "ready": agreement.agree,
    "address": _is_theirs,
    "resign": agreement.give_up,
    "retire": agreement.give_up,
    "rematch": agreement.play_together,
    "invitation": agreement.play_together,
    "forget": privacy.forget,
    "move": held.move,
    "seat": agreement.change_hands,
}
"""By what the open question is about; None where the reply answers something else."""
OF_ADDRESSES: Mapping[LetterPurpose, Callable[[Turn, Letter], Verdict | None]] = {
    "name": _name,
    "registration": _about_games,
    "confirm": agreement.too_late,
    "invitation": invitations.too_late,
    "new-address": held.confirm,
    "host": operators.from_operator,
    "operator": operators.from_operator,
}
"""By what the letter was written for; None where it asked nothing."""
