"""Shell: a seat that somebody else takes over. In: `take over CC-12`, the host's wish, answers. Out: letters, another in a seat.

The host names who is to play on in whose place; the one who is to take the seat has to say yes, and of the others nobody no. Then
the seat is theirs from its first card on, under their name, in the record too, as if they had sat in it from the beginning.
"""

from collections.abc import Callable, Mapping
from datetime import timedelta

from host.club import lobby
from host.club.company import coded
from host.engine.game import Choice
from host.mail.outbound.draft import Ask
from host.mail.outbound.formatting import listed
from host.play.agreement import says_no, says_yes
from host.play.names import at_table
from host.play.services import Service
from host.store.company import questions_about, rename_in_record, watchers_of
from host.store.episodes import episode_known_to, episode_of_code, episode_with
from host.store.roster import barred
from host.store.schema import Contestant, QuestionRow, Seat
from host.table.clocks import close, open_question, reconcile_questions
from host.table.letters import alert, plain_ask, write
from host.table.notify import repeat_questions
from host.table.play import Play, load_play
from host.table.served import Request, Served
from host.table.work import Reply, Verdict, Work

WITHIN = timedelta(days=1)
"""How long those who are asked have for their answers."""
TAKEN_BACK = "take the forfeit back first with podium back"


def _take_over(request: Request) -> Served:
    """Somebody would play on for whoever has left: the host, who knows whether anybody has, gets a button for each seat."""
    work, contestant = request.work, request.contestant
    code = coded(request)
    episode = episode_known_to(work.session, code, contestant.id)
    if episode is None:
        return Served((f"There is no episode {code}: write take over and a code, such as take over CC-12.",))
    play = load_play(episode)
    open_to = [each for each in episode.seats if not why_not(work, play, each, contestant)]
    if not open_to:
        return Served((why_not(work, play, episode.seats[0], contestant),))
    commands = [f"seat {code} {each.name} {contestant.address}" for each in open_to]
    choices = tuple(
        Choice((command,), f"In the place of {each.name}", command, command)
        for each, command in zip(open_to, commands, strict=True)
    )
    ask = Ask("Has somebody left, and may they? Those who play on are asked, too.", choices)
    told = f"{contestant.called} would take over a seat in {code}."
    alert(work, told.rstrip("."), told, play, asks=(ask,), cause=f"take over {code} {contestant.id}")
    return Served(("The host hears of it, and decides whether a seat is free. You are asked before anything changes.",))


def why_not(work: Work, play: Play, seat: Seat, contestant: Contestant) -> str:
    """Says why somebody cannot take a seat over; empty where they can."""
    code = play.episode.code
    if play.episode.over_at is not None:
        return f"{code} is over: {TAKEN_BACK} {code} LINE."
    if play.game.is_out(play.state, seat.seat):
        return f"{seat.name} is out of {code}: {TAKEN_BACK} {code} LINE."
    if play.episode.champion_before_id == seat.contestant_id:
        return "The champion's seat cannot be taken over: a title is won."
    if contestant.confirmed_at is None or contestant.is_gone or contestant.is_leaving:
        return f"{contestant.called} does not play here."
    if barred(work.session, contestant.address):
        return f"{contestant.called} is barred."
    other = episode_with(work.session, play.game.slug, contestant.id)
    return f"{contestant.called} plays {play.game.title} already, in {other.code}." if other else ""


def propose(work: Work, play: Play, seat: Seat, contestant: Contestant) -> str:
    """Ask whoever is to take a seat, and the others who are in the episode still; says what was done, or why not."""
    refused = why_not(work, play, seat, contestant)
    key = f"{play.episode.code} {seat.seat} {seat.contestant_id} {contestant.id}"
    if refused or any(row.closed_at is None for row in questions_about(work.session, "seat", key)):
        return refused or f"They are asked already whether {contestant.called} takes the seat of {seat.name}."
    others = [each for each in play.episode.seats if each is not seat and not play.game.is_out(play.state, each.seat)]
    asked = [
        (
            contestant,
            f"Do you play on in {play.episode.code} in the place of {seat.name}?",
            "Without an answer you do not.",
        )
    ]
    asked += [
        (
            each.contestant,
            f"{seat.name} does not play on in {play.episode.code}. {contestant.called} would take the seat as it stands. "
            "Is that all right with you?",
            "Without an answer it is.",
        )
        for each in others
    ]
    for who, sentence, silence in asked:
        row = open_question(work, "seat", who, WITHIN, game=play.game.slug, key=key)
        ask = plain_ask(sentence, [("yes", "Yes"), ("no", "No")], row, silence)
        headline = f"{contestant.called} in the seat of {seat.name}?"
        write(work, who, headline, about=play.game, kind="ready", purpose="seat", questions=[row], asks=(ask,))
    return f"{listed(dict.fromkeys(who.called for who, *_ in asked))} {'is' if len(asked) == 1 else 'are'} asked."


