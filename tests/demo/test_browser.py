"""The demo as somebody uses it in a browser."""

import random
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from host.demo.browser import Pages
from host.games import GAMES
from tests.demo.served import SECONDS, SEND, chromium, demo, open_unread, play, register, tap
from tests.letters.chromium import axe

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


@pytest.mark.parametrize("slug", GAMES)
def test_a_game_is_played_from_the_registration_to_its_result_by_tapping(
    slug: str, season: tuple[str, Pages], page: Page
) -> None:
    address, pages = season
    register(page, address, slug)
    play(page, address, pages, slug, random.Random(slug), BY_HAND)
    with page.expect_download() as saved:
        page.click('article a:has-text("Save")')
    assert saved.value.path().read_text("utf-8").startswith('{"')
    assert not [mail.letter.text[:900] for mail in pages.visit.mailbox.mails if mail.letter.kind == "refused"]
