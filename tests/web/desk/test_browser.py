"""The desk in Debian's Chromium: every page in light and dark, narrow and wide, without script; axe; an afternoon of clicks."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from host.table.work import begin
from host.turn import login
from host.web.app import web_app
from tests.size import a_few, size
from tests.turn.desk import OPERATOR
from tests.web.browser import (
    IS_WITHOUT_SECURITY_POLICY,
    SCROLLED,
    WIDTHS,
    chromium,
    findings,
    free_port,
    looking,
    serving,
)
from tests.web.house import House, later

pytestmark = pytest.mark.chromium

ANN, BOB = "ann@champ-cards.example.net", "bob@champ-cards.example.net"
LONG = "A very long hometown with a wordwithoutanybreakatallthatgoesonandonandonandon, and \u202e signs <b>of</b> all kinds"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """Every page has something to show: words to the host, a letter that failed, a mail set aside, people of all kinds."""
    port = free_port()
    found = House(Path(tmp_path_factory.mktemp("desk")), web={"listen": f"127.0.0.1:{port}"})
    found.begin_all()
    found.desk.write(
        "eve@example.net", "games@example.org", found.desk.game.subject, f"Name: Eve Longname\nHometown: {LONG}"
    )
    found.desk.answer(ANN, "cut 12")
    found.desk.answer(BOB, "host could I have until Monday? My phone broke, and I am away until then.")
    later(found, hours=30)
    with found.desk.store.transaction() as session:
        from host.store.schema import Inbound, Letter

        letter, mail = session.get(Letter, 3), session.get(Inbound, 3)
        assert letter is not None
        assert mail is not None
        letter.state, letter.response = "failed", "550 5.1.1 no such user here, said the server at some length"
        mail.state, mail.note = "quarantined", "could not be read within its time"
    with serving(web_app(found.web), port) as found.address:
        yield found
    found.desk.store.close()


def enter(house: House, page: Page) -> None:
    with begin(house.desk.services, house.desk.now) as work:
        link = login.make_link(work, OPERATOR)
    page.goto(link)
    page.get_by_role("button", name="Log in").click()
    page.get_by_role("heading", name="What needs you").wait_for()


PAGES = (
    "",
    "episodes/",
    "episodes/CC-1/",
    "episodes/GC-1/",
    "contestants/",
    "contestants/1/",
    "season/",
    "queues/",
    "ledger/",
    "bank/",
    "bank/1/",
    "mail/",
    "mail/out/1/",
    "mail/in/1/",
    "health/",
    "log/",
    "confirm/?command=extend&code=CC-1",
    "confirm/?command=pause&asked=1&code=CC-1",
    "nothing/",
)


@pytest.mark.parametrize("scheme", size(["dark"], ["light", "dark"]))
def test_axe_finds_nothing_on_any_page_however_wide(house: House, browser: Browser, scheme: str) -> None:
    with looking(browser, color_scheme=scheme, **IS_WITHOUT_SECURITY_POLICY) as looked:
        page = looked.page
        page.goto(f"{house.address}/desk/login/")
        assert findings(page) == []
        enter(house, page)
        for path in a_few(PAGES, 3):
            page.goto(f"{house.address}/desk/{path}")
            for name, width in WIDTHS.items():
                page.set_viewport_size({"width": width, "height": 800})
                assert page.evaluate(SCROLLED) <= width, (path, name)
                if name == {"light": "wide", "dark": "phone"}[scheme]:
                    assert findings(page) == [], (path, name)


def test_no_page_breaks_its_own_policy_or_fails_in_its_script(house: House, browser: Browser) -> None:
    with looking(browser) as looked:
        enter(house, looked.page)
        for path in size(PAGES[:-1:3], PAGES[:-1]):
            looked.page.goto(f"{house.address}/desk/{path}")
        looked.page.goto(f"{house.address}/desk/episodes/CC-1/")
        looked.page.get_by_role("button", name="Show it, and log that I looked").click()
        looked.page.goto(f"{house.address}/desk/episodes/CC-1/")
        letter = looked.page.locator('a[href*="mail/out/"]').last
        letter.click()
        frame = looked.page.frame_locator("iframe")
        assert "Champ Cards" in (frame.locator("body").text_content() or "")
        assert looked.wrong == []
        looked.page.goto(f"{house.address}/desk/episodes/CC-1/")
        looked.page.get_by_role("button", name="Hide it again").click()


@pytest.mark.parametrize("has_script", size([False], [True, False]))
def test_an_afternoon_at_the_desk(house: House, browser: Browser, has_script: bool) -> None:
    house.desk.answer(BOB, f"host are you there? {has_script}")
    with looking(browser, width=375, java_script_enabled=has_script) as looked:
        page = looked.page
        enter(house, page)
        words = page.locator("section", has_text=f"are you there? {has_script}")
        words.get_by_label("Your answer to them").fill("Yes, I am.")
        words.get_by_role("button", name="Send the answer").click()
        assert "Your answer goes to Bob" in page.get_by_role("status").inner_text()
        page.get_by_role("link", name="Episodes").click()
        page.get_by_role("link", name="CC-1").click()
        page.get_by_role("link", name="Extend").click()
        page.get_by_label("Player").select_option("Ann")
        page.get_by_label("How much more time").fill("nonsense")
        page.get_by_role("button", name="Go on").click()
        assert "how much more time" in page.get_by_role("alert").inner_text()
        page.get_by_label("How much more time").fill("36h")
        page.get_by_role("button", name="Go on").click()
        page.get_by_role("button", name="Yes, do it").click()
        assert "Ann until" in page.get_by_role("status").inner_text()
        page.go_back()
        page.get_by_role("button", name="Yes, do it").click()
        assert "was done already" in page.get_by_role("main").inner_text() or "moved on" in page.inner_text("h1")
        page.goto(f"{house.address}/desk/episodes/CC-1/")
        page.get_by_role("link", name="Back to after line 1").click()
        page.get_by_role("link", name="No, go back").click()
        assert page.url.endswith("/desk/episodes/CC-1/")
        page.get_by_role("link", name="Questions").click()
        page.get_by_label("Or its text").fill(f'[[question]]\nask = "Is it {has_script}?"\nanswers = ["yes"]')
        page.get_by_role("button", name="Add them").click()
        assert "1 question was added." in page.get_by_role("status").inner_text()
        page.get_by_role("link", name=f"Is it {has_script}?").click()
        page.get_by_role("button", name="Take it out of the bank").click()
        assert "taken out" in page.get_by_role("status").inner_text()
        page.get_by_role("link", name="Contestants").click()
        page.get_by_label("A name, or an address").fill(ANN)
        page.get_by_role("button", name="Find").click()
        page.get_by_role("link", name=re.compile("^Ann")).click()
        assert "Champ Cards: playing" in page.inner_text("main")
        page.get_by_role("button", name="Log out").click()
        page.goto(f"{house.address}/desk/episodes/")
        assert page.url.endswith("/desk/login/")


def test_what_is_left_of_a_deadline_is_counted_down_where_a_script_may_run(house: House, browser: Browser) -> None:
    with looking(browser) as looked:
        enter(house, looked.page)
        looked.page.goto(f"{house.address}/desk/episodes/")
        assert "ago" in looked.page.locator("time.left").first.inner_text(), "by the browser's clock it is long past"
    with looking(browser, java_script_enabled=False) as looked:
        enter(house, looked.page)
        looked.page.goto(f"{house.address}/desk/episodes/")
        assert looked.page.locator("time.left").first.inner_text().startswith("in ")
