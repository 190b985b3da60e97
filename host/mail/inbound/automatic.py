"""Pure: mail that is not a reply. In: a parsed mail, its sender's address, its bounce. Out: why nobody should answer it, or None.

RFC 3834 and the headers that programs really write; no header that ordinary mail programs write as well.
"""

import email.message
import re
import unicodedata

from host.engine.words import pattern
from host.mail.inbound.bounce import PROGRAM_FROM, REPORT, Parts
from host.mail.inbound.mail import Bounce
from host.mail.inbound.parsing import content_type, header_values
from host.mail.inbound.programs import any_of, words_pattern

MAX_RECEIVED = 30

_AUTOMATIC_FROM = pattern(
    r"(?:[^@]{0,64}[-_.+])?(?:(?:no|do[-_.]?not)[-_.]?reply|auto[-_.]?(?:reply|responder|response))(?:[-_.+@\d])",
    re.IGNORECASE,
)
_AUTOMATIC_HEADERS = ("X-Autoreply", "X-Autorespond", "X-Autoresponse", "X-Mail-Autoreply", "X-Autoresponder")
_AUTOMATIC_PREFIXES = ("x-auto-reply", "x-autoreply-")
_COMMENT = pattern(r"\([^()]*\)")
_TAG = pattern(r"^(?:\s*(?:\[[^\[\]]{1,40}\]|\*{2,5}[^*]{1,40}\*{2,5}))+\s*")
_SIGN = pattern(r"^\s*(?:[\[【]([^\[\]【】]{1,40})[\]】]|\((auto[^()]{1,30})\))\s*", re.IGNORECASE)
"""A tag that may itself say that nobody wrote this: `[Auto-reply] Re: ...`."""
_REPLY_METHOD = pattern(r"\bmethod\s*=\s*\"?reply\b", re.IGNORECASE)
_RECEIPT = pattern(r"\breport-type\s*=\s*\"?disposition-notification\b", re.IGNORECASE)


def _folded(subject: str) -> str:
    plain = unicodedata.normalize("NFKC", subject).replace("’", "'").casefold()
    return unicodedata.normalize("NFKC", " ".join(plain.split()))


_AWAY = words_pattern(
    lambda: (
        _folded(any_of("automatic", "away")) + r"(?:\s*[.!])?(?:\s*$|\s*:|\s+[-–—]|[-–—]\s)"
        rf"|{_folded(any_of('automatic', 'absent'))}\s*:(?:\s*re\s*:|.*\b[a-z]{{2,}}-\d)"
        r"|auto: .{1,100} is out of the office"
    )
)
"""The whole subject of an out-of-office mail, or how it begins; people write `absence:`, too, but not our subject behind it."""


def why_silent(message: email.message.Message, parts: Parts, sender: str, bounce: Bounce | None) -> str | None:
    """Why nobody should answer this mail: own, bounce, automatic, list; None where a person may have written it.

    `message` is parsed with compat32, `parts` are its own, `sender` is the address in its From, `bounce` what is read in
    it as a bounce. Never raises (RFC 3834 section 2).
    """
    if header_values(message, "X-Podium-Kind"):
        return "own"
    if len(header_values(message, "Received")) > MAX_RECEIVED or _is_receipt(message, parts):
        return "automatic"
    if _is_bounce(message, parts, sender, bounce):
        return "bounce"
    if _is_automatic(message, parts, sender):
        return "automatic"
    if header_values(message, "List-Id") or header_values(message, "List-Post"):
        return "list"
    if _words(message, "Precedence") & {"bulk", "list", "junk"}:
        return "list"
    return "automatic" if _is_away(message) else None


def _is_receipt(message: email.message.Message, parts: Parts) -> bool:
    """Does it only say that a mail was read (RFC 8098)?"""
    if any(content_type(part) == "message/disposition-notification" for part in parts):
        return True
    return content_type(message) == "multipart/report" and any(
        map(_RECEIPT.search, header_values(message, "Content-Type"))
    )


def _is_bounce(message: email.message.Message, parts: Parts, sender: str, bounce: Bounce | None) -> bool:
    if PROGRAM_FROM.match(sender) or header_values(message, "X-Failed-Recipients"):
        return True
    if content_type(message) == "multipart/report" or any(content_type(part) == REPORT for part in parts):
        return True
    if any(value.strip() == "<>" for value in header_values(message, "Return-Path")):
        # Responders send with a null return path too (RFC 3834 section 3.3).
        return not ("auto-replied" in _words(message, "Auto-Submitted") or _is_away(message) or _is_responders(message))
    return bounce is not None


def _is_automatic(message: email.message.Message, parts: Parts, sender: str) -> bool:
    if _words(message, "Auto-Submitted") - {"no", ""} or _words(message, "Precedence") & {"auto_reply", "auto-reply"}:
        return True
    return bool(_is_responders(message) or _AUTOMATIC_FROM.match(sender) or _is_invitation_answer(parts))


def _is_responders(message: email.message.Message) -> bool:
    """Has it one of the headers that only responders write?"""
    if any(value.strip().lower() != "no" for name in _AUTOMATIC_HEADERS for value in header_values(message, name)):
        return True
    return any(name.lower().startswith(_AUTOMATIC_PREFIXES) for name in message.keys())  # noqa: SIM118 - not a dict


def _is_invitation_answer(parts: Parts) -> bool:
    """Is it what a calendar sends when an invitation is accepted or declined (RFC 5546 section 3.2.3)?"""
    calendars = [part for part in parts if content_type(part) == "text/calendar"]
    return any(_REPLY_METHOD.search(value) for part in calendars for value in header_values(part, "Content-Type"))


def _is_away(message: email.message.Message) -> bool:
    subjects = [
        form
        for value in header_values(message, "Subject")
        for form in (_TAG.sub("", value), _SIGN.sub(r"\1\2: ", value))
    ]
    return any(_AWAY.match(_folded(each)) for each in subjects)


def _words(message: email.message.Message, name: str) -> set[str]:
    """The first word of each value of this header, lower case, without comments and parameters."""
    return {_COMMENT.sub(" ", value).split(";")[0].strip().lower() for value in header_values(message, name)}
