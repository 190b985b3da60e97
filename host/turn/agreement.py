"""Shell: answers of yes or no. In: a reply to a `confirm`, `ready`, `resign` or `retire` mail, or silence.
Out: a place in a queue or none, a seat or a title given up or kept.

A no is heard first, then a yes; what says neither to `confirm` or `ready` is asked once more, and so is a yes to begin with a
reservation. Only a plain yes resigns or retires. What a reply says besides goes to the host.
"""

from collections.abc import Sequence
from dataclasses import replace

from host.club import company, invitations, lobby, taking_over
from host.engine import record
from host.engine.words import pattern, plain
from host.games import GAMES
from host.mail.outbound.draft import Transcript
from host.play.agreement import (
    acknowledges,
    chosen,
    confirms,
    has_reservation,
    is_answer,
    is_whole_yes,
    says_later,
    says_no,
    says_ready,
    says_yes,
    take_word,
    wait_in,
    wants_peace,
)
from host.play.corrections import names_otherwise
from host.play.interpret import has_likely
from host.play.matchmaking import CONFIRM_WITHIN
from host.play.prose import Form
from host.play.reading import begins_with_its_verb
from host.play.services import Service, take_host_text
from host.play.subjects import wants_in
from host.states import QuestionOutcome
from host.store.mails import count_letters_to, mails_waiting_for
from host.store.people import decline, forget, is_declined, registrations_of, take_back, undo_decline
from host.store.schema import Letter, QuestionRow, Registration
from host.table.letters import write
from host.table.notify import Notice, repeat_questions
from host.table.play import seated
from host.table.work import Reply, Turn, Verdict, Work
from host.turn import service_words
from host.turn.hearing import hear, understand
from host.turn.outcome import carry_out
from host.turn.registration import MOST_CONFIRM_LETTERS, confirm_ask, join_queues, titles_of

_GOING = {Service.LEAVE, Service.RESIGN}
_YES = pattern(r"(?i)\s*(?:(?:resign|retire)\b[\s,:]*)?yes\b")
_NO_FIRST = pattern(r"(?i)^\W*(?:(?:no|nope|nah|never|not|don'?t)\b[\s,.!;:–—-]*)+")
_OWN_WISH = pattern(
    r"\s*(?:(?:and|so|please|do|yes)\s+)*(?:(?:count|sign|put|deal) me (?:in|up)|i(?:'d| would| do)? (?:like|love|want) to)\b"
    r"(?!.*\bno\b)"
)
_CLAUSES = pattern(r"[,.;!]")
_STAYS = pattern(
    r"\b(?:stay(?:ing)?|keep (?:on )?playing|(?:play|go|carry)(?:ing)? on|continue|still (?:here|in|playing)"
    r"|(?:not|never|don'?t|won'?t) (?:want to |going to )?(?:resign|retire|giv|leav|quit)\w*)\b"
)
_STOP = pattern(r"(?i)\W*(?:please )?(?:stop|unsubscribe|quit|cancel|leave)\b\W*")
"""It may mean the mails, the episode, or what was asked."""


def agree(reply: Reply, row: QuestionRow) -> Verdict | None:
    """Take a reply to the question whether they registered, or are ready; None for one that asks for services alone."""
    lines, word = take_word(reply.lines)
    reply = replace(reply, lines=lines)
    contestant, is_ready = reply.contestant, row.purpose == "ready"
    contestant.word = word or contestant.word
    own, to_host = take_host_text(lines)
    asked = _asked_for(lines)
    is_leaving = wants_peace(lines) or not _GOING.isdisjoint(asked)
    known = Form(contestant.name, contestant.nickname, contestant.hometown)
    _, but, more = plain(" ".join(lines)).partition(" but ")
    is_wish = bool(but) and _GOING.isdisjoint(asked) and any(map(_wants_to_play, _CLAUSES.split(more)))
    is_both = is_wish or (not is_leaving and names_otherwise(lines, known))
    if not is_ready and says_no(lines) and is_both:
        return _said_neither(reply, row)
    if says_no(lines) or is_leaving or (is_ready and says_later(lines)):
        return _said_no_to_ready(reply, row) if is_ready else _refused(reply, row)
    if reply.said and not lines and is_ready:
        return None
    is_yes = acknowledges(own) or (not is_ready and bool(reply.said))
    if is_yes and is_ready and has_reservation(own):
        return _said_neither(reply, row, is_reserved=True)
    if not is_yes and (asked or not (own or not to_host)):
        return None
    if is_yes or (not is_ready and confirms(own, (contestant.name, contestant.called))):
        return _said_yes(reply, row)
    return _said_neither(reply, row)


