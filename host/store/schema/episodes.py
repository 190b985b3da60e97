"""Edge: the tables of episodes. In: nothing. Out: episodes, records, questions, commands sent ahead, the question bank."""

from datetime import datetime
from typing import Any, Literal

from sqlalchemy import JSON, BigInteger, ForeignKey, Index, LargeBinary, String, Text, UniqueConstraint, false
from sqlalchemy.orm import Mapped, mapped_column, relationship

from host.states import PremoveState, QuestionOutcome, QuestionPurpose
from host.store.schema.base import Base, Instant, partial
from host.store.schema.people import Contestant


class Episode(Base):
    """An episode: its secret, its state as of the last turn (JSON), and its life. `version` guards each commit.

    `champion_before_id` and `champion_wins_before` are of when it began, and once it is over of just before its end.
    `last_line` is the number of the last line of its record (1 is the header), `last_event` that of its last event (0 is
    none), `last_talk` that of the last words at its table. `questions` are those that were open, `premoves` those that waited
    or of which their seats were not told, when they were loaded, `untold` the events that not all seats had been told, and
    what was added since.
    """

    __tablename__ = "episodes"
    __table_args__ = (
        partial("ix_episodes_running", "game", "id", where="over_at IS NULL"),
        partial("ix_episodes_paused", "id", where="paused_at IS NOT NULL"),
        partial("ix_episodes_over", "over_at", "id", where="over_at IS NOT NULL"),
        partial("ix_episodes_over_game", "game", "over_at", "id", where="over_at IS NOT NULL"),
        partial("ix_episodes_unlisted", "game", where="is_unlisted"),
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    code: Mapped[str] = mapped_column(String(16), unique=True)
    game: Mapped[str] = mapped_column(String(40))
    rules_version: Mapped[int]
    options: Mapped[dict[str, Any]]
    seed: Mapped[bytes] = mapped_column(LargeBinary)
    commitment: Mapped[str] = mapped_column(String(64))
    state: Mapped[dict[str, Any]]
    began_at: Mapped[datetime]
    over_at: Mapped[datetime | None]
    paused_at: Mapped[datetime | None]
    champion_before_id: Mapped[int | None] = mapped_column(ForeignKey("contestants.id"))
    champion_wins_before: Mapped[int]
    last_line: Mapped[int] = mapped_column(default=1, server_default="1")
    last_event: Mapped[int] = mapped_column(default=0, server_default="0")
    last_talk: Mapped[int] = mapped_column(default=0, server_default="0")
    is_unlisted: Mapped[bool] = mapped_column(default=False, server_default=false())
    version: Mapped[int] = mapped_column()
    seats: Mapped[list["Seat"]] = relationship(order_by="Seat.seat", lazy="selectin", back_populates="episode")
    questions: Mapped[list["QuestionRow"]] = relationship(
        primaryjoin="and_(QuestionRow.episode_id == Episode.id, QuestionRow.closed_at.is_(None))",
        order_by="QuestionRow.id",
        back_populates="episode",
    )
    premoves: Mapped[list["PremoveRow"]] = relationship(
        primaryjoin="and_(PremoveRow.episode_id == Episode.id, or_(PremoveRow.state == 'waiting', "
        "and_(PremoveRow.state.in_(('played', 'dropped')), PremoveRow.is_told.is_(False))))",
        order_by="PremoveRow.id",
        back_populates="episode",
    )
    untold: Mapped[list["EventRow"]] = relationship(
        primaryjoin="and_(EventRow.episode_id == Episode.id, EventRow.number > "
        "select(func.min(Seat.told)).where(Seat.episode_id == Episode.id).scalar_subquery())",
        order_by="EventRow.number",
    )
    __mapper_args__ = {"version_id_col": version}  # noqa: RUF012 - SQLAlchemy reads it once

    @property
    def open_questions(self) -> list["QuestionRow"]:
        """The questions that are open, oldest first."""
        return [row for row in self.questions if row.closed_at is None]

    def waiting_premoves(self, seat: int | None = None) -> list["PremoveRow"]:
        """The commands sent ahead that wait, in the order in which they came; of one seat, or of all."""
        return [row for row in self.premoves if row.state == "waiting" and seat in (None, row.seat)]

    @property
    def premoves_to_tell(self) -> list["PremoveRow"]:
        """The commands sent ahead that wait, and those played or dropped of which their seats have not been told."""
        untold = ("played", "dropped")
        return [row for row in self.premoves if row.state == "waiting" or (row.state in untold and not row.is_told)]


class Seat(Base):
    """A contestant in an episode, under the name they play with. `told` counts the events that letters told them.

    `stopped_seconds` is how long their clocks have stood still in this episode because letters came back, `bank_used` how many
    seconds of their time bank are spent. `won` and `winnings` (in the game's own unit) are known once the episode is over.
    `terms` are those of the game that letters explained, `heard` is the number of the last table talk that a letter carried or
    passed over.
    """

    __tablename__ = "seats"
    episode_id: Mapped[int] = mapped_column(ForeignKey("episodes.id"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True)
    contestant_id: Mapped[int] = mapped_column(ForeignKey("contestants.id"), index=True)
    name: Mapped[str] = mapped_column(String(64))
    told: Mapped[int]
    thread: Mapped[str]
    stopped_seconds: Mapped[int] = mapped_column(default=0, server_default="0")
    bank_used: Mapped[int] = mapped_column(default=0, server_default="0")
    won: Mapped[bool | None]
    winnings: Mapped[int | None] = mapped_column(BigInteger)
    terms: Mapped[list[Any]] = mapped_column(default=list, server_default="[]")
    heard: Mapped[int] = mapped_column(default=0, server_default="0")
    episode: Mapped[Episode] = relationship(back_populates="seats")
    contestant: Mapped[Contestant] = relationship(lazy="joined", innerjoin=True)

    @property
    def public_name(self) -> str:
        """The name on pages that everybody may see."""
        return f"Player {self.seat + 1}" if self.contestant.is_private else self.name


class RecordLine(Base):
    """A line of the episode record; `line` counts as in the file, so the first is 2. Append-only."""

    __tablename__ = "record_lines"
    episode_id: Mapped[int] = mapped_column(ForeignKey("episodes.id"), primary_key=True)
    line: Mapped[int] = mapped_column(primary_key=True)
    text: Mapped[str]
    at: Mapped[datetime]


class Deck(Base):
    """A deck as it was shuffled with the stream `label`, and how it was cut."""

    __tablename__ = "decks"
    episode_id: Mapped[int] = mapped_column(ForeignKey("episodes.id"), primary_key=True)
    label: Mapped[str] = mapped_column(String(64), primary_key=True)
    cards: Mapped[list[Any]]
    cut: Mapped[int | None]


class EventRow(Base):
    """An event of an episode, in order; letters tell each contestant what came after their last one."""

    __tablename__ = "happenings"
    episode_id: Mapped[int] = mapped_column(ForeignKey("episodes.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    event: Mapped[dict[str, Any]]


CLOCK_RUNS = "closed_at IS NULL AND asked_at IS NOT NULL AND stopped_at IS NULL"
"""Picks the questions whose clock runs: open, put to their contestant, and no letter came back.

A paused episode's clocks stand still besides.
"""


class QuestionRow(Base):
    """Something a contestant is asked.

    `due_at` runs once the first letter that asks it was accepted (`asked_at`); `remind` are the reminders left, in
    seconds before `due_at`. `stopped_at`: its clock stands still since then, because a letter came back, and until
    `goes_on_at` at most; it does that once (`was_stopped`). `drawn` are seconds that the time bank gave, `was_graced` that
    the last chance was given, `in_calendar` that a calendar has it. `closed_at` ends it; `outcome` says how, and is empty
    before.
    """

    __tablename__ = "questions"
    __table_args__ = (
        partial("ix_questions_due", "due_at", "id", where=CLOCK_RUNS),
        partial("ix_questions_remind", "remind_at", "id", where=CLOCK_RUNS),
        partial("ix_questions_stopped", "goes_on_at", where="closed_at IS NULL AND goes_on_at IS NOT NULL"),
        Index("ix_questions_open", "episode_id", "closed_at"),
        Index("ix_questions_contestant", "contestant_id", "closed_at"),
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    purpose: Mapped[QuestionPurpose] = mapped_column(String(16))
    contestant_id: Mapped[int] = mapped_column(ForeignKey("contestants.id"))
    episode_id: Mapped[int | None] = mapped_column(ForeignKey("episodes.id"))
    registration_id: Mapped[int | None] = mapped_column(ForeignKey("registrations.id"))
    game: Mapped[str] = mapped_column(String(40))
    seat: Mapped[int | None]
    key: Mapped[str] = mapped_column(String(120))
    phase: Mapped[str] = mapped_column(String(40))
    opened_at: Mapped[datetime]
    asked_at: Mapped[datetime | None]
    within: Mapped[int | None]
    due_at: Mapped[datetime | None]
    remind: Mapped[list[Any]]
    remind_at: Mapped[datetime | None]
    stopped_at: Mapped[datetime | None]
    goes_on_at: Mapped[datetime | None]
    was_stopped: Mapped[bool] = mapped_column(default=False, server_default=false())
    drawn: Mapped[int] = mapped_column(default=0, server_default="0")
    was_graced: Mapped[bool] = mapped_column(default=False, server_default=false())
    in_calendar: Mapped[bool] = mapped_column(default=False, server_default=false())
    closed_at: Mapped[datetime | None]
    outcome: Mapped[QuestionOutcome | Literal[""]] = mapped_column(Text)
    episode: Mapped[Episode | None] = relationship(back_populates="questions")


class PremoveRow(Base):
    """A command that a contestant sent ahead, secret until it is played.

    `letter_id` is the letter it replied to, so that a second reply to that letter does not send it twice; `note` says why it
    was dropped, `is_told` that its owner was told what became of it.
    """

    __tablename__ = "kept"
    __table_args__ = (Index("ix_kept_episode_seat_state", "episode_id", "seat", "state"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    episode_id: Mapped[int] = mapped_column(ForeignKey("episodes.id"))
    seat: Mapped[int]
    letter_id: Mapped[int] = mapped_column(ForeignKey("letters.id"), index=True)
    inbound_id: Mapped[int] = mapped_column(ForeignKey("inbound.id"))
    text: Mapped[str] = mapped_column(Text)
    scope: Mapped[str] = mapped_column(String(40))
    state: Mapped[PremoveState] = mapped_column(String(16))
    note: Mapped[str] = mapped_column(Text)
    is_told: Mapped[bool]
    at: Mapped[datetime] = mapped_column(Instant)
    episode: Mapped[Episode] = relationship(back_populates="premoves")


class BankEntry(Base):
    """A question of a game's question bank, and the answers that are right."""

    __tablename__ = "bank_entries"
    __table_args__ = (UniqueConstraint("game", "ask"),)

    id: Mapped[int] = mapped_column(primary_key=True)
    game: Mapped[str] = mapped_column(String(40))
    ask: Mapped[str] = mapped_column(Text)
    answers: Mapped[Any] = mapped_column(JSON)
    at: Mapped[datetime] = mapped_column(Instant)


class BankUse(Base):
    """A question of the bank was put in an episode: its contestants have seen it."""

    __tablename__ = "bank_uses"

    entry_id: Mapped[int] = mapped_column(ForeignKey("bank_entries.id"), primary_key=True)
    episode_id: Mapped[int] = mapped_column(ForeignKey("episodes.id"), primary_key=True, index=True)
