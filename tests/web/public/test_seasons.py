"""Pages of seasons: standings, records, the same for programs; what nobody may see is on none of them."""

import csv
import io
import json
import re
from datetime import datetime, timedelta
from pathlib import Path
from xml.etree import ElementTree as ET
from zoneinfo import ZoneInfo

import pytest
from sqlalchemy import select

from host.games import GAMES
from host.store.schema import PRIVATE, Chain, Contestant, Episode, Season, Seat, Standing
from host.web.pages import PageError, Web, ending
from host.web.public.paths import document_at
from tests.games.playouts import playout
from tests.web.public.test_pages import client
from tests.web.stored import NOW, in_a_season, store_episode, web_in


def shown(web: Web, path: str) -> str:
    return document_at(web, path).body.decode()


def test_a_season_adds_up_what_its_episodes_say(house: Web) -> None:
    found = json.loads(shown(house, "/seasons/1/season.json"))
    with house.services.store.reading() as session:
        seats = session.execute(
            select(Episode.game, Contestant.called, Seat.won, Seat.winnings)
            .join(Seat, Seat.episode_id == Episode.id)
            .join(Contestant, Contestant.id == Seat.contestant_id)
            .where(Episode.over_at.is_not(None))
        ).all()
    assert set(found["standings"]) == set(GAMES)
    for slug, rows in found["standings"].items():
        for row in rows:
            theirs = [each for each in seats if (each.game, each.called) == (slug, row["name"])]
            sums = (len(theirs), sum(bool(each.won) for each in theirs), sum(each.winnings or 0 for each in theirs))
            assert (row["episodes"], row["wins"], row["winnings"]) == sums
    assert found["running"] == len(GAMES)
    page = shown(house, "/seasons/1/")
    for name in {each.called for each in seats}:
        assert name in page
    assert all(each.rpartition(": ")[2][:20] in page for each in found["records"])
    assert "A mug &amp; a plate" in page
    assert all(each["end"] in page for each in found["chains"])


def test_the_csv_has_the_same_rows(house: Web) -> None:
    found = json.loads(shown(house, "/seasons/1/season.json"))
    rows = list(csv.DictReader(io.StringIO(shown(house, "/seasons/1/standings.csv"))))
    told = [(slug, row) for slug, of_game in found["standings"].items() for row in of_game]
    told += [("all", row) for row in found["all"]]
    assert rows == [{"game": slug, **{key: str(value) for key, value in row.items()}} for slug, row in told]


def test_private_names_and_links_that_are_secret_are_on_no_page(tmp_path: Path) -> None:
    web = web_in(tmp_path)
    store_episode(web, playout("champ-cards", 3))
    in_a_season(web, "Cup <1>")
    with web.services.store.transaction() as session:
        private = session.scalars(select(Contestant)).first()
        assert private is not None
        private.is_private, private.called = True, "Verysecretnick"
        secret = session.scalars(select(Chain)).all()[0].first.hex()
    paths = ("/", "/seasons/", "/seasons/1/", "/seasons/1/season.json", "/seasons/1/standings.csv", "/feed.xml")
    pages = {path: shown(web, path) for path in paths}
    assert not [path for path, text in pages.items() if "Verysecretnick" in text or secret in text]
    assert PRIVATE in pages["/seasons/1/"]
    assert "Cup &lt;1&gt;" in pages["/seasons/"]
    entries = ET.fromstring(pages["/feed.xml"]).findall("{http://www.w3.org/2005/Atom}entry")
    assert "The season Cup <1> has begun" in [each.findtext("{http://www.w3.org/2005/Atom}title") for each in entries]


def test_a_season_to_come_is_not_in_the_feed_yet(tmp_path: Path) -> None:
    web = web_in(tmp_path)
    in_a_season(web, "Spring")
    with web.services.store.transaction() as session:
        found = session.scalars(select(Season)).one()
        found.begins_at = NOW + timedelta(days=30)
    assert "Spring" not in shown(web, "/feed.xml")
    with web.services.store.transaction() as session:
        session.scalars(select(Season)).one().begins_at = NOW - timedelta(hours=1)
    feed = ET.fromstring(shown(web, "/feed.xml"))
    times = [each.text for each in feed.iter("{http://www.w3.org/2005/Atom}updated")]
    assert times == [f"{NOW - timedelta(hours=1):%Y-%m-%dT%H:%M:%SZ}"] * 2


def test_a_host_without_seasons_says_so_and_one_that_is_not_there_is_not_found(tmp_path: Path) -> None:
    web = web_in(tmp_path)
    assert "There was no season yet" in shown(web, "/seasons/")
    for path in ("/seasons/1/", "/seasons/1/season.json", "/seasons/1/standings.csv", "/seasons/x/"):
        with pytest.raises(PageError):
            document_at(web, path)


# The page of a contestant


def test_a_contestants_page_tells_results_reigns_and_episodes(house: Web) -> None:
    with house.services.store.reading() as session:
        standing = session.scalars(select(Standing).where(Standing.game == "champ-cards", Standing.wins > 0)).first()
        assert standing is not None
        person = session.get_one(Contestant, standing.contestant_id)
    page = shown(house, f"/contestants/{person.id}/")
    assert f"<h1>{person.called}</h1>" in page
    for words in ("Champ Cards", "still champion", "CC-1", f"${standing.winnings:,}"):
        assert words in page, words
    assert person.address not in page
    assert person.name not in page
    assert f'href="../../contestants/{person.id}/"' in shown(house, "/standings/champ-cards/")


def test_who_is_private_or_unknown_has_no_page(tmp_path: Path) -> None:
    web = web_in(tmp_path)
    store_episode(web, playout("champ-cards", 3))
    with web.services.store.transaction() as session:
        session.get_one(Contestant, 1).is_private = True
    for number in (1, 99):
        with pytest.raises(PageError):
            document_at(web, f"/contestants/{number}/")
    assert "/contestants/1/" not in shown(web, "/standings/champ-cards/")
    assert "/contestants/2/" in shown(web, "/standings/champ-cards/")


# On pages of others


def test_standings_may_stand_in_a_frame_of_others_and_be_read_by_their_programs(house: Web) -> None:
    served = client(house)
    framed = served.get("/standings/champ-cards/embed/")
    assert framed.headers["content-security-policy"].endswith("frame-ancestors *")
    assert "script-src" not in framed.headers["content-security-policy"]
    whole = served.get("/standings/champ-cards/")
    assert whole.headers["content-security-policy"].endswith("frame-ancestors 'none'")
    assert "access-control-allow-origin" not in whole.headers
    for path in (
        "/standings/champ-cards/standings.json",
        "/seasons/1/season.json",
        "/seasons/1/standings.csv",
        "/feed.xml",
    ):
        assert served.get(path).headers["access-control-allow-origin"] == "*", path
    for row in served.get("/standings/champ-cards/standings.json").json()["standings"]:
        assert row["name"] in framed.text
    assert "@" not in framed.text


@pytest.mark.parametrize(
    ("at", "words"),
    [
        ("2026-11-21T05:00:00+00:00", "the end of Fri 20 Nov 2026"),
        ("2026-11-01T04:00:00+00:00", "the end of Sat 31 Oct 2026"),
        ("2026-11-21T17:00:00+00:00", "Sat 21 Nov, 12:00 PM EST"),
    ],
)
def test_a_season_ends_with_its_last_day(at: str, words: str) -> None:
    assert words in re.sub("<[^>]*>", "", ending(datetime.fromisoformat(at), ZoneInfo("America/New_York"), NOW))
