"""Pure: mails for fuzzing. In: the recorded mails and a number. Out: a `Fuzzed`, always the same for one number.

Half are recorded mails with structure and bytes broken; the others are built from nothing, or only carried otherwise
(line ends, transfer encodings, folding), so that what must be read in them is known.
"""

import base64
import email
import email.message
import email.policy
import functools
import json
import quopri
import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from email.generator import BytesGenerator
from io import BytesIO
from pathlib import Path

from host.games import GAMES
from host.mail.inbound.reply import sent_texts
from host.mail.inbound.sent_text import SentText
from tests.games.sayings import sayings_in

TESTS = Path(__file__).parent.parent
REPLIES = TESTS / "mail" / "inbound" / "replies"
TOKEN = "o2ycnphhsavuqve3t6nr3wau5u"
MAX_BYTES = 200_000
"""Longer mails take long and find nothing more; the long ones are in tests/mail/inbound/test_sandbox.py."""

CHARSETS = (
    "utf-8 UTF8 utf_8 utf-8-sig utf-7 utf-16 utf-16le utf-16be utf-32 utf-32le utf-32be us-ascii ascii ansi_x3.4-1968 "
    "iso-8859-1 iso-8859-2 iso-8859-3 iso-8859-4 iso-8859-5 iso-8859-6 iso-8859-7 iso-8859-8 iso-8859-8-i iso-8859-9 "
    "iso-8859-10 iso-8859-11 iso-8859-13 iso-8859-14 iso-8859-15 iso-8859-16 latin1 windows-1250 windows-1251 "
    "windows-1252 windows-1253 windows-1254 windows-1255 windows-1256 windows-1257 windows-1258 cp437 cp850 cp852 cp866 "
    "cp874 cp932 cp949 cp950 koi8-r koi8-u koi8-t mac-roman macintosh x-mac-cyrillic gb2312 gbk gb18030 hz hz-gb-2312 "
    "big5 big5hkscs euc-jp euc-kr shift_jis shift_jisx0213 iso-2022-jp iso-2022-jp-1 iso-2022-jp-2004 iso-2022-jp-ext "
    "iso-2022-kr johab tis-620 viscii hp-roman8 ptcp154 kz1048 tactis cp037 cp500 cp1140 unicode-1-1-utf-7 cesu-8 "
    "hex base64 bz2 zlib uu quopri rot13 rot_13 idna punycode unicode_escape raw_unicode_escape undefined mbcs oem "
    "unknown unknown-8bit x-user-defined default none klingon 8bit binary utf-8;format=flowed ../../etc/passwd "
    "x\0y utf\0-8 ü - _ . % ''"
).split(" ")
ENCODINGS = (
    b"7bit",
    b"8bit",
    b"binary",
    b"quoted-printable",
    b"base64",
    b"BASE64 ",
    b"x-uuencode",
    b"uue",
    b"x-own",
    b"",
    b"quoted-printable; x",
    b"\0",
)
FROMS = (
    b"Ann <ann@example.net>",
    b'"a"@b <c@d>',
    b"<a@b>, <c@d>",
    b'"Ann <x@y>" <ann@example.net>',
    b"ann@example.net (Ann (nested (deep)))",
    b"=?utf-8?q?Ann_=3Cx=40y=3E?= <ann@example.net>",
    b"=?utf-8?b?QW5uAA==?= <ann@example.net>",
    b"Ann <ann@example.net",
    b"Ann ann@example.net>",
    b"<@relay,@other:ann@example.net>",
    b"group: a@b, c@d;",
    b"undisclosed-recipients:;",
    b'"\\"@\\"" <ann@example.net>',
    b"ann@[192.0.2.1]",
    b"ann@example.net\0",
    b"a\0nn@example.net",
    b"\xe4nn@example.net",
    b"ann@ex\xc3\xa4mple.net",
    b"Ann <ann@xn--exmple-cua.net>",
    b"ann@example.net\r\n\t",
    b"ann@example.net, ",
    b"@",
    b"<>",
    b"a@b@c",
    b"mailer-daemon@example.net",
    b"=?utf-7?q?+2AA-?= <ann@example.net>",
    b"=?utf-7?b?KzJBQS0=?= <+2AA-@example.net>",
    b"=?unicode_escape?q?=5Cud800?= <ann@example.net>",
    b"(" * 500,
    b'"' * 301 + b" <ann@example.net>",
    b"ann@example.net" * 200,
)
RECIPIENTS = (
    b"games+%s@example.org",
    b"GAMES+%s@EXAMPLE.ORG",
    b'"x" <games+%s@example.org>',
    b"games+%s@example.org, games+aaaaaaaaaaaaaaaaaaaaaaaaaa@example.org",
    b"games+%s\0@example.org",
    b"=?utf-8?q?games+%s=40example.org?=",
    b"games+%s\xe4@example.org",
    b"games++%s@@example.org",
)
HEADERS = (
    b"From To Cc Subject Date Message-ID In-Reply-To References Reply-To Delivered-To X-Original-To Return-Path Received "
    b"Content-Type Content-Transfer-Encoding Content-Disposition MIME-Version Auto-Submitted Precedence List-Id "
    b"Authentication-Results X-Failed-Recipients X-Autoreply X-Podium-Kind Resent-To Sender X-Mailer Importance"
).split()
AUTHENTICATION = (
    b"mx.example.org; dkim=pass header.d=example.net; spf=pass smtp.mailfrom=example.net; dmarc=pass",
    b"mx.example.org; dmarc=fail (p=none dis=none) header.from=example.net",
    b"mx.example.org 1; spf=softfail (" + b"(" * 200 + b") smtp.mailfrom=x",
    b'mx.example.org; dkim=pass reason="' + b'\\"' * 100,
    b"spf=fail (sender IP is 192.0.2.1) smtp.mailfrom=example.net; dkim=none; dmarc=fail action=none; compauth=fail",
    b"mx.example.org; " + b"x=y; " * 300,
    b"mx.example.org; none",
    b";;;===;;",
)
DATES = (
    b"Fri, 20 Nov 2026 16:12:07 +0100",
    b"Fri, 99 Foo 99999 99:99:99 +9999",
    b"0",
    b"",
    b"=?x?",
    b"1 Jan 0000",
)
ATTRIBUTIONS = (
    "On Fri, Nov 20, 2026 at 3:00 PM The Millionaire <games@example.org> wrote:",
    "Am 20.11.26 um 15:00 schrieb The Millionaire:",
    "Le ven. 20 nov. 2026 à 15:00, The Millionaire <games@example.org> a écrit :",
    "-----Original Message-----",
    "________________________________",
    "在 2026年11月20日，下午3:00，The Millionaire <games@example.org> 写道：",
    "",
)
MARKS = ("> ", ">", ">> ", "> > ", " > ", ">\t", "\t>")
PIECES = (
    b"\0",
    b"\r",
    b"\n",
    b"\r\n\r\n",
    b"\n.\n",
    b">",
    b"\xff\xfe",
    b"\xed\xa0\x80",
    b"\xe2\x80\xa8",
    b"\x0b",
    b"\x0c",
    b"\x1a",
    b"\x1b$B",
    b"\x85",
    b"=?utf-8?q?",
    b"?=",
    b"=?utf-8?b?/////?=",
    b"=?idna?q?xn--?=",
    b"=?rot13?q?cvpx?=",
    b"=00=\n",
    b"=",
    b"+2AA-",
    b"\\ud800",
    b"&#0;",
    b"&#xd800;",
    b"&#x110000;",
    b"&#99999999999999999999;",
    b"<!--",
    b"-->",
    b"<![CDATA[",
    b"]]>",
    b"<?xml",
    b"<blockquote>",
    b"</blockquote>",
    b"</html>",
    b"<table><tr><td>",
    b"<base href=x>",
    b"<plaintext>",
    b"<script>",
    b"<style>",
    b"<div style='display:none'>",
    b"<p hidden>",
    b'<div class="gmail_quote">',
    b"<pre>",
    b"<ol start=99999999999999999999999>",
    b"<ol start=x><li>",
    b"<a href='",
    b"<img alt='",
    b"On ",
    b" wrote:",
    b"From: ",
    b"-- \n",
    b"---",
    b"_____",
    b"Sent from my iPhone",
    b"Ref: CC-12 " + TOKEN.encode(),
    b"[CC-12 " + TOKEN.encode() + b"]",
    b"<" + TOKEN.encode() + b"@example.org>",
    b"<mailto:",
    b"(https://",
    b"Content-Type: text/html",
    b"Content-Type: message/rfc822\n\n",
    b"Content-Type: message/delivery-status\n\n",
    b"Content-Type: multipart/mixed; boundary=",
    b"begin 644 x\n",
    b"charset*0*=x''%ZZ; charset*1=%",
    b"filename*=utf-8''%ff",
    b'boundary=""',
    b"boundary*0=a; boundary*2=b",
    b"name=\x80",
)
BREAKS = (b"\r\n", b"\n", b"\r", b"\n\r", b"\r\r\n", b"\x0b", b"\x0c", b"\xe2\x80\xa8", b"\x85")