def _wants_to_play(clause: str) -> bool:
    """Is it a wish of the writer's own to play?"""
    return _OWN_WISH.match(clause) is not None and wants_in([clause])


def play_together(reply: Reply, row: QuestionRow) -> Verdict | None:
    """Take a reply to the question whether somebody plays with who asked them; one that is neither yes nor no is asked once more.

    So is a yes on a condition: an episode that has begun cannot be taken back.
    """
    turn, game = reply.turn, GAMES[row.game]
    own, to_host = take_host_text(reply.lines)
    is_open = says_later(own) if says_yes(own) else has_reservation(own) and not says_later(own)
    is_open = is_open or (says_yes(own) and has_reservation(own))
    is_clear = says_no(own) or wants_peace(turn.lines) or not is_open
    take = invitations.answer if row.purpose == "invitation" else company.rematch
    verdict = take(reply, row) if is_clear else None
    if verdict or to_host or not own or _asked_for(reply.lines) or turn.is_capped(reply.contestant.address):
        return verdict
    is_yes = says_yes(own) or says_ready(own)
    why = "You said yes, and something besides: a plain yes begins it." if is_yes else lobby.unread(own)
    write(
        turn,
        reply.contestant,
        "Do you play, yes or no?",
        *(why, *service_words.pass_on(turn, reply.contestant, reply.lines)),
        about=game,
        kind="refused",
        purpose=row.purpose,
        questions=[row],
        asks=(invitations.yes_or_no(game, row),),
        services=False,
    )
    return Verdict("refused", "neither yes nor no to playing together; asked once more")


def change_hands(reply: Reply, row: QuestionRow) -> Verdict | None:
    """Take a reply to the question whether a seat may change hands; what it says besides goes to the host. None for a service."""
    own, _ = take_host_text(reply.lines)
    if not own or (service_words.asked_for(reply.lines) and not (says_yes(own) or says_no(own))):
        return None
    if moved := taking_over.take_neither(reply, row, own):
        return moved
    besides = service_words.pass_on(reply.turn, reply.contestant, reply.lines)
    return taking_over.answer(reply, row, own, besides)


def _asked_for(lines: Sequence[str]) -> list[Service]:
    """The services that a reply to a question asks for; there is nothing to cancel, so that may be an answer."""
    return [each for each in service_words.asked_for(lines) if each is not Service.CANCEL]


def _said_no_to_ready(reply: Reply, row: QuestionRow) -> Verdict:
    """A `ready` mail was answered with a no. Who leaves the queue says so by `leave`."""
    turn, contestant = reply.turn, reply.contestant
    said = service_words.pass_on(turn, contestant, [each for each in reply.lines if not says_later([each])])
    if wants_peace(turn.lines) or not _GOING.isdisjoint(service_words.asked_for(turn.lines)):
        note = lobby.let_go(turn, contestant, row, said)
    else:
        note = lobby.not_now(turn, contestant, row, wait_in(turn.lines, turn.work.now), said)
    lobby.run(turn.work, GAMES[row.game])
    return Verdict("answered", note)


def _refused(reply: Reply, row: QuestionRow) -> Verdict:
    """A `confirm` mail was answered with a no: nothing is left of the registration.

    Who is new here is not written to again; a contestant, who was asked about one more game, hears that all is as before.
    """
    work, contestant, game = reply.turn.work, reply.contestant, GAMES[row.game]
    service_words.pass_on(reply.turn, contestant, ())
    address, titles = contestant.address, titles_of(_asked_about(work, row))
    if lapse(work, row, "no"):
        decline(work.session, address, work.now)
        return Verdict("answered", "said that they did not register; not written to again")
    lead = f"You are not registered for {titles}. Nothing else was changed."
    write(reply.turn, contestant, "Not registered", lead, about=game)
    return Verdict("answered", f"did not want to register for {game.slug}")


