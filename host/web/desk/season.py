"""Edge: the season at the desk. In: a name, days, games, prizes. Out: its standings; a season that begins or is closed."""

from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from starlette.datastructures import FormData
from starlette.responses import Response

from host.club import seasons
from host.games import GAMES
from host.store.database import Session
from host.store.seasons import latest_season
from host.table.work import Work
from host.turn.admin import AdminError
from host.web.desk.visitor import Visitor, text_of
from host.web.pages import PageError


def season(visitor: Visitor, session: Session) -> Response:
    """The season that began last: its standings, where its chains end; how to begin one, and to close it."""
    config, latest = visitor.web.services.config, latest_season(session)
    found = latest and seasons.report(session, config, latest)
    titles = {slug: GAMES[slug].title for slug in config.games}
    return visitor.page(session, "season.html", season=latest, found=found, titles=titles, games=GAMES)


def begin(visitor: Visitor, form: FormData) -> Response:
    """Begin a season."""
    zone = ZoneInfo(visitor.web.services.config.host.timezone)
    name, last = text_of(form, "name").strip(), text_of(form, "to")
    try:
        ends = datetime.combine(date.fromisoformat(last) + timedelta(days=1), time(), zone) if last else None
    except (ValueError, OverflowError):
        raise PageError(400, f"{last} is not a day, so nothing was begun: write it as 2026-12-31.") from None
    games = [slug for slug in visitor.web.services.config.games if form.get(f"game-{slug}")]
    repeats = bool(form.get("repeat"))

    def act(work: Work) -> str:
        try:
            drawn = seasons.begin(work, name, None, ends, games, text_of(form, "prizes"), repeats)
        except seasons.SeasonError as error:
            raise AdminError(str(error)) from None
        return (
            f"The season {name} has begun. Publish where its chains end: {', '.join(map(seasons.end_in_words, drawn))}"
        )

    words = [name, *([f"--to {last}"] if last else []), *([f"--games {','.join(games)}"] if games else [])]
    return visitor.carry_out(form, act, f"season begin {' '.join(words)}")


def close(visitor: Visitor, form: FormData) -> Response:
    """Close the season that is open longest."""

    def act(work: Work) -> str:
        try:
            closed, running = seasons.close(work)
        except seasons.SeasonError as error:
            raise AdminError(str(error)) from None
        return seasons.closed_in_words(closed, running)

    return visitor.carry_out(form, act, "season close")
