"""Edge: the first page, the games, and lists. In: the store, a game's slug, a season, a page's number. Out: pages."""

from typing import Any

from host.engine.game import Game, unusual_options
from host.games import GAMES
from host.mail.outbound.announcement import in_short, registration_link
from host.store import public_pages as public
from host.store.database import Session
from host.store.people import count_waiting, lobbies
from host.store.schema import LobbyRow
from host.web.pages import PageError, Web
from host.web.public.document import Document, checked, document, game_of, has_guide, pages_of
from host.web.public.example import example

MOST_WAITING = 500
"""So far a queue is counted."""
LATEST = 10


def home(web: Web, session: Session) -> Document:
    """What this is, which games are played, who is champion, what is running, what came out lately."""
    config = web.services.config
    rows = {row.game: row for row in lobbies(session)}
    games = [_game(session, GAMES[slug], rows.get(slug)) for slug in GAMES if slug in config.games or slug in rows]
    offered = [each for each in games if each["game"].slug in config.games]
    called = max(offered, key=lambda each: each["waiting"], default=None)
    under_way = [each for slug in GAMES if slug in rows for each in public.running(session, slug, most=LATEST)]
    under_way.sort(key=lambda each: each.id, reverse=True)
    return document(
        web,
        "home.html",
        "",
        games=games,
        call=called,
        register=registration_link(called["game"], config.host.address, config.host.community) if called else "",
        example=example(called["game"].slug) if called else None,
        running=under_way[:LATEST],
        finished=public.finished(session, None, most=LATEST),
        all_games=GAMES,
        summary="Card game shows, played by e-mail. Anybody may register, and anybody may watch.",
    )


def _game(session: Session, game: Game[Any, Any], lobby: LobbyRow | None) -> dict[str, Any]:
    has_champion = lobby is not None and lobby.champion is not None
    return {
        "game": game,
        "champion": lobby.champion.called if lobby and lobby.champion else "",
        "champion_wins": lobby.champion_wins if lobby and has_champion else 0,
        "running": lobby.running if lobby else 0,
        "over": lobby.episodes - lobby.running if lobby else 0,
        "waiting": count_waiting(session, game.slug, MOST_WAITING),
    }


def game_page(web: Web, session: Session, slug: str, page: int = 1) -> Document:
    """One game: what it is, how to register, who is champion, its episodes."""
    game, lobby = game_of(web, session, slug)
    found = _game(session, game, lobby)
    pages = pages_of(max(found["over"], found["running"]), public.PAGE)
    config = web.services.config
    settings = web.services.settings(slug)
    short = in_short(game, config.reply_within(slug), unusual_options(game, settings.options))
    return document(
        web,
        "game.html",
        f"games/{slug}/" if page == 1 else f"games/{slug}/page-{page}/",
        **found,
        short=short[1:],
        is_offered=slug in config.games,
        register=registration_link(game, config.host.address, config.host.community),
        example=example(slug),
        has_guide=has_guide(slug),
        episodes=public.finished(session, slug, checked(page, pages)),
        under_way=public.running(session, slug, page),
        reigns=public.reigns(session, slug, most=5) if page == 1 else [],
        page=page,
        pages=pages,
        summary=game.summary,
        picture=f"games/{slug}/preview.png",
    )


def champions(web: Web, session: Session) -> Document:
    """The latest champions of each game."""
    found = [(game, public.reigns(session, game.slug, most=LATEST)) for game in _played(web, session)]
    return document(
        web,
        "champions.html",
        "champions/",
        reigns=found,
        game=None,
        page=1,
        pages=1,
        summary="Who reigned, and how long.",
    )


def champions_of(web: Web, session: Session, slug: str, page: int = 1) -> Document:
    """All champions of a game."""
    game, _ = game_of(web, session, slug)
    rows = public.reigns(session, slug, page, public.PAGE + 1)
    if page < 1 or (page > 1 and not rows):
        raise PageError(404, "This list has no such page. Begin at its first.")
    return document(
        web,
        "champions.html",
        f"champions/{slug}/" if page == 1 else f"champions/{slug}/page-{page}/",
        reigns=[(game, rows[: public.PAGE])],
        game=game,
        page=page,
        pages=page + (len(rows) > public.PAGE),
        summary=f"The champions of {game.title}.",
    )


def standings(web: Web, session: Session) -> Document:
    """Who has won most, in each game: the first rows."""
    found = [(game, public.standings(session, game.slug)[:LATEST]) for game in _played(web, session)]
    return document(
        web, "standings.html", "standings/", found=found, game=None, page=1, pages=1, summary="Who has won most."
    )


def standings_of(web: Web, session: Session, slug: str, page: int = 1) -> Document:
    """Who has won most in a game."""
    game, _ = game_of(web, session, slug)
    pages = pages_of(public.count_standings(session, slug), public.PAGE)
    return document(
        web,
        "standings.html",
        f"standings/{slug}/" if page == 1 else f"standings/{slug}/page-{page}/",
        found=[(game, public.standings(session, slug, page=checked(page, pages)))],
        game=game,
        page=page,
        pages=pages,
        summary=f"Who has won most in {game.title}.",
    )


def ledger(web: Web, session: Session, season: int = 0, page: int = 1) -> Document:
    """The play money of a season."""
    this_year = web.clock().year
    first = public.first_season(session) or this_year
    seasons = list(range(max(first, this_year - 50), max(this_year, first) + 1))[::-1]
    if season and season not in seasons:
        raise PageError(404, "There is no ledger of that season. The first one lists those that there are.")
    year = season or this_year
    pages = pages_of(public.count_standings(session, season=year), public.PAGE)
    return document(
        web,
        "ledger.html",
        _ledger_path(season, page),
        season=year,
        seasons=seasons,
        rows=public.standings(session, season=year, page=checked(page, pages), by_money=True),
        games=[game.title for game in GAMES.values() if game.currency == "$"],
        page=page,
        pages=pages,
        summary=f"The play money of {year}.",
    )


def _ledger_path(season: int, page: int) -> str:
    return "ledger/" + (f"{season}/" if season else "") + (f"page-{page}/" if page > 1 else "")


def _played(web: Web, session: Session) -> list[Game[Any, Any]]:
    rows = {row.game for row in lobbies(session)}
    return [game for slug, game in GAMES.items() if slug in web.services.config.games or slug in rows]
