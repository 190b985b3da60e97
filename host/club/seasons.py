"""Shell: seasons. In: an operator's wish, an episode that begins, a day. Out: a season with chains, an episode's place in it, its
standings and records, and a last letter to all who played in it.

A link tells all links before it in its chain, so no chain may serve two episodes at a time: as many are drawn for each game
of the season as it has tables, and an episode takes its game's first that is free. Where none is, it begins as without a season.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, time
from typing import Any
from zoneinfo import ZoneInfo

from host.config import Config
from host.engine.chain import end_of, first_free, gift, link_of, seed_of
from host.engine.chance import new_seed
from host.engine.game import Game, amount
from host.engine.words import pattern
from host.errors import PodiumError
from host.games import GAMES
from host.mail.outbound.formatting import many, moment
from host.store import seasons
from host.store.database import Session
from host.store.schema import PRIVATE, AuditEntry, Chain, Contestant, Season, SeasonEpisode
from host.table.letters import alert, write
from host.table.work import Services, Work
from host.table.work import begin as begin_work

LONGEST_NAME = 80
LONGEST_PRIZES = 500
MOST_REIGNS = 20
MOST_TOLD, MOST_WINNERS = 3, 20
"""Rows of a table that the last letter names; and up to how many, where more share the first place."""
ALL_TITLE = "All games for dollars"
_COUNTS = ("episodes", "wins", "winnings")
_NUMBER = pattern(r"(?<!\d)\d{1,9}$")


class SeasonError(PodiumError):
    """A season cannot be begun or closed; the message says why and what to do."""


def begin(
    work: Work,
    name: str,
    begins_at: datetime | None,
    ends_at: datetime | None,
    games: Sequence[str],
    prizes: str = "",
    repeats: bool = False,
) -> Sequence[Chain]:
    """Begin a season, and draw its chains. Raises `SeasonError`."""
    name, prizes = " ".join(name.split()), " ".join(prizes.split())
    current = seasons.open_season(work.session)
    if current is not None and (current.ends_at is None or current.ends_at > work.now):
        raise SeasonError(f"The season {current.name} is not over: podium season close ends it.")
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        raise SeasonError(f"Give the season a name of at most {LONGEST_NAME} characters.")
    if len(prizes) > LONGEST_PRIZES or not prizes.isprintable():
        raise SeasonError(f"Say what is won in at most {LONGEST_PRIZES} characters.")
    unknown = [each for each in games if each not in work.config.games]
    if unknown:
        raise SeasonError(f"This host does not offer {unknown[0]}: it offers {', '.join(work.config.games)}.")
    begins_at = begins_at or work.now
    if ends_at is not None and ends_at <= max(begins_at, work.now):
        raise SeasonError("The season would be over before it begins: give a later day with --to.")
    if repeats and ends_at is None:
        raise SeasonError("A season that is followed by another has a last day: give it with --to.")
    season = Season(
        name=name,
        begins_at=begins_at,
        ends_at=ends_at,
        games=list(dict.fromkeys(games)),
        prizes=prizes,
        repeats=repeats,
    )
    work.save(season)
    drawn = []
    for slug in season.games or work.config.games:
        for _ in range(work.services.settings(slug).tables):
            first = new_seed()
            drawn.append(Chain(season_id=season.id, game=slug, first=first, end=end_of(first), used=0))
            work.save(drawn[-1])
    return drawn


def end_in_words(chain: Chain) -> str:
    """The end of a chain as it is published: with the game whose episodes it serves."""
    return f"{chain.end} ({GAMES[chain.game].title})" if chain.game in GAMES else chain.end


def close(work: Work, season: Season | None = None) -> tuple[Season, int]:
    """Close a season, by default the one that began last of those that are open, as it is the one that is shown; and write to
    all who played in it and are not barred.

    Gives it, and how many of its episodes are under way, which end as they began. Raises `SeasonError`.
    """
    season = season or next(reversed(seasons.seasons_to_close(work.session)), None)
    if season is None:
        raise SeasonError("No season is open: podium season begin NAME begins one.")
    season.closed_at = work.now
    work.session.flush()
    tables = _tables(work.session, season)
    for_all = _for_all(work, season, tables)
    for each in seasons.players_to_tell(work.session, season):
        write(work, each, f"The season {season.name} is over", *_own_places(tables, each.id), *for_all, kind="news")
    return season, seasons.count_running(work.session, season)


def closed_in_words(season: Season, running: int) -> str:
    """The sentence for a host who has closed a season, of which so many episodes are under way."""
    still = (
        f" Of its episodes {running} {'is' if running == 1 else 'are'} under way: they end as they began, and count in no season."
        if running
        else ""
    )
    return f"The season {season.name} is closed, and all who played in it are told how it ended.{still}"


def in_words(work: Work, season: Season, contestant_id: int) -> tuple[str, ...]:
    """The paragraphs about a season for one contestant: their own places, who leads, records, prizes, its page."""
    tables = _tables(work.session, season)
    return (*_own_places(tables, contestant_id), *_for_all(work, season, tables))


def game_in_words(work: Work, season: Season, game: Game[Any, Any], contestant_id: int) -> tuple[str, ...]:
    """One game's table of a season, and somebody's own place in it; nothing where no episode of it is over."""
    tables = [each for each in _tables(work.session, season) if each[0] == game.title]
    return (*_lines(tables), *_own_places(tables, contestant_id))


def _own_places(tables: "_Tables", contestant_id: int) -> tuple[str, ...]:
    return tuple(
        f"{title}: you are number {row['place']} of {len(rows)}."
        for title, _, rows in tables
        for row in rows
        if row["contestant_id"] == contestant_id
    )


def _lines(tables: "_Tables") -> list[str]:
    lines = list[str]()
    for title, currency, rows in tables:
        lines.append(f"# {title}")
        shared = [row for row in rows[MOST_TOLD:MOST_WINNERS] if row["place"] == 1]
        for row in (*rows[:MOST_TOLD], *shared):
            won = f", {amount(row['winnings'], currency)}" if currency else ""
            lines.append(f"- Place {row['place']}: {public_name(row)}, {many(row['wins'], 'win')}{won}")
    return lines


def _for_all(work: Work, season: Season, tables: "_Tables") -> tuple[str, ...]:
    lines = _lines(tables)
    found = records(work.session, season)
    lines += ["# Records", *(f"- {each}" for each in found)] if found else []
    lines += ["# Prizes", season.prizes] if season.prizes else []
    web = work.config.web
    page = f"{web.address}/seasons/{season.id}/" if web.url and web.public else ""
    return (*lines, *([f"All of it: {page}"] if page else []))


def pass_on(services: Services, now: datetime) -> None:
    """Let another season follow one that repeats and is over, and close those whose last episode is over.

    While a forfeit of one of its games may be objected to, a season stays open, so that `back` still counts in it.
    """
    with services.store.reading() as session:
        is_any_over = bool(seasons.seasons_to_close(session, now))
    if not is_any_over:
        return
    with begin_work(services, now) as work:
        current = seasons.open_season(work.session)
        if current and current.repeats and current.ends_at and current.ends_at <= now:
            _follow(work, current, current.ends_at)
        for season in seasons.seasons_to_close(work.session, now):
            games = season.games or services.config.games
            is_held = any((until := work.lobby(slug).hold_until) and until > now for slug in games)
            if not (is_held or seasons.count_running(work.session, season)):
                close(work, season)
                _note(work, f"season close: {season.name}")


def follow(work: Work, season: Season) -> Sequence[Chain]:
    """Begin the season after one that was closed now: its games and prizes, as long as it was to last. Raises `SeasonError`."""
    try:
        last = _end_of_next(work, season, work.now)
    except OverflowError:
        raise SeasonError("The next one would last too long: podium season begin NAME begins it.") from None
    games = [slug for slug in season.games if slug in work.config.games]
    if season.games and not games:
        raise SeasonError("None of its games is offered any more: podium season begin NAME begins the next one.")
    return begin(work, next_name(season.name), None, last, games, season.prizes, season.repeats and last is not None)


def _follow(work: Work, season: Season, ends_at: datetime) -> None:
    """The next season, which lasts as long as this one did; of those that passed while the host was away none is begun."""
    season.repeats = False
    last = _end_of_next(work, season, ends_at)
    while last is not None and last <= work.now:
        ends_at, last = last, _end_of_next(work, season, last)
    games = [slug for slug in season.games if slug in work.config.games]
    if season.games and not games:
        text = "None of its games is offered any more. podium season begin NAME begins another."
        alert(work, f"No season follows {season.name}", text, cause=f"season {season.name}")
        return
    name = next_name(season.name)
    begin(work, name, ends_at, last, games, season.prizes, repeats=True)
    _note(work, f"season begin {name}")
    where = (
        "stands on the first public page; podium season shows it, too"
        if work.config.web.public
        else "podium season shows"
    )
    text = f"Where its chains end {where}: publish it."
    alert(work, f"The season {name} has begun", text, cause=f"season {name}")


def _end_of_next(work: Work, season: Season, begins_at: datetime) -> datetime | None:
    """When the season ends that begins then and lasts as long as one did, by the host's clock: whole days end at midnight.

    Raises `OverflowError`.
    """
    if season.ends_at is None:
        return None
    zone = ZoneInfo(work.config.host.timezone)
    times = (season.begins_at, season.ends_at, begins_at)
    begun, ended, begins = (each.astimezone(zone).replace(tzinfo=None) for each in times)
    if ended.time() == time():
        begun, begins = (datetime.combine(each, time()) for each in (begun, begins))
    return (begins + (ended - begun)).replace(tzinfo=zone).astimezone(UTC)


def _note(work: Work, what: str) -> None:
    work.save(AuditEntry(at=work.now, who="Podium", command=what, episode=""))


def next_name(name: str) -> str:
    """The name of the season after this one: `Winter 3` after `Winter 2`, which comes after `Winter`."""
    found = _NUMBER.search(name)
    number = str(int(found[0]) + 1) if found else " 2"
    begins = name[: found.start() if found else None][: LONGEST_NAME - len(number)]
    return f"{begins if found else begins.rstrip()}{number}"


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
    chains = seasons.chains_of(work.session, season, slug)
    busy = seasons.busy_chains(work.session, season)
    at = first_free([each.used for each in chains], [at for at, each in enumerate(chains) if each.id in busy])
    if at is None:
        return SeasonEpisode(season_id=season.id, given=[]), b""
    chain = chains[at]
    chain.used += 1
    place = SeasonEpisode(season_id=season.id, chain_id=chain.id, number=chain.used, given=given)
    return place, seed_of(link_of(chain.first, chain.used), given)


def ends_now(session: Session, at: datetime, slug: str = "") -> tuple[str, tuple[str, ...]]:
    """The season that is on, or to come, and the ends of a game's chains, or of all games' with their titles.

    Nothing where none is, or not for this game.
    """
    season = seasons.latest_season(session)
    if season is None or season.closed_at or (season.ends_at and season.ends_at <= at):
        return "", ()
    if slug and season.games and slug not in season.games:
        return "", ()
    return season.name, tuple(
        each.end if slug else end_in_words(each) for each in seasons.chains_of(session, season, slug)
    )


_Tables = Sequence[tuple[str, str, Sequence[dict[str, Any]]]]
"""Titles, currencies, and rows with places."""


def report(session: Session, config: Config, season: Season, is_public: bool = False) -> dict[str, Any]:
    """A season and its standings, of each game and over all that are played for dollars. `is_public`: without private names."""
    rows = [row._asdict() for row in seasons.standings_in(session, season)]
    if is_public:
        rows = [row | {"called": public_name(row)} for row in rows]
    reigns = seasons.reigns_in(session, season, season.games or list(GAMES), MOST_REIGNS)
    return {
        "number": season.id,
        "name": season.name,
        "from": moment(season.begins_at),
        "to": season.ends_at and moment(season.ends_at),
        "games": season.games or list(config.games),
        "prizes": season.prizes,
        "closed": season.closed_at and moment(season.closed_at),
        "running": seasons.count_running(session, season),
        "chains": [
            {"end": each.end, "used": each.used, "game": each.game} for each in seasons.chains_of(session, season)
        ],
        "standings": {slug: _told(_placed(of_game)) for slug, of_game in _by_game(rows).items()},
        "all": _told(_placed(_sums(rows), by_money=True)),
        "records": records(session, season),
        "reigns": [
            {
                "game": row.game,
                "name": public_name(row._asdict()) if is_public else row.called,
                "from": moment(row.began_at),
                "to": row.ended_at and moment(row.ended_at),
                "wins": row.wins,
            }
            for row in reigns
        ],
    }


def public_name(row: Mapping[str, Any]) -> str:
    """The name of a contestant as everybody may see it."""
    return PRIVATE if row["is_private"] else str(row["called"])


def records(session: Session, season: Season) -> list[str]:
    """The records of a season, a sentence each: the highest win, the closest end, the longest reign."""
    games = [slug for slug in season.games or list(GAMES) if slug in GAMES]
    for_money = [slug for slug in games if GAMES[slug].currency == "$"]
    found = []
    if best := seasons.highest_win(session, season, for_money):
        game = GAMES[best.game]
        won = amount(best.winnings, game.currency)
        found.append(f"Highest win: {public_name(best._asdict())}, {won} in {game.title} ({best.code}).")
    if close := seasons.closest_end(session, season, for_money):
        game = GAMES[close.game]
        found.append(f"Closest end: {game.title} ({close.code}), by {amount(close.margin, game.currency)}.")
    for reign in seasons.reigns_in(session, season, games, 1):
        title = GAMES[reign.game].title
        found.append(f"Longest reign: {public_name(reign._asdict())}, {many(reign.wins, 'win')} in a row in {title}.")
    return found


def _tables(session: Session, season: Season) -> _Tables:
    """The tables of a season, and the one over all where it has more than one game that is played for dollars."""
    rows = [row._asdict() for row in seasons.standings_in(session, season)]
    of_games = [(GAMES[slug].title, GAMES[slug].currency, _placed(each)) for slug, each in _by_game(rows).items()]
    over_all = [(ALL_TITLE, "$", _placed(_sums(rows), by_money=True))]
    return of_games + (over_all if sum(each[1] == "$" for each in of_games) > 1 else [])


def _by_game(rows: Sequence[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        if row["game"] in GAMES:
            found.setdefault(row["game"], []).append(row)
    return found


def _sums(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """What each contestant has over all games that are played for dollars."""
    sums: dict[int, dict[str, Any]] = {}
    for row in rows:
        if row["game"] in GAMES and GAMES[row["game"]].currency == "$":
            found = sums.setdefault(row["contestant_id"], row | dict.fromkeys(_COUNTS, 0))
            found |= {key: found[key] + row[key] for key in _COUNTS}
    return list(sums.values())


def _placed(rows: Sequence[dict[str, Any]], by_money: bool = False) -> list[dict[str, Any]]:
    """The rows in order, each with its place; who has the same shares one."""
    keys = ("winnings",) if by_money else ("wins", "winnings")

    def rank(row: dict[str, Any]) -> tuple[int, ...]:
        return tuple(-row[key] for key in keys)

    ranks = sorted(map(rank, rows))
    return [
        {"place": ranks.index(rank(row)) + 1, **row} for row in sorted(rows, key=lambda row: (rank(row), row["called"]))
    ]


def _told(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{"place": row["place"], "name": row["called"], **{key: row[key] for key in _COUNTS}} for row in rows]