Shape = Callable[[random.Random, bytes], bytes]


@dataclass(frozen=True)
class Recorded:
    """A mail of the tests, and how it is read where that is written down."""

    name: str
    raw: bytes
    letter: str | None = None
    sender: str = ""
    token: str | None = None
    silence: str | None = None
    lines: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Fuzzed:
    """A mail and what is known of it.

    `reading` is the recorded mail that it must be read like, `quoted` are lines that it has behind `>` only, `letters`
    what its reader was sent before.
    """

    number: int
    kind: str
    raw: bytes
    reading: Recorded | None = None
    quoted: tuple[str, ...] = ()
    letters: tuple[SentText, ...] = ()


@functools.cache
def recorded() -> tuple[Recorded, ...]:
    """The mails of tests/mail, by name."""
    found = []
    for file in sorted(REPLIES.glob("*.eml")):
        reading = json.loads(file.with_suffix(".json").read_text("utf-8"))
        lines = tuple(reading["lines"]) if reading["silence"] is None else None
        known = (reading["letter"], reading["from"], reading["token"], reading["silence"], lines)
        found.append(Recorded(file.stem, file.read_bytes(), *known))
    others = sorted(
        [
            *(TESTS / "mail" / "inbound" / "automatic").glob("*.eml"),
            *(TESTS / "mail" / "inbound" / "person").glob("*.eml"),
        ]
    )
    return (*found, *(Recorded(file.stem, file.read_bytes()) for file in others))


