"""What is there for programs: the same as the pages say, as it is described."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from host.games import GAMES
from host.store.schema import Contestant, Episode
from host.web.pages import PageError, Web
from host.web.public.paths import document_at, write_site
from host.web.public.programs import PROGRAMS
from tests.games.playouts import playout
from tests.size import a_few
from tests.web.stored import store_episode, web_in

VALUES = {"slug": "champ-cards", "code": "CC-1", "year:int": "2026", "number:int": "1"}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    """An episode that is over and one that runs, of each game."""
    web = web_in(tmp_path_factory.mktemp("programs"))
    for slug in GAMES:
        store_episode(web, playout(slug, 3))
        store_episode(web, playout(slug, 4), steps=4)
    yield web
    web.services.store.close()


def found(web: Web, path: str) -> Any:
    answer = document_at(web, path)
    assert answer.kind == "application/json"
    return json.loads(answer.body)


def paths() -> list[str]:
    return [
        re.sub("{(.+?)}", lambda name: VALUES[name[1]], path)
        for path in PROGRAMS
        if "season" not in path and "page" not in path
    ]


OUR_WORDS = ("guide.json", "format.json", "rules.json")


@pytest.mark.parametrize("path", a_few([each for each in paths() if not each.endswith(OUR_WORDS)], 4))
def test_private_people_have_no_name_there(tmp_path: Path, path: str) -> None:
    web = web_in(tmp_path)
    store_episode(web, playout("champ-cards", 3))
    with web.services.store.transaction() as session:
        who = session.get_one(Contestant, 1)
        who.is_private, name = True, who.called
    if path.startswith("/contestants/"):
        with pytest.raises(PageError):
            document_at(web, path)
    else:
        assert name not in document_at(web, path).body.decode()


def test_an_episode_says_what_its_page_says(house: Web) -> None:
    for slug, game in GAMES.items():
        over, running = (found(house, f"/episodes/{game.code}-{number}/episode.json") for number in (1, 2))
        assert over["seed"] == playout(slug, 3).chance.seed.hex()
        assert over["over_at"].endswith("Z")
        assert running["seed"] is None
        assert running["over_at"] is None
        assert running["waits_for"]
        page = document_at(house, f"/episodes/{game.code}-2/").body.decode()
        for player in running["players"]:
            assert player["name"] in page
            assert player["won"] is None
        with house.services.store.reading() as session:
            row = session.query(Episode).filter_by(code=f"{game.code}-2").one()
            assert row.commitment == running["commitment"]
            assert row.seed.hex() not in json.dumps(running)


def test_a_replay_has_each_line_of_the_record_and_all_cards_only_where_it_is_open(house: Web) -> None:
    for slug, game in GAMES.items():
        record = document_at(house, f"/episodes/{game.code}-1/record.jsonl").body.decode().splitlines()
        place = f"/episodes/{game.code}-1/replay/"
        pages = found(house, f"{place}replay.json")["pages"]
        of = [found(house, f"{place}{f'{at}/' if at > 1 else ''}replay.json") for at in range(1, pages + 1)]
        opened = [found(house, f"{place}open/{f'{at}/' if at > 1 else ''}replay.json") for at in range(1, pages + 1)]
        assert [step["number"] for each in of for step in each["steps"]] == list(range(1, len(record) + 1)), slug
        assert all(each["is_open"] for each in opened)
        if slug == "bluffjack":  # whose first card lies face down
            assert [each["steps"] for each in of] != [each["steps"] for each in opened]
        with pytest.raises(PageError):
            document_at(house, f"/episodes/{game.code}-2/replay/replay.json")


def test_rules_and_guides_are_there_as_their_pages_have_them(house: Web) -> None:
    for path, page in (
        ("/games/champ-cards/rules/rules.json", "/games/champ-cards/rules/"),
        ("/how-to-play/guide.json", "/how-to-play/"),
        ("/how-to-play/bluffjack/guide.json", "/how-to-play/bluffjack/"),
        ("/record-format/format.json", "/record-format/"),
    ):
        told = found(house, path)
        assert told["html"] in document_at(house, page).body.decode()
        assert told["title"]


@pytest.mark.parametrize(
    "path", ["/ledger/0/ledger.json", "/ledger/99999/ledger.json", "/contestants/99/contestant.json"]
)
def test_what_has_no_page_has_no_json(house: Web, path: str) -> None:
    with pytest.raises(PageError):
        document_at(house, path)


def test_lists_name_what_there_is_to_ask_for(house: Web) -> None:
    site = found(house, "/site.json")
    assert {each["slug"] for each in site["games"]} == set(GAMES)
    for each in site["begun"]:
        assert found(house, f"/episodes/{each['code']}/episode.json")["game"] == each["game"]
    for slug, game in GAMES.items():
        of = found(house, f"/games/{slug}/game.json")
        assert [each["code"] for each in of["finished"]] == [f"{game.code}-1"]
        assert [each["code"] for each in of["under_way"]] == [f"{game.code}-2"]
        for place in found(house, f"/standings/{slug}/standings.json")["standings"]:
            person = found(house, f"/contestants/{place['number']}/contestant.json")
            assert person["name"] == place["name"]
            assert {"game": slug, **{key: place[key] for key in ("wins", "episodes", "winnings")}} in person["results"]
        for reign in found(house, f"/champions/{slug}/champions.json")["reigns"]:
            assert reign["to"] is None or reign["to"] >= reign["from"]


def test_every_page_leads_to_its_json_which_leads_to_its_description(house: Web, tmp_path: Path) -> None:
    write_site(house, tmp_path / "site")
    written = {str(each.relative_to(tmp_path / "site")) for each in (tmp_path / "site").rglob("*.json")}
    for path in paths():
        assert path.lstrip("/") in written or path.startswith("/ledger/"), path
    assert "openapi.json" in written


def test_the_description_is_of_what_is_there(house: Web) -> None:
    described = found(house, "/openapi.json")
    schemas = described["components"]["schemas"]
    assert set(re.findall(r'"#/components/schemas/(\w+)"', json.dumps(described))) <= set(schemas)
    assert len(described["paths"]) == len(PROGRAMS)
    for path, operations in described["paths"].items():
        of = operations["get"]
        assert [each["name"] for each in of["parameters"]] == re.findall(r"{(\w+)}", path)
        assert of["summary"].endswith(".")
        if "season" in path or "page" in path:
            continue
        named = of["responses"]["200"]["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
        asked = re.sub(
            "{(.+?)}", lambda name: {"year": "2026", "number": "1"}.get(name[1], VALUES.get(name[1], "")), path
        )
        assert set(found(house, asked)) == set(schemas[named]["properties"]), path
        assert schemas[named]["description"]
