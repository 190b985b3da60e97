"""Shell: registration. In: a mail that asks for it, or corrects one. Out: a place in a queue, or a letter that asks for
one answer more.

Anybody can register in anybody's name. So one letter asks an address, the form that came last counts until its owner has
answered, an address gets so many answers a day and everybody together so many an hour, the rest is deferred, and nothing is kept
of those that come to nothing. What stands beside a registration that is answered goes to the host.

An episode under way goes on with the names that its record began with.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from host.club import lobby
from host.club.naming import name_for, new_contestant
from host.engine.game import Game
from host.engine.words import plain
from host.games import GAMES
from host.mail.outbound.announcement import nickname_label
from host.mail.outbound.draft import Ask
from host.mail.outbound.formatting import many
from host.play import matchmaking
from host.play.corrections import take_correction
from host.play.names import own, why_not
from host.play.prose import Form
from host.play.registration_form import MAX_FIELD, names_another, read_form
from host.play.services import Service, services_in, take_host_text
from host.states import LetterPurpose
from host.store.episodes import episode_with, open_questions
from host.store.mails import count_deferred, count_letters_to, count_registrations, deferred_mails, is_full
from host.store.people import (
    OPEN,
    contestant_of_address,
    is_declined,
    registered_at,
    registration_of,
    registrations_of,
    undo_decline,
)
from host.store.schema import Contestant, Letter, QuestionRow, Registration
from host.table.clocks import open_question
from host.table.letters import alert, plain_ask, write
from host.table.work import Services, Turn, Verdict, Work, keep_message_id
from host.turn.service_words import pass_on

ANSWER: LetterPurpose = "registration"
"""The purpose of a letter that answers a registration, and asks nothing."""
MOST_CONFIRM_LETTERS = 2
"""Letters that ask an address whether it registered, where it answers with neither yes nor no."""
ASKED_AGAIN_AFTER = timedelta(hours=1)
"""A second registration is answered with the second of these letters, where the first is as old or the sender is proved."""
FAILED_SHARE = 6
"""One in so many registrations that are answered in an hour may be of a sender whose check failed."""
MOST_DEFERRED = 3
"""Registrations of one address that wait to be answered."""
LONGEST_WAIT = 48
"""Hours for which a registration may wait to be answered: a flood is not kept for weeks."""
LOOKED_AT = 100
"""Registrations that wait, of which it is looked at once whether they may be answered."""
_GOING = frozenset((Service.LEAVE, Service.CANCEL, Service.RESIGN, Service.FORGET))
ALONE = (
    "One address is one contestant. If somebody else is to play too, or in your place, let them write to me from an address of "
    "their own, as you did."
)
HOW = (
    "To correct it, answer with one of these lines: name and your name; call me and a nickname; hometown and your town."
)


def register(
    turn: Turn,
    games: Sequence[Game[Any, Any]],
    lines: Sequence[str],
    is_answer: bool = False,
    said: tuple[str, ...] = (),
) -> Verdict:
    """Register who wrote. Gives the mail's state and a note for the host. `said`: what the answer has to say besides.

    `is_answer`: the lines answer our question for a name, which proves that the sender reads what is written to them. Of
    anybody else only so many are answered, since they may write in another's name; the rest is deferred.
    """
    work, sender = turn.work, turn.mail.sender
    contestant = registered_at(work.session, sender)
    form = read_form(lines)
    if is_answer and not form.name and lines:
        form = replace(form, name=lines[0][:MAX_FIELD].strip())
    if names_another(lines, (sender, work.config.host.address.lower())):
        said = (*said, ALONE)
    if is_declined(work.session, sender):
        if not is_answer and turn.opened.proof != "pass":
            return _declined(turn)
        undo_decline(work.session, sender)
    asked = open_questions(work.session, purpose="confirm", contestant_id=contestant.id) if contestant else ()
    if contestant and asked:
        return _asked_already(turn, games, contestant, asked[0], form)
    why = "" if is_answer else must_wait(turn, contestant)
    if why:
        return _defer(turn, why)
    wanted = [each for each in games if contestant is None or not _where(work, each, contestant)]
    if contestant and not wanted:
        return _already(turn, games[0], contestant, form, said)
    return _register(turn, wanted, contestant, form, said)


def _declined(turn: Turn) -> Verdict:
    """Whoever said no is not written to; the operators hear of it, since they may know that it is meant."""
    text = (
        f"A registration came in the name of {turn.mail.sender}, whose owner answered an earlier one with no. It was not "
        "answered: anybody may have written it. If they want to play, let them answer that earlier letter."
    )
    alert(turn.work, "Somebody who said no registers", text, cause="declined")
    return Verdict("silent", "not answered: the owner of this address said that they do not register")


def _asked_already(
    turn: Turn, games: Sequence[Game[Any, Any]], contestant: Contestant, row: QuestionRow, form: Form
) -> Verdict:
    """One letter asks an address at a time. The last form counts, as nobody knows yet who wrote which.

    Whoever registers again a while later, or proves who they are, may have missed that letter: one more of it goes out.
    """
    work = turn.work
    if contestant.confirmed_at is None:
        _replace_form(turn, contestant, form)
    waiting = registrations_of(work.session, contestant.id, ("unconfirmed",))
    if not {each.slug for each in games} <= {each.game for each in waiting}:
        state, note = _defer(turn, "the address has not answered yet whether it registered for another game")
        return Verdict(("waiting" if state == "deferred" else state), note)
    turn.inbound.contestant_id = contestant.id

    def count_asked(within: timedelta) -> int:
        return count_letters_to(work.session, contestant.address, work.now - within, work.now, purpose="confirm")

    is_soon = count_asked(ASKED_AGAIN_AFTER) > 0 and turn.opened.proof != "pass"
    is_often = count_asked(matchmaking.CONFIRM_WITHIN) >= MOST_CONFIRM_LETTERS
    if is_often or is_soon or turn.opened.is_forged or must_wait(turn, contestant):
        return Verdict("answered", "asked to confirm already, so not asked again")
    first = "You registered before, and it waits for your answer; one answer is enough."
    _ask_confirmation(turn, contestant, waiting, (first, *_pass_on(turn, contestant)), row)
    return Verdict("answered", "asked to confirm already, and once more")


def _pass_on(turn: Turn, contestant: Contestant, is_all: bool = False) -> tuple[str, ...]:
    return pass_on(turn, contestant, turn.lines, turn.opened.proof == "pass", is_all)


def _where(work: Work, game: Game[Any, Any], contestant: Contestant) -> str:
    """Tell somebody who registers that they wait for the game, play it or hold its title already, or may not; else nothing."""
    if contestant.is_leaving:
        return lobby.TO_BE_FORGOTTEN
    episode = episode_with(work.session, game.slug, contestant.id)
    if episode:
        return f"You are playing already, in episode {episode.code}. Register again when it is over."
    if work.lobby(game.slug).champion_id == contestant.id:
        return "You are the champion: you play the next episode without registering."
    registration = registration_of(work.session, contestant.id, game.slug, *OPEN)
    if registration and registration.state == "waiting":
        return f"You are registered already: place {lobby.place_of(work.session, registration)} in the queue."
    return "You have registered already." if registration else ""


def _already(turn: Turn, game: Game[Any, Any], contestant: Contestant, form: Form, said: tuple[str, ...]) -> Verdict:
    """Answer who is registered, playing or champion already.

    Who waits, or is champion and plays the next episode, corrects by it what they registered with; else nothing changes.
    """
    work = turn.work
    turn.inbound.contestant_id = contestant.id
    asked = {service for service, _ in services_in(turn.lines)} & _GOING
    where, said = _where(work, game, contestant), (*said, *_pass_on(turn, contestant, is_all=bool(asked)))
    registration = registration_of(work.session, contestant.id, game.slug, *OPEN)
    if Service.FORGET in asked or (asked and registration):
        word = "forget me" if Service.FORGET in asked else "leave"
        said = (*said, f"To be sure that it is you, reply to this letter with {word}; then it is done.")
    if registration and registration.state == "unconfirmed":
        _ask_confirmation(turn, contestant, [registration], (where, *said))
        return Verdict("answered", "already registered, asked to confirm again")
    is_waiting = registration is not None or work.lobby(game.slug).champion_id == contestant.id
    is_waiting = is_waiting and not episode_with(work.session, game.slug, contestant.id)
    before = contestant.name
    corrected = _correct(work, contestant, form) if is_waiting and not turn.opened.is_forged else ()
    if corrected and form.name and not set(plain(before).split()[:1]) & set(plain(form.name).split()):
        said = (*said, f"Before that you were {before}. {ALONE}")
    lead = (where, *(corrected or ("Nothing was changed.",)), *said)
    headline = "You are to be forgotten" if contestant.is_leaving else "You are registered already"
    write(turn, contestant, headline, *lead, about=game, kind="registered", purpose=ANSWER)
    return Verdict("answered", "registered already")


def _register(
    turn: Turn, games: Sequence[Game[Any, Any]], contestant: Contestant | None, form: Form, said: tuple[str, ...]
) -> Verdict:
    work, shown = turn.work, turn.mail.display_name
    known = contestant.name if contestant else "" if "@" in shown else shown.strip("'\" ")[:MAX_FIELD]
    name = form.name or known or form.nickname
    if not name or "@" in name:
        return _ask_name(turn, games[0])
    if contestant is None:
        contestant = new_contestant(work, turn.mail.sender, replace(form, name=name), turn.inbound.arrived_at)
    elif contestant.confirmed_at is None:
        _replace_form(turn, contestant, form)
    keep_message_id(contestant, turn.inbound.arrived_at, turn.mail.message_id)
    is_to_confirm = any(_is_to_confirm(turn, contestant, each) for each in games)
    registrations = [lobby.enrol(work, contestant, each, "unconfirmed", work.now) for each in games]
    turn.inbound.contestant_id = contestant.id
    if not form.name:
        taken = f"took “{known}” from its sender line" if known else f"call you {_own_name(work, contestant)}"
        said = (f"I could read no name in your mail, so I {taken}.", *said)
    said = (*said, *_pass_on(turn, contestant))
    note = f"registered for {', '.join(each.slug for each in games)}"
    if is_to_confirm:
        _ask_confirmation(turn, contestant, registrations, said)
        return Verdict("answered", f"{note}, asked to confirm")
    join_queues(turn, contestant, registrations, said, ANSWER)
    return Verdict("answered", note)


def _ask_name(turn: Turn, game: Game[Any, Any]) -> Verdict:
    work, sender = turn.work, turn.mail.sender
    if count_letters_to(work.session, sender, work.now - matchmaking.CONFIRM_WITHIN, work.now, purpose="name"):
        return Verdict("answered", "a registration without a name; asked for it already")
    lead = (
        f"Thank you for wanting to play {game.title}! I could not find a name in your mail, so nothing was changed yet.",
        "Please answer with a line that begins with Name: and your first name after it, or whatever you want to be called. "
        f"Two more lines are welcome but not needed: {nickname_label(work.config.host.community)}: and Hometown:",
    )
    write(turn, sender, "What is your name?", *lead, about=game, kind="refused", purpose="name", services=False)
    return Verdict("answered", "a registration without a name")


def _is_to_confirm(turn: Turn, contestant: Contestant, game: Game[Any, Any]) -> bool:
    """Has the address to answer first? Where the check of the sender failed, or it is somebody's second one, always.

    Else where the host wants that: who is new here, and who was never in the queue of this game.
    """
    work, proof = turn.work, turn.opened.proof
    if proof == "fail" or _is_anothers(work, contestant):
        return True
    if not work.config.security.confirm_registration:
        return False
    is_new_here = proof != "pass" and not registration_of(
        work.session, contestant.id, game.slug, "waiting", "playing", "played", "left"
    )
    return contestant.confirmed_at is None or is_new_here


def _is_anothers(work: Work, contestant: Contestant) -> bool:
    """Is a contestant's address the second one of another?"""
    owner = contestant_of_address(work.session, contestant.address)
    return owner is not None and owner.id != contestant.id


