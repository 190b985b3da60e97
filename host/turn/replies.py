"""Shell: a reply to a letter of an episode. In: what was typed, the letter. Out: what it changed, and its answer."""

import itertools
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial

from host.engine import record
from host.engine.game import Choice, Outcome
from host.engine.grammar import is_polite, words
from host.engine.words import pattern, plain
from host.mail.outbound.draft import MEANT, Transcript
from host.mail.outbound.formatting import first_up, listed, typed
from host.play.agreement import NONE_OF_THEM
from host.play.clauses import begins_to_take_back, has_second_thought, shortened
from host.play.interpret import MOST_OFFERED, READ_AS, commands_of, has_likely, seen_by
from host.play.interpretation import NO_COMMAND, Interpretation, RefusedLine
from host.play.names import unnamed
from host.play.premoves import is_answered_anew, is_instead_of, order_of
from host.play.services import Service, Wish, take_host_text
from host.play.taking_back import Said, asked_instead, may_take_back, says_undo
from host.states import LetterKind, PremoveState
from host.store.mails import notes_of_replies
from host.store.schema import PremoveRow, Seat
from host.table.letters import write
from host.table.notify import CAN_UNDO, Notice, repeat_questions
from host.table.play import Play, load_play
from host.table.served import Served
from host.table.work import Reply, Turn, Verdict
from host.turn import service_words
from host.turn.hearing import Heard, as_it_counts, at_the_table, hear, lines_outside, understand
from host.turn.outcome import PAUSED, TakenBack, can_be_undone, carry_out, take_back

NOTHING_TYPED = (
    "I found nothing above, between or below the quotation that you had typed. "
    "Attachments are not read, nor is the subject."
)
NOT_UNDERSTOOD = "; not understood"
"""The end of a note on a mail that was to answer a question, and that nobody here could read."""
TO_THE_HOST = "a message to the host"
LONGEST_SHOWN = 120
"""Characters of what was refused that an answer shows."""
SOMETHING_ELSE = Choice(("something else",), "Something else", "something else", "something else")
"""The button below the readings of a mail: the plain question again."""
STANDS = "That is played, and stands."
STANDS_FOR_NOW = f"That is played. {CAN_UNDO}"


def in_episode(reply: Reply) -> Verdict:
    """Hear a reply to a letter of an episode: store what its lines changed, answer."""
    turn, work = reply.turn, reply.turn.work
    play = load_play(work.episode(reply.letter.episode_id))
    seat = play.seat_of(reply.contestant.id)
    if seat is None or service_words.asks_of_another(reply.lines, play.game.slug):
        gone = f"Somebody else plays in your seat in {play.episode.code} now, so nothing of your reply was played."
        return service_words.outside_play(reply, "" if seat else gone)
    reply = at_the_table(reply, play, seat)
    if reply.wishes and _is_courtesy(reply, seat):
        return _served_alone(reply, play, seat)
    lines = lines_outside(reply, play, seat)
    instead, taken = asked_instead(lines), None
    if instead is not None and (not instead or says_undo(lines[0]) or not _was_nothing_played(turn, play, seat)):
        before = {row.key for row in play.asked(seat)}
        taken = take_back(work, play, seat)
        play = taken.play
        if taken.why_not or not instead:
            return _took_back(turn, taken, seat, lines)
        again = [row for row in play.asked(seat) if row.key not in before]
        reply = replace(reply, asked=[*reply.asked, *again])
    heard = hear(reply, play, seat, lines if instead is None else instead)
    if heard.reading == "" and not heard.context.blocked:
        return _asked_plainly(heard)

    understood = understand(heard)
    if heard.own and (_is_talk(heard, understood) or (reply.wishes and _is_beside(heard, understood))):
        if not reply.wishes:
            return _pass_on(heard, taken)
        understood = replace(understood, refused=None, to_host="\n".join(heard.lines))
    understood = _without_orders(heard, as_it_counts(heard, understood))
    is_told = understood.refused or understood.ahead or understood.read_as or reply.contestant.letters == "at once"
    can_undo = bool(is_told) and _can_undo(heard, understood)
    transcript = _transcript(heard, understood, can_undo)
    dropped = _cancel(play, seat) if understood.is_cancelling else ()
    is_lost = _is_lost(heard, understood)
    is_passed_on = is_lost and _is_for_the_host(heard)
    asked_for = replace(understood, to_host="\n".join(heard.lines)) if is_passed_on else understood
    wishes = () if reply.wishes and heard.is_capped else reply.wishes
    late = _after_playing(turn, seat, [each for each in wishes if understood.said and each.service is Service.AWAY])
    wishes = tuple(each for each in wishes if not (late and each.service is Service.AWAY))
    services = service_words.serve(turn, play, seat, asked_for, wishes)
    told = (_told_back(taken),) if taken else _what_stands(heard, understood)
    told = (
        *told,
        *dropped,
        *_keep(heard, understood),
        *_or_an_answer(turn, play, seat, bool({*understood.services} - {Service.RESIGN}) and not services.is_settled),
    )
    services = _with_more(services, *told)
    if not (understood.said or understood.orders):
        verdict = _answer_only(heard, understood, transcript, services)
        passed_on = f"; {TO_THE_HOST}" if is_passed_on else ""
        return verdict._replace(note=verdict.note + passed_on + NOT_UNDERSTOOD) if is_lost else verdict

    tail = (*services.paragraphs, *services.standing)
    must_answer = bool(tail or late or understood.orders or understood.read_as)
    notice = Notice(
        turn,
        seat.seat,
        transcript,
        tail=tail,
        late=late,
        must_answer=must_answer,
        shows_table=Service.STATUS in understood.services,
        can_undo=can_undo,
    )
    said = [record.Say(seat.name, each) for each in understood.said]
    carry_out(work, play, Outcome(understood.state, understood.events), said, notice)
    left = f"; {_why_refused(understood.refused)}" if understood.refused else ""
    said_all = ", ".join((*understood.said, *understood.orders))
    return Verdict(("refused" if understood.refused else "played"), said_all + left)


