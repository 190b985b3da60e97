"""Pure: css written into a template's tags once, before the template is compiled. In: its source, the css. Out: source.

A letter's css must stand in its tags, for many mail programs drop what a head says. Done to the template, it costs a
letter nothing. A tag is styled by where it stands in the source: by the tags around it, not by where a macro is called.
"""

import functools
import re

import css_inline
from markupsafe import Markup

from host.engine.words import pattern

_PIECE = pattern(
    r"{#.*?#}|{%.*?%}|{{.*?}}|<!.*?>|<(?P<close>/?)(?P<tag>[a-z]\w*)(?P<rest>(?:{%.*?%}|{{.*?}}|[^>{])*)>", re.DOTALL
)
_CLASSES = pattern(r'\sclass="((?:{{.*?}}|[^"{])*)"')
_STYLE = pattern(r'\sstyle="([^"]*)"')
_WRITTEN = pattern(r"{{(.*?)}}")
_WITHOUT_END = frozenset({"br", "col", "hr", "img", "meta"})
_OF_TABLES = ("<tr", "<td", "<th")


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
