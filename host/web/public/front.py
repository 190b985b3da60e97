"""Edge: the first page, the games, lists, and what programs look for. In: the store, a slug, a season. Out: pages, feed, icon."""

from typing import Any
from urllib.parse import urlsplit

from host.club.lobby import next_start
from host.club.seasons import ends_now
from host.engine.game import Game, unusual_options
from host.games import GAMES
from host.mail.outbound.announcement import in_short, registration_link
from host.mail.outbound.render import zone_of
from host.mail.outbound.templates import templates_folder
from host.store import public_pages
from host.store.people import count_waiting
from host.store.schema import LobbyRow
from host.store.seasons import latest_season, seasons_of
from host.web.health import Answer
from host.web.pages import PageError, render, root_of
from host.web.public.document import Asked, example, has_guide, pages_of

MOST_WAITING = 500
"""A queue is counted up to here."""
LATEST = 10
NO_YEAR = "There is no ledger of that year. The first one lists those that there are."
IN_FEED = 20
"""So many episodes that began are in the feed, and so many that ended."""


def home(asked: Asked) -> Answer:
    """The first page: which games are played, who is champion, what is running, what came out lately."""
    config, played = asked.web.services.config, asked.played
    games = [game_in_short(asked, *each) for each in played.values()]
    offered = [each for each in games if each["game"].slug in config.games]
    called = max(offered, key=lambda each: each["waiting"], default=None)
    begun = [slug for slug, (_, lobby) in played.items() if lobby]
    running = [each for slug in begun for each in public_pages.running(asked.session, slug, most=LATEST)]
    return asked.page(
        "home.html",
        json="site.json",
        games=games,
        call=called,
        register=registration_link(called["game"], config.host.address, config.host.community) if called else "",
        example=example(called["game"].slug) if called else None,
        running=sorted(running, key=lambda each: each.id, reverse=True)[:LATEST],
        finished=public_pages.finished(asked.session, None, most=LATEST),
        all_games=GAMES,
        season=latest_season(asked.session),
        ends=ends_now(asked.session, asked.web.clock())[1],
    )


def game_in_short(asked: Asked, game: Game[Any, Any], lobby: LobbyRow | None) -> dict[str, Any]:
    """A game as lists have it: its champion, and how many episodes run, are over, wait."""
    champion = lobby.champion if lobby else None
    running, ended = asked.unlisted.get(game.slug, (0, 0))
    return {
        "game": game,
        "champion": champion.public_name if champion else "",
        "champion_wins": lobby.champion_wins if lobby and champion else 0,
        "running": lobby.running - running if lobby else 0,
        "over": lobby.episodes - lobby.running - ended if lobby else 0,
        "waiting": count_waiting(asked.session, game.slug, MOST_WAITING),
    }


def game_page(asked: Asked, slug: str, page: int = 1) -> Answer:
    """One game: what it is, how to register, who is champion, its episodes."""
    game, lobby = asked.game(slug)
    found = game_in_short(asked, game, lobby)
    pages = pages_of(max(found["over"], found["running"]), public_pages.PAGE, page)
    config = asked.web.services.config
    options = unusual_options(game, asked.web.services.settings(slug).options)
    return asked.page(
        "game.html",
        json="game.json",
        **found,
        short=in_short(game, config.reply_within(slug), options)[1:],
        is_offered=slug in config.games,
        next_start=next_start(config, slug, asked.web.clock()),
        register=registration_link(game, config.host.address, config.host.community),
        example=example(slug),
        has_guide=has_guide(slug),
        episodes=public_pages.finished(asked.session, slug, page),
        under_way=public_pages.running(asked.session, slug, page),
        reigns=public_pages.reigns(asked.session, slug, most=5) if page == 1 else [],
        page=page,
        pages=pages,
        summary=game.summary,
        ends=ends_now(asked.session, asked.web.clock(), slug)[1],
    )


def champions(asked: Asked, slug: str = "", page: int = 1) -> Answer:
    """All champions of a game, or the latest of each."""
    if not slug:
        games = asked.played.items()
        reigns = [(game, public_pages.reigns(asked.session, slug, most=LATEST)) for slug, (game, _) in games]
        return asked.page("champions.html", reigns=reigns, game=None, page=1, pages=1)
    game, _ = asked.game(slug)
    pages = pages_of(public_pages.count_reigns(asked.session, slug), public_pages.PAGE, page)
    shown = [(game, public_pages.reigns(asked.session, slug, page))]
    return asked.page("champions.html", json="champions.json", reigns=shown, game=game, page=page, pages=pages)


