"""What is read in mails: recorded replies of many mail programs, and mails that nobody should have to read."""

import email
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from host.mail.inbound.mail import Mail, mail_from_json
from host.mail.inbound.page import html_to_text
from host.mail.inbound.quotation import read_lines
from host.mail.inbound.reply import open_mail, sent_texts
from host.mail.inbound.sent_text import SentText
from tests.mail.inbound.typed import typed_in
from tests.rows import every
from tests.size import a_few, size

REPLIES = Path(__file__).parent / "replies"
NAMES = sorted(file.stem for file in REPLIES.glob("*.eml"))
TOKEN = "o2ycnphhsavuqve3t6nr3wau5u"
SILENCES = {None, "automatic", "bounce", "list", "own"}


def wanted(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((REPLIES / f"{name}.json").read_text("utf-8"))
    return found


# The recorded replies


def test_each_reply_has_its_reading_and_each_reading_its_reply() -> None:
    assert sorted(file.stem for file in REPLIES.glob("*.json")) == NAMES
    assert len(NAMES) > 150
    assert {file.suffix for file in REPLIES.iterdir() if file.is_file()} == {".eml", ".json"}


def test_each_reading_is_whole_and_each_letter_is_there_and_used() -> None:
    letters = set()
    for name in NAMES:
        found = wanted(name)
        assert set(found) == {"letter", "from", "token", "lines", "silence"}, name
        assert found["silence"] in SILENCES, name
        letters.add(found["letter"])
    assert letters - {None} == {file.name for file in (REPLIES / "letters").iterdir()}


@every("name", NAMES)
def test_recorded_reply(name: str) -> None:
    found = wanted(name)
    mail = open_mail((REPLIES / f"{name}.eml").read_bytes())
    sent = sent_texts((REPLIES / "letters" / found["letter"]).read_bytes()) if found["letter"] else []
    assert mail.problem is None
    assert mail.silence == found["silence"]
    assert mail.sender == found["from"]
    if found["silence"] is None:
        assert (mail.tokens[0] if mail.tokens else None) == found["token"]
        assert list(typed_in(mail, sent).lines) == found["lines"]


@every("name", a_few(NAMES, 40))
def test_a_reply_through_other_line_ends_reads_the_same(name: str) -> None:
    raw = (REPLIES / f"{name}.eml").read_bytes().replace(b"\r\n", b"\n")
    one, other = open_mail(raw), open_mail(raw.replace(b"\n", b"\r\n"))
    assert one == other
    assert one.content_key == other.content_key


# Who, which, what


def mail(body: str = "pick 5", /, **headers: str | list[str]) -> Mail:
    """A plain mail; a header may stand in it several times."""
    known: dict[str, str | list[str]] = {"From": "Ann <ann@example.net>", "To": "games@example.org"}
    lines = [
        f"{name.replace('_', '-')}: {value}"
        for name, values in (known | headers).items()
        for value in ([values] if isinstance(values, str) else values)
    ]
    return open_mail("\r\n".join([*lines, "", body]).encode("utf-8", "surrogateescape"))


@pytest.mark.parametrize(
    ("date", "minutes"),
    [
        ("Fri, 20 Nov 2026 13:00:00 +0100", 60),
        ("Fri, 20 Nov 2026 13:00:00 -0330", -210),
        ("Fri, 20 Nov 2026 13:00:00 -0000", None),
        ("Fri, 20 Nov 2026 13:00:00 +9999", None),
        ("yesterday", None),
        ("", None),
    ],
)
def test_how_far_a_date_is_ahead_of_utc(date: str, minutes: int | None) -> None:
    assert mail(Date=date).offset == minutes
    assert mail_from_json(json.loads(json.dumps(asdict(mail(Date=date)), default=list))).offset == minutes


def test_a_plain_mail() -> None:
    found = mail("pick 5\r\n\r\n  keep  \r\n", Subject="Re: Champ\r\n Cards", Message_ID=" <1@example.net> ")
    assert found.sender == "ann@example.net"
    assert found.display_name == "Ann"
    assert found.subject == "Re: Champ Cards"
    assert found.message_id == "<1@example.net>"
    assert typed_in(found).lines == ("pick 5", "keep")
    assert (found.tokens, found.silence, found.problem) == ((), None, None)


@every(
    "headers",
    [
        {"To": f"games+{TOKEN}@example.org"},
        {"To": f'"The Millionaire" <GAMES+{TOKEN.upper()}@example.org>'},
        {"Cc": f"x@example.org, games+{TOKEN}@example.org"},
        {"Delivered_To": f"games+{TOKEN}@example.org"},
        {"X_Original_To": f"games+{TOKEN}@example.org"},
        {"Subject": f"Re: Champ Cards [CC-12 {TOKEN}]"},
        {"In_Reply_To": f"<{TOKEN}@example.org>"},
        {"References": f"<1@example.net>\r\n <{TOKEN}@example.org>"},
    ],
)
def test_where_a_token_may_stand(headers: dict[str, str | list[str]]) -> None:
    assert mail(**headers).tokens == (TOKEN,)


@pytest.mark.parametrize(
    "line", [f"Ref: CC-12 {TOKEN}", f"> Ref: CC-12 {TOKEN}", f"ref CC-12 {TOKEN.upper()}", f"<p>Ref: CC-12 {TOKEN}</p>"]
)
def test_a_token_in_the_reference_line(line: str) -> None:
    assert mail(f"pick 5\r\n\r\n{line}").tokens == (TOKEN,)


@pytest.mark.parametrize("text", [TOKEN[:-1], TOKEN + "a", TOKEN.replace("o", "0"), "", "x" * 25])
def test_what_is_no_token(text: str) -> None:
    assert mail(f"Ref: CC-12 {text}", To=f"games+{text}@example.org", Subject=f"[CC-12 {text}]").tokens == ()


def test_the_address_comes_before_subject_references_and_text() -> None:
    tokens = ["a" * 26, "b" * 26, "c" * 26, "d" * 26]
    found = mail(
        f"Ref: CC-1 {tokens[3]}",
        To=f"games+{tokens[0]}@example.org",
        Subject=f"[CC-1 {tokens[1]}]",
        In_Reply_To=f"<{tokens[2]}@example.org>",
        References=f"<{tokens[0]}@example.org> <{tokens[2]}@example.org>",
    )
    assert found.tokens == tuple(tokens)


@every(
    "headers",
    [
        {"From": ["Ann <ann@example.net>", "Bob <bob@example.net>"]},
        {"From": ["Ann <ann@example.net>", "Ann <ann@example.net>"]},
        {"From": "ann@example.net, bob@example.net"},
        {"From": ""},
        {"From": "Ann"},
        {"From": "<>"},
        {"From": "Ann <ann at example.net>"},
        {"From": []},
    ],
)
def test_without_one_sender_there_is_a_problem(headers: dict[str, str | list[str]]) -> None:
    found = mail(**headers)
    assert found.problem
    assert found.sender == ""


@every(
    ("headers", "silence"),
    [
        ({"Auto_Submitted": "auto-replied"}, "automatic"),
        ({"Auto_Submitted": "auto-generated; owner-email=x"}, "automatic"),
        ({"Auto_Submitted": "no"}, None),
        ({"Auto_Submitted": ""}, None),
        ({"Precedence": "auto_reply"}, "automatic"),
        ({"Precedence": "bulk"}, "list"),
        ({"Precedence": "List"}, "list"),
        ({"Precedence": "junk"}, "list"),
        ({"Precedence": "first-class"}, None),
        ({"List_Id": "<talk.example.org>"}, "list"),
        ({"List_Unsubscribe": "<mailto:x@example.org>"}, None),
        ({"X_Autoreply": "yes"}, "automatic"),
        ({"X_Autorespond": "vacation"}, "automatic"),
        ({"X_Auto_Response_Suppress": "All"}, None),
        ({"From": "noreply@example.net"}, "automatic"),
        ({"From": "Do-Not-Reply@example.net"}, "automatic"),
        ({"From": "MAILER-DAEMON@example.net"}, "bounce"),
        ({"From": "postmaster@example.net"}, "bounce"),
        ({"Return_Path": "<>"}, "bounce"),
        ({"Return_Path": "<>", "Auto_Submitted": "auto-replied"}, "automatic"),
        ({"X_Failed_Recipients": "x@example.org"}, "bounce"),
        ({"Content_Type": "multipart/report; boundary=x"}, "bounce"),
        ({"X_Podium_Kind": "turn"}, "own"),
    ],
)
def test_who_gets_no_answer(headers: dict[str, str | list[str]], silence: str | None) -> None:
    assert mail(**headers).silence == silence


def test_two_copies_have_one_key_and_other_words_another() -> None:
    first = mail("pick 5", Message_ID="<1@x>", Received="a", Delivered_To="x@y")
    assert first.content_key == mail("pick  5\r\n", Message_ID="<1@x>", Received="b").content_key
    assert first.content_key != mail("pick 6", Message_ID="<1@x>").content_key
    assert first.content_key != mail("pick 5", Message_ID="<2@x>").content_key


@pytest.mark.parametrize(
    ("name", "display"),
    [("=?utf-8?q?Zo=C3=AB?= <a@b.c>", "Zoë"), ("=?utf-8?b?5p2O?= <a@b.c>", "李"), ("=?nonsense?q?x?= <a@b.c>", None)],
)
def test_encoded_names(name: str, display: str | None) -> None:
    found = mail(From=name)
    assert found.sender == "a@b.c"
    assert display is None or found.display_name == display


# What is typed


def test_a_letter_that_is_known_is_not_typed_even_without_marks() -> None:
    letter = "Hello Ann,\n\nBob turned over space 3 and found 7.\nYour turn: turn over a space.\n\npick 5\n"
    text = "pick 4\n\n" + letter
    assert read_lines(text, [SentText(letter)]).lines == ("pick 4",)
    assert "Hello Ann," in read_lines(text, []).lines


def test_typed_between_the_lines_of_a_quotation() -> None:
    text = "> Which space do you turn over?\npick 5\n> Good luck!\nkeep\n"
    assert read_lines(text, []).lines == ("pick 5", "keep")


@pytest.mark.parametrize("text", ["", "\n\n \n", "> a\n> b", "-- \nAnn\nBerlin", "Sent from my iPhone", "____________"])
def test_nothing_typed(text: str) -> None:
    assert read_lines(text, []).lines == ()


@every(
    ("text", "typed"),
    [
        ("*help*", "help"),
        ("_help_", "help"),
        ("**help**", "help"),
        ("*cut 5*, _pick 1_", "cut 5, pick 1"),
        ("* cut 5", "* cut 5"),
        ("* cut 5 *", "* cut 5 *"),
        ("2*3*4", "2*3*4"),
        ("a_b_c", "a_b_c"),
        ("____", "____"),
    ],
)
def test_how_bold_words_look_in_plain_text_is_not_typed(text: str, typed: str) -> None:
    assert mail(text).text == typed


def test_a_mail_of_text_and_html_has_both() -> None:
    parts = (
        "--b\r\nContent-Type: text/plain\r\n\r\npick 5\r\n--b\r\nContent-Type: text/html\r\n\r\n<p>pick 5</p>\r\n--b--"
    )
    found = mail(parts, Content_Type="multipart/alternative; boundary=b")
    assert (found.text, found.page) == ("pick 5", "<p>pick 5</p>")
    assert mail("pick 5").page == ""


# Mails that nobody should have to read


def nested(depth: int) -> bytes:
    parts = [f'--b{at}\r\nContent-Type: multipart/mixed; boundary="b{at + 1}"\r\n\r\n' for at in range(depth)]
    head = 'From: ann@example.net\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="b0"\r\n\r\n'
    return (head + "".join(parts)).encode()


def plain(body: bytes, kind: bytes = b"text/plain; charset=utf-8") -> bytes:
    return b"From: ann@example.net\r\nContent-Type: " + kind + b"\r\n\r\n" + body


HOSTILE = {
    "2000 nested multiparts": nested(2000),
    "64 KB of On": plain(b"On " * 22_000),
    "64 KB of On in lines": plain(b"On \n" * 16_000),
    "100000 newlines": plain(b"\n" * 100_000 + b"pick 5"),
    "100000 carriage returns": plain(b"\r" * 100_000),
    "64 KB of colons": plain(b":" * 65_536),
    "64 KB of marks": plain(b">" * 65_536),
    "64 KB of labels": plain(b"From: a@b 2026 12:30:\n" * 3_000),
    "64 KB of rules": plain(b"-----\n" * 11_000),
    "64 KB of one word": plain(b"a" * 65_536),
    "64 KB of brackets": plain(b"<mailto:" * 8_000),
    "NULs": b"\0" * 10_000,
    "NULs in a mail": plain(b"pick\0 5\0\r\n" * 100),
    "NULs in headers": b"From: ann\0@example.net\r\nSubject: \0\r\n\r\npick 5",
    "an unknown charset": plain(b"pick 5", b"text/plain; charset=klingon"),
    "a charset that is no text": plain(b"pick 5", b"text/plain; charset=hex"),
    "a charset of quotes": plain(b"pick 5", b'text/plain; charset="\0"'),
    "a wrong charset": plain(b"\xff\xfe\xfd pick 5", b"text/plain; charset=utf-8"),
    "utf-16 cut short": plain(b"p\0i", b"text/plain; charset=utf-16"),
    "utf-7": plain(b"+AGE-+", b"text/plain; charset=utf-7"),
    "broken base64": plain(b"====!!!!", b"text/plain\r\nContent-Transfer-Encoding: base64"),
    "broken quoted-printable": plain(b"=ZZ=\r\n=", b"text/plain\r\nContent-Transfer-Encoding: quoted-printable"),
    "an unknown encoding": plain(b"pick 5", b"text/plain\r\nContent-Transfer-Encoding: x-own"),
    "no content type": plain(b"pick 5", b""),
    "a half content type": plain(b"pick 5", b"text/; ;;=; charset"),
    "broken RFC 2231": plain(b"pick 5", b"text/plain; charset*0*=x''%ZZ; charset*1=%"),
    "a multipart without boundary": plain(b"pick 5", b"multipart/mixed"),
    "two senders": b"From: ann@example.net\r\nFrom: bob@example.net\r\n\r\npick 5",
    "an endless header": b"From: ann@example.net\r\nSubject: " + b"x" * 200_000 + b"\r\n\r\npick 5",
    "many headers": b"From: ann@example.net\r\n" + b"To: games@example.org\r\n" * 5_000 + b"\r\npick 5",
    "many addresses": b"From: ann@example.net\r\nTo: " + b"a@b.c, " * 10_000 + b"\r\n\r\npick 5",
    "many comments": b"From: " + b"(" * 10_000 + b"\r\n\r\npick 5",
    "broken encoded words": b"From: =?utf-8?b?!!!?= <ann@example.net>\r\nSubject: =?x?y?z?= =?utf-8?q?=ff?=\r\n\r\npick 5",
    "deep HTML": plain(b"<div>" * 5_000 + b"pick 5", b"text/html; charset=utf-8"),
    "deep quotations": plain(b"<blockquote>" * 300 + b"pick 5", b"text/html; charset=utf-8"),
    "half HTML": plain(b"<a href='<<<&#x110000;&#xd800;&unknown;<![CDATA[<!--", b"text/html"),
    "much HTML": plain(b"<p>x" * 70_000, b"text/html"),
    "many parts": plain(b"--b\r\nContent-Type: text/plain\r\n\r\nx\r\n" * 3_000, b"multipart/mixed; boundary=b"),
    "a mail in a mail": plain(plain(b"pick 5"), b"message/rfc822"),
    "empty": b"",
    "one newline": b"\n",
}


@pytest.mark.parametrize("name", list(HOSTILE))
def test_hostile_mail_is_opened(name: str) -> None:
    found = open_mail(HOSTILE[name])
    assert isinstance(typed_in(found, [SentText("On the other hand, pick 5.\n")]).lines, tuple)
    assert len(found.text) <= 64 * 1024
    assert len(found.content_key) == 64
    found.sender.encode("utf-8")


def test_two_senders_are_none() -> None:
    assert open_mail(HOSTILE["two senders"]).problem


@pytest.mark.parametrize("charset", ["utf-8", "iso-8859-1", "windows-1252", "utf-16", "koi8-r", "gb18030", "shift_jis"])
def test_charsets(charset: str) -> None:
    text = "Ольга, pick 5" if charset == "koi8-r" else "pick 5 ü" if charset.endswith(("1", "2")) else "pick 5"
    found = open_mail(plain(text.encode(charset), b"text/plain; charset=" + charset.encode()))
    assert found.text == text


@given(st.binary(max_size=400))
@settings(max_examples=size(80, 300), deadline=None)
def test_random_bytes_are_opened(data: bytes) -> None:
    for raw in (data, b"From: ann@example.net\r\n" + data, plain(data), plain(data, b"text/html; charset=utf-8")):
        found = open_mail(raw)
        assert isinstance(typed_in(found).lines, tuple)
        assert len(found.content_key) == 64


@given(st.text(max_size=300), st.text(max_size=300))
@settings(max_examples=size(60, 200), deadline=None)
def test_what_is_typed_stands_in_the_text(text: str, letter: str) -> None:
    rows = [" ".join(row.split()) for row in text.splitlines()]
    found = read_lines(f"pick 5\n{text}", [SentText(letter)]).lines
    assert found[:1] == ("pick 5",)
    assert all(line in rows for line in found[1:])


@given(st.text(max_size=300))
@settings(max_examples=size(30, 100), deadline=None)
def test_html_becomes_text(page: str) -> None:
    assert isinstance(html_to_text(page), str)


def test_what_we_sent_is_text_and_html() -> None:
    raw = (REPLIES / "letters" / "turn.eml").read_bytes()
    kinds = [part.get_content_type() for part in email.message_from_bytes(raw).walk() if not part.is_multipart()]
    assert kinds == ["text/plain", "text/html"]
    text, page = sent_texts(raw)
    assert "pick" in text.words
    assert "pick" in page.words


def test_a_name_that_is_folded_inside_its_quotation_marks_has_an_address() -> None:
    found = mail(From='"Ann\r\n Lee" <ann@example.net>')
    assert (found.sender, found.display_name, found.problem) == ("ann@example.net", "Ann Lee", None)


def test_letters_that_only_look_like_those_of_a_token_make_none() -> None:
    assert mail(To=f"games+{TOKEN[:-1]}\u017f@example.org", Subject=f"x [CC-1 {TOKEN[:-1]}\u017f]").tokens == ()
