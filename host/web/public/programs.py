"""Edge: the public pages for programs. In: what a page is asked for. Out: the same as JSON, and its description as OpenAPI 3.1.

Each function's return type is what stands at its path: the description is made from it, so that it cannot say anything else.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from importlib.metadata import version
from inspect import get_annotations
from typing import Any

from pydantic import BaseModel, ConfigDict, Field
from pydantic.json_schema import models_json_schema
from sqlalchemy import Row

from host.club.lobby import next_start
from host.games import GAMES
from host.store import public_pages
from host.store.schema import Episode, Season
from host.store.seasons import seasons_of
from host.web.health import Answer
from host.web.pages import PageError
from host.web.public import contestants, front, guides, seasons, watching
from host.web.public.document import Asked, need_page, shown_name

KIND = "application/json"


class Player(BaseModel):
    """A seat of an episode: what its player is called there, and whether they won; winnings in the game's currency."""

    name: str
    won: bool | None
    winnings: int | None


class EpisodeInShort(BaseModel):
    """An episode as lists have it; `over_at` is null while it runs. All moments are in UTC."""

    code: str
    game: str
    began_at: datetime
    over_at: datetime | None
    players: list[Player]


class Waiting(BaseModel):
    """Somebody whom an episode waits for, the host where `name` is empty; without a deadline `due_at` is null."""

    name: str
    due_at: datetime | None


class EpisodeAsItStands(EpisodeInShort):
    """An episode: the table as everybody may see it, what happened last in words, and once it is over its seed.

    `table` has the keys of the game, as its rules name them; null where it was played under earlier rules.
    """

    is_paused: bool
    table: dict[str, Any] | None
    told: list[str]
    waits_for: list[Waiting]
    prizes: dict[str, str]
    commitment: str
    seed: str | None


class Span(BaseModel):
    """From when to when, in UTC; `to` is null where there is no end yet."""

    model_config = ConfigDict(serialize_by_alias=True)

    begins_at: datetime = Field(alias="from")
    ends_at: datetime | None = Field(alias="to")


class ReignInShort(Span):
    """A champion and their wins in a row."""

    game: str
    name: str
    wins: int


class GameInShort(BaseModel):
    """A game that is played here: how many episodes run and are over, how many wait, who is champion (empty: nobody)."""

    slug: str
    title: str
    currency: str
    is_offered: bool
    running: int
    over: int
    waiting: int
    champion: str
    champion_wins: int
    next_start: str


class GameWithEpisodes(GameInShort):
    """A game and its episodes, the latest first."""

    under_way: list[EpisodeInShort]
    finished: list[EpisodeInShort]


class Place(BaseModel):
    """A contestant's results; `number` is that of their page, null where they want none."""

    name: str
    number: int | None
    wins: int
    episodes: int
    winnings: int


class Standings(BaseModel):
    """Who has won most, of a game or in play money of a year (`game` is empty); of a long list its first fifty."""

    game: str
    title: str
    currency: str
    standings: list[Place]


class Champions(BaseModel):
    """The champions of a game, the latest first; of a long list its first fifty."""

    game: str
    title: str
    reigns: list[ReignInShort]


class GameResults(BaseModel):
    """A contestant's results in one game."""

    game: str
    wins: int
    episodes: int
    winnings: int


class ContestantInPublic(BaseModel):
    """A contestant who is not private: results, reigns, latest episodes."""

    number: int
    name: str
    results: list[GameResults]
    reigns: list[ReignInShort]
    episodes: list[EpisodeInShort]


class SeasonInShort(Span):
    """A season; `closed` is null where it is not."""

    number: int
    name: str
    closed: datetime | None


class Counted(BaseModel):
    """A place in a season's standings; who has the same shares one."""

    place: int
    name: str
    wins: int
    episodes: int
    winnings: int


class ChainInShort(BaseModel):
    """A chain of seeds: its published end, of which game it is (empty: of any), how many episodes have used a link of it."""

    end: str
    used: int
    game: str


class SeasonWithStandings(SeasonInShort):
    """A season: standings of each game by its slug, `all` over those for play money, its records in words, its reigns."""

    games: list[str]
    prizes: str
    running: int
    chains: list[ChainInShort]
    standings: dict[str, list[Counted]]
    all: list[Counted]
    records: list[str]
    reigns: list[ReignInShort]


class Step(BaseModel):
    """A line of a record: what was said, what happened in words, and the table after it, with the keys of the game."""

    number: int
    said: str
    told: list[str]
    view: dict[str, Any]


class Replay(BaseModel):
    """An episode that is over, step by step; `is_open` tells whether all cards are. Of a long one some fifty steps."""

    code: str
    game: str
    players: list[str]
    is_open: bool
    pages: int
    steps: list[Step]


class Explained(BaseModel):
    """A page that explains: its heading, and the rest as HTML."""

    title: str
    html: str


