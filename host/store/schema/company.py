"""Edge: the tables of company. In: nothing. Out: what was said to a table, who mutes whom, who watches an episode."""

from datetime import datetime

from sqlalchemy import ForeignKey, Index, false
from sqlalchemy.orm import Mapped, mapped_column, relationship

from host.store.schema.base import Base
from host.store.schema.people import Contestant


class Talk(Base):
    """Words of a contestant to their table, or to one seat of it; the host may stop them before letters carry them."""

    __tablename__ = "talk"
    __table_args__ = (Index("ix_talk_episode", "episode_id", "id"), Index("ix_talk_contestant", "contestant_id", "at"))
    id: Mapped[int] = mapped_column(primary_key=True)
    episode_id: Mapped[int] = mapped_column(ForeignKey("episodes.id"))
    contestant_id: Mapped[int] = mapped_column(ForeignKey("contestants.id"))
    to_seat: Mapped[int | None]
    text: Mapped[str]
    at: Mapped[datetime]
    is_stopped: Mapped[bool] = mapped_column(default=False, server_default=false())


class Mute(Base):
    """A contestant wants to hear no table talk of another."""

    __tablename__ = "mutes"
    contestant_id: Mapped[int] = mapped_column(ForeignKey("contestants.id"), primary_key=True)
    muted_id: Mapped[int] = mapped_column(ForeignKey("contestants.id"), primary_key=True)


class Watcher(Base):
    """Somebody who reads along in an episode: they were `told` so many events, and hear no more before `next_at`."""

    __tablename__ = "watchers"
    __table_args__ = (Index("ix_watchers_next_at", "next_at"), Index("ix_watchers_contestant_id", "contestant_id"))
    episode_id: Mapped[int] = mapped_column(ForeignKey("episodes.id"), primary_key=True)
    contestant_id: Mapped[int] = mapped_column(ForeignKey("contestants.id"), primary_key=True)
    told: Mapped[int]
    next_at: Mapped[datetime]
    contestant: Mapped[Contestant] = relationship()