def _said_neither(reply: Reply, row: QuestionRow, is_reserved: bool = False) -> Verdict:
    """A `confirm` or `ready` mail was answered with neither yes nor no, or with a yes that `is_reserved`: it asks once more.

    Of the letters that ask whether somebody registered there is no third.
    """
    turn, contestant, work = reply.turn, reply.contestant, reply.turn.work
    if turn.is_capped(contestant.address):
        return Verdict("refused", "neither yes nor no; not answered: too many answers this hour")
    if row.purpose == "ready":
        why = "You said yes, and something besides. Shall it begin now all the same, or not now?" if is_reserved else ""
        said = (*reply.said, *service_words.pass_on(turn, contestant, reply.lines))
        lobby.ask_ready_once_more(turn, contestant, row, why or lobby.unread(turn.lines), said)
        return Verdict("refused", f"no plain yes or no to being ready for {row.game}; asked once more")
    week_ago = work.now - CONFIRM_WITHIN
    asked = count_letters_to(work.session, contestant.address, week_ago, work.now, purpose="confirm")
    if asked >= MOST_CONFIRM_LETTERS:
        return Verdict("refused", "neither yes nor no; asked twice already, so not answered")
    ask = confirm_ask(
        f"Somebody registered this address for {titles_of(_asked_about(work, row))}, a card game show that I host by mail. It "
        "counts only if you say that it was you.",
        row,
    )
    lead = (lobby.unread(turn.lines), *service_words.pass_on(turn, contestant, reply.lines))
    write(
        turn,
        contestant,
        "Was it you, yes or no?",
        *lead,
        about=GAMES[row.game],
        kind="refused",
        purpose="confirm",
        questions=[row],
        asks=(ask,),
        services=False,
    )
    return Verdict("refused", "neither yes nor no; asked once more whether they registered")


def _said_yes(reply: Reply, row: QuestionRow) -> Verdict:
    """A `confirm` or `ready` mail was answered with yes; what is asked besides has its own answer."""
    turn, contestant, work, game = reply.turn, reply.contestant, reply.turn.work, GAMES[row.game]
    said = reply.said
    if service_words.asked_for(turn.lines):
        service_words.outside_play(replace(reply, lines=turn.lines, said=()), answers_it=True)
    else:
        said = (*said, *service_words.pass_on(turn, contestant, reply.lines))
    if row.purpose == "confirm":
        return _confirmed(turn, row, said)
    work.close_question(row, "answered")
    work.heard_from(contestant, work.now)
    if not lobby.run(work, game):
        first = f"Thank you! Your place is kept. {lobby.what_it_waits_for(work, game.slug)}"
        write(turn, contestant, "Good to have you", first, *said, about=game, kind="registered")
    return Verdict("answered", f"ready for {row.game}")


def _confirmed(turn: Turn, row: QuestionRow, said: tuple[str, ...]) -> Verdict:
    """A `confirm` mail was answered with yes: the contestant joins the queue, as of now, and an episode may begin."""
    work = turn.work
    work.close_question(row, "answered")
    registrations = _asked_about(work, row)
    contestant = registrations[0].contestant
    for other in mails_waiting_for(work.session, contestant.address):
        other.state, other.content_key = "deferred", None
    if contestant.confirmed_at is None:
        take_back(work.session, contestant.address)
        contestant.confirmed_at = work.now
        undo_decline(work.session, contestant.address)
    join_queues(turn, contestant, registrations, said)
    for each in registrations:
        lobby.run(work, GAMES[each.game])
    return Verdict("answered", f"confirmed the registration for {', '.join(each.game for each in registrations)}")


def _asked_about(work: Work, row: QuestionRow) -> list[Registration]:
    """The registrations that a `confirm` mail asks about. One asks at a time, so there are no others that wait for it."""
    first = work.session.get_one(Registration, row.registration_id)
    waiting = registrations_of(work.session, first.contestant_id, ("unconfirmed",))
    return [first, *(each for each in waiting if each.id != first.id)]


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


def leave_in_peace(turn: Turn, letter: Letter) -> Verdict:
    """A no to a letter that answered a registration in somebody's name: the address gets nothing more."""
    decline(turn.work.session, letter.address, turn.work.now)
    return Verdict("silent", "said that they did not register; not written to again")


def too_late(turn: Turn, letter: Letter) -> Verdict:
    """An answer to a `confirm` mail whose registration is gone: say how to register anew; to a no, nothing more."""
    game = GAMES[letter.game]
    if says_no(turn.lines):
        return leave_in_peace(turn, letter)
    if is_declined(turn.work.session, letter.address) and not acknowledges(turn.lines):
        return Verdict("silent", "said before that they did not register; not written to again")
    if turn.is_capped(letter.address):
        return Verdict("refused", "not answered: too many answers this hour")
    undo_decline(turn.work.session, letter.address)
    lead = (
        "That registration is over: it was answered with no, or not in time. To register anew, write to me with the "
        f"subject “{game.subject}”."
    )
    write(turn, letter.address, "That registration is over", lead, about=game, kind="refused", services=False)
    return Verdict("refused", "answered a registration that is over")


