"""Shell: a seat that somebody else takes over. In: `take over CC-12`, the host's wish, answers. Out: letters, another in a seat.

The host names who is to play on in whose place; the one who is to take the seat has to say yes, and of the others nobody no. Then
the seat is theirs from its first card on, under their name, in the record too, as if they had sat in it from the beginning.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta

from host.club import lobby
from host.club.company import coded
from host.engine.game import Choice, Refusal
from host.mail.outbound.draft import Ask
from host.mail.outbound.formatting import listed
from host.play.agreement import chosen, confirms, says_no, says_yes
from host.play.clauses import shortened
from host.play.names import at_table
from host.play.services import Service
from host.states import LetterKind
from host.store.company import has_played_in, has_played_since, questions_about, rename_in_record, watchers_of
from host.store.episodes import episode_known_to, episode_of_code, episode_with, open_questions
from host.store.people import registrations_of
from host.store.roster import barred
from host.store.schema import Contestant, QuestionRow, Seat
from host.table.clocks import close, open_question, reconcile_questions
from host.table.letters import alert, plain_ask, write
from host.table.notify import repeat_questions
from host.table.play import Play, load_play
from host.table.served import Request, Served
from host.table.work import Reply, Verdict, Work

WITHIN = timedelta(days=1)
"""How long those who are asked have for their answers; a letter that never arrives holds nothing up for longer."""
SAID_YES = "yes"
"""The phase of the taker's question when they have said yes, and others are asked still."""


def _take_over(request: Request) -> Served:
    """Somebody would play on for whoever has left: the host, who knows whether anybody has, gets a button for each seat."""
    work, contestant = request.work, request.contestant
    code = coded(replace(request, named=" ".join(request.named.split()[:1]).rstrip(",.;:!")))
    episode = episode_known_to(work.session, code, contestant.id)
    if episode is None:
        return Served((f"There is no episode {code}: write take over and a code, such as take over CC-12.",))
    play = load_play(work.episode(episode.id))
    free = [each for each in play.episode.seats if not why_not(work, play, each, contestant)]
    if not free:
        return Served((f"There is no seat in {code} that you could take.",))
    commands = [f"seat {code} {each.name} {contestant.address}" for each in free]
    choices = tuple(
        Choice((command,), f"In the place of {each.name}", command, command)
        for each, command in zip(free, commands, strict=True)
    )
    heard = f"Last heard from: {listed(f'{each.name} on {each.contestant.wrote_at:%-d %B}' for each in free)}."
    ask = Ask(f"Has somebody left, and may they? {heard} Those who play on are asked, too.", choices)
    told = f"{contestant.called} would take over a seat in {code}."
    gone = listed(each.name for each in play.episode.seats if play.game.is_out(play.state, each.seat))
    left = f" {gone} left it. If that was a forfeit, podium back {code} LINE takes it back; then the seat can be taken."
    subject, text = told.rstrip("."), f"{told}{left if gone else ''}"
    alert(work, subject, text, play, asks=(ask,), cause=f"take over {code} {contestant.id}")
    return Served(("The host hears of it, and decides whether a seat is free. You are asked before anything changes.",))


def why_not(work: Work, play: Play, seat: Seat, contestant: Contestant) -> str:
    """Says why somebody cannot take a seat over; empty where they can."""
    code = play.episode.code
    if play.episode.over_at is not None:
        return f"{code} is over."
    if play.game.is_out(play.state, seat.seat):
        return f"{seat.name} is out of {code}."
    if play.episode.champion_before_id == seat.contestant_id:
        return "The champion's seat cannot be taken over: a title is won."
    if contestant.is_gone or contestant.is_leaving:
        return f"{contestant.called} is being forgotten, and takes no seat."
    if contestant.confirmed_at is None:
        return f"{contestant.called} has not confirmed the registration yet."
    if barred(work.session, contestant.address):
        return f"{contestant.called} is barred."
    other = episode_with(work.session, play.game.slug, contestant.id)
    if other:
        return f"{contestant.called} plays {play.game.title} already, in {other.code}."
    if has_played_in(work.session, play.episode.id, contestant.id):
        return f"{contestant.called} had a seat in {code} before, and knows what another did not see."
    return ""


