"""The way in: a link, mailed to an operator or made at the shell, good once and for half an hour; a session; the way out."""

import re

import pytest
from sqlalchemy import select

from host.config import Config
from host.store.schema import LoginLink, WebSession
from host.table.work import Services, begin
from host.turn import login
from host.turn.admin import AdminError
from host.web.desk.visitor import COOKIE
from tests.turn.desk import OPERATOR
from tests.web.house import ORIGIN, House

PAGES = (
    "",
    "episodes/",
    "contestants/",
    "queues/",
    "ledger/",
    "bank/",
    "mail/",
    "health/",
    "log/",
    "confirm/?command=begin",
)


def ask(house: House, address: str) -> str:
    answer = house.client.post("/desk/login/", data={"address": address})
    assert answer.status_code == 200
    house.desk.send()
    return str(answer.text)


def mailed(house: House) -> list[str]:
    letters = [letter for letter in house.desk.letters(OPERATOR) if "your way to the desk" in letter.text.lower()]
    return [re.findall(rf"{ORIGIN}/desk/login/\w+/", letter.text)[0].removeprefix(ORIGIN) for letter in letters]


@pytest.mark.parametrize("page", PAGES)
def test_whoever_is_not_logged_in_is_sent_to_do_that(house: House, page: str) -> None:
    answer = house.get(f"/desk/{page}")
    assert answer.url.path == "/desk/login/"
    assert "Send me a link" in answer.text


def test_an_operator_gets_in_by_mail(house: House) -> None:
    assert "a link is on its way" in ask(house, OPERATOR.upper())
    (link,) = mailed(house)
    shown = house.get(link)
    assert "lets boss@example.com in, once" in shown.text
    assert house.get("/desk/").url.path == "/desk/login/", "looking at a link does not use it up"
    assert house.client.post(link).url.path == "/desk/"
    assert "What needs you" in house.page("/desk/")
    assert "log in to the desk" in house.page("/desk/log/")
    cookie = next(each for each in house.client.cookies.jar if each.name == COOKIE)
    assert cookie.has_nonstandard_attr("HttpOnly")
    assert not cookie.secure, "on loopback without TLS"


def test_nobody_learns_who_is_an_operator(house: House) -> None:
    assert ask(house, "stranger@example.org") == ask(house, OPERATOR)
    assert [to for to, _, _ in house.desk.sent] == [OPERATOR]


def test_links_are_bounded_an_hour(house: House) -> None:
    for _ in range(8):
        ask(house, OPERATOR)
    assert len(mailed(house)) == login.LINKS_AN_HOUR
    house.desk.later(hours=1, seconds=1)
    ask(house, OPERATOR)
    assert len(mailed(house)) == login.LINKS_AN_HOUR + 1


def test_who_is_surely_the_operator_always_gets_a_link(desk: House) -> None:
    for _ in range(login.LINKS_AN_HOUR + 1):
        ask(desk, OPERATOR)
    used_up = len(mailed(desk))
    answer = desk.send("/desk/link/")
    assert "A link for another browser is on its way to" in answer.text
    desk.desk.send()
    assert len(mailed(desk)) == used_up + 1
    desk.desk.answer("ann@champ-cards.example.net", "host Hello")
    for line in ("login-link", "Login link"):
        desk.desk.answer(OPERATOR, line)
    assert len(mailed(desk)) == used_up + 3
    assert "A link to the desk comes in a mail of its own." in desk.desk.last(OPERATOR).text


def test_a_link_is_good_once_and_for_half_an_hour(house: House) -> None:
    ask(house, OPERATOR)
    (link,) = mailed(house)
    other = house.browser()
    assert other.post(link).status_code == 200
    again = house.client.post(link)
    assert again.status_code == 403
    assert "was used" in again.text
    assert "Send me a link" in again.text
    ask(house, OPERATOR)
    house.desk.later(minutes=30)
    late = mailed(house)[-1]
    assert house.get(late).status_code == 403
    assert house.client.post(late).status_code == 403
    assert house.get("/desk/login/aaaaaaaaaaaaaaaaaaaaaaaaaa/").status_code == 403


@pytest.mark.storm
def test_who_tries_links_locks_nobody_out(house: House) -> None:
    for at in range(100):
        assert house.get(f"/desk/login/try{at}/").status_code == 403
    house.log_in()
    assert "needs you" in house.page("/desk/")