def answer(reply: Reply, row: QuestionRow) -> Verdict | None:
    """Take a reply to the question whether a seat may change hands; None for what is neither yes nor no."""
    work = reply.turn.work
    if says_no(reply.lines):
        end(work, row, f"{reply.contestant.called} said no.")
        write(reply.turn, reply.contestant, "The seat stays as it is", "Thank you: the others are told.")
        return Verdict("answered", f"no to a seat that changes hands: {row.key}")
    if not says_yes(reply.lines):
        return None
    work.close_question(row, "yes")
    if not settle(work, row):
        write(reply.turn, reply.contestant, "Thank you", "The others are asked still.")
    return Verdict("answered", f"yes to a seat that changes hands: {row.key}")


def silent(work: Work, row: QuestionRow) -> None:
    """Nobody answered in time: whoever was to take the seat does not, and an other has nothing against it."""
    if row.contestant_id == _table(work, row)[2].id:
        end(work, row, "there was no answer in time.")
    else:
        settle(work, row)


def _table(work: Work, row: QuestionRow) -> tuple[Play, Seat, Contestant, bool]:
    """The episode, the seat, who is to take it, and whether it is still whose it was."""
    code, seat, before, number = row.key.split()
    episode = episode_of_code(work.session, code)
    assert episode is not None, "episodes are not erased"
    play = load_play(work.episode(episode.id))
    found = play.episode.seats[int(seat)]
    return play, found, work.session.get_one(Contestant, int(number)), found.contestant_id == int(before)


def end(work: Work, row: QuestionRow, why: str) -> None:
    """The seat stays as it is: nobody is asked any more, and the host hears why."""
    play, seat, contestant, _ = _table(work, row)
    for each in questions_about(work.session, "seat", row.key):
        if each.closed_at is None:
            work.close_question(each, "no")
    told = f"{contestant.called} does not take the seat of {seat.name} in {play.episode.code}: {why}"
    alert(work, "The seat stays as it is", told, play)
    if contestant.id != row.contestant_id:
        write(work, contestant, "The seat stays as it is", told, about=play.game)


def settle(work: Work, row: QuestionRow) -> bool:
    """Let the seat change hands where nobody is asked any more. Is it settled?"""
    if any(each.closed_at is None for each in questions_about(work.session, "seat", row.key)):
        return False
    play, seat, contestant, is_theirs = _table(work, row)
    refused = why_not(work, play, seat, contestant) if is_theirs else "somebody else has taken it."
    if refused:
        end(work, row, refused)
    else:
        _take(work, play, seat, contestant)
    return True


def _take(work: Work, play: Play, seat: Seat, contestant: Contestant) -> None:
    """The seat is another's from its first card on; what it is asked it is asked anew, and what it sent ahead is dropped."""
    before, old = seat.contestant, seat.name
    for row in play.episode.open_questions:
        if row.purpose == "game" and row.seat == seat.seat:
            close(work, row, "left")
    for premove in play.episode.waiting_premoves(seat.seat):
        premove.state = "cancelled"
    people = [(each.name, "") for each in play.episode.seats if each is not seat]
    name = at_table([*people, (contestant.name, contestant.nickname)], work.config.host.name)[-1]
    rename_in_record(work.session, seat, name)
    seat.contestant, seat.contestant_id = contestant, contestant.id
    seat.told, seat.thread, seat.terms, seat.bank_used, seat.stopped_seconds = 0, "", [], 0, 0
    seat.heard = play.episode.last_talk  # what was said to the other alone stays so
    for watcher in watchers_of(work.session, play.episode.id):
        if watcher.contestant_id == contestant.id:
            work.session.delete(watcher)
    lobby.give_up_place(work, play.game, contestant.id)
    work.session.flush()
    play = load_play(play.episode)
    reconcile_questions(work, play)
    told = f"{name} plays on in {play.episode.code}, in the seat that was {old}'s."
    for each in play.episode.seats:
        lead = (f"You play on in the seat that was {old}'s.",) if each is seat else (told,)
        if each is seat or not play.game.is_out(play.state, each.seat):
            repeat_questions(
                work, play, each, "help" if each is not seat else None, lead=lead, headline=lead[0].rstrip(".")
            )
    write(work, before, "Your seat has another player", told, about=play.game)
    alert(work, "A seat has changed hands", told, play)


SERVED: Mapping[Service, Callable[[Request], Served]] = {Service.TAKE_OVER: _take_over}
