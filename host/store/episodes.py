"""Edge: the rows of episodes. In: a code, an episode, a moment. Out: episodes, their records, decks and questions.

No game is known here: events stay JSON, record lines stay text, and a state becomes JSON by the type that its game names.
"""

import functools
from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Literal, NamedTuple, cast

from pydantic import TypeAdapter
from sqlalchemy import Select, and_, bindparam, case, func, literal, or_, select, tuple_, update
from sqlalchemy.orm import Session, lazyload
from sqlalchemy.orm.attributes import flag_modified
from sqlalchemy.sql import ColumnElement

from host.engine.game import Game
from host.states import QuestionPurpose
from host.store.database import load_related
from host.store.schema import AskRow, Deck, Episode, EventRow, Instant, QuestionRow, RecordLine, Seat, Shifted

_PAUSED = select(Episode.id).where(Episode.paused_at.is_not(None))
_TAKEN = (
    select(Episode)
    .where(Episode.id.in_(bindparam("ids", expanding=True)))
    .order_by(Episode.id)
    .with_for_update()
    .options(lazyload(Episode.seats))
)
_ASKED_BY = (
    select(AskRow.letter_id, QuestionRow)
    .join(QuestionRow, QuestionRow.id == AskRow.question_id)
    .where(AskRow.letter_id.in_(bindparam("these", expanding=True)))
    .order_by(QuestionRow.id, AskRow.letter_id)
    .with_for_update(of=QuestionRow)
)
_THESE_QUESTIONS = (
    select(QuestionRow)
    .where(QuestionRow.id.in_(bindparam("these", expanding=True)))
    .order_by(QuestionRow.id)
    .with_for_update()
    .execution_options(populate_existing=True)
)
"""Every reply asks for these; a statement made once costs half of one that is made each time."""


@functools.cache
def _open(fields: tuple[str, ...]) -> Select[QuestionRow]:
    having = (getattr(QuestionRow, name) == bindparam(name) for name in fields)
    return select(QuestionRow).where(QuestionRow.closed_at.is_(None), *having).order_by(QuestionRow.id)


def take_episodes(session: Session, ids: Collection[int]) -> Sequence[Episode]:
    """Episodes, to be changed: until this transaction ends, no other changes them.

    They are taken in the order of their numbers, so that two processes do not wait for each other crosswise.
    """
    with session.no_autoflush:
        taken = session.scalars(_TAKEN, {"ids": list(ids)}).all()
        load_related(session, taken, Episode.seats, Episode.questions, Episode.premoves, Episode.untold)
        return taken


def episode_of_code(session: Session, code: str) -> Episode | None:
    """The episode with this short name."""
    return session.scalar(select(Episode).where(Episode.code == code.upper()))


def paused_episodes(session: Session) -> Sequence[Episode]:
    """The episodes whose clocks the host has stopped."""
    return session.scalars(select(Episode).where(Episode.paused_at.is_not(None), Episode.over_at.is_(None))).all()


def episodes_after(session: Session, slug: str, after: int, limit: int) -> Sequence[int]:
    """The numbers of the next episodes of a game above `after` that are neither over nor paused."""
    return session.scalars(
        select(Episode.id)
        .where(Episode.game == slug, Episode.id > after, Episode.over_at.is_(None), Episode.paused_at.is_(None))
        .order_by(Episode.id)
        .limit(limit)
    ).all()


def touch(episode: Episode) -> None:
    """Something of an episode changed that stands in other rows: its version goes up, so that who saw it before learns of it."""
    flag_modified(episode, "state")


def running_episodes(session: Session, slug: str, limit: int | None = None) -> Sequence[Episode]:
    """The episodes of a game that are not over, oldest first; the first `limit` of them where that is given."""
    return session.scalars(_running(slug).order_by(Episode.id).limit(limit)).all()


def _running(slug: str) -> Select[Episode]:
    return select(Episode).where(Episode.game == slug, Episode.over_at.is_(None))


def running_under_other_rules(
    session: Session, slug: str, version: int, after: int, limit: int
) -> Sequence[tuple[int, int, dict[str, Any]]]:
    """The next episodes of a game above `after` that are not over and began under another version of its rules.

    Each with that version and its options.
    """
    rows = session.execute(
        select(Episode.id, Episode.rules_version, Episode.options)
        .where(Episode.game == slug, Episode.id > after, Episode.over_at.is_(None), Episode.rules_version != version)
        .order_by(Episode.id)
        .limit(limit)
    )
    return [(row.id, row.rules_version, row.options) for row in rows]


