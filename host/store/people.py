"""Edge: the rows of people. In: an address, a name, a game. Out: contestants, their places in queues, their money.

The lobby and the log of the host's commands are here too. What is not there is given as None, False or an empty sequence.
All functions raise SQLAlchemy's errors where the database is out of reach or busy (`host.store.database.is_passing`); what
else one raises it says itself.
"""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import and_, delete, exists, false, func, or_, select, text, tuple_, update
from sqlalchemy.orm import Session, aliased
from sqlalchemy.sql import ColumnElement

from host.states import MailState, RegistrationState
from host.store.database import count, folds, insert_of
from host.store.schema import (
    Absence,
    Address,
    AskRow,
    AuditEntry,
    Contestant,
    Declined,
    Episode,
    HeldMail,
    Inbound,
    LedgerEntry,
    Letter,
    LobbyRow,
    Mute,
    QuestionRow,
    Registration,
    Seat,
    Shifted,
    Watcher,
)

OPEN: tuple[RegistrationState, ...] = ("unconfirmed", "waiting")
"""The states of a registration that is still to be confirmed or waits in the queue."""
# mypy looks at what is assigned, not at what SQLAlchemy compares
_WAITING: RegistrationState = "waiting"
_REFUSED: MailState = "refused"


def contestant_of_address(session: Session, address: str) -> Contestant | None:
    """The contestant whose address this is, registered or confirmed since.

    A registration that nobody confirmed takes it from nobody.
    """
    found = registered_at(session, address)
    if found and found.confirmed_at is not None:
        return found
    owner = session.scalar(
        select(Contestant).join(Address, Address.contestant_id == Contestant.id).where(Address.address == address)
    )
    return owner or found


def registered_at(session: Session, address: str) -> Contestant | None:
    """The contestant who registered with this address."""
    return session.scalar(select(Contestant).where(Contestant.address == address))


def is_declined(session: Session, address: str) -> bool:
    """Did the owner of this address say that they did not register?"""
    return session.get(Declined, address) is not None


def decline(session: Session, address: str, now: datetime) -> None:
    """Write to this address no more. A second time changes only the moment."""
    session.merge(Declined(address=address, at=now))


def undo_decline(session: Session, address: str) -> None:
    """The owner of this address has proved that they want to be written to."""
    session.execute(delete(Declined).where(Declined.address == address))


def take_back(session: Session, address: str) -> None:
    """An address that belonged to somebody as a second one is theirs no longer."""
    session.execute(delete(Address).where(Address.address == address))


def forget(session: Session, contestant: Contestant) -> None:
    """Somebody who never confirmed anything: what they registered goes; letters and mails stay, without their name."""
    number = contestant.id
    asked = select(QuestionRow.id).where(QuestionRow.contestant_id == number)
    quietly = {"synchronize_session": False}
    held = select(HeldMail.inbound_id).where(HeldMail.question_id.in_(asked))
    for statement in (
        update(Inbound)
        .where(Inbound.id.in_(held))
        .values(state=_REFUSED, note="its contestant never confirmed anything"),
        delete(HeldMail).where(HeldMail.question_id.in_(asked)),
        delete(Address).where(Address.contestant_id == number),
        delete(Absence).where(Absence.contestant_id == number),
        delete(AskRow).where(AskRow.question_id.in_(asked)),
        delete(QuestionRow).where(QuestionRow.contestant_id == number),
        delete(Registration).where(Registration.contestant_id == number),
        delete(Mute).where(or_(Mute.contestant_id == number, Mute.muted_id == number)),
        delete(Watcher).where(Watcher.contestant_id == number),
        update(Letter).where(Letter.contestant_id == number).values(contestant_id=None),
        update(Letter).where(Letter.about_id == number).values(about_id=None),
        update(Inbound).where(Inbound.contestant_id == number).values(contestant_id=None),
    ):
        session.execute(statement, execution_options=quietly)
    session.delete(contestant)
    session.flush()  # `expire_all` forgets what was not written
    session.expire_all()


