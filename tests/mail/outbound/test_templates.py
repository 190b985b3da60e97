"""Css in the tags of templates: letters look as if css had been inlined into each when it was written."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import css_inline
import pytest
from jinja2 import Environment
from lxml import html

from host.engine.game import Game
from host.games import GAMES
from host.mail.outbound import templates
from host.mail.outbound.render import finish
from host.mail.outbound.templates import Styling
from tests.mail.outbound.test_render import DRAFT, ENVELOPE, letters
from tests.rows import every
from tests.size import a_few, size

CSS = """
p { margin: 0; }
.red { color: red; }
.black { color: black; }
.score td { border: 1px solid; }
.score .high { border: 0; padding: 1px; }
"""


class Unstyled:
    """Leaves templates as they are, and keeps the css."""

    css = ""
    style = None

    def __init__(self, css: str) -> None:
        Unstyled.css = css

    def styled(self, source: str) -> str:
        return source


@pytest.fixture
def fresh() -> Iterator[None]:
    templates.environment.cache_clear()
    yield
    templates.environment.cache_clear()


def looks(page: str) -> list[tuple[Any, ...]]:
    """Each tag with its attributes and declarations, and each text; without `tbody`, which is left out by us and read in
    by every mail program."""
    found: list[tuple[Any, ...]] = []
    for tag in html.document_fromstring(page).iter():
        if tag.tag in ("tbody", "style") or not isinstance(tag.tag, str):
            continue
        style = [re.sub(r"\s*:\s*", ":", part.strip()) for part in tag.get("style", "").split(";") if part.strip()]
        others = {name: value for name, value in tag.attrib.items() if name != "style"}
        found.append((tag.tag, others, style, " ".join((tag.text or "").split())))
    return found


@pytest.mark.parametrize("game", a_few(GAMES.values()), ids=a_few(GAMES))
def test_a_page_looks_as_if_css_were_inlined_into_it(
    game: Game[Any, Any], fresh: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    drafts = [DRAFT, *(draft for _, _, draft in letters(game, range(size(1, 2))))]
    pages = [finish(draft, ENVELOPE).page for draft in drafts]
    templates.environment.cache_clear()
    monkeypatch.setattr(templates, "Styling", Unstyled)
    for draft, page in zip(drafts, pages, strict=True):
        bare = finish(draft, ENVELOPE).page
        assert looks(bare) != looks(page)
        assert looks(css_inline.CSSInliner(extra_css=Unstyled.css).inline(bare)) == looks(page)


def test_what_a_mail_program_may_choose_by_stays_in_the_head() -> None:
    page = finish(DRAFT, ENVELOPE).page
    assert page.count("@media") == 2
    assert page.count("<style>") == 1
    assert page.index("</style>") < page.index("<body")


@pytest.mark.parametrize(
    "file", sorted(templates.templates_folder().rglob("style.css")), ids=lambda file: file.parent.name
)
def test_a_style_file_has_nothing_that_cannot_stand_in_a_tag(file: Path) -> None:
    assert not re.search(r"@|!important|:(hover|before|after|first|last|nth|not)", file.read_text("utf-8"))


def written(source: str, **values: object) -> str:
    styling = Styling(CSS)
    environment = Environment(autoescape=True)
    environment.filters["style_of"] = styling.style
    return environment.from_string(styling.styled(source)).render(values)


@every(
    ("source", "result"),
    [
        ("<p>a</p>", '<p style="margin: 0;">a</p>'),
        ("<b>a</b>", "<b>a</b>"),
        ('<b style="color:blue">a</b>', '<b style="color:blue">a</b>'),
        ('<p style="color:blue">a</p>', '<p style="margin: 0;color:blue">a</p>'),
        ('<b class="none">a</b>', '<b class="none">a</b>'),
        ("<td>a</td>", "<td>a</td>"),
        ('<td class="red">a</td>', '<td class="red" style="color: red;">a</td>'),
        (
            '<table class="score"><tr><td>a<br></td></tr></table><td>b</td>',
            '<table class="score"><tr><td style="border: 1px solid;">a<br></td></tr></table><td>b</td>',
        ),
        (
            '<table class="score"><tr><td class="high">a</td></tr></table>',
            '<table class="score"><tr><td class="high" style="border: 0;padding: 1px;">a</td></tr></table>',
        ),
        (
            '<b class="{{ "red" if warm else "black" }}">a</b>',
            '<b class="red" style="color: red;">a</b>',
        ),
        ('<b class="r{{ "e" }}d {{ none or "x" }}">a</b>', '<b class="red x" style="color: red;">a</b>'),
        (
            '{% if 1 <p %}<p{% if warm %} id="{{ ">" }}"{% endif %}>a</p>{% endif %}',
            '<p id="&gt;" style="margin: 0;">a</p>',
        ),
        ("{# <p> #}a{{ '<p>' }}", "a&lt;p&gt;"),
    ],
)
def test_a_tag_gets_the_rules_that_fit(source: str, result: str) -> None:
    def even(text: str) -> str:
        return re.sub(r";?\"", '"', text.replace(": ", ":"))

    assert even(written(source, warm=True, p=2)) == even(result)