def is_asked_about(work: Work, play: Play, seat: Seat) -> bool:
    """Is somebody asked already whether a seat may change hands?"""
    asked_now = (row.key for row in open_questions(work.session, purpose="seat") if not _is_lost(work, row))
    return any(each.startswith(f"{play.episode.code} {seat.seat} ") for each in asked_now)


def _is_lost(work: Work, row: QuestionRow) -> bool:
    """Is this question one whose letter did not arrive in all the time that it had? Its own deadline does not run."""
    return (row.asked_at is None or row.stopped_at is not None) and work.now >= row.opened_at + WITHIN


def propose(work: Work, play: Play, seat: Seat, contestant: Contestant) -> str:
    """Ask whoever is to take a seat and may (`why_not`), whose it is, and the others who play still; says what was done."""
    code = play.episode.code
    key = f"{code} {seat.seat} {seat.contestant_id} {contestant.id}"
    told = f"{contestant.called} would play on in {code} in the place of {seat.name}, who is said to have left."
    asked = [(contestant, f"Do you play on in {code} in the place of {seat.name}?", "Without an answer you do not.")]
    for each in play.episode.seats:
        if each is seat:
            asked.append(
                (each.contestant, f"{told} If you play on yourself, write no.", "Without an answer the seat is theirs.")
            )
        elif not play.game.is_out(play.state, each.seat):
            asked.append((each.contestant, f"{told} Is that all right with you?", "Without an answer it is."))
    for who, sentence, silence in asked:
        row = open_question(work, "seat", who, WITHIN, game=play.game.slug, key=key)
        ask = plain_ask(sentence, [("yes", "Yes"), ("no", "No")], row, silence)
        headline = f"{contestant.called} in the seat of {seat.name}?"
        write(work, who, headline, about=play.game, kind="ready", purpose="seat", questions=[row], asks=(ask,))
    return f"{listed(who.called for who, *_ in asked)} are asked."


class _Proposal:
    """What a question about a seat is about, as it stands now."""

    def __init__(self, work: Work, row: QuestionRow) -> None:
        code, seat, before, number = row.key.split()
        episode = episode_of_code(work.session, code)
        assert episode is not None, "episodes are not erased"
        self.play = load_play(work.episode(episode.id))
        self.seat = self.play.episode.seats[int(seat)]
        self.taker = work.session.get_one(Contestant, int(number))
        self.is_theirs = self.seat.contestant_id == int(before)
        self.asked = questions_about(work.session, "seat", row.key)

    def has_a_say(self, row: QuestionRow) -> bool:
        """Does whoever is asked play in the episode still?"""
        seat = self.play.seat_of(row.contestant_id)
        return seat is not None and not self.play.game.is_out(self.play.state, seat.seat)


def take_neither(reply: Reply, row: QuestionRow, lines: Sequence[str]) -> Verdict | None:
    """Take what answers nothing: a move that was meant for another letter, which nobody else reads, a number, a
    courtesy. None for anything else."""
    about = _Proposal(reply.turn.work, row)
    seat = about.play.seat_of(reply.contestant.id)
    if says_yes(lines) or says_no(lines):
        return None
    told = ""
    if seat:
        for line in lines:
            with suppress(Refusal):
                about.play.game.parse(line, about.play.state, seat.seat)
                told = "This letter is about a seat, so nothing was played. Reply with your move to the letter that asks for it."
    is_neither = chosen(lines, 2) is not None or confirms(lines)
    if not (told or is_neither) or (is_neither and reply.turn.is_capped(reply.contestant.address)):
        return None
    still = "The question about the seat is open still: reply to its letter with yes or no."
    write(reply.turn, reply.contestant, "Yes or no?", told or lobby.unread(lines), still)
    return Verdict(
        "answered", f"{'a move' if told else 'neither yes nor no'}, in answer to a letter about a seat; not played"
    )


