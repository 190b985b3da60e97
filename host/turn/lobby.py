"""Shell: the lobby of a game. In: who is registered, who is champion. Out: `ready` mails, and episodes that begin.

Called after everything that may let an episode begin; it does nothing where none can.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from host.game import Game
from host.games import GAMES
from host.mail.render import Draft
from host.play import lobby
from host.store.episodes import episode_with, open_questions, running_episodes
from host.store.people import contestant_of_id, lobby_of, queue_of, registrations_of
from host.store.schema import Contestant, Lobby, Question, Registration
from host.store.store import Session
from host.turn import changing
from host.turn.house import House
from host.turn.letters import Answering, open_question, plain_ask, send
from host.turn.telling import Told, tell_everyone


def place_of(session: Session, registration: Registration) -> int:
    """A registration's place in the queue, from 1."""
    return next(
        (at for at, each in enumerate(queue_of(session, registration.game), 1) if each.id == registration.id), 0
    )


def plan(session: Session, house: House, game: Game[Any, Any], now: datetime) -> lobby.Plan:
    """What the lobby of a game would do now."""
    row = lobby_of(session, game.slug)
    settings = house.settings(game.slug)
    held = row.hold_until is not None and row.hold_until > now
    full = len(running_episodes(session, game.slug)) >= settings.tables
    if game.slug not in house.config.games or held or full or (settings.start == "host" and not row.begin_requested):
        return lobby.Plan()
    queue = _queue(session, game.slug, row)
    seats = house.seats(game)
    if row.begin_requested:
        present = len([each for each in queue if not each.passed])
        seats = max((count for count in game.seats if count <= max(present, min(game.seats))), default=min(game.seats))
    return lobby.plan(queue, seats, now)


def _queue(session: Session, slug: str, row: Lobby) -> list[lobby.Waiting]:
    asked = {question.contestant_id for question in open_questions(session, purpose="ready", game=slug)}
    queue: list[lobby.Waiting] = []
    for each in queue_of(session, slug):
        passed = _is_passed_over(each) and not row.begin_requested
        is_asked = each.contestant_id in asked
        queue.append(lobby.Waiting(each.contestant_id, each.contestant.wrote_at, is_asked, passed))
    champion = row.champion
    if champion and not episode_with(session, slug, champion.id):
        queue = [each for each in queue if each.contestant != champion.id]
        queue.insert(0, lobby.Waiting(champion.id, champion.wrote_at, champion.id in asked))
    return queue


def _is_passed_over(registration: Registration) -> bool:
    """Silent when last asked to be ready, and not heard of since."""
    return registration.passed_at is not None and registration.contestant.wrote_at < registration.passed_at


def run(session: Session, house: House, game: Game[Any, Any], now: datetime) -> bool:
    """Begin an episode or ask who has been quiet, where that is due. Says whether anything was done."""
    step = plan(session, house, game, now)
    for contestant_id in step.ask:
        _ask_ready(session, house, game, _contestant(session, contestant_id), now)
    if step.begin:
        _begin(session, house, game, [_contestant(session, each) for each in step.begin], now)
    return bool(step.begin or step.ask)


def _contestant(session: Session, contestant_id: int) -> Contestant:
    found = contestant_of_id(session, contestant_id)
    if found is None:
        raise LookupError(f"contestant {contestant_id} is gone")
    return found


def _begin(
    session: Session, house: House, game: Game[Any, Any], contestants: Sequence[Contestant], now: datetime
) -> None:
    lobby_of(session, game.slug).begin_requested = False
    for registration in queue_of(session, game.slug):
        if registration.contestant_id in {each.id for each in contestants}:
            registration.state = "playing"
    play, opened = changing.create(session, house, game, contestants, now)
    tell_everyone(session, house, play, opened, Told(is_beginning=True), now)


def _ask_ready(session: Session, house: House, game: Game[Any, Any], contestant: Contestant, now: datetime) -> None:
    row = open_question(
        session, house, now, purpose="ready", contestant=contestant, within=lobby.READY_WITHIN, game=game.slug
    )
    is_champion = lobby_of(session, game.slug).champion_id == contestant.id
    silence = (
        "If nothing comes by then, you step down as champion."
        if is_champion
        else "If nothing comes by then, you go to the end of the queue."
    )
    ask = plain_ask(
        "Are you there?",
        f"The next episode of {game.title} can begin with you, and I have not heard from you for a while. Are you "
        "ready to play?",
        "ready",
        "I am ready",
        row,
        silence,
    )
    draft = Draft(
        kind="ready",
        headline=f"Ready for {game.title}, {contestant.called}?",
        preheader="The next episode waits for your word.",
        asks=(ask,),
    )
    send(session, house, draft, now, contestant=contestant, purpose="ready", game=game, questions=[row])


def missed_ready(session: Session, house: House, game: Game[Any, Any], row: Question, now: datetime) -> None:
    """A `ready` mail was not answered: the champion steps down, a contestant goes to the end of the queue."""
    contestant = _contestant(session, row.contestant_id)
    seat = lobby_of(session, game.slug)
    if seat.champion_id == contestant.id:
        step_down(session, game.slug)
        lead = (
            "You did not answer in time, so you are champion no longer.",
            "What you have won stays yours. You can register again like anybody else.",
        )
        draft = Draft(kind="registered", headline="You stepped down as champion", lead=lead)
        send(session, house, draft, now, contestant=contestant, game=game)
        return
    for registration in queue_of(session, game.slug):
        if registration.contestant_id == contestant.id:
            registration.queued_at = registration.passed_at = now
            session.flush()
            draft = Draft(
                kind="registered",
                headline="You moved to the end of the queue",
                lead=(
                    f"Nothing came from you in time, so others play {game.title} first. You keep a place at the end "
                    "of the queue; write anything in reply whenever you are back.",
                ),
            )
            send(session, house, draft, now, contestant=contestant, game=game)


def step_down(session: Session, slug: str) -> None:
    """The champion retires; the next episode begins without one."""
    row = lobby_of(session, slug)
    row.champion_id, row.champion, row.champion_wins = None, None, 0
    session.flush()


def welcome_back(session: Session, house: House, contestant: Contestant, now: datetime, answering: Answering) -> bool:
    """Somebody who was passed over writes: they are in line again. False where they were not."""
    back = [each for each in registrations_of(session, contestant.id, ("waiting",)) if each.passed_at is not None]
    for registration in back:
        registration.passed_at = None
        game = GAMES[registration.game]
        session.flush()
        if not run(session, house, game, now):
            place = place_of(session, registration)
            lead = (f"Good to hear from you! You are number {place} in the queue of {game.title}.",)
            draft = Draft(kind="registered", headline="You are in line again", lead=lead)
            send(session, house, draft, now, contestant=contestant, game=game, answering=answering)
    return bool(back)
