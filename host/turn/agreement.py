"""Shell: what is agreed by yes or no. In: a reply to a `confirm`, `ready`, `resign` or `retire` mail, or silence.
Out: a place in a queue or none, a seat or a title given up or kept.

A no is heard first, then a yes; what says neither to `confirm` or `ready` is asked once more, and so is a yes to begin with a
reservation. Only a plain yes resigns or retires. What a reply says besides goes to the host.
"""

from collections.abc import Sequence

from host.engine import record
from host.engine.lazy import pattern
from host.games import GAMES
from host.mail.outbound.draft import Draft, Transcript
from host.play.agreement import acknowledges, confirms, has_reservation, says_later, says_no, wait_in, wants_peace
from host.play.clauses import has_second_thought
from host.play.matchmaking import CONFIRM_WITHIN
from host.play.services import Service, services_in, take_host_text
from host.states import QuestionOutcome
from host.store.mails import count_letters_for, mails_waiting_for
from host.store.people import decline, forget, is_declined, registrations_of, take_back, undo_decline
from host.store.schema import Contestant, Letter, QuestionRow, Registration
from host.turn import lobby, service_words
from host.turn.incoming import Reply, Turn, Verdict
from host.turn.letters import plain_ask, send
from host.turn.notify import Notice, repeat_questions
from host.turn.outcome import carry_out
from host.turn.play import load_play
from host.turn.registration import MOST_CONFIRM_LETTERS, join_queues, titles_of
from host.turn.work import Work

_YES = pattern(r"(?i)\s*(?:(?:resign|retire)\b[\s,:]*)?yes\b")
_STOP = pattern(r"(?i)\W*(?:please )?(?:stop|unsubscribe|quit|cancel|leave)\b\W*")
"""It may mean the mails, the episode, or what was asked."""
_STAYING = pattern(r"(?i)\b(?:but|stay|staying|keep|not|never|don'?t|won'?t)\b")


def agree(reply: Reply, row: QuestionRow) -> Verdict | None:
    """Take a reply to the question whether they registered, or are ready; None for one that asks for services alone."""
    turn, contestant, letter, lines, said = reply.turn, reply.contestant, reply.letter, reply.lines, reply.said
    if _is_no(row, lines):
        return _said_no(turn, row, contestant, lines)
    if said and not lines and row.purpose == "ready":
        return None
    own = take_host_text(lines)[0]
    is_yes = acknowledges(own) or (row.purpose == "confirm" and bool(said))
    if is_yes and row.purpose == "ready" and has_reservation(own):
        return _said_neither(turn, row, contestant, lines, said, is_yes)
    if not is_yes and not _says_more_than_services(lines):
        return None
    if is_yes or (row.purpose == "confirm" and confirms(own, (contestant.name, contestant.called))):
        return _confirmed(turn, row, contestant, letter, lines, said)
    return _said_neither(turn, row, contestant, lines, said)


def _says_more_than_services(lines: Sequence[str]) -> bool:
    """Is a reply to a `confirm` or `ready` mail more than words to the host, or something asked of the service?"""
    rest, to_host = take_host_text(lines)
    asked = services_in(rest, service_words.titles())
    return not asked and bool(rest or not to_host)


def _is_no(row: QuestionRow, lines: Sequence[str]) -> bool:
    """Is it a no to this question, or a wish to leave or to be asked later?"""
    return says_no(lines) or _wants_out(lines) or (row.purpose == "ready" and says_later(lines))


def _wants_out(lines: Sequence[str]) -> bool:
    """Is it a no for good?"""
    asked = services_in(take_host_text(lines)[0], service_words.titles())
    return wants_peace(lines) or any(service in (Service.LEAVE, Service.RESIGN) for service, _ in asked)


