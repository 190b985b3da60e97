"""Shell: registration and what a contestant may say outside of play. In: a mail. Out: a place in a queue, letters."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from host.game import Game
from host.games import GAMES
from host.mail.render import Draft
from host.play import lobby as rules
from host.play.names import called
from host.store.episodes import episode_with, open_questions
from host.store.people import contestant_of_address, is_called, lobby_of, open_registration, registrations_of
from host.store.schema import Contestant, Question, Registration
from host.store.store import Session
from host.turn import lobby
from host.turn.house import House, close_question
from host.turn.letters import Answering, open_question, plain_ask, send


@dataclass(frozen=True)
class Request:
    """What a subject asks to register for: a game that is offered, or none of them."""

    game: Game[Any, Any] | None


def request_in(house: House, subject: str) -> Request | None:
    """Is this the subject of a registration (case, white space and `Re:` do not matter)? None if not."""
    squeezed = "".join(words_of(subject))
    for slug, game in GAMES.items():
        if "".join(words_of(game.subject)) in squeezed:
            return Request(game if slug in house.config.games else None)
    return None


def words_of(text: str) -> Sequence[str]:
    """The letters and digits of a text, folded, in pieces."""
    return "".join(each if each.isalnum() else " " for each in text.casefold()).split()


def not_offered(session: Session, house: House, answering: Answering, now: datetime) -> str:
    """Answer a registration for a game that this host does not offer."""
    offered = [GAMES[slug] for slug in house.config.games]
    listing = "; ".join(f"“{game.subject}” for {game.title}" for game in offered) or "none at the moment"
    draft = Draft(
        kind="refused",
        headline="This game is not offered here",
        lead=("Thank you for your registration, but this game is not played here, so nothing was changed.",),
        tail=(f"You can register with one of these subject lines: {listing}.",),
        services=False,
    )
    send(session, house, draft, now, address=answering.mail.sender, answering=answering)
    return "a registration for a game that is not offered"


def register(
    session: Session,
    house: House,
    answering: Answering,
    game: Game[Any, Any],
    lines: Sequence[str],
    now: datetime,
    is_answer: bool = False,
    is_doubtful: bool = False,
) -> str:
    """Register who wrote. Gives a note for the host.

    `is_answer`: the lines answer our question for a name. `is_doubtful`: the sender's authentication failed, so that the
    address is asked to confirm whatever the configuration says.
    """
    mail = answering.mail
    contestant = contestant_of_address(session, mail.sender)
    if contestant:
        known = _already(session, house, answering, game, contestant, now)
        if known:
            return known
    form = rules.read_form(lines)
    if is_answer and not form.name and lines:
        form = rules.Form(lines[0][: rules.MAX_FIELD].strip(), form.nickname, form.hometown)
    name = form.name or (contestant.name if contestant else "") or _display_name(mail.display_name)
    if not name or "@" in name:
        return _ask_name(session, house, answering, game, now)
    if contestant is None:
        contestant = _new_contestant(session, mail.sender, name, form, answering.inbound.arrived_at, now)
    registration = Registration(
        contestant_id=contestant.id,
        contestant=contestant,
        game=game.slug,
        state="unconfirmed",
        created_at=now,
        queued_at=now,
        passed_at=None,
    )
    session.add(registration)
    session.flush()
    answering.inbound.contestant_id = contestant.id
    taken = () if form.name else (f"Your mail named no name, so I took “{name}” from its sender line.",)
    if is_doubtful or (house.config.security.confirm_registration and contestant.confirmed_at is None):
        _ask_confirmation(session, house, game, contestant, registration, now, answering, taken)
        return f"registered for {game.slug}, asked to confirm"
    join_queue(session, house, game, contestant, registration, answering, now, taken)
    return f"registered for {game.slug}"


def _display_name(text: str) -> str:
    return "" if "@" in text else text.strip("'\" ")[: rules.MAX_FIELD]


def _new_contestant(
    session: Session, address: str, name: str, form: rules.Form, wrote_at: datetime, now: datetime
) -> Contestant:
    contestant = Contestant(
        address=address,
        name=name,
        nickname=form.nickname,
        hometown=form.hometown,
        called=called(name, form.nickname, lambda candidate: is_called(session, candidate)),
        created_at=now,
        wrote_at=wrote_at,
        confirmed_at=None,
    )
    session.add(contestant)
    session.flush()
    return contestant


def _ask_name(session: Session, house: House, answering: Answering, game: Game[Any, Any], now: datetime) -> str:
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
    send(session, house, draft, now, address=answering.mail.sender, purpose="name", game=game, answering=answering)
    return "a registration without a name"


def _already(
    session: Session, house: House, answering: Answering, game: Game[Any, Any], contestant: Contestant, now: datetime
) -> str | None:
    """Answer who is registered, playing or champion already; nothing changes."""
    answering.inbound.contestant_id = contestant.id
    registration = open_registration(session, contestant.id, game.slug)
    if registration and registration.state == "unconfirmed":
        _ask_confirmation(
            session, house, game, contestant, registration, now, answering, ("You have registered already.",)
        )
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
    send(session, house, draft, now, contestant=contestant, game=game, answering=answering)
    return "registered already"


def _ask_confirmation(
    session: Session,
    house: House,
    game: Game[Any, Any],
    contestant: Contestant,
    registration: Registration,
    now: datetime,
    answering: Answering,
    said: tuple[str, ...],
) -> None:
    asked = open_questions(session, purpose="confirm", contestant_id=contestant.id, registration_id=registration.id)
    row = next(iter(asked), None)
    if row is None:
        row = open_question(
            session,
            house,
            now,
            purpose="confirm",
            contestant=contestant,
            within=rules.CONFIRM_WITHIN,
            game=game.slug,
            registration_id=registration.id,
        )
    ask = plain_ask(
        "One answer and you are in",
        "To show that this address is yours, answer this mail. Any words will do.",
        "confirm",
        "Confirm my registration",
        row,
        "If nothing comes by then, the registration lapses.",
    )
    draft = Draft(
        kind="confirm",
        headline=f"Confirm your registration for {game.title}",
        lead=(
            f"Hello {contestant.called}, somebody registered this address for {game.title}. I hope it was you!",
            *said,
        ),
        asks=(ask,),
        services=False,
    )
    send(
        session,
        house,
        draft,
        now,
        contestant=contestant,
        purpose="confirm",
        game=game,
        questions=[row],
        answering=answering,
    )


def confirm(session: Session, house: House, answering: Answering, row: Question, now: datetime) -> str:
    """A `confirm` mail was answered: the contestant joins the queue, as of now."""
    close_question(row, "answered", now)
    game = GAMES[row.game]
    registration = session.get_one(Registration, row.registration_id)
    contestant = registration.contestant
    contestant.confirmed_at = contestant.confirmed_at or now
    join_queue(session, house, game, contestant, registration, answering, now)
    return f"confirmed the registration for {game.slug}"


def join_queue(
    session: Session,
    house: House,
    game: Game[Any, Any],
    contestant: Contestant,
    registration: Registration,
    answering: Answering,
    now: datetime,
    said: tuple[str, ...] = (),
) -> None:
    """Into the queue; where that lets the episode begin, its first letter is the answer."""
    registration.state, registration.queued_at = "waiting", answering.inbound.arrived_at
    contestant.confirmed_at = contestant.confirmed_at or now
    session.flush()
    if contestant.id in lobby.plan(session, house, game, now).begin:
        return
    place = lobby.place_of(session, registration)
    needed = house.seats(game)
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
    send(session, house, draft, now, contestant=contestant, game=game, answering=answering)


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


def retire(session: Session, house: House, contestant: Contestant, now: datetime) -> str:
    """`retire`: the champion steps down at once; gives the sentence about it. An episode under way is not touched."""
    thrones = [slug for slug in house.config.games if lobby_of(session, slug).champion_id == contestant.id]
    for slug in thrones:
        for row in open_questions(session, contestant_id=contestant.id, purpose="ready", game=slug):
            close_question(row, "retired", now)
        lobby.step_down(session, slug)
    if not thrones:
        return (
            "Only a champion can retire. To leave a queue, write leave and the game; to leave an episode, write resign."
        )
    return "You retired as champion. Well played! What you have won stays yours."
