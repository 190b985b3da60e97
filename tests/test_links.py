"""What the documents point at is there: files, and headings in them."""

import re
from pathlib import Path
from urllib.parse import unquote

from tests.rows import every

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("host/games/*/RULES.md")])
_LINK = re.compile(r"\]\(([^)\s]+)\)|src=\"([^\"]+)\"")
_CODE = re.compile(r"^```.*?^```|^ {4}.*$|`[^`\n]*`", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


def anchors(page: Path) -> set[str]:
    """The names under which a page's headings are reached, as GitHub makes them."""
    headings = _HEADING.findall(page.read_text("utf-8"))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def broken(page: Path) -> list[str]:
    """The links of a page that lead nowhere."""
    found = []
    for link in (text or source for text, source in _LINK.findall(_CODE.sub("", page.read_text("utf-8")))):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / unquote(path)) if path else page
        if not target.exists() or (anchor and target.suffix == ".md" and anchor not in anchors(target)):
            found.append(link)
    return found


@every("page", PAGES)
def test_every_link_leads_somewhere(page: Path) -> None:
    assert broken(page) == []


def test_a_link_that_leads_nowhere_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        '# One & two\n[a](gone.md) [b](#one--two) [c](#three) [d](page.md#one) <img src="no.png"> `[e](f)`\n'
    )
    assert broken(page) == ["gone.md", "#three", "page.md#one", "no.png"]
