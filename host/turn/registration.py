"""Shell: registration and what a contestant may say outside of play. In: a mail. Out: a place in a queue, letters.

Anybody can register in anybody's name. So one letter asks an address, the form that came last counts until its owner has
answered, only so many registrations are answered, and nothing is kept of those that come to nothing.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from host.engine.game import Game
from host.games import GAMES
from host.mail.outbound.draft import Draft
from host.play import matchmaking as rules
from host.play.interpret import says_no
from host.play.names import called
from host.store.database import Session
from host.store.episodes import episode_with, open_questions
from host.store.letters import (
    count_deferred,
    count_letters_for,
    count_registrations,
    deferred_mails,
    is_full,
    mails_waiting_for,
)
from host.store.people import (
    contestant_of_address,
    decline,
    forget,
    has_played,
    is_called,
    is_declined,
    lobby_of,
    open_registration,
    registered_at,
    registrations_of,
    take_back,
    undo_decline,
)
from host.store.schema import Contestant, Letter, QuestionRow, Registration
from host.turn import alerts, lobby
from host.turn.incoming import Turn
from host.turn.letters import Answering, open_question, plain_ask, send
from host.turn.services import Services, close_question

ANSWER = "registration"
"""The purpose of a letter that answers a registration, and asks nothing."""
FAILED_SHARE = 6
"""Of the registrations that are answered in an hour, every so-manieth may be of a sender whose check failed."""
MOST_DEFERRED = 3
"""Registrations of one address that wait to be answered."""
LONGEST_WAIT = 48
"""Hours for which a registration may wait to be answered: a flood is not kept for weeks."""
LOOKED_AT = 100
"""Registrations that wait, of which it is looked at once whether they may be answered."""


@dataclass(frozen=True)
class Request:
    """What a subject asks to register for: a game that is offered, or none of them."""

    game: Game[Any, Any] | None


def request_in(services: Services, subject: str) -> Request | None:
    """Is this the subject of a registration (case, white space and `Re:` do not matter)? None if not."""
    squeezed = "".join(words_of(subject))
    for slug, game in GAMES.items():
        if "".join(words_of(game.subject)) in squeezed:
            return Request(game if slug in services.config.games else None)
    return None


def words_of(text: str) -> Sequence[str]:
    """The letters and digits of a text, folded, in pieces."""
    return "".join(each if each.isalnum() else " " for each in text.casefold()).split()


def not_offered(turn: Turn) -> tuple[str, str]:
    """Answer a registration for a game that this host does not offer."""
    offered = [GAMES[slug] for slug in turn.services.config.games]
    listing = "; ".join(f"“{game.subject}” for {game.title}" for game in offered) or "none at the moment"
    draft = Draft(
        kind="refused",
        headline="This game is not offered here",
        lead=("Thank you for your registration, but this game is not played here, so nothing was changed.",),
        tail=(f"You can register with one of these subject lines: {listing}.",),
        services=False,
    )
    why = "" if not is_declined(turn.session, turn.mail.sender) else "its owner declined"
    why = why or _must_wait(turn, registered_at(turn.session, turn.mail.sender))
    if why:
        return "refused", f"a registration for a game that is not offered; not answered: {why}"
    send(
        turn.session,
        turn.services,
        draft,
        turn.now,
        address=turn.mail.sender,
        purpose=ANSWER,
        answering=turn.answering,
    )
    return "refused", "a registration for a game that is not offered"


def register(turn: Turn, game: Game[Any, Any], lines: Sequence[str], is_answer: bool = False) -> tuple[str, str]:
    """Register who wrote. Gives the mail's state and a note for the host.

    `is_answer`: the lines answer our question for a name, which proves that the sender reads what is written to them. Of
    anybody else only so many are answered, since they may write in another's name; the rest is deferred.
    """
    session = turn.session
    contestant = registered_at(session, turn.mail.sender)
    form = _form(lines, is_answer)
    if is_declined(session, turn.mail.sender):
        if not is_answer and turn.opened.proof != "pass":
            return _declined(turn)
        undo_decline(session, turn.mail.sender)
    asked = open_questions(session, purpose="confirm", contestant_id=contestant.id) if contestant else ()
    if contestant and asked:
        return _asked_already(turn, game, contestant, [row.game for row in asked], form)
    why = "" if is_answer else _must_wait(turn, contestant)
    if why:
        return _defer(turn, why)
    known = _already(turn, game, contestant) if contestant else None
    return ("answered", known or _register(turn, game, contestant, form))


def _declined(turn: Turn) -> tuple[str, str]:
    """Whoever said no is not written to; the operators hear of it, since they may know that it is meant."""
    address = turn.mail.sender
    text = (
        f"A registration came in the name of {address}, whose owner answered an earlier one with no. It was not answered: "
        "anybody may have written it. If they want to play, let them answer that earlier letter."
    )
    alerts.alert(turn.session, turn.services, turn.now, "Somebody who said no registers", text, cause="declined")
    return "silent", "not answered: the owner of this address said that they do not register"


def _form(lines: Sequence[str], is_answer: bool) -> rules.Form:
    form = rules.read_form(lines)
    if is_answer and not form.name and lines:
        return replace(form, name=lines[0][: rules.MAX_FIELD].strip())
    return form


def _register(turn: Turn, game: Game[Any, Any], contestant: Contestant | None, form: rules.Form) -> str:
    session, services, now, mail = turn.session, turn.services, turn.now, turn.mail
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
        created_at=now,
        queued_at=now,
        passed_at=None,
    )
    is_to_confirm = _is_to_confirm(turn, contestant, game)
    session.add(registration)
    session.flush()
    turn.inbound.contestant_id = contestant.id
    taken = () if form.name else (f"Your mail named no name, so I took “{name}” from its sender line.",)
    if is_to_confirm:
        _ask_confirmation(turn, game, contestant, registration, taken)
        return f"registered for {game.slug}, asked to confirm"
    join_queue(session, services, game, contestant, registration, turn.answering, now, taken, ANSWER)
    return f"registered for {game.slug}"


def _is_to_confirm(turn: Turn, contestant: Contestant, game: Game[Any, Any]) -> bool:
    """Has the address to answer first? Where the check of the sender failed, or it is somebody's second one, always.

    Else where the host wants that: who is new here, and who was never in the queue of this game.
    """
    session, proof = turn.session, turn.opened.proof
    owner = contestant_of_address(session, contestant.address)
    if proof == "fail" or (owner is not None and owner.id != contestant.id):
        return True
    if not turn.services.config.security.confirm_registration:
        return False
    return contestant.confirmed_at is None or (proof != "pass" and not has_played(session, contestant.id, game.slug))


def _must_wait(turn: Turn, contestant: Contestant | None) -> str:
    """Why a registration cannot be answered now; nothing where it can. The operators hear of it when all have to wait."""
    session, now, security = turn.session, turn.now, turn.services.config.security
    day, hour = now - timedelta(days=1), now - timedelta(hours=1)
    if count_registrations(session, day, now, address=turn.mail.sender) >= security.registrations_a_day:
        return "this address had as many answers today as it gets"
    if contestant and contestant.confirmed_at is not None:
        return ""
    most = security.registrations_an_hour
    if count_registrations(session, hour, now) >= most:
        text = (
            f"More than {most} registrations came within an hour. The rest is answered when the hour is over, so many an "
            "hour; episodes go on as always. If these are people you expect, raise [security] registrations_an_hour."
        )
        alerts.alert(session, turn.services, now, "Many registrations", text, cause="registrations")
        return "too many registrations this hour"
    if turn.opened.is_forged and count_registrations(session, hour, now, proof="fail") >= max(1, most // FAILED_SHARE):
        return "too many registrations this hour whose senders could not be authenticated"
    return ""


def _defer(turn: Turn, why: str) -> tuple[str, str]:
    if count_deferred(turn.session, turn.mail.sender) >= MOST_DEFERRED:
        return "refused", f"not answered: {why}, and {MOST_DEFERRED} mails of it wait already"
    most = LONGEST_WAIT * turn.services.config.security.registrations_an_hour
    if is_full(turn.session, most):
        return "refused", f"not answered: {why}, and {most} registrations wait already"
    return "deferred", f"waits: {why}"


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
                row.state, row.note, row.content_key = "new", "", None
                taken += 1
    return taken


def _asked_already(
    turn: Turn, game: Game[Any, Any], contestant: Contestant, games: Collection[str], form: rules.Form
) -> tuple[str, str]:
    """One letter asks an address at a time. The last form counts, as nobody knows yet who wrote which."""
    if contestant.confirmed_at is None:
        _replace_form(turn, contestant, form)
    if game.slug not in games:
        state, note = _defer(turn, "the address has not answered yet whether it registered for another game")
        return ("waiting" if state == "deferred" else state), note
    turn.inbound.contestant_id = contestant.id
    return "answered", "asked to confirm already, so not asked again"


def _replace_form(turn: Turn, contestant: Contestant, form: rules.Form) -> None:
    """What a new form says goes in place of what an earlier one said."""
    name = form.name or contestant.name
    if "@" in name or not (form.name or form.nickname or form.hometown):
        return
    contestant.name, contestant.nickname, contestant.hometown = name, form.nickname, form.hometown
    contestant.called = _called(turn, name, form.nickname, contestant)


def _called(turn: Turn, name: str, nickname: str, but_for: Contestant | None = None) -> str:
    own = but_for.called.lower() if but_for else None

    def is_taken(candidate: str) -> bool:
        return candidate.lower() != own and is_called(turn.session, candidate)

    return called(name, nickname, is_taken, turn.services.config.host.name)


def _display_name(text: str) -> str:
    return "" if "@" in text else text.strip("'\" ")[: rules.MAX_FIELD]


def _new_contestant(turn: Turn, name: str, form: rules.Form) -> Contestant:
    contestant = Contestant(
        address=turn.mail.sender,
        name=name,
        nickname=form.nickname,
        hometown=form.hometown,
        called=_called(turn, name, form.nickname),
        created_at=turn.now,
        wrote_at=turn.inbound.arrived_at,
        confirmed_at=None,
    )
    turn.session.add(contestant)
    turn.session.flush()
    return contestant


def _ask_name(turn: Turn, game: Game[Any, Any]) -> str:
    if count_letters_for(turn.session, turn.mail.sender, "name", turn.now - rules.CONFIRM_WITHIN, turn.now):
        return "a registration without a name; asked for it already"
    draft = Draft(
        kind="refused",
        headline="What is your name?",
        lead=(
            f"Thank you for wanting to play {game.title}! I could not find a name in your mail, so nothing was "
            "changed yet.",
            "Please answer with a line that begins with Name: and your first and last name after it. Two more lines "
            "are welcome but not needed: Name you go by at TGSF: and Hometown:",
        ),
        services=False,
    )
    send(
        turn.session,
        turn.services,
        draft,
        turn.now,
        address=turn.mail.sender,
        purpose="name",
        game=game,
        answering=turn.answering,
    )
    return "a registration without a name"


def _already(turn: Turn, game: Game[Any, Any], contestant: Contestant) -> str | None:
    """Answer who is registered, playing or champion already; nothing changes. None for who is not."""
    session, services = turn.session, turn.services
    turn.inbound.contestant_id = contestant.id
    registration = open_registration(session, contestant.id, game.slug)
    if registration and registration.state == "unconfirmed":
        _ask_confirmation(turn, game, contestant, registration, ("You have registered already.",))
        return "already registered, asked to confirm again"
    episode = episode_with(session, game.slug, contestant.id)
    if episode:
        where = f"You are playing already, in episode {episode.code}. Register again when it is over."
    elif lobby_of(session, game.slug).champion_id == contestant.id:
        where = "You are the champion: you play the next episode without registering."
    elif registration:
        where = f"You are registered already: place {lobby.place_of(session, registration)} in the queue."
    else:
        return None
    draft = Draft(kind="registered", headline="You are registered already", lead=(where, "Nothing was changed."))
    send(
        session,
        services,
        draft,
        turn.now,
        contestant=contestant,
        purpose=ANSWER,
        game=game,
        answering=turn.answering,
    )
    return "registered already"


def _ask_confirmation(
    turn: Turn,
    game: Game[Any, Any],
    contestant: Contestant,
    registration: Registration,
    said: tuple[str, ...],
) -> None:
    session, services, now = turn.session, turn.services, turn.now
    row = open_question(
        session,
        services,
        now,
        purpose="confirm",
        contestant=contestant,
        within=rules.CONFIRM_WITHIN,
        game=game.slug,
        registration_id=registration.id,
    )
    ask = plain_ask(
        "One answer and you are in",
        "To show that this address is yours and that you want to play, answer this mail.",
        [("confirm", "Confirm my registration"), ("no", "No, that was not me")],
        row,
        "If nothing comes by then, the registration lapses.",
    )
    owner = contestant_of_address(session, contestant.address)
    second = (
        ("At present this is a second address of another contestant. Confirming makes it yours alone.",)
        if owner is not None and owner.id != contestant.id
        else ()
    )
    draft = Draft(
        kind="confirm",
        headline=f"Confirm your registration for {game.title}",
        lead=(
            f"Hello {contestant.called}, somebody registered this address for {game.title}. I hope it was you!",
            *said,
            _as_read(contestant),
            *second,
        ),
        asks=(ask,),
        tail=("If it was not you, the word no is enough: then you never hear from me again.",),
        services=False,
    )
    send(
        session,
        services,
        draft,
        now,
        contestant=contestant,
        purpose="confirm",
        game=game,
        questions=[row],
        answering=turn.answering,
    )


def _as_read(contestant: Contestant) -> str:
    """What a form said, as it was read."""
    fields = {"Name": contestant.name, "Nickname": contestant.nickname, "Hometown": contestant.hometown}
    read = "; ".join(f"{label}: {value or 'none'}" for label, value in fields.items())
    return f"I read: {read}. Others will call you {contestant.called}."


def confirm(turn: Turn, row: QuestionRow) -> str:
    """A `confirm` mail was answered: the contestant joins the queue, as of now."""
    session, now = turn.session, turn.now
    close_question(row, "answered", now)
    game = GAMES[row.game]
    registration = session.get_one(Registration, row.registration_id)
    contestant = registration.contestant
    for other in mails_waiting_for(session, contestant.address):
        other.state, other.content_key = "deferred", None
    if contestant.confirmed_at is None:
        take_back(session, contestant.address)
        contestant.confirmed_at = now
    join_queue(session, turn.services, game, contestant, registration, turn.answering, now)
    return f"confirmed the registration for {game.slug}"


def refuse(turn: Turn, row: QuestionRow, contestant: Contestant) -> str:
    """A `confirm` mail was answered with a no: nothing is left of the registration.

    Who is new here is not written to again; a contestant, who was asked about one more game, hears that all is as before.
    """
    session, now, game = turn.session, turn.now, GAMES[row.game]
    address = contestant.address
    if lapse(session, row, "no", now):
        decline(session, address, now)
        return "said that they did not register; not written to again"
    lead = (f"You are not registered for {game.title}. Nothing else was changed.",)
    draft = Draft(kind="help", headline="Not registered", lead=lead)
    send(session, turn.services, draft, now, contestant=contestant, game=game, answering=turn.answering)
    return f"did not want to register for {game.slug}"


def lapse(session: Session, row: QuestionRow, outcome: str, now: datetime) -> bool:
    """A registration comes to nothing. Was that all there is of its contestant? Then nothing of them is kept."""
    close_question(row, outcome, now)
    registration = session.get_one(Registration, row.registration_id)
    registration.state = "expired"
    contestant = registration.contestant
    for other in mails_waiting_for(session, contestant.address):
        other.state, other.note, other.raw = "refused", "the registration before it was not confirmed", None
    if contestant.confirmed_at is not None:
        return False
    forget(session, contestant)
    return True


def leave_in_peace(turn: Turn, letter: Letter) -> str:
    """A no to a letter that answered a registration in somebody's name: the address gets nothing more."""
    decline(turn.session, letter.address, turn.now)
    return "said that they did not register; not written to again"