def answer(reply: Reply, row: QuestionRow, lines: Sequence[str], besides: tuple[str, ...] = ()) -> Verdict:
    """Take a reply to the question whether a seat may change hands: whatever is no plain yes is a no, which the host alone reads.

    The taker's question stays open until it is settled, so that they may think twice.
    """
    work = reply.turn.work
    if not says_yes(lines):
        said = shortened(" ".join(lines))
        end(work, row, f"{reply.contestant.called} does not agree.", reply.contestant, f" They wrote “{said}”.")
        write(
            reply.turn,
            reply.contestant,
            "The seat stays as it is",
            "It does not change hands, and the host is told.",
            *besides,
        )
        return Verdict("answered", f"no to a seat that changes hands: {row.key}")
    if _Proposal(work, row).taker is reply.contestant:
        row.phase = SAID_YES
    else:
        work.close_question(row, "yes")
    if not settle(work, row):
        write(reply.turn, reply.contestant, "Thank you", "The others are asked still.", *besides)
    return Verdict("answered", f"yes to a seat that changes hands: {row.key}")


def end(work: Work, row: QuestionRow, why: str, knows: Contestant | None = None, to_host: str = "") -> None:
    """The seat stays as it is: nobody is asked any more, and the host and all who were asked hear why, the host more."""
    about = _Proposal(work, row)
    told = f"{about.taker.called} does not take the seat of {about.seat.name} in {about.play.episode.code}: {why}"
    for each in about.asked:
        if each.closed_at is None:
            work.close_question(each, "no")
        who = work.session.get_one(Contestant, each.contestant_id)
        if who is not knows and not who.is_gone and not who.is_leaving:
            write(work, who, "The seat stays as it is", told, about=about.play.game)
    alert(work, "The seat stays as it is", f"{told}{to_host}", about.play, cause=f"seat {row.id}")


def settle(work: Work, row: QuestionRow) -> bool:
    """Let the seat change hands, or not, where nobody needs to be heard any more; says whether it is settled."""
    about = _Proposal(work, row)
    first, *others = about.asked  # the taker's is the first
    has_agreed = first.phase == SAID_YES and (first.closed_at is None or first.outcome == "silence")
    waits = [each for each in others if about.has_a_say(each)] if has_agreed else [first]
    if any(each.closed_at is None and not _is_lost(work, each) for each in waits):
        return False
    refused = why_not(work, about.play, about.seat, about.taker) if about.is_theirs else "somebody else has it."
    owner, episode = about.seat.contestant_id, about.play.episode.id
    if about.is_theirs and has_played_since(work.session, owner, episode, first.opened_at):
        refused = f"{about.seat.name} plays on."
    if refused or not has_agreed:
        end(work, row, refused or f"{about.taker.called} did not say yes.")
        return True
    for each in about.asked:
        if each.closed_at is None:
            work.close_question(each, "yes" if each is first else "silence")
    _take(work, about.play, about.seat, about.taker)
    return True


def _take(work: Work, play: Play, seat: Seat, contestant: Contestant) -> None:
    """The seat is another's from its first card on; what it is asked it is asked anew, and what it sent ahead is dropped."""
    before, old = seat.contestant, seat.name
    for row in play.episode.open_questions:
        if row.contestant_id == before.id:
            close(work, row, "left")
    for registration in registrations_of(work.session, before.id, ("playing",), play.game.slug):
        registration.state = "left"
    for registration in registrations_of(work.session, contestant.id, ("waiting",), play.game.slug):
        registration.state = "playing"
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
        yours = f"You play on in {play.episode.code}, {play.game.title}, in the seat that was {old}'s."
        lead = (yours if each is seat else told,)
        if each is seat or not play.game.is_out(play.state, each.seat):
            kind: LetterKind | None = None if each is seat else "help"
            repeat_questions(work, play, each, kind, lead=lead, headline=lead[0].rstrip("."))
    write(work, before, "Your seat has another player", told, about=play.game)
    alert(work, "A seat has changed hands", told, play)


SERVED: Mapping[Service, Callable[[Request], Served]] = {Service.TAKE_OVER: _take_over}