def _said_no(turn: Turn, row: QuestionRow, contestant: Contestant, lines: Sequence[str]) -> Verdict:
    """A `confirm` or `ready` mail was answered with a no. Who leaves the queue says so by `leave`."""
    if row.purpose == "confirm":
        service_words.pass_on(turn.work, contestant, turn.lines, ())
        return Verdict("answered", refuse(turn, row, contestant))
    said = service_words.pass_on(turn.work, contestant, turn.lines, [each for each in lines if not says_later([each])])
    if _wants_out(turn.lines):
        note = lobby.let_go(turn.work, contestant, row, turn.answering, said)
    else:
        wait = wait_in(turn.lines, turn.work.now)
        note = lobby.not_now(turn.work, contestant, row, turn.answering, wait, said)
    lobby.run(turn.work, GAMES[row.game])
    return Verdict("answered", note)


def _said_neither(
    turn: Turn,
    row: QuestionRow,
    contestant: Contestant,
    lines: Sequence[str],
    said: tuple[str, ...] = (),
    is_reserved: bool = False,
) -> Verdict:
    """A `confirm` or `ready` mail was answered with neither yes nor no, or with a yes that `is_reserved`: it asks once more."""
    if turn.is_capped(contestant.address):
        return Verdict("refused", "neither yes nor no; not answered: too many answers this hour")
    if row.purpose == "confirm":
        return Verdict("refused", ask_once_more(turn, row, contestant, lines))
    why = "You said yes, and something besides. Shall it begin now all the same, or not now?" if is_reserved else ""
    said = (*said, *service_words.pass_on(turn.work, contestant, turn.lines, lines))
    lobby.ask_ready_once_more(turn.work, contestant, row, why or lobby.unread(turn.lines), said, turn.answering)
    return Verdict("refused", f"no plain yes or no to being ready for {row.game}; asked once more")


def _confirmed(
    turn: Turn,
    row: QuestionRow,
    contestant: Contestant,
    letter: Letter,
    lines: Sequence[str],
    said: tuple[str, ...] = (),
) -> Verdict:
    """A `confirm` or `ready` mail was answered with yes; what is asked besides has its own answer. `said`: what it corrected."""
    if services_in(take_host_text(turn.lines)[0], service_words.titles()):
        is_capped = turn.is_capped(contestant.address)
        service_words.outside_play(turn.work, turn.answering, letter, contestant, turn.lines, is_capped)
    else:
        said = (*said, *service_words.pass_on(turn.work, contestant, turn.lines, lines))
    game = GAMES[row.game]
    if row.purpose == "confirm":
        return Verdict("answered", confirm(turn, row, said))
    turn.work.close_question(row, "answered")
    turn.work.heard_from(contestant, turn.work.now)
    if not lobby.run(turn.work, game):
        lead = ("Thank you! The episode begins as soon as the others have answered too.", *said)
        draft = Draft(kind="registered", headline="Good to have you", lead=lead)
        send(turn.work, draft, contestant, game, answering=turn.answering)
    return Verdict("answered", f"ready for {row.game}")


def confirm(turn: Turn, row: QuestionRow, said: tuple[str, ...] = ()) -> str:
    """A `confirm` mail was answered: the contestant joins the queue, as of now, and an episode may begin.

    `said`: what else the answer has to say.
    """
    work = turn.work
    work.close_question(row, "answered")
    registrations = _asked_about(work, row)
    contestant = registrations[0].contestant
    for other in mails_waiting_for(work.session, contestant.address):
        other.state, other.content_key = "deferred", None
    if contestant.confirmed_at is None:
        take_back(work.session, contestant.address)
        contestant.confirmed_at = work.now
    join_queues(work, contestant, registrations, turn.answering, said)
    for each in registrations:
        lobby.run(work, GAMES[each.game])
    return f"confirmed the registration for {', '.join(each.game for each in registrations)}"