def episode_with(session: Session, slug: str, contestant_id: int) -> Episode | None:
    """The running episode of a game in which a contestant sits."""
    seated = _running(slug).join(Seat, Seat.episode_id == Episode.id).where(Seat.contestant_id == contestant_id)
    return session.scalar(seated.limit(1))


def episode_known_to(session: Session, code: str, contestant_id: int) -> Episode | None:
    """The episode of a code, unless no public page shows it and this contestant has no seat in it."""
    found = episode_of_code(session, code) if code else None
    if found is None or not found.is_unlisted or any(each.contestant_id == contestant_id for each in found.seats):
        return found
    return None


def episodes_of(session: Session, contestant_id: int) -> Sequence[int]:
    """The numbers of the running episodes in which a contestant sits."""
    seated = select(Seat.episode_id).join(Episode, Episode.id == Seat.episode_id)
    return session.scalars(
        seated.where(Seat.contestant_id == contestant_id, Episode.over_at.is_(None)).order_by(Episode.id)
    ).all()


def record_rows(session: Session, episode_id: int) -> Sequence[RecordLine]:
    """The lines of an episode's record after the header, with when they were written."""
    return session.scalars(
        select(RecordLine).where(RecordLine.episode_id == episode_id).order_by(RecordLine.line)
    ).all()


def record_texts(session: Session, episode_id: int) -> Sequence[str]:
    """The lines of an episode's record after the header, as text."""
    return session.scalars(
        select(RecordLine.text).where(RecordLine.episode_id == episode_id).order_by(RecordLine.line)
    ).all()


class StoredEvent(NamedTuple):
    """An event of an episode, by its place, as JSON."""

    number: int
    event: dict[str, Any]


def events_after(session: Session, episode_id: int, after: int, until: int | None = None) -> Sequence[StoredEvent]:
    """The events of an episode after the first `after`, in order; with `until`, up to that one."""
    later = select(EventRow.number, EventRow.event).where(EventRow.episode_id == episode_id, EventRow.number > after)
    some = later if until is None else later.where(EventRow.number <= until)
    return [StoredEvent(*row) for row in session.execute(some.order_by(EventRow.number))]


def keep_deck(session: Session, episode_id: int, label: str, cards: list[Any]) -> None:
    """Store a deck as it was shuffled; one of the same label is replaced."""
    session.merge(Deck(episode_id=episode_id, label=label, cards=cards, cut=None))


def deck_of(session: Session, episode_id: int, label: str) -> Deck | None:
    """The deck that was shuffled with this label."""
    return session.get(Deck, (episode_id, label))


def decks_of(session: Session, episode_id: int) -> Sequence[Deck]:
    """All decks of an episode."""
    return session.scalars(select(Deck).where(Deck.episode_id == episode_id)).all()


def open_questions(
    session: Session,
    *,
    episode_id: int | None = None,
    contestant_id: int | None = None,
    seat: int | None = None,
    purpose: QuestionPurpose | None = None,
    game: str | None = None,
) -> Sequence[QuestionRow]:
    """The open questions that have the values that are given, oldest first."""
    wanted = {
        "episode_id": episode_id,
        "contestant_id": contestant_id,
        "seat": seat,
        "purpose": purpose,
        "game": game,
    }
    given = {name: value for name, value in wanted.items() if value is not None}
    return session.scalars(_open(tuple(given)), given).all()


def last_question(session: Session, episode_id: int, seat: int, key: str) -> QuestionRow | None:
    """The latest time that a game's question was asked of a seat, settled or not."""
    found = select(QuestionRow).where(
        QuestionRow.episode_id == episode_id,
        QuestionRow.purpose == "game",
        QuestionRow.seat == seat,
        QuestionRow.key == key,
    )
    return session.scalars(found.order_by(QuestionRow.id.desc()).limit(1)).first()


def asked_to_be_ready(session: Session, slug: str, contestant_ids: Collection[int]) -> frozenset[int]:
    """Find those of these contestants who have an open question whether they are ready for a game."""
    asked = select(QuestionRow.contestant_id).where(
        QuestionRow.contestant_id.in_(contestant_ids),
        QuestionRow.closed_at.is_(None),
        QuestionRow.purpose == "ready",
        QuestionRow.game == slug,
    )
    return frozenset(session.scalars(asked))


