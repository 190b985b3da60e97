"""Edge: what everybody may see, from the rows. In: a game, a season, a page of a list. Out: plain data, without addresses.

Every list is cut off, and found by an index. States, seeds, mails and questions' texts are not asked for here.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session

from host.store.schema import Contestant, Episode, EventRow, QuestionRow, Reign, Seat, Standing
from host.store.standings import ALL_GAMES, ALL_SEASONS

PAGE = 50
"""Rows of a list on one page."""


@dataclass(frozen=True)
class SeatLine:
    """Who sat where; `won` and `winnings` once the episode is over."""

    name: str
    won: bool | None
    winnings: int | None


@dataclass(frozen=True)
class EpisodeLine:
    """An episode in a list."""

    id: int
    code: str
    game: str
    began_at: datetime
    over_at: datetime | None
    paused_at: datetime | None
    seats: tuple[SeatLine, ...]


@dataclass(frozen=True)
class StandingLine:
    """What a contestant has done in a game and a season."""

    name: str
    episodes: int
    wins: int
    winnings: int


@dataclass(frozen=True)
class ReignLine:
    """A champion's time; `ended_at` is None where it goes on."""

    game: str
    name: str
    began_at: datetime
    ended_at: datetime | None
    wins: int


_LINE = select(Episode.id, Episode.code, Episode.game, Episode.began_at, Episode.over_at, Episode.paused_at)


def finished(session: Session, slug: str | None, page: int = 1, most: int = PAGE) -> list[EpisodeLine]:
    """Episodes that are over, the latest first: of a game, or of all."""
    over = _LINE.where(Episode.over_at.is_not(None))
    if slug is not None:
        over = over.where(Episode.game == slug)
    return _lines(session, over.order_by(Episode.over_at.desc(), Episode.id.desc()), page, most)


def running(session: Session, slug: str, page: int = 1, most: int = PAGE) -> list[EpisodeLine]:
    """Episodes of a game that are not over, the latest first."""
    under_way = _LINE.where(Episode.game == slug, Episode.over_at.is_(None))
    return _lines(session, under_way.order_by(Episode.id.desc()), page, most)


def begun(session: Session, most: int) -> list[EpisodeLine]:
    """The episodes that began last, over or not."""
    return _lines(session, _LINE.order_by(Episode.id.desc()), 1, most)


def _lines(
    session: Session,
    query: Select[int, str, str, datetime, datetime | None, datetime | None],
    page: int,
    most: int,
) -> list[EpisodeLine]:
    rows = session.execute(query.offset((page - 1) * most).limit(most)).all()
    seats: dict[int, list[SeatLine]] = {row.id: [] for row in rows}
    seated = (
        select(Seat.episode_id, Seat.name, Seat.won, Seat.winnings)
        .where(Seat.episode_id.in_(list(seats)))
        .order_by(Seat.episode_id, Seat.seat)
    )
    for row in session.execute(seated) if rows else ():
        seats[row.episode_id].append(SeatLine(row.name, row.won, row.winnings))
    return [
        EpisodeLine(row.id, row.code, row.game, row.began_at, row.over_at, row.paused_at, tuple(seats[row.id]))
        for row in rows
    ]


def latest_codes(session: Session, most: int) -> Sequence[str]:
    """The codes of the episodes that began last, the latest first."""
    return session.scalars(select(Episode.code).order_by(Episode.id.desc()).limit(most)).all()


def last_events(session: Session, episode_id: int, most: int) -> Sequence[EventRow]:
    """The last events of an episode, in order."""
    latest = select(EventRow).where(EventRow.episode_id == episode_id).order_by(EventRow.number.desc()).limit(most)
    return session.scalars(latest).all()[::-1]


def asked_seats(session: Session, episode_id: int) -> list[tuple[int, datetime | None, bool]]:
    """Whose answers a game waits for: seat, deadline, and whether the clock stands still."""
    rows = session.execute(
        select(QuestionRow.seat, QuestionRow.due_at, QuestionRow.stopped_at)
        .where(QuestionRow.episode_id == episode_id, QuestionRow.closed_at.is_(None), QuestionRow.purpose == "game")
        .order_by(QuestionRow.seat)
    )
    return [(row.seat, row.due_at, row.stopped_at is not None) for row in rows]


def standings(
    session: Session, slug: str = ALL_GAMES, season: int = ALL_SEASONS, page: int = 1, by_money: bool = False
) -> list[StandingLine]:
    """Who has won most, or most money."""
    money = (Standing.winnings.desc(), Standing.contestant_id.desc())
    order = money if by_money else (Standing.wins.desc(), *money)
    rows = session.execute(
        select(Contestant.called, Standing.episodes, Standing.wins, Standing.winnings)
        .join(Contestant, Contestant.id == Standing.contestant_id)
        .where(Standing.game == slug, Standing.season == season, Standing.episodes > 0)
        .order_by(*order)
        .offset((page - 1) * PAGE)
        .limit(PAGE)
    )
    return [StandingLine(row.called, row.episodes, row.wins, row.winnings) for row in rows]


def count_standings(session: Session, slug: str = ALL_GAMES, season: int = ALL_SEASONS, most: int = 100_000) -> int:
    """How many rows `standings` has, counted up to `most`."""
    rows = select(Standing.contestant_id).where(Standing.game == slug, Standing.season == season, Standing.episodes > 0)
    return session.scalar(select(func.count()).select_from(rows.limit(most).subquery())) or 0


def first_season(session: Session) -> int | None:
    """The first year in which a game was played for dollars."""
    return session.scalar(
        select(func.min(Standing.season)).where(Standing.game == ALL_GAMES, Standing.season > ALL_SEASONS)
    )


def reigns(session: Session, slug: str, page: int = 1, most: int = PAGE) -> list[ReignLine]:
    """The champions of a game, the latest first."""
    rows = session.execute(
        select(Reign.game, Contestant.called, Reign.began_at, Reign.ended_at, Reign.wins)
        .join(Contestant, Contestant.id == Reign.contestant_id)
        .where(Reign.game == slug)
        .order_by(Reign.id.desc())
        .offset((page - 1) * most)
        .limit(most)
    )
    return [ReignLine(row.game, row.called, row.began_at, row.ended_at, row.wins) for row in rows]