def _asked_about(work: Work, row: QuestionRow) -> list[Registration]:
    """The registrations that a `confirm` mail asks about. One asks at a time, so there are no others that wait for it."""
    first = work.session.get_one(Registration, row.registration_id)
    waiting = registrations_of(work.session, first.contestant_id, ("unconfirmed",))
    return [first, *(each for each in waiting if each.id != first.id)]


def refuse(turn: Turn, row: QuestionRow, contestant: Contestant) -> str:
    """A `confirm` mail was answered with a no: nothing is left of the registration.

    Who is new here is not written to again; a contestant, who was asked about one more game, hears that all is as before.
    """
    work, game = turn.work, GAMES[row.game]
    address, titles = contestant.address, titles_of(_asked_about(work, row))
    if lapse(work, row, "no"):
        decline(work.session, address, work.now)
        return "said that they did not register; not written to again"
    lead = (f"You are not registered for {titles}. Nothing else was changed.",)
    draft = Draft(kind="help", headline="Not registered", lead=lead)
    send(work, draft, contestant, game, answering=turn.answering)
    return f"did not want to register for {game.slug}"


def ask_once_more(turn: Turn, row: QuestionRow, contestant: Contestant, lines: Sequence[str]) -> str:
    """A reply to a `confirm` mail said neither yes nor no: one letter more asks, and no third.

    Its words go to the host; of `lines` none has led to anything yet.
    """
    work, game = turn.work, GAMES[row.game]
    week_ago = work.now - CONFIRM_WITHIN
    if count_letters_for(work.session, contestant.address, "confirm", week_ago, work.now) >= MOST_CONFIRM_LETTERS:
        return "neither yes nor no; asked twice already, so not answered"
    said = service_words.pass_on(work, contestant, turn.lines, lines)
    titles = titles_of(_asked_about(work, row))
    ask = plain_ask(
        f"Somebody registered this address for {titles}, a card game show that I host by mail. It counts only if you say "
        "that it was you.",
        [("confirm", "Confirm my registration"), ("no", "No, that was not me")],
        row,
        "If nothing comes by then, the registration lapses.",
    )
    draft = Draft(
        kind="refused",
        headline="Was it you, yes or no?",
        lead=(lobby.unread(turn.lines), *said),
        asks=(ask,),
        services=False,
    )
    send(work, draft, contestant, game, purpose="confirm", questions=[row], answering=turn.answering)
    return "neither yes nor no; asked once more whether they registered"


def lapse(work: Work, row: QuestionRow, outcome: QuestionOutcome) -> bool:
    """A registration comes to nothing. Was that all there is of its contestant? Then nothing of them is kept."""
    work.close_question(row, outcome)
    registrations = _asked_about(work, row)
    for each in registrations:
        each.state = "expired"
    contestant = registrations[0].contestant
    for other in mails_waiting_for(work.session, contestant.address):
        other.state, other.note, other.raw = "refused", "the registration before it was not confirmed", None
    if contestant.confirmed_at is not None:
        return False
    forget(work.session, contestant)
    return True


def leave_in_peace(turn: Turn, letter: Letter) -> str:
    """A no to a letter that answered a registration in somebody's name: the address gets nothing more."""
    decline(turn.work.session, letter.address, turn.work.now)
    return "said that they did not register; not written to again"


def too_late(turn: Turn, letter: Letter) -> Verdict:
    """An answer to a `confirm` mail whose registration is gone: say how to register anew; to a no, nothing more."""
    work, game = turn.work, GAMES[letter.game]
    if says_no(turn.lines):
        return Verdict("silent", leave_in_peace(turn, letter))
    if is_declined(work.session, letter.address) and not acknowledges(turn.lines):
        return Verdict("silent", "said before that they did not register; not written to again")
    if turn.is_capped(letter.address):
        return Verdict("refused", "not answered: too many answers this hour")
    undo_decline(work.session, letter.address)
    lead = (
        "That registration is over: it was answered with no, or not in time. To register anew, write to me with the "
        f"subject “{game.subject}”.",
    )
    draft = Draft(kind="refused", headline="That registration is over", lead=lead, services=False)
    send(work, draft, letter.address, game, answering=turn.answering)
    return Verdict("refused", "answered a registration that is over")


