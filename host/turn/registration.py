"""Shell: registration. In: a mail that asks for it. Out: a place in a queue, or a letter that asks for one answer more.

Anybody can register in anybody's name. So one letter asks an address, the form that came last counts until its owner has
answered, only so many registrations are answered, and nothing is kept of those that come to nothing.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

from host.engine.game import Game
from host.games import GAMES
from host.mail.outbound.announcement import nickname_label
from host.mail.outbound.draft import Draft
from host.play import matchmaking, registration_form
from host.play.subjects import wish_in
from host.states import LetterPurpose
from host.store.episodes import episode_with, open_questions
from host.store.letters import (
    count_letters_for,
)
from host.store.people import (
    contestant_of_address,
    has_played,
    is_declined,
    open_registration,
    registered_at,
    undo_decline,
)
from host.store.schema import Contestant, Registration
from host.turn import alerts, lobby
from host.turn.correcting import HOW, as_read, correct, name_for, own_name
from host.turn.incoming import Turn, Verdict
from host.turn.letters import Answering, Asking, open_question, plain_ask, send
from host.turn.registration_limits import defer, must_wait
from host.turn.work import Services, Work

TITLES = {slug: game.title for slug, game in GAMES.items()}
ANSWER: LetterPurpose = "registration"
"""The purpose of a letter that answers a registration, and asks nothing."""


@dataclass(frozen=True)
class Request:
    """What a subject asks for: to play a game that is offered, or one that is not (None), or to hear of `about`.

    `is_exact`: it holds the words that a registration has; else it is only like them, and counts in a new mail alone.
    """

    game: Game[Any, Any] | None
    is_exact: bool = True
    about: tuple[Game[Any, Any], ...] = ()


def request_in(services: Services, subject: str) -> Request | None:
    """Is this the subject of a registration (case, white space and `Re:` do not matter), or like one? None if not."""
    squeezed = "".join(words_of(subject))
    offered = services.config.games
    for slug, game in GAMES.items():
        if "".join(words_of(game.subject)) in squeezed:
            return Request(game if slug in offered else None)
    wish = wish_in(subject, TITLES)
    if wish and wish.is_registration:
        (slug,) = wish.slugs
        return Request(GAMES[slug] if slug in offered else None, is_exact=False)
    about = tuple(GAMES[slug] for slug in wish.slugs if slug in offered) if wish else ()
    return Request(None, is_exact=False, about=about) if about else None


def words_of(text: str) -> Sequence[str]:
    """The letters and digits of a text, folded, in pieces."""
    return "".join(each if each.isalnum() else " " for each in text.casefold()).split()


def not_offered(turn: Turn) -> Verdict:
    """Answer a registration for a game that this host does not offer."""
    offered = [GAMES[slug] for slug in turn.work.config.games]
    listing = "; ".join(f"“{game.subject}” for {game.title}" for game in offered) or "none at the moment"
    draft = Draft(
        kind="refused",
        headline="This game is not offered here",
        lead=("Thank you for your registration, but this game is not played here, so nothing was changed.",),
        tail=(f"You can register with one of these subject lines: {listing}.",),
        services=False,
    )
    why = "" if not is_declined(turn.work.session, turn.mail.sender) else "its owner declined"
    why = why or must_wait(turn, registered_at(turn.work.session, turn.mail.sender))
    if why:
        return Verdict("refused", f"a registration for a game that is not offered; not answered: {why}")
    send(turn.work, draft, turn.mail.sender, purpose=ANSWER, answering=turn.answering)
    return Verdict("refused", "a registration for a game that is not offered")


def register(turn: Turn, game: Game[Any, Any], lines: Sequence[str], is_answer: bool = False) -> Verdict:
    """Register who wrote. Gives the mail's state and a note for the host.

    `is_answer`: the lines answer our question for a name, which proves that the sender reads what is written to them. Of
    anybody else only so many are answered, since they may write in another's name; the rest is deferred.
    """
    work = turn.work
    contestant = registered_at(work.session, turn.mail.sender)
    form = _form(lines, is_answer)
    if is_declined(work.session, turn.mail.sender):
        if not is_answer and turn.opened.proof != "pass":
            return _declined(turn)
        undo_decline(work.session, turn.mail.sender)
    asked = open_questions(work.session, purpose="confirm", contestant_id=contestant.id) if contestant else ()
    if contestant and asked:
        return _asked_already(turn, game, contestant, [row.game for row in asked], form)
    why = "" if is_answer else must_wait(turn, contestant)
    if why:
        return defer(turn, why)
    known = _already(turn, game, contestant, form) if contestant else None
    return Verdict("answered", known or _register(turn, game, contestant, form))


def _declined(turn: Turn) -> Verdict:
    """Whoever said no is not written to; the operators hear of it, since they may know that it is meant."""
    address = turn.mail.sender
    text = (
        f"A registration came in the name of {address}, whose owner answered an earlier one with no. It was not answered: "
        "anybody may have written it. If they want to play, let them answer that earlier letter."
    )
    alerts.alert(turn.work, "Somebody who said no registers", text, cause="declined")
    return Verdict("silent", "not answered: the owner of this address said that they do not register")


def _form(lines: Sequence[str], is_answer: bool) -> registration_form.Form:
    form = registration_form.read_form(lines)
    if is_answer and not form.name and lines:
        return replace(form, name=lines[0][: registration_form.MAX_FIELD].strip())
    return form


def _register(turn: Turn, game: Game[Any, Any], contestant: Contestant | None, form: registration_form.Form) -> str:
    work, mail = turn.work, turn.mail
    name = form.name or (contestant.name if contestant else "") or _display_name(mail.display_name)
    if not name or "@" in name:
        return _ask_name(turn, game)
    if contestant is None:
        contestant = _new_contestant(turn, name, form)
    elif contestant.confirmed_at is None:
        _replace_form(turn, contestant, form)
    registration = Registration(
        contestant_id=contestant.id,
        contestant=contestant,
        game=game.slug,
        state="unconfirmed",
        created_at=work.now,
        queued_at=work.now,
        passed_at=None,
    )
    is_to_confirm = _is_to_confirm(turn, contestant, game)
    work.save(registration)
    turn.inbound.contestant_id = contestant.id
    taken = () if form.name else (f"Your mail named no name, so I took “{name}” from its sender line.",)
    if is_to_confirm:
        _ask_confirmation(turn, game, contestant, registration, taken)
        return f"registered for {game.slug}, asked to confirm"
    join_queue(work, game, contestant, registration, turn.answering, taken, ANSWER)
    return f"registered for {game.slug}"


def _is_to_confirm(turn: Turn, contestant: Contestant, game: Game[Any, Any]) -> bool:
    """Has the address to answer first? Where the check of the sender failed, or it is somebody's second one, always.

    Else where the host wants that: who is new here, and who was never in the queue of this game.
    """
    work, proof = turn.work, turn.opened.proof
    owner = contestant_of_address(work.session, contestant.address)
    if proof == "fail" or (owner is not None and owner.id != contestant.id):
        return True
    if not turn.work.config.security.confirm_registration:
        return False
    return contestant.confirmed_at is None or (
        proof != "pass" and not has_played(work.session, contestant.id, game.slug)
    )


def _asked_already(
    turn: Turn, game: Game[Any, Any], contestant: Contestant, games: Collection[str], form: registration_form.Form
) -> Verdict:
    """One letter asks an address at a time. The last form counts, as nobody knows yet who wrote which."""
    if contestant.confirmed_at is None:
        _replace_form(turn, contestant, form)
    if game.slug not in games:
        state, note = defer(turn, "the address has not answered yet whether it registered for another game")
        return Verdict(("waiting" if state == "deferred" else state), note)
    turn.inbound.contestant_id = contestant.id
    return Verdict("answered", "asked to confirm already, so not asked again")


def _replace_form(turn: Turn, contestant: Contestant, form: registration_form.Form) -> None:
    """What a new form says goes in place of what an earlier one said."""
    name = form.name or contestant.name
    if "@" in name or not (form.name or form.nickname or form.hometown):
        return
    contestant.name, contestant.nickname, contestant.hometown = name, form.nickname, form.hometown
    contestant.called = name_for(turn.work, name, form.nickname, contestant)


def _display_name(text: str) -> str:
    return "" if "@" in text else text.strip("'\" ")[: registration_form.MAX_FIELD]


def _new_contestant(turn: Turn, name: str, form: registration_form.Form) -> Contestant:
    contestant = Contestant(
        address=turn.mail.sender,
        name=name,
        nickname=form.nickname,
        hometown=form.hometown,
        called=name_for(turn.work, name, form.nickname),
        created_at=turn.work.now,
        wrote_at=turn.inbound.arrived_at,
        confirmed_at=None,
    )
    turn.work.save(contestant)
    return contestant


def _ask_name(turn: Turn, game: Game[Any, Any]) -> str:
    if count_letters_for(
        turn.work.session, turn.mail.sender, "name", turn.work.now - matchmaking.CONFIRM_WITHIN, turn.work.now
    ):
        return "a registration without a name; asked for it already"
    draft = Draft(
        kind="refused",
        headline="What is your name?",
        lead=(
            f"Thank you for wanting to play {game.title}! I could not find a name in your mail, so nothing was "
            "changed yet.",
            "Please answer with a line that begins with Name: and your first and last name after it. Two more lines "
            f"are welcome but not needed: {nickname_label(turn.work.config.host.community)}: and Hometown:",
        ),
        services=False,
    )
    send(turn.work, draft, turn.mail.sender, game, purpose="name", answering=turn.answering)
    return "a registration without a name"


def _already(turn: Turn, game: Game[Any, Any], contestant: Contestant, form: registration_form.Form) -> str | None:
    """Answer who is registered, playing or champion already; None for who is not.

    Who waits corrects by it what they registered with; else nothing changes.
    """
    work = turn.work
    turn.inbound.contestant_id = contestant.id
    registration = open_registration(work.session, contestant.id, game.slug)
    if registration and registration.state == "unconfirmed":
        _ask_confirmation(turn, game, contestant, registration, ("You have registered already.",))
        return "already registered, asked to confirm again"
    episode = episode_with(work.session, game.slug, contestant.id)
    if episode:
        where = f"You are playing already, in episode {episode.code}. Register again when it is over."
    elif work.lobby(game.slug).champion_id == contestant.id:
        where = "You are the champion: you play the next episode without registering."
    elif registration:
        where = f"You are registered already: place {lobby.place_of(work.session, registration)} in the queue."
    else:
        return None
    is_waiting = registration is not None and not episode and not turn.opened.is_forged
    said = correct(work, contestant, form) if is_waiting else ()
    lead = (where, *(said or ("Nothing was changed.",)))
    draft = Draft(kind="registered", headline="You are registered already", lead=lead)
    send(work, draft, contestant, game, purpose=ANSWER, answering=turn.answering)
    return "registered already"


def _ask_confirmation(
    turn: Turn,
    game: Game[Any, Any],
    contestant: Contestant,
    registration: Registration,
    said: tuple[str, ...],
) -> None:
    work = turn.work
    row = open_question(
        work,
        Asking(
            purpose="confirm",
            contestant=contestant,
            within=matchmaking.CONFIRM_WITHIN,
            game=game.slug,
            registration_id=registration.id,
        ),
    )
    ask = plain_ask(
        "To show that this address is yours and that you want to play, answer this mail.",
        [("confirm", "Confirm my registration"), ("no", "No, that was not me")],
        row,
        "If nothing comes by then, the registration lapses.",
    )
    owner = contestant_of_address(work.session, contestant.address)
    second = (
        ("At present this is a second address of another contestant. Confirming makes it yours alone.",)
        if owner is not None and owner.id != contestant.id
        else ()
    )
    draft = Draft(
        kind="confirm",
        headline=f"Confirm your registration for {game.title}",
        lead=(
            f"Hello {own_name(work, contestant)}, somebody registered this address for {game.title}. I hope it was you!",
            *said,
            f"{as_read(work, contestant)} {HOW} That confirms it too.",
            *second,
        ),
        asks=(ask,),
        tail=("If it was not you, the word no is enough: then you never hear from me again.",),
        services=False,
    )
    send(work, draft, contestant, game, purpose="confirm", questions=[row], answering=turn.answering)


def join_queue(
    work: Work,
    game: Game[Any, Any],
    contestant: Contestant,
    registration: Registration,
    answering: Answering,
    said: tuple[str, ...] = (),
    purpose: LetterPurpose = "lobby",
) -> None:
    """Into the queue; where that lets the episode begin, its first letter is the answer."""
    registration.state, registration.queued_at = "waiting", answering.inbound.arrived_at
    contestant.confirmed_at = contestant.confirmed_at or work.now
    if contestant.id in lobby.plan(work, game).begin:
        return
    place = lobby.place_of(work.session, registration)
    needed = work.services.seats(game)
    draft = Draft(
        kind="registered",
        headline=f"You are in: place {place} in the queue",
        lead=(
            f"Welcome to {game.title}, {own_name(work, contestant)}! That is what the others will call you.",
            *said,
            f"You are number {place} in the queue. An episode begins with {needed} contestants, the champion among "
            "them where there is one. You need not do anything; the first letter comes by itself.",
            game.summary,
        ),
    )
    send(work, draft, contestant, game, purpose=purpose, answering=answering)
