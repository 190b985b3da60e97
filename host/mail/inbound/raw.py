"""Pure: a raw mail. In: what a mailbox or an MTA gives. Out: `RawMail`, the one type of a mail from there to the store."""

from dataclasses import dataclass
from datetime import datetime

MAX_BYTES = 2_000_000
"""Bytes of a mail that are kept. What a person typed stands in its beginning, and attachments are not read."""


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
