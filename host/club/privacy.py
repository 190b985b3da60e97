"""Shell: being private, and being forgotten. In: `private`, `forget me`. Out: a flag; a question, and nothing of them any more.

Who said yes is forgotten by the clock, once they play in no episode and their last letter has gone out: their result first.
Records keep the name `gone-12`.
"""

from collections.abc import Callable, Mapping
from datetime import datetime

from host.club import company, lobby
from host.engine.words import pattern, plain
from host.games import GAMES
from host.mail.outbound.formatting import listed
from host.play.agreement import is_whole_yes, says_no, says_yes
from host.play.services import Service
from host.store.company import erase, has_unsent_letters, leaving, rename_in_records, seats_of
from host.store.episodes import open_questions
from host.store.people import is_called, registrations_of
from host.store.schema import Contestant, QuestionRow
from host.table.clocks import open_question
from host.table.letters import plain_ask, write
from host.table.play import load_play
from host.table.served import Request, Served
from host.table.work import Reply, Services, Turn, Verdict, Work, begin

_KEEPS = pattern(
    r"\bkeep (?:me|it|my|all)\b|\b(?:don'?t|do not|never) (?:forget|erase|delete|remove)\b|\bchanged my mind\b"
)
_KEEPS_ME = pattern(r"\bkeep me\b|\b(?:don'?t|do not|never) (?:forget|erase|delete|remove) me\b")
MOST_LOOKED_AT = 200
"""Seats of a contestant that are looked through for an episode under way."""


def _private(request: Request) -> Served:
    request.contestant.is_private = True
    return Served(("No page of the web shows your name or your hometown from now on. Write public to change that.",))


def _public(request: Request) -> Served:
    request.contestant.is_private = False
    return Served(("Pages of the web show the name you go by again, and your hometown if you gave one.",))


def _forget(request: Request) -> Served:
    """Asks once what it costs."""
    work, contestant = request.work, request.contestant
    if contestant.is_leaving:
        return Served((when_forgotten(work, contestant),))
    asked = open_questions(work.session, purpose="forget", contestant_id=contestant.id)
    _ask(request.turn, contestant, asked[0] if asked else open_question(work, "forget", contestant, None))
    return Served(is_settled=True)


def _ask(turn: Turn, contestant: Contestant, row: QuestionRow, why: str = "") -> None:
    cost = (
        f"{why}I erase your name, nickname, hometown and addresses, your mails, and what my letters to you said. You lose your "
        "places in queues, your titles and your standing under your name; records of episodes and the standings keep a name "
        f"such as gone-{contestant.id}. It cannot be taken back. {when_forgotten(turn.work, contestant)} Shall I?"
    )
    ask = plain_ask(
        cost, [("yes", "Yes, forget me"), ("no", "No, keep it")], row, "Without an answer nothing is erased."
    )
    headline = "Shall I forget you?"
    write(turn, contestant, headline, purpose="forget", questions=[row], asks=(ask,), services=False)


def when_forgotten(work: Work, contestant: Contestant) -> str:
    """Says when somebody who wanted it is forgotten."""
    running = still_playing(work, contestant)
    if not running:
        return "It is done at once, after my last letter to you."
    return (
        f"It is done when {listed(running)} {'is' if len(running) == 1 else 'are'} over, where the others still play with you. "
        "To go at once, write resign to a letter of the episode as well."
    )


def still_playing(work: Work, contestant: Contestant) -> dict[str, str]:
    """The codes of the episodes under way in which a contestant still plays, each with their seat's name."""
    seats = seats_of(work.session, contestant.id, MOST_LOOKED_AT)
    plays = [(load_play(each.episode), each) for each in seats if each.episode.over_at is None]
    return {play.episode.code: seat.name for play, seat in plays if not play.game.is_out(play.state, seat.seat)}


def forget(reply: Reply, row: QuestionRow) -> Verdict | None:
    """Take a reply to the question whether somebody is to be forgotten; None for what is neither yes nor no."""
    work, contestant = reply.turn.work, reply.contestant
    if is_whole_yes(reply.lines):
        work.close_question(row, "yes")
        leave(work, contestant)
        back = "Until then the words keep me take it back." if still_playing(work, contestant) else ""
        told = filter(None, (when_forgotten(work, contestant), back))
        write(reply.turn, contestant, "You will be forgotten", *told, purpose="forget", services=False)
        return Verdict("answered", "is to be forgotten")
    keeps = says_no(reply.lines) or _KEEPS.search(plain(" ".join(reply.lines))) is not None
    if says_yes(reply.lines) and not keeps:
        if not reply.turn.is_capped(contestant.address):
            _ask(reply.turn, contestant, row, "I could not tell whether that is a yes, so nothing is erased. ")
        return Verdict("answered", "asked once more whether to be forgotten")
    if not keeps:
        return None
    work.close_question(row, "no")
    write(reply.turn, contestant, "Nothing is erased", "All stays as it is.")
    return Verdict("answered", "is not to be forgotten")


def stay(reply: Reply) -> Verdict | None:
    """Take back that somebody who is leaving is to be forgotten, as long as it is not done; None where they do not want that."""
    contestant, text = reply.contestant, plain(" ".join(reply.lines))
    is_of_it = reply.letter.purpose == "forget" and (says_no(reply.lines) or _KEEPS.search(text) is not None)
    if not (is_of_it or _KEEPS_ME.search(text)):  # to a letter of a game `keep it` is a move
        return None
    contestant.is_leaving = False
    told = "You are not forgotten. Your places in queues and your titles are gone: write again to play again."
    write(reply.turn, contestant, "Nothing is erased", told)
    return Verdict("answered", "is not to be forgotten")


def leave(work: Work, contestant: Contestant) -> None:
    """Out of all queues, plans with others and off all thrones; the rest is done by the clock."""
    contestant.is_leaving = True
    company.withdrawn(work, contestant)
    out_of_queues(work, contestant)


def out_of_queues(work: Work, contestant: Contestant) -> None:
    """Out of all queues, asked nothing more outside of play, and off all thrones."""
    for registration in registrations_of(work.session, contestant.id, ("waiting", "unconfirmed")):
        registration.state = "left"
    for row in open_questions(work.session, contestant_id=contestant.id):
        if row.purpose != "game":
            work.close_question(row, "left")
    for slug in GAMES:
        if work.lobby(slug).champion_id == contestant.id:
            lobby.step_down(work, slug)


def forget_due(services: Services, now: datetime) -> None:
    """Forget those who wanted it, play in no episode any more, and have got their last letter."""
    with services.store.reading() as session:
        due = [each.id for each in leaving(session)]
    for number in due:
        with begin(services, now) as work:
            contestant = work.session.get_one(Contestant, number)
            if still_playing(work, contestant) or has_unsent_letters(work.session, number):
                continue
            leave(work, contestant)  # a title that the last episode brought
            name = f"gone-{number}"
            while is_called(work.session, name):  # somebody took it before nobody could
                name += "-2"
            rename_in_records(work.session, number, name)
            erase(work.session, contestant, name)


SERVED: Mapping[Service, Callable[[Request], Served]] = {
    Service.PRIVATE: _private,
    Service.PUBLIC: _public,
    Service.FORGET: _forget,
}