def _ask_confirmation(
    turn: Turn,
    contestant: Contestant,
    registrations: Sequence[Registration],
    said: tuple[str, ...],
    row: QuestionRow | None = None,
) -> None:
    """One letter asks about all that was registered in one mail. `row`: the question, where it was put before."""
    work, first = turn.work, registrations[0]
    within = matchmaking.CONFIRM_WITHIN
    row = row or open_question(work, "confirm", contestant, within, game=first.game, registration_id=first.id)
    ask = confirm_ask("To show that this address is yours and that you want to play, answer this mail.", row)
    titles = titles_of(registrations)
    second = "At present this is a second address of another contestant. Confirming makes it yours alone."
    lead = (
        f"Hello {_own_name(work, contestant)}, somebody registered this address for {titles}. I hope it was you!",
        *said,
        f"{as_read(work, contestant)} {HOW} That confirms it too.",
        *((second,) if _is_anothers(work, contestant) else ()),
    )
    write(
        turn,
        contestant,
        f"Confirm your registration for {titles}",
        *lead,
        about=GAMES[first.game],
        kind="confirm",
        purpose="confirm",
        questions=[row],
        asks=(ask,),
        tail=("If it was not you, the word no is enough: then you never hear from me again.",),
        services=False,
    )


def confirm_ask(sentence: str, row: QuestionRow) -> Ask:
    """The question whether they registered, behind a sentence that says why it is put."""
    links = [("confirm", "Confirm my registration"), ("no", "No, that was not me")]
    return plain_ask(sentence, links, row, "If nothing comes by then, the registration lapses.")


