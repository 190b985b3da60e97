"""Edge: the rows that everybody may see. In: a game, a year, a season, a page of a list. Out: rows of a list, without addresses.

Every list is cut off, and found by an index. States, seeds, mails and questions' texts are not asked for here: a page that
looked at one of an episode in a list would fail.
"""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Row, Select, case, func, literal, null, select, text
from sqlalchemy.orm import Session, load_only, selectinload

from host.store.database import count
from host.store.schema import PRIVATE, Contestant, Episode, EventRow, QuestionRow, Reign, Seat, Standing
from host.store.standings import ALL_GAMES, ALL_YEARS

PAGE = 50
"""Rows of a list on one page."""
_NUMBER = case((Contestant.is_private, null()), else_=Contestant.id).label("number")
_NAME = case((Contestant.is_private, literal(PRIVATE)), else_=Contestant.called).label("name")


def _listed(session: Session, episodes: Select[Episode], page: int, most: int) -> Sequence[Episode]:
    """Episodes with their seats, and of both only what lists show."""
    shown = (Episode.code, Episode.game, Episode.began_at, Episode.over_at, Episode.paused_at)
    seated = selectinload(Episode.seats).load_only(Seat.seat, Seat.name, Seat.won, Seat.winnings, raiseload=True)
    who = seated.joinedload(Seat.contestant).load_only(Contestant.is_private, raiseload=True)
    episodes = episodes.where(~Episode.is_unlisted)
    rows = episodes.options(load_only(*shown, raiseload=True), who.raiseload("*"), seated.raiseload(Seat.episode))
    return session.scalars(rows.offset((page - 1) * most).limit(most)).all()


def finished(session: Session, slug: str | None, page: int = 1, most: int = PAGE) -> Sequence[Episode]:
    """Episodes that are over, the latest first: of a game, or of all."""
    over = select(Episode).where(Episode.over_at.is_not(None))
    if slug is not None:
        over = over.where(Episode.game == slug)
    return _listed(session, over.order_by(Episode.over_at.desc(), Episode.id.desc()), page, most)


def running(session: Session, slug: str, page: int = 1, most: int = PAGE) -> Sequence[Episode]:
    """Episodes of a game that are not over, the latest first."""
    under_way = select(Episode).where(Episode.game == slug, Episode.over_at.is_(None))
    return _listed(session, under_way.order_by(Episode.id.desc()), page, most)


def begun(session: Session, most: int) -> Sequence[Episode]:
    """The episodes that began last, over or not."""
    return _listed(session, select(Episode).order_by(Episode.id.desc()), 1, most)


def last_events(session: Session, episode_id: int, most: int) -> Sequence[EventRow]:
    """The last events of an episode, in order."""
    latest = select(EventRow).where(EventRow.episode_id == episode_id).order_by(EventRow.number.desc()).limit(most)
    return session.scalars(latest).all()[::-1]


def asked_seats(session: Session, episode_id: int) -> Sequence[tuple[int | None, datetime | None, datetime | None]]:
    """The answers that a game waits for: seat, deadline, and since when the clock stands still."""
    rows = (
        select(QuestionRow.seat, QuestionRow.due_at, QuestionRow.stopped_at)
        .where(QuestionRow.episode_id == episode_id, QuestionRow.closed_at.is_(None), QuestionRow.purpose == "game")
        .order_by(QuestionRow.seat)
    )
    return session.execute(rows).all()


def standings(
    session: Session, slug: str = ALL_GAMES, year: int = ALL_YEARS, page: int = 1, by_money: bool = False
) -> Sequence[Row[str, int | None, int, int, int]]:
    """The contestants who have won most, or most money: `name`, `number` (unless private), `episodes`, `wins`, `winnings`."""
    money = (Standing.winnings.desc(), Standing.contestant_id.desc())
    order = money if by_money else (Standing.wins.desc(), *money)
    rows = (
        select(_NAME, _NUMBER, Standing.episodes, Standing.wins, Standing.winnings)
        .join(Contestant, Contestant.id == Standing.contestant_id)
        .where(Standing.game == slug, Standing.year == year, Standing.episodes > 0)
        .order_by(*order)
    )
    return session.execute(rows.offset((page - 1) * PAGE).limit(PAGE)).all()


def count_standings(session: Session, slug: str = ALL_GAMES, year: int = ALL_YEARS, most: int = 100_000) -> int:
    """Count the rows of `standings`, up to `most`."""
    rows = select(Standing.contestant_id).where(Standing.game == slug, Standing.year == year, Standing.episodes > 0)
    return count(session, rows, most)


def first_year(session: Session) -> int | None:
    """The first year in which a game was played for dollars."""
    return session.scalar(select(func.min(Standing.year)).where(Standing.game == ALL_GAMES, Standing.year > ALL_YEARS))


def shown_contestant(session: Session, number: int) -> Contestant | None:
    """A contestant who has a public page: whoever has played, not only among friends, and is not private."""
    found = session.get(Contestant, number)
    if found is None or found.is_private:
        return None
    has_played = select(Seat.episode_id).join(Episode, Episode.id == Seat.episode_id)
    has_played = has_played.where(Seat.contestant_id == number, ~Episode.is_unlisted).limit(1)
    return found if session.scalar(has_played) is not None else None


def results_of(session: Session, number: int, games: Sequence[str]) -> Sequence[Standing]:
    """A contestant's results in each of these games, over all years."""
    rows = (session.get(Standing, (slug, ALL_YEARS, number)) for slug in games)
    return [each for each in rows if each is not None and each.episodes > 0]


def reigns_of(session: Session, number: int, most: int) -> Sequence[Reign]:
    """A contestant's reigns, the latest first."""
    rows = select(Reign).where(Reign.contestant_id == number).order_by(Reign.id.desc())
    return session.scalars(rows.limit(most)).all()


def shown_episodes(session: Session, number: int, most: int) -> Sequence[Episode]:
    """The episodes that a contestant plays or has played and pages show, the latest first."""
    theirs = select(Seat.episode_id).where(Seat.contestant_id == number)
    return _listed(session, select(Episode).where(Episode.id.in_(theirs)).order_by(Episode.id.desc()), 1, most)


def count_reigns(session: Session, slug: str, most: int = 100_000) -> int:
    """Count the rows of `reigns`, up to `most`."""
    return count(session, select(Reign.id).where(Reign.game == slug), most)


def unlisted(session: Session) -> dict[str, tuple[int, int]]:
    """Count the episodes that no list shows, by game: those under way, and those that are over."""
    over = func.count(Episode.over_at)
    rows = select(Episode.game, func.count() - over, over).where(text("is_unlisted")).group_by(Episode.game)
    return {game: (running, ended) for game, running, ended in session.execute(rows)}


def reigns(
    session: Session, slug: str, page: int = 1, most: int = PAGE
) -> Sequence[Row[str, str, datetime, datetime | None, int]]:
    """The champions of a game, the latest first: `game`, `name`, `began_at`, `ended_at` (None while it lasts), `wins`."""
    rows = (
        select(Reign.game, _NAME, Reign.began_at, Reign.ended_at, Reign.wins)
        .join(Contestant, Contestant.id == Reign.contestant_id)
        .where(Reign.game == slug)
        .order_by(Reign.id.desc())
    )
    return session.execute(rows.offset((page - 1) * PAGE).limit(most)).all()
