"""Shell: a reply to a letter of an episode. In: what was typed, the letter. Out: what it changed, and its answer."""

import itertools
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from host.engine import record
from host.engine.game import Choice, Outcome
from host.engine.grammar import is_polite, words
from host.engine.words import plain
from host.mail.outbound.draft import MEANT, Draft, Transcript
from host.mail.outbound.formatting import first_up, typed
from host.mail.outbound.render import deadline_words
from host.play.agreement import says_yes
from host.play.certain import values_in
from host.play.chosen import NONE_OF_THEM, chosen
from host.play.clauses import begins_to_take_back, shortened
from host.play.interpret import MOST_OFFERED, READ_AS, commands_of, interpret, is_command, read, seen_by
from host.play.interpretation import MOST_AHEAD, NO_COMMAND, Interpretation, ReadAs, RefusedLine, ReplyContext
from host.play.services import Service, gives_up, is_for_host, take_host_text
from host.play.taking_back import Said, asked_instead, may_take_back, says_undo
from host.states import LetterKind, MailState, PremoveState
from host.store.mails import notes_of_replies
from host.store.schema import Contestant, Letter, PremoveRow, QuestionRow, Seat
from host.turn import service_words
from host.turn.clocks import is_over
from host.turn.incoming import Reply, Turn, Verdict
from host.turn.letters import send
from host.turn.notify import Notice, repeat_questions
from host.turn.outcome import cancel_premoves, carry_out
from host.turn.play import Play, load_play, state_at
from host.turn.second_opinion import put_first
from host.turn.undo import TakenBack, take_back

WHO_WROTE = (
    "I could not tell whether you typed this or quoted it, so nothing of the mail was played. Please write it once more, "
    "alone and above everything else, or tap a link."
)
NOTHING_TYPED = "There was nothing above, between or below the quotation that you had typed. Attachments are not read."
NOT_UNDERSTOOD = "; not understood"
"""The end of a note on a mail that was to answer a question, and that nobody here could read."""
TO_THE_HOST = "a message to the host"
LONGEST_SHOWN = 120
"""Characters of what was refused that an answer shows."""
SOMETHING_ELSE = Choice(("something else",), "Something else", "something else", "something else")
"""The button below the readings of a mail: the plain question again."""