def too_late(turn: Turn, letter: Letter) -> tuple[str, str]:
    """An answer to a `confirm` mail whose registration is gone: say how to register anew; to a no, nothing more."""
    session, now, game = turn.session, turn.now, GAMES[letter.game]
    if says_no(turn.lines):
        return "silent", leave_in_peace(turn, letter)
    if turn.is_capped(letter.address):
        return "refused", "not answered: too many answers this hour"
    undo_decline(session, letter.address)
    lead = (
        "That registration is over: it was answered with no, or not in time. To register anew, write to me with the "
        f"subject “{game.subject}”.",
    )
    draft = Draft(kind="refused", headline="That registration is over", lead=lead, services=False)
    send(session, turn.services, draft, now, address=letter.address, game=game, answering=turn.answering)
    return "refused", "answered a registration that is over"


def join_queue(
    session: Session,
    services: Services,
    game: Game[Any, Any],
    contestant: Contestant,
    registration: Registration,
    answering: Answering,
    now: datetime,
    said: tuple[str, ...] = (),
    purpose: str = "lobby",
) -> None:
    """Into the queue; where that lets the episode begin, its first letter is the answer."""
    registration.state, registration.queued_at = "waiting", answering.inbound.arrived_at
    contestant.confirmed_at = contestant.confirmed_at or now
    session.flush()
    if contestant.id in lobby.plan(session, services, game, now).begin:
        return
    place = lobby.place_of(session, registration)
    needed = services.seats(game)
    draft = Draft(
        kind="registered",
        headline=f"You are in: place {place} in the queue",
        lead=(
            f"Welcome to {game.title}, {contestant.called}! That is what the others will call you.",
            *said,
            f"You are number {place} in the queue. An episode begins with {needed} contestants, the champion among "
            "them where there is one. You need not do anything; the first letter comes by itself.",
            game.summary,
        ),
    )
    send(session, services, draft, now, contestant=contestant, purpose=purpose, game=game, answering=answering)


