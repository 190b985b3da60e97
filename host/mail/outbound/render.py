"""Pure: writing a letter. In: a `Draft` (what it says) and an `Envelope` (to whom, as which mail). Out: finished bytes.

Rendering happens before the commit, so that a broken template undoes the turn and loses nothing. Text and HTML come
from the same draft.
"""

import functools
import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from itertools import groupby
from pathlib import Path
from typing import Any
from urllib.parse import quote
from zoneinfo import ZoneInfo

from jinja2 import Environment, FunctionLoader, StrictUndefined

from host.engine.cards import face, name
from host.engine.game import Choice, Event, amount
from host.mail.outbound.mime import mailbox, message
from host.mail.outbound.styling import Styling
from host.states import LetterKind

TEXT_WIDTH = 58
"""Mail programs wrap at 72 to 78; a quoted line that is wrapped loses its mark."""
_FULL_LINES = re.compile(rf"(.{{1,{TEXT_WIDTH}}})(?: |$)")
_LINES = re.compile(rf"(^.{{1,{TEXT_WIDTH}}}|.{{1,{TEXT_WIDTH - 2}}})(?: |$)")
_WORD = rf"(?:-|[^\s-][^ \t-\r-]{{0,{TEXT_WIDTH - 4}}})"
_WORDS = re.compile(rf"{_WORD}(?: {_WORD})*")
LINKS_A_ROW = 3


@dataclass(frozen=True)
class Transcript:
    """What became of the mail that a letter answers."""

    accepted: tuple[str, ...] = ()
    refused: str = ""
    reason: str = ""
    untried: tuple[str, ...] = ()
    suggestions: tuple[str, ...] = ()
    ahead: tuple[str, ...] = ()


@dataclass(frozen=True)
class Ask:
    """A question as a letter puts it: `silence` says what happens without an answer by `due_at`."""

    title: str
    sentence: str
    choices: tuple[Choice, ...]
    due_at: datetime | None = None
    within: timedelta = timedelta(hours=48)
    silence: str = ""


@dataclass(frozen=True)
class TableView:
    """A game's table as its reader may see it: `seat` is the reader's, `names` are by seat."""

    slug: str
    view: Mapping[str, Any]
    names: tuple[str, ...]
    seat: int


@dataclass(frozen=True)
class Draft:
    """What a letter says, top to bottom. `preheader` is what an inbox shows beside the subject.

    `ahead` are the commands that its reader sent ahead and that still wait, `could_send` says which could be sent so.
    """

    kind: LetterKind
    headline: str
    preheader: str = ""
    lead: tuple[str, ...] = ()
    transcript: Transcript | None = None
    story: tuple[str, ...] = ()
    table: TableView | None = None
    asks: tuple[Ask, ...] = ()
    tail: tuple[str, ...] = ()
    ahead: tuple[str, ...] = ()
    could_send: tuple[str, ...] = ()
    commitment: str = ""
    services: bool = True
    may_resign: bool = True
    attachment: tuple[str, bytes] | None = None


@dataclass(frozen=True)
class Envelope:
    """As which mail a letter goes. `address` is the host's; with `plus`, answers go to address+token."""

    token: str
    host_name: str
    address: str
    plus: bool
    recipient: str
    topic: str
    code: str
    masthead: str
    timezone: str
    written_at: datetime
    answers: bool = False
    in_reply_to: str = ""
    references: tuple[str, ...] = ()
    episode: str = ""

    @property
    def subject(self) -> str:
        """The subject, the same for all letters of one contestant and episode (but for the token without plus addressing)."""
        return f"{self.topic} [{self.code}]" if self.plus else self.tapped_subject

    @property
    def tapped_subject(self) -> str:
        """The subject of a mail that a link writes: it always has the token."""
        return f"{self.topic} [{self.code} {self.token}]"

    @property
    def reply_to(self) -> str:
        """Where answers go."""
        user, _, domain = self.address.rpartition("@")
        return f"{user}+{self.token}@{domain}" if self.plus else self.address

    @property
    def message_id(self) -> str:
        """Stays the same when the same letter is sent again; the token is its local part."""
        return message_id(self.token, self.address)

    def link(self, body: str) -> str:
        """A mailto link (RFC 6068) that writes `body`; CRLF between its lines."""
        return self._link + quote("\r\n".join(body.splitlines()), safe="")

    @functools.cached_property
    def _link(self) -> str:
        """What all links of a letter have in common."""
        return f"mailto:{quote(self.reply_to, safe='@+')}?subject={quote(self.tapped_subject, safe='')}&body="


