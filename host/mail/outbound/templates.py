"""Edge: the templates of letters. In: their files, read at first use and kept. Out: jinja2's environments, one for a game.

A letter's css must stand in its tags, for many mail programs drop what a head says. It is written there once, before a
template is compiled, and so costs a letter nothing. A tag is styled by where it stands in the source: by the tags around it,
not by where a macro is called.
"""

import functools
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import css_inline
from jinja2 import Environment, FunctionLoader, StrictUndefined, Template, select_autoescape
from markupsafe import Markup

from host.engine.cards import name
from host.engine.game import amount
from host.engine.words import pattern
from host.look import Look
from host.mail.outbound.formatting import FILTERS

CARDS_A_ROW = 5
_OWN_STYLE = pattern(r'\sstyle="[^"]*"')
_PIECE = pattern(
    r"{#.*?#}|{%.*?%}|{{.*?}}|<!.*?>|<(?P<close>/?)(?P<tag>[a-z]\w*)(?P<rest>(?:{%.*?%}|{{.*?}}|[^>{])*)>", re.DOTALL
)
_CLASSES = pattern(r'\sclass="((?:{{.*?}}|[^"{])*)"')
_STYLE = pattern(r'\sstyle="([^"]*)"')
_WRITTEN = pattern(r"{{(.*?)}}")
_WITHOUT_END = frozenset({"br", "col", "hr", "img", "meta"})
_OF_TABLES = ("<tr", "<td", "<th")


def templates_folder() -> Path:
    """The folder of the templates: beside the package, or in it where it is installed."""
    inside = Path(__file__).parents[2] / "templates"
    return inside if inside.is_dir() else Path(__file__).parents[3] / "templates"


@functools.cache
def environment(slug: str, is_letter: bool = True, colours: str = "") -> Environment:
    """The templates as a game's letters need them, compiled at first use and kept; `colours` are rules of a host's own.

    For a page of the web (not `is_letter`) tags keep their classes and have no styles: a style sheet has them.
    """
    folder = templates_folder()
    files = [folder / "style.css", *([folder / room_folder(slug) / "style.css"] if slug else [])]
    styling = Styling("".join(file.read_text("utf-8") for file in files if file.exists()) + colours)

    def load(template: str) -> tuple[str, str, None]:
        source = (folder / template).read_text("utf-8")
        if template.endswith(".html"):
            source = styling.styled(source) if is_letter else _OWN_STYLE.sub("", source)
        return source, template, None

    templates = Environment(
        loader=FunctionLoader(load),
        autoescape=select_autoescape(("html",)),
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

    templates.filters |= FILTERS | {"style_of": styling.style, "amount": amount, "card_name": name}
    return templates


def base(slug: str, look: Look) -> Template:
    """The page of a game's letters, in a host's own colours where they have some."""
    rules = ((".tap", look.button), ("body, .page", look.ground))
    colours = "".join(f"{tags} {{ background-color: {colour}; }}\n" for tags, colour in rules if colour)
    found = environment(slug, True, colours) if colours else environment(slug)
    return found.get_template("base.html")


def prepare(slugs: Iterable[str], look: Look) -> Iterator[str]:
    """Have the templates of these games ready, and those of letters without a table, so that nobody's letter waits for them.

    Gives the name of each as it is ready.
    """
    for slug in ("", *slugs):
        base(slug, look)
        yield "base.html"
        folder = room_folder(slug)
        of_a_table = ("cards.html", f"{folder}/board.txt", f"{folder}/board.html") if slug else ()
        for each in ("base.txt", *of_a_table):
            environment(slug).get_template(each)
            yield each
        for each in ("events.txt", f"{folder}/events.txt", f"{folder}/questions.txt") if slug else ():
            _ = environment(slug).get_template(each).module
            yield each


def room_folder(slug: str) -> str:
    """A game's folder among the templates."""
    return slug.replace("-", "_")


class Styling:
    """The rules of one kind of letter."""

    def __init__(self, css: str) -> None:
        self._inliner = css_inline.CSSInliner(extra_css=css, load_remote_stylesheets=False)
        self.style = functools.lru_cache(maxsize=1024)(self._style)

    def styled(self, source: str) -> str:
        """The source with each tag's rules in its `style`, which is worked out when the letter is written only where the
        class is."""
        around: list[tuple[str, str]] = []

        def tag(found: re.Match[str]) -> str:
            name, rest = found["tag"], found["rest"]
            if not name:
                return found[0]
            if found["close"]:
                while around and around.pop()[0] != name:
                    pass
                return found[0]
            classes, own = _CLASSES.search(rest), _STYLE.search(rest)
            inside = "".join(start for _, start in around)
            known, style = classes[1] if classes else "", own[1] if own else ""
            if name not in _WITHOUT_END:
                around.append((name, f'<{name} class="{_WRITTEN.sub("", known)}">'))
            if "{{" in known:
                style = f"{{{{ ({_expression(known)}) | style_of({inside!r}, {name!r}, {style!r}) }}}}"
            else:
                style = self.style(known, inside, name, style)
            return f'<{name}{_STYLE.sub("", rest)} style="{style}">' if style else found[0]

        return _PIECE.sub(tag, source)

    def _style(self, classes: str, inside: str, name: str, own: str) -> Markup:
        """The `style` of a tag that stands within the opening tags `inside`."""
        marked = f'{inside}<{name} class="{classes}" style="{own}" id="here">'
        table = "<table>" if marked.startswith(_OF_TABLES) else ""
        found = re.search(r'<[^>]*\sid="here"[^>]*>', self._inliner.inline(table + marked))
        style = _STYLE.search(found[0]) if found else None
        return Markup(style[1] if style else "")  # noqa: S704 - out of our own templates


def _expression(classes: str) -> str:
    """A class that is written in parts, as one expression of the template."""
    parts = (f"({part})" if at % 2 else repr(part) for at, part in enumerate(_WRITTEN.split(classes)) if part)
    return " ~ ".join(parts)
