"""Edge: pages of the web. In: a template's name and what it shows, a game's view. Out: HTML, and the answers that carry it.

All links are relative to the page (`root`), so that the same page works under any address and as a file. A table is drawn as
letters draw it; but a letter has its styles in its tags, a page has them in a style sheet, so that it can forbid all others.
"""

import functools
import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, RedirectResponse, Response

from host.config import OwnLook
from host.engine.game import amount
from host.engine.words import table
from host.games import GAMES
from host.logs import redact, visible
from host.mail.outbound.formatting import FILTERS, many, moment
from host.mail.outbound.render import time_left
from host.mail.outbound.templates import environment, room_folder, templates_folder
from host.table.work import Services

BOARDS_CSS = "boards.css"


class PageError(HTTPException):
    """A page that cannot be shown, or a form that is refused, by its status; the words say what to do. Nothing was changed."""


@dataclass(frozen=True)
class Web:
    """A host's services, and a clock that gives the moment in UTC: all that pages are made of."""

    services: Services
    clock: Callable[[], datetime]


def templates_in(folder: Path) -> Environment:
    """The templates of a folder. All text is escaped."""
    return Environment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )


@functools.cache
def templates() -> Environment:
    """The templates of pages, compiled at first use and kept."""
    found = templates_in(templates_folder() / "web")
    found.globals |= {"board": board, "hand": hand, "asset": asset, "later": later, "way_back": ""}
    found.filters |= FILTERS | {
        "amount": amount,
        "many": many,
        "seconds": seconds,
        "time_left": time_left,
        "state": lambda state: table("host.web", "words.toml")["states"].get(state, state),
        "visible": visible,
        "redact": lambda text: visible(redact(text), kept="\n"),
    }
    return found


def render(web: Web, template: str, path: str, **context: Any) -> str:
    """The page that stands at `path` (no slash before it, one behind: `desk/mail/`; the first page is at ``)."""
    now = web.clock()
    config = web.services.config
    zone = ZoneInfo(config.host.timezone)
    words = {
        "root": root_of(path),
        "path": path,
        "host": config.host,
        "web": config.web,
        "look": config.look,
        "now": now,
    }
    words["ending"] = functools.partial(ending, zone=zone, now=now)
    words |= {"when": functools.partial(when, zone=zone, now=now), "left": functools.partial(left, now=now)}
    return templates().get_template(template).render(words | context)


def root_of(path: str) -> str:
    """The way from a page to the first page."""
    return "../" * path.count("/") or "./"


def when(at: datetime | None, zone: ZoneInfo, now: datetime) -> Markup:
    """A moment as people say it, with the exact one for machines; a dash for none."""
    if at is None:
        return Markup("–")
    local = at.astimezone(zone)
    is_near = abs(now - at) < timedelta(days=300)
    words = local.strftime("%a %-d %b, %-I:%M %p %Z" if is_near else "%-d %b %Y, %-I:%M %p %Z")
    return Markup('<time datetime="{}">{}</time>').format(moment(at), words)


def ending(at: datetime, zone: ZoneInfo, now: datetime) -> Markup:
    """The moment until which something lasts; of a midnight the day that it ends."""
    if at.astimezone(zone).time() != time():
        return when(at, zone, now)
    day = (at - timedelta(hours=1)).astimezone(zone).strftime("%a %-d %b %Y")
    return Markup('the end of <time datetime="{}">{}</time>').format(moment(at), day)


def left(at: datetime | None, now: datetime) -> Markup:
    """The time until a moment, or since it passed; a small script of ours counts on."""
    if at is None:
        return Markup("no deadline")
    words = f"in {time_left(at - now)}" if at > now else f"{time_left(now - at)} ago"
    return Markup('<time class="left" datetime="{}">{}</time>').format(moment(at), words)


def later(began_at: datetime, at: datetime) -> str:
    """The time between two moments: `4 seconds later`."""
    return f"{seconds((at - began_at).total_seconds())} later"


def seconds(count: float) -> str:
    """A number of seconds as people say it: `4 seconds`, `3 minutes`, `26 hours`."""
    for unit, each, fewest in (("day", 86400, 3), ("hour", 3600, 2), ("minute", 60, 2)):
        if count >= fewest * each:
            return many(round(count / each), unit)
    return many(round(count), "second") if count >= 0.5 else "less than a second"


def page(web: Web, path: str, template: str, status: int = 200, **context: Any) -> Response:
    """The answer to what asked for `path`: a page."""
    return HTMLResponse(render(web, template, path.lstrip("/"), status=status, **context), status)


def see(where: str) -> Response:
    """An answer that sends to another page, `where` being relative to the one that was asked for."""
    return RedirectResponse(where, 303)


@functools.cache
def asset(name: str) -> str:
    """The address of a style sheet, script or picture of ours, from the first page; a changed one has another."""
    return f"static/{name}?{hashlib.sha256(asset_bytes(name)).hexdigest()[:10]}"


def asset_names() -> list[str]:
    """All style sheets, scripts and pictures."""
    return [BOARDS_CSS, *sorted(each.name for each in (templates_folder() / "web" / "static").iterdir())]


@functools.cache
def asset_bytes(name: str) -> bytes:
    """One of them, read once. Raises LookupError where there is none."""
    if name not in asset_names():
        raise LookupError(name)
    folder = templates_folder()
    if name != BOARDS_CSS:
        return (folder / "web" / "static" / name).read_bytes()
    # the letters' own style sheet, each room's within its tables
    sheets = {"board": folder / "style.css"} | {
        f"board-{slug}": folder / room_folder(slug) / "style.css" for slug in GAMES
    }
    parts = (f".{name} {{\n{file.read_text('utf-8')}}}\n" for name, file in sheets.items() if file.exists())
    return "".join(parts).encode()


def look_assets(look: OwnLook) -> dict[str, tuple[str, bytes]]:
    """What the host's own look adds to them: a style sheet, a logo; each with its kind."""
    found = {}
    if look.button or look.ground:
        light = f"--ground: {look.ground};" if look.ground else ""
        light += f"--link: {look.button};" if look.button else ""
        both = f":root {{ --green: {look.button}; }}\n" if look.button else ""
        sheet = f"{both}@media (prefers-color-scheme: light) {{ :root {{ {light} }} }}\n"
        found["look.css"] = ("text/css", sheet.encode())
    if look.logo:
        found["logo"] = look.picture()
    return found


def board(slug: str, view: Mapping[str, Any], names: Sequence[str], me: int) -> Markup:
    """The table as `me` sees it (`HOST`: nobody's seat), to be looked at."""
    template = environment(slug, is_letter=False).get_template(f"{room_folder(slug)}/board.html")
    drawn = template.render(view=view, names=list(names), me=me, spots={}, part="table")
    return Markup(f'<div class="board board-{slug}">{drawn}</div>')  # noqa: S704 - out of our own, escaping templates


def hand(slug: str, codes: Sequence[str]) -> Markup:
    """Cards as they lie on the table."""
    drawn = environment(slug, is_letter=False).globals["hand"](codes)  # type: ignore[operator]  # a function of ours
    return Markup(f'<div class="board board-{slug}">{drawn}</div>')  # noqa: S704 - as above


def cards_in(value: Any) -> Iterator[str]:
    """The cards of a view, in order, those face down too."""
    if isinstance(value, str):
        if value == "??" or (len(value) == 2 and value[0] in "23456789TJQKAX" and value[1] in "cdhsrb"):
            yield value
    elif isinstance(value, Mapping | list | tuple):
        for each in value.values() if isinstance(value, Mapping) else value:
            yield from cards_in(each)
