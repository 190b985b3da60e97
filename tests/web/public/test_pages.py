"""What public pages say: champions, lists, results, names as they are, and a clear sentence for what is not there."""

import io
import json
import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from httpx import Response
from PIL import Image
from starlette.testclient import TestClient

from host.config import GameSettings
from host.engine import record
from host.games import GAMES
from host.store import public_pages as public
from host.table.play import load_play
from host.table.work import Services
from host.web.app import web_app
from host.web.pages import PageError, Web
from host.web.public.paths import NOT_PUBLIC, PAGES, document_at
from tests.games.playouts import playout
from tests.turn.desk import ADDRESS, Desk
from tests.web.crawl import crawl
from tests.web.house import House
from tests.web.stored import NOW, store_episode, web_in

BASE = "http://127.0.0.1:8025"
ODD = (
    "<script>alert(1)</script>",
    "Ann\u202eeilC\u202c",
    "Bob\x1b[31m\x07",
    "x" * 64,
    "Zoë 🃏👩‍👩‍👧",
    "עברית",
    '"><img src=x onerror=alert(2)>',
    "{{ 7 * 7 }}",
)


def text(web: Web, path: str) -> str:
    return document_at(web, path).body.decode()


def client(web: Web) -> TestClient:
    return TestClient(web_app(web), base_url=BASE, follow_redirects=False)


@pytest.fixture(scope="module")
def found(house: Web) -> dict[str, Response]:
    """Every page that links lead to."""
    return crawl(client(house))


def test_every_page_is_reached_by_links_and_every_link_leads_somewhere(found: dict[str, Response]) -> None:
    assert {path: answer.status_code for path, answer in found.items() if answer.status_code != 200} == {}
    for answer in found.values():
        wanted = "public, max-age=31536000, immutable" if "/static/" in str(answer.url) else "public, max-age=60"
        assert answer.headers["cache-control"] == wanted
        assert "set-cookie" not in answer.headers
    for slug, game in GAMES.items():
        rest = ["rules/", ""]
        assert {f"/games/{slug}/{each}" for each in rest} <= set(found)
        assert {f"/how-to-play/{slug}/", f"/champions/{slug}/", f"/standings/{slug}/"} <= set(found)
        assert {f"/episodes/{game.code}-1/{each}" for each in ("", "replay/", "replay/open/", "record.jsonl")} <= set(
            found
        )
        assert f"/episodes/{game.code}-2/" in found


def test_every_page_has_a_title_of_its_own_and_a_preview(found: dict[str, Response]) -> None:
    pages = {path: each.text for path, each in found.items() if each.headers["content-type"].startswith("text/html")}
    titles = {path: re.findall(r"<title>(.+?)</title>", page, re.S) for path, page in pages.items()}
    assert all(len(each) == 1 for each in titles.values())
    assert len(
        {each[0] for path, each in titles.items() if "/replay/" not in path and not path.startswith("/ledger/2")}
    ) == len([path for path in titles if "/replay/" not in path and not path.startswith("/ledger/2")])
    for path, page in pages.items():
        assert page.count("<h1") == 1, path
        assert 'property="og:title"' in page
        assert re.search(r'property="og:image" content="https://games.example.org/[^"]+.png"', page), path
        assert re.search(r'name="description" content="[^"]{10,}"', page), path
    episode = pages["/episodes/CC-1/"]
    assert 'property="og:image" content="https://games.example.org/episodes/CC-1/preview.png"' in episode


@pytest.mark.parametrize("slug", list(GAMES))
def test_a_finished_episode_shows_its_result_seed_and_record(house: Web, slug: str) -> None:
    code = f"{GAMES[slug].code}-1"
    page, found = text(house, f"/episodes/{code}/"), playout(slug, 3)
    assert found.chance.seed.hex() in page
    read = record.read(document_at(house, f"/episodes/{code}/record.jsonl").body, GAMES)
    assert read.header.seed == found.chance.seed
    assert len(read.lines) == len(found.steps)
    result = found.game.result(found.end)
    assert result is not None
    assert ("won." in page) == (result.winner is not None) or "Nobody won." in page
    with Image.open(io.BytesIO(document_at(house, f"/episodes/{code}/badge.png").body)) as badge:
        assert (badge.format, badge.size) == ("PNG", (480, 252))
    with Image.open(io.BytesIO(document_at(house, f"/episodes/{code}/preview.png").body)) as picture:
        assert (picture.format, picture.size) == ("PNG", (1200, 630))


@pytest.mark.parametrize("slug", list(GAMES))
def test_a_running_episode_shows_whose_turn_it_is_and_no_seed(house: Web, slug: str) -> None:
    code = f"{GAMES[slug].code}-2"
    page = text(house, f"/episodes/{code}/")
    assert "is to answer" in page
    assert playout(slug, 4).chance.seed.hex() not in page
    assert "as everybody may see it" in page
    with Image.open(io.BytesIO(document_at(house, f"/episodes/{code}/preview.png").body)) as picture:
        assert (picture.format, picture.size) == ("PNG", (1200, 630))


