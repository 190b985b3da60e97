"""Edge: the rows of the question bank. In: a game, contestants. Out: questions that none of them has seen."""

from collections.abc import Collection, Sequence
from datetime import datetime

from sqlalchemy import Select, func, select
from sqlalchemy.orm import Session

from host.store.database import count
from host.store.schema import BankEntry, BankUse, Seat


def known_prompts(session: Session, game: str) -> frozenset[str]:
    """The questions of a game's bank."""
    return frozenset(session.scalars(select(BankEntry.ask).where(BankEntry.game == game)))


def add_entry(session: Session, game: str, ask: str, answers: Sequence[str], now: datetime) -> None:
    """One more question at the end of the bank."""
    session.add(BankEntry(game=game, ask=ask, answers=list(answers), at=now))


def _unseen(game: str, contestant_ids: Collection[int]) -> Select[BankEntry]:
    seen = (
        select(BankUse.entry_id)
        .join(Seat, Seat.episode_id == BankUse.episode_id)
        .where(Seat.contestant_id.in_(contestant_ids))
    )
    return select(BankEntry).where(BankEntry.game == game, BankEntry.id.not_in(seen))


def next_entry(session: Session, game: str, contestant_ids: Collection[int]) -> BankEntry | None:
    """The first question that none of these contestants has seen, or None."""
    return session.scalar(_unseen(game, contestant_ids).order_by(BankEntry.id).limit(1))


def count_unseen(session: Session, game: str, contestant_ids: Collection[int]) -> int:
    """Count the questions that none of these contestants has seen."""
    return count(session, _unseen(game, contestant_ids))


def use_entry(session: Session, entry: BankEntry, episode_id: int) -> None:
    """This question is put in this episode."""
    session.merge(BankUse(entry_id=entry.id, episode_id=episode_id))


def entries_with_uses(session: Session, game: str) -> Sequence[tuple[BankEntry, int]]:
    """The bank in its order, with the number of episodes in which each question was put."""
    uses = func.count(BankUse.episode_id)
    rows = session.execute(
        select(BankEntry, uses)
        .outerjoin(BankUse, BankUse.entry_id == BankEntry.id)
        .where(BankEntry.game == game)
        .group_by(BankEntry.id)
        .order_by(BankEntry.id)
    )
    return [(entry, count) for entry, count in rows]
