"""Edge: the rows of seasons. In: a season, an episode, a moment. Out: the season, its chains, the place of an episode, sums."""

from collections.abc import Sequence

from sqlalchemy import Row, case, func, select
from sqlalchemy.orm import Session

from host.engine.chain import Place, link_of
from host.store.schema import Chain, Contestant, Episode, Season, SeasonEpisode, Seat


def open_season(session: Session) -> Season | None:
    """The season that is not closed, taken: no other work uses its chains until this one ends."""
    open_ones = select(Season).where(Season.closed_at.is_(None)).order_by(Season.id).limit(1)
    return session.scalar(open_ones.with_for_update())


def latest_season(session: Session) -> Season | None:
    """The season that began last."""
    return session.scalar(select(Season).order_by(Season.id.desc()).limit(1))


def chains_of(session: Session, season: Season) -> Sequence[Chain]:
    """The chains of a season, in their order."""
    return session.scalars(select(Chain).where(Chain.season_id == season.id).order_by(Chain.id)).all()


def busy_chains(session: Session, season: Season) -> set[int | None]:
    """The chains of a season that serve an episode under way."""
    rows = select(SeasonEpisode.chain_id).join(Episode, Episode.id == SeasonEpisode.episode_id)
    return set(session.scalars(rows.where(SeasonEpisode.season_id == season.id, Episode.over_at.is_(None))))


def place_of(session: Session, episode_id: int) -> SeasonEpisode | None:
    """What an episode has of its season; None where it belongs to none."""
    return session.get(SeasonEpisode, episode_id)


def place_in_chain(session: Session, episode: Episode) -> Place | None:
    """An episode's place in its chain; with its link only once the episode is over. None where no chain serves it."""
    found = place_of(session, episode.id)
    if found is None or found.chain is None or found.number is None:
        return None
    link = link_of(found.chain.first, found.number) if episode.over_at is not None else b""
    return Place(found.number, found.chain.end, tuple(found.given), link)


def standings_in(session: Session, season: Season) -> Sequence[Row[str, int, bool, str, int, int, int]]:
    """The sums of each contestant in each game of a season: `game`, `contestant_id`, `is_private`, `called`, `episodes`, `wins`,
    `winnings`."""
    wins = func.sum(case((Seat.won.is_(True), 1), else_=0)).label("wins")
    rows = (
        select(
            Episode.game,
            Seat.contestant_id,
            Contestant.is_private,
            Contestant.called,
            func.count().label("episodes"),
            wins,
            func.coalesce(func.sum(Seat.winnings), 0).label("winnings"),
        )
        .join(SeasonEpisode, SeasonEpisode.episode_id == Seat.episode_id)
        .join(Episode, Episode.id == Seat.episode_id)
        .join(Contestant, Contestant.id == Seat.contestant_id)
        .where(SeasonEpisode.season_id == season.id, Episode.over_at.is_not(None))
        .group_by(Episode.game, Seat.contestant_id, Contestant.is_private, Contestant.called)
        .order_by(Episode.game, Seat.contestant_id)
    )
    return session.execute(rows).all()