@pytest.mark.parametrize("slug", GAMES)
def test_a_replay_has_every_step_once(found: dict[str, Response], slug: str) -> None:
    code, steps = f"{GAMES[slug].code}-1", len(playout(slug, 3).steps) + 1
    for kind in ("replay/", "replay/open/"):
        path, seen = f"/episodes/{code}/{kind}", list[int]()
        for each in sorted((p for p in found if re.fullmatch(rf"{path}(\d+/)?", p)), key=lambda p: (len(p), p)):
            seen += map(int, re.findall(r'id="step-(\d+)"', found[each].text))
        assert seen == list(range(1, steps + 1))


def test_the_record_of_an_episode_under_rules_that_changed_is_still_there(house: Web, tmp_path: Path) -> None:
    web = web_in(tmp_path)
    code = store_episode(web, playout("champ-cards", 3))
    with web.services.store.transaction() as session:
        from host.store.episodes import episode_of_code

        episode = episode_of_code(session, code)
        assert episode is not None
        load_play(episode)
        episode.state = {"phase": "of another time"}
    assert "earlier rules" in text(web, f"/episodes/{code}/")
    assert document_at(web, f"/episodes/{code}/record.jsonl").body.startswith(b'{"format"')
    with pytest.raises(PageError, match="cannot be replayed"):
        document_at(web, f"/episodes/{code}/replay/")
    web.services.store.close()


def test_names_are_text_and_turn_nothing_around(tmp_path: Path) -> None:
    web = web_in(tmp_path)
    found = next(playout("bluffjack", n) for n in range(40) if playout("bluffjack", n).seats == len(ODD))
    code = store_episode(web, found, players=ODD)
    running = store_episode(web, found, 4, players=ODD)
    served = client(web)
    paths = ["/", "/feed.xml", "/games/bluffjack/", "/standings/bluffjack/", "/champions/bluffjack/"]
    paths += [f"/episodes/{each}/{rest}" for each in (code, running) for rest in ("",)]
    paths += [f"/episodes/{code}/replay/", f"/episodes/{code}/replay/open/"]
    for path in paths:
        page = served.get(path).text
        assert "<script>alert" not in page, path
        assert "<img src=x" not in page, path
        assert "{{" not in page or "{{ 7 * 7 }}" in page, path
        assert not {"\u202e", "\x1b", "\x07"} & set(page), path
        if path.endswith(".xml"):
            ET.fromstring(page)
    assert "<bdi>" in served.get("/").text
    web.services.store.close()


@pytest.mark.parametrize(
    "path",
    [
        "/games/poker/",
        "/games/poker/rules/",
        "/games/champ-cards/page-0/",
        "/games/champ-cards/page-2/",
        "/games/champ-cards/page-99999999999999999999/",
        "/episodes/CC-999/",
        "/episodes/cc-1/",
        "/episodes/CC-1'--/",
        "/episodes/CC-1/replay/9999/",
        "/episodes/CC-1/replay/0/",
        "/episodes/CC-1/replay/1/",
        "/games/champ-cards/page-1/",
        "/episodes/%01/",
        "/episodes/CC-1%E2%80%AE/",
        "/champions/champ-cards/page-7/",
        "/standings/champ-cards/page-7/",
        "/ledger/1999/",
        "/ledger/2026/page-9/",
        "/how-to-play/../../podium.toml/",
        "/how-to-play/poker/",
        "/episodes/%2e%2e/record.jsonl",
        "/episodes/CC-2/record.jsonl",
        "/feed.xml/",
    ],
)
def test_what_is_not_there_is_said_in_a_sentence(house: Web, path: str) -> None:
    answer = client(house).get(path)
    assert answer.status_code == 404
    assert re.search(r'<p class="note">[A-Z].+\.</p>', answer.text)
    assert answer.headers["cache-control"] == "no-store"


def test_a_host_that_is_not_public_shows_its_name_and_where_its_desk_is(tmp_path: Path) -> None:
    web = web_in(tmp_path, web={"public": False})
    store_episode(web, playout("champ-cards", 3))
    served = client(web)
    front = served.get("/")
    assert front.status_code == 200
    assert "The Millionaire" in front.text
    assert 'href="./desk/"' in front.text
    for pattern in set(PAGES) - {"/robots.txt", "/favicon.ico"}:
        path = pattern.replace("{slug}", "champ-cards").replace("{code}", "CC-1")
        path = re.sub(r"\{year:int\}", "2026", re.sub(r"\{(?:page|number):int\}", "1", path))
        if path != "/":
            answer = served.get(path)
            assert answer.status_code == 404
            assert NOT_PUBLIC in answer.text
            assert "ann" not in answer.text
    web.services.store.close()


