"""The demo's pages by requests: what foreign ones get, what names and mails may hold, the files of a letter."""

import random
from collections.abc import Iterator

import httpx
import pytest

from host.demo.browser import Pages
from host.demo.inbox import Mail
from host.demo.robot import one_line
from tests.demo.served import asking, demo, fields_in, play_by_requests, post, tap_by_request, unread
from tests.patience import SECONDS
from tests.size import a_few

NAMES = [
    "Smith, Ann",
    'Ann "Ace" Lee',
    "Zoë (the first)",
    "Ann <b>Lee</b>",
    "安娜",
    "Ann\r\nBcc: Bob",
    "Ann\x00\x1b[31m Lee",
    "Ann \u202eeeL",
    "a\\b; c: d",
    "Ann" * 26,
]
"""Also what `test_world` registers with."""


@pytest.fixture(scope="module")
def served() -> Iterator[tuple[str, Pages]]:
    with demo({"champion-poker": 1}) as found:
        yield found


@pytest.fixture
def client(served: tuple[str, Pages]) -> Iterator[httpx.Client]:
    with asking(served[0]) as found:
        yield found


@pytest.fixture(scope="module")
def joined() -> Iterator[tuple[str, Pages]]:
    """A demo of its own in which somebody registered and confirmed: what it is asked next depends on no other test."""
    with demo({"champion-poker": 1}) as (address, pages), asking(address) as client:
        page = post(client, "/games", pages, game="champion-poker", name="Ann Lee")
        post(client, "/write", pages, **fields_in(page.text))
        assert tap_by_request(client, unread(pages), random.Random(1))
        unread(pages)
        yield address, pages


@pytest.fixture
def contestant(joined: tuple[str, Pages]) -> Iterator[httpx.Client]:
    with asking(joined[0]) as found:
        yield found


def confirmation(pages: Pages) -> Mail:
    return next(mail for mail in pages.mailbox.mails if mail.letter.kind == "confirm")


@pytest.mark.parametrize("name", a_few(NAMES))
def test_a_name_is_in_the_registration_as_it_is_typed(
    name: str, served: tuple[str, Pages], client: httpx.Client
) -> None:
    _, pages = served
    page = post(client, "/games", pages, game="champion-poker", name=name).raise_for_status()
    lines = fields_in(page.text)["body"].splitlines()
    assert (len(lines), lines[0]) == (3, f"Name: {one_line(name)}")
    assert name.isascii() or one_line(name) == name
    assert "<b>" not in page.text.partition("<main")[2]


@pytest.mark.parametrize("name", ["", "   ", "ann@example.net", "...", "x" * 81])
def test_what_is_no_name_is_asked_for_again(name: str, served: tuple[str, Pages], client: httpx.Client) -> None:
    _, pages = served
    before = pages.name
    page = post(client, "/games", pages, game="champion-poker", name=name)
    assert (page.status_code, "Write a name with letters in it" in page.text) == (422, True)
    assert pages.name == before


@pytest.mark.storm
def test_after_the_result_one_can_play_again_and_the_record_is_there(
    joined: tuple[str, Pages], contestant: httpx.Client
) -> None:
    _, pages = joined
    for _ in range(2):
        page = post(contestant, "/games", pages, game="champion-poker", name="Ann Lee")
        if "/write" in str(page.url):
            post(contestant, "/write", pages, **fields_in(page.text))
        result = play_by_requests(contestant, pages, "champion-poker", random.Random(1))
        saved = contestant.get(f"/mail/{result.number}/file/0")
        assert saved.headers["content-disposition"].startswith('attachment; filename="CP-')
        assert saved.text.startswith('{"')
        assert contestant.get(f"/mail/{result.number}/file/1").status_code == 404


def test_a_letter_is_a_document_of_its_own_in_which_nothing_runs(
    joined: tuple[str, Pages], contestant: httpx.Client
) -> None:
    _, pages = joined
    letter = confirmation(pages)
    page = contestant.get(f"/mail/{letter.number}/page")
    policy = page.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "sandbox" in policy
    assert "allow-scripts" not in policy
    assert "mailto:" not in page.text
    assert page.text.count('target="_top"') == len(letter.letter.links)
    assert "mailto:" in letter.letter.page, "what is stored is as it came"
    assert "script-src 'self'" in contestant.get("/").headers["content-security-policy"]


# Requests that do not come from the demo's own pages


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "127.0.0.1", "127.0.0.1:1", "127.0.0.1.evil.example", ""]
)
def test_another_name_is_not_answered(host: str, client: httpx.Client) -> None:
    page = client.get("/", headers={"Host": host})
    assert page.status_code in (400, 421)
    assert "Ann" not in page.text


