"""Pure: reading a bounce. In: a parsed mail. Out: a `Bounce` (whom it did not reach, which letter of ours, for good or not).

Reports are read by RFC 3464; texts without a report by flufl.bounce, on a small copy of the mail, since it looks at every
line with many patterns. Every access is guarded: one mail must never stop the mailbox.
"""

import email.message
import email.utils
import itertools
import re
from collections.abc import Iterator, Sequence

import flufl.bounce

from host.engine.words import pattern
from host.mail.inbound.mail import Bounce
from host.mail.inbound.parsing import (
    MAX_HEADER,
    TROUBLE,
    content_type,
    header_values,
    inner_parts,
    parse_head,
    tokens_in,
)
from host.mail.inbound.programs import any_of, words_pattern

MAX_BLOCKS = 100
"""Blocks of a report, one a recipient."""
MAX_RETURNED = 20
"""Returned mails that are looked into."""
MAX_TEXT = 64 * 1024
"""Bytes of a part, and characters of all texts together."""
MAX_LINE = 400
"""Characters of a line of a text."""
MAX_LINES = 400
MAX_SAID = 200
"""Characters of what the server said."""

REPORT = "message/delivery-status"
_REPORTS = (REPORT, "message/global-delivery-status")
_RETURNED = (
    "message/rfc822",
    "message/global",
    "text/rfc822-headers",
    "message/rfc822-headers",
    "message/global-headers",
)
_ADDRESS = pattern('[^@\\s<>,;:"()\x00-\x1f\ud800-\udfff]{1,256}@[^@\\s<>,;:"()\x00-\x1f\ud800-\udfff]{1,256}')
_QUOTED_HEADER = pattern(
    r"^[> \t]{0,10}(message-id|in-reply-to|references):(.*(?:\n[> \t]{0,10}[ \t][^:\n]*$)*)",
    re.IGNORECASE | re.MULTILINE,
)
_ANSWER = pattern(r"(?<![\w.])[45]\d\d[ :-](?: ?#?[45]\.\d{1,3}\.\d{1,3}\b| ?\w)")
_PROGRAM_NAME = words_pattern(lambda: r"\s*" + any_of("bounces", "programs"), re.IGNORECASE)
_SUBJECT = words_pattern(lambda: r"\s*" + any_of("bounces", "subjects"), re.IGNORECASE)
PROGRAM_FROM = pattern(r"(?:mailer-daemon|postmaster)@", re.IGNORECASE)
Parts = Sequence[email.message.Message]


def read_bounce(message: email.message.Message, parts: Parts) -> Bounce | None:
    """The failure that this mail tells of, or None where it tells of none (delivered, relayed, a person's mail).

    `message` is parsed with compat32, `parts` are its own.
    A report counts whatever the rest says (RFC 3464 section 2.3: failed before delayed; 4.4.7 that has failed is over);
    a text only where the mail looks like a program's. Never raises.
    """
    try:
        return _read(message, parts)
    except TROUBLE:
        return None


def _read(message: email.message.Message, parts: Parts) -> Bounce | None:
    blocks = list(itertools.islice(_recipient_blocks(parts), MAX_BLOCKS))
    failed = [block for block in blocks if _outcome(block) == "failed"]
    told = failed or [block for block in blocks if _outcome(block) == "delayed"]
    if told:
        recipients = frozenset(address for block in told for address in _block_recipients(block))
        text = _text(parts)
        said = next((each for block in told for each in _diagnostics(block)), "")
        return Bounce(recipients, _tokens(message, parts, text), bool(failed), said or _answer(text))
    if any(_outcome(block) for block in blocks) or not _looks_like_one(message):
        return None
    temporary, permanent = _found_in_text(message, parts)
    permanent |= _addresses(header_values(message, "X-Failed-Recipients"))
    if not temporary and not permanent:
        return None
    text = _text(parts)
    return Bounce(permanent or temporary, _tokens(message, parts, text), bool(permanent), _answer(text))


def _content(part: email.message.Message) -> str:
    """The text of a part, whatever its charset: what is looked for in it is ASCII."""
    try:
        payload = part.get_payload(decode=True)
    except TROUBLE:
        return ""
    content = payload[:MAX_TEXT].decode("utf-8", "replace") if isinstance(payload, bytes) else ""
    return content.replace("\r\n", "\n").replace("\r", "\n")


def _text(parts: Parts) -> str:
    return "\n".join(_content(part) for part in parts if content_type(part) == "text/plain")[:MAX_TEXT]


# The report


def _recipient_blocks(parts: Parts) -> Iterator[email.message.Message]:
    """The blocks of fields, one a recipient; the first, about the whole mail, has no outcome and does no harm."""
    for block in (each for part in parts if content_type(part) in _REPORTS for each in inner_parts(part)):
        rest = block.get_payload()
        yield block
        # The parser takes only message/delivery-status apart; in others the blocks after the first are text.
        if isinstance(rest, str):
            yield from map(parse_head, rest[:MAX_TEXT].split("\n\n", MAX_BLOCKS))