def _notes_since(turn: Turn, play: Play, seat: Seat, since: datetime) -> Sequence[str]:
    """The notes on the replies of a seat since a moment, the latest first."""
    return notes_of_replies(turn.work.session, play.episode.id, seat.contestant_id, turn.inbound.id, since)


# What it comes to

_DECIDES = pattern(
    r"\bask me\b|\b(?:i|i'll|i will|we|let me) (?:\w+ )?decide\b|\bdecide\b.{0,20}\bmyself\b|\blet me (?:see|look|choose)\b"
    r"|\b(?:no|not|ignore|without|forget) (?:my |the |any |that )?(?:standing )?(?:orders?|rules?)\b"
)
_BEFORE_A_MOVE = frozenset("always never if when whenever unless".split())


def _is_talk(heard: Heard, understood: Interpretation) -> bool:
    """Does somebody who is asked nothing write what is no command? They need no refusal."""
    if understood.said or understood.ahead or understood.services or heard.asked or take_host_text(heard.lines)[1]:
        return False
    refused = understood.refused
    is_likely = refused is not None and has_likely(refused)
    if is_likely and any(_begins_with_a_move(heard, line) for line in heard.own):
        return False
    if is_likely and _waiting(heard):
        return not has_second_thought(" ".join(heard.own)) and not any(map(begins_to_take_back, heard.own))
    return refused is None or refused.is_unread


def _begins_with_a_move(heard: Heard, line: str) -> bool:
    """Does a line begin as a move or an order does: `call any bet below 50`, `if Bob raises, fold`?"""
    said, game = words(line), heard.play.game
    named = [game.vocabulary.head(word, heard.play.state.phase) for word in said]
    is_to_others = not {name.casefold() for name in heard.play.names}.isdisjoint(said)  # `Fold, Bob!`
    if "?" in line or not any(named):
        return False
    return said[0] in _BEFORE_A_MOVE or (bool(named[0]) and not is_to_others)


def _without_orders(heard: Heard, understood: Interpretation) -> Interpretation:
    """The same, which drops what stands where its writer wants to decide, behind a move, what an order would: `then ask me`."""
    has_orders = any(order_of(heard.play.game, each) for each in _waiting(heard))
    if not (understood.said and has_orders and _DECIDES.search(plain(" ".join(heard.own)))):
        return understood
    return replace(understood, is_cancelling=True, services=(*understood.services, Service.CANCEL))


def _waiting(heard: Heard) -> list[str]:
    """What its writer has sent ahead, and what stands."""
    return [row.text for row in heard.play.episode.waiting_premoves(heard.seat.seat)]


def _is_courtesy(reply: Reply, seat: Seat) -> bool:
    """Is what stands beside wishes only polite, a name under it included?"""
    words_left = (unnamed(line, seat.name, reply.contestant.name) for line in reply.lines)
    return all(is_polite(line) for line in words_left if line)


