"""Pure: the headers of mails. In: mails, raw or parsed, from anybody. Out: where headers end, their values, parts, tokens.

Whatever reads mail asks here, so that all see the same subject and the same tokens. Nothing here raises on a header that
is broken: what cannot be decoded stays as it stands.

A letter of ours carries its token in four places, and a reply brings it back in some of them: behind the plus sign of the
address to reply to, in the Message-ID, in brackets in the subject, and in the last line of the text (`Ref: CC-7 ...`).
"""

import codecs
import email.errors
import email.message
import re
from email.header import decode_header
from typing import Literal

from host.engine.chance import TOKEN
from host.engine.words import pattern

MAX_HEADER = 2_000
"""Characters of a header that are looked at, where nobody asks for more."""
MAX_PARTS = 200
"""Parts of a mail that are looked at."""

TROUBLE = (
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    AssertionError,
    RecursionError,
    email.errors.MessageError,
)
"""Raised by the standard library on mails that are broken."""

_NO_CHARSETS = frozenset({"idna", "punycode"})
"""Codecs of host names, whatever they are called: they need the square of the length."""

_REFERENCE_LINE = pattern(rf"\bref:?\s+[a-z0-9-]+\s+({TOKEN})\b", re.IGNORECASE | re.ASCII)
_TOKENS = {
    "address": pattern(rf"\+({TOKEN})@", re.IGNORECASE | re.ASCII),
    "id": pattern(rf"<({TOKEN})@", re.IGNORECASE | re.ASCII),
    "subject": pattern(rf"\[[a-z0-9-]+ ({TOKEN})\]", re.IGNORECASE | re.ASCII),
    "text": _REFERENCE_LINE,
}


# Where headers end


def end_of_headers(raw: bytes, within: int | None = None) -> int:
    """How many bytes the headers have, the end of their last line counted; -1 where no blank line ends them.

    The blank line has to stand in the first `within` bytes. Lines end with CRLF or LF.
    """
    end = raw.find(b"\n\n", 0, within)
    earlier = raw.find(b"\n\r\n", 0, within if end < 0 else end)
    return (end if earlier < 0 else earlier) + 1 or -1


def parted(raw: bytes) -> tuple[bytes, bytes]:
    """The headers, and what stands below the blank line; all are headers where there is none."""
    end = end_of_headers(raw)
    return (raw, b"") if end < 0 else (raw[:end], raw[raw.index(b"\n", end) + 1 :])


# Values


def header_values(message: email.message.Message, name: str, most: int = MAX_HEADER) -> tuple[str, ...]:
    """Each value of this header, cut at so many characters, then decoded. Never raises."""
    try:
        return tuple(decoded_header(str(value)[:most]) for value in message.get_all(name, []))
    except TROUBLE:
        return ()


def decoded_header(value: str) -> str:
    """The value with its encoded words (RFC 2047) decoded; as it stands where they cannot be. Never raises."""
    if "=?" not in value:
        return value
    try:
        pieces = encoded_words(value)
    except TROUBLE:
        return value
    return "".join(piece if isinstance(piece, str) else decoded_text(piece, charset) for piece, charset in pieces)


def encoded_words(value: str) -> list[tuple[bytes | str, str | None]]:
    """The pieces of a header, with their charsets, as `decode_header` finds them. Raises what that raises.

    It would look for the end of each encoded word that is begun in a line: what cannot end is hidden from it.
    """
    pieces = decode_header("".join(map(_hidden, value.splitlines(keepends=True))))
    return [(piece if charset else _shown(piece), charset) for piece, charset in pieces]


def _hidden(line: str) -> str:
    """The line, with a sign in what begins an encoded word behind the end of the last one."""
    ended, end, rest = line.rpartition("?=")
    return ended + end + rest.replace("=?", "=\0?")


def _shown(piece: bytes | str) -> bytes | str:
    return piece.replace("=\0?", "=?") if isinstance(piece, str) else piece.replace(b"=\0?", b"=?")


def decoded_text(content: bytes, charset: str | None) -> str:
    """Bytes as text: by the charset that is named, else UTF-8, else windows-1252, which never fails."""
    for name in (charset, "utf-8"):
        try:
            if name and codecs.lookup(name).name not in _NO_CHARSETS:
                return content.decode(name).removeprefix("\ufeff")
        except (LookupError, ValueError, TypeError):
            continue
    return content.decode("windows-1252", "replace")


# Parts


def content_type(part: email.message.Message) -> str:
    """The content type in lower case, without parameters; text/plain where there is none. Never raises."""
    try:
        return part.get_content_type()
    except TROUBLE:
        return "text/plain"


def own_parts(message: email.message.Message) -> tuple[email.message.Message, ...]:
    """The mail and its parts, at most 200, in order; mails inside it (forwarded, returned) are closed boxes."""
    waiting, found = [message], list[email.message.Message]()
    while waiting and len(found) < MAX_PARTS:
        part = waiting.pop()
        found.append(part)
        if content_type(part).startswith("multipart/"):
            waiting.extend(reversed(inner_parts(part)))
    return tuple(found)


def inner_parts(part: email.message.Message) -> list[email.message.Message]:
    """The parts right inside a part, whatever its type; none where it has a text."""
    payload = part.get_payload() if part.is_multipart() else []
    return [each for each in payload if isinstance(each, email.message.Message)]


# Tokens


def tokens_in(place: Literal["address", "id", "subject", "text"], value: str) -> list[str]:
    """The tokens in a header with addresses or Message-IDs, in a subject, in lines of a text; in lower case."""
    return [found.lower() for found in _TOKENS[place].findall(value)]


def without_reference(line: str) -> str:
    """A typed line without what reads like the reference line of a letter: others may be shown it, and quote it."""
    while (shorter := _REFERENCE_LINE.sub("", line)) != line:
        line = shorter
    return line.strip()
