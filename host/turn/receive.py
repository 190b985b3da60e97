"""Shell: the corridor of a mail. In: a stored mail. Out: what it changed and the letters it led to, in one transaction.

Read `receive` from top to bottom: open, recognise, find the letter that is answered, agree on the sender, play.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from host import record
from host.game import Outcome
from host.games import GAMES
from host.grammar import is_polite, plain, words
from host.mail import sender
from host.mail.quotation import SentText, may_quote
from host.mail.render import Draft, Transcript, deadline_words
from host.mail.reply import Mail, open_mail, sent_texts
from host.play import deadlines
from host.play.episode import Heard, Reply, hear, says_yes, service_in, suggestions, take_host_text
from host.play.lobby import CONFIRM_WITHIN
from host.store.ahead import commands_replying_to
from host.store.episodes import open_questions, questions_of_letter
from host.store.mails import (
    count_copies,
    count_letters_to,
    held_for,
    letter_of_token,
    messages_up_to,
)
from host.store.people import contestant_of_address
from host.store.schema import Address, Contestant, Episode, Held, Inbound, Kept, Letter, Question, Seat
from host.store.store import Session
from host.turn import alerts, lobby, operators, registering, serving, settling
from host.turn.house import House, Play, close_question, load_play, state_at
from host.turn.letters import Answering, open_question, plain_ask, send
from host.turn.playing import commit
from host.turn.telling import Told, repeat_questions

RESIGN_YES = re.compile(r"\s*(?:resign\b[\s,:]*)?yes\b", re.IGNORECASE)
ANSWERS_AN_HOUR = 20
"""Answers to mails that played nothing, to one address; more would feed a mail loop."""
LETTERS_REMEMBERED = 30
"""How many of the letters sent to a contestant their replies are compared with."""


@dataclass(frozen=True)
class Turn:
    """One mail on its way through the corridor."""

    session: Session
    house: House
    answering: Answering
    now: datetime

    @property
    def mail(self) -> Mail:
        """The mail, opened."""
        return self.answering.mail

    @property
    def inbound(self) -> Inbound:
        """Its row."""
        return self.answering.inbound


def receive(house: House, inbound_id: int, now: datetime) -> None:
    """Take one stored mail through the corridor. Anything it raises is undone; see `quarantine`."""
    with house.store.transaction() as session:
        inbound = session.get_one(Inbound, inbound_id)
        if inbound.state != "new":
            return
        mail = open_mail(inbound.raw or b"")
        turn = Turn(session, house, Answering(inbound, mail), now)
        state, note = _take(turn)
        inbound.state, inbound.note = state, note
        if state == "stranger":
            inbound.raw, inbound.sender, inbound.token, inbound.content_key = None, "", None, None


def quarantine(house: House, inbound_id: int, why: str, now: datetime) -> None:
    """Keep a mail that the corridor could not take, show it to the host, and go on."""
    with house.store.transaction() as session:
        inbound = session.get_one(Inbound, inbound_id)
        inbound.state, inbound.note = "broken", why[:500]
        alerts.alert(
            session,
            house,
            now,
            "A mail could not be handled",
            f"The mail {inbound.uid} in {inbound.mailbox}, from {inbound.sender or 'nobody known'}, could not be "
            f"handled: {why[:300]}. It is kept, nothing was played, and the mailbox goes on.",
        )


def _take(turn: Turn) -> tuple[str, str]:
    """What becomes of a mail: its state and a note for the host."""
    mail, inbound, session = turn.mail, turn.inbound, turn.session
    inbound.sender = mail.sender[:320]
    if mail.problem:
        return _unreadable(turn, mail.problem)
    if mail.silence:
        known = contestant_of_address(session, mail.sender) or _letter_answered(turn)
        return ("silent", f"not answered: {mail.silence}") if known else ("stranger", "a stranger's")
    if mail.sender == turn.house.config.host.address.lower():
        return "silent", "not answered: own"
    inbound.content_key = mail.content_key
    copies = count_copies(session, mail.content_key, inbound.id)
    if copies:
        return "duplicate", "a copy of a mail that was read before"
    letter = _letter_answered(turn)
    request = registering.request_in(turn.house, mail.subject)
    if letter is None and request:
        return _registration(turn, request)
    if letter is None:
        return _without_token(turn)
    inbound.token, inbound.contestant_id, inbound.episode_id = letter.token, letter.contestant_id, letter.episode_id
    if sender.has_failed(mail.authentication, turn.house.config.security.authserv_id):
        return "refused", "its sender could not be authenticated; not answered"
    if letter.contestant_id is None:
        return _to_an_address(turn, letter)
    contestant = session.get_one(Contestant, letter.contestant_id)
    author = contestant_of_address(session, mail.sender)
    if author is None or author.id != contestant.id:
        return _hold(turn, letter, contestant)
    _wrote(contestant, inbound)
    return _reply(turn, letter, contestant, inbound.arrived_at)


def _unreadable(turn: Turn, problem: str) -> tuple[str, str]:
    raw = turn.inbound.raw or b""
    ours = [letter for letter in (letter_of_token(turn.session, token) for token in turn.mail.tokens) if letter]
    if not ours and turn.house.config.host.address.lower().encode() not in raw[:20000].lower().replace(b"\n ", b""):
        return "stranger", "a stranger's"
    alerts.alert(
        turn.session,
        turn.house,
        turn.now,
        "A mail could not be read",
        f"A mail in {turn.inbound.mailbox} (number {turn.inbound.uid}) cannot be read: {problem}. It is kept; nothing "
        "was played.",
    )
    return "broken", f"cannot be read: {problem}"


def _letter_answered(turn: Turn) -> Letter | None:
    found = (letter_of_token(turn.session, token) for token in turn.mail.tokens)
    return next((letter for letter in found if letter), None)


def _wrote(contestant: Contestant, inbound: Inbound) -> None:
    contestant.wrote_at = max(contestant.wrote_at, inbound.arrived_at)


def _typed(turn: Turn, letter: Letter | None) -> tuple[str, ...]:
    """What the person typed, held against the letters they got."""
    sent: list[SentText] = []
    if letter is not None and may_quote(turn.mail.text):
        for message in messages_up_to(turn.session, letter, LETTERS_REMEMBERED):
            sent.extend(sent_texts(message))
    lines = turn.mail.typed(sent)
    turn.inbound.lines = list(lines)
    return lines


def _registration(turn: Turn, request: registering.Request) -> tuple[str, str]:
    if request.game is None:
        if _capped(turn, turn.mail.sender):
            return "refused", "not answered: too many answers this hour"
        return "refused", registering.not_offered(turn.session, turn.house, turn.answering, turn.now)
    lines = _typed(turn, None) or tuple(line.lstrip("> ") for line in turn.mail.text.splitlines() if line.strip("> "))
    contestant = contestant_of_address(turn.session, turn.mail.sender)
    if contestant:
        _wrote(contestant, turn.inbound)
    note = registering.register(turn.session, turn.house, turn.answering, request.game, lines, turn.now)
    lobby.run(turn.session, turn.house, request.game, turn.now)
    return "answered", note


def _without_token(turn: Turn) -> tuple[str, str]:
    """No letter of ours is answered: a stranger is left alone, a contestant is told how to reply."""
    session, house = turn.session, turn.house
    contestant = contestant_of_address(session, turn.mail.sender)
    if contestant is None:
        if turn.mail.sender in {each.lower() for each in house.config.host.operators}:
            _typed(turn, None)
            return "silent", "an operator's mail that answers no letter; commands count only in a reply"
        return "stranger", "a stranger's"
    turn.inbound.contestant_id = contestant.id
    _wrote(contestant, turn.inbound)
    _, to_host = take_host_text(_typed(turn, None))
    if _capped(turn, contestant.address):
        return "refused", "no token; not answered: too many answers this hour"
    if to_host:
        serving.forward(session, house, contestant, to_host, turn.now)
    lead = (
        "I could not tell which letter you were answering, so nothing was played. Please use Reply on a letter of "
        "mine, or tap one of its links; the address then tells me who you are and what you answer.",
        *(("What you wrote to the host was passed on.",) if to_host else ()),
    )
    row = next((each for each in open_questions(session, contestant_id=contestant.id) if each.purpose == "game"), None)
    if row and row.episode_id:
        play = _play_of(session, row.episode_id)
        seat = play.seat_of(contestant.id)
        if seat:
            told = Told(answering=turn.answering, writer=seat.seat)
            repeat_questions(
                session, house, play, seat, "refused", turn.now, lead=lead, told=told, headline="Please use Reply"
            )
            return "refused", "no token"
    draft = Draft(kind="refused", headline="Please use Reply", lead=lead)
    send(session, house, draft, turn.now, contestant=contestant, answering=turn.answering)
    return "refused", "no token"


def _play_of(session: Session, episode_id: int) -> Play:
    return load_play(session.get_one(Episode, episode_id))


def _capped(turn: Turn, address: str) -> bool:
    """Were there too many answers this hour to mails of this address that played nothing?"""
    since = turn.now - timedelta(hours=1)
    sent = count_letters_to(turn.session, address, ("refused", "help"), since)
    return sent >= ANSWERS_AN_HOUR


def _to_an_address(turn: Turn, letter: Letter) -> tuple[str, str]:
    """A reply to a letter that went to no contestant: to an operator, or to somebody without a name yet."""
    if turn.mail.sender != letter.address.lower():
        return "refused", f"a reply to a letter for another address, {letter.address}; not answered"
    lines = _typed(turn, letter)
    if letter.purpose == "name":
        game = GAMES[letter.game]
        if _capped(turn, letter.address):
            return "refused", "not answered: too many answers this hour"
        note = registering.register(turn.session, turn.house, turn.answering, game, lines, turn.now, is_answer=True)
        lobby.run(turn.session, turn.house, game, turn.now)
        return "answered", note
    if letter.purpose in ("host", "operator"):
        return operators.from_operator(turn.session, turn.house, turn.answering, letter, lines, turn.now)
    return "refused", "a reply to a letter that asked nothing; not answered"


def _hold(turn: Turn, letter: Letter, contestant: Contestant) -> tuple[str, str]:
    """A valid token from another address: keep the mail, ask the registered address once."""
    session, house = turn.session, turn.house
    _typed(turn, letter)
    if letter.purpose == "address":
        return "refused", "an address cannot vouch for itself; not answered"
    row = next(
        (
            each
            for each in open_questions(session, purpose="address", contestant_id=contestant.id)
            if each.key == turn.mail.sender[:120]
        ),
        None,
    )
    if row is None:
        row = open_question(
            session,
            house,
            turn.now,
            purpose="address",
            contestant=contestant,
            within=CONFIRM_WITHIN,
            key=turn.mail.sender[:120],
        )
        ask = plain_ask(
            "Was that you?",
            f"A reply to a letter of yours came from the address {turn.mail.sender}. If that was you, say yes: what "
            "it said is then played as of when it came, and I shall know the address from now on.",
            "yes",
            "Yes, that was me",
            row,
            "Without an answer nothing of it is played.",
        )
        draft = Draft(
            kind="confirm",
            headline="Is this address yours too?",
            lead=("Nothing has been played yet.",),
            asks=(ask,),
            tail=(
                "If it was not you, do nothing. Do not pass letters of mine on: whoever has one can write in your "
                "name.",
            ),
        )
        send(session, house, draft, turn.now, contestant=contestant, purpose="address", questions=[row])
    session.add(Held(inbound_id=turn.inbound.id, question_id=row.id, letter_id=letter.id))
    return "held", f"from {turn.mail.sender}, which is not an address of {contestant.called}; asked them"


def _reply(turn: Turn, letter: Letter, contestant: Contestant, arrived: datetime) -> tuple[str, str]:
    """A reply to a letter, from whom it was sent to."""
    lines = _typed(turn, letter)
    asked = questions_of_letter(turn.session, letter.id)
    row = next((each for each in asked if each.closed_at is None and each.purpose != "game"), None)
    if row and row.purpose in ("confirm", "ready") and _says_more_than_services(lines):
        return _confirmed(turn, row, contestant, lines)
    if row and row.purpose == "address" and says_yes(lines):
        return _play_held(turn, row, contestant)
    if row and row.purpose == "address" and words(" ".join(lines[:1]))[:1] == ("no",):
        return _drop_held(turn, row, contestant)
    if row and row.purpose == "resign" and RESIGN_YES.match(" ".join(lines[:1])):
        resigned = _resign(turn, row, contestant, letter)
        if resigned:
            return resigned
    if letter.episode_id is not None:
        return _in_episode(turn, letter, contestant, lines, asked, arrived)
    return serving.outside_play(
        turn.session, turn.house, turn.answering, letter, contestant, lines, turn.now, _capped(turn, contestant.address)
    )


def _says_more_than_services(lines: Sequence[str]) -> bool:
    """Any reply confirms, also an empty one; not one that only writes to the host or asks for something, or leaves."""
    rest, to_host = take_host_text(lines)
    asked = [service_in(line, serving.TITLES)[0] for line in rest]
    if any(service in ("leave", "retire") for service in asked):
        return False
    return not all(asked) or not (rest or to_host)


def _confirmed(turn: Turn, row: Question, contestant: Contestant, lines: Sequence[str]) -> tuple[str, str]:
    """A `confirm` or `ready` mail was answered."""
    _, to_host = take_host_text(lines)
    if to_host:
        serving.forward(turn.session, turn.house, contestant, to_host, turn.now)
    game = GAMES[row.game]
    if row.purpose == "confirm":
        note = registering.confirm(turn.session, turn.house, turn.answering, row, turn.now)
        lobby.run(turn.session, turn.house, game, turn.now)
        return "answered", note
    close_question(row, "answered", turn.now)
    contestant.wrote_at = turn.now
    turn.session.flush()
    if not lobby.run(turn.session, turn.house, game, turn.now):
        lead = ("Thank you! The episode begins as soon as the others have answered too.",)
        draft = Draft(kind="registered", headline="Good to have you", lead=lead)
        send(turn.session, turn.house, draft, turn.now, contestant=contestant, game=game, answering=turn.answering)
    return "answered", f"ready for {row.game}"


def _play_held(turn: Turn, row: Question, contestant: Contestant) -> tuple[str, str]:
    """Yes: play what was held, as of its arrival, and remember the address unless it is somebody else's."""
    session = turn.session
    close_question(row, "yes", turn.now)
    if contestant_of_address(session, row.key) is None:
        session.add(Address(address=row.key, contestant_id=contestant.id, confirmed_at=turn.now))
    session.flush()
    notes: list[str] = []
    for held in held_for(session, row.id):
        inbound = session.get_one(Inbound, held.inbound_id)
        earlier = Turn(session, turn.house, Answering(inbound, open_mail(inbound.raw or b"")), turn.now)
        letter = session.get_one(Letter, held.letter_id)
        inbound.state, inbound.note = _reply(earlier, letter, contestant, inbound.arrived_at)
        notes.append(f"mail {inbound.id}: {inbound.note}")
        session.delete(held)
    return "played", f"confirmed {row.key}; " + "; ".join(notes)