def leave(session: Session, contestant: Contestant, argument: str, game: str, now: datetime) -> str:
    """`leave GAME`: out of its queue at once; gives the sentence about it. Without a name it is the letter's game."""
    slug = _named_game(argument) or game
    queued = registrations_of(session, contestant.id, ("waiting", "unconfirmed"))
    chosen = [each for each in queued if each.game == slug] if slug else list(queued)
    if not chosen:
        return "You are in no queue, so there is nothing to leave. To leave an episode that is under way, write resign."
    for each in chosen:
        each.state = "left"
        for row in open_questions(session, contestant_id=contestant.id, game=each.game):
            if row.purpose in ("ready", "confirm"):
                close_question(row, "left", now)
    session.flush()
    return f"You left the queue of {' and '.join(GAMES[each.game].title for each in chosen)}. Come back any time!"


def _named_game(argument: str) -> str:
    wanted = "".join(words_of(argument.removeprefix("the ")))
    for slug, game in GAMES.items():
        if wanted and wanted in ("".join(words_of(game.title)), "".join(words_of(slug)), game.code.lower()):
            return slug
    return ""


def retire(session: Session, services: Services, contestant: Contestant, now: datetime) -> str:
    """`retire`: the champion steps down at once; gives the sentence about it. An episode under way is not touched."""
    thrones = [slug for slug in services.config.games if lobby_of(session, slug).champion_id == contestant.id]
    for slug in thrones:
        for row in open_questions(session, contestant_id=contestant.id, purpose="ready", game=slug):
            close_question(row, "retired", now)
        lobby.step_down(session, slug)
    if not thrones:
        return (
            "Only a champion can retire. To leave a queue, write leave and the game; to leave an episode, write resign."
        )
    return "You retired as champion. Well played! What you have won stays yours."