def in_episode(reply: Reply) -> Verdict:
    """Hear a reply to a letter of an episode: store what its lines changed, answer."""
    turn, letter, contestant, lines, asked = reply.turn, reply.letter, reply.contestant, reply.lines, reply.asked
    play = load_play(turn.work.episode(letter.episode_id))
    seat = play.seat_of(contestant.id)
    if seat is None:
        return Verdict("refused", "does not sit in this episode")
    lines = _said(turn, play, seat, lines)
    instead, taken = asked_instead(lines), None
    if instead and not says_undo(lines[0]) and _was_nothing_played(turn, play, seat):
        lines = instead
    elif instead is not None:
        before = {row.key for row in play.episode.open_questions if row.seat == seat.seat}
        taken = take_back(turn.work, play, seat)
        if taken.why_not or not instead:
            return _took_back(turn, taken, seat, lines)
        play, lines = taken.play, instead
        again = (row for row in play.episode.open_questions if row.seat == seat.seat)
        asked = [*asked, *(row for row in again if row.key not in before)]
    fresh = [row for row in asked if row.closed_at is None and row.purpose == "game"]
    blocked = _blocked(turn, play, fresh, turn.inbound.arrived_at)
    is_unasked = not any(row.purpose == "game" for row in asked)
    context = ReplyContext(
        frozenset(row.key for row in fresh),
        is_unasked=is_unasked,
        sent_before=_sent_before(turn, letter),
        blocked=blocked,
        written_at=state_at(turn.work.session, play, letter.created_at) if is_unasked else None,
        takes_text=letter.purpose == "game",
        room_ahead=max(0, MOST_AHEAD - len(play.episode.waiting_premoves(seat.seat))),
        names=play.names,
        host_names=(turn.work.config.host.name,),
    )
    own = _unsigned(lines, contestant, seat)
    reading = _reading_taken(letter, own)
    if reading is not None and not (reading or blocked):
        return _asked_plainly(turn, play, seat, letter)
    understood = _understood(play, seat, own, context, reading or "")
    if own and _is_talk(play, seat, understood, lines):
        return _pass_on(turn, play, seat, lines)
    unclear = _unclear(turn, play, seat)
    if unclear:
        understood = Interpretation(play.state, refused=RefusedLine(unclear, WHO_WROTE), to_host=understood.to_host)
    understood = put_first(understood, turn.opened.second)
    if (understood.services or understood.to_host) and not understood.said and turn.is_capped(seat.contestant.address):
        understood = replace(understood, services=(), to_host="")
    transcript = _transcript(play, understood, seat, lines, blocked)
    if understood.is_cancelling:
        cancel_premoves(turn.work, play, seat.seat)
    is_lost = _is_lost(turn, play, seat, understood)
    is_passed_on = is_lost and _is_for_the_host(turn, play, seat, lines)
    asked_for = replace(understood, to_host="\n".join(lines)) if is_passed_on else understood
    services = service_words.serve(turn.work, turn.answering, play, seat, asked_for)
    if taken:
        services = replace(services, paragraphs=(*services.paragraphs, _told_back(taken)), is_settled=False)
    _keep(turn, play, seat, letter, understood, context)
    if understood.said:
        outcome: Outcome[object] = Outcome(understood.state, understood.events)
        said = [record.Say(seat.name, each) for each in understood.said]
        tail = (*services.paragraphs, *services.standing)
        notice = Notice(answering=turn.answering, writer=seat.seat, transcript=transcript, tail=tail)
        carry_out(turn.work, play, outcome, said, notice)
        left = f"; refused: {understood.refused.line} ({understood.refused.reason})" if understood.refused else ""
        return Verdict(("refused" if understood.refused else "played"), ", ".join(understood.said) + left)
    verdict = _answer_only(turn, play, seat, understood, transcript, services)
    passed_on = f"; {TO_THE_HOST}" if is_passed_on else ""
    return verdict._replace(note=verdict.note + passed_on + NOT_UNDERSTOOD) if is_lost else verdict


def _is_talk(play: Play, seat: Seat, understood: Interpretation, lines: Sequence[str]) -> bool:
    """Does somebody who is asked nothing write what is no command? They need no refusal."""
    if understood.said or understood.ahead or understood.services or _names_host(lines):
        return False
    if any(row.seat == seat.seat for row in play.episode.open_questions):
        return False
    return understood.refused is None or understood.refused.is_unread


def _names_host(lines: Sequence[str]) -> bool:
    """Does a mail say itself that it is for the host?"""
    return bool(take_host_text(lines)[1])


def _pass_on(turn: Turn, play: Play, seat: Seat, lines: Sequence[str]) -> Verdict:
    """The words of somebody who is asked nothing reach the host whole, but for courtesies; one line says whose turn it is."""
    if all(map(is_polite, lines)):
        return Verdict("answered", "small talk")
    if turn.is_capped(seat.contestant.address):
        return Verdict("answered", "talk; not answered: too many answers this hour")
    service_words.forward(turn.work, seat.contestant, "\n".join(lines), play)
    lead = (*service_words.whose_turn(turn.work, play), service_words.received(turn.work, play, seat))
    draft = Draft(kind="help", headline="Nothing is asked of you now", lead=lead, services=False)
    send(turn.work, draft, seat.contestant, play, purpose="game", answering=turn.answering)
    return Verdict("answered", TO_THE_HOST)


def _reading_taken(letter: Letter, own: Sequence[str]) -> str | None:
    """The reading of a letter that a reply takes, empty where it takes none of them; None where it says anything else."""
    readings = letter.readings.splitlines()
    number = chosen(own, len(readings)) if readings else None
    return None if number is None else readings[number - 1] if number else ""


