"""Edge: the pages of seasons. In: the store, a season's number. Out: pages, and the same as JSON and CSV."""

import csv
import io
from typing import Any

from host.club.seasons import ALL_TITLE, report
from host.games import GAMES
from host.store.schema import Season
from host.store.seasons import seasons_of
from host.web.health import Answer
from host.web.pages import PageError
from host.web.public.document import Asked

COLUMNS = ("place", "name", "episodes", "wins", "winnings")


def seasons(asked: Asked) -> Answer:
    """The seasons, the latest first."""
    return asked.page("seasons.html", seasons=seasons_of(asked.session))


def season_page(asked: Asked, number: int) -> Answer:
    """One season: its standings, records, reigns and prizes, and where its chains end."""
    season, told = found(asked, number)
    tables = [(GAMES[slug], rows) for slug, rows in told["standings"].items()]
    return asked.page(
        "season.html", json="season.json", season=season, found=told, tables=tables, games=GAMES, all_title=ALL_TITLE
    )


def season_csv(asked: Asked, number: int) -> Answer:
    """The standings of a season for a spreadsheet: a game a block, all games last."""
    _, told = found(asked, number)
    text = io.StringIO()
    sheet = csv.writer(text)
    sheet.writerow(("game", *COLUMNS))
    for slug, rows in (*told["standings"].items(), ("all", told["all"])):
        sheet.writerows((slug, *(each[column] for column in COLUMNS)) for each in rows)
    return Answer("text/csv; charset=utf-8", text.getvalue().encode())


def found(asked: Asked, number: int) -> tuple[Season, dict[str, Any]]:
    """A season, and what everybody may know of it. Raises `PageError`."""
    season = asked.session.get(Season, number)
    if season is None:
        raise PageError(404, "There is no such season. The list of seasons has those that there were.")
    return season, report(asked.session, asked.web.services.config, season, is_public=True)
