"""What is read in a bounce: the recorded ones, single rules, and mails that are made to be slow."""

import email
import email.message
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from host.mail.inbound.bounce import read_bounce
from host.mail.inbound.mail import Bounce
from host.mail.inbound.parsing import own_parts
from tests.patience import not_for_ever
from tests.rows import every
from tests.size import size

HERE = Path(__file__).parent
BOUNCES = sorted((HERE / "automatic").glob("*.bounce.eml"))
OTHERS = sorted({*(HERE / "automatic").glob("*.eml"), *(HERE / "person").glob("*.eml")} - set(BOUNCES))
TOKEN = "mfrggzdfmy2tqnrzgezdgnbvgy"
FIRST = "gezdgnbvgymfrggzdfmy2tqnrz"
OLDER = "nbswy3dpo5xxe3denfzsa2ltmu"
WITHOUT_LETTER = {"exim-delayed.delayed.bounce"}


def bounce_in(message: email.message.Message) -> Bounce | None:
    return read_bounce(message, own_parts(message))


def recorded(name: str) -> Bounce:
    found = bounce_in(email.message_from_bytes((HERE / "automatic" / f"{name}.bounce.eml").read_bytes()))
    assert found is not None
    return found


def report(*blocks: str, returned: str = "") -> email.message.Message:
    status = "\n\n".join(("Reporting-MTA: dns; mx.example.org", *blocks))
    return email.message_from_string(
        "From: MAILER-DAEMON@mx.example.org\nReturn-Path: <>\n"
        'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\n\n'
        f"--b\nContent-Type: text/plain\n\nIt came back.\n\n--b\nContent-Type: message/delivery-status\n\n{status}\n\n"
        f"--b\nContent-Type: message/rfc822\n\n{returned}\n\nHello\n--b--\n"
    )


def block(action: str, status: str, recipient: str = "rfc822; ann@example.net") -> str:
    return f"Final-Recipient: {recipient}\nAction: {action}\nStatus: {status}"


# The recorded mails


def test_there_are_bounces_of_each_kind() -> None:
    kinds = [file.name.split(".")[-3] for file in BOUNCES]
    assert kinds.count("fine") >= 5
    assert kinds.count("delayed") >= 4
    assert len(kinds) >= 30


@every("file", BOUNCES)
def test_a_recorded_bounce_says_who_which_letter_and_whether_for_good(file: Path) -> None:
    found = bounce_in(email.message_from_bytes(file.read_bytes()))
    if ".fine." in file.name:
        assert found is None
        return
    assert found is not None
    assert "ann@example.net" in found.recipients
    assert found.recipients <= {"ann@example.net", "ann.archer@elsewhere.example"}
    assert found.is_permanent is (".delayed." not in file.name)
    assert len(found.said) <= 200
    assert found.said.isprintable()
    if file.stem not in WITHOUT_LETTER:
        assert found.tokens[0] == TOKEN
        assert set(found.tokens) <= {TOKEN, OLDER}


@every("file", OTHERS)
def test_no_other_recorded_mail_is_read_as_a_bounce(file: Path) -> None:
    assert bounce_in(email.message_from_bytes(file.read_bytes())) is None


def test_what_the_server_said_is_one_line() -> None:
    assert recorded("opensmtpd-error").said == "550 Invalid recipient"
    assert recorded("qmail").said == "Remote host said: 550 5.1.1 sorry, no mailbox here by that name"
    assert recorded("gmail").said.startswith(
        "550-5.1.1 The email account that you tried to reach does not exist. Please"
    )


def test_final_and_original_recipient_both_count() -> None:
    assert recorded("forwarded-address-final-differs").recipients == {"ann@example.net", "ann.archer@elsewhere.example"}


def test_only_the_failed_one_of_two_recipients_counts() -> None:
    assert recorded("two-recipients-one-delivered").recipients == {"ann@example.net"}


# The report


@every(
    ("action", "status", "is_permanent"),
    [
        ("failed", "5.1.1", True),
        ("Failed (user unknown)", "5.1.1", True),
        ("failed", "4.4.7", True),
        ("error", "5.0.0", True),
        ("", "5.2.2", True),
        ("delayed", "4.4.1", False),
        ("Delayed", "5.4.1", False),
        ("", "4.4.1", False),
    ],
)
def test_the_action_decides_and_the_status_where_there_is_none(action: str, status: str, is_permanent: bool) -> None:
    found = bounce_in(report(block(action, status)))
    assert found == Bounce(frozenset({"ann@example.net"}), (), is_permanent, "")


@pytest.mark.parametrize("action", ["delivered", "relayed", "expanded", "Expanded (list)"])
def test_what_arrived_is_no_bounce(action: str) -> None:
    assert bounce_in(report(block(action, "2.0.0"))) is None


def test_a_failure_counts_before_a_delay() -> None:
    found = bounce_in(report(block("delayed", "4.4.1", "rfc822;bob@example.net"), block("failed", "5.1.1")))
    assert found is not None
    assert found.recipients == {"ann@example.net"}
    assert found.is_permanent


@pytest.mark.parametrize(
    "recipient", ["rfc822; Ann@Example.NET", "RFC822;<ann@example.net>", "ann@example.net", "utf-8; ann@example.net"]
)
def test_an_address_is_read_in_each_of_its_forms(recipient: str) -> None:
    found = bounce_in(report(block("failed", "5.1.1", recipient)))
    assert found is not None
    assert found.recipients == {"ann@example.net"}


