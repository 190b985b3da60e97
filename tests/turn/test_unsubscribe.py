"""The unsubscribe button of a mail program: it takes out of queues at once, and asks before anybody resigns."""

from email.message import EmailMessage
from urllib.parse import parse_qs, unquote

import pytest

from host.demo.robot import ReadLetter
from tests.size import a_few
from tests.turn.conftest import MakeDesk
from tests.turn.desk import Desk, words

ANN, BOB, CLEO = "ann@example.net", "bob@example.net", "cleo@example.net"


def pressed(letter: ReadLetter, address: str, subject: str | None) -> bytes:
    """The mail that a mail program writes by itself: no quotation, no reference, and the subject that it likes best.

    A subject that the link has is kept by all (RFC 6068).
    """
    link = letter.headers["list-unsubscribe"]
    assert link.startswith("<mailto:")
    target, _, query = link.removeprefix("<mailto:").removesuffix(">").partition("?")
    fields = parse_qs(query)
    mail = EmailMessage()
    mail["From"] = address
    mail["To"] = unquote(target)
    asked = fields["subject"][0] if "subject" in fields else subject
    if asked is not None:
        mail["Subject"] = asked
    mail["Message-ID"] = f"<{abs(hash((target, asked)))}@example.net>"
    mail.set_content(fields["body"][0] + "\n")
    return mail.as_bytes()


SUBJECTS = [None, "", "unsubscribe", "Unsubscribe from this list"]


@pytest.mark.parametrize("plus", [True, False])
@pytest.mark.parametrize("subject", a_few(SUBJECTS))
def test_a_queue_is_left_at_once(make_desk: MakeDesk, subject: str | None, plus: bool) -> None:
    desk = make_desk(security={"plus_addressing": plus})
    desk.register(ANN, "Ann Lee")
    assert desk.last(ANN).kind == "registered"
    row = desk.deliver(pressed(desk.last(ANN), ANN, subject))
    assert row.state == "answered"
    assert "You left the queue of Champ Cards" in words(desk.last(ANN))
    desk.register(BOB, "Bob Ray")
    assert desk.last(BOB).kind == "registered", "nobody waits there to play with"


@pytest.mark.parametrize("plus", [True, False])
@pytest.mark.parametrize("subject", a_few(SUBJECTS))
def test_an_episode_is_left_only_after_a_question(make_desk: MakeDesk, subject: str | None, plus: bool) -> None:
    desk = make_desk(security={"plus_addressing": plus})
    desk.begin()
    before = len(desk.letters(BOB))
    desk.deliver(pressed(desk.last(ANN), ANN, subject))
    assert "Reply with resign yes / no, or in your own words." in words(desk.last(ANN))
    assert len(desk.letters(BOB)) == before, "nobody resigned yet"
    desk.answer(ANN, "yes")
    assert "Ann resigned" in words(desk.last(BOB))


def test_who_never_confirmed_is_left_in_peace(desk: Desk) -> None:
    desk.write(CLEO, "games@example.org", desk.game.subject, "Name: Cleo Fox")
    before = desk.count()
    desk.deliver(pressed(desk.last(CLEO), CLEO, "unsubscribe"))
    desk.register(ANN, "Ann Lee")
    assert desk.last(ANN).kind in ("registered", "confirm")
    assert not [
        letter for _, letter, _ in desk.sent[before:] if letter.headers["to"] == CLEO and letter.kind == "confirm"
    ]


def test_every_letter_to_a_contestant_has_the_button_and_no_letter_to_an_operator(desk: Desk) -> None:
    desk.begin()
    desk.answer(ANN, "host hello")
    desk.answer(ANN, "status")
    desk.answer(ANN, "nonsense")
    assert {letter.kind for _, letter, _ in desk.sent} > {"confirm", "begin", "help", "refused", "alert"}
    for _, letter, _ in desk.sent:
        assert ("list-unsubscribe" in letter.headers) is (letter.kind != "alert")
