"""Pure: taking mails apart, within bounds. In: their bytes, their headers, from anybody. Out: messages.

The standard library's parser holds each line against each open boundary, and its readers need the square of the length
of a header with parameters. So that no mail takes more than linear time, nor much of it, it is given so many lines, and
keeps so many headers and parts; what is beyond is not read, and a part beyond is a file of an unknown kind. All bounds
lie far above what mail programs write, and none depends on what else a mail says.
"""

import email
import itertools
from dataclasses import dataclass
from email.message import Message
from email.parser import HeaderParser
from typing import Any

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