def questions_of_letters(session: Session, letter_ids: Collection[int]) -> list[tuple[int, QuestionRow]]:
    """The questions that letters ask, open or not, each with the letter's number; the questions are taken."""
    return [(letter_id, row) for letter_id, row in session.execute(_ASKED_BY, {"these": list(letter_ids)})]


def due_of_letter(session: Session, letter_id: int) -> datetime | None:
    """The moment until which a letter is to be answered; None where it asks nothing or its question has no deadline."""
    return session.scalar(
        select(QuestionRow.due_at)
        .join(AskRow, AskRow.question_id == QuestionRow.id)
        .where(AskRow.letter_id == letter_id)
        .limit(1)
    )


def running_with(session: Session, slug: str, contestant_ids: Collection[int]) -> Sequence[Episode]:
    """The running episodes of a game in which any of these contestants has a seat."""
    seated = select(Seat.episode_id).where(Seat.contestant_id.in_(contestant_ids))
    return session.scalars(_running(slug).where(Episode.id.in_(seated)).order_by(Episode.id)).all()


def has_ended_one_since(session: Session, slug: str, contestant_id: int, since: datetime) -> bool:
    """Did a contestant play another episode of a game to its end after a moment, not only among friends?"""
    of_contestant = select(Episode.id).join(Seat, Seat.episode_id == Episode.id)
    ended = of_contestant.where(Seat.contestant_id == contestant_id, Episode.game == slug, Episode.over_at > since)
    ended = ended.where(~Episode.is_unlisted)
    return session.scalar(ended.limit(1)) is not None


def with_running_clock(*what: Any) -> Select[Any]:
    """These columns of the questions whose clock runs: open, asked, not stopped, and their episode not paused."""
    return (
        select(*what)
        .select_from(QuestionRow)
        .outerjoin(Episode, Episode.id == QuestionRow.episode_id)
        .where(
            QuestionRow.closed_at.is_(None),
            QuestionRow.asked_at.is_not(None),
            QuestionRow.stopped_at.is_(None),
            Episode.paused_at.is_(None),
        )
    )


_LATEST_OVERDUE = tuple(
    with_running_clock(at).where(is_over).order_by(at.desc()).limit(1)
    for at, is_over in (
        (QuestionRow.due_at, QuestionRow.due_at < bindparam("now")),
        (QuestionRow.remind_at, QuestionRow.remind_at <= bindparam("now")),
    )
)


def latest_overdue(session: Session, now: datetime) -> datetime | None:
    """The latest deadline or reminder that is due by now and was not worked off; those of paused episodes are not."""
    latest = (session.scalar(each, {"now": now}) for each in _LATEST_OVERDUE)
    return max((each for each in latest if each is not None), default=None)


Place = tuple[datetime, int]
"""A place in a walk over what is due: a moment, and a question's number."""
DueAt = Literal["due_at", "remind_at"]
FIRST: Place = (datetime.min.replace(tzinfo=UTC), 0)


@dataclass(frozen=True)
class Due:
    """A question of which something is due."""

    id: int
    episode_id: int | None
    place: Place


def questions_due(session: Session, what: DueAt, until: datetime, limit: int, after: Place) -> Sequence[Due]:
    """The questions of which a deadline or a reminder is due at `until` or before, earliest first, beginning behind a place."""
    at = getattr(QuestionRow, what)
    rows = with_running_clock(QuestionRow.id, QuestionRow.episode_id, at.label("at"))
    rows = rows.where(at <= until, tuple_(at, QuestionRow.id) > after)
    found = session.execute(rows.order_by(at, QuestionRow.id).limit(limit))
    return [Due(row.id, row.episode_id, (row.at, row.id)) for row in found]


def take_questions(session: Session, question_ids: Collection[int]) -> dict[int, QuestionRow]:
    """These questions by number, as they are now: until this transaction ends, no other changes them."""
    return {row.id: row for row in session.scalars(_THESE_QUESTIONS, {"these": list(question_ids)})}


