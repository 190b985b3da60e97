"""Edge: the tables. In: nothing. Out: one class a table; instants are aware and UTC, money whole units.

migrations/ makes these tables; a test holds the two against each other.
"""

from datetime import UTC, datetime
from typing import Any, ClassVar

from sqlalchemy import (
    JSON,
    BigInteger,
    DateTime,
    Dialect,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Text,
    TypeDecorator,
    UniqueConstraint,
    false,
    text,
    true,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship

NAMING = {
    "ix": "ix_%(column_0_N_label)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


Number32 = BigInteger().with_variant(Integer, "sqlite")
"""An unsigned number of 32 bits, as IMAP has them (RFC 9051), or a longer one."""


class Instant(TypeDecorator[datetime]):
    """A moment in UTC, on both databases."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """To the database, in UTC."""
        return None if value is None else value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """From the database; SQLite forgets the zone."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Base(DeclarativeBase):
    """All tables."""

    metadata = MetaData(naming_convention=NAMING)
    type_annotation_map: ClassVar[dict[Any, Any]] = {
        datetime: Instant(),
        dict[str, Any]: JSON,
        list[Any]: JSON,
        str: Text,
    }


def _partial(name: str, *columns: str, where: str) -> Index:
    """An index of the rows that are still in work, so that it stays as short as the work is."""
    return Index(name, *columns, sqlite_where=text(where), postgresql_where=text(where))


class Contestant(Base):
    """A person who registered. `called` is what letters call them; `name` in full is never shown to others.

    `bounced_at`: a letter came back as undeliverable then, and they have not written since.
    """

    __tablename__ = "contestants"
    __table_args__ = (Index("ix_contestants_called_lower", text("lower(called)")),)
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


class Registration(Base):
    """A place in the queue of a game. `state`: unconfirmed, waiting, playing, played, left, expired.

    The queue goes by `queued_at`. `passed_at`: silent when last asked to be ready; not asked again before they write,
    which is what `is_passed` says. Who said `not now` is passed over until `ask_again_at`.
    """

    __tablename__ = "registrations"
    __table_args__ = (
        Index("ix_registrations_queue", "game", "state", "queued_at", "id"),
        Index("ix_registrations_line", "game", "state", "is_passed", "queued_at", "id"),
        _partial("ix_registrations_passed", "contestant_id", where="is_passed"),
        _partial("ix_registrations_again", "ask_again_at", where="ask_again_at IS NOT NULL"),
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    contestant_id: Mapped[int] = mapped_column(ForeignKey("contestants.id"), index=True)
    game: Mapped[str] = mapped_column(String(40))
    state: Mapped[str] = mapped_column(String(16))
    created_at: Mapped[datetime]
    queued_at: Mapped[datetime]
    passed_at: Mapped[datetime | None]
    is_passed: Mapped[bool] = mapped_column(default=False, server_default=false())
    ask_again_at: Mapped[datetime | None]
    contestant: Mapped[Contestant] = relationship(lazy="joined", innerjoin=True)


class LobbyRow(Base):
    """One row a game: who is champion, how many episodes there were and are under way, what the next one waits for."""

    __tablename__ = "lobbies"
    game: Mapped[str] = mapped_column(String(40), primary_key=True)
    episodes: Mapped[int]
    running: Mapped[int] = mapped_column(default=0, server_default="0")
    champion_id: Mapped[int | None] = mapped_column(ForeignKey("contestants.id"))
    champion_wins: Mapped[int]
    hold_until: Mapped[datetime | None]
    begin_requested: Mapped[bool]
    champion: Mapped[Contestant | None] = relationship(lazy="joined")


class Episode(Base):
    """An episode: its secret, its state as of the last turn (JSON), and its life. `version` guards each commit.

    `champion_before_id` and `champion_wins_before` are of when it began, and once it is over of just before its end.
    """

    __tablename__ = "episodes"
    __table_args__ = (
        _partial("ix_episodes_running", "game", "id", where="over_at IS NULL"),
        _partial("ix_episodes_paused", "id", where="paused_at IS NOT NULL"),
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
    version: Mapped[int] = mapped_column()
    seats: Mapped[list["Seat"]] = relationship(order_by="Seat.seat", lazy="selectin", back_populates="episode")
    __mapper_args__ = {"version_id_col": version}  # noqa: RUF012 - SQLAlchemy reads it once


class Seat(Base):
    """A contestant in an episode, under the name they play with. `told` counts the events that letters told them.

    `stopped_seconds` is how long their clocks have stood still in this episode because letters came back.
    """

    __tablename__ = "seats"
    episode_id: Mapped[int] = mapped_column(ForeignKey("episodes.id"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True)
    contestant_id: Mapped[int] = mapped_column(ForeignKey("contestants.id"), index=True)
    name: Mapped[str] = mapped_column(String(64))
    told: Mapped[int]
    thread: Mapped[str]
    stopped_seconds: Mapped[int] = mapped_column(default=0, server_default="0")
    episode: Mapped[Episode] = relationship(back_populates="seats")
    contestant: Mapped[Contestant] = relationship(lazy="joined", innerjoin=True)


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
"""Of questions: open, put to their contestant, and no letter came back. (A paused episode's clocks stand still besides.)"""


class QuestionRow(Base):
    """Something a contestant is asked. `purpose`: game, ready, confirm, address, new-address, resign.

    `due_at` runs once the first letter that asks it was accepted (`asked_at`); `remind` are the reminders left, in
    seconds before `due_at`. `stopped_at`: its clock stands still since then, because a letter came back, and until
    `goes_on_at` at most; it does that once (`was_stopped`). `closed_at` ends it; `outcome` says how.
    """

    __tablename__ = "questions"
    __table_args__ = (
        _partial("ix_questions_due", "due_at", "id", where=CLOCK_RUNS),
        _partial("ix_questions_remind", "remind_at", "id", where=CLOCK_RUNS),
        _partial("ix_questions_stopped", "goes_on_at", where="closed_at IS NULL AND goes_on_at IS NOT NULL"),
        Index("ix_questions_open", "episode_id", "closed_at"),
        Index("ix_questions_contestant", "contestant_id", "closed_at"),
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    purpose: Mapped[str] = mapped_column(String(16))
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
    closed_at: Mapped[datetime | None]
    outcome: Mapped[str]


UNSENT = "state IN ('queued', 'sending')"
"""Of letters: still to be sent. A partial index serves only a query that says its condition with the same literals."""


REGISTRATION_PURPOSES = ("confirm", "name", "registration")
ANSWERS_REGISTRATION = "purpose IN ('confirm', 'name', 'registration')"
"""Of letters: an answer to a registration, which anybody can write in anybody's name."""


class Letter(Base):
    """A letter, finished, and what became of it. `state`: queued, sending, sent, failed, cancelled.

    `contestant_id` is whom it was sent to, None for operators; `about_id` is the contestant whose words it forwards;
    `host_question` is the key of a game's question to the host that it puts, `cause` what an alert is about (one a cause
    and hour). While it is `sending`, `try_at` is when another process may try it.
    """

    __tablename__ = "letters"
    __table_args__ = (
        _partial("ix_letters_due", "try_at", "id", where=UNSENT),
        _partial("ix_letters_unsent", "id", where=UNSENT),
        _partial("ix_letters_waiting", "address", "id", where=UNSENT),
        _partial("ix_letters_failed", "id", where="state = 'failed'"),
        _partial("ix_letters_cause", "cause", "created_at", where="cause <> ''"),
        _partial("ix_letters_about", "about_id", where="about_id IS NOT NULL"),
        _partial("ix_letters_registration", "created_at", where=ANSWERS_REGISTRATION),
        Index("ix_letters_sent_at", "sent_at"),
        Index("ix_letters_contestant", "contestant_id", "id"),
        Index("ix_letters_address", "address", "created_at"),
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    token: Mapped[str] = mapped_column(String(32), unique=True)
    kind: Mapped[str] = mapped_column(String(16))
    purpose: Mapped[str] = mapped_column(String(16))
    address: Mapped[str] = mapped_column(String(320))
    contestant_id: Mapped[int | None] = mapped_column(ForeignKey("contestants.id"))
    about_id: Mapped[int | None] = mapped_column(ForeignKey("contestants.id"))
    episode_id: Mapped[int | None] = mapped_column(ForeignKey("episodes.id"), index=True)
    game: Mapped[str] = mapped_column(String(40))
    subject: Mapped[str]
    body: Mapped[str] = mapped_column(Text, deferred=True)
    page: Mapped[str] = mapped_column(Text, deferred=True)
    message: Mapped[bytes] = mapped_column(LargeBinary, deferred=True)
    answers_id: Mapped[int | None] = mapped_column(ForeignKey("inbound.id"), index=True)
    host_question: Mapped[str] = mapped_column(String(120), default="", server_default="")
    cause: Mapped[str] = mapped_column(String(200), default="", server_default="")
    created_at: Mapped[datetime]
    state: Mapped[str] = mapped_column(String(16))
    attempts: Mapped[int]
    try_at: Mapped[datetime]
    sent_at: Mapped[datetime | None]
    response: Mapped[str]


class AskRow(Base):
    """A letter asks a question; a reply to that letter may answer it while it is open."""

    __tablename__ = "asks"
    letter_id: Mapped[int] = mapped_column(ForeignKey("letters.id"), primary_key=True)
    question_id: Mapped[int] = mapped_column(ForeignKey("questions.id"), primary_key=True, index=True)
    letter: Mapped[Letter] = relationship()
    question: Mapped[QuestionRow] = relationship()


NEW = "state = 'new'"
"""Of mails: still to be worked off."""


class Inbound(Base):
    """A mail that was fetched.

    `state`: new, deferred, waiting, played, answered, refused, held, silent, stranger, duplicate, broken. What is deferred is
    new again when the limits on answers to registrations allow, what is waiting when its sender has confirmed another one.
    `is_known`: it names a letter of ours; the others are worked off by themselves, so that they hold up nobody, and no
    deadline waits for them. `proof` says how the check of its sender ended: pass, fail or none.
    `lane` says which mails must be worked off one after the other: those of an episode, of a contestant, of an unknown
    address (`post.keep_mails`). `lease_until` is until when the process that took it may go on alone. `raw` is dropped where the
    mail is a stranger's. `lines` are what the person typed, `note` what became of it.
    """

    __tablename__ = "inbound"
    __table_args__ = (
        UniqueConstraint("mailbox", "uidvalidity", "uid"),
        _partial("ix_inbound_new", "is_known", "arrived_at", "id", where=NEW),
        _partial("ix_inbound_deferred", "id", where="state = 'deferred'"),
        _partial("ix_inbound_lane", "lane", "arrived_at", "id", where=NEW),
        _partial("ix_inbound_broken", "id", where="state = 'broken'"),
        Index("ix_inbound_content_key", "content_key"),
        Index("ix_inbound_sender", "sender", "id"),
        Index("ix_inbound_episode", "episode_id", "id"),
        Index("ix_inbound_contestant", "contestant_id", "id"),
        _partial("ix_inbound_kept", "fetched_at", where="raw IS NOT NULL AND state NOT IN ('new', 'held', 'broken')"),
    )
    id: Mapped[int] = mapped_column(primary_key=True)
    mailbox: Mapped[str] = mapped_column(String(200))
    uidvalidity: Mapped[int] = mapped_column(Number32)
    uid: Mapped[int] = mapped_column(Number32)
    arrived_at: Mapped[datetime]
    fetched_at: Mapped[datetime]
    raw: Mapped[bytes | None] = mapped_column(LargeBinary, deferred=True)
    size: Mapped[int] = mapped_column(Number32)
    state: Mapped[str] = mapped_column(String(16))
    content_key: Mapped[str | None] = mapped_column(String(64))
    sender: Mapped[str] = mapped_column(String(320))
    token: Mapped[str | None] = mapped_column(String(32))
    contestant_id: Mapped[int | None] = mapped_column(ForeignKey("contestants.id"))
    episode_id: Mapped[int | None] = mapped_column(ForeignKey("episodes.id"))
    lines: Mapped[list[Any]]
    note: Mapped[str]
    lane: Mapped[str] = mapped_column(String(340), default="", server_default="")
    is_known: Mapped[bool] = mapped_column(default=True, server_default=true())
    proof: Mapped[str] = mapped_column(String(8), default="none", server_default="none")
    lease_until: Mapped[datetime | None]


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

    `uidvalidity` is the server's, and in its upper 32 bits how often the mailbox was made anew (`post.begin_mailbox`).
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


class AuditEntry(Base):
    """What the host's hand did: when, who, which command."""

    __tablename__ = "audit"
    __table_args__ = (Index("ix_audit_episode", "episode", "id"),)
    id: Mapped[int] = mapped_column(primary_key=True)
    at: Mapped[datetime]
    who: Mapped[str]
    command: Mapped[str]
    episode: Mapped[str] = mapped_column(String(16))


class Lease(Base):
    """Which process does what only one may do at a time, and until when nobody else may take that over."""

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


class PremoveRow(Base):
    """A command that a contestant sent ahead, secret until it is played.

    `state`: waiting, played, dropped or cancelled. `letter_id` is the letter it replied to, so that a second reply to that
    letter does not send it twice; `note` says why it was dropped, `is_told` that its owner was told what became of it.
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
    state: Mapped[str] = mapped_column(String(16))
    note: Mapped[str] = mapped_column(Text)
    is_told: Mapped[bool]
    at: Mapped[datetime] = mapped_column(Instant)


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