def titles_of(registrations: Sequence[Registration]) -> str:
    """The games of registrations, in words."""
    return " and ".join(GAMES[each.game].title for each in registrations)


def join_queues(
    turn: Turn,
    contestant: Contestant,
    registrations: Sequence[Registration],
    said: tuple[str, ...] = (),
    purpose: LetterPurpose = "lobby",
) -> None:
    """Into the queues; where that lets an episode begin, its first letter is the answer."""
    work = turn.work
    contestant.confirmed_at = contestant.confirmed_at or work.now
    for each in registrations:
        each.state, each.queued_at = "waiting", turn.inbound.arrived_at
    waiting = [each for each in registrations if contestant.id not in lobby.plan(work, GAMES[each.game]).begin]
    if not waiting:
        return
    is_one, titles = len(waiting) == 1, titles_of(waiting)
    places = [lobby.place_of(work.session, each) for each in waiting]
    told: list[str] = []
    for each, place in zip(waiting, places, strict=True):
        game = GAMES[each.game]
        seats = many(work.services.seats(game), "contestant")
        told += [
            f"You are number {place} in {'the queue' if is_one else f'the queue of {game.title}'}. An episode begins with "
            f"{seats}, the champion among them where there is one. You need not do anything; the first letter comes by itself.",
            *filter(None, [lobby.next_start(work.config, each.game, work.now)]),
            game.summary,
        ]
    welcome = (
        f"Welcome to {titles}, {_own_name(work, contestant)}! "
        f"That is what the others will call you{_or_numbered(work, contestant)}."
    )
    why = why_not(contestant.name, contestant.nickname, work.config.host.name)
    lead = (welcome, *([why] if why else ()), *said, *told)
    headline = f"You are in: place {places[0]} in the queue" if is_one else f"You are in: {titles}"
    write(turn, contestant, headline, *lead, about=GAMES[waiting[0].game], kind="registered", purpose=purpose)


