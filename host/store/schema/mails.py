"""Edge: the tables of mail. In: nothing. Out: letters, what they ask, stored mails, mails held, mailboxes."""

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, Index, LargeBinary, String, Text, UniqueConstraint, true
from sqlalchemy.orm import Mapped, mapped_column, relationship

from host.states import LetterKind, LetterPurpose, LetterState, MailState, Proof
from host.store.packing import unpack
from host.store.schema.base import Base, Number32, partial
from host.store.schema.episodes import PremoveRow, QuestionRow
from host.store.schema.people import Contestant

REGISTRATION_PURPOSES: tuple[LetterPurpose, ...] = ("confirm", "name", "registration")

# Conditions that pick rows. A partial index serves only a query that says its condition with the same literals.


def _letters(state: LetterState) -> str:
    return f"state = '{state}'"


def _mails(state: MailState) -> str:
    return f"state = '{state}'"


_WITH_BYTES: tuple[MailState, ...] = ("new", "held", "quarantined")
_TO_HOST: LetterPurpose = "host"
UNSENT = _letters("queued")
"""The letters that are still to be sent."""
FAILED = _letters("failed")
"""The letters that were refused for good."""
ASKED = "readings <> ''"
"""The letters that ask what a mail meant."""
TO_HOST = f"purpose = '{_TO_HOST}'"
"""The letters that pass on what a contestant wrote to the host."""
ANSWERS_REGISTRATION = f"purpose IN {REGISTRATION_PURPOSES}"
"""The letters that answer a registration, which anybody can write in anybody's name."""
NEW = _mails("new")
"""The mails that are still to be worked off."""
DEFERRED = _mails("deferred")
"""The registrations that wait to be answered."""
QUARANTINED = _mails("quarantined")
"""The mails that were set aside, because they could not be read or played."""
HELD = _mails("held")
"""The mails whose contestants are asked whether they are theirs."""
FORGETTABLE = f"raw IS NOT NULL AND state NOT IN {_WITH_BYTES}"
"""The mails that were worked off while their bytes are still there."""


