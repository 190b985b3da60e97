"""Shell: putting letters into the outbox. In: a draft and whom it is for. Out: a `Letter` row in this transaction.

A letter and the change it tells are committed together. A question's clock starts when the first letter that asks it
was accepted by the SMTP server.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from host.engine.chance import new_token
from host.engine.game import Choice, Game
from host.engine.words import pattern
from host.mail.inbound.mail import Mail
from host.mail.outbound.draft import Ask, Draft, Envelope, TableView, message_id, shortened
from host.mail.outbound.render import finish, question_words
from host.play import deadlines
from host.states import LetterPurpose, QuestionPurpose
from host.store.episodes import questions_of_letters
from host.store.mails import is_first_to_ask
from host.store.packing import pack
from host.store.schema import Contestant, Episode, Inbound, Letter, QuestionRow, Seat
from host.turn.play import Play
from host.turn.work import Work

HOST_CODE = "HOST"
MAX_LETTER = 256_000
"""Bytes of a letter; a longer one is cut, since mail programs and providers cut it too."""
CUTS = ((20, 1000), (20, 200), (5, 100))
"""Paragraphs, and characters of each, that are left of each part of a letter that is too long; the less the longer."""
_MESSAGE_ID = pattern(r"<[!-;=?-~]{1,247}>")
"""Printable and not too long, so that any header can hold it."""


@dataclass(frozen=True)
class Answering:
    """The mail that a letter answers: its row, and what it looked like."""

    inbound: Inbound
    mail: Mail


@dataclass(frozen=True)
class Marks:
    """Keys that find this letter again when somebody replies (`host.store.schema.Letter`)."""

    about_id: int | None = None
    host_question: str = ""
    cause: str = ""


NO_MARKS = Marks()


def send(
    work: Work,
    draft: Draft,
    to: Contestant | str,
    about: Play | Game[Any, Any] | None = None,
    *,
    purpose: LetterPurpose = "lobby",
    questions: Sequence[QuestionRow] = (),
    answering: Answering | None = None,
    marks: Marks = NO_MARKS,
) -> Letter:
    """Write a letter to a contestant, or to an address, and queue it.

    `questions` are the rows that its `asks` put. Raises jinja2's errors where a template is broken.
    """
    play = about if isinstance(about, Play) else None
    game = about.game if isinstance(about, Play) else about
    contestant = None if isinstance(to, str) else to
    recipient = to if isinstance(to, str) else to.address
    seat = play.seat_of(contestant.id) if play and contestant else None
    token = new_token()
    envelope = _envelope(work, token, recipient, about, seat, answering)
    letter = Letter(
        token=token,
        kind=draft.kind,
        purpose=purpose,
        address=recipient,
        contestant_id=contestant.id if contestant else None,
        about_id=marks.about_id,
        episode_id=play.episode.id if play else None,
        game=game.slug if game else "",
        subject=envelope.subject,
        packed=pack(_message(draft, envelope)),
        answers_id=answering.inbound.id if answering else None,
        host_question=marks.host_question,
        cause=marks.cause,
        readings=draft.transcript.meant if draft.transcript else "",
        created_at=work.now,
        try_at=work.now,
        state="queued",
        attempts=0,
        response="",
        questions=list(questions),
    )
    work.session.add(letter)
    work.written.append(letter)
    if seat and not seat.thread:
        seat.thread = token
    return letter


def _message(draft: Draft, envelope: Envelope) -> bytes:
    """The letter as it goes, cut where it would be too long."""
    message = finish(draft, envelope).message
    for paragraphs, characters in CUTS:
        if len(message) > MAX_LETTER:
            message = finish(shortened(draft, paragraphs, characters), envelope).message
    return message


def _envelope(
    work: Work,
    token: str,
    recipient: str,
    about: Play | Game[Any, Any] | None,
    seat: Seat | None,
    answering: Answering | None,
) -> Envelope:
    """As which mail a letter goes: in the thread of its seat's first letter, and of the mail that it answers.

    Threads are RFC 5322, 3.6.4.
    """
    config = work.config
    topic, code = _subject(about) if about else (config.host.name, HOST_CODE)
    root = message_id(seat.thread, config.host.address) if seat and seat.thread else ""
    answered = answering.mail.message_id if answering and _MESSAGE_ID.fullmatch(answering.mail.message_id) else ""
    return Envelope(
        token=token,
        host_name=config.host.name,
        address=config.host.address,
        plus=config.security.plus_addressing,
        recipient=recipient,
        topic=topic,
        code=code,
        timezone=config.host.timezone,
        written_at=work.now,
        answers=answering is not None,
        in_reply_to=answered or root,
        references=tuple(each for each in (root, answered) if each),
        episode=about.episode.code if isinstance(about, Play) else "",
    )


def _subject(about: Play | Game[Any, Any]) -> tuple[str, str]:
    """The subject of a letter about an episode or a game: a topic and a code."""
    if isinstance(about, Play):
        versus = " v " if len(about.names) == 2 else ", "
        return f"{about.game.title}: {versus.join(about.names)}", about.episode.code
    return f"{about.title}: your place", about.code


def open_question(
    work: Work,
    purpose: QuestionPurpose,
    contestant: Contestant,
    within: timedelta | None,
    *,
    episode: Episode | None = None,
    game: str = "",
    seat: int | None = None,
    key: str = "",
    phase: str = "",
    registration_id: int | None = None,
) -> QuestionRow:
    """A new open question: of whom, why, and how long the answer may take (None: for ever).

    `episode`, `seat`, `key` and `phase` are those of a game's question; `key` alone is what another is about. Its deadline as
    known now counts from now; it moves when the letter was accepted later.
    """
    row = QuestionRow(
        purpose=purpose,
        contestant_id=contestant.id,
        episode=episode,
        registration_id=registration_id,
        game=game,
        seat=seat,
        key=key,
        phase=phase,
        opened_at=work.now,
        asked_at=None,
        within=None if within is None else int(within.total_seconds()),
        due_at=None if within is None else deadlines.foreseen(work.now, within),
        remind=deadlines.reminders(within, work.config.deadlines.reminders) if within and purpose == "game" else [],
        remind_at=None,
        stopped_at=None,
        closed_at=None,
        outcome="",
    )
    work.session.add(row)
    return row


def game_ask(play: Play, row: QuestionRow, table: TableView) -> Ask:
    """A game's open question as a letter puts it."""
    live = next(each for each in play.questions if each.key == row.key and each.seat == row.seat)
    said = question_words(play.game.slug, live.phase, table)
    return Ask(
        sentence=said.sentence,
        choices=play.game.choices(play.state, live),
        headline=said.headline,
        due_at=row.due_at,
        within=timedelta(seconds=row.within or 0),
        silence=said.silence,
    )


