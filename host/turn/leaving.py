"""Shell: who leaves. In: `leave` or `retire`. Out: a queue or a throne given up, and the sentence about it."""

from host.games import GAMES
from host.play.subjects import words_of
from host.store.episodes import open_questions
from host.store.people import registrations_of
from host.store.schema import Contestant
from host.turn import lobby
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


def retire(work: Work, contestant: Contestant) -> str:
    """`retire`: the champion steps down at once; gives the sentence about it. An episode under way is not touched."""
    thrones = [slug for slug in work.config.games if work.lobby(slug).champion_id == contestant.id]
    for slug in thrones:
        for row in open_questions(work.session, contestant_id=contestant.id, purpose="ready", game=slug):
            work.close_question(row, "retired")
        lobby.step_down(work, slug)
    if not thrones:
        return (
            "Only a champion can retire. To leave a queue, write leave and the game; to leave an episode, write resign."
        )
    return "You retired as champion. Well played! What you have won stays yours."