# How many are answered


def must_wait(turn: Turn, contestant: Contestant | None) -> str:
    """Says why a registration cannot be answered now; nothing where it can. The operators hear of it when all have to wait."""
    work, security = turn.work, turn.work.config.security
    day, hour = work.now - timedelta(days=1), work.now - timedelta(hours=1)
    if count_registrations(work.session, day, work.now, address=turn.mail.sender) >= security.registrations_a_day:
        return "this address had as many answers today as it gets"
    if contestant and contestant.confirmed_at is not None:
        return ""
    most = security.registrations_an_hour
    if count_registrations(work.session, hour, work.now) >= most:
        text = (
            f"More than {most} registrations came within an hour. The rest is answered when the hour is over, so many an "
            "hour; episodes go on as always. If these are people you expect, raise [security] registrations_an_hour."
        )
        alert(work, "Many registrations", text, cause="registrations")
        return "too many registrations this hour"
    if turn.opened.is_forged and count_registrations(work.session, hour, work.now, proof="fail") >= max(
        1, most // FAILED_SHARE
    ):
        return "too many registrations this hour whose senders could not be authenticated"
    return ""


def _defer(turn: Turn, why: str) -> Verdict:
    """Let a registration wait; where too many wait already, refuse it."""
    if count_deferred(turn.work.session, turn.mail.sender) >= MOST_DEFERRED:
        return Verdict("refused", f"not answered: {why}, and {MOST_DEFERRED} mails of it wait already")
    most = LONGEST_WAIT * turn.work.config.security.registrations_an_hour
    if is_full(turn.work.session, most):
        return Verdict("refused", f"not answered: {why}, and {most} registrations wait already")
    return Verdict("deferred", f"waits: {why}")


