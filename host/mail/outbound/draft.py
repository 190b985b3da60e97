"""Pure: the contents of a letter. In: the words of a turn, what is asked, to whom it goes. Out: a `Draft` and an `Envelope`."""

import functools
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import quote

from host.engine.chain import Place
from host.engine.game import Choice
from host.look import Look
from host.mail.outbound.formatting import typed
from host.states import LetterKind

MEANT = "meant"
"""The kind of a choice that is a reading of a mail."""


@dataclass(frozen=True)
class Transcript:
    """An account of what became of the mail that a letter answers.

    `reason` says why nothing, or not all, was played of what is `refused`. `read_as` are sentences about how something was
    read, `stands` says whether what was played can be taken back, and `can_undo` gives a button for it. Where it `is_asked`
    what was meant, `refused` is what was typed and `reason` the question; `readings` are what it may mean, as buttons, the
    likeliest first.
    """

    accepted: tuple[str, ...] = ()
    refused: str = ""
    reason: str = ""
    untried: tuple[str, ...] = ()
    ahead: tuple[str, ...] = ()
    read_as: tuple[str, ...] = ()
    stands: str = ""
    can_undo: bool = False
    is_asked: bool = False
    readings: tuple[Choice, ...] = ()

    @property
    def meant(self) -> str:
        """The readings in canonical words, one a line."""
        return "\n".join(each.type_instead for each in self.readings if each.kind == MEANT)


@dataclass(frozen=True)
class Ask:
    """A question as a letter puts it: `headline` is what it comes to in one line, `silence` what happens without an answer by
    `due_at`. Where buttons stand `above` it, it has one for each kind of move that those do not show."""

    sentence: str
    choices: tuple[Choice, ...]
    headline: str = ""
    due_at: datetime | None = None
    within: timedelta = timedelta(hours=48)
    silence: str = ""
    above: tuple[Choice, ...] = ()


@dataclass(frozen=True)
class Waiting:
    """What waits in another letter, of this token and subject: a sentence, and buttons that answer that letter."""

    sentence: str
    choices: tuple[Choice, ...]
    token: str
    subject: str


@dataclass(frozen=True)
class TableView:
    """A game's table as its reader may see it: `seat` is the reader's, `names` are by seat."""

    slug: str
    view: Mapping[str, Any]
    names: tuple[str, ...]
    seat: int


@dataclass(frozen=True)
class Draft:
    """The contents of a letter, top to bottom: what is new, what is asked, the table, what happened, the foot.

    `lead` are paragraphs before the question, `tail` after the story; in both a paragraph that begins with `# ` is a heading,
    one with `- ` an item of a list. `ahead` are the commands that its reader sent ahead and that still wait, `orders` the
    standing orders, `could_send` says which could be sent so. `terms` are words of it that are explained, each with what it
    means. `talk` is what others say at the table: who says it, and the words. `links` are for a letter that asks nothing,
    `page` is the label and the address of a page of the web, `waiting` what other letters ask. `board` is the table in plain
    text, where that was written already. `calendar` are files for a calendar, or more files: name, content, type. `chain` is
    the episode's place in one, and `seat`, from 0 on, whose line of it is its reader's.
    """

    kind: LetterKind
    headline: str
    lead: tuple[str, ...] = ()
    transcript: Transcript | None = None
    asks: tuple[Ask, ...] = ()
    links: tuple[Choice, ...] = ()
    page: tuple[str, str] | None = None
    waiting: tuple[Waiting, ...] = ()
    table: TableView | None = None
    board: str = ""
    story: tuple[str, ...] = ()
    tail: tuple[str, ...] = ()
    ahead: tuple[str, ...] = ()
    orders: tuple[str, ...] = ()
    could_send: tuple[str, ...] = ()
    terms: tuple[tuple[str, str], ...] = ()
    talk: tuple[tuple[str, str], ...] = ()
    commitment: str = ""
    chain: Place | None = None
    seat: int | None = None
    services: bool = True
    may_resign: bool = True
    attachment: tuple[str, bytes] | None = None
    calendar: tuple[tuple[str, bytes, str], ...] = ()


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
    timezone: str
    written_at: datetime
    answers: bool = False
    in_reply_to: str = ""
    references: tuple[str, ...] = ()
    episode: str = ""
    look: Look = Look()  # noqa: RUF009 - frozen

    @property
    def subject(self) -> str:
        """The subject, the same for all letters of one contestant and episode (but for the token without plus addressing)."""
        return f"{self.topic} [{self.code}]" if self.plus else self.tapped_subject

    @property
    def tapped_subject(self) -> str:
        """The subject of a mail that a link writes: it always has the token."""
        return f"{self.topic} [{self.code} {self.token}]"

    def of(self, other: Waiting) -> "Envelope":
        """The envelope by whose links another letter is answered."""
        topic, _, code = other.subject.rpartition(" [")
        return replace(self, token=other.token, topic=topic, code=code.partition("]")[0].partition(" ")[0])

    @property
    def reply_to(self) -> str:
        """The address for answers."""
        user, _, domain = self.address.rpartition("@")
        return f"{user}+{self.token}@{domain}" if self.plus else self.address

    @property
    def message_id(self) -> str:
        """Stays the same when the same letter is sent again; the token is its local part."""
        return message_id(self.token, self.address)

    def link(self, body: str) -> str:
        """A mailto link (RFC 6068) that writes commands as people type them; CRLF between its lines."""
        return self._link + quote("\r\n".join(typed(body).splitlines()), safe="")

    @property
    def unsubscribe(self) -> str:
        """The value of `List-Unsubscribe` (RFC 2369): a link that writes `leave`; the token is in its address or its subject."""
        subject = "" if self.plus else f"subject={quote(self.tapped_subject, safe='')}&"
        return f"<mailto:{quote(self.reply_to, safe='@+')}?{subject}body=leave>"

    @functools.cached_property
    def _link(self) -> str:
        """The beginning that all links of a letter share."""
        return f"mailto:{quote(self.reply_to, safe='@+')}?subject={quote(self.tapped_subject, safe='')}&body="


def message_id(token: str, address: str) -> str:
    """The Message-ID of the letter with this token."""
    return f"<{token}@{address.rpartition('@')[2]}>"


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