class Site(BaseModel):
    """All that there is to ask for: the games, the seasons, the episodes that began last."""

    host: str
    games: list[GameInShort]
    seasons: list[SeasonInShort]
    begun: list[EpisodeInShort]


def site(asked: Asked) -> Site:
    """The games, the seasons, and the episodes that began last."""
    return Site(
        host=asked.web.services.config.host.name,
        games=[_game(asked, slug) for slug in asked.played],
        seasons=[_season(each) for each in seasons_of(asked.session)],
        begun=_listed(public_pages.begun(asked.session, front.IN_FEED)),
    )


def game(asked: Asked, slug: str, page: int = 1) -> GameWithEpisodes:
    """A game, its champion, its episodes."""
    found = GameWithEpisodes(
        **_game(asked, slug).model_dump(),
        under_way=_listed(public_pages.running(asked.session, slug, page)),
        finished=_listed(public_pages.finished(asked.session, slug, page)),
    )
    need_page(page, found.under_way or found.finished)
    return found


def episode(asked: Asked, code: str) -> EpisodeAsItStands:
    """An episode, as everybody may see it."""
    found = watching.standing(asked.session, code)
    row, is_over = found.episode, found.episode.over_at is not None
    return EpisodeAsItStands(
        **_episode(row).model_dump(),
        is_paused=row.paused_at is not None,
        table=found.view,
        told=found.told,
        waits_for=[
            Waiting(name=each["name"], due_at=None if each.get("is_stopped") or row.paused_at else each.get("due"))
            for each in found.asked
        ],
        prizes=found.prizes,
        commitment=row.commitment,
        seed=row.seed.hex() if is_over else None,
    )


def champions(asked: Asked, slug: str, page: int = 1) -> Champions:
    """Who reigned in a game, and how long."""
    of, _ = asked.game(slug)
    rows = public_pages.reigns(asked.session, slug, page)
    need_page(page, rows)
    return Champions(game=slug, title=of.title, reigns=[_reign(each, each.name) for each in rows])


def standings(asked: Asked, slug: str, page: int = 1) -> Standings:
    """The winners of a game."""
    of, _ = asked.game(slug)
    rows = public_pages.standings(asked.session, slug, page=page)
    need_page(page, rows)
    return Standings(game=slug, title=of.title, currency=of.currency, standings=_places(rows))


def ledger(asked: Asked, year: int, page: int = 1) -> Standings:
    """The play money of a year."""
    if year not in front.years_of(asked):
        raise PageError(404, front.NO_YEAR)
    rows = public_pages.standings(asked.session, year=year, page=page, by_money=True)
    need_page(page, rows)
    return Standings(game="", title=f"Play money of {year}", currency="$", standings=_places(rows))


def contestant(asked: Asked, number: int) -> ContestantInPublic:
    """What a contestant played and won."""
    person = contestants.shown(asked, number)
    return ContestantInPublic(
        number=number,
        name=shown_name(person.called),
        results=[
            GameResults(game=each.game, wins=each.wins, episodes=each.episodes, winnings=each.winnings)
            for each in public_pages.results_of(asked.session, number, list(GAMES))
        ],
        reigns=[
            _reign(each, person.called)
            for each in public_pages.reigns_of(asked.session, number, contestants.MOST)
            if each.game in GAMES
        ],
        episodes=_listed(public_pages.shown_episodes(asked.session, number, contestants.MOST)),
    )


def season(asked: Asked, number: int) -> SeasonWithStandings:
    """The standings of a season."""
    _, found = seasons.found(asked, number)
    return SeasonWithStandings.model_validate(found)


def replay(asked: Asked, code: str, page: int = 1) -> Replay:
    """An episode that is over, step by step, as everybody saw it or with all cards open."""
    found = watching.replayed(asked, code, page)
    told = {"code": code, "game": found["game"].slug, "players": found["names"], "steps": found["frames"]}
    return Replay.model_validate(found | told)


def rules(asked: Asked, slug: str) -> Explained:
    """The rules of a game, clause by clause."""
    asked.game(slug)
    return _explained(asked, guides.rules_of(slug))


def guide(asked: Asked) -> Explained:
    """How to play by e-mail."""
    return _explained(asked, guides.HOW_TO_PLAY)


def guide_of_game(asked: Asked, slug: str) -> Explained:
    """How to play one game."""
    return _explained(asked, guides.guide_of(asked.game(slug)[0]))


def record_format(asked: Asked) -> Explained:
    """What a record holds, and how cards come out of a seed."""
    return _explained(asked, guides.RECORD_FORMAT)


def _explained(asked: Asked, file: str) -> Explained:
    title, body = guides.written(asked, file)
    return Explained(title=title, html=str(body))