def _field(block: email.message.Message, name: str) -> str:
    return next(iter(header_values(block, name)), "").strip()


def _outcome(block: email.message.Message) -> str | None:
    """The fate of a recipient: failed, delayed, fine; None where the block does not say."""
    action, status = _field(block, "Action").lower(), _field(block, "Status")
    if action.startswith(("fail", "error")):
        return "failed"
    if action.startswith("delay"):
        return "delayed"
    if action.startswith(("deliver", "relay", "expand")):
        return "fine"
    return {"5": "failed", "4": "delayed", "2": "fine"}.get(status[:1])


def _block_recipients(block: email.message.Message) -> Iterator[str]:
    for name in ("Final-Recipient", "Original-Recipient"):
        yield from _addresses([value.rpartition(";")[2] for value in header_values(block, name)])


def _diagnostics(block: email.message.Message) -> Iterator[str]:
    for value in header_values(block, "Diagnostic-Code"):
        said = _one_line(re.sub(r"^\s*[\w-]{1,40}\s*;", "", value))
        if said:
            yield said


def _addresses(values: Sequence[str]) -> frozenset[str]:
    return frozenset(found.lower() for value in values for found in _ADDRESS.findall(value))


def _one_line(text: str) -> str:
    return "".join(each for each in " ".join(text.split()) if each.isprintable())[:MAX_SAID].rstrip()


def _answer(text: str) -> str:
    """The first line that holds a server's answer such as `550 5.1.1 no such user` (RFC 5321 section 4.2)."""
    return next((_one_line(line) for line in _short_lines(text) if _ANSWER.search(line)), "")


# A text


def _looks_like_one(message: email.message.Message) -> bool:
    """Has a program written this? Only then is its text searched: a person may quote a bounce, or forward one."""
    sender = _sender(message)
    name, address = email.utils.parseaddr(sender)
    subject = " ".join(header_values(message, "Subject"))
    return bool(
        header_values(message, "X-Failed-Recipients")
        or [each for each in header_values(message, "Return-Path") if each.strip() == "<>"]
        or content_type(message) == "multipart/report"
        or PROGRAM_FROM.match(address)
        or _PROGRAM_NAME.match(name or sender)
        or _SUBJECT.match(subject)
    )


def _sender(message: email.message.Message) -> str:
    return " ".join(header_values(message, "From"))[:MAX_HEADER]


def _short_lines(text: str) -> list[str]:
    return [line[:MAX_LINE] for line in text.split("\n")[:MAX_LINES]]


def _found_in_text(message: email.message.Message, parts: Parts) -> tuple[frozenset[str], frozenset[str]]:
    """The failures, temporary and permanent, that flufl.bounce finds in a copy with short texts, without the returned mail."""
    copy = email.message.Message()
    # Without a sender one of its detectors raises and the others are not asked.
    copy["From"] = email.utils.parseaddr(_sender(message))[1] or "nobody@invalid"
    for value in header_values(message, "X-Mailer")[:1]:
        copy["X-Mailer"] = " ".join(value.split())
    texts = ["\n".join(_short_lines(_content(part))) for part in parts if content_type(part) == "text/plain"]
    if content_type(message).startswith("multipart/"):
        copy["Content-Type"] = "multipart/mixed"
        copy.set_payload([_text_part(text) for text in texts[:3]])
    else:
        copy.set_payload("\n".join(texts))
    try:
        temporary, permanent = flufl.bounce.all_failures(copy)
    except TROUBLE:
        return frozenset(), frozenset()
    return _from_bytes(temporary), _from_bytes(permanent)


def _text_part(text: str) -> email.message.Message:
    part = email.message.Message()
    part["Content-Type"] = "text/plain"
    part["Content-Description"] = "Notification"
    part.set_payload(text)
    return part


def _from_bytes(found: frozenset[bytes]) -> frozenset[str]:
    return _addresses([each.decode("ascii", "replace") for each in found])


# Which letter


def _tokens(message: email.message.Message, parts: Parts, text: str) -> tuple[str, ...]:
    """The returned letter's own token, then what the bounce answers, then what the returned letter answered."""
    own: list[str] = []
    older: list[str] = []
    quoted = [(name.lower(), value[:MAX_HEADER]) for name, value in _QUOTED_HEADER.findall(text)]
    for name, value in [*_returned_headers(parts), *quoted]:
        (own if name == "message-id" else older).extend(tokens_in("id", value)[::-1])
    for name in ("In-Reply-To", "References"):
        for value in header_values(message, name):
            own.extend(tokens_in("id", value)[::-1])
    return tuple(dict.fromkeys(own + older))


def _returned_headers(parts: Parts) -> Iterator[tuple[str, str]]:
    for part in [each for each in parts if content_type(each) in _RETURNED][:MAX_RETURNED]:
        for returned in inner_parts(part) or [parse_head(_content(part))]:
            for name in ("message-id", "in-reply-to", "references"):
                yield from ((name, value) for value in header_values(returned, name))
