"""Shell: registration. In: a mail that asks for it. Out: a place in a queue, or a letter that asks for one answer more.

Anybody can register in anybody's name. So one letter asks an address, the form that came last counts until its owner has
answered, only so many registrations are answered, and nothing is kept of those that come to nothing. What stands beside a
registration that is answered goes to the host.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from host.engine.game import Game
from host.games import GAMES
from host.mail.outbound.announcement import nickname_label
from host.mail.outbound.draft import Draft
from host.play import matchmaking, registration_form
from host.play.subjects import Wish, wish_in, wish_in_body, words_of
from host.states import LetterPurpose
from host.store.episodes import episode_with, open_questions
from host.store.mails import (
    count_letters_for,
)
from host.store.people import (
    contestant_of_address,
    has_played,
    is_declined,
    open_registration,
    registered_at,
    registrations_of,
    undo_decline,
)
from host.store.schema import Contestant, QuestionRow, Registration
from host.turn import alerts, lobby
from host.turn.correcting import HOW, as_read, correct, name_for, own_name, why_not_so
from host.turn.incoming import Turn, Verdict
from host.turn.letters import Answering, Asking, open_question, plain_ask, send
from host.turn.registration_limits import defer, must_wait
from host.turn.service_words import pass_on
from host.turn.work import Services, Work

TITLES = {slug: game.title for slug, game in GAMES.items()}
ANSWER: LetterPurpose = "registration"
"""The purpose of a letter that answers a registration, and asks nothing."""
MOST_CONFIRM_LETTERS = 2
"""Letters that ask an address whether it registered, where it answers with neither yes nor no."""
ASKED_AGAIN_AFTER = timedelta(hours=1)
"""A second registration is answered with the second of these letters, where the first is as old or the sender is proved."""
ALONE = (
    "One address is one contestant. If somebody else is to play too, or in your place, let them write to me from an address of "
    "their own, as you did."
)


@dataclass(frozen=True)
class Request:
    """A wish to play these `games`, or to hear of `about`; with neither, to play what is not offered.

    `is_exact`: its subject holds the words that a registration has; else it is only like them, and counts in a new mail
    alone. `is_more`: it names a game besides that is not offered.
    """

    games: tuple[Game[Any, Any], ...] = ()
    is_exact: bool = True
    about: tuple[Game[Any, Any], ...] = ()
    is_more: bool = False


def request_in(services: Services, subject: str) -> Request | None:
    """Is this the subject of a registration (case, white space and `Re:` do not matter), or like one? None if not."""
    squeezed = "".join(words_of(subject))
    for slug, game in GAMES.items():
        if "".join(words_of(game.subject)) in squeezed:
            return Request((game,) if slug in services.config.games else ())
    return _request(services, wish_in(subject, TITLES))


def request_in_body(services: Services, subject: str, lines: Sequence[str]) -> Request | None:
    """Read a request in a mail's body, since its subject says nothing, or asks."""
    has_form = bool(registration_form.read_form(lines).name)
    return _request(services, wish_in_body(lines, TITLES, has_form, subject))


def _request(services: Services, wish: Wish | None) -> Request | None:
    if wish is None:
        return None
    offered = tuple(GAMES[slug] for slug in wish.slugs or services.config.games if slug in services.config.games)
    if wish.is_registration:
        return Request(offered, is_exact=False, is_more=len(offered) < len(wish.slugs))
    return Request(is_exact=False, about=offered) if offered else None


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
    work = turn.work
    contestant = registered_at(work.session, turn.mail.sender)
    form = _form(lines, is_answer)
    if registration_form.names_another(lines, (turn.mail.sender, work.config.host.address.lower())):
        said = (*said, ALONE)
    if is_declined(work.session, turn.mail.sender):
        if not is_answer and turn.opened.proof != "pass":
            return _declined(turn)
        undo_decline(work.session, turn.mail.sender)
    asked = open_questions(work.session, purpose="confirm", contestant_id=contestant.id) if contestant else ()
    if contestant and asked:
        return _asked_already(turn, games, contestant, asked[0], form)
    why = "" if is_answer else must_wait(turn, contestant)
    if why:
        return defer(turn, why)
    wanted = [each for each in games if contestant is None or not _where(work, each, contestant)]
    if contestant and not wanted:
        return Verdict("answered", _already(turn, games[0], contestant, form, said))
    return Verdict("answered", _register(turn, wanted, contestant, form, said))


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


