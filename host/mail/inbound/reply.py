"""Pure: opening a mail. In: its raw bytes. Out: a `Mail` (who, tokens, text), or why it is not answered or not readable.

The standard library parses the mail by its compat32 policy, which does not raise on malformed headers, within the bounds
of `parsing`. Every access is guarded, since one mail must never stop the mailbox. `automatic` and `bounce` say what is not a
reply.
"""

import email.message
import email.utils
import itertools
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from urllib.parse import unquote

from host.engine.words import pattern
from host.mail.inbound.automatic import why_silent
from host.mail.inbound.bounce import Parts, read_bounce
from host.mail.inbound.comparison import compare
from host.mail.inbound.mail import MAX_ADDRESS, Mail, Typed, is_writable
from host.mail.inbound.page import MAX_HTML, has_struck, has_words, html_to_text, letter_to_text
from host.mail.inbound.parsing import (
    TROUBLE,
    content_type,
    decoded_header,
    decoded_text,
    header_values,
    own_parts,
    parse,
    parse_head,
    parted,
    tokens_in,
)
from host.mail.inbound.quotation import ANSWERED, beside_quoted, read_lines
from host.mail.inbound.sent_text import MIN_RUN_WORDS, SentText, letter_forms, payload

MAX_TEXT = 64 * 1024
"""Characters of the text that are read."""
MAX_TRACES = 100
"""Received and Authentication-Results headers that are kept."""
MAX_HEADER = 20_000
"""Characters of a header that are read."""
MAX_SENDERS = 10
"""From headers that are looked at. A mail has one."""
MAX_SENDER = 4_000
"""Characters of a From header that are read."""
MAX_TOKENS = 200

