"""Edge: the rows that the desk shows, page by page. In: what a page is about. Out: no more rows than a page has room for.

Every query goes by an index and is bounded, so that a page costs the same in a store of a hundred thousand mails
(`tests/web/scale.py`). Lists go backwards from a number (`before`), newest first.
"""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, TextClause, func, select, text, tuple_
from sqlalchemy.orm import InstrumentedAttribute, Session, defer, undefer

from host.store.database import count, folds
from host.store.desk_access import copy_numbers
from host.store.episodes import FIRST, with_running_clock
from host.store.schema import (
    TO_HOST,
    Address,
    AuditEntry,
    BankEntry,
    Contestant,
    Episode,
    Inbound,
    LedgerEntry,
    Letter,
    QuestionRow,
    Registration,
    SeenTo,
)

A_PAGE = 50
A_LOOK = 20
"""Rows of each kind that needs an operator; what is seen to makes room for more."""
LOOKED_THROUGH = 200
"""The latest of what may need an operator, among which is looked for what nobody has seen to."""
MEASURED = 2000
"""The latest mails and letters whose flow is told."""

Table = TypeVar("Table", bound=Inbound | Letter | AuditEntry | Contestant | BankEntry | Registration)
Mail = TypeVar("Mail", bound=Inbound | Letter)


def newest(
    session: Session,
    table: type[Table],
    before: int | None,
    *which: ColumnElement[bool] | TextClause,
    most: int = A_PAGE,
) -> Sequence[Table]:
    """A page of a table, newest first."""
    rows = select(table).where(*which)
    if before is not None:
        rows = rows.where(table.id < before)
    return session.scalars(rows.order_by(table.id.desc()).limit(most)).all()


# What needs the host


def words_to_host(
    session: Session, since: datetime
) -> list[tuple[Letter, Contestant | None, Episode | None, SeenTo | None]]:
    """Contestants' words to the host, each once, newest first: who wrote, in which episode, who has seen to it.

    Words that somebody has seen to are left out where that was before a moment.
    """
    together: dict[tuple[int | None, datetime], list[Letter]] = {}
    for letter in in_state(session, Letter, TO_HOST):
        together.setdefault((letter.about_id, letter.created_at), []).insert(0, letter)
    once: list[Letter] = []
    for letters in together.values():
        copies = copy_numbers([(each.id, each.address) for each in letters])
        once += {copies[each.id]: each for each in letters}.values()
    seen = _seen(session, "out", once)
    shown = [each.id for each in once if each.id not in seen][:A_LOOK]
    shown += [number for number, row in seen.items() if row.at >= since][:A_LOOK]
    rows = (
        select(Letter, Contestant, Episode)
        .outerjoin(Contestant, Contestant.id == Letter.about_id)
        .outerjoin(Episode, Episode.id == Letter.episode_id)
        .where(Letter.id.in_(shown))
        .options(undefer(Letter.packed))
    )
    found = session.execute(rows.order_by(Letter.id.desc()))
    return [(letter, who, episode, seen.get(letter.id)) for letter, who, episode in found]


def _seen(session: Session, way: str, rows: Sequence[Inbound | Letter]) -> dict[int, SeenTo]:
    """Find those that somebody has seen to, by their numbers."""
    whats = {f"{way} {each.id}": each.id for each in rows}
    return {whats[row.what]: row for row in session.scalars(select(SeenTo).where(SeenTo.what.in_(whats)))}


def in_state(session: Session, table: type[Mail], state: str, most: int = LOOKED_THROUGH) -> Sequence[Mail]:
    """The mails or letters that a condition of the schema picks, newest first."""
    return newest(session, table, None, text(f"{table.__tablename__}.{state}"), most=most)


def unseen(session: Session, table: type[Mail], state: str) -> Sequence[Mail]:
    """Those of `in_state` that nobody has seen to."""
    rows = in_state(session, table, state)
    seen = _seen(session, "in" if table is Inbound else "out", rows)
    return [each for each in rows if each.id not in seen][:A_LOOK]


def bounced_contestants(session: Session) -> Sequence[Contestant]:
    """The contestants whose letters came back and who have not written since; the latest first."""
    bounced = select(Contestant).where(Contestant.bounced_at.is_not(None))
    return session.scalars(bounced.order_by(Contestant.bounced_at.desc()).limit(A_LOOK)).all()


def count_stopped(session: Session) -> int:
    """Count the clocks of open questions that stand still, up to a page."""
    stopped = select(QuestionRow.id).where(QuestionRow.closed_at.is_(None), QuestionRow.goes_on_at.is_not(None))
    return count(session, stopped, A_PAGE)


# Episodes