def _asked_plainly(turn: Turn, play: Play, seat: Seat, letter: Letter) -> Verdict:
    """None of the readings was meant: the question again, with all its links."""
    letter.taken = NONE_OF_THEM if letter.taken is None else letter.taken
    if turn.is_capped(seat.contestant.address):
        return Verdict("answered", "something else; not answered: too many answers this hour")
    is_asked = any(row.seat == seat.seat for row in play.episode.open_questions)
    notice = Notice(answering=turn.answering, writer=seat.seat)
    repeat_questions(turn.work, play, seat, "turn" if is_asked else "help", notice=notice)
    return Verdict("answered", "something else")


def _understood(play: Play, seat: Seat, own: Sequence[str], context: ReplyContext, reading: str) -> Interpretation:
    """What the lines come to, which may take a reading that their letter offered; by a number, no other command than that."""
    if reading and context.fresh and not says_yes(own):
        other = ", ".join(each.text for each in read(play.game, play.state, seat.seat, own, context).plan)
        if other not in ("", reading):
            doubt = RefusedLine(" ".join(own), READ_AS.format(reading), readings=(reading, other), is_unread=True)
            return Interpretation(play.state, refused=doubt)
    lines = commands_of(play.game, reading) if reading else own
    found = interpret(play.game, play.state, seat.seat, lines, context, play.chance)
    if found.refused is None or not found.refused.is_unread:
        return found
    if not found.services and gives_up(own):
        return replace(found, refused=None, services=(Service.RESIGN,))
    whole = "\n".join(lines).strip()
    is_talk = is_for_host(own) and not _names_a_move(play, seat, whole)
    return replace(found, refused=None, to_host=whole) if is_talk or found.to_host == whole else found


def _names_a_move(play: Play, seat: Seat, text: str) -> bool:
    """Does any word of a mail name a move of its writer, or a value?"""
    seen = seen_by(play.game, play.state, seat.seat, play.names)
    return any(map(seen.verb_named, words(text))) or bool(values_in(text, seen))


def _count(letter: Letter, understood: Interpretation) -> None:
    """The first reply to a letter with readings that is played tells which of them was meant, if any."""
    readings = letter.readings.splitlines()
    if readings and letter.taken is None and (understood.said or understood.ahead):
        said = ", ".join(each.text for each in understood.plan)
        letter.taken = readings.index(said) + 1 if said in readings else NONE_OF_THEM


def _was_nothing_played(turn: Turn, play: Play, seat: Seat) -> bool:
    """Was nothing played of the mail before this one? Then `I meant 7` corrects that."""
    asked = [row.opened_at for row in play.episode.open_questions if row.seat == seat.seat]
    since = min(asked, default=play.episode.began_at)
    notes = notes_of_replies(turn.work.session, play.episode.id, seat.contestant_id, turn.inbound.id, since)
    return bool(notes) and notes[0].startswith(("refused", "nothing typed"))


def _told_back(taken: TakenBack) -> str:
    return f"Taken back: {', '.join(taken.commands)}."


def _took_back(turn: Turn, taken: TakenBack, seat: Seat, lines: Sequence[str]) -> Verdict:
    """The answer to a mail that only takes something back, or that comes too late for that."""
    play = taken.play
    if not taken.why_not:
        notice = Notice(answering=turn.answering, writer=seat.seat, tail=(_told_back(taken),))
        repeat_questions(turn.work, play, seat, "turn", notice=notice, headline="Taken back")
        return Verdict("played", f"taken back: {', '.join(taken.commands)}")
    note = f"refused: {lines[0]} ({taken.why_not})"
    if turn.is_capped(seat.contestant.address):
        return Verdict("refused", f"{note}; not answered: too many answers this hour")
    transcript = Transcript((), lines[0][:120], taken.why_not, tuple(lines[1:11]))
    notice = Notice(answering=turn.answering, writer=seat.seat, transcript=transcript)
    repeat_questions(turn.work, play, seat, "refused", notice=notice)
    return Verdict("refused", note)


def _is_lost(turn: Turn, play: Play, seat: Seat, understood: Interpretation) -> bool:
    """Was a reply to an open question not understood, rather than refused or served?"""
    if understood.said or understood.ahead or understood.services or understood.to_host:
        return False
    if all(row.seat != seat.seat for row in play.episode.open_questions):
        return False
    return understood.is_empty if understood.refused is None else understood.refused.is_unread


