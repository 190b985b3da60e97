"""Contestants' pages have one source with the docs, and each of their links leads to a page."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

import host
from host.games import GAMES
from host.web.pages import Web
from host.web.public.document import docs_folder
from host.web.public.paths import document_at

REPOSITORY = Path(host.__file__).parents[1]
PAGES = [
    "/how-to-play/",
    "/record-format/",
    *(f"/how-to-play/{slug}/" for slug in GAMES),
    *(f"/games/{slug}/rules/" for slug in GAMES),
]


class _Text(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []

    def handle_data(self, data: str) -> None:
        self.words += data.split()


def words_of(page: str) -> str:
    parser = _Text()
    parser.feed(page)
    return "".join(parser.words)


@pytest.mark.parametrize(
    ("path", "file"),
    [("/how-to-play/", "contestants.md"), *((f"/how-to-play/{slug}/", f"games/{slug}.md") for slug in GAMES)],
)
def test_a_page_says_what_its_file_says(house: Web, path: str, file: str) -> None:
    page = words_of(document_at(house, path).body.decode())
    source = (docs_folder() / file).read_text("utf-8")
    assert docs_folder() == REPOSITORY / "docs"
    plain = [block for block in source.split("\n\n") if not re.search(r"[|*`>#\[\]]", block)]
    headings = re.findall(r"^#+ (.+)$", re.sub(r"(?s)```.*?```", "", source), re.M)
    assert len(plain) > 3
    assert len(headings) > 3
    for block in [*plain, *headings]:
        assert "".join(re.sub(r"(?m)^- ", "", block).split()) in page, block


@pytest.mark.parametrize("path", PAGES)
def test_anchors_that_are_linked_to_are_there(house: Web, path: str) -> None:
    page = document_at(house, path).body.decode()
    base = [part for part in path.split("/") if part]
    for href, anchor in re.findall(r'href="([^"#]*)#([^"]+)"', page):
        if href.startswith("http"):
            continue
        up, rest = href.count("../"), href.replace("../", "").replace("./", "")
        target = "/" + "/".join([*base[: len(base) - up], *[part for part in rest.split("/") if part]]) + "/"
        shown = document_at(house, target if href else path).body.decode()
        assert f'id="{anchor}"' in shown, f"{path}: {href}#{anchor}"


@pytest.mark.parametrize("slug", list(GAMES))
def test_each_game_has_a_drawn_example(house: Web, slug: str) -> None:
    for path in ("/how-to-play/", f"/how-to-play/{slug}/", f"/games/{slug}/"):
        assert f'class="board board-{slug}"' in document_at(house, path).body.decode()


@pytest.mark.parametrize("slug", list(GAMES))
def test_every_clause_of_the_rules_is_there(house: Web, slug: str) -> None:
    page = document_at(house, f"/games/{slug}/rules/").body.decode()
    source = (REPOSITORY / "host" / "games" / slug.replace("-", "_") / "RULES.md").read_text("utf-8")
    clauses = re.findall(r"^- \*\*([A-Z]+-\d+)\*\*", source, re.M)
    assert clauses
    assert all(f"<strong>{clause}</strong>" in page for clause in clauses)
