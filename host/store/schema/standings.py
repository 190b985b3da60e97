"""Edge: the tables of what finished episodes add up to. In: nothing. Out: standings of a game and a season, reigns of champions.

They are kept where an episode ends and where its end is taken back, so that no page has to add up all episodes.
"""

from datetime import datetime

from sqlalchemy import BigInteger, ForeignKey, Index, String
from sqlalchemy.orm import Mapped, mapped_column, relationship

from host.store.schema.base import Base, partial
from host.store.schema.people import Contestant


class Standing(Base):
    """A contestant's results in a game in a season. A season is a year (UTC), 0 is all of them.

    The game without a name sums up all games that are played for dollars.
    """

    __tablename__ = "standings"
    __table_args__ = (
        Index("ix_standings_wins", "game", "season", "wins", "winnings", "contestant_id"),
        Index("ix_standings_winnings", "game", "season", "winnings", "contestant_id"),
    )
    game: Mapped[str] = mapped_column(String(40), primary_key=True)
    season: Mapped[int] = mapped_column(primary_key=True)
    contestant_id: Mapped[int] = mapped_column(ForeignKey("contestants.id"), primary_key=True)
    episodes: Mapped[int]
    wins: Mapped[int]
    winnings: Mapped[int] = mapped_column(BigInteger)


class Reign(Base):
    """A champion of a game from then to then, still champion where it has no end; `wins` in a row."""

    __tablename__ = "reigns"
    __table_args__ = (
        Index("ix_reigns_game", "game", "id"),
        partial("ix_reigns_open", "game", where="ended_at IS NULL"),
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    game: Mapped[str] = mapped_column(String(40))
    contestant_id: Mapped[int] = mapped_column(ForeignKey("contestants.id"))
    began_at: Mapped[datetime]
    ended_at: Mapped[datetime | None]
    wins: Mapped[int]
    contestant: Mapped[Contestant] = relationship(lazy="joined", innerjoin=True)
