"""Edge: the tables of the desk. In: nothing. Out: links to log in, sessions, forms that were sent, what was shown.

What a browser holds is never in the store: a key is the SHA-256 of it.
"""

from datetime import datetime

from sqlalchemy import ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column

from host.store.schema.base import Base


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
