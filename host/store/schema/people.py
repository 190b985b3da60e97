"""Edge: the tables of people. In: nothing. Out: contestants, addresses, absences, places in queues, lobbies, play money,
standings."""

from datetime import datetime
from typing import Literal

from sqlalchemy import BigInteger, ForeignKey, Index, String, Text, false, text, true
from sqlalchemy.orm import Mapped, mapped_column, relationship

from host.states import RegistrationState
from host.store.schema.base import Base, partial

ZoneFrom = Literal["", "guess", "told", "own"]
"""A contestant's time zone is the host's, or was guessed from a mail, and they were told, or is what they wrote."""
PRIVATE = "somebody"
"""The name of who is private, where everybody may read."""


class Contestant(Base):
    """A person who registered. `called` tells them from all others; at a table they have a seat's name. `name` in full is
    never shown to others.

    `bounced_at`: a letter came back then, and they have not written since. `passed_over`: in these queues they were silent.
    `wants_calls`: they are told of the next start of a game that they played.
    `is_private`: public pages show no name of theirs. `is_leaving`: they are forgotten when their last episode is over.

    Their time: `zone` is a name, or an offset as `UTC+01:00`, empty for the host's; `zone_from` says where it is from. `quiet` as
    `22:00-08:00`, `remind` as `24h 4h` or `off`, both empty where they said nothing; `letters` is `turns`, `at once` or
    `daily 18:00`, which comes next at `daily_at`. No absence of theirs ends after `away_until`.

    `message_id` is that of their last mail, which arrived at `message_at`; `word` is one of their own for the seed of their next
    episode in a season.
    """

    __tablename__ = "contestants"
    __table_args__ = (
        Index("ix_contestants_called_lower", text("lower(called)")),
        Index("ix_contestants_name_lower", text("lower(name)")),
        partial("ix_contestants_leaving", "id", where="is_leaving"),
        partial("ix_contestants_bounced", "bounced_at", where="bounced_at IS NOT NULL"),
        partial("ix_contestants_daily", "daily_at", where="daily_at IS NOT NULL"),
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    address: Mapped[str] = mapped_column(String(320), unique=True)
    name: Mapped[str]
    nickname: Mapped[str]
    hometown: Mapped[str]
    called: Mapped[str] = mapped_column(String(64), unique=True)
    created_at: Mapped[datetime]
    wrote_at: Mapped[datetime]
    confirmed_at: Mapped[datetime | None]
    bounced_at: Mapped[datetime | None]
    zone: Mapped[str] = mapped_column(default="", server_default="")
    zone_from: Mapped[ZoneFrom] = mapped_column(Text, default="", server_default="")
    quiet: Mapped[str] = mapped_column(default="", server_default="")
    remind: Mapped[str] = mapped_column(default="", server_default="")
    calendar: Mapped[bool] = mapped_column(default=False, server_default=false())
    letters: Mapped[str] = mapped_column(default="turns", server_default="turns")
    daily_at: Mapped[datetime | None]
    away_until: Mapped[datetime | None]
    is_private: Mapped[bool] = mapped_column(default=False, server_default=false())
    is_leaving: Mapped[bool] = mapped_column(default=False, server_default=false())
    message_id: Mapped[str] = mapped_column(Text, default="", server_default="")
    message_at: Mapped[datetime | None]
    wants_calls: Mapped[bool] = mapped_column(default=True, server_default=true())
    word: Mapped[str] = mapped_column(String(40), default="", server_default="")

    @property
    def is_gone(self) -> bool:
        """Were they forgotten? Nobody can write to them any more."""
        return "@" not in self.address

    passed_over: Mapped[list["Registration"]] = relationship(
        primaryjoin="and_(Registration.contestant_id == Contestant.id, Registration.is_passed)", viewonly=True
    )

    @property
    def public_name(self) -> str:
        """The name as everybody may see it."""
        return PRIVATE if self.is_private else self.called


class Absence(Base):
    """A contestant is away from then to then, and told so at `told_at`: no deadline of theirs runs meanwhile.

    One that was taken back after deadlines may have moved by it counts among the days that they may be away, for nothing else.
    """

    __tablename__ = "absences"
    __table_args__ = (Index("ix_absences_contestant", "contestant_id", "ends_at"),)
    id: Mapped[int] = mapped_column(primary_key=True)
    contestant_id: Mapped[int] = mapped_column(ForeignKey("contestants.id"))
    begins_at: Mapped[datetime]
    ends_at: Mapped[datetime]
    told_at: Mapped[datetime]
    is_taken_back: Mapped[bool] = mapped_column(default=False, server_default=false())


class Address(Base):
    """Another address of a contestant, which they confirmed. It belongs to one contestant."""

    __tablename__ = "addresses"
    address: Mapped[str] = mapped_column(String(320), primary_key=True)
    contestant_id: Mapped[int] = mapped_column(ForeignKey("contestants.id"), index=True)
    confirmed_at: Mapped[datetime]


class Declined(Base):
    """An address whose owner said that they did not register: it is not written to again unless it proves that it writes."""

    __tablename__ = "declined"
    address: Mapped[str] = mapped_column(String(320), primary_key=True)
    at: Mapped[datetime]


class Barred(Base):
    """An address that the host barred, and why: nothing that comes from it is played. `told_at`: it was told so, once."""

    __tablename__ = "barred"
    address: Mapped[str] = mapped_column(String(320), primary_key=True)
    why: Mapped[str]
    at: Mapped[datetime]
    told_at: Mapped[datetime | None]


class Registration(Base):
    """A place in the queue of a game.

    The queue goes by `queued_at`. `passed_at`: silent when last asked to be ready; not asked again before they write,
    which is what `is_passed` says. Who said `not now` is passed over until `ask_again_at`.
    """

    __tablename__ = "registrations"
    __table_args__ = (
        Index("ix_registrations_queue", "game", "state", "queued_at", "id"),
        Index("ix_registrations_line", "game", "state", "is_passed", "queued_at", "id"),
        partial("ix_registrations_passed", "contestant_id", where="is_passed"),
        partial("ix_registrations_again", "ask_again_at", where="ask_again_at IS NOT NULL"),
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    contestant_id: Mapped[int] = mapped_column(ForeignKey("contestants.id"), index=True)
    game: Mapped[str] = mapped_column(String(40))
    state: Mapped[RegistrationState] = mapped_column(String(16))
    created_at: Mapped[datetime]
    queued_at: Mapped[datetime]
    passed_at: Mapped[datetime | None]
    is_passed: Mapped[bool] = mapped_column(default=False, server_default=false())
    ask_again_at: Mapped[datetime | None]
    contestant: Mapped[Contestant] = relationship(lazy="joined", innerjoin=True)


class LobbyRow(Base):
    """One row a game: who is champion, how many episodes there were and are under way, what the next one waits for.

    `hold_until`: for who may object to how the last one ended; `champion_waits_until`: for the champion, who said `not now`.
    """

    __tablename__ = "lobbies"
    game: Mapped[str] = mapped_column(String(40), primary_key=True)
    episodes: Mapped[int]
    running: Mapped[int] = mapped_column(default=0, server_default="0")
    champion_id: Mapped[int | None] = mapped_column(ForeignKey("contestants.id"))
    champion_wins: Mapped[int]
    hold_until: Mapped[datetime | None]
    champion_waits_until: Mapped[datetime | None]
    begin_requested: Mapped[bool]
    champion: Mapped[Contestant | None] = relationship(lazy="joined")


class LedgerEntry(Base):
    """Play money of a contestant; never changed, only added to (a `back` adds the opposite)."""

    __tablename__ = "ledger"
    id: Mapped[int] = mapped_column(primary_key=True)
    contestant_id: Mapped[int] = mapped_column(ForeignKey("contestants.id"), index=True)
    episode_id: Mapped[int] = mapped_column(ForeignKey("episodes.id"), index=True)
    account: Mapped[str] = mapped_column(String(40))
    amount: Mapped[int]
    at: Mapped[datetime]
    note: Mapped[str]


class Standing(Base):
    """A contestant's results in a game in a year (UTC), 0 is all of them. The year's column was called a season once.

    The game without a name sums up all games that are played for dollars. They are kept where an episode ends and where its end
    is taken back, so that no page has to add up all episodes.
    """

    __tablename__ = "standings"
    __table_args__ = (
        Index("ix_standings_wins", "game", "season", "wins", "winnings", "contestant_id"),
        Index("ix_standings_winnings", "game", "season", "winnings", "contestant_id"),
    )
    game: Mapped[str] = mapped_column(String(40), primary_key=True)
    year: Mapped[int] = mapped_column("season", primary_key=True)
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
    contestant_id: Mapped[int] = mapped_column(ForeignKey("contestants.id"), index=True)
    began_at: Mapped[datetime]
    ended_at: Mapped[datetime | None]
    wins: Mapped[int]
    contestant: Mapped[Contestant] = relationship(lazy="joined", innerjoin=True)