@pytest.mark.parametrize("origin", a_few(["http://evil.example", "null", "https://127.0.0.1", "http://127.0.0.1"]))
@pytest.mark.parametrize("path", ["/write", "/games"])
def test_a_form_of_another_page_is_refused(
    origin: str, path: str, served: tuple[str, Pages], client: httpx.Client
) -> None:
    _, pages = served
    before = len(pages.mailbox.mails)
    data = {"token": pages.token, "to": "games@example.org", "body": "x", "game": "champion-poker"}
    assert client.post(path, data=data, headers={"Origin": origin}).status_code == 403
    assert len(pages.mailbox.mails) == before


@pytest.mark.parametrize("token", a_few([None, "", "x", "é"]))
@pytest.mark.parametrize("path", ["/write", "/games"])
def test_without_the_token_nothing_is_done(
    token: str | None, path: str, served: tuple[str, Pages], client: httpx.Client
) -> None:
    _, pages = served
    before = len(pages.mailbox.mails)
    data = {"to": "games@example.org", "body": "x", "game": "champion-poker", "name": "Eve"}
    page = client.post(path, data=data if token is None else {**data, "token": token})
    assert (page.status_code, "earlier demo" in page.text) == (403, True)
    assert (len(pages.mailbox.mails), pages.name) != (before + 1, "Eve")


def test_a_large_body_is_refused_told_or_not(served: tuple[str, Pages], client: httpx.Client) -> None:
    _, pages = served
    before = len(pages.mailbox.mails)
    assert post(client, "/write", pages, to="games@example.org", body="x" * 3_000_000).status_code == 413
    stream = (b"x" * 500_000 for _ in range(6))
    assert client.post("/write", content=stream).status_code == 413
    assert len(pages.mailbox.mails) == before
    assert client.get("/").status_code == 200


@pytest.mark.parametrize(
    ("path", "status"),
    a_few(
        [
            ("/mail/0", 404),
            ("/mail/99999", 404),
            ("/mail/-1", 404),
            ("/mail/1/page/../../../etc/passwd", 404),
            ("/mail/99999999999999999999", 404),
            ("/write?mail=x", 404),
            ("/write?mail=1&link=99", 404),
            ("/write?mail=1&link=-1", 404),
            ("/write?mail=²", 404),
            ("/..%2f..%2fpyproject.toml", 404),
            ("/mail.css", 200),
            ("/base.html", 404),
        ],
        4,
    ),
)
def test_what_is_not_there_is_said(path: str, status: int, client: httpx.Client) -> None:
    page = client.get(path)
    assert page.status_code == status
    assert "podium-host" not in page.text


@pytest.mark.parametrize(
    "to", ["", "bob@example.net", "games@example.org.evil.example", "games", "x, games@example.org"]
)
def test_only_the_host_has_a_mailbox_and_what_was_written_is_kept(
    to: str, served: tuple[str, Pages], client: httpx.Client
) -> None:
    _, pages = served
    before = len(pages.mailbox.mails)
    page = post(client, "/write", pages, to=to, subject="x", body="what I <wrote>")
    assert (page.status_code, "what I &lt;wrote&gt;" in page.text) == (422, True)
    assert "write to games@example.org" in page.text
    assert len(pages.mailbox.mails) == before


def test_a_mail_with_anything_in_it_is_answered(joined: tuple[str, Pages], contestant: httpx.Client) -> None:
    _, pages = joined
    letter = confirmation(pages)
    body = "\x00\udcff ünïcode \u202e <script>alert(1)</script>\r\n.\r\nQUIT\r\n"
    fields = {"to": letter.reply_to, "subject": "Re: x\r\nBcc: y", "body": body.encode("utf-8", "replace").decode()}
    assert post(contestant, "/write", pages, answers=str(letter.number), **fields).status_code == 200
    assert unread(pages).letter.text
    assert "<script>alert" not in contestant.get("/").text


def test_a_tapped_link_is_answered(joined: tuple[str, Pages], contestant: httpx.Client) -> None:
    _, pages = joined
    letter = confirmation(pages)
    assert tap_by_request(contestant, letter, random.Random(1))
    assert unread(pages).letter.kind


def test_the_desk_and_the_public_pages_lead_back_to_the_mail(served: tuple[str, Pages]) -> None:
    back = '/">← Your mail in the demo</a>'  # of the demo that began last, where there are two
    with httpx.Client(base_url=served[0], follow_redirects=True, timeout=SECONDS) as browser:
        entry = browser.get("/desk")
        assert back in entry.text
        (public,) = [address for _, address in served[1].tabs if address != "/desk"]
        for path in ("", "champions/", "nowhere/", "desk/log/"):
            assert back in browser.get(f"{public}{path}").text, path
