"""A letter as a mail: the same as the standard library would write it, but for the boundaries."""

import email
import email.policy
import re
from email.headerregistry import Address
from email.message import EmailMessage
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from host.mail.inbound.sent_text import letter_forms
from host.mail.outbound.render import UNFOLDED, header, mailbox, message
from tests.size import size

JSONL = "application/jsonl"
MARK = "o2ycnphhsavuqve3t6nr3wau5u"
HEADERS = (
    ("From", "The Millionaire <games@example.org>"),
    ("To", "ann@example.net"),
    ("Subject", "Champ Cards: Ann v Bob [CC-12]"),
    ("Message-ID", f"<{MARK}@example.org>"),
)
SURROGATES: Any = ["Cs"]
texts = st.text(st.characters(exclude_categories=SURROGATES), min_size=1, max_size=400)
printed = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), max_size=120)
plain = st.text(st.sampled_from("ab Z09 ,.:;<>()[]@\"'=?_-+&/\\"), max_size=60)


def by_the_library(text: str, page: str, attachment: tuple[str, bytes] | None = None) -> EmailMessage:
    whole = EmailMessage(policy=UNFOLDED)
    for name, value in HEADERS:
        whole[name] = value
    whole.set_content(text, cte="quoted-printable")
    whole.add_alternative(page, subtype="html", cte="quoted-printable")
    if attachment:
        whole.add_attachment(attachment[1], maintype="application", subtype="jsonl", filename=attachment[0])
    return read(whole.as_bytes())


def read(data: bytes) -> EmailMessage:
    found = email.message_from_bytes(data, policy=email.policy.default)
    assert isinstance(found, EmailMessage)
    return found


def content(whole: EmailMessage) -> list[tuple[str, ...]]:
    """Each part: its type, charset, disposition and name, and what it holds."""
    assert not whole.defects
    found = []
    for part in whole.walk():
        assert isinstance(part, EmailMessage)
        assert not part.defects
        held = b"" if part.is_multipart() else part.get_payload(decode=True)
        assert isinstance(held, bytes)
        marks = (part.get_content_charset(), part.get_content_disposition(), part.get_filename())
        found.append((part.get_content_type(), *map(str, marks), repr(held)))
    return found


@given(texts, texts)
@example("no end of line", "\n\n")
@example(".\n..\nFrom me\n.", "<p>=_x = \t</p> \n")
@example("trailing \nspaces\t\n \n", "a" * 300)
@example("one\r\ntwo\rthree\nfour", "é" * 100 + "\n--=_" + MARK + "--\n")
@example("a\x0bb\x0cc\x1cd\x85e\u2028f\0g", "♠\ufe0e" * 40)
@settings(deadline=None)
def test_both_forms_are_read_as_the_librarys(text: str, page: str) -> None:
    data = message(HEADERS, text, page, MARK)
    found, expected = read(data), by_the_library(text, page)
    assert content(found) == content(expected)
    assert found.items()[:-1] == [item for item in expected.items() if item[0] != "Content-Type"]


@given(texts, texts)
@settings(deadline=None)
def test_all_lines_are_short_ascii_and_end_in_crlf(text: str, page: str) -> None:
    data = message(HEADERS, text, page, MARK)
    data.decode("ascii")
    assert data.endswith(b"--\r\n")
    assert b"\n" not in data.replace(b"\r\n", b"")
    assert b"\r" not in data.replace(b"\r\n", b"")
    for line in data.split(b"\r\n"):
        assert len(line) <= 76
        assert line != b"."
        assert not line.endswith((b" ", b"\t"))


@given(texts, st.binary(max_size=500), st.sampled_from(["CC-12.jsonl", "a b.jsonl", "Zoë “1”.jsonl", "x" * 90]))
@settings(deadline=None)
def test_an_attachment_is_read_as_the_librarys(text: str, held: bytes, filename: str) -> None:
    found = read(message(HEADERS, text, "<p>page</p>", MARK, [(filename, held, JSONL)]))
    assert content(found) == content(by_the_library(text, "<p>page</p>", (filename, held)))
    (part,) = found.iter_attachments()
    assert part.get_payload(decode=True) == held


def test_the_same_letter_is_the_same_bytes() -> None:
    first, second = (message(HEADERS, "text", "page", MARK, [("f.jsonl", b"record", JSONL)]) for _ in range(2))
    assert first == second
    assert len(set(re.findall(rb'boundary="([^"]+)"', first))) == 2


@given(st.sampled_from(["Subject", "References", "In-Reply-To", "X-Podium-Kind"]), plain | printed)
@example("Subject", "Champ Cards: Zoë v 李 [CC-12]")
@example("Subject", "=?utf-8?q?a?= b")
@example("Subject", "a  b ")
@example("Subject", " a")
@example("Subject", "x" * 1200)
@example("Subject", "word " * 300)
@example("References", " ".join(["<" + "a" * 200 + "@example.org>"] * 6))
@settings(deadline=None)
def test_a_header_is_the_librarys_to_the_byte(name: str, value: str) -> None:
    assert header(name, value) == UNFOLDED.header_store_parse(name, value)[1].fold(policy=UNFOLDED)


@given(st.emails() | st.sampled_from(["a..b@c.de", '"a b"@c.de', "zoë@example.net", "a@b, c@d", "Ann <a@b.c>"]))
@settings(max_examples=size(20, 50), deadline=None)
def test_an_address_is_the_librarys_to_the_byte(address: str) -> None:
    assert header("To", address) == UNFOLDED.header_store_parse("To", address)[1].fold(policy=UNFOLDED)


@given(printed | plain)
@example("Zoë “Die Große”, 李")
@example('Host, "The" (Inc.)')
@example("")
@settings(max_examples=size(20, 50), deadline=None)
def test_a_senders_name_is_the_librarys_to_the_byte(name: str) -> None:
    expected = UNFOLDED.header_store_parse("From", (Address(name, "games", "example.org"),))[1]
    assert header("From", mailbox(name, "games@example.org")) == expected.fold(policy=UNFOLDED)


@pytest.mark.parametrize("broken", ["a\nBcc: b@example.net", "a\r\nb", "a\rb", "é\nb"])
def test_a_line_break_is_no_header(broken: str) -> None:
    for name in ("Subject", "To", "References"):
        with pytest.raises(ValueError, match=r"linefeed|carriage"):
            header(name, broken)


def lines(form: str) -> str:
    """As a letter has them, which knows one way to end a line."""
    return b"".join(line + b"\n" for line in form.encode().splitlines()).decode()


@given(texts, texts, st.booleans())
@example('Content-Type: multipart/alternative; boundary="x"', "--=_x\r\n\r\n--=_x--", True)
@settings(deadline=None)
def test_what_was_written_is_read_again(text: str, page: str, with_file: bool) -> None:
    files = [("CC-12.jsonl", text.encode(), JSONL)] if with_file else []
    subject = ("Subject", 'Content-Type: multipart/alternative; boundary="=_no"')
    written = message([*HEADERS, subject], text, page, MARK, files)
    assert letter_forms(written) == (lines(text), lines(page))
    body = read(written).get_body(("html",))
    assert body is not None
    assert body.get_content().replace("\r\n", "\n") == lines(page)
