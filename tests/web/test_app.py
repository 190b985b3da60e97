"""What is asked of the web wrongly is refused with a page that says what to do, and every answer bounds what a browser may do."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from host.config import Config
from host.store.database import open_store
from host.table.work import Services
from host.web.app import web_app
from host.web.guard import LARGEST_FORM, names_of
from host.web.health import Answer, sentence
from host.web.pages import Web

NOW = datetime(2026, 11, 22, 12, 0, tzinfo=UTC)
HOST = {"host": "127.0.0.1:8025"}
FROM_HERE = HOST | {"origin": "http://127.0.0.1:8025"}


@pytest.fixture
def web(tmp_path: Path) -> Web:
    server = {"host": "127.0.0.1", "security": "none", "username": "games@example.org"}
    url = f"sqlite:///{tmp_path / 'podium.db'}"
    config = Config.model_validate(
        {
            "host": {"address": "games@example.org"},
            "imap": server,
            "smtp": server,
            "database": {"url": url},
            "web": {"listen": "127.0.0.1:8025", "url": "https://games.example.org"},
        }
    )
    return Web(Services(config, open_store(url)), lambda: NOW)


def client(web: Web, **more: Any) -> TestClient:
    return TestClient(web_app(web, **more), raise_server_exceptions=False, follow_redirects=False)


@pytest.mark.parametrize("name", ["127.0.0.1:8025", "localhost:8025", "[::1]:8025", "games.example.org"])
def test_its_own_names_are_answered(web: Web, name: str) -> None:
    assert client(web).get("/static/page.css", headers={"host": name}).status_code == 200


@pytest.mark.parametrize(
    "name", ["evil.example", "127.0.0.1.evil.example:8025", "127.0.0.1", "games.example.org.evil", ""]
)
def test_another_name_is_not(web: Web, name: str) -> None:
    answer = client(web).get("/static/page.css", headers={"host": name})
    assert answer.status_code == 421
    assert "does not answer to that name" in answer.text


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:8026"},
        {"origin": "http://127.0.0.1:8025", "sec-fetch-site": "cross-site"},
    ],
)
def test_a_form_of_another_site_is_refused(web: Web, headers: dict[str, str]) -> None:
    answer = client(web).post("/desk/login/", headers=HOST | headers, data={"address": "me@example.org"})
    assert answer.status_code == 403
    assert "from another site" in answer.text


def test_what_is_too_large_is_refused_however_it_comes(web: Web) -> None:
    def pieces() -> Any:
        for _ in range(LARGEST_FORM // 65536 + 1):
            yield b"x" * 65536

    for content in (b"x" * (LARGEST_FORM + 1), pieces()):
        assert client(web).post("/", headers=FROM_HERE, content=content).status_code == 413


def test_other_methods_are_refused(web: Web) -> None:
    for method in ("PUT", "DELETE", "OPTIONS", "TRACE", "PATCH"):
        assert client(web).request(method, "/", headers=HOST).status_code == 405


@pytest.mark.parametrize(
    "path", ["/static/..%2f..%2fpodium.toml", "/static/%2e%2e/base.html", "/static/nothing.css", "/x/"]
)
def test_what_is_not_there_is_told_with_every_header(web: Web, path: str) -> None:
    answer = client(web).get(path, headers=HOST)
    assert answer.status_code == 404
    assert "There is no such page." in answer.text
    assert "script-src 'self'" in answer.headers["content-security-policy"]
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    "name", ["https:1249763844", "https:evil%E3%80%82example", "mailto:x@example.org", "javascript:x", "%2F%2Fevil"]
)
def test_no_address_leads_to_another_site(web: Web, name: str) -> None:
    answer = client(web).get(f"/{name}", headers=HOST)
    assert answer.status_code in (308, 404)
    assert answer.headers.get("location", "./").startswith("./")


@pytest.mark.parametrize("path", ["/desk/episodes/%00/", "/desk/contestants/?who=%00", "/%00"])
def test_a_sign_that_no_database_takes_is_refused(web: Web, path: str) -> None:
    assert client(web).get(path, headers=HOST).status_code == 400


def test_an_address_outside_is_known_as_browsers_write_it(web: Web) -> None:
    names = names_of(web.services.config.web.model_copy(update={"url": "https://Spiele.Münster.example:443"}))
    assert "spiele.xn--mnster-3ya.example" in names


def test_markup_in_a_path_is_shown_as_text(web: Web) -> None:
    answer = client(web).get("/%3Cscript%3Ealert(1)%3C/script%3E/", headers=HOST)
    assert "<script>alert" not in answer.text


def test_only_this_machine_is_told_how_the_daemon_is(web: Web) -> None:
    def health(path: str) -> Answer:
        return sentence(200, f"asked {path}")  # type: ignore[arg-type]  # a number will do

    assert client(web, health=health).get("/healthz", headers=HOST).text == "asked /healthz\n"
    assert client(web, health=health).get("/metrics", headers={"host": "games.example.org"}).status_code == 404
    assert client(web).get("/healthz", headers=HOST).status_code == 404
    for name in ("x-forwarded-for", "forwarded", "via", "x-real-ip"):
        assert client(web, health=health).get("/metrics", headers=HOST | {name: "203.0.113.9"}).status_code == 404
