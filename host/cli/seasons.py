"""Shell: seasons at the command line. In: a name, days, games. Out: a season that begins or ends, its standings."""

import argparse
from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo

from host.cli import format
from host.cli.terminal import Failure, now, opened, show, tell
from host.club import seasons
from host.engine.game import amount
from host.games import GAMES
from host.mail.outbound.formatting import many
from host.store.seasons import latest_season
from host.table.work import Services
from host.table.work import begin as begin_work
from host.turn import admin


def begin(arguments: argparse.Namespace) -> int:
    """Begin a season."""
    services = Services(*opened(arguments, may_make=True))
    zone = ZoneInfo(services.config.host.timezone)

    def midnight(day: date | None, days: int = 0) -> datetime | None:
        return None if day is None else datetime.combine(day + timedelta(days=days), time(), zone)

    with begin_work(services, now()) as work:
        begins, ends = midnight(arguments.begins), midnight(arguments.ends, 1)
        told = (arguments.prizes, arguments.repeat)
        drawn = seasons.begin(work, arguments.name, begins, ends, arguments.games, *told)
        words = [f"--{name} {value}" for name, value in (("from", arguments.begins), ("to", arguments.ends)) if value]
        words += [f"--games {','.join(arguments.games)}"] if arguments.games else []
        words += [f"--prizes {arguments.prizes}"] if arguments.prizes else []
        words += ["--repeat"] if arguments.repeat else []
        admin.audit(work, admin.operator_name(), " ".join((f"season begin {arguments.name}", *words))[:400], "")
        ends_told = [(GAMES[chain.game].title, chain.end) for chain in drawn]
    _tell_ends(arguments.name, ends_told)
    return 0


def close(arguments: argparse.Namespace) -> int:
    """Close the season."""
    with begin_work(Services(*opened(arguments)), now()) as work:
        season, running = seasons.close(work)
        drawn = seasons.follow(work, season) if arguments.next else ()
        said, name = seasons.closed_in_words(season, running), seasons.next_name(season.name)
        admin.audit(work, admin.operator_name(), f"season close{' --next' if drawn else ''}: {season.name}", "")
        ends = [(GAMES[chain.game].title, chain.end) for chain in drawn]
    tell(said)
    if ends:
        _tell_ends(name, ends)
    return 0


def _tell_ends(name: str, ends: Sequence[tuple[str, str]]) -> None:
    is_one = len(ends) == 1
    tell(
        f"The season {name} has its chain{'' if is_one else 's'}. Publish where {'it ends' if is_one else 'they end'}:"
    )
    tell("\n".join(f"{title}:\n{end}" for title, end in ends))


def show_season(arguments: argparse.Namespace) -> int:
    """Show the season."""
    config, store = opened(arguments, may_make=True)
    with store.reading() as session:
        season = latest_season(session)
        found = season and seasons.report(session, config, season)
    if found is None and not arguments.json:
        raise Failure("There was no season yet: podium season begin NAME begins one.")
    return show(arguments, found, partial(_in_words, zone=ZoneInfo(config.host.timezone)))


def _in_words(found: dict[str, Any], zone: ZoneInfo) -> str:
    def day(moment: str, before: timedelta = timedelta()) -> str:
        return f"{datetime.fromisoformat(moment).astimezone(zone) - before:%-d %B %Y}"

    until = f" to {day(found['to'], timedelta(seconds=1))}" if found["to"] else ""
    closed = f", closed {day(found['closed'])}" if found["closed"] else ""
    lines = [f"{found['name']}: from {day(found['from'])}{until}{closed}; {', '.join(found['games'])}"]
    titles = {slug: game.title for slug, game in GAMES.items()}
    lines += [f"prizes: {found['prizes']}"] if found["prizes"] else []
    lines += [
        f"chain {each['end']}, {titles.get(each['game'], 'any game')}, {many(each['used'], 'link')} used"
        for each in found["chains"]
    ]
    tables = [(GAMES[slug].title, GAMES[slug].currency, rows) for slug, rows in found["standings"].items()]
    for title, currency, rows in [*tables, (seasons.ALL_TITLE, "$", found["all"])]:
        shown = [row | {"winnings": amount(row["winnings"], currency)} for row in rows]
        columns = ("place", "name", "episodes", "wins", "winnings")
        lines += ["", title, format.table(shown, {key: key for key in columns})] if rows else []
    lines += ["", *found["records"]] if found["records"] else []
    return "\n".join(lines)
