"""Edge: the templates of letters. In: their files, read at first use and kept. Out: jinja2's environments, one for a game."""

import functools
import re
from collections.abc import Iterable, MutableMapping, Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from host.engine.cards import name
from host.engine.game import amount
from host.mail.outbound.formatting import (
    card_face,
    centred,
    continued,
    ended,
    first_up,
    fold,
    listed,
    lower_you,
    money,
    runs,
    shown,
    typed,
)
from host.mail.outbound.styling import Styling

CARDS_A_ROW = 5
_OWN_STYLE = re.compile(r'\sstyle="[^"]*"')


def templates_folder() -> Path:
    """Where the templates are: beside the package, or in it where it is installed."""
    inside = Path(__file__).parents[2] / "templates"
    return inside if inside.is_dir() else Path(__file__).parents[3] / "templates"


class _Templates(Environment):
    def getattr(self, obj: Any, attribute: str) -> Any:
        """What a template has after a dot: of a dictionary, its key first, as nearly always; a tenth of a letter's cost."""
        if type(obj) is dict and attribute in obj:
            return obj[attribute]
        try:
            return getattr(obj, attribute)
        except AttributeError:
            return super().getattr(obj, attribute)

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """What every template knows, as one dictionary: each letter makes five contexts of it."""
        return {**self.globals, **(d or {})}


@functools.cache
def environment(slug: str, is_letter: bool = True) -> Environment:
    """The templates as a game's letters need them, compiled at first use and kept.

    For a page of the web (not `is_letter`) tags keep their classes and have no styles: a style sheet has them.
    """
    folder = templates_folder()
    files = [folder / "style.css", *([folder / room_folder(slug) / "style.css"] if slug else [])]
    styling = Styling("".join(file.read_text("utf-8") for file in files if file.exists()))

    def load(template: str) -> tuple[str, str, None]:
        source = (folder / template).read_text("utf-8")
        if template.endswith(".html"):
            source = styling.styled(source) if is_letter else _OWN_STYLE.sub("", source)
        return source, template, None

    templates = _Templates(
        loader=FunctionLoader(load),
        autoescape=lambda template: template is not None and template.endswith(".html"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=False,
        auto_reload=False,
    )

    @functools.lru_cache(maxsize=512)
    def drawn(macro: str, *written: str) -> str:
        return str(getattr(templates.get_template("cards.html").module, macro)(*written))

    def hand(codes: Sequence[str], nothing: str = "no cards", total: object = "", row: int = CARDS_A_ROW) -> str:
        """Cards as they lie on the table, in rows that a phone has room for, and what they come to."""
        if not codes:
            return nothing
        rows = ["".join([drawn("card", code) for code in codes[at : at + row]]) for at in range(0, len(codes), row)]
        room = -len(codes) % row
        if total and room < row // 2:
            rows.append(drawn("total", str(total), str(row)))
        elif total:
            rows[-1] += drawn("total", str(total), str(room))
        whole = f"{drawn('start')}{'</tr><tr>'.join(rows)}</tr></table>"
        return Markup(whole)  # noqa: S704 - out of our own templates

    templates.globals["hand"] = hand

    templates.filters |= {
        "style_of": styling.style,
        "money": money,
        "amount": amount,
        "listed": listed,
        "face": card_face,
        "card_name": name,
        "fold": fold,
        "continued": continued,
        "centred": centred,
        "ended": ended,
        "lower_you": lower_you,
        "first_up": first_up,
        "runs": runs,
        "shown": shown,
        "typed": typed,
    }
    return templates


def prepare(slugs: Iterable[str]) -> None:
    """Have the templates of these games ready, and those of letters without a table, so that nobody's letter waits for them."""
    for template in ("base.txt", "base.html"):
        environment("").get_template(template)
    for slug in slugs:
        _ = environment(slug).get_template("events.txt").module
        board = f"{room_folder(slug)}/board"
        for template in ("base.txt", "base.html", "cards.html", f"{board}.txt", f"{board}.html"):
            environment(slug).get_template(template)
        for template in ("events.txt", "questions.txt"):
            _ = environment(slug).get_template(f"{room_folder(slug)}/{template}").module


def room_folder(slug: str) -> str:
    """A game's folder among the templates."""
    return slug.replace("-", "_")
