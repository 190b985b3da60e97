"""What is not a reply: recorded mails of programs and of persons, and single rules."""

import email
import email.message
import email.utils
import random
from email.header import Header
from pathlib import Path

import pytest

from host.mail.inbound.automatic import why_silent
from host.mail.inbound.bounce import read_bounce
from host.mail.inbound.parsing import own_parts
from tests.mail.inbound.test_bounce import damages, hostile
from tests.patience import not_for_ever
from tests.rows import every

HERE = Path(__file__).parent
AUTOMATIC = sorted((HERE / "automatic").glob("*.eml"))
PERSONS = sorted((HERE / "person").glob("*.eml"))


def of(message: email.message.Message, sender: str | None = None) -> str | None:
    address = email.utils.parseaddr(str(message.get("From", "")))[1] if sender is None else sender
    parts = own_parts(message)
    return why_silent(message, parts, address, read_bounce(message, parts))


def silence(*headers: str, sender: str = "ann@example.net") -> str | None:
    return of(email.message_from_string("\n".join((*headers, "", "pick 5\n"))), sender)


# The recorded mails


def test_there_are_enough_recorded_mails_and_each_has_its_expectation() -> None:
    assert len(AUTOMATIC) >= 70
    assert len(PERSONS) >= 25
    assert {file.name.split(".")[-2] for file in AUTOMATIC} == {"automatic", "bounce", "list", "own"}
    assert len([file for file in AUTOMATIC if file.name.startswith("outlook-")]) >= 25


@every("file", AUTOMATIC)
def test_a_recorded_mail_of_a_program_is_known_for_what_it_is(file: Path) -> None:
    assert of(email.message_from_bytes(file.read_bytes())) == file.name.split(".")[-2]


@every("file", PERSONS)
def test_a_recorded_mail_of_a_person_is_answered(file: Path) -> None:
    assert of(email.message_from_bytes(file.read_bytes())) is None


# The rules


def test_our_own_mail_is_known_before_all_else() -> None:
    assert silence("X-Podium-Kind: turn", "List-Id: x", "Auto-Submitted: auto-replied", "Return-Path: <>") == "own"


def test_more_than_thirty_hops_are_a_loop() -> None:
    assert silence(*["Received: from a by b"] * 30) is None
    assert silence(*["Received: from a by b"] * 31) == "automatic"


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ((), "bounce"),
        (("Auto-Submitted: auto-generated",), "bounce"),
        (("Auto-Submitted: auto-replied",), "automatic"),
        (("Auto-Submitted: Auto-Replied (vacation)",), "automatic"),
        (("X-Autoreply: yes",), "automatic"),
        (("Subject: Automatic reply: CC-12", "Auto-Submitted: auto-generated"), "automatic"),
        (("Content-Type: multipart/report; boundary=b", "Auto-Submitted: auto-replied"), "bounce"),
    ],
)
def test_a_null_return_path_is_a_bounce_unless_a_responder_says_so(more: tuple[str, ...], expected: str) -> None:
    assert silence("Return-Path: <>", *more) == expected


@every(
    ("header", "expected"),
    [
        ("Auto-Submitted: no", None),
        ("Auto-Submitted: No; reason=typed", None),
        ("Auto-Submitted: (by hand) no", None),
        ("Auto-Submitted:", None),
        ("Auto-Submitted: auto-generated", "automatic"),
        ("Auto-Submitted: (robot) AUTO-REPLIED; x=y", "automatic"),
        ("Auto-Submitted: yes", "automatic"),
        ("Precedence: auto_reply", "automatic"),
        ("Precedence: bulk", "list"),
        ("Precedence: List", "list"),
        ("Precedence: junk", "list"),
        ("Precedence: normal", None),
        ("Precedence: first-class", None),
        ("X-Autoreply: yes", "automatic"),
        ("X-Autoreply: no", None),
        ("X-Autorespond: CC-12", "automatic"),
        ("X-Autoresponse: 1", "automatic"),
        ("X-Auto-Reply-From: ann@example.net", "automatic"),
        ("x-auto-reply-from-address: ann@example.net", "automatic"),
        ("X-Auto-Response-Suppress: All", None),
        ("List-Id: <x.example.net>", "list"),
        ("List-Post: <mailto:x@example.net>", "list"),
        ("List-Unsubscribe: <mailto:x@example.net>", None),
        ("X-Failed-Recipients: bob@example.net", "bounce"),
        ("Content-Type: message/disposition-notification", "automatic"),
        ("Content-Type: multipart/report; report-type=disposition-notification; boundary=b", "automatic"),
        ("Content-Type: message/delivery-status", "bounce"),
        ("Content-Type: text/calendar; method=REPLY", "automatic"),
        ("Content-Type: text/calendar; method=REQUEST", None),
    ],
)
def test_one_header_decides(header: str, expected: str | None) -> None:
    assert silence(header) == expected


