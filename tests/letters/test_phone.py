"""What a phone shows of the letters that ask, by a browser's own measure."""

import sys
from collections.abc import Iterator

import pytest

from host.games import GAMES
from tests.letters.chromium import Chromium, axe, chromium
from tests.letters.gallery import GOLDEN
from tests.letters.phone import GOALS, LOOK, NARROW, SCROLLED, asking, findings, looks, report, share
from tests.letters.playing import Shown
from tests.size import size

pytestmark = pytest.mark.chromium
EPISODES = 1
"""Of each room: some fifty letters; `python -m tests.letters.phone` looks at all."""
AXE_EVERY = 20


@pytest.fixture(scope="module")
def browser() -> Iterator[Chromium]:
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def shown() -> list[Shown]:
    return asking([(slug, number) for slug in size(["champ-cards"], list(GAMES)) for number in range(EPISODES)])


def test_the_question_its_buttons_and_its_deadline_are_seen_at_once(browser: Chromium, shown: list[Shown]) -> None:
    found = list(looks(browser, shown))
    sys.stdout.write("\n".join(["", *report(found), ""]))
    assert {goal: share(found, goal) for goal in GOALS if share(found, goal) < GOALS[goal]} == {}


def test_axe_finds_nothing(browser: Chromium, shown: list[Shown]) -> None:
    script = axe()
    if script is None:
        pytest.skip("axe is not installed: tests/letters/axe.lock")
    assert dict(findings(browser, [each.letter.page for each in shown[::AXE_EVERY]], script)) == {}


LONG = "Taumatawhakatangihangakoauauotamateaturipukakapikimaungahoronukupokaiwhenuakitanatahu"
TORN = """(() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = [];
  for (let node; (node = walker.nextNode()); ) for (const word of node.data.matchAll(/(?<![^ -])[^\\s-]{2,20}(?![^ -])/g)) {
    const range = document.createRange();
    range.setStart(node, word.index); range.setEnd(node, word.index + word[0].length);
    if (new Set([...range.getClientRects()].map(box => Math.round(box.top))).size > 1) found.push(word[0]);
  }
  return found; })()"""
"""Words that begin in one line and end in another."""


def test_a_long_word_widens_no_letter(browser: Chromium) -> None:
    browser.resize(NARROW, 667)
    for page in sorted(GOLDEN.glob("*/*.html")):
        text = page.read_text("utf-8")
        if "Dayton" in text:
            browser.show(text.replace("Dayton", LONG))
            assert browser.run(SCROLLED) == NARROW, page.name


def test_no_other_word_is_torn(browser: Chromium) -> None:
    browser.resize(NARROW, 667)
    for page in size(sorted(GOLDEN.glob("*/turn*.html"))[::3], sorted(GOLDEN.glob("*/*.html"))):
        browser.show(page.read_text("utf-8"))
        assert browser.run(TORN) == [], page.name


PAGE = """<html><head><meta name="viewport" content="width=device-width"></head><body style="margin:0">
<div style="height:{above}px"></div><div class="question">Which?</div><p>Or <a href="mailto:a@example.org">write</a>.</p>
<table><tr><td><a href="mailto:a@example.org?body=1" style="background:#000">1</a></td></tr></table>
<p class="deadline">Until Friday</p><div style="width:{wide}px">&nbsp;</div></body></html>"""


def test_what_is_measured(browser: Chromium) -> None:
    browser.resize(375, 667)
    browser.show(PAGE.format(above=100, wide=10))
    found = browser.run(LOOK)
    assert found["buttons"] == 1, "a link within a sentence is none"
    assert 100 < found["question"] < found["button"] < found["deadline"] < 300
    browser.resize(NARROW, 667)
    assert browser.run(SCROLLED) == NARROW
    browser.show(PAGE.format(above=800, wide=400))
    assert browser.run(LOOK)["question"] > 800
    assert browser.run(SCROLLED) == 400