def test_a_long_answer_of_the_server_is_cut_and_made_printable() -> None:
    found = bounce_in(report(block("failed", "5.1.1") + "\nDiagnostic-Code: smtp; 550 \x07no\n " + "x" * 900))
    assert found is not None
    assert found.said.startswith("550 no xxx")
    assert len(found.said) == 200


def test_a_bounce_without_a_sender_is_read() -> None:
    found = bounce_in(
        email.message_from_string(
            "Return-Path: <>\n\nHi. This is the qmail-send program at x.example.\nSorry.\n\n"
            f"<ann@example.net>:\n550 no such user\n\n--- Below this line\n\nMessage-ID:\n <{TOKEN}@example.org>\nTo: x\n"
        )
    )
    assert found == Bounce(frozenset({"ann@example.net"}), (TOKEN,), True, "550 no such user")


# The tokens


def test_the_returned_letter_comes_before_what_it_answered() -> None:
    returned = f"References: <{OLDER}@example.org> <other@example.org>\nMessage-ID: <{TOKEN}@example.org>"
    found = bounce_in(report(block("failed", "5.1.1"), returned=returned))
    assert found is not None
    assert found.tokens == (TOKEN, OLDER)


def test_without_a_returned_letter_the_token_stands_in_what_the_bounce_answers() -> None:
    message = report(block("failed", "5.1.1"))
    message["In-Reply-To"] = f"<{TOKEN.upper()}@example.org>"
    found = bounce_in(message)
    assert found is not None
    assert found.tokens == (TOKEN,)


@pytest.mark.parametrize("name", ["In-Reply-To", "References"])
def test_of_several_that_it_answers_the_last_comes_first(name: str) -> None:
    message = report(block("failed", "5.1.1"), returned=f"References: <{FIRST}@example.org> <{OLDER}@example.org>")
    message[name] = f"<{OLDER}@example.org> <{TOKEN}@example.org>"
    found = bounce_in(message)
    assert found is not None
    assert found.tokens == (TOKEN, OLDER, FIRST)


def test_what_is_no_token_is_left_out() -> None:
    found = bounce_in(report(block("failed", "5.1.1"), returned=f"Message-ID: <{TOKEN}a@example.org>"))
    assert found is not None
    assert found.tokens == ()


# Never raises, never slow


def hostile() -> list[tuple[str, str]]:
    daemon = "From: MAILER-DAEMON@x.example\nReturn-Path: <>\nSubject: failure notice\n"
    starts = (
        "A message that you sent could not be delivered\nThis Message was undeliverable due to the following reason:\n"
    )
    report_start = (
        daemon + "Content-Type: multipart/report; boundary=b\n\n--b\nContent-Type: message/delivery-status\n\n"
    )
    signs = size(1 << 17, 1 << 20)
    return [
        ("a line without end", daemon + "\n" + starts + "a" * signs),
        ("signs without end", daemon + "\n" + starts + "<" * signs),
        ("commas", daemon + "\n" + ", a@" * (signs // 4)),
        ("short lines", daemon + "\n" + starts + "a\n" * (signs // 2)),
        ("starts of bounces", daemon + "\n" + starts * (signs // len(starts))),
        ("references", daemon + "\n" + "References: <\n " * (signs // 15)),
        ("folded", daemon + "\nMessage-ID: x\n" + ">  \n" * (signs // 4)),
        ("blocks", report_start + "Action: failed\n\n" * (signs // 16)),
        ("recipients", report_start + "Action: failed\nFinal-Recipient: " + "a@" * (signs // 2) + "\n\n--b--\n"),
        ("encoded words", daemon.replace("failure notice", "=?a?q?" * (signs // 6)) + "\nx"),
        ("parameters", daemon + 'Content-Type: text/plain; x="' + ";" * signs + "\n\nx"),
        ("parts", daemon + "Content-Type: multipart/mixed; boundary=b\n\n" + "--b\n\nx\n" * (signs // 7)),
        ("commented", "Auto-Submitted: " + "(" * signs + "\nSubject: " + " [" * 9000 + "\n\nx"),
    ]


@pytest.mark.parametrize(("name", "text"), hostile(), ids=[name for name, _ in hostile()])
def test_much_of_anything_comes_to_an_end(name: str, text: str) -> None:
    """It is so long that the square of it would not."""
    message = email.message_from_string(text)
    with not_for_ever():
        bounce_in(message)


def damages(draw: random.Random) -> list[Callable[[bytes], bytes]]:
    return [
        lambda raw: raw[: draw.randrange(len(raw))],
        lambda raw: raw.replace(b"boundary", b"bound\xffary"),
        lambda raw: raw.replace(b":", b"", draw.randrange(9)),
        lambda raw: raw.replace(b"utf-8", draw.choice([b"nonsense", b"hex", b"idna", b"undefined"])),
        lambda raw: bytes(draw.choice(b"\xff\x00;\n=?<") if draw.random() < 0.02 else each for each in raw),
        lambda raw: raw.replace(b"text/plain", b"message/delivery-status"),
        lambda raw: raw.replace(b"message/rfc822", b"multipart/mixed"),
    ]


def test_damaged_mails_never_raise() -> None:
    draw = random.Random(7)
    for file in [*BOUNCES, *OTHERS]:
        for damage in damages(draw):
            bounce_in(email.message_from_bytes(damage(file.read_bytes())))