@functools.cache
def letters(name: str | None) -> tuple[SentText, ...]:
    """A letter of the recorded replies, ready to be compared with."""
    return sent_texts((REPLIES / "letters" / name).read_bytes()) if name else ()


@functools.cache
def sayings() -> tuple[str, ...]:
    """What people write to any of the games, understood or not."""
    files = [TESTS / "games" / slug.replace("-", "_") / "sayings.toml" for slug in GAMES]
    found = [text for file in files for understood in (True, False) for _, text, _ in sayings_in(file, understood)]
    return tuple(dict.fromkeys(found))


def fuzzed(number: int) -> Fuzzed:
    """Mail `number`."""
    rng = random.Random(number)
    kind = rng.choices(("mutated", "crossed", "carried", "marked", "built"), (45, 10, 15, 15, 15))[0]
    return _KINDS[kind](number, rng)


def command(rng: random.Random) -> str:
    """What somebody might write, in any case and with any punctuation."""
    text = rng.choice(sayings())
    text = rng.choice((str, str.upper, str.title, str.swapcase, str.lower))(text)
    return (
        rng.choice(("", "", "", "- ", "* ", "1. ", "“", " "))
        + text
        + rng.choice(("", "", "!", ".", "?", ",", ";", "…"))
    )


# Recorded mails, broken


