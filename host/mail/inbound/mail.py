"""Pure: a mail, raw and opened. In: what a mailbox or an MTA gave, what JSON carried. Out: the types that all have in common.

Nothing here takes a mail apart: who only handles one loads none of the libraries for that.
"""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from host.engine.words import pattern

MAX_ADDRESS = 254
"""Characters of an address (RFC 5321 section 4.5.3.1.3, without the angle brackets)."""
_WRITABLE = pattern(
    r"[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*@[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*",
    re.ASCII | re.IGNORECASE,
)
"""A dot-atom of ASCII (RFC 5322, 3.4.1): what a header and RCPT can both hold as it stands."""
MAX_BYTES = 2_000_000
"""Bytes of a mail that are kept. What a person typed stands in its beginning, and attachments are not read."""


def is_writable(address: str) -> bool:
    """Can a letter go to an address: is it a plain one of ASCII letters, not too long?"""
    return len(address) <= MAX_ADDRESS and _WRITABLE.fullmatch(address) is not None


@dataclass(frozen=True)
class Typed:
    """The `lines` that a person typed; `doubtful` are those that may be quoted, or that were dropped and may be typed.

    `within` are those of the lines that stand in a quotation of ours, where servers put their warnings, too.
    """

    lines: tuple[str, ...]
    doubtful: tuple[str, ...] = ()
    within: tuple[str, ...] = field(default=(), compare=False)


@dataclass(frozen=True)
class Bounce:
    """A mail did not arrive. `recipients` are lower-case addresses, final and original ones.

    `tokens` are those of our letters that it names, the returned letter's own first; `is_permanent` is false where the
    server still tries; `said` is one printable line of what it said, of at most 200 characters, or nothing.
    """

    recipients: frozenset[str]
    tokens: tuple[str, ...]
    is_permanent: bool
    said: str


@dataclass(frozen=True)
class Mail:
    """A mail, opened. `sender` is a lower-case address (`""` where there is none that can be used).

    `tokens` are all that were found, the likeliest first; `is_only_in_subject` tells that they stand nowhere else.
    `silence` says why it would not be answered (automatic, bounce, list, own), `bounce` what came back, `problem` why it
    cannot be read; `text` is the whole text, quotations and all, `page` the HTML, where there is any. `authentication`
    are its Authentication-Results from the top down, with an empty string for each Received header between; `addressed`
    the lower-case addresses in To and Cc; `offset` is how many minutes its date is ahead of UTC, None where it does not say.
    """

    sender: str
    display_name: str = ""
    subject: str = ""
    message_id: str = ""
    references: tuple[str, ...] = ()
    tokens: tuple[str, ...] = ()
    is_only_in_subject: bool = False
    silence: str | None = None
    bounce: Bounce | None = None
    problem: str | None = None
    text: str = ""
    page: str = ""
    authentication: tuple[str, ...] = ()
    addressed: tuple[str, ...] = ()
    offset: int | None = None

    @property
    def content_key(self) -> str:
        """The same for two copies of one mail, however they were delivered: SHA-256 of who, which and what."""
        tokens = self.tokens[:1] + (self.bounce.tokens if self.bounce else ())
        name = self.message_id or self.subject
        parts = (self.sender, name, *tokens, " ".join(self.text.split()))
        return hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()


def mail_from_json(data: Mapping[str, Any]) -> Mail:
    """Make a mail again of what `dataclasses.asdict` made of one and JSON carried."""
    lists = {name: tuple(data[name]) for name in ("references", "tokens", "authentication", "addressed")}
    found = data["bounce"]
    bounce = None
    if found is not None:
        bounce = Bounce(**{**found, "recipients": frozenset(found["recipients"]), "tokens": tuple(found["tokens"])})
    return Mail(**{**data, **lists, "bounce": bounce})


@dataclass(frozen=True)
class RawMail:
    """A mail as it came, before anybody has looked into it.

    `uid` is its number in its mailbox; a mail that was delivered by LMTP has one that is made of its bytes. `arrived_at`
    is when the server took it. `size` is its whole size in bytes, `raw` what was fetched of it, at most `MAX_BYTES`.
    """

    uid: int
    arrived_at: datetime
    size: int
    raw: bytes