def _register(
    turn: Turn,
    games: Sequence[Game[Any, Any]],
    contestant: Contestant | None,
    form: registration_form.Form,
    said: tuple[str, ...],
) -> str:
    work, mail = turn.work, turn.mail
    known = (contestant.name if contestant else "") or _display_name(mail.display_name)
    name = form.name or known or form.nickname
    if not name or "@" in name:
        return _ask_name(turn, games[0])
    if contestant is None:
        contestant = _new_contestant(turn, name, form)
    elif contestant.confirmed_at is None:
        _replace_form(turn, contestant, form)
    is_to_confirm = any(_is_to_confirm(turn, contestant, each) for each in games)
    registrations = [_new_registration(work, contestant, each) for each in games]
    turn.inbound.contestant_id = contestant.id
    if not form.name:
        taken = f"took “{known}” from its sender line" if known else f"call you {own_name(work, contestant)}"
        said = (f"I could read no name in your mail, so I {taken}.", *said)
    said = (*said, *pass_on(work, contestant, turn.lines, turn.lines, turn.opened.proof == "pass"))
    note = f"registered for {', '.join(each.slug for each in games)}"
    if is_to_confirm:
        _ask_confirmation(turn, contestant, registrations, said)
        return f"{note}, asked to confirm"
    join_queues(work, contestant, registrations, turn.answering, said, ANSWER)
    return note


def _new_registration(work: Work, contestant: Contestant, game: Game[Any, Any]) -> Registration:
    registration = Registration(
        contestant_id=contestant.id,
        contestant=contestant,
        game=game.slug,
        state="unconfirmed",
        created_at=work.now,
        queued_at=work.now,
        passed_at=None,
    )
    work.save(registration)
    return registration


def titles_of(registrations: Sequence[Registration]) -> str:
    """The games of registrations, in words."""
    return " and ".join(GAMES[each.game].title for each in registrations)


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
    turn: Turn,
    games: Sequence[Game[Any, Any]],
    contestant: Contestant,
    row: QuestionRow,
    form: registration_form.Form,
) -> Verdict:
    """One letter asks an address at a time. The last form counts, as nobody knows yet who wrote which.

    Whoever registers again a while later, or proves who they are, may have missed that letter: one more of it goes out.
    """
    work = turn.work
    if contestant.confirmed_at is None:
        _replace_form(turn, contestant, form)
    waiting = registrations_of(work.session, contestant.id, ("unconfirmed",))
    if not {each.slug for each in games} <= {each.game for each in waiting}:
        state, note = defer(turn, "the address has not answered yet whether it registered for another game")
        return Verdict(("waiting" if state == "deferred" else state), note)
    turn.inbound.contestant_id = contestant.id
    address, week_ago = contestant.address, work.now - matchmaking.CONFIRM_WITHIN
    is_soon = count_letters_for(work.session, address, "confirm", work.now - ASKED_AGAIN_AFTER, work.now) > 0
    is_often = count_letters_for(work.session, address, "confirm", week_ago, work.now) >= MOST_CONFIRM_LETTERS
    is_doubtful = is_soon and turn.opened.proof != "pass"
    if is_often or is_doubtful or turn.opened.is_forged or must_wait(turn, contestant):
        return Verdict("answered", "asked to confirm already, so not asked again")
    said = pass_on(work, contestant, turn.lines, turn.lines, turn.opened.proof == "pass")
    first = "You registered before, and it waits for your answer; one answer is enough."
    _ask_confirmation(turn, contestant, waiting, (first, *said), row)
    return Verdict("answered", "asked to confirm already, and once more")


def _replace_form(turn: Turn, contestant: Contestant, form: registration_form.Form) -> None:
    """Put what a new form says in place of what an earlier one said."""
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
            "Please answer with a line that begins with Name: and your first name after it, or whatever you want to be "
            "called. Two more lines are welcome but not needed: "
            f"{nickname_label(turn.work.config.host.community)}: and Hometown:",
        ),
        services=False,
    )
    send(turn.work, draft, turn.mail.sender, game, purpose="name", answering=turn.answering)
    return "a registration without a name"


