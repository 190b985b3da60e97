"""The public pages in Debian's Chromium: the check of the cards, replays by keys and links, axe, widths, colours, no script."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from host.engine.cards import DECK, DECK_WITH_JOKERS, face
from host.engine.chance import Chance, commitment
from host.games import GAMES
from host.table.work import Services
from host.web.app import web_app
from host.web.pages import Web
from tests.games.playouts import playout
from tests.patience import wait_until
from tests.size import a_few, size
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
from tests.web.public.conftest import OVER

pytestmark = pytest.mark.chromium
ELSEWHERE = "games.test"
HEADER = '{"format":"podium-episode/1","game":"bluffjack","seed":"' + "0" * 64 + '"}'
PAGES = [
    "/",
    "/games/split-decision/",
    "/games/champ-cards/rules/",
    "/champions/",
    "/standings/bluffjack/",
    "/standings/bluffjack/embed/",
    "/ledger/",
    "/seasons/",
    "/seasons/1/",
    "/contestants/1/",
    "/how-to-play/",
    "/how-to-play/bluffjack/",
    "/how-to-play/game-of-champions/",
    "/record-format/",
    "/verify/",
    "/nothing/",
    *(f"/episodes/{game.code}-{number}/" for game in GAMES.values() for number in (1, 2)),
    "/episodes/CC-1/replay/",
    "/episodes/BJ-1/replay/open/",
]
DARK = [*(f"/episodes/{game.code}-2/" for game in GAMES.values()), "/verify/", "/games/split-decision/"]


@dataclass(frozen=True)
class Served:
    browser: Browser
    base: str
    port: int


@pytest.fixture(scope="module")
def served(house: Web) -> Iterator[Served]:
    port = free_port()
    address = house.services.config.web.model_copy(
        update={"listen": f"127.0.0.1:{port}", "url": f"https://{ELSEWHERE}:{port}"}
    )
    config = house.services.config.model_copy(update={"web": address})
    web = Web(Services(config, house.services.store), house.clock)
    with serving(web_app(web), port) as base, chromium(f"--host-resolver-rules=MAP {ELSEWHERE} 127.0.0.1") as browser:
        yield Served(browser, base, port)


def until(page: Page, expression: str) -> None:
    """Wait for something in a page, whose policy lets nothing in it ask again and again."""
    wait_until(lambda: page.evaluate(expression), expression)


def checked(page: Page) -> list[str]:
    until(page, "document.querySelector('.checked').lastElementChild?.tagName === 'P'")
    until(page, "!document.querySelector('.check button').disabled")
    return page.locator(".checked p").all_inner_texts()


def rows(page: Page) -> dict[str, str]:
    found: dict[str, str] = page.evaluate(
        "Object.fromEntries([...document.querySelectorAll('.drawn')].map(each => [each.dataset.label, each.textContent]))"
    )
    return found


def faces(codes: Any) -> str:
    return " ".join(
        face(code).replace("\ufe0e", "") if re.fullmatch("[2-9TJQKA][cdhs]", code) else code for code in codes
    )


@pytest.mark.parametrize("slug", size(["bluffjack"], list(GAMES)))
def test_the_cards_of_an_episode_are_checked_in_its_page(served: Served, slug: str) -> None:
    found = playout(slug, OVER)
    with looking(served.browser) as looked:
        looked.page.goto(f"{served.base}/episodes/{GAMES[slug].code}-1/")
        looked.page.get_by_role("button", name="Check it in this page").click()
        said = checked(looked.page)
        drawn = rows(looked.page)
        assert looked.wrong == []
    assert commitment(found.chance.seed) in said[0]
    assert all(each.startswith("✓") for each in said), said
    assert drawn
    assert all(each.startswith("✓ ") for each in drawn.values())
    for label, cards in drawn.items():
        if label.endswith("deck") or label.startswith("deal:"):
            deck = DECK_WITH_JOKERS if label in ("deck", "bonus:deck") else DECK
            wanted = faces(found.chance.shuffled(label, deck)).replace("Xr", "red joker").replace("Xb", "black joker")
            assert cards == f"✓ {wanted}", label


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ("check.dataset.commitment = '0'.repeat(64)", "this is not the seed that was promised"),
        ("check.dataset.seed = check.dataset.seed.replace(/^../, x => x === '00' ? '01' : '00')", "but here it was"),
    ],
)
def test_what_does_not_agree_is_said(served: Served, change: str, complaint: str) -> None:
    with looking(served.browser) as looked:
        looked.page.goto(f"{served.base}/episodes/CC-1/")
        looked.page.evaluate(f"(() => {{ const check = document.querySelector('.check'); {change}; }})()")
        looked.page.get_by_role("button", name="Check it in this page").click()
        said = checked(looked.page)
        assert any(each.startswith("✗") for each in said)
        assert "keep your letters, and ask the host" in said[-1]
        assert complaint in looked.page.locator(".checked").inner_text()


@pytest.mark.parametrize("slug", size(["bluffjack"], list(GAMES)))
def test_a_record_is_checked_where_it_is_chosen(served: Served, slug: str, tmp_path: Path) -> None:
    luck = Chance(playout(slug, OVER).chance.seed)
    with looking(served.browser) as looked:
        page = looked.page
        page.goto(f"{served.base}/verify/")
        file = tmp_path / "record.jsonl"
        file.write_bytes(page.request.get(f"{served.base}/episodes/{GAMES[slug].code}-1/record.jsonl").body())
        page.set_input_files("#file", file)
        until(page, "document.querySelector('#text').value.length > 100")
        page.fill("#commitment", commitment(luck.seed).upper())
        page.get_by_role("button", name="Check").click()
        said = checked(page)
        assert said[0].startswith("✓ ")
        assert "as your first letter says" in said[0]
        assert "podium verify" in said[-1]
        drawn = rows(page)
        assert looked.wrong == []
    wanted = {
        "champ-cards": ("round:2:deck", faces(luck.shuffled("round:2:deck", DECK))),
        "bluffjack": ("hand:3:deck", faces(luck.shuffled("hand:3:deck", DECK))),
        "champion-poker": ("hand:1:deck", faces(luck.shuffled("hand:1:deck", DECK))),
        "game-of-champions": ("deal:1", faces(luck.shuffled("deal:1", DECK))),
        "split-decision": ("target:2", str(luck.below("target:2", 100) + 1)),
    }
    label, cards = wanted[slug]
    assert drawn[label] == cards
    labels = {re.sub(r"\d+", "N", each) for each in drawn}
    assert labels == set(GAMES[slug].streams)


@pytest.mark.storm
def test_what_cannot_be_checked_is_said_in_a_sentence(served: Served) -> None:
    record = '{"format":"podium-episode/1","game":"%s","seed":"%s"}'
    wrong = {
        "Choose a record, or paste its text.": ("", ""),
        "The first line is no JSON.": ("hello", ""),
        "This is no episode record": ("[1]", ""),
        "is not 64 hex digits": (record % ("champ-cards", "12"), ""),
        "a game that this page does not know": (record % ("chess", "0" * 64), ""),
        "A commitment is 64 hex digits.": (record % ("bluffjack", "0" * 64), "abc"),
        "not the seed that was promised": (record % ("bluffjack", "0" * 64), "0" * 64),
    }
    with looking(served.browser) as looked:
        looked.page.goto(f"{served.base}/verify/")
        for complaint, (text, commitment) in wrong.items():
            looked.page.fill("#text", text)
            looked.page.fill("#commitment", commitment)
            looked.page.get_by_role("button", name="Check").click()
            until(looked.page, f"document.querySelector('.checked p')?.innerText.includes({complaint!r})")
        assert looked.wrong == []


@pytest.mark.storm
def test_without_a_secure_connection_the_page_says_so(served: Served) -> None:
    with looking(served.browser) as looked:
        looked.page.goto(f"http://{ELSEWHERE}:{served.port}/episodes/CC-1/")
        looked.page.get_by_role("button", name="Check it in this page").click()
        looked.page.wait_for_selector(".checked p")
        assert "only on pages reached by https" in looked.page.locator(".checked").inner_text()


def test_a_replay_goes_on_by_arrow_keys_across_pages(served: Served) -> None:
    with looking(served.browser) as looked:
        page = looked.page
        page.goto(f"{served.base}/episodes/CC-1/replay/")
        for number in range(1, 28):
            page.keyboard.press("ArrowRight")
            page.wait_for_selector(f"#step-{number}:target")
        assert page.url.endswith("/replay/2/#step-27")
        assert page.locator(".step:visible").count() == 1
        for number in (26, 25, 24):
            page.keyboard.press("ArrowLeft")
            page.wait_for_selector(f"#step-{number}:target")
        assert page.url.endswith("/replay/#step-24")
        assert looked.wrong == []


def test_without_script_a_replay_is_walked_by_links_and_the_check_says_what_to_do(served: Served) -> None:
    with looking(served.browser, java_script_enabled=False) as looked:
        page = looked.page
        page.goto(f"{served.base}/episodes/CC-1/replay/")
        assert page.locator(".step:visible").count() == 25
        page.get_by_role("link", name="One step at a time").click()
        assert page.locator(".step:visible").count() == 1
        page.locator("#step-1").get_by_role("link", name="Next").click()
        assert page.locator("#step-2").is_visible()
        assert not page.locator("#step-1").is_visible()
        page.get_by_role("link", name="All steps").click()
        assert page.locator(".step:visible").count() == 25
        page.goto(f"{served.base}/verify/")
        assert "podium verify RECORD.jsonl" in page.locator("noscript").inner_text()
        page.goto(f"{served.base}/episodes/CC-1/")
        assert page.get_by_text("yours runs none").is_visible()
        assert not page.get_by_role("button", name="Check it in this page").is_visible()


@pytest.mark.parametrize(("scheme", "pages"), size([("dark", DARK)], [("light", PAGES), ("dark", DARK)]))
def test_axe_finds_nothing_and_no_page_is_wider_than_a_phone(served: Served, scheme: Any, pages: list[str]) -> None:
    found: dict[str, list[str]] = {}
    with looking(served.browser, WIDTHS["phone"], 667, color_scheme=scheme, **IS_WITHOUT_SECURITY_POLICY) as looked:
        for path in a_few(pages, 2):
            looked.page.goto(served.base + path)
            found[path] = findings(looked.page)
            for name, width in WIDTHS.items():
                looked.page.set_viewport_size({"width": width, "height": 800})
                if looked.page.evaluate(SCROLLED) > width:
                    found[path].append(f"wider than {name}")
        assert [each for each in looked.wrong if "404" not in each] == []
    assert {path: each for path, each in found.items() if each} == {}


@pytest.mark.parametrize("path", a_few(["/", "/verify/"]))
def test_the_way_around_is_one_row_on_a_phone(served: Served, path: str) -> None:
    with looking(served.browser, WIDTHS["phone"], 667) as looked:
        looked.page.goto(f"{served.base}{path}")
        assert (
            looked.page.evaluate("new Set([...document.querySelectorAll('nav li')].map(each => each.offsetTop)).size")
            == 1
        )
        assert looked.page.evaluate(SCROLLED) <= WIDTHS["phone"]
