"""Shell: writing a letter. In: a `Draft` (what it says), an `Envelope` (to whom, as which mail). Out: finished bytes.

Rendering happens before the commit, so that a broken template undoes the turn and loses nothing. Text and HTML come
from the same draft.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from itertools import groupby
from typing import Any
from zoneinfo import ZoneInfo

from jinja2 import Environment

from host.engine.game import Choice, Event
from host.mail.outbound.draft import Ask, Draft, Envelope, TableView
from host.mail.outbound.formatting import TEXT_WIDTH, first_up, listed
from host.mail.outbound.mime import mailbox, message
from host.mail.outbound.templates import environment, room_folder

LINKS_A_ROW = 3


@dataclass(frozen=True)
class Finished:
    """A letter ready to be sent: the whole message, and its two bodies as they were."""

    message: bytes
    text: str
    page: str
    subject: str


def tell(slug: str, events: Sequence[Event], names: Sequence[str], seat: int | None) -> tuple[str, ...]:
    """What happened, a sentence an event, as told to `seat`."""
    macros = environment(slug).get_template(f"{room_folder(slug)}/events.txt").module

    def who(other: int) -> str:
        return "You" if other == seat else names[other]

    def whose(other: int, absolute: bool = False) -> str:
        if other == seat:
            return "yours" if absolute else "your"
        return names[other] if absolute else f"{names[other]}'s"

    sentences = (str(getattr(macros, type(event).__name__)(event, who, whose)).strip() for event in events)
    return tuple(first_up(sentence) for sentence in sentences if sentence)


def question_words(slug: str, phase: str, table: TableView) -> tuple[str, str]:
    """What a question says, in paragraphs parted by empty lines, and the sentence about silence.

    A macro has the phase's name, with `_` for `-`.
    """
    macros = environment(slug).get_template(f"{room_folder(slug)}/questions.txt").module
    other = listed([each for seat, each in enumerate(table.names) if seat != table.seat])
    sentences = (
        getattr(macros, macro)(table.view, table.seat, other, table.names)
        for macro in (phase.replace("-", "_"), "silence")
    )
    sentence, silence = ("\n\n".join(" ".join(part.split()) for part in str(each).split("\n\n")) for each in sentences)
    return sentence.strip(), silence.strip()


def deadline_words(due_at: datetime, timezone: str, within: timedelta) -> str:
    """A deadline in words, in the host's time zone and in UTC; seconds only where it is short."""
    clock = "%-I:%M:%S %p %Z" if within < timedelta(hours=1) else "%-I:%M %p %Z"
    local = due_at.astimezone(ZoneInfo(timezone))
    words = local.strftime(f"%A, %-d %B %Y, {clock}")
    if local.utcoffset() == timedelta():
        return words
    utc = due_at.astimezone(UTC)
    day = "" if utc.date() == local.date() else "%A "
    return f"{words} ({utc.strftime(day + ('%H:%M:%S' if within < timedelta(hours=1) else '%H:%M'))} UTC)"


def finish(draft: Draft, envelope: Envelope) -> Finished:
    """The finished letter. Raises jinja2's errors where a template is broken."""
    templates = environment(draft.table.slug if draft.table else "")
    context = {"draft": draft, "envelope": envelope, "asks": [_ask(ask, envelope) for ask in draft.asks]}
    text, page = (
        templates.get_template(f"base.{form}").render(context, board=_board(templates, draft.table, form))
        for form in ("txt", "html")
    )
    text = _squeezed(text)
    written = message(_headers(draft, envelope), text, page, envelope.token, draft.attachment)
    return Finished(written, text, page, envelope.subject)


def _squeezed(text: str) -> str:
    lines = [line.rstrip() for line in text.strip().splitlines()]
    return "\n".join(line for at, line in enumerate(lines) if line or (at and lines[at - 1])) + "\n"


def _board(templates: Environment, table: TableView | None, form: str) -> Any:
    if table is None:
        return ""
    template = templates.get_template(f"{room_folder(table.slug)}/board.{form}")
    rendered = template.render(view=table.view, names=list(table.names), me=table.seat)
    return templates.filters["safe"](rendered) if form == "html" else rendered.strip("\n")


def _ask(ask: Ask, envelope: Envelope) -> dict[str, Any]:
    due = deadline_words(ask.due_at, envelope.timezone, ask.within) if ask.due_at else ""
    kinds = [list(group) for _, group in groupby(ask.choices, key=lambda choice: choice.kind)]
    return {
        "title": ask.title,
        "sentence": ask.sentence,
        "silence": ask.silence,
        "deadline": due,
        "rows": [row for group in kinds for row in _rows([_choice(choice, envelope) for choice in group])],
        "kinds": [{"sentence": _in_words(group)} for group in kinds],
    }


def _rows(choices: list[dict[str, str]]) -> list[list[dict[str, str]]]:
    return [choices[at : at + LINKS_A_ROW] for at in range(0, len(choices), LINKS_A_ROW)]


def _choice(choice: Choice, envelope: Envelope) -> dict[str, str]:
    return {
        "label": choice.label,
        "href": envelope.link("\n".join(choice.say)),
        "type_instead": f"or type {choice.type_instead}" if choice.text else f"or type: {', '.join(choice.say)}",
    }


def _in_words(group: Sequence[Choice]) -> str:
    first = group[0]
    example = ", ".join(first.say)
    usage = f"You can write {first.type_instead}"
    if first.text or first.type_instead.endswith(example):
        return f"{usage}."
    unbroken = f"(for instance: {example})".replace(" ", "\u00a0")  # an example on a line of its own would be a command
    return f"{usage} {unbroken if len(unbroken) < TEXT_WIDTH - 4 else f'(for instance: {example})'}."


def _headers(draft: Draft, envelope: Envelope) -> Iterator[tuple[str, str]]:
    yield "From", mailbox(envelope.host_name, envelope.address)
    yield "To", envelope.recipient
    yield "Reply-To", envelope.reply_to
    yield "Subject", envelope.subject
    yield "Date", format_datetime(envelope.written_at)
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
        yield "X-Podium-Reply-By", min(dues).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    if draft.commitment:
        yield "X-Podium-Commitment", draft.commitment