def _mutated(number: int, rng: random.Random) -> Fuzzed:
    base = rng.choice(recorded())
    raw = base.raw
    for _ in range(rng.randint(1, 6)):
        raw = rng.choice(_SHAPES)(rng, raw)[:MAX_BYTES]
    known = letters(base.letter) if rng.random() < 0.6 else letters(rng.choice((None, "turn.eml", "begin.eml")))
    return Fuzzed(number, "mutated", raw, letters=known)


def _crossed(number: int, rng: random.Random) -> Fuzzed:
    """The head of one mail and the body of another, or the first half of one and the second of another."""
    one, other = rng.choice(recorded()), rng.choice(recorded())
    if rng.random() < 0.5:
        raw = _parted(one.raw)[0] + b"\r\n\r\n" + _parted(other.raw)[1]
    else:
        raw = one.raw[: rng.randrange(len(one.raw))] + other.raw[rng.randrange(len(other.raw)) :]
    return Fuzzed(number, "crossed", rng.choice(_SHAPES)(rng, raw)[:MAX_BYTES], letters=letters(one.letter))


def _parted(raw: bytes) -> tuple[bytes, bytes]:
    found = re.search(rb"\r?\n\r?\n", raw)
    return (raw[: found.start()], raw[found.end() :]) if found else (raw, b"")


def _headers(head: bytes) -> list[bytes]:
    return re.split(rb"\r?\n(?![ \t])", head)


def _header(rng: random.Random) -> bytes:
    """A header with a value that somebody thought of, or none."""
    name = rng.choice(HEADERS)
    if name in (b"From", b"Sender", b"Return-Path"):
        value = rng.choice(FROMS)
    elif name in (b"To", b"Cc", b"Delivered-To", b"X-Original-To", b"Resent-To"):
        value = rng.choice(RECIPIENTS).replace(b"%s", TOKEN.encode())
    elif name == b"Authentication-Results":
        value = rng.choice(AUTHENTICATION)
    elif name == b"Date":
        value = rng.choice(DATES)
    elif name == b"Content-Type":
        value = _content_type(rng)
    elif name == b"Content-Transfer-Encoding":
        value = rng.choice(ENCODINGS)
    else:
        value = b" ".join(rng.choice((*PIECES, _encoded_word(rng))) for _ in range(rng.randint(0, 4)))
    return (
        rng.choice((name, name, name.lower(), name.upper()))
        + rng.choice((b": ", b": ", b":", b" : ", b":\r\n "))
        + value
    )


def _content_type(rng: random.Random) -> bytes:
    kind = rng.choice(
        b"text/plain text/html multipart/mixed multipart/alternative multipart/report multipart/related message/rfc822 "
        b"message/delivery-status message/partial message/external-body text/calendar text/rfc822-headers text text/ / "
        b"image/png application/ms-tnef multipart/signed multipart/digest".split()
    )
    extra = rng.choice(
        (b"", b"; boundary=b", b'; boundary="b c"', b"; format=flowed", b"; format=flowed; delsp=yes", b";")
    )
    return kind + extra + b"; charset=" + _charset(rng)


def _charset(rng: random.Random) -> bytes:
    name = rng.choice(CHARSETS).encode("utf-8")
    return rng.choice((name, b'"' + name + b'"', name.upper(), b"*0=" + name))


def _encoded_word(rng: random.Random) -> bytes:
    charset = rng.choice(CHARSETS).encode("utf-8")
    code = rng.choice((b"q", b"b", b"Q", b"B", b"x", b""))
    text = bytes(rng.randrange(256) for _ in range(rng.randint(0, 20)))
    coded = base64.b64encode(text) if code in (b"b", b"B") else b"".join(b"=%02X" % each for each in text)
    if rng.random() < 0.3:
        coded = coded[: rng.randint(0, len(coded))]
    return b"=?" + charset + b"?" + code + b"?" + coded + b"?="


