"""Pure: your mail program in the demo. In: letters that came, mails that you sent, links. Out: conversations, drafts, hints.

A letter is shown with its mailto links turned into links of the demo's own composer. What is stored stays as it came.
"""

import email
import email.policy
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from email.utils import parseaddr

from lxml import html

from host.demo.robot import ReadLetter, opened
from host.engine.words import table

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

    def keep(self, raw: bytes, at: datetime, is_mine: bool = False) -> Mail:
        """A letter came, or you sent a mail."""
        letter, number = ReadLetter(raw), len(self.mails) + 1
        name, address = parseaddr(letter.headers.get("from", ""))
        who = "the host" if is_mine else name or address
        mail = Mail(number, is_mine, who, at, letter, _preheader(letter), _attached(raw))
        self.mails.append(mail)
        self.unread |= set() if is_mine else {number}
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


@dataclass(frozen=True)
class Draft:
    """A mail that is being written. `answers` is the number of the mail that it replies to, 0 for none."""

    to: str
    subject: str = ""
    body: str = ""
    answers: int = 0
    hint: str = ""


def page_to_show(mail: Mail) -> str:
    """A letter's page, whose links open the composer in the window around it."""
    numbers = iter(range(len(mail.letter.links)))
    return re.sub(
        r'href="mailto:[^"]+"',
        lambda _: f'href="/write?mail={mail.number}&amp;link={next(numbers)}" target="_top"',
        mail.letter.page,
    )


def draft_of_link(letter: ReadLetter, link: int) -> Draft | None:
    """The mail that tapping a link of a letter begins; None where the letter has no such link."""
    if not 0 <= link < len(letter.links):
        return None
    to, subject, body = opened(letter.links[link])
    hint = "Finish the line, then press Send." if body.endswith(" ") else "The move is written already: press Send."
    return Draft(to, subject, body, hint=hint)


def reply_to(mail: Mail) -> Draft:
    """A reply that quotes as mail programs do."""
    quoted = "\n".join(f"> {line}" if line else ">" for line in mail.letter.text.rstrip().splitlines())
    said = f"On {mail.at:%a, %d %b %Y at %H:%M} UTC, {mail.who} wrote:"
    subject = mail.subject if mail.subject.lower().startswith("re:") else f"Re: {mail.subject}"
    hint = "Write a move in your own words above the quoted letter, then press Send."
    return Draft(mail.reply_to, subject, f"\n\n{said}\n{quoted}\n", mail.number, hint)


def hint(mailbox: Mailbox) -> str:
    """Say to somebody who has never seen the demo what to do next."""
    words: dict[str, dict[str, str]] = table("host.demo", "hints.toml")
    always = words["always"]
    latest, listed = mailbox.mails[-1], mailbox.conversations()
    if latest.is_mine:
        # before somebody has said that it was they who registered the host answers nothing else
        doubted = next((each.latest for each in listed if each.latest.letter.kind == "confirm"), None)
        return always["unconfirmed"].format(subject=doubted.subject) if doubted else always["sent"]
    unread = [each.shown for each in listed if each.shown.number in mailbox.unread]
    unread = [each for each in unread if each.letter.kind != "registered"]
    if latest.number in mailbox.unread:
        unread = [latest]
    elif latest.letter.asks and latest.letter.kind not in words["read"]:
        return always["move"]
    if unread:
        letter = unread[0].letter
        return words["unread"].get(letter.kind, always["asks" if letter.asks else "came"])
    return words["read"].get(latest.letter.kind, always["wait"])
