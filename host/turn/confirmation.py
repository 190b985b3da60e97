"""Shell: answers to a `confirm` mail. In: yes, no, silence, an answer too late. Out: a place in a queue, or nothing."""

from collections.abc import Sequence

from host.games import GAMES
from host.mail.outbound.draft import Draft
from host.play.agreement import acknowledges, says_no
from host.play.matchmaking import CONFIRM_WITHIN
from host.states import QuestionOutcome
from host.store.mails import count_letters_for, mails_waiting_for
from host.store.people import decline, forget, is_declined, registrations_of, take_back, undo_decline
from host.store.schema import Contestant, Letter, QuestionRow, Registration
from host.turn.incoming import Turn, Verdict
from host.turn.letters import plain_ask, send
from host.turn.lobby import run, unread
from host.turn.registration import MOST_CONFIRM_LETTERS, join_queues, titles_of
from host.turn.service_words import pass_on
from host.turn.work import Work


def confirm(turn: Turn, row: QuestionRow, said: tuple[str, ...] = ()) -> str:
    """A `confirm` mail was answered: the contestant joins the queue, as of now, and an episode may begin.

    `said`: what else the answer has to say.
    """
    work = turn.work
    work.close_question(row, "answered")
    registrations = _asked_about(work, row)
    contestant = registrations[0].contestant
    for other in mails_waiting_for(work.session, contestant.address):
        other.state, other.content_key = "deferred", None
    if contestant.confirmed_at is None:
        take_back(work.session, contestant.address)
        contestant.confirmed_at = work.now
    join_queues(work, contestant, registrations, turn.answering, said)
    for each in registrations:
        run(work, GAMES[each.game])
    return f"confirmed the registration for {', '.join(each.game for each in registrations)}"


def _asked_about(work: Work, row: QuestionRow) -> list[Registration]:
    """The registrations that a `confirm` mail asks about. One asks at a time, so there are no others that wait for it."""
    first = work.session.get_one(Registration, row.registration_id)
    waiting = registrations_of(work.session, first.contestant_id, ("unconfirmed",))
    return [first, *(each for each in waiting if each.id != first.id)]


def refuse(turn: Turn, row: QuestionRow, contestant: Contestant) -> str:
    """A `confirm` mail was answered with a no: nothing is left of the registration.

    Who is new here is not written to again; a contestant, who was asked about one more game, hears that all is as before.
    """
    work, game = turn.work, GAMES[row.game]
    address, titles = contestant.address, titles_of(_asked_about(work, row))
    if lapse(work, row, "no"):
        decline(work.session, address, work.now)
        return "said that they did not register; not written to again"
    lead = (f"You are not registered for {titles}. Nothing else was changed.",)
    draft = Draft(kind="help", headline="Not registered", lead=lead)
    send(work, draft, contestant, game, answering=turn.answering)
    return f"did not want to register for {game.slug}"


def ask_once_more(turn: Turn, row: QuestionRow, contestant: Contestant, lines: Sequence[str]) -> str:
    """A reply to a `confirm` mail said neither yes nor no: one letter more asks, and no third.

    Its words go to the host; of `lines` none has led to anything yet.
    """
    work, game = turn.work, GAMES[row.game]
    week_ago = work.now - CONFIRM_WITHIN
    if count_letters_for(work.session, contestant.address, "confirm", week_ago, work.now) >= MOST_CONFIRM_LETTERS:
        return "neither yes nor no; asked twice already, so not answered"
    said = pass_on(work, contestant, turn.lines, lines)
    titles = titles_of(_asked_about(work, row))
    ask = plain_ask(
        f"Somebody registered this address for {titles}, a card game show that I host by mail. It counts only if you say "
        "that it was you.",
        [("confirm", "Confirm my registration"), ("no", "No, that was not me")],
        row,
        "If nothing comes by then, the registration lapses.",
    )
    draft = Draft(
        kind="refused",
        headline="Was it you, yes or no?",
        lead=(unread(turn.lines), *said),
        asks=(ask,),
        services=False,
    )
    send(work, draft, contestant, game, purpose="confirm", questions=[row], answering=turn.answering)
    return "neither yes nor no; asked once more whether they registered"


def lapse(work: Work, row: QuestionRow, outcome: QuestionOutcome) -> bool:
    """A registration comes to nothing. Was that all there is of its contestant? Then nothing of them is kept."""
    work.close_question(row, outcome)
    registrations = _asked_about(work, row)
    for each in registrations:
        each.state = "expired"
    contestant = registrations[0].contestant
    for other in mails_waiting_for(work.session, contestant.address):
        other.state, other.note, other.raw = "refused", "the registration before it was not confirmed", None
    if contestant.confirmed_at is not None:
        return False
    forget(work.session, contestant)
    return True


def leave_in_peace(turn: Turn, letter: Letter) -> str:
    """A no to a letter that answered a registration in somebody's name: the address gets nothing more."""
    decline(turn.work.session, letter.address, turn.work.now)
    return "said that they did not register; not written to again"


def too_late(turn: Turn, letter: Letter) -> Verdict:
    """An answer to a `confirm` mail whose registration is gone: say how to register anew; to a no, nothing more."""
    work, game = turn.work, GAMES[letter.game]
    if says_no(turn.lines):
        return Verdict("silent", leave_in_peace(turn, letter))
    if is_declined(work.session, letter.address) and not acknowledges(turn.lines):
        return Verdict("silent", "said before that they did not register; not written to again")
    if turn.is_capped(letter.address):
        return Verdict("refused", "not answered: too many answers this hour")
    undo_decline(work.session, letter.address)
    lead = (
        "That registration is over: it was answered with no, or not in time. To register anew, write to me with the "
        f"subject “{game.subject}”.",
    )
    draft = Draft(kind="refused", headline="That registration is over", lead=lead, services=False)
    send(work, draft, letter.address, game, answering=turn.answering)
    return Verdict("refused", "answered a registration that is over")