def contestant_called(session: Session, called: str) -> Contestant | None:
    """The contestant whom letters call exactly this."""
    return session.scalar(select(Contestant).where(Contestant.called == called))


def is_called(session: Session, called: str) -> bool:
    """Do letters call somebody this already, however it is capitalised?"""
    found = select(Contestant.id).where(func.lower(Contestant.called).in_(folds(called)))
    return session.scalar(found) is not None


def absences_after(
    session: Session, contestant_id: int, since: datetime, with_taken_back: bool = False
) -> Sequence[Absence]:
    """The absences of a contestant that end after a moment, in their order."""
    found = select(Absence).where(Absence.contestant_id == contestant_id, Absence.ends_at > since)
    if not with_taken_back:
        found = found.where(~Absence.is_taken_back)
    return session.scalars(found.order_by(Absence.begins_at)).all()


def is_away(session: Session, contestant_id: int, now: datetime) -> bool:
    """Is a contestant away at a moment?"""
    return any(each.begins_at <= now for each in absences_after(session, contestant_id, now))


def contestants_numbered(session: Session, ids: Collection[int]) -> dict[int, Contestant]:
    """These contestants by number."""
    return {row.id: row for row in session.scalars(select(Contestant).where(Contestant.id.in_(ids)))}


def due_for_daily(session: Session, now: datetime, limit: int) -> Sequence[int]:
    """The numbers of some contestants whose daily letter is due."""
    found = select(Contestant.id).where(Contestant.daily_at <= now).order_by(Contestant.daily_at)
    return session.scalars(found.limit(limit)).all()


def lobbies(session: Session) -> Sequence[LobbyRow]:
    """The lobbies of all games that were ever played here."""
    return session.scalars(select(LobbyRow)).all()


def take_lobby(session: Session, slug: str) -> LobbyRow:
    """The lobby's row of a game, made where there is none yet; until this transaction ends, no other changes it."""
    taken: dict[str, Any] = {"with_for_update": {"of": LobbyRow}}
    found = session.get(LobbyRow, slug, **taken)
    if found is None:
        new = insert_of(session)(LobbyRow).values(
            game=slug, episodes=0, running=0, champion_wins=0, begin_requested=False
        )
        session.execute(new.on_conflict_do_nothing())  # another process may make it in the same moment
        found = session.get_one(LobbyRow, slug, **taken)
    return found


def queue_of(
    session: Session, slug: str, limit: int | None = None, here_at: datetime | None = None
) -> Sequence[Registration]:
    """The queue of a game, first in line first; the first `limit` of it where that is given.

    Of a moment, where one is given, without those who are away, and without those who were silent when last asked and have not
    written since, or wanted to be asked later.
    """
    some = select(Registration).where(Registration.game == slug, Registration.state == _WAITING)
    if here_at is not None:
        away = exists().where(
            Absence.contestant_id == Registration.contestant_id, Absence.begins_at <= here_at, Absence.ends_at > here_at
        )
        some = some.where(Registration.is_passed == false(), ~away)
    return session.scalars(some.order_by(Registration.queued_at, Registration.id).limit(limit)).all()


def times_met(session: Session, slug: str, ids: Collection[int]) -> dict[frozenset[int], int]:
    """How many episodes of a game any two of these contestants have sat in together, where they have."""
    one, other = aliased(Seat), aliased(Seat)
    together = (
        select(one.contestant_id, other.contestant_id, func.count())
        .join(other, and_(other.episode_id == one.episode_id, other.contestant_id > one.contestant_id))
        .join(Episode, Episode.id == one.episode_id)
        .where(one.contestant_id.in_(ids), other.contestant_id.in_(ids), Episode.game == slug)
        .group_by(one.contestant_id, other.contestant_id)
    )
    return {frozenset((first, second)): times for first, second, times in session.execute(together)}


def call_all(session: Session, slug: str) -> None:
    """All who wait for a game are asked once more, those who were silent or wanted to be asked later, too."""
    passed = update(Registration).where(
        Registration.game == slug, Registration.state == _WAITING, Registration.is_passed
    )
    session.execute(passed.values(is_passed=False, passed_at=None, ask_again_at=None))