def _is_beside(heard: Heard, understood: Interpretation) -> bool:
    """Was what stands beside wishes not understood, and is it like no move?"""
    refused = understood.refused
    return _is_lost(heard, understood) and not (refused and has_likely(refused))


def _is_lost(heard: Heard, understood: Interpretation) -> bool:
    """Was a reply to an open question not understood, rather than refused or served?"""
    if understood.said or understood.ahead or understood.services or understood.to_host or not heard.asked:
        return False
    return understood.is_empty if understood.refused is None else understood.refused.is_unread


def _is_for_the_host(heard: Heard) -> bool:
    """Is it the second reply in a row to an open question that was not understood, and none of them at the host yet?"""
    if not heard.lines or heard.is_capped:
        return False
    before = _notes_since(heard.turn, heard.play, heard.seat, min(row.opened_at for row in heard.asked))
    lost = list(itertools.takewhile(lambda note: NOT_UNDERSTOOD in note, before))
    return bool(lost) and not any(TO_THE_HOST in note for note in lost)


def _was_nothing_played(turn: Turn, play: Play, seat: Seat) -> bool:
    """Was nothing played of the mail before this one? Then `I meant 7` corrects that."""
    since = min((row.opened_at for row in play.asked(seat)), default=play.episode.began_at)
    notes = [each for each in _notes_since(turn, play, seat, since) if not each.endswith(f"({PAUSED})")]
    return bool(notes) and notes[0].startswith(("refused", "nothing typed"))


def _cancel(play: Play, seat: Seat) -> tuple[str, ...]:
    """Drop whatever waits of what a seat sent ahead, and say what it was."""
    rows = play.episode.waiting_premoves(seat.seat)
    for row in rows:
        row.state = "cancelled"
    if not rows:
        return ("Nothing waited of what you had sent ahead.",)
    return (f"What you had sent ahead is taken back: {listed(f'“{row.text}”' for row in rows)}.",)


def _keep(heard: Heard, understood: Interpretation) -> tuple[str, ...]:
    """Store what was sent ahead; what a letter that can still be replied to has brought already is noted, too. Says which
    moves wait no more, where others took their place.

    The first reply to a letter with readings that is played tells which of them was meant, if any.
    """
    letter, play = heard.letter, heard.play
    readings = letter.readings.splitlines()
    if readings and letter.taken is None and (understood.said or understood.ahead):
        said = ", ".join((*(each.text for each in understood.plan), *understood.orders))
        letter.taken = readings.index(said) + 1 if said in readings else NONE_OF_THEM
    replaced: list[str] = []
    for row in play.episode.waiting_premoves(heard.seat.seat):
        is_answered = any(is_answered_anew(play.game, each.text, row.text) for each in understood.ahead)
        replaced += [row.text] if is_answered else []
        if is_answered or any(is_instead_of(play.game, text, row.text) for text in understood.orders):
            row.state = "cancelled"
    rows: list[tuple[str, str, PremoveState]] = [(each.text, each.scope, "waiting") for each in understood.ahead]
    still_open = heard.context.fresh & {question.key for question in play.game.questions(understood.state)}
    if heard.context.is_unasked or still_open:
        rows = [*((said, "", "played") for said in understood.said), *rows]
    for text, scope, state in rows:
        letter.premoves.append(
            PremoveRow(
                episode=play.episode,
                seat=heard.seat.seat,
                inbound_id=heard.turn.inbound.id,
                text=text,
                scope=scope,
                state=state,
                note="",
                is_told=state == "played",
                at=heard.turn.work.now,
            ),
        )
    if rows:
        heard.turn.work.session.flush()  # they have their numbers
    return (f"That is kept in the place of {', '.join(replaced)}.",) if replaced and not understood.said else ()


# Answers


def _with_more(services: Served, *told: str) -> Served:
    return replace(services, paragraphs=(*services.paragraphs, *told), is_settled=False) if told else services


def _after_playing(turn: Turn, seat: Seat, wishes: Sequence[Wish]) -> Callable[[Play], tuple[str, ...]] | None:
    """Serves wishes that are about the table as the mail leaves it, such as an absence: deadlines that it moves, who waits."""
    return (lambda play: service_words.serve(turn, play, seat, wishes=wishes).paragraphs) if wishes else None


def _or_an_answer(turn: Turn, play: Play, seat: Seat, is_served: bool = True) -> tuple[str, ...]:
    """Where an answer in words is asked for, and a line alone was a service: it can have been the answer."""
    if not is_served or len(turn.lines) != 1:
        return ()
    seen = seen_by(play.game, play.state, seat.seat, play.names)
    if not seen.takes_text:
        return ()
    return (f"If that was your answer, write {seen.answer_verb} {shortened(turn.lines[0], LONGEST_SHOWN)}.",)


