"""Pure: your mailbox in the demo. In: letters that came, mails that you sent. Out: conversations, as mail programs list them."""

import email
import email.policy
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from email.utils import parseaddr

from lxml import html

from host.demo.robot import ReadLetter, read_letter

_AGAIN = re.compile(r"^(?:\s*(?:re|fwd?|aw)\s*:)+\s*", re.IGNORECASE)
_TOKEN = re.compile(r" [a-z2-7]{26}\]$")
PREHEADER_LENGTH = 140


@dataclass(frozen=True)
class Attached:
    """A file beside a letter."""

    name: str
    content: bytes


@dataclass(frozen=True)
class Mail:
    """One mail of the mailbox; `number` counts from 1. `who` wrote it, or gets it where it `is_mine`; `preheader` is
    what a list shows beside the subject."""

    number: int
    is_mine: bool
    who: str
    at: datetime
    letter: ReadLetter
    preheader: str
    attached: tuple[Attached, ...] = ()

    @property
    def subject(self) -> str:
        """The subject as it stands."""
        return self.letter.headers.get("subject", "")

    @property
    def reply_to(self) -> str:
        """Where a reply goes."""
        return parseaddr(self.letter.headers.get("reply-to") or self.letter.headers.get("from", ""))[1]

    @property
    def conversation(self) -> str:
        """What mails of one conversation have in common. A link of a letter puts its token into the subject."""
        return _TOKEN.sub("]", _AGAIN.sub("", self.subject).strip()).casefold()


@dataclass(frozen=True)
class Conversation:
    """Mails with one subject, the latest first. `is_unread`: one of them is."""

    mails: tuple[Mail, ...]
    is_unread: bool

    @property
    def latest(self) -> Mail:
        """The latest mail, by which the conversation is listed."""
        return self.mails[0]

    @property
    def shown(self) -> Mail:
        """The mail that opening the conversation shows: the latest that came, else the latest."""
        return next((mail for mail in self.mails if not mail.is_mine), self.latest)


@dataclass
class Mailbox:
    """All mails, and which were read. `version` goes up with every change."""

    mails: list[Mail] = field(default_factory=list)
    unread: set[int] = field(default_factory=set)
    version: int = 0

    def came(self, raw: bytes, at: datetime) -> Mail:
        """A letter came."""
        letter = read_letter(raw)
        name, address = parseaddr(letter.headers.get("from", ""))
        mail = Mail(len(self.mails) + 1, False, name or address, at, letter, _preheader(letter), _attached(raw))
        self.unread.add(mail.number)
        return self._keep(mail)

    def went(self, raw: bytes, at: datetime) -> Mail:
        """You sent a mail."""
        letter = read_letter(raw)
        return self._keep(Mail(len(self.mails) + 1, True, "the host", at, letter, _preheader(letter)))

    def _keep(self, mail: Mail) -> Mail:
        self.mails.append(mail)
        self.version += 1
        return mail

    def read(self, number: int) -> Mail | None:
        """A mail is opened, and with it what came before it in its conversation is read; None where there is no such mail."""
        if not 0 < number <= len(self.mails):
            return None
        opened = self.mails[number - 1]
        read = {each.number for each in self.mails[:number] if each.conversation == opened.conversation} & self.unread
        if read:
            self.unread -= read
            self.version += 1
        return opened

    def conversations(self) -> tuple[Conversation, ...]:
        """All conversations, the one with the latest mail first."""
        found: dict[str, list[Mail]] = {}
        for mail in reversed(self.mails):
            found.setdefault(mail.conversation, []).append(mail)
        return tuple(self._conversation(mails) for mails in found.values())

    def conversation(self, mail: Mail) -> Conversation:
        """The conversation that a mail belongs to."""
        return self._conversation([each for each in reversed(self.mails) if each.conversation == mail.conversation])

    def _conversation(self, mails: Sequence[Mail]) -> Conversation:
        return Conversation(tuple(mails), any(mail.number in self.unread for mail in mails))


def _preheader(letter: ReadLetter) -> str:
    """The first words of a letter's page, which it hides for that; of a plain mail its first words."""
    first = html.fromstring(letter.page).find(".//body/div") if letter.page else None
    words = " ".join((first.text_content() if first is not None else letter.text).split())
    return words if len(words) <= PREHEADER_LENGTH else f"{words[:PREHEADER_LENGTH]}…"


def _attached(raw: bytes) -> tuple[Attached, ...]:
    message = email.message_from_bytes(raw, policy=email.policy.default)
    found = ((part.get_filename("file"), part.get_payload(decode=True)) for part in message.iter_attachments())
    return tuple(Attached(name, content) for name, content in found if isinstance(content, bytes))