def _repeat_header(rng: random.Random, raw: bytes) -> bytes:
    head, body = _parted(raw)
    rows = _headers(head)
    rows.insert(rng.randint(0, len(rows)), rng.choice(rows))
    return b"\r\n".join(rows) + b"\r\n\r\n" + body


def _drop_header(rng: random.Random, raw: bytes) -> bytes:
    head, body = _parted(raw)
    rows = _headers(head)
    del rows[rng.randrange(len(rows))]
    return b"\r\n".join(rows) + b"\r\n\r\n" + body


def _add_header(rng: random.Random, raw: bytes) -> bytes:
    head, body = _parted(raw)
    rows = _headers(head)
    at = rng.randint(0, len(rows))
    rows[at : at + rng.randint(0, 1)] = [_header(rng)]
    return b"\r\n".join(rows) + b"\r\n\r\n" + body


def _shuffle_headers(rng: random.Random, raw: bytes) -> bytes:
    head, body = _parted(raw)
    rows = _headers(head)
    rng.shuffle(rows)
    return b"\n".join(rows) + b"\n\n" + body


def _fold_oddly(rng: random.Random, raw: bytes) -> bytes:
    head, body = _parted(raw)
    at = rng.randint(0, len(head))
    fold = rng.choice((b"\r\n ", b"\n\t", b"\r ", b"\r\n \r\n ", b"\r\n", b"\n \n "))
    return head[:at] + fold + head[at:] + b"\r\n\r\n" + body


def _encode_subject(rng: random.Random, raw: bytes) -> bytes:
    words = rng.choice((b" ", b"\r\n ", b"")).join(_encoded_word(rng) for _ in range(rng.randint(1, 5)))
    return re.sub(rb"(?mi)^Subject:.*$", lambda _: b"Subject: " + words, raw, count=1)


def _other_charset(rng: random.Random, raw: bytes) -> bytes:
    return re.sub(rb'(?i)charset="?[\w-]+"?', lambda _: b"charset=" + _charset(rng), raw, count=rng.randint(1, 3))


def _other_encoding(rng: random.Random, raw: bytes) -> bytes:
    wanted = rng.choice(ENCODINGS)
    return re.sub(rb"(?i)(Content-Transfer-Encoding:).*", lambda found: found[1] + b" " + wanted, raw)


def _other_type(rng: random.Random, raw: bytes) -> bytes:
    return re.sub(rb"(?i)(Content-Type:) *[\w/-]+", lambda found: found[1] + b" " + _content_type(rng), raw, count=1)


def _break_boundary(rng: random.Random, raw: bytes) -> bytes:
    found = re.search(rb'(?i)boundary="?([^"\r\n;]+)', raw)
    if not found:
        return raw
    other = rng.choice((b"", b"x", found[1][:-1], found[1] + b" ", found[1] + b"--", b"\xff", b"--"))
    at = rng.choice([each.start() for each in re.finditer(re.escape(found[1]), raw)])
    return raw[:at] + other + raw[at + len(found[1]) :]


def _nest(rng: random.Random, raw: bytes) -> bytes:
    """The mail as a part of another, several times perhaps."""
    for depth in range(rng.choice((1, 1, 2, 5, 40))):
        kind = rng.choice((b"multipart/mixed", b"multipart/alternative", b"multipart/report", b"message/rfc822"))
        head = b"From: ann@example.net\r\nContent-Type: %s; boundary=n%d\r\n\r\n" % (kind, depth)
        raw = (
            head + raw
            if kind.startswith(b"message")
            else head + b"--n%d\r\n" % depth + raw + b"\r\n--n%d--\r\n" % depth
        )
    return raw