def _pass_on(heard: Heard, taken: TakenBack | None) -> Verdict:
    """The words of somebody who is asked nothing reach the host whole, but for courtesies; one line says whose turn it is."""
    turn, play, seat = heard.turn, heard.play, heard.seat
    if all(map(is_polite, heard.lines)) and not taken:
        return Verdict("answered", "small talk")
    if heard.is_capped:
        return Verdict("answered", "talk; not answered: too many answers this hour")
    service_words.forward(turn.work, seat.contestant, "\n".join(turn.lines if taken else heard.lines), play)
    instead = (
        f"Nothing is kept in its place. To send something else ahead, write it whole, as {typed(taken.commands[-1])} was."
        if taken
        else ""
    )
    lead = (
        *((_told_back(taken), instead) if taken else ()),
        *service_words.whose_turn(turn.work, play, seat.contestant),
        service_words.received(turn.work, play, seat),
        *((f"For you still waits: {'; '.join(_waiting(heard))}. Write cancel to drop it.",) if _waiting(heard) else ()),
    )
    write(turn, seat.contestant, "Nothing is asked of you now", *lead, about=play, purpose="game", services=False)
    return Verdict("answered", TO_THE_HOST)


def _served_alone(reply: Reply, play: Play, seat: Seat) -> Verdict:
    """The answer to a mail that holds nothing but wishes."""
    note = "; ".join(wish.service for wish in reply.wishes)
    if reply.turn.is_capped(seat.contestant.address):
        return Verdict("refused", f"{note}; not answered: too many answers this hour")
    served = service_words.serve(reply.turn, play, seat, wishes=reply.wishes)
    served = served if served.is_settled else _with_more(served, *_or_an_answer(reply.turn, play, seat))
    if not served.is_settled:
        tail, headline = served.standing, served.headline
        repeat_questions(reply.turn, play, seat, "help", lead=served.paragraphs, tail=tail, headline=headline)
    return Verdict("answered", note)


def _asked_plainly(heard: Heard) -> Verdict:
    """None of the readings was meant: the question again, with all its links."""
    if heard.letter.taken is None:
        heard.letter.taken = NONE_OF_THEM
    if heard.is_capped:
        return Verdict("answered", "something else; not answered: too many answers this hour")
    repeat_questions(heard.turn, heard.play, heard.seat, "turn" if heard.asked else "help")
    return Verdict("answered", "something else")


def _told_back(taken: TakenBack) -> str:
    dropped = f" Your standing orders are dropped with it: {'; '.join(taken.orders)}." if taken.orders else ""
    return f"Taken back: {', '.join(taken.commands)}.{dropped}"


def _what_stands(heard: Heard, understood: Interpretation) -> tuple[str, ...]:
    """Tells who would take back what they said before, and says nothing that can be played, what stands: `nah, make it 30`."""
    if understood.refused is None or understood.said or not any(map(begins_to_take_back, heard.own[:1])):
        return ()
    if waiting := _waiting(heard):
        return (f"What you sent ahead, {typed(', '.join(waiting))}, waits still. To take it back, write cancel.",)
    last = can_be_undone(heard.turn.work, heard.play, heard.seat)
    return (f"What you said before, {typed(last)}, stands. {CAN_UNDO}",) if last else ()


def _took_back(turn: Turn, taken: TakenBack, seat: Seat, lines: Sequence[str]) -> Verdict:
    """The answer to a mail that only takes something back, or that comes too late for that."""
    if not taken.why_not:
        kind: LetterKind = "turn" if taken.play.asked(seat) else "news"
        repeat_questions(turn, taken.play, seat, kind, tail=(_told_back(taken),), headline="Taken back")
        return Verdict("played", f"taken back: {', '.join(taken.commands)}")
    note = f"refused: {lines[0]} ({taken.why_not})"
    if turn.is_capped(seat.contestant.address):
        return Verdict("refused", f"{note}; not answered: too many answers this hour")
    transcript = Transcript((), lines[0][:LONGEST_SHOWN], taken.why_not, tuple(lines[1:11]))
    repeat_questions(turn, taken.play, seat, "refused", transcript=transcript)
    return Verdict("refused", note)