def _drop_held(turn: Turn, row: Question, contestant: Contestant) -> tuple[str, str]:
    """No: nothing of what was held is played."""
    close_question(row, "no", turn.now)
    for held in held_for(turn.session, row.id):
        inbound = turn.session.get_one(Inbound, held.inbound_id)
        inbound.state, inbound.note = "refused", f"{contestant.called} said that it was not theirs"
        turn.session.delete(held)
    lead = ("Thank you. Nothing of that mail is played.",)
    draft = Draft(kind="help", headline="Nothing of it is played", lead=lead)
    send(turn.session, turn.house, draft, turn.now, contestant=contestant, answering=turn.answering)
    return "answered", f"{row.key} is not theirs"


def _resign(turn: Turn, row: Question, contestant: Contestant, letter: Letter) -> tuple[str, str] | None:
    """Play the resignation; None where it cannot be played now, so that the reply is answered like any other."""
    play = _play_of(turn.session, letter.episode_id or 0)
    seat = play.seat_of(contestant.id)
    if seat is None or play.episode.over_at is not None or play.episode.paused_at is not None:
        return None
    if play.game.is_out(play.state, seat.seat):
        return None
    close_question(row, "yes", turn.now)
    command = play.game.parse("resign", play.state, seat.seat)
    outcome = play.game.apply(play.state, seat.seat, command, play.chance)
    line = record.Say(seat.name, "resign")
    told = Told(answering=turn.answering, writer=seat.seat, transcript=Transcript(accepted=("resign",)))
    commit(turn.session, turn.house, play, outcome, [line], told, turn.now)
    return "played", "resign"


