"""Pure: the syntax of IMAP. In: lines of a server's answers, names. Out: what the answers say; names as commands take them.

In the lines of an answer a `bytearray` is a literal: the text of a mail, which is no answer of the server's.
"""

import base64
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from host.engine.words import pattern

Lines = Sequence[bytes | bytearray]

_UIDVALIDITY = pattern(rb"UIDVALIDITY (\d+)")
_UIDNEXT = pattern(rb"UIDNEXT (\d+)")
_UID = pattern(rb"\bUID (\d+)")
_INTERNALDATE = pattern(rb'INTERNALDATE "([^"]+)"')
_FETCHED = pattern(rb"\d+ FETCH\b", re.IGNORECASE)
_SIZE = pattern(rb"RFC822\.SIZE (\d+)")
_JUNK = pattern(rb'\([^()]*\\Junk\b[^()]*\) (?:"(?:[^"\\]|\\.)"|NIL) (?:"([^"\\&]+)"|([^\s"\\&]+))\s*$', re.IGNORECASE)
_STORAGE = pattern(rb"\((?:[^()]* )?STORAGE (\d+) (\d++)[^()]*\)\s*$", re.IGNORECASE)


@dataclass(frozen=True)
class Selected:
    """A mailbox that was selected: its UIDVALIDITY, and the UID of the next mail, None where the server does not say."""

    uidvalidity: int
    uidnext: int | None


def selected_in(lines: Lines) -> Selected:
    """Reads the answer to SELECT; a UIDVALIDITY that it does not tell is 0."""
    said = b"\n".join(map(bytes, lines))
    validity, following = _UIDVALIDITY.search(said), _UIDNEXT.search(said)
    return Selected(int(validity[1]) if validity else 0, int(following[1]) if following else None)


def junk_in(lines: Lines) -> str:
    """The mailbox that an answer to LIST marks as that for junk; nothing where its name is not plain ASCII."""
    for line in lines:
        found = _JUNK.match(bytes(line))
        name = (found[1] or found[2]) if found else b""
        if name and name.isascii():
            return name.decode("ascii")
    return ""


def uids_in(lines: Lines) -> set[int]:
    """The UIDs in the answer to a search."""
    return {int(word) for line in lines for word in bytes(line).split() if word.isdigit()}


def facts_in(lines: Lines) -> dict[int, tuple[datetime, int]]:
    """Tell when mails came and how long they are, by UID; a literal is a mail's own text, and no answer of the server."""
    facts: dict[int, tuple[datetime, int]] = {}
    for line in lines:
        if isinstance(line, bytearray):
            continue
        uid, date, size = _UID.search(line), _INTERNALDATE.search(line), _SIZE.search(line)
        if uid and date and size:
            facts[int(uid[1])] = (_internal_date(date[1]), int(size[1]))
    return facts


def bodies_in(lines: Lines) -> dict[int, bytes]:
    """The literals of answers, by the UID that each answer names, before its literal or behind."""
    bodies: dict[int, bytes] = {}
    uid: int | None = None
    body: bytes | None = None
    for line in lines:
        if isinstance(line, bytearray):
            body = bytes(line)
        else:
            if _FETCHED.match(line):
                uid, body = None, None
            found = _UID.search(line)
            uid = int(found[1]) if found else uid
        if uid is not None and body is not None:
            bodies[uid] = body
    return bodies


def share_used_in(lines: Lines) -> float | None:
    """How much of the storage is used, 0 to 1; of several limits the nearest. None where nothing limits it."""
    found = [_STORAGE.search(line) for line in lines]
    shares = [int(each[1]) / int(each[2]) for each in found if each and int(each[2])]
    return min(1.0, max(shares)) if shares else None


def says_bye(push: object) -> bool:
    """Does the server take its leave in what it told during IDLE?"""
    return isinstance(push, list) and any(
        isinstance(line, bytes | bytearray) and bytes(line).startswith(b"BYE") for line in push
    )


def _internal_date(text: bytes) -> datetime:
    """`17-Jul-1996 02:44:25 -0700` (RFC 3501 date-time) as UTC."""
    at = parsedate_to_datetime(text.decode("ascii", "replace").replace("-", " ", 2))
    return at.astimezone(UTC) if at.tzinfo else at.replace(tzinfo=UTC)


def quoted(text: str) -> str:
    """A text as a quoted string."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def mailbox_name(name: str) -> str:
    """A mailbox name quoted, in modified UTF-7 (RFC 3501 section 5.1.3)."""
    encoded = re.sub(r"[^\x20-\x7e]+", _shifted, name.replace("&", "&-"))
    return quoted(encoded)


def _shifted(found: re.Match[str]) -> str:
    packed = base64.b64encode(found[0].encode("utf-16-be")).decode("ascii")
    return "&" + packed.rstrip("=").replace("/", ",") + "-"
