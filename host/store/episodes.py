"""Edge: the rows of episodes. In: a code, an episode, a moment. Out: episodes, their records, decks and questions.

Games are not known here: states and events stay JSON, record lines stay text.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from host.store.schema import Ask, Deck, Episode, Happening, Question, RecordLine, Seat


def episode_of_code(session: Session, code: str) -> Episode | None:
    """The episode with this short name."""
    return session.scalar(select(Episode).where(Episode.code == code.upper()))


def episodes_under_way(session: Session) -> Sequence[Episode]:
    """The episodes of all games that are not over, oldest first."""
    return session.scalars(select(Episode).where(Episode.over_at.is_(None)).order_by(Episode.id)).all()


def running_episodes(session: Session, slug: str) -> Sequence[Episode]:
    """The episodes of a game that are not over, oldest first."""
    return session.scalars(
        select(Episode).where(Episode.game == slug, Episode.over_at.is_(None)).order_by(Episode.id)
    ).all()


def episode_with(session: Session, slug: str, contestant_id: int) -> Episode | None:
    """The running episode of a game in which a contestant sits."""
    return session.scalar(
        select(Episode)
        .join(Seat, Seat.episode_id == Episode.id)
        .where(Seat.contestant_id == contestant_id, Episode.game == slug, Episode.over_at.is_(None))
        .limit(1)
    )


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


def last_line(session: Session, episode_id: int) -> int:
    """The number of the record's last line; 1 is the header."""
    return session.scalar(select(func.max(RecordLine.line)).where(RecordLine.episode_id == episode_id)) or 1


def happenings_after(session: Session, episode_id: int, after: int) -> Sequence[Happening]:
    """The events of an episode after the first `after`, in order."""
    return session.scalars(
        select(Happening).where(Happening.episode_id == episode_id, Happening.number > after).order_by(Happening.number)
    ).all()


def count_happenings(session: Session, episode_id: int) -> int:
    """How many events an episode has had."""
    return session.scalar(select(func.count(Happening.number)).where(Happening.episode_id == episode_id)) or 0


def keep_deck(session: Session, episode_id: int, label: str, cards: list[Any]) -> None:
    """Store a deck as it was shuffled; one of the same label is replaced."""
    session.merge(Deck(episode_id=episode_id, label=label, cards=cards, cut=None))


def deck_of(session: Session, episode_id: int, label: str) -> Deck | None:
    """The deck that was shuffled with this label."""
    return session.get(Deck, (episode_id, label))


def decks_of(session: Session, episode_id: int) -> Sequence[Deck]:
    """All decks of an episode."""
    return session.scalars(select(Deck).where(Deck.episode_id == episode_id)).all()


def open_questions(session: Session, **fields: Any) -> Sequence[Question]:
    """The open questions with these field values, oldest first."""
    return session.scalars(select(Question).filter_by(closed_at=None, **fields).order_by(Question.id)).all()


def questions_of_letter(session: Session, letter_id: int) -> Sequence[Question]:
    """The questions that a letter asks, open or not."""
    return session.scalars(
        select(Question).join(Ask, Ask.question_id == Question.id).where(Ask.letter_id == letter_id)
    ).all()


def due_of_letter(session: Session, letter_id: int) -> datetime | None:
    """Until when a letter is to be answered; None where it asks nothing or its question has no deadline."""
    return session.scalar(
        select(Question.due_at).join(Ask, Ask.question_id == Question.id).where(Ask.letter_id == letter_id).limit(1)
    )


def is_later_one_over(session: Session, episode: Episode) -> bool:
    """Did a later episode of the same game end already?"""
    later = select(Episode.id).where(
        Episode.game == episode.game, Episode.id > episode.id, Episode.over_at.is_not(None)
    )
    return session.scalar(later.limit(1)) is not None


def latest_overdue(session: Session, now: datetime) -> datetime | None:
    """The latest deadline or reminder that is due by now and was not worked off; those of paused episodes are not."""
    of_running = (
        select(func.max(Question.due_at), func.max(Question.remind_at))
        .outerjoin(Episode, Episode.id == Question.episode_id)
        .where(
            Question.closed_at.is_(None),
            Question.asked_at.is_not(None),
            Question.stopped_at.is_(None),
            Episode.paused_at.is_(None),
        )
    )
    due = session.execute(of_running.where(Question.due_at < now)).one()[0]
    remind = session.execute(of_running.where(Question.remind_at <= now)).one()[1]
    return max((each for each in (due, remind) if each is not None), default=None)


def overdue_questions(session: Session, now: datetime, limit: int) -> Sequence[int]:
    """The numbers of the questions whose deadline is over, the longest overdue first."""
    return session.scalars(
        select(Question.id)
        .outerjoin(Episode, Episode.id == Question.episode_id)
        .where(
            Question.closed_at.is_(None),
            Question.asked_at.is_not(None),
            Question.due_at < now,
            Question.stopped_at.is_(None),
            Episode.paused_at.is_(None),
        )
        .order_by(Question.due_at)
        .limit(limit)
    ).all()


def questions_to_remind(session: Session, now: datetime, limit: int) -> Sequence[int]:
    """The numbers of the open questions of which a reminder is due, earliest first."""
    return session.scalars(
        select(Question.id)
        .outerjoin(Episode, Episode.id == Question.episode_id)
        .where(
            Question.closed_at.is_(None),
            Question.remind_at <= now,
            Question.stopped_at.is_(None),
            Episode.paused_at.is_(None),
        )
        .order_by(Question.remind_at)
        .limit(limit)
    ).all()


def stopped_questions(session: Session, before: datetime | None = None) -> Sequence[Question]:
    """The open questions whose clock stands still, or has since `before` or earlier."""
    query = select(Question).where(Question.closed_at.is_(None), Question.stopped_at.is_not(None))
    return session.scalars(query if before is None else query.where(Question.stopped_at <= before)).all()