def _in_episode(
    turn: Turn,
    letter: Letter,
    contestant: Contestant,
    lines: Sequence[str],
    asked: Sequence[Question],
    arrived: datetime,
) -> tuple[str, str]:
    """A reply to a letter of an episode: hear its lines, store what they changed, answer."""
    play = _play_of(turn.session, letter.episode_id or 0)
    seat = play.seat_of(contestant.id)
    if seat is None:
        return "refused", "does not sit in this episode"
    fresh = [row for row in asked if row.closed_at is None and row.purpose == "game"]
    blocked = _blocked(turn, play, fresh, arrived)
    is_unasked = not any(row.purpose == "game" for row in asked)
    reply = Reply(
        frozenset(row.key for row in fresh),
        is_unasked=is_unasked,
        sent_before=frozenset(commands_replying_to(turn.session, letter.id)),
        blocked=blocked,
        written_at=state_at(turn.session, play, letter.created_at) if is_unasked else None,
        takes_text=letter.purpose == "game",
    )
    heard = hear(play.game, play.state, seat.seat, _unsigned(lines, contestant, seat), reply, play.chance)
    if lines and heard.is_empty and not fresh and all(map(is_polite, lines)):
        return "answered", "small talk"
    transcript = _transcript(play, heard, seat, lines, blocked is not None)
    if heard.is_cancelling:
        settling.cancel(turn.session, play, seat.seat)
    services = serving.serve(turn.session, turn.house, turn.answering, play, seat, heard, turn.now)
    _keep(turn, play, seat, letter, heard, reply)
    if heard.said:
        outcome: Outcome[object] = Outcome(heard.state, heard.events)
        said = [record.Say(seat.name, each) for each in heard.said]
        told = Told(answering=turn.answering, writer=seat.seat, transcript=transcript, tail=services.paragraphs)
        commit(turn.session, turn.house, play, outcome, said, told, turn.now)
        left = f"; refused: {heard.refused.line} ({heard.refused.reason})" if heard.refused else ""
        return ("refused" if heard.refused else "played"), ", ".join(heard.said) + left
    return _answer_only(turn, play, seat, heard, transcript, services)


