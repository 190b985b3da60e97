"""Pure: a contestant that only taps links. In: a letter's bytes. Out: the mail that tapping one of its links writes, or None."""

import email
import email.policy
import functools
import html
import random
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from email.message import Message
from email.parser import BytesHeaderParser
from email.utils import formataddr, make_msgid
from urllib.parse import parse_qs, unquote

_CONFIRMING = ("confirm", "ready")
_PLAIN = email.policy.compat32.clone(linesep="\r\n")
"""How a plain mail is written: other policies parse each header that they are given, which takes five times as long."""
KNOWN = 0.7
"""The likelihood that a robot says an answer that it knows."""


@dataclass(frozen=True)
class ReadLetter:
    """A letter as a mail program shows it: headers by lower-case name, the text, the page, and its mailto links."""

    raw: bytes

    @functools.cached_property
    def headers(self) -> dict[str, str]:
        """The values by lower-case name, decoded."""
        return {
            name.lower(): _value(name, value) for name, value in BytesHeaderParser().parsebytes(self.raw).raw_items()
        }

    @functools.cached_property
    def text(self) -> str:
        """What a mail program shows that knows no pages."""
        return self._forms.get("plain", "")

    @functools.cached_property
    def page(self) -> str:
        """What one shows that knows them, HTML."""
        return self._forms.get("html", "")

    @functools.cached_property
    def links(self) -> tuple[str, ...]:
        """What there is to tap."""
        return tuple(html.unescape(link) for link in re.findall(r'href="(mailto:[^"]+)"', self.page))

    @property
    def kind(self) -> str:
        """The kind of the letter."""
        return self.headers.get("x-podium-kind", "")

    @property
    def asks(self) -> bool:
        """Does it need a reply?"""
        return "x-podium-reply-by" in self.headers or self.kind in _CONFIRMING

    @functools.cached_property
    def _forms(self) -> dict[str, str]:
        forms: dict[str, str] = {}
        for part in email.message_from_bytes(self.raw).walk():
            if part.get_content_maintype() == "text" and part.get_content_disposition() != "attachment":
                forms.setdefault(part.get_content_subtype(), _content(part))
        return forms


def _content(part: Message) -> str:
    content = part.get_payload(decode=True)
    return content.decode(part.get_content_charset("ascii"), "replace") if isinstance(content, bytes) else ""


def _value(name: str, value: str) -> str:
    """A header's value, decoded; the library, which takes long, is asked only about what is encoded or folded."""
    if re.fullmatch("[ -~]*", value) and "=?" not in value:
        return value
    return str(email.policy.default.header_fetch_parse(name, value))


def tap(
    letter: ReadLetter, address: str, name: str, choice: random.Random, known: Mapping[str, str] | None = None
) -> bytes | None:
    """The mail that tapping one link writes; None where the letter has no link.

    Where a link ends in the open, the robot types an answer behind it: `known` are prompts and their right answers.
    """
    if not letter.links:
        return None
    links = letter.links[:1] if letter.kind in _CONFIRMING else letter.links  # robots always want to play
    link, text = choice.choice(links), " ".join(letter.text.split())
    right = next((answer for prompt, answer in (known or {}).items() if " ".join(prompt.split()) in text), "")
    return write_link(link, address, name, right if right and choice.random() < KNOWN else "I do not know")


def write_link(link: str, address: str, name: str, text: str = "") -> bytes:
    """The mail that a mail program makes of a mailto link, and `text` behind a body that ends in the open."""
    to, subject, body = opened(link)
    return write(address, name, to, subject, body + text if body.endswith(" ") else body)


def opened(link: str) -> tuple[str, str, str]:
    """The recipient, subject and text that a mailto link opens a composer with (RFC 6068)."""
    target, _, query = link.removeprefix("mailto:").partition("?")
    fields = {name: values[0] for name, values in parse_qs(query, keep_blank_values=True).items()}
    return unquote(target), fields.get("subject", ""), fields.get("body", "").replace("\r\n", "\n")


def write(address: str, name: str, to: str, subject: str, body: str, in_reply_to: str = "") -> bytes:
    """A plain mail. Signs that no header can hold are left out of the name and the subject."""
    message = Message(_PLAIN)
    message["From"] = formataddr((one_line(name), address))
    message["To"] = to
    message["Subject"] = one_line(subject)
    message["Message-ID"] = make_msgid(domain=address.rpartition("@")[2])
    if in_reply_to:
        message["In-Reply-To"] = message["References"] = in_reply_to
    message["MIME-Version"] = "1.0"
    message["Content-Type"] = 'text/plain; charset="utf-8"'
    message["Content-Transfer-Encoding"] = "8bit"
    text = body.replace("\r\n", "\n") + "\n"
    message.set_payload(text.encode("utf-8", "replace").decode("ascii", "surrogateescape"))
    return message.as_bytes()


def one_line(text: str) -> str:
    """The text without line ends, control characters and halves of characters, as a header or a form's line can hold it."""
    return " ".join("".join(" " if unicodedata.category(each) in ("Cc", "Cs") else each for each in text).split())