def take_up_deferred(services: Services, now: datetime) -> int:
    """Registrations that waited are worked off again where the limits allow; gives how many."""
    with services.store.reading() as session:
        if not deferred_mails(session, 1):
            return 0
    security, taken = services.config.security, 0
    with services.store.transaction() as session:
        left = security.registrations_an_hour - count_registrations(session, now - timedelta(hours=1), now)
        for row in deferred_mails(session, LOOKED_AT):
            if taken >= left:
                break
            if count_registrations(session, now - timedelta(days=1), now, row.sender) < security.registrations_a_day:
                row.state, row.note, row.content_key, row.claimed_by = "new", "", None, None
                taken += 1
    return taken


# Corrections


def _replace_form(turn: Turn, contestant: Contestant, form: Form) -> None:
    """Put what a new form says in place of what an earlier one said."""
    name = form.name or contestant.name
    if "@" in name or not (form.name or form.nickname or form.hometown):
        return
    contestant.name, contestant.nickname, contestant.hometown = name, form.nickname, form.hometown
    contestant.called = name_for(turn.work, name, form.nickname, contestant)


def correct_by_reply(turn: Turn, letter: Letter, contestant: Contestant) -> tuple[Sequence[str], tuple[str, ...]]:
    """Correct a registration as a reply says; gives its other lines, and the sentences about it."""
    rest, _ = take_host_text(turn.lines)
    if letter.kind not in ("confirm", "registered", "ready", "help", "refused"):
        return turn.lines, ()
    found = take_correction(rest, Form(contestant.name, contestant.nickname, contestant.hometown))
    if found.rest == rest or turn.is_capped(contestant.address):
        return turn.lines, ()
    to_host = [line for line in turn.lines if line not in rest]
    return (*found.rest, *to_host), _correct(turn.work, contestant, found.form)


def _correct(work: Work, contestant: Contestant, form: Form) -> tuple[str, ...]:
    """Put what a form says in place of what is known. Says what it is now; nothing where the form says nothing new."""
    name = contestant.name if not form.name or "@" in form.name else form.name
    now = (name, form.nickname or contestant.nickname, form.hometown or contestant.hometown)
    if now == (contestant.name, contestant.nickname, contestant.hometown):
        return () if not form.says_something else (f"That is what I have already. {as_read(work, contestant)}",)
    contestant.name, contestant.nickname, contestant.hometown = now
    contestant.called = name_for(work, now[0], now[1], contestant)
    return (f"Corrected. {as_read(work, contestant)}", *_where_it_stays(work, contestant))


def as_read(work: Work, contestant: Contestant) -> str:
    """A form's values, as they were read."""
    fields = {"Name": contestant.name, "Nickname": contestant.nickname, "Hometown": contestant.hometown}
    read = "; ".join(f"{label}: {value or 'none'}" for label, value in fields.items())
    why = why_not(contestant.name, contestant.nickname, work.config.host.name)
    will = f"Others will call you {_own_name(work, contestant)}{_or_numbered(work, contestant)}."
    return " ".join(filter(None, (f"I read: {read}.", why, will)))


def _or_numbered(work: Work, contestant: Contestant) -> str:
    """What is said where somebody else is called so."""
    own_name = _own_name(work, contestant)
    return "" if contestant.called == own_name else f", with a number behind it where another {own_name} is"


def _own_name(work: Work, contestant: Contestant) -> str:
    """The name by which letters address somebody: a number comes behind it only where two at one table are called so."""
    return own(contestant.name, contestant.nickname, work.config.host.name)


def _where_it_stays(work: Work, contestant: Contestant) -> tuple[str, ...]:
    """The episodes under way keep the names that they began with."""
    playing = [episode_with(work.session, slug, contestant.id) for slug in work.config.games]
    return tuple(
        f"In episode {episode.code}, which is under way, you stay {seat.name}."
        for episode in playing
        if episode is not None
        for seat in episode.seats
        if seat.contestant_id == contestant.id and seat.name != _own_name(work, contestant)
    )