def _unsigned(lines: Sequence[str], contestant: Contestant, seat: Seat) -> Sequence[str]:
    """The lines without a name written under them: nobody answers with their own name."""
    own = {plain(name) for name in (seat.name, contestant.called, contestant.name, contestant.name.split()[0])}
    return lines[:-1] if len(lines) > 1 and plain(lines[-1].strip(" -–,.!")) in own else lines


def _keep(turn: Turn, play: Play, seat: Seat, letter: Letter, heard: Heard, reply: Reply) -> None:
    """Store what was sent ahead; what a letter that can still be replied to has brought already is noted, too."""
    rows = [(each.text, each.scope, "waiting") for each in heard.ahead]
    still_open = reply.fresh & {question.key for question in play.game.questions(heard.state)}
    if reply.is_unasked or still_open:
        rows = [*((said, "", "played") for said in heard.said), *rows]
    for text, scope, state in rows:
        turn.session.add(
            Kept(
                episode_id=play.episode.id,
                seat=seat.seat,
                letter_id=letter.id,
                inbound_id=turn.inbound.id,
                text=text,
                scope=scope,
                state=state,
                note="",
                is_told=state == "played",
                at=turn.now,
            )
        )
        turn.session.flush()


def _answer_only(
    turn: Turn, play: Play, seat: Seat, heard: Heard, transcript: Transcript | None, services: serving.Served
) -> tuple[str, str]:
    """Nothing was played: one answer, or none where there were too many this hour."""
    refused = heard.refused is not None or heard.is_empty
    if heard.ahead:
        told = Told(answering=turn.answering, writer=seat.seat, transcript=transcript, tail=services.paragraphs)
        kind, headline = ("refused", "") if refused else ("news", "Kept for later")
        repeat_questions(turn.session, turn.house, play, seat, kind, turn.now, told=told, headline=headline)
        return ("refused" if refused else "played"), "sent ahead: " + ", ".join(each.text for each in heard.ahead)
    note = (
        "nothing typed"
        if heard.is_empty
        else f"refused: {heard.refused.line} ({heard.refused.reason})"
        if heard.refused
        else ""
    )
    note = "; ".join(each for each in (note, *heard.services, "a message to the host" if heard.to_host else "") if each)
    state = "refused" if refused else "answered"
    if services.is_settled and not refused:
        return state, note
    if _capped(turn, seat.contestant.address):
        return state, f"{note}; not answered: too many answers this hour"
    told = Told(answering=turn.answering, writer=seat.seat, transcript=transcript, tail=services.paragraphs)
    kind = "refused" if refused else "help"
    headline = "" if refused else services.headline
    repeat_questions(turn.session, turn.house, play, seat, kind, turn.now, told=told, headline=headline)
    return state, note


