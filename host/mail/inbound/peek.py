"""Pure: a mail at a glance. In: its raw bytes, from anybody. Out: the tokens, senders and subject that it seems to have.

A glance is cheap and bounded, and may be wrong: it only says which mails have one ordering key, and which concern nobody
here and are never opened. What a mail really is, `reply` says, in a process of its own.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from host.engine.chance import TOKEN, TOKEN_SIGN
from host.engine.words import pattern
from host.mail.inbound.parsing import decoded_header, parted

CHECK_SUBJECT = "podium check [CHECK "
"""How the subject of a letter begins that `podium check` sends round to see whether mail arrives."""
HEAD = 128 * 1024
"""Bytes of a mail that are looked at."""
MOST_TOKENS = 20
"""In the headers, and as many below them: a bounce names the letter that came back in its text."""
MOST_SENDERS = 5
LONGEST_HEADER = 1000
"""Bytes of a header that are looked at, of a sender's the last."""
_TOKEN = pattern(f"(?<!{TOKEN_SIGN}){TOKEN}(?!{TOKEN_SIGN})".encode(), re.IGNORECASE)
_LIKELY_TOKEN = pattern(rf"(?:\+|%2B|<|\[[A-Z]{{2,4}}(?:-\d{{1,9}})? )({TOKEN})[@>\]]".encode(), re.IGNORECASE)
"""As a letter of ours has it in an address, a Message-ID, a subject."""
_TOKEN_AS_SENT = pattern(f"(?<![A-Za-z0-9]){TOKEN}(?![A-Za-z0-9])".encode())
"""Below the headers: only as we write it, since an attachment is full of letters."""
_WORD = rb"[^\s\x00-\x1f<>,;:\"()@]"
_ADDRESS = pattern(_WORD + rb"{1,64}@" + _WORD + rb"{1,255}")
_BOX = pattern(rb"<([^<>]{1,400})>")
"""An address in angle brackets, wherever it was folded."""
_HEADER = pattern(rb"^(From|Subject)[ \t]*:([^\n]*(?:\n[ \t][^\n]*)*)", re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True)
class Peek:
    """The first impression of a mail: `tokens` and `senders` in lower case, the likeliest first; `subject` decoded.

    `quoted_tokens` stand below the headers.
    """

    tokens: tuple[str, ...]
    quoted_tokens: tuple[str, ...]
    senders: tuple[str, ...]
    subject: str

    @property
    def sender(self) -> str:
        """The likeliest sender; nothing where there is none."""
        return self.senders[0] if self.senders else ""


def peek(raw: bytes) -> Peek:
    """Look at the first `HEAD` bytes of a mail. Never raises."""
    head, body = parted(raw[:HEAD].replace(b"\r\n", b"\n").replace(b"\r", b"\n"))
    values: dict[bytes, list[bytes]] = {b"from": [], b"subject": []}
    for name, value in _HEADER.findall(head):
        values[name.lower()].append(value)
    senders = [address.decode("utf-8", "replace").lower() for address in _addresses(values[b"from"][:MOST_SENDERS])]
    first_subject = next(iter(values[b"subject"]), b"")[:LONGEST_HEADER]
    subject = decoded_header(" ".join(first_subject.decode("utf-8", "replace").split()))
    return Peek(
        _some(
            [*_LIKELY_TOKEN.findall(head), *_TOKEN.findall(subject.encode("utf-8", "replace")), *_TOKEN.findall(head)]
        ),
        _some(_TOKEN_AS_SENT.findall(body.replace(b"=\n", b""))),
        tuple(dict.fromkeys(senders))[:MOST_SENDERS],
        subject,
    )


def _some(found: list[bytes]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each.decode("ascii").lower() for each in found))[:MOST_TOKENS]


def _addresses(values: list[bytes]) -> Iterator[bytes]:
    """The addresses in these headers; what stands in angle brackets at the end before what stands in a name."""
    for value in (each[-LONGEST_HEADER:] for each in values):
        boxes = [b"".join(box.split()) for box in _BOX.findall(value)]
        yield from (box for box in reversed(boxes) if _ADDRESS.fullmatch(box))
        yield from reversed(_ADDRESS.findall(_joined(value)))


def _joined(value: bytes) -> bytes:
    """A header on one line; an address that was folded at a dot is one again."""
    pieces: list[bytes] = []
    for piece in value.split():
        if pieces and (pieces[-1][-1:] in b".@" or piece[:1] in b".@"):
            pieces[-1] += piece
        else:
            pieces.append(piece)
    return b" ".join(pieces)
