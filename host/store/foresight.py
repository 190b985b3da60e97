"""Edge: what a group of mails will ask for, looked up at once. In: the mails. Out: rows that the look-ups find ready.

A few statements for a group in place of a dozen for each mail. What a mail may change is handed out once: the first
look-up gets it, later ones ask the database.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from sqlalchemy import func, select, text
from sqlalchemy.orm import InstrumentedAttribute, Session

from host.store.schema import (
    Ask,
    Contestant,
    Episode,
    Happening,
    Inbound,
    Kept,
    Letter,
    Question,
    RecordLine,
    Registration,
    Seat,
)


@dataclass(frozen=True)
class Expected:
    """A mail that will be worked off: its number, its content key and its tokens."""

    id: int
    content_key: str
    tokens: tuple[str, ...]


@dataclass
class Foresight:
    """What was looked up: by number of a mail, by token, by letter, by episode.

    `unheard` are episodes in which nothing was ever sent ahead, `in_line` contestants whom no queue has passed over.
    """

    mails: dict[int, Inbound] = field(default_factory=dict)
    without_copy: set[str] = field(default_factory=set)
    letters: dict[str, Letter] = field(default_factory=dict)
    unknown: set[str] = field(default_factory=set)
    contestants: dict[int, Contestant] = field(default_factory=dict)
    episodes: dict[int, Episode] = field(default_factory=dict)
    asked: dict[int, list[Question]] = field(default_factory=dict)
    open: dict[int, list[Question]] = field(default_factory=dict)
    ends: dict[int, tuple[int, int]] = field(default_factory=dict)
    untold: dict[int, list[Happening]] = field(default_factory=dict)
    unheard: set[int] = field(default_factory=set)
    in_line: set[int] = field(default_factory=set)


def foreseen(session: Session) -> Foresight:
    """What was looked up in a session; nothing where nobody looked ahead."""
    found: Foresight = session.info.setdefault("foresight", Foresight())
    return found


def look_ahead(session: Session, mails: Sequence[Expected]) -> None:
    """Look up what these mails will ask for. Mails and episodes are taken: no other transaction changes them meanwhile."""
    found = foreseen(session)
    ids = [mail.id for mail in mails]
    taken = select(Inbound).where(Inbound.id.in_(ids)).order_by(Inbound.id).with_for_update()
    found.mails = {row.id: row for row in session.scalars(taken)}
    _without_copy(session, found, mails)
    tokens = {token for mail in mails for token in mail.tokens}
    if not tokens:
        return
    found.letters = {row.token: row for row in session.scalars(select(Letter).where(Letter.token.in_(tokens)))}
    found.unknown = tokens - found.letters.keys()
    _people(session, found)
    _episodes(session, found)
    asked = select(Ask.letter_id, Question).join(Question, Ask.question_id == Question.id)
    found.asked = {letter.id: [] for letter in found.letters.values()}
    for letter_id, question in session.execute(asked.where(Ask.letter_id.in_(found.asked))):
        found.asked[letter_id].append(question)


def _without_copy(session: Session, found: Foresight, mails: Sequence[Expected]) -> None:
    keys = [mail.content_key for mail in mails]
    once = {key for key in keys if keys.count(key) == 1}
    ids = [mail.id for mail in mails]
    copied = select(Inbound.content_key).where(Inbound.content_key.in_(once), Inbound.id.not_in(ids))
    found.without_copy = once - set(session.scalars(copied))


def _people(session: Session, found: Foresight) -> None:
    numbers = {letter.contestant_id for letter in found.letters.values() if letter.contestant_id is not None}
    rows = session.scalars(select(Contestant).where(Contestant.id.in_(numbers)))
    found.contestants = {row.id: row for row in rows}
    passed = select(Registration.contestant_id).where(text("is_passed"), Registration.contestant_id.in_(numbers))
    found.in_line = numbers - set(session.scalars(passed))


def _episodes(session: Session, found: Foresight) -> None:
    """In the order of their numbers, so that two processes do not take them crosswise."""
    numbers = sorted({letter.episode_id for letter in found.letters.values() if letter.episode_id is not None})
    if not numbers:
        return
    taken = select(Episode).where(Episode.id.in_(numbers)).order_by(Episode.id).with_for_update()
    found.episodes = {row.id: row for row in session.scalars(taken)}
    found.open = {number: [] for number in numbers}
    still_open = select(Question).where(Question.closed_at.is_(None), Question.episode_id.in_(numbers))
    for question in session.scalars(still_open.order_by(Question.id)):
        if question.episode_id is not None:
            found.open[question.episode_id].append(question)
    found.untold = {number: [] for number in numbers}
    least = select(func.min(Seat.told)).where(Seat.episode_id == Happening.episode_id).scalar_subquery()
    untold = select(Happening).where(Happening.episode_id.in_(numbers), Happening.number > least)
    for event in session.scalars(untold.order_by(Happening.episode_id, Happening.number)):
        found.untold[event.episode_id].append(event)
    lines, events = (_last(session, each, numbers) for each in (RecordLine.line, Happening.number))
    found.ends = {number: (lines.get(number, 1), events.get(number, 0)) for number in numbers}
    heard = select(Kept.episode_id).where(Kept.episode_id.in_(numbers)).distinct()
    found.unheard = set(numbers) - set(session.scalars(heard))


def _last(session: Session, column: InstrumentedAttribute[int], numbers: Iterable[int]) -> dict[int, int]:
    episode_id = column.class_.episode_id
    rows = session.execute(select(episode_id, func.max(column)).where(episode_id.in_(numbers)).group_by(episode_id))
    return {row[0]: row[1] for row in rows}