def _is_for_the_host(turn: Turn, play: Play, seat: Seat, lines: Sequence[str]) -> bool:
    """Is it the second reply in a row to an open question that was not understood, and none of them at the host yet?"""
    if not lines or turn.is_capped(seat.contestant.address):
        return False
    since = min(row.opened_at for row in play.episode.open_questions if row.seat == seat.seat)
    before = notes_of_replies(turn.work.session, play.episode.id, seat.contestant_id, turn.inbound.id, since)
    lost = list(itertools.takewhile(lambda note: NOT_UNDERSTOOD in note, before))
    return bool(lost) and not any(TO_THE_HOST in note for note in lost)


def _unclear(turn: Turn, play: Play, seat: Seat) -> str:
    """A command of which two readings disagree whether it was typed or quoted; nothing is played then."""
    for line in turn.opened.typed.doubtful:
        if is_command(play.game, play.state, line, seat.seat):
            return line
    return ""


def _said(turn: Turn, play: Play, seat: Seat, lines: Sequence[str]) -> Sequence[str]:
    """The lines; without those within a quotation where only the others hold a command: a server's warning, as like as not."""
    within = turn.opened.typed.within
    outside = [line for line in lines if line not in within]

    def has_command(some: Sequence[str]) -> bool:
        return any(is_command(play.game, play.state, line, seat.seat) or begins_to_take_back(line) for line in some)

    return outside if within and has_command(outside) and not has_command(within) else lines


def _unsigned(lines: Sequence[str], contestant: Contestant, seat: Seat) -> Sequence[str]:
    """The lines without a name written under them: nobody answers with their own name."""
    own = {plain(name) for name in (seat.name, contestant.called, contestant.name, contestant.name.split()[0])}
    return lines[:-1] if len(lines) > 1 and plain(lines[-1].strip(" -–,.!")) in own else lines


def _sent_before(turn: Turn, letter: Letter) -> frozenset[str]:
    """Commands that earlier replies to a letter sent ahead, those cancelled left out."""
    with turn.work.session.no_autoflush:
        return frozenset(row.text for row in letter.premoves if row.state != "cancelled")


def _keep(turn: Turn, play: Play, seat: Seat, letter: Letter, understood: Interpretation, reply: ReplyContext) -> None:
    """Store what was sent ahead; what a letter that can still be replied to has brought already is noted, too."""
    _count(letter, understood)
    rows: list[tuple[str, str, PremoveState]] = [(each.text, each.scope, "waiting") for each in understood.ahead]
    still_open = reply.fresh & {question.key for question in play.game.questions(understood.state)}
    if reply.is_unasked or still_open:
        rows = [*((said, "", "played") for said in understood.said), *rows]
    if not rows:
        return
    for text, scope, state in rows:
        letter.premoves.append(
            PremoveRow(
                episode=play.episode,
                seat=seat.seat,
                inbound_id=turn.inbound.id,
                text=text,
                scope=scope,
                state=state,
                note="",
                is_told=state == "played",
                at=turn.work.now,
            ),
        )
    turn.work.session.flush()  # they have their numbers