def _flip(rng: random.Random, raw: bytes) -> bytes:
    data = bytearray(raw)
    for _ in range(rng.choice((1, 3, 20))):
        if data:
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return bytes(data)


def _truncate(rng: random.Random, raw: bytes) -> bytes:
    return raw[: rng.randint(0, len(raw))]


def _move(rng: random.Random, raw: bytes) -> bytes:
    """A piece of it copied, dropped or moved."""
    start = rng.randint(0, len(raw))
    end = min(len(raw), start + rng.choice((1, 10, 100, 2000)))
    piece, at = raw[start:end], rng.randint(0, len(raw))
    rest = raw if rng.random() < 0.5 else raw[:start] + raw[end:]
    return rest if rng.random() < 0.3 else rest[:at] + piece * rng.choice((1, 1, 2, 30)) + rest[at:]


def _insert(rng: random.Random, raw: bytes) -> bytes:
    for _ in range(rng.choice((1, 2, 8))):
        at = rng.randint(0, len(raw))
        raw = raw[:at] + rng.choice(PIECES) * rng.choice((1, 1, 1, 3, 200)) + raw[at:]
    return raw


def _insert_command(rng: random.Random, raw: bytes) -> bytes:
    for _ in range(rng.choice((1, 2, 4))):
        ends = [each.end() for each in re.finditer(rb"\n", raw)] or [0]
        at = rng.choice(ends)
        raw = raw[:at] + command(rng).encode("utf-8") + rng.choice(BREAKS) + raw[at:]
    return raw


def _requote(rng: random.Random, raw: bytes) -> bytes:
    mark = rng.choice((b"", b">", b"> > ", b"| ", b": ", b"&gt; ", b"\xc2\xbb ", b"Ann> "))
    return re.sub(rb"(?m)^> ?", lambda found: mark if rng.random() < 0.8 else found[0], raw)


def _other_ends(rng: random.Random, raw: bytes) -> bytes:
    return re.sub(rb"\r?\n", lambda found: rng.choice(BREAKS) if rng.random() < 0.2 else found[0], raw)


def _huge_line(rng: random.Random, raw: bytes) -> bytes:
    at = rng.choice([each.end() for each in re.finditer(rb"\n", raw)] or [0])
    return (
        raw[:at]
        + rng.choice((*PIECES, b"x", b"On ", b"> ", b": ", b"a@b ")) * rng.choice((500, 5000))
        + b"\n"
        + raw[at:]
    )


def _eight_bits(rng: random.Random, raw: bytes) -> bytes:
    head, body = _parted(raw)
    at = rng.randint(0, len(head))
    return head[:at] + bytes(rng.randrange(128, 256) for _ in range(rng.randint(1, 8))) + head[at:] + b"\r\n\r\n" + body


def _move_token(rng: random.Random, raw: bytes) -> bytes:
    other = rng.choice(
        (b"", TOKEN.upper().encode(), b"a" * 26, TOKEN[:-1].encode(), TOKEN.encode() + b"\xc5\xbf", b"1" * 26)
    )
    return raw.replace(TOKEN.encode(), other, rng.choice((-1, 1, 2)))


_SHAPES: Sequence[Shape] = (
    _repeat_header,
    _drop_header,
    _add_header,
    _add_header,
    _add_header,
    _shuffle_headers,
    _fold_oddly,
    _encode_subject,
    _other_charset,
    _other_charset,
    _other_encoding,
    _other_type,
    _break_boundary,
    _nest,
    _flip,
    _truncate,
    _move,
    _move,
    _insert,
    _insert,
    _insert_command,
    _insert_command,
    _requote,
    _other_ends,
    _huge_line,
    _eight_bits,
    _move_token,
)

# Recorded mails that are only carried otherwise


