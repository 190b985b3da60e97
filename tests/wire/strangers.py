"""Mail that strangers send to stop a host: every shape that ever took long to read, a few kilobytes or megabytes each."""

import itertools
import random
from collections.abc import Callable, Iterator

from tests.mail.inbound.test_sandbox import HUGE

SUBJECT = "Champ Cards Contestant Registration"
_WITHOUT = (b"from", b"subject", b"to", b"message-id")


def _text(body: bytes, kind: bytes = b"text/plain; charset=utf-8") -> bytes:
    return b"Content-Type: " + kind + b"\r\n\r\n" + body


def _nested(levels: int, lines: int) -> bytes:
    heads = b"".join(
        b"--b%d\r\nContent-Type: multipart/mixed; boundary=b%d\r\n\r\n" % (level, level + 1) for level in range(levels)
    )
    return _text(heads + b"\r\n" * lines, b"multipart/mixed; boundary=b0")


def _signed(number: int) -> bytes:
    tags = b"v=1; a=rsa-sha256; c=relaxed/relaxed; d=example.com; s=s%d; h=from; bh=AAAA; b=AAAA" % number
    return b"DKIM-Signature: " + tags + b"\r\nReferences: <%s@example.org>\r\n\r\npick 5\r\n" % (b"a" * 26)


SHAPES: dict[str, bytes] = {
    "rules and labels without an end": _text((b"---" + b"x-" * 3000 + b"\r\n") * 2 + b"_" * 6000 + b"\r\n"),
    "12 kB of strokes and colons": _text(b"--- a ---" + b"::" * 6000),
    "300 multiparts in each other, 200,000 empty lines": _nested(300, 200_000),
    "100,000 parts of one parameter": _text(b"x", b"text/plain" + b"; a*0=b" * 100_000),
    "60,000 names of a file": b"Content-Disposition: attachment" + b"; filename*1*=x" * 60_000 + b"\r\n\r\nx",
    "500,000 flowed lines": _text(b"x \r\n" * 500_000, b"text/plain; format=flowed; delsp=yes"),
    "100,000 senders": b"From: a@example.com\r\n" * 100_000 + b"\r\nx",
    "2 MB that are no mail": bytes(range(256)) * 8000,
    "an empty mail": b"",
    **{f"as the reader's tests have it: {name}": raw for name, raw in HUGE.items()},
}


def hostile(rng: random.Random) -> Iterator[tuple[str, bytes]]:
    """Mails without end, each with the address in its envelope: every shape, as a stranger's and as a registration."""
    signed: Callable[[int], bytes] = _signed
    for number in itertools.count():
        sender = f"s{number}@example.com"
        shape = signed(number) if rng.random() < 0.2 else rng.choice(list(SHAPES.values()))
        subject = SUBJECT if rng.random() < 0.5 else "hello"
        head = f"From: S {number} <{sender}>\r\nTo: games@example.org\r\nSubject: {subject}\r\nMessage-ID: <{number}@x>\r\n"
        lines = (line for line in shape.split(b"\r\n\r\n", 1)[0].split(b"\r\n"))
        own = [line for line in lines if line.partition(b":")[0].lower() not in _WITHOUT] if len(shape) < 1000 else None
        if own is None:
            yield sender, head.encode() + shape[:2_000_000]
        else:
            yield sender, b"\r\n".join([head.encode().rstrip(), *own, b"", shape.partition(b"\r\n\r\n")[2]])