def move_deadlines_asked_by(session: Session, asked_by: datetime, by: timedelta) -> None:
    """Move every open deadline of a question that was asked by then (or opened, where it was not asked) later.

    In the database, however many there are; questions that the session has loaded do not learn of it.
    """
    asked = func.coalesce(QuestionRow.asked_at, QuestionRow.opened_at)
    _move(session, and_(QuestionRow.due_at.is_not(None), asked <= asked_by), asked_by, asked_by + by)


def move_running_deadlines(session: Session, since: datetime, now: datetime) -> None:
    """Move the deadlines of running clocks later by the time since a moment, or since they were asked where that is later.

    In the database, however many there are; questions that the session has loaded do not learn of it.
    """
    is_running = (
        QuestionRow.asked_at < now,
        QuestionRow.due_at.is_not(None),
        QuestionRow.stopped_at.is_(None),
        or_(QuestionRow.episode_id.is_(None), QuestionRow.episode_id.not_in(_PAUSED)),
    )
    begun = case((QuestionRow.asked_at > since, QuestionRow.asked_at), else_=literal(since, Instant()))
    _move(session, and_(*is_running), begun, now)


def _move(session: Session, which: ColumnElement[bool], begin: Any, end: datetime) -> None:
    """Reminders move with their deadlines; `Shifted` of none is none."""
    moved = {
        QuestionRow.due_at: Shifted(QuestionRow.due_at, begin, end),
        QuestionRow.remind_at: Shifted(QuestionRow.remind_at, begin, end),
    }
    # one that is answered may be asked again, as if it had been open
    in_time = update(QuestionRow).where(or_(QuestionRow.closed_at.is_(None), QuestionRow.due_at > begin), which)
    session.execute(in_time.values(moved).execution_options(synchronize_session=False))


def answered_in_time(session: Session, episode_id: int, since: datetime) -> Sequence[QuestionRow]:
    """The questions of an episode that are closed, and whose time was not over at a moment: they may be asked again."""
    closed = select(QuestionRow).where(QuestionRow.episode_id == episode_id, QuestionRow.closed_at.is_not(None))
    return session.scalars(closed.where(QuestionRow.due_at > since)).all()


def questions_at_rest(session: Session) -> Sequence[QuestionRow]:
    """The open questions whose clock does not run though it has begun: stopped, or in a paused episode."""
    asked = select(QuestionRow).where(QuestionRow.closed_at.is_(None), QuestionRow.asked_at.is_not(None))
    in_paused = session.scalars(asked.where(QuestionRow.episode_id.in_(_PAUSED))).all()
    stopped = session.scalars(asked.where(QuestionRow.goes_on_at.is_not(None))).all()
    return sorted({*in_paused, *stopped}, key=lambda each: each.id)


def stopped_questions(session: Session, until: datetime | None = None) -> Sequence[QuestionRow]:
    """The open questions whose clock stands still, or of which it may do so only until that moment or an earlier one."""
    query = select(QuestionRow).where(QuestionRow.closed_at.is_(None), QuestionRow.goes_on_at.is_not(None))
    return session.scalars(query if until is None else query.where(QuestionRow.goes_on_at <= until)).all()


def questions_in_calendar(session: Session, episode_id: int, contestant_id: int) -> Sequence[QuestionRow]:
    """The questions of an episode that are closed, and that a contestant's calendar still has."""
    found = select(QuestionRow).where(
        QuestionRow.episode_id == episode_id,
        QuestionRow.closed_at.is_not(None),
        QuestionRow.contestant_id == contestant_id,
        QuestionRow.in_calendar.is_(True),
    )
    return session.scalars(found.order_by(QuestionRow.id)).all()


def seat_of_question(session: Session, question: QuestionRow) -> Seat:
    """The seat of the contestant of a game's question."""
    return session.get_one(Seat, (question.episode_id, question.seat))


@functools.cache
def _adapter(state_type: Any) -> TypeAdapter[Any]:
    return TypeAdapter(state_type)


def dump_state(game: Game[Any, Any], state: Any) -> dict[str, Any]:
    """A state of a game as JSON."""
    data: dict[str, Any] = _adapter(cast(Hashable, game.state_type)).dump_python(state, mode="json")
    return data


def load_state(game: Game[Any, Any], data: dict[str, Any]) -> Any:
    """The state that `dump_state` wrote. Raises ValueError where it does not fit this version of the game."""
    return _adapter(cast(Hashable, game.state_type)).validate_python(data)
