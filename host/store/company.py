"""Edge: the rows of company. In: a contestant, an episode, a game. Out: their seats and open questions, talk, mutes, watchers."""

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Row, delete, func, or_, select, text, true, tuple_, update
from sqlalchemy.orm import Session, joinedload

from host.engine.record import renamed
from host.store.database import count, folds
from host.store.schema import (
    Address,
    AskRow,
    AuditEntry,
    Contestant,
    Episode,
    Inbound,
    Letter,
    Mute,
    QuestionRow,
    RecordLine,
    Seat,
    Standing,
    Talk,
    Watcher,
)
from host.store.standings import ALL_YEARS


def waiting_on(session: Session, contestant_id: int) -> Sequence[Row[QuestionRow, str, str]]:
    """All that a contestant is asked, whatever it is about: the question, subject and token of the latest letter that asks it.

    The most urgent comes first; what has no deadline comes last.
    """
    latest = (
        select(func.max(AskRow.letter_id)).where(AskRow.question_id == QuestionRow.id).correlate(QuestionRow)
    ).scalar_subquery()
    rows = (
        select(QuestionRow, Letter.subject, Letter.token)
        .join(Letter, Letter.id == latest)
        .where(QuestionRow.contestant_id == contestant_id, QuestionRow.closed_at.is_(None))
        .order_by(QuestionRow.due_at.is_(None), QuestionRow.due_at, QuestionRow.id)
    )
    return session.execute(rows).all()


def place_in_standings(session: Session, slug: str, contestant_id: int) -> tuple[int, Standing] | None:
    """The place of a contestant among those who have played a game, by wins and then winnings; None where they have not."""
    own = session.get(Standing, (slug, ALL_YEARS, contestant_id))
    if own is None or own.episodes <= 0:
        return None
    rank = tuple_(Standing.wins, Standing.winnings, Standing.contestant_id)
    better = rank > (own.wins, own.winnings, own.contestant_id)
    of_game = (Standing.game == slug, Standing.year == ALL_YEARS, Standing.episodes > 0)
    return count(session, select(Standing.contestant_id).where(*of_game, better)) + 1, own


def seats_of(session: Session, contestant_id: int, limit: int) -> Sequence[Seat]:
    """The seats that a contestant has and had, the latest first, each with its episode."""
    found = select(Seat).where(Seat.contestant_id == contestant_id).options(joinedload(Seat.episode))
    return session.scalars(found.order_by(Seat.episode_id.desc()).limit(limit)).all()


def talk_since(session: Session, episode_id: int, heard: int) -> Sequence[tuple[Talk, str]]:
    """What was said to a table after number `heard`, and who said it by their seat's name, the oldest first."""
    seat = (Seat.episode_id == Talk.episode_id) & (Seat.contestant_id == Talk.contestant_id)
    rows = select(Talk, Seat.name).join(Seat, seat).where(Talk.episode_id == episode_id, Talk.id > heard)
    return [(talk, name) for talk, name in session.execute(rows.order_by(Talk.id))]


def count_talk(session: Session, contestant_id: int, since: datetime) -> int:
    """Count what a contestant said to tables after a moment."""
    return count(session, select(Talk.id).where(Talk.contestant_id == contestant_id, Talk.at > since))


def latest_talk(session: Session, episode_id: int, limit: int) -> Sequence[tuple[Talk, str]]:
    """What was said to a table last, the latest first, stopped or not."""
    seat = (Seat.episode_id == Talk.episode_id) & (Seat.contestant_id == Talk.contestant_id)
    rows = select(Talk, Seat.name).join(Seat, seat).where(Talk.episode_id == episode_id)
    return [(talk, name) for talk, name in session.execute(rows.order_by(Talk.id.desc()).limit(limit))]


def muted_by(session: Session, contestant_id: int) -> frozenset[int]:
    """The contestants of whom somebody wants to hear no talk."""
    return frozenset(session.scalars(select(Mute.muted_id).where(Mute.contestant_id == contestant_id)))


def watchers_of(session: Session, episode_id: int) -> Sequence[Watcher]:
    """Those who read along in an episode."""
    return session.scalars(select(Watcher).where(Watcher.episode_id == episode_id)).all()


def watchers_due(session: Session, now: datetime, limit: int) -> Sequence[Watcher]:
    """Those who read along and may be told again."""
    due = select(Watcher).where(Watcher.next_at <= now).order_by(Watcher.next_at, Watcher.contestant_id)
    return session.scalars(due.limit(limit)).all()


def watched_by(session: Session, contestant_id: int) -> Sequence[tuple[Watcher, str]]:
    """The episodes in which somebody reads along, each with its code."""
    rows = (
        select(Watcher, Episode.code)
        .join(Episode, Episode.id == Watcher.episode_id)
        .where(Watcher.contestant_id == contestant_id)
    )
    return [(watcher, code) for watcher, code in session.execute(rows)]


def unsent_to_players(session: Session, episode_id: int, players: Sequence[int]) -> bool:
    """Is a letter of an episode to one of its players still to be sent?"""
    waiting = select(Letter.id).where(
        Letter.episode_id == episode_id, Letter.contestant_id.in_(players), Letter.state == "queued"
    )
    return session.scalar(waiting.limit(1)) is not None


def called_anyhow(session: Session, name: str) -> Contestant | None:
    """The confirmed contestant whom letters call this, however it is capitalised."""
    found = select(Contestant).where(
        func.lower(Contestant.called).in_(folds(name)), Contestant.confirmed_at.is_not(None)
    )
    return session.scalar(found.limit(1))