def give_up(reply: Reply, row: QuestionRow) -> Verdict | None:
    """Take a reply to the question whether to resign, or to retire; None for what answers something else, such as a move.

    A no is never a move here, whatever a no is at the table; nor is a number, which may be meant for a button.
    """
    turn, contestant, lines = reply.turn, reply.contestant, reply.lines
    first = " ".join(lines[:1])
    yes, stops = _YES.match(first), _STOP.fullmatch(first)
    stays, moves = says_no(lines) or _stays(lines), _moves(reply)
    is_doubted = yes is not None and (moves or not is_whole_yes([f"yes{first[yes.end() :]}", *lines[1:]]))
    is_bare = bool(lines) and (is_answer(" ".join(lines)) or chosen(lines, 2) is not None)
    is_doubted = is_doubted or (is_bare and not (yes or stays))
    if yes and not is_doubted and row.purpose == "resign":
        return _resign(reply, row)
    if yes and not is_doubted:
        write(turn, contestant, "Your title", lobby.retire(turn.work, row, contestant))
        return Verdict("answered", "retire")
    if not (is_doubted or stays or stops) or (not (yes or stops) and moves):
        return None
    if turn.is_capped(contestant.address):
        return Verdict("answered", f"{row.purpose}: {first[:80]}; not answered: too many answers this hour")
    if stops:
        _ask_again(reply, row, "I could not tell what is to stop, so nothing has changed.")
    elif is_doubted:
        _ask_again(reply, row, "I could not tell whether that is a yes, so nothing has changed.")
    else:
        _say(reply, "You stay in the game." if row.purpose == "resign" else "You stay champion.")
    return Verdict("answered", f"{row.purpose}: {first[:80]}")


def _stays(lines: Sequence[str]) -> bool:
    """Does a reply say in words of staying, and nothing else, that its writer does not give up?"""
    text = plain(" ".join(lines))
    return _STAYS.search(text) is not None and not any(map(str.isdigit, text))


def _moves(reply: Reply) -> bool:
    """Does a reply say which move its writer makes in place of giving up: `no, sorry, cut 7 please`?"""
    table = seated(reply.turn.work, reply.letter.episode_id, reply.contestant)
    first, *more = reply.lines or ("",)
    lines = [_NO_FIRST.sub("", first, count=1), *more]
    if table is None or is_answer(" ".join(lines)) or chosen(lines, 2) is not None:
        return False
    understood = understand(hear(reply, *table, lines))
    if _stays(lines):
        return any(map(begins_with_its_verb, understood.plan))
    is_asked = understood.refused is not None and has_likely(understood.refused)
    return bool(understood.said or understood.ahead or is_asked)


def _ask_again(reply: Reply, row: QuestionRow, why: str) -> None:
    """The question whether to resign, or to retire, once more: a yes has to answer such a letter."""
    turn, contestant = reply.turn, reply.contestant
    if row.purpose == "retire":
        lobby.ask_retire(turn, contestant, row.game, (why,))
        return
    if table := seated(turn.work, reply.letter.episode_id, contestant):
        service_words.ask_resign(turn, *table, (why,))


def _say(reply: Reply, sentence: str) -> None:
    """One sentence back, with the open questions of the episode where there is one."""
    if table := seated(reply.turn.work, reply.letter.episode_id, reply.contestant):
        repeat_questions(reply.turn, *table, "help", lead=(sentence,))
    else:
        write(reply.turn, reply.contestant, sentence)


def _resign(reply: Reply, row: QuestionRow) -> Verdict | None:
    """Play the resignation; None where it cannot be played now, so that the reply is answered like any other."""
    turn = reply.turn
    table = seated(turn.work, reply.letter.episode_id, reply.contestant)
    if table is None:
        return None
    play, seat = table
    is_running = play.episode.over_at is None and play.episode.paused_at is None
    if not is_running or play.game.is_out(play.state, seat.seat):
        return None
    if not service_words.asks_the_same(row, play, seat):
        _ask_again(reply, row, "What you would give up is no longer what you were asked about, so nothing has changed.")
        return Verdict("answered", "resign: asked once more, as the table has changed")
    turn.work.close_question(row, "yes")
    outcome = play.game.apply(play.state, seat.seat, play.game.parse("resign", play.state, seat.seat), play.chance)
    notice = Notice(answering=turn, writer=seat.seat, transcript=Transcript(accepted=("resign",)))
    carry_out(turn.work, play, outcome, [record.Say(seat.name, "resign")], notice)
    return Verdict("played", "resign")