def set_back(session: Session, after: datetime, by: timedelta) -> None:
    """What waits for a moment after one, to which the clock does not go for long now, waits for one earlier by as much."""
    for column in (
        LobbyRow.hold_until,
        LobbyRow.champion_waits_until,
        Registration.ask_again_at,
        Contestant.daily_at,
        Watcher.next_at,
    ):
        later = update(column.class_).where(column > after).values({column: Shifted(column, after, after + by)})
        session.execute(later.execution_options(synchronize_session=False))


def registrations_to_ask_again(session: Session, now: datetime) -> Sequence[Registration]:
    """The places in queues of those who said `not now`, and whom it is time to ask again."""
    waiting = select(Registration).where(text("ask_again_at IS NOT NULL"), Registration.ask_again_at <= now)
    return session.scalars(waiting.order_by(Registration.ask_again_at)).all()


def place_in_line(session: Session, registration: Registration, limit: int) -> int:
    """The place of a registration in its queue, from 1 and counted up to `limit`; 0 where it does not wait."""
    if registration.state != "waiting":
        return 0
    is_before = tuple_(Registration.queued_at, Registration.id) <= (registration.queued_at, registration.id)
    return count_waiting(session, registration.game, limit, is_before)


def count_waiting(session: Session, slug: str, limit: int | None = None, *which: ColumnElement[bool]) -> int:
    """Count those who wait in the queue of a game, up to `limit` where that is given; those alone that fulfil `which`."""
    waiting = select(Registration.id).where(Registration.game == slug, Registration.state == _WAITING, *which)
    return count(session, waiting, limit)


def registrations_of(
    session: Session, contestant_id: int, states: Sequence[RegistrationState], slug: str = ""
) -> Sequence[Registration]:
    """A contestant's registrations in one of these states, for one game or for whatever game."""
    found = select(Registration).where(Registration.contestant_id == contestant_id, Registration.state.in_(states))
    return session.scalars(found.where(Registration.game == slug) if slug else found).all()


def registration_of(session: Session, contestant_id: int, slug: str, *states: RegistrationState) -> Registration | None:
    """A contestant's latest registration for a game in one of these states."""
    found = select(Registration).where(
        Registration.contestant_id == contestant_id, Registration.game == slug, Registration.state.in_(states)
    )
    return session.scalar(found.order_by(Registration.id.desc()).limit(1))


def ledger_of(session: Session, contestant: Contestant) -> dict[str, int]:
    """A contestant's play money by account, over all episodes that are over; the account of the oldest entry first."""
    totals: dict[str, int] = {}
    of_them = select(LedgerEntry).where(LedgerEntry.contestant_id == contestant.id).order_by(LedgerEntry.id)
    for entry in session.scalars(of_them):
        totals[entry.account] = totals.get(entry.account, 0) + entry.amount
    return {account: amount for account, amount in totals.items() if amount}


def ledger_sums(session: Session, episode_id: int) -> list[tuple[int, str, int]]:
    """The sums that an episode booked: contestant, account, amount."""
    rows = session.execute(
        select(LedgerEntry.contestant_id, LedgerEntry.account, func.sum(LedgerEntry.amount))
        .where(LedgerEntry.episode_id == episode_id)
        .group_by(LedgerEntry.contestant_id, LedgerEntry.account)
    )
    return [(contestant_id, account, amount) for contestant_id, account, amount in rows]


def went_back_at(session: Session, code: str) -> frozenset[datetime]:
    """The moments at which the host took an episode back."""
    said = select(AuditEntry.at).where(AuditEntry.episode == code, func.lower(AuditEntry.command).like("back %"))
    return frozenset(session.scalars(said))


def last_audit_entries(session: Session, limit: int, code: str = "") -> Sequence[AuditEntry]:
    """The latest commands of the host, newest first; with `code` only those for that episode."""
    entries = select(AuditEntry).order_by(AuditEntry.id.desc()).limit(limit)
    return session.scalars(entries.where(AuditEntry.episode == code) if code else entries).all()