def standings(asked: Asked, slug: str = "", page: int = 1) -> Answer:
    """The winners of a game, who has won most first; or the first of each game."""
    if not slug:
        games = asked.played.items()
        found = [(game, public_pages.standings(asked.session, slug)[:LATEST]) for slug, (game, _) in games]
        is_any = latest_season(asked.session) is not None
        return asked.page("standings.html", found=found, game=None, page=1, pages=1, is_any_season=is_any)
    game, _ = asked.game(slug)
    pages = pages_of(public_pages.count_standings(asked.session, slug), public_pages.PAGE, page)
    found = [(game, public_pages.standings(asked.session, slug, page=page))]
    return asked.page("standings.html", json="standings.json", found=found, game=game, page=page, pages=pages)


def standings_embedded(asked: Asked, slug: str) -> Answer:
    """The first of a game's standings alone, for a frame on somebody else's page."""
    game, _ = asked.game(slug)
    return asked.page("embed.html", game=game, rows=public_pages.standings(asked.session, slug)[:LATEST])


def ledger(asked: Asked, year: int = 0, page: int = 1) -> Answer:
    """The play money of a year."""
    years = years_of(asked)
    year = year or _this_year(asked)
    if year not in years:
        raise PageError(404, NO_YEAR)
    return asked.page(
        "ledger.html",
        json=f"{root_of(asked.path[1:])}ledger/{year}/{f'page-{page}/' if page > 1 else ''}ledger.json",
        year=year,
        years=years,
        pages=pages_of(public_pages.count_standings(asked.session, year=year), public_pages.PAGE, page),
        rows=public_pages.standings(asked.session, year=year, page=page, by_money=True),
        games=[game.title for game in GAMES.values() if game.currency == "$"],
        page=page,
    )


def _this_year(asked: Asked) -> int:
    """The year by the host's clock."""
    return asked.web.clock().astimezone(zone_of(asked.web.services.config.host.timezone)).year


def years_of(asked: Asked) -> list[int]:
    """The years of which there is a ledger, the latest first."""
    this_year = _this_year(asked)
    first = public_pages.first_year(asked.session) or this_year
    return list(range(max(first, this_year - 50), max(this_year, first) + 1))[::-1]


def robots(asked: Asked) -> Answer:
    """Tell programs that look through sites what to leave out: the desk; all of it, where the host shows nothing."""
    closed = "/desk/" if asked.web.services.config.web.public else "/"
    return Answer("text/plain; charset=utf-8", f"User-agent: *\nDisallow: {closed}\n".encode())


def feed(asked: Asked) -> Answer:
    """Episodes and seasons that began, and that ended. Its entries keep their ids, whatever becomes of the address."""
    config = asked.web.services.config
    began = [(each.began_at, False, each) for each in public_pages.begun(asked.session, IN_FEED)]
    finished = public_pages.finished(asked.session, None, most=IN_FEED)
    ended = [(each.over_at, True, each) for each in finished if each.over_at]
    entries = sorted(began + ended, key=lambda entry: (entry[0], entry[2].id, entry[1]), reverse=True)
    now = asked.web.clock()
    told = [(each.closed_at or each.begins_at, each) for each in seasons_of(asked.session)[:IN_FEED]]
    told = [(at, each) for at, each in told if at <= now]
    latest = max([entry[0] for entry in entries[:1]] + [at for at, _ in told], default=None)
    text = render(
        asked.web,
        "public/feed.xml",
        "feed.xml",
        entries=[each for each in entries if each[2].game in GAMES],
        updated=latest or now.replace(hour=0, minute=0, second=0, microsecond=0),
        games=GAMES,
        seasons=told,
        base=config.web.address if config.web.url or config.web.listen else ".",
        place=urlsplit(config.web.url).hostname or config.host.address.rpartition("@")[2],
    )
    return Answer("application/atom+xml; charset=utf-8", text.encode())


def icon(_asked: Asked) -> Answer:
    """The icon, for what takes no SVG or looks for it where icons used to be."""
    return Answer("image/x-icon", (templates_folder() / "web" / "pictures" / "favicon.ico").read_bytes())


def game_preview(asked: Asked, slug: str) -> Answer:
    """A picture of a game for link previews."""
    from host.web.public import preview

    game, _ = asked.game(slug)
    drawn = preview.drawn(game.title, [game.pace.partition(":")[0]], "Played by e-mail", example(slug).view, "")
    return Answer(preview.KIND, drawn)
