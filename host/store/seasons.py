"""Edge: the rows of seasons. In: a season, an episode, a moment. Out: the season, its chains, the place of an episode, sums."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Row, Select, case, func, or_, select
from sqlalchemy.orm import Session

from host.engine.chain import Place, link_of
from host.store.database import count
from host.store.schema import Barred, Chain, Contestant, Episode, Reign, Season, SeasonEpisode, Seat


def open_season(session: Session) -> Season | None:
    """The season that began last, if it is not closed; taken: no other work uses its chains until this one ends."""
    found = session.scalar(select(Season).order_by(Season.id.desc()).limit(1).with_for_update())
    return None if found is None or found.closed_at else found


def latest_season(session: Session) -> Season | None:
    """The season that began last."""
    return session.scalar(select(Season).order_by(Season.id.desc()).limit(1))


def seasons_of(session: Session) -> Sequence[Season]:
    """All seasons, the latest first."""
    return session.scalars(select(Season).order_by(Season.id.desc())).all()


def seasons_to_close(session: Session, now: datetime | None = None) -> Sequence[Season]:
    """The seasons that are not closed, the oldest first; of these, with a moment, those whose last day is over by then."""
    rows = select(Season).where(Season.closed_at.is_(None)).order_by(Season.id)
    return session.scalars(rows if now is None else rows.where(Season.ends_at <= now)).all()


def count_running(session: Session, season: Season) -> int:
    """Count the episodes of a season that are under way."""
    rows = select(SeasonEpisode.episode_id).join(Episode, Episode.id == SeasonEpisode.episode_id)
    return count(session, rows.where(SeasonEpisode.season_id == season.id, Episode.over_at.is_(None)))


def chains_of(session: Session, season: Season, slug: str = "") -> Sequence[Chain]:
    """The chains of a season, in their order; those that serve a game, where one is named."""
    rows = select(Chain).where(Chain.season_id == season.id).order_by(Chain.id)
    return session.scalars(rows.where(Chain.game.in_(("", slug))) if slug else rows).all()


def busy_chains(session: Session, season: Season) -> set[int | None]:
    """The chains of a season that serve an episode under way."""
    rows = select(SeasonEpisode.chain_id).join(Episode, Episode.id == SeasonEpisode.episode_id)
    return set(session.scalars(rows.where(SeasonEpisode.season_id == season.id, Episode.over_at.is_(None))))


def place_of(session: Session, episode_id: int) -> SeasonEpisode | None:
    """What an episode has of its season; None where it belongs to none."""
    return session.get(SeasonEpisode, episode_id)


def closed_season_of(session: Session, episode_id: int) -> str:
    """The name of an episode's season, where that is closed; empty elsewhere."""
    rows = select(Season.name).join(SeasonEpisode, SeasonEpisode.season_id == Season.id)
    return session.scalar(rows.where(SeasonEpisode.episode_id == episode_id, Season.closed_at.is_not(None))) or ""


def place_in_chain(session: Session, episode: Episode) -> Place | None:
    """An episode's place in its chain; with its link only once the episode is over. None where no chain serves it."""
    found = place_of(session, episode.id)
    if found is None or found.chain is None or found.number is None:
        return None
    link = link_of(found.chain.first, found.number) if episode.over_at is not None else b""
    return Place(found.number, found.chain.end, tuple(found.given), link)


def _results(*columns: Any, season: Season) -> Select[Any]:
    """These columns of the seats of a season's episodes that are over; were over, where it is closed."""
    rows = (
        select(*columns)
        .select_from(Seat)
        .join(SeasonEpisode, SeasonEpisode.episode_id == Seat.episode_id)
        .join(Episode, Episode.id == Seat.episode_id)
        .join(Contestant, Contestant.id == Seat.contestant_id)
        .where(SeasonEpisode.season_id == season.id, Episode.over_at.is_not(None))
    )
    return rows if season.closed_at is None else rows.where(Episode.over_at <= season.closed_at)


def players_to_tell(session: Session, season: Season) -> Sequence[Contestant]:
    """Everybody who plays or has played an episode of a season, and may be written to."""
    of_season = select(SeasonEpisode.episode_id).where(SeasonEpisode.season_id == season.id)
    rows = select(Contestant).where(
        Contestant.id.in_(select(Seat.contestant_id).where(Seat.episode_id.in_(of_season))),
        Contestant.address.contains("@"),
        Contestant.address.not_in(select(Barred.address)),
    )
    return session.scalars(rows.order_by(Contestant.id)).all()


def standings_in(session: Session, season: Season) -> Sequence[Row[str, int, bool, str, int, int, int]]:
    """The sums of each contestant in each game of a season: `game`, `contestant_id`, `is_private`, `called`, `episodes`, `wins`,
    `winnings`."""
    who = (Episode.game, Seat.contestant_id, Contestant.is_private, Contestant.called)
    sums = (
        func.count().label("episodes"),
        func.sum(case((Seat.won.is_(True), 1), else_=0)).label("wins"),
        func.coalesce(func.sum(Seat.winnings), 0).label("winnings"),
    )
    rows = _results(*who, *sums, season=season).group_by(*who).order_by(Episode.game, Seat.contestant_id)
    return session.execute(rows).all()


def highest_win(session: Session, season: Season, games: Sequence[str]) -> Row[str, str, bool, str, int] | None:
    """The most that somebody won in one episode of these games: `code`, `game`, `is_private`, `called`, `winnings`."""
    who = (Episode.code, Episode.game, Contestant.is_private, Contestant.called, Seat.winnings)
    rows = _results(*who, season=season).where(Episode.game.in_(games), Seat.winnings > 0, ~Episode.is_unlisted)
    return session.execute(rows.order_by(Seat.winnings.desc(), Episode.id).limit(1)).first()


def closest_end(session: Session, season: Season, games: Sequence[str]) -> Row[str, str, int] | None:
    """The episode of these games whose winner was the fewest ahead of the next: `code`, `game`, `margin`."""
    winner = func.max(case((Seat.won.is_(True), Seat.winnings)))
    others = func.max(case((Seat.won.is_not(True), Seat.winnings)))
    margin = winner - others
    rows = _results(Episode.code, Episode.game, margin.label("margin"), season=season)
    rows = rows.where(Episode.game.in_(games), ~Episode.is_unlisted).group_by(Episode.id, Episode.code, Episode.game)
    return session.execute(rows.having(margin >= 0).order_by(margin, Episode.id).limit(1)).first()


def reigns_in(
    session: Session, season: Season, games: Sequence[str], most: int
) -> Sequence[Row[str, bool, str, datetime, datetime | None, int]]:
    """The reigns of these games with wins in a season, the longest first: `game`, `is_private`, `called`, `began_at`, `ended_at`,
    and the `wins` in its episodes."""
    who = (Reign.game, Contestant.is_private, Contestant.called, Reign.began_at, Reign.ended_at)
    wins = func.count().label("wins")
    is_of_reign = (Reign.game == Episode.game) & (Reign.contestant_id == Seat.contestant_id)
    is_within = (Episode.over_at >= Reign.began_at) & or_(Reign.ended_at.is_(None), Episode.over_at < Reign.ended_at)
    rows = _results(*who, wins, season=season).join(Reign, is_of_reign & is_within)
    rows = rows.where(Seat.won.is_(True), Episode.game.in_(games)).group_by(Reign.id, *who)
    return session.execute(rows.order_by(wins.desc(), Reign.id).limit(most)).all()
