"""Edge: the tables of seasons. In: nothing. Out: seasons, their chains, their episodes."""

from datetime import datetime
from typing import Any

from sqlalchemy import ForeignKey, LargeBinary, String, Text, UniqueConstraint, false
from sqlalchemy.orm import Mapped, mapped_column, relationship

from host.store.schema.base import Base


class Season(Base):
    """A season, from then to then, of these games, or of all where none is named. It is closed when its last episode is over.

    `prizes` are the host's own words for what is won. One that `repeats` is followed by another, which lasts as long.
    """

    __tablename__ = "seasons"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(80))
    begins_at: Mapped[datetime]
    ends_at: Mapped[datetime | None]
    games: Mapped[list[Any]]
    prizes: Mapped[str] = mapped_column(Text, default="", server_default="")
    repeats: Mapped[bool] = mapped_column(default=False, server_default=false())
    closed_at: Mapped[datetime | None]


class Chain(Base):
    """A chain of a season: its first link, which is secret, its published end, how many links are used, and of which game.

    One that was drawn before chains were of a game (empty) serves any.
    """

    __tablename__ = "chains"
    id: Mapped[int] = mapped_column(primary_key=True)
    season_id: Mapped[int] = mapped_column(ForeignKey("seasons.id"), index=True)
    first: Mapped[bytes] = mapped_column(LargeBinary)
    end: Mapped[str] = mapped_column(String(64))
    used: Mapped[int]
    game: Mapped[str] = mapped_column(String(40), server_default="")


class SeasonEpisode(Base):
    """An episode of a season, the link of a chain that it has, and what each seat gave. Where no chain was free, it has none."""

    __tablename__ = "season_episodes"
    __table_args__ = (UniqueConstraint("chain_id", "number"),)
    episode_id: Mapped[int] = mapped_column(ForeignKey("episodes.id"), primary_key=True)
    season_id: Mapped[int] = mapped_column(ForeignKey("seasons.id"), index=True)
    chain_id: Mapped[int | None] = mapped_column(ForeignKey("chains.id"))
    number: Mapped[int | None]
    given: Mapped[list[Any]]
    chain: Mapped[Chain | None] = relationship(lazy="joined")