def _carried(number: int, rng: random.Random) -> Fuzzed:
    base = rng.choice([each for each in recorded() if each.sender])
    raw = base.raw
    if rng.random() < 0.7:
        raw = _recoded(rng, raw)
    if rng.random() < 0.6:
        raw = _refolded(rng, raw)
    ends = rng.choice(((b"\r\n",), (b"\n",), (b"\n", b"\r\n")))
    raw = re.sub(rb"\r?\n", lambda _: rng.choice(ends), raw)
    return Fuzzed(number, "carried", raw, base, letters=letters(base.letter))


def _recoded(rng: random.Random, raw: bytes) -> bytes:
    """Each part that is text in another transfer encoding (RFC 2045 section 6)."""
    message = email.message_from_bytes(raw)
    for part in message.walk():
        content = part.get_payload(decode=True)
        if part.get_content_maintype() != "text" or not isinstance(content, bytes) or rng.random() < 0.2:
            continue
        known = ["base64", "quoted-printable"]
        if b"\0" not in content:
            known += ["8bit", "binary"] + (["7bit"] if content.isascii() else [])
        wanted = rng.choice(known)
        if wanted == "base64":
            payload = base64.encodebytes(re.sub(rb"\r?\n", rng.choice((b"\n", b"\r\n")), content))
        elif wanted == "quoted-printable":
            payload = quopri.encodestring(content.replace(b"\r\n", b"\n"), quotetabs=rng.random() < 0.5)
        else:
            payload = content.replace(b"\r\n", b"\n")
        del part["Content-Transfer-Encoding"]
        part["Content-Transfer-Encoding"] = rng.choice((wanted, wanted.upper(), wanted.title()))
        part.set_payload(payload.decode("ascii", "surrogateescape"))
    written = BytesIO()
    policy = email.policy.compat32.clone(max_line_length=0, mangle_from_=False)
    BytesGenerator(written, policy=policy).flatten(message)
    return written.getvalue()


def _refolded(rng: random.Random, raw: bytes) -> bytes:
    """Headers folded before some of their white space (RFC 5322 section 2.2.3), their names in any case."""
    head, body = _parted(raw)
    fold = rng.choice((0.1, 0.5, 1.0))
    rows = []
    for row in _headers(head):
        name, colon, value = row.partition(b":")
        value = re.sub(rb"(?<=\S) (?=\S)", lambda found: b"\r\n " if rng.random() < fold else found[0], value)
        rows.append(rng.choice((name, name.lower(), name.upper())) + colon + value)
    return b"\r\n".join(rows) + b"\r\n\r\n" + body


# Mails from nothing


def _plain_head(rng: random.Random) -> list[bytes]:
    return [
        b"From: Ann <ann@example.net>",
        rng.choice((b"To: games+%s@example.org" % TOKEN.encode(), b"To: games@example.org")),
        b"Subject: Re: Champ Cards: Ann v Bob [CC-12]",
        b"Date: " + rng.choice(DATES),
        b"Message-ID: <%x@example.net>" % rng.getrandbits(64),
    ]


def _marked(number: int, rng: random.Random) -> Fuzzed:
    """Commands typed above, below and between lines that are quoted with `>`, which say commands too."""
    quoted = [" ".join(f"{command(rng)} q{at}".split()) for at in range(rng.randint(1, 12))]
    kind = rng.choice(("text/plain", "text/plain; format=flowed", "text/plain; format=flowed; delsp=yes"))
    # In flowed text a space before the mark says that it is none (RFC 3676 section 4.4).
    marks = [each for each in MARKS if each.startswith(">") or kind == "text/plain"]
    mark, header = rng.choice(marks), rng.choice(ATTRIBUTIONS)
    typed = [command(rng) for _ in range(rng.randint(0, 3))]
    rows = [*typed, "", header] if rng.random() < 0.7 else [header]
    for text in quoted:
        rows.append(mark + text)
        if rng.random() < 0.15:
            rows.append(rng.choice(("", " ", command(rng))))
    rows += [command(rng) for _ in range(rng.choice((0, 0, 1, 2)))]
    text = rng.choice(("\n", "\r\n")).join(rows)
    charset = rng.choice(("utf-8", "utf-16", "gb18030", "utf-7", "utf-32", "utf-8-sig"))
    head = [
        *_plain_head(rng),
        f"Content-Type: {kind}; charset={charset}".encode(),
        b"Content-Transfer-Encoding: base64",
    ]
    body = base64.encodebytes(text.encode(charset))
    known = letters(rng.choice((None, "turn.eml", "begin.eml")))
    return Fuzzed(number, "marked", b"\n".join([*head, b"", body]), quoted=tuple(quoted), letters=known)


