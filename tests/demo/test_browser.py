"""The demo as somebody uses it in a browser."""

import random
from collections.abc import Iterator
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page

from host.demo.browser import Pages
from host.games import GAMES
from tests.demo.served import SEND, demo, open_unread, play, register, tap, unread
from tests.letters.chromium import axe
from tests.patience import SECONDS
from tests.size import size
from tests.web.browser import chromium

pytestmark = pytest.mark.chromium
BY_HAND = 5
"""So many letters of a game are answered in the browser, and the result is read there."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def season() -> Iterator[tuple[str, Pages]]:
    """One demo for all five games, so that they are played in it one after the other."""
    with demo() as found:
        yield found


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context()
    context.set_default_timeout(SECONDS * 1000)
    found = context.new_page()
    faults: list[str] = []
    found.on("pageerror", lambda error: faults.append(str(error)))
    found.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
    yield found
    context.close()
    assert faults == []


@pytest.mark.parametrize("slug", size(["champ-cards"], list(GAMES)))
def test_a_game_is_played_from_the_registration_to_its_result_by_tapping(
    slug: str, season: tuple[str, Pages], page: Page
) -> None:
    address, pages = season
    register(page, address, slug)
    play(page, address, pages, slug, random.Random(slug), BY_HAND)
    with page.expect_download() as saved:
        page.click('article a:has-text("Save")')
    assert saved.value.path().read_text("utf-8").startswith('{"')
    assert not [mail.letter.text[:900] for mail in pages.mailbox.mails if mail.letter.kind == "refused"]


@pytest.fixture
def fresh() -> Iterator[tuple[str, Pages]]:
    """A demo of two games that nobody has been in."""
    with demo({"champ-cards": 2, "bluffjack": 3}) as found:
        yield found


def test_new_mail_shows_by_itself_a_reply_is_typed_and_two_games_run(fresh: tuple[str, Pages], page: Page) -> None:
    address, pages = fresh
    page.goto(address)
    assert "Pick a game" in page.inner_text("main")
    page.click('button[value="champ-cards"]')
    page.click(SEND)
    page.locator(".unread a").click()  # it came without anything being pressed
    tap(page, random.Random(1))
    page.locator(".unread a", has_text="v Bob").click()

    page.click('a:text-is("Reply")')
    quoted = page.input_value("#body")
    assert "> Champ Cards begins" in quoted
    is_first = "yours to cut" in quoted  # whoever was confirmed first: on a busy machine the robot may be
    page.locator("#body").evaluate("box => { box.focus(); box.setSelectionRange(0, 0) }")  # a key may move it later
    page.type("#body", "I cut at 13, please." if is_first else "status")
    page.click(SEND)
    mail = unread(pages, "v Bob")
    assert mail.letter.kind == ("turn" if is_first else "help"), mail.letter.text

    register(page, address, "bluffjack")
    open_unread(page, address, pages, "Bluffjack")
    tap(page, random.Random(1))
    open_unread(page, address, pages, "[BJ-1]")


def test_without_scripts_a_game_is_begun_and_a_move_made(fresh: tuple[str, Pages], browser: Browser) -> None:
    address, pages = fresh
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    register(page, address, "champ-cards", "Lee, Ann")
    for kind in ("confirm", "begin"):
        unread(pages, {"confirm": "your place", "begin": "v Bob"}[kind])
        page.click('a:text-is("Get mail")')
        page.locator(".unread a", has_text={"confirm": "your place", "begin": "v Bob"}[kind]).click()
        assert tap(page, random.Random(1))
    assert unread(pages, "v Bob").letter.kind == "turn"
    context.close()


AXE = """axe.run(document, {iframes: false, resultTypes: ['violations'], runOnly: {type: 'tag', values:
  ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']}}).then(found => found.violations.map(each =>
  each.id + ': ' + each.help + ' ' + each.nodes[0].html))"""


@pytest.mark.parametrize(
    ("scheme", "screen"), size([("dark", (320, 568))], [("dark", (320, 568)), ("light", (1280, 800))])
)
def test_axe_finds_nothing_and_nothing_is_wider_than_the_screen(
    scheme: Literal["light", "dark"], screen: tuple[int, int], season: tuple[str, Pages], browser: Browser
) -> None:
    script = axe()
    assert script is not None, "axe is not installed: tests/letters/axe.lock"
    address, pages = season
    context = browser.new_context(color_scheme=scheme, viewport={"width": screen[0], "height": screen[1]})
    page = context.new_page()
    if not pages.mailbox.mails:
        register(page, address, "champ-cards")
    number = unread(pages).number if pages.mailbox.unread else 1
    paths = ["", "games", f"mail/{number}", f"mail/{number}?as=text", "write", f"write?mail={number}", "nowhere"]
    found = {}
    for path in paths:
        page.goto(f"{address}/{path}")
        page.evaluate(f"{script}; 0")
        wide = page.evaluate("document.documentElement.scrollWidth") > screen[0]
        found[path] = [*page.evaluate(AXE), *(["it scrolls sideways"] if wide else [])]
    context.close()
    assert found == {path: [] for path in paths}


def test_the_host_s_desk_is_a_tab_away(season: tuple[str, Pages], page: Page) -> None:
    address, _ = season
    page.goto(address)
    with page.context.expect_page() as opened:
        page.click('nav a:text-is("Host\'s desk")')
    desk = opened.value
    desk.locator("main button").click()
    desk.locator("nav a", has_text="Episodes").first.click()
    assert desk.url.endswith("/desk/episodes/")
    assert "operator@example.net" not in page.content()
