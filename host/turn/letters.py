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
from host.mail.inbound.reply import Mail
from host.mail.outbound.draft import Ask, Draft, Envelope, TableView, message_id, shortened
from host.mail.outbound.render import finish, question
from host.play import deadlines
from host.store.database import Session
from host.store.episodes import questions_of_letters
from host.store.letters import is_first_to_ask
from host.store.schema import AskRow, Contestant, Episode, Inbound, Letter, QuestionRow
from host.turn.services import Play, Services

HOST_CODE = "HOST"
_MESSAGE_ID = re.compile(r"<[!-;=?-~]{1,247}>")
"""Printable and not too long, so that any header can hold it."""
MAX_LETTER = 256_000
"""Bytes of a letter; what would be longer is cut, since mail programs and providers cut it too."""
CUTS = ((20, 1000), (20, 200), (5, 100))
"""Paragraphs, and characters of each, that are left of each part of a letter that is too long; the less the longer."""
WRITTEN = "written"
"""Under this name a session has the letters that were written in it."""


@dataclass(frozen=True)
class Answering:
    """The mail that a letter answers: its row, and what it looked like."""

    inbound: Inbound
    mail: Mail


def send(
    session: Session,
    services: Services,
    draft: Draft,
    now: datetime,
    *,
    contestant: Contestant | None = None,
    address: str = "",
    purpose: str = "lobby",
    play: Play | None = None,
    game: Game[Any, Any] | None = None,
    questions: Sequence[QuestionRow] = (),
    answering: Answering | None = None,
) -> Letter:
    """Finish a letter and queue it. `questions` are the rows that its `asks` put."""
    recipient = address or (contestant.address if contestant else "")
    token = new_token()
    envelope = _envelope(services, token, recipient, contestant, play, game, answering, now)
    finished = finish(draft, envelope)
    for paragraphs, characters in CUTS:
        if len(finished.message) > MAX_LETTER:
            finished = finish(shortened(draft, paragraphs, characters), envelope)
    letter = Letter(
        token=token,
        kind=draft.kind,
        purpose=purpose,
        address=recipient,
        contestant_id=contestant.id if contestant else None,
        episode_id=play.episode.id if play else None,
        game=play.game.slug if play else game.slug if game else "",
        subject=finished.subject,
        body=finished.text,
        page=finished.page,
        message=finished.message,
        answers_id=answering.inbound.id if answering else None,
        created_at=now,
        state="queued",
        attempts=0,
        try_at=now,
        response="",
    )
    session.add(letter)
    session.info.setdefault(WRITTEN, []).append(letter)
    session.add_all(AskRow(letter=letter, question=each) for each in questions)
    seat = play.seat_of(contestant.id) if play and contestant else None
    if seat and not seat.thread:
        seat.thread = token
    return letter


def _envelope(
    services: Services,
    token: str,
    recipient: str,
    contestant: Contestant | None,
    play: Play | None,
    game: Game[Any, Any] | None,
    answering: Answering | None,
    now: datetime,
) -> Envelope:
    config = services.config
    envelope = Envelope(
        token=token,
        host_name=config.host.name,
        address=config.host.address,
        plus=config.security.plus_addressing,
        recipient=recipient,
        topic=config.host.name,
        code=HOST_CODE,
        masthead=config.host.name.upper(),
        timezone=config.host.timezone,
        written_at=now,
        answers=answering is not None,
    )
    thread = ""
    if play:
        seat = play.seat_of(contestant.id) if contestant else None
        thread = seat.thread if seat else ""
        topic = f"{play.game.title}: {_versus(play.names)}"
        masthead = f"{play.game.title.upper()} · EPISODE {play.episode.code}"
        envelope = replace(envelope, topic=topic, code=play.episode.code, masthead=masthead, episode=play.episode.code)
    elif game:
        envelope = replace(envelope, topic=f"{game.title}: your place", code=game.code, masthead=game.title.upper())
    root = message_id(thread, config.host.address) if thread else ""
    heard = answering.mail.message_id if answering and _is_message_id(answering.mail.message_id) else ""
    references = tuple(each for each in (root, heard) if each)
    return replace(envelope, in_reply_to=heard or root, references=references)


def _is_message_id(text: str) -> bool:
    return _MESSAGE_ID.fullmatch(text) is not None


def _versus(names: Sequence[str]) -> str:
    return f"{names[0]} v {names[1]}" if len(names) == 2 else ", ".join(names)


def open_question(
    session: Session,
    services: Services,
    now: datetime,
    *,
    purpose: str,
    contestant: Contestant,
    within: timedelta | None,
    episode: Episode | None = None,
    game: str = "",
    seat: int | None = None,
    key: str = "",
    phase: str = "",
    registration_id: int | None = None,
) -> QuestionRow:
    """A new open question. Its deadline as known now counts from now; it moves when the letter was accepted later."""
    remind: list[Any] = []
    due_at = None
    if within is not None:
        due_at = deadlines.due(now, within + deadlines.SENDING)
        if purpose == "game":
            remind = deadlines.reminders(within, services.config.deadlines.reminders)
    row = QuestionRow(
        purpose=purpose,
        contestant_id=contestant.id,
        episode_id=episode.id if episode else None,
        registration_id=registration_id,
        game=game,
        seat=seat,
        key=key,
        phase=phase,
        opened_at=now,
        asked_at=None,
        within=None if within is None else int(within.total_seconds()),
        due_at=due_at,
        remind=remind,
        remind_at=None,
        stopped_at=None,
        closed_at=None,
        outcome="",
    )
    session.add(row)
    return row


def game_ask(play: Play, row: QuestionRow, table: TableView) -> Ask:
    """A game's open question as a letter puts it."""
    live = next(each for each in play.game.questions(play.state) if each.key == row.key and each.seat == row.seat)
    sentence, silence = question(play.game.slug, live.phase, table)
    return Ask(
        title="Your move",
        sentence=sentence,
        choices=play.game.choices(play.state, live),
        due_at=row.due_at,
        within=timedelta(seconds=row.within or 0),
        silence=silence,
    )


def plain_ask(title: str, sentence: str, links: Sequence[tuple[str, str]], row: QuestionRow, silence: str) -> Ask:
    """A question outside of play; `links` are what each says and its label."""
    choices = tuple(
        Choice((body,), label, f"the word {body}" if " " not in body else f"the words {body}", body)
        for body, label in links
    )
    within = timedelta(seconds=row.within or 0)
    return Ask(title, sentence, choices, row.due_at, within, silence)


def accepted(session: Session, letter_ids: Collection[int], now: datetime) -> None:
    """The SMTP server accepted these letters: the clocks of the questions that they are the first to ask start now."""
    for letter_id, row in questions_of_letters(session, letter_ids):
        if row.asked_at is None or is_first_to_ask(session, letter_id, row.id):
            row.asked_at = now
            if row.due_at is not None and row.within is not None:
                row.due_at = max(row.due_at, deadlines.due(now, timedelta(seconds=row.within)))
                row.remind_at, row.remind = deadlines.next_reminder(row.due_at, row.remind, now)


def table_for(play: Play, seat: int) -> TableView:
    """The table as a seat may see it."""
    return TableView(play.game.slug, play.game.view(play.state, seat), play.names, seat)