def test_the_page_of_a_game_says_when_its_next_episodes_begin(tmp_path: Path) -> None:
    starts = GameSettings.model_validate({"starts": "Mondays 18:00"})
    web = web_in(tmp_path)
    assert "next episodes begin" not in text(web, "/games/champ-cards/")
    config = web.services.config.model_copy(update={"games": {"champ-cards": starts}})
    web = replace(web, services=replace(web.services, config=config))
    assert "<p>The next episodes begin on Monday, 23 November, 18:00 (UTC).</p>" in text(web, "/games/champ-cards/")
    web.services.store.close()


@pytest.mark.storm
def test_lists_have_pages_and_the_feed_is_in_order(tmp_path: Path) -> None:
    web, found = web_in(tmp_path), playout("champ-cards", 3)
    for number in range(public.PAGE + 3):
        store_episode(web, found, at=NOW - timedelta(hours=100 - number))
    first, second = text(web, "/games/champ-cards/"), text(web, "/games/champ-cards/page-2/")
    codes = re.findall(r">(CC-\d+)</a></th>", first) + re.findall(r">(CC-\d+)</a></th>", second)
    assert codes == [f"CC-{number}" for number in range(public.PAGE + 3, 0, -1)]
    assert 'rel="next" href="../../games/champ-cards/page-2/"' in first
    assert 'rel="prev" href="../../../games/champ-cards/"' in second
    assert '<link rel="alternate" type="application/json" href="game.json">' in second
    pages = [json.loads(text(web, f"/games/champ-cards/{each}game.json")) for each in ("", "page-2/")]
    assert [each["code"] for page in pages for each in page["finished"]] == codes
    for path in (
        "games/champ-cards/page-3/game",
        "standings/champ-cards/page-9/standings",
        "champions/champ-cards/page-0/champions",
    ):
        with pytest.raises(PageError):
            document_at(web, f"/{path}.json")
    feed = ET.fromstring(document_at(web, "/feed.xml").body)
    atom = "{http://www.w3.org/2005/Atom}"
    when = [str(each.findtext(f"{atom}updated")) for each in feed.findall(f"{atom}entry")]
    assert len(when) == 40
    assert when == sorted(when, reverse=True)
    ids = [each.findtext(f"{atom}id") for each in feed.findall(f"{atom}entry")]
    assert len(set(ids)) == 40
    web.services.store.close()


def test_standings_reigns_and_the_ledger_add_up(tmp_path: Path) -> None:
    web = web_in(tmp_path)
    found = [playout("champ-cards", number) for number in (3, 4, 5, 6)]
    wins = {"ann": 0, "bob": 0}
    money = {"ann": 0, "bob": 0}
    for each in found:
        store_episode(web, each)
        result = each.game.result(each.end)
        assert result is not None
        for seat, name in enumerate(("ann", "bob")):
            wins[name] += result.winner == seat
            money[name] += each.game.winnings(each.end)[seat]
    with web.services.store.reading() as session:
        rows = {row.name: row for row in public.standings(session, "champ-cards")}
        assert {name: (row.wins, row.winnings, row.episodes) for name, row in rows.items()} == {
            name: (wins[name], money[name], 4) for name in wins
        }
        ledger = public.standings(session, year=NOW.year, by_money=True)
        assert [row.winnings for row in ledger] == sorted(money.values(), reverse=True)
        reigns = public.reigns(session, "champ-cards")
    assert sum(reign.wins for reign in reigns) == sum(wins.values())
    assert [reign.ended_at is None for reign in reigns] == [True, *[False] * (len(reigns) - 1)]
    page = text(web, "/ledger/")
    assert all(f"${amount:,}" in page for amount in money.values())
    web.services.store.close()


def test_a_registration_link_fills_the_form_in(house: Web) -> None:
    page = text(house, "/games/split-decision/")
    link = re.search(r'href="(mailto:games@example.org[^"]+)"', page)
    assert link is not None
    assert "subject=Split%20Decision%20Contestant%20Registration" in link[1]
    assert "Name%20%28first" in link[1]
    assert page.count("mailto:") == 1


def at(web: Web, **changes: object) -> Web:
    """The same pages under another configuration of `[web]`."""
    config = web.services.config
    changed = config.model_copy(update={"web": config.web.model_copy(update=changes)})
    return Web(Services(changed, web.services.store), web.clock)