@dataclass(frozen=True)
class Finished:
    """A letter ready to be sent: the whole message, and its two bodies as they were."""

    message: bytes
    text: str
    page: str
    subject: str


def message_id(token: str, address: str) -> str:
    """The Message-ID of the letter with this token."""
    return f"<{token}@{address.rpartition('@')[2]}>"


def templates_folder() -> Path:
    """Where the templates are: beside the package, or in it where it is installed."""
    inside = Path(__file__).parents[2] / "templates"
    return inside if inside.is_dir() else Path(__file__).parents[3] / "templates"


def money(amount: int) -> str:
    """`$2,500`."""
    return f"${amount:,}"


def listed(names: Sequence[str]) -> str:
    """`Ann`, `Ann and Bob`, `Ann, Bob and Cleo`."""
    return " and ".join([*([", ".join(names[:-1])] if names[:-1] else []), *names[-1:]])


def fold(text: str) -> str:
    """A paragraph in lines that no mail program wraps again."""
    hanging = "  " if text.startswith(("* ", "- ")) else ""
    return "\n".join(_wrapped(line, hanging, hanging if at else "") for at, line in enumerate(text.split("\n")))


def marked(text: str) -> str:
    """A paragraph whose wrapped lines begin with a bar: a line of it that a mail program leaves unquoted is no command."""
    return _wrapped(text, "| ")


def _wrapped(text: str, indent: str, first: str = "") -> str:
    """As `textwrap.fill` does it, which takes ten times as long, and is needed only where a line may break in a word or
    spaces are odd."""
    if not _WORDS.fullmatch(text):
        return textwrap.fill(text, TEXT_WIDTH, initial_indent=first, subsequent_indent=indent)
    lines = _LINES if indent else _FULL_LINES
    return f"\n{indent}".join(lines.findall(first + text))


