"""Edge: the tables of games on pages of the web. In: a game's view. Out: the table's markup as letters draw it, its style sheet.

A letter has its styles in its tags; a page of the web has them in a style sheet, so that it can forbid all others.
"""

import functools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from markupsafe import Markup

from host.games import GAMES
from host.mail.outbound.templates import environment, room_folder, templates_folder


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


@functools.cache
def boards_css() -> str:
    """The style sheet of all tables: the letters' own, each room's within its tables."""
    folder = templates_folder()
    parts = [f".board {{\n{(folder / 'style.css').read_text('utf-8')}}}\n"]
    for slug in GAMES:
        file = folder / room_folder(slug) / "style.css"
        if file.exists():
            parts.append(f".board-{slug} {{\n{file.read_text('utf-8')}}}\n")
    return "".join(parts)