def _game(asked: Asked, slug: str) -> GameInShort:
    of, lobby = asked.game(slug)
    config, found = asked.web.services.config, front.game_in_short(asked, of, lobby)
    return GameInShort(
        slug=slug,
        title=of.title,
        currency=of.currency,
        is_offered=slug in config.games,
        next_start=next_start(config, slug, asked.web.clock()) if slug in config.games else "",
        champion=shown_name(found["champion"]),
        **{key: found[key] for key in ("running", "over", "waiting", "champion_wins")},
    )


def _listed(episodes: Sequence[Episode]) -> list[EpisodeInShort]:
    return [_episode(each) for each in episodes if each.game in GAMES]


def _episode(row: Episode) -> EpisodeInShort:
    players = [Player(name=shown_name(seat.public_name), won=seat.won, winnings=seat.winnings) for seat in row.seats]
    return EpisodeInShort(code=row.code, game=row.game, began_at=row.began_at, over_at=row.over_at, players=players)


def _reign(row: Any, called: str) -> ReignInShort:
    """A reign, as the store has it or a list of reigns."""
    return ReignInShort(**_span(row.began_at, row.ended_at), game=row.game, name=shown_name(called), wins=row.wins)


def _places(rows: Sequence[Row[str, int | None, int, int, int]]) -> list[Place]:
    return [Place(**row._asdict() | {"name": shown_name(row.name)}) for row in rows]


def _span(begins_at: datetime, ends_at: datetime | None) -> dict[str, Any]:
    return {"from": begins_at, "to": ends_at}


def _season(row: Season) -> SeasonInShort:
    return SeasonInShort(number=row.id, name=row.name, **_span(row.begins_at, row.ends_at), closed=row.closed_at)


PROGRAMS: dict[str, Callable[..., BaseModel]] = {
    "/site.json": site,
    "/games/{slug}/game.json": game,
    "/episodes/{code}/episode.json": episode,
    "/champions/{slug}/champions.json": champions,
    "/standings/{slug}/standings.json": standings,
    "/ledger/{year:int}/ledger.json": ledger,
    "/contestants/{number:int}/contestant.json": contestant,
    "/seasons/{number:int}/season.json": season,
    "/episodes/{code}/replay/replay.json": replay,
    "/games/{slug}/rules/rules.json": rules,
    "/how-to-play/guide.json": guide,
    "/how-to-play/{slug}/guide.json": guide_of_game,
    "/record-format/format.json": record_format,
    "/episodes/{code}/replay/{page:int}/replay.json": replay,
    "/episodes/{code}/replay/open/replay.json": replay,
    "/episodes/{code}/replay/open/{page:int}/replay.json": replay,
    "/games/{slug}/page-{page:int}/game.json": game,
    "/champions/{slug}/page-{page:int}/champions.json": champions,
    "/standings/{slug}/page-{page:int}/standings.json": standings,
    "/ledger/{year:int}/page-{page:int}/ledger.json": ledger,
}
"""What stands at which path."""


def as_json(made: Callable[..., BaseModel]) -> Callable[..., Answer]:
    """The same as an answer."""

    def answer(asked: Asked, **values: Any) -> Answer:
        return Answer(KIND, made(asked, **values).model_dump_json(indent=1).encode())

    return answer


def openapi(asked: Asked) -> Answer:
    """The description of all that there is for programs."""
    kinds = {path: get_annotations(made, eval_str=True) for path, made in PROGRAMS.items()}
    of, schemas = models_json_schema(
        [(each["return"], "serialization") for each in kinds.values()], ref_template="#/components/schemas/{model}"
    )
    described = {
        "openapi": "3.1.0",
        "info": {"title": asked.web.services.config.host.name, "version": version("podium-host")},
        "servers": [{"url": asked.web.services.config.web.url or "."}],
        "paths": {
            re.sub(r":\w+", "", path): {"get": _operation(path, of[kind["return"], "serialization"], kind)}
            for path, kind in kinds.items()
        },
        "components": {"schemas": schemas["$defs"]},
    }
    return Answer(KIND, json.dumps(described, ensure_ascii=False, indent=1).encode())


def _operation(path: str, schema: Any, kinds: Mapping[str, Any]) -> dict[str, Any]:
    """What OpenAPI says of one path: its values stand in it, and are what the function takes."""
    types, made = {str: "string", int: "integer"}, PROGRAMS[path]
    named = re.findall(r"{(\w+)", path)
    return {
        "operationId": f"{made.__name__}{'_open' * ('/open/' in path)}{'_page' * ('page' in named)}",
        "summary": (made.__doc__ or "").strip(),
        "parameters": [
            {"name": name, "in": "path", "required": True, "schema": {"type": types[kinds[name]]}} for name in named
        ],
        "responses": {
            "200": {"description": "It is there.", "content": {KIND: {"schema": schema}}},
            "404": {"description": "There is no such thing, or it is not public."},
        },
    }
