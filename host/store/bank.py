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


def entries_with_uses(
    session: Session, game: str, before: int | None = None, most: int | None = None
) -> list[tuple[BankEntry, int]]:
    """Questions of the bank, newest first, each with the number of episodes in which it was put.

    With `before` those above which that one stands; the first `most` of them where that is given.
    """
    entries = select(BankEntry).where(BankEntry.game == game).order_by(BankEntry.id.desc()).limit(most)
    if before is not None:
        entries = entries.where(BankEntry.id < before)
    found = session.scalars(entries).all()
    counted = select(BankUse.entry_id, func.count()).where(BankUse.entry_id.in_([each.id for each in found]))
    uses = dict(session.execute(counted.group_by(BankUse.entry_id)).all())
    return [(each, uses.get(each.id, 0)) for each in found]


def is_put(session: Session, number: int) -> bool:
    """Was a question of the bank ever put?"""
    return session.scalar(select(BankUse.entry_id).where(BankUse.entry_id == number).limit(1)) is not None
