"""Shell: who leaves. In: `leave` or `retire`. Out: a queue or, after a question, a title given up; the sentence about it."""

from host.games import GAMES
from host.mail.outbound.draft import Draft
from host.play.subjects import words_of
from host.store.episodes import open_questions
from host.store.people import registrations_of
from host.store.schema import Contestant, QuestionRow
from host.turn import lobby
from host.turn.letters import Answering, Asking, open_question, plain_ask, send
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


def ask_retire(work: Work, contestant: Contestant, game: str, answering: Answering, lead: tuple[str, ...] = ()) -> str:
    """`retire`: a letter asks the champion of the game, or of the first that they are champion of; else why nothing is asked."""
    thrones = [slug for slug in work.config.games if work.lobby(slug).champion_id == contestant.id]
    if not thrones:
        return (
            "Only a champion can retire. To leave a queue, write leave and the game; to leave an episode, write resign."
        )
    slug = game if game in thrones else thrones[0]
    title, wins = GAMES[slug].title, work.lobby(slug).champion_wins
    row = next(iter(open_questions(work.session, contestant_id=contestant.id, purpose="retire", game=slug)), None)
    row = row or open_question(work, Asking("retire", contestant, within=None, game=slug))
    ask = plain_ask(
        f"You are the champion of {title}, with {wins} {'episode' if wins == 1 else 'episodes in a row'} won. If you retire, "
        "you are champion no longer: the next episode begins without you, and you register like anybody else. What you have "
        "won stays yours.",
        [("retire yes", "Yes, I retire"), ("no", "No, I stay")],
        row,
        "Without an answer you stay champion.",
    )
    draft = Draft(
        kind="help", headline="Do you really want to give up the title?", lead=lead, asks=(ask,), services=False
    )
    send(work, draft, contestant, GAMES[slug], purpose="retire", questions=[row], answering=answering)
    return ""


def retire(work: Work, row: QuestionRow, contestant: Contestant) -> str:
    """The champion said yes and steps down; gives the sentence about it. An episode under way is not touched."""
    work.close_question(row, "yes")
    if work.lobby(row.game).champion_id != contestant.id:
        return f"You are not the champion of {GAMES[row.game].title} any more."
    for each in open_questions(work.session, contestant_id=contestant.id, purpose="ready", game=row.game):
        work.close_question(each, "retired")
    lobby.step_down(work, row.game)
    lobby.run(work, GAMES[row.game])
    return "You retired as champion. Well played! What you have won stays yours."