def _centred(text: str, width: int) -> str:
    gap = width - len(text.replace("\ufe0e", ""))
    return " " * (gap // 2) + text + " " * (gap - gap // 2)


def _card(code: str) -> str:
    return code if code == "??" else face(code)


def _lower_you(who: str) -> str:
    return "you" if who == "You" else who


def _first_up(text: str) -> str:
    return text[:1].upper() + text[1:]


class _Templates(Environment):
    def getattr(self, obj: Any, attribute: str) -> Any:
        """What a template has after a dot: of a dictionary, its key first, as nearly always; a tenth of a letter's cost."""
        if type(obj) is dict and attribute in obj:
            return obj[attribute]
        return super().getattr(obj, attribute)


@functools.cache
def _environment(slug: str) -> Environment:
    """The templates as a game's letters need them, compiled at first use and kept."""
    folder = templates_folder()
    files = [folder / "style.css", *([folder / _folder(slug) / "style.css"] if slug else [])]
    styling = Styling("".join(file.read_text("utf-8") for file in files if file.exists()))

    def load(template: str) -> tuple[str, str, None]:
        source = (folder / template).read_text("utf-8")
        return styling.styled(source) if template.endswith(".html") else source, template, None

    environment = _Templates(
        loader=FunctionLoader(load),
        autoescape=lambda template: template is not None and template.endswith(".html"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=False,
        auto_reload=False,
    )

    @functools.cache
    def card(code: str) -> Any:
        cards: Any = environment.get_template("cards.html").module
        return cards.card(code)

    environment.filters |= {
        "style_of": styling.style,
        "card": card,
        "money": money,
        "amount": amount,
        "listed": listed,
        "face": _card,
        "card_name": name,
        "fold": fold,
        "marked": marked,
        "centred": _centred,
        "lower_you": _lower_you,
        "first_up": _first_up,
    }
    return environment


def prepare(slugs: Iterable[str]) -> None:
    """Have the templates of these games ready, so that nobody's letter waits for them."""
    for slug in slugs:
        board = f"{_folder(slug)}/board"
        for template in ("base.txt", "base.html", "cards.html", f"{board}.txt", f"{board}.html"):
            _environment(slug).get_template(template)
        for template in ("events.txt", "questions.txt"):
            _ = _environment(slug).get_template(f"{_folder(slug)}/{template}").module


def _folder(slug: str) -> str:
    return slug.replace("-", "_")


def tell(slug: str, events: Sequence[Event], names: Sequence[str], seat: int | None) -> tuple[str, ...]:
    """What happened, a sentence an event, as told to `seat`."""
    macros = _environment(slug).get_template(f"{_folder(slug)}/events.txt").module

    def who(other: int) -> str:
        return "You" if other == seat else names[other]

    def whose(other: int, absolute: bool = False) -> str:
        if other == seat:
            return "yours" if absolute else "your"
        return names[other] if absolute else f"{names[other]}'s"

    sentences = (str(getattr(macros, type(event).__name__)(event, who, whose)).strip() for event in events)
    return tuple(_first_up(sentence) for sentence in sentences if sentence)


def question(slug: str, phase: str, table: TableView) -> tuple[str, str]:
    """What a question says, in paragraphs parted by empty lines, and the sentence about silence.

    A macro has the phase's name, with `_` for `-`.
    """
    macros = _environment(slug).get_template(f"{_folder(slug)}/questions.txt").module
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
    environment = _environment(draft.table.slug if draft.table else "")
    context = {"draft": draft, "envelope": envelope, "asks": [_ask(ask, envelope) for ask in draft.asks]}
    text, page = (
        environment.get_template(f"base.{form}").render(context, board=_board(environment, draft.table, form))
        for form in ("txt", "html")
    )
    text = _squeezed(text)
    written = message(_headers(draft, envelope), text, page, envelope.token, draft.attachment)
    return Finished(written, text, page, envelope.subject)


def shortened(draft: Draft, paragraphs: int, characters: int) -> Draft:
    """A draft that became too long: so many paragraphs of each part, so many characters of each, and without its file."""

    def cut(part: tuple[str, ...]) -> tuple[str, ...]:
        some = tuple(each if len(each) <= characters else f"{each[:characters]}…" for each in part[:paragraphs])
        return some if len(part) <= paragraphs else (*some, f"(and {len(part) - paragraphs} more)")

    told = draft.transcript
    if told is not None:
        (refused,) = cut((told.refused,))
        told = replace(
            told, refused=refused, accepted=cut(told.accepted), untried=cut(told.untried), ahead=cut(told.ahead)
        )
    without = ("The file that belongs to this letter is too long for a mail: ask the host for it.",)
    return replace(
        draft,
        lead=cut(draft.lead),
        transcript=told,
        story=cut(draft.story),
        ahead=cut(draft.ahead),
        tail=(*cut(draft.tail), *(without if draft.attachment else ())),
        attachment=None,
    )


def _squeezed(text: str) -> str:
    lines = [line.rstrip() for line in text.strip().splitlines()]
    return "\n".join(line for at, line in enumerate(lines) if line or (at and lines[at - 1])) + "\n"


def _board(environment: Environment, table: TableView | None, form: str) -> Any:
    if table is None:
        return ""
    template = environment.get_template(f"{_folder(table.slug)}/board.{form}")
    rendered = template.render(view=table.view, names=list(table.names), me=table.seat)
    return environment.filters["safe"](rendered) if form == "html" else rendered.strip("\n")


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
    yield "X-Podium-Kind", draft.kind
    if envelope.episode:
        yield "X-Podium-Episode", envelope.episode
    dues = [ask.due_at for ask in draft.asks if ask.due_at]
    if dues:
        yield "X-Podium-Reply-By", min(dues).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    if draft.commitment:
        yield "X-Podium-Commitment", draft.commitment
