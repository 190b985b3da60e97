"""What nobody must see by the way: secrets in notes, in letters without an episode, in the log, behind another's show."""

import base64
import re

import pytest

from host.web.desk.correspondence import shown_headers, shown_page
from tests.size import size
from tests.turn.desk import ADDRESS, OPERATOR
from tests.web.house import House

CODES = " ".join(str(each) for each in range(41, 71))
CLEO = "cleo@split-decision.example.net"
PAGES = ("", "episodes/SD-1/", "mail/", "mail/?way=out", "log/", "contestants/?who=cleo")


def everything(house: House) -> str:
    """All that the desk shows of Split Decision to who asks for nothing to be shown."""
    text = "".join(house.page(f"/desk/{page}") for page in PAGES)
    for way, number in set(re.findall(r"mail/(in|out)/(\d+)/", text)):
        text += house.page(f"/desk/mail/{way}/{number}/")
    return text


def is_told(house: House, secret: str) -> bool:
    return any(each in everything(house) for each in (secret, secret.replace(" ", ", ")))


BODIES = (
    f"codes {CODES}",
    f"codes {CODES}\ncut 99",
    f"cut 99\ncodes {CODES}",
    f"what is that? codes {CODES} x",
)


@pytest.mark.parametrize("body", BODIES[: size(1, None)])
def test_what_a_contestant_writes_in_secret_stands_in_no_note(desk: House, body: str) -> None:
    desk.desk.answer(CLEO, body)
    assert not is_told(desk, CODES)


def test_a_letter_that_asks_whether_a_mail_is_theirs_is_theirs_alone(desk: House) -> None:
    desk.desk.answer(CLEO, f"codes {CODES}", sender="other@example.net")
    assert not is_told(desk, CODES)


def test_what_is_said_in_a_players_place_is_not_in_the_log_while_they_play(desk: House) -> None:
    desk.command("say", code="SD-1", as_name="Cleo", text=f"codes {CODES}")
    desk.log_in()
    assert "say SD-1 as Cleo (hidden)" in desk.page("/desk/log/")
    assert not is_told(desk, CODES)
    desk.send("/desk/episodes/SD-1/show/", on="/desk/episodes/SD-1/")
    assert CODES in desk.page("/desk/episodes/SD-1/")


def test_showing_a_mail_shows_no_more_than_that(desk: House) -> None:
    numbers = re.findall(r"mail/out/(\d+)/", desk.page("/desk/episodes/BJ-1/"))
    desk.send(f"/desk/mail/out/{numbers[0]}/show/", on=f"/desk/mail/out/{numbers[0]}/")
    assert "As it looked" in desk.page(f"/desk/mail/out/{numbers[0]}/")
    assert "As it looked" not in desk.page(f"/desk/mail/out/{numbers[1]}/")
    assert "nothing hidden" not in desk.page("/desk/episodes/BJ-1/")
    desk.send("/desk/episodes/BJ-1/show/", on="/desk/episodes/BJ-1/")
    assert "As it looked" in desk.page(f"/desk/mail/out/{numbers[1]}/"), "an episode's mails are shown with it"


@pytest.mark.storm
def test_no_token_can_be_read_however_a_mail_is_encoded(desk: House) -> None:
    letter = desk.desk.last(CLEO)
    to = letter.headers["reply-to"]
    token = to.partition("+")[2].partition("@")[0]
    quoted = f"status\n\nOn Friday The Millionaire wrote:\n> Ref: SD-1 {token}\n".encode()
    raw = (
        f"From: {CLEO}\r\nTo: {to}\r\nSubject: =?utf-8?b?{base64.b64encode(f'Re: [SD-1 {token}]'.encode()).decode()}?=\r\n"
        "Message-ID: <a@b>\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n"
        f"Content-Transfer-Encoding: base64\r\n\r\n{base64.encodebytes(quoted).decode()}"
    )
    mail = desk.desk.deliver(raw.encode())
    page = f"/desk/mail/in/{mail.id}/"
    desk.send(f"{page}show/", on=page)
    desk.send("/desk/episodes/SD-1/show/", on="/desk/episodes/SD-1/")
    framed = desk.get(f"{page}page/").text
    assert "On Friday The Millionaire wrote" in framed
    text = everything(desk) + framed
    for _, sent, _ in desk.desk.sent:
        held = sent.headers["message-id"].strip("<>").partition("@")[0]
        assert held not in text
        assert base64.b64encode(held.encode()).decode()[:20] not in text


