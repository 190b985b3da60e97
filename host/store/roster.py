"""Edge: all contestants, and the host's hand over their rows. In: a contestant, two of them, an address. Out: rows of a list, of
whom is written to, of what is barred; one contestant made of two."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from sqlalchemy import bindparam, delete, exists, func, or_, select, update
from sqlalchemy.orm import Session

from host.play.names import mailbox_of
from host.store.database import count
from host.store.people import OPEN
from host.store.schema import (
    Absence,
    Address,
    Barred,
    Base,
    Contestant,
    Declined,
    Episode,
    Letter,
    Mute,
    QuestionRow,
    Registration,
    Seat,
    Standing,
)
from host.store.standings import ALL_YEARS

_BARRED = select(Barred.address).where(Barred.address.in_(bindparam("addresses", expanding=True))).limit(1)
_HERE = Contestant.address.contains("@")
"""Not of those who were forgotten."""


@dataclass
class Listed:
    """A contestant in the list of all: their episodes and wins, the queues and the episodes in which they are."""

    contestant: Contestant
    episodes: int
    wins: int
    queues: list[str] = field(default_factory=list)
    playing: list[str] = field(default_factory=list)
    is_barred: bool = False


def all_contestants(session: Session) -> Sequence[Listed]:
    """All contestants but those who were forgotten, by what they are called."""
    sums = select(Standing.contestant_id, func.sum(Standing.episodes), func.sum(Standing.wins)).where(
        Standing.year == ALL_YEARS, Standing.game != ""
    )
    played = {number: (episodes, wins) for number, episodes, wins in session.execute(sums.group_by("contestant_id"))}
    people = session.scalars(select(Contestant).where(_HERE).order_by(func.lower(Contestant.called)))
    found = {each.id: Listed(each, *played.get(each.id, (0, 0))) for each in people}
    queues = select(Registration.contestant_id, Registration.game).where(Registration.state == "waiting")
    for number, game in session.execute(queues.order_by(Registration.id)):
        found[number].queues.append(game)
    seats = select(Seat.contestant_id, Episode.code).join(Episode, Episode.id == Seat.episode_id)
    for number, code in session.execute(seats.where(Episode.over_at.is_(None)).order_by(Episode.id)):
        if number in found:
            found[number].playing.append(code)
    barred = set(session.scalars(select(Barred.address)))
    for each in found.values():
        each.is_barred = each.contestant.address in barred
    return list(found.values())


def of_game(session: Session, slug: str) -> Sequence[Contestant]:
    """The contestants who wait for a game, play it, or have played it and not left since; none who may not be written to."""
    latest = select(func.max(Registration.id)).where(Registration.game == slug).group_by(Registration.contestant_id)
    registered = select(Registration.contestant_id).where(
        Registration.id.in_(latest), Registration.state.in_(("waiting", "playing", "played"))
    )
    seated = (
        select(Seat.contestant_id)
        .join(Episode, Episode.id == Seat.episode_id)
        .where(Episode.game == slug, Episode.over_at.is_(None))
    )
    rows = select(Contestant).where(
        or_(Contestant.id.in_(registered), Contestant.id.in_(seated)),
        Contestant.confirmed_at.is_not(None),
        ~Contestant.is_leaving,
        Contestant.address.not_in(select(Barred.address)),
        _HERE,
    )
    return session.scalars(rows.order_by(Contestant.id)).all()


def to_call(session: Session, slug: str, champion_id: int | None, since: datetime, limit: int) -> Sequence[Contestant]:
    """Those who have finished a game and are to be called to play it again, who played last first.

    None who waits for it, plays it or is its champion, who may not be or does not want to be written to, or who was called after
    `since`.
    """
    finished = select(Standing.contestant_id).where(
        Standing.game == slug, Standing.year == ALL_YEARS, Standing.episodes > 0
    )
    seated = (Seat.contestant_id == Contestant.id, Episode.id == Seat.episode_id, Episode.game == slug)
    against = (
        exists().where(
            Registration.contestant_id == Contestant.id, Registration.game == slug, Registration.state.in_(OPEN)
        ),
        exists().where(*seated, Episode.over_at.is_(None)),
        exists().where(Barred.address == Contestant.address),
        exists().where(Declined.address == Contestant.address),
        exists().where(Letter.address == Contestant.address, Letter.purpose == "call", Letter.created_at > since),
    )
    rows = select(Contestant).where(
        Contestant.id.in_(finished),
        Contestant.id != (champion_id or 0),
        Contestant.confirmed_at.is_not(None),
        Contestant.bounced_at.is_(None),
        Contestant.wants_calls,
        ~Contestant.is_leaving,
        _HERE,
        *(~each for each in against),
    )
    last = select(func.max(Episode.over_at)).where(*seated).scalar_subquery()
    return session.scalars(rows.order_by(last.desc(), Contestant.id).limit(limit)).all()


def addresses_of(session: Session, contestant: Contestant) -> list[str]:
    """All addresses of a contestant, that to which letters go first."""
    others = session.scalars(select(Address.address).where(Address.contestant_id == contestant.id))
    return [contestant.address, *others]


def of_mailbox(session: Session, address: str) -> list[Contestant]:
    """The contestants with an address in the mailbox of this one, whatever its tag."""
    box = mailbox_of(address)
    firsts, others = select(Contestant.id, Contestant.address), select(Address.contestant_id, Address.address)
    found = {number for rows in (firsts, others) for number, each in session.execute(rows) if mailbox_of(each) == box}
    return [session.get_one(Contestant, each) for each in sorted(found)]


def barred(session: Session, *addresses: str) -> Barred | None:
    """The bar of one of these addresses, or of its mailbox: a tag behind a plus makes nobody another.

    Every mail asks for it, of the connection itself: a new bar is flushed where it is made, and nothing else is written first.
    """
    found = session.connection().scalar(_BARRED, {"addresses": [*addresses, *map(mailbox_of, addresses)]})
    return session.get_one(Barred, found) if found else None


def bars_of(session: Session, addresses: Collection[str]) -> list[Barred]:
    """The bars of the mailboxes of these addresses."""
    boxes = set(map(mailbox_of, addresses))
    return [row for row in session.scalars(select(Barred)) if mailbox_of(row.address) in boxes]


def merge(session: Session, one: Contestant, into: Contestant) -> None:
    """Give all that refers to `one` to `into`; then there is no `one` any more. Sums of standings are added."""
    session.flush()
    of_both = {
        (each.begins_at, each.ends_at)
        for each in session.scalars(select(Absence).where(Absence.contestant_id == into.id))
    }
    for each in session.scalars(select(Absence).where(Absence.contestant_id == one.id)).all():
        if (each.begins_at, each.ends_at) in of_both:  # they told of it twice
            session.delete(each)
    session.execute(delete(Mute).where(Mute.contestant_id.in_((one.id, into.id)), Mute.muted_id.in_((one.id, into.id))))
    for mapper in Base.registry.mappers:
        for column in mapper.local_table.columns:
            if not any(key.column.table is Contestant.__table__ for key in column.foreign_keys):
                continue
            name = mapper.get_property_by_column(column).key
            if not column.primary_key:
                theirs = update(mapper.class_).where(column == one.id).values({name: into.id})
                session.execute(theirs, execution_options={"synchronize_session": False})
                continue
            for row in session.scalars(select(mapper.class_).where(column == one.id)).all():
                key = tuple(
                    into.id if each is column else value
                    for each, value in zip(mapper.primary_key, mapper.primary_key_from_instance(row), strict=True)
                )
                other = session.get(mapper.class_, key)
                if other is None:
                    setattr(row, name, into.id)
                    continue
                if isinstance(row, Standing) and isinstance(other, Standing):
                    other.episodes, other.wins = other.episodes + row.episodes, other.wins + row.wins
                    other.winnings += row.winnings
                session.delete(row)
    into.wrote_at, into.created_at = max(one.wrote_at, into.wrote_at), min(one.created_at, into.created_at)
    if one.message_at and (into.message_at is None or one.message_at > into.message_at):
        into.message_id, into.message_at = one.message_id, one.message_at
    into.is_private = into.is_private or one.is_private
    into.away_until = max(filter(None, (one.away_until, into.away_until)), default=None)
    address, confirmed_at, number = one.address, one.confirmed_at, one.id
    session.flush()
    session.expire_all()
    session.execute(delete(Contestant).where(Contestant.id == number), execution_options={"synchronize_session": False})
    session.add(Address(address=address, contestant_id=into.id, confirmed_at=confirmed_at))
    session.flush()
    session.expire_all()


def episodes_of_both(session: Session, one: int, other: int) -> Sequence[str]:
    """The codes of the episodes in which two contestants sat."""
    seated = select(Seat.episode_id).where(Seat.contestant_id == other)
    rows = select(Episode.code).join(Seat, Seat.episode_id == Episode.id).where(Seat.contestant_id == one)
    return session.scalars(rows.where(Episode.id.in_(seated)).order_by(Episode.id)).all()


def count_invitations(session: Session, sender_id: int, since: datetime, address: str = "") -> int:
    """Count the invitations that a contestant sent after a moment, to an address where one is given."""
    sent = select(Letter.id).where(
        Letter.about_id == sender_id, Letter.purpose == "invitation", Letter.created_at > since
    )
    return count(session, sent.where(Letter.address == address) if address else sent)


def said_no_to(session: Session, contestant_id: int, sender_id: int) -> bool:
    """Did a contestant once say no to an invitation of another?"""
    rows = select(QuestionRow.id).where(
        QuestionRow.contestant_id == contestant_id,
        QuestionRow.purpose == "invitation",
        QuestionRow.outcome == "no",
        QuestionRow.key.startswith(f"{sender_id},"),
    )
    return session.scalar(rows.limit(1)) is not None