def _blocked(turn: Turn, play: Play, fresh: Sequence[Question], arrived: datetime) -> str | None:
    """Why nothing may be played now, or None."""
    config = turn.house.config
    if play.episode.paused_at is not None:
        return f"{config.host.name} has paused this episode. Your letters stay good; answer again when it goes on."
    late = [row for row in fresh if row.due_at is not None and deadlines.is_late(arrived, row.due_at)]
    if fresh and len(late) == len(fresh) and late[0].due_at:
        within = timedelta(seconds=1)
        came = deadline_words(arrived, config.host.timezone, within)
        due = deadline_words(late[0].due_at, config.host.timezone, within)
        return f"Your reply came on {came}, after the deadline on {due}."
    return None


def _transcript(play: Play, heard: Heard, seat: Seat, lines: Sequence[str], is_blocked: bool) -> Transcript | None:
    if heard.refused:
        clause = f" (Rule {heard.refused.clause}.)" if heard.refused.clause else ""
        legal = () if is_blocked else suggestions(play.game, heard.state, seat.seat, heard.refused.line)
        ahead = tuple(each.text for each in heard.ahead)
        return Transcript(
            heard.said, heard.refused.line[:120], heard.refused.reason + clause, heard.untried[:10], legal, ahead
        )
    if heard.is_empty:
        shown = " ".join(lines)[:80]
        reason = (
            "I found no command in it."
            if lines
            else "There was nothing above, between or below the quotation that you had typed. Attachments are not read."
        )
        legal = () if is_blocked else suggestions(play.game, play.state, seat.seat, shown)
        return Transcript((), shown or "your mail", reason, (), legal)
    ahead = tuple(each.text for each in heard.ahead)
    return Transcript(heard.said, ahead=ahead) if heard.said or ahead else None
