"""Shell: putting letters into the outbox. In: a draft and whom it is for. Out: a `Letter` row in this transaction.

A letter and the change it tells are committed together. Those to operators say what they should know, or what a game asks of
the host.
"""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from host.engine.chance import new_token
from host.engine.game import HOST, Choice, Game, Question
from host.engine.words import pattern
from host.mail.outbound.draft import Ask, Draft, Envelope, TableView, message_id, shortened
from host.mail.outbound.render import finish, question_words
from host.play.premoves import beside, order_of
from host.states import LetterKind, LetterPurpose
from host.store.mails import has_alert
from host.store.packing import pack
from host.store.schema import Contestant, Letter, QuestionRow, Seat
from host.table.play import Play
from host.table.work import Turn, Work

HOST_CODE = "HOST"
MAX_LETTER = 256_000
"""Bytes of a letter; a longer one is cut, since mail programs and providers cut it too."""
CUTS = ((20, 1000), (20, 200), (5, 100))
"""Paragraphs, and characters of each, that are left of each part of a letter that is too long; the less the longer."""
_MESSAGE_ID = pattern(r"<[!-;=?-~]{1,247}>")
"""Printable and not too long, so that any header can hold it."""


def send(
    work: Work,
    draft: Draft,
    to: Contestant | str,
    about: Play | Game[Any, Any] | None = None,
    *,
    purpose: LetterPurpose = "lobby",
    questions: Sequence[QuestionRow] = (),
    answering: Turn | None = None,
) -> Letter:
    """Write a letter to a contestant, or to an address, and queue it.

    One to somebody who was forgotten is not sent. `questions` are the rows that its `asks` put. Keys that find it again
    (`host.store.schema.Letter`) are set on it. Raises jinja2's errors where a template is broken.
    """
    play = about if isinstance(about, Play) else None
    game = about.game if isinstance(about, Play) else about
    contestant = None if isinstance(to, str) else to
    seat = play.seat_of(contestant.id) if play and contestant else None
    token = new_token()
    envelope = _envelope(work, token, to, about, seat, answering)
    letter = Letter(
        token=token,
        kind=draft.kind,
        purpose=purpose,
        address=envelope.recipient,
        contestant_id=contestant.id if contestant else None,
        episode_id=play.episode.id if play else None,
        game=game.slug if game else "",
        subject=envelope.subject,
        packed=pack(_message(draft, envelope)),
        answers_id=answering.inbound.id if answering else None,
        host_question="",
        cause="",
        readings=draft.transcript.meant if draft.transcript else "",
        created_at=work.now,
        try_at=work.now,
        state="cancelled" if contestant and contestant.is_gone else "queued",
        attempts=0,
        response="",
        questions=list(questions),
    )
    work.session.add(letter)
    work.written.append(letter)
    if seat and not seat.thread:
        seat.thread = token
    return letter


def write(
    by: Work | Turn,
    to: Contestant | str,
    headline: str,
    *lead: str,
    about: Play | Game[Any, Any] | None = None,
    kind: LetterKind = "help",
    purpose: LetterPurpose = "lobby",
    questions: Sequence[QuestionRow] = (),
    **parts: Any,
) -> Letter:
    """Write a letter of these paragraphs; by a turn it answers its mail. `parts` are what else its `Draft` has."""
    draft = Draft(kind=kind, headline=headline, lead=lead, **parts)
    turn, work = (by, by.work) if isinstance(by, Turn) else (None, by)
    return send(work, draft, to, about, purpose=purpose, questions=questions, answering=turn)


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
    to: Contestant | str,
    about: Play | Game[Any, Any] | None,
    seat: Seat | None,
    answering: Turn | None,
) -> Envelope:
    """As which mail a letter goes: in the thread of its seat's first letter, and of the mail that it answers.

    Threads are RFC 5322, 3.6.4.
    """
    config = work.config
    topic, code = config.host.name, HOST_CODE
    if isinstance(about, Play):
        versus = " v " if len(about.names) == 2 else ", "
        topic, code = f"{about.game.title}: {versus.join(about.names)}", about.episode.code
    elif about:
        topic, code = f"{about.title}: your place", about.code
    root = message_id(seat.thread, config.host.address) if seat and seat.thread else ""
    answered = answering.mail.message_id if answering and _MESSAGE_ID.fullmatch(answering.mail.message_id) else ""
    return Envelope(
        token=token,
        host_name=config.host.name,
        address=config.host.address,
        plus=config.security.plus_addressing,
        recipient=to if isinstance(to, str) else to.address,
        topic=topic,
        code=code,
        timezone=("" if isinstance(to, str) else to.zone) or config.host.timezone,
        written_at=work.now,
        answers=answering is not None,
        in_reply_to=answered or root,
        references=tuple(each for each in (root, answered) if each),
        episode=about.episode.code if isinstance(about, Play) else "",
        look=config.look.worn,
    )


def game_ask(play: Play, row: QuestionRow, table: TableView, whole: tuple[Choice, ...] = ()) -> Ask:
    """A game's open question as a letter puts it; `whole` are answers that say what follows, too."""
    live = next(each for each in play.questions if each.key == row.key and each.seat == row.seat)
    said = question_words(play.game.slug, live.phase, table)
    has_standing = any(order_of(play.game, each.text) for each in play.episode.waiting_premoves(live.seat))
    return Ask(
        sentence=said.sentence,
        choices=(*beside(play.game.choices(play.state, live), whole, has_standing), *whole),
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


def table_for(play: Play, seat: int) -> TableView:
    """The table as a seat may see it; when the episode is over all that was hidden is shown."""
    seen_by = None if play.episode.over_at is not None else seat
    return TableView(play.game.slug, play.game.view(play.state, seen_by), play.names, seat)


# Letters to operators


ALERT_EVERY = timedelta(hours=1)


def alert(
    work: Work,
    headline: str,
    text: str,
    play: Play | None = None,
    purpose: LetterPurpose = "operator",
    about_id: int | None = None,
    every: timedelta = ALERT_EVERY,
    cause: str = "",
    asks: tuple[Ask, ...] = (),
) -> bool:
    """A letter to each operator; says whether one was written. One a `cause` (by default its text) and hour is enough.

    Messages of contestants (`purpose` host) have no cause by default. `asks` are commands that it offers as links.
    """
    cause = (cause or ("" if purpose == "host" else text))[:200]
    if cause and has_alert(work.session, cause, work.now - every, work.now):
        return False
    draft = Draft(kind="alert", headline=headline, lead=tuple(text.split("\n")), asks=asks, services=False)
    for operator in work.config.host.crew("host"):
        letter = send(work, draft, operator, play, purpose=purpose)
        letter.about_id, letter.cause = about_id, cause
    return True


def ask_host(work: Work, play: Play, question: Question) -> None:
    """A game's question to the host goes to each operator and judge, with a link for every kind of answer."""
    table = TableView(play.game.slug, play.game.view(play.state, None), play.names, HOST)
    said = question_words(play.game.slug, question.phase, table)
    ask = Ask(said.sentence, play.game.choices(play.state, question))
    headline = f"{play.episode.code} waits for you"
    draft = Draft(kind="alert", headline=headline, asks=(ask,), tail=(said.silence,), services=False)
    for operator in work.config.host.crew():
        send(work, draft, operator, play, purpose="operator").host_question = question.key
