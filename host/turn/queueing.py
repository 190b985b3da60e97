"""Shell: who comes into a queue, and who leaves it. In: `again`, `leave`. Out: a place or none, and the sentence about it."""

from host.games import GAMES
from host.play.subjects import words_of
from host.store.episodes import episode_with, open_questions
from host.store.people import open_registration, queue_of, registrations_of
from host.store.schema import Contestant, Registration
from host.turn import lobby
from host.turn.letters import Answering
from host.turn.work import Work


def leave(work: Work, contestant: Contestant, argument: str, game: str) -> str:
    """`leave GAME`: out of its queue at once; gives the sentence about it. Without a name it is the letter's game."""
    slug = named_game(argument) or game
    queued = registrations_of(work.session, contestant.id, ("waiting", "unconfirmed"))
    chosen = [each for each in queued if each.game == slug] if slug else list(queued)
    if not chosen and any(work.lobby(each).champion_id == contestant.id for each in work.config.games):
        return "You are in no queue, as the champion plays without registering. To step down for good, write retire."
    if not chosen:
        return "You are in no queue, so there is nothing to leave. To leave an episode that is under way, write resign."
    for each in chosen:
        each.state = "left"
        for row in open_questions(work.session, contestant_id=contestant.id, game=each.game):
            if row.purpose in ("ready", "confirm"):
                work.close_question(row, "left")
    return f"You left the queue of {' and '.join(GAMES[each.game].title for each in chosen)}. Come back any time!"


def named_game(argument: str) -> str:
    """The slug of the game that a title, slug or code names; or nothing."""
    wanted = "".join(words_of(argument.removeprefix("the ")))
    for slug, game in GAMES.items():
        if wanted and wanted in ("".join(words_of(game.title)), "".join(words_of(slug)), game.code.lower()):
            return slug
    return ""


def again(work: Work, contestant: Contestant, argument: str, slug: str, answering: Answering) -> str:
    """`again`: into the queue of the letter's game, as a registration would; gives the sentence about it.

    It is empty where an episode begins at once: its first letter tells of it. Who answers a letter need not confirm.
    """
    game = GAMES.get(named_game(argument) or slug)
    if game is None or game.slug not in work.config.games:
        return "To play again, reply with again to a letter of the game, or write to me with the subject that was announced."
    if contestant.confirmed_at is None:
        return f"Confirm your registration first; then you have your place in the queue of {game.title}."
    registration = open_registration(work.session, contestant.id, game.slug)
    episode = episode_with(work.session, game.slug, contestant.id)
    if episode:
        return f"You are playing {game.title} already, in episode {episode.code}. Write again when it is over."
    if work.lobby(game.slug).champion_id == contestant.id:
        return f"You are the champion of {game.title}: you play the next episode without registering."
    if registration and registration.state == "waiting":
        return f"You are registered already: place {lobby.place_of(work.session, registration)} in the queue of {game.title}."
    if registration:
        return f"Your registration for {game.title} waits to be confirmed: answer the letter that asked."
    registration = Registration(
        contestant_id=contestant.id,
        contestant=contestant,
        game=game.slug,
        state="waiting",
        created_at=work.now,
        queued_at=answering.inbound.arrived_at,
        passed_at=None,
    )
    work.save(registration)
    if contestant.id in lobby.plan(work, game).begin:
        lobby.run(work, game)
        return ""
    lobby.run(work, game)
    return f"You are in again: number {lobby.place_of(work.session, registration)} in the queue of {game.title}."


def what_it_waits_for(work: Work, slug: str) -> str:
    """When the next episode of a game begins, as far as that is known."""
    row, settings = work.lobby(slug), work.services.settings(slug)
    needed = work.services.seats(GAMES[slug])
    waiting = len(queue_of(work.session, slug, needed)) + (row.champion_id is not None)
    if row.running >= settings.tables:
        return "The next episode begins when the one that is being played is over and enough contestants wait."
    if settings.start == "host":
        return "The host says when the next episode begins."
    if waiting < needed:
        return f"The next episode begins with {needed} contestants; {needed - waiting} more must register."
    return "The next episode begins as soon as those who were asked whether they are ready have answered."