def test_the_first_page_shows_a_table_and_calls_to_play_the_game_for_which_most_wait(tmp_path: Path) -> None:
    house = House(tmp_path)
    register(house, "bluffjack")
    page = house.page("/")
    call = re.findall(r'<a class="button call" href="(mailto:[^"]+)">(.*?)</a>', page)
    assert [words for _, words in call] == ["Play Bluffjack by e\u2011mail"]
    assert "subject=Bluffjack%20Contestant%20Registration" in call[0][0]
    assert "Bluffjack: a table as Ann sees it." in page
    house.desk.store.close()


def register(house: House, slug: str) -> None:
    house.desk.write("ann@example.net", ADDRESS, GAMES[slug].subject, "Name: Ann Lee")
    house.desk.answer("ann@example.net", "confirm")


@pytest.mark.parametrize("path", ["/", "/champions/", "/standings/", "/games/champ-cards/", "/ledger/"])
def test_an_empty_page_says_so_once(tmp_path: Path, path: str) -> None:
    house = House(tmp_path)
    page = house.page(path)
    said = re.findall(r"nothing has|nobody has|no episode|no champion|throne is empty|not? .{1,20} yet", page.lower())
    assert len(said) == 1, said
    house.desk.store.close()


def test_public_pages_are_compressed_and_no_page_of_the_desk(house: Web) -> None:
    asked = client(house)
    for path in ("/", "/games/champ-cards/rules/", "/static/page.css", "/feed.xml"):
        assert asked.get(path).headers["content-encoding"] == "gzip", path
        assert "content-encoding" not in asked.get(path, headers={"accept-encoding": "identity"}).headers
    for path in ("/desk/login/", "/desk/", "/nothing/", "/episodes/CC-1/preview.png"):
        assert "content-encoding" not in asked.get(path).headers, path


def test_pages_of_others_may_show_pictures_and_nothing_else(house: Web) -> None:
    asked, name = client(house), "cross-origin-resource-policy"
    for path in ("/episodes/CC-1/badge.png", "/episodes/CC-1/preview.png", "/games/champ-cards/preview.png"):
        assert asked.get(path).headers[name] == "cross-origin", path
    for path in ("/", "/episodes/CC-1/", "/feed.xml", "/desk/login/"):
        assert asked.get(path).headers[name] == "same-origin", path


def test_programs_find_what_they_look_for(house: Web) -> None:
    robots = document_at(house, "/robots.txt")
    assert robots.kind.startswith("text/plain")
    assert robots.body.decode().splitlines() == [
        "User-agent: *",
        "Disallow: /desk/",
    ]
    with Image.open(io.BytesIO(document_at(house, "/favicon.ico").body)) as picture:
        assert picture.format == "ICO"


def test_who_shows_nothing_tells_programs_to_look_at_nothing(house: Web) -> None:
    asked = client(at(house, public=False))
    assert asked.get("/robots.txt").text == "User-agent: *\nDisallow: /\n"


def test_links_in_the_feed_are_whole_without_an_address_outside_too(house: Web) -> None:
    for web, base in ((house, "https://games.example.org"), (at(house, url="", listen="127.0.0.1:8025"), BASE)):
        links = re.findall(r'href="([^"]+)"', text(web, "/feed.xml"))
        assert links
        assert all(each.startswith(f"{base}/") for each in links)


def test_the_form_asks_for_the_nickname_of_the_hosts_own_community(house: Web) -> None:
    config = house.services.config
    changed = config.model_copy(update={"host": config.host.model_copy(update={"community": "The Poker Club"})})
    page = text(Web(Services(changed, house.services.store), house.clock), "/games/split-decision/")
    assert "Name%20you%20go%20by%20at%20The%20Poker%20Club%20%28if%20you%20have%20one%29" in page


def test_who_wants_to_be_private_stands_on_no_page_with_name_or_town(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.register("ann@example.net", "Ann Lee")
    desk.write("bob@example.net", ADDRESS, desk.game.subject, "Name: Robertus Ray\nHometown: Boise, Idaho")
    desk.answer("bob@example.net", "confirm")
    web = Web(desk.services, lambda: desk.now)
    looked_at = ("/", "/games/champ-cards/", "/episodes/CC-1/", "/standings/")
    assert "Robertus" in text(web, "/episodes/CC-1/")
    assert "Boise" in text(web, "/episodes/CC-1/")
    desk.answer("bob@example.net", "private")
    for address in ("ann@example.net", "bob@example.net"):
        desk.answer(address, "resign")
        desk.answer(address, "yes")
    for path in (*looked_at, "/feed.xml", "/episodes/CC-1/replay/", "/episodes/CC-1/record.jsonl"):
        shown = text(web, path)
        assert "Robertus" not in shown, path
        assert "Boise" not in shown, path
    assert "Player 2" in text(web, "/episodes/CC-1/record.jsonl")
    desk.answer("bob@example.net", "public")
    assert "Robertus" in text(web, "/episodes/CC-1/")
    desk.store.close()