def _where(work: Work, game: Game[Any, Any], contestant: Contestant) -> str:
    """Tell somebody who registers that they wait for the game, play it or hold its title already; else nothing."""
    episode = episode_with(work.session, game.slug, contestant.id)
    if episode:
        return f"You are playing already, in episode {episode.code}. Register again when it is over."
    if work.lobby(game.slug).champion_id == contestant.id:
        return "You are the champion: you play the next episode without registering."
    registration = open_registration(work.session, contestant.id, game.slug)
    if registration and registration.state == "waiting":
        return f"You are registered already: place {lobby.place_of(work.session, registration)} in the queue."
    return "You have registered already." if registration else ""


def _already(
    turn: Turn,
    game: Game[Any, Any],
    contestant: Contestant,
    form: registration_form.Form,
    said: tuple[str, ...],
) -> str:
    """Answer who is registered, playing or champion already.

    Who waits corrects by it what they registered with; else nothing changes.
    """
    work = turn.work
    turn.inbound.contestant_id = contestant.id
    where = _where(work, game, contestant)
    said = (*said, *pass_on(work, contestant, turn.lines, turn.lines, turn.opened.proof == "pass"))
    registration = open_registration(work.session, contestant.id, game.slug)
    if registration and registration.state == "unconfirmed":
        _ask_confirmation(turn, contestant, [registration], (where, *said))
        return "already registered, asked to confirm again"
    is_waiting = registration is not None and not episode_with(work.session, game.slug, contestant.id)
    corrected = correct(work, contestant, form) if is_waiting and not turn.opened.is_forged else ()
    lead = (where, *(corrected or ("Nothing was changed.",)), *said)
    draft = Draft(kind="registered", headline="You are registered already", lead=lead)
    send(work, draft, contestant, game, purpose=ANSWER, answering=turn.answering)
    return "registered already"


def _ask_confirmation(
    turn: Turn,
    contestant: Contestant,
    registrations: Sequence[Registration],
    said: tuple[str, ...],
    row: QuestionRow | None = None,
) -> None:
    """One letter asks about all that was registered in one mail. `row`: the question, where it was put before."""
    work, game = turn.work, GAMES[registrations[0].game]
    row = row or open_question(
        work,
        Asking(
            purpose="confirm",
            contestant=contestant,
            within=matchmaking.CONFIRM_WITHIN,
            game=game.slug,
            registration_id=registrations[0].id,
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
    titles = titles_of(registrations)
    draft = Draft(
        kind="confirm",
        headline=f"Confirm your registration for {titles}",
        lead=(
            f"Hello {own_name(work, contestant)}, somebody registered this address for {titles}. I hope it was you!",
            *said,
            f"{as_read(work, contestant)} {HOW} That confirms it too.",
            *second,
        ),
        asks=(ask,),
        tail=("If it was not you, the word no is enough: then you never hear from me again.",),
        services=False,
    )
    send(work, draft, contestant, game, purpose="confirm", questions=[row], answering=turn.answering)


def join_queues(
    work: Work,
    contestant: Contestant,
    registrations: Sequence[Registration],
    answering: Answering,
    said: tuple[str, ...] = (),
    purpose: LetterPurpose = "lobby",
) -> None:
    """Into the queues; where that lets an episode begin, its first letter is the answer."""
    contestant.confirmed_at = contestant.confirmed_at or work.now
    for each in registrations:
        each.state, each.queued_at = "waiting", answering.inbound.arrived_at
    waiting = [each for each in registrations if contestant.id not in lobby.plan(work, GAMES[each.game]).begin]
    if not waiting:
        return
    places = [lobby.place_of(work.session, each) for each in waiting]
    told: list[str] = []
    for each, place in zip(waiting, places, strict=True):
        game = GAMES[each.game]
        queue = "the queue" if len(waiting) == 1 else f"the queue of {game.title}"
        told += [
            f"You are number {place} in {queue}. An episode begins with {work.services.seats(game)} contestants, the "
            "champion among them where there is one. You need not do anything; the first letter comes by itself.",
            game.summary,
        ]
    is_one = len(waiting) == 1
    draft = Draft(
        kind="registered",
        headline=f"You are in: place {places[0]} in the queue" if is_one else f"You are in: {titles_of(waiting)}",
        lead=(
            f"Welcome to {titles_of(waiting)}, {own_name(work, contestant)}! That is what the others will call you.",
            *why_not_so(work, contestant),
            *said,
            *told,
        ),
    )
    send(work, draft, contestant, GAMES[waiting[0].game], purpose=purpose, answering=answering)