def test_a_session_ends_by_logging_out_by_itself_and_with_the_office(desk: House) -> None:
    held = desk.client.cookies[COOKIE]
    assert login.visitor(desk.desk.services, held, desk.desk.now) == OPERATOR
    assert login.visitor(desk.desk.services, held, desk.desk.now + login.SESSION_IDLES) is None
    data = desk.desk.config.model_dump() | {"host": {"address": "games@example.org", "operators": []}}
    others = Services(Config.model_validate(data), desk.desk.store)
    assert login.visitor(others, held, desk.desk.now) is None
    for _ in range(31):
        assert login.visitor(desk.desk.services, held, desk.desk.now) in (OPERATOR, None)
        desk.desk.later(days=1)
    assert login.visitor(desk.desk.services, held, desk.desk.now) is None, "after a month, however much it is used"


def test_an_old_page_logs_out_too(desk: House) -> None:
    form = desk.form("/desk/")
    desk.desk.later(hours=25)
    assert desk.client.post("/desk/logout/", data={"form": form}).url.path == "/desk/login/"
    assert desk.get("/desk/").url.path == "/desk/login/"


def test_what_was_typed_is_not_lost_with_the_session(desk: House) -> None:
    desk.client.cookies.clear()
    answer = desk.client.post("/desk/words/1/", data={"form": "x", "text": "Dear Bob, <b>yes</b>"})
    assert answer.status_code == 403
    assert "Dear Bob, &lt;b&gt;yes&lt;/b&gt;" in answer.text


def test_after_logging_out_the_session_is_nobodys(desk: House) -> None:
    held = desk.client.cookies[COOKIE]
    form = desk.form("/desk/")
    assert desk.client.post("/desk/logout/", data={"form": form}).url.path == "/desk/login/"
    other = desk.browser()
    other.cookies.set(COOKIE, held)
    assert other.get("/desk/").url.path == "/desk/login/"
    assert other.post("/desk/do/", data={"form": form, "command": "pause", "code": "CC-1"}).status_code == 403


def test_behind_tls_the_cookie_goes_nowhere_else(tmp_path: object) -> None:
    from pathlib import Path

    house = House(Path(str(tmp_path)), web={"url": "https://games.example.org"})
    with begin(house.desk.services, house.desk.now) as work:
        link = login.make_link(work, OPERATOR)
    assert link.startswith("https://games.example.org/desk/login/")
    headers = {"host": "games.example.org", "origin": "https://games.example.org"}
    answer = house.client.post(link.removeprefix("https://games.example.org"), headers=headers, follow_redirects=False)
    assert "Secure" in answer.headers["set-cookie"]
    assert "HttpOnly" in answer.headers["set-cookie"]


def test_what_the_store_has_lets_nobody_in(desk: House) -> None:
    with desk.desk.store.reading() as session:
        found = session.get(WebSession, login.key_of(desk.client.cookies[COOKIE]))
    assert found is not None
    other = desk.browser()
    other.cookies.set(COOKIE, found.key)
    assert other.get("/desk/").url.path == "/desk/login/"


def test_a_link_needs_a_desk_and_an_operator(house: House) -> None:
    with begin(house.desk.services, house.desk.now) as work:
        with pytest.raises(AdminError, match=f"Name an operator; there are: {OPERATOR}"):
            login.make_link(work, "stranger@example.org")
        assert login.make_link(work).startswith(f"{ORIGIN}/desk/login/")
    data = house.desk.config.model_dump() | {"web": {}}
    with begin(Services(Config.model_validate(data), house.desk.store), house.desk.now) as work:
        with pytest.raises(AdminError, match=r"There is no desk: write listen"):
            login.make_link(work, OPERATOR)
        login.mail_link(work, "stranger@example.org")


def test_old_links_and_sessions_are_let_go_of(house: House) -> None:
    house.log_in()
    house.desk.later(days=4)
    other = house.browser()
    house.log_in(other)
    with house.desk.store.reading() as session:
        assert session.get(WebSession, login.key_of(house.client.cookies[COOKIE])) is None
        assert len(session.scalars(select(LoginLink)).all()) == 1