def give_up(reply: Reply, row: QuestionRow) -> Verdict | None:
    """Take a reply to the question whether to resign, or to retire; None for what answers something else."""
    turn, contestant, letter, lines = reply.turn, reply.contestant, reply.letter, reply.lines
    first, whole = " ".join(lines[:1]), " ".join(lines)
    yes = _YES.match(first)
    is_doubted = yes is not None and (has_second_thought(whole) or _STAYING.search(whole) is not None)
    if yes and not is_doubted:
        return _resign(turn, row, contestant, letter) if row.purpose == "resign" else _retire(turn, row, contestant)
    is_no = not is_doubted and says_no(lines)
    if not (is_no or is_doubted or _STOP.fullmatch(first)):
        return None
    if turn.is_capped(contestant.address):
        return Verdict("answered", f"{row.purpose}: {first[:80]}; not answered: too many answers this hour")
    if _STOP.fullmatch(first):
        _ask_again(turn, row, contestant, letter, "I could not tell what is to stop, so nothing has changed.")
    elif is_doubted:
        _ask_again(turn, row, contestant, letter, "I could not tell whether that is a yes, so nothing has changed.")
    else:
        _say(turn, contestant, letter, "You stay in the game." if row.purpose == "resign" else "You stay champion.")
    return Verdict("answered", f"{row.purpose}: {first[:80]}")


def _ask_again(turn: Turn, row: QuestionRow, contestant: Contestant, letter: Letter, why: str) -> None:
    """The question whether to resign, or to retire, once more: a yes has to answer such a letter."""
    if row.purpose == "retire":
        lobby.ask_retire(turn.work, contestant, row.game, turn.answering, (why,))
        return
    play = load_play(turn.work.episode(letter.episode_id))
    seat = play.seat_of(contestant.id)
    if seat is not None:
        service_words.ask_resign(turn.work, turn.answering, play, seat, (why,))


def _retire(turn: Turn, row: QuestionRow, contestant: Contestant) -> Verdict:
    sentence = lobby.retire(turn.work, row, contestant)
    send(turn.work, Draft(kind="help", headline="Your title", lead=(sentence,)), contestant, answering=turn.answering)
    return Verdict("answered", "retire")


def _say(turn: Turn, contestant: Contestant, letter: Letter, sentence: str) -> None:
    """One sentence back, with the open questions of the episode where there is one."""
    play = load_play(turn.work.episode(letter.episode_id)) if letter.episode_id is not None else None
    seat = play.seat_of(contestant.id) if play else None
    if play and seat:
        notice = Notice(answering=turn.answering, writer=seat.seat)
        repeat_questions(turn.work, play, seat, "help", lead=(sentence,), notice=notice)
    else:
        send(turn.work, Draft(kind="help", headline=sentence), contestant, answering=turn.answering)


def _resign(turn: Turn, row: QuestionRow, contestant: Contestant, letter: Letter) -> Verdict | None:
    """Play the resignation; None where it cannot be played now, so that the reply is answered like any other."""
    play = load_play(turn.work.episode(letter.episode_id))
    seat = play.seat_of(contestant.id)
    if seat is None or play.episode.over_at is not None or play.episode.paused_at is not None:
        return None
    if play.game.is_out(play.state, seat.seat):
        return None
    turn.work.close_question(row, "yes")
    command = play.game.parse("resign", play.state, seat.seat)
    outcome = play.game.apply(play.state, seat.seat, command, play.chance)
    line = record.Say(seat.name, "resign")
    notice = Notice(answering=turn.answering, writer=seat.seat, transcript=Transcript(accepted=("resign",)))
    carry_out(turn.work, play, outcome, [line], notice)
    return Verdict("played", "resign")
