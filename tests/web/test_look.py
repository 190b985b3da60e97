"""A host's own look: on pages, in letters, and what of it cannot be read."""

from pathlib import Path

import pytest
from pydantic import ValidationError

from host.config import ConfigError, OwnLook, build
from host.games import GAMES
from host.look import contrast
from host.web.public.paths import write_site
from tests.turn.desk import Desk
from tests.web.house import House

LOOK = {"button": "#7A1F3D", "ground": "#eef1f4", "top": "Sunday <Night> Club", "foot": "Ask in the forum & be kind."}
PNG = b"\x89PNG\r\n\x1a\n" + bytes(20)


def test_pages_have_it(tmp_path: Path) -> None:
    (tmp_path / "logo.png").write_bytes(PNG)
    house = House(tmp_path, look=LOOK | {"logo": tmp_path / "logo.png"})
    house.log_in()
    for path in ("/", "/standings/", "/desk/"):
        page = house.page(path)
        assert "Sunday &lt;Night&gt; Club" in page
        assert "Ask in the forum &amp; be kind." in page
        assert 'static/logo"' in page
        assert "static/look.css" in page
    sheet = house.get("/static/look.css")
    assert sheet.headers["content-type"].startswith("text/css")
    assert "--green: #7a1f3d" in sheet.text
    assert "--ground: #eef1f4" in sheet.text
    logo = house.get("/static/logo")
    assert (logo.headers["content-type"], logo.content) == ("image/png", PNG)
    write_site(house.web, tmp_path / "site")
    assert (tmp_path / "site" / "static" / "logo").read_bytes() == PNG
    assert (tmp_path / "site" / "static" / "look.css").exists()


def test_podiums_own_look_asks_for_nothing_more(tmp_path: Path) -> None:
    house = House(tmp_path)
    assert "look.css" not in house.page("/")
    assert house.get("/static/look.css").status_code == 404
    assert house.get("/static/logo").status_code == 404


def test_letters_have_it_and_load_nothing(tmp_path: Path) -> None:
    desk = Desk(tmp_path, look=LOOK)
    desk.begin()
    letter = desk.last("ann@example.net")
    assert "Sunday <Night> Club" in letter.text.partition("\n\n")[0]
    assert "Ask in the forum & be kind." in letter.text
    assert "background-color: #7a1f3d" in letter.page
    assert "background-color: #eef1f4" in letter.page
    assert "Sunday &lt;Night&gt; Club" in letter.page
    for own in ("#1f5c42", "#e9e4d8", "<img", "http"):
        assert own not in letter.page
    row = desk.answer("ann@example.net", "cut 5")
    assert row.state == "played"


def test_contrast_is_counted_as_the_guidelines_do() -> None:
    assert round(contrast("#ffffff", "#000000"), 2) == 21.0
    assert round(contrast("#777777", "#ffffff"), 2) == 4.48
    assert contrast("#1f5c42", "#1f5c42") == 1.0


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"button": "#777777"}, "white words on #777777 cannot be read: take a darker colour"),
        ({"ground": "#808080"}, "words on #808080 cannot be read: take a paler colour"),
        ({"button": "#6b6b6b", "ground": "#c8c8c8"}, "links of #6b6b6b cannot be read on the ground"),
        ({"button": "#767676", "ground": "#ffffff"}, "links of #767676 cannot be read"),
        ({"button": "green"}, "write a colour such as #1f5c42"),
        ({"top": "one\ntwo"}, "write it on one line"),
        ({"foot": "one\u2028two \u202e"}, "write it on one line"),
    ],
)
def test_what_cannot_be_read_is_refused(values: dict[str, str], said: str) -> None:
    with pytest.raises(ValidationError, match=said):
        OwnLook.model_validate(values)


@pytest.mark.parametrize("content", [None, b"<svg/>", PNG + bytes(300_000)])
def test_a_logo_is_a_picture_that_is_there(tmp_path: Path, content: bytes | None) -> None:
    if content is not None:
        (tmp_path / "logo.png").write_bytes(content)
    server = {"host": "127.0.0.1", "security": "none"}
    data = {"host": {"address": "games@example.org"}, "imap": server | {"username": "me"}, "smtp": server}
    file = tmp_path / "podium.toml"
    with pytest.raises(ConfigError, match=r"look\.logo"):
        build(data | {"look": {"logo": "logo.png"}}, {}, file, {slug: game.seats for slug, game in GAMES.items()})