@pytest.mark.parametrize(
    "page",
    [
        "<svg><a xlink:href='https://evil.example/'>x</a></svg>",
        "<me<meta>ta http-equiv=refresh content='0;url=https://evil.example/'>",
        "<img srcset='https://evil.example/x 1x'><input formaction=https://evil.example/>",
        "<a/href='https://evil.example/'>x</a><base href=https://evil.example/>",
        "<p style='background:url(data:x)' onclick='evil.example'>x",
        "<template><a href=https://evil.example/>x</a></template><!-- evil.example -->",
    ],
)
def test_nothing_in_a_shown_page_leads_anywhere(page: str) -> None:
    assert not re.search(r"<[^>]*(evil|javascript|on\w+=|http-equiv)", shown_page(page))


def test_a_page_of_a_mail_stands_in_its_frame_only(desk: House) -> None:
    number = re.findall(r"mail/out/(\d+)/", desk.page("/desk/mail/?way=out"))[0]
    desk.send(f"/desk/mail/out/{number}/show/", on=f"/desk/mail/out/{number}/")
    path = f"/desk/mail/out/{number}/page/"
    assert desk.client.get(path, headers={"sec-fetch-dest": "document"}).status_code == 403
    assert desk.client.get(path, headers={"sec-fetch-dest": "iframe"}).status_code == 200


@pytest.mark.parametrize(
    "raw", [b"", b"\xff\xfe", b"Subject: =?x?q?=ff?=\r\nTo: <\r\n\r\n", b"From: a@" + b"x" * 100_000]
)
def test_any_headers_are_shown_or_not(raw: bytes) -> None:
    assert isinstance(shown_headers(raw), str)


def test_two_operators_cannot_do_the_same_thing_twice_unawares(desk: House) -> None:
    typed = {"code": "CC-1", "name": "Ann", "by": "24h"}
    first, second = desk.asked("extend", **typed), desk.asked("extend", **typed)
    assert desk.client.post("/desk/do/", data=first).status_code == 200
    assert desk.client.post("/desk/do/", data=second).status_code == 409


def test_words_are_answered_once_whoever_answers(desk: House) -> None:
    bob = "bob@champ-cards.example.net"
    desk.desk.answer(bob, "host first?")
    desk.desk.answer(bob, "host second?")
    page = desk.page("/desk/")
    assert page.count("desk/words/") == 2, "two at one moment are two"
    (number, _) = re.findall(r'action="[^"]*desk/words/(\d+)/"', page)
    assert desk.send(f"/desk/words/{number}/", text="Yes.").status_code == 200
    again = desk.send(f"/desk/words/{number}/", text="No.")
    assert again.status_code == 409
    assert f"{OPERATOR} has seen to this already" in again.text
    assert desk.page("/desk/").count("desk/words/") == 1


def test_what_stands_still_needs_somebody(desk: House) -> None:
    desk.desk.later(hours=60)
    desk.desk.write("new@example.net", ADDRESS, desk.desk.game.subject, "Name: Nia")
    page = desk.page("/desk/")
    assert "has not been seen yet: is podium run running?" in page
    assert "should have been worked off" in page
    assert "Nothing. All is played" not in page


def test_a_paused_episode_has_no_time_that_runs_out(desk: House) -> None:
    desk.command("pause", code="CC-1")
    desk.desk.later(hours=50)
    row = desk.page("/desk/episodes/").partition("CC-1/")[2].partition("</tr>")[0]
    assert "paused" in row
    assert "ago" not in row


@pytest.mark.parametrize(
    "path", ["mail/in/99999999999/", "contestants/9999999999/", "bank/2147483648/", "mail/?before=9999999999"]
)
def test_a_number_that_no_row_has_is_no_fault(desk: House, path: str) -> None:
    assert desk.get(f"/desk/{path}").status_code in (400, 404)


def test_an_address_of_a_form_leads_to_its_page(desk: House) -> None:
    for path, page in (
        ("do/", ""),
        ("words/1/", ""),
        ("episodes/CC-1/show/", "episodes/CC-1/"),
        ("bank/import/", "bank/"),
    ):
        assert desk.get(f"/desk/{path}").url.path == f"/desk/{page}"


def test_people_are_found_by_what_they_are_called(desk: House) -> None:
    for who in ("bob ray", "Bo", "bob@bluffjack.example.net"):
        assert "bob@bluffjack.example.net" in desk.page(f"/desk/contestants/?who={who}")


def test_what_failed_is_put_aside(desk: House) -> None:
    from host.store.schema import Letter

    with desk.desk.store.transaction() as session:
        letter = session.get(Letter, 1)
        assert letter is not None
        letter.state, letter.response = "failed", "550 gone"
    assert "550 gone" in desk.page("/desk/")
    assert desk.send("/desk/mail/out/1/aside/").url.path == "/desk/"
    assert "550 gone" not in desk.page("/desk/")
