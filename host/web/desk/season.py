"""Edge: the season at the desk. In: a name, days, games, prizes. Out: its standings; a season that begins or is closed."""

from collections.abc import Sequence
from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from starlette.datastructures import FormData
from starlette.responses import Response

from host.club import seasons
from host.games import GAMES
from host.store.database import Session
from host.store.schema import Chain
from host.store.seasons import latest_season, seasons_to_close
from host.table.work import Work
from host.turn.admin import AdminError
from host.turn.operator_commands import read_day
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
    name, first, last = text_of(form, "name").strip(), text_of(form, "from"), text_of(form, "to")

    def midnight(day: str, days: int = 0) -> datetime | None:
        try:
            return datetime.combine(read_day(day) + timedelta(days=days), time(), zone) if day else None
        except ValueError as error:
            raise PageError(400, f"Nothing was begun: {error}.") from None

    begins, ends = midnight(first), midnight(last, 1)
    games = [slug for slug in visitor.web.services.config.games if form.get(f"game-{slug}")]
    prizes, repeats = text_of(form, "prizes").strip(), bool(form.get("repeat"))

    def act(work: Work) -> str:
        return _begun(name, seasons.begin(work, name, begins, ends, games, prizes, repeats))

    given = (("--from", first), ("--to", last), ("--games", ",".join(games)), ("--prizes", prizes))
    words = " ".join(
        (name, *(f"{option} {value}" for option, value in given if value), *(["--repeat"] if repeats else []))
    )
    return visitor.carry_out(form, act, f"season begin {words}")


def close(visitor: Visitor, form: FormData) -> Response:
    """Close the season that was shown; the next one begins, if that is wanted."""
    is_next, number = bool(form.get("next")), text_of(form, "season")
    if not form.get("sure"):
        raise PageError(400, "Nothing was closed: go back, and say that the season is to be closed.")

    def act(work: Work) -> str:
        shown = next((each for each in seasons_to_close(work.session) if str(each.id) == number), None)
        if shown is None:
            raise AdminError("The season that you saw is closed already. Nothing was done: open the page anew.")
        closed, running = seasons.close(work, shown)
        drawn = seasons.follow(work, closed) if is_next else ()
        said = seasons.closed_in_words(closed, running)
        return f"{said} {_begun(seasons.next_name(closed.name), drawn)}" if drawn else said

    return visitor.carry_out(form, act, f"season close{' --next' if is_next else ''}")


def _begun(name: str, drawn: Sequence[Chain]) -> str:
    return f"The season {name} has begun. Publish where its chains end: {', '.join(map(seasons.end_in_words, drawn))}"
