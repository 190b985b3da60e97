"""Shell: seasons. In: an operator's wish, an episode that begins. Out: a season with chains, its standings, an episode's place.

A link tells all links before it in its chain, so no chain may serve two episodes at a time: as many are drawn as the
season's games have tables, and an episode takes the first that is free. Where none is, it begins as without a season.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from host.config import Config
from host.engine.chain import end_of, first_free, gift, link_of, seed_of
from host.engine.chance import new_seed
from host.errors import PodiumError
from host.games import GAMES
from host.store import seasons
from host.store.database import Session
from host.store.schema import Chain, Contestant, Season, SeasonEpisode
from host.turn.work import Work

LONGEST_NAME = 80


class SeasonError(PodiumError):
    """A season cannot be begun or closed; the message says why and what to do."""


def begin(
    work: Work, name: str, begins_at: datetime | None, ends_at: datetime | None, games: Sequence[str]
) -> Sequence[Chain]:
    """Begin a season, and draw its chains. Raises `SeasonError`."""
    name = " ".join(name.split())
    current = seasons.open_season(work.session)
    if current is not None:
        raise SeasonError(f"The season {current.name} is not closed: podium season close ends it.")
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        raise SeasonError(f"Give the season a name of at most {LONGEST_NAME} characters.")
    unknown = [each for each in games if each not in work.config.games]
    if unknown:
        raise SeasonError(f"This host does not offer {unknown[0]}: it offers {', '.join(work.config.games)}.")
    begins_at = begins_at or work.now
    if ends_at is not None and ends_at <= max(begins_at, work.now):
        raise SeasonError("The season would be over before it begins: give a later day with --to.")
    served = games or work.config.games
    season = Season(name=name, begins_at=begins_at, ends_at=ends_at, games=list(dict.fromkeys(games)))
    work.save(season)
    drawn = []
    for _ in range(sum(work.services.settings(slug).tables for slug in served)):
        first = new_seed()
        drawn.append(Chain(season_id=season.id, first=first, end=end_of(first), used=0))
        work.save(drawn[-1])
    return drawn


def close(work: Work) -> Season:
    """Close the season; episodes under way end as they began. Raises `SeasonError`."""
    season = seasons.open_season(work.session)
    if season is None:
        raise SeasonError("No season is open: podium season begin NAME begins one.")
    season.closed_at = work.now
    return season


def _serves(season: Season, at: datetime, slug: str) -> bool:
    is_now = season.begins_at <= at and (season.ends_at is None or at < season.ends_at)
    return is_now and (not season.games or slug in season.games)


def take_place(work: Work, slug: str, contestants: Sequence[Contestant]) -> tuple[SeasonEpisode | None, bytes]:
    """An episode's place in the season, still without its episode, and its seed. Without a season the seed is drawn."""
    season = seasons.open_season(work.session)
    given = [gift(each.message_id, each.word) for each in contestants]
    for each in contestants:
        each.word = ""
    if season is None or not _serves(season, work.now, slug):
        return None, b""
    chains = seasons.chains_of(work.session, season)
    busy = seasons.busy_chains(work.session, season)
    at = first_free([each.used for each in chains], [at for at, each in enumerate(chains) if each.id in busy])
    if at is None:
        return SeasonEpisode(season_id=season.id, given=[]), b""
    chain = chains[at]
    chain.used += 1
    place = SeasonEpisode(season_id=season.id, chain_id=chain.id, number=chain.used, given=given)
    return place, seed_of(link_of(chain.first, chain.used), given)


def ends_now(session: Session, at: datetime, slug: str = "") -> tuple[str, tuple[str, ...]]:
    """The season that is on, or to come, and the ends of its chains; nothing where none is, or not for this game."""
    season = seasons.latest_season(session)
    if season is None or season.closed_at or (season.ends_at and season.ends_at <= at):
        return "", ()
    if slug and season.games and slug not in season.games:
        return "", ()
    return season.name, tuple(each.end for each in seasons.chains_of(session, season))


def report(session: Session, config: Config) -> dict[str, Any] | None:
    """The season that began last, and its standings: of each game, and over all that are played for dollars."""
    season = seasons.latest_season(session)
    if season is None:
        return None
    rows = [row._asdict() for row in seasons.standings_in(session, season)]
    tables = {
        slug: _placed([row for row in rows if row["game"] == slug]) for slug in dict.fromkeys(r["game"] for r in rows)
    }
    sums: dict[int, dict[str, Any]] = {}
    for row in rows:
        if GAMES[row["game"]].currency == "$":
            found = sums.setdefault(row["contestant_id"], row | {"episodes": 0, "wins": 0, "winnings": 0})
            sums[row["contestant_id"]] = found | {
                key: found[key] + row[key] for key in ("episodes", "wins", "winnings")
            }
    return {
        "name": season.name,
        "from": season.begins_at.isoformat(),
        "to": season.ends_at and season.ends_at.isoformat(),
        "games": season.games or list(config.games),
        "closed": season.closed_at and season.closed_at.isoformat(),
        "chains": [{"end": each.end, "used": each.used} for each in seasons.chains_of(session, season)],
        "standings": tables,
        "all": _placed(list(sums.values()), by_money=True),
    }


def _placed(rows: list[dict[str, Any]], by_money: bool = False) -> list[dict[str, Any]]:
    """The rows in order, each with its place; who has the same shares one."""
    keys = ("winnings",) if by_money else ("wins", "winnings")

    def rank(row: dict[str, Any]) -> tuple[int, ...]:
        return tuple(-row[key] for key in keys)

    ranks = sorted(map(rank, rows))
    return [
        {"place": ranks.index(rank(row)) + 1, "name": row["called"]}
        | {key: row[key] for key in ("episodes", "wins", "winnings")}
        for row in sorted(rows, key=lambda row: (rank(row), row["called"]))
    ]
