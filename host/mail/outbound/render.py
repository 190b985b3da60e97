"""Shell: writing a letter. In: a `Draft` (what it says), an `Envelope` (to whom, as which mail). Out: the bytes of a message.

Rendering happens before the commit, so that a broken template undoes the turn and loses nothing. Text and HTML come
from the same draft. Plain headers and both forms are written out here; what is rare (other letters in a header, an
attachment) is left to the standard library, which takes ten times as long.
"""

import binascii
import functools
import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from typing import Any
from zoneinfo import ZoneInfo

from jinja2 import Environment

from host.engine.events import Event
from host.engine.game import Choice
from host.engine.vocabulary import MORE
from host.engine.words import pattern
from host.mail.outbound.draft import Ask, Draft, Envelope, TableView
from host.mail.outbound.formatting import CARD, first_up, listed, many, moment, typed
from host.mail.outbound.templates import base, environment, room_folder

BLOCKS = tuple(
    "top headline lead transcript asks terms page table story talk tail ahead could_send links notes commitment foot".split()
)
"""The parts of a letter, top to bottom; the base templates say how each looks, as text and as a page. Terms are explained
under the question on a page, and as `notes` at the foot of the text."""
_LABELS = ((3, 9), (2, 18))
"""How many buttons stand beside each other, and how many letters the longest of them may have."""
_LONGEST_EXAMPLE = 30
_A_DAY, _A_WEEK = timedelta(days=1), timedelta(days=6)
_SLACK = timedelta(minutes=1)
"""So that `in 48 hours` is said while the letter is a few seconds old."""
_date = functools.lru_cache(maxsize=64)(format_datetime)
"""A `Date`; the letters of one group of mails are written at one moment."""
UNFOLDED = SMTP.clone(max_line_length=998)
"""Headers stay on one line: some readers take the fold of a long value for a part of it (RFC 5322 allows 998)."""
_LONGEST_PLAIN = 900
_PLAIN = pattern(r"[!-~](?:[ -~]*[!-~])?")
_PLAIN_ADDRESS = pattern(r"[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*@[\w-]+(?:\.[\w-]+)*", re.ASCII)
_RIGHT = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc"
_BETWEEN = r"""[ ,.:;!?"'-]|&#3[49];"""
_FROM_RIGHT = pattern(
    rf"“[^“”\n{_RIGHT}]*+[{_RIGHT}][^“”\n]*+”|(?<!\u2068)[{_RIGHT}](?:(?:{_BETWEEN}){{0,3}}[{_RIGHT}])*"
)
"""What is quoted and has words from right to left in it; else such words, with what stands between two of them."""
_ADDRESSES = frozenset({"To", "Reply-To"})


@dataclass(frozen=True)
class Finished:
    """A letter ready to be sent: the whole message, and its two bodies as they were."""

    message: bytes
    text: str
    page: str
    subject: str


def tell(slug: str, events: Sequence[Event], names: Sequence[str], seat: int | None) -> tuple[str, ...]:
    """Tell what happened to `seat`, a sentence an event."""
    of_room = environment(slug).get_template(f"{room_folder(slug)}/events.txt").module
    of_all = environment(slug).get_template("events.txt").module

    def who(other: int) -> str:
        return "You" if other == seat else names[other]

    def whose(other: int, absolute: bool = False) -> str:
        if other == seat:
            return "yours" if absolute else "your"
        return names[other] if absolute else f"{names[other]}'s"

    def sentence(event: Event) -> str:
        macro = getattr(of_room, type(event).__name__, None) or getattr(of_all, type(event).__name__)
        return str(macro(event, who, whose)).strip()

    return tuple(first_up(said) for said in map(sentence, events) if said)


@dataclass(frozen=True)
class Wording:
    """The words of a question: the line above it, itself in paragraphs parted by empty lines, what silence will do."""

    headline: str
    sentence: str
    silence: str