def _answer_only(
    turn: Turn,
    play: Play,
    seat: Seat,
    understood: Interpretation,
    transcript: Transcript | None,
    services: service_words.Served,
) -> Verdict:
    """Nothing was played: one answer, or none where there were too many this hour."""
    refused = understood.refused is not None or understood.is_empty
    notice = Notice(
        answering=turn.answering,
        writer=seat.seat,
        transcript=transcript,
        lead={seat.seat: services.paragraphs},
        tail=services.standing,
    )
    if understood.ahead:
        kind: LetterKind
        kind, headline = ("refused", "") if refused else ("news", "Kept for later")
        repeat_questions(turn.work, play, seat, kind, notice=notice, headline=headline)
        return Verdict(
            ("refused" if refused else "played"), "sent ahead: " + ", ".join(each.text for each in understood.ahead)
        )
    note = (
        "nothing typed"
        if understood.is_empty
        else f"refused: {understood.refused.line} ({understood.refused.reason})"
        if understood.refused
        else ""
    )
    note = "; ".join(each for each in (note, *understood.services, TO_THE_HOST if understood.to_host else "") if each)
    state: MailState = "refused" if refused else "answered"
    if services.is_settled and not refused:
        return Verdict(state, note)
    if turn.is_capped(seat.contestant.address):
        return Verdict(state, f"{note}; not answered: too many answers this hour")
    kind = "refused" if refused else "help"
    headline = "" if refused else services.headline
    letter = repeat_questions(turn.work, play, seat, kind, notice=notice, headline=headline)
    if understood.refused and understood.refused.readings[:1] == (turn.opened.second,):
        letter.second = turn.opened.second[:LONGEST_SHOWN]
    return Verdict(state, note)


def _blocked(turn: Turn, play: Play, fresh: Sequence[QuestionRow], arrived: datetime) -> str | None:
    """Why nothing may be played now, or None."""
    config = turn.work.config
    if play.episode.paused_at is not None:
        return f"{config.host.name} has paused this episode. Your letters stay good; answer again when it goes on."
    late = [row for row in fresh if is_over(row, arrived)]
    if fresh and len(late) == len(fresh) and late[0].due_at:
        within = timedelta(seconds=1)
        came = deadline_words(arrived, config.host.timezone, within)
        due = deadline_words(late[0].due_at, config.host.timezone, within)
        return f"Your reply came on {came}, after the deadline on {due}."
    return None


def _transcript(
    play: Play, understood: Interpretation, seat: Seat, lines: Sequence[str], blocked: str | None
) -> Transcript | None:
    ahead = tuple(each.text for each in understood.ahead)
    read_as = tuple(map(_read_as, understood.read_as))
    if understood.refused and understood.refused.is_unread and not blocked:
        return _asking(play, seat, understood.refused, " ".join(lines))
    if understood.refused:
        return Transcript(
            understood.said,
            shortened(understood.refused.line, LONGEST_SHOWN),
            blocked or understood.refused.answer,
            tuple(shortened(each) for each in understood.untried[:10]),
            ahead,
            read_as,
            _stands(play, understood, seat),
        )
    if understood.is_empty:
        if lines:
            return Transcript(refused=shortened(" ".join(lines), LONGEST_SHOWN), reason=NO_COMMAND, is_asked=True)
        return Transcript((), "your mail", NOTHING_TYPED)
    return Transcript(understood.said, ahead=ahead, read_as=read_as) if understood.said or ahead else None


def _asking(play: Play, seat: Seat, asked: RefusedLine, text: str) -> Transcript:
    """The question what a mail meant, with what it may mean of all that is legal."""
    found = (
        asked.readings[:MOST_OFFERED] if asked.readings and asked.reason == READ_AS.format(asked.readings[0]) else ()
    )
    reason = READ_AS.format(typed(found[0])) if found else asked.reason
    choices = (
        Choice(commands_of(play.game, text), f"{at}. {first_up(typed(text))}", text, MEANT)
        for at, text in enumerate(found, 1)
    )
    return Transcript(
        refused=shortened(text, LONGEST_SHOWN),
        reason=reason,
        is_asked=True,
        readings=(*choices, SOMETHING_ELSE) if found else (),
    )


def _read_as(each: ReadAs) -> str:
    """How something was read that did not say it in so many words."""
    return f"I read “{each.typed}” as {each.command}."


def _stands(play: Play, understood: Interpretation, seat: Seat) -> str:
    """After a mail of which only a part was played: does that stand for good?"""
    if not understood.said:
        return ""
    said = Said(seat.seat, understood.said[-1], understood.events)
    seats = len(play.names)
    can_undo = len(understood.said) == 1 and may_take_back(
        play.game, play.state, understood.state, said, seats, play.chance
    )
    return (
        "That is played. While nobody has been shown anything new, the word undo takes it back."
        if can_undo
        else "That is played, and stands."
    )