class Letter(Base):
    """A letter, finished, and what became of it.

    `second` is the reading that the second reader put first among the buttons of what it asks, empty where it put none.
    `contestant_id` is whom it was sent to, None for operators; `about_id` is the contestant whose words it forwards;
    `host_question` is the key of a game's question to the host that it puts, `cause` what an alert is about (one a cause
    and hour). `claimed_by` is the process that is sending it, where several share a PostgreSQL. `packed` is the whole
    message (`host.store.packing`), None once it was let go of (`keep_letters`). `premoves` are what replies to it sent ahead,
    `questions` what it asks, open or not. `readings` are what it asks whether they were meant, one a line; `taken` is the
    number of the one that was, 0 for none.
    """

    __tablename__ = "letters"
    __table_args__ = (
        partial("ix_letters_due", "try_at", "id", where=UNSENT),
        partial("ix_letters_waiting", "address", "id", where=UNSENT),
        partial("ix_letters_failed", "id", where=FAILED),
        partial("ix_letters_cause", "cause", "created_at", where="cause <> ''"),
        partial("ix_letters_about", "about_id", where="about_id IS NOT NULL"),
        partial("ix_letters_registration", "created_at", where=ANSWERS_REGISTRATION),
        partial("ix_letters_host_question", "episode_id", where="host_question <> ''"),
        partial("ix_letters_to_host", "id", where=TO_HOST),
        partial("ix_letters_sent_at", "sent_at", where="sent_at IS NOT NULL"),
        Index("ix_letters_contestant", "contestant_id", "id"),
        Index("ix_letters_address", "address", "created_at"),
        partial("ix_letters_asked", "taken", "id", where=ASKED),
        partial("ix_letters_kept", "created_at", where="packed IS NOT NULL"),
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    token: Mapped[str] = mapped_column(String(32), unique=True)
    kind: Mapped[LetterKind] = mapped_column(String(16))
    purpose: Mapped[LetterPurpose] = mapped_column(String(16))
    address: Mapped[str] = mapped_column(String(320))
    contestant_id: Mapped[int | None] = mapped_column(ForeignKey("contestants.id"))
    about_id: Mapped[int | None] = mapped_column(ForeignKey("contestants.id"))
    episode_id: Mapped[int | None] = mapped_column(ForeignKey("episodes.id"), index=True)
    game: Mapped[str] = mapped_column(String(40))
    subject: Mapped[str]
    answers_id: Mapped[int | None] = mapped_column(ForeignKey("inbound.id"))
    host_question: Mapped[str] = mapped_column(String(120), default="", server_default="")
    cause: Mapped[str] = mapped_column(String(200), default="", server_default="")
    second: Mapped[str] = mapped_column(Text, default="", server_default="")
    created_at: Mapped[datetime]
    state: Mapped[LetterState] = mapped_column(String(16))
    attempts: Mapped[int]
    try_at: Mapped[datetime]
    sent_at: Mapped[datetime | None]
    response: Mapped[str]
    claimed_by: Mapped[str | None] = mapped_column(String(40))
    packed: Mapped[bytes | None] = mapped_column(LargeBinary, deferred=True)
    readings: Mapped[str] = mapped_column(Text, default="", server_default="")
    taken: Mapped[int | None]
    contestant: Mapped[Contestant | None] = relationship(foreign_keys=contestant_id)
    premoves: Mapped[list[PremoveRow]] = relationship(order_by="PremoveRow.id")
    questions: Mapped[list[QuestionRow]] = relationship(secondary="asks", order_by="QuestionRow.id")

    @property
    def message(self) -> bytes:
        """The whole message as it was sent, or will be; empty where it was let go of."""
        return unpack(self.packed) if self.packed else b""


class AskRow(Base):
    """A letter asks a question; a reply to that letter may answer it while it is open."""

    __tablename__ = "asks"
    letter_id: Mapped[int] = mapped_column(ForeignKey("letters.id"), primary_key=True)
    question_id: Mapped[int] = mapped_column(ForeignKey("questions.id"), primary_key=True, index=True)


class Inbound(Base):
    """A mail that was fetched.

    `is_known`: it names a letter of ours; the others are worked off by themselves, so that they hold up nobody, and no
    deadline waits for them. `proof` says how the check of its sender ended.
    `ordering_key`: mails with the same one must be worked off one after the other; it names an episode, a contestant or an
    unknown address (`host.store.queues`). `claimed_by` is the process that works it off, where several share a PostgreSQL.
    `raw` is dropped where the mail is a stranger's. `lines` are what the person typed, `note` what became of it.
    """

    __tablename__ = "inbound"
    __table_args__ = (
        UniqueConstraint("mailbox", "uidvalidity", "uid"),
        partial("ix_inbound_new", "is_known", "arrived_at", "id", where=NEW),
        partial("ix_inbound_deferred", "id", where=DEFERRED),
        partial("ix_inbound_ordering_key", "ordering_key", "arrived_at", "id", where=NEW),
        partial("ix_inbound_quarantined", "id", where=QUARANTINED),
        partial("ix_inbound_held", "id", where=HELD),
        Index("ix_inbound_content_key", "content_key"),
        Index("ix_inbound_sender", "sender", "id"),
        Index("ix_inbound_episode", "episode_id", "id"),
        Index("ix_inbound_contestant", "contestant_id", "id"),
        partial("ix_inbound_kept", "fetched_at", where=FORGETTABLE),
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    mailbox: Mapped[str] = mapped_column(String(200))
    uidvalidity: Mapped[int] = mapped_column(Number32)
    uid: Mapped[int] = mapped_column(Number32)
    arrived_at: Mapped[datetime]
    fetched_at: Mapped[datetime]
    raw: Mapped[bytes | None] = mapped_column(LargeBinary, deferred=True)
    size: Mapped[int] = mapped_column(Number32)
    state: Mapped[MailState] = mapped_column(String(16))
    content_key: Mapped[str | None] = mapped_column(String(64))
    sender: Mapped[str] = mapped_column(String(320))
    token: Mapped[str | None] = mapped_column(String(32))
    contestant_id: Mapped[int | None] = mapped_column(ForeignKey("contestants.id"))
    episode_id: Mapped[int | None] = mapped_column(ForeignKey("episodes.id"))
    lines: Mapped[list[Any]]
    note: Mapped[str]
    ordering_key: Mapped[str] = mapped_column(String(340), default="", server_default="")
    is_known: Mapped[bool] = mapped_column(default=True, server_default=true())
    proof: Mapped[Proof] = mapped_column(String(8), default="none", server_default="none")
    claimed_by: Mapped[str | None] = mapped_column(String(40))


class HeldMail(Base):
    """A mail with a valid token from an address that is not its contestant's, until `question_id` is answered.

    `shown_by` is the letter that showed it to the contestant: only a yes to that one, or a later one, covers it. `doubtful`
    are the lines that the person may have typed or quoted, `message_id` is the mail's own.
    """

    __tablename__ = "held"
    inbound_id: Mapped[int] = mapped_column(ForeignKey("inbound.id"), primary_key=True)
    question_id: Mapped[int] = mapped_column(ForeignKey("questions.id"), index=True)
    letter_id: Mapped[int] = mapped_column(ForeignKey("letters.id"))
    shown_by_id: Mapped[int | None] = mapped_column(ForeignKey("letters.id"))
    doubtful: Mapped[list[Any]] = mapped_column(server_default="[]")
    message_id: Mapped[str] = mapped_column(Text, default="", server_default="")


class Mailbox(Base):
    """How far a mailbox was read: mail up to `uid` is stored; a pass that began at `read_at` was the last whole one.

    `uidvalidity` is the server's, and in its upper 32 bits how often the mailbox was made anew (`begin_mailbox`).
    `seen_at` is when it was last known to be within reach; `blind_from` and `blind_until` are an outage of which not all
    were told.
    """

    __tablename__ = "mailboxes"
    name: Mapped[str] = mapped_column(String(200), primary_key=True)
    uidvalidity: Mapped[int] = mapped_column(Number32)
    uid: Mapped[int] = mapped_column(Number32)
    read_at: Mapped[datetime | None]
    seen_at: Mapped[datetime | None]
    blind_from: Mapped[datetime | None]
    blind_until: Mapped[datetime | None]