def question_words(slug: str, phase: str, table: TableView) -> Wording:
    """Word a question. A macro has the phase's name, with `_` for `-`; `headline` and `silence` have macros of their own."""
    macros = environment(slug).get_template(f"{room_folder(slug)}/questions.txt").module
    other = listed([each for seat, each in enumerate(table.names) if seat != table.seat])
    words = (
        "\n\n".join(
            " ".join(part.split())
            for part in str(getattr(macros, macro)(table.view, table.seat, other, table.names)).strip().split("\n\n")
        )
        for macro in ("headline", phase.replace("-", "_"), "silence")
    )
    return Wording(*words)


def deadline_words(due_at: datetime, timezone: str, within: timedelta) -> str:
    """A moment in words, in the host's time zone and in UTC; seconds only where a deadline is short."""
    return _moment(due_at, timezone, within, "%A, %-d %B %Y, ")


def due_words(due_at: datetime, timezone: str, within: timedelta, now: datetime) -> str:
    """A deadline as people say it: `Tuesday 9:13 AM EST (14:13 UTC), in 46 hours`; with its date where that is far off."""
    left = due_at - now
    day = "%A " if timedelta() <= left < _A_WEEK else "%A, %-d %B, "
    return f"{_moment(due_at, timezone, within, day)}{f', in {time_left(left)}' if left > _SLACK else ''}"


