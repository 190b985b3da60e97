"""Pure: replies to the letters that ask. In: the letters of a filled store. Out: mails, half of them tapped, half typed."""

from collections.abc import Sequence
from dataclasses import dataclass
from email.utils import make_msgid
from urllib.parse import parse_qs

from host.demo.robot import ReadLetter, write, write_link

COMMAND = "keep"
"""A move after which two letters are due: the answer, and the other contestant's turn."""


@dataclass(frozen=True)
class Asked:
    """Somebody who is asked: where they live, what they are called, the letter that asks."""

    address: str
    name: str
    letter: bytes


@dataclass(frozen=True)
class Reply:
    """A mail to the host: its Message-ID, to whom, and the bytes with CRLF."""

    message_id: str
    to: str
    sender: str
    raw: bytes


def replies(asked: Sequence[Asked]) -> list[Reply]:
    """A reply of each: every other one taps the link, the rest type above the quoted letter."""
    return [_reply(each, is_typed=at % 2 == 1) for at, each in enumerate(asked)]


def _reply(asked: Asked, is_typed: bool) -> Reply:
    letter = ReadLetter(asked.letter)
    raw = _typed(letter, asked) if is_typed else write_link(_link(letter), asked.address, asked.name)
    written = ReadLetter(raw).headers
    return Reply(written["message-id"], letter.headers["reply-to"], asked.address, raw)


def _link(letter: ReadLetter) -> str:
    """The link that says `COMMAND`. Raises LookupError where the letter has none."""
    for link in letter.links:
        if parse_qs(link.partition("?")[2])["body"] == [COMMAND]:
            return link
    raise LookupError(f"no link says {COMMAND}: {letter.links}")


def _typed(letter: ReadLetter, asked: Asked) -> bytes:
    """The command above the letter, quoted as Gmail's text part has it."""
    headers = letter.headers
    quoted = "\n".join("> " + line if line else ">" for line in letter.text.splitlines())
    body = f"{COMMAND}\n\nOn Sat, 21 Nov 2026 at 13:05, {headers['from']} wrote:\n\n{quoted}\n"
    subject = "Re: " + headers["subject"]
    return write(asked.address, asked.name, headers["reply-to"], subject, body, headers["message-id"])


HEAD = 290
"""About as many bytes the floor's own first headers take."""


def letter_of(size: int) -> bytes:
    """A letter that has `size` bytes with the floor's first headers before it: text and HTML."""
    border = make_msgid(domain="example.org").strip("<>")
    head = f'MIME-Version: 1.0\r\nContent-Type: multipart/alternative; boundary="{border}"\r\n\r\n'
    kinds = [
        f'--{border}\r\nContent-Type: text/{kind}; charset="utf-8"\r\nContent-Transfer-Encoding: 7bit\r\n\r\n'
        for kind in ("plain", "html")
    ]
    end = f"--{border}--\r\n"
    left = max(size - HEAD - len(head) - sum(map(len, kinds)) - len(end), 200)
    line = "You kept the ace for a total of 20, and now it is up to Bob.\r\n"
    text = line * (left // 2 // len(line))
    rest = "." * (left - 2 * len(text) - 2) + "\r\n"
    return f"{head}{kinds[0]}{text}{kinds[1]}{text} {rest[1:]}{end}".encode()
