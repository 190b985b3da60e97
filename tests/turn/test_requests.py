"""Subjects that are nearly those of a registration, and mails that ask what a game is."""

from datetime import timedelta

import pytest

from host.demo.robot import write
from host.games import GAMES
from host.store.schema import Inbound
from tests.size import a_few
from tests.turn.conftest import MakeDesk
from tests.turn.desk import ADDRESS, OPERATOR, SUBJECT, Desk, words
from tests.turn.test_registration import queue

ANN, EVE = "ann@example.net", "eve@example.net"


def mail(subject: str, body: str, headers: bytes = b"", to: str = ADDRESS, sender: str = EVE) -> bytes:
    return headers + write(sender, "Eve Fox", to, subject, body)


@pytest.mark.parametrize(
    "subject",
    a_few(
        [
            "champ cards registration",
            "Champ Card Contestant Registration",
            "Anmeldung: Chmap Cards",
            "Fwd: join champ cards",
        ]
    ),
)
def test_a_subject_that_is_nearly_right_registers(desk: Desk, subject: str) -> None:
    row = desk.write(ANN, ADDRESS, subject, "Name: Ann Lee, Hometown: Dayton")
    assert row.note == "registered for champ-cards, asked to confirm"
    desk.answer(ANN, "confirm")
    assert queue(desk) == ["Ann"]


@pytest.mark.parametrize(
    "subject",
    a_few(
        [
            f"{SUBJECT} and Bluffjack",
            f"{SUBJECT} / Bluffjack Contestant Registration",
            "Bluffjack and Champ Cards Contestant Registration",
        ]
    ),
)
def test_a_subject_names_two_games(make_desk: MakeDesk, subject: str) -> None:
    desk = make_desk(games={"champ-cards": {}, "bluffjack": {}})
    row = desk.write(ANN, ADDRESS, subject, "Name: Ann Lee")
    assert row.note == "registered for bluffjack, champ-cards, asked to confirm"


def test_a_subject_names_a_game_that_is_not_played_here(desk: Desk) -> None:
    desk.write(ANN, ADDRESS, f"{SUBJECT} and Bluffjack", "Name: Ann Lee")
    assert "The other game that you named is not played here." in words(desk.last(ANN))


def test_a_title_alone_is_answered_with_the_announcement(desk: Desk) -> None:
    row = desk.write(ANN, ADDRESS, "Champ Cards", "how do I join?")
    assert row.state == "answered"
    letter = desk.last(ANN)
    assert letter.kind == "help"
    assert "played entirely by e-mail" in words(letter)
    assert f"with the subject “{SUBJECT}”" in words(letter)
    assert ADDRESS in words(letter)
    assert letter.headers["auto-submitted"] == "auto-replied"
    assert queue(desk) == []


@pytest.mark.parametrize(
    "body", a_few(["Name: Ann Lee\nHometown: Dayton", "My name is Ann Lee", "yes please, I would like to play!"])
)
def test_an_answer_to_the_announcement_registers(desk: Desk, body: str) -> None:
    desk.write(ANN, ADDRESS, "Champ Cards?", "What is this?", name="Ann Lee")
    desk.answer(ANN, body)
    assert desk.last(ANN).kind == "confirm"
    desk.answer(ANN, "confirm")
    assert len(queue(desk)) == 1


def test_the_link_of_the_announcement_registers(desk: Desk) -> None:
    desk.write(ANN, ADDRESS, "Champ Cards", "What is this?")
    (link,) = desk.last(ANN).links
    assert "Hometown" in link
    desk.answer(ANN, "Name (first and last, please): Ann Lee\nName you go by at TGSF (if you have one): \nHometown: ")
    assert "Name: Ann Lee; Nickname: none" in words(desk.last(ANN))


@pytest.mark.parametrize("body", ["Thank you!", "No thanks", "how long does it take?"])
def test_other_answers_to_the_announcement_lead_to_nothing(desk: Desk, body: str) -> None:
    desk.write(ANN, ADDRESS, "Champ Cards", "What is this?")
    before = desk.count()
    desk.answer(ANN, body)
    assert desk.count() == before


def test_a_title_with_a_form_is_a_registration(desk: Desk) -> None:
    desk.write(ANN, ADDRESS, "Champ Cards", "Please sign me up! My name is Ann Lee.")
    assert desk.last(ANN).kind == "confirm"


SILENT = {
    "a reply": mail("Champ Cards", "hello", b"In-Reply-To: <1@elsewhere.example>\r\n"),
    "a reply by its subject": mail("Re: Champ Cards", "hello"),
    "a nearly right subject in a reply": mail("champ cards registration", "Name: Eve Fox", b"References: <1@x>\r\n"),
    "a letter of ours, its token lost": mail("Champ Cards: your place [CC]", "hello"),
    "to a list": mail("Champ Cards", "hello", to="cards@lists.example"),
    "from a list": mail("Champ Cards", "hello", b"List-Id: <cards.lists.example>\r\nPrecedence: list\r\n"),
    "an automatic answer": mail("Champ Cards", "I am away", b"Auto-Submitted: auto-replied\r\n"),
    "an automatic answer by its subject": mail("Automatic reply: Champ Cards", "I am away"),
    "a bounce": mail("Champ Cards", "It came back", sender="mailer-daemon@example.net"),
    "the host itself": mail("Champ Cards", "hello", sender=ADDRESS),
    "another subject": mail("A split decision in the senate", "hello"),
    "a refusal": mail("Cancel my champ cards registration", "hello"),
    "a game that is not offered": mail("Bluffjack", "hello"),
}