def time_left(left: timedelta) -> str:
    """`1 day 20 hours`, `90 minutes`, `7 days`; of two days and less, whole ones in hours: `48 hours`."""
    left += _SLACK
    days, hours = left // _A_DAY, left % _A_DAY // timedelta(hours=1)
    if 0 < days < 5 and (hours or days > 2):
        return " ".join(many(count, unit) for count, unit in ((days, "day"), (hours, "hour")) if count)
    for unit, fewest in (("day", 5), ("hour", 2)):
        count = left // timedelta(**{f"{unit}s": 1})
        if count >= fewest:
            return many(count, unit)
    return many(left // timedelta(minutes=1), "minute")


def zone_of(name: str) -> tzinfo:
    """The time zone of a name, or of an offset as `UTC+01:00`."""
    if name[:4] in ("UTC+", "UTC-"):
        hours, _, minutes = name[4:].partition(":")
        ahead = timedelta(hours=int(hours), minutes=int(minutes))
        return timezone(-ahead if name[3] == "-" else ahead)
    return ZoneInfo(name)


def _moment(at: datetime, timezone: str, within: timedelta, day: str) -> str:
    is_short = within < timedelta(hours=1)
    local = at.astimezone(zone_of(timezone))
    words = local.strftime(day + ("%-I:%M:%S %p %Z" if is_short else "%-I:%M %p %Z"))
    if local.utcoffset() == timedelta():
        return words
    utc = at.astimezone(UTC)
    of_day = "" if utc.date() == local.date() else "%A "
    return f"{words} ({utc.strftime(of_day + ('%H:%M:%S' if is_short else '%H:%M'))} UTC)"


def finish(draft: Draft, envelope: Envelope) -> Finished:
    """The finished letter. Raises jinja2's errors where a template is broken."""
    slug = draft.table.slug if draft.table else ""
    templates = environment(slug)
    asks = [_ask(ask, envelope) for ask in draft.asks]
    rows = _rows(_buttons(draft.links, envelope))
    meant = _rows(_buttons(draft.transcript.readings, envelope)) if draft.transcript else []
    waiting = [(each.sentence, _rows(_buttons(each.choices, envelope.of(each)))) for each in draft.waiting]
    context = {"draft": draft, "envelope": envelope, "blocks": BLOCKS}
    context |= {"asks": asks, "rows": rows, "meant": meant, "waiting": waiting}
    spots = {name: href for ask in asks for name, href in ask["spots"].items()}
    drawn = _board(templates, draft.table, "html", spots, "spots") if spots else ""
    board = _board(templates, draft.table, "html", spots)
    page = _isolated(base(slug, envelope.look).render(context, board=board, spots=drawn))
    text = templates.get_template("base.txt").render(
        context, board=draft.board or _board(templates, draft.table, "txt", {})
    )
    lines = [line.rstrip() for line in text.strip().splitlines()]
    text = _isolated("\n".join(line for at, line in enumerate(lines) if line or (at and lines[at - 1])) + "\n")
    record = ((*draft.attachment, "application/jsonl"),) if draft.attachment else ()
    written = message(_headers(draft, envelope), text, page, envelope.token, (*record, *draft.calendar))
    return Finished(written, text, page, envelope.subject)


def _isolated(text: str) -> str:
    """The text with each name or quotation that is written from right to left kept to itself (Unicode, annex 9, 2.4): beside an
    amount it would turn what stands around it."""
    return _FROM_RIGHT.sub("\u2068\\g<0>\u2069", text)


def _board(
    templates: Environment, table: TableView | None, form: str, spots: dict[str, str], part: str = "table"
) -> Any:
    """The table, or that part of it which is drawn under the question to be tapped on: `spots` are links by what is tapped."""
    if table is None:
        return ""
    template = templates.get_template(f"{room_folder(table.slug)}/board.{form}")
    rendered = template.render(view=table.view, names=list(table.names), me=table.seat, spots=spots, part=part)
    return templates.filters["safe"](rendered) if form == "html" else rendered.strip("\n")


def table_text(table: TableView) -> str:
    """The table in plain text, as the text part of a letter shows it."""
    return str(_board(environment(table.slug), table, "txt", {}))


def _ask(ask: Ask, envelope: Envelope) -> dict[str, Any]:
    due = due_words(ask.due_at, envelope.timezone, ask.within, envelope.written_at) if ask.due_at else ""
    kinds: dict[str, Choice] = {}
    for each in ask.choices:
        kinds.setdefault(each.kind, each)
    tapped = ask.choices
    if ask.above:
        said = {each.say for each in ask.above}
        seen = {each.kind for each in ask.choices if each.say in said}
        tapped = tuple(replace(each, spot="", group="") for kind, each in kinds.items() if kind not in seen)
    return {
        "sentence": ask.sentence,
        "silence": ask.silence,
        "deadline": due,
        "spots": {each.spot: envelope.link("\n".join(each.say)) for each in tapped if each.spot},
        "groups": [
            (group, _rows(_buttons(list(choices), envelope)))
            for group, choices in itertools.groupby((each for each in tapped if not each.spot), lambda each: each.group)
        ],
        "is_open": any(each.text for each in ask.choices),
        "usages": list(dict.fromkeys(_usage(each) for each in kinds.values() if each.group != MORE)),
        "more": next(
            (list(map(typed, each.type_instead.split("\n"))) for each in ask.choices if each.group == MORE), []
        ),
        "has_cards": any(CARD.search(each) for choice in ask.choices for each in choice.say),
    }


def _buttons(choices: Sequence[Choice], envelope: Envelope) -> list[dict[str, str]]:
    return [{"label": each.label, "href": envelope.link("\n".join(each.say))} for each in choices]


def _rows(buttons: list[dict[str, str]]) -> list[list[dict[str, str]]]:
    """As many beside each other as a phone has room for."""
    longest = max((len(each["label"]) for each in buttons), default=0)
    a_row = next((count for count, most in _LABELS if longest <= most), 1)
    return [buttons[at : at + a_row] for at in range(0, len(buttons), a_row)]


def _usage(choice: Choice) -> str:
    """Say what to type instead of tapping, with an example where it is not the example itself."""
    usage = choice.type_instead.removeprefix("the word ").removeprefix("the words ")
    example = typed(", ".join(choice.say))
    return (
        usage
        if choice.text or choice.group == MORE or usage.endswith(example) or len(example) > _LONGEST_EXAMPLE
        else f"{usage} ({example})"
    )


def _headers(draft: Draft, envelope: Envelope) -> Iterator[tuple[str, str]]:
    yield "From", mailbox(envelope.host_name, envelope.address)
    yield "To", envelope.recipient
    yield "Reply-To", envelope.reply_to
    yield "Subject", envelope.subject
    yield "Date", _date(envelope.written_at)
    yield "Message-ID", envelope.message_id
    if envelope.in_reply_to:
        yield "In-Reply-To", envelope.in_reply_to
    yield "References", " ".join(dict.fromkeys((*envelope.references, envelope.message_id)))
    yield "Auto-Submitted", "auto-replied" if envelope.answers else "auto-generated"
    yield "X-Auto-Response-Suppress", "All"
    if draft.kind != "alert":
        yield "List-Unsubscribe", envelope.unsubscribe
    yield "X-Podium-Kind", draft.kind
    if envelope.episode:
        yield "X-Podium-Episode", envelope.episode
    dues = [ask.due_at for ask in draft.asks if ask.due_at]
    if dues:
        yield "X-Podium-Reply-By", moment(min(dues))
    if draft.commitment:
        yield "X-Podium-Commitment", draft.commitment
    if draft.chain:
        yield "X-Podium-Chain", f"{draft.chain.number} {draft.chain.end}"
        if draft.seat is not None:
            yield "X-Podium-Seat", str(draft.seat + 1)


@functools.lru_cache(maxsize=1024)
def mailbox(name: str, address: str) -> str:
    """A name and an address as a header has them (RFC 5322, 3.4): the name quoted where it must be."""
    user, _, domain = address.rpartition("@")
    return str(Address(name, user, domain))


def message(
    headers: Iterable[tuple[str, str]], text: str, page: str, mark: str, files: Sequence[tuple[str, bytes, str]] = ()
) -> bytes:
    """A multipart/alternative of text and HTML (RFC 2046, 5.1.4), in a multipart/mixed where files are attached.

    Each has a name, its content and a type.

    `mark` makes the boundaries: letters, digits, at most 60. No line of either form can be one, for quoted-printable
    never has `=_` (RFC 2045, 6.7). Raises `ValueError` where a header has a line break.
    """
    head = "".join(header(name, value) for name, value in headers) + "MIME-Version: 1.0\r\n"
    body = _multipart("alternative", f"=_{mark}", (_form("plain", text), _form("html", page)))
    if files:
        body = _multipart("mixed", f"=_with_{mark}", (body, *(_attached(*each) for each in files)))
    return head.encode("ascii") + body


def header(name: str, value: str) -> str:
    """A header on one line, with its CRLF; encoded words (RFC 2047) where it is not plain ASCII.

    Raises `ValueError` where the value has a line break.
    """
    is_plain = _PLAIN_ADDRESS.fullmatch(value) if name in _ADDRESSES else _PLAIN.fullmatch(value)
    if is_plain and len(value) < _LONGEST_PLAIN and "=?" not in value:
        return f"{name}: {value}\r\n"
    return _encoded(name, value)


@functools.lru_cache(maxsize=1024)
def _encoded(name: str, value: str) -> str:
    return str(UNFOLDED.header_store_parse(name, value)[1].fold(policy=UNFOLDED))


def _multipart(kind: str, boundary: str, parts: Iterable[bytes]) -> bytes:
    line = f"\r\n--{boundary}".encode("ascii")
    head = f'Content-Type: multipart/{kind}; boundary="{boundary}"\r\n'.encode("ascii")
    return head + b"".join(line + b"\r\n" + part for part in parts) + line + b"--\r\n"


def _form(kind: str, text: str) -> bytes:
    head = f'Content-Type: text/{kind}; charset="utf-8"\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n'
    lines = text.encode().replace(b"\r\n", b"\n").replace(b"\r", b"\n").replace(b"\n", b"\r\n")
    end = b"" if not lines or lines.endswith(b"\r\n") else b"\r\n"
    return head.encode("ascii") + binascii.b2a_qp(lines + end)


def _attached(filename: str, content: bytes, kind: str) -> bytes:
    part = EmailMessage(policy=UNFOLDED)
    part.set_content(content, maintype="application", subtype="jsonl", filename=filename)
    del part["MIME-Version"]
    part.replace_header("Content-Type", kind)
    return part.as_bytes()
