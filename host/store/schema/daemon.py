"""Edge: the tables of the daemon itself. In: nothing. Out: leases of roles and processes, its clock, what the host's hand did."""

from datetime import datetime

from sqlalchemy import Index, String
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
