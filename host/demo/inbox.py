"""Pure: your mailbox in the demo. In: letters that came, mails that you sent. Out: conversations, as mail programs list them."""

import email
import email.policy
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from email.utils import parseaddr

from lxml import html

from host.demo.robot import ReadLetter, read_letter

PREHEADER_LENGTH = 140


@dataclass(frozen=True)
class Mail:
    """One mail; `number` counts from 1. `who` wrote it, or gets it where it `is_mine`.

    `preheader` is what a list shows beside the subject, `attached` the files beside a letter, by name.
    """

    number: int
    is_mine: bool
    who: str
    at: datetime
    letter: ReadLetter
    preheader: str
    attached: Mapping[str, bytes]

    @property
    def subject(self) -> str:
        """The subject as it stands."""
        return self.letter.headers.get("subject", "")

    @property
    def reply_to(self) -> str:
        """The address that a reply goes to."""
        return parseaddr(self.letter.headers.get("reply-to") or self.letter.headers.get("from", ""))[1]

    @property
    def conversation(self) -> str:
        """The subject that mails of one conversation have in common; a link of a letter puts its token into it."""
        subject = re.sub(r"^(\s*(re|fwd?|aw)\s*:)+\s*", "", self.subject.casefold()).strip()
        return re.sub(r" [a-z2-7]{26}\]$", "]", subject)


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
        name, address = parseaddr(read_letter(raw).headers.get("from", ""))
        self.unread.add(len(self.mails) + 1)
        return self._keep(raw, at, name or address, is_mine=False)

    def went(self, raw: bytes, at: datetime) -> Mail:
        """You sent a mail."""
        return self._keep(raw, at, "the host", is_mine=True)

    def _keep(self, raw: bytes, at: datetime, who: str, is_mine: bool) -> Mail:
        letter = read_letter(raw)
        mail = Mail(len(self.mails) + 1, is_mine, who, at, letter, _preheader(letter), _attached(raw))
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
        return tuple(
            Conversation(tuple(mails), any(mail.number in self.unread for mail in mails)) for mails in found.values()
        )

    def conversation(self, mail: Mail) -> Conversation:
        """The conversation that a mail belongs to."""
        return next(each for each in self.conversations() if mail in each.mails)


def _preheader(letter: ReadLetter) -> str:
    """The first words of a letter's page, which it hides for that; of a plain mail its first words."""
    first = html.fromstring(letter.page).find(".//body/div") if letter.page else None
    words = " ".join((first.text_content() if first is not None else letter.text).split())
    return words if len(words) <= PREHEADER_LENGTH else f"{words[:PREHEADER_LENGTH]}…"


def _attached(raw: bytes) -> dict[str, bytes]:
    message = email.message_from_bytes(raw, policy=email.policy.default)
    found = ((part.get_filename("file"), part.get_payload(decode=True)) for part in message.iter_attachments())
    return {str(name): content for name, content in found if isinstance(content, bytes)}
