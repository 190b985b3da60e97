"""Shell: a reply at its table. In: what was typed, the letter, the table of its episode. Out: what its words come to; nothing is
played here."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cached_property, partial

from host.engine import record
from host.engine.grammar import words
from host.engine.words import pattern, plain
from host.mail.outbound.render import deadline_words
from host.play.agreement import begun, chosen, says_yes
from host.play.certain import is_free_text
from host.play.clauses import begins_to_take_back
from host.play.interpret import READ_AS, commands_of, has_likely, interpret, is_command, read, seen_by
from host.play.interpretation import MOST_AHEAD, Interpretation, RefusedLine, ReplyContext
from host.play.seen import Seen
from host.play.services import Service, is_for_host, service_in, take_wishes
from host.play.values import values_in
from host.store.episodes import record_rows
from host.store.mails import is_latest, lines_before
from host.store.schema import Inbound, Letter, QuestionRow, Seat
from host.table.clocks import is_over, zone_name
from host.table.play import Play, has_todays_rules, state_at
from host.table.work import Reply, Turn
from host.turn import last_chances

FRAME_WORDS = 12
"""Words of a line with which a server warns, at least."""
_WARNS = pattern(
    r"\b(?:confidential|intended|recipients?|originated|outside|attachments?|disclaimer|unauthori[sz]ed|privileged|organi[sz]ation"
    r"|vertraulich\w*|empfanger\w*|irrtumlich|confidentiel\w*|destinataires?|riservat\w*|destinatari\w*|confidencial\w*)\b"
)
"""Words of such lines, of which one has two."""
_SAYS_MORE = pattern(
    r"[\d?]|\b(?:no|not|nope|one|two|three|four|five|first|second|third|fourth|fifth|other"
    r"|always|every|each|ever|never|from now|keep|again)\b"
)
"""Behind the number of a reading it may be about another one, or ask."""
WHO_WROTE = (
    "I could not tell whether you typed this or quoted it, so nothing of the mail was played. Please write it once more, "
    "alone and above everything else, or tap a link."
)


@dataclass(frozen=True)
class Heard:
    """A reply to a letter of an episode before it is understood: at which table, of which seat, with which lines.

    `own` are the lines without a name written under them; `reading` is the reading of the letter that they take, empty where
    they take none of those, None where they say anything else.
    """

    turn: Turn
    letter: Letter
    play: Play
    seat: Seat
    lines: Sequence[str]
    own: Sequence[str]
    context: ReplyContext
    reading: str | None

    @property
    def asked(self) -> list[QuestionRow]:
        """The questions that its writer is asked now."""
        return self.play.asked(self.seat)

    @cached_property
    def is_capped(self) -> bool:
        """Had its writer too many answers that played nothing?"""
        return self.turn.is_capped(self.seat.contestant.address)


def at_the_table(reply: Reply, play: Play, seat: Seat) -> Reply:
    """The same as it counts there: where free text is asked for, a word alone is an answer and no wish; no move is said aloud."""
    seen = _seen(play, seat) if reply.wishes else None
    if seen is None or not (seen.takes_text or any(each.service is Service.SAY for each in reply.wishes)):
        return reply
    lines, wishes = take_wishes(reply.turn.lines, reply.letter.game, seen.takes_text, seen.is_move)
    return replace(reply, lines=lines, wishes=wishes)


def lines_outside(reply: Reply, play: Play, seat: Seat) -> Sequence[str]:
    """The lines of a reply; without those within a quotation where only the others hold a command: a server's warning, as
    like as not."""
    within = reply.turn.opened.typed.within
    outside = [line for line in reply.lines if line not in within]

    def has_command(some: Sequence[str]) -> bool:
        return any(is_command(play.game, play.state, line, seat.seat) or begins_to_take_back(line) for line in some)

    return outside if within and has_command(outside) and not has_command(within) else reply.lines


def hear(reply: Reply, play: Play, seat: Seat, lines: Sequence[str]) -> Heard:
    """A reply at its table, by what its letter asked and offered; `lines` are those that count of it."""
    turn, letter, contestant = reply.turn, reply.letter, reply.contestant
    fresh = [row for row in reply.asked if row.closed_at is None and row.purpose == "game"]
    has_asked = any(row.purpose == "game" for row in reply.asked)  # else all is sent ahead
    is_unasked = not has_asked or _is_latest_word(reply, play, seat)
    with turn.work.session.no_autoflush:
        sent_before = frozenset(row.text for row in letter.premoves if row.state != "cancelled")
    context = ReplyContext(
        frozenset(row.key for row in fresh),
        is_unasked=is_unasked,
        sent_before=sent_before,
        settled=_settled(turn, play, seat, letter.created_at) if is_unasked and has_asked else frozenset(),
        blocked=_blocked(turn, play, fresh, zone_name(turn.work, contestant)),
        written_at=state_at(turn.work.session, play, letter.created_at) if is_unasked and not reply.asked else None,
        takes_text=letter.purpose == "game",
        room_ahead=max(0, MOST_AHEAD - len(play.episode.waiting_premoves(seat.seat))),
        names=play.names,
        host_names=(turn.work.config.host.name,),
    )
    names = {plain(name) for name in (seat.name, contestant.called, contestant.name, contestant.name.split()[0])}
    is_signed = len(lines) > 1 and plain(lines[-1].strip(" -–,.!")) in names  # nobody answers with their own name
    own = lines[:-1] if is_signed else lines
    readings = letter.readings.splitlines()
    own = _without_its_ends(turn, letter if readings else None, own)
    number = chosen(own, len(readings)) if readings else None
    reading = None if number is None else readings[number - 1] if number else ""
    begins, rest = begun(own, len(readings)) if reading is None else (0, "")
    if begins and not (
        _SAYS_MORE.search(rest) or service_in(rest)[0] or is_free_text(readings[begins - 1], _seen(play, seat))
    ):
        own = (f"{readings[begins - 1]}, {rest}",)  # `1, good luck Bob`
    return Heard(turn, letter, play, seat, lines, own, context, reading)


def _seen(play: Play, seat: Seat) -> Seen:
    return seen_by(play.game, play.state, seat.seat, play.names)


def _without_its_ends(turn: Turn, asking: Letter | None, lines: Sequence[str]) -> Sequence[str]:
    """A reply without what a server puts round all mail of its writer, a warning, a disclaimer.

    These are lines in which the mail before it begins or ends, too; and all in which the mail ends that a letter asked about.
    """
    session = turn.work.session
    if len(lines) < 2 or not (asking or any(map(_is_warning, (*lines[:1], *lines[-1:])))):
        return lines
    asked = session.get(Inbound, asking.answers_id) if asking and asking.answers_id is not None else None
    before = asked.lines if asked else lines_before(session, turn.inbound)
    begins, ends = deque(map(str, before)), deque(map(str, before))
    own = deque(lines)
    while len(own) > 1 and ends and own[-1].split() == ends.pop().split() and (asking or _is_warning(own[-1])):
        own.pop()
    while len(own) > 1 and begins and own[0].split() == begins.popleft().split() and _is_warning(own[0]):
        own.popleft()
    return tuple(own)


def _is_warning(line: str) -> bool:
    return len(line.split()) >= FRAME_WORDS and len(set(_WARNS.findall(plain(line)))) > 1


def _is_latest_word(reply: Reply, play: Play, seat: Seat) -> bool:
    """Is a letter whose questions are answered the last that its reader has? Whoever gets no receipt can only reply to that."""
    is_answered = all(row.closed_at is not None for row in reply.asked) and not play.asked(seat)
    return is_answered and play.episode.over_at is None and is_latest(reply.turn.work.session, reply.letter)


def _settled(turn: Turn, play: Play, seat: Seat, since: datetime) -> frozenset[str]:
    """The verbs that answer what a seat has answered since its letter was written."""
    replay, verbs = record.Replay(play.game, play.header), set[str]()
    for row in record_rows(turn.work.session, play.episode.id):
        line = record.read_line(row.text)
        if row.at > since and isinstance(line, record.Say) and line.player == seat.name:
            questions = (each for each in play.game.questions(replay.state) if each.seat == seat.seat)
            offered = (choice for each in questions for choice in play.game.choices(replay.state, each))
            verbs.update(choice.say[0].split()[0] for choice in offered)
        if replay.step(line):
            break
    return frozenset(verbs)


def _blocked(turn: Turn, play: Play, fresh: Sequence[QuestionRow], zone: str) -> str | None:
    """Says why nothing may be played now, or None."""
    host, arrived = turn.work.config.host, turn.inbound.arrived_at
    paused_at = play.episode.paused_at
    if paused_at is not None and not (arrived < paused_at and has_todays_rules(play.episode)):
        return f"{host.name} has paused this episode. Your letters stay good; answer again when it goes on."
    due_at = fresh[0].due_at if fresh and all(is_over(row, arrived) for row in fresh) else None
    if due_at is None or any(last_chances.give_where_over(turn.work, play, row) for row in fresh):
        return None
    came, due = (deadline_words(each, zone, timedelta(seconds=1)) for each in (arrived, due_at))
    return f"Your reply came on {came}, after the deadline on {due}."


def understand(heard: Heard) -> Interpretation:
    """Understand the lines, which may take a reading of their letter; a number that is another of these is asked about."""
    play, seat, own, context, reading = heard.play, heard.seat, heard.own, heard.context, heard.reading
    if reading and context.fresh and not says_yes(own):
        other = ", ".join(each.text for each in read(play.game, play.state, seat.seat, own, context).plan)
        if other != reading and other in heard.letter.readings.splitlines():
            doubt = RefusedLine(" ".join(own), READ_AS.format(reading), readings=(reading, other), is_unread=True)
            return Interpretation(state=play.state, refused=doubt)
    lines = commands_of(play.game, reading) if reading else own
    found = interpret(play.game, play.state, seat.seat, lines, context, play.chance)
    asked = heard.letter.readings.splitlines()
    begins, _ = begun(heard.lines, len(asked)) if reading is None else (0, "")
    if begins and not (
        found.said or found.ahead or found.services or (found.refused and not found.refused.is_unread)
    ):  # `1, no 2`
        refused = found.refused or RefusedLine(" ".join(own), "", is_unread=True)
        others = dict.fromkeys((asked[begins - 1], *refused.readings, *asked))
        reason = READ_AS.format(asked[begins - 1])
        return replace(found, refused=replace(refused, reason=reason, readings=tuple(others)))
    if found.refused is None or not found.refused.is_unread:
        return found
    whole = "\n".join(lines).strip()
    is_talk = is_for_host(own) and not _names_a_move(heard, whole)
    is_plea = found.to_host == whole and not _may_answer(heard, found.refused)
    return replace(found, refused=None, to_host=whole) if is_talk or is_plea else found


def _may_answer(heard: Heard, refused: RefusedLine) -> bool:
    """May what stands beside a plea be an answer in words: `Paris. Can I have two more days for the next one?`"""
    verb = _seen(heard.play, heard.seat).answer_verb
    return has_likely(refused) and refused.readings[0].split()[0] == verb


def _names_a_move(heard: Heard, text: str) -> bool:
    """Does any word of a mail name a move of its writer, or a value?"""
    seen = _seen(heard.play, heard.seat)
    return any(map(seen.verb_named, words(text))) or bool(values_in(text, seen))


def as_it_counts(heard: Heard, understood: Interpretation) -> Interpretation:
    """The same without what may be quoted, with the second reader's opinion, and without what is asked too often."""
    play, turn = heard.play, heard.turn
    is_command_here = partial(is_command, play.game, play.state, seat=heard.seat.seat)
    unclear = next(filter(is_command_here, turn.opened.typed.doubtful), "")
    if unclear:
        refused = RefusedLine(unclear, WHO_WROTE)
        understood = Interpretation(state=play.state, refused=refused, to_host=understood.to_host)
    understood = _with_second_opinion(understood, turn.opened.second)
    if (understood.services or understood.to_host) and not understood.said and heard.is_capped:
        done = [each for each in understood.services if each is Service.CANCEL]  # it changes what is played
        return replace(understood, services=tuple(done), to_host="")
    return understood


def _with_second_opinion(understood: Interpretation, command: str) -> Interpretation:
    """The same, where nothing was understood, with this reading before the others if it is one of them."""
    refused = understood.refused
    if refused is None or not refused.is_unread or command not in refused.readings:
        return understood
    readings = tuple(dict.fromkeys((command, *refused.readings)))
    return replace(understood, refused=replace(refused, reason=READ_AS.format(command), readings=readings))
