"""Pure: mails taken apart, within bounds. In: their bytes, from anybody. Out: messages; their headers' values, parts, tokens.

The standard library's parser holds each line against each open boundary, and its readers need the square of the length
of a header with parameters. So that no mail takes more than linear time, nor much of it, it is given so many lines, and
keeps so many headers and parts; what is beyond is not read, and a part beyond is a file of an unknown kind. All bounds
lie far above what mail programs write, and none depends on what else a mail says.

Whatever reads mail asks here, so that all see the same subject and the same tokens. No header that is broken raises
anything: what cannot be decoded stays as it stands. A letter of ours carries its token in four places, and a reply brings
it back in some of them: behind the plus sign of the address to reply to, in the Message-ID, in brackets in the subject, and
in the last line of the text (`Ref: CC-7 ...`).
"""

import codecs
import email
import email.errors
import itertools
import re
from dataclasses import dataclass
from email.header import decode_header
from email.message import Message
from email.parser import HeaderParser
from typing import Any, Literal

from host.engine.chance import TOKEN
from host.engine.words import pattern

MAX_LINES = 30_000
"""Lines of a mail: more than the 26,000 that 2 MB have in base64."""
MAX_LEVELS = 20
"""Parts within each other: a forwarded mail in a forwarded mail has about eight."""
MAX_PARTS = 300
"""Parts, and blocks of reports, those of mails in the mail too."""
MAX_HEADERS = 2_000
"""Headers of the mail and all its parts."""
MAX_HEAD = 300_000
"""Characters in their values."""
MAX_VALUE = 80_000
"""Characters in one of them."""
MAX_CONTENT_VALUE = 2_000
"""Characters in a header about content, such as Content-Type: it is taken apart whenever one of its parameters is asked for."""
MAX_PARAMETERS = 40
MAX_BOUNDARY = 200
"""Characters in a boundary, which becomes a pattern; RFC 2046 allows 70."""

_LINE_END = pattern("\r\n?|\n")
MAX_HEADER = 2_000
"""Characters of a header that are looked at, where nobody asks for more."""
MAX_OWN_PARTS = 200
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


@dataclass
class _Room:
    """The room that a mail still has."""

    parts: int = MAX_PARTS
    headers: int = MAX_HEADERS
    characters: int = MAX_HEAD


class _Bounded(Message):
    """A message that takes no more from the parser than there is room for. The parts share the room of the mail."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._room = _Room()
        self._level = 0
        self._is_beyond = False

    def attach(self, payload: Any) -> None:
        """Add a part, before its head is read."""
        super().attach(payload)
        if isinstance(payload, _Bounded):
            self._room.parts -= 1
            payload._room, payload._level = self._room, self._level + 1
            payload._is_beyond = self._room.parts < 0 or self._room.headers <= 0 or payload._level > MAX_LEVELS

    def set_raw(self, name: str, value: str) -> None:
        """Keep a header, or as much of it as there is room for."""
        room = self._room
        if self._is_beyond or room.headers <= 0 or room.characters <= 0:
            self._is_beyond = True
            return
        if name.lower().startswith("content-"):
            value = ";".join(value[:MAX_CONTENT_VALUE].split(";", MAX_PARAMETERS)[:MAX_PARAMETERS])
        value = value[: min(MAX_VALUE, room.characters)]
        room.headers -= 1
        room.characters -= len(value)
        super().set_raw(name, value)

    def get_content_type(self) -> str:
        """The type, in lower case; that of unknown files for a part beyond the bounds."""
        return "application/octet-stream" if self._is_beyond else super().get_content_type()

    def get_boundary(self, failobj: Any = None) -> Any:
        """The boundary between its parts. One that is too long does not occur."""
        boundary = super().get_boundary(failobj)
        return boundary[:MAX_BOUNDARY] if isinstance(boundary, str) else boundary


def parse(raw: bytes) -> Message:
    """The mail in these bytes, by the compat32 policy; what is beyond the bounds is missing."""
    return email.message_from_string(_cut(raw.decode("ascii", "surrogateescape"), MAX_LINES), _Bounded)


def parse_head(text: str) -> Message:
    """The headers that a text begins with. What stands below them is not taken apart."""
    return HeaderParser(_Bounded).parsestr(_cut(text, MAX_HEADERS))


def _cut(text: str, lines: int) -> str:
    """The first lines of a text."""
    end = next(itertools.islice(_LINE_END.finditer(text), lines, None), None)
    return text[: end.start()] if end else text


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


def header_values(message: Message, name: str, most: int = MAX_HEADER) -> tuple[str, ...]:
    """Each value of this header, cut at so many characters, then decoded. Never raises."""
    try:
        values = [value for each, value in message.raw_items() if each.lower() == name.lower()]
        return tuple(decoded_header(_unescaped(value)[:most]) for value in values)
    except TROUBLE:
        return ()


def _unescaped(value: str) -> str:
    """A header's value whose bytes are no ASCII, and which some programs write as they are: as UTF-8, else as Latin-1."""
    if value.isascii():
        return value
    raw = value.encode("utf-8", "surrogateescape")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("latin-1")


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


def content_type(part: Message) -> str:
    """The content type in lower case, without parameters; text/plain where there is none. Never raises."""
    try:
        return part.get_content_type()
    except TROUBLE:
        return "text/plain"


def own_parts(message: Message) -> tuple[Message, ...]:
    """The mail and its parts, at most 200, in order; mails inside it (forwarded, returned) are closed boxes."""
    waiting, found = [message], list[Message]()
    while waiting and len(found) < MAX_OWN_PARTS:
        part = waiting.pop()
        found.append(part)
        if content_type(part).startswith("multipart/"):
            waiting.extend(reversed(inner_parts(part)))
    return tuple(found)


def inner_parts(part: Message) -> list[Message]:
    """The parts right inside a part, whatever its type; none where it has a text."""
    payload = part.get_payload() if part.is_multipart() else []
    return [each for each in payload if isinstance(each, Message)]


# Tokens


def tokens_in(place: Literal["address", "id", "subject", "text"], value: str) -> list[str]:
    """The tokens in a header with addresses or Message-IDs, in a subject, in lines of a text; in lower case."""
    return [found.lower() for found in _TOKENS[place].findall(value)]


def without_reference(line: str) -> str:
    """A typed line without what reads like the reference line of a letter: others may be shown it, and quote it."""
    while (shorter := _REFERENCE_LINE.sub("", line)) != line:
        line = shorter
    return line.strip()
