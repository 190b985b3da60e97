"""Pure: a letter that was sent, taken apart again. In: what was kept of it. Out: its text and its HTML."""

from email.message import Message

from host.mail.inbound.bounds import parse
from host.mail.inbound.headers import decoded_text, own_parts


def letter_forms(raw: bytes) -> tuple[str, str]:
    """The text and the HTML of a letter that was sent, by this version, by an older one, or as somebody kept it."""
    found = {"text/plain": "", "text/html": ""}
    for part in own_parts(parse(raw)):
        kind = part.get_content_type()
        if kind in found:
            found[kind] += decoded_text(payload(part), part.get_content_charset())
    return found["text/plain"].replace("\r\n", "\n"), found["text/html"].replace("\r\n", "\n")


def payload(part: Message) -> bytes:
    """The bytes of a part, decoded."""
    payload = part.get_payload(decode=True)
    return payload if isinstance(payload, bytes) else b""