def plain_ask(sentence: str, links: Sequence[tuple[str, str]], row: QuestionRow, silence: str) -> Ask:
    """A question outside of play; `links` are what each says and its label."""
    choices = tuple(
        Choice((body,), label, f"the word {body}" if " " not in body else f"the words {body}", body)
        for body, label in links
    )
    within = timedelta(seconds=row.within or 0)
    return Ask(sentence, choices, due_at=row.due_at, within=within, silence=silence)


def accepted(work: Work, letter_ids: Collection[int]) -> None:
    """The SMTP server accepted these letters: the clocks of the questions that they are the first to ask start now."""
    begun: set[int] = set()
    for letter_id, row in questions_of_letters(work.session, letter_ids):
        is_new = row.asked_at is None and row.id not in begun
        if is_new or is_first_to_ask(work.session, letter_id, row.id):
            begun.add(row.id)
            _begin_clock(row, work.now)


def _begin_clock(row: QuestionRow, now: datetime) -> None:
    row.asked_at = now
    if row.due_at is not None and row.within is not None:
        row.due_at = max(row.due_at, deadlines.due(now, timedelta(seconds=row.within)))
        row.remind_at, row.remind = deadlines.next_reminder(row.due_at, row.remind, now)


def table_for(play: Play, seat: int) -> TableView:
    """The table as a seat may see it; when the episode is over all that was hidden is shown."""
    seen_by = None if play.episode.over_at is not None else seat
    return TableView(play.game.slug, play.game.view(play.state, seen_by), play.names, seat)