@pytest.mark.parametrize("raw", SILENT.values(), ids=list(SILENT))
def test_what_is_not_answered(desk: Desk, raw: bytes) -> None:
    row = desk.deliver(raw)
    assert row.state in ("stranger", "silent")
    assert desk.count() == 0


def test_a_game_that_is_not_offered_is_answered_where_somebody_wants_to_play_it(desk: Desk) -> None:
    desk.write(EVE, ADDRESS, "blufjack registration", "Name: Eve Fox")
    assert "not played here" in words(desk.last(EVE))


def test_a_question_how_to_join_is_answered_with_all_games(make_desk: MakeDesk) -> None:
    desk = make_desk(games={slug: {} for slug in GAMES})
    desk.write(EVE, ADDRESS, "How do I sign up for the card show?", "I saw it in the forum.")
    assert desk.last(EVE).kind == "help"
    for game in GAMES.values():
        assert game.subject in words(desk.last(EVE))


@pytest.mark.parametrize("subject", ["", "(no subject)", "How do I sign up for the card show?"])
def test_where_the_subject_says_nothing_the_body_registers(desk: Desk, subject: str) -> None:
    row = desk.write(EVE, ADDRESS, subject, "I want to register for Champ Cards. Name: Wes Ton", name="eve")
    assert row.note == "registered for champ-cards, asked to confirm"
    assert "Name: Wes Ton" in words(desk.last(EVE))


@pytest.mark.parametrize("body", ["Dinner at eight?", "I play cards. Name: Eve Fox", "Champ Cards"])
def test_a_body_that_asks_for_nothing_is_left_alone(desk: Desk, body: str) -> None:
    row = desk.write(EVE, ADDRESS, "", body)
    assert (row.state, row.raw, desk.count()) == ("stranger", None, 0)


def test_who_plays_registers_by_no_body(desk: Desk) -> None:
    desk.begin()
    row = desk.write(ANN, ADDRESS, "", "I play space 5 in Champ Cards")
    assert row.note == "no token"


def test_an_answer_to_the_announcement_without_labels_is_read(desk: Desk) -> None:
    desk.write(EVE, ADDRESS, "Champ Cards?", "What is this?", name="e.f.")
    desk.answer(EVE, "Sounds fun, I am in. Zed Zeppelin, Tulsa")
    assert "Name: Zed Zeppelin; Nickname: none; Hometown: Tulsa" in words(desk.last(EVE))
    assert "no name" not in words(desk.last(EVE))


@pytest.mark.storm
def test_announcements_count_like_registrations(desk: Desk) -> None:
    for number in range(10):
        desk.deliver(mail("Champ Cards", f"what is it? {number}"))
    assert len(desk.letters(EVE)) == 3
    for number in range(40):
        desk.deliver(mail("Champ Cards", "what is it?", sender=f"s{number}@example.com"))
    assert len([to for to, _, _ in desk.sent if to != OPERATOR]) == 30


def test_nearly_right_subjects_count_like_registrations(desk: Desk) -> None:
    for number in range(40):
        desk.deliver(mail("champ card registration", "Name: Zed Zed", sender=f"s{number}@example.com"))
    assert len([to for to, _, _ in desk.sent if to != OPERATOR]) == 30


def test_who_declined_hears_nothing(desk: Desk) -> None:
    desk.write(ANN, ADDRESS, SUBJECT, "Name: Ann Lee")
    desk.answer(ANN, "no, it was not me")
    before = desk.count()
    desk.write(ANN, ADDRESS, "Champ Cards", "how do I join?")
    assert desk.count() == before


def test_a_contestant_who_plays_is_told_how_to_reply(desk: Desk) -> None:
    desk.begin()
    row: Inbound = desk.write(ANN, ADDRESS, "Champ Cards", "pick 5")
    assert row.note == "no token"
    assert "Please use Reply" in desk.last(ANN).page
    assert "was passed on" not in desk.last(ANN).page


def test_replies_to_letters_that_are_gone_get_one_letter(desk: Desk) -> None:
    """As after a restore, when mails of before are read again."""
    desk.begin()
    desk.later(hours=3)
    came = desk.now - timedelta(hours=2)
    before = len(desk.letters(ANN))
    for number in range(8):
        gone = write(
            ANN, "Ann", f"games+{'a' * 24}{'bcdefghk'[number]}2@example.org", "Re: your turn", f"cut {number + 3}"
        )
        row = desk.deliver(gone, arrived=came + timedelta(minutes=number))
    assert [each.kind for each in desk.letters(ANN)[before:]] == ["refused"]
    assert "I no longer know the letter that you answered" in words(desk.last(ANN))
    assert row.note == "an unknown token; not answered: a letter has gone to its writer since it came"
    row = desk.answer(ANN, "cut 5")
    assert row.state == "played"
