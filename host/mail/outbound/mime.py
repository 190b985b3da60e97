"""Pure: a letter as a mail. In: its headers, its two forms, perhaps an attachment. Out: the bytes of the whole message.

Plain headers and both forms are written out here; what is rare (other letters in a header, an attachment) is left to
the standard library, which takes ten times as long.
"""

import binascii
import functools
import re
from collections.abc import Iterable
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP

from host.engine.words import pattern

UNFOLDED = SMTP.clone(max_line_length=998)
"""Headers stay on one line: some readers take the fold of a long value for a part of it (RFC 5322 allows 998)."""
_LONGEST_PLAIN = 900
_PLAIN = pattern(r"[!-~](?:[ -~]*[!-~])?")
_PLAIN_ADDRESS = pattern(r"[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*@[\w-]+(?:\.[\w-]+)*", re.ASCII)
_ADDRESSES = frozenset({"To", "Reply-To"})


@functools.lru_cache(maxsize=1024)
def mailbox(name: str, address: str) -> str:
    """A name and an address as a header has them (RFC 5322, 3.4): the name quoted where it must be."""
    user, _, domain = address.rpartition("@")
    return str(Address(name, user, domain))


def message(
    headers: Iterable[tuple[str, str]], text: str, page: str, mark: str, attachment: tuple[str, bytes] | None = None
) -> bytes:
    """A multipart/alternative of text and HTML (RFC 2046, 5.1.4), in a multipart/mixed where a file is attached.

    `mark` makes the boundaries: letters, digits, at most 60. No line of either form can be one, for quoted-printable
    never has `=_` (RFC 2045, 6.7). Raises `ValueError` where a header has a line break.
    """
    head = "".join(header(name, value) for name, value in headers) + "MIME-Version: 1.0\r\n"
    body = _multipart("alternative", f"=_{mark}", (_form("plain", text), _form("html", page)))
    if attachment:
        body = _multipart("mixed", f"=_with_{mark}", (body, _attached(*attachment)))
    return head.encode("ascii") + body


def header(name: str, value: str) -> str:
    """A header on one line, with its CRLF; encoded words (RFC 2047) where it is not plain ASCII.

    Raises `ValueError` where the value has a line break.
    """
    is_plain = _PLAIN_ADDRESS.fullmatch(value) if name in _ADDRESSES else _PLAIN.fullmatch(value)
    if is_plain and len(value) < _LONGEST_PLAIN and "=?" not in value:
        return f"{name}: {value}\r\n"
    return _encoded(name, value)


@functools.lru_cache(maxsize=1024)
def _encoded(name: str, value: str) -> str:
    return str(UNFOLDED.header_store_parse(name, value)[1].fold(policy=UNFOLDED))


def _multipart(kind: str, boundary: str, parts: Iterable[bytes]) -> bytes:
    line = f"\r\n--{boundary}".encode("ascii")
    head = f'Content-Type: multipart/{kind}; boundary="{boundary}"\r\n'.encode("ascii")
    return head + b"".join(line + b"\r\n" + part for part in parts) + line + b"--\r\n"


def _form(kind: str, text: str) -> bytes:
    head = f'Content-Type: text/{kind}; charset="utf-8"\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n'
    lines = text.encode().replace(b"\r\n", b"\n").replace(b"\r", b"\n").replace(b"\n", b"\r\n")
    end = b"" if not lines or lines.endswith(b"\r\n") else b"\r\n"
    return head.encode("ascii") + binascii.b2a_qp(lines + end)


def _attached(filename: str, content: bytes) -> bytes:
    part = EmailMessage(policy=UNFOLDED)
    part.set_content(content, maintype="application", subtype="jsonl", filename=filename)
    del part["MIME-Version"]
    return part.as_bytes()