def episodes_asking_host(session: Session) -> Sequence[Episode]:
    """The running episodes of which a letter asked an operator something, answered or not; the oldest of them."""
    asking = select(Letter.episode_id).where(text("letters.host_question <> ''"))
    running = select(Episode).where(Episode.over_at.is_(None), Episode.id.in_(asking))
    return session.scalars(running.order_by(Episode.game, Episode.id).limit(A_LOOK)).all()


def episodes_under_way(session: Session) -> Sequence[Episode]:
    """Episodes that are not over: those whose time runs out first, those that stand still, those that may ask the host."""
    clocks = with_running_clock(QuestionRow.episode_id).where(
        QuestionRow.episode_id.is_not(None), QuestionRow.due_at >= FIRST[0]
    )
    soon = clocks.order_by(QuestionRow.due_at, QuestionRow.id).limit(2 * A_PAGE)
    paused = select(Episode.id).where(Episode.paused_at.is_not(None)).order_by(Episode.id).limit(A_LOOK)
    # of few episodes all, those too whose letters are not out, or came back
    some = (
        select(Episode.id).where(text("over_at IS NULL"), Episode.over_at.is_(None)).order_by(Episode.game, Episode.id)
    )
    numbers = [*dict.fromkeys(session.scalars(soon))][:A_PAGE]
    numbers += [*session.scalars(paused), *(each.id for each in episodes_asking_host(session))]
    numbers += session.scalars(some.limit(A_PAGE))
    found = select(Episode).where(Episode.id.in_(numbers)).options(defer(Episode.state))
    return session.scalars(found.order_by(Episode.id)).all()


def episodes_over(session: Session, before: int | None) -> Sequence[Episode]:
    """The episodes that are over, the latest first; with `before` those that ended before that one."""
    over = select(Episode).where(Episode.over_at.is_not(None)).options(defer(Episode.state))
    last = session.get(Episode, before) if before is not None else None
    if last is not None and last.over_at is not None:
        over = over.where(tuple_(Episode.over_at, Episode.id) < tuple_(last.over_at, last.id))
    return session.scalars(over.order_by(Episode.over_at.desc(), Episode.id.desc()).limit(A_PAGE)).all()


def open_questions(session: Session, episode_ids: Collection[int]) -> dict[int, list[QuestionRow]]:
    """The open questions of games, by episode."""
    found: dict[int, list[QuestionRow]] = {number: [] for number in episode_ids}
    rows = select(QuestionRow).where(
        QuestionRow.episode_id.in_(episode_ids), QuestionRow.closed_at.is_(None), QuestionRow.purpose == "game"
    )
    for row in session.scalars(rows.order_by(QuestionRow.id)):
        found[row.episode_id or 0].append(row)
    return found


# People and money


def contestants_named(session: Session, wanted: str) -> Sequence[Contestant]:
    """The contestants whose name begins so, or who have that address."""
    low = wanted.lower()
    found = list(session.scalars(select(Contestant).where(Contestant.address == low)))
    for name in (func.lower(Contestant.called), func.lower(Contestant.name)):
        for form in folds(wanted):
            begins = select(Contestant).where(name >= form, name < f"{form}{chr(0x10FFFF)}").order_by(name)
            found += session.scalars(begins.limit(A_PAGE))
    second = select(Contestant).join(Address, Address.contestant_id == Contestant.id)
    found += session.scalars(second.where(Address.address == low))
    return list(dict.fromkeys(found))[:A_PAGE]


def addresses_of(session: Session, contestant_id: int) -> Sequence[Address]:
    """A contestant's further addresses."""
    return session.scalars(select(Address).where(Address.contestant_id == contestant_id).limit(A_PAGE)).all()


def ledger(session: Session, before: int | None) -> Sequence[tuple[LedgerEntry, str, str]]:
    """Entries of the ledger, newest first, each with whose it is and the code of its episode."""
    rows = (
        select(LedgerEntry, Contestant.called, Episode.code)
        .join(Contestant, Contestant.id == LedgerEntry.contestant_id)
        .join(Episode, Episode.id == LedgerEntry.episode_id)
    )
    if before is not None:
        rows = rows.where(LedgerEntry.id < before)
    return session.execute(rows.order_by(LedgerEntry.id.desc()).limit(A_PAGE)).all()


# Health, the log


def latest_times(
    session: Session,
    table: type[Inbound | Letter],
    began: InstrumentedAttribute[Any],
    ended: InstrumentedAttribute[Any],
) -> Sequence[tuple[datetime, datetime | None, str]]:
    """Two moments and the state of the latest mails or letters, newest first."""
    rows = select(began, ended, table.state).order_by(table.id.desc()).limit(MEASURED)
    return session.execute(rows).all()


def codes_over(session: Session, codes: Collection[str]) -> frozenset[str]:
    """Find those of these episodes that are over."""
    return frozenset(session.scalars(select(Episode.code).where(Episode.code.in_(codes), Episode.over_at.is_not(None))))