def _built(number: int, rng: random.Random) -> Fuzzed:
    head = _plain_head(rng)
    for _ in range(rng.randint(0, 8)):
        head.insert(rng.randint(0, len(head)), _header(rng))
    end = rng.choice((b"\r\n", b"\n"))
    raw = end.join(head) + end + _part(rng, rng.choice((0, 0, 1, 2, 4)), end)
    return Fuzzed(number, "built", raw[:MAX_BYTES], letters=letters(rng.choice((None, "turn.eml", "begin.eml"))))


def _part(rng: random.Random, depth: int, end: bytes) -> bytes:
    """A part with its headers: text, or parts within."""
    if depth:
        border = b"b%d" % rng.randrange(5)
        kind = rng.choice((b"mixed", b"alternative", b"related", b"report; report-type=delivery-status", b"signed"))
        parts = [b"--" + border + end + _part(rng, depth - 1, end) for _ in range(rng.randint(0, 4))]
        close = rng.choice((b"--" + border + b"--" + end, b"", b"--" + border))
        return b"Content-Type: multipart/" + kind + b"; boundary=" + border + end + end + end.join([*parts, close])
    kind, body = rng.choice(((b"text/plain", _prose), (b"text/html", _page), (_content_type(rng), _noise)))
    head = b"Content-Type: " + kind + b"; charset=" + _charset(rng)
    if rng.random() < 0.5:
        head += end + b"Content-Transfer-Encoding: " + rng.choice(ENCODINGS)
    if rng.random() < 0.2:
        head += end + b"Content-Disposition: " + rng.choice((b"inline", b"attachment", b"x; filename*0*=%ff", b";;"))
    return head + end + end + body(rng, end) + end


def _prose(rng: random.Random, end: bytes) -> bytes:
    rows = []
    for _ in range(rng.randint(0, 30)):
        row = rng.choice((command(rng), rng.choice(ATTRIBUTIONS), rng.choice(MARKS) + command(rng), "", "-- ", "Ann"))
        rows.append(row.encode(rng.choice(("utf-8", "latin-1", "utf-16")), "replace"))
        if rng.random() < 0.1:
            rows.append(rng.choice(PIECES))
    return end.join(rows)


def _page(rng: random.Random, end: bytes) -> bytes:
    names = "p div blockquote b i pre ul ol li table tr td br hr a img span font html body head style script h1 dl q".split()
    pieces = []
    for _ in range(rng.randint(0, 80)):
        name = rng.choice(names)
        extra = rng.choice(
            ("", "", "", " class=gmail_quote", " style='display:none'", " hidden", ' type="cite"', " x='")
        )
        piece = rng.choice(
            (f"<{name}{extra}>", f"</{name}>", command(rng), rng.choice(ATTRIBUTIONS), f"<{name}/>", "&gt; ")
        )
        pieces.append(piece.encode("utf-8"))
        if rng.random() < 0.1:
            pieces.append(rng.choice(PIECES))
    return rng.choice((b"", end)).join(pieces)


def _noise(rng: random.Random, end: bytes) -> bytes:
    return bytes(rng.randrange(256) for _ in range(rng.randint(0, 300))) + end + rng.choice(PIECES)


_KINDS: dict[str, Callable[[int, random.Random], Fuzzed]] = {
    "mutated": _mutated,
    "crossed": _crossed,
    "carried": _carried,
    "marked": _marked,
    "built": _built,
}