def test_a_responder_that_calls_itself_bulk_is_automatic() -> None:
    assert silence("Precedence: bulk", "Auto-Submitted: auto-replied") == "automatic"


@every(
    ("sender", "expected"),
    [
        ("mailer-daemon@x.example", "bounce"),
        ("MAILER-DAEMON@x.example", "bounce"),
        ("Postmaster@x.example", "bounce"),
        ("no-reply@x.example", "automatic"),
        ("noreply@x.example", "automatic"),
        ("No.Reply@x.example", "automatic"),
        ("do-not-reply@x.example", "automatic"),
        ("donotreply@x.example", "automatic"),
        ("shop-noreply@x.example", "automatic"),
        ("noreply+ann@x.example", "automatic"),
        ("noreply2@x.example", "automatic"),
        ("autoreply@x.example", "automatic"),
        ("noreplyson@x.example", None),
        ("casino.reply@x.example", None),
        ("ann@noreply.example", None),
        ("postmasters@x.example", None),
        ("", None),
    ],
)
def test_an_address_may_say_that_nobody_is_there(sender: str, expected: str | None) -> None:
    assert silence(sender=sender) == expected


@every(
    "subject",
    [
        "Automatic reply: CC-12",
        "AUTOMATIC   REPLY : CC-12",
        "Out of Office",
        "Out of Office - back on Monday",
        "Out of Office AutoReply: Re: CC-12",
        "[EXTERNAL] [SPAM?] Automatic reply: CC-12",
        "***SPAM*** Autoreply: CC-12",
        "Réponse automatique\u00a0: CC-12",
        "Re\u0301ponse automatique : CC-12",
        "自動応答：CC-12",
        "Abwesenheitsnotiz",
        "OOO: Re: CC-12",
        "Afwezig: CC-12",
        "AUTO: Ann Archer is out of the office (returning 11/20/2026)",
    ],
)
def test_a_subject_that_begins_like_a_responders_is_one(subject: str) -> None:
    assert silence(f"Subject: {subject}") == "automatic"
    assert silence(f"Subject: {Header(subject, 'utf-8').encode()}") == "automatic"


@every(
    "subject",
    [
        "Re: Automatic reply: CC-12",
        "Fwd: Out of Office: CC-12",
        "AW: Abwesenheitsnotiz: CC-12",
        "My automatic reply: CC-12",
        "Out of office tomorrow",
        "Out of office-related things",
        "Autoreplying: how?",
        "Auto: red or blue",
        "On vacation - please wait",
        "自動応答について",
    ],
)
def test_a_subject_that_a_person_writes_is_answered(subject: str) -> None:
    assert silence(f"Subject: {subject}") is None
    assert silence(f"Subject: {Header(subject, 'utf-8').encode()}") is None


def test_a_bounce_is_known_by_its_text_only_under_a_programs_subject_or_name() -> None:
    text = "\n\nHi. This is the qmail-send program at x.example.\nSorry.\n\n<ann@example.net>:\n550 no such user\n\n--- Below"
    for header, expected in [
        ("Subject: failure notice", "bounce"),
        ("From: Mail Delivery System <robot@x.example>", "bounce"),
        ("Subject: Re: failure notice", None),
        ("Subject: my move", None),
    ]:
        assert of(email.message_from_string(header + text), "robot@x.example") == expected, header


def test_a_programs_subject_alone_is_no_bounce() -> None:
    assert silence("Subject: Failure notice") is None


# Never raises, never slow


@pytest.mark.parametrize(("name", "text"), hostile(), ids=[name for name, _ in hostile()])
def test_much_of_anything_comes_to_an_end(name: str, text: str) -> None:
    message = email.message_from_string(text)
    with not_for_ever():
        assert of(message) in {None, "automatic", "bounce", "list"}


def test_damaged_mails_never_raise() -> None:
    draw = random.Random(8)
    for file in [*AUTOMATIC, *PERSONS]:
        for damage in damages(draw):
            assert of(email.message_from_bytes(damage(file.read_bytes()))) in {
                None,
                "automatic",
                "bounce",
                "list",
                "own",
            }
