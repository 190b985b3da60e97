"""The pages as files: the same as served, written whole, nothing beyond the folder, nothing of others removed."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from host.cli.main import main
from host.store.database import open_store
from host.web.app import web_app
from host.web.pages import Web
from host.web.public import paths
from host.web.public.paths import MANIFEST, SiteError, write_site
from tests.games.playouts import playout
from tests.size import size
from tests.web.crawl import crawl
from tests.web.stored import store_episode, web_in


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    """A host with one episode: its pages are made often here."""
    web = web_in(tmp_path_factory.mktemp("small"), games={"champ-cards": {}})
    store_episode(web, playout("champ-cards", 3))
    yield web
    web.services.store.close()


def files(folder: Path) -> dict[str, bytes]:
    return {str(each.relative_to(folder)): each.read_bytes() for each in folder.rglob("*") if each.is_file()}


@pytest.mark.parametrize("name", size(("small",), ("small", "house")))
def test_every_page_is_a_file_with_the_same_bytes(name: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    web: Web = request.getfixturevalue(name)
    folder = tmp_path / "site"
    written = write_site(web, folder)
    served = crawl(TestClient(web_app(web), base_url="http://127.0.0.1:8025"))
    on_disk = files(folder)
    assert written.files == written.changed == len(on_disk) - 1
    for path, answer in served.items():
        name = path.lstrip("/") + ("index.html" if path.endswith("/") else "")
        assert answer.status_code == 200, f"{path}: what offers one game links to no page of another"
        assert on_disk[name] == answer.content, path
    assert {
        "robots.txt",
        "favicon.ico",
        "feed.xml",
        "static/verify.js",
        "episodes/CC-1/preview.png",
    } <= set(on_disk)


@pytest.mark.storm
def test_what_has_not_changed_is_left_alone_and_what_is_gone_is_removed(small: Web, tmp_path: Path) -> None:
    web, folder = small, tmp_path / "site"
    first = write_site(web, folder)
    before = {name: (folder / name).stat().st_mtime_ns for name in files(folder) if name != MANIFEST}
    assert write_site(web, folder) == paths.Written(first.files, 0, 0)
    assert {name: (folder / name).stat().st_mtime_ns for name in before} == before
    (folder / "mine.html").write_text("mine")
    (folder / "games" / "mine.html").write_text("mine")
    listed = json.loads((folder / MANIFEST).read_text("utf-8"))["files"]
    gone = folder / "episodes" / "CC-9" / "index.html"
    gone.parent.mkdir()
    gone.write_text("of an episode that is not there any more")
    (folder / MANIFEST).write_text(json.dumps({"files": [*listed, "episodes/CC-9/index.html"]}))
    assert write_site(web, folder).removed == 1
    assert not gone.parent.exists()
    assert (folder / "mine.html").read_text() == (folder / "games" / "mine.html").read_text() == "mine"


def test_a_folder_of_others_is_not_touched(small: Web, tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(SiteError, match="holds other files: name an empty folder"):
        write_site(small, tmp_path)
    assert files(tmp_path) == {"thesis.txt": b"mine"}


@pytest.mark.parametrize("name", ["static", "index.html", "episodes", "games/champ-cards", "feed.xml"][: size(1, 5)])
def test_no_link_is_followed_out_of_the_folder(small: Web, tmp_path: Path, name: str) -> None:
    outside, folder = tmp_path / "outside", tmp_path / "site"
    outside.mkdir()
    write_site(small, folder)
    place = folder / name
    place.rename(tmp_path / "moved")
    place.symlink_to(outside if "." not in name else outside / "index.html")
    with pytest.raises(SiteError, match="leads out of the folder"):
        write_site(small, folder)
    assert list(outside.iterdir()) == []


@pytest.mark.parametrize("listed", ["../precious", "/etc/passwd", "a/../../precious", ".ssh/id", ""][: size(2, 5)])
def test_a_manifest_removes_nothing_elsewhere(small: Web, tmp_path: Path, listed: str) -> None:
    (tmp_path / "precious").write_text("mine")
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / MANIFEST).write_text(json.dumps({"files": [listed]}))
    with pytest.raises(SiteError, match="is no name for a page"):
        write_site(small, folder)
    assert (tmp_path / "precious").read_text() == "mine"


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"files": 5}', "\0"])
def test_a_manifest_that_cannot_be_read_stops_it(small: Web, tmp_path: Path, content: str) -> None:
    (tmp_path / MANIFEST).write_text(content)
    with pytest.raises(SiteError, match="cannot be read: name an empty folder"):
        write_site(small, tmp_path)


def test_a_run_that_is_stopped_can_be_made_again(small: Web, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole, written = paths._replace, list[Path]()

    def stopped(place: Path, body: bytes) -> None:
        written.append(place)
        if len(written) == 20:
            raise KeyboardInterrupt
        whole(place, body)

    folder = tmp_path / "site"
    monkeypatch.setattr(paths, "_replace", stopped)
    with pytest.raises(KeyboardInterrupt):
        write_site(small, folder)
    monkeypatch.setattr(paths, "_replace", whole)
    write_site(small, folder)
    assert not [each for each in folder.rglob(".podium-*") if each.name != MANIFEST]


def test_what_cannot_be_written_is_one_sentence(small: Web, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(SiteError, match=r"cannot be written: .+\. Name another folder\."):
        write_site(small, tmp_path / "file" / "site")


CONFIG = """
[host]
address = "games@example.org"
[imap]
host = "127.0.0.1"
security = "none"
username = "games@example.org"
[smtp]
host = "127.0.0.1"
security = "none"
[database]
url = "sqlite:///podium.db"
[games.champ-cards]
"""


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = tmp_path / "podium.toml"
    config.write_text(CONFIG)
    assert main(["site", str(tmp_path / "none"), "--config", str(config)]) == 1
    assert "There is no database" in capsys.readouterr().err
    open_store(f"sqlite:///{tmp_path / 'podium.db'}").close()
    assert main(["site", str(tmp_path / "site"), "--config", str(config)]) == 0
    said = capsys.readouterr().out
    assert "files are in" in said
    assert "Write in [web] url" in said
    assert (tmp_path / "site" / "index.html").exists()
    assert "og:image" not in (tmp_path / "site" / "games" / "champ-cards" / "index.html").read_text("utf-8")
    config.write_text(f"{CONFIG}[web]\npublic = false\n")
    assert main(["site", str(tmp_path / "other"), "--config", str(config)]) == 1
    assert capsys.readouterr().err.startswith("podium: The configuration says [web] public = false")
    assert not (tmp_path / "other").exists()
    assert main(["site", str(config), "--config", str(config).replace("podium.toml", "none.toml")]) == 1
    with pytest.raises(SystemExit) as wrong:
        main(["site"])
    assert wrong.value.code == 2