_RECIPIENTS = (
    "To",
    "Cc",
    "Delivered-To",
    "X-Original-To",
    "Envelope-To",
    "X-Envelope-To",
    "X-Gm-Original-To",
    "Resent-To",
)
_ADDRESS = pattern("[^@\\s\x00-\x1f\x7f\ud800-\udfff]+@[^@\\s\x00-\x1f\x7f\ud800-\udfff]+")
_UNFIT = pattern("[\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""Signs that no database takes (NUL, halves of characters), and that would steer a terminal or turn a letter's words around."""
_BREAKS = pattern("[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_LONE_ADDRESS = pattern(r"([^<>,@\"]*)<([^<>@\s,]+@[^<>@\s,]+)>")
_EMPHASIS = pattern(r"(?<![\w*])([*_]{1,2})(?=[^\s*_])([^*_\n]{0,200}[^\s*_])\1(?![\w*])")
"""How bold and underlined words look in plain text."""
_LINK = pattern(r"[<(\[]\s*(?:mailto|https?):[^>)\]]{0,4000}[>)\]]", re.IGNORECASE)
"""A link in brackets, as mail programs put them behind the words of a page."""


def open_mail(raw: bytes) -> Mail:
    """The mail in these bytes. Never raises: what cannot be read has a `problem`."""
    try:
        return _open(parse(raw))
    except TROUBLE as error:
        problem = f"it cannot be taken apart ({type(error).__name__})"
    try:  # whose it is may still stand in its headers
        mail = _open(parse_head(parted(raw)[0].decode("ascii", "surrogateescape")))
    except Exception:
        tokens = tokens_in("address", raw[:MAX_HEADER].decode("ascii", "replace"))
        return Mail("", problem=problem, tokens=tuple(tokens))
    return replace(mail, problem=problem, text="", page="")


def _open(message: email.message.Message) -> Mail:
    senders = _senders(message)
    problem = None
    if len(senders) > 1:
        problem = "it names more than one sender"
    elif not senders or len(senders[0][1]) > MAX_ADDRESS or not _ADDRESS.fullmatch(senders[0][1]):
        problem = "it names no sender"
    elif not is_writable(senders[0][1]):
        problem = "its sender's address cannot be written to (only plain addresses of ASCII letters can)"
    name, address = senders[0] if senders else ("", "")
    parts = own_parts(message)
    text, page = map(_fit, _text_and_page(parts))
    subject = " ".join(_first(message, "Subject").split())
    references = _ids(message, "In-Reply-To") + _ids(message, "References")[::-1]
    tokens = [
        token for name in _RECIPIENTS for value in _values(message, name) for token in tokens_in("address", value)
    ]
    tokens += tokens_in("subject", subject)
    tokens += [token for reference in references for token in tokens_in("id", reference)]
    tokens += tokens_in("text", text)
    bounce = read_bounce(message, parts)
    silence = why_silent(message, parts, address, bounce)
    return Mail(
        sender=address.lower() if problem is None else "",
        display_name=" ".join(name.split()),
        subject=subject,
        message_id=_first(message, "Message-ID").strip(),
        references=references,
        tokens=tuple(dict.fromkeys(tokens))[:MAX_TOKENS],
        is_only_in_subject=len(tokens) == len(tokens_in("subject", subject)) > 0,
        silence=silence,
        bounce=bounce if silence == "bounce" else None,
        problem=problem,
        text=text,
        page=page,
        authentication=_authentication(message),
        addressed=_addressed(message),
        offset=_offset(message),
    )


def _offset(message: email.message.Message) -> int | None:
    """How many minutes the date of a mail is ahead of UTC."""
    try:
        ahead = email.utils.parsedate_to_datetime(_first(message, "Date")).utcoffset()
    except TROUBLE:
        return None
    return None if ahead is None else int(ahead.total_seconds() // 60)


def _senders(message: email.message.Message) -> list[tuple[str, str]]:
    """Name and address of each sender. Addresses are split off before names are decoded: a decoded name may hold anything."""
    senders: list[tuple[str, str]] = []
    for value in (" ".join(str(each)[:MAX_SENDER].split()) for each in message.get_all("From", [])[:MAX_SENDERS]):
        found = [each for each in email.utils.getaddresses([value]) if each[1]]
        plain = _LONE_ADDRESS.fullmatch(value)
        if len(found) != 1 and plain:
            found = [(plain[1], plain[2])]
        senders.extend((_fit(decoded_header(name)), address) for name, address in found)
    return senders


def _addressed(message: email.message.Message) -> tuple[str, ...]:
    values = [value[:MAX_SENDER] for name in ("To", "Cc") for value in _values(message, name)[:MAX_SENDERS]]
    return tuple(address.lower() for _, address in email.utils.getaddresses(values) if "@" in address)


def _fit(text: str) -> str:
    return _UNFIT.sub("", _BREAKS.sub("\n", text))


def _values(message: email.message.Message, name: str) -> tuple[str, ...]:
    return tuple(map(_fit, header_values(message, name, MAX_HEADER)))


def _first(message: email.message.Message, name: str) -> str:
    return next(iter(_values(message, name)), "")


def _ids(message: email.message.Message, name: str) -> tuple[str, ...]:
    return tuple(each for value in _values(message, name) for each in re.findall(r"<[^<>\s]+>", value))


def _authentication(message: email.message.Message) -> tuple[str, ...]:
    found = [
        "" if name.lower() == "received" else _fit(str(value)[: 4 * MAX_HEADER])
        for name, value in message.items()
        if name.lower() in ("received", "authentication-results")
    ]
    return tuple(found[:MAX_TRACES])


def _text_and_page(parts: Parts) -> tuple[str, str]:
    """The readable text: the text/plain parts where they say what is seen, else those in HTML; and the HTML, if any."""
    texts: list[str] = []
    pages: list[str] = []
    for part in parts:
        kind = content_type(part)
        if kind not in ("text/plain", "text/html") or part.get_content_disposition() == "attachment":
            continue
        if part.get_filename() and part.get_content_disposition() != "inline":
            continue
        content = decoded_text(payload(part), part.get_content_charset())
        if kind == "text/plain":
            content = _unflowed(content, part) if part.get_param("format") == "flowed" else content
            texts.append(_EMPHASIS.sub(r"\2", content))
        else:
            pages.append(content)
    text = _ARMOUR.sub("", "\n".join(texts)[:MAX_TEXT])
    if not text.strip() or (len(texts) == len(pages) and any(map(has_struck, pages))):
        text = html_to_text("\n".join(pages))[:MAX_TEXT]
    return _LINK.sub(" ", _with_newlines(text)), _with_newlines("\n".join(pages)[:MAX_HTML])


_ARMOUR = pattern(
    r"^-----BEGIN PGP SIGNED MESSAGE-----\s*\n(?:[A-Za-z-]{1,20}: [^\n]{0,200}\n)*"
    r"|^-----BEGIN PGP (SIGNATURE|MESSAGE)-----(?:[^-]|-(?!----END))*-----END PGP \1-----",
    re.MULTILINE,
)
"""What PGP puts round a text, and what is encrypted (RFC 9580 section 6.2, 7)."""


def _with_newlines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _unflowed(text: str, part: email.message.Message) -> str:
    """Lines of format=flowed joined again (RFC 3676)."""
    delete = str(part.get_param("delsp", "no")).lower() == "yes"
    pieces: list[str] = []
    joining = False
    for line in text.replace("\r\n", "\n").split("\n"):
        quoted = line.startswith(">")
        line = line[1:] if line.startswith(" ") and not quoted else line
        if pieces and (quoted or not joining):
            pieces.append("\n")
        joining = line.endswith(" ") and line != "-- " and not quoted
        pieces.append(line[:-1] if joining and delete else line)
    return "".join(pieces)


_BODY = pattern(r'href="mailto:[^"]{1,1500}[?;&]body=([^"&]{1,2000})"')
"""The text that a link of ours writes (RFC 6068)."""


SIGNATURE_BOX = "ms-outlook-mobile-signature"
"""The box that Outlook on a telephone puts its line into: whoever types above that line types in the box."""


def read_typed(text: str, page: str, writer: str, sent: Iterable[SentText]) -> Typed:
    """Tell what `writer` typed in a mail of this text and this HTML, held against the letters, the one answered first.

    Where the HTML quotes the letter, the two pages tell it: a text beside it shows no more what stands in which cell. What a
    button of the answered letter writes is typed, though another letter may hold the same lines.
    """
    letters, looked = iter(sent), list[SentText]()

    def looking() -> Iterator[SentText]:
        for each in letters:
            looked.append(each)
            yield each

    found = _read_typed(text, page, writer, looking())
    if not found.lines and SIGNATURE_BOX in page:
        open_page = page.replace(SIGNATURE_BOX, "")
        found = _read_typed(html_to_text(open_page), open_page, writer, itertools.chain(tuple(looked), looking()))
    if not (found.lines or found.doubtful) and ">" in text:
        looked += itertools.islice(letters, max(0, ANSWERED - len(looked)))
        found = replace(found, doubtful=beside_quoted(text, looked[:ANSWERED], writer) if looked else ())
    lines = [each.strip() for each in text.strip().splitlines()]
    if not looked or len(lines) < 2 or found.lines[:2] == tuple(lines[:2]):
        return found
    if not found.lines:  # its text alone was looked at, perhaps, and its page has the buttons
        looked += itertools.islice(letters, max(0, ANSWERED - len(looked)))
    buttons = (each for letter in looked[:ANSWERED] for each in _buttons(letter.page))
    sizes = (len(each) for each in buttons if lines[: len(each)] == [line.strip() for line in each])
    tapped = max(sizes, default=0)
    if not tapped:
        return found
    rest = read_lines("\n".join(lines[tapped:]), itertools.chain(looked, letters), writer)
    return replace(rest, lines=(*lines[:tapped], *rest.lines))


def _read_typed(text: str, page: str, writer: str, letters: Iterator[SentText]) -> Typed:
    if not has_words(page, MIN_RUN_WORDS):
        return read_lines(text, letters, writer)
    answered = list(itertools.islice(letters, ANSWERED))
    letter = next((each.page for each in answered if each.page), "")
    own = next((each.text for each in answered if not each.page), "")
    compared = compare(page, letter, own) if letter else None
    if compared is None:
        return read_lines(text, itertools.chain(answered, letters), writer)
    typed = read_lines(compared.text, itertools.chain(answered, letters), writer)
    return replace(typed, doubtful=typed.doubtful + compared.doubtful)


def _buttons(page: str) -> list[list[str]]:
    """The lines that each button of a letter writes, where these are several."""
    bodies = (unquote(found).splitlines() for found in _BODY.findall(page))
    return [each for each in bodies if len(each) > 1]


def sent_forms(text: str, page: str) -> tuple[SentText, SentText]:
    """A letter that was sent, ready to be compared with: its text, and what its page becomes as text."""
    return SentText(text), SentText(letter_to_text(page), page)


def sent_texts(raw: bytes) -> tuple[SentText, ...]:
    """A letter that was sent, ready to be compared with: its text, and what its HTML becomes as text."""
    text, page = letter_forms(raw)
    return sent_forms(text, page) if page else (SentText(text),)