def _answer_only(heard: Heard, understood: Interpretation, transcript: Transcript | None, services: Served) -> Verdict:
    """Nothing was played: one answer, or none where there were too many this hour."""
    turn, play, seat = heard.turn, heard.play, heard.seat
    is_refused = understood.refused is not None or understood.is_empty
    to_tell = partial(
        repeat_questions, turn, play, seat, lead=services.paragraphs, transcript=transcript, tail=services.standing
    )
    if understood.ahead:
        wants_it = services.paragraphs or understood.read_as or seat.contestant.letters == "at once"
        kind: LetterKind = "refused" if is_refused else "news"
        if is_refused or wants_it:
            to_tell(kind, headline="" if is_refused else "Kept for later")
        ahead = ", ".join(each.text for each in understood.ahead)
        return Verdict("refused" if is_refused else "played", f"sent ahead: {ahead}")
    why = "nothing typed" if understood.is_empty else _why_refused(understood.refused)
    notes = (why, *understood.services, TO_THE_HOST if understood.to_host else "")
    verdict = Verdict("refused" if is_refused else "answered", "; ".join(filter(None, notes)))
    if services.is_settled and not is_refused:
        return verdict
    if heard.is_capped:
        return verdict._replace(note=f"{verdict.note}; not answered: too many answers this hour")
    kind, headline = ("refused", "") if is_refused else ("help", services.headline)
    letter = to_tell(kind, headline=headline)
    if understood.refused and understood.refused.readings[:1] == (turn.opened.second,):
        letter.second = turn.opened.second[:LONGEST_SHOWN]
    return verdict


def _why_refused(refused: RefusedLine | None) -> str:
    return f"refused: {refused.line} ({refused.reason})" if refused else ""


def _transcript(heard: Heard, understood: Interpretation, can_undo: bool) -> Transcript | None:
    """Tell what became of a mail, for its answer."""
    refused, blocked, whole = understood.refused, heard.context.blocked, " ".join(heard.lines)
    ahead = tuple(each.text for each in understood.ahead if each.text not in understood.orders)
    read_as = tuple(f"I read “{each.typed}” as {each.command}." for each in understood.read_as)
    if refused and refused.is_unread and not blocked:
        return _asking(heard.play, refused, whole)
    if refused:
        return Transcript(
            understood.said,
            shortened(refused.line, LONGEST_SHOWN),
            blocked or refused.reason,
            tuple(shortened(each) for each in understood.untried[:10]),
            ahead,
            read_as,
            (STANDS_FOR_NOW if can_undo else STANDS) if understood.said else "",
            can_undo,
        )
    if understood.is_empty and heard.lines:
        return Transcript(refused=shortened(whole, LONGEST_SHOWN), reason=NO_COMMAND, is_asked=True)
    if understood.is_empty:
        return Transcript(reason=NOTHING_TYPED)
    return Transcript(understood.said, ahead=ahead, read_as=read_as) if understood.said or ahead or read_as else None


def _steps_of(play: Play, reading: str) -> list[str]:
    """The commands of a reading, what is to stand behind what is done now."""
    return sorted(commands_of(play.game, reading), key=lambda each: order_of(play.game, each) is not None)


def _shown(play: Play, reading: str) -> str:
    """A reading as its letter shows it: where it holds an order not in the words in a row that its button writes, since many of
    these would be taken for a quotation."""
    commands = _steps_of(play, reading)
    between = "; then " if any(order_of(play.game, each) for each in commands) else ", "
    return between.join(map(typed, commands))


def _asking(play: Play, asked: RefusedLine, text: str) -> Transcript:
    """The question what a mail meant, with what it may mean of all that is legal."""
    found = asked.readings[:MOST_OFFERED] if has_likely(asked) else ()
    shown = [_shown(play, text) for text in found]
    reason = READ_AS.format(shown[0]) if found else asked.reason
    choices = (
        Choice(tuple(_steps_of(play, text)), f"{at}. {first_up(label)}", text, MEANT)
        for at, (text, label) in enumerate(zip(found, shown, strict=True), 1)
    )
    return Transcript(
        refused=shortened(text, LONGEST_SHOWN),
        reason=reason,
        is_asked=True,
        readings=(*choices, SOMETHING_ELSE) if found else (),
    )


def _can_undo(heard: Heard, understood: Interpretation) -> bool:
    """May what was played of a mail be taken back, as one command that has shown nobody anything new?"""
    play = heard.play
    if len(understood.said) != 1 or understood.orders or play.episode.waiting_premoves():
        return False  # what waits may be played behind it
    said = Said(heard.seat.seat, understood.said[-1], understood.events)
    return may_take_back(play.game, play.state, understood.state, said, len(play.names), play.chance)
