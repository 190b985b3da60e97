"""Shell: putting letters into the outbox. In: a draft and whom it is for. Out: a `Letter` row in this transaction.

A letter and the change it tells are committed together. A question's clock starts when the first letter that asks it
was accepted by the SMTP server.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from host.engine.chance import new_token
from host.engine.game import Choice, Game
from host.mail.inbound.mail import Mail
from host.mail.outbound.draft import Ask, Draft, Envelope, TableView, message_id
from host.mail.outbound.render import question_words
from host.play import deadlines
from host.states import LetterPurpose, QuestionPurpose
from host.store.episodes import Clock, clocks_of_letters, set_clocks
from host.store.letters import NewLetter, is_first_to_ask, queue_letter
from host.store.schema import Contestant, Episode, Inbound, Letter, QuestionRow, Seat
from host.turn.play import Play
from host.turn.work import Work

HOST_CODE = "HOST"
_MESSAGE_ID = re.compile(r"<[!-;=?-~]{1,247}>")
"""Printable and not too long, so that any header can hold it."""


@dataclass(frozen=True)
class Answering:
    """The mail that a letter answers: its row, and what it looked like."""

    inbound: Inbound
    mail: Mail


@dataclass(frozen=True)
class Marks:
    """What a letter to operators, or to a new address, is found by later (`host.store.schema.Letter`)."""

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
) -> int:
    """Have a letter to a contestant, or to an address, finished, and queue it; gives its number.

    `questions` are the rows that its `asks` put.
    """
    play = about if isinstance(about, Play) else None
    game = about.game if isinstance(about, Play) else about
    contestant = None if isinstance(to, str) else to
    recipient = to if isinstance(to, str) else to.address
    seat = play.seat_of(contestant.id) if play and contestant else None
    token = new_token()
    envelope = _envelope(work, token, recipient, about, seat, answering)
    finishing = work.services.finish(draft, envelope)
    number = work.session.number(Letter)
    answers_id = answering.inbound.id if answering else None
    letter = NewLetter(
        id=number,
        token=token,
        kind=draft.kind,
        purpose=purpose,
        address=recipient,
        contestant_id=contestant.id if contestant else None,
        about_id=marks.about_id,
        episode_id=play.episode.id if play else None,
        game=game.slug if game else "",
        subject=envelope.subject,
        packed=finishing.packed,
        answers_id=answers_id,
        host_question=marks.host_question,
        cause=marks.cause,
        created_at=work.now,
        try_at=work.now,
        claimed_by=work.hand_over(number, recipient, finishing, answers_id),
    )
    queue_letter(work.session, letter, [each.id for each in questions])
    work.written.append(number)
    if seat and not seat.thread:
        work.session.change(seat, thread=token)
    return number


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
    answered = answering.mail.message_id if answering and _is_message_id(answering.mail.message_id) else ""
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
    """What a letter about an episode or a game has as its subject: a topic and a code."""
    if isinstance(about, Play):
        return f"{about.game.title}: {_versus(about.names)}", about.episode.code
    return f"{about.title}: your place", about.code


def _is_message_id(text: str) -> bool:
    return _MESSAGE_ID.fullmatch(text) is not None


def _versus(names: Sequence[str]) -> str:
    return f"{names[0]} v {names[1]}" if len(names) == 2 else ", ".join(names)


@dataclass(frozen=True)
class Asking:
    """A question that is about to be asked: of whom, why, and how long the answer may take (None: for ever).

    `episode`, `seat`, `key` and `phase` are those of a game's question; `key` alone is what another is about.
    """

    purpose: QuestionPurpose
    contestant: Contestant
    within: timedelta | None
    episode: Episode | None = None
    game: str = ""
    seat: int | None = None
    key: str = ""
    phase: str = ""
    registration_id: int | None = None


def open_question(work: Work, asking: Asking) -> QuestionRow:
    """A new open question. Its deadline as known now counts from now; it moves when the letter was accepted later."""
    within = asking.within
    remind: list[Any] = []
    due_at = None
    if within is not None:
        due_at = deadlines.foreseen(work.now, within)
        if asking.purpose == "game":
            remind = deadlines.reminders(within, work.config.deadlines.reminders)
    row = QuestionRow(
        id=work.session.number(QuestionRow),
        purpose=asking.purpose,
        contestant_id=asking.contestant.id,
        episode_id=asking.episode.id if asking.episode else None,
        registration_id=asking.registration_id,
        game=asking.game,
        seat=asking.seat,
        key=asking.key,
        phase=asking.phase,
        opened_at=work.now,
        asked_at=None,
        within=None if within is None else int(within.total_seconds()),
        due_at=due_at,
        remind=remind,
        remind_at=None,
        stopped_at=None,
        closed_at=None,
        outcome="",
    )
    work.session.add(row)
    work.note_question(row)
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
    begun: dict[int, Clock] = {}
    for letter_id, clock in clocks_of_letters(work.session, letter_ids):
        is_new = clock.asked_at is None and clock.question_id not in begun
        if is_new or is_first_to_ask(work.session, letter_id, clock.question_id):
            begun[clock.question_id] = _begun(clock, work.now)
    set_clocks(work.session, begun.values())


def _begun(clock: Clock, now: datetime) -> Clock:
    if clock.due_at is None or clock.within is None:
        return replace(clock, asked_at=now)
    due_at = max(clock.due_at, deadlines.due(now, timedelta(seconds=clock.within)))
    remind_at, remind = deadlines.next_reminder(due_at, clock.remind, now)
    return replace(clock, asked_at=now, due_at=due_at, remind_at=remind_at, remind=remind)


def table_for(play: Play, seat: int) -> TableView:
    """The table as a seat may see it; when the episode is over all that was hidden is shown."""
    seen_by = None if play.episode.over_at is not None else seat
    return TableView(play.game.slug, play.game.view(play.state, seen_by), play.names, seat)