def seated_as(session: Session, name: str) -> Sequence[Contestant]:
    """Those who sit under this name in an episode that is not over, however it is capitalised."""
    seated = (
        select(Contestant).join(Seat, Seat.contestant_id == Contestant.id).join(Episode, Seat.episode_id == Episode.id)
    )
    return session.scalars(
        seated.where(func.lower(Seat.name).in_(folds(name)), Episode.over_at.is_(None)).distinct()
    ).all()


def questions_about(session: Session, purpose: str, key: str) -> Sequence[QuestionRow]:
    """All questions of a purpose that have this key, open or not, the oldest first."""
    rows = select(QuestionRow).where(QuestionRow.purpose == purpose, QuestionRow.key == key)
    return session.scalars(rows.order_by(QuestionRow.id)).all()


def has_played_since(session: Session, contestant_id: int, episode_id: int, moment: datetime) -> bool:
    """Has a mail of a contestant, which came in after a moment, played something in an episode?"""
    of_them = (Inbound.contestant_id == contestant_id, Inbound.episode_id == episode_id)
    played = select(Inbound.id).where(*of_them, Inbound.state == "played", Inbound.arrived_at > moment)
    return session.scalar(played.limit(1)) is not None


def leaving(session: Session) -> Sequence[Contestant]:
    """Those who are to be forgotten."""
    return session.scalars(select(Contestant).where(text("is_leaving"), Contestant.is_leaving == true())).all()


def has_unsent_letters(session: Session, contestant_id: int) -> bool:
    """Is a letter to a contestant still to be sent?"""
    waiting = select(Letter.id).where(Letter.contestant_id == contestant_id, Letter.state == "queued")
    return session.scalar(waiting.limit(1)) is not None


def has_played_in(session: Session, episode_id: int, contestant_id: int) -> bool:
    """Was somebody ever asked for a move in an episode?"""
    asked = select(QuestionRow.id).where(
        QuestionRow.episode_id == episode_id, QuestionRow.contestant_id == contestant_id
    )
    return session.scalar(asked.where(QuestionRow.purpose == "game").limit(1)) is not None


def rename_in_record(session: Session, seat: Seat, name: str) -> None:
    """Give a seat another name, in its record too."""
    for line in session.scalars(select(RecordLine).where(RecordLine.episode_id == seat.episode_id)):
        line.text = renamed(line.text, seat.name, name)
    seat.name = name


def rename_in_records(session: Session, contestant_id: int, name: str) -> None:
    """Give the seats of a contestant another name, in their records and the log of their episodes too."""
    for seat in session.scalars(select(Seat).where(Seat.contestant_id == contestant_id)).all():
        named = re.compile(rf"(?<!\w){re.escape(seat.name)}(?!\w)", re.IGNORECASE)
        for entry in session.scalars(select(AuditEntry).where(AuditEntry.episode == seat.episode.code)):
            entry.command = named.sub(name, entry.command)
        rename_in_record(session, seat, name)


def erase(session: Session, contestant: Contestant, name: str) -> None:
    """Erase what is known of a contestant: addresses, mails, letters, talk, what the host did to them by name.

    Their results stay, under that `name`.
    """
    number = contestant.id
    addresses = [contestant.address, *session.scalars(select(Address.address).where(Address.contestant_id == number))]
    quietly = {"synchronize_session": False}
    nothing_said: dict[str, Any] = {
        "contestant_id": None,
        "raw": None,
        "lines": [],
        "sender": "",
        "note": "forgotten",
        "ordering_key": "",
        "content_key": None,
    }
    nothing_sent: dict[str, Any] = {"contestant_id": None, "packed": None, "address": name, "subject": ""}
    nothing_sent |= {"readings": "", "second": ""}
    theirs = or_(Inbound.contestant_id == number, Inbound.sender.in_(addresses))
    for statement in (
        update(Inbound).where(theirs).values(**nothing_said),
        update(Letter).where(Letter.contestant_id == number).values(**nothing_sent),
        update(Letter).where(Letter.about_id == number).values(packed=None, about_id=None),
        update(Letter).where(Letter.address.in_(addresses)).values(packed=None, address=name),
        delete(Address).where(Address.contestant_id == number),
        delete(Talk).where(Talk.contestant_id == number),
        delete(Mute).where(or_(Mute.contestant_id == number, Mute.muted_id == number)),
        delete(Watcher).where(Watcher.contestant_id == number),
    ):
        session.execute(statement, execution_options=quietly)
    said = [*addresses, *filter(None, {contestant.name, contestant.called})]
    named = re.compile(
        rf"(?<!\w)(?:{'|'.join(map(re.escape, sorted(said, key=len, reverse=True)))})(?!\w)", re.IGNORECASE
    )
    for entry in session.scalars(select(AuditEntry).where(or_(*(AuditEntry.command.icontains(each) for each in said)))):
        entry.command = named.sub(name, entry.command)
    contestant.address = contestant.name = contestant.called = name
    contestant.nickname = contestant.hometown = contestant.message_id = contestant.word = ""
    contestant.message_at = None
    contestant.is_private = contestant.is_leaving = False
    contestant.letters, contestant.daily_at = "turns", None
    session.flush()  # `expire_all` forgets what was not written
    session.expire_all()


def said_yes(session: Session, purpose: str, contestant_id: int, key: str) -> bool:
    """Did a contestant say yes the last time that they were asked this and the question was closed?"""
    rows = select(QuestionRow.outcome).where(
        QuestionRow.purpose == purpose,
        QuestionRow.contestant_id == contestant_id,
        QuestionRow.key == key,
        QuestionRow.closed_at.is_not(None),
    )
    return session.scalar(rows.order_by(QuestionRow.id.desc()).limit(1)) == "yes"
