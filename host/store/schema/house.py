"""Edge: the tables of the host itself. In: nothing. Out: leases, the daemon's clock, what operators did and saw at the desk.

What a browser holds is never in the store: a key is the SHA-256 of it.
"""

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from host.store.schema.base import Base


class AuditEntry(Base):
    """A command of the host: when, who, which command."""

    __tablename__ = "audit"
    __table_args__ = (Index("ix_audit_episode", "episode", "id"),)
    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime]
    who: Mapped[str]
    command: Mapped[str]
    episode: Mapped[str] = mapped_column(String(16))


class Lease(Base):
    """A process has what only one may do at a time, and until when nobody else may take that over.

    Also which processes there are: each has a lease by its own name, under which it claims mails and letters.
    """

    __tablename__ = "leases"
    name: Mapped[str] = mapped_column(String(40), primary_key=True)
    holder: Mapped[str] = mapped_column(String(120))
    until: Mapped[datetime]


class Heartbeat(Base):
    """The daemon's clock as last seen: wall time and the machine's steady clock, to notice a wall clock that jumps."""

    __tablename__ = "heartbeat"
    id: Mapped[int] = mapped_column(primary_key=True)
    boot: Mapped[str] = mapped_column(String(64))
    steady: Mapped[float]
    wall: Mapped[datetime]


class LoginLink(Base):
    """A link that lets an operator in, once and until a moment."""

    __tablename__ = "login_links"
    __table_args__ = (Index("ix_login_links_made_at", "made_at"),)
    key: Mapped[str] = mapped_column(String(64), primary_key=True)
    address: Mapped[str] = mapped_column(String(320))
    made_at: Mapped[datetime]
    until: Mapped[datetime]
    used_at: Mapped[datetime | None]


class WebSession(Base):
    """An operator's browser that is logged in."""

    __tablename__ = "web_sessions"
    key: Mapped[str] = mapped_column(String(64), primary_key=True)
    address: Mapped[str] = mapped_column(String(320))
    began_at: Mapped[datetime]
    seen_at: Mapped[datetime]


class SentForm(Base):
    """A form that was sent, so that it is not carried out again, and what it led to."""

    __tablename__ = "sent_forms"
    key: Mapped[str] = mapped_column(String(64), primary_key=True)
    at: Mapped[datetime]
    said: Mapped[str]


class Reveal(Base):
    """Something hidden that a session asked to be shown, until a moment: an episode's code, or a mail."""

    __tablename__ = "reveals"
    session_key: Mapped[str] = mapped_column(ForeignKey("web_sessions.key", ondelete="CASCADE"), primary_key=True)
    what: Mapped[str] = mapped_column(String(40), primary_key=True)
    until: Mapped[datetime]


class SeenTo(Base):
    """Something that an operator has seen to, so that it needs nobody any more: `out 12` is a letter, `in 7` a mail.

    A letter to the host is a contestant's words, which were answered, or need no answer.
    """

    __tablename__ = "seen_to"
    what: Mapped[str] = mapped_column(String(40), primary_key=True)
    at: Mapped[datetime]
    who: Mapped[str]
